#include "state.hpp"

#include <rng/error.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <type_traits>

#include <unistd.h>

namespace rng::stats {

namespace {

constexpr char magic[] = "rng battery state 1\n";

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
    throw Error(ErrorCode::bad_state, "checkpoint " + file + ": " + what);
}

// FNV-1a over 64-bit words (Fowler, Noll, Vo, 1991): against damage, not against malice.
uint64_t checksum(std::string_view bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 32;
    }
    return hash;
}

class Writer {
  public:
    std::string bytes = magic;

    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
    void put(const std::string& text) {
        put(uint64_t{text.size()});
        bytes += text;
    }
    void put(std::span<const uint64_t> values) {
        put(uint64_t{values.size()});
        bytes.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }
};

class Reader {
  public:
    Reader(std::string file, std::string_view bytes) : file_(std::move(file)), rest_(bytes) {}

    template <class T> T get() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string text() { return std::string(take(get<uint64_t>())); }
    std::vector<uint64_t> values() {
        const uint64_t n = get<uint64_t>();
        if (n > rest_.size() / 8) refuse(file_, "is damaged");
        const std::string_view bytes = take(n * 8);
        std::vector<uint64_t> result(n);
        if (n) std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

  private:
    std::string_view take(uint64_t size) {
        if (size > rest_.size()) refuse(file_, "is damaged");
        const std::string_view piece = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return piece;
    }
    std::string file_;
    std::string_view rest_;
};

void put_looks(Writer& out, std::span<const Look> looks) {
    out.put(uint64_t{looks.size()});
    for (const Look& look : looks) {
        out.put(look.stage);
        out.put(look.size);
        out.put(uint64_t{look.results.size()});
        for (const Result& result : look.results) {
            out.put(result.test);
            out.put(result.part);
            out.put(result.p.log10_lower);
            out.put(result.p.log10_upper);
            out.put(result.log10_adjusted);
        }
    }
}

std::vector<Look> get_looks(Reader& in) {
    std::vector<Look> looks;
    for (uint64_t n = in.get<uint64_t>(); n > 0; --n) {
        Look look;
        look.stage = in.text();
        look.size = in.get<uint64_t>();
        for (uint64_t m = in.get<uint64_t>(); m > 0; --m) {
            Result result;
            result.test = in.text();
            result.part = in.text();
            result.p.log10_lower = in.get<double>();
            result.p.log10_upper = in.get<double>();
            result.log10_adjusted = in.get<double>();
            look.results.push_back(std::move(result));
        }
        looks.push_back(std::move(look));
    }
    return looks;
}

std::string read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (!in) refuse(file, std::string("cannot be read: ") + std::strerror(errno));
    std::string bytes;
    char buffer[1 << 16];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, in.get())) bytes.append(buffer, n);
    if (std::ferror(in.get())) refuse(file, "cannot be read");
    return bytes;
}

}  // namespace

void save_state(const std::string& file, const std::string& run, const UnitsDone& done, const Report& report,
                std::span<const NamedTest* const> tests) {
    Writer out;
    out.put(run);
    for (const uint64_t units : done) out.put(units);
    out.put(report.bytes);
    put_looks(out, report.looks);
    for (const NamedTest* named : tests) out.put(std::span<const uint64_t>(named->test->counts));
    out.put(checksum(out.bytes));

    const std::string temporary = file + ".part";
    std::FILE* const to = std::fopen(temporary.c_str(), "wb");
    if (!to) refuse(file, std::string("cannot be written: ") + std::strerror(errno));
    bool good = std::fwrite(out.bytes.data(), 1, out.bytes.size(), to) == out.bytes.size();
    good = good && std::fflush(to) == 0 && fsync(fileno(to)) == 0;
    int reason = errno;
    if (std::fclose(to) != 0 && good) {
        good = false;
        reason = errno;
    }
    if (good && std::rename(temporary.c_str(), file.c_str()) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        std::remove(temporary.c_str());
        refuse(file, std::string("cannot be written: ") + std::strerror(reason));
    }
}

UnitsDone load_state(const std::string& file, const std::string& run, Report& report,
                     std::span<const NamedTest* const> tests) {
    const std::string bytes = read_file(file);
    const std::string_view all = bytes;
    if (!all.starts_with(magic)) refuse(file, "is not a checkpoint of this program's version");
    uint64_t sum = 0;
    if (all.size() < sizeof magic - 1 + sizeof sum) refuse(file, "is damaged");
    const std::string_view content = all.substr(0, all.size() - sizeof sum);
    std::memcpy(&sum, all.data() + content.size(), sizeof sum);
    if (sum != checksum(content)) refuse(file, "is damaged");

    Reader in(file, content.substr(sizeof magic - 1));
    if (const std::string other = in.text(); other != run) refuse(file, "is of another run: " + other);
    UnitsDone done;
    for (uint64_t& units : done) units = in.get<uint64_t>();
    const uint64_t size = in.get<uint64_t>();
    std::vector<Look> looks = get_looks(in);
    std::vector<std::vector<uint64_t>> counts;
    for (const NamedTest* named : tests) {
        counts.push_back(in.values());
        if (counts.back().size() != named->test->counts.size()) refuse(file, "is of another version");
    }
    if (!in.at_end()) refuse(file, "is damaged");

    report.bytes = size;
    report.looks = std::move(looks);
    for (std::size_t i = 0; i < tests.size(); ++i) tests[i]->test->counts = std::move(counts[i]);
    return done;
}

}  // namespace rng::stats
