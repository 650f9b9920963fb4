// The zoo: its generators against published values, and their linear complexity against the size of their state.
// The runner must notice a flaw that is not found and a control that fails.
//
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "../../statistical_tests/checks/bits/linear_complexity.hpp"
#include "../../statistical_tests/zoo/entries.hpp"
#include "../../statistical_tests/zoo/historic.hpp"
#include "../../statistical_tests/zoo/linear.hpp"
#include "../../statistical_tests/zoo/misuse.hpp"
#include "../../statistical_tests/zoo/samplers.hpp"
#include "../../statistical_tests/zoo/shift_register.hpp"

using namespace rng::stats;
using namespace rng::stats::zoo;

namespace {

using Values = std::vector<uint64_t>;

template <class G> Values first(std::size_t n, G generator) {
    Values values(n);
    for (uint64_t& value : values) value = generator();
    return values;
}
template <class G> uint64_t number(int n, G generator) {
    for (int i = 1; i < n; ++i) static_cast<void>(generator());
    return generator();
}

}  // namespace

TEST(ZooGenerators, LinearCongruential) {
    EXPECT_EQ(first(5, Randu(1)), (Values{65539, 393225, 1769499, 7077969, 26542323}));  // OEIS A096555
    EXPECT_EQ(number(10000, Minstd(0)), 399268537u);                                     // [rand.predef]: state 1
    EXPECT_EQ(first(5, Ranqd1(0)),
              (Values{0x3C6EF35F, 0x47502932, 0xD1CCF6E9, 0xAAF95334, 0x6252E503}));  // Numerical Recipes, 7.1
    EXPECT_EQ(first(5, MicrosoftRand(1)), (Values{41, 18467, 6334, 26500, 19169}));
}

TEST(ZooGenerators, TheSystemsOwn) {
    srand48(20261122);
    Mrand48 mrand48_of_zoo(20261122);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(mrand48_of_zoo(), static_cast<uint32_t>(mrand48()));
#if defined(__GLIBC__)
    alignas(4) char state[8];
    char* const before = initstate(12345, state, sizeof state);  // 8 bytes: TYPE_0
    RandType0 type0(12345);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(type0(), static_cast<uint32_t>(random()));
    setstate(before);
#endif
}

TEST(ZooGenerators, Xorshift) {
    EXPECT_EQ(first(3, Xorshift32(2463534242u)), (Values{723471715, 2497366906, 2064144800}));
    EXPECT_EQ(first(2, Xorshift64(88172645463325252u)), (Values{8748534153485358512u, 3040900993826735515u}));
    // D's std.random and others; Marsaglia's state.
    EXPECT_EQ(first(5, Xorwow()), (Values{246875399, 3690007200, 1264581005, 3906711041, 1866187943}));
    EXPECT_EQ(first(5, Xorshift128()), (Values{3701687786, 458299110, 2500872618, 3633119408, 516391518}));
}

TEST(ZooGenerators, Controls) {
    // Rosetta Code, tasks "Pseudo-random numbers": MRG32k3a (its values are larger by 1), Splitmix64, PCG32.
    Values mrg = first(5, Mrg32k3a({0, 0, 1234567}, {0, 0, 1234567}));
    for (uint64_t& value : mrg) ++value;
    EXPECT_EQ(mrg, (Values{1459213977, 2827710106, 4245671317, 3877608661, 2595287583}));
    EXPECT_EQ(first(5, SplitMix64(1234567)), (Values{6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                                     4593380528125082431u, 16408922859458223821u}));
    EXPECT_EQ(first(5, Pcg32(42, 54)), (Values{2707161783, 2068313097, 3122475824, 2211639955, 3215226955}));
    // The vectors of the Rust package rand_xoshiro, which are those of the authors' programs.
    EXPECT_EQ(first(4, Xoroshiro128Plus(1, 2)), (Values{3, 412333834243, 2360170716294286339, 9295852285959843169u}));
    EXPECT_EQ(first(4, Xoroshiro128StarStar(1, 2)),
              (Values{5760, 97769243520, 9706862127477703552u, 9223447511460779954u}));
    EXPECT_EQ(first(5, XoshiroStarStar<uint32_t>({1, 2, 3, 4})), (Values{11520, 0, 5927040, 70819200, 2031721883}));
    EXPECT_EQ(first(5, XoshiroStarStar<uint64_t>({1, 2, 3, 4})),
              (Values{11520, 0, 1509978240, 1215971899390074240, 1216172134540287360}));
    // MurmurHash3 of no bytes, with seeds 1 and 2^32 - 1.
    EXPECT_EQ(mix32(1), 0x514E28B7u);
    EXPECT_EQ(mix32(0xFFFFFFFFu), 0x81F16F39u);
}

// Every bit of a generator that is linear over GF(2) has the complexity of its recurrence: the size of the state.
TEST(ZooGenerators, LinearComplexityIsTheStatesSize) {
    const auto of_lowest_bit = [](auto generator, std::size_t n) {
        std::vector<uint64_t> bits(n / 64);
        for (std::size_t i = 0; i < n; ++i) bits[i / 64] |= (static_cast<uint64_t>(generator()) & 1) << i % 64;
        return linear_complexity(bits, n);
    };
    EXPECT_EQ(of_lowest_bit(Xorshift32(1), 4096), 32u);
    EXPECT_EQ(of_lowest_bit(Xorshift64(1), 4096), 64u);
    EXPECT_EQ(of_lowest_bit(Xorshift128(1), 4096), 128u);
    EXPECT_EQ(of_lowest_bit(Xoroshiro128Plus(1), 4096), 128u);
    EXPECT_EQ(of_lowest_bit(Well512a(1), 4096), 512u);
    EXPECT_EQ(of_lowest_bit(Taus88(1), 4096), 88u);
    EXPECT_EQ(of_lowest_bit(R250(1), 4096), 250u);
    EXPECT_EQ(of_lowest_bit(Lagged55(1), 4096), 55u);
    EXPECT_EQ(of_lowest_bit(Lagged607(1), 4096), 607u);
    EXPECT_EQ(of_lowest_bit(Mt19937(1), 65536), 19937u);
    // Its lowest bit is that of the shift register and of the Weyl sequence d + 362437 n: two more.
    EXPECT_EQ(of_lowest_bit(Xorwow(1), 4096), 162u);
    EXPECT_GT(of_lowest_bit(Mixed<Xorwow>(1), 4096), 2000u);
    EXPECT_GT(of_lowest_bit(XoshiroStarStar<uint32_t>(1), 4096), 2000u);
}

TEST(ZooGenerators, Rc4SecondByte) {
    // Mantin and Shamir: 0 with probability 2/256. 1000 and 500 expected of 128,000; 6 standard deviations.
    const auto zeros = [](auto generator) { return std::ranges::count(first(128000, generator), uint64_t{0}); };
    EXPECT_NEAR(static_cast<double>(zeros(Rc4<1>(1))), 1000, 190);
    EXPECT_NEAR(static_cast<double>(zeros(Rc4<768>(1))), 500, 135);
}

TEST(ZooGenerators, Misuse) {
    const auto sound = first(1 << 13, SoundWords(7));
    EXPECT_EQ(first(1 << 13, ShortCounter<56>(7)), sound);
    EXPECT_EQ(first(1 << 13, LateTile<0>(7)), sound);
    EXPECT_EQ(first(1 << 13, RepeatedWord<0>(7)), sound);
    const auto late = first(4100, LateTile<2048>(7));
    EXPECT_TRUE(std::equal(late.begin() + 2048, late.begin() + 2052, late.begin() + 2044));
    EXPECT_EQ(late[2052], sound[2048]);
    const auto repeated = first(4096, RepeatedWord<1024>(7));
    EXPECT_EQ(repeated[1023], repeated[1022]);
    EXPECT_EQ(number((1 << 18) + 5, ShortCounter<16>(7)), sound[4]);
}

TEST(Zoo, IsComplete) {
    const auto& entries = zoo_catalogue();
    EXPECT_GE(entries.size(), 36u);
    std::set<std::string> names;
    for (const ZooEntry& entry : entries) {
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
        EXPECT_FALSE(entry.description.empty() || entry.expected.empty() || entry.control.empty()) << entry.name;
        // The figure: four times PractRand's data, or a thousandth of what it finds clean.
        if (entry.practrand.bytes == 0 || entry.tier == Tier::structural) continue;
        const uint64_t most = entry.practrand.is_clean ? entry.practrand.bytes / 1000 : 4 * entry.practrand.bytes;
        EXPECT_LE(entry.limit, std::max<uint64_t>(most, 8192)) << entry.name;
    }
}

TEST(Zoo, RunnerSeesWhatGoesWrong) {
    const auto words = zoo_entries::words_of<SoundWords>;
    const auto stuck = zoo_entries::words_of<LeaningBit<512>>;
    ZooEntry entry{"stuck", "", "", {}, "", Tier::quick, 1 << 16, stuck, "sound", words};
    const ZooRow caught = run_zoo_entry(entry, {1});
    EXPECT_TRUE(is_as_expected(caught));
    EXPECT_EQ(caught.bytes, 8192u);
    EXPECT_EQ(caught.control_bytes, 4 * 8192u);
    EXPECT_FALSE(caught.caught_by.empty());

    entry.make = words;  // a flaw that gets through
    const ZooRow missed = run_zoo_entry(entry, {1});
    EXPECT_FALSE(is_as_expected(missed));
    EXPECT_EQ(missed.bytes, 1u << 16);
    EXPECT_TRUE(missed.caught_by.empty());

    entry.make = entry.make_control = stuck;  // a control that is flawed
    const ZooRow bad_control = run_zoo_entry(entry, {1});
    EXPECT_EQ(bad_control.verdict, Verdict::fail);
    EXPECT_EQ(bad_control.control_verdict, Verdict::fail);
    EXPECT_FALSE(bad_control.control_failed_by.empty());
    EXPECT_FALSE(is_as_expected(bad_control));
}
