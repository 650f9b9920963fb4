// says: write fill(std::span(first, last), dist, generator)
void use(std::vector<double>& x) {
#if MISTAKE
    rng::fill(x.begin(), x.end(), rng::normal{0.0, 1.0});
#else
    rng::fill(std::span(x.begin(), x.end()), rng::normal{0.0, 1.0});
#endif
}
