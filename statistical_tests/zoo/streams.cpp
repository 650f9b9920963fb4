// Streams that overlap, or that resemble each other.
#include <rng/stats/engine.hpp>
#include <rng/stats/engines_under_test.hpp>
#include <rng/stats/views.hpp>

#include "entries.hpp"
#include "generator.hpp"

namespace rng::stats::zoo_entries {

namespace {

/// The place where a stream begins.
struct Place {
    uint64_t id, block;
};

/// Streams of one key of Philox4x32-10. Stream number `index` begins at place(index).
class PlacedStreams final : public StreamSet {
  public:
    PlacedStreams(uint64_t seed, Place (*place)(uint64_t index)) : seed_(seed), place_(place) {}
    [[nodiscard]] std::string name() const override { return "forks"; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] int block_bytes() const override { return 16; }
    /// All these streams begin within a stream.
    [[nodiscard]] uint64_t count() const override { return uint64_t{1} << 32; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        const Place place = place_(index);
        stats::detail::read_stream(Stream<Philox4x32_10>(seed_, place.id), place.block * 16 + position, to);
    }

  private:
    uint64_t seed_;
    Place (*place_)(uint64_t index);
};

/// Returns the place of forks that begin `blocks` blocks after one another.
template <uint64_t blocks> Place shifted(uint64_t index) { return {0, index * blocks}; }

/// Returns the place of forks whose id is a hash of the tag.
template <int bits> Place hashed(uint64_t index) { return {zoo::SplitMix64(index)() >> (64 - bits), 0}; }

/// Returns a generator with streams for structural tests, which need nothing else.
GeneratorUnderTest streams_alone(std::shared_ptr<const StreamSet> set, uint64_t seed) {
    GeneratorUnderTest generator{engine_under_test("philox4x32-10", seed).source};
    generator.streams = {std::move(set)};
    generator.seed = seed;
    return generator;
}
template <Place place(uint64_t)> GeneratorUnderTest placed(uint64_t seed) {
    return streams_alone(std::make_shared<PlacedStreams>(seed, place), seed);
}
GeneratorUnderTest set_of(const char* engine, const char* name, uint64_t seed) {
    for (const auto& set : engine_under_test(engine, seed).streams)
        if (set->name() == name) return streams_alone(set, seed);
    return {};
}
GeneratorUnderTest sound_forks(uint64_t seed) { return set_of("philox4x32-10", "forks", seed); }

ZooEntry::Make view_of(ZooEntry::Make make, std::string view) {
    return [=](uint64_t seed) { return make_view(make(seed), view); };
}
ZooEntry::Make seeds_of(const char* engine) {
    return [=](uint64_t seed) { return set_of(engine, "seeds", seed); };
}

}  // namespace

std::vector<ZooEntry> streams() {
    const Tier bytes = Tier::quick, structural = Tier::structural;
    const std::string by16 = "interleaved-16-1/forks", by1024 = "interleaved-1024-1/seeds";
    const std::string forks = "philox4x32-10's forks", seeds = "philox4x32-10's seeds";
    const char* const salmon = "Salmon, Moraes, Dror, Shaw, 2011";
    return {
        {"forks-1-apart", "16 forks, each a block after the one before, a block of each in turn", "", fails_at(2 * KiB),
         "interleaved: hamming8, xor-lags", bytes, 8 * KiB, view_of(placed<shifted<1>>, by16), forks,
         view_of(sound_forks, by16)},
        {"forks-1000-apart", "the same, 1000 blocks", "", fails_at(256 * KiB), "interleaved: mod3, collisions", bytes,
         1 * MiB, view_of(placed<shifted<1000>>, by16), forks, view_of(sound_forks, by16)},
        {"forks-1e6-apart", "the same, a million blocks", "", fails_at(256 * MiB), "fingerprints", structural, 0,
         placed<shifted<1000000>>, forks, sound_forks},
        {"fork-hash-20", "forks are named by 20 bits of a hash", "", not_measured(), "fingerprints", structural, 0,
         placed<hashed<20>>, "64 bits of a hash", placed<hashed<64>>},
        {"seeds-philox-3", "1024 successive seeds of philox4x32-3, a block of each in turn", salmon, fails_at(1 * KiB),
         "interleaved: hamming8", bytes, 8 * KiB, view_of(seeds_of("philox4x32-3"), by1024), seeds,
         view_of(seeds_of("philox4x32-10"), by1024)},
        {"seeds-philox-4", "successive seeds of philox4x32-4, pairwise", salmon, fails_at(4 * KiB), "stream-pairs",
         structural, 0, seeds_of("philox4x32-4"), seeds, seeds_of("philox4x32-10")},
        {"seeds-philox-5", "1024 successive seeds of philox4x32-5, a block of each in turn", salmon, fails_at(32 * MiB),
         "exponent, hamming-sums", bytes, 128 * MiB, view_of(seeds_of("philox4x32-5"), by1024), seeds,
         view_of(seeds_of("philox4x32-10"), by1024)},
    };
}

}  // namespace rng::stats::zoo_entries
