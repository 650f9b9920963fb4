// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)rng::Cursor(s, rng::normal{0.0, 1.0}, 1.5);
#else
    (void)rng::Cursor(s, rng::normal{0.0, 1.0}, 1);
#endif
}
