// Applies a distribution's map to a run of words, in vectors of any width, with the same bits.
//
// The library compiles these functions for every distribution of the catalogue and every instruction set.
// For a user-defined distribution, the user's code compiles them, over the scalar lane. A wide lane L needs the
// operations of lane.hpp and, for memory, bytes, load and store.
// For pairs it also needs even_slots, odd_slots, merge_low and merge_high.
#pragma once

#include <stddef.h>

#include "../core/distribution.hpp"
#include "../lane/scalar.hpp"
#include "unit.hpp"

#include "../core/hide_macros.inc"

/// Plain types that object files compiled for different instruction sets share; outside the tagged namespaces.
namespace rng_abi {

/// The source of more words for a sampler: next(self) returns the next word of a value's retry stream.
struct WordSource {
    void* self;
    uint32_t (*next)(void* self);
};

/// A distribution's map.
/// - table_words() returns the size of the map's table, in words of 64 bits. Null: the map has no table.
/// - prepare() builds the table, and computes the map's constants from the parameters, once for each fill. The table
///   may be null: fills of fewer than `least_tabulated` values have none.
/// - apply() turns the words of n slots into n values. n is a multiple of `slot_multiple`, and the words begin at a
///   unit. If values are as large as their slots it may work in place: it reads the words of a step before it writes
///   values. It lists by index, in `undecided` (room for n), the values that a sampler did not decide from the slots
///   alone, and returns their number.
/// - proposal() is apply(), except for a map with a squeeze() that decides most values sooner. It leaves no value
///   undecided that one whole proposal decides.
/// - has_squeeze() is null if proposal() is apply(). Otherwise it returns whether apply() of a prepared map decides any
///   value; if not, the caller continues with proposal().
/// - finish() computes an undecided value from its whole retry stream.
/// - mean() is proposal() of a mixture: it computes doubles, the parameters of the second distribution. mixed()
///   computes values from such parameters and from the next 64-bit word of each retry stream. Both are null for most
///   maps, and where there are no vectors.
struct MapFunctions {
    using Apply = size_t (*)(const void* map, const uint32_t* words, void* out, size_t n, uint32_t* undecided);

    size_t (*table_words)(const void* distribution);
    size_t least_tabulated;
    size_t map_bytes;
    void (*prepare)(const void* distribution, void* map, uint64_t* table);
    Apply apply, proposal;
    bool (*has_squeeze)(const void* map);
    void (*finish)(const void* map, WordSource retry_stream, void* value);  // null if apply() decides all values
    Apply mean;
    void (*mixed)(const void* map, const double* means, const uint64_t* words, void* values, size_t n);
    size_t slot_multiple;     // a power of 2
    uint64_t unit_words;      // a power of 2
    bool retries_take_slots;  // a sampler reads its retry stream slot by slot, each as proposal() reads a slot
};

inline constexpr size_t most_map_bytes = 256;  // room for any prepared map
/// The most bytes of a value for each word of its slot.
inline constexpr size_t most_bytes_of_word = 16;

}  // namespace rng_abi

RNG_BEGIN_NAMESPACE
namespace lane {

namespace detail {

/// The number of units of D in a step over lane L: the lanes of a register. The scalar lane has one.
template <class D, class L> constexpr size_t step_units() {
    if constexpr (rng::detail::is_same<L, Scalar>)
        return 1;
    else
        return static_cast<size_t>(L::bytes / rng::detail::Unit<D>::lane_bytes);
}
template <class D, class L> inline constexpr size_t step_slots = rng::detail::Unit<D>::values* step_units<D, L>();

template <class L> inline constexpr auto register_words = static_cast<size_t>(L::bytes / 4);

/// K registers of words in stream order become K operands: lane i of operand k has the k-th of the i-th K words.
/// Without Ordered the units may have another order, which interleave() without Ordered undoes.
template <class L, bool Ordered, size_t K, class W> RNG_FN void deinterleave(W (&a)[K]) {
    if constexpr (K > 1) {
        W even[K / 2], odd[K / 2];
        for (size_t i = 0; i < K / 2; ++i) {
            even[i] = L::even_slots(a[2 * i], a[2 * i + 1]);
            odd[i] = L::odd_slots(a[2 * i], a[2 * i + 1]);
            if constexpr (Ordered) {
                even[i] = {L::in_order(even[i].v), 0};
                odd[i] = {L::in_order(odd[i].v), 0};
            }
        }
        deinterleave<L, Ordered>(even);
        deinterleave<L, Ordered>(odd);
        for (size_t i = 0; i < K / 2; ++i) {
            a[2 * i] = even[i];
            a[2 * i + 1] = odd[i];
        }
    }
}
/// R registers, one for each output, become R registers of outputs in the order of memory.
template <class L, bool Ordered, class V> RNG_FN void interleave(V (&)[1]) {}
template <class L, bool Ordered, class V> RNG_FN void interleave(V (&a)[2]) {
    if constexpr (Ordered) {
        a[0] = {L::by_parts(a[0].v), 0};
        a[1] = {L::by_parts(a[1].v), 0};
    }
    if constexpr (rng::detail::is_same<V, u64<L>>) {  // the type of an integer register does not determine its lanes
        f64<L> numbers[2]{from_bits(a[0]), from_bits(a[1])};
        interleave<L, false>(numbers);
        a[0] = bits(numbers[0]);
        a[1] = bits(numbers[1]);
    } else {
        const V low{L::merge_low(a[0].v, a[1].v), 0};
        a[1] = {L::merge_high(a[0].v, a[1].v), 0};
        a[0] = low;
    }
}
template <class L, bool Ordered, class V> RNG_FN void interleave(V (&a)[4]) {
    V even[2]{a[0], a[2]}, odd[2]{a[1], a[3]};
    interleave<L, true>(even);
    interleave<L, true>(odd);
    for (size_t i = 0; i < 2; ++i) {
        V both[2]{even[i], odd[i]};
        interleave<L, true>(both);
        a[2 * i] = both[0];
        a[2 * i + 1] = both[1];
    }
}

/// True if the order of units in registers does not matter, because the stores undo that of the loads.
template <class D, class U = rng::detail::Unit<D>>
inline constexpr bool takes_any_order = U::operands == 2 && U::outputs == 2 && U::lane_bytes == 4 * U::operand_words;

/// Reads the operands of a register's units.
template <class D, class L, size_t K, class W> RNG_FN void load_operands(const uint32_t* words, W (&a)[K]) {
    using U = rng::detail::Unit<D>;
    if constexpr (U::lane_bytes == 4 * U::operand_words) {
        for (size_t k = 0; k < K; ++k) a[k] = {L::load(words + k * register_words<L>), 0};
        deinterleave<L, !takes_any_order<D>>(a);
    } else if constexpr (K == 1) {
        a[0] = {L::load_widened(words), 0};
    } else {  // two operands lie in each lane
        W pairs[K / 2];
        for (size_t k = 0; k < K / 2; ++k) pairs[k] = {L::load(words + k * register_words<L>), 0};
        deinterleave<L, true>(pairs);
        for (size_t k = 0; k < K / 2; ++k) {
            a[2 * k] = pairs[k] & W(0xffffffffu);
            a[2 * k + 1] = shr<32>(pairs[k]);
        }
    }
}

/// Stores registers of numbers of type T, which may be narrower than their lanes.
template <class L, int LaneBytes, class T, size_t R, class V> RNG_FN void store_outputs(T* out, const V (&a)[R]) {
    constexpr auto lanes = static_cast<size_t>(L::bytes / LaneBytes);
    constexpr auto bytes = static_cast<int>(sizeof(T));
    for (size_t i = 0; i < R; ++i, out += lanes) {
        if constexpr (bytes == LaneBytes)
            L::store(out, a[i].v);
        else
            L::template store_low<LaneBytes, bytes>(out, a[i].v);
    }
}
/// Stores outputs lane by lane, for three parts and for widths without an instruction.
template <class L, int LaneBytes, class T, size_t R, class V> RNG_FN void store_lanes(T* out, const V (&a)[R]) {
    constexpr auto lanes = static_cast<size_t>(L::bytes / LaneBytes);
    alignas(64) unsigned char lane[R][static_cast<unsigned>(L::bytes)];
    for (size_t k = 0; k < R; ++k) L::store(lane[k], a[k].v);
    for (size_t i = 0; i < lanes; ++i)
        for (size_t k = 0; k < R; ++k, ++out) __builtin_memcpy(out, lane[k] + i * LaneBytes, sizeof(T));
}

/// One step: turns the words of step_slots<D, L> slots into values by `map`. Returns a bit for each undecided value.
template <class D, class L, class M> RNG_FN uint64_t apply_step(const M& map, const uint32_t* words, result_t<D>* out) {
    using U = rng::detail::Unit<D>;
    if constexpr (rng::detail::is_same<L, Scalar>) {
        const auto made = U::template apply_to_words<L>(map, [&words]() {
            uint32_t word = 0;
            __builtin_memcpy(&word, words++, sizeof word);  // the memory may hold values of another type
            return word;
        });
        for (int k = 0; k < U::values; ++k) out[k] = U::value(made, k);
        return U::is_undecided(made);
    } else {
        using Part = typename U::Part;
        typename U::template Operand<L> operands[static_cast<unsigned>(U::operands)];
        load_operands<D, L>(words, operands);
        const auto made = U::apply(map, [&operands](int k) { return operands[k]; });
        decltype(output(made, 0)) outputs[static_cast<unsigned>(U::outputs)];
        for (int k = 0; k < U::outputs; ++k) outputs[k] = output(made, k);
        auto* parts = reinterpret_cast<Part*>(out);
        if constexpr (U::outputs == 3 || (U::lane_bytes == 8 && sizeof(Part) < 4)) {
            store_lanes<L, U::lane_bytes>(parts, outputs);
        } else {
            interleave<L, !takes_any_order<D>>(outputs);
            store_outputs<L, U::lane_bytes>(parts, outputs);
        }
        if constexpr (D::map_shape != Shape::sampler)
            return 0;
        else if constexpr (U::lane_bytes == 4)
            return L::lanes_set(made.undecided.v);
        else
            return L::lanes_set64(made.undecided.v);
    }
}

}  // namespace detail

template <class D> size_t table_words_of(const void* distribution) {
    return static_cast<const D*>(distribution)->table_words();
}
template <class D> void prepare_map(const void* distribution, void* map, [[maybe_unused]] uint64_t* table) {
    const auto& dist = *static_cast<const D*>(distribution);
    using M = decltype(dist.map());
    static_assert(sizeof(M) <= rng_abi::most_map_bytes,
                  "a prepared map has at most 256 bytes; longer ones take a table");
    const auto keep = [map](const M& prepared) { __builtin_memcpy(map, &prepared, sizeof(M)); };
    if constexpr (rng::detail::has_table<D>) {
        if (table != nullptr) {
            dist.build_table(table);
            return keep(dist.map(static_cast<const uint64_t*>(table)));
        }
    }
    keep(dist.map());
}

/// The properties of a distribution on which its kernels depend. Distributions whose maps have the same type share
/// kernels: chi_squared has those of gamma. So do integers of one size, because only their bits matter.
template <class M, class T, class Part, int Slot, int OperandWords, int Parts, Shape S, bool RealArithmetic>
struct KernelOf {
    using result_type = T;
    using part_type = Part;
    static constexpr int slot_words = Slot, operand_words = OperandWords, parts = Parts;
    static constexpr Shape map_shape = S;
    static constexpr bool has_real_arithmetic = RealArithmetic;
    M map() const;  // declared for its type only
};
template <class T> struct KernelValue { using type = T; };
template <class T>
requires(rng::detail::integer<T>) struct KernelValue<T> {
    using type = std::make_unsigned_t<T>;
};
template <class T> using kernel_value_t = typename KernelValue<T>::type;
template <class D, class U = rng::detail::Unit<D>>
using kernel_of =
    KernelOf<decltype(D{}.map()), kernel_value_t<result_t<D>>, kernel_value_t<typename U::Part>, D::slot_words,
             U::operand_words, U::parts, D::map_shape, rng::detail::has_real_arithmetic<D>()>;

/// MapFunctions::apply or, with Whole, MapFunctions::proposal, which calls the map's operator() even if it has a
/// squeeze(). Each step uses the widest of the lanes that fits; the last of them is the narrowest.
template <class D, bool Whole, class... Lanes>
RNG_FLATTEN size_t apply_map(const void* prepared, const uint32_t* words, void* values, size_t n, uint32_t* undecided) {
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    auto* out = static_cast<result_t<D>*>(values);
    size_t i = 0, listed = 0;
    if constexpr (rng::detail::Unit<D>::template has_map_over<Scalar>()) {
        const auto step = [&]<class Lane>(type_tag<Lane>) {
            uint64_t lanes = 0;
            if constexpr (!Whole && rng::detail::has_squeeze<D>)
                lanes = detail::apply_step<D, Lane>(rng::detail::Squeeze<decltype(D{}.map())>{map},
                                                    words + D::slot_words * i, out + i);
            else
                lanes = detail::apply_step<D, Lane>(map, words + D::slot_words * i, out + i);
            for (; lanes != 0; lanes &= lanes - 1)
                undecided[listed++] = static_cast<uint32_t>(i + static_cast<size_t>(__builtin_ctzll(lanes)));
            i += detail::step_slots<D, Lane>;
        };
        const auto steps = [&](auto lane) {
            while (i + detail::step_slots<D, typename decltype(lane)::type> <= n) step(lane);
        };
        (steps(type_tag<Lanes>{}), ...);
    } else {
        for (; i < n; ++i) undecided[listed++] = static_cast<uint32_t>(i);
    }
    return listed;
}

namespace detail {

/// A retry stream whose words come from a function that knows the engine.
struct SourceRetryStream {
    rng_abi::WordSource source;
    RNG_FN uint32_t word() { return source.next(source.self); }
    RNG_FN uint64_t word64() {
        const uint64_t low = word();
        return low | static_cast<uint64_t>(word()) << 32;
    }
};

}  // namespace detail

template <class D> bool map_has_squeeze(const void* prepared) {
    return static_cast<const decltype(D{}.map())*>(prepared)->has_squeeze();
}

template <class D> RNG_FLATTEN void finish_value(const void* prepared, rng_abi::WordSource source, void* value) {
    const auto& map = *static_cast<const decltype(D{}.map())*>(prepared);
    detail::SourceRetryStream retry_stream{source};
    *static_cast<result_t<D>*>(value) = rng::detail::sample<D>(map, retry_stream);
}

/// The functions of distribution D over lane L. Long runs go through the lanes Wide, the widest first.
template <class D, class L, class... Wide> constexpr rng_abi::MapFunctions map_functions() {
    static_assert(sizeof(result_t<D>) <= rng_abi::most_bytes_of_word * D::slot_words,
                  "a value has at most 16 bytes for each word of its slot");
    using Kernel = kernel_of<D>;
    rng_abi::MapFunctions f{};
    if constexpr (rng::detail::has_table<D>) f.table_words = &table_words_of<D>;
    if constexpr (requires { D::least_tabulated; }) f.least_tabulated = D::least_tabulated;
    f.map_bytes = sizeof(decltype(D{}.map()));
    f.prepare = &prepare_map<D>;
    f.proposal = &apply_map<Kernel, true, Wide..., L>;
    f.apply = f.proposal;
    if constexpr (rng::detail::has_squeeze<D>) {
        f.apply = &apply_map<Kernel, false, Wide..., L>;
        f.has_squeeze = &map_has_squeeze<Kernel>;
    }
    if constexpr (D::map_shape == Shape::sampler) f.finish = &finish_value<Kernel>;
    f.slot_multiple = detail::step_slots<D, L>;
    f.unit_words = rng::detail::Unit<D>::words;
    f.retries_take_slots = rng::detail::retries_take_slots<D>();
    return f;
}

}  // namespace lane
RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
