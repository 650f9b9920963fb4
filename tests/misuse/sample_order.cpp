// says: write sample(dist, n, generator)
void use(rng::Generator& gen) {
#if MISTAKE
    auto x = rng::sample(1000, rng::normal{0.0, 1.0}, gen);
    (void)x;
#else
    auto x = rng::sample(rng::normal{0.0, 1.0}, 1000, gen);
    (void)x;
#endif
}
