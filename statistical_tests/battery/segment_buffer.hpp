// The memory of a segment: its bytes and, for a source of values, the values and probabilities that they were made of.
#pragma once

#include <rng/stats/value_law.hpp>

#include <memory>
#include <new>
#include <vector>

#include "../checks/test.hpp"

namespace rng::stats {

/// Returns the bytes of which a run takes whole multiples: a value, or words of up to 64 bits.
[[nodiscard]] inline std::size_t granularity(const Source& source) {
    return dynamic_cast<const ValueSource*>(&source) ? 4 : 8;
}

class SegmentBuffer {
  public:
    SegmentBuffer() = default;  ///< holds no memory: structural tests need none
    explicit SegmentBuffer(Source& source)
        : bytes_(new (std::align_val_t{64}) std::byte[segment_bytes]),
          source_(&source),
          values_source_(dynamic_cast<ValueSource*>(&source)) {
        if (!values_source_) return;
        values_.resize(segment_bytes / 4);
        probabilities_.resize(segment_bytes / 4);
    }

    /// Calls Source::read() into this memory, from byte `at` on. Requires `at` to be a multiple of 8.
    std::size_t read(uint64_t position, std::size_t size, std::size_t at = 0) {
        const std::span<std::byte> to(bytes_.get() + at, size);
        return values_source_ ? values_source_->read(position, to, std::span(values_).subspan(at / 4),
                                                     std::span(probabilities_).subspan(at / 4))
                              : source_->read(position, to);
    }
    /// Returns the first `size` bytes that were read, or the values that they were made of.
    [[nodiscard]] Segment segment(uint64_t index, std::size_t size) const {
        Segment segment{index, {bytes_.get(), size / 8 * 8}, source_->word_bits()};
        if (values_source_) {
            segment.values = {values_.data(), size / 4};
            segment.probabilities = {probabilities_.data(), size / 4};
        }
        return segment;
    }

  private:
    struct FreeAligned {
        void operator()(std::byte* p) const { ::operator delete[](p, std::align_val_t{64}); }
    };
    std::unique_ptr<std::byte[], FreeAligned> bytes_;
    Source* source_ = nullptr;
    ValueSource* values_source_ = nullptr;
    std::vector<double> values_, probabilities_;
};

}  // namespace rng::stats
