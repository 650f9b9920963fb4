// says: a seed is not a generator
void use(rng::matrix_view<double> x) {
#if MISTAKE
    rng::fill_rows(x, rng::sphere<double>{10}, 42);
#else
    rng::fill_rows(x, rng::sphere<double>{10}, rng::Stream{42});
#endif
}
