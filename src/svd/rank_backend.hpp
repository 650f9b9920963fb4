// The backend of the low-rank SVD over ranks: the rows of A, and the tall matrix with as many rows, are spread over
// them. The other tall matrix, and everything of size q x q, is on every rank, with the same bits.
#pragma once

#include <string>
#include <vector>

#include "../ranks/rank_tree.hpp"
#include "rank_part.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class RankSvdBackend final : public SvdBackend<T> {
  public:
    /// The shape is that of the whole matrix; the part is this rank's. Both must outlive the backend.
    /// `state` is what the ranks' generators had in common when the call began.
    RankSvdBackend(const RankLayout& layout, const SvdShape& shape, RankPart<T>& mine, std::vector<std::byte> state);

    [[nodiscard]] std::string not_finite() override;
    [[nodiscard]] double largest_element() override { return greatest(mine_.largest_element()); }
    void subtract_column_means() override;
    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override {
        mine_.draw_test_matrix(tall(TallMatrix::z), stream, kind, exponent);
    }
    void multiply_to(TallMatrix result) override;
    [[nodiscard]] SquareMatrix gram(TallMatrix which) override;
    [[nodiscard]] bool jacobi(double* m, double* v, double tolerance) override { return mine_.jacobi(m, v, tolerance); }
    void multiply_right(TallMatrix which, const SquareMatrix& w) override { mine_.multiply_right(tall(which), w); }
    [[nodiscard]] double largest(TallMatrix which) override;
    void scale(TallMatrix which, int exponent) override { mine_.scale(tall(which), exponent); }
    void refill(TallMatrix which, size_t column, const StreamRecord& stream, uint64_t first, double factor) override {
        mine_.refill(tall(which), column, stream, first, factor);
    }
    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override;
    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override;
    [[noreturn]] void refuse_call(const char* /*call*/, const std::string& what) override {
        layout_.call().refuse_alike(what);
    }
    void attempt(const std::function<void()>& part) override { layout_.call().attempt(part); }
    void check_unmoved(const Generator& generator) override;
    void begin_again() override;

  private:
    /// U comes from the tall matrix with the rows of A.
    [[nodiscard]] RankTall tall(TallMatrix which) const {
        return (which == TallMatrix::x) != shape_.is_wide() ? RankTall::of_rows : RankTall::of_columns;
    }
    [[nodiscard]] bool is_spread(TallMatrix which) const { return tall(which) == RankTall::of_rows; }
    [[nodiscard]] double greatest(double mine);

    const RankLayout& layout_;
    SvdShape shape_;
    RankPart<T>& mine_;
    std::vector<std::byte> state_;
    RankTree<T> products_;
    RankTree<double> grams_;
};

extern template class RankSvdBackend<float>;
extern template class RankSvdBackend<double>;

}  // namespace detail
RNG_END_NAMESPACE
