// says: write fill(std::span(first, last), dist, generator)
void use(double* first, double* last) {
#if MISTAKE
    rng::fill(first, last, rng::normal{0.0, 1.0});
#else
    rng::fill(std::span(first, last), rng::normal{0.0, 1.0});
#endif
}
