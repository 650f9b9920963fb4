// The kernels of svd_lowrank on CUDA.
#include "svd_kernels.hpp"

namespace parity {
using listed = svd_kernels;
}

#include "listed_kernels.hpp"
