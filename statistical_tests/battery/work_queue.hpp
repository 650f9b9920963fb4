// The work of a stage, which threads take one item at a time: cases of structural tests, or segments of a source.
#pragma once

#include <rng/stats/source.hpp>

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "segment_buffer.hpp"

namespace rng::stats {

/// Gives items 0, 1, ... to threads. Every item below next_index() has been given out.
class WorkQueue {
  public:
    explicit WorkQueue(uint64_t first) : next_(first) {}
    virtual ~WorkQueue() = default;

    /// Gives the next item, with its data in `buffer`. Returns false if there is none below `end`. May be called from
    /// several threads. Throws what the source throws. No later call gives an item after that, nor after the end of the
    /// source.
    virtual bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) = 0;
    [[nodiscard]] virtual uint64_t next_index() const { return next_; }
    [[nodiscard]] virtual bool ended() const { return false; }

  protected:
    std::atomic<uint64_t> next_;
};

/// Cases of structural tests.
class CaseQueue final : public WorkQueue {
  public:
    using WorkQueue::WorkQueue;
    bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) override;
};

/// Segments of a source, at most `bytes` bytes of it (a multiple of granularity()).
class SegmentQueue final : public WorkQueue {
  public:
    /// Once `stopped` returns true, no more is read. A source without random access may then have stopped waiting, so
    /// an incomplete segment of such a source is dropped.
    SegmentQueue(Source& source, uint64_t first, uint64_t bytes, std::function<bool()> stopped);

    bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) override;
    [[nodiscard]] uint64_t next_index() const override;  ///< number of all segments if the source has ended
    [[nodiscard]] bool ended() const override { return ended_; }
    [[nodiscard]] uint64_t bytes() const;  ///< bytes in the segments that were given out

  private:
    Source& source_;
    std::mutex mutex_;
    std::atomic<uint64_t> bytes_;
    std::atomic<bool> ended_ = false;
    bool failed_ = false;
    std::function<bool()> stopped_;
};

}  // namespace rng::stats
