#include "work_queue.hpp"

#include <algorithm>
#include <utility>

namespace rng::stats {

bool CaseQueue::next(uint64_t end, SegmentBuffer&, Segment& segment) {
    uint64_t mine = next_;
    while (mine < end)
        if (next_.compare_exchange_weak(mine, mine + 1)) {
            segment = {};
            segment.index = mine;
            return true;
        }
    return false;
}

SegmentQueue::SegmentQueue(Source& source, uint64_t first, uint64_t bytes, std::function<bool()> stopped)
    : WorkQueue(first), source_(source), bytes_(bytes), stopped_(std::move(stopped)) {}

bool SegmentQueue::next(uint64_t end, SegmentBuffer& buffer, Segment& segment) {
    std::unique_lock lock(mutex_);
    if (next_ >= end || ended_ || failed_ || stopped_()) return false;
    const uint64_t index = next_, position = index * segment_bytes;
    const std::size_t asked = static_cast<std::size_t>(std::min<uint64_t>(segment_bytes, bytes_ - position));
    const bool is_shared = source_.is_random_access();
    if (is_shared) {
        ++next_;
        lock.unlock();
    }
    std::size_t got = 0;
    try {
        got = buffer.read(position, asked);
    } catch (...) {
        if (is_shared) lock.lock();
        failed_ = true;
        throw;
    }
    if (is_shared)
        lock.lock();
    else if (got < asked && stopped_())
        return false;
    else
        ++next_;
    if (got < asked) {
        got -= got % granularity(source_);
        bytes_ = std::min<uint64_t>(bytes_, position + got);
        ended_ = true;
        if (got == 0) return false;
    }
    segment = buffer.segment(index, got);
    return true;
}

uint64_t SegmentQueue::next_index() const {
    return ended_ ? std::min<uint64_t>(next_, (bytes_ + segment_bytes - 1) / segment_bytes) : next_.load();
}

uint64_t SegmentQueue::bytes() const { return std::min<uint64_t>(bytes_, next_ * segment_bytes); }

}  // namespace rng::stats
