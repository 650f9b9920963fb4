// The kernels of fills by engines other than Philox4x32-10. The distributions that are filled most have a kernel for
// each engine. The others have one, which learns the engine at run time.
#include <rng/detail/device_launch_kernel.hpp>
#include <rng/distributions/catalogue.hpp>

#include "engines.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class D> inline constexpr bool has_kernel_for_each_engine = is_same<D, StreamBytes>;
template <class T> inline constexpr bool has_kernel_for_each_engine<bits<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<uniform<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<normal<T>> = true;

template <class D, class E> constexpr DeviceLaunch launch_of() {
    if constexpr (has_kernel_for_each_engine<D>)
        return &launch_request<D, E>;
    else
        return &launch_any_engine<D>;
}

template <class... D> DeviceLaunch find(Engine engine, int index, type_list<D...>) {
    DeviceLaunch result = nullptr;
    visit_engine(engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        if constexpr (!is_same<E, Philox4x32_10>) {
            static constexpr DeviceLaunch launches[] = {launch_of<D, E>()..., launch_of<StreamBytes, E>()};
            result = launches[index];
        }
    });
    return result;
}

}  // namespace

DeviceLaunch other_engine_launch(Engine engine, int index) { return find(engine, index, catalogue{}); }

}  // namespace detail
RNG_END_NAMESPACE
