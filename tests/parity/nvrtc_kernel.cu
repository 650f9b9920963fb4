// Thread i writes row i of the numbers of nvrtc_values.hpp. check_nvrtc.py compiles this file by NVRTC.
#include "nvrtc_values.hpp"

struct Row {
    uint64_t* next;
    template <class What> RNG_FN void operator()(What, const char*, uint64_t bits) { *next++ = bits; }
};

extern "C" __global__ void write_rows(rng::Stream<> stream, int32_t low, int32_t high, uint32_t columns,
                                      uint64_t* out) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    Row row{out + i * columns};
    nvrtc_values::visit(stream, low, high, i, row);
}
