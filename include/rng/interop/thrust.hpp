// Thrust and this library. Needs Thrust's headers (CUDA has them in include/cccl; Debian: libthrust-dev); no other
// header includes this one.
//
//     const auto z = rng::interop::value_iterator(stream, rng::normal{0.0f, 1.0f});   // z[i] = at(stream, normal, i)
//     thrust::copy_n(policy, z, n, out.begin());                                      // writes the values of fill()
//     thrust::transform(policy, x.begin(), x.end(), z, y.begin(), thrust::plus<float>{});   // noise, never stored
//     thrust::tabulate(policy, v.begin(), v.end(), rng::interop::ValueAt(stream, rng::uniform<double>{}));
//
//     rng::interop::ThrustEngine<rng::Philox4x32_10> engine(stream.at_position(4 * i));   // inside a functor
//     thrust::uniform_real_distribution<float> u(0, 1);
//     const float x = u(engine);                                                 // Thrust's distribution, our words
//
// The bits do not depend on the policy: seq, cpp::par, omp::par, tbb::par or a CUDA stream.
// Results that Thrust computes from them may depend on it: a parallel sum of floats has no fixed order.
// Also, thrust::normal_distribution has different code on the device.
// Each value computes its own block, as at() does; to fill an array, fill() is faster.
// Source: the iterators of Thrust and the engine concept of thrust::random (result_type, min, max, operator()).
// Oracle: value 0 of value_iterator(Stream<>{}, bits<uint32_t>{}) is word 0 of std::philox4x32.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "../at.hpp"
#include "../core/counter_engine.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace interop {

/// The function i -> at(stream, dist, i), with the distribution prepared once. Parameters must be in range (see
/// fault()).
/// Throws Error (end_of_stream) on the host if the value lies past the end of the stream.
template <class D, class E = Philox4x32_10> class ValueAt {
  public:
    using result_type = result_t<D>;

    /// Prepares the distribution.
    RNG_FN explicit ValueAt(const Stream<E>& stream, const D& dist = {})
        : stream_(stream), map_(dist.map()), word_(rng::detail::round_up(stream.position, slot)) {}

    /// Returns value i.
    [[nodiscard]] RNG_FN result_type operator()(uint64_t i) const {
        rng::detail::require_inside_stream(i < size && rng::detail::slots_fit(word_, i + 1, slot, size), "ValueAt");
        return rng::detail::value_at_word<D>(stream_, map_, word_ + i * slot);
    }

  private:
    static constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;

    Stream<E> stream_;
    decltype(D{}.map()) map_;
    uint64_t word_;  // the first word of value 0
};
template <class E, class D> ValueAt(const Stream<E>&, const D&) -> ValueAt<D, E>;

/// Returns a random-access iterator that stores no values: *(it + i) = at(stream, dist, first + i).
template <class D, class E>
[[nodiscard]] auto value_iterator(const Stream<E>& stream, const D& dist, uint64_t first = 0) {
    return thrust::make_transform_iterator(thrust::counting_iterator<uint64_t>(first), ValueAt<D, E>(stream, dist));
}

/// A block_engine for the distributions of thrust::random, which need min and max as constants.
template <class E> struct ThrustEngine : block_engine<E> {
    using base = block_engine<E>;
    using base::base;
    using typename base::result_type;
    static constexpr result_type min = 0;
    static constexpr result_type max = static_cast<typename E::word>(~typename E::word{0});
};

}  // namespace interop
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
