// Kernels for the machine that all other files are compiled for.
#define RNG_ABI_NAMESPACE v1_scalar
#include "table.hpp"
