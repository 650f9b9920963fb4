// The generators with which rng is compared. Each fills a buffer; its state stays from call to call.
//
// peers.cpp contains them all and is compiled with RNG_BENCH_PEER_FLAGS (-O3 -march=native).
// So each peer uses the best instructions of the machine. rng is built for any x86-64 and chooses at run time.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Peer {
    std::string name;     // "std-mt19937"
    std::string what;     // "u32", "uniform_f32", "normal_f64" ...: the same words as rng's rows
    std::size_t element;  // bytes
    std::function<void(void* out, std::size_t n)> fill;
    bool small_calls = false;  // true if its small calls are measured beside rng's
};

/// The weights of the rows of categories: 1 to 7.
[[nodiscard]] inline std::vector<double> hundred_weights() {
    std::vector<double> weights;
    for (int k = 0; k < 100; ++k) weights.push_back(1 + k % 7);
    return weights;
}

/// All peers of this build: std always; Boost, Random123 and cuRAND where they were found.
[[nodiscard]] std::vector<Peer> peers();

/// memset split over threads, as a fill would be.
void memset_threads(void* out, std::size_t bytes, int threads);

}  // namespace bench
