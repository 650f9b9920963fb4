// Runs the kernels of row_kernels.cu, translated from PTX (run.py), against row_at() on this machine: rows of each
// structured distribution, at two strides. Exit code 0: no bit differs, and nothing else was written. 1: a difference.
// 2: misuse.
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

/// The lists of all distributions, of three elements or 3 x 3.
template <class T> struct Lists {
    T alpha[3] = {T(0.5), T(1), T(30.25)};
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

template <class F> struct Arguments : F { static constexpr std::uint32_t parameter_bytes = sizeof(F); };

/// Rows by one kernel from a stream, beside those of row_at() from the same stream.
template <class D, class E>
void compare(Library& library, const std::string& kernel, const rng::Stream<E>& stream, bool by_columns) {
    using T = rng::result_t<D>;
    constexpr std::uint64_t rows = 300;
    const D dist = distribution(rng::type_tag<D>{});
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
    library.run(kernel, arguments, 64, 3);  // some threads make two rows
    if (!parity::same_bits(ptx.back(), canary)) fail(library.name + ": " + kernel + " writes past its end");
    for (std::uint64_t i = 0; i < rows; ++i) {
        rng::row_at(stream, dist, i, host.data());
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
        for (const bool by_columns : {false, true})
            if constexpr (std::is_same_v<E, rng::detail::AnyEngine>)
                rng::for_each_engine([&](auto tag) {
                    const rng::Stream<typename decltype(tag)::type> stream(7, 8, 36);
                    compare<D>(library, kernel, rng::detail::any_stream(rng::detail::record(stream)), by_columns);
                });
            else
                compare<D>(library, kernel, rng::Stream<E>(0xdeadbeefcafef00d, 5, 36), by_columns);
    }(rng::type_tag<parity::RowFill<I>>{});
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) fail("usage: parity_rows LIBRARY...");
    bool sound = true;
    for (int i = 1; i < argc; ++i) {
        Library library(argv[i]);
        [&]<int... I>(std::integer_sequence<int, I...>) { (compare_fill<I>(library), ...); }
        (std::make_integer_sequence<int, parity::row_fills::size>{});
        std::printf("%s: %" PRIu64 " values compared, %" PRIu64 " mismatches\n", library.name.c_str(), library.compared,
                    library.mismatches);
        sound = sound && library.mismatches == 0;
    }
    return sound ? 0 : 1;
}
