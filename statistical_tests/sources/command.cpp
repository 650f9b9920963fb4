#include <rng/stats/sources.hpp>

#include <rng/core/error.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

extern char** environ;

namespace rng::stats {

namespace {

constexpr std::chrono::milliseconds patience_at_end{1000};

[[noreturn]] void fail(const std::string& command, int error) {
    rng::detail::raise(ErrorCode::invalid_argument,
                       "command " + command + " cannot be started: " + std::strerror(error));
}

}  // namespace

CommandSource::Process CommandSource::start(const std::string& command, const StreamOptions& options) {
    static_cast<void>(StreamSource(-1, command, options));  // throws now on options that it would refuse later
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) fail(command, errno);
#ifdef F_SETPIPE_SZ
    (void)::fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);  // each switch between writer and reader costs
#endif
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, ends[1], STDOUT_FILENO);
    // This program may ignore SIGPIPE, but a generator that writes for ever ends by this signal.
    sigset_t ordinary;
    ::sigemptyset(&ordinary);
    ::sigaddset(&ordinary, SIGPIPE);
    ::posix_spawnattr_setsigdefault(&attributes, &ordinary);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);

    std::string shell = "sh", flag = "-c", text = command;
    char* arguments[] = {shell.data(), flag.data(), text.data(), nullptr};
    pid_t id = 0;
    const int error = ::posix_spawn(&id, "/bin/sh", &files, &attributes, arguments, environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
    ::close(ends[1]);
    if (error != 0) {
        ::close(ends[0]);
        fail(command, error);
    }
    return {id, ends[0]};
}

CommandSource::CommandSource(std::string command, const StreamOptions& options)
    : CommandSource(command, options, start(command, options)) {}

CommandSource::CommandSource(std::string command, const StreamOptions& options, Process process)
    : command_(std::move(command)),
      options_(options),
      group_(process.id),
      process_(process.id),
      output_(process.output, "command " + command_, options, true) {}

CommandSource::~CommandSource() {
    output_.close();
    if (process_ == 0) return;
    ::kill(-group_, SIGTERM);
    const bool has_ended = reap(patience_at_end);
    ::kill(-group_, SIGKILL);  // processes of the shell may not have heard SIGTERM
    if (has_ended) return;
    while (::waitpid(process_, &status_, 0) < 0 && errno == EINTR) {
    }
}

/// Waits for the process, at most `patience`. Returns true once the process has ended.
bool CommandSource::reap(std::chrono::milliseconds patience) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (process_ != 0) {
        const pid_t ended = ::waitpid(process_, &status_, WNOHANG);
        if (ended == process_ || (ended < 0 && errno == ECHILD))
            process_ = 0;
        else if (std::chrono::steady_clock::now() > end)
            return false;
        else
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

std::size_t CommandSource::read(uint64_t position, std::span<std::byte> to) {
    const std::size_t got = output_.read(position, to);
    if (got == to.size() || (options_.stop && options_.stop->load())) return got;
    // The output has ended. A command that lives on has closed its output, which is not a failure.
    if (!reap(patience_at_end)) return got;
    const std::string after = " after " + std::to_string(output_.position()) + " bytes";
    if (WIFSIGNALED(status_))
        rng::detail::raise(ErrorCode::bad_state, name() + " was ended by signal " + std::to_string(WTERMSIG(status_)) +
                                                     " (" + ::strsignal(WTERMSIG(status_)) + ")" + after);
    if (WIFEXITED(status_) && WEXITSTATUS(status_) != 0)
        rng::detail::raise(ErrorCode::bad_state,
                           name() + " exited with status " + std::to_string(WEXITSTATUS(status_)) + after);
    return got;
}

}  // namespace rng::stats
