// says: a seed is not a generator: write rng::Stream{42}
void use(std::vector<double>& x) {
#if MISTAKE
    rng::fill(x, rng::normal{0.0, 1.0}, 42);
#else
    rng::fill(x, rng::normal{0.0, 1.0}, rng::Stream{42});
#endif
}
