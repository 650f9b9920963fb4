// Bernoulli masks, and their products, in one pass over memory (rng/detail/each.hpp).
#include <rng/detail/each.hpp>
#include <rng/distributions/bernoulli.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/float16.hpp>

#include <algorithm>

#include "../cpu/parallel_for.hpp"
#include "../prepared_fill.hpp"
#include "numbers.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The values of a part of a mask. Their words, and what they keep, stay in the L1 cache.
constexpr size_t mask_chunk = 2048;

// Conversions without branches, of which compilers make vectors. float16.hpp has those of single numbers.

RNG_FN float operand_of(float x) { return x; }
RNG_FN double operand_of(double x) { return x; }
RNG_FN float operand_of(bfloat16 x) { return x; }
RNG_FN float operand_of(float16 x) {
    const uint32_t magnitude = x.bits & 0x7fffu, sign = (x.bits & 0x8000u) << 16;
    // The exponent's bias is 112 more; a subnormal number becomes a normal one.
    const float finite = lane::Scalar::mul(lane::Scalar::from_bits(magnitude << 13), 0x1p112f);
    const uint32_t not_finite = magnitude << 13 | 0x7f800000u;
    return lane::Scalar::from_bits(sign | (magnitude < 0x7c00u ? lane::Scalar::bits(finite) : not_finite));
}

template <class T, class F> RNG_FN T product_as(F x) { return x; }
template <> RNG_FN bfloat16 product_as(float x) {
    const uint32_t bits = lane::Scalar::bits(x), rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
    return bfloat16::from_bits((bits & 0x7fffffffu) > 0x7f800000u ? bits >> 16 | 0x40u : rounded);
}
template <> RNG_FN float16 product_as(float x) {
    const uint32_t bits = lane::Scalar::bits(x), magnitude = bits & 0x7fffffffu, sign = bits >> 16 & 0x8000u;
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    // Below 2^-14 the sum has the rounded number in its last bits.
    const uint32_t small =
        lane::Scalar::bits(lane::Scalar::add(lane::Scalar::from_bits(magnitude), 0.5f)) - lane::Scalar::bits(0.5f);
    const uint32_t finite = magnitude < 113u << 23 ? small : normal;
    const uint32_t number = magnitude < 143u << 23 ? finite : 0x7c00u;
    return float16::from_bits(sign | (magnitude > 0x7f800000u ? 0x7e00u : number));
}

template <class T>
__attribute__((always_inline)) inline void multiply_all(const void* x, const uint8_t* kept, void* out, size_t n,
                                                        double scale) {
    const auto* const from = static_cast<const T*>(x);
    auto* const to = static_cast<T*>(out);
    using F = decltype(operand_of(T{}));
    const auto factor = static_cast<F>(scale);
    for (size_t i = 0; i < n; ++i) to[i] = product_as<T>(operand_of(from[i]) * static_cast<F>(kept[i]) * factor);
}

// The loops are short, and compilers make vectors of them. So they are compiled for AVX2 here, and not in src/cpu.
#if defined(RNG_HAVE_X86_ISAS)
template <class T>
__attribute__((target("avx2"))) void multiply_by_avx2(const void* x, const uint8_t* kept, void* out, size_t n,
                                                      double scale) {
    multiply_all<T>(x, kept, out, n, scale);
}
#endif
template <class T> void multiply(const void* x, const uint8_t* kept, void* out, size_t n, double scale) {
#if defined(RNG_HAVE_X86_ISAS)
    if (current_isa() != Isa::scalar) return multiply_by_avx2<T>(x, kept, out, n, scale);
#endif
    multiply_all<T>(x, kept, out, n, scale);
}

template <class P>
__attribute__((always_inline)) inline void keep_all(const uint32_t* words, const P* p, uint8_t* kept, size_t n) {
    for (size_t i = 0; i < n; ++i) kept[i] = words[i] < least_lost_word(static_cast<double>(p[i]));
}
#if defined(RNG_HAVE_X86_ISAS)
template <class P>
__attribute__((target("avx2"))) void keep_by_avx2(const uint32_t* words, const P* p, uint8_t* kept, size_t n) {
    keep_all(words, p, kept, n);
}
#endif
template <class P> void keep_each(const uint32_t* words, const P* p, uint8_t* kept, size_t n) {
#if defined(RNG_HAVE_X86_ISAS)
    if (current_isa() != Isa::scalar) return keep_by_avx2(words, p, kept, n);
#endif
    keep_all(words, p, kept, n);
}

template <class U> void write_ones(const uint8_t* kept, void* out, size_t n, uint64_t one) {
    auto* const to = static_cast<U*>(out);
    const U bits = static_cast<U>(one);
    for (size_t i = 0; i < n; ++i) to[i] = static_cast<U>(0u - U(kept[i])) & bits;
}

/// A mask without its types.
class MaskJob {
  public:
    MaskJob(const MaskRequest& request, size_t n)
        : request_(request),
          constant_{request.p.varies ? 0.5 : real_number(request.p)},
          words_request_(detail::request(words_, request.stream)),
          kept_request_(detail::request(constant_, request.stream)),
          fill_(request.p.varies ? words_request_ : kept_request_, n) {}

    void write(size_t first, size_t last) const {
        uint8_t own[mask_chunk];
        for (size_t i = first; i < last; i += mask_chunk) {
            const size_t n = std::min(mask_chunk, last - i);
            uint8_t* const kept = request_.mask != nullptr ? request_.mask + i : own;
            keep(i, n, kept);
            if (request_.out != nullptr) finish(i, n, kept);
        }
    }

  private:
    void keep(size_t first, size_t n, uint8_t* kept) const {
        if (!request_.p.varies) return fill_.run(first, n, reinterpret_cast<std::byte*>(kept));
        alignas(64) uint32_t words[mask_chunk];
        fill_.run(first, n, reinterpret_cast<std::byte*>(words));
        with_numbers(request_.p, [&](const auto* p) { keep_each(words, p + first, kept, n); });
    }
    void finish(size_t first, size_t n, const uint8_t* kept) const {
        auto* const out = static_cast<std::byte*>(request_.out) + first * request_.bytes;
        if (request_.x == nullptr) {
            switch (request_.bytes) {
                case 1: return write_ones<uint8_t>(kept, out, n, request_.one);
                case 2: return write_ones<uint16_t>(kept, out, n, request_.one);
                case 4: return write_ones<uint32_t>(kept, out, n, request_.one);
                default: return write_ones<uint64_t>(kept, out, n, request_.one);
            }
        }
        const auto* const x = static_cast<const std::byte*>(request_.x) + first * request_.bytes;
        switch (request_.type) {
            case MaskType::f16: return multiply<float16>(x, kept, out, n, request_.scale);
            case MaskType::bf16: return multiply<bfloat16>(x, kept, out, n, request_.scale);
            case MaskType::f32: return multiply<float>(x, kept, out, n, request_.scale);
            case MaskType::f64: return multiply<double>(x, kept, out, n, request_.scale);
            case MaskType::pattern: break;
        }
    }

    const MaskRequest& request_;
    bits<uint32_t> words_;
    bernoulli constant_;
    FillRequest words_request_, kept_request_;
    PreparedFill fill_;
};

}  // namespace

void require_mask(const MaskRequest& request, size_t n) {
    require_each({request.call, catalogue_index<bernoulli>, std::span(&request.p, 1), request.stream}, n);
}

void write_mask(const MaskRequest& request, size_t n) {
    if (n == 0) return;
    const rng_cpu::FpEnvironment environment;
    const MaskJob job(request, n);
    rng_cpu::parallel_for(n, mask_chunk, n * std::max<size_t>(request.bytes, 4) / least_part_bytes,
                          [&](size_t first, size_t last) { job.write(first, last); });
}

}  // namespace detail
RNG_END_NAMESPACE
