// Calls that do not check parameters end for parameters of every bit pattern: at(), at_block(), Cursor, draws,
// row_at(), the work of a kernel's thread. This source is compiled with -Ofast, which removes comparisons of NaN, and
// without assertions, which would end the program at a draw.
#include <gtest/gtest.h>
#include <rng/at.hpp>
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/detail/feistel.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/distributions/categorical.hpp>
#include <rng/distributions/piecewise.hpp>
#include <rng/fill.hpp>
#include <rng/prepared_map.hpp>
#include <rng/random.hpp>
#include <rng/row_at.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_hypergeometric.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/wishart.hpp>

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <type_traits>
#include <vector>

#include <sys/time.h>

#include "../parity/parameter_sets.hpp"
#include "../support/paths.hpp"

namespace {

/// Ends the program if a call computes for 20 seconds, and names the call.
class Watchdog {
  public:
    explicit Watchdog(const char* call) {
        running = call;
        std::signal(SIGVTALRM, [](int) {
            std::fprintf(stderr, "%s does not end\n", running);
            std::_Exit(1);
        });
        set(20);
    }
    ~Watchdog() { set(0); }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

  private:
    static void set(int seconds) {
        const itimerval timer{{0, 0}, {seconds, 0}};
        setitimer(ITIMER_VIRTUAL, &timer, nullptr);
    }
    static inline const char* volatile running = "";
};

/// Makes the compiler believe that somebody reads the value: it would leave out a loop without an effect.
template <class T> void keep(const T& value) { asm volatile("" : : "r"(&value) : "memory"); }

// The library's loops of at(), of all distributions.
TEST(Unchecked, EveryDistributionEnds) {
    rng::for_each_distribution([](auto tag) {
        using D = typename decltype(tag)::type;
        const Watchdog watchdog(D::name);
        std::mt19937_64 bits(1);
        for (int k = 0; k < 400; ++k) (void)support::by_at(rng::Stream{5}, parity::with_any_bits<D>(bits), 2);
    });
}

/// Every road to single values, of distributions that have the loops of all, with parameters of any bits.
template <class D> void draw_on_every_road() {
    const Watchdog watchdog(D::name);
    std::mt19937_64 bits(2);
    std::mt19937 theirs(3);
    rng::philox4x32 ours(4);
    const rng::Stream stream{5};
    for (int k = 0; k < 100; ++k) {
        const auto dist = parity::with_any_bits<D>(bits);
        keep(rng::at(stream, dist, 1));
        keep(rng::at_block(stream, dist, 1));
        keep(rng::Cursor(stream, dist).next());
        keep(rng::at(stream, rng::PreparedMap<D>(dist), 1));
        keep(dist(theirs));
        keep(dist(ours));
        alignas(16) rng::result_t<D> x[16];  // pieces and single values
        rng::detail::fill_thread(rng::detail::DeviceFill<D, rng::Philox4x32_10>(stream, dist.map(), 0, x, 15), 0, 1);
        keep(x);
    }
}
TEST(Unchecked, EveryRoadEnds) {
    draw_on_every_road<rng::gamma<float>>();
    draw_on_every_road<rng::noncentral_f<double>>();
    draw_on_every_road<rng::uniform_int<int16_t>>();
    draw_on_every_road<rng::hypergeometric<int64_t>>();
    draw_on_every_road<rng::negative_binomial<int>>();
    draw_on_every_road<rng::poisson<int>>();
}

/// Lists of any bits.
template <class T> std::array<T, 9> any_list(std::mt19937_64& bits) {
    std::array<T, 9> list{};
    for (T& x : list) x = parity::any_number<T>(bits);
    return list;
}
TEST(Unchecked, EveryRowAndListEnds) {
    const Watchdog watchdog("a row");
    std::mt19937_64 bits(6);
    const rng::Stream stream{7};
    double x[9];
    int64_t counts[9];
    for (int k = 0; k < 100; ++k) {
        const auto list = any_list<double>(bits);
        const auto whole = any_list<int64_t>(bits);
        rng::row_at(stream, rng::dirichlet(list), 0, x);
        rng::row_at(stream, rng::wishart(list[3], list), 0, x);
        rng::row_at(stream, rng::multivariate_normal(list.data(), list.data(), 3), 0, x);
        rng::row_at(stream, rng::multinomial(whole[0], list), 0, counts);
        rng::row_at(stream, rng::multivariate_hypergeometric(whole, whole[1]), 0, counts);
        keep(x), keep(counts);
        keep(rng::at(stream, rng::categorical_icdf(list), 0));
        keep(rng::at(stream, rng::piecewise_linear(list.data(), list.data(), 8), 0));
    }
}

/// A map that rejects every proposal.
template <uint32_t Most> struct Never {
    using result_type = uint32_t;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::sampler;
    struct Map {
        static constexpr uint32_t most_proposals = Most;
        template <class L> RNG_FN auto operator()(rng::lane::u32<L> w) const {
            return rng::lane::Proposal{w, ~rng::lane::lanes_below(w, rng::lane::u32<L>(0u))};
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {}; }
};
// The first proposal reads the slot, the others the words of the private stream from the first on.
template <uint32_t Most> void expect_last_proposal() {
    const rng::Stream stream{8};
    std::vector<uint32_t> filled(5);
    rng::fill(filled, Never<Most>{}, stream);
    for (uint32_t i = 0; i < filled.size(); ++i) {
        const uint32_t last = rng::word(rng::detail::private_stream(stream, i), Most - 2);
        EXPECT_EQ(rng::at(stream, Never<Most>{}, i), last) << Most;
        EXPECT_EQ(filled[i], last) << Most;
    }
}
TEST(Unchecked, TheLastProposalStands) {
    const Watchdog watchdog("a map that rejects every proposal");
    expect_last_proposal<256>();
    expect_last_proposal<1000>();
}

/// An engine that is stuck at its greatest value.
struct Stuck {
    using result_type = uint32_t;
    static constexpr uint32_t min() { return 0; }
    static constexpr uint32_t max() { return 0xfffffffe; }
    uint32_t operator()() const { return max(); }
};
TEST(Unchecked, DrawsFromAnEngineThatIsStuckEnd) {
    const Watchdog watchdog("a draw from an engine that is stuck");
    Stuck engine;
    keep(rng::below(engine, 3));
    keep(rng::uniform_int{1, 6}(engine));
    keep(rng::gamma{2.0, 1.0}(engine));
}

// Some orbits of a permutation's rounds lie outside [0, n).
TEST(Unchecked, PlacesOutsideAPermutationEnd) {
    const Watchdog watchdog("a permutation");
    std::mt19937 keys(9);
    for (int k = 0; k < 20; ++k) {
        uint32_t key[rng::detail::feistel_rounds + 1];
        for (uint32_t& word : key) word = static_cast<uint32_t>(keys());
        const rng::detail::Feistel<> rounds(2049, key);
        for (uint64_t i = 2049; i < 4096; ++i) keep(rounds.at(i)), keep(rounds.inverse(i));
    }
}

}  // namespace
