#include "retries.hpp"

#include <rng/core/tape.hpp>

#include <algorithm>
#include <cstring>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr size_t most_value_bytes = 16;
// Values are retried together within so many words of a fill. A batch takes at most 76 KB of the stack.
constexpr uint64_t batch_words = 1024;
// With fewer values than this, naming the streams of all slots costs more than making each value by itself.
constexpr size_t least_batch = 6;

/// Writes one value, from its whole tape.
void finish(const RetryContext& c, uint64_t word, std::byte* value) {
    visit_engine(c.request.stream.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        Tape<E> tape(stream_of<E>(c.request.stream), word, static_cast<int>(c.request.slot_words));
        const auto next = [](void* self) { return static_cast<Tape<E>*>(self)->word(); };
        alignas(most_value_bytes) std::byte aligned[most_value_bytes];  // the destination may be unaligned
        c.functions.finish(c.map, {&tape, next}, aligned);
        std::memcpy(value, aligned, c.request.value_bytes);
    });
}

/// The undecided values of a few blocks, which are retried together. Attempt by attempt they become fewer.
/// N is the number of words of a block, Slot that of a slot: copies of that size are a few instructions.
template <int N, int Slot> class Batch {
  public:
    Batch(const RetryContext& c, uint64_t first_block, uint32_t first_slot, size_t skipped, std::byte* out)
        : c_(c), first_block_(first_block), first_slot_(first_slot), skipped_(skipped), out_(out) {}

    void run(const uint32_t* undecided, size_t n) {
        collect(undecided, n);
        for (unsigned attempt = 0; n_ >= least_batch; ++attempt) {
            if (attempt % slots_per_block == 0)
                c_.kernels.child_blocks[static_cast<int>(c_.request.stream.engine)](
                    names_[0].words, attempt / slots_per_block, made_[0].words, n_);
            retry(attempt % slots_per_block);
        }
        for (size_t i = 0; i < n_; ++i) finish(c_, first_block_ * N + index_[i] * Slot, destination(i));
    }

  private:
    static constexpr unsigned slots_per_block = N / Slot;
    static constexpr size_t blocks = batch_words / N, most = blocks * slots_per_block;
    struct Block {
        uint32_t words[N];
    };
    struct Words {
        uint32_t words[Slot];
    };

    /// Sets the blocks that name the private streams of the values. Block b of domain private_streams + j names that of
    /// the slot at word j of block b.
    void collect(const uint32_t* undecided, size_t n) {
        const StreamRecord& s = c_.request.stream;
        for (size_t i = 0; i < n; ++i) index_[i] = undecided[i] - first_slot_;
        n_ = n;
        const uint64_t needed = index_[n - 1] / slots_per_block + 1;
        for (unsigned j = 0; j < slots_per_block; ++j)
            c_.kernels.blocks[static_cast<int>(s.engine)](all_[j][0].words, first_block_, needed,
                                                          domain::private_streams + j * Slot, s.id, s.key);
        for (size_t i = 0; i < n; ++i) names_[i] = all_[index_[i] % slots_per_block][index_[i] / slots_per_block];
    }
    /// Lets the map try the words of one attempt, writes the values that it decides, and keeps the others.
    void retry(unsigned attempt) {
        const size_t granule = c_.functions.granule, padded = (n_ + granule - 1) / granule * granule;
        for (size_t i = 0; i < n_; ++i) std::memcpy(&slots_[i], made_[i].words + attempt * Slot, sizeof slots_[i]);
        std::fill(slots_ + n_, slots_ + padded, Words{});
        const size_t listed = c_.functions.apply(c_.map, slots_[0].words, values_, padded, again_);
        switch (c_.request.value_bytes) {  // a size known when compiling makes a copy one instruction
            case 1: write<1>(); break;
            case 2: write<2>(); break;
            case 4: write<4>(); break;
            case 8: write<8>(); break;
            default: write_any(c_.request.value_bytes);
        }
        size_t kept = 0;
        for (size_t k = 0; k < listed && again_[k] < n_; ++k, ++kept) {
            index_[kept] = index_[again_[k]];
            names_[kept] = names_[again_[k]];
            made_[kept] = made_[again_[k]];
        }
        n_ = kept;
    }
    template <size_t Bytes> void write() {
        for (size_t i = 0; i < n_; ++i) std::memcpy(destination(i), values_ + i * Bytes, Bytes);
    }
    void write_any(size_t bytes) {
        for (size_t i = 0; i < n_; ++i) std::memcpy(destination(i), values_ + i * bytes, bytes);
    }
    [[nodiscard]] std::byte* destination(size_t i) const {
        return out_ + (uint64_t{first_slot_} + index_[i] - skipped_) * c_.request.value_bytes;
    }

    const RetryContext& c_;
    uint64_t first_block_;
    uint32_t first_slot_;
    size_t skipped_;
    std::byte* out_;
    size_t n_ = 0;
    uint32_t index_[most];  // slots, from first_slot_ on
    uint32_t again_[most];
    alignas(64) Block all_[slots_per_block][blocks];
    alignas(64) Block names_[most];
    alignas(64) Block made_[most];
    alignas(64) Words slots_[most];
    alignas(64) std::byte values_[most * most_value_bytes];
};

using BatchFunction = void (*)(const RetryContext&, uint64_t, uint32_t, size_t, std::byte*, const uint32_t*, size_t);
template <int N, int Slot>
void run_batch(const RetryContext& c, uint64_t first_block, uint32_t first_slot, size_t skipped, std::byte* out,
               const uint32_t* undecided, size_t n) {
    Batch<N, Slot>(c, first_block, first_slot, skipped, out).run(undecided, n);
}
/// The batches of an engine and a slot; null if values are not retried together.
BatchFunction batch_function(const RetryContext& c) {
    if (!c.functions.retries_take_slots || c.request.slot_words > 2) return nullptr;
    if (c.words_per_block == 4) return c.request.slot_words == 1 ? &run_batch<4, 1> : &run_batch<4, 2>;
    if (c.words_per_block == 8) return c.request.slot_words == 1 ? &run_batch<8, 1> : &run_batch<8, 2>;
    return nullptr;
}

}  // namespace

void write_undecided(const RetryContext& c, uint64_t block, const uint32_t* undecided, size_t n, size_t skipped,
                     std::byte* out) {
    const uint64_t slot = c.request.slot_words, slots_per_block = c.words_per_block / slot;
    const BatchFunction batch = n < least_batch ? nullptr : batch_function(c);
    for (size_t k = 0; k < n;) {
        const uint64_t first = undecided[k] / slots_per_block;  // blocks, counted from `block`
        const uint32_t* const last = undecided + n;
        const uint32_t* const end =
            std::lower_bound(undecided + k, last, (first + batch_words / c.words_per_block) * slots_per_block);
        const auto count = static_cast<size_t>(end - (undecided + k));
        if (batch != nullptr && count >= least_batch) {
            batch(c, block + first, static_cast<uint32_t>(first * slots_per_block), skipped, out, undecided + k, count);
        } else {
            for (const uint32_t* i = undecided + k; i != end; ++i)
                finish(c, block * c.words_per_block + *i * slot, out + (*i - skipped) * c.request.value_bytes);
        }
        k += count;
    }
}

}  // namespace detail
RNG_END_NAMESPACE
