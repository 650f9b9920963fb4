#include <rng/stats/sources.hpp>

#include <rng/core/error.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace rng::stats {

namespace {

// Some systems refuse to read more than 2^31 - 1 bytes at once.
constexpr std::size_t most_at_once = std::size_t{1} << 30;
// The longest time until a wait notices that it was told to stop.
constexpr std::chrono::milliseconds short_wait{100};

/// A fault of the thing that is read: "file x.bin cannot be opened: No such file or directory".
[[noreturn]] void fail(const std::string& name, const std::string& what, ErrorCode code = ErrorCode::invalid_argument) {
    rng::detail::raise(code, name + " " + what);
}
std::string reason(int error) { return std::strerror(error); }

/// Returns the text after a byte order mark, as UTF-8; bytes without a mark as they are. A character of UTF-16 that is
/// not in ASCII becomes a zero byte, which is no text.
std::string without_mark(std::string_view bytes) {
    using namespace std::string_view_literals;
    if (bytes.starts_with("\xef\xbb\xbf"sv)) return std::string(bytes.substr(3));
    const bool low_first = bytes.starts_with("\xff\xfe"sv);
    if (!low_first && !bytes.starts_with("\xfe\xff"sv)) return std::string(bytes);
    std::string text;
    for (std::size_t i = 2; i + 1 < bytes.size(); i += 2) {
        const char high = bytes[i + low_first], low = bytes[i + !low_first];
        text += high == 0 ? low : '\0';
    }
    return text;
}
/// Returns true if the bytes are characters of UTF-8 without control characters; the last one may be cut off.
bool is_characters(std::string_view bytes) {
    for (std::size_t i = 0, more = 0; i < bytes.size(); ++i) {
        const auto c = static_cast<unsigned char>(bytes[i]);
        if (more > 0 ? (c & 0xc0) != 0x80 : c >= 0x7f ? c < 0xc2 || c > 0xf4 : c < ' ' && (c < '\t' || c > '\r'))
            return false;
        more = more > 0 ? more - 1 : c < 0x7f ? 0 : c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
    }
    return true;
}

/// Throws Error (invalid_argument) if the first bytes of a source are lines of text. Of 64 random bytes that is so with
/// a probability below 2^-64, because fewer than 128^64 strings of that length are text.
void require_no_text(const std::string& name, std::string_view beginning) {
    constexpr std::size_t enough = 64;
    if (beginning.size() < enough) return;
    const std::string text = without_mark(beginning);
    if (text.find_first_of("\n\r") != std::string::npos && is_characters(text))
        fail(name, "is text: its first " + std::to_string(beginning.size()) +
                       " bytes are lines of characters, and the words of a generator are read as binary numbers");
}
constexpr std::size_t beginning_bytes = 8192;  // the least that a run reads

void require_word_bits(int bits) {
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
        rng::detail::refuse("source", "word_bits must be 8, 16, 32 or 64, got " + std::to_string(bits));
}

int open_file(const std::string& file) {
    // Non-blocking, because opening a named pipe would wait for its writer, whatever the time limit.
    const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) fail("file " + file, "cannot be opened: " + reason(errno));
    return descriptor;
}

}  // namespace

// ---- FileSource -------------------------------------------------------------------------------------------------

FileSource::FileSource(std::string file, int word_bits)
    : file_(std::move(file)), word_bits_(word_bits), descriptor_(open_file(file_)) {
    struct stat status = {};
    const bool is_file = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
    size_ = static_cast<uint64_t>(status.st_size);
    try {
        if (!is_file) fail(name(), "must be a regular file");
        require_word_bits(word_bits);
        std::string beginning(std::min<uint64_t>(size_, beginning_bytes), '\0');
        beginning.resize(read(0, std::as_writable_bytes(std::span(beginning))));
        require_no_text(name(), beginning);
    } catch (...) {
        ::close(descriptor_);
        throw;
    }
}

FileSource::~FileSource() { ::close(descriptor_); }

std::size_t FileSource::read(uint64_t position, std::span<std::byte> to) {
    std::size_t got = 0;
    while (got < to.size()) {
        const ssize_t n = ::pread(descriptor_, to.data() + got, std::min(to.size() - got, most_at_once),
                                  static_cast<off_t>(position + got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(name(), "cannot be read: " + reason(errno));
        if (n == 0) break;
        got += static_cast<std::size_t>(n);
    }
    return got;
}

// ---- StreamSource -----------------------------------------------------------------------------------------------

StreamSource::StreamSource(int descriptor, std::string name, const StreamOptions& options, bool owns)
    : descriptor_(descriptor), name_(std::move(name)), options_(options), owns_(owns) {
    require_word_bits(options.word_bits);
}

StreamSource::~StreamSource() { close(); }

void StreamSource::close() {
    if (owns_ && descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    ended_ = true;
}

std::size_t StreamSource::read(uint64_t position, std::span<std::byte> to) {
    if (position_ < position) {
        std::vector<std::byte> passed(std::size_t{1} << 20);
        while (position_ < position)
            if (read_some({passed.data(),
                           static_cast<std::size_t>(std::min<uint64_t>(passed.size(), position - position_))}) == 0)
                return 0;
    }
    std::size_t got = 0;
    while (got < to.size()) {
        const std::size_t n = read_some(to.subspan(got));
        if (n == 0) break;
        got += n;
    }
    return got;
}

/// Reads at least one byte. Returns 0 only at the end or when told to stop.
std::size_t StreamSource::read_some(std::span<std::byte> to) {
    while (!ended_ && wait()) {
        const ssize_t n = ::read(descriptor_, to.data(), std::min(to.size(), most_at_once));
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
        if (n < 0) fail(name_, "cannot be read: " + reason(errno));
        ended_ = n == 0;
        position_ += static_cast<uint64_t>(n);
        const auto got = static_cast<std::size_t>(n);
        if (beginning_.size() < beginning_bytes) {
            beginning_.append(reinterpret_cast<const char*>(to.data()),
                              std::min(got, beginning_bytes - beginning_.size()));
            if (beginning_.size() == beginning_bytes) require_no_text(name_, beginning_);
        }
        return got;
    }
    return 0;
}

/// Waits until there is something to read, an end included. Returns false if told to stop. Throws Error (bad_state)
/// after the time limit.
bool StreamSource::wait() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    for (;;) {
        if (options_.stop && options_.stop->load()) return false;
        const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start);
        const bool is_limited = options_.timeout.count() > 0;
        if (is_limited && waited >= options_.timeout)
            fail(name_,
                 "gave nothing for " + std::to_string(options_.timeout.count() / 1000) + " seconds, after " +
                     std::to_string(position_) + " bytes",
                 ErrorCode::bad_state);
        const auto patience = is_limited ? std::min(short_wait, options_.timeout - waited) : short_wait;
        pollfd ready = {descriptor_, POLLIN, 0};
        const int n = ::poll(&ready, 1, static_cast<int>(patience.count()));
        if (n > 0) return true;  // errors too: read() has the reason
        if (n < 0 && errno != EINTR) fail(name_, "cannot be read: " + reason(errno));
    }
}

std::shared_ptr<Source> open_source(const std::string& file, const StreamOptions& options) {
    struct stat status = {};
    if (::stat(file.c_str(), &status) != 0) fail("file " + file, "cannot be opened: " + reason(errno));
    if (S_ISDIR(status.st_mode)) fail("file " + file, "cannot be read: " + reason(EISDIR));
    if (S_ISREG(status.st_mode)) return std::make_shared<FileSource>(file, options.word_bits);
    return std::make_shared<StreamSource>(open_file(file), "file " + file, options, true);
}

}  // namespace rng::stats
