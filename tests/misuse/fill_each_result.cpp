// says: the function returns no distribution of rng
void use(std::vector<int>& x, const std::vector<double>& mean) {
#if MISTAKE
    rng::fill_each(
        x, [&](uint64_t i) { return mean[i]; }, rng::Stream{42});
#else
    rng::fill_each(
        x, [&](uint64_t i) { return rng::poisson{mean[i]}; }, rng::Stream{42});
#endif
}
