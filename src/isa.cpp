// The instruction set and the number of threads in use, and the kernels for a call.
#include <rng/isa.hpp>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#if defined(RNG_HAVE_X86_ISAS)
#include <cpuid.h>
#endif

#include "cpu/dispatch.hpp"
#include "cpu/threads.hpp"
#include "fma_check.hpp"

namespace rng {
namespace v1_scalar::detail {
const rng_abi::KernelTable& kernel_table();
}
namespace v1_avx2::detail {
const rng_abi::KernelTable& kernel_table();
}
namespace v1_avx512::detail {
const rng_abi::KernelTable& kernel_table();
}
namespace v1_neon::detail {
const rng_abi::KernelTable& kernel_table();
}
}  // namespace rng

RNG_BEGIN_NAMESPACE
namespace {

constexpr Isa all_isas[] = {Isa::scalar, Isa::avx2, Isa::avx512, Isa::neon};  // of one machine: narrowest first
constexpr int unset = -1;
std::atomic<int> isa_in_use{unset};
std::atomic<bool> isa_is_chosen{false};
std::atomic<int> threads_in_use{unset};

bool available([[maybe_unused]] Isa isa) {
#if defined(RNG_HAVE_X86_ISAS)
    switch (isa) {
        case Isa::avx2: return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        case Isa::avx512:
            return RNG_HAVE_AVX512 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
        case Isa::scalar:
        case Isa::neon: break;
    }
#elif defined(RNG_HAVE_NEON)
    if (isa == Isa::neon) return true;  // every 64-bit Arm processor has it
#endif
    return isa == Isa::scalar;
}

std::string list_of_available() {
    std::string text;
    for (const Isa isa : available_isas()) text += std::string(text.empty() ? "" : ", ") + to_string(isa);
    return text;
}

Isa initial_isa() {
    const char* forced = std::getenv("RNG_ISA");
    if (forced == nullptr || *forced == '\0') return available_isas().back();
    for (const Isa isa : all_isas) {
        if (std::strcmp(forced, to_string(isa)) != 0) continue;
        if (!available(isa)) break;
        isa_is_chosen.store(true, std::memory_order_relaxed);
        return isa;
    }
    detail::refuse(
        "RNG_ISA",
        std::string("\"") + forced + "\" is not available; this machine and build have " + list_of_available(),
        ErrorCode::unsupported);
}

int initial_threads() {
    const char* text = std::getenv("RNG_NUM_THREADS");
    if (text == nullptr || *text == '\0') return rng_cpu::available_processors();
    char* end = nullptr;
    const long n = std::strtol(text, &end, 10);
    if (*end != '\0' || n < 1 || n > 1024)
        detail::refuse("RNG_NUM_THREADS", std::string("must be a number in [1, 1024], got \"") + text + "\"");
    return static_cast<int>(n);
}

}  // namespace

const char* to_string(Isa isa) {
    switch (isa) {
        case Isa::scalar: return "scalar";
        case Isa::avx2: return "avx2";
        case Isa::avx512: return "avx512";
        case Isa::neon: return "neon";
    }
    return "unknown";
}

std::vector<Isa> available_isas() {
    std::vector<Isa> found;
    for (const Isa isa : all_isas)
        if (available(isa)) found.push_back(isa);
    return found;
}

Isa current_isa() {
    int isa = isa_in_use.load(std::memory_order_relaxed);
    if (isa == unset) {
        detail::require_fused_fma();
        isa = static_cast<int>(initial_isa());
        int expected = unset;  // set_isa() in another thread has priority
        if (!isa_in_use.compare_exchange_strong(expected, isa)) isa = expected;
    }
    return static_cast<Isa>(isa);
}

void set_isa(Isa isa) {
    if (!available(isa))
        detail::refuse(
            "set_isa",
            std::string(to_string(isa)) + " is not available; this machine and build have " + list_of_available(),
            ErrorCode::unsupported);
    detail::require_fused_fma();
    isa_is_chosen.store(true, std::memory_order_relaxed);
    isa_in_use.store(static_cast<int>(isa), std::memory_order_relaxed);
}

void reset_isa() {
    isa_is_chosen.store(false, std::memory_order_relaxed);
    isa_in_use.store(unset, std::memory_order_relaxed);
}

int num_threads() {
    int n = threads_in_use.load(std::memory_order_relaxed);
    if (n == unset) {
        n = initial_threads();
        int expected = unset;
        if (!threads_in_use.compare_exchange_strong(expected, n)) n = expected;
    }
    return n;
}

void set_num_threads(int n) {
    if (n < 1 || n > 1024) detail::refuse("set_num_threads", "n must be in [1, 1024], got " + std::to_string(n));
    threads_in_use.store(n, std::memory_order_relaxed);
}

RNG_END_NAMESPACE

namespace rng_cpu {

namespace {

const rng_abi::KernelTable& kernels_of([[maybe_unused]] rng::Isa isa) {
#if defined(RNG_HAVE_X86_ISAS)
    switch (isa) {
#if RNG_HAVE_AVX512
        case rng::Isa::avx512: return rng::v1_avx512::detail::kernel_table();
#else
        case rng::Isa::avx512: break;  // never in use
#endif
        case rng::Isa::avx2: return rng::v1_avx2::detail::kernel_table();
        case rng::Isa::scalar:
        case rng::Isa::neon: break;
    }
#elif defined(RNG_HAVE_NEON)
    if (isa == rng::Isa::neon) return rng::v1_neon::detail::kernel_table();
#endif
    return rng::v1_scalar::detail::kernel_table();
}

#if defined(RNG_HAVE_X86_ISAS)
WideVectors effect_on_this_processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    const bool is_intel = __get_cpuid(0, &a, &b, &c, &d) != 0 && b == signature_INTEL_ebx;
    if (__get_cpuid(1, &a, &b, &c, &d) == 0) return WideVectors::harmless;
    return effect_of_wide_vectors(is_intel, a >> 8 & 15, (a >> 12 & 0xf0) | (a >> 4 & 15));
}
#endif

}  // namespace

const rng_abi::KernelTable& current_kernels() { return kernels_of(rng::current_isa()); }

bool is_isa_chosen() { return rng::isa_is_chosen.load(std::memory_order_relaxed); }

const rng_abi::KernelTable& kernels_for([[maybe_unused]] std::size_t bytes, [[maybe_unused]] bool is_refill) {
    const rng::Isa isa = rng::current_isa();
#if defined(RNG_HAVE_X86_ISAS)
    if (isa == rng::Isa::avx512 && !is_isa_chosen()) {
        static const WideVectors effect = effect_on_this_processor();
        if (prefers_256_bits(effect, bytes, is_refill)) return kernels_of(rng::Isa::avx2);
    }
#endif
    return kernels_of(isa);
}

}  // namespace rng_cpu
