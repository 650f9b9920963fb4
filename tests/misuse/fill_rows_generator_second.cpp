// says: the distribution comes second
void use(rng::matrix_view<double> x, rng::Generator& generator) {
#if MISTAKE
    rng::fill_rows(x, generator, rng::sphere<double>{10});
#else
    rng::fill_rows(x, rng::sphere<double>{10}, generator);
#endif
}
