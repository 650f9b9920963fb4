// says: a seed, tag, id, position, index or count is an integer
void use(rng::Stream<> s) {
#if MISTAKE
    (void)s.fork('w');
#else
    (void)s.fork("w");
#endif
}
