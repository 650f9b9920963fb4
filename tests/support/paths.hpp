// The ways in which this machine can make a fill, and how tests walk through them and compare bits.
#pragma once

#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "../../src/verify/verify_at.hpp"
#include "../parity/parameter_sets.hpp"

// Sanitizers make fills ten to fifty times slower, and keep freed memory: tests are then shorter.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RNG_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define RNG_TEST_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define RNG_TEST_UNDER_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RNG_TEST_UNDER_TSAN 1
#endif
#endif

namespace support {

#if defined(RNG_TEST_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

// True with the CMake option of that name. Else only one distribution of each kind meets what does not depend on its
// map.
#if defined(RNG_TEST_WHOLE_CATALOGUE)
inline constexpr bool whole_catalogue = true;
#else
inline constexpr bool whole_catalogue = false;
#endif

// ThreadSanitizer sees a race without its happening, and allows no threads in a fork of a process with threads.
#if defined(RNG_TEST_UNDER_TSAN)
inline constexpr bool under_tsan = true;
#else
inline constexpr bool under_tsan = false;
#endif

/// Restores instruction set and threads at the end of a scope.
class SavedSettings {
  public:
    SavedSettings() : isa_(rng::current_isa()), threads_(rng::num_threads()) {}
    ~SavedSettings() {
        rng::set_isa(isa_);
        rng::set_num_threads(threads_);
    }
    SavedSettings(const SavedSettings&) = delete;
    SavedSettings& operator=(const SavedSettings&) = delete;

  private:
    rng::Isa isa_;
    int threads_;
};

/// Calls f(description) on every instruction set of this machine, with each of these numbers of threads.
template <class F> void on_every_path(const std::vector<int>& threads, const F& f) {
    const SavedSettings saved;
    for (const rng::Isa isa : rng::available_isas())
        for (const int n : threads) {
            rng::set_isa(isa);
            rng::set_num_threads(n);
            f(std::string(rng::to_string(isa)) + " x " + std::to_string(n));
        }
}
template <class F> void on_every_isa(const F& f) { on_every_path({1}, f); }

/// One of each shape, slot and size of values: what the handling of values depends on.
inline constexpr auto kinds = std::tuple(
    rng::bits<uint32_t>{}, rng::bits<uint64_t>{}, rng::uniform<rng::float16>{}, rng::bernoulli{}, rng::normal<float>{},
    rng::normal<double>{}, rng::normal<rng::bfloat16>{}, rng::complex_normal<float>{}, rng::complex_normal<double>{},
    rng::unit_vector3<float>{}, rng::unit_vector4<double>{}, rng::uniform_dense<float>{}, rng::gamma<float>{},
    rng::beta<double>{}, rng::uniform_int<int16_t>{1, 6}, rng::uniform_int<uint64_t>{0, 1ull << 63});

template <class D, class Kinds> inline constexpr bool is_one_of = false;
template <class D, class... Kinds>
inline constexpr bool is_one_of<D, const std::tuple<Kinds...>> = (std::is_same_v<D, Kinds> || ...);
/// True if tests take distribution D with engine E: the default engine meets every D, the others one D of each kind.
template <class E, class D>
inline constexpr bool is_taken =
    whole_catalogue || std::is_same_v<E, rng::Philox4x32_10> || is_one_of<D, decltype(kinds)>;

/// Calls f(distribution, name) for each of these. Compiling a test for the whole catalogue takes four times as long.
template <class F> void for_each_kind(const F& f) {
    std::apply([&](const auto&... dists) { (f(dists, std::decay_t<decltype(dists)>::name), ...); }, kinds);
}

/// Calls f(distribution, description) for D with its default parameters, and with others.
template <class D, class F> void for_each_parameters(std::size_t parameter_sets, const F& f) {
    const parity::ParameterSets<D> sets(parameter_sets);
    for (std::size_t i = 0; i < sets.size(); ++i)
        f(sets[i], std::string(D::name) + " " + rng::dtype_name<rng::result_t<D>>() + " #" + std::to_string(i));
}
/// Calls f(distribution, description) for each distribution of the catalogue (with sanitizers, of each kind): with its
/// default parameters, and with others. It is for what depends on the map.
template <class F> void for_each_case(std::size_t parameter_sets, const F& f) {
    if constexpr (sanitized)
        std::apply(
            [&](const auto&... dists) { (for_each_parameters<std::decay_t<decltype(dists)>>(parameter_sets, f), ...); },
            kinds);
    else
        rng::for_each_distribution(
            [&](auto tag) { for_each_parameters<typename decltype(tag)::type>(parameter_sets, f); });
}
/// The same for each kind, and for the whole catalogue with the option. It is for what depends on the kind alone.
template <class F> void for_each_case_of_kinds(std::size_t parameter_sets, const F& f) {
    if constexpr (whole_catalogue)
        for_each_case(parameter_sets, f);
    else
        std::apply(
            [&](const auto&... dists) { (for_each_parameters<std::decay_t<decltype(dists)>>(parameter_sets, f), ...); },
            kinds);
}

/// at(stream, dist, 0) ... at(stream, dist, n - 1): what every fill is compared with. The catalogue's maps are long to
/// compile, so the library's own loops are called.
template <class D, class E>
std::vector<rng::result_t<D>> by_at(const rng::Stream<E>& stream, const D& dist, std::size_t n) {
    std::vector<rng::result_t<D>> values(n);
    if constexpr (rng::catalogue_index<D> >= 0)
        rng::detail::by_at(rng::catalogue_index<D>)(rng::detail::record(stream), &dist, values.data(), n);
    else
        for (std::size_t i = 0; i < n; ++i) values[i] = rng::at(stream, dist, i);
    return values;
}

/// The index of the first element whose bits differ, or n: floating-point == would take -0 for 0.
template <class T> std::size_t first_difference(const T* a, const T* b, std::size_t n) {
    if (n == 0 || std::memcmp(a, b, n * sizeof(T)) == 0) return n;
    for (std::size_t i = 0; i < n; ++i)
        if (std::memcmp(a + i, b + i, sizeof(T)) != 0) return i;
    return n;
}
template <class T> std::string printed(const T& value) {
    if constexpr (rng::detail::is_half<T>)
        return testing::PrintToString(static_cast<float>(value));
    else
        return testing::PrintToString(value);
}
template <class T> testing::AssertionResult same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    if (a.size() != b.size()) return testing::AssertionFailure() << a.size() << " values against " << b.size();
    const std::size_t i = first_difference(a.data(), b.data(), a.size());
    if (i == a.size()) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "value " << i << " of " << a.size() << ": " << printed(a[i]) << " and "
                                       << printed(b[i]);
}

/// Room for n values at an address that is aligned for T and nothing more, between guards that must stay as they are.
template <class T> class Guarded {
  public:
    Guarded(std::size_t n, std::size_t offset) : n_(n), first_(guard + offset), memory_(first_ + n + guard) {
        std::memset(memory_.data(), pattern, memory_.size() * sizeof(T));
    }
    [[nodiscard]] T* data() { return memory_.data() + first_; }
    [[nodiscard]] std::span<T> span() { return {data(), n_}; }
    [[nodiscard]] bool guards_intact() const { return intact(0, first_) && intact(first_ + n_, memory_.size()); }

  private:
    [[nodiscard]] bool intact(std::size_t begin, std::size_t end) const {
        const auto* bytes = reinterpret_cast<const unsigned char*>(memory_.data());
        return std::all_of(bytes + begin * sizeof(T), bytes + end * sizeof(T), [](auto b) { return b == pattern; });
    }

    static constexpr std::size_t guard = 64;
    static constexpr unsigned char pattern = 0xa5;
    std::size_t n_, first_;
    std::vector<T> memory_;
};

/// The message of the Error that f() throws, after checking its code.
template <class F> std::string error_of(rng::ErrorCode code, const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return "";
}

/// The message of fill() with invalid parameters, after checking that it has written nothing.
template <class D> std::string fill_error(const D& dist) {
    using T = rng::result_t<D>;
    const std::vector<T> before(4, static_cast<T>(-1));
    std::vector<T> values = before;
    rng::Generator generator{1};
    const std::string text = error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill(values, dist, generator); });
    EXPECT_EQ(values, before) << "a refused fill writes nothing";
    return text;
}

}  // namespace support
