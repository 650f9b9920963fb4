// The kernels of Philox4x32-10 that are bound by the engine or by memory.
#include <rng/detail/device_launch_kernel.hpp>

#include "launches.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

struct Light {
    template <class D> static constexpr DeviceLaunch of() {
        if constexpr (!has_one_loop<D, Philox4x32_10>)
            return &launch_request<D, Philox4x32_10>;
        else
            return nullptr;
    }
};

}  // namespace

DeviceLaunch light_launch(int index) { return launch_at<Light>(index, catalogue{}); }

}  // namespace detail
RNG_END_NAMESPACE
