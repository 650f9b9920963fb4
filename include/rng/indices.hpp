// indices: strided values of a stream, one by one or in blocks. Fills write them as fast as consecutive values, or
// nearly so. Ranks that share an array in a cyclic or block-cyclic layout need no communication.
//
//     std::vector<float> mine(1000);
//     rng::fill(mine, rng::normal{0.0f, 1.0f}, rng::Stream{42}, rng::indices{3, 8});   // values 3, 11, 19, ...
//
//     const rng::block_cyclic layout{1'000'000, 64, 2, 5};   // blocks of 64, dealt out to 5 ranks; this is rank 2
//     std::vector<float> part(layout.count());
//     rng::Generator gen{42};                                // in the same state on all ranks
//     rng::dist_fill(part, layout, rng::normal{0.0f, 1.0f}, gen);   // advances it by 1'000'000 values on every rank
//
// Block-cyclic layouts are those of ScaLAPACK: Blackford et al., ScaLAPACK Users' Guide, SIAM 1997, section 4.3.
// Example: of 10 values in blocks of 2 over 2 ranks, rank 0 has 0 1 4 5 8 9.
// Boxes of tensors of any dimension are shards (shard.hpp).
#pragma once

#include <concepts>
#include <string>

#include "fill.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The numbers of strided values: `block` consecutive numbers from `first` on, then as many from first + step on, and
/// so on. Requires a block of at least 1. Blocks may overlap.
struct indices {
    uint64_t first = 0;
    uint64_t step = 1;   ///< from the first number of a block to that of the next
    uint64_t block = 1;  ///< consecutive numbers in a block

    /// Returns number k: first + k / block * step + k % block. With an empty block, which fills reject, every number is
    /// `first`.
    [[nodiscard]] constexpr uint64_t operator[](uint64_t k) const {
        return block == 0 ? first : first + k / block * step + k % block;
    }
    friend constexpr bool operator==(const indices&, const indices&) = default;
};

namespace detail {

/// Throws Error (invalid_argument), whose text begins with the call, on an empty block or a rank that does not exist.
constexpr void check_dealing(const char* call, uint64_t block, uint64_t rank, uint64_t ranks) {
    if (block == 0) raise_text(ErrorCode::invalid_argument, "%s: block must be at least 1, got 0", call);
    if (rank >= ranks)
        raise_text(ErrorCode::invalid_argument, "%s: rank must be below ranks, got rank %llu of %llu", call,
                   static_cast<unsigned long long>(rank), static_cast<unsigned long long>(ranks));
}

}  // namespace detail

/// The part of an array that one rank has: blocks rank, rank + ranks, rank + 2 ranks, ... in this order. Requires a
/// block of at least 1, and rank < ranks.
struct block_cyclic {
    uint64_t size = 0;   ///< of the whole array, in values
    uint64_t block = 1;  ///< values in a block; 1: a cyclic layout
    uint64_t rank = 0;
    uint64_t ranks = 1;

    /// Returns how many values the rank has (ScaLAPACK's numroc). Throws Error (invalid_argument): an empty block, or a
    /// rank that does not exist.
    [[nodiscard]] constexpr uint64_t count() const {
        detail::check_dealing("block_cyclic", block, rank, ranks);
        const uint64_t blocks = size / block, more = blocks % ranks;
        return blocks / ranks * block + (rank < more ? block : rank == more ? size % block : 0);
    }
    /// Returns the numbers that the rank's values have in the whole array. All zero if the rank has none.
    /// Throws Error as count() does.
    [[nodiscard]] constexpr indices numbers() const {
        if (count() == 0) return {0, 0, block};
        return {rank * block, size / block < ranks ? 0 : ranks * block, block};
    }
};

namespace detail {

/// Returns one more than the greatest of the first n numbers. Throws Error (invalid_argument), whose text begins with
/// the call: an empty block, numbers of 2^64 - 1 or more.
[[nodiscard]] RNG_API uint64_t checked_reach(const char* call, const char* name, const indices& at, uint64_t n);
/// Throws Error (invalid_argument) unless the layout is valid and gives the rank n values.
RNG_API void check_layout(const char* name, const block_cyclic& layout, uint64_t n);
/// The request's stream is positioned at value 0. Requires numbers that checked_reach() has checked.
RNG_API void fill_indexed(const FillRequest& request, void* out, size_t n, const indices& at);

}  // namespace detail

/// Fills a contiguous range of the distribution's type: out[k] = at(stream, dist, numbers[k]). Pure.
/// Throws Error: parameters out of range, null data, an empty block, numbers of 2^64 - 1 or more.
/// Throws Error (end_of_stream) if a number is past the end of the stream. Then nothing is written.
template <std::ranges::contiguous_range R, distribution D, class E, std::same_as<indices> I>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, const Stream<E>& stream, const I& numbers) {
    detail::check_element_type<R, D>();
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out));
    const uint64_t reach = detail::checked_reach("fill", detail::name_of<D>(), numbers, n);
    if (reach > 0) (void)detail::positioned<D>(stream, reach - 1, 1);  // its error names the greatest number
    detail::fill_indexed(detail::unchecked_request(detail::canonical(dist), detail::positioned<D>(stream, 0, 0)), data,
                         n, numbers);
}

/// Does not compile: fills of device memory do not take indices, and the message says what to write.
template <class T, distribution D, class E, std::same_as<indices> I>
void fill(device_span<T>, const D&, const Stream<E>&, const I&) {
    static_assert(detail::never<T>, "fill: indices are for host memory: a kernel calls at(stream, dist, numbers[k])");
}

/// Fills a rank's part of an array, and advances the generator past the whole array. So generators that have the same
/// state on all ranks keep the same state, also on ranks without values. `part` has layout.count() values.
/// Throws Error as the fill from a stream does, and:
/// - if the layout has an empty block or a rank that does not exist, or if the part has another size;
/// - if the generator belongs to another device, or if the whole array does not fit into its stream.
/// Then nothing is written, and the generator is unchanged.
template <std::ranges::contiguous_range R, distribution D, detail::movable_generator G>
requires std::ranges::sized_range<R>
void dist_fill(R&& part, const block_cyclic& layout, const D& dist, G&& generator) {
    Generator& from = generator;
    detail::check_element_type<R, D>();
    detail::validate("dist_fill", dist);
    detail::require_cpu(detail::name_of<D>(), from.device(), "dist_fill");
    const auto data = std::ranges::data(part);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(part), "dist_fill");
    detail::check_layout(detail::name_of<D>(), layout, n);
    if (layout.size == 0) return;
    detail::fill_indexed(detail::request(detail::canonical(dist), from.claim("dist_fill", layout.size, D::slot_words)),
                         data, n, layout.numbers());
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
