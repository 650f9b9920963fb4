// What instructions.py counts under an emulator: fills of 2^14 values by one thread, and the same values by std.
//
//     rng_bench_instructions KIND RUNS      KIND: u32, normal_f32, std_normal_f32 ...
#include <rng/rng.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::size_t count = 1 << 14;

template <class T, class D> void by_rng(const D& dist, int runs) {
    std::vector<T> values(count);
    rng::set_num_threads(1);
    for (int i = 0; i < runs; ++i) rng::fill(values, dist, rng::Stream<>{42}, static_cast<std::uint64_t>(i) * count);
    std::printf("%g\n", static_cast<double>(values.back()));
}

template <class T, class E, class D> void by_std(D dist, int runs) {
    std::vector<T> values(count);
    E engine(42);
    for (int i = 0; i < runs; ++i) {
        for (T& x : values) x = static_cast<T>(dist(engine));
        __asm__ volatile("" : : "r"(values.data()) : "memory");
    }
    std::printf("%g\n", static_cast<double>(values.back()));
}

struct Words {
    template <class E> auto operator()(E& engine) const { return engine(); }
};

using u32 = std::uint32_t;

const std::map<std::string, void (*)(int)> kinds{
    {"u32", [](int runs) { by_rng<u32>(rng::bits<u32>{}, runs); }},
    {"uniform_f32", [](int runs) { by_rng<float>(rng::uniform<float>{}, runs); }},
    {"uniform_f64", [](int runs) { by_rng<double>(rng::uniform<double>{}, runs); }},
    {"normal_f32", [](int runs) { by_rng<float>(rng::normal<float>{}, runs); }},
    {"normal_f64", [](int runs) { by_rng<double>(rng::normal<double>{}, runs); }},
    {"exponential_f32", [](int runs) { by_rng<float>(rng::exponential<float>{}, runs); }},
    {"exponential_f64", [](int runs) { by_rng<double>(rng::exponential<double>{}, runs); }},
    {"gamma_f32",
     [](int runs) {
         by_rng<float>(rng::gamma<float>{2.5f, 1.0f}, runs);
     }},
    {"gamma_f64",
     [](int runs) {
         by_rng<double>(rng::gamma<double>{2.5, 1.0}, runs);
     }},
    {"std_u32", [](int runs) { by_std<u32, std::mt19937>(Words{}, runs); }},
    {"std_uniform_f32", [](int runs) { by_std<float, std::mt19937>(std::uniform_real_distribution<float>(), runs); }},
    {"std_uniform_f64",
     [](int runs) { by_std<double, std::mt19937_64>(std::uniform_real_distribution<double>(), runs); }},
    {"std_normal_f32", [](int runs) { by_std<float, std::mt19937>(std::normal_distribution<float>(), runs); }},
    {"std_normal_f64", [](int runs) { by_std<double, std::mt19937_64>(std::normal_distribution<double>(), runs); }},
    {"std_exponential_f32",
     [](int runs) { by_std<float, std::mt19937>(std::exponential_distribution<float>(), runs); }},
    {"std_exponential_f64",
     [](int runs) { by_std<double, std::mt19937_64>(std::exponential_distribution<double>(), runs); }},
    {"std_gamma_f32", [](int runs) { by_std<float, std::mt19937>(std::gamma_distribution<float>(2.5f), runs); }},
    {"std_gamma_f64", [](int runs) { by_std<double, std::mt19937_64>(std::gamma_distribution<double>(2.5), runs); }},
};

}  // namespace

int main(int words, char** word) {
    const auto kind = kinds.find(words > 1 ? word[1] : "");
    if (kind == kinds.end()) return 2;
    kind->second(words > 2 ? std::atoi(word[2]) : 1);
}
