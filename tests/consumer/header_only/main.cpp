// Values without the compiled library. Exits 0 if the first word is Random123's first known answer.
#include <rng/at.hpp>
#include <rng/core/stream.hpp>
#include <rng/distributions/catalogue.hpp>

#include <cstdio>

int main() {
    const rng::Stream<> stream{0};
    const double x = rng::at(stream, rng::normal<double>{0.0, 1.0}, 7);
    std::printf("first word %08x, normal 7: %a\n", static_cast<unsigned>(rng::word(stream, 0)), x);
    return rng::word(stream, 0) == 0x6627e8d5u ? 0 : 1;
}
