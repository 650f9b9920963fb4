// order: the order of 3, 4, 5 and 6 successive words ("permutation3" ...), the lengths of runs up ("runs"), the largest
// of 8 words ("max8").
// Null: multinomial; X^2 is chi-square in the limit (Knuth, TAOCP 2, section 3.3.2.P, G and T).
// Statistic: X^2 of each part, once each cell expects 20,000 events divided by the degrees of freedom, and 64 at least.
// Flaw: the Fibonacci generator x[n] = x[n-1] + x[n-2], at 512 KiB; Philox4x32 of 4 rounds. Control: ranlux48; 10
// rounds. RANDU's planes cannot be seen by orders. Cost: 12 ns a word; one segment of 32. Derivation:
// docs/statistics/order.md.
#include <array>
#include <cmath>
#include <string>

#include "../../p_values/chi_square.hpp"
#include "words.hpp"

namespace rng::stats::tests {
namespace {

constexpr uint64_t period = 32;
constexpr std::size_t run_lengths = 6, maximum_cells = 64;

constexpr std::size_t factorial(std::size_t n) { return n < 2 ? 1 : n * factorial(n - 1); }
constexpr std::array<std::size_t, 6> cells = {factorial(3), factorial(4), factorial(5),
                                              factorial(6), run_lengths,  maximum_cells};
constexpr const char* names[] = {"permutation3", "permutation4", "permutation5", "permutation6", "runs", "max8"};

/// Returns the Lehmer code of the order of t words: a number below t!.
template <std::size_t t, class W> std::size_t order_of(const W* words) {
    std::size_t order = 0;
    for (std::size_t i = 0; i + 1 < t; ++i) {
        std::size_t smaller = 0;
        for (std::size_t j = i + 1; j < t; ++j) smaller += words[j] < words[i];
        order = order * (t - i) + smaller;
    }
    return order;
}

template <std::size_t t, class W> void count_orders(std::span<const W> words, uint64_t* counts) {
    for (std::size_t i = 0; i + t <= words.size(); i += t) ++counts[order_of<t>(words.data() + i)];
}

template <class W> void count_runs(std::span<const W> words, uint64_t* counts) {
    std::size_t length = 1;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] > words[i - 1]) {
            ++length;
            continue;
        }
        ++counts[std::min(length, run_lengths) - 1];
        length = 1;
        ++i;  // words[i] ended the run; the next word begins another run
    }
}

template <class W> void count_maxima(std::span<const W> words, uint64_t* counts) {
    for (std::size_t i = 0; i + 8 <= words.size(); i += 8) {
        const W largest = *std::max_element(words.data() + i, words.data() + i + 8);
        const double u = (static_cast<double>(largest) + 0.5) * std::ldexp(1.0, -8 * static_cast<int>(sizeof(W)));
        const double power = std::pow(u, 8);
        ++counts[std::min(static_cast<std::size_t>(power * maximum_cells), maximum_cells - 1)];
    }
}

class Order final : public Test {
  public:
    Order() {
        std::size_t sum = 0;
        for (const std::size_t c : cells) sum += c;
        counts.resize(sum);
    }

    void add(const Segment& segment) override {
        if (!is_sampled(segment, period)) return;
        with_words(segment, [&](auto words) {
            uint64_t* to = counts.data();
            count_orders<3>(words, to);
            count_orders<4>(words, to += cells[0]);
            count_orders<5>(words, to += cells[1]);
            count_orders<6>(words, to += cells[2]);
            count_runs(words, to += cells[3]);
            count_maxima(words, to += cells[4]);
        });
    }

    void results(Results& results) const override {
        const uint64_t* from = counts.data();
        for (std::size_t part = 0; part < cells.size(); from += cells[part++]) {
            const std::span observed(from, cells[part]);
            uint64_t n = 0;
            for (const uint64_t c : observed) n += c;
            std::vector<double> expected(cells[part], 1 / static_cast<double>(cells[part]));
            if (names[part] == std::string("runs")) expected = run_probabilities();
            for (double& e : expected) e *= static_cast<double>(n);
            // Long runs are rare, so their cells are merged.
            const bool are_runs = names[part] == std::string("runs");
            const auto degrees = static_cast<double>(are_runs ? 2 : cells[part] - 1);
            const double least = std::max(64.0, 20000 / degrees);
            if (expected[are_runs ? 2 : 0] >= least) results.add(names[part], chi_square(observed, expected, least).p);
        }
    }

  private:
    static std::vector<double> run_probabilities() {
        std::vector<double> p(run_lengths);
        for (std::size_t r = 1; r <= run_lengths; ++r)
            p[r - 1] = 1 / static_cast<double>(factorial(r)) -
                       (r < run_lengths ? 1 / static_cast<double>(factorial(r + 1)) : 0);
        return p;
    }
};

}  // namespace

std::vector<NamedTest> order(const GeneratorUnderTest&, Effort) { return one_test<Order>("order"); }

}  // namespace rng::stats::tests
