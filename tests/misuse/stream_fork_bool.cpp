// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)s.fork(true);
#else
    (void)s.fork(1);
#endif
}
