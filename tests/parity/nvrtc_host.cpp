// nvrtc_host SEED ID POSITION LOW HIGH ROWS: prints the numbers of nvrtc_values.hpp, one to a line, with what each is.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "nvrtc_values.hpp"

int main(int argc, char** argv) {
    if (argc != 7) return 2;
    const auto number = [argv](int i) { return std::strtoull(argv[i], nullptr, 10); };
    const rng::Stream<> stream(number(1), number(2), number(3));
    const auto low = static_cast<int32_t>(number(4)), high = static_cast<int32_t>(number(5));
    const auto print = []<class What>(rng::type_tag<What>, const char* road, uint64_t bits) {
        const char* type = "engine";
        if constexpr (rng::distribution<What>) type = rng::dtype_name<rng::result_t<What>>();
        std::printf("%016" PRIx64 " %s<%s> by %s\n", bits, What::name, type, road);
    };
    for (uint64_t i = 0; i < number(6); ++i) nvrtc_values::visit(stream, low, high, i, print);
}
