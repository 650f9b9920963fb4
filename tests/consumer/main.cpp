// What a user of the compiled library writes first. Exits 0 if a bulk fill and at() agree to the bit.
#include <rng/rng.hpp>

#include <cstdio>
#include <vector>

int main() {
    rng::Generator generator{42};
    const rng::Stream<> stream = generator.stream();
    const rng::normal<float> dist{0.0f, 1.0f};
    std::vector<float> x(1000);
    rng::fill(x, dist, generator);
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (x[i] != rng::at(stream, dist, i)) {
            std::printf("value %zu of the fill differs from at()\n", i);
            return 1;
        }
    }
    std::printf("rng %s: %zu normals, first %a\n", RNG_VERSION, x.size(), static_cast<double>(x[0]));
}
