// Fills whose parameters differ from value to value and whose distribution is chosen at run time, and Bernoulli masks.
// Bindings of other languages use them; programs whose distribution is fixed call fill_each (fill_each.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "../any_distribution.hpp"
#include "../generator.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

enum class NumberType : uint32_t { f32, f64, i64, u64 };

/// The numbers of a parameter: number i is that of value i, or number 0 is that of all values.
struct EachNumbers {
    int field;  ///< of the distribution, in the order of its parameters
    NumberType type;
    bool varies;   ///< false: number 0 is for all values
    bool on_host;  ///< for fills of a GPU's memory: one number of 8 bytes, in memory of the host
    const void* data;
};

/// Calls f(pointer) with the numbers in their type.
template <class F> decltype(auto) with_numbers(const EachNumbers& numbers, const F& f) {
    switch (numbers.type) {
        case NumberType::f32: return f(static_cast<const float*>(numbers.data));
        case NumberType::f64: return f(static_cast<const double*>(numbers.data));
        case NumberType::i64: return f(static_cast<const int64_t*>(numbers.data));
        case NumberType::u64: break;
    }
    return f(static_cast<const uint64_t*>(numbers.data));
}
/// Returns number 0 as a real number.
inline double real_number(const EachNumbers& numbers) {
    return with_numbers(numbers, [](const auto* data) { return static_cast<double>(data[0]); });
}

/// A fill whose parameters differ from value to value.
struct EachRequest {
    const char* call;                         ///< for messages
    int index;                                ///< of the distribution in the catalogue
    std::span<const EachNumbers> parameters;  ///< the others have their defaults
    StreamRecord stream;                      ///< positioned at the first value
};

/// Returns the index in the catalogue of a distribution of this type. Throws Error if there is none.
[[nodiscard]] RNG_API int index_of_law(std::string_view name, std::string_view dtype);
/// Returns the index of the distribution's parameter of this name. Throws Error if there is none.
[[nodiscard]] RNG_API int index_of_parameter(int law, std::string_view name);

/// Throws Error for the first of n values whose parameters are out of range: "call: value 7: poisson: mean must be ..."
RNG_API void require_each(const EachRequest& request, size_t n);
/// Writes values begin ... begin + n - 1, in memory aligned for them. Requires parameters in range.
RNG_API void write_each_values(const EachRequest& request, size_t begin, void* out, size_t n);

/// The type of a mask's products and of its results.
enum class MaskType : uint32_t {
    f16,
    bf16,
    f32,
    f64,
    pattern  ///< no products: the bits of the type's 1, or of 0
};

/// A mask: kept_i is value i of bernoulli{p_i}.
struct MaskRequest {
    const char* call;  ///< for messages
    EachNumbers p;
    const void* x;  ///< out_i = (x_i * kept_i) * scale; may be `out`. Null: out_i is kept_i as a number
    void* out;      ///< null: only the mask
    uint8_t* mask;  ///< kept_i as 0 or 1; null: none
    MaskType type;  ///< of x and out. Half types are multiplied in float, and rounded once
    size_t bytes;   ///< of an element of out
    uint64_t one;   ///< the bits of the type's 1, if x is null
    double scale;   ///< rounded to float first, unless the type is f64
    StreamRecord stream;
};
/// Throws Error for the first p_i that is out of range.
RNG_API void require_mask(const MaskRequest& request, size_t n);
RNG_API void write_mask(const MaskRequest& request, size_t n);

/// The words below this one keep a value: the rule of bernoulli's map. It may be 2^32.
inline uint64_t least_lost_word(double p) {
    const double sum = p * 0x1p32 + 0x1p52;  // the product is exact
    return __builtin_bit_cast(uint64_t, sum) & 0xfffffffffffffu;
}

// The same in the memory of a GPU, from the request's stream or, if it is not null, from a generator. Parameters in
// that memory are not checked: values of those out of range mean nothing. Throws Error (unsupported) if the
// distribution has no such fill.
RNG_API void submit_each(const EachRequest& request, void* out, size_t n, cuda_stream stream, Generator* generator);
RNG_API void submit_mask(const MaskRequest& request, size_t n, cuda_stream stream, Generator* generator);

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
