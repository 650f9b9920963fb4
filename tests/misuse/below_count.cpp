// says: a seed, tag, id, position, index or count is an integer
void use(rng::philox4x32& engine) {
#if MISTAKE
    (void)rng::below(engine, 6.5);
#else
    (void)rng::below(engine, 6);
#endif
}
