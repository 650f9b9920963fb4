// says: a kernel calls at(stream, dist, numbers[k])
void use(rng::device_span<float> x, const rng::Stream<>& stream) {
#if MISTAKE
    rng::fill(x, rng::uniform<float>{}, stream, rng::indices{0, 4, 1});
#else
    rng::fill(x, rng::uniform<float>{}, stream);
#endif
}
