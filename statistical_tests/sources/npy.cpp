#include "npy.hpp"

#include <rng/error.hpp>
#include <rng/float16.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <vector>

#include "distributions.hpp"
#include "specification.hpp"

namespace rng::stats {
namespace {

/// What follows 'key': in the header's Python dict, up to the end of the dict.
std::string after_key(const std::string& header, const std::string& key) {
    for (const char quote : {'\'', '"'}) {
        const auto found = header.find(quote + key + quote);
        if (found == std::string::npos) continue;
        const auto start = header.find_first_not_of(" :", found + key.size() + 2);
        if (start != std::string::npos) return header.substr(start);
    }
    return "";
}

template <class T> double value_of(const std::byte* from, bool is_swapped, long double origin) {
    std::byte bytes[sizeof(T)];
    std::memcpy(bytes, from, sizeof(T));
    if (is_swapped) std::reverse(bytes, bytes + sizeof(T));
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    if constexpr (std::is_same_v<T, float16>)
        return static_cast<double>(static_cast<float>(value));
    else
        return static_cast<double>(static_cast<long double>(value) - origin);
}

}  // namespace

void NpyFile::refuse(const std::string& what) const {
    throw Error(ErrorCode::invalid_argument, "npy: " + file_ + " " + what);
}

NpyFile::NpyFile(const std::string& file) : file_(file) {
    static_assert(std::endian::native == std::endian::little);
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
    try {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
        if (!S_ISREG(status.st_mode)) refuse("must be a regular file");
        size_ = static_cast<uint64_t>(status.st_size);
        read_header();
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}
NpyFile::~NpyFile() { ::close(descriptor_); }

void NpyFile::read_bytes(uint64_t position, std::span<std::byte> to) const {
    while (!to.empty()) {
        const ssize_t got = ::pread(descriptor_, to.data(), to.size(), static_cast<off_t>(position));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) refuse(std::string("cannot be read: ") + std::strerror(errno));
        if (got == 0) refuse("is cut short");
        position += static_cast<uint64_t>(got);
        to = to.subspan(static_cast<std::size_t>(got));
    }
}

void NpyFile::read_header() {
    unsigned char start[12] = {};
    const std::span<std::byte> all(reinterpret_cast<std::byte*>(start), sizeof start);
    if (size_ >= sizeof start) read_bytes(0, all);
    if (std::memcmp(start, "\x93NUMPY", 6) != 0) refuse("must be a NumPy file: it has not its first six bytes");
    if (start[6] < 1 || start[6] > 3) refuse("must have NumPy format 1 to 3, got " + std::to_string(start[6]));
    const bool is_long = start[6] > 1;
    const uint64_t length =
        start[8] | uint64_t{start[9]} << 8 | (is_long ? uint64_t{start[10]} << 16 | uint64_t{start[11]} << 24 : 0);
    const uint64_t from = is_long ? 12 : 10;
    if (length > size_ - from) refuse("ends inside its header");
    std::string header(static_cast<std::size_t>(length), '\0');
    read_bytes(from, std::as_writable_bytes(std::span(header.data(), header.size())));
    data_ = from + length;

    const std::string descr = after_key(header, "descr"), shape = after_key(header, "shape");
    const auto type_end = descr.empty() ? std::string::npos : descr.find(descr[0], 1);
    if (type_end == std::string::npos || (descr[0] != '\'' && descr[0] != '"'))
        refuse(descr.starts_with('[') ? "must be of one type, got records" : "has a damaged header: no descr");
    const std::string type = descr.substr(1, type_end - 1), name = type.substr(std::min<std::size_t>(1, type.size()));
    const bool is_complex = name == "c8" || name == "c16";
    constexpr const char* types[] = {"f2", "f4", "f8", "c8", "c16", "b1", "i1",
                                     "i2", "i4", "i8", "u1", "u2",  "u4", "u8"};
    if (std::string_view("<>=|").find(type.empty() ? ' ' : type[0]) == std::string_view::npos ||
        std::ranges::find(types, name) == std::end(types))
        refuse("must be of type f2, f4, f8, c8, c16, b1, i1 to i8 or u1 to u8, got " + type);
    kind_ = is_complex ? 'f' : name[0];
    item_bytes_ = is_complex ? std::stoi(name.substr(1)) / 2 : name[1] - '0';
    is_swapped_ = type[0] == '>';

    const auto close = shape.find(')');
    if (!shape.starts_with('(') || close == std::string::npos) refuse("has a damaged header: no shape");
    count_ = is_complex ? 2 : 1;
    for (std::size_t i = 1; i < close;) {
        if (!std::isdigit(static_cast<unsigned char>(shape[i]))) {
            if (std::string_view(" ,L").find(shape[i]) == std::string_view::npos) refuse("has a damaged shape");
            ++i;
            continue;
        }
        uint64_t size = 0;
        const auto parsed = std::from_chars(shape.data() + i, shape.data() + close, size);
        if (parsed.ec != std::errc() || __builtin_mul_overflow(count_, size, &count_))
            refuse("has a shape of more than 2^64 elements");
        i = static_cast<std::size_t>(parsed.ptr - shape.data());
    }
    const uint64_t there = size_ - data_;
    if (count_ > there / static_cast<uint64_t>(item_bytes_))
        refuse("is cut short: " + std::to_string(count_) + " values of " + std::to_string(item_bytes_) +
               " bytes, after its header it has " + std::to_string(there) + " bytes");
}

std::size_t NpyFile::read(uint64_t first, long double origin, std::span<double> to) const {
    const uint64_t left = count_ - std::min(first, count_);
    if (left < to.size()) to = to.first(static_cast<std::size_t>(left));
    const auto width = static_cast<std::size_t>(item_bytes_);
    std::vector<std::byte> bytes(to.size() * width);
    read_bytes(data_ + first * width, bytes);
    const auto convert = [&]<class T>(T) {
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = value_of<T>(bytes.data() + i * width, is_swapped_, origin);
    };
    switch (kind_) {
        case 'f': width == 2 ? convert(float16{}) : width == 4 ? convert(float{}) : convert(double{}); break;
        case 'i':
            width == 1   ? convert(int8_t{})
            : width == 2 ? convert(int16_t{})
            : width == 4 ? convert(int32_t{})
                         : convert(int64_t{});
            break;
        default:
            width == 1   ? convert(uint8_t{})
            : width == 2 ? convert(uint16_t{})
            : width == 4 ? convert(uint32_t{})
                         : convert(uint64_t{});
    }
    return to.size();
}

namespace {

using namespace detail;

class NpyValues final : public ValueSource {
  public:
    NpyValues(const std::string& file, const std::string& distribution)
        : file_(file), name_(file + " as " + distribution), law_(make_law(parse_specification(distribution))) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] const Law& law() const override { return law_; }
    [[nodiscard]] std::optional<uint64_t> size() const override { return file_.count() * 4; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read_values(uint64_t first, std::span<double> to) override {
        return file_.read(first, law_->origin(), to);
    }

  private:
    [[nodiscard]] Law make_law(Specification given) const {
        const bool is_real = file_.kind() == 'f';
        const int bytes = file_.item_bytes();
        const Storage storage = bytes == 2 ? Storage::f16 : bytes == 4 ? Storage::f32 : Storage::f64;
        const int tails = bytes == 8 ? all_tails : 32;
        const auto require_real = [&] {
            if (!is_real)
                refuse_dtype(given.name, "f2, f4, f8, c8, c16", std::string(1, file_.kind()) + std::to_string(bytes));
        };
        const auto uniform_of = [&](Ends ends) {
            require_real();
            const std::string bits = given.take("bits");
            const auto d = make_distribution<uniform<double>>(given);
            UniformLawOptions options{d.lo, d.hi, ends, storage, bytes == 2 ? 11 : bytes == 4 ? 24 : 53, false};
            if (!bits.empty()) options.bits = parse_value<int>("bits", bits);
            return uniform_law(options);
        };
        if (given.name == uniform<double>::name) return uniform_of(Ends::closed_open);
        if (given.name == uniform_open<double>::name) return uniform_of(Ends::open);
        if (given.name == uniform_open_closed<double>::name) return uniform_of(Ends::open_closed);
        if (given.name == uniform_dense<double>::name) {
            require_real();
            static_cast<void>(make_distribution<uniform_dense<double>>(given));
            return dense_uniform_law(storage);
        }
        if (given.name == normal<double>::name || given.name == normal_icdf<double>::name) {
            require_real();
            const auto d = make_distribution<normal<double>>(given);
            return normal_law(d.mean, d.stddev, storage, tails);
        }
        if (given.name == complex_normal<double>::name) {
            require_real();
            const auto d = make_distribution<complex_normal<double>>(given);
            return normal_law(0, d.stddev * 0x1.6a09e667f3bcdp-1, storage, tails);  // sqrt(1/2)
        }
        if (given.name == exponential<double>::name) {
            require_real();
            return exponential_law(make_distribution<exponential<double>>(given).rate, storage, tails);
        }
        if (given.name == bernoulli::name) return bernoulli_law(make_distribution<bernoulli>(given).p);
        if (given.name == bits<uint32_t>::name || given.name == uniform_int<int>::name) return integers(given);
        refuse_name(given.name);
    }

    /// Bounds default to those of the file's type.
    [[nodiscard]] Law integers(const Specification& given) const {
        const auto law = [&]<class T>(T) {
            if (given.name == bits<uint32_t>::name) {
                static_cast<void>(make_distribution<bits<uint32_t>>(given));
                return whole_law<T>(std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max());
            }
            const auto d = make_distribution<uniform_int<T>>(given);
            return whole_law<T>(d.lo, d.hi);
        };
        const int bytes = file_.item_bytes();
        if (file_.kind() == 'f') {
            const auto d = make_distribution<uniform_int<int64_t>>(given);
            return integer_law(d.lo, d.hi);
        }
        if (file_.kind() == 'b') return integer_law(0, 1);
        if (file_.kind() == 'i')
            return bytes == 1   ? law(int8_t{})
                   : bytes == 2 ? law(int16_t{})
                   : bytes == 4 ? law(int32_t{})
                                : law(int64_t{});
        return bytes == 1   ? law(uint8_t{})
               : bytes == 2 ? law(uint16_t{})
               : bytes == 4 ? law(uint32_t{})
                            : law(uint64_t{});
    }

    NpyFile file_;
    std::string name_;
    Law law_;
};

}  // namespace

Subject npy_subject(const std::string& file, const std::string& distribution) {
    return {std::make_shared<NpyValues>(file, distribution)};
}

}  // namespace rng::stats
