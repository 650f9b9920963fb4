// fill_each: values are those of at() on every engine, lane and number of threads; errors name the value.
//
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using support::error_of;

double parameter(uint64_t i) { return static_cast<double>(i * 2654435761u % 1000) / 1000; }

/// fill_each() makes what at() makes, from an odd position and another first number too.
template <class E, class F> void expect_at(const F& dist_of, const char* name) {
    using D = decltype(dist_of(uint64_t{}));
    for (const uint64_t position : {0u, 3u})
        for (const uint64_t first : {0u, 5u}) {
            const rng::Stream<E> stream = rng::Stream<E>(42).at_position(position);
            std::vector<rng::result_t<D>> x(501), expected;
            for (uint64_t i = 0; i < x.size(); ++i) expected.push_back(rng::at(stream, dist_of(first + i), first + i));
            rng::fill_each(x, dist_of, stream, first);
            EXPECT_EQ(support::first_difference(x.data(), expected.data(), x.size()), x.size())
                << name << ' ' << E::name << ' ' << position << ' ' << first;
        }
}

template <class E> void expect_at_of_engine() {
    expect_at<E>([](uint64_t i) { return rng::poisson{256 * parameter(i)}; }, "poisson");
    expect_at<E>([](uint64_t i) { return rng::binomial<int64_t>{static_cast<int64_t>(i), parameter(i)}; }, "binomial");
    expect_at<E>([](uint64_t i) { return rng::normal{parameter(i), 2.0}; }, "normal, pairs");
    expect_at<E>(
        [](uint64_t i) {
            return rng::gamma{0.5f + static_cast<float>(parameter(i)), 1.0f};
        },
        "gamma, a sampler");
    expect_at<E>(
        [](uint64_t i) {
            return rng::uniform_int<uint16_t>{0, static_cast<uint16_t>(i + 40000)};
        },
        "uniform_int, another");
    expect_at<E>([](uint64_t) { return rng::uniform_dense<double>{}; }, "uniform_dense, of retry streams");
    expect_at<E>([](uint64_t i) { return rng::bernoulli{parameter(i)}; }, "bernoulli");
}
TEST(FillEach, MakesTheValuesOfAt) {
    expect_at_of_engine<rng::Philox4x32_10>();
    expect_at_of_engine<rng::Philox4x64_10>();
    expect_at_of_engine<rng::Threefry4x64_20>();
}

TEST(FillEach, ThreadsAndLanesDoNotMatter) {
    constexpr std::size_t n = 40'000;
    const auto dist_of = [](uint64_t i) { return rng::poisson{300 * parameter(i)}; };
    std::vector<int> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = rng::at(rng::Stream{7}, dist_of(i), i);
    support::on_every_path({1, 2, 3}, [&](const std::string& path) {
        std::vector<int> x(n);
        rng::fill_each(x, dist_of, rng::Stream{7});
        EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << path;
    });
    // Equal parameters: what fill() makes by its table.
    std::vector<int> each(n), all(n);
    rng::fill_each(
        each, [](uint64_t) { return rng::poisson{50.5}; }, rng::Stream{7});
    rng::fill(all, rng::poisson{50.5}, rng::Stream{7});
    EXPECT_EQ(each, all);
}

/// Parameters side by side that take each method, on both sides of every limit between two methods, and the corners.
template <class D, class F> void expect_at_on_every_path(const F& dist_of, std::size_t n) {
    std::vector<rng::result_t<D>> expected(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = rng::at(rng::Stream{11}, dist_of(i), i);
    support::on_every_path({1, 3}, [&](const std::string& path) {
        std::vector<rng::result_t<D>> x(n);
        rng::fill_each(x, dist_of, rng::Stream{11});
        EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n) << D::name << ' ' << path;
    });
}
TEST(FillEach, EveryMethodOfCounts) {
    constexpr double means[] = {0,   0x1p-60, 1e-9, 0.5,   3.7, 15.999, 16,      16.5,   100.25,
                                255, 255.999, 256,  256.5, 1e6, 1e12,   0x1p+53, 0x1p+62};
    expect_at_on_every_path<rng::poisson<int64_t>>(
        [&](uint64_t i) { return rng::poisson<int64_t>{means[(i + i / std::size(means)) % std::size(means)]}; }, 9001);
    constexpr double shares[] = {0, 0x1p-60, 1e-9, 0.01, 0.3, 0.5, 0.500001, 0.9, 1 - 0x1p-53, 1};
    constexpr int64_t trials[] = {0, 1, 7, 33, 100, 1023, 1024, 1025, 1'000'000, int64_t{1} << 53, int64_t{1} << 62};
    expect_at_on_every_path<rng::binomial<int64_t>>(
        [&](uint64_t i) {
            return rng::binomial<int64_t>{trials[i % std::size(trials)],
                                          shares[i / std::size(trials) % std::size(shares)]};
        },
        9001);
    expect_at_on_every_path<rng::binomial<int32_t>>(
        [&](uint64_t i) {
            return rng::binomial<int32_t>{static_cast<int32_t>(trials[i % 8]), shares[i / 8 % std::size(shares)]};
        },
        517);
}

TEST(FillEach, ErrorsNameTheValueAndNothingIsWritten) {
    std::vector<int> x(5000, -1);
    const rng::Stream<> stream{1};
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument,
                       [&] {
                           rng::fill_each(
                               x, [](uint64_t i) { return rng::poisson{i == 4711 ? -2.0 : 1.0}; }, stream, 10);
                       }),
              "fill_each: value 4711: poisson: mean must be in [0, 2^30], got -2");
    EXPECT_THROW(rng::fill_each(
                     x,
                     [](uint64_t i) {
                         if (i == 4000) throw std::runtime_error("no such pixel");
                         return rng::poisson{1.0};
                     },
                     stream),
                 std::runtime_error);
    EXPECT_EQ(error_of(rng::ErrorCode::end_of_stream,
                       [&] {
                           rng::fill_each(
                               x, [](uint64_t) { return rng::poisson{1.0}; },
                               stream.at_position(rng::Stream<>::size_words - 2));
                       }),
              "fill_each: index 1 leads past the end of the stream (a stream has 2^56 blocks)");
    EXPECT_EQ(x, std::vector<int>(5000, -1));
    // A law without limits is first asked for while the values are made, on several threads.
    const support::SavedSettings saved;
    rng::set_num_threads(3);
    std::vector<uint32_t> words(20'000);
    EXPECT_THROW(rng::fill_each(
                     words,
                     [](uint64_t i) {
                         if (i % 7000 == 6999) throw std::runtime_error("no such pixel");
                         return rng::bits<uint32_t>{};
                     },
                     stream),
                 std::runtime_error);
    std::vector<int> none;
    rng::fill_each(
        none, [](uint64_t) { return rng::poisson{1.0}; }, stream);
}

/// A generator gives the values of its stream, and moves on as a fill() does.
template <class E> void expect_values_of_stream() {
    const auto dist_of = [](uint64_t i) { return rng::poisson{300 * parameter(i)}; };
    rng::Generator gen{rng::cpu(), 7, static_cast<rng::Engine>(E::number)}, other{rng::cpu(), 7, gen.engine()};
    gen.skip_words(3), other.skip_words(3);
    std::vector<int> x(3001), y(x);
    rng::fill_each(x, dist_of, gen.stream<E>());
    rng::fill_each(y, dist_of, gen);
    EXPECT_EQ(x, y) << E::name;
    rng::fill(x, rng::poisson{1.0}, other);
    EXPECT_EQ(gen.position(), other.position()) << E::name;
}
TEST(FillEach, MovesAGeneratorOn) {
    expect_values_of_stream<rng::Philox4x32_10>();
    expect_values_of_stream<rng::Threefry4x64_20>();
    rng::Generator gen{7};
    std::vector<int> x(5000, -1), none;
    const auto bad = [](uint64_t i) { return rng::poisson{i == 4711 ? -2.0 : 1.0}; };
    EXPECT_EQ(error_of(rng::ErrorCode::invalid_argument, [&] { rng::fill_each(x, bad, gen); }),
              "fill_each: value 4711: poisson: mean must be in [0, 2^30], got -2");
    rng::fill_each(none, bad, gen);
    EXPECT_EQ(gen.position(), 0u);
    EXPECT_EQ(x, std::vector<int>(5000, -1));
    const auto one = [](uint64_t) { return rng::poisson{1.0}; };
    const auto fork = gen.fork(7).stream();
    std::vector<int> y(x);
    rng::fill_each(x, one, gen.fork(7));
    rng::fill_each(y, one, fork);
    EXPECT_EQ(x, y);
    for (int b = 63; b >= 0; --b) try {
            gen.skip_words(uint64_t{1} << b);
        } catch (const rng::Error&) {
        }  // the end is nearer
    EXPECT_EQ(error_of(rng::ErrorCode::end_of_stream, [&] { rng::fill_each(x, one, gen); }),
              "fill_each: address past the end of the stream (a stream has 2^56 blocks)");
    EXPECT_EQ(x, y);
}

}  // namespace
