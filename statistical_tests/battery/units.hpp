// Units of work of a stage, dealt out one by one: numbers, or segments of a source.
#pragma once

#include <rng/stats/source.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "segment_buffer.hpp"

namespace rng::stats {

/// Deals out units 0, 1, ... to threads. Every unit below next_index() has been dealt out.
class Units {
  public:
    explicit Units(uint64_t first) : next_(first) {}
    virtual ~Units() = default;

    /// Gives the next unit that no one has had, with its data in `buffer`. Returns false if there is none before `end`.
    /// May be called from several threads. Throws what the source throws. No later call gives a unit after that, nor
    /// after the end of the source.
    virtual bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) = 0;
    [[nodiscard]] virtual uint64_t next_index() const { return next_; }
    [[nodiscard]] virtual bool ended() const { return false; }

  protected:
    std::atomic<uint64_t> next_;
};

class NumberedUnits final : public Units {
  public:
    using Units::Units;
    bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) override;
};

/// Segments of a source, at most `bytes` bytes of it (a multiple of unit_bytes()).
class StreamUnits final : public Units {
  public:
    /// Once `stopped` returns true, no more is read. A source without random access may then have stopped waiting, so
    /// an incomplete segment of such a source is dropped.
    StreamUnits(Source& source, uint64_t first, uint64_t bytes, std::function<bool()> stopped);

    bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) override;
    [[nodiscard]] uint64_t next_index() const override;  ///< number of all segments if the source has ended
    [[nodiscard]] bool ended() const override { return ended_; }
    [[nodiscard]] uint64_t bytes() const;  ///< bytes in the units that were given out

  private:
    Source& source_;
    std::mutex mutex_;
    std::atomic<uint64_t> bytes_;
    std::atomic<bool> ended_ = false;
    bool failed_ = false;
    std::function<bool()> stopped_;
};

}  // namespace rng::stats
