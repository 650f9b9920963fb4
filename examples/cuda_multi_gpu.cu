// One array of random numbers, made by all GPUs together.
//
// A fill from a stream names its numbers: value i belongs to element i, wherever the element lies. So each GPU fills
// its shard from the index of the shard's first element, in a CUDA stream of its own. Shards may have any sizes, and a
// GPU may have several. The array has the bits of one fill on the CPU.
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdio>
#include <deque>
#include <span>
#include <vector>

#include "cuda_check.hpp"

namespace {

constexpr std::size_t n = 10'000'019;
constexpr rng::normal dist{0.0f, 1.0f};

/// The beginning of shard k of `count`: the first shard is the smallest, and each has a different size.
std::size_t beginning(std::size_t k, std::size_t count) { return n * k * k / (count * count); }

/// A part of the array in a GPU's memory, and the CUDA stream in which it is filled. The GPU has to be the current one.
struct Shard {
    std::size_t first, size;
    DeviceArray<float> memory;
    cudaStream_t stream = nullptr;

    Shard(std::size_t begin, std::size_t end) : first(begin), size(end - begin), memory(size) {
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    ~Shard() { cudaStreamDestroy(stream); }
    Shard(const Shard&) = delete;
    Shard& operator=(const Shard&) = delete;
};

std::vector<float> on_gpus(const rng::Stream<>& from, std::size_t gpus, std::size_t count) {
    std::deque<Shard> shards;
    for (std::size_t k = 0; k < count; ++k) {
        check(cudaSetDevice(static_cast<int>(k % gpus)));
        Shard& shard = shards.emplace_back(beginning(k, count), beginning(k + 1, count));
        rng::fill(rng::device_span{shard.memory.data(), shard.size}, dist, from, shard.first, shard.stream);
        std::printf("cuda:%zu: elements %zu to %zu\n", k % gpus, shard.first, shard.first + shard.size - 1);
    }
    std::vector<float> joined(n);  // all shards are being filled; wait for one after the other
    for (const Shard& shard : shards) {
        check(cudaStreamSynchronize(shard.stream));
        shard.memory.copy_to(joined.data() + shard.first);
    }
    return joined;
}

/// The same on the CPU, whose shards are parts of the array.
std::vector<float> in_shards(const rng::Stream<>& from, std::size_t count) {
    std::vector<float> joined(n);
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t first = beginning(k, count);
        rng::fill(std::span(joined).subspan(first, beginning(k + 1, count) - first), dist, from, first);
    }
    return joined;
}

bool report(const char* where, const std::vector<float>& values, const std::vector<float>& expected) {
    const bool equal = values == expected;
    std::printf("%s: %s\n", where,
                equal ? "the same in every element" : "ELEMENTS DIFFER. This is a bug: please report it.");
    return equal;
}

}  // namespace

int main() {
    const rng::Stream<> from = rng::Stream<>{42}.fork("noise");
    const std::vector<float> expected = rng::sample(dist, n, from);
    const std::size_t gpus = rng::devices().size() - 1;
    const std::size_t count = std::max<std::size_t>(gpus, 3);
    std::printf("cpu: x[%zu] = %.9g, by at() %.9g\n", n - 1, expected[n - 1], rng::at(from, dist, n - 1));

    bool equal = report("cpu, in 3 shards", in_shards(from, 3), expected);
    if (gpus == 0) {
        std::printf("cuda:0: there is no GPU on this machine; its part was compiled, and not run\n");
    } else {
        if (gpus == 1) std::printf("cuda:0 is the only GPU, and fills all %zu shards\n", count);
        equal = report("all shards", on_gpus(from, gpus, count), expected) && equal;
    }
    return equal && expected[n - 1] == rng::at(from, dist, n - 1) ? 0 : 1;
}
