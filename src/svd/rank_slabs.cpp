#include "rank_slabs.hpp"

#include <rng/verify.hpp>

#include <cstring>
#include <string>
#include <utility>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

void append(std::vector<std::byte>& to, const void* from, size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(from);
    to.insert(to.end(), begin, begin + bytes);
}
const void* at(const void* data, size_t bytes) { return static_cast<const std::byte*>(data) + bytes; }

DenseDescription rows_from(const DenseDescription& all, size_t first, size_t rows, size_t bytes) {
    DenseDescription part = all;
    part.data = static_cast<const std::byte*>(all.data) + all.offset(first, 0) * static_cast<ptrdiff_t>(bytes);
    part.rows = rows;
    return part;
}

}  // namespace

RankMean rank_mean(RankCall& call, RankPlace& place, const MatrixDescription& a, size_t rows) {
    // On a rank with one row of A, one row of M may mean either way; a rank without rows agrees with any.
    enum class Way : uint64_t { none, one_row, by_rows, either, any };
    struct Mine {
        Way way;
        uint64_t cols, row_digest;
    };
    const DenseDescription& m = a.mean;
    Mine mine{Way::none, m.cols, 0};
    if (rows == 0)
        mine.way = Way::any;
    else if (m.data != nullptr)
        mine.way = m.rows != 1 ? Way::by_rows : rows == 1 ? Way::either : Way::one_row;
    call.attempt([&] {
        if (m.data != nullptr && m.rows == 1)
            mine.row_digest = digest(place.packed(m, 0, 1, a.stored_bytes() * static_cast<size_t>(a.real_parts())));
    });
    const std::vector<Mine> all = call.gathered(mine);
    const auto first_with = [&](auto&& is) {
        size_t r = 0;
        while (r < all.size() && (all[r].way == Way::any || !is(all[r]))) ++r;
        return r;
    };
    const auto refuse_ranks = [&](const std::string& what, size_t r, const std::string& other, size_t s) {
        call.refuse_alike("M " + what + " on rank " + std::to_string(r) + " and " + other + " on rank " +
                          std::to_string(s));
    };
    const size_t with = first_with([](const Mine& one) { return one.way != Way::none; });
    if (with == all.size()) return RankMean::none;
    const size_t without = first_with([](const Mine& one) { return one.way == Way::none; });
    if (without != all.size()) refuse_ranks("is given", with, "is not", without);
    const size_t others = first_with([&](const Mine& one) { return one.cols != all[with].cols; });
    if (others != all.size())
        refuse_ranks("has " + std::to_string(all[with].cols) + " columns", with, std::to_string(all[others].cols),
                     others);
    const size_t one = first_with([](const Mine& m1) { return m1.way == Way::one_row; });
    const size_t by_rows = first_with([](const Mine& m1) { return m1.way == Way::by_rows; });
    if (one == all.size()) return RankMean::by_rows;
    if (by_rows != all.size()) refuse_ranks("has one row", one, "one for each row of A", by_rows);
    const size_t differs = first_with([&](const Mine& m1) { return m1.row_digest != all[with].row_digest; });
    if (differs != all.size()) refuse_ranks("has one row", with, "another", differs);
    return RankMean::one_row;
}

RankSlabs::RankSlabs(const RankLayout& layout, const MatrixDescription& mine, RankMean mean, RankPlace& place)
    : layout_(layout), mine_(mine), mean_(mean), place_(place) {
    RankCall& call = layout.call();
    std::vector<std::byte> rows, mean_rows;  // as they are sent to their owner
    std::vector<uint64_t> counts;
    call.attempt([&] {
        if (is_sparse() && layout.given_count() > 0)
            offsets_ = place.on_host(mine_.sparse.offsets, (layout.given_count() + 1) * index_bytes());
        counts = counts_of(0, layout.head());
        rows = head();
        if (mean == RankMean::by_rows) mean_rows = place.packed(mine_.mean, 0, layout.head(), element_bytes());
    });
    std::vector<uint64_t> row_bytes(layout.tail(), mine_.cols * element_bytes());
    if (is_sparse()) {
        counts.resize(layout.head());
        const std::vector<std::byte> moved = layout.moved(std::as_writable_bytes(std::span(counts)), sizeof(uint64_t));
        tail_counts_.resize(layout.tail());
        if (!moved.empty()) std::memcpy(tail_counts_.data(), moved.data(), moved.size());
        for (size_t i = 0; i < row_bytes.size(); ++i)
            row_bytes[i] = tail_counts_[i] * (index_bytes() + element_bytes());
    }
    tail_ = layout.moved(rows, row_bytes);
    if (mean == RankMean::by_rows) tail_mean_ = layout.moved(mean_rows, mine_.mean.cols * element_bytes());
    call.attempt([&] {
        const std::vector<RankNode> nodes = layout_.slabs();
        for (size_t k = 0; k < nodes.size(); ++k)
            k + 1 == nodes.size() && layout_.tail() > 0 ? add_joined(nodes[k]) : add_in_place(nodes[k]);
    });
}

uint64_t RankSlabs::offset(size_t row) const {
    return index_bytes() == 4 ? static_cast<uint64_t>(reinterpret_cast<const int32_t*>(offsets_)[row])
                              : reinterpret_cast<const uint64_t*>(offsets_)[row];
}

std::vector<uint64_t> RankSlabs::counts_of(size_t first, size_t rows) const {
    std::vector<uint64_t> counts;
    if (!is_sparse()) return counts;
    for (size_t i = first; i < first + rows; ++i) counts.push_back(offset(i + 1) - offset(i));
    return counts;
}

const std::byte* RankSlabs::elements(const void* array, uint64_t first, uint64_t n, size_t bytes) const {
    return n == 0 ? nullptr : place_.on_host(at(array, first * bytes), n * bytes);
}

/// The first rows given, which another rank owns. Each compressed row has its indices first.
std::vector<std::byte> RankSlabs::head() const {
    const size_t rows = layout_.head();
    if (!is_sparse()) return place_.packed(mine_.parts[0], 0, rows, element_bytes());
    std::vector<std::byte> to;
    if (rows == 0) return to;
    const std::byte* indices = elements(mine_.sparse.indices, 0, offset(rows), index_bytes());
    const std::byte* values = elements(mine_.sparse.values, 0, offset(rows), element_bytes());
    for (const uint64_t count : counts_of(0, rows)) {
        append(to, indices, count * index_bytes());
        append(to, values, count * element_bytes());
        indices += count * index_bytes();
        values += count * element_bytes();
    }
    return to;
}

/// Adds a slab for a node, without its rows.
MatrixDescription& RankSlabs::new_slab(const RankNode& node) {
    MatrixDescription& a = slabs_.emplace_back();
    a.name = mine_.name;
    a.type = mine_.type;
    a.is_double = mine_.is_double;
    a.is_complex = mine_.is_complex;
    a.rows = node.count;
    a.cols = mine_.cols;
    a.first_row = layout_.first() + node.first;
    if (mean_ == RankMean::one_row) a.mean = mine_.mean;
    if (mean_ == RankMean::by_rows) a.first_mean_row = a.first_row;
    return a;
}

/// Returns compressed rows with offsets from these counts of elements.
SparseDescription RankSlabs::rows_of(std::span<const uint64_t> counts, const void* indices, const void* values) const {
    std::vector<std::byte> offsets;
    uint64_t end = 0;
    const auto add = [&](uint64_t value) {
        const auto narrow = static_cast<int32_t>(value);
        index_bytes() == 4 ? append(offsets, &narrow, 4) : append(offsets, &value, 8);
    };
    add(0);
    for (const uint64_t count : counts) add(end += count);
    const auto elements = static_cast<size_t>(end);
    return {place_.kept(std::move(offsets)), indices, values, counts.size() + 1, elements, elements,
            mine_.sparse.index_bytes,        false};
}

/// Returns rows [first, first + rows) of a matrix of this rank, and the tail after them.
DenseDescription RankSlabs::joined(const DenseDescription& own, size_t first, size_t rows,
                                   const std::vector<std::byte>& tail) const {
    std::vector<std::byte> all = place_.packed(own, first, rows, element_bytes());
    append(all, tail.data(), tail.size());
    return {place_.kept(std::move(all)), rows + layout_.tail(), own.cols, static_cast<ptrdiff_t>(own.cols), 1};
}

/// Adds a slab whose rows this rank was given.
void RankSlabs::add_in_place(const RankNode& node) {
    MatrixDescription& slab = new_slab(node);
    const size_t first = layout_.head() + node.first;
    if (is_sparse())
        slab.sparse = rows_of(counts_of(first, node.count), at(mine_.sparse.indices, offset(first) * index_bytes()),
                              at(mine_.sparse.values, offset(first) * element_bytes()));
    else
        slab.parts = {rows_from(mine_.parts[0], first, node.count, element_bytes())};
    if (mean_ == RankMean::by_rows) slab.mean = rows_from(mine_.mean, first, node.count, element_bytes());
}

/// Adds a slab whose last rows other ranks were given.
void RankSlabs::add_joined(const RankNode& node) {
    MatrixDescription& slab = new_slab(node);
    const size_t first = layout_.head() + node.first, rows = node.count - layout_.tail();
    if (is_sparse()) {
        std::vector<uint64_t> counts = counts_of(first, rows);
        counts.insert(counts.end(), tail_counts_.begin(), tail_counts_.end());
        const uint64_t begin = offset(first), own = offset(first + rows) - begin;
        std::vector<std::byte> indices, values;
        append(indices, elements(mine_.sparse.indices, begin, own, index_bytes()), own * index_bytes());
        append(values, elements(mine_.sparse.values, begin, own, element_bytes()), own * element_bytes());
        const std::byte* from = tail_.data();
        for (const uint64_t count : tail_counts_) {
            append(indices, from, count * index_bytes());
            from += count * index_bytes();
            append(values, from, count * element_bytes());
            from += count * element_bytes();
        }
        const void* const kept_indices = place_.kept(std::move(indices));
        slab.sparse = rows_of(counts, kept_indices, place_.kept(std::move(values)));
    } else {
        slab.parts = {joined(mine_.parts[0], first, rows, tail_)};
    }
    if (mean_ == RankMean::by_rows) slab.mean = joined(mine_.mean, first, rows, tail_mean_);
}

}  // namespace detail
RNG_END_NAMESPACE
