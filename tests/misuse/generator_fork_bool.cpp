// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    (void)gen.fork(false);
#else
    (void)gen.fork();
#endif
}
