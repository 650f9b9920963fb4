// The interface of <random>: engines that std:: and boost:: distributions, std::shuffle and the standard's adaptors
// take.
//
//     rng::philox4x32 engine(42);                     // C++26's std::philox4x32, to the bit
//     std::shuffle(v.begin(), v.end(), engine);
//     const rng::Stream<> s = to_stream(engine);      // the engine's position; rng::philox4x32(s) is the way back
//     const double z = rng::normal{0.0, 1.0}(engine); // this library's distributions (draw.hpp), from any engine
//
// philox4x32, philox4x64, philox4x32_7, threefry4x32 and threefry4x64 keep 2 KiB of words (std::mt19937: 5 KB).
// The library refills these words with the instruction set in use, so the five engines need the target rng::rng.
// If RNG_ISA has a bad value, or the C library rounds an fma twice, the first call of an engine throws Error. No other
// call of an engine throws. philox_engine with other parameters, and block_engine (core/counter_engine.hpp), need only
// the headers.
// Source: C++26 [rand.eng.philox], [rand.predef].
// Oracles: the 10000th values of philox4x32 and philox4x64 are 1955073260 and 3409172418970261260.
#pragma once

#include <concepts>
#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>
#include <utility>

#include "core/counter_engine.hpp"
#include "detail/engine_text.hpp"
#include "detail/random_engines.hpp"
#include "detail/standard_distribution.hpp"
#include "detail/value_run.hpp"
#include "draw.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// C++26's std::philox_engine, for w = 32 and w = 64. consts alternate between multipliers and round constants.
template <class UIntType, std::size_t w, std::size_t n, std::size_t r, UIntType... consts>
class philox_engine : public detail::PhiloxBase<UIntType, w, n, r, consts...>::type {
    using base = typename detail::PhiloxBase<UIntType, w, n, r, consts...>::type;
    static constexpr std::array<UIntType, n> list{consts...};

    static constexpr std::array<UIntType, n / 2> every_second(std::size_t first) {
        std::array<UIntType, n / 2> a{};
        for (std::size_t k = 0; k < n / 2; ++k) a[k] = list[2 * k + first];
        return a;
    }

  public:
    using base::base;
    static constexpr std::size_t round_count = r;
    static constexpr std::array<UIntType, n / 2> multipliers = every_second(0);
    static constexpr std::array<UIntType, n / 2> round_consts = every_second(1);
};

using philox4x32 = philox_engine<std::uint_fast32_t, 32, 4, 10, 0xCD9E8D57, 0x9E3779B9, 0xD2511F53, 0xBB67AE85>;
using philox4x64 = philox_engine<std::uint_fast64_t, 64, 4, 10, 0xCA5A826395121157, 0x9E3779B97F4A7C15,
                                 0xD2E7470EE14C6C93, 0xBB67AE8584CAA73B>;
/// Philox4x32 with seven rounds: faster, with a smaller margin (core/engine.hpp).
using philox4x32_7 = philox_engine<std::uint_fast32_t, 32, 4, 7, 0xCD9E8D57, 0x9E3779B9, 0xD2511F53, 0xBB67AE85>;
/// Threefry4x32 with the interface and the seeding of philox_engine, and 20 rounds. Not in the standard.
using threefry4x32 = counter_engine<detail::TileBuffer<Threefry4x32_20>, std::uint_fast32_t>;
using threefry4x64 = counter_engine<detail::TileBuffer<Threefry4x64_20>, std::uint_fast64_t>;

/// A distribution with the interface of the standard's distributions (C++20 [rand.req.dist]). Unlike dist(engine), it
/// can keep a value between calls. min(), max() and stream operators exist for distributions of numbers whose
/// parameters are numbers, not for views of lists, such as categorical.
///
///     rng::std_distribution d(rng::normal{0.0, 1.0});
///     std::mt19937 engine(42);
///     const double x = d(engine), y = d(engine);   // both values of a pair
///
/// With an engine of another library, the second value of a pair is kept for the next call, until reset().
/// With this library's engines, values and engine are those of dist(engine), call by call. The next values, up to 1 KiB
/// (4 KiB for a sampler), are computed together and kept. If the engine has been used elsewhere since, or is another
/// one, they are computed again.
template <class D> class std_distribution {
  public:
    using result_type = result_t<D>;
    /// The parameters: a D that names its std_distribution, and can be compared.
    struct param_type : D {
        using distribution_type = std_distribution;
        param_type() = default;
        /// Takes the parameters of `dist`.
        param_type(const D& dist) : D(dist) {}
        /// Takes the parameters of a D, in their order.
        template <class... Parameters>
        requires(sizeof...(Parameters) > 0 &&
                 requires(Parameters... of) { D{of...}; }) explicit param_type(Parameters... of)
            : D{of...} {}
        friend bool operator==(const param_type& a, const param_type& b) requires detail::has_equality<D> {
            return detail::same_parameters<D>(a, b);
        }
    };

    std_distribution() = default;
    /// Creates a std_distribution that draws from `dist`.
    explicit std_distribution(const D& dist) : dist_(dist) {}

    /// Returns the next value.
    template <class G> result_type operator()(G& engine) {
        if constexpr (detail::our_engine<G>) {
            if constexpr (keeps_run<G>)
                return next_of_run(engine);
            else
                return draw<D>(dist_, engine);
        } else if constexpr (D::map_shape != Shape::pair) {
            return run_.with(dist_, [&engine](const auto& dist) { return draw(dist, engine); });
        } else {
            detail::assert_parameters<D>(dist_);
            if (has_second_) {
                has_second_ = false;
                return second_;
            }
            detail::EngineRetryStream<G> retry_stream(engine);
            const auto pair = detail::values_of_retry_stream<D>(dist_, retry_stream);
            second_ = pair.value[1];
            has_second_ = true;
            return pair.value[0];
        }
    }
    /// Returns a value with other parameters, for this call only.
    template <class G> result_type operator()(G& engine, const D& dist) { return draw(dist, engine); }

    /// Discards the values that are kept.
    void reset() {
        has_second_ = false;
        run_.clear();
    }
    /// Returns the distribution with its parameters.
    [[nodiscard]] const param_type& param() const { return dist_; }
    /// Sets the parameters, and discards the values that are kept.
    void param(const D& dist) {
        dist_ = dist;
        reset();
        run_.forget();
    }
    /// Returns the greatest lower bound of the values: an end of the support, or of the type's finite values.
    [[nodiscard]] result_type min() const requires detail::distribution_of_numbers<D> {
        return detail::least_value<D>(dist_);
    }
    /// Returns the least upper bound of the values.
    [[nodiscard]] result_type max() const requires detail::distribution_of_numbers<D> {
        return detail::greatest_value<D>(dist_);
    }

    /// Returns true if both have the same parameters, and keep the same second value of a pair or none: from equal
    /// engines they give equal values.
    friend bool operator==(const std_distribution& a, const std_distribution& b) requires detail::has_equality<D> {
        return a.dist_ == b.dist_ && a.has_second_ == b.has_second_ &&
               (!a.has_second_ || std::equal_to<>()(a.second_, b.second_));
    }
    /// Writes the parameters, and the second value of a pair if it is kept.
    template <class Char, class Traits>
    friend std::basic_ostream<Char, Traits>& operator<<(
        std::basic_ostream<Char, Traits>& os, const std_distribution& d) requires detail::distribution_of_numbers<D> {
        const detail::DecimalFormat format(os);
        D::fields().each([&](const auto& field) { os << +(d.dist_.*field.member) << os.widen(' '); });
        os << +d.has_second_;
        return d.has_second_ ? os << os.widen(' ') << +d.second_ : os;
    }
    /// Reads the text that operator<< wrote. If it is not such a text, or a parameter is out of range, sets failbit and
    /// leaves the distribution unchanged.
    template <class Char, class Traits>
    friend std::basic_istream<Char, Traits>& operator>>(
        std::basic_istream<Char, Traits>& is, std_distribution& d) requires detail::distribution_of_numbers<D> {
        const detail::DecimalFormat format(is);
        D dist{};
        D::fields().each([&](const auto& field) {
            auto& parameter = dist.*field.member;
            parameter = detail::read_value<std::remove_reference_t<decltype(parameter)>>(is);
        });
        const bool has_second = detail::read_number(is, D::map_shape == Shape::pair ? 1 : 0) == 1;
        const auto second = has_second ? detail::read_value<result_type>(is) : result_type{};
        if constexpr (detail::HasFault<D>)
            if (is && dist.fault()) is.setstate(std::ios_base::failbit);
        if (is) {
            d.param(dist);
            d.has_second_ = has_second;
            d.second_ = second;
        }
        return is;
    }

  private:
    /// True for engines that the library refills, if each value takes whole words of the engine.
    template <class G>
    static constexpr bool keeps_run = G::uses_library&& static_cast<int>(sizeof(typename G::word)) <= 4 * D::slot_words;

    template <class G> result_type next_of_run(G& engine) {
        constexpr unsigned long long words = 4 * D::slot_words / sizeof(typename G::word);
        if (!is_run_of(engine) || engine.buffered() < words) [[unlikely]]
            return first_of_run(engine);
        engine.discard(words);
        mark_[0] = engine.template mark_word<0>();
        return run_.take();
    }
    /// Returns the next value where a new run, or a new buffer of the engine, begins.
    template <class G> __attribute__((noinline)) result_type first_of_run(G& engine) {
        if (!is_run_of(engine) && !begin_run(engine)) return draw<D>(dist_, engine);
        engine.discard(4 * D::slot_words / sizeof(typename G::word));
        keep_mark(engine, std::make_integer_sequence<int, G::mark_words>());
        return run_.take();
    }
    /// Computes the next values of the engine, and advances it to the first of their slots. Returns false if the engine
    /// is outside domain 0, or at the end of its stream.
    template <class G> bool begin_run(G& engine) {
        constexpr uint64_t slot = D::slot_words, word = sizeof(typename G::word) / 4;
        detail::assert_parameters<D>(dist_);
        run_.clear();
        if (!engine.has_stream()) return false;
        const auto stream = to_stream(engine);
        const uint64_t left = detail::slots_left<D>(stream);
        if (left == 0) return false;
        const uint64_t first = detail::round_up(stream.position, slot);
        run_.refill(dist_, detail::record(stream.at_position(first)), left);
        engine.discard((first - stream.position) / word);
        run_engine_ = G::engine::number;
        return true;
    }
    /// Returns true if the run has values, and the engine is at the slot of the next one.
    template <class G> [[nodiscard]] bool is_run_of(const G& engine) const {
        return !run_.is_empty() && run_engine_ == G::engine::number &&
               is_at_mark(engine, std::make_integer_sequence<int, G::mark_words>());
    }
    template <class G, int... I>
    [[nodiscard]] bool is_at_mark(const G& engine, std::integer_sequence<int, I...>) const {
        return ((mark_[I] ^ engine.template mark_word<I>()) | ...) == 0;
    }
    template <class G, int... I> void keep_mark(const G& engine, std::integer_sequence<int, I...>) {
        static_assert(sizeof...(I) <= sizeof mark_ / sizeof mark_[0]);
        ((mark_[I] = engine.template mark_word<I>()), ...);
    }

    param_type dist_{};
    result_type second_{};
    bool has_second_ = false;
    Engine run_engine_{};
    uint64_t mark_[9]{};  // of the engine at the next value of the run
    detail::ValueRun<D> run_;
};

namespace detail {

/// Fills treat the parameters of a std_distribution as the distribution.
template <class P>
requires requires { typename P::distribution_type; }
struct Canonical<P> {
    template <class D> static D distribution_of(const std_distribution<D>*);
    using type = canonical_t<decltype(distribution_of(static_cast<typename P::distribution_type*>(nullptr)))>;
};

}  // namespace detail

/// Writes the state of the engine as the standard's text: the key's words, the counter X (least significant word first)
/// and the index i.
template <class Char, class Traits, class Buffer, class UInt>
std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                             const counter_engine<Buffer, UInt>& engine) {
    const detail::DecimalFormat format(os);
    const auto s = engine.state();
    for (int i = 0; i < s.key.size(); ++i) os << +s.key[i] << os.widen(' ');
    for (int i = 0; i < s.counter.size(); ++i) os << +s.counter[i] << os.widen(' ');
    return os << s.index;
}

/// Reads the text that operator<< wrote. If the text is not a state, sets failbit and leaves the engine unchanged.
template <class Char, class Traits, class Buffer, class UInt>
std::basic_istream<Char, Traits>& operator>>(std::basic_istream<Char, Traits>& is,
                                             counter_engine<Buffer, UInt>& engine) {
    using E = counter_engine<Buffer, UInt>;
    const detail::DecimalFormat format(is);
    typename E::state_type s{};
    for (int i = 0; i < s.key.size(); ++i) s.key[i] = static_cast<typename E::word>(detail::read_number(is, E::max()));
    for (int i = 0; i < s.counter.size(); ++i)
        s.counter[i] = static_cast<typename E::word>(detail::read_number(is, E::max()));
    s.index = static_cast<int>(detail::read_number(is, E::word_count - 1));
    if (is) engine = E(s);
    return is;
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
