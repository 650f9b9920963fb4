// What rows.hpp declares.
#include "rows.hpp"

#include <rng/device_fill_rows.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/multinomial.hpp>

namespace rows {

void fill(const Matrix& out, const Law& law, rng::Generator& generator, rng::cuda_stream stream) {
    rng::fill_rows(out, law, generator, stream);
}
void fill_by_default(const Matrix& out, const Law& law, rng::cuda_stream stream) { rng::fill_rows(out, law, stream); }
void fill(const Matrix& out, const Law& law, const rng::Stream<>& from, uint64_t first, rng::cuda_stream stream) {
    rng::fill_rows(out, law, from, first, stream);
}
void launch(const Matrix& out, const Law& law, const rng::Stream<>& from, uint64_t first, rng::cuda_stream stream) {
    rng::launch_rows(out, law, from, first, stream);
}
template <class D> std::vector<rng::result_t<D>> on_host(const D& law, size_t n, uint64_t seed) {
    std::vector<rng::result_t<D>> made(n * law.row_size());
    rng::fill_rows(rng::matrix_view<rng::result_t<D>>::row_major(made.data(), n, law.row_size()), law,
                   rng::Generator{seed});
    return made;
}
std::vector<float> shares_on_host(const std::vector<float>& alpha, size_t n, uint64_t seed) {
    return on_host(rng::dirichlet(alpha), n, seed);
}
std::vector<int> counts_on_host(const std::vector<float>& weights, size_t n, uint64_t seed) {
    return on_host(rng::multinomial(1000, weights), n, seed);
}

}  // namespace rows
