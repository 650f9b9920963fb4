// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    gen.skip_words(1.5);
#else
    gen.skip_words(1);
#endif
}
