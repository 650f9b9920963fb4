// says: the first argument is a matrix
void use(std::vector<double>& x, rng::Generator& generator) {
    const rng::sphere<double> dist{10};
#if MISTAKE
    rng::fill_rows(x, dist, generator);
#else
    rng::fill_rows(rng::matrix_view<double>::row_major(x.data(), x.size() / 10, dist.row_size()), dist, generator);
#endif
}
