// DeviceFill: the argument of the fill kernel on CUDA, and the layout of its work items and segments.
//
// A group is one block of the engine, or as many as a wider slot takes. A work item consists of the fewest groups whose
// values fill a multiple of 16 bytes. Memory is written in segments, which are as long as work items and begin at
// multiples of 16 bytes. Usually each segment is a work item. Otherwise segments begin `lead` values later, and a
// segment has the last values of one work item and the first values of the next.
#pragma once

#include "../at.hpp"
#include "../float16.hpp"
#include "../matrix_view.hpp"
#include "keyed_stream.hpp"
#include "tile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The bytes of a stream's words, the low byte of a word first: the values of fill_bytes(). A slot of one word has four
/// of them, so only fills on devices use this type.
struct StreamBytes {
    using result_type = uint8_t;
    static constexpr int slot_words = 1;
    static constexpr Shape map_shape = Shape::value;
    struct Map {};
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};

inline constexpr unsigned threads_per_block = 256;
/// The number of blocks that a multiprocessor must be able to hold. It limits a thread to 80 registers for 3 blocks, to
/// 128 for 2 and to 255 for 1.
template <class D, class E> inline constexpr unsigned resident_blocks = has_large_map<D> ? 1 : 3;

/// True if the map computes in 64-bit numbers by long arithmetic, even if its values are narrower.
template <class D> inline constexpr bool has_wide_map = Unit<D>::lane_bytes == 8 && !requires {
    decltype(D{}.map())::is_short;
};

/// True if the kernel has one loop, and thus one copy of the map, instead of one for each way to store. This is for
/// samplers, for other maps that are bound by their arithmetic, and for the less common engines: otherwise their copies
/// would be most of the library's code, and of its compile time.
template <class D, class E>
inline constexpr bool has_one_loop =
    !is_same<E, Philox4x32_10> || (has_real_arithmetic<D>() && (D::map_shape == Shape::sampler ||
                                                                (has_wide_map<D> && !is_same<result_t<D>, double>)));

/// Unlike the other checks in kernels, this one is always compiled, because no host code counts the launches of a
/// graph.
RNG_FN void require_replay(bool inside) {
#if defined(__CUDA_ARCH__)
    if (!inside) __trap();
#else
    require_inside_stream(inside, "fill: replay");
#endif
}

/// The argument of a fill kernel. It sets out[i] to the value whose slot is i slots after word `first`, for i < n.
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

    /// The work items that a thread computes at once, at most 16 values or 4 doubles, so that a map loads its constants
    /// once for all of them. The retries of samplers and large maps need the registers, so they have one.
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
    const uint64_t* replay;  // in a graph: the number of earlier runs; each run continues after the previous one
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

    /// Sets the number of replays for a stream of `words` words.
    void set_replays(uint64_t words) { replays = n == 0 ? ~uint64_t{0} : (words - first) / words_of(n); }

    /// The number of work items that threads compute, or a few more.
    [[nodiscard]] uint64_t most_items() const {
        return down ? n / strides.cols * items_of_row() : n / item_values + 2;  // with the head and the tail
    }
    /// The most work items that have values of one row.
    [[nodiscard]] RNG_FN uint64_t items_of_row() const { return (strides.cols + (2 * item_values - 2)) / item_values; }
    /// Returns the number of words that `count` values take.
    [[nodiscard]] RNG_FN static constexpr uint64_t words_of(uint64_t count) {
        return (count + (slot_values - 1)) / slot_values * D::slot_words;
    }

    /// Returns the address of value i.
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

/// The type for which a kernel is compiled. Distributions that have the same map share a kernel, unless they have their
/// own domain.
template <class D> struct SharedKernel { using type = lane::kernel_of<D>; };
template <class D>
requires requires { D::domain; }
struct SharedKernel<D> {
    using type = D;
};
template <> struct SharedKernel<StreamBytes> { using type = StreamBytes; };
/// The argument of such a kernel.
template <class D, class E> struct SharedFillOf {
    using Kernel = typename SharedKernel<D>::type;
    static_assert(domain_of<Kernel> == domain_of<D>, "a shared kernel reads the words of its distributions");
    using type = DeviceFill<Kernel, E>;
};
template <class D, class E> using SharedFill = typename SharedFillOf<D, E>::type;

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
