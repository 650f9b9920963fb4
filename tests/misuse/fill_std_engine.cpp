// says: for (auto& v : x) v = dist(engine)
void use(std::vector<double>& x, std::mt19937& engine) {
#if MISTAKE
    rng::fill(x, rng::normal{0.0, 1.0}, engine);
#else
    for (auto& v : x) v = rng::normal{0.0, 1.0}(engine);
#endif
}
