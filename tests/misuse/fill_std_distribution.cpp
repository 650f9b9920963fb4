// says: the second argument is not a distribution of rng
void use(std::vector<double>& x, rng::Generator& gen) {
#if MISTAKE
    rng::fill(x, std::normal_distribution<>(0, 1), gen);
#else
    rng::fill(x, rng::normal{0.0, 1.0}, gen);
#endif
}
