// The components of many rows at once, for rng/fill_rows.hpp: the words of equal components of all rows go through one
// map, in vectors.
#include <rng/detail/row_components.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

#include "prepared_fill.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

const rng_abi::KernelTable& kernels_of_rows() { return rng_cpu::kernels_for(rows_together * sizeof(double), false); }

/// Copies n elements of Size bytes. Strides are in bytes.
template <size_t Size>
void copy_elements(const std::byte* from, ptrdiff_t from_stride, std::byte* to, ptrdiff_t to_stride, size_t n) {
    if (from_stride == Size && to_stride == Size) {
        std::memcpy(to, from, n * Size);
        return;
    }
    for (size_t i = 0; i < n; ++i, from += from_stride, to += to_stride) std::memcpy(to, from, Size);
}
/// Copies elements of 4, 8 or 16 bytes: a size known at compile time makes a copy one instruction.
void copy_elements(size_t size, const void* from, size_t from_stride, void* to, ptrdiff_t to_stride, size_t n) {
    const auto copy = size == 4 ? &copy_elements<4> : size == 8 ? &copy_elements<8> : &copy_elements<16>;
    copy(static_cast<const std::byte*>(from), static_cast<ptrdiff_t>(from_stride), static_cast<std::byte*>(to),
         to_stride, n);
}

}  // namespace

RowStreams::RowStreams(const StreamRecord& first, size_t rows)
    : engine_(first.engine), rows_(rows), block_words_(words_per_block(first.engine, engines{})) {
    uint64_t block[rows_together];
    uint32_t in_domain[rows_together];
    const int log2_words = std::countr_zero(block_words_);  // a division takes as long as a value
    for (size_t i = 0; i < rows; ++i) {
        const uint64_t word = first.position + i * row_slot_words;
        block[i] = word >> log2_words;
        in_domain[i] = domain::private_streams + static_cast<uint32_t>(word & (block_words_ - 1));
    }
    kernels_of_rows().scattered_blocks[static_cast<int>(first.engine)](block, in_domain, first.id, first.key, names_,
                                                                       rows);
}

void RowStreams::fill_component(const FillRequest& base, uint64_t j, std::byte* out, ptrdiff_t stride) {
    const uint64_t unit_words = kernels_of_rows().maps[base.index]->unit_words, word = j * base.slot_words;
    const uint64_t unit = word & ~(unit_words - 1), values = unit_words / base.slot_words;
    if (values == 1 || unit != pair_) make_unit(base, unit);
    pair_ = values == 1 ? none : unit;
    copy_elements(base.value_bytes, values_ + (word - unit) / base.slot_words * base.value_bytes,
                  values * base.value_bytes, out, stride, rows_);
}

void RowStreams::make_unit(const FillRequest& base, uint64_t word) {
    const rng_abi::KernelTable& kernels = kernels_of_rows();
    alignas(64) std::byte map[rng_abi::most_map_bytes];
    rng_abi::MapFunctions functions = *kernels.maps[base.index];
    functions.prepare(base.distribution, map, nullptr);
    leave_out_empty_squeeze(functions, map);
    if (const uint64_t block = word / block_words_; block != block_ || base.domain != domain_) {
        kernels.child_blocks[static_cast<int>(engine_)](names_, block, base.domain, blocks_, rows_);
        block_ = block;
        domain_ = base.domain;
    }
    const size_t unit_words = functions.unit_words, values = unit_words / base.slot_words, n = rows_ * values;
    const size_t padded = (n + functions.slot_multiple - 1) & ~(functions.slot_multiple - 1);
    uint32_t* const units = unit_words == block_words_ ? blocks_ : units_;
    const size_t unit_bytes = unit_words * sizeof(uint32_t), block_bytes = block_words_ * sizeof(uint32_t);
    if (units != blocks_)
        copy_elements(unit_bytes, blocks_ + word % block_words_, block_bytes, units_,
                      static_cast<ptrdiff_t>(unit_bytes), rows_);
    std::fill(units + rows_ * unit_words, units + padded * base.slot_words, 0u);

    uint32_t undecided[rows_together * most_unit_bytes / sizeof(float)];
    const size_t listed = functions.apply(map, units, values_, padded, undecided);
    const auto left = static_cast<size_t>(std::lower_bound(undecided, undecided + listed, rows_) - undecided);
    if (left > 0)
        write_undecided({base, kernels, functions, map, block_words_, units, names_, word}, 0, undecided, left, 0,
                        values_);
}

void RowStreams::fill_binomials(uint64_t tag, const uint64_t* trials, double p, uint64_t* counts) {
    if (lane::is_zero(p)) {
        std::fill_n(counts, rows_, uint64_t{0});
        return;
    }
    const rng_abi::KernelTable& kernels = kernels_of_rows();
    const auto child_blocks = kernels.child_blocks[static_cast<int>(engine_)];
    alignas(64) uint32_t forks[rows_together * most_block_words];
    child_blocks(names_, tag, domain::tagged, forks, rows_);
    child_blocks(forks, 0, domain::draws, blocks_, rows_);
    block_ = none;
    uint64_t words[rows_together];
    double share[rows_together];
    for (size_t i = 0; i < rows_; ++i) {
        const uint32_t* const word = blocks_ + i * block_words_;
        words[i] = word[0] | static_cast<uint64_t>(word[1]) << 32;
        share[i] = p;
    }
    kernels.binomial_counts(trials, share, words, counts, rows_);
}

size_t finish_rows(int index, const void* dist, void* columns, size_t height, size_t rows) {
    const auto* const finish = kernels_of_rows().finish_rows;
    return finish == nullptr ? 0 : finish[index](dist, columns, height, rows);
}

}  // namespace detail
RNG_END_NAMESPACE
