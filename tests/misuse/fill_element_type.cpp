// says: not of the distribution's type
void use(std::vector<float>& x) {
#if MISTAKE
    rng::fill(x, rng::normal{0.0, 1.0});
#else
    rng::fill(x, rng::normal{0.0f, 1.0f});
#endif
}
