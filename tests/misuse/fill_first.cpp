// says: index or count is an integer
void use(std::vector<double>& x) {
#if MISTAKE
    rng::fill(x, rng::normal{0.0, 1.0}, rng::Stream{42}, 1.5);
#else
    rng::fill(x, rng::normal{0.0, 1.0}, rng::Stream{42}, 1);
#endif
}
