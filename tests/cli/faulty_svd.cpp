// A stand-in for the library's decomposition: with three threads the singular value is -0, which equals 0 in every way
// but its bits. See CMakeLists.txt.
#include <rng/rng.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

size_t checked_svd(const SvdInput& input) { return static_cast<size_t>(*input.q); }

void run_svd(std::span<const SvdInput>, std::span<const SvdOutput> outputs, Generator&) {
    *static_cast<double*>(outputs[0].S) = num_threads() == 3 ? -0.0 : 0.0;
}

}  // namespace detail
RNG_END_NAMESPACE
