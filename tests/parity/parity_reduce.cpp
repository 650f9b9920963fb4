// Runs the kernels of sums and of additions by index, translated from PTX (shared libraries made by run.py), against
// the CPU's.
//
//     parity_reduce [--only halves|sums|columns|segments|scatters]... LIBRARY...
//
// They use cuda/reduce_backend.hpp and cuda/scatter_backend.hpp on a device that executes PTX. Exit code 0 means:
// - no bit differs, in whichever order the blocks of a grid and their threads run,
// - no thread touches what another writes,
// - nothing beyond the results and the workspace is written.
// Exit code 1: a difference. 2: misuse, or a fault of a kernel.
#include <algorithm>

#include "parity_reduce.hpp"

namespace {

using namespace parity;
using rng::detail::Reduction;
using rng::detail::ReductionRequest;
using rng::detail::Terms;

template <class T, class In> struct Result {
    using sum = rng::detail::sum_t<T, In>;
    using real = Real<sum>;
};
bool is_real(Reduction reduction) { return reduction == Reduction::variance || reduction == Reduction::norm2; }

/// Compares a request, whose results take `bytes` each.
void compare(std::vector<Library>& libraries, const ReductionRequest& q, size_t bytes, const std::string& what) {
    std::vector<std::byte> host(q.results * bytes);
    rng::detail::reduce(q, host.data(), 1);
    const gpu::Leaves leaves{nullptr, 0, q.terms, q.results};
    on_each(libraries, leaves.runs() > 1, [&](ReduceDevice& device, Library& library) {
        const Memory out(host.size());
        gpu::with_sums(q, leaves, device, [&]<class T>(auto& sums, T) {
            const Memory workspace(sums.bytes());
            sums.run(workspace.data(), reinterpret_cast<T*>(out.data()));
            workspace.check(what);
        });
        count(library, q.results, same(out.data(), host.data(), host.size()), what);
        out.check(what);
    });
}

constexpr Reduction all_of_one[] = {Reduction::sum, Reduction::mean, Reduction::variance, Reduction::norm2};
constexpr Reduction all[] = {Reduction::sum,   Reduction::mean, Reduction::variance,
                             Reduction::norm2, Reduction::dot,  Reduction::vdot};

/// Every reduction of these numbers that is possible; y for products.
template <class In, class Range>
void compare_spans(std::vector<Library>& libraries, const Range& x, const Range& y, const std::string& of) {
    using T = std::ranges::range_value_t<Range>;
    for (const Reduction reduction : all) {
        if (x.empty() && (reduction == Reduction::mean || reduction == Reduction::variance)) continue;
        const bool is_product = reduction == Reduction::dot || reduction == Reduction::vdot;
        const auto q = rng::detail::reduction_of<In, T>("test", reduction, x.size(), 1, {x.data(), 1, 0},
                                                        is_product ? Terms{y.data(), 1, 0} : Terms{}, 0);
        using R = Result<T, In>;
        compare(libraries, q, is_real(reduction) ? sizeof(typename R::real) : sizeof(typename R::sum),
                "reduction " + std::to_string(static_cast<int>(reduction)) + " of " + std::to_string(x.size()) + " " +
                    of + ", " + std::to_string(sizeof(T)) + " bytes");
    }
}

template <class In, class T> void compare_lengths(std::vector<Library>& libraries) {
    for (const size_t n : {0, 1, 33, 127, 128, 129, 1023, 1024, 1025, 2800})
        compare_spans<In>(libraries, numbers<T>(n, n), numbers<T>(n, n + 1), "numbers");
    // Spans that begin and end within 16 bytes, with the other one at a multiple of 16.
    const std::vector<T> x = numbers<T>(2801, 5), y = numbers<T>(2801, 6);
    for (const size_t n : {1024, 2799, 2800})
        for (const size_t y_first : {0, 1})
            compare_spans<In>(libraries, std::span(x).subspan(1, n), std::span(y).subspan(y_first, n), "shifted ones");
}

/// Columns and rows of matrices: by rows, backwards, by columns with gaps.
template <class In, class T> void compare_axes(std::vector<Library>& libraries) {
    for (const auto& [rows, cols] :
         {std::pair<size_t, size_t>{1, 1}, {3, 40}, {40, 3}, {1100, 5}, {1100, 33}, {0, 4}, {0, 9}, {4, 0}}) {
        const std::vector<T> x = numbers<T>(rows * cols + cols + 1, rows);
        const auto r = static_cast<ptrdiff_t>(rows), c = static_cast<ptrdiff_t>(cols);
        const rng::matrix_view<const T> views[] = {{x.data(), rows, cols, c, 1},
                                                   {x.data() + rows * cols, rows, cols, -c, -1},
                                                   {x.data(), cols, rows, 1, c},
                                                   {x.data(), rows, cols == 0 ? 0 : cols - 1, 1, r}};
        for (const auto& view : views)
            for (const int axis : {0, 1})
                for (const Reduction reduction : all_of_one) {
                    const size_t terms = axis == 0 ? view.rows : view.cols, results = axis == 0 ? view.cols : view.rows;
                    if (results > 100) continue;  // blocks take their time here
                    if (terms == 0 && (reduction == Reduction::mean || reduction == Reduction::variance)) continue;
                    const Terms along = axis == 0 ? Terms{view.data, view.row_stride, view.col_stride}
                                                  : Terms{view.data, view.col_stride, view.row_stride};
                    const auto q = rng::detail::reduction_of<In, T>("test", reduction, terms, results, along, {}, 0.5);
                    using R = Result<T, In>;
                    compare(libraries, q, is_real(reduction) ? sizeof(typename R::real) : sizeof(typename R::sum),
                            "reduction " + std::to_string(static_cast<int>(reduction)) + " of " +
                                std::to_string(view.rows) + " x " + std::to_string(view.cols) + " along " +
                                std::to_string(axis));
                }
    }
}

/// Infinities, NaN, -0, subnormal numbers, squares out of range.
template <class In, class T> void compare_special(std::vector<Library>& libraries) {
    using R = Real<T>;
    constexpr bool is_half = sizeof(R) == 2;
    using Limits = std::numeric_limits<std::conditional_t<is_half, float, R>>;
    const double least = std::is_same_v<T, rng::float16> ? 0x1p-24 : static_cast<double>(Limits::denorm_min());
    const double most = std::is_same_v<T, rng::float16> ? 65504 : static_cast<double>(Limits::max());
    const double infinity = Limits::infinity(), nan = Limits::quiet_NaN();
    const auto element = [](double v, double w) {
        if constexpr (rng::detail::real_parts<T> == 2)
            return T{static_cast<R>(v), static_cast<R>(w)};
        else
            return as<T>(v);
    };
    // Products that round to -0 in every lane: without a gap, where a term past the end would make +0 of it.
    compare_spans<In>(libraries, std::vector<T>(1024, element(least, least)),
                      std::vector<T>(1024, element(-least, -least)), "with products of -0");
    for (const size_t n : {1, 1300}) {
        const auto check = [&](const std::string& what, double all_of, double at_middle, double at_first) {
            std::vector<T> x(n, element(all_of, -all_of));
            x[n / 2] = element(at_middle, all_of);
            x[0] = element(at_first, at_middle);
            compare_spans<In>(libraries, x, x, what);
        };
        check("of -0", -0.0, -0.0, -0.0);
        check("with infinity", 1, infinity, 2);
        check("with both infinities", 1, infinity, -infinity);
        check("with NaN", 1, nan, 1);
        check("with another NaN", 1, -nan, infinity);
        check("of subnormals", least, -3 * least, least);
        check("of the greatest", most, most, most);
        check("of great and small ones", most / 4, least, 1);
        check("of small ones and 1", least, 1, -least);
        check("of zeros but one", 0, 5 * least, 0);
        for (const int exponent : {Limits::max_exponent / 2 + 1, Limits::min_exponent / 2, Limits::min_exponent + 3})
            if (!is_half)
                compare_spans<In>(libraries, numbers<T>(n, n, exponent), numbers<T>(n, n + 1, -exponent),
                                  "times 2^" + std::to_string(exponent));
    }
}

/// Norms and sums of columns, of which each has other special numbers.
template <class T> void compare_special_columns(std::vector<Library>& libraries) {
    using Limits = std::numeric_limits<Real<T>>;
    constexpr size_t rows = 1030, cols = 9;
    std::vector<T> x = numbers<T>(rows * cols, 1);
    const auto set = [&](size_t col, auto value) {
        for (size_t row = 0; row < rows; ++row) x[row * cols + col] = T(value(row));
    };
    const auto constant = [](double value) { return [=](size_t) { return static_cast<Real<T>>(value); }; };
    set(1, constant(static_cast<double>(Limits::max())));
    set(2, constant(5 * static_cast<double>(Limits::denorm_min())));
    set(3, constant(-0.0));
    set(4, [](size_t row) { return row == 1027 ? Limits::infinity() : Real<T>(1); });
    set(5, [](size_t row) { return row == 3 ? Limits::quiet_NaN() : Real<T>(1); });
    set(6, [](size_t row) { return row == 3 ? -Limits::infinity() : Limits::infinity(); });
    for (const Reduction reduction : all_of_one) {
        const auto q = rng::detail::reduction_of<void, T>("test", reduction, rows, cols, {x.data(), cols, 1}, {}, 1);
        using R = Result<T, void>;
        compare(libraries, q, is_real(reduction) ? sizeof(typename R::real) : sizeof(typename R::sum),
                "reduction " + std::to_string(static_cast<int>(reduction)) + " of special columns");
    }
}

void compare_columns(std::vector<Library>& libraries) {
    each_type([&]<class T>(T) {
        compare_axes<void, T>(libraries);
        if constexpr (sizeof(Real<T>) >= 4) compare_special_columns<T>(libraries);
        if (sizeof(Real<T>) < 8) compare_axes<double, T>(libraries);
    });
}

void compare_sums(std::vector<Library>& libraries) {
    each_type([&]<class T>(T) {
        compare_lengths<void, T>(libraries);
        compare_special<void, T>(libraries);
        compare_spans<void>(libraries, numbers<T>(18 * 1024 + 5, 1), numbers<T>(18 * 1024 + 5, 2), "numbers");
        if (sizeof(Real<T>) == 8) return;
        compare_lengths<double, T>(libraries);
        compare_special<double, T>(libraries);
    });
    // Two merges: of 512 leaves, of 18, and of both.
    constexpr size_t many = 529 * 1024 + 5;
    const std::vector<float> x = numbers<float>(many, 1);
    compare(libraries, rng::detail::span_reduction<void>("test", Reduction::sum, x), sizeof(float), "a long sum");
    const std::vector<float> equal(5581, 0x1.d39918p+7f);  // rounding would make the variance negative
    compare(libraries, rng::detail::span_reduction<void>("test", Reduction::variance, equal, 1), sizeof(float),
            "the variance of equal numbers");
    compare(libraries, rng::detail::span_reduction<void>("test", Reduction::norm2, numbers<float>(many, 1, 100)),
            sizeof(float), "a long norm");
}

/// Sums of segments, or the error; every result that was not written stays.
template <class T, class Offset>
void compare_segments(std::vector<Library>& libraries, const std::vector<T>& x, const std::vector<Offset>& offsets) {
    const size_t segments = offsets.size() - 1;
    using Sum = rng::detail::sum_t<T, void>;
    std::vector<Sum> host(segments);
    std::memset(static_cast<void*>(host.data()), 0xff, segments * sizeof(Sum));
    const std::string host_error = error_of([&] { rng::segmented_sum(x, offsets, std::span(host)); });
    const auto q = rng::detail::segments_reduction<void>(x, offsets, std::span(host));
    const std::string what = std::to_string(segments) + " segments of " + std::to_string(x.size());
    on_each(libraries, true, [&](ReduceDevice& device, Library& library) {
        const gpu::Leaves leaves{offsets.data(), sizeof(Offset) == 8, x.size(), segments};
        const Memory out(segments * sizeof(Sum));
        const std::string error = error_of([&] {
            gpu::Places places;
            const gpu::FaultSearch search(places);
            const Memory found(places.bytes());
            require_offsets(q.call, leaves, device, search, found.data());
            found.check(what);
            gpu::with_sums(q, leaves, device, [&]<class R>(auto& sums, R) {
                const Memory workspace(sums.bytes());
                sums.run(workspace.data(), reinterpret_cast<R*>(out.data()));
                workspace.check(what);
            });
        });
        count(library, 1, error == host_error, what + ": the error '" + error + "', the CPU's '" + host_error + "',");
        count(library, segments, same(out.data(), host.data(), segments * sizeof(Sum)), what);
        out.check(what);
    });
}
void compare_all_segments(std::vector<Library>& libraries) {
    each_type([&]<class T>(T) {
        const std::vector<T> x = numbers<T>(9000, 3);
        const std::vector<int64_t> offsets{0, 0, 1, 1000, 2024, 2025, 3050, 3050, 8000, 9000, 9000};
        compare_segments(libraries, x, offsets);
        compare_segments(libraries, x, std::vector<int32_t>(offsets.begin(), offsets.end()));
        compare_segments(libraries, std::vector<T>{}, std::vector<int32_t>{0, 0, 0});
        compare_segments(libraries, std::vector<T>{}, std::vector<int32_t>{0});
        std::vector<int32_t> many{0};
        Numbers random(7);
        while (many.back() < 300) many.push_back(std::min(300, many.back() + static_cast<int>(random.next() % 9)));
        compare_segments(libraries, numbers<T>(300, 4), many);
    });
    const std::vector<float> x = numbers<float>(3, 1);
    for (const std::vector<int32_t>& wrong :
         {std::vector<int32_t>{1, 2, 3}, {0, 2, 1}, {0, 2, 4}, {0, -1, 3}, {-1, 3}, {0, 5, 2}, {1}})
        compare_segments(libraries, x, wrong);
    std::vector<int64_t> far(5000, 3);
    far[0] = 0, far[2000] = 1, far[4000] = -1;
    compare_segments(libraries, x, far);
    // A segment of several levels, which begins within a leaf of others.
    const std::vector<float> long_one = numbers<float>(20'000, 2);
    compare_segments(libraries, long_one, std::vector<int64_t>{0, 777, 778, 19'999, 20'000});
}

/// float16 of every bit pattern, NaN included, to float and back; and floats whose upper halves are every bit pattern.
void compare_halves(std::vector<Library>& libraries) {
    constexpr size_t n = 1 << 16;
    std::vector<rng::float16> halves(n), host_rounded(n);
    std::vector<float> host(n), floats(n);
    for (size_t i = 0; i < n; ++i) host[i] = halves[i] = rng::float16::from_bits(static_cast<uint32_t>(i));
    const auto compare_rounded = [&](const std::string& what) {
        for (size_t i = 0; i < n; ++i) host_rounded[i] = rng::float16(floats[i]);
        on_each(libraries, false, [&](ReduceDevice& device, Library& library) {
            const Memory widened(n * sizeof(float)), rounded(n * sizeof(rng::float16));
            device.launch(ConvertHalves{halves.data(), reinterpret_cast<float*>(widened.data()), floats.data(),
                                        reinterpret_cast<rng::float16*>(rounded.data())},
                          n / ConvertHalves::threads, 1);
            count(library, n, same(widened.data(), host.data(), n * sizeof(float)), "float16 to float");
            count(library, n, same(rounded.data(), host_rounded.data(), n * sizeof(rng::float16)), what);
        });
    };
    Numbers random(1);
    for (const uint32_t lower : {0u, 1u, 0x1000u, 0x1fffu, 0x8000u, 0xffffu}) {
        for (size_t i = 0; i < n; ++i) floats[i] = rng::lane::Scalar::from_bits(static_cast<uint32_t>(i) << 16 | lower);
        compare_rounded("floats that end in " + std::to_string(lower) + " to float16");
    }
    // Numbers in the middle between two of float16, and their neighbours.
    for (size_t i = 0; i < n; ++i) {
        const auto next = static_cast<float>(rng::float16::from_bits(static_cast<uint32_t>(i) + 1));
        floats[i] = i < n - 1 ? (host[i] + next) / 2 : 0;
    }
    compare_rounded("middles to float16");
    for (float& x : floats)
        x = rng::lane::Scalar::from_bits(rng::lane::Scalar::bits(x) + (random.next() % 2 ? 1 : ~0u));
    compare_rounded("neighbours of middles to float16");
}

}  // namespace

int main(int argc, char** argv) {
    parity::Command command(argc, argv, "parity_reduce", {"halves", "sums", "columns", "segments", "scatters"});
    std::vector<Library>& libraries = command.libraries;
    if (command.has("halves")) compare_halves(libraries);
    if (command.has("sums")) compare_sums(libraries);
    if (command.has("columns")) compare_columns(libraries);
    if (command.has("segments")) compare_all_segments(libraries);
    if (command.has("scatters")) compare_scatters(libraries);
    return report(libraries) ? 0 : 1;
}
