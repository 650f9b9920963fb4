// says: the first argument is memory
void use(std::list<double>& x) {
#if MISTAKE
    rng::fill(x, rng::normal{0.0, 1.0});
#else
    std::vector<double> values(x.size());
    rng::fill(values, rng::normal{0.0, 1.0});
#endif
}
