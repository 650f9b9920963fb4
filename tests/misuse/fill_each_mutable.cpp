// says: several threads call the function: write one that is const
void use(std::vector<int>& x, const std::vector<double>& mean, rng::Generator& gen) {
#if MISTAKE
    rng::fill_each(
        x, [&, k = 0](uint64_t) mutable { return rng::poisson{mean[k++]}; }, gen);
#else
    rng::fill_each(
        x, [&](uint64_t i) { return rng::poisson{mean[i]}; }, gen);
#endif
}
