// says: the destination comes first
void use(std::vector<double>& x, rng::Generator& gen) {
#if MISTAKE
    rng::fill(rng::normal{0.0, 1.0}, x, gen);
#else
    rng::fill(x, rng::normal{0.0, 1.0}, gen);
#endif
}
