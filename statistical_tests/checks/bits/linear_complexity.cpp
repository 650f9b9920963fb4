#include "linear_complexity.hpp"

#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <wmmintrin.h>
#endif

#include "../../p_values/require.hpp"
#include "../test.hpp"

namespace rng::stats {

namespace {

using Vector __attribute__((vector_size(32))) = uint64_t;
constexpr std::size_t lanes = sizeof(Vector) / 8;

/// XORs `from`, shifted up by `shift` < 64 bits, into to[0, words). Requires from[-1] to be 0. Rounds words up to whole
/// vectors.
RNG_STATS_CLONES void xor_shifted(uint64_t* to, const uint64_t* from, std::size_t words, unsigned shift) {
    const unsigned back = 63 - shift;  // one more bit is shifted separately, because a shift by 64 is not allowed
    for (std::size_t i = 0; i < words; i += lanes) {
        Vector here, below, sum;
        std::memcpy(&here, from + i, sizeof here);
        std::memcpy(&below, from + i - 1, sizeof below);
        std::memcpy(&sum, to + i, sizeof sum);
        sum ^= here << shift | below >> 1 >> back;
        std::memcpy(to + i, &sum, sizeof sum);
    }
}

/// A polynomial over GF(2), with a word of padding below and some words above.
class Polynomial {
  public:
    explicit Polynomial(std::size_t most) : words_(most / 64 + 2 + 2 * lanes) {}

    [[nodiscard]] int64_t degree() const { return degree_; }  // -1 if the polynomial is 0
    [[nodiscard]] uint64_t* words() { return words_.data() + 1; }
    [[nodiscard]] const uint64_t* words() const { return words_.data() + 1; }

    void set_bit(std::size_t i) {
        words()[i / 64] |= uint64_t{1} << i % 64;
        degree_ = std::max(degree_, static_cast<int64_t>(i));
    }
    void find_degree(int64_t from) {
        for (int64_t w = from / 64; from >= 0 && w >= 0; --w)
            if (const uint64_t word = words()[w]; word != 0) {
                degree_ = w * 64 + static_cast<int64_t>(std::bit_width(word)) - 1;
                return;
            }
        degree_ = -1;
    }
    /// Replaces the polynomial by its remainder. Requires a divisor that is not 0.
    void reduce(const Polynomial& divisor) {
        const std::size_t size = static_cast<std::size_t>(divisor.degree_) / 64 + 2;
        while (degree_ >= divisor.degree_) {
            const auto shift = static_cast<std::size_t>(degree_ - divisor.degree_);
            xor_shifted(words() + shift / 64, divisor.words(), size, shift % 64);
            find_degree(degree_ - 1);
        }
    }

  private:
    std::vector<uint64_t> words_;
    int64_t degree_ = -1;
};

#if defined(__x86_64__)

__extension__ using Wide = unsigned __int128;

/// Returns the coefficients of x^low to x^(low + 127).
Wide window(const Polynomial& p, int64_t low) {
    const uint64_t* const w = p.words() + low / 64;
    const auto shift = static_cast<unsigned>(low % 64);
    const Wide bits = static_cast<Wide>(w[1]) << 64 | w[0];
    return shift == 0 ? bits : bits >> shift | static_cast<Wide>(w[2]) << (128 - shift);
}
int degree_of(Wide p) {
    const auto high = static_cast<uint64_t>(p >> 64);
    return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(static_cast<uint64_t>(p))) - 1;
}

/// (a, b) := (m[0] a + m[1] b, m[2] a + m[3] b). Requires that the results have no more words than a and b.
__attribute__((target("pclmul"))) void multiply(const uint64_t (&m)[4], uint64_t* a, uint64_t* b, std::size_t words) {
    const __m128i top = _mm_set_epi64x(static_cast<int64_t>(m[1]), static_cast<int64_t>(m[0]));
    const __m128i bottom = _mm_set_epi64x(static_cast<int64_t>(m[3]), static_cast<int64_t>(m[2]));
    __m128i carry_a = _mm_setzero_si128(), carry_b = _mm_setzero_si128();
    for (std::size_t i = 0; i < words; ++i) {
        const __m128i both = _mm_set_epi64x(static_cast<int64_t>(b[i]), static_cast<int64_t>(a[i]));
        const auto product = [&](__m128i row) __attribute__((target("pclmul"))) {
            return _mm_xor_si128(_mm_clmulepi64_si128(row, both, 0x00), _mm_clmulepi64_si128(row, both, 0x11));
        };
        carry_a = _mm_xor_si128(carry_a, product(top));
        carry_b = _mm_xor_si128(carry_b, product(bottom));
        a[i] = static_cast<uint64_t>(_mm_cvtsi128_si64(carry_a));
        b[i] = static_cast<uint64_t>(_mm_cvtsi128_si64(carry_b));
        carry_a = _mm_srli_si128(carry_a, 8);
        carry_b = _mm_srli_si128(carry_b, 8);
    }
}

/// Lehmer's step: takes as many of Euclid's steps on (a, b) as the leading 128 coefficients determine, up to 63 degrees
/// at once. Returns false if they determine none (docs/statistics/linear_complexity.md).
bool reduce_many(Polynomial& a, Polynomial& b) {
    const int64_t low = a.degree() - 127;
    Wide u = window(a, low), v = window(b, low);
    uint64_t m[4] = {1, 0, 0, 1};  // (u, v) = m (window of a, window of b)
    int u_degree = 127, v_degree = degree_of(v);
    if (v_degree < 64) return false;
    while (v_degree >= 64) {
        while (u_degree >= v_degree) {
            const int shift = u_degree - v_degree;
            u ^= v << shift;
            m[0] ^= m[2] << shift;
            m[1] ^= m[3] << shift;
            u_degree = degree_of(u);
        }
        std::swap(u, v);
        std::swap(m[0], m[2]);
        std::swap(m[1], m[3]);
        std::swap(u_degree, v_degree);
    }
    const int64_t top = a.degree();
    multiply(m, a.words(), b.words(), static_cast<std::size_t>(top) / 64 + 1);
    a.find_degree(top);
    b.find_degree(top);
    return true;
}
bool can_reduce_many() {
    static const bool can = __builtin_cpu_supports("pclmul");
    return can;
}

#else

bool reduce_many(Polynomial&, Polynomial&) { return false; }
bool can_reduce_many() { return false; }

#endif

}  // namespace

namespace detail {

// Euclid's algorithm on x^n and s_0 x^(n-1) + ... + s_(n-1) (Mills, Math. Comput. 29, 1975;
// docs/statistics/linear_complexity.md).
std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n, bool many_at_once) {
    require(bits.size() >= (n + 63) / 64, "linear_complexity", "there must be n bits", n);
    const auto end = static_cast<int64_t>(n);
    Polynomial r0(n), r1(n);
    r0.set_bit(n);
    for (std::size_t i = 0; i < n; ++i)
        if (bits[i / 64] >> i % 64 & 1) r1.set_bit(n - 1 - i);
    while (r0.degree() + r1.degree() >= end) {
        // Many steps at once must not go beyond the last step: remainders keep a degree of at least that of r0 less 63.
        if (many_at_once && r0.degree() >= 128 && 2 * (r0.degree() - 64) >= end && reduce_many(r0, r1)) continue;
        r0.reduce(r1);
        std::swap(r0, r1);
    }
    return n - static_cast<std::size_t>(r0.degree());
}

}  // namespace detail

std::size_t linear_complexity(std::span<const uint64_t> bits, std::size_t n) {
    return detail::linear_complexity(bits, n, can_reduce_many());
}

}  // namespace rng::stats
