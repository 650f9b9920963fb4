// A data loader whose epochs do not depend on how they are read: by any number of workers, in any order, from the
// middle on, by several ranks. Each item is augmented by random numbers of its own: a crop, a flip, noise.
//
// A loader whose workers have generators of their own gives other augmentations with another number of workers, and
// others again after a restart.
#include <rng/rng.hpp>

#include <cstdint>
#include <cstdio>
#include <thread>
#include <vector>

namespace {

constexpr std::uint64_t items = 20'000, batch_size = 64, epoch_number = 3;

/// What a program would do with an item: here all of its random numbers end in one.
std::uint64_t augmented(const rng::EpochSample<>& sample) {
    const rng::Stream<>& numbers = sample.numbers;
    const auto left = static_cast<std::uint64_t>(rng::at(numbers, rng::uniform_int{0, 31}, 0));
    const std::uint64_t flip = rng::at(numbers.fork("flip"), rng::bernoulli{0.5}, 0);
    std::vector<float> noise(16);
    rng::fill(noise, rng::normal{0.0f, 0.1f}, numbers.fork("noise"));
    std::uint64_t sum = sample.item * 64 + left * 2 + flip;
    for (const float z : noise) sum = sum * 31 + static_cast<std::uint64_t>(z > 0);
    return sum;
}

rng::EpochOptions options_of(std::uint64_t ranks, std::uint64_t rank) {
    rng::EpochOptions options;
    options.items = items;
    options.batch_size = batch_size;
    options.ranks = ranks;
    options.rank = rank;
    return options;
}

/// Reads batches first, first + 1, ... by workers that take turns, and returns what the model would see, in its order.
std::vector<std::uint64_t> read(unsigned workers, std::uint64_t first = 0, std::uint64_t ranks = 1,
                                std::uint64_t rank = 0) {
    const rng::EpochSampler epoch(rng::Stream{42}, epoch_number, options_of(ranks, rank));
    std::vector<std::uint64_t> seen(epoch.size());
    std::vector<std::thread> threads;
    for (unsigned w = 0; w < workers; ++w)
        threads.emplace_back([&, w] {
            for (std::uint64_t b = first + w; b < epoch.batches(); b += workers) {
                const auto batch = epoch.batch(b);
                for (std::uint64_t i = 0; i < batch.size(); ++i) seen[b * batch_size + i] = augmented(batch[i]);
            }
        });
    for (std::thread& thread : threads) thread.join();
    return seen;
}

bool report(const char* how, bool same) {
    std::printf("%-34s %s\n", how, same ? "the same" : "ANOTHER");
    return same;
}

}  // namespace

int main() {
    const std::vector<std::uint64_t> expected = read(1);
    const rng::EpochSampler epoch(rng::Stream{42}, epoch_number, options_of(1, 0));
    std::printf("epoch %d begins with items", static_cast<int>(epoch_number));
    for (const auto& sample : epoch.batch(0))
        if (sample.place < 5) std::printf(" %d", static_cast<int>(sample.item));
    std::printf("\n");
    bool sound = true;
    for (const unsigned workers : {2u, 3u, 8u})
        sound = report("another number of workers", read(workers) == expected) && sound;

    std::vector<std::uint64_t> resumed = read(4, 100);
    for (std::size_t i = 0; i < 100 * batch_size; ++i) resumed[i] = expected[i];  // read before the stop
    sound = report("stopped after batch 100, resumed", resumed == expected) && sound;

    constexpr std::uint64_t ranks = 3;
    bool shared = true;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        const std::vector<std::uint64_t> part = read(2, 0, ranks, rank);
        for (std::size_t k = 0; k < part.size(); ++k)
            shared = shared && part[k] == expected[(rank + k * ranks) % items];
    }
    sound = report("shared by three ranks", shared) && sound;
    return sound ? 0 : 1;
}
