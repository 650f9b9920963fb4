// multivariate_hypergeometric{counts, draws}: how many items of each kind are among `draws` items, drawn without
// putting any back.
//
//     const std::vector<int> deck{13, 13, 13, 13};                     // the items of each kind
//     std::vector<int> hands(1000 * 4);
//     rng::fill_rows(rng::matrix_view<int>::row_major(hands.data(), 1000, 4),
//                    rng::multivariate_hypergeometric(deck, 5), gen);
//
// The counts of a row sum to `draws` exactly, and none is above the number of its kind. Each count is hypergeometric,
// given those before it. The distribution is a view of the list, which must outlive it. Kernels take
// multivariate_hypergeometric(pointer, d, draws).
// Source: conditional counts, as for Davis's multinomial (multinomial.hpp).
// Oracle: all items drawn give the counts themselves.
#pragma once

#include "../detail/row.hpp"
#include "../distributions/hypergeometric.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The multivariate hypergeometric distribution: counts of int32_t or int64_t.
template <class T> struct multivariate_hypergeometric {
    static_assert(detail::is_count<T>, "multivariate_hypergeometric is of int32_t or int64_t");
    using result_type = T;
    detail::NumberList<T> counts;
    T draws = 0;

    static constexpr const char* name = "multivariate_hypergeometric";
    static constexpr const char* summary = "counts of kinds among items drawn without replacement";

    multivariate_hypergeometric() = default;
    /// Takes the d numbers at `first`. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr multivariate_hypergeometric(const T* first, uint64_t d, T items)
        : counts(first, d), draws(items) {}
    /// Takes a list, which must outlive the distribution.
    template <detail::list_of<T> List>
    constexpr multivariate_hypergeometric(const List& list, T items) : counts(list), draws(items) {}

    /// Returns the number of elements of a row.
    [[nodiscard]] RNG_FN uint64_t row_size() const { return counts.size; }
    /// Returns the first parameter that is out of range, if there is one.
    [[nodiscard]] ParameterFault fault() const {
        constexpr uint64_t most = sizeof(T) == 4 ? (uint64_t{1} << 31) - 1 : (uint64_t{1} << 53) - 1;
        if (const auto fault = detail::length_fault("counts", counts.size)) return fault;
        uint64_t all = 0;
        for (uint64_t i = 0; i < counts.size; ++i) {
            if (counts[i] < 0)
                return ParameterFault::of_element("counts", i, static_cast<double>(counts[i]), "must be at least 0");
            all += static_cast<uint64_t>(counts[i]);
            if (all > most)
                return ParameterFault::of_integer(
                    "the sum of counts", all, sizeof(T) == 4 ? "must be at most 2^31 - 1" : "must be at most 2^53 - 1");
        }
        if (draws < 0 || static_cast<uint64_t>(draws) > all)
            return ParameterFault::of_integer("draws", draws, "must be in [0, the sum of counts]");
        return {};
    }
    /// Calls f(list) for each list of `self`.
    template <class Self, class F> static void for_each_list(Self& self, const F& f) { f(self.counts); }

    /// Writes the row of the private stream p, with L as a lane of one value.
    template <class L, class E> RNG_FN void write(const Stream<E>& p, detail::RowPlace<T> x) const {
        // Modulo 2^64, because counts that are not checked may have any sum.
        uint64_t rest = 0, left = static_cast<uint64_t>(draws);
        for (uint64_t j = 0; j < counts.size; ++j) rest += static_cast<uint64_t>(counts[j]);
        RNG_ROLLED
        for (uint64_t j = 0; j < counts.size; ++j) {
            rest -= static_cast<uint64_t>(counts[j]);
            const hypergeometric<T> of_kind{counts[j], static_cast<T>(rest), static_cast<T>(left)};
            const T count = detail::component<L>(p.fork(j), of_kind, 0);
            x[j] = count;
            left -= static_cast<uint64_t>(count);
        }
    }
};

template <class T> RNG_GUIDE multivariate_hypergeometric(const T*, uint64_t, T)->multivariate_hypergeometric<T>;
template <class List, class T>
multivariate_hypergeometric(const List&, T) -> multivariate_hypergeometric<detail::number_of_list_t<List>>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
