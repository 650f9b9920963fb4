// The components of many rows at once, for rng/fill_rows.hpp: the words of equal components of all rows go through one
// map, in vectors.
#include <rng/core/tape.hpp>
#include <rng/detail/row_components.hpp>

#include <algorithm>
#include <cstring>

#include "prepared_fill.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// A component of a batch of rows.
class ComponentFill {
  public:
    /// The component's slot begins at `word` of each private stream. The blocks that have it are at `blocks`, those
    /// that name the streams at `names`.
    ComponentFill(const FillRequest& law, uint64_t word, size_t block_words, const uint32_t* blocks,
                  const uint32_t* names, const rng_abi::KernelTable& kernels)
        : law_(law),
          word_(word),
          block_words_(block_words),
          slot_(blocks + word % block_words),
          names_(names),
          slot_bytes_(law.slot_words * sizeof(uint32_t)),
          functions_(kernels.maps[law.index]) {
        functions_.prepare(law.distribution, map_, nullptr);
    }

    void run(size_t rows, std::byte* out, ptrdiff_t stride) {
        for (size_t i = 0; i < rows; ++i) {
            set_slot(i, slot_ + i * block_words_);
            index_[i] = static_cast<uint32_t>(i);
        }
        size_t left = attempt(functions_.apply, rows, out, stride);
        if (left > 0 && functions_.attempt != functions_.apply) {  // a quick() left values that the slots do decide
            for (size_t i = 0; i < left; ++i) set_slot(i, slot_ + index_[i] * block_words_);
            left = attempt(functions_.attempt, left, out, stride);
        }
        for (size_t i = 0; i < left; ++i) finish(index_[i], out + static_cast<ptrdiff_t>(index_[i]) * stride);
    }

  private:
    static constexpr size_t most_slot_words = 4, most_value_bytes = 8;

    void set_slot(size_t i, const uint32_t* words) {
        if (law_.slot_words == 2)  // a size known when compiling makes a copy one instruction
            std::memcpy(slots_ + 2 * i, words, 2 * sizeof(uint32_t));
        else if (law_.slot_words == 4)
            std::memcpy(slots_ + 4 * i, words, 4 * sizeof(uint32_t));
        else
            std::memcpy(slots_ + law_.slot_words * i, words, slot_bytes_);
    }
    /// Lets the map try n slots, writes the values that it decides, and returns how many it leaves at the start of
    /// index_.
    size_t attempt(rng_abi::MapFunctions::Apply apply, size_t n, std::byte* out, ptrdiff_t stride) {
        const size_t padded = (n + functions_.granule - 1) / functions_.granule * functions_.granule;
        std::memset(slots_ + n * law_.slot_words, 0, (padded - n) * slot_bytes_);
        uint32_t undecided[rows_together];
        const size_t listed = apply(map_, slots_, values_, padded, undecided);
        const size_t size = law_.value_bytes;
        for (size_t i = 0; i < n; ++i) {
            std::byte* const to = out + static_cast<ptrdiff_t>(index_[i]) * stride;
            if (size == 8)
                std::memcpy(to, values_ + 8 * i, 8);
            else
                std::memcpy(to, values_ + size * i, size);
        }
        size_t left = 0;
        for (; left < listed && undecided[left] < n; ++left) index_[left] = index_[undecided[left]];
        return left;
    }
    /// Writes the value of one row from its whole tape.
    void finish(size_t row, std::byte* value) const {
        visit_engine(law_.stream.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            typename E::counter_type name{};
            const uint32_t* words = names_ + row * block_words_;
            for (int k = 0; k < name.size(); ++k) {
                name[k] = *words++;
                if constexpr (sizeof(name[0]) == 8) name[k] |= uint64_t{*words++} << 32;
            }
            const Stream<E> p(E::child_key(name), E::child_id(name), 0);
            Tape<E> tape(p, word_, static_cast<int>(law_.slot_words));
            const auto next = [](void* self) { return static_cast<Tape<E>*>(self)->word(); };
            alignas(64) std::byte made[most_value_bytes];
            functions_.finish(map_, {&tape, next}, made);
            std::memcpy(value, made, law_.value_bytes);
        });
    }

    const FillRequest& law_;
    uint64_t word_;
    size_t block_words_;
    const uint32_t* slot_;  // of the first row
    const uint32_t* names_;
    size_t slot_bytes_;
    const rng_abi::MapFunctions& functions_;
    alignas(64) std::byte map_[rng_abi::most_map_bytes];
    alignas(64) uint32_t slots_[rows_together * most_slot_words];
    alignas(64) std::byte values_[rows_together * most_value_bytes];
    uint32_t index_[rows_together];  // the rows of the slots
};

}  // namespace

RowStreams::RowStreams(const StreamRecord& first, size_t rows)
    : rows_(rows), block_words_(words_per_block(first.engine, engines{})) {
    uint64_t block[rows_together];
    uint32_t in_domain[rows_together];
    for (size_t i = 0; i < rows; ++i) {
        const uint64_t word = first.position + i * row_slot_words;
        block[i] = word / block_words_;
        in_domain[i] = domain::private_streams + static_cast<uint32_t>(word % block_words_);
    }
    rng_cpu::kernels_for(sizeof names_, false)
        .scattered_blocks[static_cast<int>(first.engine)](block, in_domain, first.id, first.key, names_, rows);
}

void RowStreams::fill_components(const FillRequest& law, uint64_t j, std::byte* out, ptrdiff_t stride) {
    const rng_abi::KernelTable& kernels = rng_cpu::kernels_for(sizeof blocks_, false);
    const uint64_t word = j * law.slot_words, number = word / block_words_;
    if (number != number_) {
        kernels.child_blocks[static_cast<int>(law.stream.engine)](names_, number, blocks_, rows_);
        number_ = number;
    }
    ComponentFill(law, word, block_words_, blocks_, names_, kernels).run(rows_, out, stride);
}

}  // namespace detail
RNG_END_NAMESPACE
