// svd_lowrank and pca_lowrank in host memory: their arguments, and the algorithm over host backends.
#include <rng/deterministic.hpp>

#include <algorithm>
#include <string>

#include "../cpu/fp_environment.hpp"
#include "../cpu/parallel_for.hpp"
#include "blas.hpp"
#include "host_backend.hpp"
#include "range_finder.hpp"
#include "texts.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T>
void run(std::span<const SvdInput> inputs, std::span<const SvdOutput> outputs, Generator& generator) {
    const SvdShape shape = checked_shape(inputs[0]);
    std::vector<std::unique_ptr<SvdBackend<T>>> backends;
    for (size_t i = 0; i < inputs.size(); ++i)
        backends.push_back(host_backend<T>({inputs[i], shape, {&inputs[i].a, 1}, outputs[i]}));
    // Threads that each take whole matrices wait for each other once, not in every product.
    const bool spread = inputs.size() >= rng_cpu::chunks_per_thread * static_cast<size_t>(num_threads());
    svd_lowrank_at<T>({.in = inputs[0], .shape = shape, .spread = spread}, backends, generator);
}

}  // namespace

size_t checked_svd(const SvdInput& in) {
    const MatrixDescription& a = in.a;
    const DenseDescription& mean = a.mean;
    const size_t least = std::min(a.rows, a.cols);
    for (const DenseDescription& part : a.parts)
        if (part.data == nullptr && part.rows * a.cols > 0) refuse(in.call, a.name + " is null but has elements");
    if (in.niter < 0) refuse(in.call, "niter must be 0 or more, got " + std::to_string(in.niter));
    if (in.oversampling < 0) refuse(in.call, "oversampling must be 0 or more, got " + std::to_string(in.oversampling));
    if (mean.data != nullptr && !((mean.rows == a.rows || mean.rows == 1) && (mean.cols == a.cols || mean.cols == 1)))
        refuse(in.call, "M must be " + shape_text(a.rows, a.cols) + ", " + shape_text(1, a.cols) + " or " +
                            shape_text(a.rows, 1) + ", got " + shape_text(mean.rows, mean.cols));
    const long long q = in.q.value_or(static_cast<long long>(std::min<size_t>(6, least)));
    if (q < 0 || static_cast<unsigned long long>(q) > least)
        refuse(in.call, "q must be in [0, " + std::to_string(least) + "] for a matrix of " +
                            shape_text(a.rows, a.cols) + ", got " + std::to_string(q));
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
    first.a.is_double ? run<double>(inputs, outputs, generator) : run<float>(inputs, outputs, generator);
}

}  // namespace detail
RNG_END_NAMESPACE
