#include "rank_matrix.hpp"

#include <rng/verify.hpp>

#include <cstring>
#include <memory>
#include <utility>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Appends rows of a dense matrix, row after row without gaps.
void append(std::vector<std::byte>& to, const DenseDescription& from, size_t first, size_t rows, size_t bytes) {
    const size_t begin = to.size();
    to.resize(begin + rows * from.cols * bytes);
    std::byte* at = to.data() + begin;
    for (size_t i = first; i < first + rows; ++i)
        for (size_t j = 0; j < from.cols; ++j, at += bytes)
            std::memcpy(at,
                        static_cast<const std::byte*>(from.data) + from.offset(i, j) * static_cast<ptrdiff_t>(bytes),
                        bytes);
}
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
DenseDescription without_gaps(const std::vector<std::byte>& rows_of, size_t rows, size_t cols) {
    return {rows_of.data(), rows, cols, static_cast<ptrdiff_t>(cols), 1};
}

}  // namespace

RankMean rank_mean(RankCall& call, const MatrixDescription& a, size_t rows) {
    // A rank with one row of A has one row of M in both ways; a rank without rows has none in any.
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
    if (m.data != nullptr && m.rows == 1) {
        std::vector<std::byte> row;
        append(row, m, 0, 1, a.stored_bytes() * static_cast<size_t>(a.real_parts()));
        mine.row_digest = digest(row);
    }
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

template <class T>
RankMatrix<T>::RankMatrix(const RankLayout& layout, const MatrixDescription& mine, RankMean mean)
    : layout_(layout), mine_(mine), mean_(mean) {
    RankCall& call = layout.call();
    std::vector<std::byte> rows, mean_rows;  // as their owner gets them; each compressed row has its indices first
    std::vector<uint64_t> counts(layout.head());
    call.attempt([&] {
        if (is_sparse())
            for (size_t i = 0; i < counts.size(); ++i) {
                counts[i] = offset(i + 1) - offset(i);
                append(rows, at(mine_.sparse.indices, offset(i) * index_bytes()), counts[i] * index_bytes());
                append(rows, at(mine_.sparse.values, offset(i) * element_bytes()), counts[i] * element_bytes());
            }
        else
            append(rows, mine_.parts[0], 0, counts.size(), element_bytes());
        if (mean == RankMean::by_rows) append(mean_rows, mine_.mean, 0, counts.size(), element_bytes());
    });
    std::vector<uint64_t> row_bytes(layout.tail(), mine_.cols * element_bytes());
    if (is_sparse()) {
        const std::vector<std::byte> moved = layout.moved(std::as_writable_bytes(std::span(counts)), sizeof(uint64_t));
        tail_counts_.resize(layout.tail());
        if (!moved.empty()) std::memcpy(tail_counts_.data(), moved.data(), moved.size());
        for (size_t i = 0; i < row_bytes.size(); ++i)
            row_bytes[i] = tail_counts_[i] * (index_bytes() + element_bytes());
    }
    tail_ = layout.moved(rows, row_bytes);
    if (mean == RankMean::by_rows) tail_mean_ = layout.moved(mean_rows, mine_.mean.cols * element_bytes());
    call.attempt([&] {
        const std::vector<RankNode> nodes = layout_.pieces();
        for (size_t k = 0; k < nodes.size(); ++k)
            k + 1 == nodes.size() && layout_.tail() > 0 ? add_joined(nodes[k]) : add_in_place(nodes[k]);
    });
}

template <class T> uint64_t RankMatrix<T>::offset(size_t row) const {
    return mine_.sparse.index_bytes == 4 ? static_cast<uint64_t>(static_cast<const int32_t*>(mine_.sparse.offsets)[row])
                                         : static_cast<const uint64_t*>(mine_.sparse.offsets)[row];
}

/// Begins a piece of a node's rows, without the rows.
template <class T> typename RankMatrix<T>::Piece& RankMatrix<T>::new_piece(const RankNode& node) {
    Piece& piece = pieces_.emplace_back();
    piece.first = node.first;
    MatrixDescription& a = piece.description;
    a.name = mine_.name;
    a.type = mine_.type;
    a.is_double = mine_.is_double;
    a.is_complex = mine_.is_complex;
    a.rows = node.count;
    a.cols = mine_.cols;
    a.first_row = layout_.first() + node.first;
    if (mean_ == RankMean::one_row) a.mean = mine_.mean;
    if (mean_ == RankMean::by_rows) a.first_mean_row = a.first_row;
    return piece;
}

/// Gives a piece compressed rows with offsets from these counts of elements.
template <class T>
void RankMatrix<T>::set_rows(Piece& piece, std::span<const uint64_t> counts, const void* indices, const void* values) {
    uint64_t end = 0;
    const auto add = [&](uint64_t value) {
        const auto narrow = static_cast<int32_t>(value);
        index_bytes() == 4 ? append(piece.offsets, &narrow, 4) : append(piece.offsets, &value, 8);
    };
    add(0);
    for (const uint64_t count : counts) add(end += count);
    piece.description.sparse = {piece.offsets.data(),     indices, values, counts.size() + 1, end, end,
                                mine_.sparse.index_bytes, false};
}

/// Adds a piece whose rows this rank was given.
template <class T> void RankMatrix<T>::add_in_place(const RankNode& node) {
    Piece& piece = new_piece(node);
    const size_t first = layout_.head() + node.first;
    if (is_sparse()) {
        std::vector<uint64_t> counts(node.count);
        for (size_t i = 0; i < node.count; ++i) counts[i] = offset(first + i + 1) - offset(first + i);
        set_rows(piece, counts, at(mine_.sparse.indices, offset(first) * index_bytes()),
                 at(mine_.sparse.values, offset(first) * element_bytes()));
    } else {
        piece.description.parts = {rows_from(mine_.parts[0], first, node.count, element_bytes())};
    }
    if (mean_ == RankMean::by_rows) piece.description.mean = rows_from(mine_.mean, first, node.count, element_bytes());
    piece.matrix = std::make_unique<HostMatrix<T>>(layout_.call().name(), piece.description, false);
}

/// Adds a piece whose last rows other ranks were given.
template <class T> void RankMatrix<T>::add_joined(const RankNode& node) {
    Piece& piece = new_piece(node);
    const size_t first = layout_.head() + node.first, rows = node.count - layout_.tail();
    if (is_sparse()) {
        std::vector<uint64_t> counts(rows);
        for (size_t i = 0; i < rows; ++i) counts[i] = offset(first + i + 1) - offset(first + i);
        counts.insert(counts.end(), tail_counts_.begin(), tail_counts_.end());
        const uint64_t begin = offset(first), own = offset(first + rows) - begin;
        append(piece.indices, at(mine_.sparse.indices, begin * index_bytes()), own * index_bytes());
        append(piece.values, at(mine_.sparse.values, begin * element_bytes()), own * element_bytes());
        const std::byte* from = tail_.data();
        for (const uint64_t count : tail_counts_) {
            append(piece.indices, from, count * index_bytes());
            from += count * index_bytes();
            append(piece.values, from, count * element_bytes());
            from += count * element_bytes();
        }
        set_rows(piece, counts, piece.indices.data(), piece.values.data());
    } else {
        append(piece.values, mine_.parts[0], first, rows, element_bytes());
        append(piece.values, tail_.data(), tail_.size());
        piece.description.parts = {without_gaps(piece.values, node.count, mine_.cols)};
    }
    if (mean_ == RankMean::by_rows) {
        append(piece.mean, mine_.mean, first, rows, element_bytes());
        append(piece.mean, tail_mean_.data(), tail_mean_.size());
        piece.description.mean = without_gaps(piece.mean, node.count, mine_.mean.cols);
    }
    piece.matrix = std::make_unique<HostMatrix<T>>(layout_.call().name(), piece.description, false);
}

template class RankMatrix<float>;
template class RankMatrix<double>;

}  // namespace detail
RNG_END_NAMESPACE
