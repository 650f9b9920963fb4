// The fill kernel on CUDA: the work of one thread of a grid. It runs on the host too, where tests count its stores.
//
// A thread computes work items and writes segments (device_fill_layout.hpp), 16 bytes at a time, so that the stores of
// a warp are contiguous. If a segment has values of two work items, those of the second one come from the next lane of
// the warp. The values before the first segment and after the last one are written one by one, and so are all values of
// a destination that has strides or does not lie at a multiple of the value's size. No bit depends on the grid.
#pragma once

#include "device_fill_layout.hpp"
#include "warp_retries.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The values of a work item or of a segment, as words.
template <class F> struct ItemWords {
    static constexpr int count = F::item_bytes / 4;
    alignas(16) uint32_t v[static_cast<unsigned>(count)];
};

/// Returns the values of a work item. Sets the bits in `undecided` of those that the warp computes later (WarpRetries).
template <class D, class E>
RNG_FN ItemWords<DeviceFill<D, E>> words_of_item(const DeviceFill<D, E>& f, uint64_t group,
                                                 [[maybe_unused]] uint32_t& undecided) {
    using F = DeviceFill<D, E>;
    using T = typename F::T;
    ItemWords<F> words;
    [[maybe_unused]] const auto values_of = [&f, group, &undecided](auto type, int g) {
        using V = typename decltype(type)::type;
        if constexpr (has_warp_retries<D>) {
            const auto made = proposals_of_group<D, lane::Scalar, V>(f.stream, f.map, group + g);
            undecided |= made.undecided << (g * F::group_values);
            return made.values;
        } else {
            (void)undecided;
            return values_of_group<D, lane::Scalar, V>(f.stream, f.map, group + g);
        }
    };
#if RNG_HALVES_BY_INSTRUCTION
    constexpr bool in_twos = is_half<T> && F::group_values % 2 == 0;
#else
    constexpr bool in_twos = false;
#endif
    if constexpr (is_same<D, StreamBytes>) {
        const Group<D, E> made(f.stream, group);
        RNG_UNROLL
        for (int k = 0; k < ItemWords<F>::count; ++k) words.v[k] = E::word_of(made.block[0], k);
    } else if constexpr (in_twos) {
        RNG_UNROLL
        for (int g = 0; g < F::item_groups; ++g) {
            const auto made = values_of(type_tag<float>{}, g);
            RNG_UNROLL
            for (int k = 0; k < F::group_values; k += 2)
                words.v[(g * F::group_values + k) / 2] = T::two_from_results(made[k], made[k + 1]);
        }
    } else {
        T values[F::item_values];
        RNG_UNROLL
        for (int g = 0; g < F::item_groups; ++g) {
            const auto made = values_of(type_tag<T>{}, g);
            RNG_UNROLL
            for (int k = 0; k < F::group_values; ++k) values[g * F::group_values + k] = made[k];
        }
        __builtin_memcpy(words.v, values, sizeof values);
    }
    return words;
}

template <class F> RNG_FN void store_segment(typename F::T* to, const ItemWords<F>& words) {
    RNG_UNROLL
    for (int k = 0; k < F::item_bytes; k += 16) {
        auto* const place = reinterpret_cast<char*>(to) + k;
        const uint32_t* const w = words.v + k / 4;
#if defined(__CUDA_ARCH__)
        *reinterpret_cast<uint4*>(place) = uint4{w[0], w[1], w[2], w[3]};  // one store, also without optimisation
#else
        __builtin_memcpy(place, w, 16);
#endif
    }
}

/// The thread's place in a grid of whole warps. On the host a warp has one lane.
struct GridPlace {
    uint64_t thread, threads;
#if defined(__CUDA_ARCH__)
    static constexpr unsigned lanes = 32, with_neighbour = lanes - 1;
#else
    static constexpr unsigned lanes = 1, with_neighbour = 1;
#endif
    [[nodiscard]] RNG_FN uint64_t warp() const { return thread / lanes; }
    [[nodiscard]] RNG_FN uint64_t warps() const { return threads / lanes; }
    [[nodiscard]] RNG_FN unsigned lane() const { return static_cast<unsigned>(thread % lanes); }
};

/// Writes the segments where each is a work item, several at a time. Returns the first segment that it has not written.
template <class D, class E>
RNG_FN uint64_t write_items(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, GridPlace at,
                            WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    static_assert(F::turn == 1 || !has_warp_retries<D>);
    constexpr uint64_t turn = F::turn, lanes = GridPlace::lanes;
    constexpr uint64_t together = turn == 1 && !has_warp_retries<D> ? 1 : turn * lanes;
    const uint64_t end = p.segment + (p.segments_end - p.segment) / together * together;
    const uint64_t u = p.segment + at.warp() * (turn * lanes) + at.lane();
    uint64_t group = p.first_group + u * F::item_groups;
    typename F::T* to = f.out + p.index(u);
    typename F::T* const to_end = f.out + p.index(end);
    for (; to < to_end; to += at.threads * (turn * F::item_values), group += at.threads * (turn * F::item_groups)) {
        ItemWords<F> words[turn];
        uint32_t undecided = 0;
        RNG_UNROLL
        for (unsigned i = 0; i < turn; ++i)
            words[i] = words_of_item(f, group + i * (lanes * F::item_groups), undecided);
        RNG_UNROLL
        for (unsigned i = 0; i < turn; ++i) store_segment(to + i * (lanes * F::item_values), words[i]);
        retries.add(static_cast<uint64_t>(to - f.out), undecided);
    }
    return end;
}

/// The most bytes of a lead, which consists of whole values. A lead is shorter than 16 bytes and shorter than a group.
template <class F, int size = static_cast<int>(sizeof(typename F::T))>
inline constexpr int most_lead = ((F::group_bytes < 16 ? F::group_bytes : 16) - 1) / size* size;

/// Returns the segment that begins `lead` values after the work item; next(i) returns word i of the next work item.
template <class F, class Next>
RNG_FN ItemWords<F> segment_of(const ItemWords<F>& item, const Next& next, uint32_t lead) {
    constexpr int count = ItemWords<F>::count, more = (most_lead<F> + 3) / 4;
    uint32_t window[static_cast<unsigned>(count + more)];
    RNG_UNROLL
    for (int i = 0; i < count; ++i) window[i] = item.v[i];
    RNG_UNROLL
    for (int i = 0; i < more; ++i) window[count + i] = next(i);
    const uint32_t bytes = lead * static_cast<uint32_t>(sizeof(typename F::T));
    const auto shift_by = [&window, bytes](int words) {
        const bool shifts = (bytes & static_cast<uint32_t>(4 * words)) != 0;
        RNG_UNROLL
        for (int i = 0; i + words < count + more; ++i) window[i] = shifts ? window[i + words] : window[i];
    };
    if constexpr (most_lead<F> >= 8) shift_by(2);
    if constexpr (most_lead<F> >= 4) shift_by(1);
    ItemWords<F> segment;
    RNG_UNROLL
    for (int i = 0; i < count; ++i) {
        if constexpr (sizeof(typename F::T) % 4 != 0)
            segment.v[i] = static_cast<uint32_t>((uint64_t{window[i + 1]} << 32 | window[i]) >> bytes % 4 * 8);
        else
            segment.v[i] = window[i];
    }
    return segment;
}

/// segment_of() for the work item of block group `group`. All lanes of the warp must call it together, because the next
/// lane has the next work item.
template <class D, class E>
RNG_FN auto segment_of_lanes([[maybe_unused]] const DeviceFill<D, E>& f, [[maybe_unused]] uint64_t group,
                             const ItemWords<DeviceFill<D, E>>& item, uint32_t lead) {
#if defined(__CUDA_ARCH__)
    return segment_of(
        item, [&item](int i) { return __shfl_down_sync(0xffffffffu, item.v[i], 1); }, lead);
#else
    uint32_t undecided = 0;
    const auto after = words_of_item(f, group + DeviceFill<D, E>::item_groups, undecided);
    return segment_of(
        item, [&after](int i) { return after.v[i]; }, lead);
#endif
}

/// Writes the segments where each has values of two work items. Returns the first segment that it has not written. The
/// last lane of a warp computes a work item for its neighbour only.
template <class D, class E>
RNG_FN uint64_t write_segments(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, GridPlace at,
                               WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    if constexpr (most_lead<F> <= 0) {
        return p.segment;
    } else {
        constexpr uint64_t together = GridPlace::with_neighbour;
        const uint64_t end = p.segment + (p.segments_end - p.segment) / together * together;
        const uint64_t u = p.segment + at.warp() * together + at.lane();
        uint64_t group = p.first_group + u * F::item_groups;
        typename F::T* to = f.out + p.index(u);
        typename F::T* const to_end = f.out + p.index(end + at.lane());  // the lanes of a warp end together
        RNG_ROLLED
        for (; to < to_end;
             to += at.warps() * (together * F::item_values), group += at.warps() * (together * F::item_groups)) {
            uint32_t undecided = 0;
            const ItemWords<F> item = words_of_item(f, group, undecided);
            const ItemWords<F> segment = segment_of_lanes(f, group, item, p.lead);
            if (at.lane() < together) store_segment(to, segment);
            // The warp's first and last work item also have values in segments of other warps, perhaps of other blocks.
            const uint32_t of_lead = (1u << p.lead) - 1;
            if (at.lane() == 0) undecided &= ~of_lead;
            if (at.lane() == together) undecided &= of_lead;
            retries.add(static_cast<uint64_t>(to - f.out) - p.lead, undecided);
        }
        return end;
    }
}

/// Writes the values i < head and tail <= i < n, one by one or, with has_one_loop, by segments where possible. Head is
/// 0 if the destination has strides.
template <class D, class E>
RNG_FN void write_values(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, uint64_t head,
                         uint64_t tail, GridPlace at, WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    constexpr uint64_t size = F::item_values;
    static_assert(size <= 32, "a work item's values are the bits of a word");
    const auto items_before = [&p](uint64_t i) { return (i + p.skipped + (size - 1)) / size; };
    const uint64_t head_items = head == 0 ? 0 : items_before(head);
    const uint64_t first = has_one_loop<D, E> ? 0 : (tail + p.skipped) / size;
    const uint64_t cols = f.strides.cols, rows = f.down ? f.n / cols : 1;
    // With `down`, a work item that has values of two rows is computed once for each of them.
    const uint64_t items = f.down ? rows * f.items_of_row() : head_items + items_before(f.n) - first;
    const uint64_t segments = p.segments_end - p.segment;
    // If segments have values of two work items, the last lane of a warp computes a work item for its neighbour only.
    const unsigned together = has_one_loop<D, E> && p.lead != 0 ? GridPlace::with_neighbour : GridPlace::lanes;
    // With shuffles or retries the lanes of a warp leave the loop together, once no value is listed. Work items after
    // the last one store nothing.
    const uint64_t ends_with = has_warp_retries<D> || has_one_loop<D, E> ? at.lane() : 0;
    const uint64_t turn = at.warps() * together;
    RNG_ROLLED
    for (uint64_t k = at.warp() * together + at.lane(); k - ends_with < items || retries.is_waiting(); k += turn) {
        uint64_t u = k, begin = 0, end = head;
        if (f.down) {
            begin = k % rows * cols;
            end = begin + cols;
            u = k / rows + (begin + p.skipped) / size;
        } else if (k >= head_items) {
            begin = tail;
            end = f.n;
            u = k - head_items + first;
        }
        uint32_t undecided = 0, in_segments = 0, stored = 0;
        const uint64_t group = p.first_group + u * F::item_groups;
        const ItemWords<F> words = words_of_item(f, group, undecided);
        if constexpr (has_one_loop<D, E>) {
            const ItemWords<F> segment = p.lead == 0 ? words : segment_of_lanes(f, group, words, p.lead);
            // The first values of the work item lie in the segment before its own, which the previous lane stores, in
            // this warp or in another one.
            const uint32_t of_lead = (1u << p.lead) - 1;
            const bool has_segment = u - p.segment < segments, has_before = u - 1 - p.segment < segments;
            in_segments = (has_segment ? ~of_lead : 0) | (has_before ? of_lead : 0);
            if (has_segment && at.lane() < together) store_segment(f.out + p.index(u), segment);
            stored = in_segments & ((at.lane() < together ? ~of_lead : 0) | (at.lane() > 0 ? of_lead : 0));
        }
        // The index of the work item's first value. For work item 0 it can be negative, and wraps to a huge value.
        const uint64_t of_item = u * size - p.skipped;
        if (at.lane() < together && in_segments != ~0u) {
            typename F::T values[F::item_values];
            __builtin_memcpy(values, words.v, sizeof values);
            const uint64_t i = static_cast<int64_t>(of_item - begin) < 0 ? begin : of_item;
            uint64_t col = i % cols;
            typename F::T* to =
                f.out + static_cast<int64_t>(i / cols) * f.strides.row + static_cast<int64_t>(col) * f.strides.col;
            RNG_UNROLL
            for (uint64_t v = 0; v < size; ++v) {
                if (of_item + v - begin >= end - begin) continue;
                if ((in_segments >> v & 1) == 0) {
                    *to = values[v];
                    stored |= 1u << v;
                }
                to += f.strides.col;
                if (++col == cols) {
                    col = 0;
                    to += f.strides.row - static_cast<int64_t>(cols) * f.strides.col;
                }
            }
        }
        retries.add(of_item, undecided & stored, k - ends_with + turn >= items);
    }
}

/// Writes the values of thread `thread` of `threads`. In kernels the threads are whole warps.
template <class D, class E>
RNG_FN void fill_thread(const DeviceFill<D, E>& f, const uint64_t thread, const uint64_t threads) {
    const GridPlace at{thread, threads};
    const typename DeviceFill<D, E>::Placement p = f.placement();
    WarpRetries<D, E> retries(f, p);
    uint64_t head = 0, tail = 0;
    if constexpr (!has_one_loop<D, E>) {
        if (p.segments_end > p.segment) {
            const uint64_t end = p.lead == 0 ? write_items(f, p, at, retries) : write_segments(f, p, at, retries);
            if (end > p.segment) {
                head = p.index(p.segment);
                tail = p.index(end);
            }
        }
    }
    write_values(f, p, head, tail, at, retries);
}

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
