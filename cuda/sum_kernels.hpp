// Sums in the order of docs/reduce.md on CUDA.
//
// A warp adds up a leaf of 1024 terms: each of its threads has lanes t, t + 32, t + 64 and t + 96 of 128. MergeLeaves
// adds the sums of leaves in a binary tree, 16 at a time, and FinishSums makes results of them. Each sum has a place in
// memory of its own. So nothing depends on the grid or on the GPU, and nothing is added by atomics.
#pragma once

#include <rng/float16.hpp>

#include "../src/reduce/kernels/abi.hpp"
#include "../src/reduce/one_nan.hpp"
#include "../src/reduce/requests.hpp"
#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// A leaf of a result: the terms from 1024 * leaf on. The result has `terms` terms, which begin at `first`.
struct Leaf {
    uint64_t result, leaf, leaves, first, terms;
};

/// The leaves of all results, and the places of their sums. Without offsets, each result has `terms` terms. Otherwise
/// result k has those of [offsets[k], offsets[k + 1]).
/// A result without terms has one leaf. With offsets, some places are of no leaf.
struct Leaves {
    const void* offsets;
    int32_t offsets_are_wide;
    uint64_t terms, results;

    /// How many places there are.
    [[nodiscard]] RNG_FN uint64_t places() const {
        return offsets != nullptr ? terms / rng_abi::sum_leaf + results : results * most_leaves();
    }
    /// The most leaves that a result can have.
    [[nodiscard]] RNG_FN uint64_t most_leaves() const { return terms == 0 ? 1 : divided_up(terms, rng_abi::sum_leaf); }
    /// The distance between the places of one result's leaves. Results lie side by side, as terms of neighbours may.
    [[nodiscard]] RNG_FN uint64_t step() const { return offsets != nullptr ? 1 : results; }

    RNG_KERNEL uint64_t offset(uint64_t k) const;
    /// The place of a result's first leaf, which the sum of all takes in the end.
    RNG_KERNEL uint64_t place_of(uint64_t result) const;
    /// The leaf at a place. If leaf >= leaves, there is none.
    RNG_KERNEL Leaf at(uint64_t place) const;
};

/// What is added up of each term. A square is of the term; of the term less a mean, after that difference; or of the
/// term times a power of two. A magnitude counts by its bits, and the greatest is kept.
enum class Add { value, spread, square, product, magnitude, scaled_square };

/// How many sums a leaf has. A complex product has those of re re, im im, re im and im re.
RNG_FN constexpr int sums_of(Add what, int parts) {
    return what == Add::magnitude || (what == Add::product && parts == 1) ? 1
           : what == Add::product                                         ? 4
           : what == Add::spread                                          ? 2 * parts
                                                                          : parts;
}

/// Terms in memory. Strides count numbers, not pairs of them.
template <class S> struct TermsOf {
    const S* data;
    int64_t stride, next;  // to the next term; to the first term of the next result
};

/// sums[place * sums_of() + i] = sum i of the leaf at that place, of elements with Parts numbers of S.
/// given: for a spread, the mean of each result. For a scaled square, the magnitudes, at their places.
/// squares: for magnitudes and scaled squares, the sums of squares at their places. A result whose sum is sound needs
/// neither: zeros are written.
template <class T, class S, int Parts, Add What> struct AddLeaves {
    static constexpr unsigned threads = threads_per_block, resident = Parts == 1 ? 3 : 2;  // no register spills
    static constexpr int sums_per_leaf = sums_of(What, Parts);
    Leaves leaves;
    TermsOf<S> x, y;
    const T *given, *squares;
    T* sums;

    RNG_KERNEL void operator()() const;
};

/// Adds the sums of 16 leaves whose numbers are multiples of `span`, at the place of the first. Its number is a
/// multiple of 16 span. Each place has `each` sums. If keeps_greatest is true, keeps the magnitude with the greatest
/// bits.
template <class T> struct MergeLeaves {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Leaves leaves;
    T* sums;
    uint64_t span;
    uint32_t each;
    int32_t keeps_greatest;

    RNG_KERNEL void operator()() const;
};

/// Writes Parts numbers for each result, or one for variances and norms. n: the terms, as T. scaled: the sums of scaled
/// squares of a norm.
template <class T, int Parts> struct FinishSums {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Leaves leaves;
    Reduction reduction;
    const T *sums, *magnitudes, *scaled;
    T n, divisor;
    T* out;

    RNG_KERNEL void operator()() const;
};

/// An offset that is not 0 at first, is below the one before it, or is not `terms` at last.
struct BadSegment {
    Leaves leaves;
    RNG_KERNEL bool operator()(uint64_t k) const;
};

#if defined(__CUDACC__)

RNG_KERNEL uint64_t Leaves::offset(uint64_t k) const {
    return static_cast<uint64_t>(offsets_are_wide ? static_cast<const int64_t*>(offsets)[k]
                                                  : static_cast<const int32_t*>(offsets)[k]);
}
// The leaves of results before k take at most offset / 1024 + k places.
RNG_KERNEL uint64_t Leaves::place_of(uint64_t result) const {
    return offsets != nullptr ? offset(result) / rng_abi::sum_leaf + result : result;
}
RNG_KERNEL Leaf Leaves::at(uint64_t place) const {
    if (offsets == nullptr) {
        const uint64_t leaf = place / results;
        return {place - leaf * results, leaf, most_leaves(), 0, terms};
    }
    const uint64_t k = first_past(1, results, [&](uint64_t i) { return place_of(i) > place; }) - 1;
    const uint64_t first = offset(k), n = offset(k + 1) - first, leaves = divided_up(n, rng_abi::sum_leaf);
    return {k, place - place_of(k), leaves == 0 ? 1 : leaves, first, n};
}

/// The number of lane t + delta of the warp.
RNG_KERNEL float from_lane(float x, unsigned delta) { return __shfl_down_sync(0xffffffffu, x, delta); }
RNG_KERNEL double from_lane(double x, unsigned delta) { return __shfl_down_sync(0xffffffffu, x, delta); }

RNG_KERNEL uint32_t magnitude_bits(float x) { return Scalar::bits(x) & 0x7fffffffu; }
RNG_KERNEL uint64_t magnitude_bits(double x) { return Scalar::bits(x) & 0x7fffffffffffffffu; }
template <class T> RNG_KERNEL T greater_magnitude(T a, T b) {
    const auto a_bits = magnitude_bits(a), b_bits = magnitude_bits(b);
    if constexpr (sizeof(T) == 4)
        return Scalar::from_bits(a_bits > b_bits ? a_bits : b_bits);
    else
        return Scalar::from_bits64(a_bits > b_bits ? a_bits : b_bits);
}

/// Returns 2^e, for e from the exponent of the least subnormal number to that of the greatest number.
template <class T> RNG_KERNEL T power_of_two(int e) {
    if constexpr (sizeof(T) == 4)
        return Scalar::from_bits(e < -126 ? 1u << (e + 149) : static_cast<uint32_t>(e + 127) << 23);
    else
        return Scalar::from_bits64(e < -1022 ? uint64_t{1} << (e + 1074) : static_cast<uint64_t>(e + 1023) << 52);
}
/// Returns the exponent of a finite number above 0, as std::ilogb.
RNG_KERNEL int exponent_of(float x) {
    const bool is_subnormal = x < 0x1p-126f;
    return static_cast<int>(Scalar::bits(is_subnormal ? Scalar::mul(x, 0x1p24f) : x) >> 23) -
           (is_subnormal ? 151 : 127);
}
RNG_KERNEL int exponent_of(double x) {
    const bool is_subnormal = x < 0x1p-1022;
    return static_cast<int>(Scalar::bits(is_subnormal ? Scalar::mul(x, 0x1p54) : x) >> 52) -
           (is_subnormal ? 1077 : 1023);
}
template <class T> inline constexpr int greatest_exponent = sizeof(T) == 4 ? 127 : 1023;
/// True for a magnitude above 0 that is finite.
template <class T> RNG_KERNEL bool is_scale(T most) {
    return magnitude_bits(most) != 0 &&
           magnitude_bits(most) < magnitude_bits(power_of_two<T>(greatest_exponent<T> + 1));
}
/// Rounded correctly for every argument.
RNG_KERNEL float root(float x) { return __fsqrt_rn(x); }
RNG_KERNEL double root(double x) { return __dsqrt_rn(x); }

/// The sum of both parts of an element.
template <int Parts, class T> RNG_KERNEL T both(const T* part) {
    return Parts == 2 ? Scalar::add(part[0], part[Parts - 1]) : part[0];
}

template <class T, class S, int Parts, Add What> RNG_KERNEL void AddLeaves<T, S, Parts, What>::operator()() const {
    constexpr unsigned warp = 32;
    constexpr int lanes = static_cast<int>(rng_abi::sum_lanes / warp);  // of a thread
    constexpr int rows = static_cast<int>(rng_abi::sum_leaf / rng_abi::sum_lanes);
    const uint64_t place = thread_index() / warp;
    if (place >= leaves.places()) return;
    const Leaf at = leaves.at(place);
    if (at.leaf >= at.leaves) return;
    const unsigned lane = threadIdx.x % warp;
    bool is_needed = true;
    if constexpr (What == Add::magnitude || What == Add::scaled_square)
        is_needed = !is_sound_sum_of_squares(both<Parts>(squares + leaves.place_of(at.result) * Parts));
    T mean[Parts] = {}, factor = T{0}, more_factor = T{0};
    if constexpr (What == Add::spread) {
        RNG_UNROLL
        for (int p = 0; p < Parts; ++p) mean[p] = given[at.result * Parts + static_cast<uint64_t>(p)];
    }
    if constexpr (What == Add::scaled_square) {
        const T most = given[leaves.place_of(at.result)];
        is_needed = is_needed && is_scale(most);
        // 2^-e, where e is the exponent of the greatest magnitude. If that is subnormal, 2^-e is too great for a
        // factor.
        const int e = is_needed ? -exponent_of(most) : 0;
        factor = power_of_two<T>(e < greatest_exponent<T> ? e : greatest_exponent<T>);
        more_factor = power_of_two<T>(e < greatest_exponent<T> ? 0 : e - greatest_exponent<T>);
    }
    // Alike in all lanes. Scaled squares go through a loop without terms: with this way out ptxas copies their
    // additions.
    if (What == Add::magnitude && !is_needed) {
        if (lane < static_cast<unsigned>(sums_per_leaf)) sums[place * sums_per_leaf + lane] = T{0};
        return;
    }
    const uint64_t begin = at.leaf * rng_abi::sum_leaf;
    const uint64_t left = at.terms - begin;
    const auto n = static_cast<unsigned>(!is_needed ? 0 : left < rng_abi::sum_leaf ? left : rng_abi::sum_leaf);
    const auto from = [&](const TermsOf<S>& terms) {
        return terms.data + static_cast<int64_t>(at.result) * terms.next +
               static_cast<int64_t>(at.first + begin + lane) * terms.stride;
    };
    const S *x_at = from(x), *y_at = What == Add::product ? from(y) : nullptr;
    T sum[lanes][sums_per_leaf] = {};
    // A term past the end adds +0. That only turns a sum of -0 into +0, as the end of a leaf does.
    constexpr int together = 16 / (Parts * static_cast<int>(sizeof(T)));  // rows that are loaded together
#pragma unroll(together)
    for (int row = 0; row < rows; ++row) {
        RNG_UNROLL
        for (int q = 0; q < lanes; ++q) {
            const bool inside = static_cast<unsigned>(row * lanes + q) * warp + lane < n;
            const auto load = [&](const TermsOf<S>& terms, const S* row_at, int p) {
                return inside ? widened<T>(row_at[int64_t{q * int{warp}} * terms.stride + p]) : T{0};
            };
            T value[Parts], other[Parts] = {};
            RNG_UNROLL
            for (int p = 0; p < Parts; ++p) {
                value[p] = load(x, x_at, p);
                if constexpr (What == Add::product) other[p] = load(y, y_at, p);
            }
            RNG_UNROLL
            for (int p = 0; p < Parts; ++p) {
                T& to = sum[q][p];
                if constexpr (What == Add::value) {
                    to = Scalar::add(to, value[p]);
                } else if constexpr (What == Add::spread) {
                    const T d = inside ? Scalar::sub(value[p], mean[p]) : T{0};
                    to = Scalar::add(to, d);
                    sum[q][Parts + p] = Scalar::fma(d, d, sum[q][Parts + p]);
                } else if constexpr (What == Add::square) {
                    to = Scalar::fma(value[p], value[p], to);
                } else if constexpr (What == Add::product) {
                    to = Scalar::fma(value[p], other[p], to);
                    if constexpr (Parts == 2) sum[q][2 + p] = Scalar::fma(value[p], other[1 - p], sum[q][2 + p]);
                } else if constexpr (What == Add::magnitude) {
                    sum[q][0] = greater_magnitude(sum[q][0], value[p]);
                } else {
                    const T scaled = Scalar::mul(Scalar::mul(value[p], factor), more_factor);
                    to = Scalar::fma(scaled, scaled, to);
                }
            }
        }
        x_at += int64_t{rng_abi::sum_lanes} * x.stride;
        if constexpr (What == Add::product) y_at += int64_t{rng_abi::sum_lanes} * y.stride;
    }
    const auto join = [](T a, T b) { return What == Add::magnitude ? greater_magnitude(a, b) : Scalar::add(a, b); };
    RNG_UNROLL
    for (int k = 0; k < sums_per_leaf; ++k) {
        T total = join(join(sum[0][k], sum[2][k]), join(sum[1][k], sum[3][k]));
        RNG_UNROLL
        for (unsigned delta = warp / 2; delta > 0; delta /= 2) total = join(total, from_lane(total, delta));
        if (lane == 0) sums[place * sums_per_leaf + static_cast<uint64_t>(k)] = join(total, T{0});
    }
}

template <class T> RNG_KERNEL void MergeLeaves<T>::operator()() const {
    const uint64_t e = thread_index(), place = e / each;
    if (place >= leaves.places()) return;
    const Leaf at = leaves.at(place);
    if (at.leaf >= at.leaves || at.leaf % (span * merged) != 0) return;
    const uint64_t step = span * leaves.step() * each;
    sums[e] = node_over<T>(
        divided_up(at.leaves - at.leaf, span), [&](int i) { return sums[e + static_cast<uint64_t>(i) * step]; },
        [&](T a, T b) { return keeps_greatest ? greater_magnitude(a, b) : Scalar::add(a, b); });
}

template <class T, int Parts> RNG_KERNEL void FinishSums<T, Parts>::operator()() const {
    const uint64_t k = thread_index();
    if (k >= leaves.results) return;
    const uint64_t place = leaves.place_of(k);
    T value[Parts] = {};
    int written = Parts;
    switch (reduction) {
        case Reduction::sum:
        case Reduction::mean:
            RNG_UNROLL
            for (int p = 0; p < Parts; ++p) {
                value[p] = sums[place * Parts + static_cast<uint64_t>(p)];
                if (reduction == Reduction::mean) value[p] = Scalar::div(value[p], n);
            }
            break;
        case Reduction::variance: {
            const T* const from = sums + place * 2 * Parts;
            RNG_UNROLL
            for (int p = 0; p < Parts; ++p) {
                const T d = from[p];
                value[p] = at_least_zero(Scalar::sub(from[Parts + p], Scalar::div(Scalar::mul(d, d), n)));
            }
            value[0] = Scalar::div(both<Parts>(value), divisor);
            written = 1;
            break;
        }
        case Reduction::norm2: {
            const T s = both<Parts>(sums + place * Parts), most = magnitudes[place];
            if (is_sound_sum_of_squares(s))
                value[0] = root(s);
            else if (is_scale(most))
                value[0] = Scalar::mul(root(both<Parts>(scaled + place * Parts)), power_of_two<T>(exponent_of(most)));
            else
                value[0] = most;
            written = 1;
            break;
        }
        case Reduction::dot:
        case Reduction::vdot:
            if constexpr (Parts == 1) {
                value[0] = sums[place];
            } else {
                const T* const from = sums + place * 4;
                const bool is_plain = reduction == Reduction::dot;
                value[0] = is_plain ? Scalar::sub(from[0], from[1]) : Scalar::add(from[0], from[1]);
                value[1] = is_plain ? Scalar::add(from[2], from[3]) : Scalar::sub(from[2], from[3]);
            }
            break;
    }
    RNG_UNROLL
    for (int p = 0; p < Parts; ++p)
        if (p < written) out[k * static_cast<uint64_t>(written) + static_cast<uint64_t>(p)] = with_one_nan(value[p]);
}

RNG_KERNEL bool BadSegment::operator()(uint64_t k) const {
    const auto offset = static_cast<int64_t>(leaves.offset(k));
    if (k == 0 ? offset != 0 : offset < static_cast<int64_t>(leaves.offset(k - 1))) return true;
    return k == leaves.results && static_cast<uint64_t>(offset) != leaves.terms;
}

#endif

}  // namespace detail::gpu
RNG_END_NAMESPACE
