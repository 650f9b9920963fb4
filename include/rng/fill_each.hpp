// fill_each: a fill whose parameters differ from value to value.
//
//     const std::vector<double> brightness{0.5, 20, 300};  // expected photons of each pixel
//     std::vector<int> photons(brightness.size());
//     rng::fill_each(
//         photons, [&](uint64_t i) { return rng::poisson{brightness[i]}; }, rng::Stream{42});
//
//     rng::Generator gen{42};
//     rng::fill_each(photons, [&](uint64_t i) { return rng::poisson{brightness[i]}; }, gen);   // the next values
//
// Value i is at(stream, dist_of(i), i): the value that fill() gives with the same parameters, whatever its neighbours
// are. Kernels need no such call: a thread calls at(stream, dist, i).
#pragma once

#include <string>
#include <type_traits>

#include "detail/fill_sizes.hpp"
#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes n counts, several at a time in SIMD lanes. Count i is binomial with trials[i] and p[i], or Poisson with the
/// mean p[i] if `trials` is null. Its slot is at stream.position + 2 i. Requires n <= counts_together.
RNG_API void fill_counts(const StreamRecord& stream, const uint64_t* trials, const double* p, uint64_t* counts,
                         size_t n);

template <class D>
concept IsPoisson = is_same<D, poisson<result_t<D>>>;
template <class D>
concept IsBinomial = is_same<D, binomial<result_t<D>>>;

/// The distributions of a fill_each(), and the destination of their values.
template <class D, class E, class F, class T> struct EachFill {
    const F& dist_of;
    Stream<E> stream;
    uint64_t first;  // number of the first value
    uint64_t word;   // where its slot begins
    T* out;

    /// Writes values [begin, end), with L as a lane of one value. Computes each block once for all of its values.
    template <class L> RNG_FN void write(size_t begin, size_t end) const {
        using G = Group<D, E>;
        constexpr uint64_t slot = D::slot_words;
        for (size_t i = begin; i < end;) {
            uint64_t w = word + i * slot;
            const G group(stream, w / G::words);
            do {
                const D dist = dist_of(first + i);
                out[i] = value_in_group<D, L>(group, stream, map_over<L>(dist), w);
                ++i;
                w += slot;
            } while (i < end && w % G::words != 0);
        }
    }

    /// Writes values [begin, end) of a distribution of counts, counts_together at a time.
    void write_counts(size_t begin, size_t end) const {
        uint64_t counts[counts_together];
        double p[counts_together];
        [[maybe_unused]] uint64_t trials[IsBinomial<D> ? counts_together : 1];
        StreamRecord from = record(stream);
        while (begin < end) {
            const size_t n = end - begin < counts_together ? end - begin : counts_together;
            for (size_t i = 0; i < n; ++i) {
                const D dist = dist_of(first + begin + i);
                if constexpr (IsBinomial<D>) {
                    trials[i] = static_cast<uint64_t>(dist.trials);
                    p[i] = dist.p;
                } else {
                    p[i] = dist.mean;
                }
            }
            from.position = word + begin * D::slot_words;
            fill_counts(from, IsBinomial<D> ? trials : nullptr, p, counts, n);
            for (size_t i = 0; i < n; ++i) out[begin + i] = static_cast<T>(counts[i]);
            begin += n;
        }
    }
};
/// Calls EachFill::write with the best lane of this processor.
template <class D> struct WriteEach {
    template <class L, class Fill>
    RNG_FN void operator()(type_tag<L>, const Fill& fill, size_t begin, size_t end) const {
        fill.template write<L>(begin, end);
    }
};
/// Throws Error for the first of the values first ... first + n - 1 whose parameters are out of range.
template <class D, class F> void validate_each(const F& dist_of, uint64_t first, size_t n) {
    if constexpr (HasFault<D>) {
        struct Job {
            const F& dist_of;
            uint64_t first;
        } job{dist_of, first};
        run_in_chunks(
            n, 1,
            [](void* context, size_t, size_t count) {
                const Job& its = *static_cast<Job*>(context);
                for (size_t i = 0; i < count; ++i) {
                    const D dist = its.dist_of(its.first + i);
                    if (const ParameterFault fault = dist.fault())
                        throw_parameter_fault(("fill_each: value " + std::to_string(its.first + i)).c_str(),
                                              name_of<D>(), fault);
                }
            },
            &job);
    }
}
/// Writes n values on the library's threads. Rethrows what dist_of throws on one of them.
template <class D, class E, class F, class T> void write_each(EachFill<D, E, F, T> fill, size_t n) {
    run_in_chunks(
        n, n / least_each,
        [](void* context, size_t from, size_t to) {
            const auto& its = *static_cast<const EachFill<D, E, F, T>*>(context);
            if constexpr (IsPoisson<D> || IsBinomial<D>)
                its.write_counts(from, to);
            else
                over_best_lane<D, const EachFill<D, E, F, T>&, size_t, size_t>(WriteEach<D>{}, its, from, to);
        },
        &fill);
}

template <class F> using distribution_of = std::remove_cvref_t<std::invoke_result_t<const F&, uint64_t>>;

}  // namespace detail

/// Fills a contiguous range: out[i] = at(stream, dist_of(first + i), first + i), where dist_of(i) returns the
/// distribution of value i, always of one type. Pure.
/// dist_of is called twice for each value, and from several threads at once, so it must return the same distribution
/// for the same i. Throws Error: a parameter out of range, null data, the end of the stream. Then nothing is written.
/// Exceptions of dist_of propagate.
template <std::ranges::contiguous_range R, detail::gives_distributions F, class E>
requires std::ranges::sized_range<R>
void fill_each(R&& out, const F& dist_of, const Stream<E>& stream, Integer first = 0) {
    using D = detail::distribution_of<F>;
    detail::check_element_type<R, D>();
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out), "fill_each");
    const uint64_t word = detail::positioned<D>(stream, first, n, "fill_each").position;
    detail::validate_each<D>(dist_of, first, n);
    detail::write_each(
        detail::EachFill<D, E, F, std::remove_pointer_t<decltype(data)>>{dist_of, stream, first, word, data}, n);
}
/// Fills a contiguous range with the generator's next values, and advances it as fill() does. A fill of no values
/// changes nothing.
/// Throws Error as above, and if the generator belongs to another device; then the generator is unchanged.
/// If dist_of throws while values are computed, the generator has already advanced.
template <std::ranges::contiguous_range R, detail::gives_distributions F, detail::movable_generator G = Generator&>
requires std::ranges::sized_range<R>
void fill_each(R&& out, const F& dist_of, G&& generator = default_generator()) {
    Generator& from = generator;
    using D = detail::distribution_of<F>;
    detail::check_element_type<R, D>();
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out), "fill_each");
    detail::validate_each<D>(dist_of, 0, n);
    detail::require_cpu(detail::name_of<D>(), from.device(), "fill_each");
    if (n == 0) return;
    const detail::StreamRecord begin = from.claim("fill_each", n, D::slot_words);
    visit_engine(begin.engine, [&]<class E>(type_tag<E>) {
        using Fill = detail::EachFill<D, E, F, std::remove_pointer_t<decltype(data)>>;
        detail::write_each(Fill{dist_of, detail::stream_of<E>(begin), 0, begin.position, data}, n);
    });
}
template <std::ranges::contiguous_range R, detail::gives_distributions F>
void fill_each(R&& out, const F& dist_of,
               const Generator&) = delete;  // a fill advances the generator: pass one that is not const

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
