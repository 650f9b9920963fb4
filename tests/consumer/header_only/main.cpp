// Values without the compiled library, by what docs/using.md says the headers do alone. Exits 0 if the first word is
// Random123's first known answer.
#include <rng/rng.hpp>

#include <cstdio>
#include <random>
#include <vector>

int main() {
    const rng::Stream<> stream{0};
    const double x = rng::at(stream, rng::normal<double>{0.0, 1.0}, 7);
    rng::block_engine<rng::Philox4x32_10> ours(42);
    std::mt19937 theirs(42);
    rng::Cursor cursor(stream, rng::uniform{0.0f, 1.0f});
    const rng::AliasTable table{1, 0, 2.5};
    double sum = rng::normal{0.0, 1.0}(ours) + rng::gamma{2.0, 1.0}(theirs) + cursor.next();
    sum += static_cast<double>(rng::below(ours, 6) + rng::below(theirs, 6) + rng::permutation{1000}.at(stream, 7));
    sum += rng::at(stream.fork("weights"), rng::categorical(table), 0) +
           rng::at_block(stream, rng::bits<uint32_t>{}, 0)[0];
    double row[2];
    const std::vector<double> factor = rng::cholesky(std::vector<double>{4, 2, 2, 3}, 2), mean{1, -1};
    rng::row_at(stream, rng::multivariate_normal(mean, factor), 0, row);
    std::printf("%g %g %g\n", sum, row[0], row[1]);
    std::printf("first word %08x, normal 7: %a\n", static_cast<unsigned>(rng::word(stream, 0)), x);
    return rng::word(stream, 0) == 0x6627e8d5u ? 0 : 1;
}
