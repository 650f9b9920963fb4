// What one call costs: fills of few values from a Stream and from a Generator, and calls of an engine.
#include <span>
#include <string>

#include "rng/random.hpp"
#include "rng/rng.hpp"
#include "support.hpp"

namespace bench {
namespace {

rng::Isa best_isa() {
    rng::Isa best = rng::Isa::scalar;
    for (const rng::Isa isa : rng::available_isas()) best = isa > best ? isa : best;
    return best;
}

/// The defaults of a user who set nothing but one thread: small fills never split.
void use_defaults() {
    rng::set_isa(best_isa());
    rng::set_num_threads(1);
}

template <class D> void add_small_fills(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    for (const std::size_t n : {1u, 4u, 16u, 64u, 256u, 1024u}) {
        add_row(row_name("call", "stream", what, std::to_string(n), 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const std::span<T> out(static_cast<T*>(buffer()), n);
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill(out, dist, stream);
                benchmark::ClobberMemory();
                stream.position += n * static_cast<std::size_t>(D::slot_words);
            }
            count(state, n, sizeof(T));
        });
        add_row(row_name("call", "generator", what, std::to_string(n), 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const std::span<T> out(static_cast<T*>(buffer()), n);
            rng::Generator generator(42);
            for (auto _ : state) {
                rng::fill(out, dist, generator);
                benchmark::ClobberMemory();
            }
            count(state, n, sizeof(T));
        });
    }
}

}  // namespace

void add_calls() {
    add_small_fills("u32", rng::bits<std::uint32_t>{});
    add_small_fills("uniform_f32", rng::uniform<float>{});
    add_small_fills("normal_f32", rng::normal<float>{});
    add_small_fills("normal_f64", rng::normal<double>{});
    add_at_portable();
    add_at_native();
    add_engine<rng::philox4x32>("rng-philox4x32", use_defaults);
    add_engine<rng::philox4x32_7>("rng-philox4x32_7", use_defaults);
    add_engine<rng::philox4x64>("rng-philox4x64", use_defaults);
    add_engine<rng::threefry4x32>("rng-threefry4x32", use_defaults);
    add_engine<rng::threefry4x64>("rng-threefry4x64", use_defaults);
    add_draws<rng::philox4x32>("rng-philox4x32", "uniform_f32", rng::uniform<float>{}, use_defaults);
    add_draws<rng::philox4x32>("rng-philox4x32", "uniform_f64", rng::uniform<double>{}, use_defaults);
    add_draws<rng::philox4x32>("rng-philox4x32", "normal_f32", rng::normal<float>{}, use_defaults);
    add_draws<rng::philox4x32>("rng-philox4x32", "normal_f64", rng::normal<double>{}, use_defaults);
    add_draws<rng::philox4x32>("rng-philox4x32", "uniform_int_i32(1,6)", rng::uniform_int{1, 6}, use_defaults);
    add_engine<rng::block_engine<rng::Philox4x32_10>>("rng-block_engine<Philox4x32_10>", use_defaults);
}

}  // namespace bench
