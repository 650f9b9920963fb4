// says: write std::vector<uint8_t>
void use(size_t n) {
#if MISTAKE
    std::vector<bool> x(n);
    rng::fill(x, rng::bernoulli{0.5});
#else
    std::vector<uint8_t> x(n);
    rng::fill(x, rng::bernoulli{0.5});
#endif
}
