// cholesky(matrix, d): the lower factor L of a symmetric matrix L L^T, in one order of operations on every machine.
//
//     const std::vector<double> covariance{4, 2, 2, 3};             // row by row
//     const std::vector<double> factor = rng::cholesky(covariance, 2);
//
// The matrix may be semi-definite: a pivot of 0 gives a column of zeros. Pivots count as 0 up to a tolerance, 8 d units
// of rounding (2^-52 of double, 2^-23 of float) of their diagonal element. Rounding can make the pivots of a nearly
// singular covariance, such as a kernel matrix, more negative than that. Such a matrix is factored with a raised
// diagonal: by the least share of 2, 4, 8, ... times the tolerance that gives a factor, up to 2^16 (double) or 2^4
// (float).
// Elements beside a pivot that counts as 0 are lost, up to the root of the tolerance. So factor a covariance that is
// nearly singular in double, and round the factor to float.
// Elements count as 0 up to 2^-49 of the root of their row's diagonal element: rounding leaves such numbers where the
// exact one is 0. For hosts only.
// Source: Golub, Van Loan, "Matrix Computations", 4th edition, 2013, algorithm 4.2.1 (by columns).
// Oracle: {4, 2, 2, 3} gives {2, 0, 1, sqrt(2)}.
#pragma once

#include "../detail/row.hpp"

#if !defined(__CUDACC_RTC__)

#include <cstdio>
#include <string>
#include <vector>

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

inline std::string number_text(double x) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", x);
    return text;
}

}  // namespace detail

/// Returns the lower factor of a symmetric matrix of d rows, row by row; numbers above the diagonal are 0. Only the
/// lower triangle of the matrix is read. Throws Error (invalid_argument) on one of these:
/// - a list that does not have d x d elements;
/// - an element that is not finite, or of magnitude above 2^600 (2^120 of float);
/// - a negative element of the diagonal, or one that is not 0 and below 2^-600 (2^-120 of float);
/// - a negative pivot (named by its number), or an element beside a pivot of 0 that is not 0, by more than
///   rounding explains.
template <class List> [[nodiscard]] auto cholesky(const List& matrix, Integer dimension) {
    using T = detail::number_of_list_t<List>;
    static_assert(detail::is_real<T>, "cholesky is of float or double");
    using S = lane::Scalar;
    const uint64_t d = dimension;
    const detail::NumberList<T> a(matrix);
    if (d < 1 || d > detail::most_dimension)
        detail::refuse("cholesky", std::string("dimension must be in [1, 2^16], got ") + detail::NumberText(d).text);
    if (a.size != d * d)
        detail::refuse("cholesky",
                       "the matrix must have " + std::to_string(d * d) + " elements, got " + std::to_string(a.size));
    constexpr bool f32 = sizeof(T) == 4;
    constexpr T least = f32 ? T(0x1p-120) : T(0x1p-600), most = f32 ? T(0x1p120) : T(0x1p600);
    const auto refuse_matrix = [](const std::string& why) {
        detail::refuse("cholesky", "the matrix is not positive semi-definite: " + why);
    };
    const auto element = [&a, d](uint64_t i, uint64_t j, const char* limit) {
        return "element (" + std::to_string(i) + ", " + std::to_string(j) + ") must " + limit + ", got " +
               detail::number_text(a[i * d + j]);
    };
    std::vector<double> scale(d);  // the roots of the diagonal
    for (uint64_t i = 0; i < d; ++i) {
        for (uint64_t j = 0; j <= i; ++j)
            if (!lane::magnitude_within(a[i * d + j], T(0), most))
                detail::refuse("cholesky",
                               element(i, j, f32 ? "be of magnitude up to 2^120" : "be of magnitude up to 2^600"));
        const T diagonal = a[i * d + i];
        if (diagonal < 0) refuse_matrix(element(i, i, "not be negative"));
        if (!lane::is_zero(diagonal) && diagonal < least)
            detail::refuse("cholesky", element(i, i, f32 ? "be 0 or at least 2^-120" : "be 0 or at least 2^-600"));
        scale[i] = S::sqrt(static_cast<double>(diagonal));
    }
    const double tolerance = S::mul(f32 ? 0x1p-20 : 0x1p-49, S::small_to_f64(d));  // 8 units of rounding for each row
    const double root_of_tolerance = S::sqrt(tolerance);
    std::vector<double> l(d * d);
    // Computes the factor of the matrix whose diagonal is greater by the share `raised`. Returns why there is none, or
    // "".
    const auto make_factor = [&](double raised) -> std::string {
        // a(i, j) minus what the columns before j explain.
        const auto rest = [&](uint64_t i, uint64_t j) {
            auto sum = static_cast<double>(a[i * d + j]);
            if (i == j) sum = S::fma(raised, sum, sum);
            for (uint64_t k = 0; k < j; ++k) sum = S::fnma(l[i * d + k], l[j * d + k], sum);
            return sum;
        };
        for (uint64_t j = 0; j < d; ++j) {
            const auto diagonal = static_cast<double>(a[j * d + j]);
            const double pivot = rest(j, j), bound = S::fma(tolerance, diagonal, 0.0);
            if (!(pivot >= -bound))
                return "pivot " + std::to_string(j) + " must not be negative, got " + detail::number_text(pivot);
            const bool is_null = pivot <= bound;
            const double root = is_null ? 0.0 : S::sqrt(pivot);
            l[j * d + j] = root;
            for (uint64_t i = j + 1; i < d; ++i) {
                const double other = rest(i, j);
                if (!is_null) {
                    const double quotient = S::div(other, root), residue = S::fma(scale[i], 0x1p-49, 0.0);
                    l[i * d + j] = quotient <= residue && quotient >= -residue ? 0.0 : quotient;
                    continue;
                }
                l[i * d + j] = 0;
                // Beside a pivot of 0, a semi-definite matrix has zeros: |a(i, j)|^2 <= a(i, i) a(j, j) of what is
                // left. Products of roots do not underflow.
                const double left = S::fma(S::fma(root_of_tolerance, scale[i], 0.0), scale[j], 0.0);
                if (!(other <= left && other >= -left))
                    return "element (" + std::to_string(i) + ", " + std::to_string(j) +
                           ") must be 0 beside a pivot of 0, got " + detail::number_text(other);
            }
        }
        return {};
    };
    if (const std::string why = make_factor(0); !why.empty()) {
        int power = 1;
        while (power <= (f32 ? 4 : 16) &&
               !make_factor(S::mul(tolerance, S::small_to_f64(uint64_t{1} << power))).empty())
            ++power;
        if (power > (f32 ? 4 : 16)) refuse_matrix(why);
    }
    std::vector<T> factor(d * d);
    for (uint64_t i = 0; i < d * d; ++i) factor[i] = detail::flushed<T>(lane::f64<lane::Scalar>(l[i]));
    return factor;
}

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"

#endif
