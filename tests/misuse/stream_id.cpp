// says: a seed, tag, id, position, index or count is an integer
void use() {
#if MISTAKE
    (void)rng::Stream{42, 1.5f};
#else
    (void)rng::Stream{42, 1};
#endif
}
