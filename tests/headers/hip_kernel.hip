// The kernel that NVRTC compiles, with every distribution, engine and road, as HIP. ROCm's headers are not needed.
#define __global__ __attribute__((global))
#define blockIdx Index{__builtin_amdgcn_workgroup_id_x()}
#define blockDim Index{256}
#define threadIdx Index{__builtin_amdgcn_workitem_id_x()}
struct Index {
    unsigned x;
};
#include "../parity/nvrtc_kernel.cu"
