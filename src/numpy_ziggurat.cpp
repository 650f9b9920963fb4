// The ziggurats of numpy::Generator: 256 layers of equal area below a decreasing density. A draw takes a layer, and
// computes a point of the layer by one multiplication. One point in a hundred may lie above the density.
//
// The tables are computed here, by the construction of G. Marsaglia and W. W. Tsang, "The ziggurat method for
// generating random variables", J. Stat. Softw. 5(8), 2000. From the place r where the tail begins and the area v of a
// layer:
//     x[255] = r;    density(x[i]) = density(x[i + 1]) + v / x[i + 1];    layer 0 is v / density(r) wide
// r is such that the layers end at the density's greatest value, 1. The rounding of the numbers is that of NumPy, to
// the bit:
// - exponential: steps in full precision, each number rounded once. The limits are then of 52 bits.
// - normal: steps in doubles. The density of layer 38 is one unit in the last place above the correctly rounded one;
//   layers 37 to 1 follow from it.
// - floats: normal ones are the doubles, rounded; exponential ones their first nine decimal digits, rounded.
#include <cmath>
#include <cstdint>
#include <rng/interop/numpy.hpp>
#include <rng/lane/scalar.hpp>

RNG_BEGIN_NAMESPACE

namespace numpy {
namespace {

/// A number as the sum of two doubles: some 100 bits. T. J. Dekker, "A floating-point technique for extending the
/// available precision", Numer. Math. 18, 1971.
struct Wide {
    double high = 0, low = 0;

    static Wide sum(double a, double b) {  // of any two
        const double s = a + b, c = s - a;
        return {s, (a - (s - c)) + (b - c)};
    }
    friend Wide operator+(Wide a, Wide b) {
        const Wide s = sum(a.high, b.high);
        return sum(s.high, s.low + a.low + b.low);
    }
    friend Wide operator-(Wide a) { return {-a.high, -a.low}; }
    friend Wide operator*(Wide a, Wide b) {
        const double p = a.high * b.high;
        return sum(p, lane::Scalar::fma(a.high, b.high, -p) + a.high * b.low + a.low * b.high);
    }
    friend Wide operator/(Wide a, Wide b) {
        const double q = a.high / b.high;
        const Wide rest = a + -(b * Wide{q});
        return Wide{q} + Wide{(rest.high + rest.low) / b.high};
    }
};

/// e^x for x in [-8, 8]: the series at x / 64.
Wide exp(Wide x) {
    x = x * Wide{1.0 / 64};
    Wide sum{1.0};
    for (int k = 20; k > 0; --k) sum = Wide{1.0} + x * sum / Wide{static_cast<double>(k)};
    for (int k = 0; k < 6; ++k) sum = sum * sum;
    return sum;
}
/// ln y for y in [e^-8, 1): a Newton step from libm's logarithm.
Wide log(Wide y) {
    const Wide guess{std::log(y.high)};
    return guess + (y * exp(-guess) + Wide{-1.0});
}

constexpr int layers = 256;
/// A layer is x[i] wide, and ends at the height f[i]. A point of it by a number of B bits is x[i] * number / 2^B. The
/// numbers below k[i] are points below the density.
template <class T, class K> struct Ziggurat {
    K k[layers];
    T w[layers];  // x[i] / 2^B
    T f[layers];
};
using Doubles = Ziggurat<double, uint64_t>;
using Floats = Ziggurat<float, uint32_t>;

constexpr double float_steps = 0x1p23;  // B of float is 23
constexpr double normal_steps = 0x1p52, exponential_steps = 0x1p53;
constexpr double normal_tail = 3.6541528853610088, normal_area = 0.0049286732339746519;
/// 7.69711747013104971404462804801...: the layers of the exponential density then end at 1, by a search in 400 bits.
constexpr Wide exponential_tail{0x1.ec9d9297ebb83p+2, -0x1.a1eb4a1d9b516p-52};

/// The float of a number's first nine decimal digits. Requires x in [2^-50, 1].
float of_nine_digits(double x) {
    double scale = 1;
    while (x * scale < 1e8) scale *= 10;
    return static_cast<float>(std::rint(x * scale) / scale);
}
/// The layers of floats from those of doubles; x[0] is the width of layer 0.
Floats floats_of(const double (&x)[layers], const double (&f)[layers], double tail, float (*rounded)(double)) {
    Floats z{};
    for (int i = 0; i < layers; ++i) {
        z.w[i] = rounded(x[i] / float_steps);
        z.f[i] = rounded(f[i]);
        if (i != 1) z.k[i] = static_cast<uint32_t>(std::rint((i == 0 ? tail : x[i - 1]) / x[i] * float_steps));
    }
    return z;
}

struct Normal {
    Doubles of_double{};
    Floats of_float{};

    Normal() {
        double x[layers], f[layers];
        f[layers - 1] = density(normal_tail);
        x[layers - 1] = normal_tail;
        for (int i = layers - 2; i > 0; --i) {
            x[i] = std::sqrt(-2 * log(Wide{normal_area / x[i + 1] + f[i + 1]}).high);
            f[i] = density(x[i]);
            if (i == 38) f[i] = std::nextafter(f[i], 1.0);
        }
        x[0] = normal_area / f[layers - 1];
        f[0] = 1;
        for (int i = 0; i < layers; ++i) {
            of_double.w[i] = x[i] / normal_steps;
            of_double.f[i] = f[i];
            if (i > 1) of_double.k[i] = static_cast<uint64_t>(std::rint(x[i - 1] / x[i] * normal_steps));
        }
        of_double.k[0] = static_cast<uint64_t>(std::rint(normal_tail * f[layers - 1] / normal_area * normal_steps));
        of_float = floats_of(x, f, normal_tail, [](double number) { return static_cast<float>(number); });
    }
    static double density(double x) { return exp(Wide{-0.5 * x * x}).high; }
};

struct Exponential {
    Doubles of_double{};
    Floats of_float{};

    Exponential() {
        Wide x[layers], f[layers];
        x[layers - 1] = exponential_tail;
        f[layers - 1] = exp(-exponential_tail);
        x[0] = exponential_tail + Wide{1.0};
        f[0] = Wide{1.0};
        const Wide area = x[0] * f[layers - 1];
        for (int i = layers - 2; i > 0; --i) {
            f[i] = area / x[i + 1] + f[i + 1];
            x[i] = -log(f[i]);
        }
        double width[layers], height[layers];
        for (int i = 0; i < layers; ++i) {
            width[i] = x[i].high;
            height[i] = f[i].high;
            of_double.w[i] = x[i].high / exponential_steps;
            of_double.f[i] = f[i].high;
            if (i == 1) continue;
            // NumPy's limits are even: of 52 bits, in units of 2^-53.
            const Wide ratio = (i == 0 ? exponential_tail : x[i - 1]) / x[i] * Wide{exponential_steps / 2};
            const double whole = std::floor(ratio.high);
            of_double.k[i] = 2 * static_cast<uint64_t>(whole == ratio.high && ratio.low < 0 ? whole - 1 : whole);
        }
        of_float = floats_of(width, height, exponential_tail.high, of_nine_digits);
    }
};

const Normal& normal_layers() {
    static const Normal made;
    return made;
}
const Exponential& exponential_layers() {
    static const Exponential made;
    return made;
}

/// A random height of layer i.
template <class T, class Z> T height(const Z& z, unsigned i, Generator& g) {
    return (z.f[i - 1] - z.f[i]) * g.random<T>() + z.f[i];
}

/// `places` is the number of bits of a place in its layer.
template <class T, class Z> T normal_of(const Z& z, int places, Generator& g) {
    constexpr T tail = static_cast<T>(normal_tail), by_tail = static_cast<T>(0.27366123732975828);  // 1 / tail
    for (;;) {
        // From the low bit: 8 bits of the layer, the sign, the place.
        const uint64_t word = sizeof(T) == 8 ? g.next64() : g.next32();
        const auto i = static_cast<unsigned>(word & 0xff);
        const uint64_t place = word >> 9 & ((uint64_t{1} << places) - 1);
        const T width = static_cast<T>(place) * z.w[i], x = (word & 0x100) != 0 ? -width : width;
        if (place < z.k[i]) return x;
        if (i != 0) {
            const double wide = x;  // also of float
            if (height<T>(z, i, g) < std::exp(-0.5 * wide * wide)) return x;
            continue;
        }
        for (;;) {
            const T beyond = -by_tail * std::log1p(-g.random<T>()), y = -std::log1p(-g.random<T>());
            if (y + y > beyond * beyond) return (place >> 8 & 1) != 0 ? -(tail + beyond) : tail + beyond;
        }
    }
}
/// `unused` is the number of low bits of a word that are not used.
template <class T, class Z> T exponential_of(const Z& z, int unused, Generator& g) {
    constexpr T tail = static_cast<T>(exponential_tail.high);
    for (;;) {
        const uint64_t word = (sizeof(T) == 8 ? g.next64() : g.next32()) >> unused, place = word >> 8;
        const auto i = static_cast<unsigned>(word & 0xff);
        const T x = static_cast<T>(place) * z.w[i];
        if (place < z.k[i]) return x;
        if (i == 0) return tail - std::log1p(-g.random<T>());
        if (height<T>(z, i, g) < std::exp(-x)) return x;
    }
}

}  // namespace

template <> RNG_API double Generator::standard_normal() {
    return normal_of<double>(normal_layers().of_double, 52, *this);
}
template <> RNG_API float Generator::standard_normal() { return normal_of<float>(normal_layers().of_float, 23, *this); }
template <> RNG_API double Generator::standard_exponential() {
    return exponential_of<double>(exponential_layers().of_double, 3, *this);
}
template <> RNG_API float Generator::standard_exponential() {
    return exponential_of<float>(exponential_layers().of_float, 1, *this);
}
double Generator::normal(double loc, double scale) { return loc + scale * standard_normal(); }
double Generator::exponential(double scale) { return scale * standard_exponential(); }

}  // namespace numpy

RNG_END_NAMESPACE
