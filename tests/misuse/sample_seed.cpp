// says: a seed is not a generator
void use(size_t n) {
#if MISTAKE
    auto x = rng::sample(rng::normal{0.0, 1.0}, n, 42);
    (void)x;
#else
    auto x = rng::sample(rng::normal{0.0, 1.0}, n, rng::Stream{42});
    (void)x;
#endif
}
