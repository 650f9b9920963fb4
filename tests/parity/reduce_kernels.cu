// The kernels of sums and of additions by index on CUDA.
#include "reduce_kernels.hpp"

namespace parity {
using listed = reduce_kernels;
}

#include "listed_kernels.hpp"
