// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)s.at_position(2.0);
#else
    (void)s.at_position(2);
#endif
}
