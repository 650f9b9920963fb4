// A CUDA graph that adds new noise each time it is launched.
//
// A fill of a stream that is being captured takes the generator's next counted child and a counter in device memory.
// Launch r of the graph continues that child where launch r - 1 ended. So the numbers of a graph are those of
// generator.fork(), taken on the CPU as often as the graph was launched.
#include <rng/rng.hpp>

#include <cstdio>
#include <vector>

#include "cuda_check.hpp"

namespace {

constexpr std::size_t n = 100'000;
constexpr int launches = 5;
constexpr rng::normal noise{0.0f, 0.5f};

__global__ void add(float* x, const float* y) {
    const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i] += y[i];
}

std::vector<float> on_cpu(rng::Generator& generator) {
    rng::Generator child = generator.fork();
    std::vector<float> x(n), y(n);
    for (int launch = 0; launch < launches; ++launch) {
        rng::fill(y, noise, child);
        for (std::size_t i = 0; i < n; ++i) x[i] += y[i];
    }
    return x;
}

std::vector<float> on_gpu(rng::Generator& generator) {
    const DeviceArray<float> x(n), y(n);
    check(cudaMemset(x.data(), 0, n * sizeof(float)));
    cudaStream_t stream;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));

    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    rng::fill(rng::device_span{y.data(), n}, noise, generator, stream);
    add<<<(n + 255) / 256, 256, 0, stream>>>(x.data(), y.data());
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream, &graph));

    cudaGraphExec_t step;
    check(cudaGraphInstantiate(&step, graph, 0));
    for (int launch = 0; launch < launches; ++launch) check(cudaGraphLaunch(step, stream));
    check(cudaStreamSynchronize(stream));
    std::vector<float> result(n);
    x.copy_to(result.data());
    check(cudaGraphExecDestroy(step));
    check(cudaGraphDestroy(graph));
    check(cudaStreamDestroy(stream));
    return result;
}

}  // namespace

int main() {
    rng::Generator cpu(42);
    const std::vector<float> expected = on_cpu(cpu);
    std::printf("cpu: x[0] = %.9g after %d steps\n", expected[0], launches);
    if (rng::devices().size() < 2) {
        std::printf("cuda:0: there is no GPU on this machine; the graph was compiled, and not run\n");
        return 0;
    }
    rng::Generator gpu(rng::cuda(0), 42);
    const bool equal = on_gpu(gpu) == expected;
    std::printf("cuda:0: %s\n",
                equal ? "the same in every element" : "ELEMENTS DIFFER. This is a bug: please report it.");
    return equal ? 0 : 1;
}
