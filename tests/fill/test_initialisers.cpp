// Shards and initial weights: every sharding has the bits of the whole, gains and deviations are torch's, orthogonal
// matrices are the QR factors and uniform, sparse columns have their zeros, and what is refused.
//
// False alarms. Streams are fixed, so a run repeats. With streams drawn anew, each check of a law has a share of 1e-9.
#include <gtest/gtest.h>
#include <rng/distributions/truncated_normal.hpp>
#include <rng/initialisers.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "../support/known_answers.hpp"
#include "../support/paths.hpp"

namespace {

using rng::shard;
using Sizes = std::vector<std::size_t>;
namespace init = rng::init;

std::size_t product(const Sizes& sizes) {
    std::size_t n = 1;
    for (const std::size_t size : sizes) n *= size;
    return n;
}
template <class T> bool same(const T& a, const T& b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }

/// Memory for a box: row-major, the dimensions in the opposite order, or with gaps and backwards.
enum class Layout { row_major, reversed, backwards };
template <class T> struct Box {
    std::vector<T> memory;
    shard<T> view;

    Box(const Sizes& shape, const Sizes& offsets, const Sizes& sizes, Layout layout)
        : memory(3 * product(sizes) + 1), view(memory.data(), shape, offsets, sizes) {
        std::ptrdiff_t step = 1;
        if (layout == Layout::reversed)
            for (std::size_t k = 0; k < sizes.size(); ++k) {
                view.strides[k] = step;
                step *= static_cast<std::ptrdiff_t>(sizes[k]);
            }
        if (layout == Layout::backwards) {
            for (auto& stride : view.strides) stride *= -3;
            view.data += memory.size() - 1;
        }
    }
};
/// Compares each element of a box with that of the whole.
template <class T> void expect_part(const shard<T>& part, const std::vector<T>& whole, const std::string& what) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < product(part.sizes); ++i) {
        std::size_t rest = i, number = 0, factor = 1;
        std::ptrdiff_t place = 0;
        for (std::size_t k = part.sizes.size(); k-- > 0; rest /= part.sizes[k]) {
            const std::size_t index = rest % part.sizes[k];
            number += (part.offsets[k] + index) * factor;
            factor *= part.shape[k];
            place += static_cast<std::ptrdiff_t>(index) * part.strides[k];
        }
        wrong += same(part.data[place], whole[number]) ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u) << what;
}
/// Cuts a tensor into `ranks` parts along each of the dimensions, fills every box in every layout by fill(box), and
/// compares it with the whole.
template <class T, class F>
void expect_shards(const Sizes& shape, const std::vector<std::size_t>& dimensions, std::size_t ranks, const F& fill_box,
                   const std::vector<T>& whole) {
    std::size_t boxes = 1;
    for (std::size_t k = 0; k < dimensions.size(); ++k) boxes *= ranks;
    for (std::size_t box = 0; box < boxes; ++box) {
        Sizes offsets(shape.size()), sizes = shape;
        std::size_t rest = box;
        for (const std::size_t k : dimensions) {
            const std::size_t rank = rest % ranks;
            rest /= ranks;
            offsets[k] = shape[k] * rank / ranks;
            sizes[k] = shape[k] * (rank + 1) / ranks - offsets[k];
        }
        for (const Layout layout : {Layout::row_major, Layout::reversed, Layout::backwards}) {
            Box<T> part(shape, offsets, sizes, layout);
            fill_box(part.view);
            expect_part(part.view, whole, std::to_string(ranks) + " ranks, box " + std::to_string(box));
        }
    }
}
template <class D> void expect_fills(const D& dist, const Sizes& shape, const std::vector<std::size_t>& dimensions) {
    using T = rng::result_t<D>;
    const rng::Stream<> stream(42, 7, 3);
    std::vector<T> whole(product(shape));
    rng::fill(whole, dist, stream);
    for (std::size_t ranks = 1; ranks <= 5; ++ranks)
        expect_shards<T>(
            shape, dimensions, ranks, [&](const shard<T>& box) { rng::fill(box, dist, stream); }, whole);
}

// ---- shards

TEST(Shard, EveryShardingHasTheBitsOfTheWhole) {
    const rng::normal<float> floats{0.0f, 0.02f};
    expect_fills(floats, {37, 51}, {0});
    expect_fills(floats, {37, 51}, {1});
    expect_fills(floats, {37, 51}, {0, 1});
    expect_fills(floats, {8, 6, 3, 3}, {0});
    expect_fills(floats, {8, 6, 3, 3}, {1});
    expect_fills(floats, {8, 6, 5, 3}, {0, 1, 2});
    expect_fills(floats, {101}, {0});
    expect_fills(rng::normal<double>{}, {37, 51}, {0, 1});
    expect_fills(rng::uniform<rng::float16>{-1, 1}, {37, 51}, {1});
    expect_fills(rng::normal<rng::bfloat16>{}, {8, 6, 3, 3}, {0, 1});
    expect_fills(rng::truncated_normal<float>{0.0f, 1.0f, -2.0f, 2.0f}, {37, 51}, {0, 1});
    expect_fills(rng::uniform<double>{}, {3, 7000}, {1});
    expect_fills(rng::uniform_int<std::int16_t>{1, 6}, {5, 1, 7}, {0, 2});
}
TEST(Shard, OnEveryPath) {
    const Sizes shape{300, 900};
    const rng::normal<float> dist{};
    const rng::Stream<> stream{5};
    std::vector<float> whole(product(shape));
    rng::fill(whole, dist, stream);
    support::on_every_path({1, 2, 3}, [&](const std::string& path) {
        for (const Layout layout : {Layout::row_major, Layout::reversed}) {
            Box<float> part(shape, {10, 100}, {280, 777}, layout);
            rng::fill(part.view, dist, stream);
            expect_part(part.view, whole, path);
        }
    });
}
TEST(Shard, LeavesTheRestOfTheMemory) {
    std::vector<float> memory(100, -1.0f);
    const shard<float> part(memory.data() + 5, {10, 10}, {2, 3}, {4, 5}, {20, 2});
    rng::fill(part, rng::uniform<float>{}, rng::Stream{1});
    EXPECT_EQ(std::count(memory.begin(), memory.end(), -1.0f), 80);
    const shard<float> empty(nullptr, {10, 10}, {2, 3}, {0, 5});
    rng::fill(empty, rng::uniform<float>{}, rng::Stream{1});
}
TEST(Shard, GeneratorsOfAllRanksStayAlike) {
    rng::Generator whole(42), ranks[2]{rng::Generator(42), rng::Generator(42)};
    std::vector<float> expected(2 * 30), rows(15);
    rng::fill(expected, rng::normal<float>{}, whole);
    for (int layer = 0; layer < 2; ++layer)
        for (std::size_t rank = 0; rank < 2; ++rank) {
            rng::fill(shard<float>(rows.data(), {6, 5}, {3 * rank, 0}, {3, 5}), rng::normal<float>{}, ranks[rank]);
            EXPECT_TRUE(
                std::equal(rows.begin(), rows.end(), expected.begin() + 30 * layer + 15 * static_cast<int>(rank)));
        }
    EXPECT_EQ(ranks[0].position(), whole.position());
    EXPECT_EQ(ranks[1].position(), whole.position());
}
TEST(Shard, WhatIsRefused) {
    const auto message = [](const shard<float>& s) {
        return support::error_of(rng::ErrorCode::invalid_argument,
                                 [&] { rng::fill(s, rng::uniform<float>{}, rng::Stream{1}); });
    };
    std::vector<float> x(100, -1.0f);
    const std::string
        call = "fill: uniform: ",
        lists = "a shard must have as many offsets, sizes and strides as its tensor has dimensions, at least 1; got ";
    EXPECT_EQ(message({x.data(), {10, 10}, {0, 5}, {10, 6}}),
              call + "the shard must lie in the tensor: in dimension 1 it has offset 5 and size 6 of 10");
    EXPECT_EQ(message({x.data(), {10, 10}, {11, 0}, {0, 6}}),
              call + "the shard must lie in the tensor: in dimension 0 it has offset 11 and size 0 of 10");
    EXPECT_EQ(message({x.data(), {10, 10}, {0}, {1, 1}}), call + lists + "1, 2, 2 of 2");
    EXPECT_EQ(message({x.data(), {10, 10}, {0, 0}, {1, 1}, {1}}), call + lists + "2, 2, 1 of 2");
    EXPECT_EQ(message({x.data(), Sizes{}}), call + lists + "0, 0, 0 of 0");
    EXPECT_EQ(message({nullptr, {10, 10}}), call + "the destination is null but the shard is not empty");
    const std::size_t huge = std::size_t{1} << 33;
    EXPECT_EQ(message({x.data(), {huge, huge}, {0, 0}, {1, 1}}), call + "the tensor must have less than 2^64 elements");
    EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument,
                                [&] {
                                    rng::fill(shard<float>(x.data(), {2, 2}), rng::normal{0.0f, -1.0f}, rng::Stream{1});
                                }),
              "fill: normal: stddev must be in [0, 2^120], got -1");
    EXPECT_EQ(std::count(x.begin(), x.end(), -1.0f), 100);
    (void)support::error_of(rng::ErrorCode::end_of_stream, [&] {
        const std::size_t wide = std::size_t{1} << 30;
        rng::fill(shard<float>(x.data(), {wide, wide}, {0, 0}, {1, 1}), rng::uniform<float>{}, rng::Stream{1});
    });
}

// ---- deviations and gains

// The table of torch.nn.init.calculate_gain.
TEST(Initialisers, GainsAreTorchs) {
    using N = init::Nonlinearity;
    EXPECT_EQ(init::gain(N::linear), 1.0);
    EXPECT_EQ(init::gain(N::sigmoid), 1.0);
    EXPECT_EQ(init::gain(N::tanh), 5.0 / 3);
    EXPECT_EQ(init::gain(N::relu), std::sqrt(2.0));
    EXPECT_EQ(init::gain(N::leaky_relu), std::sqrt(2.0 / (1 + 0.01 * 0.01)));
    EXPECT_EQ(init::gain(N::leaky_relu, 0.2), std::sqrt(2.0 / (1 + 0.2 * 0.2)));  // the example of torch's page
    EXPECT_EQ(init::gain(N::selu), 0.75);
}
// The formulas of torch.nn.init; a convolution of 3 x 5 kernels has 15 weights for each pair of channels.
TEST(Initialisers, LawsAreTorchs) {
    const init::Fans fans = init::fans({64, 32, 3, 5});
    EXPECT_EQ(fans.in, 32 * 15);
    EXPECT_EQ(fans.out, 64 * 15);
    const double in = 480, out = 960;
    const auto near = [](double x, double expected) { EXPECT_NEAR(x, expected, 4e-16 * expected); };
    near(init::xavier_uniform<double>(fans).hi, std::sqrt(6 / (in + out)));
    near(init::xavier_uniform<double>(fans, 2.5).hi, 2.5 * std::sqrt(6 / (in + out)));
    near(-init::xavier_uniform<double>(fans).lo, std::sqrt(6 / (in + out)));
    near(init::xavier_normal<double>(fans, 2.5).stddev, 2.5 * std::sqrt(2 / (in + out)));
    near(init::kaiming_uniform<double>(fans).hi, std::sqrt(2.0) * std::sqrt(3 / in));
    near(init::kaiming_uniform<double>(fans, init::FanMode::out, 1).hi, std::sqrt(3 / out));
    near(init::kaiming_normal<double>(fans).stddev, std::sqrt(2 / in));
    near(init::kaiming_normal<double>(fans, init::FanMode::out, 5.0 / 3).stddev, 5.0 / 3 / std::sqrt(out));
    EXPECT_EQ(init::kaiming_normal<double>(init::fans({10, 64})).stddev, std::sqrt(2.0) / 8);  // the header's oracle
    EXPECT_EQ(init::kaiming_normal<double>(fans).mean, 0.0);
    EXPECT_EQ(init::kaiming_normal<float>(fans).stddev, static_cast<float>(init::kaiming_normal<double>(fans).stddev));
    const float hi = init::xavier_uniform<rng::float16>(fans).hi;
    EXPECT_EQ(hi, static_cast<float>(rng::float16(static_cast<float>(std::sqrt(6 / (in + out))))));
    std::vector<rng::float16> half(10);
    rng::fill(half, init::xavier_uniform<rng::float16>(fans), rng::Stream{1});  // its bounds are numbers of the type
    std::vector<rng::bfloat16> brain(10);
    rng::fill(brain, init::kaiming_uniform<rng::bfloat16>(fans), rng::Stream{1});
}
TEST(Initialisers, WhatIsRefused) {
    const auto refused = [](const auto& f) { return support::error_of(rng::ErrorCode::invalid_argument, f); };
    EXPECT_EQ(refused([] { (void)init::fans({64}); }), "fans: the shape must have at least 2 dimensions, got 1");
    EXPECT_EQ(refused([] { (void)init::fans({64, 0, 3}); }), "fans: dimension 1 of the shape must not be 0");
    EXPECT_EQ(refused([] { (void)init::gain(init::Nonlinearity::leaky_relu, std::nan("")); }).substr(0, 42),
              "gain: slope must be in [-2^30, 2^30], got ");
    EXPECT_EQ(refused([] {
                  (void)init::xavier_normal<float>({1, 1}, -1);
              }),
              "xavier_normal: gain must be in [2^-40, 2^40], got -1");
    EXPECT_EQ(refused([] {
                  (void)init::xavier_uniform<float>({1, 0});
              }),
              "xavier_uniform: fans.out must be in [1, 2^64], got 0");
    EXPECT_EQ(refused([] {
                  (void)init::kaiming_uniform<float>({0, 1});
              }),
              "kaiming_uniform: fans.in must be in [1, 2^64], got 0");
    EXPECT_EQ(refused([] {
                  (void)init::kaiming_normal<float>({1, 1}, init::FanMode::in, 1e20);
              }),
              "kaiming_normal: gain must be in [2^-40, 2^40], got 1e+20");
    for (const char* name : {"linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
                             "conv_transpose3d", "sigmoid"})
        EXPECT_EQ(init::gain(name), 1.0) << name;
    EXPECT_EQ(init::gain("tanh"), 5.0 / 3);
    EXPECT_EQ(init::gain("relu"), std::sqrt(2.0));
    EXPECT_EQ(init::gain("leaky_relu", 0.2), std::sqrt(2.0 / (1 + 0.2 * 0.2)));
    EXPECT_EQ(init::gain(std::string("selu")), 0.75);
    EXPECT_EQ(refused([] { (void)init::gain("ReLU"); }),
              "gain: the nonlinearity must be one of linear, conv1d, conv2d, conv3d, conv_transpose1d, "
              "conv_transpose2d, conv_transpose3d, sigmoid, tanh, relu, leaky_relu, selu, got \"ReLU\"");
    std::vector<float> x(12, -1.0f);
    const shard<float> m(x.data(), {3, 4}), vector(x.data(), {12}), tensor(x.data(), {3, 2, 2});
    const rng::Stream<> s{1};
    EXPECT_EQ(refused([&] { init::orthogonal(vector, s); }),
              "orthogonal: the shape must have at least 2 dimensions, got 1");
    EXPECT_EQ(refused([&] { init::orthogonal(m, s, 0); }), "orthogonal: gain must be in [2^-40, 2^40], got 0");
    EXPECT_EQ(refused([&] {
                  init::orthogonal(shard<float>(nullptr, {3, 4}), s);
              }),
              "orthogonal: the destination is null but the shard is not empty");
    EXPECT_EQ(refused([&] { init::sparse(tensor, 0.5, 1.0f, s); }), "sparse: the shape must have 2 dimensions, got 3");
    EXPECT_EQ(refused([&] { init::sparse(m, 1.5, 1.0f, s); }), "sparse: sparsity must be in [0, 1], got 1.5");
    EXPECT_EQ(refused([&] { init::sparse(m, 0.5, -1.0f, s); }), "sparse: normal: stddev must be in [0, 2^120], got -1");
    EXPECT_EQ(refused([] {
                  (void)init::xavier_uniform<rng::float16>({100, 100}, 0x1p30);
              }),
              "xavier_uniform: gain and fans give a standard deviation of 107374182, for which lo of uniform must be a "
              "finite value of float16");
    EXPECT_EQ(refused([] {
                  (void)init::kaiming_normal<rng::float16>({100, 100}, init::FanMode::in, 65536);
              }),
              "kaiming_normal: gain and fans give a standard deviation of 6553.6, for which stddev of normal must be "
              "in [0, 2^12]");
    const rng::Stream<> last{1, 0, rng::Stream<>::size_words - 1};
    const auto at_end = [](const auto& f) { return support::error_of(rng::ErrorCode::end_of_stream, f); };
    const std::string past = ": index 1 leads past the end of the stream (a stream has 2^56 blocks)";
    EXPECT_EQ(at_end([&] { init::orthogonal(m, last); }), "orthogonal" + past);
    EXPECT_EQ(at_end([&] { init::sparse(m, 0.5, 1.0f, last); }), "sparse" + past);
    rng::Generator generator(1);
    (void)refused([&] { init::sparse(m, 0.5, -1.0f, generator); });
    (void)refused([&] { init::orthogonal(m, generator, -1); });
    EXPECT_EQ(generator.position(), 0u);
    EXPECT_EQ(std::count(x.begin(), x.end(), -1.0f), 12);
}

TEST(Initialisers, ATemporaryGeneratorGivesItsFirstNumbers) {
    const auto expect_same = [](const auto& fill) {
        std::vector<float> x(12), y(12);
        rng::Generator generator(9);
        fill(shard<float>(x.data(), {3, 4}), generator);
        fill(shard<float>(y.data(), {3, 4}), rng::Generator(9));
        EXPECT_EQ(x, y);
        EXPECT_EQ(generator.position(), 12u);
    };
    expect_same([](const shard<float>& w, auto&& g) { init::orthogonal(w, std::forward<decltype(g)>(g), 2); });
    expect_same([](const shard<float>& w, auto&& g) { init::sparse(w, 0.5, 0.1f, std::forward<decltype(g)>(g)); });
    expect_same(
        [](const shard<float>& w, auto&& g) { rng::fill(w, rng::normal<float>{}, std::forward<decltype(g)>(g)); });
    expect_same([](const shard<float>& w, auto&& g) {
        const auto matrix = rng::matrix_view<float>::row_major(w.data, 3, 4);
        rng::fill(matrix, rng::normal<float>{}, std::forward<decltype(g)>(g));
    });
}

// ---- orthogonal

/// The factor Q of a QR factorisation whose R has a positive diagonal, by Gram and Schmidt, twice, in long double.
std::vector<double> q_factor(const std::vector<double>& a, std::size_t rows, std::size_t cols) {
    std::vector<long double> q(a.begin(), a.end());
    for (std::size_t j = 0; j < cols; ++j) {
        const auto dot = [&](std::size_t k) {
            long double sum = 0;
            for (std::size_t i = 0; i < rows; ++i) sum += q[i * cols + k] * q[i * cols + j];
            return sum;
        };
        for (int pass = 0; pass < 2; ++pass)
            for (std::size_t k = 0; k < j; ++k) {
                const long double r = dot(k);
                for (std::size_t i = 0; i < rows; ++i) q[i * cols + j] -= r * q[i * cols + k];
            }
        const long double length = std::sqrt(dot(j));
        for (std::size_t i = 0; i < rows; ++i) q[i * cols + j] /= length;
    }
    return {q.begin(), q.end()};
}
template <class T> void expect_orthogonal(std::size_t rows, std::size_t cols, double tolerance) {
    const std::size_t tall = std::max(rows, cols), q = std::min(rows, cols);
    const rng::Stream<> stream(9, 1, 5);
    std::vector<T> w(rows * cols), normals(rows * cols);
    init::orthogonal(shard<T>(w.data(), {rows, cols}), stream, 1.5);
    rng::fill(normals, rng::normal<T>{}, stream);
    const auto expected = q_factor({normals.begin(), normals.end()}, tall, q);
    double most = 0, deviation = 0;
    for (std::size_t i = 0; i < tall; ++i)
        for (std::size_t j = 0; j < q; ++j) {
            const T value = rows >= cols ? w[i * cols + j] : w[j * cols + i];
            most = std::max(most, std::abs(static_cast<double>(value) / 1.5 - expected[i * q + j]));
        }
    for (std::size_t a = 0; a < q; ++a)
        for (std::size_t b = 0; b < q; ++b) {
            double sum = 0;
            for (std::size_t i = 0; i < tall; ++i)
                sum += static_cast<double>(rows >= cols ? w[i * cols + a] : w[a * cols + i]) *
                       static_cast<double>(rows >= cols ? w[i * cols + b] : w[b * cols + i]) / 2.25;
            deviation = std::max(deviation, std::abs(sum - (a == b ? 1 : 0)));
        }
    EXPECT_LT(deviation, tolerance) << rows << " x " << cols;
    EXPECT_LT(most, 2000 * tolerance) << rows << " x "
                                      << cols;  // Q moves by rounding times the condition of the normals
}
TEST(Orthogonal, IsTheFactorOfTheNormals) {
    expect_orthogonal<double>(7, 7, 1e-14);
    expect_orthogonal<double>(50, 20, 1e-14);
    expect_orthogonal<double>(20, 50, 1e-14);
    expect_orthogonal<double>(1, 9, 1e-14);
    expect_orthogonal<double>(120, 120, 1e-14);
    expect_orthogonal<float>(40, 40, 2e-6);
    expect_orthogonal<float>(64, 10, 2e-6);
}
TEST(Orthogonal, EveryShardingHasTheBitsOfTheWhole) {
    const auto check = [](auto zero, const Sizes& shape, const std::vector<std::size_t>& dimensions) {
        using T = decltype(zero);
        const rng::Stream<> stream{3};
        std::vector<T> whole(product(shape));
        support::on_every_path({1, 2, 3}, [&](const std::string& path) {
            std::vector<T> again(product(shape));
            init::orthogonal(shard<T>(again.data(), shape), stream);
            if (same(whole[0], T{}))
                whole = again;
            else
                EXPECT_TRUE(std::equal(whole.begin(), whole.end(), again.begin(), same<T>)) << path;
        });
        for (std::size_t ranks = 1; ranks <= 3; ++ranks)
            expect_shards<T>(
                shape, dimensions, ranks, [&](const shard<T>& box) { init::orthogonal(box, stream); }, whole);
        rng::Generator generator(3);
        std::vector<T> moved(product(shape));
        init::orthogonal(shard<T>(moved.data(), shape), generator);
        EXPECT_TRUE(std::equal(whole.begin(), whole.end(), moved.begin(), same<T>));
        EXPECT_EQ(generator.position(), product(shape) * (sizeof(T) == 8 ? 2 : 1));
    };
    check(float{}, {30, 17}, {0, 1});
    check(double{}, {17, 30}, {0, 1});
    check(double{}, {9, 4, 3, 3}, {0, 1});
    check(rng::bfloat16{}, {12, 30}, {1});
}
void expect_uniform(std::vector<double> x, double lo, double hi) {
    std::sort(x.begin(), x.end());
    const auto n = static_cast<double>(x.size());
    double d = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double u = (x[i] - lo) / (hi - lo);
        d = std::max({d, u - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - u});
    }
    EXPECT_LT(std::sqrt(n) * d, 3.28);  // 2 exp(-2 * 3.28^2) = 9e-10
}
// Each element of a uniform 3 x 3 matrix is a coordinate of a point on the sphere: uniform on [-1, 1] (Archimedes).
// Determinants are 1 and -1 equally often.
TEST(Orthogonal, IsUniform) {
    std::vector<double> elements[9];
    int signs = 0;
    for (int s = 0; s < 4096; ++s) {
        double w[9];
        init::orthogonal(shard<double>(w, {3, 3}), rng::Stream<>(1).fork(s));
        for (std::size_t k = 0; k < 9; ++k) elements[k].push_back(w[k]);
        const double det = w[0] * (w[4] * w[8] - w[5] * w[7]) - w[1] * (w[3] * w[8] - w[5] * w[6]) +
                           w[2] * (w[3] * w[7] - w[4] * w[6]);
        signs += det > 0 ? 1 : -1;
    }
    for (auto& x : elements) expect_uniform(x, -1, 1);
    EXPECT_LT(std::abs(signs), 6 * 64);
}

// ---- sparse

template <class T, class E> void expect_zeros(const support::Json& row, const rng::Stream<E>& stream) {
    const auto rows = row.at("rows").get<std::size_t>(), cols = row.at("columns").get<std::size_t>();
    std::vector<T> w(rows * cols), normals(rows * cols);
    init::sparse(shard<T>(w.data(), {rows, cols}), row.at("sparsity").get<double>(), T(0.5), stream);
    rng::fill(normals, rng::normal<T>{0, T(0.5)}, stream);
    for (std::size_t c = 0; c < cols; ++c) {
        std::vector<std::size_t> zeros;
        for (std::size_t r = 0; r < rows; ++r) {
            if (w[r * cols + c] == 0)
                zeros.push_back(r);
            else
                EXPECT_EQ(w[r * cols + c], normals[r * cols + c]);
        }
        EXPECT_EQ(zeros, row.at("zero_rows").at(c).get<std::vector<std::size_t>>()) << row << c;
    }
}
TEST(Sparse, ZerosOfTheModel) {
    int checked = 0;
    for (const support::Json& row : support::read_reference("initialisers.json")) {
        const auto check = [&]<class E>(E) {
            if (!support::is_about<E>(row)) return;
            const rng::Stream<E> stream(42, 1, support::integer(row.at("position")));
            row.at("dtype") == "f32" ? expect_zeros<float>(row, stream) : expect_zeros<double>(row, stream);
            ++checked;
        };
        check(rng::Philox4x32_10{});
        check(rng::Threefry4x64_20{});
    }
    EXPECT_EQ(checked, 8);
}
TEST(Sparse, EveryShardingHasTheBitsOfTheWhole) {
    const Sizes shape{41, 23};
    const auto check = [&](auto zero) {
        using T = decltype(zero);
        const rng::Stream<> stream{3};
        std::vector<T> whole(product(shape)), moved = whole;
        init::sparse(shard<T>(whole.data(), shape), 0.1, 0.01f, stream);
        for (std::size_t c = 0; c < 23; ++c) {  // ceil(4.1) zeros
            int zeros = 0;
            for (std::size_t r = 0; r < 41; ++r) zeros += same(whole[r * 23 + c], T{});
            EXPECT_EQ(zeros, 5);
        }
        for (std::size_t ranks = 1; ranks <= 5; ++ranks)
            expect_shards<T>(
                shape, {0, 1}, ranks, [&](const shard<T>& box) { init::sparse(box, 0.1, 0.01f, stream); }, whole);
        rng::Generator generator(3);
        init::sparse(shard<T>(moved.data(), shape), 0.1, 0.01f, generator);
        EXPECT_TRUE(std::equal(whole.begin(), whole.end(), moved.begin(), same<T>));
        EXPECT_EQ(generator.position(), rng::normal<T>::slot_words * product(shape));
    };
    check(float{});
    check(double{});
    check(rng::float16{});
}
TEST(Sparse, ZerosAreUniformRows) {
    std::vector<int> hits(20), neighbours(20);
    const std::size_t cols = 8000;
    std::vector<float> w(20 * cols);
    init::sparse(shard<float>(w.data(), {20, cols}), 0.25, 1.0f, rng::Stream{8});
    for (std::size_t r = 0; r < 20; ++r)
        for (std::size_t c = 0; c < cols; ++c) {
            const bool zero = w[r * cols + c] == 0;
            hits[r] += zero;
            neighbours[r] += zero && w[(r + 1) % 20 * cols + c] == 0;
        }
    // 5 of 20 rows: a row with 1/4, two rows with 5/20 * 4/19. 6.2 standard deviations: 6e-10.
    for (std::size_t r = 0; r < 20; ++r) {
        EXPECT_NEAR(hits[r], 2000, 6.2 * std::sqrt(8000 * 0.25 * 0.75)) << r;
        EXPECT_NEAR(neighbours[r], 8000.0 / 19, 6.2 * std::sqrt(8000.0 / 19 * 18 / 19)) << r;
    }
}

}  // namespace
