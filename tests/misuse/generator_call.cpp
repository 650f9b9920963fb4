// says: a Generator is not an engine of <random>
void use(rng::Generator& gen) {
#if MISTAKE
    (void)gen();
#else
    (void)rng::sample(rng::bits<uint32_t>{}, 1, gen);
#endif
}
