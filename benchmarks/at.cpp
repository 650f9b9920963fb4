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
namespace {

template <class D> void add_at(const std::string& what, const D& dist) {
    const std::string who = "at, compiled " RNG_BENCH_TEXT(RNG_BENCH_AT);
    add_row(row_name("at", who, what, "1", 1), 1, [=](benchmark::State& state) {
        constexpr std::size_t calls = 1024;
        const rng::Stream<> stream{42};
        std::uint64_t i = 0;
        for (auto _ : state) {
            for (std::size_t c = 0; c < calls; ++c) {
                benchmark::DoNotOptimize(rng::at(stream, dist, i));
                i = (i + 0x9e3779b9u) & 0xffffffffu;
            }
        }
        count(state, calls, sizeof(typename D::result_type));
    });
}

}  // namespace

void RNG_BENCH_JOIN(add_at_, RNG_BENCH_AT)() {
    add_at("u32", rng::bits<std::uint32_t>{});
    add_at("uniform_f32", rng::uniform<float>{});
    add_at("poisson_i32(3.5)", rng::poisson{3.5});
    add_at("poisson_i32(200)", rng::poisson{200});
    add_at("poisson_i32(1000000)", rng::poisson{1e6});
    add_at("binomial_i32(1000,0.3)", rng::binomial{1000, 0.3});
    add_at("uniform_f64", rng::uniform<double>{});
    add_at("normal_f32", rng::normal<float>{});
    add_at("normal_f64", rng::normal<double>{});
    add_at("exponential_f32", rng::exponential<float>{});
    add_at("exponential_f64", rng::exponential<double>{});
}

}  // namespace bench
