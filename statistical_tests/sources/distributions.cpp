// This library's distributions as generators under test.
#include <rng/stats/values_under_test.hpp>

#include <rng/any_distribution.hpp>
#include <rng/core/error.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/stats/coordinates.hpp>
#include <rng/stats/inverted.hpp>
#include <rng/stats/values.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "specification.hpp"

namespace rng::stats {
namespace {

using namespace detail;

/// Values that a function gives by position.
class PositionedValues final : public ValueSource {
  public:
    using Read = std::function<void(uint64_t first, std::span<double> to)>;
    PositionedValues(std::string name, Law law, uint64_t count, Read read)
        : name_(std::move(name)), law_(std::move(law)), count_(count), read_(std::move(read)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] const Law& law() const override { return law_; }
    [[nodiscard]] std::optional<uint64_t> size() const override {
        return count_ > UINT64_MAX / 4 ? UINT64_MAX / 8 * 8 : count_ * 4;
    }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read_values(uint64_t first, std::span<double> to) override {
        const uint64_t left = count_ - std::min(first, count_);
        if (left < to.size()) to = to.first(static_cast<std::size_t>(left));
        if (!to.empty()) read_(first, to);
        return to.size();
    }

  private:
    std::string name_;
    Law law_;
    uint64_t count_;
    Read read_;
};

/// Returns the independent numbers that a value of several parts corresponds to.
template <class T> std::array<double, 2> numbers_of(const complex<T>& z) {
    return {static_cast<double>(z.re), static_cast<double>(z.im)};
}
template <template <class> class V, class T>
requires(rng::detail::VectorOf<V<T>>::parts > 0) auto numbers_of(const V<T>& v) { return coordinates_of(v); }
/// How many they are.
template <class T> inline constexpr uint64_t count_of_numbers = 1;
template <class T>
requires requires(T value) { numbers_of(value); }
inline constexpr uint64_t count_of_numbers<T> = std::tuple_size_v<decltype(numbers_of(T{}))>;

/// Calls put(i, value) with `count` values of a distribution, made in batches that need no threads. Requires the
/// generator to be at the first value.
template <class T, class Put>
void for_each_value(const AnyDistribution& dist, Generator generator, std::size_t count, Put put) {
    constexpr std::size_t batch = 2048;
    T values[batch];
    for (std::size_t at = 0; at < count; at += batch) {
        const std::size_t size = std::min(batch, count - at);
        dist.fill(std::span(values, size), generator);
        for (std::size_t i = 0; i < size; ++i) put(at + i, values[i]);
    }
}

/// Stores values of type T from number `first` on of a stream that begins at the generator's place.
template <class T>
void read_as(const AnyDistribution& dist, const Generator& start, long double origin, uint64_t first,
             std::span<double> to) {
    const auto from = [&](uint64_t number) {
        Generator generator = start.clone();
        generator.skip_words(number * static_cast<uint64_t>(dist.info().slot_words));
        return generator;
    };
    if constexpr (requires(T value) { numbers_of(value); }) {
        // A value's numbers take turns. A range may begin or end within a value.
        constexpr uint64_t count = count_of_numbers<T>;
        const uint64_t before = first % count;
        for_each_value<T>(dist, from(first / count), (before + to.size() + count - 1) / count,
                          [&](std::size_t i, const T& value) {
                              std::size_t place = count * i - before;  // wraps if the first ones are not wanted
                              for (const double x : numbers_of(value)) {
                                  if (place < to.size()) to[place] = x;
                                  ++place;
                              }
                          });
    } else if constexpr (rng::detail::is_half<T>) {
        for_each_value<T>(dist, from(first), to.size(),
                          [&](std::size_t i, T v) { to[i] = static_cast<double>(static_cast<float>(v)); });
    } else if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
        const auto least = static_cast<T>(origin);
        for_each_value<T>(dist, from(first), to.size(), [&](std::size_t i, T v) {
            to[i] = v >= least ? static_cast<double>(static_cast<uint64_t>(v) - static_cast<uint64_t>(least))
                               : -static_cast<double>(static_cast<uint64_t>(least) - static_cast<uint64_t>(v));
        });
    } else {
        for_each_value<T>(dist, from(first), to.size(), [&](std::size_t i, T v) { to[i] = static_cast<double>(v); });
    }
}
void read(const AnyDistribution& dist, const Generator& start, long double origin, uint64_t first,
          std::span<double> to) {
    visit_dtype(dist.info().dtype,
                [&](auto tag) { read_as<typename decltype(tag)::type>(dist, start, origin, first, to); });
}

/// An engine by its name, with the words of its streams.
struct KnownEngine {
    Engine number;
    uint64_t size_words;
};
KnownEngine engine_named(const std::string& name) {
    std::optional<KnownEngine> found;
    std::string known;
    for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        known += (known.empty() ? "" : ", ") + std::string(E::name);
        if (name == E::name) found = {E::number, Stream<E>::size_words};
    });
    if (!found) refuse_value("engine", ("must be one of " + known).c_str(), name);
    return *found;
}

GeneratorUnderTest generator_of_values(const std::string& text, const AnyDistribution& dist, const Law& law,
                                       const DistributionOptions& options) {
    const KnownEngine engine = engine_named(options.engine);
    const auto start = std::make_shared<const Generator>(cpu(), options.seed, engine.number);
    const DistributionInfo& info = dist.info();
    uint64_t numbers = 1;
    visit_dtype(info.dtype, [&](auto tag) { numbers = count_of_numbers<typename decltype(tag)::type>; });
    GeneratorUnderTest generator{std::make_shared<PositionedValues>(
        text + ", " + info.dtype + ", " + options.engine + ", seed " + std::to_string(options.seed), law,
        engine.size_words / static_cast<uint64_t>(info.slot_words) * numbers,
        [dist, start, origin = law->origin()](uint64_t first, std::span<double> to) {
            read(dist, *start, origin, first, to);
        })};
    generator.seed = options.seed;
    return generator;
}

}  // namespace

GeneratorUnderTest distribution_under_test(const std::string& distribution, const std::string& dtype,
                                           const DistributionOptions& options) {
    const Specification specification = parse_specification(distribution);
    std::optional<GeneratorUnderTest> found;
    std::string known;
    for_each_distribution([&](auto tag) {
        using D = typename decltype(tag)::type;
        if (specification.name != D::name) return;
        const std::string own = dtype_name<result_t<D>>();
        known += (known.empty() ? "" : ", ") + own;
        if (found || !(dtype.empty() || dtype == own)) return;
        const auto dist = make_distribution<D>(specification);
        found = generator_of_values(distribution, dist, law_of(dist), options);
    });
    if (known.empty()) refuse_name(specification.name);
    if (!found) refuse_dtype(specification.name, known, dtype);
    found->reseeded = [=](uint64_t round) {
        DistributionOptions fresh = options;
        fresh.seed = Stream<Philox4x32_10>(options.seed).fork(round).id;
        return distribution_under_test(distribution, dtype, fresh);
    };
    return *found;
}

bool is_invertible(const GeneratorUnderTest& generator) {
    const auto* const values = dynamic_cast<const ValueSource*>(generator.source.get());
    return values && values->law()->is_normal();
}

GeneratorUnderTest invert_box_muller(const GeneratorUnderTest& generator) {
    const auto values = std::dynamic_pointer_cast<ValueSource>(generator.source);
    if (!values)
        rng::detail::refuse("invert_box_muller", "generator must have values, got " +
                                                     (generator.source ? generator.source->name() : "none"));
    GeneratorUnderTest inverted{std::make_shared<InvertedPairs>(values), {}, {}, generator.seed};
    if (generator.reseeded)
        inverted.reseeded = [reseeded = generator.reseeded](uint64_t round) {
            return invert_box_muller(reseeded(round));
        };
    return inverted;
}

}  // namespace rng::stats
