// says: write gen.skip_words(n)
void use(rng::Generator& gen) {
#if MISTAKE
    gen.discard(7);
#else
    gen.skip_words(7);
#endif
}
