// The launches of fills, by the number of a distribution in the catalogue, or bytes_index. Their kernels are shared out
// among sources, which compile side by side; a function returns null for what another source has.
#pragma once

#include <rng/detail/fill_arguments.hpp>
#include <rng/distributions/catalogue.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

struct StreamBytes;

/// Philox4x32-10, by maps whose kernels are bound by the engine or by memory.
[[nodiscard]] DeviceLaunch light_launch(int index);
/// Philox4x32-10, by the others: samplers and counts (has_one_loop).
[[nodiscard]] DeviceLaunch heavy_launch(int index);
/// Other engines, by the distributions that are filled most: a kernel for each engine.
[[nodiscard]] DeviceLaunch other_engine_launch(Engine engine, int index);
/// Other engines, by the other distributions: a kernel that learns the engine at run time.
[[nodiscard]] DeviceLaunch any_engine_launch(int index);

template <class D> inline constexpr bool has_kernel_for_each_engine = is_same<D, StreamBytes>;
template <class T> inline constexpr bool has_kernel_for_each_engine<bits<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<uniform<T>> = true;
template <class T> inline constexpr bool has_kernel_for_each_engine<normal<T>> = true;

/// Returns Source::of<D>() for the distribution D with this number.
template <class Source, class... D> DeviceLaunch launch_at(int index, type_list<D...>) {
    static constexpr DeviceLaunch launches[] = {Source::template of<D>()..., Source::template of<StreamBytes>()};
    return launches[index];
}

}  // namespace detail
RNG_END_NAMESPACE
