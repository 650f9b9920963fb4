// Digests of the rows of structured results that the model has too (tests/reference/structured_answers.py).
#pragma once

#include <rng/row_at.hpp>
#include <rng/structured/cholesky.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/haar.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_hypergeometric.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/sphere.hpp>
#include <rng/structured/wishart.hpp>
#if defined(RNG_MATRIX_LIBRARY)
#include <rng/fill_rows.hpp>
#endif

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../src/verify/digest_of.hpp"

namespace row_digests {

template <class D> void print(const char* dtype, const D& dist, const char* name = D::name) {
    constexpr std::size_t n = 16;
    const rng::Stream<> stream(42);
    std::vector<rng::result_t<D>> x(n * dist.row_size());
#if defined(RNG_MATRIX_LIBRARY)
    rng::fill_rows(rng::matrix_view<rng::result_t<D>>::row_major(x.data(), n, dist.row_size()), dist, stream);
#else
    for (std::size_t i = 0; i < n; ++i) {
        auto* const row = x.data() + i * dist.row_size();
        rng::row_at(stream, dist, i, row);
#if RNG_FMA_BY_PROCESSOR
        // row_at() has taken the processor's fma; every other row is made with the fma of libm.
        if (i % 2 == 1)
            rng::detail::over_lane<rng::lane::Scalar>([&]<class L>(rng::type_tag<L> tag) {
                rng::detail::WriteRow{}(tag, stream, dist, rng::detail::row_slot_words * i,
                                        rng::detail::RowPlace<rng::result_t<D>>{row, 1});
            });
#endif
    }
#endif
    std::printf("rows %s %s %016" PRIx64 "\n", name, dtype, rng_goldens::digest_of(x.data(), x.size()));
}

inline void print_all() {
    const std::vector<float> single_alpha{0.5f, 1, 2.5f}, covariance{4, 2, 6, 2, 3, 3, 6, 3, 10};
    const std::vector<double> alpha{0.5, 1, 2.5}, weights{0, 1, 2, 0.5}, mean{-0.5, 0.5, 1.5};
    const auto single_factor = rng::cholesky(covariance, 3);
    const auto factor = rng::cholesky(std::vector<double>(covariance.begin(), covariance.end()), 3);
    print("f32", rng::dirichlet(single_alpha));
    print("f64", rng::dirichlet(alpha));
    print("f32", rng::dirichlet(std::vector<float>(5, 1)), "dirichlet_of_ones");
    print("f64", rng::dirichlet(std::vector<double>(5, 1)), "dirichlet_of_ones");
    print("f64", rng::multivariate_normal(mean, factor));
    print("f32", rng::wishart(4.5f, single_factor));
    print("f32", rng::sphere<float>{9});
    print("f64", rng::ball<double>{3});
    print("f32", rng::haar_special_orthogonal<float>{4});
    print("f64", rng::haar_unitary<double>{3});
    print("i32", rng::multinomial(1000, weights));
    const std::vector<int32_t> kinds{13, 0, 20000, 40000};
    print("i32", rng::multivariate_hypergeometric(kinds, 25000));
}

}  // namespace row_digests
