// A C library whose fma rounds twice, as MinGW's does: the first fill says so, and writes nothing.
#include <gtest/gtest.h>
#include <rng/rng.hpp>

#include <dlfcn.h>
#include <vector>

#include "../support/paths.hpp"

namespace {

enum class Rounding { once, product_first, in_64_bits, in_double };
Rounding rounding = Rounding::once;

template <class T> T right_fma(const char* name, T a, T b, T c) {
    using Function = T (*)(T, T, T);
    static const auto next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    return next(a, b, c);
}
template <class T> T fma_of(const char* name, T a, T b, T c) {
    const volatile T product = a * b;
    switch (rounding) {
        case Rounding::once: break;
        case Rounding::product_first: return product + c;
        case Rounding::in_64_bits: return static_cast<T>(static_cast<long double>(a) * b + c);
        case Rounding::in_double:
            if (sizeof(T) == 4)
                return static_cast<T>(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
            break;
    }
    return right_fma(name, a, b, c);
}

}  // namespace

// The linker takes these, and not those of the C library.
extern "C" double fma(double a, double b, double c) { return fma_of("fma", a, b, c); }
extern "C" float fmaf(float a, float b, float c) { return fma_of("fmaf", a, b, c); }

namespace {

TEST(WrongFma, IsFoundBeforeTheFirstValue) {
    std::vector<float> x(10, 7.0f);
    for (const Rounding wrong : {Rounding::product_first, Rounding::in_64_bits, Rounding::in_double}) {
        rounding = wrong;
        const bool is_double_right = wrong == Rounding::in_double;
        rng::Generator gen{42};
        rng::reset_isa();  // as at the start of the process
        const std::string text = support::error_of(rng::ErrorCode::unsupported, [&] {
            rng::fill(x, rng::normal{0.0f, 1.0f}, gen);
        });
        EXPECT_EQ(text.find(is_double_right ? "fmaf of this system rounds twice" : "fma of this system rounds twice"),
                  0u)
            << text;
        EXPECT_NE(text.find("build rng and what includes it with -mfma"), std::string::npos) << text;
        EXPECT_EQ(x, std::vector<float>(10, 7.0f));
        EXPECT_EQ(gen.position(), 0u);
        EXPECT_EQ(support::error_of(rng::ErrorCode::unsupported, [] { rng::set_isa(rng::Isa::scalar); }), text);
        EXPECT_EQ(support::error_of(rng::ErrorCode::unsupported, [] { (void)rng::philox4x32(1)(); }), text);
    }
    rounding = Rounding::once;
    rng::Generator gen{42};
    rng::fill(x, rng::normal{0.0f, 1.0f}, gen);
    EXPECT_EQ(x[0], rng::at(rng::Stream{42}, rng::normal{0.0f, 1.0f}, 0));
}

}  // namespace
