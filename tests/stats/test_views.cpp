// Views of a generator: their words equal words picked by hand, at any beginning of a read. Also streams by number.
// Flaws that only one view shows are tested beside their controls.
//
#include <gtest/gtest.h>
#include <rng/core/error.hpp>
#include <rng/stats/battery.hpp>
#include <rng/stats/engine.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <rng/stats/views.hpp>

namespace {

using namespace rng::stats;
using Bytes = std::vector<std::byte>;

Bytes read(Source& source, uint64_t position, std::size_t size) {
    Bytes bytes(size);
    bytes.resize(source.read(position, bytes));
    return bytes;
}
Bytes view_of(const GeneratorUnderTest& generator, const std::string& view, std::size_t size, uint64_t position = 0) {
    return read(*make_view(generator, view).source, position, size);
}

/// The bytes of std::mt19937_64 in words of any size, that end somewhere.
class Tape final : public Source {
  public:
    Tape(int word_bits, std::size_t size, bool random_access = true) : bits_(word_bits), random_(random_access) {
        std::mt19937_64 entropy(7);
        for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::byte>(entropy()));
    }
    [[nodiscard]] std::string name() const override { return "tape"; }
    [[nodiscard]] int word_bits() const override { return bits_; }
    [[nodiscard]] std::optional<uint64_t> size() const override { return bytes.size(); }
    [[nodiscard]] bool is_random_access() const override { return random_; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        EXPECT_EQ(position % 8, 0u);
        if (!random_) {
            EXPECT_GE(position, next_) << "positions ascend";
        }
        next_ = position + (to.size() + 7) / 8 * 8;
        if (position >= bytes.size()) return 0;
        const std::size_t n = std::min<std::size_t>(to.size(), bytes.size() - position);
        std::memcpy(to.data(), bytes.data() + position, n);
        return n;
    }
    [[nodiscard]] uint64_t word(std::size_t i) const {
        uint64_t w = 0;
        std::memcpy(&w, &bytes[i * static_cast<std::size_t>(bits_) / 8], static_cast<std::size_t>(bits_) / 8);
        return w;
    }
    [[nodiscard]] std::size_t words() const { return bytes.size() * 8 / static_cast<std::size_t>(bits_); }

    Bytes bytes;

  private:
    int bits_;
    bool random_;
    uint64_t next_ = 0;
};

/// Fields of `bits` bits, one after another; what does not fill a byte is dropped.
Bytes packed(const std::vector<uint64_t>& fields, int bits) {
    Bytes bytes(fields.size() * static_cast<std::size_t>(bits) / 8);
    for (std::size_t i = 0; i < fields.size(); ++i)
        for (int b = 0; b < bits; ++b) {
            const std::size_t at = i * static_cast<std::size_t>(bits) + static_cast<std::size_t>(b);
            if (at / 8 < bytes.size() && fields[i] >> b & 1) bytes[at / 8] |= std::byte{1} << (at % 8);
        }
    return bytes;
}

/// Checks the rules for a view of one source, bit by bit.
Bytes by_hand(const Tape& tape, const std::string& view) {
    const int w = tape.word_bits();
    std::vector<uint64_t> fields;
    const auto each = [&](auto field, std::size_t step = 1) {
        for (std::size_t i = 0; i < tape.words(); i += step) fields.push_back(field(tape.word(i)));
    };
    if (view == "reversed") {
        each([&](uint64_t x) {
            uint64_t r = 0;
            for (int b = 0; b < w; ++b) r |= (x >> b & 1) << (w - 1 - b);
            return r;
        });
        return packed(fields, w);
    }
    if (view == "low" || view == "high") {
        each([&](uint64_t x) { return (view == "low" ? x : x >> (w / 2)) & ((uint64_t{1} << (w / 2)) - 1); });
        return packed(fields, w / 2);
    }
    if (view == "bit0" || view == "bit-top") {
        each([&](uint64_t x) { return x >> (view == "bit0" ? 0 : w - 1) & 1; });
        return packed(fields, 1);
    }
    each([](uint64_t x) { return x; }, std::stoul(view.substr(view.find('-') + 1)));
    return packed(fields, w);
}

constexpr const char* of_one_source[] = {"reversed",     "low",          "high",         "bit0",         "bit-top",
                                         "decimated-2",  "decimated-3",  "decimated-7",  "decimated-31", "decimated-32",
                                         "decimated-33", "decimated-65", "decimated-257"};

TEST(Views, of_one_source_hold_the_words_that_one_picks_by_hand) {
    // 199,940 = 769 * 65 words of 32 bits: the first that is missing is one of decimated-65, in a half-read 8 bytes.
    for (const int bits : {8, 16, 32, 64})
        for (const std::size_t size :
             {std::size_t{200'000}, std::size_t{199'940}, std::size_t{100'003}, std::size_t{24}}) {
            const auto tape = std::make_shared<Tape>(bits, size);
            for (const std::string view : of_one_source) {
                if (bits == 8 && (view == "low" || view == "high")) continue;
                SCOPED_TRACE(view + " of " + std::to_string(bits) + " bits, " + std::to_string(size));
                const GeneratorUnderTest made = make_view(GeneratorUnderTest{tape}, view);
                const Bytes expected = by_hand(*tape, view);
                EXPECT_EQ(made.source->word_bits(), view == "low" || view == "high" ? bits / 2 : bits);
                EXPECT_EQ(made.source->size(), expected.size());
                EXPECT_EQ(read(*made.source, 0, size + 16), expected) << "to the end";
                for (const uint64_t at : {8u, 40u, 1000u, 4096u})
                    for (const std::size_t n : {std::size_t{8}, std::size_t{24}, std::size_t{1001}}) {
                        if (at + n > expected.size()) continue;
                        const auto* from = expected.data() + at;
                        EXPECT_EQ(read(*made.source, at, n), Bytes(from, from + n)) << n << " bytes at " << at;
                    }
            }
        }
}

TEST(Views, read_a_source_without_random_access_forwards) {
    for (const int bits : {16, 32, 64})
        for (const std::string view : of_one_source) {
            SCOPED_TRACE(view + " of " + std::to_string(bits) + " bits");
            const auto tape = std::make_shared<Tape>(bits, 300'000, false);
            const GeneratorUnderTest made = make_view(GeneratorUnderTest{tape}, view);
            EXPECT_FALSE(made.source->is_random_access());
            const Bytes expected = by_hand(*tape, view);
            Bytes got;
            for (std::size_t n = 8; got.size() < expected.size(); n = n * 2 + 8) {
                const Bytes piece = read(*made.source, got.size(), n);
                ASSERT_FALSE(piece.empty());
                got.insert(got.end(), piece.begin(), piece.end());
            }
            EXPECT_EQ(got, expected);
        }
}

TEST(Views, decimated_skips_most_of_an_engine) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x32_10>(42);
    const rng::Stream<> stream(42);
    const Bytes got = view_of(generator, "decimated-65536", 4096, 1 << 20);
    for (std::size_t i = 0; i < 1024; ++i) {
        uint32_t word = 0;
        std::memcpy(&word, &got[4 * i], 4);
        ASSERT_EQ(word, rng::word(stream, ((1 << 18) + i) << 16));
    }
}

/// Block `b` of stream `index` of a kind, as docs/contract.md defines them.
template <class E>
typename E::counter_type block_of(const std::string& kind, uint64_t seed, uint64_t index, uint64_t b) {
    using Stream = rng::Stream<E>;
    if (kind == "seeds") return Stream(seed + index).block(b);
    if (kind == "ids") return Stream(seed, index).block(b);
    if (kind == "forks") return Stream(seed).fork(index).block(b);
    if (kind == "tree") return Stream(seed).fork(index >> 8).fork(index & 255).block(b);
    if (kind == "small-seeds") return Stream(index, seed).block(b);
    if (kind == "counters") return Stream(seed).block((index << 40) + b);
    if (kind == "weyl-keys") {
        // Random123's constants: the golden ratio's fraction and that of the square root of 3.
        auto key = E::key_from_seed(seed);
        const bool narrow = sizeof(typename E::word) == 4;
        for (uint64_t i = 0; i < index; ++i) {
            key[0] += static_cast<typename E::word>(narrow ? 0x9E3779B9 : 0x9E3779B97F4A7C15);
            key[1] += static_cast<typename E::word>(narrow ? 0xBB67AE85 : 0xBB67AE8584CAA73B);
        }
        return Stream(key, 0, 0).block(b);
    }
    std::vector<uint64_t> keys;  // of one bit, then of two
    for (int i = 0; i < 64; ++i) keys.push_back(uint64_t{1} << i);
    for (int i = 1; i < 64; ++i)
        for (int k = 0; k < i; ++k) keys.push_back(uint64_t{1} << i | uint64_t{1} << k);
    return Stream(keys.at(index), seed).block(b);
}

template <class E>
Bytes interleaved_by_hand(const std::string& kind, uint64_t seed, uint64_t streams, uint64_t run, std::size_t size) {
    Bytes bytes;
    for (uint64_t round = 0; bytes.size() < size; ++round)
        for (uint64_t s = 0; s < streams; ++s)
            for (uint64_t b = 0; b < run; ++b) {
                const auto block = block_of<E>(kind, seed, s, round * run + b);
                const auto* from = reinterpret_cast<const std::byte*>(&block);
                bytes.insert(bytes.end(), from, from + sizeof block);
            }
    bytes.resize(size);
    return bytes;
}

template <class E> void check_interleaved(std::set<std::string> kinds) {
    const GeneratorUnderTest generator = engine_under_test<E>(42);
    std::set<std::string> offered;
    for (const auto& set : generator.streams) offered.insert(set->name());
    EXPECT_EQ(offered, kinds);
    for (const std::string& kind : kinds)
        for (const auto& [streams, run] : {std::pair{2, 1}, {5, 3}, {1000, 1}, {37, 16}, {2080, 3}}) {
            const std::string view = "interleaved-" + std::to_string(streams) + "-" + std::to_string(run) + "/" + kind;
            SCOPED_TRACE(view);
            const Bytes all =
                interleaved_by_hand<E>(kind, 42, static_cast<uint64_t>(streams), static_cast<uint64_t>(run), 100'000);
            const GeneratorUnderTest made = make_view(generator, view);
            EXPECT_TRUE(made.source->is_random_access());
            EXPECT_EQ(made.source->word_bits(), 8 * sizeof(typename E::word));
            EXPECT_EQ(read(*made.source, 0, all.size()), all);
            for (const std::size_t at : {8u, 24u, 16'008u, 65'544u})
                EXPECT_EQ(read(*made.source, at, 20'001),
                          Bytes(all.begin() + static_cast<long>(at), all.begin() + static_cast<long>(at) + 20'001));
        }
}

TEST(Views, interleaved_take_blocks_of_each_stream_in_turn) {
    std::set<std::string> kinds = {"seeds", "ids", "forks", "tree", "small-seeds", "one-bit-keys", "counters"};
    check_interleaved<rng::Threefry4x32_20>(kinds);
    kinds.insert("weyl-keys");
    check_interleaved<rng::Philox4x32_10>(kinds);
    check_interleaved<rng::Philox4x64_10>(kinds);
}

TEST(Views, streams_by_number_read_the_same_in_one_call_and_in_many) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x64_10>(3);
    for (const auto& set : generator.streams)
        for (const std::size_t bytes : {std::size_t{32}, std::size_t{96}, std::size_t{32 * 33}}) {
            Bytes at_once(40 * bytes), one_by_one(40 * bytes);
            set->read_each(2000, 40, 64, bytes, at_once.data());
            for (std::size_t i = 0; i < 40; ++i)
                set->read(2000 + i, 64, std::span(one_by_one).subspan(i * bytes, bytes));
            EXPECT_EQ(at_once, one_by_one) << set->name() << ", " << bytes;
        }
}

TEST(Views, names_that_apply_all_make_a_view) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x32_10>(42);
    const auto names = view_names(generator);
    EXPECT_EQ(names.size(), 7u + generator.streams.size());
    EXPECT_EQ(names.front(), "plain");
    std::set<Bytes> all;
    for (const std::string& name : names) {
        const GeneratorUnderTest made = make_view(generator, name);
        all.insert(read(*made.source, 0, 4096));
        EXPECT_EQ(made.functions.empty() && made.streams.empty(), name != "plain") << name;
    }
    // "seeds", "ids" and "counters" are views of a thousand streams: all differ.
    EXPECT_EQ(all.size(), names.size());
    EXPECT_EQ(view_of(generator, "forks", 65536), view_of(generator, "interleaved-1024-1/forks", 65536));
    EXPECT_EQ(view_of(generator, "streams", 65536), view_of(generator, "interleaved-1024-1/ids", 65536));
    EXPECT_EQ(make_view(generator, "forks").source->name(), "philox4x32-10, seed 42, view interleaved-1024-1/forks");

    const GeneratorUnderTest bytes{std::make_shared<Tape>(8, 64)};
    EXPECT_EQ(view_names(bytes), (std::vector<std::string>{"plain", "reversed", "bit0", "bit-top", "decimated-64"}));
}

TEST(Views, what_does_not_apply_is_refused_with_what_does) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x32_10>(42);
    for (const char* view : {"", "nothing", "decimated-1", "decimated-65537", "decimated-", "decimated-4x", "low ",
                             "interleaved-1-1/seeds", "interleaved-65537-1/seeds", "interleaved-16-2/seeds",
                             "interleaved-16-1", "interleaved-16-1/", "interleaved-16-1/others",
                             "interleaved-2081-1/one-bit-keys", "interleaved-16-1/seeds/"}) {
        SCOPED_TRACE(view);
        try {
            static_cast<void>(make_view(generator, view));
            ADD_FAILURE() << "was taken";
        } catch (const rng::Error& error) {
            EXPECT_EQ(error.code(), rng::ErrorCode::invalid_argument);
            const std::string what = error.what();
            for (const char* part : {"bit-top", "decimated-K", "interleaved-S-C/SET", "one-bit-keys (2080 streams)"})
                EXPECT_NE(what.find(part), std::string::npos) << what;
        }
    }
    EXPECT_THROW(static_cast<void>(make_view(GeneratorUnderTest{std::make_shared<Tape>(8, 64)}, "low")), rng::Error);
    EXPECT_THROW(static_cast<void>(make_view(GeneratorUnderTest{std::make_shared<Tape>(8, 64)}, "streams")),
                 rng::Error);
    EXPECT_NO_THROW(static_cast<void>(make_view(generator, "interleaved-65536-16/tree")));
}

TEST(Views, reseeded_is_the_view_of_the_reseeded_generator) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x32_10>(42);
    for (const std::string& name : view_names(generator)) {
        const Bytes now = view_of(generator, name, 8192),
                    fresh = read(*make_view(generator, name).reseeded(1).source, 0, 8192);
        EXPECT_EQ(fresh, view_of(generator.reseeded(1), name, 8192)) << name;
        EXPECT_NE(fresh, now) << name;
        EXPECT_NE(fresh, read(*make_view(generator, name).reseeded(2).source, 0, 8192)) << name;
    }
    EXPECT_FALSE(make_view(GeneratorUnderTest{std::make_shared<Tape>(32, 64)}, "low").reseeded);
}

TEST(Views, give_the_battery_the_same_counts_on_any_number_of_threads) {
    const GeneratorUnderTest generator = engine_under_test<rng::Philox4x32_10>(42);
    for (const char* view : {"decimated-3", "bit0", "interleaved-1000-3/tree"}) {
        Options options;
        options.bytes = 9 << 20;
        options.only = {"freq16"};
        options.threads = 1;
        const Report one = run_battery(make_view(generator, view), options);
        options.threads = 3;
        const Report three = run_battery(make_view(generator, view), options);
        ASSERT_EQ(one.analyses.size(), three.analyses.size()) << view;
        for (std::size_t i = 0; i < one.analyses.size(); ++i)
            for (std::size_t k = 0; k < one.analyses[i].results.size(); ++k)
                EXPECT_EQ(one.analyses[i].results[k].p.log10_upper, three.analyses[i].results[k].p.log10_upper) << view;
        EXPECT_EQ(one.verdict, Verdict::pass) << view;
    }
}

/// Streams of one Philox sequence that begin `apart` blocks from each other.
class Slices final : public StreamSet {
  public:
    explicit Slices(uint64_t apart) : apart_(apart) {}
    [[nodiscard]] std::string name() const override { return "slices"; }
    [[nodiscard]] int word_bits() const override { return 32; }
    [[nodiscard]] int block_bytes() const override { return 16; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        rng::stats::detail::read_stream(rng::Stream<>(42), index * apart_ * 16 + position, to);
    }

  private:
    uint64_t apart_;
};

/// How many blocks of 16 bytes occur more than once.
std::size_t repeats(const Bytes& bytes) {
    std::map<std::pair<uint64_t, uint64_t>, int> seen;
    std::size_t found = 0;
    for (std::size_t i = 0; i + 16 <= bytes.size(); i += 16) {
        std::pair<uint64_t, uint64_t> block;
        std::memcpy(&block.first, &bytes[i], 8);
        std::memcpy(&block.second, &bytes[i + 8], 8);
        found += seen[block]++ > 0;
    }
    return found;
}

// Null: 2^14 blocks of 128 bits, any two equal with probability 2^27 / 2^128. Streams 64 blocks apart, 128 of each.
TEST(Views, interleaved_show_streams_that_overlap) {
    GeneratorUnderTest overlapping{engine_under_test<rng::Philox4x32_10>(42).source}, apart = overlapping;
    overlapping.streams = {std::make_shared<Slices>(64)};
    apart.streams = {std::make_shared<Slices>(uint64_t{1} << 40)};
    constexpr const char* view = "interleaved-128-1/slices";
    EXPECT_EQ(repeats(read(*overlapping.source, 0, 1 << 18)), 0u) << "plain";
    EXPECT_EQ(repeats(view_of(overlapping, view, 1 << 18)), 127u * 64);
    EXPECT_EQ(repeats(view_of(apart, view, 1 << 18)), 0u) << "the control";
    EXPECT_EQ(view_of(overlapping, "streams", 4096), view_of(overlapping, "slices", 4096));
}

// Neighbouring blocks of successive seeds under few rounds: a bit of one equals that of the next too often. Null: of
// n = 2^14 * 128 pairs of bits, half are equal, binomial.
double worst_z(const Bytes& bytes) {
    double worst = 0;
    for (std::size_t bit = 0; bit < 128; ++bit) {
        int equal = 0, n = 0;
        for (std::size_t i = 0; i + 32 <= bytes.size(); i += 16, ++n)
            equal += ((bytes[i + bit / 8] ^ bytes[i + 16 + bit / 8]) >> (bit % 8) & std::byte{1}) == std::byte{0};
        worst = std::max(worst, std::abs(2.0 * equal - n) / std::sqrt(n));
    }
    return worst;
}

TEST(Views, interleaved_show_that_successive_seeds_are_alike_under_few_rounds) {
    constexpr std::size_t size = std::size_t{1} << 18;
    // 128 bits: P(max |z| > 7) = 128 * 2.6e-12.
    using Few = rng::PhiloxEngine<uint32_t, 4>;
    const GeneratorUnderTest few = engine_under_test<Few>(42, "philox4x32-4", rng::Stream<Few>(42));
    EXPECT_GT(worst_z(view_of(few, "interleaved-65536-1/seeds", size)), 7);
    const GeneratorUnderTest enough = engine_under_test<rng::Philox4x32_10>(42);
    for (const std::string& name : view_names(enough)) EXPECT_LT(worst_z(view_of(enough, name, size)), 7) << name;
}

}  // namespace
