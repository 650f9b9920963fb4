// What thrust_kernels.cu and parity_thrust.cpp share: iterators of rng/interop/thrust.hpp as arguments of kernels, as
// Thrust's own algorithms pass them. Permutations, too.
#pragma once

#include <rng/distributions/normal.hpp>
#include <rng/distributions/uniform_int.hpp>
#include <rng/interop/thrust.hpp>
#include <rng/permutation.hpp>

namespace parity {

template <class D, class E> using Values = decltype(rng::interop::value_iterator(rng::Stream<E>{}, D{}));

using Pairs = Values<rng::normal<float>, rng::Philox4x32_10>;
using LongWords = Values<rng::normal<double>, rng::Threefry4x64_20>;
using Samples = Values<rng::uniform_int<int>, rng::Philox4x32_10>;

/// Word 3 of block i, by an engine of its own. (Thrust's distributions have products and sums that ptxas may fuse.)
struct Words {
    rng::Stream<> stream;

    RNG_FN uint32_t operator[](uint64_t i) const {
        rng::interop::ThrustEngine<rng::Philox4x32_10> engine(stream.at_position(4 * i));
        engine.discard(3);
        return engine();
    }
};

/// Value i of a permutation, and the place of i, as one number.
template <class E> struct Permuted {
    rng::KeyedPermutation<E> permutation;

    RNG_FN uint64_t operator[](uint64_t i) const {
        const uint64_t k = i < permutation.size() ? i : i % permutation.size();
        return 3 * permutation.at(k) + permutation.inverse(k);
    }
};

}  // namespace parity
