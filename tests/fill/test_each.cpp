// detail/each.hpp: fills whose parameters differ from value to value, of distributions that are chosen at run time, and
// masks. Values are those of at() for every distribution of the catalogue; errors name the value.
#include <gtest/gtest.h>
#include <rng/detail/each.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/float16.hpp>
#include <rng/rng.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::detail::EachNumbers;
using rng::detail::EachRequest;
using rng::detail::MaskRequest;
using rng::detail::MaskType;
using rng::detail::NumberType;
using support::error_of;

/// The numbers of a member as their type's widest; a float stays one if `is_narrow`.
template <class D, class Member> class Column {
  public:
    Column(const std::vector<D>& laws, Member D::*member, int field) {
        for (const D& law : laws) {
            const Member number = law.*member;
            if constexpr (std::is_floating_point_v<Member>)
                real_.push_back(number);
            else
                whole_.push_back(static_cast<uint64_t>(number));
        }
        numbers_ = {field,
                    std::is_same_v<Member, float>      ? NumberType::f32
                    : std::is_same_v<Member, double>   ? NumberType::f64
                    : std::is_same_v<Member, uint64_t> ? NumberType::u64
                                                       : NumberType::i64,
                    true, false, real_.empty() ? static_cast<const void*>(whole_.data()) : real_.data()};
    }
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;
    [[nodiscard]] EachNumbers numbers() const { return numbers_; }

  private:
    std::vector<Member> real_;
    std::vector<uint64_t> whole_;
    EachNumbers numbers_{};
};

/// Calls f(list of parameters), one for each of D's members.
template <class D, class F, class... Columns>
void with_columns(const std::vector<D>&, const rng::Fields<>&, int, const F& f, const Columns&... columns) {
    f(std::vector<EachNumbers>{columns.numbers()...});
}
template <class D, class First, class... Rest, class F, class... Columns>
void with_columns(const std::vector<D>& laws, const rng::Fields<First, Rest...>& fields, int field, const F& f,
                  const Columns&... columns) {
    using Member = std::remove_cvref_t<decltype(D{}.*fields.first.member)>;
    const Column<D, Member> column(laws, fields.first.member, field);
    with_columns(laws, fields.rest, field + 1, f, columns..., column);
}

template <class D> void expect_at(const rng::detail::StreamRecord& from, std::size_t n) {
    using T = rng::result_t<D>;
    const parity::ParameterSets<D> sets(64);
    std::vector<D> laws;
    for (std::size_t i = 0; i < n; ++i) laws.push_back(sets[i * 7 % sets.size()]);
    std::vector<T> expected(n);
    rng::detail::StreamRecord at = from;
    for (std::size_t i = 0; i < n; ++i, at.position += D::slot_words)
        rng::detail::by_at(rng::catalogue_index<D>)(at, &laws[i], &expected[i], 1);
    with_columns(laws, D::fields(), 0, [&](const std::vector<EachNumbers>& parameters) {
        const EachRequest request{"test", rng::catalogue_index<D>, parameters, from};
        support::on_every_path({1, 3}, [&](const std::string& path) {
            std::vector<T> x(n);
            rng::detail::require_each(request, n);
            rng::detail::write_each_values(request, 0, x.data(), n / 2);
            rng::detail::write_each_values(request, n / 2, x.data() + n / 2, n - n / 2);
            EXPECT_EQ(support::first_difference(x.data(), expected.data(), n), n)
                << D::name << ' ' << rng::dtype_name<T>() << ' ' << path;
        });
    });
}

TEST(Each, IsAtForTheWholeCatalogue) {
    const auto stream = rng::detail::record(rng::Stream<>(42, 3, 24));
    rng::for_each_distribution([&](auto tag) { expect_at<typename decltype(tag)::type>(stream, 131); });
}

TEST(Each, LoopsOfTheirOwnOnEveryEngine) {
    rng::for_each_engine([](auto engine) {
        const auto stream = rng::detail::record(rng::Stream<typename decltype(engine)::type>(42, 3, 24));
        const auto expect = [&]<class... D>(rng::type_list<D...>) { (expect_at<D>(stream, 5001), ...); };
        expect(rng::type_list<rng::poisson<int32_t>, rng::binomial<int64_t>, rng::gamma<float>, rng::normal<double>,
                              rng::bernoulli>{});
    });
}

TEST(Each, ErrorsNameTheValue) {
    const auto stream = rng::detail::record(rng::Stream<>(1));
    const int poisson = rng::detail::index_of_law("poisson", "i32");
    std::vector<double> mean(5000, 2);
    const std::vector<EachNumbers> parameters{{0, NumberType::f64, true, false, mean.data()}};
    const auto error = [&](int law, const std::vector<EachNumbers>& given) {
        return error_of(rng::ErrorCode::invalid_argument, [&] {
            rng::detail::require_each({"test", law, given, stream}, mean.size());
        });
    };
    rng::detail::require_each({"test", poisson, parameters, stream}, mean.size());
    mean[17] = -0.0;  // counts as 0
    rng::detail::require_each({"test", poisson, parameters, stream}, mean.size());
    for (const auto& [wrong, text] :
         {std::pair(-1.0, "-1"), {0x1.0000001p30, "1073741828"}, {std::numeric_limits<double>::infinity(), "inf"}}) {
        mean[4321] = wrong;
        EXPECT_EQ(error(poisson, parameters),
                  std::string("test: value 4321: poisson: mean must be in [0, 2^30], got ") + text);
    }
    mean[4321] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(error(poisson, parameters).find("value 4321: poisson: mean must be"), std::string::npos);
    mean[4321] = 2.5;
    EXPECT_NE(error(rng::detail::index_of_law("binomial", "i32"), parameters)
                  .find("value 4321: binomial: trials must be a whole number"),
              std::string::npos);
    const std::vector<EachNumbers> constant{{0, NumberType::f64, false, true, mean.data()}};
    mean[0] = -3;
    EXPECT_EQ(error(poisson, constant), "test: poisson: mean must be in [0, 2^30], got -3");
}

/// The element of a mask.
template <class T> T masked(T x, bool kept, double scale) {
    if constexpr (std::is_same_v<T, double>)
        return x * (kept ? 1.0 : 0.0) * scale;
    else
        return T(static_cast<float>(x) * (kept ? 1.0f : 0.0f) * static_cast<float>(scale));
}
template <class T> bool same(T a, T b) {
    const auto x = static_cast<double>(a), y = static_cast<double>(b);
    return (std::isnan(x) && std::isnan(y)) || std::memcmp(&a, &b, sizeof a) == 0;
}

template <class T> void expect_products(MaskType type) {
    constexpr std::size_t n = 70'001;
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) {  // all patterns of 16 bits
        if constexpr (sizeof(T) == 2)
            x[i] = T::from_bits(static_cast<uint32_t>(i));
        else
            x[i] = static_cast<T>(std::ldexp(static_cast<double>(i) - 999, static_cast<int>(i % 60) - 30));
    }
    if constexpr (sizeof(T) > 2) {
        using Limits = std::numeric_limits<T>;
        const T special[] = {Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(), T(-0.0),
                             Limits::denorm_min(), Limits::max()};
        for (std::size_t i = 0; i < 60; ++i) x[i] = special[i % 6];
    }
    std::vector<double> p(n);
    for (std::size_t i = 0; i < n; ++i) p[i] = static_cast<double>(i % 1000) / 999;
    const double one_p = 0.7;
    for (const std::uint64_t position : {0u, 3u})
        for (const bool varies : {false, true}) {
            const double scale = position == 0 ? 1 / 0.7 : 0.75;  // half types have ties with 0.75
            const rng::Stream<> stream(9, 1, position);
            std::vector<uint8_t> kept(n);
            for (std::size_t i = 0; i < n; ++i) kept[i] = rng::at(stream, rng::bernoulli{varies ? p[i] : one_p}, i);
            MaskRequest request{};
            request.call = "test";
            request.p = {0, NumberType::f64, varies, !varies, varies ? p.data() : &one_p};
            request.type = type;
            request.bytes = sizeof(T);
            request.scale = scale;
            request.stream = rng::detail::record(stream);
            support::on_every_path({1, 3}, [&](const std::string& path) {
                std::vector<T> out = x;
                std::vector<uint8_t> mask(n);
                request.x = out.data();
                request.out = out.data();
                request.mask = mask.data();
                rng::detail::require_mask(request, n);
                rng::detail::write_mask(request, n);
                EXPECT_EQ(mask, kept) << path;
                std::size_t i = 0;
                while (i < n && same(out[i], masked(x[i], kept[i] != 0, scale))) ++i;
                EXPECT_EQ(i, n) << path << ' ' << sizeof(T);
            });
        }
}
TEST(Masks, ProductsAreThoseOfBernoulli) {
    expect_products<float>(MaskType::f32);
    expect_products<double>(MaskType::f64);
    expect_products<rng::float16>(MaskType::f16);
    expect_products<rng::bfloat16>(MaskType::bf16);
}

}  // namespace
