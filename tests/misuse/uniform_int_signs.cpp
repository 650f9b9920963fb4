// says: write uniform_int{1, 6} or uniform_int{1u, 6u}
void use() {
#if MISTAKE
    (void)rng::uniform_int{1u, 6};
#else
    (void)rng::uniform_int{1u, 6u};
#endif
}
