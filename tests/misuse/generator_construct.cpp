// says: a seed, tag, id, position, index or count is an integer
void use() {
#if MISTAKE
    (void)rng::Generator(42.5);
#else
    (void)rng::Generator(42);
#endif
}
