// The kernels of each engine other than Philox4x32-10.
#include <rng/detail/device_launch_kernel.hpp>

#include "launches.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class E> struct Own {
    template <class D> static constexpr DeviceLaunch of() {
        if constexpr (has_kernel_for_each_engine<D> && !is_same<E, Philox4x32_10>)
            return &launch_request<D, E>;
        else
            return nullptr;
    }
};

}  // namespace

DeviceLaunch other_engine_launch(Engine engine, int index) {
    DeviceLaunch result = nullptr;
    visit_engine(engine, [&](auto tag) { result = launch_at<Own<typename decltype(tag)::type>>(index, catalogue{}); });
    return result;
}

}  // namespace detail
RNG_END_NAMESPACE
