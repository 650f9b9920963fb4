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
// If RNG_ISA has a bad value, the first call throws Error; nothing else throws.
// philox_engine with other parameters, and block_engine (core/counter_engine.hpp), need only the headers.
// Source: C++26 [rand.eng.philox], [rand.predef].
// Oracles: the 10000th values of philox4x32 and philox4x64 are 1955073260 and 3409172418970261260.
#pragma once

#include <concepts>
#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <type_traits>

#include "core/counter_engine.hpp"
#include "draw.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Writes `count` blocks of an engine from this counter on, as 32-bit words in stream order. The counter has full width
/// and wraps.
/// Counter and key are words of the engine, of 32 or 64 bits, least significant first.
RNG_API void write_blocks(Engine engine, uint32_t* out, uint64_t count, const uint64_t (&counter)[4],
                          const uint64_t (&key)[4]);

/// A buffer of many blocks, refilled by the library. Measured alternatives: half as many words, or 32-bit indices, make
/// a call a tenth slower; an inlined refill() a seventh.
template <class E> struct TileBuffer {
    using engine = E;
    using word = typename E::word;
    static constexpr std::size_t words32 = 512, size = words32 * 4 / sizeof(word);

    alignas(64) uint32_t words[words32]{};

#if defined(__CUDACC__)
    __host__ __device__
#endif
        __attribute__((noinline)) void
        refill(typename E::counter_type& counter, const typename E::key_type& key) {
#if !defined(__CUDA_ARCH__)
        constexpr uint64_t blocks = words32 / E::words_per_block;
        uint64_t c[4], k[4]{};
        for (int i = 0; i < 4; ++i) c[i] = counter[i];
        for (int i = 0; i < key.size(); ++i) k[i] = key[i];
        write_blocks(E::number, words, blocks, c, k);
        counter = counter_plus(counter, blocks);
#else
        (void)counter, (void)key;
        __trap();  // an engine of the host inside a kernel: use block_engine there
#endif
    }
    [[nodiscard]] RNG_FN word operator[](std::size_t i) const {
        if constexpr (sizeof(word) == 4)
            return words[i];
        else
            return words[2 * i] | static_cast<word>(words[2 * i + 1]) << 32;
    }
};

/// Philox with constants that its caller chooses.
template <class W, int N, int R, W... consts> struct PhiloxWith {
    struct Constants : PhiloxConstants<W> {
        // The standard numbers the multipliers by the output words; this library numbers them by the input words.
        static constexpr W list[static_cast<unsigned>(N)] = {consts...};
        static constexpr W mul2 = list[0];
        static constexpr W mul4[2] = {list[N - 2], list[0]};
        static constexpr W weyl[2] = {list[1], list[N - 1]};
    };
    using word = W;
    using counter_type = Words<W, N>;
    using key_type = Words<W, N / 2>;
    [[nodiscard]] RNG_FN static constexpr counter_type block(const counter_type& counter, const key_type& key) {
        return philox<N, W, R, Constants>(counter, key);
    }
    static constexpr bool standard = N == 4 && Constants::mul4[0] == PhiloxConstants<W>::mul4[0] &&
                                     Constants::mul4[1] == PhiloxConstants<W>::mul4[1] &&
                                     Constants::weyl[0] == PhiloxConstants<W>::weyl[0] &&
                                     Constants::weyl[1] == PhiloxConstants<W>::weyl[1];
};

/// The buffer of the compiled engine with algorithm A; if there is none, the buffer of A itself.
template <class A, class Compiled = engines> struct BufferOf { using type = OneBlock<A>; };
template <class A, class First, class... Rest>
struct BufferOf<A, type_list<First, Rest...>>
    : std::conditional_t<is_same<A, typename First::algorithm>, type_tag<TileBuffer<First>>,
                         BufferOf<A, type_list<Rest...>>> {};

template <std::size_t w> using word_of_width = std::conditional_t<w == 64, uint64_t, uint32_t>;

template <class UInt, std::size_t w, std::size_t n, std::size_t r, UInt... consts> struct PhiloxBase {
    static_assert(sizeof...(consts) == n, "philox_engine: as many constants as words");
    static_assert(n == 2 || n == 4, "philox_engine: n must be 2 or 4");
    static_assert(r > 0, "philox_engine: at least one round");
    static_assert(0 < w && w <= std::numeric_limits<UInt>::digits, "philox_engine: w must fit the result type");
    static_assert(w == 32 || w == 64, "philox_engine: this library has words of 32 and of 64 bits only");
    using word = word_of_width<w>;
    using custom = PhiloxWith<word, static_cast<int>(n), static_cast<int>(r), static_cast<word>(consts)...>;
    using algorithm = std::conditional_t<custom::standard, PhiloxEngine<word, static_cast<int>(r)>, custom>;
    using type = counter_engine<typename BufferOf<algorithm>::type, UInt>;
};

}  // namespace detail

/// C++26's std::philox_engine, for w = 32 and w = 64. consts are multipliers and round constants in turns.
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

/// A distribution with the interface of the standard's distributions. It can remember a value, which dist(engine)
/// cannot.
///
///     rng::std_distribution d(rng::normal{0.0, 1.0});
///     std::mt19937 engine(42);
///     const double x = d(engine), y = d(engine);   // both values of a pair
///
/// With an engine of another library, the second value of a pair is kept for the next call, until reset().
/// With this library's engines, the values are those of dist(engine), and nothing is kept.
template <class D> class std_distribution {
  public:
    using result_type = result_t<D>;
    using param_type = D;

    std_distribution() = default;
    explicit std_distribution(const D& dist) : dist_(dist) {}

    template <class G> result_type operator()(G& engine) {
        if constexpr (D::shape != Shape::pair || detail::our_engine<G>) {
            return draw(dist_, engine);
        } else {
            detail::assert_parameters(dist_);
            if (has_second_) {
                has_second_ = false;
                return second_;
            }
            detail::EngineTape<G> tape(engine);
            const auto pair = detail::map_of_tape(dist_, tape);
            second_ = lane::to_result<result_type>(pair.odd.v);
            has_second_ = true;
            return lane::to_result<result_type>(pair.even.v);
        }
    }
    /// Draws with other parameters, for this call only.
    template <class G> result_type operator()(G& engine, const D& dist) { return draw(dist, engine); }

    void reset() { has_second_ = false; }
    [[nodiscard]] const D& param() const { return dist_; }
    void param(const D& dist) {
        dist_ = dist;
        reset();
    }

  private:
    D dist_{};
    result_type second_{};
    bool has_second_ = false;
};

namespace detail {

/// Sets a stream's formatting for a textual representation; the destructor always restores it.
template <class Stream> class DecimalFormat {
  public:
    explicit DecimalFormat(Stream& stream) : stream_(stream), flags_(stream.flags()), fill_(stream.fill()) {
        stream.flags(Stream::dec | Stream::left | Stream::skipws);
        stream.fill(stream.widen(' '));
        stream.width(0);
    }
    ~DecimalFormat() {
        stream_.flags(flags_);
        stream_.fill(fill_);
    }
    DecimalFormat(const DecimalFormat&) = delete;
    DecimalFormat& operator=(const DecimalFormat&) = delete;

  private:
    Stream& stream_;
    typename Stream::fmtflags flags_;
    typename Stream::char_type fill_;
};

/// A number in [0, most]. Sets failbit if the text is not such a number; text that starts with a sign is not.
template <class Char, class Traits>
unsigned long long read_number(std::basic_istream<Char, Traits>& is, unsigned long long most) {
    unsigned long long number = 0;
    const auto next = (is >> std::ws).peek();
    if (Traits::eq_int_type(next, Traits::to_int_type(is.widen('-'))) ||
        Traits::eq_int_type(next, Traits::to_int_type(is.widen('+'))) || !(is >> number) || number > most)
        is.setstate(std::ios_base::failbit);
    return number;
}

}  // namespace detail

/// Writes the standard's text: the key's words, the counter X (least significant word first) and the index i.
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
