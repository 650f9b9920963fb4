// choice: k of n things, or of things with weights; each at most once, or with replacement.
//
//     rng::Generator gen{42};
//     const std::vector<uint64_t> few = rng::choice(1'000'000, 10, gen);               // ten different numbers
//     const std::vector<double> weights{5, 0, 1, 1};
//     const std::vector<uint64_t> two = rng::choice(weights, 2, gen);                  // never 1
//     const std::vector<uint64_t> many = rng::choice_with_replacement(weights, 1000, gen);
//
// All return indices in the order in which they were chosen, and take a Generator, which moves on, or a Stream.
// choice(n, k) is the first k values of permutation{n}: O(k) for n > 2048. For all of them in memory, see shuffle.hpp.
// Weights are 0 or lie in [2^-300, 2^300], in any unit; a thing of weight 0 is never chosen.
// Source of the weighted choice: Efraimidis, Spirakis, "Weighted random sampling with a reservoir", Inf. Process. Lett.
// 97, 2006, with keys ln(weight) + Gumbel (Vieira, "Gumbel-max trick and weighted reservoir sampling", 2014).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "detail/random_source.hpp"
#include "distributions/piecewise.hpp"
#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

inline void check_choice(const char* call, uint64_t n, uint64_t k, uint64_t most) {
    require_permutation_size(n);
    if (k > most)
        raise_text(ErrorCode::invalid_argument, "%s: k must be at most %llu, got %s", call,
                   static_cast<unsigned long long>(most), NumberText(k).text);
}
inline constexpr uint64_t most_chosen = (uint64_t{1} << 60) - 1;  // what a std::vector can hold

}  // namespace detail

/// Returns k different integers of [0, n), each ordered choice as likely as any other: the first k values of
/// permutation{n}. A Generator moves on by one slot of four words, unless k is 0.
/// Throws Error (invalid_argument): k > n, n > 2^62.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice(Integer n, Integer k, S&& source = default_generator()) {
    detail::check_choice("choice", n, k, n < detail::most_chosen ? n : Integer(detail::most_chosen));
    std::vector<uint64_t> chosen(k);
    if (k > 0)
        detail::fill_permutation(detail::take_private_stream("choice", source), n, 0, chosen.data(), k,
                                 sizeof(uint64_t));
    return chosen;
}

/// Returns k different indices of weights: one after the other, each with a probability proportional to its weight
/// among those that are left. A Generator moves on by one slot of four words, unless k is 0. Takes O(weights) memory.
/// Throws Error (invalid_argument): a weight out of range, more than 2^24 weights, fewer than k weights above 0.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice(std::span<const double> weights, Integer k,
                                           S&& source = default_generator()) {
    detail::check_weights("choice", weights, k);
    if (k == 0) return {};
    return detail::weighted_choice(detail::take_private_stream("choice", source), weights, k);
}

/// Returns k integers of [0, n), any of them again and again: values of uniform_int<uint64_t>{0, n - 1}.
/// Throws Error (invalid_argument): n is 0 and k is not, n > 2^62.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice_with_replacement(Integer n, Integer k, S&& source = default_generator()) {
    detail::check_choice("choice_with_replacement", n, k, n == 0 ? 0 : detail::most_chosen);
    if (k == 0) return {};
    return sample(uniform_int<uint64_t>{0, n - 1}, k, std::forward<S>(source));
}

/// Returns k indices of weights, each with a probability proportional to its weight: the pieces of a
/// piecewise_constant law whose boundaries are 0, 1, 2, ... So the probabilities are multiples of 2^-64; a weight below
/// 2^-65 of their sum may never be chosen.
/// Throws Error (invalid_argument): a weight out of range, more than 2^24 weights, no weight above 0 (unless k is 0).
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice_with_replacement(std::span<const double> weights, Integer k,
                                                            S&& source = default_generator()) {
    detail::check_weights("choice_with_replacement", weights, k > 0 ? 1 : 0);
    detail::check_choice("choice_with_replacement", 0, k, detail::most_chosen);
    if (k == 0) return {};
    std::vector<double> edges(weights.size() + 1);
    for (size_t i = 0; i < edges.size(); ++i) edges[i] = static_cast<double>(i);
    const std::vector<double> places = sample(piecewise_constant<double>(edges, weights), k, std::forward<S>(source));
    return {places.begin(), places.end()};  // rounded down
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
