// What every benchmark shares: the buffer, the names of rows, the counters and the clock.
//
// A row is named group/who/what/size/threads, for instance "fill/rng-avx512/normal_f32/L2/t1"; report.py
// reads it back.
#pragma once

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "rng/at.hpp"
#include "rng/isa.hpp"

namespace bench {

inline constexpr std::size_t kib = 1024, mib = 1024 * kib;

/// L2: 256 KiB for each thread, which stays in any recent core's second-level cache. shared: 256 KiB in all. large: 64
/// MiB in all.
enum class Size { l2, shared, large };

[[nodiscard]] constexpr std::size_t bytes_of(Size size, int threads) {
    if (size == Size::large) return 64 * mib;
    return 256 * kib * static_cast<std::size_t>(size == Size::l2 ? threads : 1);
}

/// How many values a small call makes.
inline constexpr std::size_t small_sizes[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 1024};

/// 64 MiB, aligned to a page and written once: the first touch of a page costs more than filling it.
[[nodiscard]] inline void* buffer() {
    static void* const memory = [] {
        void* p = ::operator new (64 * mib, std::align_val_t{4096});
        std::memset(p, 1, 64 * mib);
        return p;
    }();
    return memory;
}

[[nodiscard]] inline std::string row_name(const std::string& group, const std::string& who, const std::string& what,
                                          const std::string& size, int threads) {
    return group + '/' + who + '/' + what + '/' + size + "/t" + std::to_string(threads);
}

[[nodiscard]] inline std::string to_string(Size size) {
    return size == Size::l2 ? "L2" : size == Size::shared ? "256KiB" : "64MiB";
}

/// The core's frequency now, in GHz: a chain of dependent 64-bit multiplies takes 3 cycles each on every
/// x86-64 core since Nehalem and Zen. The best of five short chains, since an interruption only ever makes
/// one longer. 0 where unknown.
[[nodiscard]] inline double clock_ghz() {
#if defined(__x86_64__)
    constexpr int chains = 5, loops = 200, unrolled = 100;
    double best = 0;
    for (int c = 0; c < chains; ++c) {
        std::uint64_t x = 3;
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < loops; ++i) asm volatile(".rept 100\n\timulq %0, %0\n\t.endr" : "+r"(x));
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        const double ghz = 3.0 * loops * unrolled / took.count();
        best = ghz > best ? ghz : best;
    }
    return best;
#else
    return 0;
#endif
}

/// Call after the timed loop. The rates use the thread's CPU time, or real time where the row asked for it.
inline void count(benchmark::State& state, std::size_t elements, std::size_t element_bytes) {
    using benchmark::Counter;
    const auto iterations = state.iterations();
    state.SetBytesProcessed(iterations * static_cast<std::int64_t>(elements * element_bytes));
    state.counters["ns_per_element"] =
        Counter(static_cast<double>(elements) * 1e-9, Counter::kIsIterationInvariantRate | Counter::kInvert);
    state.counters["ghz"] = clock_ghz();
}

/// Rows of one thread are timed by that thread's CPU time, which other processes disturb less; rows of more
/// by the clock.
inline void add_row(const std::string& name, int threads, auto&& body) {
    auto* row = benchmark::RegisterBenchmark(name.c_str(), body);
    if (threads > 1) row->UseRealTime();
}

/// A row of calls of an engine, after prepare(). Their sum keeps them one at a time: no store, no vectors.
template <class E> void add_engine(const std::string& who, void (*prepare)()) {
    const bool wide = E::max() > 0xffffffffu;  // Boost's max() is no constant
    add_row(row_name("engine", who, wide ? "u64" : "u32", "1", 1), 1, [=](benchmark::State& state) {
        prepare();
        E engine(42u);
        constexpr std::size_t calls = 4096;
        for (auto _ : state) {
            std::uint64_t sum = 0;
            for (std::size_t i = 0; i < calls; ++i) sum += engine();
            benchmark::DoNotOptimize(sum);
        }
        count(state, calls, wide ? 8 : 4);
    });
}

/// Any value as one that can be added up.
template <class T> [[nodiscard]] auto addend(const T& value) {
    if constexpr (requires { value.re + value.im; })
        return value.re + value.im;
    else if constexpr (std::is_integral_v<T>)
        return static_cast<std::uint64_t>(value);
    else
        return value;
}

/// A row of values drawn one at a time from an engine.
template <class E, class D> void add_draws(const std::string& who, const std::string& what, D dist, void (*prepare)()) {
    add_row(row_name("draw", who, what, "1", 1), 1, [=](benchmark::State& state) mutable {
        prepare();
        E engine(42u);
        constexpr std::size_t calls = 4096;
        for (auto _ : state) {
            decltype(addend(dist(engine))) sum = 0;
            for (std::size_t i = 0; i < calls; ++i) sum += addend(dist(engine));
            benchmark::DoNotOptimize(sum);
        }
        count(state, calls, sizeof(decltype(dist(engine))));
    });
}

/// A row of values at unrelated places of a stream.
template <class D> void add_at(const std::string& who, const std::string& what, const D& dist) {
    add_row(row_name("at", who, what, "1", 1), 1, [=](benchmark::State& state) {
        constexpr std::size_t calls = 1024;
        const rng::Stream<> stream{42};
        std::uint64_t i = 0;
        for (auto _ : state) {
            for (std::size_t c = 0; c < calls; ++c) {
                benchmark::DoNotOptimize(rng::at(stream, dist, i));
                i = (i + 0x9e3779b9u) & 0xffffffffu;
            }
        }
        count(state, calls, sizeof(typename D::result_type));
    });
}

void add_fills();         // fills.cpp: rng's fills on every ISA; exits if their bits differ
void add_peer_fills();    // fills.cpp
void add_calls();         // calls.cpp: small fills, engines, and at.cpp
void add_at_portable();   // at.cpp, compiled for any machine
void add_at_native();     // at.cpp, compiled for this one
void add_engine_calls();  // peers.cpp: the peers' engines, one call at a time
void add_path_tracer();   // path_tracer.cpp: draws between a program's own work

void use_defaults();  // calls.cpp: what a user has who chose no instruction set, and one thread: small fills never
                      // split

}  // namespace bench
