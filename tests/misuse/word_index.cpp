// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)rng::word(s, 1.5);
#else
    (void)rng::word(s, 1);
#endif
}
