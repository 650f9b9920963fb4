// The numbers that a kernel compiled by NVRTC and a program on the host must have in common (check_nvrtc.py).
#pragma once

#include <rng/distributions/catalogue.hpp>

namespace nvrtc_values {

/// The bits of a value as one number.
template <class T> RNG_FN uint64_t bits(const T& value) {
    if constexpr (requires { value.im; })
        return bits(value.re) * 3 + bits(value.im);
    else if constexpr (requires { value.w; })
        return ((bits(value.x) * 3 + bits(value.y)) * 3 + bits(value.z)) * 3 + bits(value.w);
    else if constexpr (requires { value.z; })
        return (bits(value.x) * 3 + bits(value.y)) * 3 + bits(value.z);
    else if constexpr (requires { value.y; })
        return bits(value.x) * 3 + bits(value.y);
    else if constexpr (requires { value.bits; })
        return value.bits;
    else if constexpr (rng::detail::is_real<T>)
        return rng::lane::Scalar::bits(value);
    else
        return static_cast<uint64_t>(value);
}

/// A distribution whose parameters are known at run time only, so that no compiler computes with them before.
template <class D> RNG_FN D distribution(int32_t low, int32_t high) {
    D dist;
    if constexpr (requires { dist.mean; }) dist.mean = static_cast<decltype(dist.mean)>(low);
    if constexpr (requires { dist.stddev; }) dist.stddev = static_cast<decltype(dist.stddev)>(high);
    if constexpr (requires { dist.rate; }) dist.rate = static_cast<decltype(dist.rate)>(high);
    if constexpr (requires { dist.p; }) dist.p = rng::lane::Scalar::from_bits64((uint64_t{0x3fd} << 52) + low);
    if constexpr (requires { dist.scale; }) dist.scale = static_cast<decltype(dist.scale)>(high);
    if constexpr (requires { dist.sigma; }) dist.sigma = static_cast<decltype(dist.sigma)>(high);
    if constexpr (requires { dist.shape; }) dist.shape = static_cast<decltype(dist.shape)>(high);
    if constexpr (requires { dist.lambda; }) dist.lambda = static_cast<decltype(dist.lambda)>(high);
    if constexpr (requires { dist.kappa; }) dist.kappa = static_cast<decltype(dist.kappa)>(high);
    if constexpr (requires { dist.nu; }) dist.nu = static_cast<decltype(dist.nu)>(high);
    if constexpr (requires { dist.a; }) dist.a = static_cast<decltype(dist.a)>(high);
    if constexpr (requires { dist.b; }) dist.b = static_cast<decltype(dist.b)>(high);
    if constexpr (requires { dist.d1; }) dist.d1 = dist.d2 = static_cast<decltype(dist.d1)>(high);
    if constexpr (requires { dist.lo; }) {
        dist.lo = static_cast<decltype(dist.lo)>(low);
        dist.hi = static_cast<decltype(dist.hi)>(high);
    }
    return dist;
}

// Distributions 0, STEP, 2 * STEP ... of the catalogue are taken (check_nvrtc.py).
#ifndef NVRTC_STEP
#define NVRTC_STEP 1
#endif

/// Calls sink(type_tag<D>, "at", bits) for value i of a distribution, if it is taken.
template <class D, class Sink>
RNG_FN void visit_distribution(const rng::Stream<>& stream, int32_t low, int32_t high, uint64_t i, Sink& sink) {
    if constexpr (rng::catalogue_index<D> % NVRTC_STEP == 0)
        sink(rng::type_tag<D>{}, "at", bits(rng::at(stream, distribution<D>(low, high), i)));
}
template <class Sink, class... D>
RNG_FN void visit_distributions(const rng::Stream<>& stream, int32_t low, int32_t high, uint64_t i, Sink& sink,
                                rng::type_list<D...>) {
    (visit_distribution<D>(stream, low, high, i, sink), ...);
}

/// The same by the other roads from a stream to a value.
template <class Sink, class... D>
RNG_FN void visit_roads(const rng::Stream<>& stream, int32_t low, int32_t high, uint64_t i, Sink& sink,
                        rng::type_list<D...>) {
    rng::block_engine<rng::Philox4x32_10> engine(stream);
    const auto roads = [&]<class X>(rng::type_tag<X> tag) {
        const X dist = distribution<X>(low, high);
        rng::Cursor next(stream, dist, i);
        uint64_t drawn = 0;
        RNG_ROLLED
        for (int k = 0; k < 5; ++k) drawn = drawn * 3 + bits(next.next());
        sink(tag, "Cursor", drawn);
        sink(tag, "at_block", bits(rng::at_block(stream, dist, i)[0]));
        sink(tag, "engine", bits(dist(engine)));
    };
    (roads(rng::type_tag<D>{}), ...);
    sink(rng::type_tag<rng::Philox4x32_10>{}, "below", rng::below(engine, 1000003));
}

/// Words, children and draws of each engine.
template <class Sink, class... E>
RNG_FN void visit_engines(uint64_t seed, uint64_t i, Sink& sink, rng::type_list<E...>) {
    const auto words = [&]<class X>(rng::type_tag<X> tag) {
        const rng::Stream<X> stream{seed, i};
        sink(tag, "fork, word", rng::word(stream.fork(i), i));
        rng::block_engine<X> engine(stream);
        uint64_t drawn = 0;
        RNG_ROLLED
        for (int k = 0; k < 5; ++k) drawn = drawn * 3 + engine();
        sink(tag, "block_engine", drawn);
    };
    (words(rng::type_tag<E>{}), ...);
}

template <class Sink>
RNG_FN void visit(const rng::Stream<>& stream, int32_t low, int32_t high, uint64_t i, Sink& sink) {
    visit_distributions(stream, low, high, i, sink, rng::catalogue{});
    visit_roads(stream, low, high, i, sink,
                rng::type_list<rng::normal<float>, rng::uniform<double>, rng::uniform_int<int32_t>>{});
    visit_engines(stream.id, i, sink, rng::engines{});
}

}  // namespace nvrtc_values
