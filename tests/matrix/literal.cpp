// Parameters written in the source: a compiler's knowledge of a distribution's parameters must not change a bit.
//
// run.py writes literals.inc and compares the output of this program.
// literals.inc has a line LITERAL(D, (parameters), seed, id, position, n, "golden") for each golden of the default
// engine.
// An output line is "way golden digest", for each way from the headers to the values: at(), at_block(), Cursor and
// dist(engine).
// "arithmetic" lines apply an operation of a user's own to each value in the same expression.
// The operation must give the same result as for the same value read from memory.
// "run-time" lines compare parameters that programs have with the same ones unknown to the compiler. If there is more
// than one compiler (RNG_MATRIX_COMPILERS), each takes every other line; neighbours are of one distribution where they
// can be.
#define RNG_FMA_BY_PROCESSOR \
    0  // no compiler sees through the processor's fma (lane/scalar.hpp): that of libm is tested
#include <rng/random.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include "../../src/verify/goldens.hpp"

namespace {

/// x, in a way that no compiler knows what it is.
template <class T> T unknown(T x) {
    volatile T hidden = x;
    return hidden;
}

template <class T> bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Each way calls `dist` where it needs the distribution, so that the literals are in sight of the optimiser.

template <class F> auto by_at(const F& dist, const rng::Stream<>& stream, uint64_t n) {
    std::vector<rng::result_t<decltype(dist())>> values(n);
    for (uint64_t i = 0; i < n; ++i) values[i] = rng::at(stream, dist(), i);
    return values;
}

template <class F> auto by_at_block(const F& dist, const rng::Stream<>& stream, uint64_t n) {
    using D = decltype(dist());
    constexpr uint64_t slot = D::slot_words, words = rng::Philox4x32_10::words_per_block;
    constexpr uint64_t per_block = rng::values_per_block<D>;
    const uint64_t first_word = (stream.position + slot - 1) / slot * slot, first_block = first_word / words;
    const rng::Stream<> aligned = stream.at_position(first_block * words);
    const uint64_t skipped = (first_word - first_block * words) / slot;
    std::vector<rng::result_t<D>> values(n);
    for (uint64_t j = 0; j * per_block < skipped + n; ++j) {
        const auto block = rng::at_block(aligned, dist(), j);
        for (uint64_t k = 0; k < per_block; ++k) {
            const uint64_t i = j * per_block + k;
            if (i >= skipped && i < skipped + n) values[i - skipped] = block.v[k];
        }
    }
    return values;
}

template <class F> auto by_cursor(const F& dist, const rng::Stream<>& stream, uint64_t n) {
    std::vector<rng::result_t<decltype(dist())>> values(n);
    rng::Cursor cursor(stream, dist());
    for (auto& value : values) value = cursor.next();
    return values;
}

template <class F> auto by_engine(const F& dist, const rng::Stream<>& stream, uint64_t n) {
    std::vector<rng::result_t<decltype(dist())>> values(n);
    rng::block_engine<rng::Philox4x32_10> engine(stream);
    for (auto& value : values) value = dist()(engine);
    return values;
}

/// One operation on each value: alone it rounds once under all flags, so both forms have the same bits.
template <class F, class T, class Operation>
bool arithmetic_is_outside(const F& dist, const rng::Stream<>& stream, const std::vector<T>& values,
                           const Operation& operation) {
    const uint64_t n = values.size();
    std::vector<T> together(n), apart(n);
    for (uint64_t i = 0; i < n; ++i) together[i] = operation(rng::at(stream, dist(), i));
    for (uint64_t i = 0; i < n; ++i) apart[i] = operation(unknown(values[i]));
    return same_bits(together, apart);
}

template <class F> void print_golden(const F& dist, const rng::Stream<>& stream, uint64_t n, const char* golden) {
    using T = rng::result_t<decltype(dist())>;
    const auto print = [&](const char* way, const std::vector<T>& values) {
        std::printf("%s %s %016llx\n", way, golden,
                    static_cast<unsigned long long>(rng_goldens::digest_of(values.data(), n)));
    };
    const std::vector<T> values = by_at(dist, stream, n);
    print("at", values);
    print("at_block", by_at_block(dist, stream, n));
    print("cursor", by_cursor(dist, stream, n));
    print("engine", by_engine(dist, stream, n));
    if constexpr (rng::detail::is_real<T>) {
        const bool equal = arithmetic_is_outside(dist, stream, values, [](T x) { return T(3) - x; }) &&
                           arithmetic_is_outside(dist, stream, values, [](T x) { return x * T(0.7); });
        std::printf("arithmetic %s %s\n", golden, equal ? "equal" : "DIFFERENT");
    }
}

/// Literals against the same parameters unknown to the compiler.
template <class F, class G> void compare(const F& literal, const G& hidden, const char* text) {
    const rng::Stream<> stream(7, 9, 1);
    const auto expected = by_at(hidden, stream, 20000);
    const bool equal =
        same_bits(by_at(literal, stream, 20000), expected) && same_bits(by_cursor(literal, stream, 20000), expected);
    std::printf("run-time %s %s\n", text, equal ? "equal" : "DIFFERENT");
}

/// A user's own map: a product in an fma, with parameters in both. That is what clang's fast-math joins.
struct Own {
    using result_type = float;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::value;
    float scale, offset;
    struct Map {
        float scale, offset;
        template <class L> RNG_FN rng::lane::f32<L> operator()(rng::lane::u32<L> w) const {
            using F = rng::lane::f32<L>;
            const auto product = rng::lane::mul(rng::lane::signed_to_f32(rng::lane::shr<8>(w)), F(scale));
            return rng::lane::fma(product, F(scale), F(offset));
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {scale, offset}; }
};

bool own_map_rounds_each_operation() {
    // By a pointer: without FMA hardware clang's fast-math makes a product and a sum of std::fma itself.
    float (*const volatile fused)(float, float, float) = std::fmaf;
    const rng::Stream<> stream(7, 9, 1);
    const float scale = unknown(0.7f), offset = unknown(0.3f);
    std::vector<float> expected(20000);
    for (uint64_t i = 0; i < expected.size(); ++i) {
        const float product = unknown(static_cast<float>(rng::word(stream, 1 + i) >> 8) * scale);
        expected[i] = unknown(fused(product, scale, offset));
    }
    const auto literal = [] { return Own{0.7f, 0.3f}; };
    return same_bits(by_at(literal, stream, expected.size()), expected) &&
           same_bits(by_cursor(literal, stream, expected.size()), expected) &&
           arithmetic_is_outside(literal, stream, expected, [](float x) { return 3.0f - x; });
}

}  // namespace

#define LITERAL(dist, parameters, seed, id, position, n, golden) \
    print_golden([] { return dist{RNG_SPREAD parameters}; }, rng::Stream<>(seed, id, position), n, golden);
#define RNG_SPREAD(...) __VA_ARGS__
#if !defined(RNG_MATRIX_COMPILERS)
#define RNG_MATRIX_COMPILER 0
#define RNG_MATRIX_COMPILERS 1
#endif
// Stands before a statement that this compiler may leave to another one: then nothing is compiled.
#define IF_TAKEN if constexpr (RNG_MATRIX_COMPILERS == 1 || __COUNTER__ % 2 == RNG_MATRIX_COMPILER % 2)
#define RUN_TIME_1(dist, a) \
    IF_TAKEN compare([] { return rng::dist{a}; }, [x = unknown(a)] { return rng::dist{x}; }, #dist " " #a);
#define RUN_TIME_2(dist, a, b)             \
    IF_TAKEN compare(                      \
        [] {                               \
            return rng::dist{a, b};        \
        },                                 \
        [x = unknown(a), y = unknown(b)] { \
            return rng::dist{x, y};        \
        },                                 \
        #dist " " #a " " #b);

int main() {
#include "literals.inc"
    // Rates, means and bounds as programs have them.
    RUN_TIME_1(exponential, 3.0f)
    RUN_TIME_1(exponential, 0.7f)
    RUN_TIME_1(exponential, 10.0f)
    RUN_TIME_1(exponential, 3.0)
    RUN_TIME_1(exponential, 0.1)
    RUN_TIME_2(normal, 0.0f, 3.0f)
    RUN_TIME_2(normal, 170.0f, 7.5f)
    RUN_TIME_2(normal, 0.0, 0.1)
    RUN_TIME_2(normal_icdf, 100.0f, 15.0f)
    RUN_TIME_2(normal_icdf, 0.0, 3.0)
    RUN_TIME_1(complex_normal, 0.3f)
    RUN_TIME_1(complex_normal, 3.0)
    RUN_TIME_2(uniform, -1.0f, 1.0f)
    RUN_TIME_2(uniform, 0.0f, 0.1f)
    RUN_TIME_2(uniform, -3.0, 7.0)
    RUN_TIME_2(uniform_open, 0.0f, 360.0f)
    RUN_TIME_2(uniform_open_closed, 0.1, 0.9)
    RUN_TIME_2(uniform_int, 1, 6)
    RUN_TIME_1(bernoulli, 0.3)
    RUN_TIME_1(poisson, 3.5)
    RUN_TIME_1(poisson, 200.3)
    RUN_TIME_1(poisson, 1000.7)
    RUN_TIME_2(binomial, 20, 0.3)
    RUN_TIME_2(binomial, 1000, 0.7)
    RUN_TIME_2(binomial, 1'000'000, 0.1)
    RUN_TIME_1(geometric, 0.3)
    RUN_TIME_2(negative_binomial, 2.5, 0.25)
    RUN_TIME_2(negative_binomial, 2000.0, 0.3)
    RUN_TIME_2(negative_binomial, 3.5, 0.001)
    RUN_TIME_2(noncentral_chi_squared, 0.3f, 1.7f)
    RUN_TIME_2(noncentral_chi_squared, 5.3, 700.1)
    RUN_TIME_2(zipf, 1.25, 1000)
    RUN_TIME_2(zipf, 1.01, 1000)
    RUN_TIME_1(log_series, 0.9)
    std::printf("run-time own map %s\n", own_map_rounds_each_operation() ? "equal" : "DIFFERENT");
    // A parameter that is a product of the program's own: rounded before the distribution has it.
    const auto product = [](const auto& make, auto a, const char* text) __attribute__((always_inline))->void {
        bool equal = true;
        for (int k = 0; k < 256; ++k) {
            const auto x = unknown(a + decltype(a)(k) / 512), product = unknown(x * a);
            const rng::Stream<> stream(7, 9, 1);
            equal &= same_bits(by_at([&] { return make(x * a); }, stream, 64),
                               by_at([&] { return make(product); }, stream, 64));
        }
        std::printf("run-time %s %s\n", text, equal ? "equal" : "DIFFERENT");
    };
    IF_TAKEN product([](float p) { return rng::uniform{0.1f, p}; }, 0.7f, "uniform 0.1f a*b");
    IF_TAKEN product([](double p) { return rng::uniform{0.1, p}; }, 0.7, "uniform 0.1 a*b");
    IF_TAKEN product([](float p) { return rng::normal{p, 0.3f}; }, 0.7f, "normal a*b 0.3f");
    IF_TAKEN product([](float p) { return rng::normal{0.1f, p}; }, 0.7f, "normal 0.1f a*b");
    IF_TAKEN product([](float p) { return rng::normal_icdf{0.1f, p}; }, 0.7f, "normal_icdf 0.1f a*b");
    IF_TAKEN product([](float p) { return rng::complex_normal{p}; }, 0.7f, "complex_normal a*b");
    IF_TAKEN product([](double p) { return rng::complex_normal{p}; }, 0.7, "complex_normal a*b of double");
    IF_TAKEN product([](float p) { return rng::exponential{p}; }, 0.7f, "exponential a*b");
    IF_TAKEN product([](double p) { return rng::bernoulli{p}; }, 0.3, "bernoulli a*b");
    IF_TAKEN product([](double p) { return rng::poisson{100 * p}; }, 0.7, "poisson 100*a*b");
    IF_TAKEN product([](double p) { return rng::binomial{100, p}; }, 0.3, "binomial 100 a*b");
    IF_TAKEN product([](double p) { return rng::geometric{p}; }, 0.3, "geometric a*b");
    return std::ferror(stdout) ? 1 : 0;
}
