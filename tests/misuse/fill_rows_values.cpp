// says: makes single values, not rows
void use(rng::matrix_view<double> x, rng::Generator& generator) {
#if MISTAKE
    rng::fill_rows(x, rng::normal{0.0, 1.0}, generator);
#else
    rng::fill(x, rng::normal{0.0, 1.0}, generator);
#endif
}
