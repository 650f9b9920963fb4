// Sparse matrices and batches in parity_svd: sorts and products by themselves, then whole calls.
#include <algorithm>
#include <complex>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "../../src/svd/kernels/linalg.hpp"
#include "parity_svd.hpp"

namespace {

using namespace parity;

/// A sparse matrix by rows; the columns of a row ascend.
template <class T, class Index> struct Csr {
    size_t rows, cols;
    std::vector<Index> offsets, columns;
    std::vector<T> values;
    [[nodiscard]] rng::csr_view<T, Index> view() const { return {rows, cols, offsets, columns, values}; }
};

/// Takes elements of a dense matrix, `share` of 16. Every fifth row is empty, and the first is full.
template <class Index, class T> Csr<T, Index> csr(const rng::Matrix<T>& a, uint64_t seed, uint64_t share = 3) {
    Numbers numbers(seed);
    Csr<T, Index> sparse{a.rows, a.cols, {0}, {}, {}};
    for (size_t i = 0; i < a.rows; ++i) {
        for (size_t j = 0; j < a.cols; ++j)
            if (share > 0 && (i == 0 || (i % 5 != 4 && numbers.next() % 16 < share))) {
                sparse.columns.push_back(static_cast<Index>(j));
                sparse.values.push_back(a(i, j));
            }
        sparse.offsets.push_back(static_cast<Index>(sparse.values.size()));
    }
    return sparse;
}

/// Puts the elements of each row into another order.
template <class T, class Index> void shuffle(Csr<T, Index>& a, uint64_t seed) {
    Numbers numbers(seed);
    for (size_t i = 0; i < a.rows; ++i)
        for (auto n = static_cast<size_t>(a.offsets[i + 1] - a.offsets[i]); n > 1; --n) {
            const auto begin = static_cast<size_t>(a.offsets[i]), other = begin + numbers.next() % n;
            std::swap(a.columns[begin + n - 1], a.columns[other]);
            std::swap(a.values[begin + n - 1], a.values[other]);
        }
}

// ---- Sorts

/// One digit, for threads that have one entry each, some entries, all of them, or none.
void compare_sorts(std::vector<Library>& libraries) {
    constexpr size_t n = 1000;
    Numbers numbers(5);
    std::vector<svd::Entry> entries(n);
    for (size_t k = 0; k < n; ++k)
        entries[k] = {static_cast<uint32_t>(numbers.next() % 700), static_cast<uint32_t>(numbers.next()),
                      static_cast<uint32_t>(k)};
    for (Library& library : libraries)
        for (const bool by_row : {false, true})
            for (const int shift : {0, 4, 28})
                for (const size_t chunk : {size_t{1}, size_t{3}, size_t{64}, n + 5}) {
                    const size_t walkers = n / chunk + 3;
                    const Memory counts(walkers * svd::digits * sizeof(uint32_t)), moved(n * sizeof(svd::Entry));
                    auto* const count_of = reinterpret_cast<uint32_t*>(counts.data());
                    auto* const to = reinterpret_cast<svd::Entry*>(moved.data());
                    const svd::SortStep step{
                        entries.data(), n, static_cast<uint32_t>(walkers), static_cast<uint32_t>(chunk), shift, by_row};
                    const PtxDevice device(library);
                    device.launch(svd::CountDigits{step, count_of}, svd::divided_up(walkers, 256), 1);
                    device.launch(svd::SumCounts{count_of, walkers * svd::digits}, 1, 1);
                    device.launch(svd::MoveEntries{step, count_of, to}, svd::divided_up(walkers, 256), 1);
                    std::vector<svd::Entry> sorted = entries;
                    std::sort(sorted.begin(), sorted.end(), [&](const svd::Entry& a, const svd::Entry& b) {
                        return std::pair(step.digit(a), a.source) < std::pair(step.digit(b), b.source);
                    });
                    const std::string what = "a sort with " + std::to_string(chunk) + " entries a thread";
                    count(library, n, same(sorted.data(), to, n * sizeof *to), what);
                    counts.check(what);
                    moved.check(what);
                }
}

// ---- Products

/// A (rows x elements) times b, or the conjugate of A times b, with every number of groups.
template <class T>
void compare_product(std::vector<Library>& libraries, size_t rows, size_t elements, size_t width, bool complex,
                     bool conjugated, uint64_t share, bool tiny = false) {
    const size_t parts = complex ? 2 : 1, terms = elements * parts, plane = width / parts;
    const int exponent = !tiny ? 0 : sizeof(T) == 4 ? -80 : -600;
    Numbers numbers(rows + elements + width + share);
    const Csr<T, uint32_t> a = csr<uint32_t>(rng::Matrix<T>(rows, elements), elements, share);
    std::vector<T> values(a.values.size() * parts), b(elements * width), expanded(terms * width);
    for (T& x : values) x = as<T>(std::ldexp(numbers.number(), exponent));
    for (T& x : b) x = as<T>(std::ldexp(numbers.number(), exponent));
    std::vector<size_t> real_offsets, real_terms;
    for (const uint32_t offset : a.offsets) real_offsets.push_back(offset * parts);
    for (const uint32_t column : a.columns)
        for (size_t part = 0; part < parts; ++part) real_terms.push_back(column * parts + part);
    for (size_t k = 0; k < elements; ++k)
        for (size_t j = 0; j < width; ++j) {
            expanded[k * parts * width + j] = b[k * width + j];
            if (!complex) continue;
            const T other = b[k * width + (j < plane ? j + plane : j - plane)];
            expanded[(2 * k + 1) * width + j] = (j < plane) != conjugated ? -other : other;
        }
    std::vector<T> host(rows * width);
    rng::wide::Linalg<rng::lane::Scalar>::sparse_product<T>({real_offsets.data(), real_terms.data(), values.data()}, 0,
                                                            rows, expanded.data(), width, width, host.data(), width);
    const uint64_t blocks = svd::divided_up(terms, rng_abi::sum_block);
    for (int log2_group = 0; log2_group == 0 || uint64_t{1} << (log2_group - 1) < blocks; ++log2_group) {
        const svd::Split split{svd::divided_up(rows, svd::sparse_rows), svd::divided_up(width, svd::sparse_cols),
                               svd::divided_up(blocks, uint64_t{1} << log2_group), log2_group};
        for (Library& library : libraries) {
            if (tiny && flushes(library)) continue;
            const Memory out(host.size() * sizeof(T)), nodes(split.nodes() * host.size() * sizeof(T));
            const PtxDevice device(library);
            run_product(device, split,
                        svd::SparseProduct<T>{{a.offsets.data(), a.columns.data(), values.data()},
                                              b.data(),
                                              reinterpret_cast<T*>(out.data()),
                                              rows,
                                              split.row_tiles,
                                              static_cast<uint32_t>(width),
                                              static_cast<uint32_t>(plane),
                                              log2_group,
                                              complex,
                                              conjugated},
                        reinterpret_cast<T*>(nodes.data()));
            const std::string what = "a sparse product of " + std::to_string(rows) + " x " + std::to_string(terms) +
                                     " x " + std::to_string(width) + (complex ? " complex" : "") +
                                     (conjugated ? " conjugated" : "") + ", groups of 2^" + std::to_string(log2_group);
            count(library, host.size(), same(out.data(), host.data(), host.size() * sizeof(T)), what);
            out.check(what);
            nodes.check(what);
        }
    }
}
template <class T> void compare_products(std::vector<Library>& libraries) {
    compare_product<T>(libraries, 21, 1, 16, false, false, 8);
    compare_product<T>(libraries, 37, 131, 48, false, false, 16);
    compare_product<T>(libraries, 12, 128 * 21 + 5, 16, false, false, 16);
    compare_product<T>(libraries, 40, 128 * 21 + 5, 16, false, false, 1);  // with blocks of no term
    compare_product<T>(libraries, 7, 128 * 70, 16, false, false, 0);       // no term at all
    compare_product<T>(libraries, 3, 200, 16, false, false, 16, true);
    for (const bool conjugated : {false, true}) compare_product<T>(libraries, 18, 64 * 9 + 7, 32, true, conjugated, 5);
}

// ---- Whole calls

template <class T> struct Case {
    std::string name;
    rng::SvdOptions<T> options;
    bool center = false;
    CallOptions call = {};
};

template <class T, class Index> void compare_csr(std::vector<Library>& libraries, const Csr<T, Index>& a, Case<T> c) {
    const rng::csr_view<T, Index> view = a.view();
    SvdInput input = rng::detail::svd_input(c.center ? "pca_lowrank" : "svd_lowrank", view);
    rng::detail::set_options(input, c.options);
    input.center = c.center;
    const auto on_cpu = [&](rng::Generator& generator) {
        if (c.center)
            return std::vector{rng::pca_lowrank(view, {.q = c.options.q, .niter = c.options.niter}, generator)};
        return std::vector{rng::svd_lowrank(view, c.options, generator)};
    };
    const std::string what = "svd of sparse " + c.name + " " + std::to_string(a.rows) + " x " + std::to_string(a.cols) +
                             ", " + std::to_string(sizeof(T)) + " and " + std::to_string(sizeof(Index)) + " bytes";
    compare_calls<T>(libraries, {input}, on_cpu, what, c.call);
}

template <class T> T number(float value) {
    using R = rng::detail::real_t<T>;
    if constexpr (rng::detail::SvdElement<T>::is_complex)
        return {R{1}, static_cast<R>(value)};
    else
        return as<T>(value);
}

template <class T, class Index> void compare_faults(std::vector<Library>& libraries) {
    const Csr<T, Index> sound = csr<Index>(matrix<T>(60, 30, 31), 31);
    const auto compare = [&](const char* name, const auto& spoil) {
        Csr<T, Index> a = sound;
        spoil(a);
        compare_csr(libraries, a, Case<T>{name, {.q = 4}});
    };
    using A = Csr<T, Index>;
    const auto last = static_cast<Index>(sound.values.size());
    compare("an offset too few", [](A& a) { a.offsets.pop_back(); });
    compare("a column too few", [](A& a) { a.columns.pop_back(); });
    compare("offsets from 1", [](A& a) { a.offsets[0] = 1; });
    compare("offsets that descend", [](A& a) { a.offsets[20] = static_cast<Index>(a.offsets[19] - 1); });
    compare("an offset below 0", [](A& a) { a.offsets[7] = a.offsets[30] = static_cast<Index>(-3); });
    compare("an offset past the end", [&](A& a) { a.offsets[59] = static_cast<Index>(last + 1); });
    compare("a last offset too small", [](A& a) { --a.offsets[60]; });
    compare("a column below 0", [](A& a) { a.columns[55] = a.columns[77] = static_cast<Index>(-1); });
    compare("a column past the end", [](A& a) { a.columns[33] = 30; });
    compare("an element twice", [](A& a) {
        a.columns[70] = a.columns[71];
        a.columns[3] = a.columns[20];
    });
    for (const float value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
        compare("a value that is no number", [&](A& a) {
            a.values[100] = a.values[41] = number<T>(value);
            shuffle(a, 8);
        });
}

template <class T> void compare_csrs(std::vector<Library>& libraries) {
    using R = rng::detail::real_t<T>;
    constexpr int big = sizeof(T) == 2 ? 0 : sizeof(R) == 4 ? 110 : 1000;
    const rng::Matrix<T> row = matrix<T>(1, 40, 7), column = matrix<T>(70, 1, 8), full = matrix<T>(70, 40, 9);
    const auto compare = [&](const auto& a, const Case<T>& c) { compare_csr(libraries, a, c); };
    auto tall = csr<int64_t>(matrix<T>(300, 40, 1), 1), wide = csr<int64_t>(matrix<T>(33, 270, 2), 2);
    const auto narrow = csr<int32_t>(matrix<T>(70, 40, 3), 3, 6), none = csr<int32_t>(matrix<T>(50, 20, 4), 4, 0);
    compare(tall, {"tall", {.q = 5}});
    compare(wide, {"wide", {.q = 17, .niter = 1}});
    shuffle(tall, 1);
    shuffle(wide, 2);
    compare(tall, {"shuffled tall", {.q = 5, .niter = 0}});
    compare(wide, {"shuffled wide", {.q = 3, .niter = 0, .test_matrix = rng::TestMatrix::rademacher}});
    compare(none, {"empty", {.q = 3, .niter = 0}});
    compare(narrow, {"q of 0", {.q = 0}});
    compare(csr<int64_t>(rng::Matrix<T>(0, 5), 5), {"no rows", {}});
    compare(csr<int64_t>(rng::Matrix<T>(5, 0), 5), {"no columns", {}});
    compare(csr<int32_t>(matrix<T>(5, 1, 6), 6), {"one column", {.q = 1}});
    compare(narrow, {"less a row", {.q = 4, .niter = 0, .M = row.view()}});
    compare(narrow, {"less a column", {.q = 4, .niter = 0, .M = column.view()}});
    compare(narrow, {"less a matrix", {.q = 4, .niter = 1, .M = full.view()}});
    compare(narrow, {"less a matrix, in one part", {.q = 4, .niter = 0, .M = full.view()}, false, {.dense = 1 << 20}});
    compare(tall, {"centred tall", {.q = 4, .niter = 0}, true});
    compare(wide, {"centred wide", {.q = 4, .niter = 0}, true});
    compare(none, {"centred empty", {.q = 3, .niter = 0}, true});
    compare(csr<int32_t>(matrix<T>(60, 30, 15, 0, big), 15), {"great", {.q = 3, .niter = 0}});
    compare(csr<int32_t>(matrix<T>(60, 30, 16, 0, -big), 16),
            {"small", {.q = 3, .niter = 0}, false, {.subnormal = true}});
    compare(csr<int32_t>(matrix<T>(60, 30, 17, 0, big), 17), {"great centred", {.q = 3, .niter = 0}, true});
    rng::Matrix<T> bad = full;
    bad(3, 7) = bad(60, 2) = number<T>(std::numeric_limits<float>::quiet_NaN());
    compare(narrow, {"less no number", {.q = 4, .M = std::as_const(bad).view()}});
}

template <class T> void compare_batches(std::vector<Library>& libraries) {
    constexpr size_t rows = 90, cols = 30, gap = 7, size = 3;
    rng::Matrix<T> values = matrix<T>(size, rows * cols + gap, 51);
    const rng::Matrix<T> row = matrix<T>(1, cols, 7);
    const auto compare = [&](const rng::SvdOptions<T>& options, bool center, const std::string& name) {
        const rng::batch_view<const T> batch{rng::matrix_view<const T>::row_major(values.values.data(), rows, cols),
                                             size, rows * cols + gap};
        std::vector<SvdInput> inputs = rng::detail::svd_inputs(center ? "pca_lowrank" : "svd_lowrank", batch, options);
        for (SvdInput& input : inputs) input.center = center;
        const auto on_cpu = [&](rng::Generator& generator) {
            if (center) return rng::pca_lowrank(batch, {.q = options.q, .niter = options.niter}, generator);
            return rng::svd_lowrank(batch, options, generator);
        };
        compare_calls<T>(libraries, inputs, on_cpu, "a batch " + name + ", " + std::to_string(sizeof(T)) + " bytes");
    };
    compare({.q = 4, .niter = 1}, false, "plain");
    compare({.q = 4, .niter = 0}, true, "centred");
    compare({.q = 3, .niter = 0, .M = row.view()}, false, "less a row");
    compare({.q = 0}, false, "with q of 0");
    values(1, 40) = values(2, 3) = number<T>(std::numeric_limits<float>::infinity());
    compare({.q = 4}, false, "with no number");
    compare({.q = 4}, true, "with no number, centred");
}

}  // namespace

void parity::compare_sparse(std::vector<Library>& libraries) {
    compare_sorts(libraries);
    compare_products<float>(libraries);
    compare_products<double>(libraries);
    each_type([&]<class T>(T) {
        compare_csrs<T>(libraries);
        compare_batches<T>(libraries);
    });
    compare_faults<float, int32_t>(libraries);
    compare_faults<std::complex<double>, int64_t>(libraries);
    compare_faults<rng::bfloat16, uint32_t>(libraries);
}
