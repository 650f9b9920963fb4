// `at`: values at unrelated places, one by one. What a program pays that indexes instead of filling.
//
// Compiled twice, since `at` is a header: for any x86-64, where it asks the processor for fma, and for this
// machine. The second compilation sets RNG_BENCH_AT=native, and RNG_ABI_NAMESPACE so that the linker
// does not merge the two.
#include "rng/at.hpp"
#include "rng/distributions/catalogue.hpp"
#include "support.hpp"

#if !defined(RNG_BENCH_AT)
#define RNG_BENCH_AT portable
#endif
#define RNG_BENCH_JOIN_(a, b) a##b
#define RNG_BENCH_JOIN(a, b) RNG_BENCH_JOIN_(a, b)
#define RNG_BENCH_TEXT_(a) #a
#define RNG_BENCH_TEXT(a) RNG_BENCH_TEXT_(a)

namespace bench {

void RNG_BENCH_JOIN(add_at_, RNG_BENCH_AT)() {
    const auto add = [](const char* what, const auto& dist) {
        add_at("at, compiled " RNG_BENCH_TEXT(RNG_BENCH_AT), what, dist);
    };
    add("u32", rng::bits<std::uint32_t>{});
    add("uniform_f32", rng::uniform<float>{});
    add("poisson_i32(3.5)", rng::poisson{3.5});
    add("poisson_i32(200)", rng::poisson{200});
    add("poisson_i32(1000000)", rng::poisson{1e6});
    add("binomial_i32(1000,0.3)", rng::binomial{1000, 0.3});
    add("uniform_f64", rng::uniform<double>{});
    add("normal_f32", rng::normal<float>{});
    add("normal_f64", rng::normal<double>{});
    add("exponential_f32", rng::exponential<float>{});
    add("exponential_f64", rng::exponential<double>{});
}

}  // namespace bench
