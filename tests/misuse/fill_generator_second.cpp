// says: the distribution comes second
void use(std::vector<double>& x, rng::Generator& gen) {
#if MISTAKE
    rng::fill(x, gen, rng::normal{0.0, 1.0});
#else
    rng::fill(x, rng::normal{0.0, 1.0}, gen);
#endif
}
