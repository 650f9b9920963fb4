// Fills of shards: the values of the whole tensor that lie in a box of it.
#include <rng/shard.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cpu/fp_environment.hpp"
#include "prepared_fill.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Joins neighbouring dimensions that are one run of values and one run of memory, and drops those of size 1.
ShardTarget joined(ShardTarget t) {
    for (size_t k = t.shape.size(); k-- > 1;) {
        const bool is_whole = t.offsets[k] == 0 && t.sizes[k] == t.shape[k];
        if (!is_whole || (t.sizes[k - 1] > 1 && t.strides[k - 1] != t.strides[k] * static_cast<ptrdiff_t>(t.sizes[k])))
            continue;
        t.shape[k - 1] *= t.shape[k];
        t.offsets[k - 1] *= t.shape[k];
        t.sizes[k - 1] *= t.shape[k];
        t.strides[k - 1] = t.strides[k];
        for (auto* list : {&t.shape, &t.offsets, &t.sizes}) list->erase(list->begin() + static_cast<ptrdiff_t>(k));
        t.strides.erase(t.strides.begin() + static_cast<ptrdiff_t>(k));
    }
    return t;
}

/// A box of a tensor, filled by runs of its last dimension.
class ShardFill {
  public:
    ShardFill(const PreparedFill& job, const ShardTarget& target, size_t size)
        : job_(job), target_(target), size_(size), run_(target.sizes.back()) {}

    /// Writes elements [first, first + count) of the box, in row-major order.
    void write(size_t first, size_t count) const {
        alignas(64) std::byte buffer[tile_words * 4];
        const size_t most = buffer_values();
        const ptrdiff_t step = target_.strides.back();
        while (count > 0) {
            uint64_t value = 0, factor = 1;
            ptrdiff_t place = 0;
            size_t rest = first;
            for (size_t k = target_.shape.size(); k-- > 0; rest /= target_.sizes[k]) {
                const size_t i = rest % target_.sizes[k];
                value += (target_.offsets[k] + i) * factor;
                factor *= target_.shape[k];
                place += static_cast<ptrdiff_t>(i) * target_.strides[k];
            }
            size_t now = std::min(count, run_ - first % run_);
            std::byte* const to = static_cast<std::byte*>(target_.data) + place * static_cast<ptrdiff_t>(size_);
            if (step == 1) {
                job_.run(value, now, to);
            } else {
                now = std::min(now, most);
                job_.run(value, now, buffer);
                for (size_t i = 0; i < now; ++i)
                    std::memcpy(to + static_cast<ptrdiff_t>(i * size_) * step, buffer + i * size_, size_);
            }
            first += now;
            count -= now;
        }
    }

  private:
    [[nodiscard]] size_t buffer_values() const { return tile_words * 4 / size_; }

    const PreparedFill& job_;
    const ShardTarget& target_;
    size_t size_, run_;
};

}  // namespace

void fill_shard(const FillRequest& request, ShardTarget target) {
    const rng_cpu::FpEnvironment environment;
    require_valid(request);
    size_t n = 1;
    for (const size_t size : target.sizes) n *= size;
    if (n == 0) return;
    const PreparedFill job(request, n);
    const ShardTarget box = joined(std::move(target));
    const ShardFill shard_fill(job, box, request.value_bytes);
    in_chunks(request, n, [&](size_t first, size_t count) { shard_fill.write(first, count); });
}

uint64_t checked_shard(const std::string& call, const ShardTarget& t) {
    const size_t dimensions = t.shape.size();
    if (dimensions == 0 || t.offsets.size() != dimensions || t.sizes.size() != dimensions ||
        t.strides.size() != dimensions)
        refuse(call,
               "a shard must have as many offsets, sizes and strides as its tensor has dimensions, at least 1; got " +
                   std::to_string(t.offsets.size()) + ", " + std::to_string(t.sizes.size()) + ", " +
                   std::to_string(t.strides.size()) + " of " + std::to_string(dimensions));
    uint64_t whole = 1;
    bool is_empty = false;
    for (size_t k = 0; k < dimensions; ++k) {
        if (t.offsets[k] > t.shape[k] || t.sizes[k] > t.shape[k] - t.offsets[k])
            refuse(call, "the shard must lie in the tensor: in dimension " + std::to_string(k) + " it has offset " +
                             std::to_string(t.offsets[k]) + " and size " + std::to_string(t.sizes[k]) + " of " +
                             std::to_string(t.shape[k]));
        if (__builtin_mul_overflow(whole, uint64_t{t.shape[k]}, &whole))
            refuse(call, "the tensor must have less than 2^64 elements");
        is_empty = is_empty || t.sizes[k] == 0;
    }
    if (t.data == nullptr && !is_empty) refuse(call, "the destination is null but the shard is not empty");
    return whole;
}

}  // namespace detail
RNG_END_NAMESPACE
