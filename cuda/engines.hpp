// Fills by engines other than Philox4x32-10, which engines.cu compiles.
#pragma once

#include <rng/detail/fill_arguments.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Returns the launch of a fill by such an engine. The index is that of the catalogue, or bytes_index.
[[nodiscard]] DeviceLaunch other_engine_launch(Engine engine, int index);

}  // namespace detail
RNG_END_NAMESPACE
