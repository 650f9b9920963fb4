// Forks of a test's process.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>

namespace support {

/// Runs f() in a fork of this process; its exit code, or -1 if it was killed (after 30 seconds, say).
inline int in_child_process(const std::function<int()>& f) {
    const pid_t child = fork();
    if (child == 0) {
        alarm(30);
        std::_Exit(f());
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

}  // namespace support
