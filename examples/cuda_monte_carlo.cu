// Random numbers inside a kernel: how long does a random walk stay between -10 and 10?
//
// A stream is a value of 24 bytes, passed to the kernel by value; nothing is initialised and no state is stored. Path
// i has a child of its own, so its numbers do not depend on how many paths there are or which thread takes it. A
// Cursor hands out successive values and computes each block of the engine once. The same function runs on the CPU,
// and every path has the same length there.
#include <rng/rng.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

#include "cuda_check.hpp"

namespace {

constexpr int paths = 200'000;

RNG_FN int exit_time(const rng::Stream<>& walks, int path) {
    rng::Cursor z(walks.fork(static_cast<uint64_t>(path)), rng::normal{0.0f, 1.0f});
    float x = 0;
    int n = 0;
    for (; - 10 <= x && x <= 10; ++n) x += z.next();
    return n;
}

__global__ void exit_times(rng::Stream<> walks, int* times) {
    const int path = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (path < paths) times[path] = exit_time(walks, path);
}

void report(const char* where, const std::vector<int>& times) {
    double sum = 0, squares = 0;  // of integers below 2^53: exact in any order
    for (const int t : times) {
        sum += t;
        squares += double(t) * t;
    }
    const double mean = sum / paths;
    std::printf("%s: %.3f steps on average, standard error %.3f\n", where, mean,
                std::sqrt((squares / paths - mean * mean) / paths));
}

}  // namespace

int main() {
    const rng::Stream<> walks = rng::Stream<>{2024}.fork("walks");
    std::vector<int> on_cpu(paths);
    for (int path = 0; path < paths; ++path) on_cpu[static_cast<std::size_t>(path)] = exit_time(walks, path);
    report("cpu   ", on_cpu);

    if (rng::devices().size() < 2) {
        std::printf("cuda:0: there is no GPU on this machine; the kernel was compiled, and not run\n");
        return 0;
    }
    const DeviceArray<int> times(paths);
    exit_times<<<(paths + 255) / 256, 256>>>(walks, times.data());
    check(cudaGetLastError());
    std::vector<int> on_gpu(paths);
    times.copy_to(on_gpu.data());
    report("cuda:0", on_gpu);
    const bool equal = on_gpu == on_cpu;
    std::printf("%s\n", equal ? "every path has the same length" : "PATHS DIFFER. This is a bug: please report it.");
    return equal ? 0 : 1;
}
