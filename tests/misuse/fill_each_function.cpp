// says: a function of the value's number: write [&](uint64_t i) {
void use(std::vector<int>& x, const std::vector<double>& mean, rng::Generator& gen) {
#if MISTAKE
    rng::fill_each(x, mean, gen);
#else
    rng::fill_each(
        x, [&](uint64_t i) { return rng::poisson{mean[i]}; }, gen);
#endif
}
