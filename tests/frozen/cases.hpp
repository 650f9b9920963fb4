// Random cases: what a case is, the numbers that it is made of, and the cases that rng.h reaches.
//
// A case is a pure function of the name of its family, its number, and the number of the attempt: the first of 16
// attempts that release 0.1.0 accepted counts. So a range that grows later changes no case. Nothing here may change:
// its numbers come from SplitMix64 and from exact operations, never from the library or from libm. An expression has at
// most one random number, since the order of operands is the compiler's.
#pragma once

#include <rng/rng.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace frozen {

/// FNV-1a, 64 bits, of numbers as little-endian bytes.
class Digest {
  public:
    void add_bytes(const void* first, size_t n) {
        const auto* bytes = static_cast<const unsigned char*>(first);
        for (size_t i = 0; i < n; ++i) add_byte(bytes[i]);
    }
    /// Numbers of `width` bytes each.
    void add_numbers(const void* first, size_t bytes, size_t width) {
        const auto* p = static_cast<const unsigned char*>(first);
        if constexpr (std::endian::native == std::endian::little) return add_bytes(p, bytes);
        for (size_t i = 0; i < bytes; i += width)
            for (size_t k = width; k-- > 0;) add_byte(p[i + k]);
    }
    template <class T> void add(const T& number) { add_numbers(&number, sizeof number, sizeof number); }
    template <class List> void add_all(const List& numbers) {
        for (const auto& number : numbers) add(number);
    }
    [[nodiscard]] uint64_t value() const { return value_; }

  private:
    void add_byte(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3; }
    uint64_t value_ = 0xcbf29ce484222325;
};

/// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    /// An integer below n, nearly uniform.
    uint64_t below(uint64_t n) { return next() % n; }
    bool one_in(uint64_t n) { return below(n) == 0; }
    template <class List> const auto& pick(const List& list) { return list[below(list.size())]; }

    /// An integer of so many bits: small ones, neighbours of powers of two, and any.
    uint64_t corner(int bits) {
        const uint64_t mask = ~uint64_t{0} >> (64 - bits);
        switch (below(4)) {
            case 0: return below(64) & mask;
            case 1: {
                const uint64_t k = below(static_cast<uint64_t>(bits) + 1);
                return ((k == 64 ? 0 : uint64_t{1} << k) - 1 + below(3)) & mask;
            }
            case 2: return below(5000) & mask;
            default: {
                const uint64_t dropped = 63 - below(static_cast<uint64_t>(bits));
                return next() >> dropped;
            }
        }
    }

  private:
    uint64_t state_;
};

/// 2^e.
inline double power_of_two(int e) { return std::bit_cast<double>(static_cast<uint64_t>(1023 + e) << 52); }

/// What a case is made of, and what it gives.
struct Case {
    Random random;
    bool is_plain = false;        // true: default parameters, at the stream's beginning; of the last attempt
    std::string* text = nullptr;  // where to say what the case is, if anybody asks
    Digest digest{};

    void note(std::string_view words) {
        if (text != nullptr) text->append(" ").append(words);
    }
    template <class T> void note(const char* name, T number) {
        if (text == nullptr) return;
        char digits[40];
        if constexpr (std::is_floating_point_v<T>)
            std::snprintf(digits, sizeof digits, "=%a", static_cast<double>(number));
        else if constexpr (std::is_signed_v<T>)
            std::snprintf(digits, sizeof digits, "=%lld", static_cast<long long>(number));
        else
            std::snprintf(digits, sizeof digits, "=%llu", static_cast<unsigned long long>(number));
        text->append(" ").append(name).append(digits);
    }
};

/// A row of the table. run() returns false if the library refuses the case.
struct Family {
    std::string name;
    int cases;
    std::function<bool(Case&)> run;
};

// ---- Parameters

/// Which numbers a parameter takes.
enum class Sign { positive, positive_or_zero, any, integer };

/// Powers of two: the ends of a range (docs/contract.md, section 7); for an integer, how many bits it may have.
struct Range {
    int least, most;
};

/// A parameter, its ranges, and the limits between the methods by which values are made.
struct Parameter {
    const char* name;
    Sign sign;
    Range f32, f64;
    std::vector<double> limits{};
    std::vector<double> quotients{};  // limits of this parameter times the one before it
};

inline Parameter scale(const char* name = "scale") { return {name, Sign::positive, {-76, 90}, {-900, 900}}; }
inline Parameter location(const char* name = "loc") { return {name, Sign::any, {-76, 126}, {-900, 1022}, {0}}; }
inline Parameter positive(const char* name, Range f32, Range f64, std::vector<double> limits = {}) {
    return {name, Sign::positive, f32, f64, std::move(limits)};
}
inline Parameter probability(int least32, int least64, std::vector<double> limits, std::vector<double> quotients = {}) {
    return {"p", Sign::positive_or_zero, {least32, 0}, {least64, 0}, std::move(limits), std::move(quotients)};
}
inline Parameter integer(const char* name, int bits32, int bits64) {
    return {name, Sign::integer, {0, bits32}, {0, bits64}};
}

/// The parameters of a distribution.
struct Law {
    const char* name;
    std::vector<Parameter> parameters;
};

inline const std::vector<Law>& laws() {
    constexpr double inf = std::bit_cast<double>(uint64_t{0x7ff} << 52);
    const Range bound32{-100, 126}, bound64{-900, 1022}, shape32{-6, 40}, shape64{-9, 60}, power32{-20, 40},
        power64{-40, 60}, gamma32{-20, 30}, gamma64{-40, 60}, beta32{-20, 24}, nu32{-19, 31}, nu64{-39, 61},
        fisher32{-19, 25}, wald32{-60, 60}, wald64{-400, 400}, lambda32{-100, 31}, lambda64{-900, 61};
    const auto bound = [&](const char* name, std::vector<double> limits) {
        return Parameter{name, Sign::any, bound32, bound64, std::move(limits)};
    };
    const std::vector<Parameter> interval{bound("lo", {0, -1, 1}), bound("hi", {0, 1, 2})};
    const std::vector<Parameter> normal{location("mean"), {"stddev", Sign::positive_or_zero, {-76, 120}, {-900, 1000}}};
    const std::vector<Parameter> place_and_scale{location(), scale()};
    const std::vector<Parameter> a_and_b{positive("a", beta32, gamma64, {1}), positive("b", beta32, gamma64, {1})};
    const Parameter nu = positive("nu", nu32, nu64, {2});
    const Parameter lambda{"lambda", Sign::positive_or_zero, lambda32, lambda64, {0, 512, 1024}};
    static const std::vector<Law> all{
        {"bits", {}},
        {"rademacher", {}},
        {"unit_vector2", {}},
        {"unit_vector3", {}},
        {"unit_vector4", {}},
        {"uniform_dense", {}},
        {"uniform", interval},
        {"uniform_open", interval},
        {"uniform_open_closed", interval},
        {"normal", normal},
        {"normal_icdf", normal},
        {"complex_normal", {{"stddev", Sign::positive_or_zero, {-75, 120}, {-899, 1000}}}},
        {"exponential", {positive("rate", {-120, 90}, {-1000, 900}, {1})}},
        {"lognormal",
         {{"mu", Sign::any, {-70, 6}, {-900, 9}, {80, 700}}, {"sigma", Sign::positive_or_zero, {-70, 6}, {-900, 6}}}},
        {"half_normal", {scale("sigma")}},
        {"laplace", place_and_scale},
        {"logistic", place_and_scale},
        {"gumbel", place_and_scale},
        {"weibull", {positive("shape", shape32, shape64, {1, 2}), scale()}},
        {"frechet", {positive("shape", shape32, shape64, {1, 2}), scale()}},
        {"pareto", {positive("shape", shape32, shape64, {1, 2}), scale()}},
        {"lomax", {positive("shape", {-6, 20}, shape64, {1}), positive("scale", {-60, 60}, {-800, 800})}},
        {"power", {positive("shape", {-20, 60}, power64, {1, 2})}},
        {"kumaraswamy", {positive("a", power32, power64, {1}), positive("b", power32, power64, {1})}},
        {"rayleigh", {scale("sigma")}},
        {"maxwell", {scale("sigma")}},
        {"double_sided_maxwell", place_and_scale},
        {"triangular", {bound("left", {0, -1}), bound("mode", {0, 0.5}), bound("right", {0, 1, 2})}},
        {"cauchy", place_and_scale},
        {"half_cauchy", {scale()}},
        {"student_t", {positive("nu", {0, 60}, {-2, 60}, {0.15, 0.6, 1, 2})}},
        {"inverse_gaussian", {positive("mean", wald32, wald64, {1}), positive("lambda", wald32, wald64, {1})}},
        {"exponentially_modified_normal",
         {location(), positive("scale", {-46, 90}, {-800, 900}), positive("shape", {-20, 20}, {-40, 40}, {1})}},
        {"gamma", {positive("shape", gamma32, gamma64, {1.0 / 3, 1}), positive("scale", {-50, 90}, {-800, 900})}},
        {"log_gamma", {positive("shape", gamma32, gamma64, {1.0 / 3, 1})}},
        {"inverse_gamma",
         {positive("shape", gamma32, gamma64, {1.0 / 3, 1}), positive("scale", {-90, 50}, {-900, 800})}},
        {"chi_squared", {nu}},
        {"chi", {nu}},
        {"beta", a_and_b},
        {"beta_prime", a_and_b},
        {"fisher_f", {positive("d1", fisher32, nu64, {2}), positive("d2", fisher32, nu64, {2})}},
        {"generalized_normal",
         {location(), positive("scale", {-28, 30}, {-500, 500}), positive("shape", {-4, 20}, {-6, 40}, {1, 2})}},
        {"truncated_normal",
         {location("mean"), scale("stddev"), bound("lo", {-inf, -1, 0, 0.5, 1, 4096}),
          bound("hi", {inf, 0, 1, 1.5, 2, 4097})}},
        {"von_mises",
         {{"mu", Sign::any, {-76, 1}, {-900, 1}, {0, 0x1.921fb4p+1, 0x1.921fb54442d18p+1}},
          {"kappa", Sign::positive_or_zero, {-40, 40}, {-60, 60}, {0, 1}}}},
        {"noncentral_chi_squared", {nu, lambda}},
        {"noncentral_f", {positive("d1", nu32, nu64, {2}), positive("d2", nu32, nu64, {2}), lambda}},
        {"uniform_int", {integer("lo", 64, 64), integer("hi", 64, 64)}},
        {"bernoulli", {probability(-40, -40, {0.5, 1, 0x1p-32, 0x1p-33})}},
        {"poisson", {{"mean", Sign::positive_or_zero, {-60, 30}, {-60, 62}, {16, 256, 0x1p52}}}},
        {"binomial", {integer("trials", 31, 62), probability(-60, -60, {0.5, 1}, {16, 256, 512})}},
        {"geometric", {probability(-25, -44, {0.5, 1})}},
        {"hypergeometric", {integer("good", 31, 52), integer("bad", 31, 52), integer("draws", 31, 53)}},
        {"negative_binomial",
         {positive("r", {-20, 60}, {-20, 60}, {1, 256, 1024}), probability(-24, -40, {0.03125, 0.5, 1})}},
        {"zipf", {{"a", Sign::positive_or_zero, {-60, 10}, {-60, 10}, {1, 1.03125, 2}}, integer("most", 31, 45)}},
        {"log_series", {probability(-60, -60, {0.5, 1 - 0x1p-25, 1 - 0x1p-45})}}};
    return all;
}

/// A type of values: how its parameters are rounded, and the size of its numbers.
struct Type {
    std::string_view dtype;
    int mantissa;   // bits of a parameter after the leading one
    size_t width;   // bytes of a number
    bool is_small;  // its parameters have the ranges of f32 or i32

    explicit Type(const char* name) : dtype(name), mantissa(52), width(8), is_small(true) {
        const auto is_one_of = [this](auto... names) { return ((dtype == names) || ...); };
        if (is_one_of("f32", "c64", "f32x2", "f32x3", "f32x4")) mantissa = 23;
        if (dtype == "f16") mantissa = 10;
        if (dtype == "bf16") mantissa = 7;
        if (mantissa == 23 || is_one_of("i32", "u32")) width = 4;
        if (is_one_of("f16", "bf16", "i16", "u16")) width = 2;
        if (is_one_of("i8", "u8")) width = 1;
        if (width == 8) is_small = false;
    }
};

/// A real number for the parameter; `before` is the parameter before it.
inline double real_for(Random& random, const Parameter& parameter, const Type& type, double before) {
    Range range = type.is_small ? parameter.f32 : parameter.f64;
    if (type.dtype == "f16") range = {range.least < -14 ? -14 : range.least, range.most > 12 ? 12 : range.most};
    const double ulp = power_of_two(-type.mantissa);
    const auto power = [&](int least, int most) {
        return power_of_two(least + static_cast<int>(random.below(static_cast<uint64_t>(most - least) + 1)));
    };
    const auto between = [&](int least, int most) {
        const double significand = 1 + static_cast<double>(random.next() >> (64 - type.mantissa)) * ulp;
        return significand * power(least, most);
    };
    const auto beside = [&](double x) {  // x, or a neighbour
        const uint64_t which = random.below(4);
        return which == 0 ? x * (1 + ulp) : which == 1 ? x * (1 - ulp / 2) : x;
    };
    double x = 0;
    switch (random.below(8)) {
        case 0: x = power_of_two(random.one_in(2) ? range.least : range.most); break;
        case 1:
            x = random.one_in(2) ? power_of_two(range.least) * (1 + ulp) : power_of_two(range.most) * (1 - ulp / 2);
            break;
        case 2:
            if (!parameter.quotients.empty() && before > 0) {
                x = beside(random.pick(parameter.quotients) / before);
                break;
            }
            [[fallthrough]];
        case 3:
            x = parameter.limits.empty() ? static_cast<double>(1 + random.below(8))
                                         : beside(random.pick(parameter.limits));
            break;
        case 4: x = power(range.least, range.most); break;
        case 5: x = between(range.least, range.most); break;
        case 6: x = static_cast<double>(1 + random.below(40)) / 4; break;
        default: x = between(-6, 6);
    }
    if (parameter.sign == Sign::any && random.one_in(2)) x = -x;
    if (parameter.sign != Sign::positive && random.one_in(12)) x = 0;
    return x;
}

/// Random parameters of a law, with their names; about one in eight is left out, and has its default.
inline std::vector<rng_parameter> parameters_for(Case& c, const Law& law, const Type& type) {
    std::vector<rng_parameter> given;
    double before = 0;
    uint64_t integer_before = 0;
    for (const Parameter& parameter : law.parameters) {
        if (c.random.one_in(8)) continue;
        if (parameter.sign == Sign::integer) {
            const int most = type.is_small ? parameter.f32.most : parameter.f64.most;
            const int width = static_cast<int>(8 * type.width), bits = most < width ? most : width;
            uint64_t x = c.random.corner(bits);
            if (bits == width && c.random.one_in(2)) x = 0 - x;
            if (std::string_view(parameter.name) == "hi") x = integer_before + c.random.corner(bits) - 1;
            const int unused = 64 - width;
            const bool is_signed = type.dtype[0] == 'i';
            x = is_signed ? static_cast<uint64_t>(static_cast<int64_t>(x << unused) >> unused) : x << unused >> unused;
            integer_before = x;
            before = static_cast<double>(static_cast<int64_t>(x));
            given.push_back({parameter.name, is_signed ? RNG_INTEGER : RNG_NATURAL, static_cast<int64_t>(x), 0});
            is_signed ? c.note(parameter.name, static_cast<int64_t>(x)) : c.note(parameter.name, x);
        } else {
            before = real_for(c.random, parameter, type, before);
            given.push_back({parameter.name, RNG_REAL, 0, before});
            c.note(parameter.name, before);
        }
    }
    return given;
}

// ---- Cases of rng.h

#define RNG_FROZEN_CALLS(X) \
    X(stream_init)          \
    X(stream_fork)          \
    X(stream_fork_name)     \
    X(stream_save)          \
    X(stream_load)          \
    X(distribution_new) X(distribution_free) X(distribution_describe) X(fill) X(fill_next) X(permutation) X(version)

/// What of rng.h a case calls: functions of the library that this program is linked with, or of one that it loads.
struct Library {
#define RNG_FROZEN_MEMBER(name) decltype(&rng_##name) name = &rng_##name;
    RNG_FROZEN_CALLS(RNG_FROZEN_MEMBER)
#undef RNG_FROZEN_MEMBER
};

/// The engines; half of the cases have the default.
inline const char* engine_for(Random& random) {
    static constexpr const char* others[] = {"philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20"};
    return random.one_in(2) ? "philox4x32-10" : others[random.below(4)];
}
inline uint64_t words_of(std::string_view engine) {
    return uint64_t{1} << (engine.find("x64") != std::string_view::npos ? 59 : 58);
}

/// A stream at position 0: seeds and ids near 0, near powers of two and any, and children.
inline rng_stream stream_for(Case& c, const Library& library, const char* engine) {
    static constexpr const char* names[] = {"", "a", "worker", "sixteen byte nam", "seventeen byte nm"};
    const uint64_t seed = c.random.corner(64), id = c.random.one_in(2) ? 0 : c.random.corner(64);
    rng_stream stream{};
    library.stream_init(&stream, seed, engine, id);
    c.note(engine), c.note("seed", seed), c.note("id", id);
    for (uint64_t forks = c.random.one_in(3) ? 1 + c.random.below(2) : 0; forks > 0; --forks)
        if (c.random.one_in(3)) {
            const char* const name = names[c.random.below(5)];
            library.stream_fork_name(&stream, name, &stream);
            c.note("fork"), c.note(name);
        } else {
            const uint64_t tag = c.random.corner(56);
            library.stream_fork(&stream, tag, &stream);
            c.note("fork", tag);
        }
    return stream;
}
inline void add_stream(Digest& digest, const Library& library, const rng_stream& stream) {
    unsigned char state[RNG_STATE_BYTES];
    library.stream_save(&stream, state);
    digest.add_bytes(state, sizeof state);
}
/// A position in words, near 0, anywhere, or so near to the end that `taken` words may be the last ones.
inline uint64_t position_for(Random& random, uint64_t size, uint64_t taken) {
    switch (random.below(8)) {
        case 0: return random.corner(58) % size;
        case 1: return size - taken - random.below(12);
        case 2:
        case 3: return random.below(70);
        default: return 0;
    }
}

/// How many values of so many bytes: few, some tiles of 8 KiB and their neighbours, and what several threads share.
inline size_t length_for(Random& random, size_t value_bytes) {
    if (random.one_in(300)) return (size_t{256} << 10) / value_bytes + random.below(9);
    if (random.one_in(40)) {
        const size_t tiles = 8192 * (1 + random.below(2)) / value_bytes;
        return tiles - 2 + random.below(5);
    }
    if (random.one_in(40)) return 0;
    return 1 + random.below(random.one_in(4) ? 70 : 12);
}

/// Values of a distribution of the catalogue: a fill from an address, or two that move the stream on.
inline bool values(Case& c, const Library& library, const Law& law, const Type& type) {
    rng_distribution* dist = nullptr;
    const auto given = c.is_plain ? std::vector<rng_parameter>{} : parameters_for(c, law, type);
    if (library.distribution_new(law.name, type.dtype.data(), given.data(), given.size(), &dist) != RNG_OK)
        return false;
    rng_distribution_info info{};
    info.struct_bytes = sizeof info;
    library.distribution_describe(dist, &info);
    const char* const engine = engine_for(c.random);
    rng_stream stream = stream_for(c, library, engine);
    const size_t n = length_for(c.random, info.value_bytes), offset = c.random.below(8), half = c.random.below(n + 1);
    if (!c.is_plain) stream.position = position_for(c.random, words_of(engine), n * info.slot_words);
    const bool is_addressed = c.random.one_in(2);
    const uint64_t first = c.is_plain || !c.random.one_in(4) ? 0 : c.random.corner(56);
    c.note("position", stream.position), c.note("n", n);
    is_addressed ? c.note("first", first) : c.note("half", half);
    std::vector<std::max_align_t> memory((n + offset) * info.value_bytes / sizeof(std::max_align_t) + 1);
    unsigned char* const out = reinterpret_cast<unsigned char*>(memory.data()) + offset * info.value_bytes;
    const bool is_made =
        is_addressed ? library.fill(dist, &stream, first, out, n, nullptr) == RNG_OK
                     : library.fill_next(dist, &stream, out, half, nullptr) == RNG_OK &&
                           library.fill_next(dist, &stream, out + half * info.value_bytes, n - half, nullptr) == RNG_OK;
    library.distribution_free(dist);
    if (!is_made) return false;
    c.digest.add_numbers(out, n * info.value_bytes, type.width);
    c.digest.add(info.slot_words);
    add_stream(c.digest, library, stream);
    return true;
}

/// Values of a permutation.
inline bool permutation_values(Case& c, const Library& library) {
    const char* const engine = engine_for(c.random);
    rng_stream stream = stream_for(c, library, engine);
    stream.position = position_for(c.random, words_of(engine), 4);
    const uint64_t n = c.random.one_in(3) ? 2047 + c.random.below(4) : c.random.corner(62) + 1;
    const uint64_t k = c.random.one_in(2) ? 0 : c.random.corner(30),
                   first = c.random.one_in(2) ? 0 : c.random.next() % n;
    const uint64_t count = c.random.below(n - first < 40 ? n - first + 1 : 40);
    c.note("position", stream.position), c.note("k", k), c.note("n", n), c.note("first", first), c.note("count", count);
    std::vector<uint64_t> out(count + 1);
    if (library.permutation(&stream, k, n, first, out.data(), count) != RNG_OK) return false;
    c.digest.add_all(out);
    return true;
}

/// Children, and a state that is saved and read.
inline bool streams(Case& c, const Library& library) {
    rng_stream stream = stream_for(c, library, engine_for(c.random)), read{};
    stream.position = c.random.corner(58);
    unsigned char state[RNG_STATE_BYTES];
    library.stream_save(&stream, state);
    if (library.stream_load(&read, state) != RNG_OK) return false;
    c.digest.add_bytes(state, sizeof state);
    c.digest.add(read.version);
    c.digest.add(read.engine);
    for (const uint64_t key : read.key) c.digest.add(key);
    c.digest.add(read.id);
    c.digest.add(read.position);
    return true;
}

}  // namespace frozen
