// What parity_svd.cpp, parity_sparse.cpp and parity_ranks.cpp share: a device for the kernels of
// svd_lowrank, comparisons of calls.
#pragma once

#include <rng/svd/svd_lowrank.hpp>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "../../cuda/svd_backend.hpp"
#include "../../src/svd/range_finder.hpp"
#include "ptx_device.hpp"
#include "svd_kernels.hpp"

namespace parity {

/// Products and whole calls of sparse matrices, and calls of batches; defined in parity_sparse.cpp.
void compare_sparse(std::vector<Library>& libraries);
/// Calls over ranks, of which some are GPUs; defined in parity_ranks.cpp.
void compare_over_ranks(std::vector<Library>& libraries);

using rng::detail::SvdInput;
using rng::detail::SvdOutput;
using rng::detail::SvdShape;

/// A device for the kernels of svd_lowrank.
class PtxDevice : public ListedPtxDevice<svd_kernels> {
  public:
    using ListedPtxDevice::ListedPtxDevice;
    void fill(const rng::detail::FillRequest& request, void* out, size_t n) const {
        rng::detail::fill_values(request, out, n);
    }
};

/// The library of rng is never built so; but where nothing is subnormal it must not matter.
inline bool flushes(const Library& library) { return library.name.find("fast_math") != std::string::npos; }

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

/// What svd_lowrank gives on the PTX device, in memory like a GPU's; U and V by columns, with gaps. All inputs work in
/// one workspace. dense: how many values of a sparse A - M are dense at a time.
template <class T, class C>
std::vector<rng::LowRankSvd<C>> on_device(const Library& library, const std::vector<SvdInput>& inputs, size_t dense,
                                          rng::Generator& generator, const std::string& what) {
    using R = rng::detail::real_t<T>;
    const SvdInput& first = inputs[0];
    const SvdShape shape = rng::detail::checked_shape(first);
    const ptrdiff_t u_gap = static_cast<ptrdiff_t>(first.a.rows) + 3, v_gap = static_cast<ptrdiff_t>(first.a.cols) + 1;
    const svd::Layout layout = svd::Layout::of(first, shape, dense);
    const Memory workspace(layout.bytes);
    PtxDevice device(library);
    std::vector<std::unique_ptr<Memory>> u, v;
    std::vector<std::unique_ptr<rng::detail::SvdBackend<R>>> places;
    std::vector<rng::LowRankSvd<C>> results;
    for (const SvdInput& input : inputs) {
        rng::LowRankSvd<C>& result = results.emplace_back();
        const size_t q = shape.returned_q;
        result = {rng::Matrix<C>(first.a.rows, q), std::vector<R>(q), rng::Matrix<C>(first.a.cols, q)};
        u.push_back(std::make_unique<Memory>(static_cast<size_t>(u_gap) * q * sizeof(C)));
        v.push_back(std::make_unique<Memory>(static_cast<size_t>(v_gap) * q * sizeof(C)));
        const SvdOutput output{u.back()->data(), 1, u_gap, result.S.data(), v.back()->data(), 1, v_gap};
        places.push_back(std::make_unique<svd::DeviceBackend<R, PtxDevice>>(
            rng::detail::BackendInput{input, shape, {&input.a, 1}, output}, layout, workspace.data(), device));
    }
    rng::detail::svd_lowrank_at<R>({first, shape}, places, generator, true);
    const auto take = [&](rng::Matrix<C>& to, const Memory& from, ptrdiff_t gap) {
        for (size_t i = 0; i < to.rows; ++i)
            for (size_t j = 0; j < to.cols; ++j)
                to(i, j) = reinterpret_cast<const C*>(
                    from.data())[static_cast<ptrdiff_t>(i) + static_cast<ptrdiff_t>(j) * gap];
        from.check(what);
    };
    for (size_t k = 0; k < inputs.size(); ++k) {
        take(results[k].U, *u[k], u_gap);
        take(results[k].V, *v[k], v_gap);
    }
    workspace.check(what);
    return results;
}

/// How calls are compared.
struct CallOptions {
    bool subnormal = false;  // computing meets subnormal numbers, which --use_fast_math would flush; the library is
                             // never compiled with it
    rng::Engine engine = rng::Engine::philox4x32_10;
    size_t dense = 1;  // as in on_device: the least, so that small matrices come in several parts
};

/// Compares results, the text of an error and the generator's state with the CPU's: on_cpu(generator) is a vector of
/// results, one for each input.
template <class T, class F>
void compare_calls(std::vector<Library>& libraries, const std::vector<SvdInput>& inputs, const F& on_cpu,
                   const std::string& what, const CallOptions& options = {}) {
    using C = rng::detail::computed_t<T>;
    const auto generator = [&] {
        rng::Generator g(rng::cpu(), 42, options.engine);
        g.skip_words(5);
        return g;
    };
    rng::Generator host_generator = generator();
    std::vector<rng::LowRankSvd<C>> host;
    const std::string host_error = error_of([&] { host = on_cpu(host_generator); });
    for (Library& library : libraries) {
        if (options.subnormal && flushes(library)) continue;
        rng::Generator device_generator = generator();
        std::vector<rng::LowRankSvd<C>> device;
        const std::string error =
            error_of([&] { device = on_device<T, C>(library, inputs, options.dense, device_generator, what); });
        count(library, 1, error == host_error, what + ": the error '" + error + "', the CPU's '" + host_error + "',");
        count(library, 1, device_generator.get_state() == host_generator.get_state(), what + ": the generator");
        if (!error.empty()) continue;
        for (size_t k = 0; k < inputs.size(); ++k) {
            const auto compare = [&](const auto& a, const auto& b, const char* part) {
                count(library, a.size(), a.size() == b.size() && same(a.data(), b.data(), a.size() * sizeof a[0]),
                      what + ": " + part);
            };
            compare(device[k].S, host[k].S, "S");
            compare(device[k].U.values, host[k].U.values, "U");
            compare(device[k].V.values, host[k].V.values, "V");
        }
    }
}

}  // namespace parity
