// Runs the kernels of svd_lowrank, translated from PTX (shared libraries made by run_svd.py), against the CPU's.
//
//     parity_svd [--only products|svd|sparse|ranks]... LIBRARY...
//
// First, products of every kind and tile size, for every division of the terms, are compared with the CPU's kernel.
// Sorts and products of sparse matrices follow. Then whole calls of svd_lowrank are
// compared with the public function. They use cuda/svd_backend.hpp on a device that executes PTX. Exit code 0 means:
// - no bit differs,
// - no thread touches what another writes,
// - nothing beyond the workspace is written,
// - no flush to zero changed a result.
// Exit code 1: a difference. 2: misuse, or a fault of a kernel.
#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "../../src/svd/kernels/linalg.hpp"
#include "parity_svd.hpp"

namespace {

using namespace parity;
namespace svd = parity::svd;

// ---- Products
// --------------------------------------------------------------------------------------------------------

struct ProductCase {
    size_t rows, elements, width;  // of a; elements: terms, or pairs of them
    bool complex, adjoint, by_columns, with_mean, widened_mean;
    bool tiny = false;  // products below all numbers: the sums are zeros, of which none may be -0
};

template <class S> constexpr rng_abi::ElementType element_type() {
    return std::is_same_v<S, rng::float16>    ? rng_abi::ElementType::f16
           : std::is_same_v<S, rng::bfloat16> ? rng_abi::ElementType::bf16
                                              : rng_abi::ElementType::same;
}

template <class T, class S, class B, class Shape>
void compare_product(std::vector<Library>& libraries, const ProductCase& c, uint64_t seed) {
    const size_t parts = c.complex ? 2 : 1, terms = c.elements * parts;
    Numbers numbers(seed);
    const int exponent = !c.tiny ? 0 : sizeof(T) == 4 ? -80 : -600;
    // Strides with gaps; one of them is that of neighbours.
    const auto near = static_cast<ptrdiff_t>(1), far = static_cast<ptrdiff_t>((c.by_columns ? c.rows : c.elements) + 3);
    const ptrdiff_t row_stride = c.by_columns ? near : far, term_stride = c.by_columns ? far : near;
    std::vector<S> a(static_cast<size_t>(far) * (c.by_columns ? c.elements : c.rows) * parts);
    for (S& x : a) x = as<S>(std::ldexp(numbers.number(), exponent));
    std::vector<B> b(c.elements * c.width);
    for (B& x : b) x = as<B>(std::ldexp(numbers.number(), exponent));
    std::vector<S> narrow_mean(c.elements * parts);
    std::vector<T> mean(c.elements * parts);
    for (size_t i = 0; i < mean.size(); ++i) {
        narrow_mean[i] = as<S>(numbers.number());
        mean[i] = c.widened_mean ? as<T>(numbers.number()) : static_cast<T>(narrow_mean[i]);
    }

    // The CPU's, whose second factor is written out.
    const size_t ld = c.width / parts;
    std::vector<T> expanded(terms * c.width);
    for (size_t k = 0; k < c.elements; ++k)
        for (size_t j = 0; j < c.width; ++j) {
            expanded[k * parts * c.width + j] = static_cast<T>(b[k * c.width + j]);
            if (!c.complex) continue;
            const auto other = static_cast<T>(b[k * c.width + (j < ld ? j + ld : j - ld)]);
            expanded[(2 * k + 1) * c.width + j] = (j < ld) != c.adjoint ? -other : other;
        }
    const rng_abi::Operand operand{a.data(),
                                   row_stride,
                                   term_stride,
                                   element_type<S>(),
                                   static_cast<int>(parts),
                                   c.with_mean ? mean.data() : nullptr,
                                   0,
                                   1,
                                   nullptr};
    std::vector<T> host(c.rows * c.width), workspace(rng_abi::product_workspace(c.rows, terms, c.width, sizeof(T)));
    if constexpr (std::is_same_v<T, S> || sizeof(S) == 2) {
        rng::wide::Linalg<rng::lane::Scalar>::product<T>(operand, c.rows, 0, terms, expanded.data(), c.width, c.width,
                                                         host.data(), c.width, false, workspace.data());
    } else {  // a Gram matrix in double precision of a matrix of float
        std::vector<T> wide(a.begin(), a.end());
        rng_abi::Operand widened = operand;
        widened.data = wide.data();
        rng::wide::Linalg<rng::lane::Scalar>::product<T>(widened, c.rows, 0, terms, expanded.data(), c.width, c.width,
                                                         host.data(), c.width, false, workspace.data());
    }

    const auto complex = static_cast<ptrdiff_t>(parts);
    const svd::DeviceMatrix<T, S> source{a.data(),
                                         row_stride * complex,
                                         term_stride * complex,
                                         !c.with_mean     ? nullptr
                                         : c.widened_mean ? static_cast<const void*>(mean.data())
                                                          : narrow_mean.data(),
                                         0,
                                         complex,
                                         c.complex,
                                         c.widened_mean};
    const uint64_t blocks = svd::divided_up(terms, rng_abi::sum_block);
    for (const int log2_group : {0, 1, svd::most_log2_group}) {
        if (log2_group > 0 && blocks == 1) break;
        const svd::Split split{svd::divided_up(c.rows, Shape::rows), svd::divided_up(c.width, Shape::cols),
                               svd::divided_up(blocks, uint64_t{1} << log2_group), log2_group};
        for (Library& library : libraries) {
            if (c.tiny && flushes(library)) continue;
            const Memory factor(b.size() * sizeof(B)), out(host.size() * sizeof(T)),
                nodes(split.nodes() * host.size() * sizeof(T));
            std::memcpy(factor.data(), b.data(), b.size() * sizeof(B));
            const PtxDevice device(library);
            run_product(device, split,
                        svd::Product<T, S, B, Shape>{source, reinterpret_cast<const B*>(factor.data()),
                                                     reinterpret_cast<T*>(out.data()), c.rows, terms, split.row_tiles,
                                                     static_cast<uint32_t>(c.width), static_cast<uint32_t>(ld),
                                                     log2_group, c.adjoint},
                        reinterpret_cast<T*>(nodes.data()));
            const std::string what =
                "product " + std::to_string(parity::svd_index<svd::Product<T, S, B, Shape>>) + ", " +
                std::to_string(c.rows) + " x " + std::to_string(terms) + " x " + std::to_string(c.width) +
                (c.complex ? " complex" : "") + (c.adjoint ? " adjoint" : "") + (c.by_columns ? " by columns" : "") +
                (c.with_mean ? " less a mean" : "") + ", groups of 2^" + std::to_string(log2_group);
            count(library, host.size(), same(out.data(), host.data(), host.size() * sizeof(T)), what);
            out.check(what);
            nodes.check(what);
        }
    }
}

template <class T, class S, class Shape> void compare_products(std::vector<Library>& libraries) {
    constexpr auto r = static_cast<size_t>(Shape::rows);
    constexpr auto w = static_cast<size_t>(Shape::cols);
    constexpr bool may_be_complex = sizeof(S) != 2;
    uint64_t seed = 0;
    const auto compare = [&](const ProductCase& c) { compare_product<T, S, T, Shape>(libraries, c, ++seed); };
    for (const bool by_columns : {false, true}) {
        compare({r + 5, 131, w, false, false, by_columns, false, false});
        compare({3, 1, w + 16, false, false, by_columns, true, sizeof(S) == 2});
        compare({r / 2 + 1, 128 * 2 + 17, 16, false, false, by_columns, true, false});
        if (may_be_complex)
            for (const bool adjoint : {false, true})
                compare({r / 2 + 3, 100, 32, true, adjoint, by_columns, adjoint != by_columns, false});
    }
    if (sizeof(S) == sizeof(T)) {
        compare({7, 128 * 19 + 5, 16, false, false, false, false, false});  // two levels of Merge, ragged at each
        compare({3, 128, 16, false, false, false, false, false, true});
    }
}
template <class T, class Shape> void compare_grams(std::vector<Library>& libraries) {
    uint64_t seed = 100;
    for (const size_t width : {size_t{16}, size_t{48}})
        for (const size_t terms : {size_t{77}, size_t{128 * 6 + 1}, size_t{128 * 33}})
            compare_product<double, T, T, Shape>(libraries, {width, terms, width, false, false, true, false, false},
                                                 ++seed);
}

void compare_all_products(std::vector<Library>& libraries) {
    const auto of_type = [&]<class T, class S>(T, S) {
        compare_products<T, S, svd::Narrow<T>>(libraries);
        compare_products<T, S, svd::Middle<T>>(libraries);
        compare_products<T, S, svd::Broad<T>>(libraries);
    };
    of_type(float{}, float{});
    of_type(double{}, double{});
    of_type(float{}, rng::float16{});
    of_type(float{}, rng::bfloat16{});
    compare_grams<float, svd::SmallGram>(libraries);
    compare_grams<float, svd::Gram>(libraries);
    compare_grams<double, svd::SmallGram>(libraries);
    compare_grams<double, svd::Gram>(libraries);
}

// ---- Whole calls
// -----------------------------------------------------------------------------------------------------

template <class T> struct SvdCase {
    const char* name;
    rng::Matrix<T> a;
    rng::SvdOptions<T> options;
    bool center = false, by_columns = false;
    bool subnormal = false;  // as in CallOptions
    rng::Engine engine = rng::Engine::philox4x32_10;
};

template <class T> void compare_svd(std::vector<Library>& libraries, SvdCase<T> c) {
    rng::matrix_view<T> view = c.a.view();
    std::vector<T> by_columns(c.a.values.size());
    if (c.by_columns) {
        view = rng::matrix_view<T>::column_major(by_columns.data(), c.a.rows, c.a.cols);
        for (size_t i = 0; i < c.a.rows; ++i)
            for (size_t j = 0; j < c.a.cols; ++j) view(i, j) = c.a(i, j);
    }
    SvdInput input = rng::detail::svd_input(c.center ? "pca_lowrank" : "svd_lowrank", view);
    rng::detail::set_options(input, c.options);
    input.center = c.center;
    const std::string what = std::string("svd of ") + c.name + " " + std::to_string(c.a.rows) + " x " +
                             std::to_string(c.a.cols) + ", " + std::to_string(sizeof(T)) + " bytes";
    const auto on_cpu = [&](rng::Generator& generator) {
        if (c.center)
            return std::vector{rng::pca_lowrank(
                view, {.q = c.options.q, .niter = c.options.niter, .oversampling = c.options.oversampling}, generator)};
        return std::vector{rng::svd_lowrank(view, c.options, generator)};
    };
    compare_calls<T>(libraries, {input}, on_cpu, what, {c.subnormal, c.engine});
}

template <class T> void compare_svds(std::vector<Library>& libraries) {
    using R = rng::detail::real_t<T>;
    const auto compare = [&](SvdCase<T> c) { compare_svd(libraries, std::move(c)); };
    constexpr int big = sizeof(T) == 2 ? 0 : sizeof(R) == 4 ? 110 : 1000;
    const rng::Matrix<T> row = matrix<T>(1, 40, 7), column = matrix<T>(70, 1, 8), full = matrix<T>(70, 40, 9);
    compare({"a tall matrix", matrix<T>(300, 40, 1), {.q = 5}});
    compare({"a wide matrix by columns", matrix<T>(33, 270, 2), {.q = 7, .niter = 0}, false, true});
    compare({"a broad sketch", matrix<T>(150, 60, 3), {.q = 37, .niter = 1}, false, true});
    compare({"a sketch of 17 columns", matrix<T>(40, 140, 4), {.q = 17, .niter = 1}});
    compare({"oversampling", matrix<T>(90, 40, 23), {.q = 3, .niter = 1, .oversampling = 15}});
    compare({"a matrix of low rank", matrix<T>(140, 50, 5, 3), {.q = 9}});
    // Jacobi drives rows of these matrices towards 0, below the normal numbers of float.
    // An earlier version left equal columns, for each type except the half types, in one of the two.
    constexpr bool single = sizeof(R) <= 4;
    for (const uint64_t seed : {uint64_t{221}, uint64_t{224}})
        compare(
            {"a low rank and noise", matrix<T>(40, 60, seed, 2, 0, 1), {.q = 12, .niter = 0}, false, false, single});
    compare({"a low rank and less noise", matrix<T>(60, 40, 200, 2, 0, 0.5), {.q = 6}, false, true, single});
    compare({"a matrix of zeros", rng::Matrix<T>(50, 20), {.q = 3}});
    compare({"signs", matrix<T>(90, 30, 6), {.q = 4, .test_matrix = rng::TestMatrix::rademacher}});
    compare({"less a row", matrix<T>(70, 40, 10), {.q = 4, .niter = 1, .M = row.view()}});
    compare({"less a column", matrix<T>(70, 40, 11), {.q = 4, .niter = 1, .M = column.view()}, false, true});
    compare({"less a matrix", matrix<T>(70, 40, 12), {.q = 4, .niter = 1, .M = full.view()}});
    compare({"principal components", matrix<T>(170, 40, 13), {.q = 4}, true});
    compare({"principal components by columns", matrix<T>(30, 90, 14), {.q = 4}, true, true});
    compare({"great values", matrix<T>(60, 30, 15, 0, big), {.q = 3}});
    compare({"small values", matrix<T>(60, 30, 16, 0, -big), {.q = 3}, false, false, true});
    compare({"another engine", matrix<T>(60, 50, 17, 2), {.q = 5}, false, false, false, rng::Engine::threefry4x64_20});
    // Columns of U whose elements are of one magnitude: the first decides.
    rng::Matrix<T> alternating(96, 5);
    for (size_t i = 0; i < alternating.values.size(); ++i) alternating.values[i] = as<T>(i / 5 % 2 == 0 ? -1.0 : 1.0);
    compare({"rows of alternating sign", alternating, {.q = 2}});
    compare({"one element", matrix<T>(1, 1, 18), {}});
    compare({"q of 0", matrix<T>(5, 4, 19), {.q = 0}});
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        SvdCase<T> c{"something that is no number", matrix<T>(50, 30, 20), {.q = 4}};
        for (const size_t place : {size_t{47}, size_t{301}, size_t{1499}}) {
            if constexpr (rng::detail::SvdElement<T>::is_complex)
                c.a.values[place] = {R{1}, static_cast<R>(value)};
            else
                c.a.values[place] = as<T>(value);
        }
        compare(c);
        c.by_columns = true;
        compare(c);
        rng::Matrix<T> m = c.a;
        compare({"less something that is no number", matrix<T>(50, 30, 21), {.q = 4, .M = std::as_const(m).view()}});
    }
}

}  // namespace

int main(int argc, char** argv) {
    parity::Command command(argc, argv, "parity_svd", {"products", "svd", "sparse", "ranks"});
    std::vector<Library>& libraries = command.libraries;
    if (command.has("products")) compare_all_products(libraries);
    if (command.has("sparse")) compare_sparse(libraries);
    if (command.has("ranks")) compare_over_ranks(libraries);
    if (command.has("svd")) parity::each_type([&]<class T>(T) { compare_svds<T>(libraries); });
    return report(libraries) ? 0 : 1;
}
