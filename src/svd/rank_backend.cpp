#include "rank_backend.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::pad;
using rng_abi::panel_rows;

template <class T>
RankSvdBackend<T>::RankSvdBackend(const RankLayout& layout, const SvdShape& shape, const MatrixDescription& mine,
                                  RankMean mean, std::vector<std::byte> state)
    : layout_(layout),
      shape_(shape),
      state_(std::move(state)),
      a_(layout, mine, mean),
      products_(layout),
      grams_(layout) {
    layout.call().attempt([&] {
        spread_.emplace_back(shape, layout.first(), layout.count(), shape.rows);
        whole_.emplace_back(shape, 0, shape.cols, shape.cols);
    });
}

template <class T> std::string RankSvdBackend<T>::not_finite() {
    RankCall& call = layout_.call();
    // The rows ascend with the ranks, and all of A come before those of M.
    for (const bool of_mean : {false, true}) {
        std::string first;
        for (auto& piece : a_.pieces())
            if (first.empty()) first = of_mean ? piece.matrix->mean_not_finite() : piece.matrix->not_finite();
        if (first = call.first_text(first); !first.empty()) return first;
    }
    return "";
}

/// Returns the greatest of the ranks' numbers, none of which is NaN.
template <class T> double RankSvdBackend<T>::greatest(double mine) {
    const std::vector<double> all = layout_.call().gathered(mine);
    return *std::max_element(all.begin(), all.end());
}

template <class T> double RankSvdBackend<T>::largest_element() {
    double most = 0;
    for (auto& piece : a_.pieces()) most = std::max(most, piece.matrix->largest_element());
    return greatest(most);
}

template <class T> void RankSvdBackend<T>::subtract_column_means() {
    // A^H times a column of ones, in the memory of the tall matrix with the rows of A. It must be 0 again afterwards.
    const size_t width = pad * parts(), rows = layout_.count();
    AlignedVector<T>& ones = spread_[0].values();
    for (size_t i = 0; i < rows; ++i) ones[i * width] = T{1};
    std::vector<const T*> begins;
    std::vector<HostMatrix<T>*> matrices;
    for (auto& piece : a_.pieces()) {
        begins.push_back(piece.matrix->prepared(true, ones.data() + piece.first * width, pad));
        matrices.push_back(piece.matrix.get());
    }
    std::vector<T> column(shape_.cols * parts());
    products_.sum(
        shape_.cols, parts(), panel_rows,
        [&](size_t k, size_t first, size_t now, T* out) {
            std::vector<T> sums(now * width);
            matrices[k]->apply_rows(true, begins[k], pad, width, first, now, sums.data());
            for (size_t j = 0; j < now; ++j)
                for (size_t part = 0; part < parts(); ++part) out[j * parts() + part] = sums[j * width + part * pad];
        },
        column.data());
    std::fill(ones.begin(), ones.end(), T{0});
    column = column_means(std::move(column), shape_.rows, shape_.complex);
    for (auto& piece : a_.pieces()) piece.matrix->set_mean_row(column);
}

template <class T> void RankSvdBackend<T>::draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) {
    tall(TallMatrix::z).draw_test_matrix(stream, kind, exponent);
}

template <class T> void RankSvdBackend<T>::multiply_to(TallMatrix result) {
    const size_t ld = shape_.ld(), columns = computed_columns<T>(shape_);
    if (is_spread(result)) {
        for (auto& piece : a_.pieces())
            piece.matrix->apply(false, whole_[0].row(0), ld, columns, spread_[0].row(piece.first));
        return;
    }
    std::vector<const T*> begins;
    std::vector<HostMatrix<T>*> matrices;
    for (auto& piece : a_.pieces()) {
        begins.push_back(piece.matrix->prepared(true, spread_[0].row(piece.first), ld));
        matrices.push_back(piece.matrix.get());
    }
    products_.sum(
        shape_.cols, shape_.width(), panel_rows,
        [&](size_t k, size_t first, size_t now, T* out) {
            matrices[k]->apply_rows(true, begins[k], ld, columns, first, now, out);
        },
        whole_[0].row(0));
}

template <class T> SquareMatrix RankSvdBackend<T>::gram(TallMatrix which) {
    if (!is_spread(which)) return symmetric(whole_[0].gram(0, shape_.cols), shape_);
    std::vector<std::vector<double>> nodes;
    for (const RankNode& piece : layout_.pieces()) nodes.push_back(spread_[0].gram(piece.first, piece.count));
    std::vector<double> upper(shape_.width() * shape_.width());
    grams_.sum(
        shape_.width(), shape_.width(), 1,
        [&](size_t k, size_t first, size_t now, double* out) {
            std::copy_n(nodes[k].data() + first * shape_.width(), now * shape_.width(), out);
        },
        upper.data());
    return symmetric(std::move(upper), shape_);
}

template <class T> void RankSvdBackend<T>::multiply_right(TallMatrix which, const SquareMatrix& w) {
    tall(which).multiply_right(w);
}

template <class T> double RankSvdBackend<T>::largest(TallMatrix which) {
    const double mine = tall(which).largest();
    return is_spread(which) ? greatest(mine) : mine;
}

template <class T> void RankSvdBackend<T>::scale(TallMatrix which, int exponent) { tall(which).scale(exponent); }

template <class T>
void RankSvdBackend<T>::refill(TallMatrix which, size_t column, const StreamRecord& stream, uint64_t first,
                               double factor) {
    tall(which).refill(column, stream, first, factor);
}

template <class T> std::vector<std::complex<double>> RankSvdBackend<T>::largest_per_column(TallMatrix which) {
    std::vector<LargestEntry> mine = tall(which).largest_per_column(), all = mine;
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
    if (!is_spread(which))
        return whole_[0].write(0, shape_.cols, factors, out_.V, out_.v_row_stride, out_.v_col_stride);
    // Rows that moved to this rank go back to where A's are.
    const size_t row_bytes = shape_.q * parts() * sizeof(T), kept = layout_.count() - layout_.tail();
    auto* const u = static_cast<std::byte*>(out_.U);
    const auto pitch = static_cast<ptrdiff_t>(shape_.q);
    std::vector<std::byte> tail(layout_.tail() * row_bytes);
    spread_[0].write(0, kept, factors, u + layout_.head() * row_bytes, pitch, 1);
    spread_[0].write(kept, layout_.tail(), factors, tail.data(), pitch, 1);
    layout_.move_back(tail, row_bytes, {u, layout_.head() * row_bytes});
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
