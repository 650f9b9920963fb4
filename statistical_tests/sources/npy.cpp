#include "npy.hpp"

#include <rng/core/error.hpp>
#include <rng/float16.hpp>
#include <rng/interop/npy.hpp>
#include <rng/stats/coordinates.hpp>
#include <rng/stats/law_of.hpp>
#include <rng/stats/values_under_test.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "specification.hpp"

namespace rng::stats {
namespace {

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

void NpyFile::refuse(const std::string& what) const { rng::detail::refuse("npy", file_ + " " + what); }

NpyFile::NpyFile(const std::string& file) : file_(file) {
    static_assert(std::endian::native == std::endian::little);
    // Non-blocking: otherwise open() would wait for a writer of a named pipe.
    descriptor_ = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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
    struct {
        const NpyFile& file;
        uint64_t position = 0;
        [[nodiscard]] uint64_t left() const { return file.size_ - position; }
        void read(void* to, std::size_t size) {
            file.read_bytes(position, {static_cast<std::byte*>(to), size});
            position += size;
        }
        [[noreturn]] void refuse(const std::string& what) const { file.refuse(what); }
    } input{*this};
    const NpyHeader header = read_npy_header(input);
    data_ = input.position;

    const std::string type = header.type();
    constexpr const char* types[] = {"f2", "f4", "f8", "c8", "c16", "b1", "i1",
                                     "i2", "i4", "i8", "u1", "u2",  "u4", "u8"};
    if (std::ranges::find(types, type) == std::end(types))
        refuse("must be of type f2, f4, f8, c8, c16, b1, i1 to i8 or u1 to u8, got " + header.descr);
    const bool is_complex = type[0] == 'c';
    kind_ = is_complex ? 'f' : type[0];
    item_bytes_ = std::stoi(type.substr(1)) / (is_complex ? 2 : 1);
    is_swapped_ = header.is_big_endian();

    count_ = is_complex ? 2 : 1;
    for (const uint64_t size : header.shape)
        if (__builtin_mul_overflow(count_, size, &count_)) refuse("has a shape of more than 2^64 elements");
    if (count_ > input.left() / static_cast<uint64_t>(item_bytes_))
        refuse("is cut short: " + std::to_string(count_) + " values of " + std::to_string(item_bytes_) +
               " bytes, after its header it has " + std::to_string(input.left()) + " bytes");
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
    [[nodiscard]] std::optional<uint64_t> size() const override {
        return (parts_ > 0 ? file_.count() / parts_ * (parts_ - 1) : file_.count()) * 4;
    }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read_values(uint64_t first, std::span<double> to) override {
        switch (parts_) {
            case 2: return read_directions<2>(first, to);
            case 3: return read_directions<3>(first, to);
            case 4: return read_directions<4>(first, to);
            default: return file_.read(first, law_->origin(), to);
        }
    }

  private:
    /// Reads vectors of N parts as their coordinates, which take turns.
    template <std::size_t N> std::size_t read_directions(uint64_t first, std::span<double> to) const {
        constexpr std::size_t numbers = N - 1;
        const std::size_t before = first % numbers;
        std::vector<double> parts((before + to.size() + numbers - 1) / numbers * N);
        const std::size_t vectors = file_.read(first / numbers * N, 0, parts) / N;
        std::size_t place = 0, skipped = 0;
        for (std::size_t i = 0; i < vectors; ++i)
            for (const double u : coordinates(std::span<const double, N>(parts.data() + i * N, N)))
                if (skipped < before)
                    ++skipped;
                else if (place < to.size())
                    to[place++] = u;
        return place;
    }
    template <std::size_t N> [[nodiscard]] auto coordinates(std::span<const double, N> v) const {
        const auto of = [&]<class T>(T) {
            const auto x = [&](std::size_t k) { return static_cast<T>(v[k]); };
            if constexpr (N == 2)
                return coordinates_of(vec2<T>{x(0), x(1)});
            else if constexpr (N == 3)
                return coordinates_of(vec3<T>{x(0), x(1), x(2)});
            else
                return coordinates_of(vec4<T>{x(0), x(1), x(2), x(3)});
        };
        return file_.item_bytes() == 4 ? of(float{}) : of(double{});
    }
    /// Returns the law of the coordinates of directions, if `given` names a distribution of them, else null.
    [[nodiscard]] Law direction_law(const Specification& given) {
        Law law;
        const auto width = static_cast<std::size_t>(file_.item_bytes());
        for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            if constexpr (rng::detail::VectorOf<result_t<D>>::parts > 0) {
                if (given.name != D::name) return;
                if (file_.kind() != 'f' || width == 2)
                    refuse_dtype(given.name, "f4, f8, c8, c16", std::string(1, file_.kind()) + std::to_string(width));
                if (sizeof(typename D::part_type) != width) return;
                law = law_of(make_distribution<D>(given));
                parts_ = D::parts;
            }
        });
        return law;
    }
    [[nodiscard]] Law make_law(Specification given) {
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
            const std::string bits = given.take("bits"), decimals = given.take("decimals");
            const auto d = make_distribution<uniform<double>>(given);
            if (!bits.empty() && !decimals.empty()) refuse_value("decimals", "must not be given beside bits", decimals);
            if (!bits.empty()) return uniform_law({d.lo, d.hi, ends, storage, parse_value<int>("bits", bits), false});
            const int digits = decimals.empty() ? -1 : parse_value<int>("decimals", decimals);
            if (!decimals.empty() && (digits < 0 || digits > 15))
                refuse_value("decimals", "must be in [0, 15]", decimals);
            return real_uniform_law(d.lo, d.hi, ends, storage, digits);
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
        if (const Law law = direction_law(given)) {
            if (file_.count() % parts_ != 0)
                refuse_value("vectors", ("must have " + std::to_string(parts_) + " parts").c_str(),
                             std::to_string(file_.count()) + " numbers");
            return law;
        }
        if (const Law law = named_law(given, storage, tails)) {
            require_real();
            return law;
        }
        if (const Law law = count_law(given)) return law;
        if (given.name == rademacher::name) return law_of(make_distribution<rademacher>(given));
        if (given.name == bernoulli::name) return two_value_law(make_distribution<bernoulli>(given).p);
        if (given.name == bits<uint32_t>::name || given.name == uniform_int<int>::name) return integers(given);
        refuse_name(given.name);
    }

    /// Returns the law of a distribution of counts, else null.
    [[nodiscard]] static Law count_law(const Specification& given) {
        Law law;
        for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            if constexpr (NamedCount<D> && std::is_same_v<result_t<D>, int64_t>)
                if (given.name == D::name) law = law_of(make_distribution<D>(given));
        });
        return law;
    }

    /// Returns the law of a distribution of doubles that has no special case; null for others.
    [[nodiscard]] static Law named_law(const Specification& given, Storage storage, int tails) {
        Law law;
        for_each_distribution([&](auto tag) {
            using D = typename decltype(tag)::type;
            if constexpr (NamedReal<D> && std::is_same_v<result_t<D>, double>)
                if (given.name == D::name)
                    law = named_real_law(D::name, parameters_of(make_distribution<D>(given)), storage, tails);
        });
        return law;
    }

    /// Returns the law of integers. Bounds default to those of the file's type.
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
    uint64_t parts_ = 0;  // of vectors; 0: numbers
    Law law_;
};

}  // namespace

GeneratorUnderTest npy_under_test(const std::string& file, const std::string& distribution) {
    return {std::make_shared<NpyValues>(file, distribution)};
}

}  // namespace rng::stats
