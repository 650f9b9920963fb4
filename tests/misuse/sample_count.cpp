// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    (void)rng::sample(rng::normal{0.0, 1.0}, 1e6, gen);
#else
    (void)rng::sample(rng::normal{0.0, 1.0}, 1'000'000, gen);
#endif
}
