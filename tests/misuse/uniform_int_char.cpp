// says: for char write int8_t or uint8_t
void use() {
#if MISTAKE
    (void)rng::uniform_int{'a', 'z'}.fault();
#else
    (void)rng::uniform_int<uint8_t>{'a', 'z'}.fault();
#endif
}
