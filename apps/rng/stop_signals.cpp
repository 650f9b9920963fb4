#include "stop_signals.hpp"

#include <array>
#include <cerrno>
#include <csignal>

namespace cli {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
struct sigaction before[signals.size()];
std::atomic<bool> stop = false;
std::atomic<int> came = 0;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void remember_and_stop(int number) {
    const int error = errno;
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
    came.store(number);
    stop.store(true);
    errno = error;
}

}  // namespace

StopSignals::StopSignals() {
    stop.store(false);
    came.store(0);
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], nullptr, &before[i]);
    for (std::size_t i = 0; i < signals.size(); ++i) {
        if (before[i].sa_handler == SIG_IGN) continue;
        struct sigaction action = {};
        action.sa_handler = remember_and_stop;
        action.sa_flags = SA_RESTART;  // the signal must not make a write in progress fail
        ::sigaction(signals[i], &action, nullptr);
    }
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < signals.size(); ++i) ::sigaction(signals[i], &before[i], nullptr);
}

const std::atomic<bool>* StopSignals::flag() { return &stop; }
int StopSignals::number() { return came.load(); }

}  // namespace cli
