// says: values come from a Stream or a Generator: write to_stream(engine)
void use(std::vector<int>& x, const std::vector<double>& mean, rng::philox4x32& engine) {
    const auto dist_of = [&](uint64_t i) { return rng::poisson{mean[i]}; };
#if MISTAKE
    rng::fill_each(x, dist_of, engine);
#else
    rng::fill_each(x, dist_of, to_stream(engine));
#endif
}
