#include "rank_backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::panel_rows;

template <class T>
RankSvdBackend<T>::RankSvdBackend(const RankLayout& layout, const SvdShape& shape, RankPart<T>& mine,
                                  std::vector<std::byte> state)
    : layout_(layout), shape_(shape), mine_(mine), state_(std::move(state)), products_(layout), grams_(layout) {}

template <class T> std::string RankSvdBackend<T>::not_finite() {
    // The rows ascend with the ranks, and all of A come before those of M.
    for (const bool of_mean : {false, true})
        if (std::string first = layout_.call().first_text(mine_.not_finite(of_mean)); !first.empty()) return first;
    return "";
}

/// Returns the greatest of the ranks' numbers, none of which is NaN.
template <class T> double RankSvdBackend<T>::greatest(double mine) {
    const std::vector<double> all = layout_.call().gathered(mine);
    return *std::max_element(all.begin(), all.end());
}

template <class T> void RankSvdBackend<T>::subtract_column_means() {
    const size_t parts = shape_.complex ? 2 : 1;
    mine_.begin_column_sums();
    std::vector<T> column(shape_.cols * parts);
    products_.sum(
        shape_.cols, parts, panel_rows,
        [&](size_t k, size_t first, size_t now, T* out) { mine_.column_sums(k, first, now, out); }, column.data());
    mine_.set_mean_row(column_means(std::move(column), shape_.rows, shape_.complex));
}

template <class T> void RankSvdBackend<T>::multiply_to(TallMatrix result) {
    if (is_spread(result)) return mine_.multiply_rows();
    mine_.begin_products();
    products_.sum(
        shape_.cols, shape_.width(), panel_rows,
        [&](size_t k, size_t first, size_t now, T* out) { mine_.products(k, first, now, out); },
        mine_.room_for_columns());
    mine_.take_columns();
}

template <class T> SquareMatrix RankSvdBackend<T>::gram(TallMatrix which) {
    if (!is_spread(which)) return symmetric(mine_.gram(RankTall::of_columns, 0, shape_.cols), shape_);
    std::vector<std::vector<double>> nodes;
    for (const RankNode& piece : layout_.pieces())
        nodes.push_back(mine_.gram(RankTall::of_rows, piece.first, piece.count));
    std::vector<double> upper(shape_.width() * shape_.width());
    grams_.sum(
        shape_.width(), shape_.width(), 1,
        [&](size_t k, size_t first, size_t now, double* out) {
            std::copy_n(nodes[k].data() + first * shape_.width(), now * shape_.width(), out);
        },
        upper.data());
    return symmetric(std::move(upper), shape_);
}

template <class T> double RankSvdBackend<T>::largest(TallMatrix which) {
    const double mine = mine_.largest(tall(which));
    return is_spread(which) ? greatest(mine) : mine;
}

template <class T> std::vector<std::complex<double>> RankSvdBackend<T>::largest_per_column(TallMatrix which) {
    std::vector<LargestEntry> mine = mine_.largest_per_column(tall(which)), all = mine;
    if (is_spread(which)) {
        RankCall& call = layout_.call();
        all.resize(mine.size() * static_cast<size_t>(call.size()));
        call.all_gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
        std::fill(mine.begin(), mine.end(), LargestEntry{});
        for (size_t k = 0; k < all.size(); ++k)  // the first rank wins ties, as the first row does
            if (LargestEntry& most = mine[k % mine.size()]; all[k].size > most.size) most = all[k];
    }
    std::vector<std::complex<double>> leaders;
    for (const LargestEntry& entry : mine) leaders.emplace_back(entry.re, entry.im);
    return leaders;
}

template <class T> void RankSvdBackend<T>::write(TallMatrix which, const std::vector<std::complex<double>>& factors) {
    if (!is_spread(which)) return mine_.write_columns(factors);
    // Rows that moved to this rank go back to where A's are.
    const size_t row_bytes = shape_.q * (shape_.complex ? 2 : 1) * sizeof(T);
    std::vector<std::byte> tail = mine_.write_rows(factors), head(layout_.head() * row_bytes);
    layout_.move_back(tail, row_bytes, head);
    mine_.write_head(head);
}

template <class T> void RankSvdBackend<T>::check_unmoved(const Generator& generator) {
    RankCall& call = layout_.call();
    call.refuse_first(generator.get_state() == state_ ? ""
                                                      : "the generator of rank " + std::to_string(call.rank()) +
                                                            " was moved by another thread during the call");
}

template <class T> void RankSvdBackend<T>::begin_again() {
    throw std::runtime_error("another thread moved the generator while the ranks went on; each rank needs its own");
}

template class RankSvdBackend<float>;
template class RankSvdBackend<double>;

}  // namespace detail
RNG_END_NAMESPACE
