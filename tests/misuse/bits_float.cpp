// says: bits<T>: T is an unsigned integer of 32 or 64 bits
void use() {
#if MISTAKE
    (void)rng::bits<float>{};
#else
    (void)rng::bits<uint32_t>{};
#endif
}
