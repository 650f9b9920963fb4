#include "host_backend.hpp"

#include <cstring>
#include <list>
#include <utility>

#include "host_matrix.hpp"
#include "host_product.hpp"
#include "host_tall.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

template <class T> class HostBackend final : public SvdBackend<T> {
  public:
    explicit HostBackend(const BackendInput& in) : SvdBackend<T>(in) {
        // Ranks exchange rows with those that have a GPU, and there rows have gaps.
        const bool compact = in.ranks == nullptr && is_compact(in.shape);
        for (const MatrixDescription& slab : in.slabs)
            this->slabs_.push_back(std::make_unique<HostMatrix<T>>(in.svd.call, slab, in.svd.fast, compact));
        this->of_rows_ = std::make_unique<HostTall<T>>(in.shape, in.shape.rows, in.ranks, compact);
        this->of_columns_ = std::make_unique<HostTall<T>>(in.shape, in.shape.cols, nullptr, compact);
    }
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
    void make(const BackendInput& in, bool, std::unique_ptr<SvdBackend<float>>& to) override {
        to = host_backend<float>(in);
    }
    void make(const BackendInput& in, bool, std::unique_ptr<SvdBackend<double>>& to) override {
        to = host_backend<double>(in);
    }
    void wait() override {}

  private:
    std::list<std::vector<std::byte>> kept_;
};

}  // namespace

template <class T> std::unique_ptr<SvdBackend<T>> host_backend(const BackendInput& in) {
    return std::make_unique<HostBackend<T>>(in);
}
template std::unique_ptr<SvdBackend<float>> host_backend(const BackendInput&);
template std::unique_ptr<SvdBackend<double>> host_backend(const BackendInput&);

std::unique_ptr<RankPlace> host_rank_place() { return std::make_unique<HostRankPlace>(); }

}  // namespace detail
RNG_END_NAMESPACE
