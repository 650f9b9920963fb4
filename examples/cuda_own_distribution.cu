// A distribution of one's own, filled on the GPU and on the CPU with the same bits.
//
// The program compiles the kernel of the fill: <rng/device_launch.hpp> has it. rng::fill then takes device memory with
// this distribution as it takes host memory.
#include <rng/device_launch.hpp>
#include <rng/rng.hpp>

#include <cstdio>
#include <vector>

#include "cuda_check.hpp"

namespace {

/// The sum of two uniform numbers, in [0, 2 * half_width).
struct Triangular {
    using result_type = float;
    float half_width = 1;
    static constexpr int slot_words = 2, operand_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    struct Map {
        float half_width;
        template <class L> RNG_FN rng::lane::f32<L> operator()(rng::lane::u32<L> a, rng::lane::u32<L> b) const {
            using F = rng::lane::f32<L>;
            const F sum = rng::lane::add(rng::lane::signed_to_f32(rng::lane::shr<8>(a)),
                                         rng::lane::signed_to_f32(rng::lane::shr<8>(b)));
            return rng::lane::fma(F(half_width * 0x1p-24f), sum, F(0.0f));
        }
    };
    RNG_FN Map map() const { return {half_width}; }
};

constexpr std::size_t rows = 999, cols = 101, n = rows * cols;
constexpr Triangular dist{1.5f};

std::vector<float> on_gpu(rng::Generator& generator) {
    const DeviceArray<float> memory(n);
    rng::fill(rng::device_span{memory.data(), n}, dist, generator);
    std::vector<float> values(n);
    memory.copy_to(values.data());
    return values;
}
/// Columns one after the other, from a stream; this call needs no librng.
std::vector<float> by_columns(const rng::Stream<>& stream) {
    const DeviceArray<float> memory(n);
    rng::launch_fill(rng::device_matrix<float>::column_major(memory.data(), rows, cols), dist, stream);
    std::vector<float> values(n);
    memory.copy_to(values.data());
    return values;
}

}  // namespace

int main() {
    rng::Generator cpu(42);
    const rng::Stream<> stream = cpu.stream();
    const std::vector<float> expected = rng::sample(dist, n, cpu);
    std::printf("cpu: x[0] = %.9g\n", expected[0]);
    if (rng::devices().size() < 2) {
        std::printf("cuda:0: there is no GPU on this machine; the kernel was compiled, and not run\n");
        return 0;
    }
    rng::Generator gpu(rng::cuda(0), 42);
    const std::vector<float> columns = by_columns(stream);
    bool equal = on_gpu(gpu) == expected;
    for (std::size_t i = 0; i < n; ++i) equal = equal && columns[i % cols * rows + i / cols] == expected[i];
    std::printf("cuda:0: %s\n",
                equal ? "the same in every element" : "ELEMENTS DIFFER. This is a bug: please report it.");
    return equal ? 0 : 1;
}
