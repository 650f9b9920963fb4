// FpEnvironment: sets round-to-nearest without flush-to-zero during its lifetime, for any modes of the caller.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#elif defined(__aarch64__)
#include <cstdint>
#else
#include <cfenv>
#endif

namespace rng_cpu {

class FpEnvironment {
  public:
#if defined(__SSE2__)
    // Writing MXCSR stalls for longer than a small fill takes. So it is written only where that changes something:
    // rarely, since most programs run in the standard modes and have raised `inexact` long before.
    FpEnvironment() : saved_(_mm_getcsr()) {
        if ((saved_ & ~flags) != standard) _mm_setcsr(standard | (saved_ & flags));
    }
    ~FpEnvironment() {
        if (_mm_getcsr() != saved_) _mm_setcsr(saved_);
    }

  private:
    static constexpr unsigned standard = 0x1f80;  // all exceptions masked, round to nearest, no FTZ, no DAZ
    static constexpr unsigned flags = 0x3f;       // of the exceptions that have occurred
    unsigned saved_;
#elif defined(__aarch64__)
    // As for MXCSR, and the functions of <cfenv> are calls. The flags of exceptions are in another register.
    FpEnvironment() {
        __asm__ volatile("mrs %0, fpcr" : "=r"(saved_) : : "memory");
        if ((saved_ & modes) != 0) set(saved_ & ~modes);
    }
    ~FpEnvironment() {
        if ((saved_ & modes) != 0) set(saved_);
    }

  private:
    /// Rounding, flushing of subnormal numbers (FZ, FZ16, FIZ), NaN by default (DN), other forms of these (AH, NEP),
    /// and traps. All are 0 in the standard modes.
    static constexpr std::uint64_t modes = 0x03c89f07;
    static void set(std::uint64_t control) { __asm__ volatile("msr fpcr, %0" : : "r"(control) : "memory"); }
    std::uint64_t saved_;
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
