// fingerprints: whether streams share blocks, because two streams are the same or because they overlap.
// Null: repeats among n fingerprints of 64 bits are Poisson with mean n (n - 1) / 2^65. Among distinguished blocks the
// mean is 2^8 times that (Quisquater and Delescluse, EUROCRYPT '89).
// Statistic: repeats among first blocks of many streams ("starts") and among distinguished blocks of long runs
// ("runs").
// Flaw: sixteen forks that lie 1, 10^3 and 10^6 blocks apart; children named by a hash of 20 bits. Control: forks of
// Philox4x32-10.
// Cost: the generation, mostly.
// Derivation: docs/statistics/fingerprints.md.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "../radix_sort.hpp"
#include "../test.hpp"

namespace rng::stats::tests {
namespace {

constexpr std::size_t streams_a_case = 2048, starts_a_case = 2 * streams_a_case;
constexpr std::size_t run_streams = 16, run_blocks = std::size_t{1} << 17;
constexpr int distinguished_bits = 8;
// A case expects 512 distinguished blocks. Blocks beyond eleven standard deviations more would be lost.
constexpr std::size_t runs_a_case = 768;
constexpr std::size_t slots_a_case = starts_a_case + runs_a_case;

uint64_t fingerprint(const std::byte* block) {
    uint64_t value = 0;
    std::memcpy(&value, block, sizeof value);
    return value == 0 ? 1 : value;
}

/// True if the top bits of a product with the golden ratio are 0, so that no part of the block alone decides.
bool is_distinguished(uint64_t fingerprint) {
    return (fingerprint * 0x9E3779B97F4A7C15u) >> (64 - distinguished_bits) == 0;
}

struct Repeats {
    uint64_t n = 0, repeats = 0;
};
Repeats count_repeats(std::vector<uint64_t> values) {
    std::erase(values, uint64_t{0});
    Repeats found{values.size(), 0};
    // Few different values have the same 33 bits, so half of the digits do nearly all of the work.
    std::vector<uint64_t> scratch;
    radix_sort(std::span(values), scratch, 33);
    const auto low = [](uint64_t value) { return value << 31; };
    for (auto begin = values.begin(), end = begin; begin != values.end(); begin = end) {
        end = std::find_if(begin + 1, values.end(), [&](uint64_t value) { return low(value) != low(*begin); });
        std::sort(begin, end);
        for (auto next = begin + 1; next < end; ++next) found.repeats += *next == *(next - 1);
    }
    return found;
}

class Fingerprints final : public Test {
  public:
    Fingerprints(std::shared_ptr<const StreamSet> set, uint64_t cases)
        : set_(std::move(set)), cases_(cases), block_(static_cast<std::size_t>(set_->block_bytes())) {
        counts.resize(cases * slots_a_case);
    }

    [[nodiscard]] uint64_t cases() const override { return cases_; }

    void add(const Segment& segment) override {
        add_starts(segment.index);
        add_run(segment.index);
    }

    void results(Results& results) const override {
        add_part(results, "starts", 0, starts_a_case, 64);
        add_part(results, "runs", starts_a_case, runs_a_case, 64 - distinguished_bits);
    }

  private:
    void add_starts(uint64_t index) {
        uint64_t* to = counts.data() + index * slots_a_case;
        std::byte bytes[256];
        const std::size_t size = block_ + std::max<std::size_t>(block_, 8);
        std::vector<std::byte> longer(size > sizeof bytes ? size : 0);
        std::byte* const at = longer.empty() ? bytes : longer.data();
        for (uint64_t l = 0; l < streams_a_case; ++l) {
            const uint64_t counted = index / 2 * streams_a_case + l;
            const uint64_t number = index % 2 == 0 ? counted : (counted + 1) << 24;
            if (number >= set_->count()) return;
            set_->read(number, 0, {at, size});
            *to++ = fingerprint(at);
            *to++ = fingerprint(at + block_);
        }
    }

    void add_run(uint64_t index) {
        constexpr std::size_t at_once = std::size_t{1} << 15;  // bytes that fit the first-level cache
        const std::size_t tail = block_ < 8 ? 8 : 0;
        buffer_.resize(std::max(at_once, block_) + tail);
        const std::size_t blocks_at_once = std::max<std::size_t>(1, at_once / block_);
        const uint64_t first = index / run_streams * run_blocks;
        uint64_t* to = counts.data() + index * slots_a_case + starts_a_case;
        std::size_t kept = 0;
        for (std::size_t b = 0; b < run_blocks; b += blocks_at_once) {
            const std::size_t blocks = std::min(blocks_at_once, run_blocks - b);
            set_->read(index % run_streams, (first + b) * block_, {buffer_.data(), blocks * block_ + tail});
            for (std::size_t i = 0; i < blocks; ++i) {
                const uint64_t value = fingerprint(buffer_.data() + i * block_);
                if (is_distinguished(value) && kept < runs_a_case) to[kept++] = value;
            }
        }
    }

    void add_part(Results& results, const char* name, std::size_t first, std::size_t size, int bits) const {
        std::vector<uint64_t> values;
        values.reserve(cases_ * size);
        for (uint64_t index = 0; index < cases_; ++index) {
            const auto from = counts.begin() + static_cast<std::ptrdiff_t>(index * slots_a_case + first);
            values.insert(values.end(), from, from + static_cast<std::ptrdiff_t>(size));
        }
        const Repeats found = count_repeats(std::move(values));
        if (found.n < 2) return;
        const double n = static_cast<double>(found.n);
        results.add(name, poisson_p_value(found.repeats, std::ldexp(n * (n - 1), -bits - 1)));
    }

    std::shared_ptr<const StreamSet> set_;
    uint64_t cases_;
    std::size_t block_;
    std::vector<std::byte> buffer_;
};

}  // namespace

std::vector<NamedTest> fingerprints(const GeneratorUnderTest& generator, Effort effort) {
    const uint64_t cases = effort.cases(256, 1024, 1024);
    std::vector<NamedTest> made;
    for (const auto& set : generator.streams)
        if (set->count() >= run_streams)
            made.push_back({"fingerprints/" + set->name(), std::make_unique<Fingerprints>(set, cases)});
    return made;
}

}  // namespace rng::stats::tests
