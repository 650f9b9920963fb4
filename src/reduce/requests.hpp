// The checks and the limits of reductions, which host and device memory share.
#pragma once

#include <algorithm>

#include <rng/detail/scatter.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Throws Error for a mean of no terms, and for a variance of too few for its correction.
inline void require_terms(const ReductionRequest& q) {
    if (q.reduction == Reduction::variance) {
        if (!(q.correction >= 0))
            raise_text(ErrorCode::invalid_argument, "%s: correction must be at least 0, got %g", q.call, q.correction);
        if (q.results != 0 && !(static_cast<double>(q.terms) > q.correction))
            raise_text(ErrorCode::invalid_argument, "%s: x must have more than %g terms, its correction, got %zu",
                       q.call, q.correction, q.terms);
    }
    if (q.reduction == Reduction::mean && q.results != 0 && q.terms == 0)
        raise_text(ErrorCode::invalid_argument, "%s: x must have at least 1 term, got 0", q.call);
}

/// True if a sum of squares has not overflowed, and the squares themselves were not too small.
template <class T> RNG_FN bool is_valid_sum_of_squares(T s) {
    if constexpr (sizeof(T) == 4)
        return s >= 0x1p-60f && s <= 0x1.fffffep127f;
    else
        return s >= 0x1p-800 && s <= 0x1.fffffffffffffp1023;
}

/// A sum of squared deviations, which rounding may have put a little below zero.
template <class T> RNG_FN T at_least_zero(T x) { return x < 0 ? T(0) : x; }

/// Throws Error for offset k, which is `value` after `before`.
[[noreturn]] inline void refuse_offset(const char* call, long long value, long long before, size_t k) {
    raise_text(ErrorCode::invalid_argument, "%s: offsets must ascend from 0, got %lld after %lld at %zu", call, value,
               before, k);
}
[[noreturn]] inline void refuse_last_offset(const char* call, size_t terms, long long value) {
    raise_text(ErrorCode::invalid_argument, "%s: the last offset must be the size of x, %zu, got %lld", call, terms,
               value);
}

/// Returns an integer of an index in the type of the index.
[[nodiscard]] inline long long signed_value(const IndexDescription& index, uint64_t bits) {
    if (!index.is_signed || index.bytes == 8) return static_cast<long long>(bits);
    return static_cast<int32_t>(static_cast<uint32_t>(bits));
}

/// Returns the limit of the integers of an index, read as unsigned: they are below `targets`, and not negative.
[[nodiscard]] inline uint64_t limit_of(const IndexDescription& index, uint64_t targets) {
    return std::min(targets, uint64_t{1} << (index.is_signed ? 8 * index.bytes - 1 : 63));
}

/// Throws Error for the integer of term k of a line.
[[noreturn]] inline void refuse_index(const ScatterRequest& q, uint64_t bits, size_t line, size_t k) {
    const long long value = signed_value(q.index, bits);
    if (q.index.line_stride == 0)
        raise_text(ErrorCode::invalid_argument, "%s: index must be in [0, %zu), got %lld at %zu", q.call, q.targets,
                   value, k);
    raise_text(ErrorCode::invalid_argument, "%s: index must be in [0, %zu), got %lld in line %zu at %zu", q.call,
               q.targets, value, line, k);
}

}  // namespace detail
RNG_END_NAMESPACE
