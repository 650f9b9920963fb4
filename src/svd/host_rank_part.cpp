#include "host_rank_part.hpp"

#include <algorithm>
#include <cstring>
#include <list>
#include <utility>

#include "host_matrix.hpp"
#include "host_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using rng_abi::pad;

template <class T> class HostRankPart final : public RankPart<T> {
  public:
    explicit HostRankPart(const RankPartInput& in)
        : layout_(in.layout),
          shape_(in.shape),
          pieces_(in.pieces),
          out_(in.out),
          of_rows_(shape_, layout_.first(), layout_.count(), shape_.rows),
          of_columns_(shape_, 0, shape_.cols, shape_.cols) {
        for (const RankPiece& piece : pieces_) matrices_.emplace_back(layout_.call().name(), piece.description, false);
    }

    [[nodiscard]] std::string not_finite(bool of_mean) override {
        for (const HostMatrix<T>& a : matrices_)
            if (std::string where = of_mean ? a.mean_not_finite() : a.not_finite(); !where.empty()) return where;
        return "";
    }
    [[nodiscard]] double largest_element() override {
        double most = 0;
        for (const HostMatrix<T>& a : matrices_) most = std::max(most, a.largest_element());
        return most;
    }

    void begin_column_sums() override {
        AlignedVector<T>& ones = of_rows_.values();
        for (size_t i = 0; i < layout_.count(); ++i) ones[i * pad * parts()] = T{1};
        prepare(ones.data(), pad);
    }
    void column_sums(size_t piece, size_t first, size_t cols, T* out) override {
        const size_t width = pad * parts();
        std::vector<T> sums(cols * width);
        begins_[piece].first->apply_rows(true, begins_[piece].second, pad, width, first, cols, sums.data());
        for (size_t j = 0; j < cols; ++j)
            for (size_t part = 0; part < parts(); ++part) out[j * parts() + part] = sums[j * width + part * pad];
    }
    void set_mean_row(const std::vector<T>& mean) override {
        std::fill(of_rows_.values().begin(), of_rows_.values().end(), T{0});  // of the ones
        for (HostMatrix<T>& a : matrices_) a.set_mean_row(mean);
    }

    void draw_test_matrix(RankTall which, const StreamRecord& stream, TestMatrix kind, int exponent) override {
        tall(which).draw_test_matrix(stream, kind, exponent);
    }
    void multiply_rows() override {
        auto piece = pieces_.begin();
        for (HostMatrix<T>& a : matrices_)
            a.apply(false, of_columns_.row(0), shape_.ld(), computed_columns<T>(shape_),
                    of_rows_.row((piece++)->first));
    }
    void begin_products() override { prepare(of_rows_.row(0), shape_.ld()); }
    void products(size_t piece, size_t first, size_t cols, T* out) override {
        begins_[piece].first->apply_rows(true, begins_[piece].second, shape_.ld(), computed_columns<T>(shape_), first,
                                         cols, out);
    }
    [[nodiscard]] T* room_for_columns() override { return of_columns_.row(0); }
    void take_columns() override {}

    [[nodiscard]] std::vector<double> gram(RankTall which, size_t first, size_t rows) override {
        return tall(which).gram(first, rows);
    }
    void multiply_right(RankTall which, const SquareMatrix& w) override { tall(which).multiply_right(w); }
    [[nodiscard]] double largest(RankTall which) override { return tall(which).largest(); }
    void scale(RankTall which, int exponent) override { tall(which).scale(exponent); }
    void refill(RankTall which, size_t column, const StreamRecord& stream, uint64_t first, double factor) override {
        tall(which).refill(column, stream, first, factor);
    }
    [[nodiscard]] std::vector<LargestEntry> largest_per_column(RankTall which) override {
        return tall(which).largest_per_column();
    }

    void write_columns(const std::vector<std::complex<double>>& factors) override {
        of_columns_.write(0, shape_.cols, factors, out_.V, out_.v_row_stride, out_.v_col_stride);
    }
    [[nodiscard]] std::vector<std::byte> write_rows(const std::vector<std::complex<double>>& factors) override {
        const size_t kept = layout_.count() - layout_.tail();
        const auto pitch = static_cast<ptrdiff_t>(shape_.q);
        std::vector<std::byte> tail(layout_.tail() * row_bytes());
        of_rows_.write(0, kept, factors, static_cast<std::byte*>(out_.U) + layout_.head() * row_bytes(), pitch, 1);
        of_rows_.write(kept, layout_.tail(), factors, tail.data(), pitch, 1);
        return tail;
    }
    void write_head(const std::vector<std::byte>& rows) override {
        if (!rows.empty()) std::memcpy(out_.U, rows.data(), rows.size());
    }

  private:
    [[nodiscard]] HostTall<T>& tall(RankTall which) { return which == RankTall::of_rows ? of_rows_ : of_columns_; }
    [[nodiscard]] size_t parts() const { return shape_.complex ? 2 : 1; }
    [[nodiscard]] size_t row_bytes() const { return shape_.q * parts() * sizeof(T); }
    /// Prepares each piece's rows of a tall matrix with `ld` columns.
    void prepare(const T* rows, size_t ld) {
        begins_.clear();
        auto piece = pieces_.begin();
        for (HostMatrix<T>& a : matrices_)
            begins_.push_back({&a, a.prepared(true, rows + (piece++)->first * ld * parts(), ld)});
    }

    const RankLayout& layout_;
    const SvdShape& shape_;
    const std::vector<RankPiece>& pieces_;
    SvdOutput out_;
    HostTall<T> of_rows_, of_columns_;
    std::list<HostMatrix<T>> matrices_;  // of each piece
    std::vector<std::pair<HostMatrix<T>*, const T*>> begins_;
};

class HostRankPlace final : public RankPlace {
  public:
    void check_sparse(const char* call, const MatrixDescription& matrix) override {
        detail::check_sparse(call, matrix);
    }
    [[nodiscard]] std::vector<std::byte> packed(const DenseDescription& from, size_t first, size_t rows,
                                                size_t bytes) override {
        std::vector<std::byte> to(rows * from.cols * bytes);
        std::byte* at = to.data();
        for (size_t i = first; i < first + rows; ++i)
            for (size_t j = 0; j < from.cols; ++j, at += bytes)
                std::memcpy(
                    at, static_cast<const std::byte*>(from.data) + from.offset(i, j) * static_cast<ptrdiff_t>(bytes),
                    bytes);
        return to;
    }
    [[nodiscard]] const std::byte* on_host(const void* array, size_t) override {
        return static_cast<const std::byte*>(array);
    }
    [[nodiscard]] const void* kept(std::vector<std::byte> bytes) override {
        return kept_.emplace_back(std::move(bytes)).data();
    }
    void make(const RankPartInput& in, std::unique_ptr<RankPart<float>>& part) override {
        part = std::make_unique<HostRankPart<float>>(in);
    }
    void make(const RankPartInput& in, std::unique_ptr<RankPart<double>>& part) override {
        part = std::make_unique<HostRankPart<double>>(in);
    }
    void finish(void* s, const void* values, size_t bytes) override {
        if (bytes > 0) std::memcpy(s, values, bytes);
    }

  private:
    std::list<std::vector<std::byte>> kept_;
};

}  // namespace

std::unique_ptr<RankPlace> host_rank_place() { return std::make_unique<HostRankPlace>(); }

}  // namespace detail
RNG_END_NAMESPACE
