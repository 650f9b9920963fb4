// The effect of the seed on a randomised decomposition. Two calls in a row give different results.
// The same seed gives identical bytes, for any number of threads and any layout of the matrix in memory.
//
// torch.svd_lowrank draws from a hidden global generator, and its last digits depend on threads and device.
// Here the generator is an argument, and every sum has one order.
#include <rng/rng.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t seed = 42;
constexpr std::size_t rows = 3000, cols = 400;
constexpr long long q = 8;

template <class T> std::uint64_t digest_of(const rng::LowRankSvd<T>& svd) {
    std::vector<T> all = svd.U.values;
    all.insert(all.end(), svd.S.begin(), svd.S.end());
    all.insert(all.end(), svd.V.values.begin(), svd.V.values.end());
    return rng::digest(std::as_bytes(std::span(all)));
}

/// Prints a line. Returns true if the digest equals the first one, or differs from it, as expected.
bool show(const std::string& what, const rng::LowRankSvd<float>& svd, std::uint64_t first, bool same = true) {
    const std::uint64_t digest = digest_of(svd);
    const bool right = (digest == first) == same;
    std::printf("  %-44s %.6f  %016llx  %s%s\n", what.c_str(), static_cast<double>(svd.S[0]),
                static_cast<unsigned long long>(digest), digest == first ? "the same bytes" : "other bytes",
                right ? "" : " - THIS IS A BUG: please report it");
    return right;
}

}  // namespace

int main() {
    // Noise: its singular values fall slowly, so an approximation of rank 8 shows which test matrix it came from.
    std::vector<float> values(rows * cols);
    rng::fill(values, rng::normal{0.0f, 1.0f}, rng::Stream{7});
    const auto a = rng::matrix_view<const float>::row_major(values.data(), rows, cols);
    const rng::SvdOptions<float> options{.q = q};

    std::printf("svd_lowrank of %zu x %zu, q = %d: the greatest singular value, a digest of U, S and V\n\n", rows, cols,
                static_cast<int>(q));
    rng::Generator gen{seed};
    const rng::LowRankSvd<float> svd = rng::svd_lowrank(a, options, gen);
    const std::uint64_t first = digest_of(svd);
    bool right = show("seed 42", svd, first);
    right &= show("again: the generator has moved on", rng::svd_lowrank(a, options, gen), first, false);
    gen.manual_seed(seed);
    right &= show("reseeded with 42", rng::svd_lowrank(a, options, gen), first);
    gen.manual_seed(seed + 1);
    right &= show("reseeded with 43", rng::svd_lowrank(a, options, gen), first, false);

    for (const int threads : {1, 2, 3}) {
        rng::set_num_threads(threads);
        gen.manual_seed(seed);
        right &= show("with " + std::to_string(threads) + (threads == 1 ? " thread" : " threads"),
                      rng::svd_lowrank(a, options, gen), first);
    }
    for (const rng::Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        gen.manual_seed(seed);
        right &= show(std::string("by ") + rng::to_string(isa), rng::svd_lowrank(a, options, gen), first);
    }

    // The columns' order in memory does not matter.
    std::vector<float> columns(rows * cols);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) columns[j * rows + i] = values[i * cols + j];
    gen.manual_seed(seed);
    right &= show(
        "column after column",
        rng::svd_lowrank(rng::matrix_view<const float>::column_major(columns.data(), rows, cols), options, gen), first);

    // Rows that were loaded in pieces, as from several files: no copy makes one matrix of them.
    std::vector<std::vector<float>> pieces;
    std::vector<rng::matrix_view<const float>> parts;
    constexpr std::size_t cuts[] = {0, 1, 1237, 2000, rows};
    for (std::size_t i = 0; i + 1 < std::size(cuts); ++i) {
        const std::span piece = std::span(values).subspan(cuts[i] * cols, (cuts[i + 1] - cuts[i]) * cols);
        pieces.emplace_back(piece.begin(), piece.end());
    }
    for (const std::vector<float>& piece : pieces)
        parts.push_back(rng::matrix_view<const float>::row_major(piece.data(), piece.size() / cols, cols));
    gen.manual_seed(seed);
    right &= show("in four shards of 1, 1236, 763, 1000 rows",
                  rng::svd_lowrank(rng::row_shards<const float>{parts}, options, gen), first);
    return right ? 0 : 1;
}
