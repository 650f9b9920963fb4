// says: include <rng/device_fill_rows.hpp>
void use(rng::device_matrix<double> x, const rng::Stream<>& stream) {
#if MISTAKE
    rng::fill_rows(x, rng::sphere<double>{3}, stream);
#else
    rng::fill(x, rng::uniform<double>{}, stream);
#endif
}
