// CountLanes: binomial and Poisson counts whose parameters differ from value to value, in vectors. They are the counts
// of the maps of rng/detail/count_map.hpp.
//
// The values are first sorted by their method, so that all lanes of a vector use the same one.
#pragma once

#include <rng/detail/count_map.hpp>

#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

template <class L, bool Binomial> class CountLanes {
  public:
    /// Writes the count of each word. For Poisson counts p[i] is the mean, and trials is null.
    static void write(const uint64_t* trials, const double* p, const uint64_t* words, uint64_t* counts, size_t n) {
        for (size_t first = 0; first < n; first += together)
            write_some(trials == nullptr ? nullptr : trials + first, p + first, words + first, counts + first,
                       n - first < together ? n - first : together);
    }

  private:
    using F = lane::f64<L>;
    using U = lane::u64<L>;
    using Preparation = detail::CountPreparation<L, Binomial>;
    static constexpr size_t lanes = static_cast<size_t>(L::bytes / 8), together = 256;

    /// The parameters and words of some values that use one method. The polynomial takes trials + 1. As in binomial, p
    /// is at most 1/2: for a greater p failures are counted, at the complement of the word.
    struct Values {
        alignas(64) double trials[together + lanes], p[together + lanes], q[together + lanes];
        alignas(64) uint64_t words[together + lanes];
        uint32_t place[together];
        size_t n = 0;

        void add(double trials_of, double p_of, double q_of, uint64_t word, size_t i) {
            trials[n] = trials_of, p[n] = p_of, q[n] = q_of, words[n] = word;
            place[n++] = static_cast<uint32_t>(i);
        }
        /// Fills the unused lanes of the last vector with the last value.
        void pad() {
            for (size_t k = n; k < n + lanes; ++k) trials[k] = trials[n - 1], p[k] = p[n - 1], q[k] = q[n - 1];
            for (size_t k = n; k < n + lanes; ++k) words[k] = words[n - 1];
        }
    };

    static void write_some(const uint64_t* trials, const double* p, const uint64_t* words, uint64_t* counts, size_t n) {
        using S = lane::Scalar;
        Values zero_walk, mean_walk, polynomial;
        for (size_t i = 0; i < n; ++i) {
            counts[i] = 0;
            const bool is_mirrored = Binomial && p[i] > 0.5;
            const double of = is_mirrored ? S::sub(1.0, p[i]) : p[i], q = Binomial ? S::sub(1.0, of) : 1.0;
            if (lane::is_zero(of) || (Binomial && trials[i] == 0)) continue;
            const double number = Binomial ? lane::to_double<false>(trials[i]) : 1.0;
            const double more = Binomial ? lane::to_double<false>(trials[i] + 1) : 1.0;
            const uint64_t word = is_mirrored ? ~words[i] : words[i];
            if (S::mul(S::mul(more, of), q) >= Preparation::least_variance)
                polynomial.add(more, of, q, word, i);
            else
                (S::mul(number, of) < Preparation::least_mean ? zero_walk : mean_walk).add(number, of, q, word, i);
        }
        make(zero_walk, counts, [](F trials_of, F of, F q, U w) RNG_LAMBDA_INLINE {
            return find(Preparation::walk_from_zero(trials_of, of, Preparation::times(trials_of, of)), trials_of, of, q,
                        w);
        });
        make(mean_walk, counts, [](F trials_of, F of, F q, U w) RNG_LAMBDA_INLINE {
            return find(Preparation::walk_from_mean(trials_of, of, Preparation::times(trials_of, of)), trials_of, of, q,
                        w);
        });
        make(polynomial, counts, [](F more, F of, F q, U w) RNG_LAMBDA_INLINE {
            const F mean = Preparation::times(more, of);
            return Preparation::template polynomial<detail::QuantileOf<U, F>>(more, of, q, mean,
                                                                              Preparation::times(mean, q), F(0.0))(w);
        });
        if constexpr (Binomial)
            for (size_t i = 0; i < n; ++i)
                if (p[i] > 0.5) counts[i] = trials[i] - counts[i];
    }

    template <class Make> static void make(Values& values, uint64_t* counts, const Make& count_of) {
        if (values.n == 0) return;
        values.pad();
        for (size_t k = 0; k < values.n; k += lanes) {
            alignas(64) uint64_t made[lanes];
            const U words{L::load(reinterpret_cast<const uint32_t*>(values.words + k)), 0};
            L::store(made, count_of(load(values.trials + k), load(values.p + k), load(values.q + k), words).v);
            for (size_t i = 0; i < lanes && k + i < values.n; ++i) counts[values.place[k + i]] = made[i];
        }
    }
    RNG_FN static F load(const double* x) { return {L::load(x), 0}; }

    /// MassWalk::find() in each lane: all walk a step up or down at a time, until no lane continues. A fill's
    /// parameters are in range, so walks end.
    RNG_FN static U find(const detail::WalkStart<L>& start, F trials, F p, F q, U w) {
        using Walk = detail::MassWalk<detail::BinomialRatios<Binomial>>;
        const F odds = Binomial ? lane::div(p, q) : p, one(1.0);
        const auto is_up = lane::lanes_below(start.last_word, w);
        const U as_down = start.last_word - w, as_up = w - start.last_word - U(1);
        U rest = lane::select(is_up, as_up, as_down);
        F value = start.anchor, mass = start.mass;
        const F step = lane::select(is_up, one, F(-1.0));
        const auto is_place = [&]() RNG_LAMBDA_INLINE {  // where a walk may continue
            const auto inside = ~lane::lanes_below(value, F(0.5)) | is_up;
            if constexpr (Binomial)
                return inside & (lane::lanes_below(value, trials) | ~is_up);
            else
                return inside;
        };
        const auto advance = [&](auto going) RNG_LAMBDA_INLINE {
            const F next = lane::add(value, step);
            F up = odds;
            if constexpr (Binomial) up = Preparation::times(lane::sub(trials, lane::select(is_up, value, next)), odds);
            const F ratio = lane::div(lane::select(is_up, up, value), lane::select(is_up, next, up));
            mass = lane::select(going, Preparation::times(mass, ratio), mass);
            value = lane::select(going, next, value);
        };
        advance(is_up);  // a walk upwards begins above the anchor
        for (;;) {
            const U share = detail::words_of_share(mass);
            const auto going =
                is_place() & ~(lane::lanes_below(rest, share) | lane::lanes_below(share, U(Walk::least_words)));
            if (!lane::any(going)) break;
            rest = lane::select(going, rest - share, rest);
            advance(going);
        }
        return lane::to_integer(value);
    }
};

/// True for a distribution whose map has mean(): a Poisson variable of a random mean.
template <class D>
concept is_mixture = requires(const decltype(D{}.map()) & map, lane::u64<lane::Scalar> w) {
    map.mean(w, w);
};

/// rng_abi::MapFunctions::mean, by the widest lane that fits. n is a multiple of the last lane's size.
template <class D, class... Lanes>
size_t mixture_means(const void* prepared, const uint32_t* words, void* means, size_t n, uint32_t* undecided) {
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    size_t i = 0, listed = 0;
    const auto steps = [&]<class L>(type_tag<L>) RNG_LAMBDA_INLINE {
        constexpr auto lanes = static_cast<size_t>(L::bytes / 8);
        for (; i + lanes <= n; i += lanes) {
            lane::u64<L> operands[2];
            lane::detail::load_operands<D, L>(words + D::slot_words * i, operands);
            const auto made = map.mean(operands[0], operands[1]);
            L::store(static_cast<double*>(means) + i, made.value.v);
            for (uint64_t left = L::lanes_set64(made.undecided.v); left != 0; left &= left - 1)
                undecided[listed++] = static_cast<uint32_t>(i + static_cast<size_t>(__builtin_ctzll(left)));
        }
    };
    (steps(type_tag<Lanes>{}), ...);
    return listed;
}
/// rng_abi::MapFunctions::mixed over lane L, for at most `most_mixed` values.
inline constexpr size_t most_mixed = 256;
template <class D, class L>
void mixed_counts(const void* prepared, const double* means, const uint64_t* words, void* values, size_t n) {
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    double mean[most_mixed];
    uint64_t count[most_mixed];
    for (size_t i = 0; i < n; ++i) mean[i] = map.is_positive(means[i]) ? means[i] : 0;
    CountLanes<L, false>::write(nullptr, mean, words, count, n);
    for (size_t i = 0; i < n; ++i)
        static_cast<result_t<D>*>(values)[i] = static_cast<result_t<D>>(count[i] < map.most ? count[i] : map.most);
}
template <class D, class L> constexpr rng_abi::MapFunctions mixture_functions() {
    auto f = lane::map_functions<D, L, Unrolled2<L>>();
    f.mean = &mixture_means<D, Unrolled2<Unrolled2<L>>, L>;
    f.mixed = &mixed_counts<D, Unrolled2<L>>;
    return f;
}

}  // namespace wide
RNG_END_NAMESPACE
