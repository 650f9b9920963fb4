// says: write const AliasTable table(weights) once
void use(std::vector<int>& x, const std::vector<double>& weights, rng::Generator& generator) {
#if MISTAKE
    rng::fill(x, rng::categorical(weights), generator);
#else
    const rng::AliasTable table(weights);
    rng::fill(x, rng::categorical(table), generator);
    rng::fill(x, rng::Prepared(rng::categorical_icdf(weights)), generator);
#endif
}
