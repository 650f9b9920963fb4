// The kernels of fills whose parameters vary, and of masks, on CUDA.
#include "each_kernels.hpp"

namespace parity {
using listed = each_kernels;
}

#include "listed_kernels.hpp"
