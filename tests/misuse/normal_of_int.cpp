// says: write normal{0.0, 1.0}
void use() {
#if MISTAKE
    (void)rng::normal{0, 1};
#else
    (void)rng::normal{0.0, 1};
#endif
}
