#include "output.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string_view>
#include <system_error>

#include "numbers.hpp"
#include "src/files/replaced_file.hpp"
#include "usage_error.hpp"

namespace cli {
namespace {

constexpr const char* standard_output_name = "standard output";
constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

// The files under construction. The signal handler may use nothing else.
struct Doomed {
    char path[PATH_MAX];
    std::atomic<bool> there{false};
};
Doomed doomed[most_temporaries];
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void remove_and_die(int signal_number) {
    for (const Doomed& file : doomed)
        if (file.there.load()) ::unlink(file.path);
    // Restores the default action, so that the parent sees death by this signal.
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);
}

void keep_on_signal(const std::string& path) {
    for (Doomed& file : doomed)
        if (file.there.load() && path == file.path) file.there.store(false);
}

void remove_on_signal(const std::string& path) {
    Doomed* const place = std::ranges::find_if(doomed, [](const Doomed& file) { return !file.there.load(); });
    if (place == std::end(doomed)) throw std::logic_error("more than " + std::to_string(most_temporaries) + " outputs");
    if (path.size() >= sizeof place->path) throw WriteError(path, "cannot create", ENAMETOOLONG);
    std::memcpy(place->path, path.c_str(), path.size() + 1);
    place->there.store(true);
    for (const int number : ending_signals) {
        struct sigaction action = {};
        // A signal that the parent ignored (nohup) stays ignored. Any other handler is this one already, or replaces it
        // for a time (StopSignals).
        if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_DFL) continue;
        action = {};
        action.sa_handler = remove_and_die;
        ::sigaction(number, &action, nullptr);
    }
}

/// Blocks the ending signals during its lifetime.
class SignalsWait {
  public:
    SignalsWait() {
        sigset_t waiting;
        sigemptyset(&waiting);
        for (const int number : ending_signals) sigaddset(&waiting, number);
        ::sigprocmask(SIG_BLOCK, &waiting, &before_);
    }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;
    ~SignalsWait() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_;
};

bool is_same(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// Returns the standard stream that writes to this regular file; -1 if none does.
int stream_of(const struct stat& file) {
    struct stat open = {};
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
        if (S_ISREG(file.st_mode) && ::fstat(descriptor, &open) == 0 && is_same(file, open)) return descriptor;
    return -1;
}

}  // namespace

WriteError::WriteError(const std::string& target, const char* action, int error_number)
    : std::runtime_error(std::string(action) + " " + target + ": " + std::strerror(error_number)),
      error(error_number) {}

void Output::fail_write(int error) const {
    constexpr const char* action = "cannot write to";
    if (error == EPIPE && name_ == standard_output_name) throw ReaderGone(name_, action, error);
    throw WriteError(name_, action, error);
}

Output Output::standard_output() {
    // A duplicate: its closing reports errors, and standard output stays open for later use.
    const int descriptor = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (descriptor < 0) throw WriteError(standard_output_name, "cannot write to", errno);
#ifdef F_SETPIPE_SZ
    (void)::fcntl(descriptor, F_SETPIPE_SZ, 1 << 20);  // fails if it is not a pipe: nothing is lost
#endif
    return {descriptor, standard_output_name};
}

Output Output::file(const std::string& path) {
    struct stat status = {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) throw WriteError(path, "cannot create", errno);
    if (exists && !appears_whole(path)) {
        const int stream = stream_of(status);
        const int descriptor =
            stream < 0 ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC) : ::fcntl(stream, F_DUPFD_CLOEXEC, 3);
        if (descriptor < 0) throw WriteError(path, "cannot open", errno);
        return {descriptor, path};
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) throw WriteError(path, "cannot open", errno);

    const std::string target = rng_files::without_links(path);
    const std::string temporary = rng_files::temporary_name(target);
    remove_on_signal(temporary);  // before the file exists: there is no moment at which a signal would leave it
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        const int error = errno;
        keep_on_signal(temporary);
        throw WriteError(path, "cannot create", error);
    }
    if (exists) rng_files::adopt_owner(descriptor, status);
    return {descriptor, path, target, temporary};
}

bool Output::appears_whole(const std::string& path) {
    struct stat status = {};
    return ::stat(path.c_str(), &status) != 0 || (S_ISREG(status.st_mode) && stream_of(status) < 0);
}

void Output::require_space(double bytes) const {
    struct stat status = {};
    struct statvfs disk = {};
    if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) || ::fstatvfs(descriptor_, &disk) != 0 ||
        disk.f_blocks == 0)  // a file system that does not tell
        return;
    const double free = static_cast<double>(disk.f_bfree) * static_cast<double>(disk.f_frsize);
    if (bytes > free)
        throw UsageError(name_ + " needs at least " + scaled(bytes, "B") + ", and its disk has " + scaled(free, "B") +
                         " free");
}

Output::~Output() {
    if (descriptor_ >= 0) ::close(descriptor_);
    drop_temporary();
}

void Output::drop_temporary() {
    if (temporary_.empty()) return;
    ::unlink(temporary_.c_str());
    keep_on_signal(temporary_);
    temporary_.clear();
}

void Output::write(const void* data, size_t size) {
    const char* from = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(descriptor_, from, size);
        if (written < 0) {
            if (errno == EINTR) continue;
            fail_write(errno);
        }
        from += written;
        size -= static_cast<size_t>(written);
    }
}

bool Output::give_pages(const void* pages, size_t size) {
#ifdef SPLICE_F_GIFT                                // Linux
    iovec part = {const_cast<void*>(pages), size};  // the call reads; its parameter is not const for readv's sake
    bool begun = false;
    while (part.iov_len > 0) {
        const ssize_t given = ::vmsplice(descriptor_, &part, 1, 0);
        if (given < 0) {
            if (errno == EINTR) continue;
            if (!begun && errno != EPIPE) return false;
            fail_write(errno);
        }
        begun = true;
        part.iov_base = static_cast<char*>(part.iov_base) + given;
        part.iov_len -= static_cast<size_t>(given);
    }
    return true;
#else
    (void)pages, (void)size;
    return false;
#endif
}

void Output::close() {
    // fsync reports errors of delayed writes. Without fsync, a renamed file could be empty after a crash.
    if (!temporary_.empty() && ::fsync(descriptor_) != 0) fail_write(errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail_write(errno);
}

void Output::appear() {
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) throw WriteError(name_, "cannot create", errno);
    keep_on_signal(temporary_);
    temporary_.clear();
}

void Output::finish() {
    close();
    appear();
}

void Output::finish_all(std::span<Output* const> outputs) {
    for (Output* output : outputs) output->close();
    const SignalsWait no_signal_between;
    for (size_t done = 0; done < outputs.size(); ++done) try {
            outputs[done]->appear();
        } catch (const WriteError&) {  // a folder took its place after the file was begun
            for (size_t i = 0; i < done; ++i) ::unlink(outputs[i]->path_.c_str());
            throw;
        }
}

bool Output::is_terminal() const { return ::isatty(descriptor_) == 1; }

bool Output::is_pipe() const {
    struct stat status = {};
    return ::fstat(descriptor_, &status) == 0 && S_ISFIFO(status.st_mode);
}

void print(const std::string& text) {
    Output output = Output::standard_output();
    try {
        output.write(text.data(), text.size());
        output.finish();
    } catch (const ReaderGone&) {  // the reader has what it wanted
    }
}

std::string canonical_path(const std::string& file) {
    std::error_code error;
    if (file == "-" || file.empty()) return file;
    const std::filesystem::path path =
        std::filesystem::weakly_canonical(std::filesystem::absolute(rng_files::without_links(file), error), error);
    return error ? file : path.string();
}

void require_no_input(const std::string& option, const std::string& file, const std::vector<std::string>& inputs) {
    struct stat output = {}, read = {};
    for (const std::string& input : inputs)
        if (canonical_path(file) == canonical_path(input) ||
            (::stat(file.c_str(), &output) == 0 && ::stat(input.c_str(), &read) == 0 && is_same(output, read)))
            throw UsageError(option + " would overwrite " + input + ", which is an input of this run");
}

void require_distinct(const std::string& options, const std::vector<std::string>& files) {
    std::vector<std::string> paths;
    for (const std::string& file : files) {
        const std::string path = canonical_path(file);
        if (path == "/dev/null") continue;
        if (std::ranges::find(paths, path) != paths.end())
            throw UsageError(options + " must be different, got " + file + " twice");
        paths.push_back(path);
    }
}

void require_new_checkpoint(const std::string& name) {
    if (::access(name.c_str(), F_OK) == 0)
        throw UsageError("checkpoint " + name + " is there already: go on from it with --resume, or remove it");
}

size_t terminal_columns() {
    winsize size = {};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return std::max<size_t>(size.ws_col, 40);
    return 80;
}

bool terminal_is_unicode() {
    // The first of these variables that is set decides, as in setlocale().
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (!value || !*value) continue;
        const std::string_view locale = value;
        return locale.ends_with("UTF-8") || locale.ends_with("utf8") || locale.ends_with("UTF8") ||
               locale.ends_with("utf-8");
    }
    return false;
}

void prepare_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then gives EFBIG
#endif
    // Each stand-in is open in the wrong direction, so that its use is still an error.
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            (void)::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace cli
