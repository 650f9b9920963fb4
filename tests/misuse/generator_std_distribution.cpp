// says: a Generator is not an engine of <random>
void use(rng::Generator& gen) {
#if MISTAKE
    (void)std::normal_distribution<>{}(gen);
#else
    (void)gen;
    rng::philox4x32 engine(42);
    (void)std::normal_distribution<>{}(engine);
#endif
}
