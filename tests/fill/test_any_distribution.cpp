// AnyDistribution: every distribution, type and engine gives the bits of the typed fill; parameters, messages, pieces.
#include <gtest/gtest.h>
#include <rng/any_distribution.hpp>
#include <rng/rng.hpp>

#include <cfenv>
#include <cstring>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::AnyDistribution;
using rng::AnyStream;
using rng::Number;

template <class F> std::string message_of(F f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "no error";
}

template <class T> bool are_equal(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Parameters that differ from the defaults.
template <class D> D changed() {
    D dist{};
    if constexpr (requires { dist.mean; }) dist.mean = 3;
    if constexpr (requires { dist.stddev; }) dist.stddev = 2;
    if constexpr (requires { dist.rate; }) dist.rate = 4;
    if constexpr (requires { dist.p; }) dist.p = 0.25;
    if constexpr (requires { dist.lo; }) {
        dist.lo = 2;
        dist.hi = 8;
    }
    return dist;
}

TEST(AnyDistribution, MakesTheBitsOfEveryDistributionAndEngine) {
    std::size_t i = 0;
    rng::for_each_distribution([&](auto dist_tag) {
        using D = typename decltype(dist_tag)::type;
        const D dist = changed<D>();
        std::vector<AnyDistribution::Parameter> parameters;
        D::fields().each([&](const auto& field) { parameters.push_back({field.name, dist.*field.member}); });
        const char* const dtype = rng::dtype_name<rng::result_t<D>>();
        const AnyDistribution any(D::name, dtype, parameters);
        const rng::DistributionInfo& info = rng::known_distributions()[i++];
        EXPECT_STREQ(info.name, D::name);
        EXPECT_STREQ(info.dtype, dtype);
        EXPECT_EQ(info.value_bytes, sizeof(rng::result_t<D>));
        EXPECT_EQ(info.slot_words, D::slot_words);
        const std::optional<D> typed = any.as<D>();
        ASSERT_TRUE(typed.has_value());
        D::fields().each([&](const auto& field) { EXPECT_EQ((*typed).*field.member, dist.*field.member); });
        rng::for_each_engine([&](auto engine_tag) {
            using E = typename decltype(engine_tag)::type;
            if constexpr (support::is_taken<E, D>) {
                const rng::Stream<E> stream = rng::Stream<E>(7).fork(3).fork("wind").at_position(5);
                const AnyStream same = AnyStream(7, E::number).fork(3).fork("wind").at_position(5);
                EXPECT_EQ(same.size_words(), rng::Stream<E>::size_words);
                EXPECT_EQ(same.stream<E>(), stream);
                rng::Generator at_five(rng::cpu(), 7, E::number);
                at_five.skip_words(5);
                EXPECT_EQ(AnyStream(at_five).stream<E>(), at_five.stream<E>());
                std::vector<rng::result_t<D>> values(1001);
                EXPECT_EQ(any.fill(std::span(values), same, 11), values.size());
                EXPECT_TRUE(are_equal(values, rng::sample(dist, 1001, stream, 11)))
                    << info.name << info.dtype << E::name;
                EXPECT_EQ(AnyDistribution(dist).fill(std::span(values), AnyStream(stream)), values.size());
                EXPECT_TRUE(are_equal(values, rng::sample(dist, 1001, stream)));
            }
        });
        rng::Generator one(9), other(9);
        std::vector<rng::result_t<D>> values(333);
        any.fill(std::span(values), one);
        EXPECT_TRUE(are_equal(values, rng::sample(dist, 333, other)));
        EXPECT_EQ(one.get_state(), other.get_state());
    });
    EXPECT_EQ(i, rng::known_distributions().size());
}

TEST(AnyDistribution, PiecesChangeNoBitAndCanBeStopped) {
    constexpr std::size_t n = 3'000'001;
    for (const auto& [name, dtype] : {std::pair{"normal", "f32"}, std::pair{"uniform_int", "u32"}}) {
        const AnyDistribution dist(name, dtype);
        const AnyStream stream = AnyStream(1).at_position(3);
        std::vector<uint32_t> whole(n), pieces(n), part(n, 77);
        dist.fill(whole.data(), n, stream, 5);
        std::vector<uint64_t> told;
        EXPECT_EQ(dist.fill(pieces.data(), n, stream, 5,
                            {.go_on =
                                 [&](uint64_t done) {
                                     told.push_back(done);
                                     return true;
                                 }}),
                  n);
        EXPECT_TRUE(are_equal(whole, pieces));
        EXPECT_GE(told.size(), 4U);
        EXPECT_EQ(told.front(), 0U);
        EXPECT_EQ(told.back(), n);
        EXPECT_EQ(std::set(told.begin(), told.end()).size(), told.size());
        EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));

        rng::Generator generator(4);
        const std::size_t done = dist.fill(part.data(), n, generator, {.go_on = [](uint64_t d) { return d == 0; }});
        EXPECT_GT(done, 0U);
        EXPECT_LT(done, n);
        rng::Generator same(4);
        std::vector<uint32_t> expected(n, 77);
        dist.fill(expected.data(), done, same);
        EXPECT_TRUE(are_equal(part, expected)) << "values after the stop are unchanged";
        EXPECT_EQ(generator.position(), n * static_cast<uint64_t>(dist.info().slot_words))
            << "all n values were claimed";

        EXPECT_EQ(dist.fill(part.data(), 0, stream, 0, {.go_on = [](uint64_t) -> bool { throw 1; }}), 0U);
        std::vector<uint32_t> none(9, 77);
        EXPECT_EQ(dist.fill(none.data(), 9, stream, 0, {.go_on = [](uint64_t) { return false; }}), 0U);
        EXPECT_EQ(none, std::vector<uint32_t>(9, 77));
    }
}

TEST(AnyDistribution, RoundsParametersOnceAndToNearest) {
    const double between = 1 + 0x1.8p-24;  // nearer to the float above 1
    for (const int mode : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        std::fesetround(mode);
        const AnyDistribution dist("normal", "f32", {{"mean", 0.1}, {"stddev", between}});
        const AnyDistribution large("normal", "f32", {{"mean", (int64_t{1} << 60) + (int64_t{1} << 36) + 1}});
        std::fesetround(FE_TONEAREST);
        EXPECT_EQ(dist.parameter("mean").real(), 0.1F);
        EXPECT_EQ(dist.parameter("stddev").real(), 1 + 0x1p-23);
        EXPECT_EQ(large.parameter("mean").real(), 0x1.000002p60) << "rounded by way of double, this is 2^60";
    }
    const AnyDistribution whole("uniform_int", "u64", {{"lo", 3.0}, {"hi", ~uint64_t{0}}});
    EXPECT_EQ(whole.parameter("hi").integer(), ~uint64_t{0});
    EXPECT_EQ(whole.as<rng::uniform_int<uint64_t>>()->lo, 3U);
    const AnyDistribution least("uniform_int", "i64", {{"lo", std::numeric_limits<int64_t>::min()}, {"hi", -1.0}});
    EXPECT_EQ(least.as<rng::uniform_int<int64_t>>()->lo, std::numeric_limits<int64_t>::min());
    EXPECT_EQ(least.as<rng::uniform_int<int64_t>>()->hi, -1);
    EXPECT_FALSE(least.as<rng::uniform_int<uint64_t>>().has_value());
    EXPECT_EQ(least.as<rng::uniform_int<long long>>()->hi, -1);
}

TEST(AnyDistribution, MessagesNameTheValueAndTheLimit) {
    const auto made = [](const char* name, const char* dtype, std::vector<AnyDistribution::Parameter> parameters) {
        return message_of([&] { AnyDistribution(name, dtype, parameters); });
    };
    EXPECT_TRUE(made("gauss", "", {}).starts_with("AnyDistribution: name must be one of bits, uniform, "));
    EXPECT_TRUE(made("gauss", "", {}).ends_with(", rademacher, got gauss"));
    EXPECT_EQ(made("normal", "i8", {}), "AnyDistribution: type of normal must be one of f32, f64, f16, bf16, got i8");
    EXPECT_EQ(made("normal", "f32", {{"lo", 1}}),
              "AnyDistribution: parameter of normal must be one of mean, stddev, got lo");
    EXPECT_EQ(made("bits", "u32", {{"lo", 1}}), "AnyDistribution: bits must be given no parameter, got lo");
    EXPECT_EQ(made("uniform_int", "i8", {{"hi", 128}}),
              "AnyDistribution: hi must be a whole number in [-128, 127], got 128");
    EXPECT_EQ(made("uniform_int", "u8", {{"lo", -1}}),
              "AnyDistribution: lo must be a whole number in [0, 255], got -1");
    EXPECT_EQ(made("uniform_int", "u64", {{"hi", 0x1p64}}),
              "AnyDistribution: hi must be a whole number in [0, 18446744073709551615], got 1.8446744073709552e+19");
    EXPECT_EQ(made("uniform_int", "i32", {{"hi", 2.5}}),
              "AnyDistribution: hi must be a whole number in [-2147483648, 2147483647], got 2.5");
    EXPECT_TRUE(made("uniform_int", "i32", {{"hi", std::numeric_limits<double>::quiet_NaN()}}).ends_with(", got nan"));
    const std::string negative = made("normal", "f64", {{"stddev", -1}});
    EXPECT_TRUE(negative.starts_with("AnyDistribution: normal: stddev must be ")) << negative;
    EXPECT_TRUE(negative.ends_with(", got -1")) << negative;
    EXPECT_EQ(negative, message_of([] { AnyDistribution{rng::normal{0.0, -1.0}}; }));
    EXPECT_TRUE(made("normal", "f32", {{"mean", 1e39}}).ends_with(", got 1e+39"));
    EXPECT_TRUE(made("normal", "f32", {{"mean", -1e39}}).ends_with(", got -1e+39"));
    EXPECT_TRUE(made("normal", "f32", {{"stddev", -3}}).ends_with(", got -3"));
    EXPECT_TRUE(made("bernoulli", "", {{"p", ~uint64_t{0}}}).ends_with(", got 18446744073709551615"));
    const AnyDistribution::Parameter wrong[] = {{"stddev", -1}};
    EXPECT_STREQ(AnyDistribution::find_fault("normal", "f64", wrong).field, "stddev");
    EXPECT_FALSE(AnyDistribution::find_fault("normal", "f64", {}));

    const AnyDistribution dist("normal", "f32");
    std::vector<double> doubles(3);
    std::vector<float> floats(3, 5);
    EXPECT_EQ(message_of([&] { dist.fill(std::span(doubles), AnyStream(1)); }),
              "AnyDistribution::fill: the elements must be f32 for this normal, got f64");
    EXPECT_EQ(message_of([&] { dist.fill(nullptr, 3, AnyStream(1)); }),
              "AnyDistribution::fill: the destination is null but 3 values were asked for");
    const AnyStream end = AnyStream(1).at_position(AnyStream(1).size_words() - 2);
    const std::string past = " leads past the end of the stream (a stream has 2^56 blocks)";
    EXPECT_EQ(message_of([&] { dist.fill(std::span(floats), end); }), "AnyDistribution::fill: index 2" + past);
    EXPECT_EQ(message_of([&] { dist.fill(std::span(floats), AnyStream(1), uint64_t{1} << 60); }),
              "AnyDistribution::fill: index 1152921504606846976" + past);
    EXPECT_EQ(message_of([&] { (void)dist.parameter("rate"); }),
              "AnyDistribution: parameter of normal must be one of mean, stddev, got rate");
    EXPECT_EQ(message_of([] { (void)AnyStream(1).stream<rng::Philox4x64_10>(); }),
              "AnyStream::stream: the engine is philox4x32-10, got a request for philox4x64-10");
    EXPECT_EQ(message_of([] { AnyStream(1, static_cast<rng::Engine>(99)); }),
              "AnyStream: engine must be one of the 5 of rng::Engine, got 99");
    rng::Generator generator(1);
    EXPECT_EQ(message_of([&] { dist.fill(std::span(floats), generator, {.device = rng::cuda(0)}); }),
              "AnyDistribution::fill: options.device must be cpu for a fill from a generator, got cuda:0");
    EXPECT_EQ(generator.position(), 0U);
    EXPECT_EQ(floats, std::vector<float>(3, 5));
}

TEST(AnyDistribution, AnExceptionOfTheCallbackArrives) {
    std::vector<float> values(10);
    EXPECT_THROW(AnyDistribution("normal").fill(std::span(values), AnyStream(1), 0,
                                                {.go_on = [](uint64_t) -> bool { throw 3; }}),
                 int);
}

TEST(AnyDistribution, ListsDefaults) {
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        const AnyDistribution dist(info.name, info.dtype);
        for (const rng::ParameterInfo& parameter : info.parameters)
            EXPECT_EQ(dist.parameter(parameter.name).real(), parameter.default_value.real()) << info.name;
    }
}

}  // namespace
