// says: Prepared keeps the map of a distribution of single values
void use(rng::matrix_view<int> x, const std::vector<double>& weights, rng::Generator& generator) {
    const rng::multinomial law(100, weights);
#if MISTAKE
    (void)x, (void)generator;
    const rng::Prepared kept(law);
#else
    rng::fill_rows(x, law, generator);
#endif
}
