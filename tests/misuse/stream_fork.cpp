// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)s.fork(0.1);
#else
    (void)s.fork(1);
#endif
}
