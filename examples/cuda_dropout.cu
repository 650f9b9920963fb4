// Dropout without a stored mask: the backward pass computes it again.
//
// Element i is kept if value i of the layer's stream says so. Forward and backward pass ask for the same value, in any
// grid, so no byte of the mask is written or read. A training loop takes a child per step and layer, as below.
#include <rng/rng.hpp>

#include <cstdio>
#include <vector>

#include "cuda_check.hpp"

namespace {

constexpr int per_block = rng::values_per_block<rng::bernoulli>;  // one block of the engine decides this many elements

/// out = in where kept, scaled so that the mean stays; else 0. Forward: activations; backward: gradients.
RNG_FN void dropout_block(const rng::Stream<>& stream, int j, const float* in, float* out, int n) {
    const auto kept = rng::at_block(stream, rng::bernoulli{0.9}, static_cast<uint64_t>(j));
    const float scale = 1 / 0.9f;
    RNG_UNROLL
    for (int k = 0; k < per_block; ++k) {
        const int i = j * per_block + k;
        if (i < n) out[i] = kept[k] ? in[i] * scale : 0;
    }
}

__global__ void dropout(rng::Stream<> stream, const float* in, float* out, int n) {
    const int j = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (j * per_block < n) dropout_block(stream, j, in, out, n);
}

int blocks_of(int n) { return (n + per_block - 1) / per_block; }

std::vector<float> on_cpu(const rng::Stream<>& stream, const std::vector<float>& in) {
    std::vector<float> out(in.size());
    const int n = static_cast<int>(in.size());
    for (int j = 0; j < blocks_of(n); ++j) dropout_block(stream, j, in.data(), out.data(), n);
    return out;
}

std::vector<float> on_gpu(const rng::Stream<>& stream, const std::vector<float>& in, int threads) {
    const int n = static_cast<int>(in.size());
    DeviceArray<float> input(in.size());
    const DeviceArray<float> output(in.size());
    input.copy_from(in.data());
    dropout<<<(blocks_of(n) + threads - 1) / threads, threads>>>(stream, input.data(), output.data(), n);
    check(cudaGetLastError());
    std::vector<float> out(in.size());
    output.copy_to(out.data());
    return out;
}

}  // namespace

int main() {
    const rng::Stream<> training = rng::Stream<>{42}.fork("dropout");
    const uint64_t step = 7, layer = 3;
    const rng::Stream<> mask = training.fork(step).fork(layer);

    std::vector<float> activations(1'000'003), gradients(activations.size());
    rng::fill(activations, rng::uniform_open_closed<float>{}, rng::Stream<>{1});  // never 0: a 0 is a dropped element
    rng::fill(gradients, rng::uniform_open_closed<float>{}, rng::Stream<>{2});

    const std::vector<float> forward = on_cpu(mask, activations), backward = on_cpu(mask, gradients);
    std::size_t kept = 0, different = 0;
    for (std::size_t i = 0; i < forward.size(); ++i) {
        kept += forward[i] != 0;
        different += (forward[i] != 0) != (backward[i] != 0);
    }
    std::printf("cpu: %.3f %% kept; forward and backward mask differ in %zu elements\n",
                100.0 * static_cast<double>(kept) / static_cast<double>(forward.size()), different);
    if (rng::devices().size() < 2) {
        std::printf("cuda:0: there is no GPU on this machine; the kernel was compiled, and not run\n");
        return different == 0 ? 0 : 1;
    }
    const bool equal = on_gpu(mask, activations, 256) == forward && on_gpu(mask, gradients, 64) == backward;
    std::printf("cuda:0: %s\n", equal ? "the same in every element, forward and backward, with other grids"
                                      : "ELEMENTS DIFFER. This is a bug: please report it.");
    return equal && different == 0 ? 0 : 1;
}
