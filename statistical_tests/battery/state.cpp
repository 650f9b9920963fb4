#include "state.hpp"

#include <rng/core/error.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>
#include <type_traits>

namespace rng::stats {

namespace {

constexpr std::string_view magic = "rng battery state 2\n";

class Writer {
  public:
    std::string bytes = std::string(magic);

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
    void put(std::span<const Look> looks) {
        put(uint64_t{looks.size()});
        for (const Look& look : looks) {
            put(look.stage);
            put(look.size);
            put(uint64_t{look.results.size()});
            for (const Result& result : look.results) {
                put(result.test);
                put(result.part);
                put(result.p.log10_lower);
                put(result.p.log10_upper);
                put(result.log10_adjusted);
            }
        }
    }
};

/// A file with a sound checksum can still hold nonsense, so a length is used only once it is seen to fit.
class Reader {
  public:
    Reader(const std::string& file, std::string_view bytes) : file_(file), rest_(bytes) {}

    template <class T>
    requires std::is_arithmetic_v<T>
    void get(T& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
    void get(std::string& text) { text = take(length(1)); }
    void get(std::vector<uint64_t>& values) {
        values.resize(length(sizeof(uint64_t)));
        const std::string_view bytes = take(values.size() * sizeof(uint64_t));
        if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    }
    void get(std::vector<Look>& looks) {
        looks.resize(length(1));
        for (Look& look : looks) {
            get(look.stage);
            get(look.size);
            look.results.resize(length(1));
            for (Result& result : look.results) {
                get(result.test);
                get(result.part);
                get(result.p.log10_lower);
                get(result.p.log10_upper);
                get(result.log10_adjusted);
            }
        }
    }
    /// Returns a number of items, each of at least `bytes_each` bytes. Throws Error (bad_state) if so many cannot
    /// follow.
    uint64_t length(std::size_t bytes_each) {
        uint64_t n = 0;
        get(n);
        if (n > rest_.size() / bytes_each) refuse_state(file_, "is damaged");
        return n;
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

  private:
    std::string_view take(uint64_t size) {
        if (size > rest_.size()) refuse_state(file_, "is damaged");
        const std::string_view piece = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return piece;
    }
    const std::string& file_;
    std::string_view rest_;
};

std::span<const std::byte> as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string read_file(const std::string& file) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), &std::fclose);
    if (!in) refuse_state(file, std::string("cannot be read: ") + std::strerror(errno));
    std::string bytes;
    char buffer[1 << 16];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, in.get())) bytes.append(buffer, n);
    if (std::ferror(in.get())) refuse_state(file, std::string("cannot be read: ") + std::strerror(errno));
    return bytes;
}

/// A file under construction beside `file`. The destructor removes it, unless appear() gave it the name.
class Temporary {
  public:
    explicit Temporary(const std::string& file)
        : file_(file), name_(file + ".part"), descriptor_(::open(name_.c_str(), flags, 0666)) {
        if (descriptor_ < 0) fail();
    }
    Temporary(const Temporary&) = delete;
    Temporary& operator=(const Temporary&) = delete;
    ~Temporary() {
        if (descriptor_ >= 0) ::close(descriptor_);
        if (!name_.empty()) ::unlink(name_.c_str());
    }
    void write(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) fail();
            bytes.remove_prefix(static_cast<std::size_t>(n));
        }
    }
    void appear() {
        if (::fsync(descriptor_) != 0) fail();
        if (const int closed = ::close(std::exchange(descriptor_, -1)); closed != 0) fail();
        if (std::rename(name_.c_str(), file_.c_str()) != 0) fail();
        name_.clear();
    }

  private:
    static constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    [[noreturn]] void fail() const { refuse_state(file_, std::string("cannot be written: ") + std::strerror(errno)); }
    const std::string& file_;
    std::string name_;
    int descriptor_;
};

}  // namespace

void refuse_state(const std::string& file, const std::string& what) {
    rng::detail::raise(ErrorCode::bad_state, "checkpoint " + file + " " + what);
}

uint64_t checksum(std::span<const std::byte> bytes) {
    uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
        uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 32;
    }
    return hash;
}

void save_state(const std::string& file, const State& state) {
    Writer out;
    out.put(state.run);
    out.put(static_cast<uint64_t>(state.phase));
    for (const uint64_t units : state.done) out.put(units);
    out.put(state.phase_bytes);
    out.put(state.beginning);
    out.put(state.bytes);
    out.put(uint64_t{state.source_ended});
    out.put(std::span<const Look>(state.looks));
    out.put(std::span<const Look>(state.repeats));
    out.put(uint64_t{state.counts.size()});
    for (const std::vector<uint64_t>& counts : state.counts) out.put(std::span<const uint64_t>(counts));
    out.put(checksum(as_bytes(out.bytes)));

    // A name that is no regular file (/dev/null, a pipe) must not be replaced by a regular one.
    struct stat status = {};
    if (::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) refuse_state(file, "must be a regular file");
    Temporary temporary(file);
    temporary.write(out.bytes);
    temporary.appear();
}

std::string try_save(const std::string& file, const State& state) {
    try {
        save_state(file, state);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

State load_state(const std::string& file, const std::string& run) {
    const std::string bytes = read_file(file);
    const std::string_view all = bytes;
    if (!all.starts_with(magic)) {
        const std::string_view any_version = magic.substr(0, magic.find_last_of(' ') + 1);
        refuse_state(file, magic.starts_with(all)         ? "is damaged"
                           : all.starts_with(any_version) ? "is of another version"
                                                          : "is no checkpoint of rng test");
    }
    uint64_t sum = 0;
    if (all.size() < magic.size() + sizeof sum) refuse_state(file, "is damaged");
    const std::string_view content = all.substr(0, all.size() - sizeof sum);
    std::memcpy(&sum, all.data() + content.size(), sizeof sum);
    if (sum != checksum(as_bytes(content))) refuse_state(file, "is damaged");

    Reader in(file, content.substr(magic.size()));
    State state;
    in.get(state.run);
    if (state.run != run) refuse_state(file, "is of another run: " + state.run);
    uint64_t phase = 0, source_ended = 0;
    in.get(phase);
    for (uint64_t& units : state.done) in.get(units);
    in.get(state.phase_bytes);
    in.get(state.beginning);
    in.get(state.bytes);
    in.get(source_ended);
    in.get(state.looks);
    in.get(state.repeats);
    state.counts.resize(in.length(sizeof(uint64_t)));
    for (std::vector<uint64_t>& counts : state.counts) in.get(counts);
    if (!in.at_end() || phase > static_cast<uint64_t>(State::Phase::over) || source_ended > 1)
        refuse_state(file, "is damaged");
    state.phase = static_cast<State::Phase>(phase);
    state.source_ended = source_ended != 0;
    return state;
}

}  // namespace rng::stats
