// The numbers of cuRAND's Philox4_32_10, of its device API and of its host API, as streams and distributions of rng.
//
//     const rng::Stream<> s = rng::curand::stream(42, 7, 0);                    // curand_init(42, 7, 0, &state)
//     const float u = rng::at(s, rng::curand::uniform{}, 5);                    // the sixth curand_uniform(&state)
//     std::vector<float> x(1000);
//     rng::curand::generate_uniform(std::span(x), 42);                          // curandGenerateUniform, seed 42
//
// Words and uniform numbers are cuRAND's to the bit. Its normal numbers are not offered: they use the device's sine and
// logarithm. In the default ordering of the host API, value i comes from a stream that depends on i.
// Source: curand_uniform.h and curand_philox4x32_x.h of CUDA 13.
// Oracle: curandCreateGeneratorHost, in tests/cuda/test_curand.cpp.
#pragma once

#include <span>

#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/interop/detail/fill_by_index.hpp>
#include <rng/lane/functions.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace curand {

/// Returns the words of a state after curand_init(seed, subsequence, offset, &state).
[[nodiscard]] inline Stream<> stream(Integer seed, Integer subsequence = 0, Integer offset = 0) {
    return Stream<>(seed, subsequence, offset);
}

/// The numbers of curand_uniform: a float of (0, 1] from each word.
struct uniform {
    using result_type = float;
    static constexpr const char* name = "curand::uniform";
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        template <class L> RNG_FN lane::f32<L> operator()(lane::u32<L> w) const {
            using F = lane::f32<L>;
            using U = lane::u32<L>;
            // The word as an unsigned number, rounded once: lanes convert signed ones.
            const F x =
                lane::fma(lane::signed_to_f32(lane::shr<16>(w)), F(65536.0f), lane::signed_to_f32(w & U(0xffff)));
            return lane::fma(x, F(0x1p-32f), F(0x1p-33f));
        }
    };
    RNG_FN Map map() const { return {}; }
};

/// The numbers of curand_uniform_double: a double of (0, 1] from each word, so with 32 random bits.
struct uniform_double {
    using result_type = double;
    static constexpr const char* name = "curand::uniform_double";
    static constexpr int slot_words = 1;
    static constexpr int operand_words = 1;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            return lane::fma(lane::small_to_f64(w), F(0x1p-32), F(0x1p-32));
        }
    };
    RNG_FN Map map() const { return {}; }
};

/// The numbers of curand_uniform2_double: a double of (0, 1] from two words, with 53 random bits.
struct uniform2_double {
    using result_type = double;
    static constexpr const char* name = "curand::uniform2_double";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            using U = lane::u64<L>;
            const U z = (w & U(0xffffffffu)) ^ lane::shl<21>(lane::shr<32>(w));
            return lane::fma(lane::small_to_f64(z), F(0x1p-53), F(0x1p-54));
        }
    };
    RNG_FN Map map() const { return {}; }
};

/// Returns value i in the default ordering of the host API, by a distribution of one or two words. The subsequences
/// give four values each in turn.
template <class D> [[nodiscard]] result_t<D> value_of_host_api(uint64_t seed, const D& dist, uint64_t i) {
    constexpr uint64_t subsequences = 65536;
    return at(Stream<>(seed, i / 4 % subsequences), dist, i / 4 / subsequences * 4 + i % 4);
}

/// Writes the numbers of curandGenerate, by a Philox generator with this seed and offset, on the host or a GPU, in the
/// default ordering.
inline void generate(std::span<uint32_t> out, uint64_t seed, uint64_t offset = 0) {
    detail::fill_by_index(out, [=](uint64_t i) { return value_of_host_api(seed, bits<uint32_t>{}, offset + i); });
}
/// Writes the numbers of curandGenerateUniform for floats, of curandGenerateUniformDouble for doubles.
inline void generate_uniform(std::span<float> out, uint64_t seed, uint64_t offset = 0) {
    detail::fill_by_index(out, [=](uint64_t i) { return value_of_host_api(seed, uniform{}, offset + i); });
}
inline void generate_uniform(std::span<double> out, uint64_t seed, uint64_t offset = 0) {
    detail::fill_by_index(out, [=](uint64_t i) { return value_of_host_api(seed, uniform2_double{}, offset + i); });
}

}  // namespace curand

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
