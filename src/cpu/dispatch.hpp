// The kernels of the instruction set in use.
#pragma once

#include <rng/isa.hpp>

#include "kernel_table.hpp"

namespace rng_cpu {

[[nodiscard]] const rng_abi::KernelTable& current_kernels();

}  // namespace rng_cpu
