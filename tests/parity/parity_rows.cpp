// Runs the kernels of row_kernels.cu, translated from PTX (run.py), against row_at() on this machine: rows of each
// structured distribution, at two strides and in a graph's fourth run. Sobol points against sobol_view::at(). Exit code
// 0: no bit differs, and nothing else was written. 1: a difference. 2: misuse.
//
//     parity_rows LIBRARY...
#include <rng/row_at.hpp>

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "comparison.hpp"
#include "row_laws.hpp"

namespace {

using parity::fail;
using parity::Library;

/// The lists of all distributions, of three elements or 3 x 3; five for the alpha of which each is 1.
template <class T> struct Lists {
    T alpha[3] = {T(0.5), T(1), T(30.25)};
    T ones[5] = {T(1), T(1), T(1), T(1), T(1)};
    T mean[3] = {T(-1), T(0), T(2.5)};
    T factor[9] = {T(2), T(0), T(0), T(1), T(1.5), T(0), T(-0.75), T(0), T(0.125)};
};
template <class T> constexpr Lists<T> lists;
constexpr double weights[] = {3, 0, 1, 0.7};

template <class D> D distribution(rng::type_tag<D>) { return D{}; }
template <class T> auto distribution(rng::type_tag<rng::dirichlet<T>>) { return rng::dirichlet(lists<T>.alpha); }
template <class T> auto distribution(rng::type_tag<rng::multivariate_normal<T>>) {
    return rng::multivariate_normal(lists<T>.mean, lists<T>.factor);
}
template <class T> auto distribution(rng::type_tag<rng::wishart<T>>) { return rng::wishart(T(4.5), lists<T>.factor); }
template <class T> auto distribution(rng::type_tag<rng::multinomial<T>>) { return rng::multinomial(T(1000), weights); }

/// Calls f(dist) for all distributions of a type.
template <class D, class F> void for_each_distribution(const F& f) {
    f(distribution(rng::type_tag<D>{}));
    using T = rng::result_t<D>;
    if constexpr (rng::detail::is_real<T>)
        if constexpr (std::is_same_v<D, rng::dirichlet<T>>) f(rng::dirichlet(lists<T>.ones));
}

template <class F> struct Arguments : F { static constexpr std::uint32_t parameter_bytes = sizeof(F); };

/// Rows by one kernel from a stream, beside those of row_at() from the same stream.
template <class D, class E>
void compare(Library& library, const std::string& kernel, const D& dist, const rng::Stream<E>& stream,
             bool by_columns) {
    using T = rng::result_t<D>;
    constexpr std::uint64_t rows = 300;
    const std::uint64_t cols = dist.row_size();
    std::vector<T> ptx(rows * cols + 1), host(cols);
    std::memset(static_cast<void*>(ptx.data()), 0xa5, ptx.size() * sizeof(T));
    const T canary = ptx.back();
    Arguments<rng::detail::DeviceRowFill<D, E>> arguments;
    arguments.stream = stream;
    arguments.dist = dist;
    arguments.data = ptx.data();
    arguments.rows = rows;
    arguments.row_stride = by_columns ? 1 : static_cast<std::int64_t>(cols);
    arguments.col_stride = by_columns ? static_cast<std::int64_t>(rows) : 1;
    const std::uint64_t replay = by_columns ? 3 : 0;
    if (by_columns) arguments.replay = &replay;
    arguments.replays = 4;
    library.run(kernel, arguments, 64, 3);  // some threads make two rows
    if (!parity::same_bits(ptx.back(), canary)) fail(library.name + ": " + kernel + " writes past its end");
    for (std::uint64_t i = 0; i < rows; ++i) {
        rng::row_at(stream, dist, replay * rows + i, host.data());
        for (std::uint64_t j = 0; j < cols; ++j) {
            const T& made = ptx[by_columns ? j * rows + i : i * cols + j];
            ++library.compared;
            if (!parity::same_bits(made, host[j]) && library.mismatches++ < 10)
                std::printf("%s: %s, row %" PRIu64 ", element %" PRIu64 ": host %s, PTX %s\n", library.name.c_str(),
                            D::name, i, j, parity::bits_of(host[j]).c_str(), parity::bits_of(made).c_str());
        }
    }
}

template <int I> void compare_fill(Library& library) {
    const std::string kernel = "_Z15row_fill_kernelILi" + std::to_string(I) + "E";
    [&]<class D, class E>(rng::type_tag<rng::detail::DeviceRowFill<D, E>>) {
        for_each_distribution<D>([&](const D& dist) {
            for (const bool by_columns : {false, true})
                if constexpr (std::is_same_v<E, rng::detail::AnyEngine>)
                    rng::for_each_engine([&](auto tag) {
                        const rng::Stream<typename decltype(tag)::type> stream(7, 8, 36);
                        const auto any = rng::detail::any_stream(rng::detail::record(stream));
                        compare(library, kernel, dist, any, by_columns);
                    });
                else
                    compare(library, kernel, dist, rng::Stream<E>(0xdeadbeefcafef00d, 5, 36), by_columns);
        });
    }(rng::type_tag<parity::RowFill<I>>{});
}

/// Points by a table of any numbers, in rows, in columns and backwards.
template <class T> void compare_points(Library& library, const std::string& kernel) {
    constexpr std::uint32_t cols = 7;
    constexpr std::uint64_t rows = 301, n = rows * cols;
    std::vector<std::uint64_t> table(64 * cols);
    for (std::size_t k = 0; k < table.size(); ++k) table[k] = rng::at(rng::Stream<>(42), rng::bits<std::uint64_t>{}, k);
    const rng::sobol_view<T> points{table.data(), cols};
    for (const auto& [row_stride, col_stride] : {std::pair{7, 1}, std::pair{1, 301}, std::pair{-7, -1}})
        for (const std::uint64_t first : {std::uint64_t{0}, (std::uint64_t{1} << 63) - rows}) {
            std::vector<T> ptx(n + 2, T(-1));
            T* const origin = row_stride < 0 ? &ptx[n] : &ptx[1];
            Arguments<rng::detail::DeviceSobolFill<T>> arguments;
            arguments.points = points;
            arguments.first = first;
            arguments.data = origin;
            arguments.rows = rows;
            arguments.strides = {cols, row_stride, col_stride};
            arguments.spread_over(64 * 3);
            library.run(kernel, arguments, 64, 2);  // some threads walk twice
            if (!(ptx.front() < 0 && ptx.back() < 0)) fail(library.name + ": " + kernel + " writes past its ends");
            for (std::uint64_t i = 0; i < rows; ++i)
                for (std::uint32_t j = 0; j < cols; ++j) {
                    const T made = origin[static_cast<std::int64_t>(i) * row_stride + static_cast<int>(j) * col_stride];
                    const T host = points.at(first + i, j);
                    ++library.compared;
                    if (!parity::same_bits(made, host) && library.mismatches++ < 10)
                        std::printf("%s: %s, point %" PRIu64 ", coordinate %u: host %s, PTX %s\n", library.name.c_str(),
                                    kernel.c_str(), first + i, j, parity::bits_of(host).c_str(),
                                    parity::bits_of(made).c_str());
                }
        }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: parity_rows LIBRARY...");
    bool sound = true;
    for (int i = 1; i < argc; ++i) {
        Library library(argv[i]);
        [&]<int... I>(std::integer_sequence<int, I...>) { (compare_fill<I>(library), ...); }
        (std::make_integer_sequence<int, parity::row_fills::size>{});
        compare_points<float>(library, "_Z12sobol_kernelIfE");
        compare_points<double>(library, "_Z12sobol_kernelIdE");
        std::printf("%s: %" PRIu64 " values compared, %" PRIu64 " mismatches\n", library.name.c_str(), library.compared,
                    library.mismatches);
        sound = sound && library.mismatches == 0;
    }
    return sound ? 0 : 1;
}
