// Rows app/...: the path tracer, with each source of uniform numbers. Rows width/...: what fills with wide vectors cost
// the program's scalar code beside them.
//
// This file holds std's engines, so it is compiled as the peers are. A program's author does so too: with the same
// options for every engine.
#include "path_tracer.hpp"

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <optional>
#include <random>
#include <span>

#include "rng/rng.hpp"
#include "support.hpp"

namespace bench {
namespace {

/// The mean over the image: 0.673235 in f64 and 0.673225 in f32, each with a standard error of 0.000022, of 0.9e9 paths
/// by std::mt19937_64 with std::uniform_real_distribution.
constexpr double mean_brightness = 0.67323;

/// An engine and a distribution that the program keeps.
template <class Engine, class D> struct Drawn {
    Engine engine{42u};
    D dist{};
    auto operator()() { return dist(engine); }
};

/// An engine, and a distribution that stands where it is called, as in rng::uniform{0.0, 1.0}(engine).
template <class Engine, class D> struct DrawnInPlace {
    Engine engine{42u};
    auto operator()() { return D{}(engine); }
};

template <class Real, class Source> void trace_frame(Source& source, Tally& tally) {
    for (int row = 0; row < PathTracer<Real>::height; ++row) PathTracer<Real>::trace_row(row, source, tally);
}

/// A fast source of wrong numbers is no source. Five standard errors: a false alarm in 1.7 million rows.
void require_brightness(const std::string& who, const Tally& tally) {
    constexpr double known_to = 0.0001;  // the error of mean_brightness, several times over
    if (std::abs(tally.mean() - mean_brightness) < 5 * tally.error() + known_to) return;
    std::fprintf(stderr, "%s: the image's mean brightness is %g, with a standard error of %g, instead of %g\n",
                 who.c_str(), tally.mean(), tally.error(), mean_brightness);
    std::exit(1);
}

/// A row whose element is a ray: paths differ in length from source to source.
template <class Real, class Source>
void add_traced(const std::string& who, const Source& initial, std::optional<rng::Isa> isa = {}) {
    const std::string what = sizeof(Real) == 4 ? "path_tracer_f32" : "path_tracer_f64";
    add_row(row_name("app", who, what, "1", 1), 1, [=](benchmark::State& state) {
        use_defaults();
        if (isa) rng::set_isa(*isa);
        Source source = initial;
        Tally tally;
        for (auto _ : state) trace_frame<Real>(source, tally);
        require_brightness(who, tally);
        count(state, tally.rays / static_cast<std::uint64_t>(state.iterations()), sizeof(Real));
        state.counters["brightness"] = tally.mean();
        state.counters["brightness_error"] = tally.error();
    });
}

template <class Real> void add_every_source() {
    using Std = std::uniform_real_distribution<Real>;
    using Ours = rng::uniform<Real>;
    add_traced<Real>("std-mt19937", Drawn<std::mt19937, Std>{});
    add_traced<Real>("std-mt19937_64", Drawn<std::mt19937_64, Std>{});
    add_traced<Real>("rng-philox4x32", Drawn<rng::philox4x32, Std>{});
    add_traced<Real>("uniform in place, std-mt19937", DrawnInPlace<std::mt19937, Ours>{});
    add_traced<Real>("uniform in place, rng-philox4x32", DrawnInPlace<rng::philox4x32, Ours>{});
    add_traced<Real>("uniform kept, rng-philox4x32", Drawn<rng::philox4x32, Ours>{});
    add_traced<Real>("std_distribution, rng-philox4x32", Drawn<rng::philox4x32, rng::std_distribution<Ours>>{});
    add_traced<Real>("Reader", rng::Reader<Ours>(rng::Stream<>{42}));
    for (const rng::Isa isa : rng::available_isas()) {  // wide vectors may slow the code between their uses
        const std::string by = std::string(", by ") + rng::to_string(isa);
        add_traced<Real>("rng-philox4x32" + by, Drawn<rng::philox4x32, Std>{}, isa);
        add_traced<Real>("Reader" + by, rng::Reader<Ours>(rng::Stream<>{42}), isa);
    }
}

/// Numbers by a few scalar instructions, for work without any vector. Source: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014.
struct SplitMix {
    std::uint64_t state = 42;
    double operator()() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return static_cast<double>((z ^ z >> 31) >> 11) * 0x1p-53;
    }
};

/// The time that this thread has had of a processor, in ns.
double thread_ns() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

/// About a millisecond of the program's own work, in slices; returns its time, in ns for each ray. before(i) comes
/// before slice i, and its time does not count.
template <class Source, class Before> double own_work(Source& source, const Before& before) {
    constexpr int slices = 16;
    Tally tally;
    double ns = 0;
    for (int slice = 0; slice < slices; ++slice) {
        before(slice);
        const double begin = thread_ns();
        trace_frame<double>(source, tally);
        ns += thread_ns() - begin;
    }
    return ns / static_cast<double>(tally.rays);
}

/// The program's own work beside fills of n values, and the same work alone. The fills come before each slice, or one
/// before the first. From Skylake-SP to Cooper Lake, 512-bit instructions lower the core's clock for about two thirds
/// of a millisecond. So as much work stands, untimed, between the two that are timed. Source: Downs, "Gathering Intel
/// on Intel AVX-512 transitions", 2020.
void add_width(rng::Isa isa, bool before_each, std::size_t n) {
    const std::string who = std::string("rng-") + rng::to_string(isa);
    add_row(row_name("width", who, before_each ? "each" : "once", std::to_string(n), 1), 1,
            [=](benchmark::State& state) {
                use_defaults();
                rng::set_isa(isa);
                const std::span<float> out(static_cast<float*>(buffer()), n);
                rng::Stream<> stream{42};
                SplitMix source;
                const auto nothing = [](int) {};
                double beside = 0, alone = 0;
                for (auto _ : state) {
                    beside += own_work(source, [&](int slice) {
                        if (slice > 0 && !before_each) return;
                        rng::fill(out, rng::normal<float>{}, stream);
                        benchmark::ClobberMemory();
                        stream.position += n;
                    });
                    benchmark::DoNotOptimize(own_work(source, nothing));
                    alone += own_work(source, nothing);
                }
                const auto rounds = static_cast<double>(state.iterations());
                state.counters["ns_per_element"] = beside / rounds;
                state.counters["ns_alone"] = alone / rounds;
            });
}

}  // namespace

void add_path_tracer() {
    add_every_source<double>();
    add_every_source<float>();
    for (const rng::Isa isa : rng::available_isas())
        for (const bool before_each : {false, true})
            for (const std::size_t n : {16u, 64u, 256u}) add_width(isa, before_each, n);
}

}  // namespace bench
