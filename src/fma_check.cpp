#include "fma_check.hpp"

#include <rng/core/error.hpp>
#include <rng/lane/scalar.hpp>

#include "cpu/fp_environment.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T> struct Case { T a, b, c, sum; };

// a * b + c, rounded once; reference.test_floats computes the sums from exact integers. Each way to round twice gives
// another sum for some of them: the product first, in this type or in the 64 bits of x87; the exact sum in 64 bits, or
// for float in double.
// The numbers are volatile, so that no compiler computes the sums.
const volatile Case<double> doubles[] = {
    {0x1.0000000000001p+0, 0x1.ffffffffffffep-1, -0x1p+0, -0x1p-104},
    {0x1.002p-53, 0x1p+0, 0x1p+0, 0x1.0000000000001p+0},
    {0x1.8p-4, 0x1.49ddfad433669p+52, -0x1p-37, 0x1.eeccf83e4d19dp+48},
    {0x1.841b6a600074ap+40, 0x1.8p-22, -0x1p-51, 0x1.23148fc800577p+19},
    {-0x1.c29d2b62e9693p+39, 0x1.118156d55f5cap+12, 0x1.8b8a7cfacbb88p-3, -0x1.e16d454fb8f47p+51},
};
const volatile Case<float> floats[] = {
    {0x1.000002p+0f, 0x1.fffffcp-1f, -0x1p+0f, -0x1p-46f},
    {0x1.00004p-12f, 0x1.ffff8p-13f, 0x1.000002p+0f, 0x1.000002p+0f},
    {0x1.000002p-12f, 0x1.fffffcp-13f, 0x1.000002p+0f, 0x1.000002p+0f},
    {-0x1.11912cp+14f, -0x1.ae7d36p+4f, -0x1.29fc0ep+17f, 0x1.37099ep+18f},
    {0x1.8p-8f, 0x1.6c5cdcp+17f, -0x1.c5778cp+7f, 0x1.b12d68p+9f},
};

template <class T, size_t N> void require_sums(const volatile Case<T> (&cases)[N], const char* name) {
    for (const volatile Case<T>& x : cases) {
        const T a = x.a, b = x.b, c = x.c, right = x.sum, got = lane::Scalar::fma(a, b, c);
        if (lane::Scalar::bits(got) != lane::Scalar::bits(right))
            raise_text(ErrorCode::unsupported,
                       "%s of this system rounds twice, which gives other numbers: of %a, %a and %a it makes %a and "
                       "not %a; build rng and what includes it with -mfma",
                       name, double{a}, double{b}, double{c}, double{got}, double{right});
    }
}

}  // namespace

void require_fused_fma() {
    const rng_cpu::FpEnvironment environment;
    require_sums(doubles, "fma");
    require_sums(floats, "fmaf");
}

}  // namespace detail
RNG_END_NAMESPACE
