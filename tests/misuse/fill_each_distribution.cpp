// says: one distribution of all values: write fill(x, dist, generator)
void use(std::vector<int>& x, rng::Generator& gen) {
#if MISTAKE
    rng::fill_each(x, rng::poisson{3.0}, gen);
#else
    rng::fill(x, rng::poisson{3.0}, gen);
#endif
}
