// The common parts of piecewise_constant and piecewise_linear: the lists, their limits, the masses of pieces and the
// table.
//
// A piece has a mass, the number of its 64-bit words: its share of the area, times 2^64, rounded. The piece of greatest
// area also takes the words that are missing to 2^64. So the distribution consists of integers, and comparisons alone
// find the piece of a word. docs/contract.md, A.21, has the operations.
#pragma once

#include <stddef.h>

#include "../lane/prepare.hpp"
#include "../lane/scalar.hpp"
#include "unit.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A list of numbers: a std::vector, a std::array, a std::span, an array.
template <class T, size_t N> constexpr const T* list_data(const T (&list)[N]) { return list; }
template <class T, size_t N> constexpr size_t list_size(const T (&)[N]) { return N; }
template <class L> constexpr auto list_data(const L& list) -> decltype(list.data()) { return list.data(); }
template <class L> constexpr auto list_size(const L& list) -> decltype(list.size()) { return list.size(); }

template <class L> struct NumberOfList;
template <class L>
requires requires(const L& list) { *list_data(list); }
struct NumberOfList<L> {
    template <class T> static T number(const T*);
    using type = decltype(number(list_data(*static_cast<const L*>(nullptr))));
};
/// The type of the list's numbers.
template <class L> using number_of_list_t = typename NumberOfList<L>::type;
template <class L, class T>
concept list_of = is_same<number_of_list_t<L>, T>;

/// A piece, its first word and its mass, where 0 stands for 2^64.
struct PieceAt {
    uint32_t piece;
    uint64_t first, mass;
};

/// The lists of a piecewise distribution: a view, as std::span is. The densities are those of the pieces, or with
/// Linear those at the boundaries, in any unit.
template <class T, bool Linear> struct PieceLists {
    const T* boundaries = nullptr;
    const T* densities = nullptr;
    uint32_t boundary_count = 0, density_count = 0;

    static constexpr uint32_t most_pieces = 1u << 24;
    using S = lane::Scalar;

    PieceLists() = default;
    /// Takes the first pieces + 1 boundaries. It is for kernels, with pointers that they can read.
    RNG_FN constexpr PieceLists(const T* first_boundary, const T* first_density, uint32_t pieces)
        : boundaries(first_boundary),
          densities(first_density),
          boundary_count(pieces + 1),
          density_count(pieces + (Linear ? 1 : 0)) {}
    /// Takes both lists in full. They must live as long as the distribution.
    template <list_of<T> Boundaries, list_of<T> Densities>
    constexpr PieceLists(const Boundaries& all_boundaries, const Densities& all_densities)
        : boundaries(list_data(all_boundaries)),
          densities(list_data(all_densities)),
          boundary_count(count(list_size(all_boundaries))),
          density_count(count(list_size(all_densities))) {}

    [[nodiscard]] RNG_FN constexpr uint32_t pieces() const { return boundary_count == 0 ? 0 : boundary_count - 1; }
    [[nodiscard]] RNG_FN double boundary(uint32_t i) const { return static_cast<double>(boundaries[i]); }
    [[nodiscard]] RNG_FN double density(uint32_t i) const { return static_cast<double>(densities[i]); }
    [[nodiscard]] RNG_FN double width(uint32_t piece) const { return S::sub(boundary(piece + 1), boundary(piece)); }
    /// The area of a piece; with Linear, twice the area.
    [[nodiscard]] RNG_FN double area(uint32_t piece) const {
        const double height = Linear ? S::add(density(piece), density(piece + (Linear ? 1 : 0))) : density(piece);
        return S::fma(height, width(piece), 0.0);
    }
    /// Returns the first fault of the lists, boundaries first.
    [[nodiscard]] ParameterFault fault() const {
        constexpr bool f32 = sizeof(T) == 4;
        constexpr T least = f32 ? T(0x1p-126) : T(0x1p-300), most = f32 ? T(0x1.fffffep127) : T(0x1p300);
        if (boundary_count < 2 || boundary_count > most_pieces + 1)
            return ParameterFault::of_integer("boundaries", boundary_count, "must have 2 to 2^24 + 1 elements");
        for (uint32_t i = 0; i < boundary_count; ++i) {
            const T x = boundaries[i];
            if (!lane::is_zero(x) && !lane::magnitude_within(x, least, most))
                return ParameterFault::of_element("boundaries", i, static_cast<double>(x),
                                                  f32 ? "must be 0 or of magnitude 2^-126 to 2^128 - 2^104"
                                                      : "must be 0 or of magnitude 2^-300 to 2^300");
            if (i > 0 && !(x > boundaries[i - 1]))
                return ParameterFault::of_element("boundaries", i, static_cast<double>(x),
                                                  "must be greater than the boundary before it");
        }
        if (density_count != boundary_count - (Linear ? 0 : 1))
            return ParameterFault::of_integer(
                "densities", density_count,
                Linear ? "must have as many elements as boundaries" : "must have one element less than boundaries");
        bool is_null = true;
        for (uint32_t i = 0; i < density_count; ++i) {
            const T x = densities[i];
            if (!lane::is_zero(x) && !(x > 0 && lane::magnitude_within(x, least, most)))
                return ParameterFault::of_element(
                    "densities", i, static_cast<double>(x),
                    f32 ? "must be 0 or in [2^-126, 2^128 - 2^104]" : "must be 0 or in [2^-300, 2^300]");
            if (!lane::is_zero(x)) is_null = false;
        }
        if (is_null) return {"densities", 0, "must not all be 0"};
        return {};
    }

  private:
    static constexpr uint32_t count(size_t n) { return n < 0xffffffffu ? static_cast<uint32_t>(n) : 0xffffffffu; }
};

/// x * 2^64 for x in [2^-900, 1], rounded to nearest, modulo 2^64.
RNG_FN uint64_t rounded_words(double x) {
    const uint64_t bits = lane::Scalar::bits(x);
    const uint64_t significand = (bits & 0xfffffffffffffu) | uint64_t{1} << 52;
    const int left = static_cast<int>(bits >> 52) - 1023 + 12;
    if (left >= 0) return significand << (left & 63);  // 12 at most, if x is in range
    return left < -53 ? 0 : (significand + (uint64_t{1} << (-left - 1))) >> -left;
}

/// The sum of all areas, and the first piece of greatest area.
struct AreaSum {
    double sum = 0;
    uint32_t greatest = 0;
};
/// Lists has pieces() and area(). A running sum errs by up to pieces * 2^-53 of itself, which from some 2^27 pieces on
/// is more than the mean area; `is_compensated` adds what the additions round off (Knuth, The Art of Computer
/// Programming 2, 4.2.2).
template <class Lists> RNG_FN AreaSum sum_of_areas(const Lists& lists, bool is_compensated) {
    using S = lane::Scalar;
    AreaSum made;
    double lost = 0, most = 0;
    for (uint32_t i = 0; i < lists.pieces(); ++i) {
        const double area = lists.area(i), next = S::add(made.sum, area);
        if (is_compensated) {
            const double part = S::sub(next, made.sum);
            lost = S::add(lost, S::add(S::sub(made.sum, S::sub(next, part)), S::sub(area, part)));
        }
        made.sum = next;
        if (area > most) most = area, made.greatest = i;
    }
    if (is_compensated) made.sum = S::add(made.sum, lost);
    return made;
}
/// With more areas than this the distributions use the compensated sum.
inline constexpr uint32_t most_of_running_sum = 1u << 24;

/// The masses of all pieces, from the sum of areas. Lists has pieces() and area().
template <class Lists> struct PieceMasses {
    using S = lane::Scalar;
    Lists lists;
    double sum;           // of the areas
    uint64_t correction;  // 2^64 minus the sum of the rounded shares
    uint32_t greatest;    // the first piece of greatest area: it takes the correction

    /// For maps with a table, which do not read masses.
    PieceMasses(const Lists& of, double no_sum) : lists(of), sum(no_sum), correction(0), greatest(0) {}
    RNG_FN explicit PieceMasses(const Lists& of) : lists(scaled(of)), sum(0), correction(0), greatest(0) {
        const AreaSum all = sum_of_areas(lists, lists.pieces() > most_of_running_sum);
        sum = all.sum, greatest = all.greatest;
        for (uint32_t i = 0; i < lists.pieces(); ++i) correction -= share(lists.area(i));
    }
    /// area / sum * 2^64, rounded to nearest, modulo 2^64; 0 if that is below 2^-6.
    [[nodiscard]] RNG_FN uint64_t share(double area) const {
        if (!(area >= S::fma(sum, 0x1p-70, 0.0))) return 0;  // a smaller quotient may be subnormal
        return rounded_words(S::div(area, sum));
    }
    /// Returns the mass of a piece, or 0 if the piece has all words.
    [[nodiscard]] RNG_FN uint64_t mass(uint32_t piece) const {
        const uint64_t rounded = share(lists.area(piece));
        return piece == greatest ? rounded + correction : rounded;
    }
    [[nodiscard]] RNG_FN bool is_empty(uint32_t piece, uint64_t its_mass) const {
        return its_mass == 0 && piece != greatest;
    }
    /// Walks to the piece of the word.
    [[nodiscard]] RNG_FN PieceAt find(uint64_t w) const {
        PieceAt at{greatest, 0, 0};
        for (uint32_t i = 0; i < lists.pieces(); ++i) {
            const uint64_t its_mass = mass(i);
            if (is_empty(i, its_mass)) continue;
            at = {i, at.first + at.mass, its_mass};
            if (w - at.first <= its_mass - 1) break;  // the last piece has the last word
        }
        return at;
    }

  private:
    RNG_FN static Lists scaled(const Lists& of) {
        if constexpr (requires { of.scaled(); })
            return of.scaled();
        else
            return of;
    }
};

/// A table of the pieces that have a mass: their number, then the first word of each, the piece of each, and a guide.
/// Guide g is the place of the word that consists of the bits of g followed by zeros, so a look-up compares only a few
/// words.
struct PieceTable {
    const uint64_t* words;
    uint32_t pieces;  // of the distribution, also those of mass 0: they determine where the parts of the table lie

    RNG_FN static constexpr int guide_bits(uint32_t pieces) {
        int bits = 1;
        while (bits < 24 && (1u << bits) < pieces) ++bits;
        return bits;
    }
    static constexpr uint64_t size(uint32_t pieces) {
        return 1 + 2 * uint64_t{pieces} + (uint64_t{1} << guide_bits(pieces)) + 1;
    }
    [[nodiscard]] RNG_FN uint64_t first(uint64_t place) const { return words[1 + place]; }
    [[nodiscard]] RNG_FN uint64_t guide(uint64_t bucket) const { return words[1 + 2 * uint64_t{pieces} + bucket]; }

    template <class Lists> static void build(const PieceMasses<Lists>& masses, uint64_t* table) {
        const uint32_t pieces = masses.lists.pieces();
        uint64_t count = 0, next = 0;
        for (uint32_t i = 0; i < pieces; ++i) {
            const uint64_t mass = masses.mass(i);
            if (masses.is_empty(i, mass)) continue;
            table[1 + count] = next;
            table[1 + pieces + count] = i;
            next += mass;
            ++count;
        }
        table[0] = count;
        uint64_t* const guide = table + 1 + 2 * uint64_t{pieces};
        const int bits = guide_bits(pieces);
        uint64_t place = 0;
        for (uint64_t bucket = 0; bucket < uint64_t{1} << bits; ++bucket) {
            while (place + 1 < count && table[2 + place] <= bucket << (64 - bits)) ++place;
            guide[bucket] = place;
        }
        guide[uint64_t{1} << bits] = count - 1;
    }
    [[nodiscard]] RNG_FN PieceAt find(uint64_t w) const {
        const uint64_t bucket = w >> (64 - guide_bits(pieces));
        uint64_t low = guide(bucket), high = guide(bucket + 1);
        while (low < high) {
            const uint64_t middle = (low + high + 1) / 2;
            if (first(middle) <= w)
                low = middle;
            else
                high = middle - 1;
        }
        const uint64_t next = low + 1 < words[0] ? first(low + 1) : 0;
        return {static_cast<uint32_t>(words[1 + pieces + low]), first(low), next - first(low)};
    }
};

/// Returns a result as a T below hi. A result below the normal numbers becomes 0.
template <class T> RNG_FN T inside_piece(double x, T hi) {
    constexpr T least = sizeof(T) == 4 ? T(0x1p-126) : T(0x1p-1022);
    const bool is_small = x < static_cast<double>(least) && x > -static_cast<double>(least);
    const T rounded = is_small ? T(0) : static_cast<T>(x);
    if (rounded < hi) return rounded;
    return lane::is_zero(hi) ? -least : !(hi > least) && hi > 0 ? T(0) : lane::next_below(hi);
}

template <class T, bool Linear> struct PieceMap {
    using S = lane::Scalar;
    struct Result {
        T v;
    };

    PieceMasses<PieceLists<T, Linear>> masses;
    const uint64_t* table;  // null: walk

    RNG_FN Result operator()(lane::u64<lane::Scalar> w) const {
        const PieceAt at = table != nullptr ? PieceTable{table, masses.lists.pieces()}.find(w.v) : masses.find(w.v);
        const PieceLists<T, Linear>& lists = masses.lists;
        const uint64_t before = w.v - at.first;
        const double words = at.mass == 0 ? 0x1p64 : lane::to_double<false>(at.mass);
        double t = S::div(lane::to_double<true>(before), words);
        if constexpr (Linear) {
            // The root of a quadratic equation, without cancellation.
            const double p = lists.density(at.piece), q = lists.density(at.piece + 1), most = p < q ? q : p;
            const double a = ratio(p, most), b = ratio(q, most);
            const double v = S::div(lane::to_double<true>(at.mass - 1 - before), words);  // 1 - t
            const double square = S::fma(t, S::fma(b, b, 0.0), S::fma(v, S::fma(a, a, 0.0), 0.0));
            t = S::div(S::fma(t, S::add(a, b), 0.0), S::add(a, S::sqrt(square)));
        }
        const double x = S::fma(t, lists.width(at.piece), lists.boundary(at.piece));
        return {inside_piece(x, lists.boundaries[at.piece + 1])};
    }

  private:
    /// x / most, or 0 if the quotient is so small that its square changes no result.
    RNG_FN static double ratio(double x, double most) {
        return x < S::fma(most, 0x1p-200, 0.0) ? 0.0 : S::div(x, most);
    }
};

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
