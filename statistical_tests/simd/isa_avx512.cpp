// Kernels for AVX-512 (F, DQ, BW, VL).
#if defined(__x86_64__)
#define RNG_ABI_NAMESPACE v1_avx512
#include "table.hpp"
#endif
