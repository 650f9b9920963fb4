// says: categorical takes a table that lives as long
void use(std::vector<int>& x, rng::Generator& generator) {
#if MISTAKE
    rng::fill(x, rng::categorical({1, 0, 2.5}), generator);
#else
    const rng::AliasTable table{1, 0, 2.5};
    rng::fill(x, rng::categorical(table), generator);
#endif
}
