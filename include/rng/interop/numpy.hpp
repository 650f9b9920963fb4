// The numbers of NumPy's Philox, as streams and distributions of rng: addressable, threaded, in kernels.
//
//     const auto stream = rng::numpy::philox(rng::numpy::SeedSequence{42});   // np.random.Philox(42)
//     std::vector<double> x(1000);
//     rng::fill(x, rng::uniform{0.0, 1.0}, stream);                           // Generator(...).random(1000)
//     rng::fill(x, rng::numpy::uniform{-1.0, 2.0}, stream);                   // Generator(...).uniform(-1, 2, 1000)
//     rng::numpy::Generator g(stream);                                        // one draw after the other
//     const std::vector<int64_t> y = g.integers<int64_t>(0, 10, 5);
//     const double z = g.standard_normal();                                   // default_rng's ziggurat
//
// random() of float64 and float32, uniform(), raw words, integers() and permutation() are NumPy's to the bit. Fills
// take words of one size. NumPy keeps half a word where draws of 32 and 64 bits alternate, and so does Generator.
// Normal and exponential numbers depend on the machine's libm, as NumPy's do: log1p gives the values in their tails,
// 1.5 and 4.5 of 10000. In the wedges of the layers, exp decides whether a value is accepted; another exp decides
// differently about once in 10^16 such draws. All other values are NumPy's to the bit on every machine.
// Sources: J. Salmon et al., SC 2011; M. O'Neill, "Developing a seed_seq alternative", 2015; D. Lemire, "Fast random
// integer generation in an interval", ACM TOMACS 29, 2019; G. Marsaglia, W. W. Tsang, "The ziggurat method for
// generating random variables", J. Stat. Softw. 5(8), 2000. docs/interop.md has the versions that were compared.
// Oracle: np.random.SeedSequence(42).generate_state(4) is {3444837047, 2669555309, 2046530742, 3581440988}.
#pragma once

#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <rng/core/error.hpp>
#include <rng/core/stream.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/distributions/uniform.hpp>
#include <rng/reader.hpp>

#include <rng/core/hide_macros.inc>

RNG_BEGIN_NAMESPACE

namespace numpy {

/// numpy.random.SeedSequence: entropy of one or more integers, and the numbers of a child among its siblings.
class SeedSequence {
  public:
    /// Creates a sequence from one integer.
    explicit SeedSequence(Integer entropy) { append(entropy_, entropy); }
    /// Creates a sequence from several integers, as from a list in NumPy.
    explicit SeedSequence(const std::vector<uint64_t>& entropy) {
        for (const uint64_t x : entropy) append(entropy_, x);
    }
    /// Returns the child that SeedSequence.spawn() returns as number i, for a sequence that has not spawned before.
    [[nodiscard]] SeedSequence spawn(Integer i) const {
        SeedSequence child = *this;
        append(child.spawn_key_, i);
        return child;
    }
    /// Returns n words of 32 bits, as generate_state(n) does.
    [[nodiscard]] std::vector<uint32_t> generate_state(size_t n) const {
        uint32_t pool[4];
        mix(pool);
        std::vector<uint32_t> state(n);
        uint32_t hash = 0x8b51f9ddu;
        for (size_t i = 0; i < n; ++i) {
            uint32_t x = pool[i % 4] ^ hash;
            hash *= 0x58f38dedu;
            x *= hash;
            state[i] = x ^ x >> 16;
        }
        return state;
    }

  private:
    static void append(std::vector<uint32_t>& words, uint64_t x) {
        words.push_back(static_cast<uint32_t>(x));
        if (x >> 32 != 0) words.push_back(static_cast<uint32_t>(x >> 32));
    }
    void mix(uint32_t (&pool)[4]) const {
        std::vector<uint32_t> words = entropy_;
        if (!spawn_key_.empty() && words.size() < 4) words.resize(4);
        words.insert(words.end(), spawn_key_.begin(), spawn_key_.end());
        uint32_t hash = 0x43b0d7e5u;
        const auto hashed = [&hash](uint32_t x) {
            x ^= hash;
            hash *= 0x931e8875u;
            x *= hash;
            return x ^ x >> 16;
        };
        const auto mixed = [](uint32_t x, uint32_t y) {
            const uint32_t r = 0xca01f9ddu * x - 0x4973f715u * y;
            return r ^ r >> 16;
        };
        for (size_t i = 0; i < 4; ++i) pool[i] = hashed(i < words.size() ? words[i] : 0);
        for (size_t from = 0; from < 4; ++from)
            for (size_t to = 0; to < 4; ++to)
                if (from != to) pool[to] = mixed(pool[to], hashed(pool[from]));
        for (size_t i = 4; i < words.size(); ++i)
            for (uint32_t& x : pool) x = mixed(x, hashed(words[i]));
    }

    std::vector<uint32_t> entropy_, spawn_key_;
};

/// Returns the words of np.random.Philox(key=[low, high]). NumPy's first block is number 1.
[[nodiscard]] inline Stream<Philox4x64_10> philox(Integer low, Integer high = 0) { return {{{low, high}}, 0, 8}; }
/// Returns the words of np.random.Philox(seed_sequence), and of np.random.Philox(seed) for SeedSequence(seed).
[[nodiscard]] inline Stream<Philox4x64_10> philox(const SeedSequence& seed) {
    const std::vector<uint32_t> w = seed.generate_state(4);
    return philox(w[0] | uint64_t{w[1]} << 32, w[2] | uint64_t{w[3]} << 32);
}

/// The numbers of Generator.uniform(low, high): low + (high - low) * random(), rounded twice.
struct uniform {
    using result_type = double;
    double low = 0, high = 1;

    static constexpr const char* name = "numpy::uniform";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;
    struct Map {
        decltype(rng::uniform<double>{}.map()) random;
        double low, range;
        template <class L> RNG_FN lane::f64<L> operator()(lane::u64<L> w) const {
            using F = lane::f64<L>;
            return lane::add(F(low), lane::fma(F(range), random(w), F(0.0)));
        }
    };
    RNG_FN Map map() const { return {rng::uniform<double>{}.map(), low, lane::Scalar::sub(high, low)}; }
};

/// numpy.random.Generator over Philox: draws one after the other. A draw may take any number of words, so its values
/// cannot be addressed.
class Generator {
  public:
    /// Draws from the stream's first word on.
    explicit Generator(const Stream<Philox4x64_10>& stream) : words_(stream, bits<uint64_t>{}) {}

    /// Returns the next word of 64 bits.
    uint64_t next64() { return words_(); }
    /// Returns half of a word: the low half, and at the next call the high one, whatever is drawn in between.
    uint32_t next32() {
        if (high_) {
            const uint32_t kept = *high_;
            high_.reset();
            return kept;
        }
        const uint64_t word = next64();
        high_ = static_cast<uint32_t>(word >> 32);
        return static_cast<uint32_t>(word);
    }
    /// Draws a number as random(), of double or of float.
    template <class T = double> T random() {
        static_assert(std::is_floating_point_v<T> && sizeof(T) <= 8, "random is of float or double");
        if constexpr (sizeof(T) == 8)
            return lane::Scalar::mul(lane::Scalar::small_to_f64(next64() >> 11), 0x1p-53);
        else
            return lane::Scalar::mul(lane::Scalar::signed_to_f32(next32() >> 8), 0x1p-24f);
    }
    /// Draws a number as standard_normal(), of double or of float.
    template <class T = double> RNG_API T standard_normal();
    /// Draws a number as standard_exponential() by method "zig", of double or of float.
    template <class T = double> RNG_API T standard_exponential();
    /// Draws a number as normal(loc, scale).
    RNG_API double normal(double loc, double scale);
    /// Draws a number as exponential(scale).
    RNG_API double exponential(double scale);

    /// Draws integers(low, high, n, dtype) of a type T of 32 or 64 bits; high is excluded. Throws Error
    /// (invalid_argument) unless low < high.
    template <class T> [[nodiscard]] std::vector<T> integers(T low, T high, size_t n) {
        static_assert(detail::integer<T> && sizeof(T) >= 4, "integers are of 32 or 64 bits");
        if (low >= high)
            detail::refuse("numpy::Generator::integers",
                           "low must be below high, got " + std::to_string(low) + " and " + std::to_string(high));
        const uint64_t range = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) - 1;
        std::vector<T> values(n);
        for (T& x : values) x = static_cast<T>(static_cast<uint64_t>(low) + below(range));
        return values;
    }
    /// Draws a permutation as permutation(n).
    [[nodiscard]] std::vector<int64_t> permutation(size_t n) {
        std::vector<int64_t> values(n);
        std::iota(values.begin(), values.end(), int64_t{0});
        for (size_t i = n; i-- > 1;) {
            const size_t j = masked(i);
            std::swap(values[i], values[j]);
        }
        return values;
    }

  private:
    /// Returns an integer of [0, most] by Lemire's method.
    uint64_t below(uint64_t most) {
        if (most == 0) return 0;
        if (most == 0xffffffffu) return next32();
        if (most == ~uint64_t{0}) return next64();
        if (most < 0xffffffffu) {
            const auto count = static_cast<uint32_t>(most) + 1;
            uint64_t product = uint64_t{next32()} * count;
            if (static_cast<uint32_t>(product) < count) {
                const uint32_t threshold = (0xffffffffu - static_cast<uint32_t>(most)) % count;
                while (static_cast<uint32_t>(product) < threshold) product = uint64_t{next32()} * count;
            }
            return product >> 32;
        }
        const uint64_t count = most + 1;
        auto product = detail::multiply(next64(), count);
        if (product.low < count) {
            const uint64_t threshold = (~uint64_t{0} - most) % count;
            while (product.low < threshold) product = detail::multiply(next64(), count);
        }
        return product.high;
    }
    /// Returns an integer of [0, most]: draws masked words until one is at most `most`.
    uint64_t masked(uint64_t most) {
        uint64_t mask = most;
        for (const int shift : {1, 2, 4, 8, 16, 32}) mask |= mask >> shift;
        for (;;)
            if (const uint64_t x = (most <= 0xffffffffu ? next32() : next64()) & mask; x <= most) return x;
    }

    Reader<bits<uint64_t>, Philox4x64_10> words_;
    std::optional<uint32_t> high_;
};

// Defined in the library, for these types.
template <> RNG_API double Generator::standard_normal();
template <> RNG_API float Generator::standard_normal();
template <> RNG_API double Generator::standard_exponential();
template <> RNG_API float Generator::standard_exponential();

}  // namespace numpy

RNG_END_NAMESPACE

#include <rng/core/restore_macros.inc>
