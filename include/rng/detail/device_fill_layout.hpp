// DeviceFill: a fill in the form that its kernel on CUDA takes, and where its work items and segments lie.
//
// A work item is one block of the engine, or the group of blocks of a wider slot. It is as many of them as give a
// multiple of 16 bytes of values. Memory is written in segments, which are as long as work items and begin at multiples
// of 16 bytes. Mostly segments are work items. Otherwise they begin `lead` values later: a segment has the last values
// of one work item and the first values of the next.
#pragma once

#include "../at.hpp"
#include "../float16.hpp"
#include "../matrix_view.hpp"
#include "keyed_stream.hpp"
#include "tile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The bytes of a stream's words, the low byte of a word first: what fill_bytes() writes. One word gives four of them,
/// so that only fills of devices know this type.
struct StreamBytes {
    using result_type = uint8_t;
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;
    struct Map {};
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

inline constexpr unsigned threads_per_block = 256;
/// The blocks that a multiprocessor holds at least. With 3 kernels may use 80 registers, with 2 128, with 1 255.
template <class D, class E> inline constexpr unsigned resident_blocks = has_large_map<D> ? 1 : 3;

/// True if the map makes 64-bit numbers by long arithmetic, also where the values are narrower.
template <class D> inline constexpr bool has_wide_map = Unit<D>::lane_bytes == 8 && !requires {
    decltype(D{}.map())::is_short;
};

/// True if the kernel has one loop, and so one copy of the map, instead of one for each way to store. Otherwise the
/// copies of samplers and of other maps that are bound by their arithmetic, and the kernels of engines that are used
/// less, would be most of the library's code, and of the time that it takes to compile.
template <class D, class E>
inline constexpr bool has_one_loop =
    !is_same<E, Philox4x32_10> || (has_real_arithmetic<D>() && (D::map_shape == Shape::sampler ||
                                                                (has_wide_map<D> && !is_same<result_t<D>, double>)));

/// Unlike other checks of kernels, this check is always made: nobody counts the launches of a graph.
RNG_FN void require_replay(bool inside) {
#if defined(__CUDA_ARCH__)
    if (!inside) __trap();
#else
    require_inside_stream(inside, "fill: replay");
#endif
}

/// A fill in the form that its kernel takes: out[i] = the value whose slot is i slots after word `first`, for i < n.
template <class D, class E> struct DeviceFill {
    using T = result_t<D>;
    static constexpr int slot_values = is_same<D, StreamBytes> ? 4 : 1;
    static constexpr int group_values = Group<D, E>::values * slot_values;
    static constexpr int group_bytes = group_values * static_cast<int>(sizeof(T));
    static constexpr int item_groups = group_bytes % 16 == 0  ? 1
                                       : group_bytes % 8 == 0 ? 2
                                       : group_bytes % 4 == 0 ? 4
                                       : group_bytes % 2 == 0 ? 8
                                                              : 16;
    static constexpr int item_values = item_groups * group_values;
    static constexpr int item_bytes = item_groups * group_bytes;
    static_assert(item_bytes % 16 == 0);

    /// Work items that a thread makes at once, of at most 16 values or of 4 doubles: maps load their constants once for
    /// all. The retries of samplers need the registers, and so do large maps.
    static constexpr int turn = item_bytes >= 32 || D::map_shape == Shape::sampler || has_one_loop<D, E> ? 1
                                : has_wide_map<D> || item_values > 4                                     ? 2
                                                                                                         : 4;

    /// The destination as the grid sees it. Value k of work item u is out[u * item_values - skipped + k].
    struct Placement {
        uint64_t first_group;            // of work item 0; before group 0 it wraps, and its values are not stored
        uint64_t skipped;                // values of work item 0 that lie before out[0]
        uint32_t lead;                   // values of a work item that lie before its segment
        uint64_t segment, segments_end;  // segments [segment, segments_end) lie inside the destination

        /// The index of a segment's first value.
        [[nodiscard]] RNG_FN uint64_t index(uint64_t u) const { return u * item_values + lead - skipped; }
    };

    KeyedStream<E, domain_of<D>> stream;
    using Map = decltype(D{}.map());
    Map map;
    T* out;
    uint64_t n;
    uint64_t first;          // a multiple of the slot
    const uint64_t* replay;  // in a graph: how often the fill ran before; each run continues after the previous one
    uint64_t replays;        // the number of replays for which the stream has room
    Strides strides;         // value i lies in row i / cols
    bool down;               // true if neighbouring threads write neighbouring rows, and not neighbouring columns

    /// Requires that `destination` is aligned for T.
    DeviceFill(const Stream<E>& s, const Map& prepared, uint64_t first_word, T* destination, uint64_t count,
               const uint64_t* replay_counter = nullptr, const Strides& between = {})
        : stream(s),
          map(prepared),
          out(destination),
          n(count),
          first(first_word),
          replay(replay_counter),
          strides(between.cols == 0 ? Strides{n > 0 ? n : 1, 0, 1} : between),
          down(strides.cols < n && strides.rows_are_nearer()) {
        set_replays(Stream<E>::size_words);
    }

    /// For a stream of so many words.
    void set_replays(uint64_t words) { replays = n == 0 ? ~uint64_t{0} : (words - first) / words_of(n); }

    /// The work items that threads make, or a few more.
    [[nodiscard]] uint64_t most_items() const {
        return down ? n / strides.cols * items_of_row() : n / item_values + 2;  // with the head and the tail
    }
    /// The work items that may have a value of a row.
    [[nodiscard]] RNG_FN uint64_t items_of_row() const { return (strides.cols + (2 * item_values - 2)) / item_values; }
    /// The words that `count` values take.
    [[nodiscard]] RNG_FN static constexpr uint64_t words_of(uint64_t count) {
        return (count + (slot_values - 1)) / slot_values * D::slot_words;
    }

    /// The place of value i.
    [[nodiscard]] RNG_FN T* place(uint64_t i) const {
        const uint64_t row = strides.cols < n ? i / strides.cols : 0;
        return out + static_cast<int64_t>(row) * strides.row +
               static_cast<int64_t>(i - row * strides.cols) * strides.col;
    }

    [[nodiscard]] RNG_FN Placement placement() const {
        constexpr uint64_t words = Group<D, E>::words;
        uint64_t word = first;
        if (replay != nullptr) {
            require_replay(*replay < replays);
            word += *replay * words_of(n);
        }
        Placement p{word / words, word % words / D::slot_words * slot_values, 0, 0, 0};
        // From the beginning of work item 0 to a multiple of 16 bytes.
        const auto gap = [this, &p] {
            return static_cast<uint32_t>((p.skipped * sizeof(T) - reinterpret_cast<uintptr_t>(out)) % 16);
        };
        RNG_UNROLL
        for (int i = 1; i < item_groups; ++i)
            if (gap() >= group_bytes) {
                --p.first_group;
                p.skipped += group_values;
            }
        if (strides.cols < n || strides.col != 1 || gap() % sizeof(T) != 0) return p;
        p.lead = static_cast<uint32_t>(gap() / sizeof(T));
        p.segment = p.skipped > p.lead ? 1 : 0;
        p.segments_end = n + p.skipped < p.lead ? 0 : (n + p.skipped - p.lead) / item_values;
        if (p.segments_end < p.segment) p.segments_end = p.segment;
        return p;
    }
};

/// What a kernel is compiled for. Distributions of one map share it, unless they read a domain of their own.
template <class D> struct SharedKernel { using type = lane::kernel_of<D>; };
template <class D>
requires requires { D::domain; }
struct SharedKernel<D> {
    using type = D;
};
template <> struct SharedKernel<StreamBytes> { using type = StreamBytes; };
/// The fill that such a kernel takes.
template <class D, class E> struct SharedFillOf {
    using Kernel = typename SharedKernel<D>::type;
    static_assert(domain_of<Kernel> == domain_of<D>, "a shared kernel reads the words of its distributions");
    using type = DeviceFill<Kernel, E>;
};
template <class D, class E> using SharedFill = typename SharedFillOf<D, E>::type;

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
