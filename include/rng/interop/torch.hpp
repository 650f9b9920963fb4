// The numbers of torch.func's stateless generator and of torch's CUDA generator, as streams and distributions of ours.
//
//     const rng::torch::Key key{42, 0};                               // torch.func._random.key(42)
//     std::vector<float> x(1000);
//     rng::fill(x, rng::torch::uniform<float>{}, key.stream());       // torch.func._random.uniform(key, 1000)
//     const rng::torch::Key child = key.fold_in(7);
//
// Uniform numbers, words, fold_in() and split() are torch's to the bit. Its numbers come from the low bits of a word,
// and the first of two words is the high one. Ours come from the high bits, and the first word is the low one.
// torch calls the module a prototype, so its numbers may change: docs/interop.md has the version that was compared.
// Source: ATen/core/PhiloxRNGEngine.h and torch/func/_random.py of PyTorch.
// Oracle: words of 32 bits are those of Stream{42}.
#pragma once

#include <vector>

#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/interop/curand.hpp>
#include <rng/lane/functions.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace torch {

/// A key of torch.func._random: two numbers of 64 bits, the seed and the first block.
struct Key {
    uint64_t seed = 0, offset = 0;

    /// The words of a draw.
    [[nodiscard]] RNG_FN Stream<> stream() const { return {{{low(seed), high(seed)}}, 0, 4 * offset}; }
    /// torch.func._random.fold_in(key, d).
    [[nodiscard]] RNG_FN Key fold_in(uint64_t d) const {
        const auto w = Stream<>{{{low(seed), high(seed)}}, 0, 0}.block(offset + d);
        return {w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
    }
    /// torch.func._random.split(key, n).
    [[nodiscard]] std::vector<Key> split(size_t n) const {
        std::vector<Key> keys;
        for (size_t i = 0; i < n; ++i) keys.push_back(fold_in(i));
        return keys;
    }
    friend bool operator==(const Key&, const Key&) = default;

  private:
    RNG_FN static uint32_t low(uint64_t x) { return static_cast<uint32_t>(x); }
    RNG_FN static uint32_t high(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
};

/// torch.func._random.uniform of float32 or float64, of [0, 1).
template <class T> struct uniform {
    static_assert(detail::is_same<T, float> || detail::is_same<T, double>, "torch::uniform is of float or double");
    using result_type = T;

    static constexpr const char* name = "torch::uniform";
    static constexpr int slot_words = sizeof(T) / 4;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        template <class L> RNG_FN lane::f32<L> operator()(lane::u32<L> w) const {
            using F = lane::f32<L>;
            return lane::fma(lane::signed_to_f32(w & lane::u32<L>(0xffffff)), F(0x1p-24f), F(0.0f));
        }
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            using U = lane::u64<L>;
            const U low_bits = lane::shl<32>(w & U(0x1fffff)) | lane::shr<32>(w);
            return lane::fma(lane::small_to_f64(low_bits), F(0x1p-53), F(0.0));
        }
    };
    RNG_FN Map map() const { return {}; }
};

/// The shape of a GPU, on which the numbers of torch's CUDA generator depend.
struct Gpu {
    uint32_t multiprocessors = 0, threads_per_multiprocessor = 2048;
};
/// Returns element i of torch.rand(n, device="cuda") in float32, from a generator with this seed and offset
/// (torch.cuda.get_rng_state). Requires i < n, and a GPU with a multiprocessor of 256 threads at least; neither is
/// checked. Source: ATen/native/cuda/DistributionTemplates.h; u of (0, 1] with 1 replaced by 0.
[[nodiscard]] RNG_FN float cuda_rand(uint64_t seed, uint64_t offset, const Gpu& gpu, uint64_t n, uint64_t i) {
    constexpr uint64_t block = 256, unroll = 4;
    const uint64_t most = uint64_t{gpu.multiprocessors} * (gpu.threads_per_multiprocessor / block),
                   needed = (n + block - 1) / block;
    const uint64_t threads = block * (most < needed ? most : needed);
    const uint64_t round = i / threads, thread = i % threads;
    const Stream<> stream{{{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}}, thread, 0};
    const auto w = stream.block(offset / 4 + round / unroll);
    const lane::u32<lane::Scalar> word(w[static_cast<int>(round % unroll)]);
    const float u = curand::uniform{}.map()(word).v;
    return u < 1.0f ? u : 0.0f;
}

}  // namespace torch

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
