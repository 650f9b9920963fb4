// says: a Generator is not an engine of <random>
void use(std::vector<double>& x, rng::Generator& gen) {
#if MISTAKE
    std::shuffle(x.begin(), x.end(), gen);
#else
    (void)gen;
    rng::philox4x32 engine(42);
    std::shuffle(x.begin(), x.end(), engine);
#endif
}
