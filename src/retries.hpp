// The values of samplers that their slots leave undecided: each continues with the words of its own private stream.
#pragma once

#include <rng/detail/fill_request.hpp>

#include "cpu/kernel_table.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// Uses the whole proposal from the start for a prepared map whose squeeze() would decide nothing.
inline void leave_out_empty_squeeze(rng_abi::MapFunctions& functions, const void* map) {
    if (functions.has_squeeze != nullptr && !functions.has_squeeze(map)) functions.apply = functions.proposal;
}

/// The arguments of retries that the values of one fill have in common.
struct RetryContext {
    const FillRequest& request;
    const rng_abi::KernelTable& kernels;
    const rng_abi::MapFunctions& functions;
    const void* map;  // prepared
    uint64_t words_per_block;
    const uint32_t* words;  // from the first slot on; no longer there if the map worked in place
    // For values of many streams: the blocks that determine the streams, slot by slot, and the word at which each slot
    // begins.
    const uint32_t* stream_names = nullptr;
    uint64_t word_of_streams = 0;
    // For values of one stream that are not successive: the word at which each slot begins.
    const uint64_t* slot_words = nullptr;

    /// Returns the word at which a slot of one stream begins; `first_block` is that of slot 0 if slots are successive.
    [[nodiscard]] uint64_t word_of(uint64_t first_block, uint64_t slot) const {
        return slot_words != nullptr ? slot_words[slot] : first_block * words_per_block + slot * request.slot_words;
    }
};

/// Writes the values of the slots undecided[0], undecided[1], ... (ascending), counted from the first slot of block
/// `block`, or from that of the first stream. Slot `skipped` is the first whose value is in `out`. Many values are
/// computed together, in vectors.
void write_undecided(const RetryContext& context, uint64_t block, const uint32_t* undecided, size_t n, size_t skipped,
                     std::byte* out);

}  // namespace detail
RNG_END_NAMESPACE
