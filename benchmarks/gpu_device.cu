// Draws inside kernels: at() and Cursor beside cuRAND's device API with Philox. Each thread adds up its values and
// writes the sum. Below them are kernels of one instruction or of a few, which show how often a multiprocessor issues
// them.
#include <curand_kernel.h>
#include <rng/at.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/distributions/uniform.hpp>

#include "gpu_device.hpp"

namespace {

constexpr unsigned block = 256, grid = bench::device_row_sums / block;
constexpr int many = 64;

__device__ uint64_t thread_index() { return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

struct At {
    template <class D> static __device__ float sum(const D& dist, int n) {
        const rng::Stream<> stream{42};
        float x = 0;
        for (int i = 0; i < n; ++i) x += rng::at(stream, dist, thread_index() * static_cast<uint64_t>(n) + i);
        return x;
    }
};
struct InCursor {
    template <class D> static __device__ float sum(const D& dist, int n) {
        rng::Cursor c(rng::Stream<>{42}.fork(thread_index()), dist);
        float x = 0;
        for (int i = 0; i < n; ++i) x += c.next();
        return x;
    }
};
struct AtBlock {
    template <class D> static __device__ float sum(const D& dist, int n) {
        constexpr int each = rng::values_per_block<D>;
        const rng::Stream<> stream{42};
        float x = 0;
        for (int i = 0; i < n / each; ++i) {
            const auto values = rng::at_block(stream, dist, thread_index() * static_cast<uint64_t>(n / each) + i);
#pragma unroll
            for (int k = 0; k < each; ++k) x += values[k];
        }
        return x;
    }
};
struct Curand {
    static __device__ float draw(curandStatePhilox4_32_10_t& state, rng::uniform<float>) {
        return curand_uniform(&state);
    }
    static __device__ float draw(curandStatePhilox4_32_10_t& state, rng::normal<float>) {
        return curand_normal(&state);
    }
    template <class D> static __device__ float sum(const D& dist, int n) {
        curandStatePhilox4_32_10_t state;
        curand_init(42, thread_index(), 0, &state);
        float x = 0;
        for (int i = 0; i < n; ++i) x += draw(state, dist);
        return x;
    }
};

struct Curand4 {
    static __device__ float4 draw(curandStatePhilox4_32_10_t& state, rng::uniform<float>) {
        return curand_uniform4(&state);
    }
    static __device__ float4 draw(curandStatePhilox4_32_10_t& state, rng::normal<float>) {
        return curand_normal4(&state);
    }
    template <class D> static __device__ float sum(const D& dist, int n) {
        curandStatePhilox4_32_10_t state;
        curand_init(42, thread_index(), 0, &state);
        float x = 0;
        for (int i = 0; i < n / 4; ++i) {
            const float4 v = draw(state, dist);
            x += v.x, x += v.y, x += v.z, x += v.w;
        }
        return x;
    }
};

template <class Way, class D> __global__ void draw_kernel(D dist, int n, float* sums) {
    sums[thread_index()] = Way::sum(dist, n);
}
template <class Way, class D, int n> void launch_draws(float* sums, cudaStream_t stream) {
    draw_kernel<Way><<<grid, block, 0, stream>>>(D{}, n, sums);
}
template <class Way, class D, int n>
void add_draws(std::vector<bench::DeviceRow>& rows, const char* who, const char* what) {
    rows.push_back({who, what, bench::device_row_sums * n, &launch_draws<Way, D, n>});
}
/// One value of a thread, values one after the other, and four at a time.
template <class D>
void add_all_draws(std::vector<bench::DeviceRow>& rows, const char* one, const char* all, const char* fours) {
    add_draws<At, D, 1>(rows, "rng-at", one);
    add_draws<Curand, D, 1>(rows, "curand", one);
    add_draws<At, D, many>(rows, "rng-at", all);
    add_draws<InCursor, D, many>(rows, "rng-cursor", all);
    add_draws<Curand, D, many>(rows, "curand", all);
    add_draws<AtBlock, D, many>(rows, "rng-at_block", fours);
    add_draws<Curand4, D, many>(rows, "curand", fours);
}

constexpr int chains = 8, repeats = 8, loops = 64;

/// What the instructions of a group work on: eight independent values of each type hide their latency.
struct Registers {
    float f32[chains];
    uint32_t u32[chains];
    uint64_t u64[chains];
    double f64[chains];
};
// Each is one instruction of the machine, named as cuobjdump prints it. `c` is the value that it changes, `m` some
// operand.
struct Ffma {
    static constexpr const char* name = "FFMA";
    static __device__ void step(Registers& r, int c, unsigned m) {
        asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(r.f32[c]) : "f"(__uint_as_float(m)));
    }
};
struct Fadd {
    static constexpr const char* name = "FADD";
    static __device__ void step(Registers& r, int c, unsigned m) {
        asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(r.f32[c]) : "f"(__uint_as_float(m)));
    }
};
struct Lop3 {
    static constexpr const char* name = "LOP3";
    static __device__ void step(Registers& r, int c, unsigned m) {
        asm volatile("lop3.b32 %0, %0, %1, %0, 0x96;" : "+r"(r.u32[c]) : "r"(m));
    }
};
struct Imad {
    static constexpr const char* name = "IMAD";
    static __device__ void step(Registers& r, int c, unsigned m) {
        asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(r.u32[c]) : "r"(m));
    }
};
struct ImadWide {  // both halves are used: the compiler would make less of it otherwise. Of an addend it makes
                   // additions
    static constexpr const char* name = "IMAD.WIDE";
    static __device__ void step(Registers& r, int c, unsigned) {
        asm volatile("mul.wide.u32 %0, %1, %2;"
                     : "=l"(r.u64[c])
                     : "r"(static_cast<uint32_t>(r.u64[c])), "r"(static_cast<uint32_t>(r.u64[c] >> 32)));
    }
};
struct Dfma {
    static constexpr const char* name = "DFMA";
    static __device__ void step(Registers& r, int c, unsigned m) {
        asm volatile("fma.rn.f64 %0, %0, %1, %1;" : "+d"(r.f64[c]) : "d"(__hiloint2double(static_cast<int>(m), 0)));
    }
};
struct I2fAndFadd {  // without the addition the conversion would be left out
    static constexpr const char* name = "I2F.U16 + FADD";
    static __device__ void step(Registers& r, int c, unsigned) {
        asm volatile("{.reg .u16 l, h; .reg .f32 x; mov.b32 {l, h}, %1; cvt.rn.f32.u16 x, l; add.rn.f32 %0, %0, x;}"
                     : "+f"(r.f32[c])
                     : "r"(r.u32[c]));
    }
};
struct MufuRsq {
    static constexpr const char* name = "MUFU.RSQ";
    static __device__ void step(Registers& r, int c, unsigned) {
        asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(r.f32[c]));
    }
};

template <class... Group> __global__ void rate_kernel(unsigned m, float* sums) {
    Registers r;
#pragma unroll
    for (int c = 0; c < chains; ++c) {
        const unsigned first = threadIdx.x + static_cast<unsigned>(c) + 1;
        r.f32[c] = static_cast<float>(first), r.u32[c] = first, r.u64[c] = first, r.f64[c] = first;
    }
#pragma unroll 1
    for (int i = 0; i < loops; ++i) {
#pragma unroll
        for (int k = 0; k < repeats * chains; ++k) {
            int c = k;  // the same instruction twice in a group works on two values
            ((Group::step(r, c % chains, m), c += 2), ...);
        }
    }
    float sum = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c)
        sum += r.f32[c] + static_cast<float>(r.u32[c]) + static_cast<float>(r.u64[c]) + static_cast<float>(r.f64[c]);
    sums[thread_index()] = sum;
}
template <class... Group> void launch_rate(float* sums, cudaStream_t stream) {
    rate_kernel<Group...><<<grid, block, 0, stream>>>(0x3f800001u, sums);
}
template <class... Group> void add_rate(std::vector<bench::DeviceRow>& rows) {
    std::string what;
    ((what += (what.empty() ? "" : " + ") + std::string(Group::name)), ...);
    rows.push_back(
        {"rate", what, std::int64_t{loops} * repeats * chains * bench::device_row_sums, &launch_rate<Group...>});
}
/// What instructions cost alone, and in groups: those of two pipes overlap, and those that share what feeds them do
/// not.
void add_rates(std::vector<bench::DeviceRow>& rows) {
    add_rate<Ffma>(rows);
    add_rate<Fadd>(rows);
    add_rate<Lop3>(rows);
    add_rate<Imad>(rows);
    add_rate<ImadWide>(rows);
    add_rate<Dfma>(rows);
    add_rate<MufuRsq>(rows);
    add_rate<Lop3, Ffma>(rows);
    add_rate<Lop3, Ffma, Ffma>(rows);
    add_rate<Lop3, Ffma, Ffma, Ffma, Ffma>(rows);
    add_rate<Lop3, Imad>(rows);
    add_rate<Lop3, Imad, Dfma>(rows);
    add_rate<Imad, Ffma>(rows);
    add_rate<Imad, Ffma, Fadd>(rows);
    add_rate<Dfma, Lop3>(rows);
    add_rate<Dfma, Imad>(rows);
    add_rate<Dfma, Ffma>(rows);
    add_rate<ImadWide, Lop3>(rows);
    add_rate<ImadWide, Ffma>(rows);
    add_rate<ImadWide, Ffma, Ffma, Ffma, Ffma>(rows);
    add_rate<Lop3, Lop3, ImadWide, Ffma, Ffma, Ffma, Ffma>(rows);
    add_rate<I2fAndFadd, Lop3>(rows);
}

}  // namespace

std::vector<bench::DeviceRow> bench::device_rows() {
    std::vector<DeviceRow> rows;
    add_all_draws<rng::uniform<float>>(rows, "one uniform_f32", "64 uniform_f32", "64 uniform_f32 by fours");
    add_all_draws<rng::normal<float>>(rows, "one normal_f32", "64 normal_f32", "64 normal_f32 by fours");
    add_rates(rows);
    return rows;
}

const char* bench::curand_library() { return "libcurand.so.10"; }
