// Runs the kernels of svd_lowrank, translated from PTX (shared libraries made by run_svd.py), against the CPU's.
//
//     parity_svd [--only products|svd] LIBRARY...
//
// First, products of every kind and tile size, for every division of the terms, are compared with the CPU's kernel.
// Then whole calls of svd_lowrank are compared with the public function. They use cuda/svd_backend.hpp on a device that
// executes PTX.
// Exit code 0 means:
// - no bit differs,
// - no thread touches what another writes,
// - nothing beyond the workspace is written,
// - no flush to zero changed a result.
// Exit code 1: a difference. 2: misuse, or a fault of a kernel.
#include <rng/svd/svd_lowrank.hpp>

#include <cinttypes>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../cuda/svd_backend.hpp"
#include "../../src/svd/kernels/linalg.hpp"
#include "../../src/svd/range_finder.hpp"
#include "ptx_library.hpp"
#include "svd_kernels.hpp"

namespace {

using parity::fail;
using parity::Library;
using rng::detail::SvdInput;
using rng::detail::SvdOutput;
using rng::detail::SvdShape;
namespace svd = parity::svd;

/// A device whose kernels are PTX executed on the host, and whose memory is the host's.
class PtxDevice {
  public:
    explicit PtxDevice(const Library& library) : library_(library) {}

    template <class K> void launch(const K& kernel, uint64_t blocks, uint32_t blocks_y) const {
        static_assert(parity::svd_index<K> >= 0, "the kernel is not in svd_kernels.hpp");
        struct Arguments : K {
            const std::uint32_t parameter_bytes = sizeof(K);
        };
        library_.run("_Z10svd_kernelILi" + std::to_string(parity::svd_index<K>) + "E", Arguments{kernel}, K::threads,
                     static_cast<uint32_t>(blocks), blocks_y);
    }
    void fill(const rng::detail::FillRequest& request, void* out, size_t n) const {
        rng::detail::fill_values(request, out, n);
    }
    void zero(void* to, size_t bytes) const { std::memset(to, 0, bytes); }
    void copy(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }
    void to_device(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }
    void to_host(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }

  private:
    const Library& library_;
};

/// Device memory at a multiple of 256, of NaNs at first, with a margin that must stay.
class Memory {
  public:
    explicit Memory(size_t bytes) : bytes_(bytes), all_(bytes + 1024) {
        std::memset(all_.data(), 0xff, all_.size());
        begin_ = all_.data() + 256 + (256 - reinterpret_cast<uintptr_t>(all_.data()) % 256);
    }
    [[nodiscard]] std::byte* data() const { return begin_; }
    void check(const std::string& what) const {
        for (const std::byte* p = all_.data(); p < all_.data() + all_.size(); ++p)
            if ((p < begin_ || p >= begin_ + bytes_) && *p != std::byte{0xff})
                fail(what + " writes outside its memory");
    }

  private:
    size_t bytes_;
    std::vector<std::byte> all_;
    std::byte* begin_;
};

/// Numbers of many sizes and both signs, and some zeros.
class Numbers {
  public:
    explicit Numbers(uint64_t seed) : state_(seed) {}
    uint64_t next() {  // SplitMix64
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    double number() {
        const uint64_t w = next();
        if (w % 17 == 0) return w & 64 ? -0.0 : 0.0;
        return std::ldexp(static_cast<double>(static_cast<int64_t>(w)), -63 - static_cast<int>(next() % 8));
    }

  private:
    uint64_t state_;
};

template <class S> S as(double x) {
    if constexpr (sizeof(S) == 2)
        return S(static_cast<float>(x));
    else if constexpr (rng::detail::SvdElement<S>::is_complex)
        return S(as<rng::detail::real_t<S>>(x));
    else
        return static_cast<S>(x);
}

bool same(const void* a, const void* b, size_t bytes) { return std::memcmp(a, b, bytes) == 0; }

/// The library of rng is never built so; but where nothing is subnormal it must not matter.
bool flushes(const Library& library) { return library.name.find("fast_math") != std::string::npos; }

void count(Library& library, size_t values, bool equal, const std::string& what) {
    library.compared += values;
    if (equal) return;
    if (library.mismatches++ < 10) std::printf("%s: %s differs\n", library.name.c_str(), what.c_str());
}

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
    bool subnormal = false;  // computing meets subnormal numbers, which --use_fast_math would flush; the library is
                             // never compiled with it
    rng::Engine engine = rng::Engine::philox4x32_10;
};

/// rows x cols of rank about `rank`, times 2^exponent; a low rank with noise of that many units of rounding.
template <class T>
rng::Matrix<T> matrix(size_t rows, size_t cols, uint64_t seed, size_t rank = 0, int exponent = 0, double noise = 0) {
    using R = rng::detail::real_t<T>;
    rng::Matrix<T> a(rows, cols);
    constexpr double unit = std::is_same_v<T, rng::float16>    ? 0x1p-10
                            : std::is_same_v<T, rng::bfloat16> ? 0x1p-7
                                                               : std::numeric_limits<R>::epsilon();
    Numbers numbers(seed);
    std::vector<double> left(rows * rank), right(cols * rank);
    for (double& x : left) x = static_cast<float>(numbers.number());
    for (double& x : right) x = static_cast<float>(numbers.number());
    const auto at = [&](size_t i, size_t j) {
        if (rank == 0) return std::ldexp(numbers.number(), exponent);
        double sum = 0;
        for (size_t k = 0; k < rank; ++k) sum += left[i * rank + k] * right[j * rank + k];
        if (noise > 0) sum += noise * unit * numbers.number();
        return std::ldexp(sum, exponent);
    };
    for (size_t i = 0; i < rows; ++i)
        for (size_t j = 0; j < cols; ++j) {
            if constexpr (rng::detail::SvdElement<T>::is_complex) {
                const double re = at(i, j);
                a(i, j) = {static_cast<R>(re), static_cast<R>(at(i, j))};
            } else {
                a(i, j) = as<T>(at(i, j));
            }
        }
    return a;
}

/// What svd_lowrank gives on the PTX device, in memory like a GPU's; U and V by columns, with gaps.
template <class T, class C>
rng::LowRankSvd<C> on_device(const Library& library, SvdInput input, rng::Generator& generator,
                             const std::string& what) {
    using R = rng::detail::real_t<T>;
    const SvdShape shape{input.a.rows, input.a.cols, checked_svd(input), input.a.is_complex};
    const ptrdiff_t u_gap = static_cast<ptrdiff_t>(input.a.rows) + 3, v_gap = static_cast<ptrdiff_t>(input.a.cols) + 1;
    const Memory u(static_cast<size_t>(u_gap) * shape.q * sizeof(C)),
        v(static_cast<size_t>(v_gap) * shape.q * sizeof(C)), workspace(svd::Layout::of(shape, sizeof(R)).bytes);
    const SvdOutput output{u.data(), 1, u_gap, nullptr, v.data(), 1, v_gap};
    PtxDevice device(library);
    std::vector<std::unique_ptr<rng::detail::SvdBackend<R>>> places;
    places.push_back(
        std::make_unique<svd::DeviceSvdBackend<R, PtxDevice>>(input, shape, output, workspace.data(), device));
    const rng::detail::SvdPlan plan{input.call, shape, input.niter, input.test_matrix, input.center};
    rng::LowRankSvd<C> result{rng::Matrix<C>(input.a.rows, shape.q),
                              rng::detail::svd_lowrank_at<R>(plan, places, generator)[0],
                              rng::Matrix<C>(input.a.cols, shape.q)};
    const auto take = [&](rng::Matrix<C>& to, const Memory& from, ptrdiff_t gap) {
        for (size_t i = 0; i < to.rows; ++i)
            for (size_t j = 0; j < to.cols; ++j)
                to(i, j) = reinterpret_cast<const C*>(
                    from.data())[static_cast<ptrdiff_t>(i) + static_cast<ptrdiff_t>(j) * gap];
        from.check(what);
    };
    take(result.U, u, u_gap);
    take(result.V, v, v_gap);
    workspace.check(what);
    return result;
}

template <class F> std::string error_of(const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "";
}

template <class T> void compare_svd(std::vector<Library>& libraries, SvdCase<T> c) {
    using C = rng::detail::computed_t<T>;
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
    const auto generator = [&] {
        rng::Generator g(rng::cpu(), 42, c.engine);
        g.skip_words(5);
        return g;
    };
    rng::Generator host_generator = generator();
    rng::LowRankSvd<C> host;
    const std::string host_error = error_of([&] {
        if (c.center)
            host = rng::pca_lowrank(view, {.q = c.options.q, .niter = c.options.niter}, host_generator);
        else
            host = rng::svd_lowrank(view, c.options, host_generator);
    });
    for (Library& library : libraries) {
        const std::string what = std::string("svd of ") + c.name + " " + std::to_string(c.a.rows) + " x " +
                                 std::to_string(c.a.cols) + ", " + std::to_string(sizeof(T)) + " bytes";
        if (c.subnormal && flushes(library)) continue;
        rng::Generator device_generator = generator();
        rng::LowRankSvd<C> device;
        const std::string error = error_of([&] { device = on_device<T, C>(library, input, device_generator, what); });
        count(library, 1, error == host_error, what + ": the error '" + error + "', the CPU's '" + host_error + "',");
        if (!error.empty()) continue;
        const size_t q = host.S.size();
        count(library, q, same(device.S.data(), host.S.data(), q * sizeof host.S[0]), what + ": S");
        count(library, q * c.a.rows, same(device.U.values.data(), host.U.values.data(), q * c.a.rows * sizeof(C)),
              what + ": U");
        count(library, q * c.a.cols, same(device.V.values.data(), host.V.values.data(), q * c.a.cols * sizeof(C)),
              what + ": V");
        count(library, 1, device_generator.get_state() == host_generator.get_state(), what + ": the generator");
    }
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
    std::string only;
    std::vector<Library> libraries;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument == "--only" && i + 1 < argc)
            only = argv[++i];
        else
            libraries.emplace_back(argv[i]);
    }
    if (libraries.empty() || (!only.empty() && only != "products" && only != "svd"))
        fail("usage: parity_svd [--only products|svd] LIBRARY...");
    if (only != "svd") compare_all_products(libraries);
    if (only != "products") {
        compare_svds<float>(libraries);
        compare_svds<double>(libraries);
        compare_svds<rng::float16>(libraries);
        compare_svds<rng::bfloat16>(libraries);
        compare_svds<std::complex<float>>(libraries);
        compare_svds<std::complex<double>>(libraries);
    }
    bool sound = true;
    for (const Library& library : libraries) {
        const ptx_counts& counts = *library.counts;
        std::printf("%s: %" PRIu64 " values compared, %" PRIu64 " mismatches; %" PRIu64 " flushes, %" PRIu64
                    " changed a bit%s%s\n",
                    library.name.c_str(), library.compared, library.mismatches, counts.flushes, counts.flushes_changed,
                    counts.flushes_changed ? ", first " : "", counts.flushes_changed ? counts.culprit : "");
        sound = sound && library.mismatches == 0 && counts.flushes_changed == 0 && library.compared > 0;
    }
    return sound ? 0 : 1;
}
