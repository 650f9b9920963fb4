// says: to set one write gen.manual_seed(7)
void use(rng::Generator& gen) {
#if MISTAKE
    gen.seed(7);
#else
    gen.manual_seed(7);
#endif
}
