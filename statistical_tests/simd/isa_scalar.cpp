// Kernels for the machine that everything else is compiled for.
#define RNG_ABI_NAMESPACE v1_scalar
#include "table.hpp"
