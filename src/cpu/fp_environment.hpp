// FpEnvironment: sets round-to-nearest without flush-to-zero during its lifetime, for any modes of the caller.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace rng_cpu {

class FpEnvironment {
  public:
#if defined(__SSE2__)
    FpEnvironment() : saved_(_mm_getcsr()) {
        if (saved_ != standard) _mm_setcsr(standard);
    }
    ~FpEnvironment() { _mm_setcsr(saved_); }

  private:
    static constexpr unsigned standard = 0x1f80;  // all exceptions masked, round to nearest, no FTZ, no DAZ
    unsigned saved_;
#else
    FpEnvironment() {
        std::fegetenv(&saved_);
        std::fesetenv(FE_DFL_ENV);
    }
    ~FpEnvironment() { std::fesetenv(&saved_); }

  private:
    std::fenv_t saved_;
#endif
  public:
    FpEnvironment(const FpEnvironment&) = delete;
    FpEnvironment& operator=(const FpEnvironment&) = delete;
};

}  // namespace rng_cpu
