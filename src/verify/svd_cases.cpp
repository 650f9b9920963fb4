#include "svd_cases.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/fill.hpp>
#include <rng/svd/device_svd.hpp>
#include <rng/svd/svd_ranks.hpp>

#include "../cpu/fp_environment.hpp"
#include "digest_of.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using Kind = SvdMatrixKind;
using Variant = SvdVariant;

constexpr SvdCase cases[] = {
#include "svd_goldens.inc"
};
constexpr const char* kind_names[] = {"normal",   "graded",     "rank 3", "zero",  "ones",
                                      "identity", "duplicates", "large",  "small", "subnormal"};
constexpr const char* variant_names[] = {"",           "column-major",        "CSR",     "CSR less a row", "3 shards",
                                         "less a row", "less a whole matrix", "centred", "Rademacher"};

constexpr uint64_t matrix_seed = 1, mean_seed = 2;

/// The number of real numbers in an element of T: 2 if it is complex (real and imaginary part), otherwise 1.
template <class T> constexpr size_t parts = SvdElement<T>::is_complex ? 2 : 1;

/// Returns m x n elements of a kind, the parts of each side by side.
template <class T> std::vector<real_t<T>> values_of(const SvdCase& one, Kind kind, uint64_t seed) {
    using Real = real_t<T>;
    const size_t m = one.rows, n = one.cols;
    std::vector<Real> v(m * n * parts<T>);
    fill(v, normal<Real>{}, Stream<>{seed});
    constexpr bool f32 = sizeof(Real) == 4;
    for (size_t i = 0; i < m; ++i)
        for (size_t j = 0; j < n; ++j)
            for (size_t part = 0; part < parts<T>; ++part) {
                Real& x = v[(i * n + j) * parts<T> + part];
                switch (kind) {
                    case Kind::normal: break;
                    case Kind::graded: x = std::ldexp(x, -static_cast<int>(j)); break;
                    case Kind::rank3: {
                        int sum = 0;
                        for (size_t k = 1; k <= 3; ++k)
                            sum += (static_cast<int>(i * k % 7) - 3) * (static_cast<int>(j * (k + 1) % 5) - 2);
                        x = static_cast<Real>(sum);
                        break;
                    }
                    case Kind::zero: x = 0; break;
                    case Kind::ones: x = 1; break;
                    case Kind::identity: x = i == j && part == 0 ? 1 : 0; break;
                    case Kind::duplicates: x = v[(i * n + j % 3) * parts<T> + part]; break;
                    case Kind::large: x = std::ldexp(x, f32 ? 110 : 1000); break;
                    case Kind::small: x = std::ldexp(x, f32 ? -110 : -1000); break;
                    case Kind::subnormal: x = std::ldexp(x, f32 ? -136 : -1055); break;
                }
            }
    return v;
}

template <class T> std::vector<T> elements_of(const std::vector<real_t<T>>& values) {
    std::vector<T> elements(values.size() / parts<T>);
    for (size_t i = 0; i < elements.size(); ++i) {
        if constexpr (parts<T> == 2)
            elements[i] = {values[2 * i], values[2 * i + 1]};
        else
            elements[i] = T(values[i]);
    }
    return elements;
}

double as_double(double x) { return x; }
double as_double(float x) { return x; }
double as_double(float16 x) { return static_cast<float>(x); }
double as_double(bfloat16 x) { return static_cast<float>(x); }
template <class T> void append(std::vector<double>& to, const T& x) {
    if constexpr (parts<T> == 2) {
        to.push_back(static_cast<double>(x.real()));
        to.push_back(static_cast<double>(x.imag()));
    } else {
        to.push_back(as_double(x));
    }
}

/// Returns f() in the standard modes: inputs and outputs of a case must not depend on the caller's modes. (g++ -Ofast
/// links programs that flush subnormal numbers.) svd_lowrank itself is called in the caller's modes: it must set its
/// own.
template <class F> auto in_standard_modes(const F& f) {
    const rng_cpu::FpEnvironment environment;
    return f();
}

template <class T> struct Compressed {
    std::vector<int64_t> offsets{0}, columns;
    std::vector<T> values;
};
/// Returns the elements of rows [first, first + rows) that are not 0.
template <class T> Compressed<T> compressed(const std::vector<T>& a, size_t first, size_t rows, size_t n) {
    Compressed<T> kept;
    for (size_t i = first; i < first + rows; ++i) {
        for (size_t j = 0; j < n; ++j)
            if (!(a[i * n + j] == T{})) {
                kept.columns.push_back(static_cast<int64_t>(j));
                kept.values.push_back(a[i * n + j]);
            }
        kept.offsets.push_back(static_cast<int64_t>(kept.columns.size()));
    }
    return kept;
}

/// Gathers the rows of U from all ranks.
template <class C> LowRankSvd<C> gathered(DistSvd<C> part, Ranks& ranks) {
    const auto size = static_cast<size_t>(ranks.size());
    const size_t q = part.S.size();
    std::vector<uint64_t> rows(size);
    const uint64_t mine = part.U_mine.rows;
    ranks.all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(rows)));
    const size_t most = static_cast<size_t>(*std::max_element(rows.begin(), rows.end())) * q;
    std::vector<C> sent = part.U_mine.values, all(most * size);
    sent.resize(most);
    if (most > 0) ranks.all_gather(std::as_bytes(std::span(sent)), std::as_writable_bytes(std::span(all)));
    LowRankSvd<C> whole{{}, std::move(part.S), std::move(part.V)};
    whole.U.cols = q;
    for (size_t r = 0; r < size; ++r) {
        const auto begin = all.begin() + static_cast<ptrdiff_t>(r * most);
        whole.U.values.insert(whole.U.values.end(), begin, begin + static_cast<ptrdiff_t>(rows[r] * q));
        whole.U.rows += static_cast<size_t>(rows[r]);
    }
    return whole;
}

/// Runs a case over ranks; options.M is that of the whole matrix.
template <class T>
LowRankSvd<computed_t<T>> run_on(const SvdCasePart& part, const SvdCase& one, const std::vector<T>& a,
                                 SvdOptions<T> options, Generator& generator) {
    const size_t m = one.rows, n = one.cols, first = part.first, rows = part.rows;
    if (one.variant == Variant::less_all)
        options.M = matrix_view<const T>::row_major(options.M.data + first * n, rows, n);
    if (one.variant == Variant::sparse || one.variant == Variant::sparse_less_row) {
        const Compressed<T> kept = compressed(a, first, rows, n);
        return gathered(svd_lowrank(dist_csr<T>{{rows, n, kept.offsets, kept.columns, kept.values}, first, m}, options,
                                    part.ranks, generator),
                        part.ranks);
    }
    dist_rows<T> mine{matrix_view<const T>::row_major(a.data() + first * n, rows, n), first, m};
    std::vector<T> columns;
    if (one.variant == Variant::column_major) {
        for (size_t j = 0; j < n; ++j)
            for (size_t i = first; i < first + rows; ++i) columns.push_back(a[i * n + j]);
        mine.mine = matrix_view<const T>::column_major(columns.data(), rows, n);
    }
    if (one.variant == Variant::centred)
        return gathered(pca_lowrank(mine, {.q = options.q, .niter = one.niter}, part.ranks, generator), part.ranks);
    return gathered(svd_lowrank(mine, options, part.ranks, generator), part.ranks);
}

template <class T> SvdCaseResult run(const SvdCase& one, bool matrix, Device device, const SvdCasePart* part) {
    using Real = real_t<T>;
    const size_t m = one.rows, n = one.cols;
    const bool sparse = one.variant == Variant::sparse || one.variant == Variant::sparse_less_row;
    const std::vector<T> a = in_standard_modes([&] {
        std::vector<Real> real_values = values_of<T>(one, one.kind, matrix_seed);
        if (sparse)  // one element in four is kept
            for (size_t i = 0; i < real_values.size(); ++i)
                if ((i / parts<T>)*2654435761u / 7 % 4 != 0) real_values[i] = 0;
        return elements_of<T>(real_values);
    });

    SvdOptions<T> options{.q = static_cast<long long>(one.q), .niter = one.niter};
    const std::vector<T> mean =
        in_standard_modes([&] { return elements_of<T>(values_of<T>(one, Kind::normal, mean_seed)); });
    const bool less_row = one.variant == Variant::less_row || one.variant == Variant::sparse_less_row;
    if (less_row) options.M = matrix_view<const T>::row_major(mean.data(), 1, n);
    if (one.variant == Variant::less_all) options.M = matrix_view<const T>::row_major(mean.data(), m, n);
    if (one.variant == Variant::rademacher) options.test_matrix = TestMatrix::rademacher;

    Generator generator(svd_case_seed);
    LowRankSvd<computed_t<T>> r;
    const auto whole = matrix_view<const T>::row_major(a.data(), m, n);
    if (part != nullptr) {
        r = run_on(*part, one, a, options, generator);
    } else if (one.variant == Variant::column_major) {
        std::vector<T> columns(a.size());
        for (size_t i = 0; i < m; ++i)
            for (size_t j = 0; j < n; ++j) columns[j * m + i] = a[i * n + j];
        r = svd_lowrank_on(device, matrix_view<const T>::column_major(columns.data(), m, n), options, generator);
    } else if (one.variant == Variant::centred) {
        r = pca_lowrank_on(device, whole, {.q = options.q, .niter = one.niter}, generator);
    } else if (!(device == cpu())) {
        r = svd_lowrank_on(device, whole, options, generator);
    } else if (sparse) {
        const Compressed<T> kept = compressed(a, 0, m, n);
        r = svd_lowrank(csr_view<T>{m, n, kept.offsets, kept.columns, kept.values}, options, generator);
    } else if (one.variant == Variant::shards) {
        std::vector<matrix_view<const T>> shards;
        const size_t bounds[] = {0, m / 5, m / 5 * 3 + 1, m};
        for (int i = 0; i < 3; ++i)
            shards.push_back(matrix_view<const T>::row_major(a.data() + bounds[i] * n, bounds[i + 1] - bounds[i], n));
        r = svd_lowrank(row_shards<const T>{shards}, options, generator);
    } else {
        r = svd_lowrank(whole, options, generator);
    }

    return in_standard_modes([&] {
        SvdCaseResult result;
        for (const auto& x : r.U.values) append(result.u, x);
        for (const auto& x : r.S) append(result.s, x);
        for (const auto& x : r.V.values) append(result.v, x);
        std::vector<Real> all;
        for (const auto* factor : {&result.u, &result.s, &result.v})
            for (const double x : *factor) all.push_back(static_cast<Real>(x));
        result.digest = rng_goldens::digest_of(all.data(), all.size());
        result.values = all.size();
        if (!matrix) return result;

        for (const T& x : a) append(result.a, x);
        for (size_t i = 0; i < result.a.size(); ++i)
            if (options.M.data != nullptr) {
                const size_t element = i / parts<T>, column = element % n;
                std::vector<double> x;
                append(x, mean[less_row ? column : element]);
                result.a[i] = static_cast<double>(static_cast<Real>(result.a[i]) - static_cast<Real>(x[i % parts<T>]));
            }
        const size_t count = std::min(m, n) * one.q;
        if (one.variant == Variant::rademacher) {
            for (const uint32_t w : sample(bits<uint32_t>{}, count, Stream<>{svd_case_seed})) {
                result.omega.push_back(w >> 31 ? -1 : 1);
                if (parts<T> == 2) result.omega.push_back(0);
            }
        } else if constexpr (parts<T> == 2) {
            for (const auto z : sample(complex_normal<Real>{}, count, Stream<>{svd_case_seed})) {
                result.omega.push_back(static_cast<double>(z.re));
                result.omega.push_back(static_cast<double>(z.im));
            }
        } else {
            for (const Real x : sample(normal<Real>{}, count, Stream<>{svd_case_seed}))
                result.omega.push_back(static_cast<double>(x));
        }
        return result;
    });
}

}  // namespace

std::span<const SvdCase> svd_cases() { return cases; }

std::string to_string(const SvdCase& one) {
    std::string text = std::to_string(one.rows) + " x " + std::to_string(one.cols) + " q=" + std::to_string(one.q) +
                       " niter=" + std::to_string(one.niter) + " " + kind_names[static_cast<int>(one.kind)];
    if (one.variant != Variant::plain) text += std::string(", ") + variant_names[static_cast<int>(one.variant)];
    return text;
}

SvdCaseResult run_svd_case(const SvdCase& one, bool matrix, Device device, const SvdCasePart* part) {
    const auto is = [&](const char* dtype) { return std::strcmp(one.dtype, dtype) == 0; };
    if (is("f16")) return run<float16>(one, matrix, device, part);
    if (is("bf16")) return run<bfloat16>(one, matrix, device, part);
    if (is("f32")) return run<float>(one, matrix, device, part);
    if (is("f64")) return run<double>(one, matrix, device, part);
    if (is("c64")) return run<std::complex<float>>(one, matrix, device, part);
    return run<std::complex<double>>(one, matrix, device, part);
}

}  // namespace detail
RNG_END_NAMESPACE
