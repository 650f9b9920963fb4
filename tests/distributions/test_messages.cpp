// Refused parameters of every distribution: the message names the call, the distribution, the parameter and the value.
// The fill writes nothing, and the generator stays where it was.
#include <gtest/gtest.h>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

namespace {

/// What a fill of a few values did. It is plain: the tests of it are compiled once, not for each distribution.
struct Outcome {
    std::string name, field;           // field: what fault() names, empty for nothing
    std::string text, text_of_stream;  // of the errors of a generator's fill and of a stream's
    double value = 0;                  // of that field
    bool is_invalid_argument = false, wrote = false;
    uint64_t position = 0;  // of the generator
};

template <class D> Outcome outcome_of(const D& dist) {
    constexpr unsigned char pattern = 0xa5;
    alignas(rng::result_t<D>) unsigned char memory[3 * sizeof(rng::result_t<D>)];
    std::fill(std::begin(memory), std::end(memory), pattern);
    const std::span values(reinterpret_cast<rng::result_t<D>*>(memory), 3);
    rng::Generator generator(42);
    Outcome outcome;
    outcome.name = D::name;
    if (const rng::ParameterFault fault = dist.fault()) outcome.field = fault.field;
    D::fields().each([&](const auto& field) {
        if (outcome.field == field.name) outcome.value = static_cast<double>(dist.*field.member);
    });
    try {
        rng::fill(values, dist, generator);
    } catch (const rng::Error& error) {
        outcome.text = error.what();
        outcome.is_invalid_argument = error.code() == rng::ErrorCode::invalid_argument;
    }
    try {
        rng::fill(values, dist, rng::Stream{42});
    } catch (const rng::Error& error) {
        outcome.text_of_stream = error.what();
    }
    outcome.wrote = std::any_of(std::begin(memory), std::end(memory), [](auto byte) { return byte != pattern; });
    outcome.position = generator.position();
    return outcome;
}

void expect_good(const Outcome& outcome) {
    EXPECT_EQ(outcome.text, outcome.text_of_stream);
    if (outcome.field.empty()) {
        EXPECT_EQ(outcome.text, "");
        EXPECT_TRUE(outcome.wrote && outcome.position > 0) << outcome.name;
        return;
    }
    const std::string start = "fill: " + outcome.name + ": " + outcome.field + " must be ", got = ", got ";
    const std::string& text = outcome.text;
    const std::size_t place = text.rfind(got);
    ASSERT_TRUE(place != std::string::npos && place > start.size()) << text << ", not " << start << "..." << got;
    EXPECT_EQ(text.substr(0, start.size()), start);
    // The number is the value to all its digits: those of a float, if it is one.
    char* end = nullptr;
    const double told = std::strtod(text.c_str() + place + got.size(), &end), value = outcome.value;
    EXPECT_EQ(*end, '\0') << text;
    EXPECT_TRUE(told == value || static_cast<double>(static_cast<float>(told)) == value ||
                (std::isnan(told) && std::isnan(value)))
        << text << ", not " << value;
    EXPECT_TRUE(outcome.is_invalid_argument) << text;
    EXPECT_FALSE(outcome.wrote) << text;
    EXPECT_EQ(outcome.position, 0u) << text;
}

/// Some refused value names the parameter; a parameter that is not a number is named in any case.
void expect_named(const Outcome& of_nan, bool is_named_for_a_value, const char* field, const char* dtype) {
    EXPECT_EQ(of_nan.field, field) << of_nan.name << ' ' << dtype << ": NaN";
    EXPECT_TRUE(is_named_for_a_value) << of_nan.name << ' ' << dtype << ": no value of " << field << " is refused";
}

template <class D> void expect_messages() {
    D::fields().each([](const auto& field) {
        using T = std::remove_cvref_t<decltype(D{}.*field.member)>;
        if constexpr (std::is_floating_point_v<T>) {
            using Number = std::numeric_limits<T>;
            const auto with = [&](T value) {
                D dist{};
                dist.*field.member = value;
                Outcome outcome = outcome_of(dist);
                expect_good(outcome);
                return outcome;
            };
            bool is_named = false;
            for (const T value : {Number::infinity(), -Number::infinity(), Number::max(), Number::lowest(),
                                  Number::denorm_min(), T(-1)})
                is_named |= with(value).field == field.name;
            expect_named(with(Number::quiet_NaN()), is_named, field.name, rng::dtype_name<rng::result_t<D>>());
        }
    });
}
TEST(Messages, NameTheDistributionTheParameterAndTheValue) {
    rng::for_each_distribution([](auto tag) {
        using D = typename decltype(tag)::type;
        if constexpr (D::fields().size() > 0) expect_messages<D>();
    });
}

// Integers: the bounds are a range only together, and what is wrong is said of the greater one.
TEST(Messages, NameTheBoundsOfIntegers) {
    const auto expect_refused = [](const auto& dist) {
        const Outcome outcome = outcome_of(dist);
        EXPECT_EQ(outcome.field, "hi");
        expect_good(outcome);
    };
    expect_refused(rng::uniform_int<int8_t>{5, -4});
    expect_refused(rng::uniform_int<uint8_t>{5, 4});
    expect_refused(rng::uniform_int<int16_t>{5, -4});
    expect_refused(rng::uniform_int<uint16_t>{5, 4});
    expect_refused(rng::uniform_int<int32_t>{5, -4});
    expect_refused(rng::uniform_int<uint32_t>{5, 4});
    expect_refused(rng::uniform_int<int64_t>{5, -4});
    expect_refused(rng::uniform_int<uint64_t>{5, 4});
}

}  // namespace
