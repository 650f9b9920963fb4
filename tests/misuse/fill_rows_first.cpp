// says: the matrix comes first
void use(rng::matrix_view<double> x, rng::Generator& generator) {
#if MISTAKE
    rng::fill_rows(rng::sphere<double>{10}, x, generator);
#else
    rng::fill_rows(x, rng::sphere<double>{10}, generator);
#endif
}
