// The backend of the low-rank SVD over ranks: the rows of A, and the tall matrix with as many rows, are spread over
// them. The other tall matrix, and everything of size q x q, is on every rank, with the same bits.
#pragma once

#include <string>
#include <vector>

#include "../ranks/rank_tree.hpp"
#include "host_tall.hpp"
#include "rank_matrix.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> class RankSvdBackend final : public SvdBackend<T> {
  public:
    /// The shape is that of the whole matrix. U has the rows of A that this rank was given, without gaps, and V all
    /// its rows. Collective: throws Error on all ranks if one has not enough memory.
    /// `state` is what the ranks' generators had in common when the call began.
    RankSvdBackend(const RankLayout& layout, const SvdShape& shape, const MatrixDescription& mine, RankMean mean,
                   std::vector<std::byte> state);

    /// Says where write() writes.
    void set_output(const SvdOutput& out) { out_ = out; }

    [[nodiscard]] std::string not_finite() override;
    [[nodiscard]] double largest_element() override;
    void subtract_column_means() override;
    void draw_test_matrix(const StreamRecord& stream, TestMatrix kind, int exponent) override;
    void multiply_to(TallMatrix result) override;
    [[nodiscard]] SquareMatrix gram(TallMatrix which) override;
    void multiply_right(TallMatrix which, const SquareMatrix& w) override;
    [[nodiscard]] double largest(TallMatrix which) override;
    void scale(TallMatrix which, int exponent) override;
    void refill(TallMatrix which, size_t column, const StreamRecord& stream, uint64_t first, double factor) override;
    [[nodiscard]] std::vector<std::complex<double>> largest_per_column(TallMatrix which) override;
    void write(TallMatrix which, const std::vector<std::complex<double>>& factors) override;
    [[noreturn]] void refuse_call(const char* /*call*/, const std::string& what) override {
        layout_.call().refuse_alike(what);
    }
    void attempt(const std::function<void()>& part) override { layout_.call().attempt(part); }
    void check_unmoved(const Generator& generator) override;
    void begin_again() override;

  private:
    /// True for the tall matrix with the rows of A; U comes from it.
    [[nodiscard]] bool is_spread(TallMatrix which) const { return (which == TallMatrix::x) != shape_.is_wide(); }
    [[nodiscard]] HostTall<T>& tall(TallMatrix which) { return is_spread(which) ? spread_[0] : whole_[0]; }
    [[nodiscard]] size_t parts() const { return shape_.complex ? 2 : 1; }
    [[nodiscard]] double greatest(double mine);

    const RankLayout& layout_;
    SvdShape shape_;
    SvdOutput out_{};
    std::vector<std::byte> state_;
    RankMatrix<T> a_;
    std::vector<HostTall<T>> spread_, whole_;  // one each
    RankTree<T> products_;
    RankTree<double> grams_;
};

extern template class RankSvdBackend<float>;
extern template class RankSvdBackend<double>;

}  // namespace detail
RNG_END_NAMESPACE
