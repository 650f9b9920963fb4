// Kernels for AVX2.
#if defined(__x86_64__)
#define RNG_ABI_NAMESPACE v1_avx2
#include "table.hpp"
#endif
