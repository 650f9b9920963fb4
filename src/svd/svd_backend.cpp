#include "svd_backend.hpp"

#include <algorithm>

#include "../ranks/rank_tree.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::panel_rows;

namespace {

/// Returns the greatest of the ranks' magnitudes.
double greatest_of(const RankLayout* ranks, double mine) {
    if (ranks == nullptr) return mine;
    for (const double other : ranks->call().gathered(mine)) mine = greater_magnitude(mine, other);
    return mine;
}

/// Completes Y^T Y from its upper triangle.
SquareMatrix symmetric(std::vector<double> upper, const SvdShape& shape) {
    SquareMatrix g(shape.width(), std::move(upper));
    const size_t used = shape.width() - shape.ld() + shape.q;
    for (size_t i = 0; i < used; ++i)
        for (size_t j = i + 1; j < used; ++j) g(j, i) = g(i, j);
    return g;
}

}  // namespace

template <class T> SquareMatrix Tall<T>::gram() {
    if (spread_ == nullptr) return symmetric(gram_of(0, rows_), shape_);
    const size_t width = shape_.width();
    std::vector<std::vector<double>> nodes;
    for (const RankNode& slab : spread_->slabs()) nodes.push_back(gram_of(slab.first, slab.count));
    std::vector<double> upper(width * width);
    RankTree<double>(*spread_).sum(
        width, width, 1,
        [&](size_t k, size_t first, size_t now, double* out) {
            std::copy_n(nodes[k].data() + first * width, now * width, out);
        },
        upper.data());
    return symmetric(std::move(upper), shape_);
}

template <class T> double Tall<T>::largest() { return greatest_of(spread_, largest_here()); }

template <class T> std::vector<std::complex<double>> Tall<T>::largest_per_column() {
    std::vector<LargestEntry> mine = largest_per_column_here();
    if (spread_ != nullptr) {
        RankCall& call = spread_->call();
        std::vector<LargestEntry> all(mine.size() * static_cast<size_t>(call.size()));
        call.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
        std::fill(mine.begin(), mine.end(), LargestEntry{});
        for (size_t k = 0; k < all.size(); ++k)  // the first rank wins ties, as the first row does
            if (LargestEntry& most = mine[k % mine.size()]; all[k].size > most.size) most = all[k];
    }
    std::vector<std::complex<double>> leaders;
    for (const LargestEntry& entry : mine) leaders.emplace_back(entry.re, entry.im);
    return leaders;
}

template <class T> std::string SvdBackend<T>::not_finite() {
    // The rows ascend with the ranks, and all of A come before those of M.
    for (const bool of_mean : {false, true}) {
        std::string first;
        for (size_t k = 0; k < slabs_.size() && first.empty(); ++k)
            first = of_mean ? slabs_[k]->mean_not_finite() : slabs_[k]->not_finite();
        if (in_.ranks != nullptr) first = in_.ranks->call().first_text(first);
        if (!first.empty()) return first;
    }
    return "";
}

template <class T> double SvdBackend<T>::largest_element() {
    double most = 0;
    for (const auto& slab : slabs_) most = greater_magnitude(most, slab->largest_element());
    return greatest_of(in_.ranks, most);
}

template <class T> void SvdBackend<T>::subtract_column_means() {
    const size_t parts = in_.shape.parts(), cols = in_.shape.cols;
    for (const auto& slab : slabs_) slab->set_mean_row(nullptr);
    mean_.resize(cols * parts);
    const auto leaf = [&](size_t k, size_t first, size_t now, T* out) {
        if (now > 0)
            slabs_[k]->sum_columns(of_rows_->row(slabs_[k]->first_row()), of_columns_->row(0), first, now, out);
    };
    if (in_.ranks == nullptr)
        leaf(0, 0, cols, mean_.data());
    else
        RankTree<T>(*in_.ranks).sum(cols, parts, panel_rows, leaf, mean_.data());
    for (size_t i = 0; i < mean_.size(); ++i)  // they are sums of conjugates
        mean_[i] = (parts == 2 && i % 2 != 0 ? -mean_[i] : mean_[i]) / static_cast<T>(in_.shape.rows);
    for (const auto& slab : slabs_) slab->set_mean_row(mean_.data());
}

template <class T> void SvdBackend<T>::multiply_to(TallMatrix result) {
    const size_t q = in_.shape.q, cols = in_.shape.cols;
    if (has_rows_of_a(result)) {
        for (const auto& slab : slabs_) slab->apply(false, of_columns_->row(0), q, of_rows_->row(slab->first_row()));
        return;
    }
    T* const columns = of_columns_->row(0);
    if (in_.ranks == nullptr) return slabs_[0]->apply(true, of_rows_->row(0), q, columns);
    std::vector<const T*> prepared;
    for (const auto& slab : slabs_) prepared.push_back(slab->prepared(true, of_rows_->row(slab->first_row()), q));
    T* total = columns;
    if (room_for(total) != total) {
        columns_.resize(cols * width());
        total = columns_.data();
    }
    const auto leaf = [&](size_t k, size_t first, size_t now, T* out) {
        if (now == 0) return;
        T* const room = room_for(out);
        slabs_[k]->apply_rows(true, prepared[k], q, first, now, room);
        to_host(out, room, now * width());
    };
    RankTree<T>(*in_.ranks).sum(cols, width(), panel_rows, leaf, total);
    from_host(columns, total, cols * width());
}

template <class T> void SvdBackend<T>::write(TallMatrix which, const std::vector<std::complex<double>>& factors) {
    const SvdOutput& out = in_.out;
    const RankLayout* const ranks = in_.ranks;
    if (!has_rows_of_a(which))
        return of_columns_->write(0, in_.shape.cols, factors, out.V, out.v_row_stride, out.v_col_stride);
    if (ranks == nullptr) return of_rows_->write(0, in_.shape.rows, factors, out.U, out.u_row_stride, out.u_col_stride);
    // Rows that moved to this rank go back to the rank that has those of A.
    const size_t kept = ranks->count() - ranks->tail(), q = in_.shape.returned_q, values = q * in_.shape.parts();
    std::vector<T> tail(ranks->tail() * values), head(ranks->head() * values);
    const auto u_first = static_cast<ptrdiff_t>(ranks->head() * in_.shape.parts()) * out.u_row_stride;
    of_rows_->write(0, kept, factors, static_cast<T*>(out.U) + u_first, out.u_row_stride, out.u_col_stride);
    if (!tail.empty()) {
        T* const room = room_for(tail.data());
        of_rows_->write(kept, ranks->tail(), factors, room, static_cast<ptrdiff_t>(q), 1);
        to_host(tail.data(), room, tail.size());
    }
    ranks->move_back(std::as_writable_bytes(std::span(tail)), values * sizeof(T),
                     std::as_writable_bytes(std::span(head)));
    if (!head.empty()) write_head(head);
}

template <class T> void SvdBackend<T>::from_host(T* to, const T* host, size_t n) {
    if (to != host) std::copy_n(host, n, to);
}

template <class T> void SvdBackend<T>::write_head(const std::vector<T>& rows) {
    std::copy(rows.begin(), rows.end(), static_cast<T*>(in_.out.U));  // on the host, U has no gaps
}

template class Tall<float>;
template class Tall<double>;
template class SvdBackend<float>;
template class SvdBackend<double>;

}  // namespace detail
RNG_END_NAMESPACE
