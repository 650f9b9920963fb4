// The numbers of torch.func's stateless generator and of torch's CUDA generator, as streams and distributions of rng.
//
//     const rng::torch::Key key{42, 0};                               // torch.func._random.key(42)
//     std::vector<float> x(1000);
//     rng::torch::fill(x, rng::torch::uniform<float>{}, key);         // torch.func._random.uniform(key, 1000)
//     const float last = rng::torch::at(key, rng::torch::uniform<float>{}, 999);
//     const rng::torch::Key child = key.fold_in(7);
//
// Uniform numbers, words, fold_in() and split() are torch's to the bit. torch takes the low bits of a word, and the
// first of two words is the high one. rng takes the high bits, and the first word is the low one.
// A key has 2^64 blocks of words, and a child may begin at any of them; a Stream has 2^56. So keys have a fill() and
// at() of their own. torch calls the module a prototype: its numbers may change (docs/interop.md has the version
// compared).
//
// Source: ATen/core/PhiloxRNGEngine.h and torch/func/_random.py of PyTorch.
// Oracle: words of 32 bits are those of Stream{42}.
#pragma once

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <vector>

#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/fill.hpp>
#include <rng/interop/curand.hpp>
#include <rng/interop/detail/fill_by_index.hpp>
#include <rng/lane/functions.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace torch {

/// A key of torch.func._random: two numbers of 64 bits, the seed and the first block.
struct Key {
    uint64_t seed = 0, offset = 0;

    /// Returns block b of a draw: four words.
    [[nodiscard]] RNG_FN Words<uint32_t, 4> block(uint64_t b) const { return words().block(offset + b); }
    /// Returns torch.func._random.fold_in(key, d).
    [[nodiscard]] RNG_FN Key fold_in(uint64_t d) const {
        const auto w = block(d);
        return {w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32};
    }
    /// Returns torch.func._random.split(key, n).
    [[nodiscard]] std::vector<Key> split(size_t n) const {
        std::vector<Key> keys;
        for (size_t i = 0; i < n; ++i) keys.push_back(fold_in(i));
        return keys;
    }
    /// Returns the words of the seed from block 0 on. Its blocks are those of all domains, one after the other.
    [[nodiscard]] RNG_FN Stream<> words() const {
        return {{{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32)}}, 0, 0};
    }
    friend bool operator==(const Key&, const Key&) = default;
};

/// Returns value i of a draw from the key, by a distribution of one or two words: bits or uniform. Requires i below
/// 2^62.
template <distribution D> [[nodiscard]] RNG_FN result_t<D> at(const Key& key, const D& dist, uint64_t i) {
    static_assert(D::map_shape == Shape::value, "torch::at takes distributions whose values have a slot each");
    struct Blocks {
        Key key;
        RNG_FN Words<uint32_t, 4> block(uint64_t b, unsigned) const { return key.block(b); }
    };
    const uint64_t w = i * D::slot_words;
    return detail::value_in_group<D, lane::Scalar>(detail::Group<D, Philox4x32_10>(Blocks{key}, w / 4), key.words(),
                                                   dist.map(), w);
}
/// Fills a contiguous range with values first, first + 1, ... of a draw from the key, as at() gives them. Pure.
/// Throws Error if the data is null.
template <std::ranges::contiguous_range R, distribution D>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, const Key& key, uint64_t first = 0) {
    static_assert(D::map_shape == Shape::value, "torch::fill takes distributions whose values have a slot each");
    detail::check_element_type<R, D>();
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out));
    constexpr uint64_t slot = D::slot_words, blocks = detail::blocks_per_stream;
    for (size_t done = 0; done < n;) {
        const uint64_t word = (first + done) * slot, block = key.offset + word / 4;
        Stream<> stream = key.words();
        stream.position = block % blocks * 4 + word % 4;
        const size_t now = std::min<uint64_t>(n - done, (Stream<>::size_words - stream.position) / slot);
        auto request = detail::unchecked_request(detail::canonical(dist), detail::record(stream));
        request.domain = static_cast<unsigned>(block / blocks);
        detail::fill_values(request, data + done, now);
        done += now;
    }
}

/// The numbers of torch.func._random.uniform in [0, 1), of float32 or float64.
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
    const lane::u32<lane::Scalar> word(Philox4x32_10::word_of(w, static_cast<int>(round % unroll)));
    const float u = curand::uniform{}.map()(word).v;
    return u < 1.0f ? u : 0.0f;
}
/// Writes elements first, first + 1, ... of torch.rand(n, device="cuda"). Throws Error (invalid_argument) unless they
/// end by element n, and the GPU has a multiprocessor of 256 threads at least.
inline void fill_cuda_rand(std::span<float> out, uint64_t seed, uint64_t offset, const Gpu& gpu, uint64_t n,
                           uint64_t first = 0) {
    if (gpu.multiprocessors == 0 || gpu.threads_per_multiprocessor < 256)
        detail::refuse("torch::fill_cuda_rand", "the GPU must have a multiprocessor of 256 threads at least, got " +
                                                    std::to_string(gpu.multiprocessors) + " of " +
                                                    std::to_string(gpu.threads_per_multiprocessor) + " threads");
    if (first > n || out.size() > n - first)
        detail::refuse("torch::fill_cuda_rand", "the elements must end by n = " + std::to_string(n) + ", got " +
                                                    std::to_string(out.size()) + " from " + std::to_string(first) +
                                                    " on");
    detail::fill_by_index(out, [&](uint64_t i) { return cuda_rand(seed, offset, gpu, n, first + i); });
}

}  // namespace torch

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
