// A program that stays on the CPU, linked with the CUDA backend, never loads the driver.
// It runs with fake_libcuda in place of the driver, so it needs no GPU.
// At its end it shows that the test would have noticed a question about GPUs.
#include <rng/rng.hpp>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

bool driver_is_loaded() { return std::getenv("RNG_TEST_DRIVER_LOADED") != nullptr; }

int failures = 0;
template <class F> void stays_on_the_cpu(const char* what, const F& f) {
    if (driver_is_loaded()) return;
    f();
    if (!driver_is_loaded()) return;
    std::printf("%s loaded CUDA's driver\n", what);
    ++failures;
}

}  // namespace

int main() {
    std::vector<float> x(100'000);
    const rng::normal dist{0.0f, 1.0f};
    stays_on_the_cpu("the program's start", [] {});
    stays_on_the_cpu("Generator", [] { (void)rng::Generator{}.fork(3); });
    stays_on_the_cpu("fill of a generator", [&] {
        rng::Generator gen(42);
        rng::fill(x, dist, gen);
    });
    stays_on_the_cpu("manual_seed", [] { rng::manual_seed(1); });
    stays_on_the_cpu("fill", [&] { rng::fill(x, dist); });
    stays_on_the_cpu("default_generator", [] { (void)rng::default_generator().fork(); });
    stays_on_the_cpu("ScopedGenerators", [] { const rng::ScopedGenerators saved; });
    stays_on_the_cpu("fill of a stream", [&] { rng::fill(x, dist, rng::Stream<>{42}); });
    stays_on_the_cpu("svd_lowrank",
                     [&] { (void)rng::svd_lowrank(rng::matrix_view<const float>::row_major(x.data(), 100, 50)); });
    if (failures > 0) return 1;
    (void)rng::devices();
    if (driver_is_loaded()) return 0;
    std::puts("devices() did not load the driver: this test cannot fail");
    return 1;
}
