#include "retries.hpp"

#include <rng/core/retry_stream.hpp>
#include <rng/detail/fill_sizes.hpp>

#include <algorithm>
#include <cstring>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Returns the child stream that a block determines, as in fork().
template <class E> Stream<E> named_stream(const uint32_t* words) {
    typename E::counter_type name{};
    for (int k = 0; k < name.size(); ++k) {
        name[k] = *words++;
        if constexpr (sizeof(name[0]) == 8) name[k] |= uint64_t{*words++} << 32;
    }
    return {E::child_key(name), E::child_id(name), 0};
}

/// Writes the value of slot `index`, from its whole retry stream.
void finish(const RetryContext& c, uint64_t first_block, uint64_t index, std::byte* value) {
    visit_engine(c.request.stream.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        const bool has_one = c.stream_names == nullptr;
        const auto stream =
            has_one ? stream_of<E>(c.request.stream) : named_stream<E>(c.stream_names + index * c.words_per_block);
        const uint64_t word = has_one ? c.word_of(first_block, index) : c.word_of_streams;
        RetryStream<E> retry_stream(stream, word, static_cast<int>(c.request.slot_words), c.request.domain);
        const auto next = [](void* self) { return static_cast<RetryStream<E>*>(self)->word(); };
        alignas(64) std::byte aligned[rng_abi::most_bytes_of_word * 8];  // the destination may be unaligned
        c.functions.finish(c.map, {&retry_stream, next}, aligned);
        std::memcpy(value, aligned, c.request.value_bytes);
    });
}

/// Undecided values that are retried together. Proposal by proposal they become fewer.
/// N is the number of words of a block, Slot that of a slot: copies of that size are a few instructions.
template <size_t N, size_t Slot> class Batch {
  public:
    Batch(const RetryContext& c, uint64_t first_block, size_t skipped, std::byte* out)
        : c_(c), first_block_(first_block), skipped_(skipped), out_(out) {}

    void run(const uint32_t* undecided, size_t n) {
        std::copy_n(undecided, n, index_);
        n_ = n;
        if (c_.functions.apply != c_.functions.proposal)  // a squeeze() left values that the slots do decide
            propose([this](size_t i) { return c_.words + size_t{index_[i]} * Slot; }, [](size_t, size_t) {});
        if (n_ >= least_batch) name_streams();
        for (unsigned number = 0; n_ >= least_batch && number < most_proposals; ++number) {
            const unsigned in_chunk = number % (chunk / Slot);
            if (in_chunk == 0) make_chunks(number / (chunk / Slot));
            propose([this, in_chunk](size_t i) { return made_[i].words + in_chunk * Slot; },
                    [this](size_t to, size_t from) {
                        names_[to] = names_[from];
                        made_[to] = made_[from];
                    });
        }
        finish_all();
    }

    /// run() for a mixture. Each proposal reads a slot of the retry stream; after the one that is accepted, the value
    /// reads a word.
    void run_mixture(const uint32_t* undecided, size_t n) {
        std::copy_n(undecided, n, index_);
        n_ = n;
        for (size_t i = 0; i < n_; ++i) std::memcpy(&slots_[i], c_.words + size_t{index_[i]} * Slot, sizeof slots_[i]);
        name_streams();
        for (unsigned number = 0; n_ > 0 && number < most_proposals; ++number) {
            const unsigned in_chunk = number % (chunk / Slot);
            const size_t slot_multiple = c_.functions.slot_multiple,
                         padded = (n_ + slot_multiple - 1) / slot_multiple * slot_multiple;
            std::fill(slots_ + n_, slots_ + padded, Words<Slot>{});
            double means[most_in_batch];
            const size_t listed = c_.functions.mean(c_.map, slots_[0].words, means, padded, again_);
            if (in_chunk == 0) make_chunks(number / (chunk / Slot));
            const auto slot_of = [&](size_t i) { return made_[i].words + in_chunk * Slot; };
            mix(means, listed, slot_of);
            size_t kept = 0;
            for (size_t k = 0; k < listed && again_[k] < n_; ++k, ++kept) {
                const size_t i = again_[k];
                std::memcpy(&slots_[kept], slot_of(i), sizeof slots_[kept]);
                index_[kept] = index_[i];
                names_[kept] = names_[i];
                made_[kept] = made_[i];
            }
            n_ = kept;
        }
        finish_all();
    }

  private:
    static constexpr size_t chunk = Slot < N ? N : Slot;  // words of a private stream that are computed together
    template <size_t Size> struct Words { uint32_t words[Size]; };

    /// Computes each value that is left by itself: finish() knows the most proposals, after which the last one is
    /// taken.
    void finish_all() {
        for (size_t i = 0; i < n_; ++i) finish(c_, first_block_, index_[i], destination(i));
    }
    /// Computes the blocks that determine the private streams. For the slot at word j of block b, that is block b of
    /// domain private_streams + j.
    void name_streams() {
        const StreamRecord& s = c_.request.stream;
        if (c_.stream_names != nullptr) {
            const uint64_t word = c_.word_of_streams;
            Words<N> parents[most_in_batch];
            for (size_t i = 0; i < n_; ++i)
                std::memcpy(&parents[i], c_.stream_names + size_t{index_[i]} * N, sizeof parents[i]);
            c_.kernels.child_blocks[static_cast<int>(s.engine)](
                parents[0].words, word / N, domain::private_streams + static_cast<unsigned>(word % N), names_[0].words,
                n_);
            return;
        }
        uint64_t block[most_in_batch];
        uint32_t domain[most_in_batch];
        for (size_t i = 0; i < n_; ++i) {
            const uint64_t word = c_.word_of(first_block_, index_[i]);
            block[i] = word / N;
            domain[i] = domain::private_streams + static_cast<uint32_t>(word % N);
        }
        c_.kernels.scattered_blocks[static_cast<int>(s.engine)](block, domain, s.id, s.key, names_[0].words, n_);
    }
    /// Computes chunk `number` of the private stream of each value.
    void make_chunks(uint64_t number) {
        constexpr size_t parts = chunk / N;
        const auto child_blocks = c_.kernels.child_blocks[static_cast<int>(c_.request.stream.engine)];
        if constexpr (parts == 1) {
            child_blocks(names_[0].words, number, domain::draws, made_[0].words, n_);
        } else {
            Words<N> part_words[most_in_batch];
            for (size_t part = 0; part < parts; ++part) {
                child_blocks(names_[0].words, number * parts + part, domain::draws, part_words[0].words, n_);
                for (size_t i = 0; i < n_; ++i)
                    std::memcpy(made_[i].words + part * N, &part_words[i], sizeof part_words[i]);
            }
        }
    }
    /// Applies the map to the slots at words_of(i), writes the values that it decides, and keeps the others. move(to,
    /// from) moves what else belongs to a value.
    template <class WordsOf, class Move> void propose(const WordsOf& words_of, const Move& move) {
        const size_t slot_multiple = c_.functions.slot_multiple,
                     padded = (n_ + slot_multiple - 1) / slot_multiple * slot_multiple;
        for (size_t i = 0; i < n_; ++i) std::memcpy(&slots_[i], words_of(i), sizeof slots_[i]);
        std::fill(slots_ + n_, slots_ + padded, Words<Slot>{});
        const size_t listed = c_.functions.proposal(c_.map, slots_[0].words, values_, padded, again_);
        switch (c_.request.value_bytes) {  // a size known at compile time makes a copy one instruction
            case 1: write<1>(); break;
            case 2: write<2>(); break;
            case 4: write<4>(); break;
            case 8: write<8>(); break;
            default: write_any(c_.request.value_bytes);
        }
        size_t kept = 0;
        for (size_t k = 0; k < listed && again_[k] < n_; ++k, ++kept) {
            index_[kept] = index_[again_[k]];
            move(kept, again_[k]);
        }
        n_ = kept;
    }
    /// Writes the values that are not listed in again_, each from its mean and the next word of its retry stream.
    template <class SlotOf> void mix(double* means, size_t listed, const SlotOf& slot_of) {
        uint32_t place[most_in_batch];
        uint64_t words[most_in_batch];
        size_t decided = 0;
        for (size_t i = 0, k = 0; i < n_; ++i) {
            if (k < listed && again_[k] == i) {
                ++k;
                continue;
            }
            const uint32_t* const word = slot_of(i);
            place[decided] = index_[i];
            means[decided] = means[i];
            words[decided++] = word[0] | static_cast<uint64_t>(word[1]) << 32;
        }
        c_.functions.mixed(c_.map, means, words, values_, decided);
        const size_t bytes = c_.request.value_bytes;
        for (size_t i = 0; i < decided; ++i)
            std::memcpy(out_ + (uint64_t{place[i]} - skipped_) * bytes, values_ + i * bytes, bytes);
    }
    template <size_t Bytes> void write() {
        for (size_t i = 0; i < n_; ++i) std::memcpy(destination(i), values_ + i * Bytes, Bytes);
    }
    void write_any(size_t bytes) {
        for (size_t i = 0; i < n_; ++i) std::memcpy(destination(i), values_ + i * bytes, bytes);
    }
    [[nodiscard]] std::byte* destination(size_t i) const {
        return out_ + (uint64_t{index_[i]} - skipped_) * c_.request.value_bytes;
    }

    const RetryContext& c_;
    uint64_t first_block_;
    size_t skipped_;
    std::byte* out_;
    size_t n_ = 0;
    uint32_t index_[most_in_batch];  // slots, from that of the first block on
    uint32_t again_[most_in_batch];
    alignas(64) Words<N> names_[most_in_batch];
    alignas(64) Words<chunk> made_[most_in_batch];
    alignas(64) Words<Slot> slots_[most_in_batch];
    alignas(64) std::byte values_[most_in_batch * Slot * rng_abi::most_bytes_of_word];
};

using BatchFunction = void (*)(const RetryContext&, uint64_t, size_t, std::byte*, const uint32_t*, size_t);
template <size_t N, size_t Slot>
void run_batch(const RetryContext& c, uint64_t first_block, size_t skipped, std::byte* out, const uint32_t* undecided,
               size_t n) {
    Batch<N, Slot> batch(c, first_block, skipped, out);
    if constexpr (Slot == 4)
        if (c.functions.mean != nullptr) return batch.run_mixture(undecided, n);
    batch.run(undecided, n);
}
template <size_t N> BatchFunction batch_of_slot(uint64_t slot) {
    return slot == 1   ? &run_batch<N, 1>
           : slot == 2 ? &run_batch<N, 2>
           : slot == 4 ? &run_batch<N, 4>
                       : &run_batch<N, 8>;
}
/// Returns the function for an engine and a slot; null if values are not retried together.
BatchFunction batch_function(const RetryContext& c) {
    if (!c.functions.retries_take_slots && c.functions.mean == nullptr) return nullptr;
    return c.words_per_block == 4 ? batch_of_slot<4>(c.request.slot_words) : batch_of_slot<8>(c.request.slot_words);
}

}  // namespace

void write_undecided(const RetryContext& c, uint64_t block, const uint32_t* undecided, size_t n, size_t skipped,
                     std::byte* out) {
    const BatchFunction batch = n < least_batch ? nullptr : batch_function(c);
    if (batch == nullptr) {
        for (size_t k = 0; k < n; ++k)
            finish(c, block, undecided[k], out + (undecided[k] - skipped) * c.request.value_bytes);
        return;
    }
    for (size_t k = 0; k < n; k += most_in_batch)
        batch(c, block, skipped, out, undecided + k, std::min(n - k, most_in_batch));
}

}  // namespace detail
RNG_END_NAMESPACE
