// sum, mean, variance, norm2, dot and segmented_sum of rng/reduce/sums.hpp, in the memory of one process.
#include <rng/reduce/sums.hpp>

#include "reducer.hpp"
#include "reductions.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
void reduce(const ReductionRequest& q, void* out, ptrdiff_t stride) {
    require_terms(q);
    if (q.results == 0) return;
    const rng_cpu::FpEnvironment environment;
    visit_type(q, [&]<class T, int Count>(T, std::integral_constant<int, Count>) {
        write_reduction(q, Reducer<T, Count>(q), static_cast<T*>(out), stride);
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
