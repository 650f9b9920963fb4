// The kernels whose engine is chosen at run time.
#include <rng/detail/device_launch_kernel.hpp>

#include "launches.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

struct AnyOther {
    template <class D> static constexpr DeviceLaunch of() {
        if constexpr (!has_kernel_for_each_engine<D>)
            return &launch_any_engine<D>;
        else
            return nullptr;
    }
};

}  // namespace

DeviceLaunch any_engine_launch(int index) { return launch_at<AnyOther>(index, catalogue{}); }

}  // namespace detail
RNG_END_NAMESPACE
