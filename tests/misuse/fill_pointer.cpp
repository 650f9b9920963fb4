// says: write fill(std::span(pointer, n), dist, generator)
void use(double* p, size_t n) {
#if MISTAKE
    rng::fill(p, n, rng::normal{0.0, 1.0});
#else
    rng::fill(std::span(p, n), rng::normal{0.0, 1.0});
#endif
}
