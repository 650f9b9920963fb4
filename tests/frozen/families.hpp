// The families of cases: the whole catalogue by rng.h, and what only C++ reaches. A new family is added at the end of
// families(), and its digests to a table (docs/releases.md); no family that a table has may change.
#pragma once

#include <rng/reduce.hpp>
#include <rng/rng.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <random>
#include <span>

#include "cases.hpp"

namespace frozen {

// ---- Numbers and lists

/// A generator of any engine, anywhere; its state is part of the digest when the case is over.
class Source {
  public:
    explicit Source(Case& c) : case_(c) {
        const rng::Engine engine = rng::parse_engine(engine_for(c.random));
        const uint64_t seed = c.random.corner(64), tag = c.random.corner(56), position = c.random.below(70);
        const bool is_child = c.random.one_in(3), is_counted = c.random.one_in(3);
        generator = rng::Generator(rng::cpu(), seed, engine);
        if (is_child) generator = generator.fork(tag);
        if (is_counted) generator = std::move(generator.split(1 + tag % 3).back());
        generator.skip_words(position);
        c.note(rng::engine_name(engine)), c.note("seed", seed), c.note("position", position);
        if (is_child) c.note("fork", tag);
        if (is_counted) c.note("split", 1 + tag % 3);
    }
    ~Source() { case_.digest.add_bytes(generator.get_state().data(), RNG_STATE_BYTES); }
    Source(const Source&) = delete;
    Source& operator=(const Source&) = delete;

    rng::Generator generator;

  private:
    Case& case_;
};

template <class T> const Type& type_of() {
    static const Type type(rng::dtype_name<T>());
    return type;
}
template <class T> T real_of(Case& c, const Parameter& parameter) {
    return static_cast<T>(real_for(c.random, parameter, type_of<T>(), 0));
}
template <class T> std::vector<T> list_of(Case& c, size_t n, const Parameter& parameter) {
    std::vector<T> list(n);
    for (T& x : list) x = real_of<T>(c, parameter);
    return list;
}
/// A number of up to 2^15 in magnitude, with all bits of its type, beside `base`.
inline double real_number(Random& random, double base) {
    const double integer = static_cast<double>(static_cast<int64_t>(random.next()) >> 11);
    return base + integer * power_of_two(static_cast<int>(random.below(24)) - 60);
}
template <class T> T number_of(Random& random, double base = 0) {
    if constexpr (requires(T z) { z.im; }) {
        const auto re = static_cast<decltype(T::re)>(real_number(random, base));
        return T{re, static_cast<decltype(T::re)>(real_number(random, base))};
    } else if constexpr (sizeof(T) == 2) {
        return static_cast<T>(static_cast<float>(real_number(random, base)));
    } else {
        return static_cast<T>(real_number(random, base));
    }
}
/// A third of the lists have numbers that are nearly equal.
template <class T> void set_numbers(Random& random, std::vector<T>& list) {
    const double base = random.one_in(3) ? power_of_two(static_cast<int>(8 + random.below(50))) : 0;
    for (T& x : list) x = number_of<T>(random, sizeof(T) == 2 ? 0 : base);
}
template <class T> std::vector<T> numbers_of(Random& random, size_t n) {
    std::vector<T> list(n);
    set_numbers(random, list);
    return list;
}
/// Adds the parts of each value.
template <class T> void add_values(Digest& digest, std::span<const T> values) {
    digest.add_numbers(values.data(), values.size_bytes(), type_of<T>().width);
}
template <class T> void add_values(Digest& digest, const std::vector<T>& values) {
    add_values(digest, std::span<const T>(values));
}
template <class T> void add_value(Digest& digest, const T& value) { add_values(digest, std::span<const T>(&value, 1)); }

/// A matrix with memory of its own: by rows, by columns, or with gaps.
template <class T> struct Matrix {
    std::vector<T> memory;
    rng::matrix_view<T> view;

    Matrix(Random& random, size_t rows, size_t cols) : memory(2 * rows * cols + 1) {
        const auto r = static_cast<ptrdiff_t>(rows), k = static_cast<ptrdiff_t>(cols);
        const uint64_t layout = random.below(3);
        view = {memory.data(), rows, cols,
                layout == 0   ? k
                : layout == 1 ? 1
                              : 2 * k,
                layout == 0   ? 1
                : layout == 1 ? r
                              : 2};
    }
    void add_to(Digest& digest) const {
        for (size_t i = 0; i < view.rows; ++i)
            for (size_t j = 0; j < view.cols; ++j) add_value<T>(digest, view(i, j));
    }
};

// ---- Structured rows

template <class D> bool rows_of(Case& c, const D& dist) {
    using T = typename D::result_type;
    if (dist.fault()) return false;
    Source source(c);
    const size_t rows = c.random.one_in(12) ? 30 + c.random.below(70) : 1 + c.random.below(6);
    c.note("rows", rows), c.note("size", dist.row_size());
    Matrix<T> matrix(c.random, rows, dist.row_size());
    const auto stream = rng::AnyStream(source.generator);
    rng::fill_rows(matrix.view, dist, source.generator);
    matrix.add_to(c.digest);
    if (stream.engine() != rng::Engine::philox4x32_10) return true;
    std::vector<T> row(dist.row_size());
    rng::row_at(stream.template stream<rng::Philox4x32_10>(), dist, c.random.corner(40), row.data());
    add_values(c.digest, row);
    return true;
}
inline size_t dimension_for(Random& random) { return random.one_in(12) ? 9 + random.below(9) : 1 + random.below(5); }

inline const Parameter& parameter_of(std::string_view law, size_t which) {
    return std::find_if(laws().begin(), laws().end(), [&](const Law& it) { return it.name == law; })->parameters[which];
}

template <class T> bool dirichlet_rows(Case& c) {
    const size_t d = dimension_for(c.random);
    std::vector<T> alpha(d, T(1));
    if (!c.random.one_in(4)) alpha = list_of<T>(c, d, parameter_of("log_gamma", 0));
    return rows_of(c, rng::dirichlet(alpha));
}
template <class T> bool multivariate_normal_rows(Case& c) {
    const size_t d = dimension_for(c.random);
    const std::vector<T> mean = list_of<T>(c, d, {"mean", Sign::any, {-76, 90}, {-300, 300}});
    const std::vector<T> factor = list_of<T>(c, d * d, {"factor", Sign::any, {-76, 90}, {-300, 300}});
    return rows_of(c, rng::multivariate_normal(mean, factor));
}
template <class T> bool wishart_rows(Case& c) {
    const size_t d = dimension_for(c.random);
    const std::vector<T> factor = list_of<T>(c, d * d, {"factor", Sign::any, {-76, 30}, {-300, 300}});
    return rows_of(c, rng::wishart(static_cast<T>(d - 1) + real_of<T>(c, parameter_of("chi_squared", 0)), factor));
}
template <class D> bool plain_rows(Case& c) { return rows_of(c, D{dimension_for(c.random)}); }
template <class T, class W> bool multinomial_rows(Case& c) {
    const Parameter weight{"weight", Sign::positive_or_zero, {-126, 127}, {-300, 300}, {1, 2, 3}};
    const std::vector<W> weights = list_of<W>(c, dimension_for(c.random), weight);
    return rows_of(c, rng::multinomial(static_cast<T>(c.random.corner(sizeof(T) == 4 ? 31 : 62)), weights));
}
template <class T> bool multivariate_hypergeometric_rows(Case& c) {
    std::vector<T> counts(dimension_for(c.random));
    uint64_t all = 0;
    for (T& x : counts) all += static_cast<uint64_t>(x = static_cast<T>(c.random.corner(sizeof(T) == 4 ? 27 : 48)));
    return rows_of(c, rng::multivariate_hypergeometric(counts, static_cast<T>(c.random.next() % (all + 1))));
}
template <class T> bool cholesky_factors(Case& c) {
    const size_t d = dimension_for(c.random);
    std::vector<T> lower(d * d), matrix(d * d);
    for (size_t i = 0; i < d; ++i)
        for (size_t j = 0; j <= i; ++j) lower[i * d + j] = static_cast<T>(static_cast<int>(c.random.below(15)) - 7);
    const auto unit = static_cast<T>(power_of_two(static_cast<int>(c.random.below(40)) - 20));
    for (size_t i = 0; i < d; ++i)
        for (size_t j = 0; j < d; ++j) {
            for (size_t k = 0; k <= std::min(i, j); ++k) matrix[i * d + j] += lower[i * d + k] * lower[j * d + k];
            matrix[i * d + j] = (matrix[i * d + j] + static_cast<T>(i == j ? c.random.below(2) : 0)) * unit;
        }
    add_values(c.digest, rng::cholesky(matrix, d));
    return true;
}

// ---- Permutations, choices, shuffles and epochs

inline rng::Stream<> stream_of(Case& c) {
    const uint64_t seed = c.random.corner(64), id = c.random.corner(64), position = c.random.corner(50);
    c.note("seed", seed), c.note("id", id), c.note("position", position);
    return rng::Stream<>(seed, id).at_position(position);
}

inline bool permutations(Case& c) {
    const rng::Stream<> stream = stream_of(c);
    const uint64_t n =
        1 + (c.random.one_in(4) ? 2045 + c.random.below(5) : c.random.corner(c.random.one_in(2) ? 12 : 62));
    const auto permuted = rng::permutation{n}.of(stream, c.random.corner(20));
    c.note("n", n);
    for (int i = 0; i < 3; ++i) {
        const uint64_t place = c.random.next() % n;
        c.digest.add(permuted.at(place));
        c.digest.add(permuted.inverse(place));
    }
    return true;
}
inline bool shuffles(Case& c) {
    Source source(c);
    std::vector<uint16_t> things(c.random.one_in(10) ? 2040 + c.random.below(3000) : c.random.below(70));
    for (size_t i = 0; i < things.size(); ++i) things[i] = static_cast<uint16_t>(i);
    c.note("n", things.size());
    rng::shuffle(things, source.generator);
    add_values(c.digest, things);
    std::vector<int32_t> order(things.size());
    rng::fill(order, rng::permutation{order.size()}, source.generator);
    add_values(c.digest, order);
    return true;
}
inline std::vector<double> weights_for(Case& c) {
    return list_of<double>(c, 1 + c.random.below(c.random.one_in(8) ? 400 : 12),
                           {"weight", Sign::positive_or_zero, {}, {-300, 300}, {1, 2, 3}});
}
inline bool choices(Case& c) {
    Source source(c);
    const uint64_t n = 1 + (c.random.one_in(4) ? 2045 + c.random.below(5) : c.random.corner(61)),
                   k = c.random.below(20);
    const std::vector<double> weights = weights_for(c);
    c.note("n", n), c.note("k", k), c.note("weights", weights.size());
    add_values(c.digest, rng::choice(n, std::min(n, k), source.generator));
    add_values(c.digest, rng::choice_with_replacement(n, k, source.generator));
    const auto above =
        static_cast<uint64_t>(std::count_if(weights.begin(), weights.end(), [](double w) { return w > 0; }));
    if (above == 0) return false;
    add_values(c.digest, rng::choice(weights, std::min(above, k), source.generator));
    add_values(c.digest, rng::choice_with_replacement(weights, k, source.generator));
    return true;
}
inline bool epochs(Case& c) {
    const rng::Stream<> stream = stream_of(c);
    rng::EpochOptions options;
    options.items = 1 + c.random.corner(c.random.one_in(2) ? 12 : 55);
    options.ranks = 1 + c.random.below(5), options.rank = c.random.below(options.ranks);
    options.shuffle = !c.random.one_in(6), options.drop_last = c.random.one_in(2);
    const uint64_t epoch = c.random.corner(56);
    c.note("epoch", epoch), c.note("items", options.items);
    const std::vector<double> weights = weights_for(c);
    options.replacement = c.random.one_in(2);
    const auto add = [&](const auto& sampler) {
        for (int i = 0; i < 4 && sampler.size() > 0; ++i) {
            const auto sample = sampler[c.random.next() % sampler.size()];
            c.digest.add(sample.item);
            c.digest.add(sample.place);
            c.digest.add(sample.numbers.id);
        }
    };
    add(rng::EpochSampler(stream, epoch, options));
    add(rng::EpochSampler(stream, epoch, options, weights, 1));
    return true;
}

// ---- Tables: laws of lists

template <class D> void sample_of(Case& c, const D& dist) {
    Source source(c);
    add_values(c.digest, rng::sample(dist, 1 + c.random.below(40), source.generator));
    const rng::Stream<> stream = stream_of(c);
    add_value(c.digest, rng::at(stream, dist, c.random.corner(40)));
}
template <class T> bool categories(Case& c) {
    const std::vector<double> weights = weights_for(c);
    if (std::all_of(weights.begin(), weights.end(), [](double w) { return !(w > 0); })) return false;
    const rng::AliasTable table(weights);
    c.note("weights", weights.size());
    c.digest.add_numbers(table.data(), 8 * table.size(), 8);
    sample_of(c, rng::categorical<T>(table));
    sample_of(c, rng::categorical_icdf(weights));
    return true;
}
template <class T> bool pieces(Case& c) {
    const size_t n = 1 + c.random.below(c.random.one_in(8) ? 300 : 12);
    std::vector<T> edges(n + 1),
        densities = list_of<T>(c, n + 1, {"density", Sign::positive_or_zero, {-126, 127}, {-300, 300}, {1, 2, 3}});
    T edge = number_of<T>(c.random);
    for (T& x : edges) x = edge += static_cast<T>(1 + c.random.below(1 << 12));
    const rng::piecewise_linear linear(edges, densities);
    c.note("pieces", n);
    const bool is_sound = !linear.fault();
    if (is_sound) sample_of(c, linear);
    densities.pop_back();
    const rng::piecewise_constant constant(edges, densities);
    if (!is_sound || constant.fault()) return false;
    sample_of(c, constant);
    return true;
}

// ---- Sums and additions by index

inline size_t terms_for(Random& random) {
    static constexpr size_t ends[] = {0, 1, 2, 8, 16, 64, 1024, 2048, 3072, 4096};
    if (random.one_in(10)) return 2000 + random.below(9000);
    if (!random.one_in(3)) return random.below(200);
    const size_t end = ends[random.below(10)];
    return end + random.below(3);
}
template <class T> bool sums(Case& c) {
    const size_t n = terms_for(c.random);
    c.note("n", n);
    std::vector<T> x = numbers_of<T>(c.random, n), y = numbers_of<T>(c.random, n);
    if constexpr (std::is_floating_point_v<T>)
        if (n > 0 && c.random.one_in(20)) x[c.random.below(n)] = std::bit_cast<double>(uint64_t{0x7ff} << 52);
    add_value(c.digest, rng::sum(x));
    add_value(c.digest, rng::sum<double>(x));
    add_value(c.digest, rng::norm2(x));
    add_value(c.digest, rng::dot(x, y));
    add_value(c.digest, rng::vdot(x, y));
    if (n > 1) add_value(c.digest, rng::mean(x)), add_value(c.digest, rng::variance(x));
    std::array<int64_t, 4> offsets{0, 0, 0, static_cast<int64_t>(n)};
    offsets[1] = static_cast<int64_t>(c.random.below(n + 1));
    offsets[2] = offsets[1] + static_cast<int64_t>(c.random.below(n - static_cast<size_t>(offsets[1]) + 1));
    std::array<decltype(rng::sum(x)), 3> segments{};
    rng::segmented_sum(x, offsets, std::span(segments));
    for (const auto& segment : segments) add_value(c.digest, segment);
    rng::RunningSum<T> left, right;
    const auto at = static_cast<size_t>(offsets[1]);
    right.push(std::span<const T>(x).subspan(at), at);
    left.push(std::span<const T>(x).first(at), 0);
    const std::vector<std::byte> bytes = right.to_bytes();
    c.digest.add_bytes(bytes.data(), bytes.size());
    left.merge(rng::RunningSum<T>::from_bytes(bytes));
    add_value(c.digest, left.total());

    const size_t rows = 1 + c.random.below(c.random.one_in(20) ? 1100 : 6), cols = 1 + c.random.below(40);
    Matrix<T> matrix(c.random, rows, cols);
    set_numbers(c.random, matrix.memory);
    c.note("rows", rows), c.note("cols", cols);
    const int axis = static_cast<int>(c.random.below(2));
    add_values(c.digest, rng::sum(matrix.view, axis));
    add_values(c.digest, rng::norm2(matrix.view, axis));
    if (rows > 1 && cols > 1) add_values(c.digest, rng::variance(matrix.view, axis));
    return true;
}
template <class T, class Out> bool additions(Case& c) {
    const size_t n = c.random.below(c.random.one_in(10) ? 3000 : 60), rows = 1 + c.random.below(9),
                 cols = 1 + c.random.below(9);
    c.note("n", n), c.note("rows", rows), c.note("cols", cols);
    std::vector<int32_t> index(n);
    for (int32_t& place : index) place = static_cast<int32_t>(c.random.below(rows));
    std::vector<Out> out = numbers_of<Out>(c.random, rows);
    const std::vector<T> values = numbers_of<T>(c.random, n);
    const double alpha = c.random.one_in(2) ? 1 : real_number(c.random, 0);
    rng::index_add(out, index, values, alpha);
    add_values(c.digest, out);
    add_values(c.digest, rng::bincount(index, c.random.below(12)));
    add_values(c.digest, rng::bincount(index, values));
    Matrix<Out> sum(c.random, rows, cols);
    Matrix<T> terms(c.random, n, cols);
    set_numbers(c.random, terms.memory);
    rng::index_add(sum.view, 0, index, terms.view, alpha);
    Matrix<int64_t> places(c.random, n, cols);
    for (int64_t& place : places.memory) place = static_cast<int64_t>(c.random.below(rows));
    rng::scatter_add(sum.view, 0, places.view, terms.view);
    sum.add_to(c.digest);
    return true;
}

// ---- Sobol points, initial weights, fills of other shapes

template <class T> bool sobol_points(Case& c) {
    Source source(c);
    const auto dimensions =
        static_cast<uint32_t>(c.random.one_in(30) ? 21201 - c.random.below(3) : 1 + c.random.below(40));
    c.note("dimensions", dimensions);
    const bool is_plain = c.random.one_in(3) || dimensions > 1000;
    const rng::sobol<T> points = is_plain ? rng::sobol<T>(dimensions) : rng::sobol<T>(dimensions, source.generator);
    const uint64_t first = c.random.corner(62);
    for (int i = 0; i < 4; ++i) {
        const uint64_t point = c.random.corner(62);
        add_value(c.digest, points.at(point, c.random.below(dimensions)));
    }
    if (dimensions > 1000) return true;
    Matrix<T> matrix(c.random, 1 + c.random.below(20), dimensions);
    rng::fill(matrix.view, points, first);
    matrix.add_to(c.digest);
    return true;
}
template <class T> bool initial_weights(Case& c) {
    Source source(c);
    const std::vector<size_t> shape{1 + c.random.corner(10), 1 + c.random.corner(10), 1 + c.random.below(5)};
    const auto fans = rng::init::fans(shape);
    const auto function = static_cast<rng::init::Nonlinearity>(c.random.below(6));
    const double gain = rng::init::gain(function, number_of<double>(c.random));
    const auto mode = c.random.one_in(2) ? rng::init::FanMode::in : rng::init::FanMode::out;
    c.note("outputs", shape[0]), c.note("inputs", shape[1]), c.note("gain", gain);
    for (const auto& law : {rng::init::xavier_uniform<T>(fans, gain), rng::init::kaiming_uniform<T>(fans, mode, gain)})
        c.digest.add(law.lo), c.digest.add(law.hi);
    for (const auto& law : {rng::init::xavier_normal<T>(fans, gain), rng::init::kaiming_normal<T>(fans, mode, gain)})
        c.digest.add(law.mean), c.digest.add(law.stddev);
    const size_t rows = 1 + c.random.below(30), cols = 1 + c.random.below(8);
    Matrix<T> matrix(c.random, rows, cols);
    rng::init::sparse(rng::shard<T>(matrix.view), static_cast<double>(c.random.below(9)) / 8, 1.5f, source.generator);
    matrix.add_to(c.digest);
    return true;
}
/// fill_each, matrices, shards, indices, bytes.
inline bool other_fills(Case& c) {
    Source source(c);
    rng::Generator& generator = source.generator;
    const size_t n = 1 + c.random.below(60);
    c.note("n", n);
    std::vector<double> mean = list_of<double>(c, n, parameter_of("poisson", 0));
    std::vector<double> p = list_of<double>(c, n, parameter_of("binomial", 1));
    for (double& x : mean) x = std::min(x, 0x1p62);
    for (double& x : p) x = x > 1 ? 1 / x : x;
    std::vector<int64_t> counts(n);
    std::vector<float> floats(n);
    rng::fill_each(
        counts, [&](uint64_t i) { return rng::poisson<int64_t>{mean[i]}; }, generator);
    add_values(c.digest, counts);
    const auto trials = static_cast<int64_t>(c.random.corner(40));
    rng::fill_each(
        counts,
        [&](uint64_t i) {
            return rng::binomial<int64_t>{trials, p[i]};
        },
        generator);
    add_values(c.digest, counts);
    rng::fill_each(
        floats,
        [&](uint64_t i) {
            return rng::normal<float>{static_cast<float>(i), 2};
        },
        generator);
    add_values(c.digest, floats);
    Matrix<double> matrix(c.random, n, 1 + c.random.below(6));
    rng::fill(matrix.view, rng::normal{1.0, 3.0}, generator);
    matrix.add_to(c.digest);
    rng::dist_fill(std::span(floats).first(rng::block_cyclic{n, 3, 1, 2}.count()), rng::block_cyclic{n, 3, 1, 2},
                   rng::normal{0.0f, 1.0f}, generator);
    const size_t rows = c.random.below(n), cols = 1 + c.random.below(5);
    rng::fill(rng::shard<float>(floats.data(), {n + 5, 5}, {rows, 5 - cols}, {n / cols, cols}),
              rng::uniform{-1.0f, 2.0f}, generator);
    rng::fill(std::span(floats).first(n / 2), rng::uniform{0.0f, 1.0f}, rng::Stream<>(n), rng::indices{3, 8, 2});
    add_values(c.digest, floats);
    std::vector<std::byte> bytes(n);
    rng::fill_bytes(bytes, generator);
    c.digest.add_bytes(bytes.data(), n);
    return true;
}

// ---- Decompositions and products

template <class T> T element_of(Random& random) {
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        const auto re = number_of<typename T::value_type>(random), im = number_of<typename T::value_type>(random);
        return {re, im};
    } else {
        return number_of<T>(random);
    }
}
/// Fills a matrix whose rows are independent, of falling sizes, multiples of a few rows, or mostly zeros.
template <class T> Matrix<T> elements_for(Case& c, size_t rows, size_t cols) {
    Matrix<T> a(c.random, rows, cols);
    const uint64_t kind = c.random.below(4), rank = 1 + c.random.below(4);
    c.note("rows", rows), c.note("cols", cols), c.note("kind", kind);
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            T& x = a.view(i, j);
            x = element_of<T>(c.random);
            if (kind == 2 && i >= rank) x = a.view(i % rank, j);
            if (kind == 3 && !c.random.one_in(4)) x = T{};
            if constexpr (sizeof(T) > 2)
                if (kind == 1) x *= static_cast<decltype(std::abs(x))>(power_of_two(-static_cast<int>(i % 50)));
        }
    return a;
}
/// The stored elements of a matrix.
template <class T> struct Csr {
    std::vector<int64_t> offsets{0}, columns;
    std::vector<T> values;

    explicit Csr(const rng::matrix_view<T>& a) {
        for (size_t i = 0; i < a.rows; ++i) {
            for (size_t j = 0; j < a.cols; ++j) {
                bool is_zero = false;
                if constexpr (sizeof(T) == 2)
                    is_zero = static_cast<float>(a(i, j)) == 0;
                else
                    is_zero = a(i, j) == T{};
                if (is_zero) continue;
                columns.push_back(static_cast<int64_t>(j));
                values.push_back(a(i, j));
            }
            offsets.push_back(static_cast<int64_t>(columns.size()));
        }
    }
    [[nodiscard]] rng::csr_view<T> view(size_t rows, size_t cols) const {
        return {rows, cols, offsets, columns, values};
    }
};
template <class T> void add_parts(Digest& digest, const std::vector<T>& values) {
    digest.add_numbers(values.data(), values.size() * sizeof(T), sizeof(decltype(std::abs(T{}))));
}
/// svd_lowrank and pca_lowrank of matrices, with a mean, sparse, and in shards.
template <class T> bool low_rank(Case& c) {
    Source source(c);
    const uint64_t most = c.random.one_in(12) ? 130 : 40;
    const size_t rows = 1 + c.random.below(most), cols = 1 + c.random.below(most);
    Matrix<T> a = elements_for<T>(c, rows, cols);
    const Matrix<T> mean = elements_for<T>(c, 1, cols);
    const auto q = static_cast<long long>(c.random.below(std::min(rows, cols) + 1));
    const auto niter = static_cast<long long>(c.random.below(4));
    const auto test_matrix = c.random.one_in(4) ? rng::TestMatrix::rademacher : rng::TestMatrix::normal;
    const uint64_t call = c.random.below(5), cut = c.random.below(rows + 1);
    c.note("q", q), c.note("niter", niter), c.note("call", call);
    const rng::SvdOptions<T> options{.q = q, .niter = niter, .test_matrix = test_matrix};
    const auto add = [&](const auto& svd) {
        add_parts(c.digest, svd.U.values), add_parts(c.digest, svd.S), add_parts(c.digest, svd.V.values);
    };
    rng::matrix_view<T> upper = a.view, lower = a.view;
    upper.rows = cut;
    lower.rows = rows - cut;
    lower.data += static_cast<ptrdiff_t>(cut) * a.view.row_stride;
    const rng::matrix_view<T> parts[] = {upper, lower};
    auto less_mean = options;
    less_mean.M = {mean.view.data, 1, cols, mean.view.row_stride, mean.view.col_stride};
    const Csr<T> sparse(a.view);
    switch (call) {
        case 0: add(rng::svd_lowrank(a.view, options, source.generator)); break;
        case 1: add(rng::svd_lowrank(a.view, less_mean, source.generator)); break;
        case 2:
            add(rng::pca_lowrank(a.view, {.q = q, .niter = niter, .test_matrix = test_matrix}, source.generator));
            break;
        case 3: add(rng::svd_lowrank(sparse.view(rows, cols), options, source.generator)); break;
        default: add(rng::svd_lowrank(rng::row_shards<T>{parts}, options, source.generator)); break;
    }
    return true;
}
/// csr_product and csr_product_transposed.
template <class T, class U = T> bool sparse_products(Case& c) {
    const size_t rows = 1 + c.random.below(300), cols = 1 + c.random.below(40), width = 1 + c.random.below(20);
    const Matrix<T> a = elements_for<T>(c, rows, cols);
    const Csr<T> sparse(a.view);
    for (const bool is_transposed : {false, true}) {
        const Matrix<U> b = elements_for<U>(c, is_transposed ? rows : cols, width);
        std::vector<U> out((is_transposed ? cols : rows) * width);
        const auto to = rng::matrix_view<U>::row_major(out.data(), is_transposed ? cols : rows, width);
        if (is_transposed)
            rng::csr_product_transposed(sparse.view(rows, cols), b.view, to);
        else
            rng::csr_product(sparse.view(rows, cols), b.view, to);
        add_parts(c.digest, out);
    }
    return true;
}
template <class T> bool orthogonal_weights(Case& c) {
    Source source(c);
    const size_t rows = 1 + c.random.below(60), cols = 1 + c.random.below(60);
    const double gain = 1 + static_cast<double>(c.random.below(9)) / 8;
    c.note("rows", rows), c.note("cols", cols), c.note("gain", gain);
    Matrix<T> matrix(c.random, rows, cols);
    rng::init::orthogonal(rng::shard<T>(matrix.view), source.generator, gain);
    matrix.add_to(c.digest);
    return true;
}

// ---- Single values and engines

/// at(), Cursor, Reader, and draws from engines, whose words come from the engine or from std.
template <class D, class E> bool single_values(Case& c, const Law& law) {
    const Type& type = type_of<typename D::result_type>();
    D dist{};
    if (!c.is_plain) {
        std::vector<rng::AnyDistribution::Parameter> given;
        for (const rng_parameter& x : parameters_for(c, law, type))
            given.push_back({x.name, x.kind == RNG_REAL      ? rng::Number(x.real)
                                     : x.kind == RNG_INTEGER ? rng::Number(x.integer)
                                                             : rng::Number(static_cast<uint64_t>(x.integer))});
        if (rng::AnyDistribution::find_fault(law.name, type.dtype, given)) return false;
        dist = *rng::AnyDistribution(law.name, type.dtype, given).as<D>();
    }
    const uint64_t seed = c.random.corner(64),
                   position = position_for(c.random, rng::Stream<E>::size_words, 40 * D::slot_words);
    const auto stream = rng::Stream<E>(seed, c.random.corner(64)).at_position(position);
    c.note("seed", seed), c.note("id", stream.id), c.note("position", position);
    for (const uint64_t i : {uint64_t{0}, c.random.below(30)}) add_value(c.digest, rng::at(stream, dist, i));
    rng::Cursor cursor(stream, dist, 1);
    rng::Reader reader(stream, dist, 2);
    for (int i = 0; i < 5; ++i) add_value(c.digest, cursor.next()), add_value(c.digest, reader.next());
    std::mt19937 twister(static_cast<uint32_t>(seed));
    rng::philox4x32 philox(static_cast<uint32_t>(seed));
    for (int i = 0; i < 3; ++i) add_value(c.digest, dist(twister)), add_value(c.digest, dist(philox));
    c.digest.add(static_cast<uint64_t>(philox()));
    return true;
}
template <class Engine> void add_words(Case& c) {
    using Word = typename Engine::result_type;
    const auto seed = static_cast<Word>(c.random.corner(64));
    Engine engine(seed);
    const uint64_t skipped = c.random.corner(64);
    c.note("seed", seed), c.note("discard", skipped);
    for (int i = 0; i < 9; ++i) c.digest.add(static_cast<uint64_t>(engine()));
    engine.discard(skipped);
    for (int i = 0; i < 9; ++i) c.digest.add(static_cast<uint64_t>(engine()));
}
template <int N, class W> rng::Words<W, N> words_for(Random& random) {
    rng::Words<W, N> words{};
    for (int i = 0; i < N; ++i) words[i] = static_cast<W>(random.corner(8 * sizeof(W)));
    return words;
}
template <int N, class W> void add_block(Case& c) {
    const auto counter = words_for<N, W>(c.random), key = words_for<N, W>(c.random);
    rng::Words<W, N / 2> half{};
    for (int i = 0; i < N / 2; ++i) half[i] = key[i];
    const auto add = [&](const auto& block) {
        for (int i = 0; i < N; ++i) c.digest.add(block[i]);
    };
    add(rng::philox<N, W, 10>(counter, half)), add(rng::philox<N, W, 7>(counter, half));
    add(rng::threefry<N, W, 20>(counter, key)), add(rng::threefry<N, W, 13>(counter, key));
}
inline bool engines(Case& c) {
    add_words<rng::philox4x32>(c), add_words<rng::philox4x64>(c), add_words<rng::philox4x32_7>(c);
    add_words<rng::threefry4x32>(c), add_words<rng::threefry4x64>(c);
    add_block<2, uint32_t>(c), add_block<4, uint32_t>(c), add_block<2, uint64_t>(c), add_block<4, uint64_t>(c);
    return true;
}

// ---- All of them

/// The families that rng.h reaches.
inline std::vector<Family> families_of(const Library& library) {
    std::vector<Family> all;
    for (const rng::DistributionInfo& info : rng::known_distributions()) {
        const auto law = std::find_if(laws().begin(), laws().end(),
                                      [&](const Law& it) { return it.name == std::string_view(info.name); });
        if (law == laws().end()) {
            std::fprintf(stderr, "tests/frozen/cases.hpp: laws() has no row for %s\n", info.name);
            std::exit(2);
        }
        const int cases = law->parameters.empty() ? 80 : law->parameters.size() == 1 ? 150 : 220;
        all.push_back(
            {std::string(info.name) + " " + info.dtype, cases,
             [&library, &law = *law, type = Type(info.dtype)](Case& c) { return values(c, library, law, type); }});
    }
    all.push_back({"permutation values", 300, [&library](Case& c) { return permutation_values(c, library); }});
    all.push_back({"streams", 300, [&library](Case& c) { return streams(c, library); }});
    return all;
}

template <class D, class E = rng::Philox4x32_10> Family single(const char* engine = "") {
    const auto law =
        std::find_if(laws().begin(), laws().end(), [](const Law& it) { return it.name == std::string_view(D::name); });
    return {std::string("single ") + D::name + " " + rng::dtype_name<typename D::result_type>() + engine, 100,
            [&law = *law](Case& c) { return single_values<D, E>(c, law); }};
}

inline std::vector<Family> families(const Library& library) {
    std::vector<Family> all = families_of(library);
    const std::vector<Family> others{
        {"engines", 200, engines},
        single<rng::uniform<float>>(),
        single<rng::uniform<float>, rng::Threefry4x64_20>(" threefry4x64"),
        single<rng::normal<double>>(),
        single<rng::normal<rng::bfloat16>>(),
        single<rng::complex_normal<float>>(),
        single<rng::unit_vector3<double>>(),
        single<rng::gamma<float>>(),
        single<rng::gamma<double>, rng::Threefry4x64_20>(" threefry4x64"),
        single<rng::uniform_int<uint16_t>>(),
        single<rng::uniform_int<int64_t>>(),
        single<rng::binomial<int32_t>>(),
        single<rng::hypergeometric<int64_t>>(),
        {"dirichlet f32", 120, dirichlet_rows<float>},
        {"dirichlet f64", 120, dirichlet_rows<double>},
        {"multivariate_normal f32", 120, multivariate_normal_rows<float>},
        {"multivariate_normal f64", 120, multivariate_normal_rows<double>},
        {"sphere f32", 80, plain_rows<rng::sphere<float>>},
        {"sphere f64", 80, plain_rows<rng::sphere<double>>},
        {"ball f32", 80, plain_rows<rng::ball<float>>},
        {"ball f64", 80, plain_rows<rng::ball<double>>},
        {"haar_orthogonal f32", 80, plain_rows<rng::haar_orthogonal<float>>},
        {"haar_orthogonal f64", 80, plain_rows<rng::haar_orthogonal<double>>},
        {"haar_special_orthogonal f64", 80, plain_rows<rng::haar_special_orthogonal<double>>},
        {"haar_unitary f32", 80, plain_rows<rng::haar_unitary<float>>},
        {"haar_unitary f64", 80, plain_rows<rng::haar_unitary<double>>},
        {"wishart f32", 120, wishart_rows<float>},
        {"wishart f64", 120, wishart_rows<double>},
        {"multinomial i32 f64", 120, multinomial_rows<int32_t, double>},
        {"multinomial i64 f32", 120, multinomial_rows<int64_t, float>},
        {"multivariate_hypergeometric i32", 120, multivariate_hypergeometric_rows<int32_t>},
        {"multivariate_hypergeometric i64", 120, multivariate_hypergeometric_rows<int64_t>},
        {"cholesky f32", 80, cholesky_factors<float>},
        {"cholesky f64", 80, cholesky_factors<double>},
        {"permutations", 200, permutations},
        {"shuffles", 100, shuffles},
        {"choices", 200, choices},
        {"epochs", 200, epochs},
        {"categories i32", 100, categories<int32_t>},
        {"categories i64", 100, categories<int64_t>},
        {"pieces f32", 100, pieces<float>},
        {"pieces f64", 100, pieces<double>},
        {"sums f32", 150, sums<float>},
        {"sums f64", 150, sums<double>},
        {"sums f16", 100, sums<rng::float16>},
        {"sums bf16", 100, sums<rng::bfloat16>},
        {"sums c64", 100, sums<rng::complex<float>>},
        {"sums c128", 100, sums<rng::complex<double>>},
        {"additions f32", 150, additions<float, float>},
        {"additions f32 to f64", 100, additions<float, double>},
        {"additions f64", 150, additions<double, double>},
        {"additions f16 to f32", 100, additions<rng::float16, float>},
        {"sobol f32", 150, sobol_points<float>},
        {"sobol f64", 150, sobol_points<double>},
        {"initial weights f32", 150, initial_weights<float>},
        {"initial weights f64", 150, initial_weights<double>},
        {"other fills", 300, other_fills},
        {"svd_lowrank f32", 150, low_rank<float>},
        {"svd_lowrank f64", 150, low_rank<double>},
        {"svd_lowrank c64", 100, low_rank<std::complex<float>>},
        {"svd_lowrank c128", 100, low_rank<std::complex<double>>},
        {"svd_lowrank f16", 40, low_rank<rng::float16>},
        {"svd_lowrank bf16", 40, low_rank<rng::bfloat16>},
        {"csr_product f32", 80, sparse_products<float>},
        {"csr_product f64", 80, sparse_products<double>},
        {"csr_product c64", 60, sparse_products<std::complex<float>>},
        {"csr_product c128", 60, sparse_products<std::complex<double>>},
        {"csr_product f16", 40, sparse_products<rng::float16, float>},
        {"csr_product bf16", 40, sparse_products<rng::bfloat16, float>},
        {"orthogonal f32", 60, orthogonal_weights<float>},
        {"orthogonal f64", 60, orthogonal_weights<double>},
        {"orthogonal bf16", 40, orthogonal_weights<rng::bfloat16>},
    };
    all.insert(all.end(), others.begin(), others.end());
    return all;
}

}  // namespace frozen
