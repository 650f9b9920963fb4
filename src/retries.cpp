#include "retries.hpp"

#include <rng/core/tape.hpp>

#include <algorithm>
#include <cstring>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

// Values are retried together within so many words of a fill. A batch takes at most 90 KB of the stack.
constexpr size_t batch_words = 1024;
// With fewer values than this, naming the streams of all slots costs more than making each value by itself.
constexpr size_t least_batch = 6;

/// Writes one value, from its whole tape.
void finish(const RetryContext& c, uint64_t word, std::byte* value) {
    visit_engine(c.request.stream.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        Tape<E> tape(stream_of<E>(c.request.stream), word, static_cast<int>(c.request.slot_words), c.request.domain);
        const auto next = [](void* self) { return static_cast<Tape<E>*>(self)->word(); };
        alignas(64) std::byte aligned[rng_abi::most_bytes_of_word * 8];  // the destination may be unaligned
        c.functions.finish(c.map, {&tape, next}, aligned);
        std::memcpy(value, aligned, c.request.value_bytes);
    });
}

/// The undecided values of a few blocks, which are retried together. Attempt by attempt they become fewer.
/// N is the number of words of a block, Slot that of a slot: copies of that size are a few instructions.
template <size_t N, size_t Slot> class Batch {
  public:
    Batch(const RetryContext& c, uint64_t first_block, uint32_t first_slot, size_t skipped, std::byte* out)
        : c_(c), first_block_(first_block), first_slot_(first_slot), skipped_(skipped), out_(out) {}

    void run(const uint32_t* undecided, size_t n) {
        collect(undecided, n);
        if (c_.functions.apply != c_.functions.attempt)  // a quick() left values that the slots do decide
            retry([this](size_t i) { return c_.words + (first_slot_ + index_[i]) * Slot; });
        for (unsigned attempt = 0; n_ >= least_batch; ++attempt) {
            const unsigned in_chunk = attempt % (chunk / Slot);
            if (in_chunk == 0) make_chunks(attempt / (chunk / Slot));
            retry([this, in_chunk](size_t i) { return made_[i].words + in_chunk * Slot; });
        }
        for (size_t i = 0; i < n_; ++i) finish(c_, first_block_ * N + index_[i] * Slot, destination(i));
    }

  private:
    static constexpr size_t most = batch_words / Slot, blocks = batch_words / N;
    static constexpr size_t lanes = Slot < N ? N / Slot : 1;  // slots that begin in one block
    static constexpr size_t chunk = Slot < N ? N : Slot;      // words of a private stream that are made together
    template <size_t Size> struct Words { uint32_t words[Size]; };

    /// Sets the blocks that name the private streams of the values. Block b of domain private_streams + j names that of
    /// the slot at word j of block b.
    void collect(const uint32_t* undecided, size_t n) {
        const StreamRecord& s = c_.request.stream;
        for (size_t i = 0; i < n; ++i) index_[i] = undecided[i] - first_slot_;
        n_ = n;
        const uint64_t needed = index_[n - 1] * Slot / N + 1;
        for (unsigned j = 0; j < lanes; ++j)
            c_.kernels.blocks[static_cast<int>(s.engine)](all_[j][0].words, first_block_, needed,
                                                          domain::private_streams + j * unsigned{Slot}, s.id, s.key);
        for (size_t i = 0; i < n; ++i) names_[i] = all_[index_[i] % lanes][index_[i] * Slot / N];
    }
    /// Makes chunk `number` of the private stream of each value.
    void make_chunks(uint64_t number) {
        constexpr size_t parts = chunk / N;
        const auto child_blocks = c_.kernels.child_blocks[static_cast<int>(c_.request.stream.engine)];
        if constexpr (parts == 1) {
            child_blocks(names_[0].words, number, made_[0].words, n_);
        } else {
            for (size_t part = 0; part < parts; ++part) {
                child_blocks(names_[0].words, number * parts + part, all_[0][0].words, n_);
                for (size_t i = 0; i < n_; ++i) std::memcpy(made_[i].words + part * N, &all_[0][i], sizeof all_[0][i]);
            }
        }
    }
    /// Lets the map try the slots at words_of(i), writes the values that it decides, and keeps the others.
    template <class WordsOf> void retry(const WordsOf& words_of) {
        const size_t granule = c_.functions.granule, padded = (n_ + granule - 1) / granule * granule;
        for (size_t i = 0; i < n_; ++i) std::memcpy(&slots_[i], words_of(i), sizeof slots_[i]);
        std::fill(slots_ + n_, slots_ + padded, Words<Slot>{});
        const size_t listed = c_.functions.attempt(c_.map, slots_[0].words, values_, padded, again_);
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
    alignas(64) Words<N> all_[lanes][blocks];
    alignas(64) Words<N> names_[most];
    alignas(64) Words<chunk> made_[most];
    alignas(64) Words<Slot> slots_[most];
    alignas(64) std::byte values_[batch_words * rng_abi::most_bytes_of_word];
};

using BatchFunction = void (*)(const RetryContext&, uint64_t, uint32_t, size_t, std::byte*, const uint32_t*, size_t);
template <size_t N, size_t Slot>
void run_batch(const RetryContext& c, uint64_t first_block, uint32_t first_slot, size_t skipped, std::byte* out,
               const uint32_t* undecided, size_t n) {
    Batch<N, Slot>(c, first_block, first_slot, skipped, out).run(undecided, n);
}
template <size_t N> BatchFunction batch_of_slot(uint64_t slot) {
    return slot == 1   ? &run_batch<N, 1>
           : slot == 2 ? &run_batch<N, 2>
           : slot == 4 ? &run_batch<N, 4>
                       : &run_batch<N, 8>;
}
/// The batches of an engine and a slot; null if values are not retried together.
BatchFunction batch_function(const RetryContext& c) {
    if (!c.functions.retries_take_slots) return nullptr;
    return c.words_per_block == 4 ? batch_of_slot<4>(c.request.slot_words) : batch_of_slot<8>(c.request.slot_words);
}

}  // namespace

void write_undecided(const RetryContext& c, uint64_t block, const uint32_t* undecided, size_t n, size_t skipped,
                     std::byte* out) {
    const uint64_t slot = c.request.slot_words, slots_of_batch = batch_words / slot;
    // A batch begins with a block, so that its slots begin with the block's.
    const uint64_t slots_of_block = std::max<uint64_t>(c.words_per_block / slot, 1);
    const BatchFunction batch = n < least_batch ? nullptr : batch_function(c);
    for (size_t k = 0; k < n;) {
        const uint64_t first = undecided[k] & ~(slots_of_block - 1);
        const uint32_t* const end = std::lower_bound(undecided + k, undecided + n, first + slots_of_batch);
        const auto count = static_cast<size_t>(end - (undecided + k));
        if (batch != nullptr && count >= least_batch) {
            batch(c, block + first * slot / c.words_per_block, static_cast<uint32_t>(first), skipped, out,
                  undecided + k, count);
        } else {
            for (const uint32_t* i = undecided + k; i != end; ++i)
                finish(c, block * c.words_per_block + *i * slot, out + (*i - skipped) * c.request.value_bytes);
        }
        k += count;
    }
}

}  // namespace detail
RNG_END_NAMESPACE
