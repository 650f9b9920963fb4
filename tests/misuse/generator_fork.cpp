// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    (void)gen.fork(0.1);
#else
    (void)gen.fork(1);
#endif
}
