// says: not a distribution of rows
void use(rng::matrix_view<double> x, const std::vector<double>& alpha, rng::Generator& generator) {
#if MISTAKE
    rng::fill_rows(x, alpha, generator);
#else
    rng::fill_rows(x, rng::dirichlet(alpha), generator);
#endif
}
