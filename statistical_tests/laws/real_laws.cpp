// Values of real laws as a type stores them, rounded to nearest. An f32 value becomes a random point among
// the real numbers that round to it. 16-bit types have a table of their cells.
#include <rng/core/error.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numbers>
#include <vector>

#include "../p_values/require.hpp"
#include "laws.hpp"
#include "named_laws.hpp"
#include "reference.hpp"

namespace rng::stats {
namespace {

using namespace detail;

constexpr double tail = 0x1p-10;

/// Replaces the digits of an f32 value's probability below 2^-22 by a random point, because maps of words to floats are
/// not even there. Tails are kept whole, because floats are denser than words there. Reason and
/// measurement: docs/statistics/laws.md.
double coarse(double t, double u) {
    constexpr double points = 0x1p22;
    if (std::fabs(t) < tail) return t;
    return std::copysign((std::floor(std::fabs(t) * points) + u) / points, t);
}

struct Normal {
    double mean, stddev;
    [[nodiscard]] double probability(double x) const {
        const double z = (x - mean) / stddev * (1 / std::numbers::sqrt2);
        return z <= 0 ? 0.5 * std::erfc(-z) : -0.5 * std::erfc(z);
    }
    [[nodiscard]] bool contains(double x) const { return std::isfinite(x); }
};

struct Exponential {
    double rate;
    [[nodiscard]] double probability(double x) const {
        if (x <= 0) return 0;
        const double p = -std::expm1(-rate * x);
        return p <= 0.5 ? p : -std::exp(-rate * x);
    }
    [[nodiscard]] bool contains(double x) const { return x > 0 && std::isfinite(x); }
};

struct Named {
    Continuous law;
    double least, most;  // the least and the greatest value
    [[nodiscard]] double probability(double x) const { return law->probability(x); }
    [[nodiscard]] bool contains(double x) const { return x >= least && x <= most && std::isfinite(x); }
};

/// The probabilities at the borders of the cells of all finite numbers of a 16-bit type. A value is first rounded to
/// f32 and then to that type, ties to even. Numbers are counted from 0 in both directions.
template <class T> class HalfTable {
  public:
    template <class F> explicit HalfTable(const F& law) : border_(2 * count) {
        for (int n = -count + 1; n < count - 1; ++n) at(n) = law.probability(upper_border(n));
        at(-count) = law.probability(-HUGE_VAL);
        at(count - 1) = law.probability(HUGE_VAL);
        if constexpr (std::is_same_v<F, Named>) {
            // The last value stands for all numbers up to the bound, and for none beyond.
            if (std::isfinite(law.least)) at(number_of(law.least) - 1) = law.probability(law.law->lo());
            if (std::isfinite(law.most)) at(number_of(law.most)) = law.probability(law.law->hi());
        }
    }
    /// Returns NaN if v is no finite number of the type.
    [[nodiscard]] double probability(double v, double u) const {
        const int number = number_of(v);
        if (std::abs(number) >= count || number_at(number) != v) return no_probability;
        return between(at(number - 1), at(number), u);
    }

  private:
    static constexpr int count = std::is_same_v<T, float16> ? 0x7c00 : 0x7f80;  // number of finite numbers from 0 up
    static int number_of(double v) {
        const T h(static_cast<float>(v));
        const int magnitude = h.bits & 0x7fff;
        return h.bits & 0x8000 ? -magnitude : magnitude;
    }
    static double number_at(int n) {
        const double magnitude = static_cast<float>(T::from_bits(static_cast<uint32_t>(n < 0 ? -n : n)));
        return n < 0 ? -magnitude : magnitude;
    }
    /// Returns the border between n and n + 1: the real numbers below it round to n.
    static double upper_border(int n) {
        const double middle = (number_at(n) + number_at(n + 1)) / 2;
        const float f = static_cast<float>(middle);
        const double half_gap = (std::nextafter(f, HUGE_VALF) - static_cast<double>(f)) / 2;
        return n % 2 == 0 ? middle + half_gap : middle - half_gap;
    }
    double& at(int n) { return border_[static_cast<std::size_t>(n + count)]; }
    [[nodiscard]] double at(int n) const { return border_[static_cast<std::size_t>(n + count)]; }
    std::vector<double> border_;
};

template <class F> class RealLaw final : public ValueLaw {
  public:
    RealLaw(const F& law, Reference reference, Storage storage, int tail_bits)
        : law_(law), reference_(std::move(reference)), storage_(storage), tail_bits_(tail_bits) {
        const double spread = quantile(-0.25) - quantile(0.25);
        is_narrow_ = storage == Storage::f32 && spacing(stored(quantile(0.5), storage), storage) > spread / 256;
        if (storage == Storage::f16) f16_ = std::make_unique<HalfTable<float16>>(law);
        if (storage == Storage::bf16) bf16_ = std::make_unique<HalfTable<bfloat16>>(law);
    }

    void probabilities(std::span<const double> values, std::span<const uint64_t> random,
                       std::span<double> to) const override {
        const auto with = [&](auto probability) {
            each(values, random, to,
                 [&](double v, double u) { return law_.contains(v) ? probability(v, u) : no_probability; });
        };
        switch (storage_) {
            case Storage::f16: return with([this](double v, double u) { return f16_->probability(v, u); });
            case Storage::bf16: return with([this](double v, double u) { return bf16_->probability(v, u); });
            case Storage::f32:
                return with([this](double v, double u) { return coarse(probability_f32(v, u), other_unit(u)); });
            default: return with([this](double v, double) { return law_.probability(v); });
        }
    }
    [[nodiscard]] Outlaw reason(double v) const override {
        return reason_of(v, law_.contains(v) ? Outlaw::off_grid : Outlaw::below);
    }
    [[nodiscard]] double quantile(double t) const override {
        return static_cast<double>(std::signbit(t) ? reference_.upper_quantile(-t) : reference_.quantile(t));
    }
    [[nodiscard]] int tail_bits() const override { return tail_bits_; }
    [[nodiscard]] double fineness(double v) const override { return spacing(v, storage_); }
    [[nodiscard]] bool is_normal() const override { return std::is_same_v<F, Normal>; }
    void standardise(std::span<const double> values, std::span<const uint64_t> random,
                     std::span<double> to) const override {
        if constexpr (std::is_same_v<F, Normal>) {
            if (storage_ == Storage::f16 || storage_ == Storage::bf16 || is_narrow_) {
                probabilities(values, random, to);
                for (double& x : to) x = std::isnan(x) ? x : (quantile(x) - law_.mean) / law_.stddev;
                return;
            }
            each(values, random, to, [this](double v, double u) {
                if (!law_.contains(v)) return no_probability;
                return ((storage_ == Storage::f32 ? unrounded_f32(v, u) : v) - law_.mean) / law_.stddev;
            });
        }
    }

  private:
    /// Returns the probability at a random one of the real numbers that become the float v. In tails the density may be
    /// uneven over these numbers. There the point is uniform in probability.
    [[nodiscard]] double probability_f32(double v, double u) const {
        auto [from, to] = std::minmax({unrounded_f32(v, 0), unrounded_f32(v, 1)});
        if constexpr (std::is_same_v<F, Named>) {
            // The last value stands for all numbers up to the bound, and for none beyond.
            if (v == law_.least) from = std::min(law_.law->lo(), v);
            if (v == law_.most) to = std::max(law_.law->hi(), v);
        }
        const double t = law_.probability(from + u * (to - from));
        if (!is_narrow_ && std::fabs(t) >= tail) return t;
        return between(law_.probability(from), law_.probability(to), u);
    }

    F law_;
    Reference reference_;
    Storage storage_;
    int tail_bits_;
    bool is_narrow_ = false;  // true if the law is uneven over the numbers that round to one float
    std::unique_ptr<const HalfTable<float16>> f16_;
    std::unique_ptr<const HalfTable<bfloat16>> bf16_;
};

}  // namespace

Law normal_law(double mean, double stddev, Storage storage, int tail_bits) {
    return std::make_shared<RealLaw<Normal>>(Normal{mean, stddev}, reference_of(normal<double>{mean, stddev}), storage,
                                             tail_bits);
}
Law exponential_law(double rate, Storage storage, int tail_bits) {
    return std::make_shared<RealLaw<Exponential>>(Exponential{rate}, reference_of(exponential<double>{rate}), storage,
                                                  tail_bits);
}

Law named_real_law(const std::string& name, std::span<const Parameter> parameters, Storage storage, int tail_bits,
                   SupportBounds bounds) {
    const Continuous law = named_law(name, parameters);
    double least = stored(law->lo(), storage), most = stored(law->hi(), storage);
    if (bounds == SupportBounds::excluded) {
        least = neighbour(least, true, storage);
        most = neighbour(most, false, storage);
    }
    return std::make_shared<RealLaw<Named>>(Named{law, least, most}, Reference(law), storage, tail_bits);
}

}  // namespace rng::stats
