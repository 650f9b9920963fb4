#include "state.hpp"

#include <rng/core/config.hpp>
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

#include "src/files/replaced_file.hpp"

namespace rng::stats {

namespace {

constexpr std::string_view magic = "rng battery state 3\n";

/// Returns the code that counted: tests may change from version to version, and their counts must not be mixed.
std::string this_version() { return RNG_VERSION " of contract " + std::to_string(contract_version); }

StateFile kind_of(const State& state) { return state.part.last > 0 ? StateFile::counts : StateFile::checkpoint; }

template <class T> void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
/// Seven bits a byte, the low ones first; all bytes but the last have the high bit.
void append_length(std::string& bytes, uint64_t n) {
    for (; n >= 0x80; n >>= 7) bytes += static_cast<char>(n | 0x80);
    bytes += static_cast<char>(n);
}

class Writer {
  public:
    std::string bytes = std::string(magic);

    template <class T>
    requires std::is_arithmetic_v<T>
    void put(T value) { append(bytes, value); }
    void put(const std::string& text) {
        put(uint64_t{text.size()});
        bytes += text;
    }
    void put(const std::vector<PackedCounts>& counts) {
        put(uint64_t{counts.size()});
        for (const PackedCounts& of_test : counts) bytes += of_test;
    }
    void put(std::span<const InterimAnalysis> analyses) {
        put(uint64_t{analyses.size()});
        for (const InterimAnalysis& analysis : analyses) {
            put(analysis.stage);
            put(analysis.size);
            put(uint64_t{analysis.results.size()});
            for (const Result& result : analysis.results) {
                put(result.test);
                put(result.part);
                put(result.p.log10_lower);
                put(result.p.log10_upper);
                put(result.log10_adjusted);
            }
        }
    }
};

/// A file with a valid checksum can still have invalid contents, so a length is checked before it is used.
class Reader {
  public:
    Reader(const std::string& file, StateFile kind, std::string_view bytes) : file_(file), kind_(kind), rest_(bytes) {}

    template <class T>
    requires std::is_arithmetic_v<T>
    void get(T& value) { std::memcpy(&value, take(sizeof value).data(), sizeof value); }
    void get(std::string& text) { text = take(length(1)); }
    void get(std::vector<PackedCounts>& counts, bool are_wanted = true) {
        for (uint64_t rows = length(sizeof(uint64_t)); rows > 0; --rows) {
            const std::string_view row = rest_;
            unpack([](uint64_t, std::string_view) {});
            if (are_wanted) counts.emplace_back(row.substr(0, row.size() - rest_.size()));
        }
    }
    /// Passes over packed counters. Calls on_run(first, bytes) for each run of counters that are not 0.
    template <class OnRun> void unpack(OnRun on_run) {
        uint64_t size = 0;
        get(size);
        for (uint64_t next = 0; next < size;) {
            const uint64_t zeros = short_length(size - next), others = short_length(size - next - zeros);
            if (zeros + others == 0) refuse_state(file_, "is damaged", kind_);
            on_run(next + zeros, take(others * sizeof(uint64_t)));
            next += zeros + others;
        }
    }
    void get(std::vector<InterimAnalysis>& analyses) {
        constexpr std::size_t least_analysis = 3 * sizeof(uint64_t),
                              least_result = 5 * sizeof(uint64_t);  // without text
        analyses.resize(length(least_analysis));
        for (InterimAnalysis& analysis : analyses) {
            get(analysis.stage);
            get(analysis.size);
            analysis.results.resize(length(least_result));
            for (Result& result : analysis.results) {
                get(result.test);
                get(result.part);
                get(result.p.log10_lower);
                get(result.p.log10_upper);
                get(result.log10_adjusted);
            }
        }
    }
    /// Returns a number of items, each of at least `bytes_each` bytes. Throws Error (bad_state) if these cannot
    /// follow.
    uint64_t length(std::size_t bytes_each) {
        uint64_t n = 0;
        get(n);
        if (n > rest_.size() / bytes_each) refuse_state(file_, "is damaged", kind_);
        return n;
    }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

  private:
    /// Reads what append_length() has written. Throws Error (bad_state) if the number is above `most`.
    uint64_t short_length(uint64_t most) {
        uint64_t n = 0;
        for (int shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            n |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (n > most || shift > 28) refuse_state(file_, "is damaged", kind_);
            if (byte < 0x80) return n;
        }
    }
    std::string_view take(uint64_t size) {
        if (size > rest_.size()) refuse_state(file_, "is damaged", kind_);
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(size);
        return taken;
    }
    const std::string& file_;
    StateFile kind_;
    std::string_view rest_;
};

std::span<const std::byte> as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

/// Returns the bytes of a file; of one that does not begin with the magic, no more than its first bytes.
std::string read_file(const std::string& file, StateFile kind) {
    const auto fail = [&] { refuse_state(file, std::string("cannot be read: ") + std::strerror(errno), kind); };
    // Non-blocking: otherwise open() would wait for a writer of a named pipe.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) fail();
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(::fdopen(descriptor, "rb"), &std::fclose);
    struct stat status = {};
    if (!in || ::fstat(descriptor, &status) != 0) fail();
    errno = EISDIR;
    if (S_ISDIR(status.st_mode)) fail();
    if (!S_ISREG(status.st_mode)) refuse_state(file, "must be a regular file", kind);
    std::string bytes;
    const auto read_to = [&](std::size_t size) {
        const std::size_t there = bytes.size();
        bytes.resize(size);
        bytes.resize(there + std::fread(bytes.data() + there, 1, size - there, in.get()));
        if (std::ferror(in.get())) fail();
    };
    const auto size = static_cast<std::size_t>(status.st_size);
    read_to(std::min(size, magic.size()));
    if (bytes == magic) read_to(size);
    return bytes;
}

/// A file under construction beside `file`. The destructor removes it, unless appear() gave it the name.
class Temporary {
  public:
    Temporary(const std::string& file, StateFile kind)
        : file_(file), kind_(kind), target_(rng_files::without_links(file)), name_(rng_files::temporary_name(target_)) {
        // A name that is not a regular file (/dev/null, a pipe) must not be replaced by a regular one.
        struct stat status = {};
        const bool exists = ::stat(file.c_str(), &status) == 0;
        if (exists && !S_ISREG(status.st_mode)) refuse_state(file, "must be a regular file", kind);
        if (exists && ::access(file.c_str(), W_OK) != 0) fail();
        // A file or link that exists already is an error, and is not removed.
        descriptor_ = ::open(name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor_ < 0) fail();
        if (exists) rng_files::adopt_owner(descriptor_, status);
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
        if (std::rename(name_.c_str(), target_.c_str()) != 0) fail();
        name_.clear();
    }

  private:
    [[noreturn]] void fail() const {
        refuse_state(file_, std::string("cannot be written: ") + std::strerror(errno), kind_);
    }
    const std::string& file_;
    StateFile kind_;
    std::string target_;  // where the links of `file` lead
    std::string name_;
    int descriptor_ = -1;
};

}  // namespace

void refuse_state(const std::string& file, const std::string& what, StateFile kind) {
    rng::detail::raise(ErrorCode::bad_state,
                       (kind == StateFile::counts ? "counts " : "checkpoint ") + file + " " + what);
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

PackedCounts packed(std::span<const uint64_t> counts) {
    PackedCounts bytes;
    append(bytes, uint64_t{counts.size()});
    // Nine of ten counters of a short run are 0. So runs of zeros are written as their lengths.
    while (!counts.empty()) {
        const auto zeros = static_cast<std::size_t>(
            std::ranges::find_if(counts, [](uint64_t value) { return value != 0; }) - counts.begin());
        counts = counts.subspan(zeros);
        const auto others = static_cast<std::size_t>(std::ranges::find(counts, uint64_t{0}) - counts.begin());
        append_length(bytes, zeros);
        append_length(bytes, others);
        bytes.append(reinterpret_cast<const char*>(counts.data()), others * sizeof(uint64_t));
        counts = counts.subspan(others);
    }
    return bytes;
}

bool add_packed(const PackedCounts& counts, std::span<uint64_t> to) {
    uint64_t size = 0;
    std::memcpy(&size, counts.data(), sizeof size);
    if (size != to.size()) return false;
    Reader({}, StateFile::counts, counts).unpack([&](uint64_t first, std::string_view bytes) {
        for (std::size_t i = 0; i < bytes.size() / sizeof(uint64_t); ++i) {
            uint64_t value = 0;
            std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
            to[first + i] += value;
        }
    });
    return true;
}

void save_state(const std::string& file, const State& state) {
    Writer out;
    out.put(state.run);
    out.put(static_cast<uint64_t>(state.phase));
    for (const uint64_t done : state.done) out.put(done);
    out.put(state.phase_bytes);
    out.put(state.beginning);
    out.put(state.bytes);
    out.put(uint64_t{state.source_ended});
    out.put(std::span<const InterimAnalysis>(state.analyses));
    out.put(std::span<const InterimAnalysis>(state.repeats));
    out.put(state.counts);
    out.put(this_version());
    out.put(state.part.first);
    out.put(state.part.last);
    out.put(uint64_t{state.arguments.size()});
    for (const std::string& argument : state.arguments) out.put(argument);
    out.put(uint64_t{state.ranges.size()});
    for (const RangeCounts& range : state.ranges) {
        for (const uint64_t number : {range.stage, range.first, range.last}) out.put(number);
        out.put(range.counts);
    }
    out.put(checksum(as_bytes(out.bytes)));

    Temporary temporary(file, kind_of(state));
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

void require_writable(const std::string& file, StateFile kind) { const Temporary temporary(file, kind); }

State load_state(const std::string& file, const std::string& run, StateFile kind, RangesOf wanted) {
    const auto refuse = [&](const std::string& what) { refuse_state(file, what, kind); };
    const std::string bytes = read_file(file, kind);
    const std::string_view all = bytes;
    if (!all.starts_with(magic)) {
        const std::string_view any_version = magic.substr(0, magic.find_last_of(' ') + 1);
        refuse(magic.starts_with(all)         ? "is damaged"
               : all.starts_with(any_version) ? "is of another version"
               : kind == StateFile::counts    ? "is not a file of rng test --counts"
                                              : "is not a checkpoint of rng test");
    }
    uint64_t sum = 0;
    if (all.size() < magic.size() + sizeof sum) refuse("is damaged");
    const std::string_view content = all.substr(0, all.size() - sizeof sum);
    std::memcpy(&sum, all.data() + content.size(), sizeof sum);
    if (sum != checksum(as_bytes(content))) refuse("is damaged");

    Reader in(file, kind, content.substr(magic.size()));
    State state;
    in.get(state.run);
    uint64_t phase = 0, source_ended = 0;
    in.get(phase);
    for (uint64_t& done : state.done) in.get(done);
    in.get(state.phase_bytes);
    in.get(state.beginning);
    in.get(state.bytes);
    in.get(source_ended);
    in.get(state.analyses);
    in.get(state.repeats);
    in.get(state.counts);
    std::string version;
    in.get(version);
    in.get(state.part.first);
    in.get(state.part.last);
    state.arguments.resize(in.length(sizeof(uint64_t)));
    for (std::string& argument : state.arguments) in.get(argument);
    state.ranges.resize(in.length(4 * sizeof(uint64_t)));
    bool are_sound = true;
    for (RangeCounts& range : state.ranges) {
        for (uint64_t* number : {&range.stage, &range.first, &range.last}) in.get(*number);
        in.get(range.counts, wanted == RangesOf::all || static_cast<uint64_t>(wanted) == range.stage);
        are_sound = are_sound && range.stage <= 1 && range.first <= range.last;
    }
    if (!in.at_end() || !are_sound || phase > static_cast<uint64_t>(State::Phase::over) || source_ended > 1 ||
        state.part.first > state.part.last)
        refuse("is damaged");
    if (kind != kind_of(state))
        refuse(kind == StateFile::counts ? "is a checkpoint, not the counts of segments"
                                         : "is the counts of segments, not a checkpoint");
    if (version != this_version()) refuse("is of version " + version + ", this is " + this_version());
    if (!run.empty() && state.run != run) refuse("is of another run: " + state.run);
    state.phase = static_cast<State::Phase>(phase);
    state.source_ended = source_ended != 0;
    return state;
}

}  // namespace rng::stats
