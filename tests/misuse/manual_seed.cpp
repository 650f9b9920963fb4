// says: a seed, tag, id, position, index or count is an integer
void use() {
#if MISTAKE
    rng::manual_seed(1.5);
#else
    rng::manual_seed(1);
#endif
}
