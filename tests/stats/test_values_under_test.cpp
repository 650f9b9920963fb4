// Values under test:
// - NumPy files of every type and byte order, and files that are refused,
// - every distribution of the catalogue against its law on 2^22 values,
// - generators whose flaws Box and Muller's method hides until its pairs are inverted.
#include <rng/core/error.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/values.hpp>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <numbers>
#include <random>
#include <utility>

#include <gtest/gtest.h>

#include <rng/stats/values_under_test.hpp>

namespace {

using namespace rng::stats;

/// A file that is removed with this.
class TemporaryFile {
  public:
    explicit TemporaryFile(const std::string& content)
        : name_((std::filesystem::temp_directory_path() / ("values" + std::to_string(::getpid()) + ".npy")).string()) {
        std::FILE* const file = std::fopen(name_.c_str(), "wb");
        std::fwrite(content.data(), 1, content.size(), file);
        std::fclose(file);
    }
    ~TemporaryFile() { std::remove(name_.c_str()); }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& name() const { return name_; }

  private:
    std::string name_;
};

/// A file of format 1.0, or of 2.0.
std::string npy(const std::string& descr, const std::string& shape, const std::string& data, int version = 1) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }";
    const std::size_t start = version == 1 ? 10 : 12;
    while ((start + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string file = std::string("\x93NUMPY") + static_cast<char>(version) + '\0';
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(header.size() >> (8 * i));
    return file + header + data;
}

template <class T> std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
    std::string bytes;
    for (const T& value : values) {
        char raw[sizeof(T)];
        std::memcpy(raw, &value, sizeof(T));
        if (swapped) std::reverse(raw, raw + sizeof(T));
        bytes.append(raw, sizeof(T));
    }
    return bytes;
}

std::vector<double> values_of(const std::string& content, const std::string& distribution, std::size_t asked = 100) {
    const TemporaryFile file(content);
    std::vector<double> values(asked);
    const GeneratorUnderTest generator = npy_under_test(file.name(), distribution);
    values.resize(dynamic_cast<ValueSource&>(*generator.source).read_values(0, values));
    EXPECT_EQ(generator.source->size(), values.size() * 4);
    return values;
}

TEST(NpyValues, EveryTypeAndByteOrder) {
    const std::vector<double> three{1, 0, 3};
    const auto expect = [&]<class T>(T, const std::string& type) {
        std::vector<T> values;
        for (const double x : three) values.push_back(static_cast<T>(static_cast<float>(x)));
        const std::string law = type[0] == 'f' ? "normal" : "uniform_int(lo=0,hi=9)";
        EXPECT_EQ(values_of(npy("<" + type, "(3,)", bytes_of(values)), law), three) << type;
        EXPECT_EQ(values_of(npy(">" + type, "(3, 1)", bytes_of(values, true), 2), law), three) << type;
    };
    expect(rng::float16{}, "f2");
    expect(float{}, "f4");
    expect(double{}, "f8");
    expect(int8_t{}, "i1");
    expect(int16_t{}, "i2");
    expect(int32_t{}, "i4");
    expect(int64_t{}, "i8");
    expect(uint8_t{}, "u1");
    expect(uint16_t{}, "u2");
    expect(uint32_t{}, "u4");
    expect(uint64_t{}, "u8");
    EXPECT_EQ(values_of(npy("|b1", "(2, 2)", std::string("\0\1\1\0", 4)), "bernoulli(p=0.5)"),
              (std::vector<double>{0, 1, 1, 0}));
    EXPECT_EQ(values_of(npy("<c8", "(2,)", bytes_of(std::vector<float>{1, 2, 3, 4})), "complex_normal"),
              (std::vector<double>{1, 2, 3, 4}));
    EXPECT_EQ(values_of(npy(">c16", "(1,)", bytes_of(std::vector<double>{1, -2}, true)), "normal"),
              (std::vector<double>{1, -2}));
    // Directions are judged by their coordinates, which take turns.
    EXPECT_EQ(values_of(npy("<f8", "(2, 3)", bytes_of(std::vector<double>{0, 1, 0, 0.6, 0, 0.8})), "unit_vector3"),
              (std::vector<double>{0.5, 0.25, std::floor(0x1p40 * 0.1) / 0x1p40, 0}));
    EXPECT_EQ(values_of(npy(">f4", "(1, 4)", bytes_of(std::vector<float>{0, 0, -1, 0}, true)), "unit_vector4"),
              (std::vector<double>{0, 0, 0.5}));
    EXPECT_EQ(values_of(npy("<c8", "(2,)", bytes_of(std::vector<float>{0, 1, 0, -1})), "unit_vector2"),
              (std::vector<double>{0.25, 0.75}));
    // Beyond 2^53 the lower bound is taken off first.
    EXPECT_EQ(values_of(npy("<i8", "(2,)", bytes_of(std::vector<int64_t>{INT64_MAX, INT64_MAX - 5})),
                        "uniform_int(lo=9223372036854775800)"),
              (std::vector<double>{7, 2}));
}

TEST(NpyValues, WhatIsWrongIsSaid) {
    const auto message = [](const std::string& content, const std::string& distribution) -> std::string {
        const TemporaryFile file(content);
        try {
            static_cast<void>(npy_under_test(file.name(), distribution));
        } catch (const rng::Error& error) {
            std::string text = error.what();
            if (const auto at = text.find(file.name()); at != std::string::npos)
                text.replace(at, file.name().size(), "F");
            return text;
        }
        return "taken";
    };
    const std::string good = npy("<f4", "(2,)", std::string(8, '\0'));
    EXPECT_EQ(message(good, "normal"), "taken");
    EXPECT_EQ(message("no such thing at all", "normal"), "npy: F must be a NumPy file: it has not its first six bytes");
    EXPECT_EQ(message("", "normal"), "npy: F must be a NumPy file: it has not its first six bytes");
    EXPECT_EQ(message(good.substr(0, 40), "normal"), "npy: F ends inside its header");
    EXPECT_EQ(message(good.substr(0, good.size() - 1), "normal"),
              "npy: F is cut short: 2 values of 4 bytes, after its header it has 7 bytes");
    EXPECT_EQ(message(npy("<U4", "(2,)", std::string(32, '\0')), "normal"),
              "npy: F must be of type f2, f4, f8, c8, c16, b1, i1 to i8 or u1 to u8, got <U4");
    EXPECT_EQ(message(npy("<f4", "(99999999999, 99999999999)", ""), "normal"),
              "npy: F has a shape of more than 2^64 elements");
    EXPECT_EQ(message(npy("<i4", "(2,)", std::string(8, '\0')), "normal"),
              "distribution: type of normal must be one of f2, f4, f8, c8, c16, got i4");
    EXPECT_EQ(message(npy("|u1", "(2,)", std::string(2, '\0')), "uniform_int(hi=256)"),
              "distribution: hi must be a whole number that its type holds, got 256");
    EXPECT_EQ(message(good, "unit_vector3"), "distribution: vectors must have 3 parts, got 2 numbers");
    EXPECT_EQ(message(npy("<f2", "(2,)", std::string(4, '\0')), "unit_vector2"),
              "distribution: type of unit_vector2 must be one of f4, f8, c8, c16, got f2");
    EXPECT_EQ(message(good, "uniform(bits=0)"), "uniform_law: bits must be in [1, 53], got 0");
    EXPECT_THROW(static_cast<void>(npy_under_test("/nonexistent.npy", "normal")), rng::Error);
}

// Bytes of the header are replaced, removed, inserted or swapped. Each file is read as far as it goes, or refused with
// an error.
TEST(NpyValues, DamagedHeadersAreReadOrRefused) {
    std::mt19937_64 engine(23);
    const std::string of_python = "{}()[]'\":, LTrueFalse<>|=fc0123456789\n\0\xff";
    int taken = 0, refused = 0;
    for (int i = 0; i < 4000; ++i) {
        const bool is_long = i % 2 == 1;
        std::string file =
            npy(i % 3 == 0 ? ">c8" : "<f4", i % 5 == 0 ? "(2, 4L)" : "(8,)", std::string(64, '\1'), is_long ? 2 : 1);
        const std::size_t end = file.size() - 64;
        for (std::size_t changes = 1 + engine() % 3; changes > 0; --changes) {
            const std::size_t at = engine() % end;
            const char c = engine() % 4 == 0 ? static_cast<char>(engine()) : of_python[engine() % of_python.size()];
            switch (engine() % 4) {
                case 0: file[at] = c; break;
                case 1: file.erase(at, 1 + engine() % 8); break;
                case 2: file.insert(at, 1 + engine() % 3, c); break;
                default: std::swap(file[at], file[engine() % end]);
            }
        }
        const TemporaryFile written(file);
        try {
            const GeneratorUnderTest generator = npy_under_test(written.name(), "normal");
            std::vector<double> values(100);
            auto& source = dynamic_cast<ValueSource&>(*generator.source);
            EXPECT_EQ(source.read_values(0, values), std::min<uint64_t>(*source.size() / 4, 100));
            ++taken;
        } catch (const rng::Error& error) {
            const std::string message = error.what();
            EXPECT_TRUE(message.find(written.name()) != std::string::npos || message.find("distribution: ") == 0)
                << message;
            ++refused;
        }
    }
    EXPECT_GT(taken, 40);
    EXPECT_GT(refused, 400);
}

TEST(NpyValues, AreTested) {
    std::mt19937_64 engine(11);
    std::vector<float> values(1 << 20);
    for (float& x : values) x = static_cast<float>(engine() >> 44) * 0x1p-20f;
    const TemporaryFile file(npy("<f4", "(1024, 1024)", bytes_of(values)));
    Options options;
    options.only = {"cells4096", "anderson-darling", "moments", "tails", "support", "freq16"};
    // As values of 24 bits their last four are not random; as values of 20 bits they are sound.
    const Report coarse = run_battery(npy_under_test(file.name(), "uniform"), options);
    EXPECT_EQ(coarse.verdict, Verdict::fail);
    const Report right = run_battery(npy_under_test(file.name(), "uniform(bits=20)"), options);
    EXPECT_EQ(right.verdict, Verdict::pass) << right.worst()->name();
    EXPECT_TRUE(right.source_ended);
    EXPECT_EQ(right.bytes, 4u << 20);
    const Report wrong = run_battery(npy_under_test(file.name(), "uniform(bits=20,hi=1.01)"), options);
    EXPECT_EQ(wrong.verdict, Verdict::fail);
}

/// The distribution's values pass the tests of values.
void expect_pass(const std::string& distribution, const std::string& dtype, const DistributionOptions& how = {},
                 uint64_t values = uint64_t{1} << 18) {
    Options options;
    options.bytes = 4 * values;
    options.only = {"cells4096", "anderson-darling", "moments", "tails", "support", "freq16"};
    const Report report = run_battery(distribution_under_test(distribution, dtype, how), options);
    EXPECT_EQ(report.verdict, Verdict::pass) << report.generator << ": " << report.worst()->name();
    EXPECT_EQ(report.bytes, *options.bytes);
}
void expect_catalogue_passes(uint64_t values) {
    int tested = 0;
    rng::for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        expect_pass(D::name, rng::dtype_name<rng::result_t<D>>(), {}, values);
        ++tested;
    });
    EXPECT_EQ(tested, rng::catalogue_size);
}
TEST(Catalogue, EveryDistributionFollowsItsLaw) { expect_catalogue_passes(uint64_t{1} << 17); }
TEST(CatalogueSlow, EveryDistributionFollowsItsLaw) { expect_catalogue_passes(uint64_t{1} << 22); }

// Walks from 0 and from an anchor, polynomials, more failures than successes, both types.
const std::vector<std::pair<const char*, const char*>> counts{
    {"poisson(mean=3.5)", "i32"},
    {"poisson(mean=50.5)", "i64"},
    {"poisson(mean=200.3)", "i32"},
    {"poisson(mean=1000.7)", "i32"},
    {"poisson(mean=1e9)", "i64"},
    {"binomial(trials=20,p=0.3)", "i32"},
    {"binomial(trials=1000,p=0.7)", "i32"},
    {"binomial(trials=1000000000000,p=1e-10)", "i64"},
    {"binomial(trials=1000000,p=0.4)", "i32"},
    {"geometric(p=0.01)", "i32"},
    {"geometric(p=0.0001)", "i64"},
    {"hypergeometric(good=40,bad=60,draws=30)", "i32"},
    {"hypergeometric(good=3000,bad=2000,draws=2500)", "i32"},
    {"hypergeometric(good=1000000,bad=2000000,draws=50000)", "i64"},
    {"negative_binomial(r=2.5,p=0.25)", "i32"},
    {"negative_binomial(r=2000,p=0.3)", "i32"},
    {"negative_binomial(r=3.5,p=0.001)", "i64"},
    {"zipf(a=2)", "i32"},
    {"zipf(a=1.125)", "i64"},
    {"zipf(a=0.75,most=100000)", "i32"},
    {"log_series(p=0.9)", "i32"},
    {"log_series(p=0.9999)", "i64"},
};
TEST(Counts, FollowTheirLaws) {
    for (const auto& [distribution, dtype] : counts) expect_pass(distribution, dtype, {}, uint64_t{1} << 16);
}
TEST(CatalogueSlow, CountsFollowTheirLaws) {
    for (const auto& [distribution, dtype] : counts) expect_pass(distribution, dtype, {}, 10'000'384);
}

/// The verdict on values of one distribution, taken for another's.
template <class D> Verdict verdict_on(const D& dist, const D& taken_for) {
    Options options;
    options.bytes = uint64_t{4} << 18;
    options.only = {"cells4096", "anderson-darling", "moments", "tails", "support"};
    const rng::Stream<> stream(5);
    uint64_t i = 0;
    return test_values([&] { return rng::at(stream, dist, i++); }, taken_for, "counts", options).verdict;
}
TEST(Counts, OtherLawsAreSeen) {
    EXPECT_EQ(verdict_on(rng::poisson{200.5}, rng::poisson{201.0}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::poisson{200.5}, rng::poisson{200.5}), Verdict::pass);
    EXPECT_EQ(verdict_on(rng::poisson{1e6}, rng::poisson{1e6 + 30}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::binomial{1000, 0.3}, rng::binomial{1000, 0.301}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::geometric{0.01}, rng::geometric{0.0102}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::hypergeometric{2000, 3000, 2500}, rng::hypergeometric{2000, 3000, 2501}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::negative_binomial{3.5, 0.001}, rng::negative_binomial{3.55, 0.001}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::zipf{1.5}, rng::zipf{1.51}), Verdict::fail);
    EXPECT_EQ(verdict_on(rng::log_series{0.9}, rng::log_series{0.905}), Verdict::fail);
}

TEST(CatalogueSlow, OtherParametersToo) {
    for (const char* const dtype : {"f32", "f64", "f16", "bf16"}) {
        expect_pass("uniform(lo=-3,hi=7.25)", dtype);
        expect_pass("uniform_open(lo=100,hi=101)", dtype);
        expect_pass("uniform_open_closed(lo=-1,hi=0.5)", dtype);
        expect_pass("normal(mean=100,stddev=0.125)", dtype);
        expect_pass("normal(mean=0.5,stddev=0.001)", dtype);
    }
    expect_pass("exponential(rate=1000)", "f32");
    expect_pass("uniform_int(lo=1,hi=6)", "i8");
    expect_pass("uniform_int(lo=-1000001,hi=1)", "i32");
    expect_pass("uniform_int(lo=9223372036854775800)", "i64");
    expect_pass("uniform_int(lo=-9223372036854775808)", "i64");
    expect_pass("bernoulli(p=0.001)", "");
    expect_pass("bernoulli(p=1)", "");
    expect_pass("normal", "f64", {.engine = rng::Threefry4x64_20::name, .seed = 5});
}

/// What all tests find in the inverted pairs of Box and Muller's method on a source of fractions.
template <class F> Report test_inverted(F fraction, uint64_t values) {
    double kept = 0;
    bool has_kept = false;
    const std::function<double()> normal = [&] {
        if (std::exchange(has_kept, false)) return kept;
        const double radius = std::sqrt(-2 * std::log(fraction())), angle = 2 * std::numbers::pi * fraction();
        kept = radius * std::sin(angle);
        has_kept = true;
        return radius * std::cos(angle);
    };
    Options options;
    options.bytes = 4 * values;
    const auto source =
        std::make_shared<CallableValues<std::function<double()>>>(normal, law_of(rng::normal{0.0, 1.0}), "Box-Muller");
    return run_battery(invert_box_muller({source}), options);
}

TEST(InvertedPairs, ShowCongruentialGenerators) {
    std::minstd_rand minstd(12345);
    const Report small = test_inverted([&] { return static_cast<double>(minstd()) / 2147483647.0; }, 1 << 17);
    EXPECT_EQ(small.verdict, Verdict::fail);
    uint64_t state = 1;
    const auto lcg64 = [&] {
        state = state * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
        return (static_cast<double>(state >> 11) + 0.5) * 0x1p-53;
    };
    EXPECT_EQ(test_inverted(lcg64, 1 << 25).verdict, Verdict::fail);
    // Not std's Mersenne twister: its linearity is seen too.
    const rng::Stream<> stream(99);
    uint64_t w = 0;
    const auto philox = [&] {
        const uint64_t high = word(stream, w++), low = word(stream, w++);
        return (static_cast<double>((high << 32 | low) >> 11) + 0.5) * 0x1p-53;
    };
    const Report control = test_inverted(philox, 1 << 21);
    EXPECT_EQ(control.verdict, Verdict::pass) << control.worst()->name();
}

}  // namespace
