// says: a Generator is not an engine of <random>
void use(rng::Generator& gen) {
#if MISTAKE
    (void)rng::normal{0.0, 1.0}(gen);
#else
    (void)rng::sample(rng::normal{0.0, 1.0}, 1, gen);
#endif
}
