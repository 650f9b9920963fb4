// sum, mean, variance, norm2, dot and segmented_sum of rng/reduce/sums.hpp: what they make of sums.
#include <rng/reduce/sums.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include "reducer.hpp"
#include "requests.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T, int Count> void reduce_as(const ReductionRequest& q, T* out, ptrdiff_t stride) {
    using Node = rng_abi::Parts<T, Count>;
    const Reducer<T, Count> reducer(q);
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
                write_real(k, is_sound_sum_of_squares(s) ? std::sqrt(s) : reducer.scaled_norm(k));
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

}  // namespace

void reduce(const ReductionRequest& q, void* out, ptrdiff_t stride) {
    require_terms(q);
    if (q.results == 0) return;
    const rng_cpu::FpEnvironment environment;
    visit_type(q, [&]<class T, int Count>(T, std::integral_constant<int, Count>) {
        reduce_as<T, Count>(q, static_cast<T*>(out), stride);
    });
}

namespace {

template <class Offset> void check_offsets(const char* call, const Offset* offsets, size_t segments, size_t terms) {
    for (size_t k = 0; k <= segments; ++k) {
        const Offset before = k == 0 ? 0 : offsets[k - 1];
        if (k == 0 ? offsets[k] != 0 : offsets[k] < before)
            refuse_offset(call, static_cast<long long>(offsets[k]), static_cast<long long>(before), k);
    }
    if (static_cast<uint64_t>(offsets[segments]) != terms)
        refuse_last_offset(call, terms, static_cast<long long>(offsets[segments]));
}

template <class T, int Count, class Offset>
void sum_segments(const ReductionRequest& request, const Offset* offsets, size_t segments, T* out) {
    constexpr size_t long_segment = size_t{1} << 18;  // its leaves are shared among threads; other segments are not
    const auto sum = [&](size_t k) {
        ReductionRequest q = request;
        q.terms = static_cast<size_t>(offsets[k + 1] - offsets[k]);
        rng_abi::Parts<T, Count> value;
        Reducer<T, Count>(q).run({{Term::value}}, nullptr, &value, static_cast<size_t>(offsets[k]));
        for (int p = 0; p < Count; ++p) out[k * Count + static_cast<size_t>(p)] = with_one_nan(value.part[p]);
    };
    const auto is_long = [&](size_t k) { return static_cast<size_t>(offsets[k + 1] - offsets[k]) >= long_segment; };
    for (size_t k = 0; k < segments; ++k)
        if (is_long(k)) sum(k);
    rng_cpu::parallel_for(segments, 16, request.terms < long_segment / 16 ? 1 : SIZE_MAX,
                          [&](size_t first, size_t last) {
                              for (size_t k = first; k < last; ++k)
                                  if (!is_long(k)) sum(k);
                          });
}

}  // namespace

void segmented_sum(const ReductionRequest& q, const void* offsets, bool offsets_are_wide, size_t segments, void* out) {
    const rng_cpu::FpEnvironment environment;
    const auto run = [&](const auto* each) {
        check_offsets(q.call, each, segments, q.terms);
        visit_type(q, [&]<class T, int Count>(T, std::integral_constant<int, Count>) {
            sum_segments<T, Count>(q, each, segments, static_cast<T*>(out));
        });
    };
    offsets_are_wide ? run(static_cast<const int64_t*>(offsets)) : run(static_cast<const int32_t*>(offsets));
}

}  // namespace detail
RNG_END_NAMESPACE
