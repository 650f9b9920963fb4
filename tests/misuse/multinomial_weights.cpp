// says: multinomial: the weights are a list of float or double
void use(rng::matrix_view<int> x, const std::vector<int>& counts, rng::Generator& generator) {
#if MISTAKE
    rng::fill_rows(x, rng::multinomial(100, counts), generator);
#else
    const std::vector<float> weights(counts.begin(), counts.end());
    rng::fill_rows(x, rng::multinomial(100, weights), generator);
#endif
}
