#include "progress.hpp"

#include <unistd.h>

#include <cstdio>

#include "numbers.hpp"

namespace cli {

Progress::Progress(std::string label, uint64_t total, std::string unit, bool wanted)
    : label_(std::move(label)),
      unit_(std::move(unit)),
      total_(total),
      enabled_(wanted && total > 0 && ::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      next_(start_ + std::chrono::milliseconds(500)) {}

Progress::~Progress() {
    if (shown_) std::fputs("\r\033[K", stderr);
}

void Progress::update(uint64_t done) {
    if (!enabled_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    const double seconds = std::chrono::duration<double>(now - start_).count();
    const double fraction = static_cast<double>(done) / static_cast<double>(total_);
    std::fprintf(stderr, "\r\033[K%s: %.0f %%, %s of %s, %s/s", label_.c_str(), 100 * fraction,
                 scaled(static_cast<double>(done), unit_).c_str(), scaled(static_cast<double>(total_), unit_).c_str(),
                 scaled(static_cast<double>(done) / seconds, unit_).c_str());
    std::fflush(stderr);
}

}  // namespace cli
