// The kernels of one-sided Jacobi on CUDA. The operations are those of src/svd/kernels/jacobi.hpp, and so are the
// bits.
//
// Sweeps are a chain: each round of pairs needs the rows of the round before. So one block of threads does a sweep,
// with the rows of m in its shared memory and a barrier after each round. Eight threads take a pair of rows. Each has
// one of the eight chains of dot8, and the same columns in the rotation. v takes no part in the choice of rotations,
// and its columns need no order among them. So a sweep only lists its rotations, and a second kernel applies the list
// to v: a block of threads for each eight columns.
//
// On an H200, svd_lowrank of 2000 x 500 with q = 128 took 10.2 ms. It took 17.3 ms when the host made the
// rotations. By estimate a round moves 131 kB twice in 1.2 us, and a chain of six roots and quotients takes 0.5 us.
// What was measured is several times as much for a round; no profile has said why.
#pragma once

#include "../src/svd/kernels/abi.hpp"
#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

using namespace gpu;

inline constexpr unsigned chains = 8;  // of dot8: the threads of a pair
inline constexpr unsigned pairs_at_once = 64;

/// What happens to rows a and b of m and v: nothing, a rotation, an exchange, or both.
struct alignas(16) Rotation {
    double c, s;
    double re, im;  // by which row b of a complex matrix is multiplied before the rotation
    uint32_t a, b;
    uint32_t rotates, exchanges;
};

/// The round-robin of q rows. Each pair has one round of a sweep.
struct RoundRobin {
    uint32_t rows;

    RNG_FN explicit constexpr RoundRobin(uint32_t q) : rows(q + (q & 1)) {}  // an odd one has a row that is not there
    [[nodiscard]] RNG_FN constexpr uint32_t rounds() const { return rows - 1; }
    [[nodiscard]] RNG_FN constexpr uint32_t pairs() const { return rows / 2; }
    /// Returns the row at a place: all but the first move on by one place each round.
    [[nodiscard]] RNG_FN constexpr uint32_t row_at(uint32_t round, uint32_t place) const {
        if (place == 0) return 0;
        return place > round ? place - round : place - round + rows - 1;
    }
};

/// A sweep: the rows of m (q x Parts * ld) are rotated in place. Parts = 2: complex.
/// list has room for the rotations of all rounds. rotated[k] becomes 1 if group k of threads rotated a pair.
template <int Parts> struct JacobiSweep {
    static constexpr unsigned threads = chains * pairs_at_once, resident = 1;
    double* m;
    Rotation* list;
    uint32_t* rotated;
    double tolerance;
    double one;  // 1: a quotient of a constant would be another instruction, which the lint of the machine code refuses
    uint32_t q, ld;

    /// Returns the shared memory of the block.
    [[nodiscard]] static constexpr size_t shared_bytes(size_t q, size_t ld) {
        return (q * ld * size_t{Parts} + q) * sizeof(double);
    }
    RNG_KERNEL void operator()() const;
};

/// Applies a list of rotations to v (q x Parts * ld), which is I before if begins is true.
/// Block b has the columns [8 b, 8 b + 8) of each part.
template <int Parts> struct RotateColumns {
    static constexpr unsigned columns = 8, threads = columns * pairs_at_once, resident = 1;
    double* v;
    const Rotation* list;
    uint32_t q, ld, begins;

    [[nodiscard]] static constexpr size_t shared_bytes(size_t q) {
        return q * columns * size_t{Parts} * sizeof(double);
    }
    RNG_KERNEL void operator()() const;
};

#if defined(__CUDACC__)

extern __shared__ __align__(16) double block_memory[];

/// Rounds a number of groups of threads up to whole warps, whose lanes meet at shuffles.
RNG_KERNEL unsigned whole_warps(unsigned groups) {
    constexpr unsigned in_warp = 32 / chains;
    return (groups + in_warp - 1) / in_warp * in_warp;
}

/// Returns the sum of dot8 from its eight chains, to all of their threads: ((0+4)+(2+6))+((1+5)+(3+7)).
RNG_KERNEL double sum_of_chains(double chain) {
    RNG_UNROLL
    for (unsigned distance = chains / 2; distance > 0; distance /= 2)
        chain = Scalar::add(chain, __shfl_xor_sync(~0u, chain, distance));
    return chain;
}

/// Rotates an element of row a and the same one of row b.
template <int Parts> RNG_KERNEL void apply(const Rotation& r, double (&x)[Parts], double (&y)[Parts]) {
    if (r.rotates) {
        if constexpr (Parts == 2) {
            const double re = y[0], im = y[1];
            y[0] = Scalar::fnma(r.im, im, Scalar::mul(r.re, re));
            y[1] = Scalar::fma(r.im, re, Scalar::mul(r.re, im));
        }
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            const double first = Scalar::fnma(r.s, y[part], Scalar::mul(r.c, x[part]));
            y[part] = Scalar::fma(r.s, x[part], Scalar::mul(r.c, y[part]));
            x[part] = first;
        }
    }
    if (r.exchanges) {
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            const double other = x[part];
            x[part] = y[part];
            y[part] = other;
        }
    }
}

/// A thread's elements of a row among 16 neighbours: those of its chain, in each part.
/// Odd groups load the later one first. So two groups, whose rows begin at the same bank, never meet at a bank.
template <int Parts> struct Elements { double v[2][Parts]; };
template <int Parts> class RowPair {
  public:
    /// How many steps of 16 columns keep their elements in registers from the product to the rotation: as many as spill
    /// none. Others are read again.
    static constexpr unsigned kept = Parts == 1 ? 8 : 3;

    RNG_KERNEL RowPair(double* a, double* b, unsigned ld)
        : is_odd_(threadIdx.x / chains & 1), ld_(ld), steps_(ld / (2 * chains)) {
        rows_[0] = a + threadIdx.x % chains + (is_odd_ ? chains : 0);
        rows_[1] = b + threadIdx.x % chains + (is_odd_ ? chains : 0);
    }
    /// Adds the thread's chains: re of the product of the rows, and the two whose difference is its imaginary part.
    RNG_KERNEL void multiply(double& re, double& plus, double& minus) {
        RNG_UNROLL
        for (unsigned j = 0; j < kept; ++j)
            if (j < steps_) {
                x_[j] = load(rows_[0], j);
                y_[j] = load(rows_[1], j);
            }
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            const auto add = [&](const Elements<Parts>& x, const Elements<Parts>& y) {
                RNG_UNROLL
                for (int k = 0; k < 2; ++k) {  // ascending
                    const auto at = [&](const Elements<Parts>& e, int p) {
                        return is_odd_ ? e.v[1 - k][p] : e.v[k][p];
                    };
                    re = Scalar::fma(at(x, part), at(y, part), re);
                    if constexpr (Parts == 2) {
                        if (part == 0) plus = Scalar::fma(at(x, 1), at(y, 0), plus);
                        if (part == 0) minus = Scalar::fma(at(x, 0), at(y, 1), minus);
                    }
                }
            };
            RNG_UNROLL
            for (unsigned j = 0; j < kept; ++j)
                if (j < steps_) add(x_[j], y_[j]);
#pragma unroll 1
            for (unsigned j = kept; j < steps_; ++j) add(load(rows_[0], j), load(rows_[1], j));
        }
    }
    RNG_KERNEL void move(const Rotation& r) {
        const auto rotate = [&](Elements<Parts>& x, Elements<Parts>& y, unsigned j) {
            RNG_UNROLL
            for (int k = 0; k < 2; ++k) apply<Parts>(r, x.v[k], y.v[k]);
            store(rows_[0], j, x);
            store(rows_[1], j, y);
        };
        RNG_UNROLL
        for (unsigned j = 0; j < kept; ++j)
            if (j < steps_) rotate(x_[j], y_[j], j);
#pragma unroll 1
        for (unsigned j = kept; j < steps_; ++j) {
            Elements<Parts> x = load(rows_[0], j), y = load(rows_[1], j);
            rotate(x, y, j);
        }
    }

  private:
    [[nodiscard]] RNG_KERNEL int distance() const { return is_odd_ ? -static_cast<int>(chains) : int{chains}; }
    [[nodiscard]] RNG_KERNEL Elements<Parts> load(const double* row, unsigned j) const {
        Elements<Parts> e;
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            const double* const from = row + j * 2 * chains + static_cast<unsigned>(part) * ld_;
            e.v[0][part] = from[0];
            e.v[1][part] = from[distance()];
        }
        return e;
    }
    RNG_KERNEL void store(double* row, unsigned j, const Elements<Parts>& e) const {
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            double* const to = row + j * 2 * chains + static_cast<unsigned>(part) * ld_;
            to[0] = e.v[0][part];
            to[distance()] = e.v[1][part];
        }
    }

    bool is_odd_;
    unsigned ld_, steps_;
    double* rows_[2];
    Elements<Parts> x_[kept], y_[kept];
};

template <int Parts> RNG_KERNEL void JacobiSweep<Parts>::operator()() const {
    const unsigned width = Parts * ld, group = threadIdx.x / chains;
    const bool is_first = threadIdx.x % chains == 0;
    double *const rows = block_memory, *const norms = rows + q * width;
#pragma unroll 1
    for (unsigned e = threadIdx.x; e < q * width; e += threads) rows[e] = m[e];
    __syncthreads();
#pragma unroll 1
    for (unsigned i = group; i < whole_warps(q); i += pairs_at_once) {
        double* const row = rows + (i < q ? i : 0) * width;
        double sum = 0, plus = 0, minus = 0;
        RowPair<Parts>(row, row, ld).multiply(sum, plus, minus);
        sum = sum_of_chains(sum);
        if (is_first && i < q) norms[i] = sum;
    }
    __syncthreads();

    const RoundRobin order(q);
    bool any = false;
#pragma unroll 1
    for (unsigned round = 0; round < order.rounds(); ++round) {
#pragma unroll 1
        for (unsigned k = group; k < whole_warps(order.pairs()); k += pairs_at_once) {
            Rotation r{};
            const bool is_pair = k < order.pairs();
            const unsigned one_row = is_pair ? order.row_at(round, k) : 0;
            const unsigned other = is_pair ? order.row_at(round, order.rows - 1 - k) : q;
            r.a = one_row < other ? one_row : other;
            r.b = one_row < other ? other : one_row;
            const bool is_there = r.b < q;
            double na = is_there ? norms[r.a] : 0.0, nb = is_there ? norms[r.b] : 0.0;
            constexpr double least = rng_abi::least_length * rng_abi::least_length;
            const bool counts = na > least && nb > least;
            // A pair that is not there has no elements: all rows belong to other groups.
            RowPair<Parts> pair(rows + r.a * width, rows + (is_there ? r.b : r.a) * width, is_there ? ld : 0);
            double re = 0, plus = 0, minus = 0;
            pair.multiply(re, plus, minus);
            re = sum_of_chains(re);
            double g = re, magnitude = re < 0 ? -re : re;
            double im = 0;
            if constexpr (Parts == 2) {
                im = Scalar::sub(sum_of_chains(plus), sum_of_chains(minus));
                magnitude = Scalar::sqrt(Scalar::fma(re, re, Scalar::mul(im, im)));
                g = magnitude;
            }
            __syncwarp();  // all have read the norms
            r.rotates = counts && magnitude > Scalar::mul(Scalar::mul(tolerance, Scalar::sqrt(na)), Scalar::sqrt(nb));
            if (r.rotates) {
                any = true;
                const double z = Scalar::div(Scalar::sub(nb, na), Scalar::mul(2.0, g)), az = z < 0 ? -z : z;
                const double t = Scalar::div(z < 0 ? -one : one, Scalar::add(az, Scalar::sqrt(Scalar::fma(z, z, 1.0))));
                r.c = Scalar::div(one, Scalar::sqrt(Scalar::fma(t, t, 1.0)));
                r.s = Scalar::mul(r.c, t);
                if constexpr (Parts == 2) {
                    r.re = Scalar::div(re, magnitude);
                    r.im = Scalar::div(im, magnitude);
                }
                const double new_a = Scalar::fma(-t, g, na), new_b = Scalar::fma(t, g, nb);
                na = new_a > 0 ? new_a : 0;
                nb = new_b > 0 ? new_b : 0;
            }
            r.exchanges = na < nb;
            if (r.rotates | r.exchanges) pair.move(r);
            if (!is_first || !is_pair) continue;
            list[round * order.pairs() + k] = r;
            if (!is_there) continue;
            norms[r.a] = r.exchanges ? nb : na;
            norms[r.b] = r.exchanges ? na : nb;
        }
        __syncthreads();
    }
    if (is_first) rotated[group] = any;
#pragma unroll 1
    for (unsigned e = threadIdx.x; e < q * width; e += threads) m[e] = rows[e];
}

template <int Parts> RNG_KERNEL void RotateColumns<Parts>::operator()() const {
    const unsigned column = threadIdx.x % columns, group = threadIdx.x / columns;
    const unsigned place = blockIdx.x * columns + column;  // in each part of v
    const auto in_block = [&](unsigned row, int part) {
        return (row * Parts + static_cast<unsigned>(part)) * columns + column;
    };
    const auto in_v = [&](unsigned row, int part) { return (row * Parts + static_cast<unsigned>(part)) * ld + place; };
#pragma unroll 1
    for (unsigned i = group; i < q; i += pairs_at_once)
        for (int part = 0; part < Parts; ++part)
            block_memory[in_block(i, part)] = begins ? (part == 0 && place == i ? 1.0 : 0.0) : v[in_v(i, part)];
    const RoundRobin order(q);
#pragma unroll 1
    for (unsigned round = 0; round < order.rounds(); ++round) {
        __syncthreads();
#pragma unroll 1
        for (unsigned k = group; k < order.pairs(); k += pairs_at_once) {
            const Rotation r = list[round * order.pairs() + k];
            if (!(r.rotates | r.exchanges)) continue;
            double x[Parts], y[Parts];
            RNG_UNROLL
            for (int part = 0; part < Parts; ++part) {
                x[part] = block_memory[in_block(r.a, part)];
                y[part] = block_memory[in_block(r.b, part)];
            }
            apply<Parts>(r, x, y);
            RNG_UNROLL
            for (int part = 0; part < Parts; ++part) {
                block_memory[in_block(r.a, part)] = x[part];
                block_memory[in_block(r.b, part)] = y[part];
            }
        }
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned i = group; i < q; i += pairs_at_once)
        for (int part = 0; part < Parts; ++part) v[in_v(i, part)] = block_memory[in_block(i, part)];
}

#endif

}  // namespace detail::svd
RNG_END_NAMESPACE
