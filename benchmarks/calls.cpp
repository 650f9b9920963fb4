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

/// A row of values that a Reader or a Cursor gives one at a time.
template <class Values, class D> void add_values(const std::string& who, const std::string& what, const D& dist) {
    add_row(row_name("draw", who, what, "1", 1), 1, [=](benchmark::State& state) {
        use_defaults();
        Values values(rng::Stream<>{42}, dist);
        constexpr std::size_t calls = 4096;
        for (auto _ : state) {
            typename D::result_type sum = 0;
            for (std::size_t i = 0; i < calls; ++i) sum += values.next();
            benchmark::DoNotOptimize(sum);
        }
        count(state, calls, sizeof(typename D::result_type));
    });
}

/// All ways to one value after another, for one distribution.
template <class D> void add_every_draw(const std::string& what, const D& dist) {
    add_draws<rng::philox4x32>("rng-philox4x32", what, dist, use_defaults);
    add_draws<rng::philox4x32>("std_distribution, rng-philox4x32", what, rng::std_distribution(dist), use_defaults);
    add_values<rng::Reader<D>>("Reader", what, dist);
    add_values<rng::Cursor<D>>("Cursor", what, dist);
}

/// A fill of a matrix whose elements are not side by side: 250 of 256 columns, by rows or by columns.
template <class D> void add_strided_fills(const std::string& what, const D& dist) {
    using T = typename D::result_type;
    constexpr std::size_t rows = 256, cols = 250;
    const auto add = [&](const std::string& order, std::ptrdiff_t row_stride, std::ptrdiff_t col_stride) {
        add_row(row_name("draw", "matrix_view, " + order, what, "1", 1), 1, [=](benchmark::State& state) {
            use_defaults();
            const rng::matrix_view<T> out{static_cast<T*>(buffer()), rows, cols, row_stride, col_stride};
            rng::Stream<> stream{42};
            for (auto _ : state) {
                rng::fill(out, dist, stream);
                benchmark::ClobberMemory();
                stream.position += rows * cols * static_cast<std::size_t>(D::slot_words);
            }
            count(state, rows * cols, sizeof(T));
        });
    };
    add("contiguous", cols, 1);
    add("rows of 256", 256, 1);
    add("columns of 256", 1, 256);
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
    add_every_draw("uniform_f32", rng::uniform<float>{});
    add_every_draw("uniform_f64", rng::uniform<double>{});
    add_every_draw("normal_f32", rng::normal<float>{});
    add_every_draw("normal_f64", rng::normal<double>{});
    add_every_draw("exponential_f64", rng::exponential<double>{});
    add_every_draw("uniform_int_i32(1,6)", rng::uniform_int{1, 6});
    add_strided_fills("normal_f32", rng::normal<float>{});
    add_engine<rng::block_engine<rng::Philox4x32_10>>("rng-block_engine<Philox4x32_10>", use_defaults);
}

}  // namespace bench
