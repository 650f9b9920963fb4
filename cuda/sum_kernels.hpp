// Sums in the order of docs/reduce.md on CUDA.
//
// AddLeaves has a warp for each leaf of 1024 terms, AddColumns a block for a leaf of 32 neighbouring columns.
// MergeLeaves adds the sums of leaves in a binary tree, 512 at a time, and FinishSums computes the results from them.
// Each sum has its own place in memory, so nothing depends on the grid or on the GPU, and nothing is added by atomics.
#pragma once

#include <rng/float16.hpp>

#include "../src/reduce/kernels/abi.hpp"
#include "../src/reduce/one_nan.hpp"
#include "../src/reduce/requests.hpp"
#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// A run of a result's terms: at most `size`, from the term `begin` of the result on. The result has `terms` terms,
/// which begin at `first`.
struct Run {
    uint64_t result, begin, first, terms;

    /// A result without terms has one run.
    [[nodiscard]] RNG_FN bool is_there() const { return begin == 0 || begin < terms; }
    /// The number of terms from its beginning on.
    [[nodiscard]] RNG_FN uint64_t left() const { return terms - begin; }
};

/// The leaves of all results, and the places of their sums. Without offsets, each result has `terms` terms. Otherwise
/// result k has those of [offsets[k], offsets[k + 1]).
/// `size` is that of runs: of a leaf, or of a node of the tree.
struct Leaves {
    const void* offsets;
    int32_t offsets_are_wide;
    uint64_t terms, results;

    /// The most runs of all results. With offsets, some of them do not exist.
    [[nodiscard]] RNG_FN uint64_t runs(uint64_t size = rng_abi::sum_leaf) const {
        return offsets != nullptr ? terms / size + results : results * most_runs(size);
    }
    /// The most runs that a result can have.
    [[nodiscard]] RNG_FN uint64_t most_runs(uint64_t size = rng_abi::sum_leaf) const {
        return terms == 0 ? 1 : divided_up(terms, size);
    }
    /// The distance between the places of one result's leaves. Results lie side by side, as terms of neighbours may.
    [[nodiscard]] RNG_FN uint64_t step() const { return offsets != nullptr ? 1 : results; }

    RNG_KERNEL uint64_t offset(uint64_t k) const;
    /// The number of a result's first run. For leaves it is the place that the sum of all takes in the end.
    RNG_KERNEL uint64_t place_of(uint64_t result, uint64_t size = rng_abi::sum_leaf) const;
    RNG_KERNEL Run run(uint64_t number, uint64_t size = rng_abi::sum_leaf) const;
};

/// The sums over the terms of a leaf: of the terms; of their differences from a mean, and of the squares of those; of
/// their squares, with the greatest magnitude; of their products with the other terms; of the squares of the terms
/// times a power of two. Magnitudes are compared by their bits.
enum class Add { value, spread, square, product, scaled_square };

/// The number of sums of a leaf. The magnitude is the last of them. A complex product has the sums of re re, im im, re
/// im and im re.
RNG_FN constexpr int sums_of(Add what, int parts) {
    return what == Add::spread                  ? 2 * parts
           : what == Add::square                ? parts + 1
           : what == Add::product && parts == 2 ? 4
                                                : parts;
}

/// Terms in memory. Strides count numbers, not pairs of them.
template <class S> struct TermsOf {
    const S* data;
    int64_t stride, next;  // to the next term; to the first term of the next result
};

/// sums[place * sums_of() + i] = sum i of the leaf at that place, of elements with Parts numbers of S. given: for a
/// spread, the mean of each result. For a scaled square, the sums of squares at their places: only norms that need them
/// get sums of scaled squares. For scaled squares the grid may have any size. The other sums have a warp for each leaf:
/// in a loop ptxas would duplicate their shuffles.
template <class T, class S, int Parts, Add What> struct AddLeaves {
    static constexpr unsigned threads = threads_per_block,
                              resident = Parts == 2 || (sizeof(S) == 2 && What == Add::product) ? 2 : 3;  // no spills
    Leaves leaves;
    TermsOf<S> x, y;
    const T* given;
    T* sums;

    RNG_KERNEL void operator()() const;
    RNG_KERNEL void add(uint64_t place, const Run& run) const;
};

inline constexpr unsigned warp_size = 32;

/// AddLeaves for results whose terms are further apart than neighbouring results: a block has a leaf of 32 results, so
/// that each warp reads neighbours.
template <class T, class S, int Parts, Add What> struct AddColumns {
    static constexpr unsigned threads = threads_per_block, resident = Parts == 1 ? 3 : 2;
    Leaves leaves;
    TermsOf<S> x;
    const T* given;
    T* sums;

    [[nodiscard]] static RNG_FN uint64_t blocks(const Leaves& leaves) {
        return divided_up(leaves.results, warp_size) * leaves.most_runs();
    }
    RNG_KERNEL void operator()() const;
};

inline constexpr uint64_t merged_by_warp = uint64_t{merged} * warp_size;

/// Adds the sums of 512 nodes of `span` leaves each, at the place of the first; a warp for each 512. Each place has
/// `each` sums. Sum number `greatest` is a magnitude, of which the greatest is kept. squares: if they are given, the
/// sums of squares of norms. Only norms that need scaled squares are then merged.
template <class T> struct MergeLeaves {
    static constexpr unsigned threads = threads_per_block, resident = 2;  // no register spills
    Leaves leaves;
    T* sums;
    uint64_t span;
    uint32_t each, greatest;
    const T* squares;

    /// The terms of 512 such nodes.
    [[nodiscard]] RNG_FN uint64_t size() const { return rng_abi::sum_leaf * merged_by_warp * span; }
    RNG_KERNEL void operator()() const;
};

/// Writes Parts numbers for each result, or one for variances and norms. n: the terms, as T. scaled: the sums of scaled
/// squares of norms that need them.
template <class T, int Parts> struct FinishSums {
    static constexpr unsigned threads = threads_per_block, resident = 4;
    Leaves leaves;
    Reduction reduction;
    const T *sums, *scaled;
    T n, divisor;
    T* out;

    RNG_KERNEL void operator()() const;
};

/// True for an offset at fault: a first one that is not 0, one below the one before it, or a last one that is not
/// `terms`.
struct BadSegment {
    Leaves leaves;
    RNG_KERNEL bool operator()(uint64_t k) const;
};

#if defined(__CUDACC__)

RNG_KERNEL uint64_t Leaves::offset(uint64_t k) const {
    return static_cast<uint64_t>(offsets_are_wide ? static_cast<const int64_t*>(offsets)[k]
                                                  : static_cast<const int32_t*>(offsets)[k]);
}
// The runs of results before k take at most offset / size + k numbers.
RNG_KERNEL uint64_t Leaves::place_of(uint64_t result, uint64_t size) const {
    return offsets != nullptr ? offset(result) / size + result : result;
}
RNG_KERNEL Run Leaves::run(uint64_t number, uint64_t size) const {
    if (offsets == nullptr) {
        const uint64_t before = results == 1 ? number : number / results;
        return {number - before * results, before * size, 0, terms};
    }
    const uint64_t k = first_past(1, results, [&](uint64_t i) { return place_of(i, size) > number; }) - 1;
    const uint64_t first = offset(k);
    return {k, (number - place_of(k, size)) * size, first, offset(k + 1) - first};
}

/// Returns the number of lane t + delta of the warp.
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

/// The sum of an element's parts.
template <class T> RNG_KERNEL T both(const T* part, uint32_t parts) {
    return parts == 2 ? Scalar::add(part[0], part[1]) : part[0];
}
/// True if a norm needs the sums of scaled squares. squares: its sums of squares, and the greatest magnitude.
template <class T> RNG_KERNEL bool needs_scale(const T* squares, uint32_t parts) {
    return !is_valid_sum_of_squares(both(squares, parts)) && is_scale(squares[parts]);
}

/// Adds the terms of a result to the sums of a lane.
template <class T, int Parts, Add What> struct Adder {
    static constexpr int sums = sums_of(What, Parts);
    T mean[Parts], factor, more_factor;

    /// given: the mean of the result, or the sums of squares of its norm.
    RNG_KERNEL explicit Adder(const T* given) {
        if constexpr (What == Add::spread) {
            RNG_UNROLL
            for (int p = 0; p < Parts; ++p) mean[p] = given[p];
        }
        if constexpr (What == Add::scaled_square) {
            // 2^-e, where e is the exponent of the greatest magnitude. If that is subnormal, 2^-e is too great for a
            // factor.
            const int e = -exponent_of(given[Parts]);
            factor = power_of_two<T>(e < greatest_exponent<T> ? e : greatest_exponent<T>);
            more_factor = power_of_two<T>(e < greatest_exponent<T> ? 0 : e - greatest_exponent<T>);
        }
    }
    /// Stands for a term past the end: it adds +0. That only turns a sum of -0 into +0, as the end of a leaf does. A
    /// mean that is not finite gives a NaN, and so does each of its terms.
    RNG_KERNEL T no_term(int p) const {
        if constexpr (What == Add::spread) return mean[p];
        return T{0};
    }
    RNG_KERNEL void add(T* sum, const T* x, const T* y) const {
        RNG_UNROLL
        for (int p = 0; p < Parts; ++p) {
            if constexpr (What == Add::value) {
                sum[p] = Scalar::add(sum[p], x[p]);
            } else if constexpr (What == Add::spread) {
                const T d = Scalar::sub(x[p], mean[p]);
                sum[p] = Scalar::add(sum[p], d);
                sum[Parts + p] = Scalar::fma(d, d, sum[Parts + p]);
            } else if constexpr (What == Add::square) {
                sum[p] = Scalar::fma(x[p], x[p], sum[p]);
                sum[Parts] = greater_magnitude(sum[Parts], x[p]);
            } else if constexpr (What == Add::product) {
                sum[p] = Scalar::fma(x[p], y[p], sum[p]);
                if constexpr (Parts == 2) sum[2 + p] = Scalar::fma(x[p], y[1 - p], sum[2 + p]);
            } else {
                const T scaled = Scalar::mul(Scalar::mul(x[p], factor), more_factor);
                sum[p] = Scalar::fma(scaled, scaled, sum[p]);
            }
        }
    }
    /// Sum k of two lanes.
    RNG_KERNEL static T joined(int k, T a, T b) {
        return What == Add::square && k == Parts ? greater_magnitude(a, b) : Scalar::add(a, b);
    }
};

inline constexpr int thread_lanes = 4;  // of a leaf
inline constexpr int sum_lanes = static_cast<int>(rng_abi::sum_lanes);
inline constexpr int leaf_rows = static_cast<int>(rng_abi::sum_leaf) / sum_lanes;

/// The number of rows that are loaded together, into 32 registers.
template <class T, int Parts, Add What>
inline constexpr int rows_together = 32 / (thread_lanes * Parts * static_cast<int>(sizeof(T) / 4) *
                                           (What == Add::product ? 2 : 1));

/// Adds up four lanes of a leaf, with the sums of lane q in sum[q]. load(row, values, of_y) gets the terms of some
/// rows: term p of lane q in row r to values[r][q][p].
template <int Together, class T, int Parts, Add What, class Load>
RNG_KERNEL void add_rows(const Adder<T, Parts, What>& adder, const Load& load,
                         T (&sum)[thread_lanes][sums_of(What, Parts)]) {
    constexpr bool has_y = What == Add::product;
#pragma unroll 1
    for (int row = 0; row < leaf_rows; row += Together) {
        T x[Together][thread_lanes][Parts], y[has_y ? Together : 1][thread_lanes][Parts];
        load(row, x, false);
        if constexpr (has_y) load(row, y, true);
        RNG_UNROLL
        for (int r = 0; r < Together; ++r) {
            RNG_UNROLL
            for (int q = 0; q < thread_lanes; ++q) adder.add(sum[q], x[r][q], y[has_y ? r : 0][q]);
        }
    }
}

/// Folds lanes `lane`, lane + Step, lane + 2 Step ... of 32: those that are farthest apart first.
template <int Step, class T, class Lanes, class Join>
RNG_KERNEL T fold_lanes(int lane, const Lanes& lanes, const Join& join) {
    if constexpr (Step == static_cast<int>(warp_size))
        return lanes(lane);
    else
        return join(fold_lanes<2 * Step, T>(lane, lanes, join), fold_lanes<2 * Step, T>(lane + Step, lanes, join));
}

/// Numbers that one instruction loads.
template <class S, int Count> struct alignas(sizeof(S) * Count) Pack { S v[Count]; };

template <class T, class S, int Parts, Add What> RNG_KERNEL void AddLeaves<T, S, Parts, What>::operator()() const {
    uint64_t place = thread_index() / warp_size;
    if constexpr (What != Add::scaled_square) {
        if (place >= leaves.runs()) return;
        const Run run = leaves.run(place);
        if (run.is_there()) add(place, run);
    } else {
#pragma unroll 1
        for (; place < leaves.runs(); place += uint64_t{gridDim.x} * (threads / warp_size)) {
            const Run run = leaves.run(place);
            if (!run.is_there() || !needs_scale(given + leaves.place_of(run.result) * (Parts + 1), Parts)) continue;
            add(place, run);
        }
    }
}

// A thread has neighbouring lanes, as many as 16 bytes have: lane (32 g + t) * width + k of the leaf is lane g * width
// + k of thread t. Four halves take 8 bytes.
template <class T, class S, int Parts, Add What>
RNG_KERNEL void AddLeaves<T, S, Parts, What>::add(uint64_t place, const Run& run) const {
    constexpr int bytes = Parts * static_cast<int>(sizeof(S));
    constexpr int width = bytes > 4 ? 16 / bytes : thread_lanes, groups = thread_lanes / width;
    constexpr int sums_per_leaf = sums_of(What, Parts), warp = static_cast<int>(warp_size);
    using Element = Pack<S, width * Parts>;
    const unsigned t = threadIdx.x % warp_size;
    const auto n = static_cast<int>(run.left() < rng_abi::sum_leaf ? run.left() : rng_abi::sum_leaf);
    const auto from = [&](const TermsOf<S>& terms) {
        return terms.data + static_cast<int64_t>(run.result) * terms.next +
               static_cast<int64_t>(run.first + run.begin + t * unsigned{width}) * terms.stride;
    };
    const auto is_packed = [&](const TermsOf<S>& terms, const S* at) {
        return terms.stride == Parts && reinterpret_cast<uintptr_t>(at) % sizeof(Element) == 0;
    };
    const S *x_at = from(x), *y_at = What == Add::product ? from(y) : nullptr;
    bool by_packs = n % width == 0 && is_packed(x, x_at);
    if constexpr (What == Add::product) by_packs = by_packs && is_packed(y, y_at);
    const Adder<T, Parts, What> adder(What == Add::spread          ? given + run.result * Parts
                                      : What == Add::scaled_square ? given + leaves.place_of(run.result) * (Parts + 1)
                                                                   : nullptr);
    T sum[thread_lanes][sums_per_leaf] = {};
    const auto load = [&]<int Rows>(int row, T(&value)[Rows][thread_lanes][Parts], bool of_y) {
        const S* const at = of_y ? y_at : x_at;
        const int64_t stride = of_y ? y.stride : x.stride;
        const auto place_in_leaf = [&](int r, int g) {
            return ((row + r) * thread_lanes + g * width) * warp + static_cast<int>(t) * width;
        };
        if (by_packs) {
            Element pack[Rows][groups];
            RNG_UNROLL
            for (int r = 0; r < Rows; ++r) {
                RNG_UNROLL
                for (int g = 0; g < groups; ++g) {
                    pack[r][g] = {};
                    if (place_in_leaf(r, g) < n)
                        pack[r][g] = *reinterpret_cast<const Element*>(at + ((row + r) * thread_lanes + g * width) *
                                                                                warp * Parts);
                }
            }
            RNG_UNROLL
            for (int r = 0; r < Rows; ++r) {
                RNG_UNROLL
                for (int i = 0; i < thread_lanes * Parts; ++i) {
                    const int g = i / (width * Parts), q = i / Parts, p = i % Parts;
                    const T there = widened<T>(pack[r][g].v[i % (width * Parts)]);
                    value[r][q][p] = What != Add::spread || place_in_leaf(r, g) < n ? there : adder.no_term(p);
                }
            }
            return;
        }
        const S* row_at = at + int64_t{row * sum_lanes} * stride;
        RNG_UNROLL
        for (int r = 0; r < Rows; ++r) {
            RNG_UNROLL
            for (int q = 0; q < thread_lanes; ++q) {
                const int g = q / width, k = q % width;
                const bool is_inside = place_in_leaf(r, g) + k < n;
                const S* const term = row_at + int64_t{g * width * warp + k} * stride;
                RNG_UNROLL
                for (int p = 0; p < Parts; ++p) value[r][q][p] = is_inside ? widened<T>(term[p]) : adder.no_term(p);
            }
            row_at += int64_t{sum_lanes} * stride;
        }
    };
    constexpr bool widens_twice = sizeof(S) == 2 && sizeof(T) == 8;  // fewer rows then: no register spills
    add_rows<rows_together<T, Parts, What> / (widens_twice ? 2 : 1)>(adder, load, sum);
    RNG_UNROLL
    for (int k = 0; k < sums_per_leaf; ++k) {
        const auto join = [k](T a, T b) { return Adder<T, Parts, What>::joined(k, a, b); };
        T total[width];
        RNG_UNROLL
        for (int q = 0; q < width; ++q) {
            if constexpr (groups == 1)
                total[q] = sum[q][k];
            else if constexpr (groups == 2)
                total[q] = join(sum[q][k], sum[width + q][k]);
            else
                total[q] = join(join(sum[0][k], sum[2][k]), join(sum[1][k], sum[3][k]));
        }
        RNG_UNROLL
        for (unsigned delta = warp_size / 2; delta > 0; delta /= 2) {
            RNG_UNROLL
            for (int q = 0; q < width; ++q) total[q] = join(total[q], from_lane(total[q], delta));
        }
        RNG_UNROLL
        for (int half = width / 2; half > 0; half /= 2) {
            RNG_UNROLL
            for (int q = 0; q < half; ++q) total[q] = join(total[q], total[q + half]);
        }
        if (t == 0) sums[place * sums_per_leaf + static_cast<uint64_t>(k)] = join(total[0], T{0});
    }
}

// Thread c of warp w adds up lanes w + 8 a + 32 q of column c, with those of the four q at a time. The block then folds
// 32 lanes of each column.
template <class T, class S, int Parts, Add What> RNG_KERNEL void AddColumns<T, S, Parts, What>::operator()() const {
    constexpr int sums_per_leaf = sums_of(What, Parts), lanes = static_cast<int>(warp_size);
    constexpr int warps = static_cast<int>(threads / warp_size);
    __shared__ T folded[sums_per_leaf][lanes][warp_size];
    const auto groups = static_cast<uint32_t>(divided_up(leaves.results, warp_size));
    const uint32_t leaf = blockIdx.x / groups, c = threadIdx.x % warp_size;
    const auto w = static_cast<int>(threadIdx.x / warp_size);
    const uint64_t own = uint64_t{blockIdx.x - leaf * groups} * warp_size + c;
    const uint64_t column = own < leaves.results ? own : leaves.results - 1;  // a thread without one reads the last
    const uint64_t begin = uint64_t{leaf} * rng_abi::sum_leaf, left = leaves.terms - begin;
    const auto n = static_cast<int>(left < rng_abi::sum_leaf ? left : rng_abi::sum_leaf);
    const Adder<T, Parts, What> adder(given + column * Parts);
#pragma unroll 1
    for (int lane = w; lane < lanes; lane += warps) {
        const S* const at = x.data + static_cast<int64_t>(column) * x.next +
                            static_cast<int64_t>(begin + static_cast<unsigned>(lane)) * x.stride;
        const int inside = n - lane;
        T sum[thread_lanes][sums_per_leaf] = {};
        const auto load = [&]<int Rows>(int row, T(&value)[Rows][thread_lanes][Parts], bool) {
            const S* row_at = at + int64_t{row * sum_lanes} * x.stride;
            RNG_UNROLL
            for (int r = 0; r < Rows; ++r) {
                RNG_UNROLL
                for (int q = 0; q < thread_lanes; ++q) {
                    const bool is_inside = (row + r) * sum_lanes + q * lanes < inside;
                    RNG_UNROLL
                    for (int p = 0; p < Parts; ++p)
                        value[r][q][p] =
                            is_inside ? widened<T>(row_at[int64_t{q * lanes} * x.stride + p]) : adder.no_term(p);
                }
                row_at += int64_t{sum_lanes} * x.stride;
            }
        };
        add_rows<rows_together<T, Parts, What> / (sizeof(S) == 2 ? 2 : 1)>(adder, load, sum);
        RNG_UNROLL
        for (int k = 0; k < sums_per_leaf; ++k) {
            const auto join = [k](T a, T b) { return Adder<T, Parts, What>::joined(k, a, b); };
            folded[k][lane][c] = join(join(sum[0][k], sum[2][k]), join(sum[1][k], sum[3][k]));
        }
    }
    __syncthreads();
    // A warp for each sum.
    if (w >= sums_per_leaf || own >= leaves.results) return;
    const auto join = [w](T a, T b) { return Adder<T, Parts, What>::joined(w, a, b); };
    const T total = fold_lanes<1, T>(
        0, [&](int lane) { return folded[w][lane][c]; }, join);
    sums[(leaf * leaves.results + own) * sums_per_leaf + static_cast<uint64_t>(w)] = join(total, T{0});
}

template <class T> RNG_KERNEL void MergeLeaves<T>::operator()() const {
    const uint64_t number = thread_index() / warp_size;
    if (number >= leaves.runs(size())) return;
    const Run run = leaves.run(number, size());
    if (!run.is_there()) return;
    const uint64_t nodes = divided_up(run.left(), rng_abi::sum_leaf * span);
    if (nodes <= 1) return;
    const uint64_t first = leaves.place_of(run.result);
    if (squares != nullptr && !needs_scale(squares + first * (each + 1), each)) return;
    const unsigned t = threadIdx.x % warp_size, own = t * merged;  // its first node
    const uint64_t step = span * leaves.step() * each;
    T* const to = sums + (first + run.begin / rng_abi::sum_leaf * leaves.step()) * each;
#pragma unroll 1
    for (uint32_t k = 0; k < each; ++k) {
        const auto join = [&](T a, T b) { return k == greatest ? greater_magnitude(a, b) : Scalar::add(a, b); };
        T total = node_over<T>(
            nodes > own ? nodes - own : 0, [&](int i) { return to[(own + static_cast<unsigned>(i)) * step + k]; },
            join);
        // Nodes that are missing add +0, which changes no sum, since none is -0.
        RNG_UNROLL
        for (unsigned delta = 1; delta < warp_size; delta *= 2) total = join(total, from_lane(total, delta));
        if (t == 0) to[k] = total;
    }
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
            value[0] = Scalar::div(both(value, Parts), divisor);
            written = 1;
            break;
        }
        case Reduction::norm2: {
            const T* const squares = sums + place * (Parts + 1);
            const T s = both(squares, Parts), most = squares[Parts];
            if (is_valid_sum_of_squares(s))
                value[0] = root(s);
            else if (is_scale(most))
                value[0] = Scalar::mul(root(both(scaled + place * Parts, Parts)), power_of_two<T>(exponent_of(most)));
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
