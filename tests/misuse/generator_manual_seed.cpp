// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    gen.manual_seed(1.5);
#else
    gen.manual_seed(1);
#endif
}
