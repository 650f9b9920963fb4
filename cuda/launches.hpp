// The launches of fills, by the index of a distribution in the catalogue, or bytes_index. The kernels are divided among
// sources, which compile in parallel; a function returns null for the kernels of other sources.
#pragma once

#include <rng/detail/fill_arguments.hpp>
#include <rng/distributions/catalogue.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

struct StreamBytes;

/// Philox4x32-10, for maps whose kernels are bound by the engine or by memory.
[[nodiscard]] DeviceLaunch light_launch(int index);
/// Philox4x32-10, for the other maps: samplers and counts (has_one_loop).
[[nodiscard]] DeviceLaunch heavy_launch(int index);
/// Other engines, for the most common distributions: a kernel for each engine.
[[nodiscard]] DeviceLaunch other_engine_launch(Engine engine, int index);
/// Other engines, for the other distributions: one kernel, whose engine is chosen at run time.
[[nodiscard]] DeviceLaunch any_engine_launch(int index);

template <class D> inline constexpr bool has_kernel_for_each_engine = is_same<D, StreamBytes>;
template <class T> inline constexpr bool has_kernel_for_each_engine<bits<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<uniform<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<normal<T>> = true;

/// Returns Source::of<D>() for the distribution D with this index.
template <class Source, class... D> DeviceLaunch launch_at(int index, type_list<D...>) {
    static constexpr DeviceLaunch launches[] = {Source::template of<D>()..., Source::template of<StreamBytes>()};
    return launches[index];
}

}  // namespace detail
RNG_END_NAMESPACE
