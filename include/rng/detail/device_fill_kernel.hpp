// The kernel of fills on CUDA: the work of one thread of a grid. It runs on the host too, where tests count its stores.
//
// A thread makes units and writes pieces (device_fill_layout.hpp), 16 bytes at a time: a warp's stores are one run of
// memory. If a piece has values of two units, the next lane of the warp has made those of the second one. The values
// before the first piece and after the last one are written one by one. So are all values of destinations with strides,
// or not at a multiple of their size. No bit depends on the grid.
#pragma once

#include "device_fill_layout.hpp"
#include "warp_retries.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE
namespace detail {

/// A unit's values, or a piece's, as words.
template <class F> struct UnitWords {
    static constexpr int count = F::unit_bytes / 4;
    alignas(16) uint32_t v[static_cast<unsigned>(count)];
};

/// Returns a unit's values. If the warp makes undecided values later, their bits are set in `undecided`.
template <class D, class E>
RNG_FN UnitWords<DeviceFill<D, E>> words_of_unit(const DeviceFill<D, E>& f, uint64_t group,
                                                 [[maybe_unused]] uint32_t& undecided) {
    using F = DeviceFill<D, E>;
    using T = typename F::T;
    UnitWords<F> words;
    [[maybe_unused]] const auto values_of = [&f, group, &undecided](auto type, int g) {
        using V = typename decltype(type)::type;
        if constexpr (has_warp_retries<D>) {
            const auto made = attempts_of_group<D, lane::Scalar, V>(f.stream, f.map, group + g);
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
        for (int k = 0; k < UnitWords<F>::count; ++k) words.v[k] = E::word_of(made.block[0], k);
    } else if constexpr (in_twos) {
        RNG_UNROLL
        for (int g = 0; g < F::unit_groups; ++g) {
            const auto made = values_of(type_tag<float>{}, g);
            RNG_UNROLL
            for (int k = 0; k < F::group_values; k += 2)
                words.v[(g * F::group_values + k) / 2] = T::two_from_results(made[k], made[k + 1]);
        }
    } else {
        T values[F::unit_values];
        RNG_UNROLL
        for (int g = 0; g < F::unit_groups; ++g) {
            const auto made = values_of(type_tag<T>{}, g);
            RNG_UNROLL
            for (int k = 0; k < F::group_values; ++k) values[g * F::group_values + k] = made[k];
        }
        __builtin_memcpy(words.v, values, sizeof values);
    }
    return words;
}

template <class F> RNG_FN void store_piece(typename F::T* to, const UnitWords<F>& words) {
    RNG_UNROLL
    for (int k = 0; k < F::unit_bytes; k += 16) {
        auto* const place = reinterpret_cast<char*>(to) + k;
        const uint32_t* const w = words.v + k / 4;
#if defined(__CUDA_ARCH__)
        *reinterpret_cast<uint4*>(place) = uint4{w[0], w[1], w[2], w[3]};  // one store, however little is optimised
#else
        __builtin_memcpy(place, w, 16);
#endif
    }
}

/// The thread's place in the grid, whose threads are whole warps. The host has warps of one lane.
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

/// Writes the pieces if they are units, several in a turn, and returns the first piece that is left.
template <class D, class E>
RNG_FN uint64_t write_units(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, GridPlace at,
                            WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    static_assert(F::turn == 1 || !has_warp_retries<D>);
    constexpr uint64_t turn = F::turn, lanes = GridPlace::lanes;
    constexpr uint64_t together = turn == 1 && !has_warp_retries<D> ? 1 : turn * lanes;
    const uint64_t end = p.piece + (p.pieces_end - p.piece) / together * together;
    const uint64_t u = p.piece + at.warp() * (turn * lanes) + at.lane();
    uint64_t group = p.first_group + u * F::unit_groups;
    typename F::T* to = f.out + p.index(u);
    typename F::T* const to_end = f.out + p.index(end);
    for (; to < to_end; to += at.threads * (turn * F::unit_values), group += at.threads * (turn * F::unit_groups)) {
        UnitWords<F> words[turn];
        uint32_t undecided = 0;
        RNG_UNROLL
        for (unsigned i = 0; i < turn; ++i)
            words[i] = words_of_unit(f, group + i * (lanes * F::unit_groups), undecided);
        RNG_UNROLL
        for (unsigned i = 0; i < turn; ++i) store_piece(to + i * (lanes * F::unit_values), words[i]);
        retries.add(static_cast<uint64_t>(to - f.out), undecided);
    }
    return end;
}

/// The bytes of a lead, at most: whole values. It ends before a multiple of 16 bytes and before the end of the first
/// group.
template <class F, int size = static_cast<int>(sizeof(typename F::T))>
inline constexpr int most_lead = ((F::group_bytes < 16 ? F::group_bytes : 16) - 1) / size* size;

/// Returns the piece that begins `lead` values after the unit. `next` are the first words of the next unit.
template <class F, class Next> RNG_FN UnitWords<F> piece_of(const UnitWords<F>& unit, const Next& next, uint32_t lead) {
    constexpr int count = UnitWords<F>::count, more = (most_lead<F> + 3) / 4;
    uint32_t window[static_cast<unsigned>(count + more)];
    RNG_UNROLL
    for (int i = 0; i < count; ++i) window[i] = unit.v[i];
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
    UnitWords<F> piece;
    RNG_UNROLL
    for (int i = 0; i < count; ++i) {
        if constexpr (sizeof(typename F::T) % 4 != 0)
            piece.v[i] = static_cast<uint32_t>((uint64_t{window[i + 1]} << 32 | window[i]) >> bytes % 4 * 8);
        else
            piece.v[i] = window[i];
    }
    return piece;
}

/// The same for the unit of block group `group`. All lanes of the warp come together: the next lane has the next unit.
template <class D, class E>
RNG_FN auto piece_of_lanes([[maybe_unused]] const DeviceFill<D, E>& f, [[maybe_unused]] uint64_t group,
                           const UnitWords<DeviceFill<D, E>>& unit, uint32_t lead) {
#if defined(__CUDA_ARCH__)
    return piece_of(
        unit, [&unit](int i) { return __shfl_down_sync(0xffffffffu, unit.v[i], 1); }, lead);
#else
    uint32_t undecided = 0;
    const auto after = words_of_unit(f, group + DeviceFill<D, E>::unit_groups, undecided);
    return piece_of(
        unit, [&after](int i) { return after.v[i]; }, lead);
#endif
}

/// Writes the pieces if they have values of two units, and returns the first piece that is left. A warp's last lane
/// makes a unit for its neighbour only.
template <class D, class E>
RNG_FN uint64_t write_pieces(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, GridPlace at,
                             WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    if constexpr (most_lead<F> <= 0) {
        return p.piece;
    } else {
        constexpr uint64_t together = GridPlace::with_neighbour;
        const uint64_t end = p.piece + (p.pieces_end - p.piece) / together * together;
        const uint64_t u = p.piece + at.warp() * together + at.lane();
        uint64_t group = p.first_group + u * F::unit_groups;
        typename F::T* to = f.out + p.index(u);
        typename F::T* const to_end = f.out + p.index(end + at.lane());  // so that a warp's lanes end together
        RNG_ROLLED
        for (; to < to_end;
             to += at.warps() * (together * F::unit_values), group += at.warps() * (together * F::unit_groups)) {
            uint32_t undecided = 0;
            const UnitWords<F> unit = words_of_unit(f, group, undecided);
            const UnitWords<F> piece = piece_of_lanes(f, group, unit, p.lead);
            if (at.lane() < together) store_piece(to, piece);
            // The warp's first and last unit lie in pieces of other warps too, which may be other blocks'.
            const uint32_t of_lead = (1u << p.lead) - 1;
            if (at.lane() == 0) undecided &= ~of_lead;
            if (at.lane() == together) undecided &= of_lead;
            retries.add(static_cast<uint64_t>(to - f.out) - p.lead, undecided);
        }
        return end;
    }
}

/// Writes the values i < head and tail <= i < n: one by one, or with has_one_loop by pieces where it can. Head is 0 if
/// the memory has strides.
template <class D, class E>
RNG_FN void write_values(const DeviceFill<D, E>& f, const typename DeviceFill<D, E>::Placement& p, uint64_t head,
                         uint64_t tail, GridPlace at, WarpRetries<D, E>& retries) {
    using F = DeviceFill<D, E>;
    constexpr uint64_t size = F::unit_values;
    static_assert(size <= 32, "a unit's values are the bits of a word");
    const auto units_before = [&p](uint64_t i) { return (i + p.skipped + (size - 1)) / size; };
    const uint64_t head_units = head == 0 ? 0 : units_before(head);
    const uint64_t first = has_one_loop<D, E> ? 0 : (tail + p.skipped) / size;
    const uint64_t cols = f.strides.cols, rows = f.down ? f.n / cols : 1;
    // With `down` a unit of two rows is made for each of them.
    const uint64_t units = f.down ? rows * f.units_of_row() : head_units + units_before(f.n) - first;
    const uint64_t pieces = p.pieces_end - p.piece;
    // If pieces have values of two units, a warp's last lane makes a unit for its neighbour only.
    const unsigned together = has_one_loop<D, E> && p.lead != 0 ? GridPlace::with_neighbour : GridPlace::lanes;
    // With shuffles or retries a warp's lanes end together, and once nothing is listed. Units after the last one store
    // nothing.
    const uint64_t ends_with = has_warp_retries<D> || has_one_loop<D, E> ? at.lane() : 0;
    const uint64_t turn = at.warps() * together;
    RNG_ROLLED
    for (uint64_t k = at.warp() * together + at.lane(); k - ends_with < units || retries.is_waiting(); k += turn) {
        uint64_t u = k, begin = 0, end = head;
        if (f.down) {
            begin = k % rows * cols;
            end = begin + cols;
            u = k / rows + (begin + p.skipped) / size;
        } else if (k >= head_units) {
            begin = tail;
            end = f.n;
            u = k - head_units + first;
        }
        uint32_t undecided = 0, in_pieces = 0, stored = 0;
        const uint64_t group = p.first_group + u * F::unit_groups;
        const UnitWords<F> words = words_of_unit(f, group, undecided);
        if constexpr (has_one_loop<D, E>) {
            const UnitWords<F> piece = p.lead == 0 ? words : piece_of_lanes(f, group, words, p.lead);
            // The unit's first values lie in the piece before its own, which the lane before stores: in this warp or
            // in another one.
            const uint32_t of_lead = (1u << p.lead) - 1;
            const bool has_piece = u - p.piece < pieces, has_before = u - 1 - p.piece < pieces;
            in_pieces = (has_piece ? ~of_lead : 0) | (has_before ? of_lead : 0);
            if (has_piece && at.lane() < together) store_piece(f.out + p.index(u), piece);
            stored = in_pieces & ((at.lane() < together ? ~of_lead : 0) | (at.lane() > 0 ? of_lead : 0));
        }
        // The index of the unit's first value. For unit 0 it can be negative: it wraps to a huge value.
        const uint64_t of_unit = u * size - p.skipped;
        if (at.lane() < together && in_pieces != ~0u) {
            typename F::T values[F::unit_values];
            __builtin_memcpy(values, words.v, sizeof values);
            const uint64_t i = static_cast<int64_t>(of_unit - begin) < 0 ? begin : of_unit;
            uint64_t col = i % cols;
            typename F::T* to =
                f.out + static_cast<int64_t>(i / cols) * f.strides.row + static_cast<int64_t>(col) * f.strides.col;
            RNG_UNROLL
            for (uint64_t v = 0; v < size; ++v) {
                if (of_unit + v - begin >= end - begin) continue;
                if ((in_pieces >> v & 1) == 0) {
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
        retries.add(of_unit, undecided & stored, k - ends_with + turn >= units);
    }
}

/// Writes the values of thread `thread` of `threads`. In kernels both numbers are of whole warps.
template <class D, class E>
RNG_FN void fill_thread(const DeviceFill<D, E>& f, const uint64_t thread, const uint64_t threads) {
    const GridPlace at{thread, threads};
    const typename DeviceFill<D, E>::Placement p = f.placement();
    WarpRetries<D, E> retries(f, p);
    uint64_t head = 0, tail = 0;
    if constexpr (!has_one_loop<D, E>) {
        if (p.pieces_end > p.piece) {
            const uint64_t end = p.lead == 0 ? write_units(f, p, at, retries) : write_pieces(f, p, at, retries);
            if (end > p.piece) {
                head = p.index(p.piece);
                tail = p.index(end);
            }
        }
    }
    write_values(f, p, head, tail, at, retries);
}

}  // namespace detail
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
