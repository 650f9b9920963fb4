// interop/eigen.hpp: any Eigen matrix gives the bits of the same matrix in a matrix_view.
#include <gtest/gtest.h>
#include <rng/interop/eigen.hpp>
#include <rng/rng.hpp>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <complex>

#include "../support/paths.hpp"

namespace {

using rng::Generator;

template <class T> class InteropEigen : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(InteropEigen, Types);

template <class T> using ByColumns = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T> using ByRows = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <class T> ByColumns<T> random_matrix(Eigen::Index rows, Eigen::Index cols) {
    ByColumns<T> a(rows, cols);
    if constexpr (rng::detail::SvdElement<T>::is_complex)
        rng::fill(rng::interop::view(a), rng::complex_normal<rng::detail::real_t<T>>{}, rng::Stream<>{1});
    else
        rng::fill(rng::interop::view(a), rng::normal<T>{}, rng::Stream<>{1});
    return a;
}

template <class T> testing::AssertionResult same(const rng::EigenSvd<T>& a, const rng::LowRankSvd<T>& b) {
    for (Eigen::Index k = 0; k < a.S.size(); ++k) {
        const auto c = static_cast<std::size_t>(k);
        if (a.S[k] != b.S[c]) return testing::AssertionFailure() << "S[" << k << "]";
        for (Eigen::Index i = 0; i < a.U.rows(); ++i)
            if (a.U(i, k) != b.U(static_cast<std::size_t>(i), c))
                return testing::AssertionFailure() << "U " << i << ", " << k;
        for (Eigen::Index i = 0; i < a.V.rows(); ++i)
            if (a.V(i, k) != b.V(static_cast<std::size_t>(i), c))
                return testing::AssertionFailure() << "V " << i << ", " << k;
    }
    return testing::AssertionSuccess() << a.S.size();
}

TYPED_TEST(InteropEigen, EveryKindOfMatrixHasTheBitsOfAView) {
    using T = TypeParam;
    const ByColumns<T> a = random_matrix<T>(70, 40);
    Generator generator(42);
    const auto expected = rng::svd_lowrank(rng::interop::view(a), {.q = 7}, generator);
    const auto check = [&](const char* what, const auto& matrix) {
        Generator gen(42);
        EXPECT_TRUE(same(rng::svd_lowrank(matrix, {.q = 7}, gen), expected)) << what;
        EXPECT_EQ(gen.position(), generator.position()) << what;
    };
    check("column-major", a);
    check("row-major", ByRows<T>(a));
    ByColumns<T> larger = ByColumns<T>::Zero(100, 100);
    larger.block(13, 17, 70, 40) = a;
    check("a block", larger.block(13, 17, 70, 40));
    check("a transpose", ByColumns<T>(a.transpose()).transpose());
    check("a reversed map",
          Eigen::Map<const ByColumns<T>, 0, Eigen::OuterStride<>>(a.data(), 70, 40, Eigen::OuterStride<>(70)));
    check("an expression", a + ByColumns<T>::Zero(70, 40));
    check("a fixed size", Eigen::Matrix<T, 70, 40>(a));
    check("sparse by columns", Eigen::SparseMatrix<T>(a.sparseView()));
    check("sparse by rows", Eigen::SparseMatrix<T, Eigen::RowMajor, std::int64_t>(a.sparseView()));
    Eigen::SparseMatrix<T> open = a.sparseView();
    open.uncompress();
    check("sparse, not compressed", open);
    check("a sparse expression", open * typename Eigen::NumTraits<T>::Real(1));
}

TYPED_TEST(InteropEigen, OptionsAndPca) {
    using T = TypeParam;
    const ByColumns<T> a = random_matrix<T>(60, 50), mean = a.colwise().sum();
    Generator g1(42), g2(42);
    EXPECT_TRUE(same(rng::svd_lowrank(a, {.q = 5, .M = rng::interop::view(mean)}, g1),
                     rng::svd_lowrank(rng::interop::view(a), {.q = 5, .M = rng::interop::view(mean)}, g2)));
    EXPECT_TRUE(same(rng::pca_lowrank(a, {.q = 5}, g1), rng::pca_lowrank(rng::interop::view(a), {.q = 5}, g2)));
    EXPECT_TRUE(same(rng::svd_lowrank(a, {.q = 5, .oversampling = 4}, g1),
                     rng::svd_lowrank(rng::interop::view(a), {.q = 5, .oversampling = 4}, g2)));
    EXPECT_TRUE(same(rng::svd_lowrank(a, g1), rng::svd_lowrank(rng::interop::view(a), g2)));
    EXPECT_EQ(support::error_of(rng::ErrorCode::invalid_argument, [&] { (void)rng::svd_lowrank(a, {.q = 51}, g1); }),
              "svd_lowrank: q must be in [0, 50] for a matrix of 60 x 50, got 51");
}

}  // namespace
