// says: a seed is not a generator: write rng::Stream{42}
void use(std::vector<int>& x, const std::vector<double>& mean) {
    const auto dist_of = [&](uint64_t i) { return rng::poisson{mean[i]}; };
#if MISTAKE
    rng::fill_each(x, dist_of, 42);
#else
    rng::fill_each(x, dist_of, rng::Stream{42});
#endif
}
