// categorical and categorical_icdf: one of K categories, 0 to K - 1, by weights; with replacement.
//
//     const std::vector<double> weights{1, 0, 2.5};                            // in any unit
//     const rng::AliasTable table(weights);
//     const std::vector<int> x = rng::sample(rng::categorical(table), 1000, gen);
//     const int y = rng::at(rng::Stream{42}, rng::categorical_icdf(weights), 0);
//
// Both are views: the table, or the weights, must outlive them and not change. A category of weight 0 never appears.
// Each takes up to 2^31 - 1 weights.
// - categorical takes a table that is built once (alias_table.hpp). Each value takes the same short time, in fills,
//   at(), draws and kernels.
// - categorical_icdf inverts the distribution function: a greater word never gives a smaller value, as quasi-random and
//   common random numbers need. The share of each category is a whole number of the 2^64 words. A fill looks it up in a
//   table, of 16 to 32 bytes for each weight; at(), draws and kernels walk through the weights for each value.
// AliasTable{1, 0, 2.5} takes a list in braces. A table or a list that has no name lives to the end of the statement:
// rng::sample(rng::categorical(rng::AliasTable{1, 0, 2.5}), 1000, gen).
// Values are int, or int64_t: categorical<int64_t>(table). A value takes one 64-bit word.
// These two are not in the catalogue: `AnyDistribution`, the program and the library's kernels take no lists.
// Source of guide tables: Devroye, "Non-Uniform Random Variate Generation", Springer 1986, chapter III.2.4.
// Oracle: the word 0x4000000000000000 gives 1 of {1, 3}, and the word before it 0 of categorical_icdf.
#pragma once

#include "../detail/weights.hpp"
#include "../draw.hpp"
#if !defined(__CUDACC_RTC__)
#include "alias_table.hpp"
#endif

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// One of K categories by weights, found in an AliasTable.
template <class T = int32_t> struct categorical {
    static_assert(detail::is_count<T>, "categorical is of int32_t or int64_t");
    using result_type = T;

    static constexpr const char* name = "categorical";
    static constexpr const char* support = "{0, ..., K - 1}";
    static constexpr const char* summary = "a category by weights, by aliases";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;

    categorical() = default;
    /// Takes the `all` entries of an AliasTable. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr categorical(const uint64_t* first, uint32_t all) : entries(first), count(all) {}
#if !defined(__CUDACC_RTC__)
    /// Takes a table, which must outlive the distribution.
    explicit categorical(const AliasTable& table) : categorical(table.data(), table.size()) {}
    /// Weights are not a table: this does not compile, and the message says what to write.
    template <class List>
    requires requires { typename detail::number_of_list_t<List>; }
    explicit categorical(const List&) { refuse_weights(); }
    explicit categorical(std::initializer_list<double>) { refuse_weights(); }
#endif

    const uint64_t* entries = nullptr;
    uint32_t count = 0;
    static constexpr uint32_t most_entries = detail::Weights<double>::most;

    [[nodiscard]] ParameterFault fault() const {
        if (count < 1 || count > most_entries)
            return ParameterFault::of_integer("table", count, "must have 1 to 2^31 - 1 entries");
        return {};
    }

    struct Map {
        const uint64_t* entries;
        uint64_t count;
        uint64_t category_bits;  // masks the other category in an entry; the rest is what the cell's own one keeps

        RNG_FN lane::u64<lane::Scalar> operator()(lane::u64<lane::Scalar> w) const {
            const auto product = lane::mul_wide(w, count);
            const uint64_t cell = product.high.v, entry = entries[cell], other = entry & category_bits;
            // A mask, because compilers turn ?: into a branch, which processors mispredict so often that a value takes
            // three times as long.
            const uint64_t keeps = 0 - static_cast<uint64_t>(product.low.v < entry - other);
            return (cell & keeps) | (other & ~keeps);
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {entries, count, (uint64_t{1} << detail::alias_bits(count)) - 1}; }
    template <class G> RNG_FN T operator()(G& engine) const { return draw(*this, engine); }

  private:
    static constexpr void refuse_weights() {
        static_assert(detail::never<T>,
                      "categorical takes a table that lives as long: write const AliasTable table(weights) once, then "
                      "categorical(table); or categorical_icdf(weights), and Prepared(categorical_icdf(weights)) to "
                      "keep what it prepares");
    }
};
#if !defined(__CUDACC_RTC__)
categorical(const AliasTable&)->categorical<int32_t>;
template <class List>
requires requires { typename detail::number_of_list_t<List>; }
categorical(const List&)->categorical<int32_t>;
categorical(std::initializer_list<double>)->categorical<int32_t>;
#endif
RNG_GUIDE categorical(const uint64_t*, uint32_t)->categorical<int32_t>;

/// One of K categories by weights of float or double, found by inversion.
template <class T = int32_t, class W = double> struct categorical_icdf {
    static_assert(detail::is_count<T>, "categorical_icdf is of int32_t or int64_t");
    using result_type = T;

    static constexpr const char* name = "categorical_icdf";
    static constexpr const char* support = "{0, ..., K - 1}";
    static constexpr const char* summary = "a category by weights, by inversion";
    static constexpr int slot_words = 2;
    static constexpr Shape map_shape = Shape::value;

    categorical_icdf() = default;
    /// Takes the first `all` weights. Kernels use this constructor, with a pointer that they can read.
    RNG_FN constexpr categorical_icdf(const W* first, uint32_t all) : list{first, all, 0} {}
    /// Takes all weights of a list, which must outlive the distribution.
    template <detail::list_of<W> List>
    explicit constexpr categorical_icdf(const List& weights) : list(detail::weights_of(weights)) {}

    detail::Weights<W> list;

    [[nodiscard]] ParameterFault fault() const { return list.fault(); }

    struct Map {
        detail::PieceMasses<detail::Weights<W>> masses;
        const uint64_t* table;  // null: walk

        RNG_FN lane::u64<lane::Scalar> operator()(lane::u64<lane::Scalar> w) const {
            if (table != nullptr) return uint64_t{detail::PieceTable{table, masses.lists.count}.find(w.v).piece};
            return uint64_t{masses.find(w.v).piece};
        }
    };
    [[nodiscard]] size_t table_words() const { return detail::PieceTable::size(list.count); }
    void build_table(uint64_t* table) const {
        detail::PieceTable::build(detail::PieceMasses<detail::Weights<W>>(list), table);
    }
    /// Requires the table that build_table() made of the same weights.
    [[nodiscard]] Map map(const uint64_t* table) const {
        return {detail::PieceMasses<detail::Weights<W>>(list, 0), table};
    }
    [[nodiscard]] RNG_FN Map map() const { return {detail::PieceMasses<detail::Weights<W>>(list), nullptr}; }
    template <class G> RNG_FN T operator()(G& engine) const { return draw(*this, engine); }
};
template <class List> categorical_icdf(const List&) -> categorical_icdf<int32_t, detail::number_of_list_t<List>>;
template <class W> RNG_GUIDE categorical_icdf(const W*, uint32_t)->categorical_icdf<int32_t, W>;

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
