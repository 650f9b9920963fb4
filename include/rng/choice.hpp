// choice: draws k of n items, equally likely or by weights, without or with replacement.
//
//     rng::Generator gen{42};
//     const std::vector<uint64_t> few = rng::choice(1'000'000, 10, gen);               // ten different numbers
//     const std::vector<double> weights{5, 0, 1, 1};
//     const std::vector<uint64_t> two = rng::choice(weights, 2, gen);                  // never 1
//     const std::vector<uint64_t> many = rng::choice_with_replacement(weights, 1000, gen);
//
// All functions return indices in the order in which they were chosen, and take a Stream or a Generator. A Generator
// advances after all checks have passed and the memory for the result is allocated.
// choice(n, k) is the first k values of permutation{n}: O(k) for n > 2048. shuffle.hpp writes a whole permutation.
// Weights are finite numbers of at least 0, of double or float, in any unit. An item of weight 0 is never chosen. A
// subnormal double counts as 0; with replacement, so does one below 2^-300 (detail/weights.hpp). Source of the weighted
// choice: Efraimidis, Spirakis, "Weighted random sampling with a reservoir", Inf. Process. Lett. 97, 2006, with keys
// ln(weight) + Gumbel (Vieira, "Gumbel-max trick and weighted reservoir sampling", 2014).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "detail/random_source.hpp"
#include "distributions/categorical.hpp"
#include "fill.hpp"
#include "prepared.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

inline constexpr uint64_t most_chosen = (uint64_t{1} << 60) - 1;  // what a std::vector can hold

/// `name` is the name of k in the call.
inline void check_chosen(const char* call, const char* name, uint64_t k, uint64_t most, const char* what = "") {
    if (k > most)
        raise_text(ErrorCode::invalid_argument, "%s: %s must be at most %llu%s, got %s", call, name,
                   static_cast<unsigned long long>(most), what, NumberText(k).text);
}

/// choice() with weights. A generator advances once all checks have passed and all memory is allocated.
template <class S>
std::vector<uint64_t> weighted_choice_of(const char* call, const char* name, std::span<const double> weights,
                                         uint64_t k, S& source) {
    check_chosen(call, name, k, check_weights(call, weights), ", the number of weights above 0");
    std::vector<uint64_t> index;
    if (k == 0) return index;
    std::vector<double> key(weights.size());
    index.reserve(weights.size());
    weighted_choice(take_private_stream(call, source), weights, k, key, index);
    return index;
}

/// Appends k values of a distribution with valid parameters. Requires k > 0, and an empty `values` with capacity for
/// them.
template <class D, class S>
void append_draws(std::vector<result_t<D>>& values, const char* call, const D& dist, uint64_t k, S& source) {
    append_values(values, request(canonical(dist), take_slots<D>(call, k, source)), k);
}

/// choice_with_replacement() with weights.
template <class S>
std::vector<uint64_t> weighted_draws(const char* call, const char* name, std::span<const double> weights, uint64_t k,
                                     S& source) {
    const uint64_t positive = check_weights(call, weights);
    check_chosen(call, name, k, most_chosen);
    if (k == 0) return {};
    if (positive == 0)
        raise_text(ErrorCode::invalid_argument,
                   "%s: weights must have at least one element above 0, got none among %zu", call, weights.size());
    const Prepared dist(categorical_icdf<int64_t, double>{weights});  // builds its table before a generator advances
    std::vector<uint64_t> chosen;
    std::vector<int64_t> indices;
    chosen.reserve(k), indices.reserve(k);
    append_draws(indices, call, dist, k, source);
    chosen.assign(indices.begin(), indices.end());
    return chosen;
}

/// Converts weights of float to double, exactly.
inline std::vector<double> widened(std::span<const float> weights) { return {weights.begin(), weights.end()}; }

}  // namespace detail

/// Returns k distinct integers of [0, n): the first k values of permutation{n}. For n up to 2048, all ordered choices
/// are equally likely. A Generator advances by one slot of four words, unless k is 0.
/// Throws Error (invalid_argument): k > n, n > 2^62.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice(Integer n, Integer k, S&& source = default_generator()) {
    detail::check_permutation_size("choice", n);
    detail::check_chosen("choice", "k", k, n < detail::most_chosen ? n : Integer(detail::most_chosen));
    std::vector<uint64_t> chosen(k);
    if (k > 0)
        detail::fill_permutation(detail::take_private_stream("choice", source), n, 0, chosen.data(), k,
                                 sizeof(uint64_t));
    return chosen;
}

/// Returns k distinct indices by weights: drawn one after the other, each with a probability proportional to its weight
/// among those that are left. A Generator advances by one slot of four words, unless k is 0. Takes memory proportional
/// to the number of weights. Throws Error (invalid_argument): a weight out of range, more than 2^31 - 1 weights, fewer
/// than k weights above 0.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice(std::span<const double> weights, Integer k,
                                           S&& source = default_generator()) {
    return detail::weighted_choice_of("choice", "k", weights, k, source);
}
/// Returns k distinct indices by weights of float: the choice by the same weights in double.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice(std::span<const float> weights, Integer k,
                                           S&& source = default_generator()) {
    return detail::weighted_choice_of("choice", "k", detail::widened(weights), k, source);
}

/// Returns k integers of [0, n), drawn with replacement: values of uniform_int<uint64_t>{0, n - 1}.
/// Throws Error (invalid_argument): n is 0 and k is not, n > 2^62.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice_with_replacement(Integer n, Integer k, S&& source = default_generator()) {
    constexpr const char* call = "choice_with_replacement";
    detail::check_permutation_size(call, n);
    detail::check_chosen(call, "k", k, detail::most_chosen);
    if (k == 0) return {};
    if (n == 0)
        detail::raise_text(ErrorCode::invalid_argument, "%s: n must be at least 1 if k is above 0, got 0", call);
    std::vector<uint64_t> chosen;
    chosen.reserve(k);
    detail::append_draws(chosen, call, uniform_int<uint64_t>{0, n - 1}, k, source);
    return chosen;
}

/// Returns k indices by weights, drawn with replacement, each with a probability proportional to its weight. They are
/// the pieces of a piecewise_constant distribution with the boundaries 0, 1, 2, ... So the probabilities are multiples
/// of 2^-64, and an item whose weight is below 2^-65 of the sum may never be chosen. Throws Error (invalid_argument): a
/// weight out of range, more than 2^31 - 1 weights, no weight above 0 (unless k is 0).
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice_with_replacement(std::span<const double> weights, Integer k,
                                                            S&& source = default_generator()) {
    return detail::weighted_draws("choice_with_replacement", "k", weights, k, source);
}
/// Returns k indices by weights of float, drawn with replacement: the choice by the same weights in double.
template <detail::random_source S = Generator&>
[[nodiscard]] std::vector<uint64_t> choice_with_replacement(std::span<const float> weights, Integer k,
                                                            S&& source = default_generator()) {
    return detail::weighted_draws("choice_with_replacement", "k", detail::widened(weights), k, source);
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
