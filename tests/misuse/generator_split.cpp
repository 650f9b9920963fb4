// says: a seed, tag, id, position, index or count is an integer
void use(rng::Generator& gen) {
#if MISTAKE
    (void)gen.split(2.5);
#else
    (void)gen.split(2);
#endif
}
