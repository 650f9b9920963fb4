// The kernels of one-sided Jacobi on CUDA. The operations are those of src/svd/jacobi.hpp, and so are the bits.
//
// Rotations are a chain: each round of pairs needs the rows of the round before. So one block of threads does all
// sweeps, with the rows in its shared memory and a barrier after each round. Eight threads take a pair of rows. Each
// has one of the eight chains of dot8, and the same columns in the rotation.
//
// A round is bound by the instructions that a multiprocessor issues, of which the six roots and quotients of a rotation
// are the most, and then by the 131 kB of q = 128 that a round moves in and out of shared memory. So an element costs
// no instruction but its load, its two operations and its store: its place is known before the round, and the number of
// steps when the kernel is compiled.
#pragma once

#include "../src/svd/jacobi_order.hpp"
#include "../src/svd/kernels/abi.hpp"
#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

using namespace gpu;

inline constexpr unsigned chains = 8;  // of dot8: the threads of a pair

/// The rotation of two rows.
template <int Parts> struct Rotation { double c, s; };
template <> struct Rotation<2> {
    double c, s;
    double turn[2];  // the second row is multiplied by it first
};

/// All sweeps: the rows of m (q x Parts * ld) are rotated in place, until a sweep rotates no pair. Parts = 2: complex.
/// InRegisters: the number of steps of 16 columns that keep their elements in registers from the product to the
/// rotation, at most ld / 16. If it is less than most_in_registers, all steps do.
template <int Parts, unsigned InRegisters> struct JacobiSweeps {
    static constexpr unsigned threads = 512, resident = 1, groups = threads / chains;
    double* m;
    double tolerance;
    double one;  // 1: a quotient of a constant would be another instruction, which the lint of the machine code rejects
    uint32_t q, ld;

    /// Returns the shared memory of the block: the rows, and their norms or a flag for each warp.
    [[nodiscard]] static constexpr size_t shared_bytes(size_t q, size_t ld) {
        constexpr size_t warps = threads / 32;
        return (q * ld * size_t{Parts} + (q < warps ? warps : q)) * sizeof(double);
    }
    RNG_KERNEL void operator()() const;
};
/// The most steps that spill no registers, and the fewest that a matrix for the GPU has.
template <int Parts> inline constexpr unsigned most_in_registers = Parts == 1 ? 8 : 3;
template <int Parts> inline constexpr unsigned least_in_registers = Parts == 1 ? 4 : 3;

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

/// Rotates an element of the first row and the same one of the second.
template <int Parts> RNG_KERNEL void rotate(const Rotation<Parts>& r, double (&x)[Parts], double (&y)[Parts]) {
    if constexpr (Parts == 2) {
        const double re = y[0], im = y[1];
        y[0] = Scalar::fnma(r.turn[1], im, Scalar::mul(r.turn[0], re));
        y[1] = Scalar::fma(r.turn[1], re, Scalar::mul(r.turn[0], im));
    }
    RNG_UNROLL
    for (int part = 0; part < Parts; ++part) {
        const double first = Scalar::fnma(r.s, y[part], Scalar::mul(r.c, x[part]));
        y[part] = Scalar::fma(r.s, x[part], Scalar::mul(r.c, y[part]));
        x[part] = first;
    }
}

/// Returns the place of element `place` of a row in shared memory, from the row's beginning. Odd rows have the halves
/// of each 16 exchanged. So neighbours in the round-robin, whose numbers differ by 1, never use the same bank.
RNG_KERNEL unsigned shared_place(unsigned row, unsigned place) { return place ^ (row & 1) * chains; }

/// The elements of a row in shared memory that belong to the thread's chain, two for each step of 16 columns.
struct ChainOfRow {
    double* half[2];

    RNG_KERNEL ChainOfRow(double* rows, unsigned row, unsigned width)
        : half{rows + row * width + shared_place(row, threadIdx.x % chains),
               rows + row * width + shared_place(row, threadIdx.x % chains + chains)} {}
};

/// The thread's part of two rows of ld columns.
template <int Parts, unsigned InRegisters> class RowPair {
  public:
    RNG_KERNEL RowPair(const ChainOfRow& a, const ChainOfRow& b, unsigned ld) : a_(a), b_(b), ld_(ld) {}

    /// Adds the thread's chains: re of the product of the rows, and the two whose difference is its imaginary part.
    RNG_KERNEL void multiply(double& re, double& plus, double& minus) {
        RNG_UNROLL
        for (unsigned j = 0; j < InRegisters; ++j) {
            x_[j] = load(a_, j);
            y_[j] = load(b_, j);
        }
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part) {
            const auto add = [&](const Elements& x, const Elements& y) {
                RNG_UNROLL
                for (int k = 0; k < 2; ++k) {  // ascending
                    re = Scalar::fma(x.v[k][part], y.v[k][part], re);
                    if constexpr (Parts == 2) {
                        if (part == 0) plus = Scalar::fma(x.v[k][1], y.v[k][0], plus);
                        if (part == 0) minus = Scalar::fma(x.v[k][0], y.v[k][1], minus);
                    }
                }
            };
            RNG_UNROLL
            for (unsigned j = 0; j < InRegisters; ++j) add(x_[j], y_[j]);
            each_other_step([&](unsigned j) { add(load(a_, j), load(b_, j)); });
        }
    }
    RNG_KERNEL void move(const Rotation<Parts>& r) {
        const auto move_step = [&](Elements& x, Elements& y, unsigned j) {
            RNG_UNROLL
            for (int k = 0; k < 2; ++k) rotate<Parts>(r, x.v[k], y.v[k]);
            store(a_, j, x);
            store(b_, j, y);
        };
        RNG_UNROLL
        for (unsigned j = 0; j < InRegisters; ++j) move_step(x_[j], y_[j], j);
        each_other_step([&](unsigned j) {
            Elements x = load(a_, j), y = load(b_, j);
            move_step(x, y, j);
        });
    }

  private:
    struct Elements {
        double v[2][Parts];
    };

    template <class F> RNG_KERNEL void each_other_step(const F& f) const {
        if constexpr (InRegisters == most_in_registers<Parts>) {
#pragma unroll 1
            for (unsigned j = InRegisters; j < ld_ / (2 * chains); ++j) f(j);
        }
    }
    [[nodiscard]] RNG_KERNEL Elements load(const ChainOfRow& row, unsigned j) const {
        Elements e;
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part)
            for (int k = 0; k < 2; ++k) e.v[k][part] = row.half[k][j * 2 * chains + static_cast<unsigned>(part) * ld_];
        return e;
    }
    RNG_KERNEL void store(const ChainOfRow& row, unsigned j, const Elements& e) const {
        RNG_UNROLL
        for (int part = 0; part < Parts; ++part)
            for (int k = 0; k < 2; ++k) row.half[k][j * 2 * chains + static_cast<unsigned>(part) * ld_] = e.v[k][part];
    }

    ChainOfRow a_, b_;
    unsigned ld_;
    Elements x_[InRegisters], y_[InRegisters];
};

template <int Parts, unsigned InRegisters> RNG_KERNEL void JacobiSweeps<Parts, InRegisters>::operator()() const {
    constexpr unsigned in_warp = 32, warps = threads / in_warp;
    const unsigned width = Parts * ld, group = threadIdx.x / chains;
    const unsigned warp = threadIdx.x / in_warp, lane = threadIdx.x % in_warp;
    const bool is_first = threadIdx.x % chains == 0;
    double *const rows = block_memory, *const norms = rows + q * width;
    const auto each_element = [&](const auto& f) {
#pragma unroll 1
        for (unsigned i = warp; i < q; i += warps)
            for (unsigned k = lane; k < width; k += in_warp) f(rows[i * width + shared_place(i, k)], m[i * width + k]);
    };
    each_element([](double& here, double& there) { here = there; });
    __syncthreads();

    const JacobiOrder order(q);
    bool again = true;
#pragma unroll 1
    for (uint32_t sweep = 0; sweep < most_sweeps && again; ++sweep) {
#pragma unroll 1
        for (unsigned i = group; i < whole_warps(q); i += groups) {
            const ChainOfRow row(rows, i < q ? i : 0, width);
            double sum = 0, plus = 0, minus = 0;
            RowPair<Parts, InRegisters>(row, row, ld).multiply(sum, plus, minus);
            sum = sum_of_chains(sum);
            if (is_first && i < q) norms[i] = sum;
        }
        __syncthreads();

        bool any = false;
#pragma unroll 1
        for (unsigned round = 0; round < order.rounds(); ++round) {
#pragma unroll 1
            for (unsigned k = group; k < whole_warps(order.pairs()); k += groups) {
                const bool is_pair = k < order.pairs();
                const rng_abi::RowPair rows_of_pair = is_pair ? order.pair(round, k) : rng_abi::RowPair{0, q};
                const bool is_there = rows_of_pair.b < q;
                const unsigned a = is_there ? rows_of_pair.a : 0, b = is_there ? rows_of_pair.b : 0;
                double na = 0, nb = 0, re = 0, plus = 0, minus = 0;
                RowPair<Parts, InRegisters> pair(ChainOfRow(rows, a, width), ChainOfRow(rows, b, width), ld);
                if (is_there) pair.multiply(re, plus, minus);
                re = sum_of_chains(re);
                double g = re, magnitude = re < 0 ? -re : re;
                double im = 0;
                if constexpr (Parts == 2) {
                    im = Scalar::sub(sum_of_chains(plus), sum_of_chains(minus));
                    magnitude = Scalar::sqrt(Scalar::fma(re, re, Scalar::mul(im, im)));
                    g = magnitude;
                }
                if (is_there) {  // after the products, which need the registers
                    na = norms[a];
                    nb = norms[b];
                }
                constexpr double least = rng_abi::least_length * rng_abi::least_length;
                const bool counts = na > least && nb > least;
                const double limit = Scalar::mul(Scalar::mul(tolerance, Scalar::sqrt(na)), Scalar::sqrt(nb));
                __syncwarp();  // all have read the norms
                Rotation<Parts> r{};
                const bool rotates = counts && magnitude > limit;
                if (rotates) {
                    any = true;
                    const double z = Scalar::div(Scalar::sub(nb, na), Scalar::mul(2.0, g)), az = z < 0 ? -z : z;
                    const double root = Scalar::sqrt(Scalar::fma(z, z, 1.0));
                    const double t = Scalar::div(z < 0 ? -one : one, Scalar::add(az, root));
                    r.c = Scalar::div(one, Scalar::sqrt(Scalar::fma(t, t, 1.0)));
                    r.s = Scalar::mul(r.c, t);
                    if constexpr (Parts == 2) {
                        r.turn[0] = Scalar::div(re, magnitude);
                        r.turn[1] = Scalar::div(im, magnitude);
                    }
                    const double new_a = Scalar::fma(-t, g, na), new_b = Scalar::fma(t, g, nb);
                    na = new_a > 0 ? new_a : 0;
                    nb = new_b > 0 ? new_b : 0;
                }
                if (rotates) pair.move(r);
                if (!is_first || !rotates) continue;
                norms[a] = na;
                norms[b] = nb;
            }
            __syncthreads();
        }
        // The norms are computed again in each sweep. Between two sweeps, their memory holds which warps rotated.
        const bool warp_rotated = __ballot_sync(~0u, any) != 0;
        if (lane == 0) norms[warp] = warp_rotated;
        __syncthreads();
        again = false;
        for (unsigned w = 0; w < warps; ++w) again |= norms[w] != 0;
        __syncthreads();
    }
    each_element([](double& here, double& there) { there = here; });
}

#endif

}  // namespace detail::svd
RNG_END_NAMESPACE
