// Sobol points: SciPy's plain points, the model's scrambled ones, nets, fills on every path, means, and what is
// refused.
//
// False alarms. Streams are fixed, so a run repeats. With streams drawn anew, each check of a law has a share of 1e-9.
#include <gtest/gtest.h>
#include <rng/sobol.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using rng::sobol;
using support::Json;

const Json& model() {
    static const Json all = support::read_reference("sobol.json");
    return all;
}

/// FNV-1a over whole numbers of 64 bits.
struct Digest {
    uint64_t value = 0xcbf29ce484222325;
    void add(uint64_t number) { value = (value ^ number) * 0x100000001b3; }
};

// ---- the values

TEST(Sobol, KnownPoints) {
    const std::vector<double> expected{0, 0, 0.5, 0.5, 0.75, 0.25, 0.25, 0.75, 0.375, 0.375, 0.875, 0.875};
    EXPECT_EQ(rng::sample(sobol<double>(2), 6), expected);
    EXPECT_EQ(sobol<float>(2).at(5, 1), 0.875f);
}
// tests/reference/test_sobol.py compares the model with SciPy, for every dimension and every direction number.
TEST(Sobol, PlainPointsAreSciPys) {
    const sobol<double> points(sobol<double>::most_dimensions);
    const auto view = points.view();
    Digest powers, first;
    for (int k = 0; k < 63; ++k)
        for (uint32_t j = 0; j < points.dimensions(); ++j) powers.add(view.fraction(uint64_t{1} << k, j));
    for (uint64_t i = 0; i < 16; ++i)
        for (uint32_t j = 0; j < points.dimensions(); ++j) first.add(view.fraction(i, j));
    EXPECT_EQ(powers.value, support::integer(model().at("plain").at("points_2^k")));
    EXPECT_EQ(first.value, support::integer(model().at("plain").at("points_0_to_15")));
}
TEST(Sobol, FewerDimensionsHaveTheSameCoordinates) {
    const sobol<double> all(300, rng::Stream{9}), few(7, rng::Stream{9});
    for (uint32_t j = 0; j < 7; ++j) EXPECT_EQ(few.at(12345, j), all.at(12345, j));
}

std::map<std::string, sobol<double>> scrambled_tables() {
    std::map<std::string, sobol<double>> tables;
    for (const Json& row : model().at("scrambled")) {
        const auto stream =
            rng::Stream<>(support::integer(row.at("seed")), std::stoull(row.at("id").get<std::string>()),
                          support::integer(row.at("position")));
        tables.try_emplace(row.at("seed").dump(), 21201, stream);
    }
    return tables;
}
TEST(Sobol, ScrambledPointsOfTheModel) {
    const auto tables = scrambled_tables();
    const sobol<double> doubles(21201);
    const sobol<float> floats(21201);
    int rows = 0;
    for (const Json& row : model().at("scrambled")) {
        const auto stream =
            rng::Stream<>(support::integer(row.at("seed")), std::stoull(row.at("id").get<std::string>()),
                          support::integer(row.at("position")));
        const uint64_t i = std::stoull(row.at("point").get<std::string>());
        const auto j = row.at("dimension").get<uint32_t>();
        const double f64 = std::stod(row.at("f64").get<std::string>());
        const auto& table = tables.at(row.at("seed").dump());
        EXPECT_EQ(table.view().fraction(i, j), support::integer(row.at("fraction"))) << row;
        EXPECT_EQ(table.at(i, j), f64) << row;
        EXPECT_EQ(doubles.at(stream, i, j), f64) << row;
        EXPECT_EQ(floats.at(stream, i, j), std::stof(row.at("f32").get<std::string>())) << row;
        ++rows;
    }
    EXPECT_EQ(rows, 48);
}
TEST(Sobol, EveryEngineScrambles) {
    const auto check = [](const auto& stream) {
        const sobol<double> table(5, stream), plain(5);
        for (uint64_t i : {0ull, 77ull, 1ull << 40})
            for (uint32_t j = 0; j < 5; ++j) EXPECT_EQ(table.at(i, j), plain.at(stream, i, j));
    };
    check(rng::Stream<rng::Threefry4x64_20>(3, 1, 7));
    check(rng::Stream<rng::Philox4x64_10>(3));
    check(rng::Stream<rng::Threefry4x32_20>(3));
}
TEST(Sobol, AGeneratorMovesOn) {
    rng::Generator generator(42);
    const sobol<double> first(3, generator), second(3, generator);
    EXPECT_EQ(generator.position(), 2u * 128 * 3);
    EXPECT_EQ(sobol<double>(3, rng::Generator(42)).at(5, 2), first.at(5, 2));
    const rng::Stream<> stream(42);
    EXPECT_EQ(rng::sample(first, 9), rng::sample(sobol<double>(3, stream), 9));
    EXPECT_EQ(rng::sample(second, 9), rng::sample(sobol<double>(3, stream.at_position(384)), 9));
}

// ---- fills

template <class T> void expect_fills(uint32_t dimensions, uint64_t first, std::size_t n) {
    const sobol<T> points(dimensions, rng::Stream{dimensions});
    std::vector<T> expected;
    for (uint64_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < dimensions; ++j) expected.push_back(points.at(first + i, j));
    EXPECT_EQ(rng::sample(points, n, first), expected) << dimensions;
    std::vector<T> parts;
    for (std::size_t i = 0, part = 1; i < n; i += part, part = 3 * part + 1) {
        const auto more = rng::sample(points, std::min(part, n - i), first + i);
        parts.insert(parts.end(), more.begin(), more.end());
    }
    EXPECT_EQ(parts, expected) << dimensions;

    // Other strides: columns side by side, gaps, both directions. What lies between stays as it was.
    const auto rows = static_cast<std::ptrdiff_t>(n), cols = static_cast<std::ptrdiff_t>(dimensions);
    struct Layout {
        std::ptrdiff_t origin, row, col;
    };
    for (const Layout l : {Layout{0, 1, rows}, Layout{0, cols + 3, 1}, Layout{rows * cols * 2 - 2, -2 * cols, -2}}) {
        std::vector<T> memory(static_cast<std::size_t>(2 * rows * (cols + 3)), T(-1));
        rng::fill(rng::matrix_view<T>{memory.data() + l.origin, n, dimensions, l.row, l.col}, points, first);
        std::size_t wrong = 0;
        for (std::ptrdiff_t i = 0; i < rows; ++i)
            for (std::ptrdiff_t j = 0; j < cols; ++j)
                wrong += memory[static_cast<std::size_t>(l.origin + i * l.row + j * l.col)] !=
                         expected[static_cast<std::size_t>(i * cols + j)];
        EXPECT_EQ(wrong, 0u) << dimensions;
        EXPECT_EQ(static_cast<std::size_t>(std::count(memory.begin(), memory.end(), T(-1))),
                  memory.size() - expected.size());
    }
}
TEST(SobolFill, IsAt) {
    for (const uint32_t dimensions : {1u, 2u, 5u, 8u, 33u, 256u, 257u, 700u}) {
        expect_fills<double>(dimensions, 0, 100);
        expect_fills<float>(dimensions, (uint64_t{1} << 40) + 3, 37);
    }
    expect_fills<float>(3, (uint64_t{1} << 63) - 50, 50);
    EXPECT_EQ(rng::sample(sobol<double>(3), 0, uint64_t{1} << 63), std::vector<double>{});
}
TEST(SobolFill, IsTheSameOnEveryPath) {
    const sobol<double> doubles(13, rng::Stream{1});
    const sobol<float> floats(13, rng::Stream{1});
    const std::size_t n = 40000;
    const auto expected = rng::sample(doubles, n, 5);
    const auto expected_floats = rng::sample(floats, n, 5);
    support::on_every_path({1, 2, 3}, [&](const std::string& path) {
        EXPECT_EQ(rng::sample(doubles, n, 5), expected) << path;
        EXPECT_EQ(rng::sample(floats, n, 5), expected_floats) << path;
    });
}

// ---- nets

/// Counts the points in each elementary interval of a shape: coordinate j has 2^shape[j] parts.
template <std::size_t S>
std::vector<int> counts(const std::vector<std::array<uint64_t, S>>& points, const std::array<int, S>& shape) {
    int bits = 0;
    for (const int k : shape) bits += k;
    std::vector<int> n(std::size_t{1} << bits);
    for (const auto& point : points) {
        std::size_t cell = 0;
        for (std::size_t j = 0; j < S; ++j)
            if (shape[j] > 0) cell = cell << shape[j] | static_cast<std::size_t>(point[j] >> (64 - shape[j]));
        ++n[cell];
    }
    return n;
}
template <std::size_t S>
std::vector<std::array<uint64_t, S>> fractions(const sobol<double>& points, uint64_t first, uint64_t n) {
    std::vector<std::array<uint64_t, S>> x(n);
    for (uint64_t i = 0; i < n; ++i)
        for (uint32_t j = 0; j < S; ++j) x[i][j] = points.view().fraction(first + i, j);
    return x;
}
/// Calls f(shape) for all shapes of a sum.
template <std::size_t S, class F> void for_each_shape(std::array<int, S>& shape, std::size_t j, int sum, const F& f) {
    if (j + 1 == S) {
        shape[j] = sum;
        f(shape);
        return;
    }
    for (int k = 0; k <= sum; ++k) {
        shape[j] = k;
        for_each_shape(shape, j + 1, sum - k, f);
    }
}
/// The quality t of the first dimensions is the sum of (degree - 1) of their polynomials (Sobol'; Niederreiter 1992,
/// theorem 4.10): each elementary interval of volume 2^(t - m) has 2^t of 2^m points.
template <std::size_t S> void expect_net(int t, int m) {
    for (const auto& points : {sobol<double>(S), sobol<double>(S, rng::Stream{4}), sobol<double>(S, rng::Stream{5})}) {
        const auto x = fractions<S>(points, uint64_t{3} << m, uint64_t{1} << m);
        std::array<int, S> shape{};
        for_each_shape(shape, 0, m - t, [&](const std::array<int, S>& s) {
            const auto n = counts(x, s);
            EXPECT_TRUE(std::all_of(n.begin(), n.end(), [&](int count) { return count == 1 << t; }));
        });
    }
}
TEST(SobolNets, EachElementaryIntervalHasItsPoints) {
    expect_net<1>(0, 14);
    expect_net<2>(0, 12);
    expect_net<3>(1, 12);
    expect_net<4>(3, 12);
    expect_net<5>(5, 12);
}
TEST(SobolNets, EachDimensionHasOnePointInEachCell) {
    for (const auto& points : {sobol<double>(1200), sobol<double>(1200, rng::Stream{4})}) {
        const auto x = rng::sample(points, 1024, 7 * 1024);
        for (std::size_t j = 0; j < 1200; ++j) {
            std::vector<int> cells(1024);
            for (std::size_t i = 0; i < 1024; ++i) ++cells[static_cast<std::size_t>(x[i * 1200 + j] * 1024)];
            EXPECT_EQ(std::count(cells.begin(), cells.end(), 1), 1024) << j;
        }
    }
}

// ---- laws over streams

// sqrt(n) D is above 3.28 with a probability of 2 exp(-2 * 3.28^2) = 9e-10.
void expect_uniform(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    const auto n = static_cast<double>(x.size());
    double d = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        d = std::max({d, x[i] - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - x[i]});
    EXPECT_LT(std::sqrt(n) * d, 3.28);
}
TEST(SobolLaw, EachScrambledCoordinateIsUniform) {
    const sobol<double> points(12);
    for (const uint64_t i : {0u, 1u, 1000u})
        for (const uint32_t j : {0u, 11u}) {
            std::vector<double> x;
            for (uint64_t stream = 0; stream < 4096; ++stream)
                x.push_back(points.at(rng::Stream<>(1).fork(stream), i, j));
            expect_uniform(x);
        }
}
// Two points agree in as many bits as the plain ones, differ in the next, and in each bit after it with probability
// 1/2: the joint law of nested uniform scrambling. Coordinates of one point are independent.
TEST(SobolLaw, TwoPointsHaveTheLawOfNestedScrambling) {
    const sobol<double> plain(3);
    const int streams = 4096, limit = 6 * 64;  // 6 standard deviations of a sum of 4096 signs: 2e-9
    const auto difference = [&](const sobol<double>& points) {
        return points.view().fraction(1234, 2) ^ points.view().fraction(1301, 2);
    };
    const int common = std::countl_zero(difference(plain));
    std::array<int, 64> sums{}, neighbours{}, dimensions{};
    for (int s = 0; s < streams; ++s) {
        const sobol<double> points(3, rng::Stream<>(2).fork(s));
        const uint64_t d = difference(points);
        ASSERT_EQ(std::countl_zero(d), common);
        const uint64_t e = d ^ d << 1, other = points.view().fraction(1234, 0) ^ points.view().fraction(1234, 1);
        for (int b = 0; b < 64; ++b) {
            sums[static_cast<std::size_t>(b)] += d >> b & 1 ? 1 : -1;
            neighbours[static_cast<std::size_t>(b)] += e >> b & 1 ? 1 : -1;
            dimensions[static_cast<std::size_t>(b)] += other >> b & 1 ? 1 : -1;
        }
    }
    for (int b = 0; b < 64; ++b) {
        const auto at = static_cast<std::size_t>(b);
        if (b < 63 - common) {
            EXPECT_LT(std::abs(sums[at]), limit) << b;
            if (b > 0) {
                EXPECT_LT(std::abs(neighbours[at]), limit) << b;
            }
        }
        EXPECT_LT(std::abs(dimensions[at]), limit) << b;
    }
}
// The mean of a smooth function over 4096 points: random points would have an error of 0.0144 times its deviation.
TEST(SobolLaw, MeansAreFarBetterThanOfRandomPoints) {
    const int streams = 32;
    const std::size_t n = 4096;
    double squares = 0, sum = 0;
    for (int s = 0; s < streams; ++s) {
        const auto x = rng::sample(sobol<double>(6, rng::Stream<>(3).fork(s)), n);
        double mean = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double product = 1;
            for (std::size_t j = 0; j < 6; ++j) product *= 1 + (x[6 * i + j] - 0.5);
            mean += product / static_cast<double>(n);
        }
        sum += mean - 1;
        squares += (mean - 1) * (mean - 1);
    }
    const double error = std::sqrt(squares / streams);
    const double of_random_points = std::sqrt((std::pow(13.0 / 12, 6) - 1) / static_cast<double>(n));
    EXPECT_LT(error, of_random_points / 100);
    EXPECT_LT(std::abs(sum / streams), 6 * error / std::sqrt(streams));  // unbiased
}
TEST(SobolLaw, StreamsDiffer) {
    const auto a = rng::sample(sobol<double>(4, rng::Stream{1}), 64),
               b = rng::sample(sobol<double>(4, rng::Stream{2}), 64);
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NE(a[i], b[i]);
}

// ---- what is refused

TEST(Sobol, WhatIsRefused) {
    const auto refused = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    EXPECT_EQ(refused([] { (void)sobol<double>(0); }), "sobol: dimensions must be in [1, 21201], got 0");
    EXPECT_EQ(refused([] { (void)sobol<float>(21202); }), "sobol: dimensions must be in [1, 21201], got 21202");
    EXPECT_EQ(refused([] { (void)sobol<float>(-1, rng::Stream{1}); }),
              "sobol: dimensions must be in [1, 21201], got 18446744073709551615 (which is -1 modulo 2^64)");
    const sobol<double> points(3);
    const uint64_t end = uint64_t{1} << 63;
    EXPECT_EQ(refused([&] { (void)points.at(end, 0); }),
              "sobol::at: points must be below 2^63, got 9223372036854775808 (which is -9223372036854775808 modulo "
              "2^64)");
    EXPECT_EQ(refused([&] { (void)points.at(0, 3); }), "sobol::at: dimension must be below 3, got 3");
    EXPECT_EQ(refused([&] { (void)points.at(rng::Stream{1}, 0, 3); }), "sobol::at: dimension must be below 3, got 3");
    const rng::Stream<> last{1, 0, rng::Stream<>::size_words - 1};
    const auto at_end = [](const auto& f) { return support::error_of(rng::ErrorCode::end_of_stream, f); };
    const std::string past = " leads past the end of the stream (a stream has 2^56 blocks)";
    EXPECT_EQ(at_end([&] { (void)points.at(last, 1, 2); }), "sobol::at: index 128" + past);
    EXPECT_EQ(at_end([&] { (void)sobol<double>(3, last); }), "sobol: index 0" + past);
    std::vector<double> out(12, -1.0);
    using View = rng::matrix_view<double>;
    EXPECT_EQ(refused([&] { rng::fill(View::row_major(out.data(), 3, 4), points); }),
              "fill: sobol: the matrix must have a column for each of the 3 dimensions, got 4");
    EXPECT_EQ(refused([&] { rng::fill(View::row_major(out.data(), 4, 3), points, end - 3); }),
              "fill: sobol: points must be below 2^63, got 9223372036854775808 (which is -9223372036854775808 modulo "
              "2^64)");
    EXPECT_EQ(refused([&] { rng::fill(View::row_major(nullptr, 4, 3), points); }),
              "fill: sobol: the destination is null but 12 values were asked for");
    EXPECT_NE(refused([&] { (void)rng::sample(points, end); }).find("sample: sobol: n must be at most"),
              std::string::npos);
    EXPECT_EQ(std::count(out.begin(), out.end(), -1.0), 12);
    EXPECT_EQ(support::error_of(rng::ErrorCode::end_of_stream,
                                [] {
                                    const rng::Stream<> s(1, 0, rng::Stream<>::size_words - 100);
                                    (void)sobol<double>(1, s);
                                })
                  .substr(0, 6),
              "sobol:");
}

}  // namespace
