// PreparedFill: the common part of fills of ranges, matrices and shards. It writes any run of a request's values.
#pragma once

#include <rng/detail/fill_sizes.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <vector>

#include "cpu/dispatch.hpp"
#include "cpu/parallel_for.hpp"
#include "retries.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class... E> uint64_t words_per_block(Engine engine, type_list<E...>) {
    static constexpr uint64_t words[] = {E::words_per_block...};
    return words[static_cast<int>(engine)];
}

/// A fill that is ready to run, with its kernels and its prepared map. Its chunks can run in any order, on any thread.
class PreparedFill {
  public:
    /// For n values in all.
    PreparedFill(const FillRequest& request, size_t n)
        : request_(request),
          kernels_(rng_cpu::kernels_for(n * request.value_bytes, false)),
          functions_(request.index >= 0 ? *kernels_.maps[request.index] : *request.functions),
          blocks_(kernels_.blocks[static_cast<int>(request.stream.engine)]),
          words_per_block_(words_per_block(request.stream.engine, engines{})),
          group_words_(std::max(words_per_block_, functions_.unit_words)),
          block_shift_(std::countr_zero(words_per_block_)),
          slot_shift_(std::countr_zero(request.slot_words)),
          step_(std::max<uint64_t>(functions_.slot_multiple, group_words_ >> slot_shift_)) {
        if (request.cached.host != nullptr) {
            std::memcpy(map_, request.cached.host, functions_.map_bytes);
        } else {
            if (functions_.table_words != nullptr && n >= functions_.least_tabulated)
                table_.resize(functions_.table_words(request.distribution));
            functions_.prepare(request.distribution, map_, table_.empty() ? nullptr : table_.data());
        }
        leave_out_empty_squeeze(functions_, map_);
    }

    /// Writes values [first, first + n) to out.
    void run(uint64_t first, size_t n, std::byte* out) const { run_from(word_of(first), n, out); }
    /// Writes n values, from the one whose slot begins at word w on.
    void run_from(uint64_t w, size_t n, std::byte* out) const {
        while (n > 0) {
            const uint64_t skipped = w & (group_words_ - 1);
            const uint64_t most = (partial_tile_words - skipped) >> slot_shift_;
            size_t count = std::min<uint64_t>(n, tile_words >> slot_shift_) & ~(step_ - 1);
            if (skipped == 0 && (count == n || n > most)) {
                write_steps(w >> block_shift_, count, out);
            } else {
                count = std::min<uint64_t>(n, most);
                write_partial_tile(w, count, out);
            }
            w += uint64_t{count} << slot_shift_;
            n -= count;
            out += count * request_.value_bytes;
        }
    }

    // For values that are not contiguous (indices.cpp): their words are gathered first, and then mapped together.

    /// Returns the word at which the slot of a value begins.
    [[nodiscard]] uint64_t word_of(uint64_t value) const { return request_.stream.position + (value << slot_shift_); }
    [[nodiscard]] uint64_t words_in(uint64_t slots) const { return slots << slot_shift_; }
    [[nodiscard]] uint64_t slots_in(uint64_t words) const { return words >> slot_shift_; }
    [[nodiscard]] uint64_t unit_words() const { return functions_.unit_words; }
    /// Returns the number of words that are whole blocks and whole units.
    [[nodiscard]] uint64_t group_words() const { return group_words_; }

    /// Writes words [first, first + count) of the stream. Both are multiples of group_words().
    void generate_words(uint64_t first, uint64_t count, uint32_t* words) const {
        generate(first >> block_shift_, count >> block_shift_, words);
    }
    /// A list of blocks of the engine that are not a run, at most as many as a tile has.
    struct Blocks {
        /// For a job's blocks; null if the list stays empty.
        explicit Blocks(const PreparedFill* job) {
            if (job != nullptr) std::fill(std::begin(domain), std::end(domain), job->request_.domain);
        }
        uint64_t number[tile_words / 4];
        uint32_t domain[tile_words / 4];
    };
    /// Lists the blocks of words [first, first + count) of the stream, which are to lie at word `place` of a tile. All
    /// three are multiples of group_words().
    void list(Blocks& blocks, uint64_t place, uint64_t first, uint64_t count) const {
        const uint64_t number = first >> block_shift_, n = count >> block_shift_;
        uint64_t* const to = blocks.number + (place >> block_shift_);
        for (uint64_t i = 0; i < n; ++i) to[i] = number + i;
    }
    /// Lists the blocks of n groups: those of words first, first + step, ...
    void list_groups(Blocks& blocks, uint64_t first, uint64_t step, size_t n) const {
        const int shift = block_shift_;
        if (group_words_ == words_per_block_) {
            for (size_t i = 0; i < n; ++i) blocks.number[i] = (first + i * step) >> shift;
            return;
        }
        for (size_t i = 0; i < n; ++i)
            list(blocks, i * group_words_, (first + i * step) & ~(group_words_ - 1), group_words_);
    }
    /// Writes the `count` words that were listed.
    void generate_list(const Blocks& blocks, uint64_t count, uint32_t* words) const {
        kernels_.scattered_blocks[static_cast<int>(request_.stream.engine)](
            blocks.number, blocks.domain, request_.stream.id, request_.stream.key, words, count >> block_shift_);
    }
    /// Computes the values of `slots` slots, whose words are in `words`: a tile or less, from a whole unit on. Returns
    /// the values, which are in the same memory or in `own`. word_of_slot(s) returns the word at which slot s begins;
    /// it is called for slots in ascending order.
    template <class WordOfSlot>
    const std::byte* map_gathered(uint32_t* words, size_t slots, std::byte* own, const WordOfSlot& word_of_slot) const {
        if (is_identity()) return reinterpret_cast<const std::byte*>(words);
        const size_t mapped = (slots + functions_.slot_multiple - 1) & ~(functions_.slot_multiple - 1);
        std::fill(words + (slots << slot_shift_), words + (mapped << slot_shift_), 0u);
        std::byte* const values = works_in_place() ? reinterpret_cast<std::byte*>(words) : own;
        uint32_t undecided[tile_words];
        const size_t listed = functions_.apply(map_, words, values, mapped, undecided);
        const auto n = static_cast<size_t>(std::lower_bound(undecided, undecided + listed, slots) - undecided);
        if (n == 0) return values;
        uint64_t slot_words[tile_words];
        for (size_t i = 0; i < n; ++i) slot_words[undecided[i]] = word_of_slot(undecided[i]);
        RetryContext context = retry_context(words);
        context.slot_words = slot_words;
        write_undecided(context, 0, undecided, n, 0, values);
        return values;
    }

  private:
    /// Writes `count` values, a multiple of step_, from the beginning of a block on.
    void write_steps(uint64_t block, size_t count, std::byte* out) const {
        // If values are as large as their words, the words go straight to the destination, and the map works in place.
        // The engine's arithmetic then hides the cost of bringing the destination into the cache.
        alignas(64) uint32_t tile[tile_words];
        // Bytes may begin at any address; unaligned ones need the tile.
        const bool in_place = works_in_place() && reinterpret_cast<uintptr_t>(out) % alignof(uint32_t) == 0;
        auto* words = in_place ? reinterpret_cast<uint32_t*>(out) : tile;
        generate(block, (uint64_t{count} << slot_shift_) >> block_shift_, words);
        if (is_identity()) {
            if (!in_place) std::memcpy(out, tile, count * request_.value_bytes);
            return;
        }
        uint32_t undecided[tile_words];
        const size_t listed = functions_.apply(map_, words, out, count, undecided);
        if (listed > 0) write_undecided(retry_context(words), block, undecided, listed, 0, out);
    }

    /// Writes `count` values from word w on. All blocks that hold their words are mapped, and the values are copied.
    void write_partial_tile(uint64_t w, size_t count, std::byte* out) const {
        alignas(64) uint32_t words[partial_tile_words];
        const uint64_t skipped_words = w & (group_words_ - 1);
        const uint64_t block = (w - skipped_words) >> block_shift_, skipped = skipped_words >> slot_shift_;
        const uint64_t slots = skipped + count;
        // Whole vectors, of eight blocks: the engine then copies nothing.
        const uint64_t blocks = round_up(round_up(slots << slot_shift_, group_words_) >> block_shift_, 8);
        generate(block, blocks, words);
        if (is_identity()) {
            std::memcpy(out, words + (skipped << slot_shift_), count * request_.value_bytes);
            return;
        }
        const uint64_t mapped = (slots + functions_.slot_multiple - 1) & ~uint64_t{functions_.slot_multiple - 1};
        if (const uint64_t used = blocks << block_shift_, needed = mapped << slot_shift_; needed > used)
            std::memset(words + used, 0, (needed - used) * sizeof(uint32_t));
        alignas(64) std::byte own_values[partial_tile_words * rng_abi::most_bytes_of_word];
        std::byte* const values = works_in_place() ? reinterpret_cast<std::byte*>(words) : own_values;
        uint32_t undecided[partial_tile_words];
        const size_t listed = functions_.apply(map_, words, values, mapped, undecided);
        std::memcpy(out, values + skipped * request_.value_bytes, count * request_.value_bytes);
        if (listed == 0) return;
        const uint32_t* const last = undecided + listed;
        const uint32_t* const begin = std::lower_bound<const uint32_t*>(undecided, last, skipped);
        const uint32_t* const end = std::lower_bound(begin, last, slots);
        write_undecided(retry_context(words), block, begin, static_cast<size_t>(end - begin), skipped, out);
    }

    void generate(uint64_t block, uint64_t count, uint32_t* words) const {
        blocks_(words, block, count, request_.domain, request_.stream.id, request_.stream.key);
    }

    [[nodiscard]] RetryContext retry_context(const uint32_t* words) const {
        return {request_, kernels_, functions_, map_, words_per_block_, words};
    }

    /// Returns true if the map may write values over their words: retries after a squeeze() read the words again.
    [[nodiscard]] bool works_in_place() const {
        return request_.value_bytes == sizeof(uint32_t) << slot_shift_ && functions_.apply == functions_.proposal;
    }

    /// Returns true if no map is needed: raw words in the machine's own byte order.
    [[nodiscard]] bool is_identity() const {
        return request_.index == catalogue_index<bits<uint32_t>> ||
               (request_.index == catalogue_index<bits<uint64_t>> && std::endian::native == std::endian::little);
    }

    const FillRequest& request_;
    const rng_abi::KernelTable& kernels_;
    rng_abi::MapFunctions functions_;
    rng_abi::BlocksFunction blocks_;
    uint64_t words_per_block_;
    uint64_t group_words_;  // words that are whole blocks and whole units
    int block_shift_, slot_shift_;
    uint64_t step_;  // slots that are whole groups and whole registers
    std::vector<uint64_t> table_;
    alignas(64) std::byte map_[rng_abi::most_map_bytes];
};

/// Runs parallel_for over the values of a request. Each chunk is a number of whole tiles.
template <class Chunk> void in_chunks(const FillRequest& request, size_t n, const Chunk& chunk) {
    rng_cpu::parallel_for(n, tile_words / request.slot_words, n * request.value_bytes / least_part_bytes,
                          [&](size_t first, size_t last) { chunk(first, last - first); });
}

/// Throws Error if a parameter is out of range. Requires an FpEnvironment.
inline void require_valid(const FillRequest& request) {
    if (request.fault == nullptr) return;
    if (const ParameterFault fault = request.fault(request.distribution))
        throw_parameter_fault("fill", request.name, fault);
}

}  // namespace detail
RNG_END_NAMESPACE
