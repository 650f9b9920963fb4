// Draws inside kernels: at() and Cursor beside cuRAND's device API with Philox. Each thread adds up its values and
// writes the sum. Below them are kernels of one instruction, which show how often a multiprocessor issues the
// instruction.
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

struct Fma {
    float x;
    __device__ void step(unsigned m) { asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(__uint_as_float(m))); }
};
struct Multiply {
    uint32_t x;
    __device__ void step(unsigned m) { asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(m)); }
};
struct WideMultiply {
    uint64_t x;
    __device__ void step(unsigned) {  // both halves are used: the compiler would make less of it otherwise
        asm volatile("mul.wide.u32 %0, %1, %2;"
                     : "=l"(x)
                     : "r"(static_cast<uint32_t>(x)), "r"(static_cast<uint32_t>(x >> 32)));
    }
};
struct Logic {
    uint32_t x;
    __device__ void step(unsigned m) { asm volatile("lop3.b32 %0, %0, %1, %0, 0x96;" : "+r"(x) : "r"(m)); }
};
struct RootSeed {
    float x;
    __device__ void step(unsigned) { asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x)); }
};

constexpr int loops = 256, chains = 8;

template <class Instruction> __global__ void rate_kernel(unsigned m, float* sums) {
    Instruction chain[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c) chain[c] = {static_cast<decltype(Instruction::x)>(threadIdx.x + c + 1)};
    for (int i = 0; i < loops; ++i) {
#pragma unroll
        for (int c = 0; c < 4 * chains; ++c) chain[c % chains].step(m);
    }
    float sum = 0;
#pragma unroll
    for (int c = 0; c < chains; ++c) sum += static_cast<float>(chain[c].x);
    sums[thread_index()] = sum;
}
template <class Instruction> void launch_rate(float* sums, cudaStream_t stream) {
    rate_kernel<Instruction><<<grid, block, 0, stream>>>(0x3f800001u, sums);
}
template <class Instruction> bench::DeviceRow rate_row(const char* what) {
    return {"rate", what, std::int64_t{loops} * 4 * chains * bench::device_row_sums, &launch_rate<Instruction>};
}

}  // namespace

std::vector<bench::DeviceRow> bench::device_rows() {
    std::vector<DeviceRow> rows;
    add_all_draws<rng::uniform<float>>(rows, "one uniform_f32", "64 uniform_f32", "64 uniform_f32 by fours");
    add_all_draws<rng::normal<float>>(rows, "one normal_f32", "64 normal_f32", "64 normal_f32 by fours");
    rows.push_back(rate_row<Fma>("fma"));
    rows.push_back(rate_row<Multiply>("multiply-add of 32 bits"));
    rows.push_back(rate_row<WideMultiply>("multiply of 32 to 64 bits"));
    rows.push_back(rate_row<Logic>("logic of 32 bits"));
    rows.push_back(rate_row<RootSeed>("approximate reciprocal root"));
    return rows;
}

const char* bench::curand_library() { return "libcurand.so.10"; }
