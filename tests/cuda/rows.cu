// What rows.hpp declares.
#include "rows.hpp"

#include <rng/device_fill_rows.hpp>

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

}  // namespace rows
