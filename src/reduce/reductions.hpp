// sum, mean, variance, norm2, dot and vdot as functions of sums, which threads of a process or ranks add up.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/sums.hpp"
#include "one_nan.hpp"
#include "reducer.hpp"
#include "requests.hpp"
#include "stored.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns sqrt(sum |x|^2) of result k from terms x 2^-e, where e is the exponent of the greatest magnitude.
template <class T, int Count, class Sums> [[nodiscard]] T scaled_norm(const Sums& reducer, size_t k) {
    const T most = reducer.greatest(k);
    if (is_nan_number(most) || most == 0 || most > std::numeric_limits<T>::max()) return most;
    const int exponent = std::ilogb(most);
    const auto sum = reducer.scaled_squares(k, exponent);
    return std::scalbn(std::sqrt(Count == 2 ? sum.part[0] + sum.part[Count - 1] : sum.part[0]), exponent);
}

/// Writes the results of a request. The reducer computes the sums, by the functions of Reducer: run(), greatest() and
/// scaled_squares().
template <class T, int Count, template <class, int> class Sums>
void write_reduction(const ReductionRequest& q, const Sums<T, Count>& reducer, T* out, ptrdiff_t stride) {
    using Node = rng_abi::Parts<T, Count>;
    const auto n = static_cast<T>(q.terms);
    const auto write = [&](size_t k, const Node& value) {
        for (int p = 0; p < Count; ++p)
            out[static_cast<ptrdiff_t>(k) * stride * Count + p] = with_one_nan(value.part[p]);
    };
    const auto write_real = [&](size_t k, T value) { out[static_cast<ptrdiff_t>(k) * stride] = with_one_nan(value); };
    const auto both = [](const Node& value) {
        return Count == 2 ? value.part[0] + value.part[Count - 1] : value.part[0];
    };
    SmallVector<Node> sums(q.results * 2);
    switch (q.reduction) {
        case Reduction::sum:
        case Reduction::mean:
            reducer.run({{Term::value}}, nullptr, sums.data());
            for (size_t k = 0; k < q.results; ++k) {
                Node value = sums[k];
                if (q.reduction == Reduction::mean)
                    for (T& part : value.part) part = part / n;
                write(k, value);
            }
            break;
        case Reduction::variance: {
            SmallVector<Node> means(q.results);
            reducer.run({{Term::value}}, nullptr, means.data());
            for (size_t k = 0; k < q.results; ++k)
                for (T& part : means[k].part) part = part / n;
            reducer.run({{Term::deviation}, {Term::square}}, means.data(), sums.data());
            const auto divisor = static_cast<T>(static_cast<double>(q.terms) - q.correction);
            for (size_t k = 0; k < q.results; ++k) {
                Node value;
                for (int p = 0; p < Count; ++p) {
                    const T d = sums[2 * k].part[p];
                    value.part[p] = at_least_zero(sums[2 * k + 1].part[p] - d * d / n);
                }
                write_real(k, both(value) / divisor);
            }
            break;
        }
        case Reduction::norm2:
            reducer.run({{Term::square}}, nullptr, sums.data());
            for (size_t k = 0; k < q.results; ++k) {
                const T s = both(sums[k]);
                write_real(k, is_valid_sum_of_squares(s) ? std::sqrt(s) : scaled_norm<T, Count>(reducer, k));
            }
            break;
        case Reduction::dot:
        case Reduction::vdot:
            if constexpr (Count == 1) {
                reducer.run({{Term::product}}, nullptr, sums.data());
                for (size_t k = 0; k < q.results; ++k) write(k, sums[k]);
            } else {
                reducer.run({{Term::product}, {Term::product, true}}, nullptr, sums.data());
                for (size_t k = 0; k < q.results; ++k) {
                    const auto& [re_re, im_im] = sums[2 * k].part;
                    const auto& [re_im, im_re] = sums[2 * k + 1].part;
                    if (q.reduction == Reduction::dot)
                        write(k, {{re_re - im_im, re_im + im_re}});
                    else
                        write(k, {{re_re + im_im, re_im - im_re}});
                }
            }
            break;
    }
}

/// Calls f(number of the sum's type, std::integral_constant of an element's parts).
template <class F> void visit_type(const ReductionRequest& q, const F& f) {
    const auto with = [&](auto number) {
        q.parts == 1 ? f(number, std::integral_constant<int, 1>{}) : f(number, std::integral_constant<int, 2>{});
    };
    q.in_double ? with(double{}) : with(float{});
}

}  // namespace detail
RNG_END_NAMESPACE
