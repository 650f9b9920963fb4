// The calls in host memory: their arguments, and the algorithm over host backends.
#include <rng/deterministic.hpp>

#include <algorithm>
#include <string>

#include "../cpu/fp_environment.hpp"
#include "blas.hpp"
#include "host_backend.hpp"
#include "range_finder.hpp"
#include "refuse.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T>
void run(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator) {
    const SvdInput& first = inputs[0];
    const SvdPlan plan{first.call,
                       {first.rows, first.cols, checked_svd(first), first.is_complex},
                       first.niter,
                       first.test_matrix,
                       first.center};
    std::vector<std::unique_ptr<SvdBackend<T>>> backends;
    for (size_t i = 0; i < inputs.size(); ++i) backends.push_back(host_backend<T>(inputs[i], plan.shape, outputs[i]));
    const auto all = svd_lowrank_at<T>(plan, backends, generator);
    for (size_t i = 0; i < inputs.size(); ++i) std::copy(all[i].begin(), all[i].end(), static_cast<T*>(outputs[i].S));
}

}  // namespace

size_t checked_svd(const SvdInput& in) {
    const size_t least = std::min(in.rows, in.cols);
    for (const SvdRows& part : in.parts)
        if (part.data == nullptr && part.rows * in.cols > 0) refuse(in.call, in.name + " is null but has elements");
    if (in.niter < 0) refuse(in.call, "niter must be 0 or more, got " + std::to_string(in.niter));
    if (in.mean != nullptr &&
        !((in.mean_rows == in.rows || in.mean_rows == 1) && (in.mean_cols == in.cols || in.mean_cols == 1)))
        refuse(in.call, "M must be " + shape_text(in.rows, in.cols) + ", " + shape_text(1, in.cols) + " or " +
                            shape_text(in.rows, 1) + ", got " + shape_text(in.mean_rows, in.mean_cols));
    const long long q = in.q.value_or(static_cast<long long>(std::min<size_t>(6, least)));
    if (q < 0 || static_cast<unsigned long long>(q) > least)
        refuse(in.call, "q must be in [0, " + std::to_string(least) + "] for a matrix of " +
                            shape_text(in.rows, in.cols) + ", got " + std::to_string(q));
    if (in.fast && are_deterministic_algorithms_enabled())
        detail::refuse(in.call,
                       "fast has results of this machine only, and use_deterministic_algorithms(true) is set; "
                       "leave fast off, or call use_deterministic_algorithms(false)",
                       ErrorCode::unsupported);
    if (in.fast && !has_blas())
        detail::refuse(in.call,
                       "fast needs a BLAS, which this build of the library has not; leave "
                       "fast off, or configure with -DRNG_ENABLE_BLAS=ON",
                       ErrorCode::unsupported);
    return static_cast<size_t>(q);
}

void run_svd(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator) {
    if (inputs.empty()) return;
    const SvdInput& first = inputs[0];
    if (!(generator.device() == cpu()))
        refuse(first.call, "the matrix is in host memory but the generator is on " + to_string(generator.device()));
    const rng_cpu::FpEnvironment environment;
    first.is_double ? run<double>(inputs, outputs, generator) : run<float>(inputs, outputs, generator);
}

}  // namespace detail
RNG_END_NAMESPACE
