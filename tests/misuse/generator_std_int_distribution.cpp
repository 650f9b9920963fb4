// says: a Generator is not an engine of <random>
void use(rng::Generator& gen) {
#if MISTAKE
    (void)std::uniform_int_distribution<>{}(gen);
#else
    (void)rng::sample(rng::uniform_int{1, 6}, 1, gen);
#endif
}
