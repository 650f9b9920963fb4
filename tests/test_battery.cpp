// The battery as an engine: results that depend on nothing but the data, sources that end or fail anywhere,
// interruptions and checkpoints, and the arithmetic of verdicts. What each statistical test finds has tests of its own.
//
// ctest-labels: threads
// ctest-needs: rng::stats
#include <gtest/gtest.h>
#include <unistd.h>
#include <rng/core/engine.hpp>
#include <rng/error.hpp>
#include <rng/stats/engine.hpp>

#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "statistical_tests/battery/json.hpp"
#include "statistical_tests/battery/state.hpp"
#include "statistical_tests/battery/units.hpp"
#include "statistical_tests/battery/verdict.hpp"

namespace {

using namespace rng::stats;

constexpr uint64_t segment = segment_bytes;

/// The bytes of one long word sequence, with what can go wrong.
struct Script {
    uint64_t size = uint64_t{1} << 40;  ///< where it ends
    uint64_t throws_at = UINT64_MAX;    ///< reading beyond this byte fails
    uint64_t stops_at = UINT64_MAX;     ///< reading beyond this byte sets the flag
    std::atomic<bool>* flag = nullptr;
    bool random_access = true;
    bool knows_size = false;
    uint64_t flaw = 0;  ///< this many in 2^16 of the 16-bit words are set to 0
    uint64_t seed = 42;
    std::atomic<int>* reads = nullptr;
};

class ScriptedSource final : public Source {
  public:
    explicit ScriptedSource(Script script)
        : script_(script), engine_(rng::stats::subject_of<rng::Philox4x32_10>(script.seed)) {}
    std::string name() const override { return "scripted"; }
    int word_bits() const override { return 16; }
    bool is_random_access() const override { return script_.random_access; }
    std::optional<uint64_t> size() const override {
        return script_.knows_size ? std::optional(script_.size) : std::nullopt;
    }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        if (!script_.random_access) {
            EXPECT_GE(position, next_) << "positions must ascend";
            next_ = position + to.size();
        }
        if (script_.reads) ++*script_.reads;
        if (position + to.size() > script_.throws_at) throw std::runtime_error("the device is gone");
        if (script_.flag && position + to.size() > script_.stops_at) *script_.flag = true;
        const std::size_t n = position >= script_.size ? 0 : std::min<uint64_t>(to.size(), script_.size - position);
        to = to.first(n);
        // The engine gives whole blocks.
        std::vector<std::byte> blocks((n + 15) / 16 * 16);
        engine_.source->read(position, blocks);
        std::copy_n(blocks.begin(), n, to.begin());
        for (std::size_t i = 0; script_.flaw && i + 1 < n; i += 2)
            if (((position + i) / 2 * 40503) % 65536 < script_.flaw) to[i] = to[i + 1] = std::byte{0};
        return n;
    }

  private:
    Script script_;
    Subject engine_;
    uint64_t next_ = 0;
};

Subject scripted(const Script& script) { return {std::make_shared<ScriptedSource>(script)}; }

Options options_for(uint64_t bytes, int threads = 1) {
    Options options;
    options.bytes = bytes;
    options.threads = threads;
    options.only = {"freq16"};
    return options;
}

std::string json(const Report& report) { return json_report({&report, 1}); }

std::vector<uint64_t> sizes(const Report& report) {
    std::vector<uint64_t> sizes;
    for (const Look& look : report.looks) sizes.push_back(look.size);
    return sizes;
}

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}

class Battery : public testing::Test {
  protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() / ("rng-battery-" + std::to_string(::getpid()) + "-" +
                                                      testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::string& name) const { return folder_ / name; }
    static std::string content(const std::string& name) {
        std::ifstream in(name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    std::filesystem::path folder_;
};

// ---- Looks and threads ----------------------------------------------------------------------------------------------

TEST_F(Battery, LooksDoubleAndEndWithTheData) {
    const Report report = run_battery(scripted({}), options_for(3 * segment + 4096));
    std::vector<uint64_t> expected;
    for (uint64_t size = 8192; size <= 2 * segment; size *= 2) expected.push_back(size);
    expected.push_back(3 * segment + 4096);
    EXPECT_EQ(sizes(report), expected);
    EXPECT_EQ(report.bytes, 3 * segment + 4096);
    EXPECT_FALSE(report.source_ended);
    // freq16 speaks when each of 65536 cells expects 10: from 1.25 MiB on.
    for (const Look& look : report.looks)
        EXPECT_EQ(look.results.size(), look.size < 10 * 65536 * 2 ? 0 : 1) << look.size;
}

TEST_F(Battery, ReportsDependOnNothingButTheData) {
    for (const bool random_access : {true, false})
        for (const uint64_t bytes : {uint64_t{8192}, uint64_t{100000}, segment, segment + 8, 5 * segment + 88}) {
            const Script script{.random_access = random_access};
            const std::string expected = json(run_battery(scripted(script), options_for(bytes, 1)));
            for (const int threads : {2, 3})
                EXPECT_EQ(json(run_battery(scripted(script), options_for(bytes, threads))), expected)
                    << bytes << " bytes, " << threads << " threads, " << random_access;
        }
}

TEST_F(Battery, CountsAreThoseOfAllTheData) {
    // 2^16 values, each as often: X^2 would be 0 if a segment were left out or counted twice.
    class Counter final : public Source {
      public:
        std::string name() const override { return "counter"; }
        int word_bits() const override { return 16; }
        bool is_random_access() const override { return true; }
        std::size_t read(uint64_t position, std::span<std::byte> to) override {
            for (std::size_t i = 0; i + 1 < to.size(); i += 2) {
                const auto value = static_cast<uint16_t>((position + i) / 2);
                std::memcpy(&to[i], &value, 2);
            }
            return to.size();
        }
    };
    for (const int threads : {1, 3}) {
        Options options = options_for(7 * segment, threads);
        options.keep_going = true;
        const Report report = run_battery({std::make_shared<Counter>()}, options);
        // P(X^2 <= 0) = 0 only if it is exactly 0.
        EXPECT_EQ(report.looks.back().results.at(0).p.log10_lower, -INFINITY);
        EXPECT_EQ(report.looks.back().results.at(0).p.log10_upper, 0);
    }
}

// ---- Sources that end, or fail --------------------------------------------------------------------------------------

TEST_F(Battery, SourcesEndAnywhere) {
    for (const uint64_t size :
         {uint64_t{8192}, uint64_t{8193}, uint64_t{8199}, uint64_t{8200}, uint64_t{16384}, uint64_t{1234567},
          segment - 1, segment, segment + 1, segment + 7, segment + 8, 2 * segment - 8, 2 * segment, 2 * segment + 8,
          3 * segment, 4 * segment, 4 * segment + 100}) {
        // What there is, asked for: the expected looks.
        const uint64_t whole = size / 8 * 8;
        const Report expected = run_battery(scripted({}), options_for(whole));
        for (const bool random_access : {true, false})
            for (const bool knows_size : {true, false})
                for (const int threads : {1, 3}) {
                    Script script;
                    script.size = size;
                    script.random_access = random_access;
                    script.knows_size = knows_size;
                    const Report report = run_battery(scripted(script), options_for(9 * segment, threads));
                    const std::string where = std::to_string(size) + (random_access ? " random" : " stream") +
                                              (knows_size ? " known" : "") + " " + std::to_string(threads);
                    EXPECT_EQ(sizes(report), sizes(expected)) << where;
                    EXPECT_EQ(report.bytes, whole) << where;
                    EXPECT_TRUE(report.source_ended) << where;
                    EXPECT_FALSE(report.interrupted) << where;
                    ASSERT_FALSE(report.looks.empty());
                    for (std::size_t i = 0; i < report.looks.back().results.size(); ++i)
                        EXPECT_EQ(report.looks.back().results[i].p.log10_upper,
                                  expected.looks.back().results.at(i).p.log10_upper)
                            << where;
                }
    }
}

TEST_F(Battery, TooLittle) {
    for (const uint64_t size : {0, 1, 8191}) {
        Script script;
        script.size = size;
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted(script), options_for(segment)); }),
                  "battery: scripted ended after " + std::to_string(size) + " bytes, the least is 8192");
    }
    EXPECT_EQ(error_of([] { (void)run_battery(scripted({}), options_for(8191)); }),
              "battery: bytes must be in [8192, 2^60], got 8191");
    EXPECT_EQ(error_of([] { (void)run_battery(scripted({}), options_for((uint64_t{1} << 60) + 1)); }),
              "battery: bytes must be in [8192, 2^60], got 1152921504606846977");
    Options unknown;
    unknown.only = {"freq17"};
    EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), unknown); }).substr(0, 29),
              "battery: test must be one of ");
    Options functional = options_for(segment);
    functional.tier = Tier::functional;
    EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), functional); }),
              "battery: none of the tests applies to scripted");
}

TEST_F(Battery, ErrorsOfSourcesComeOut) {
    for (const bool random_access : {true, false})
        for (const int threads : {1, 2, 3})
            for (const uint64_t at : {uint64_t{0}, 2 * segment, 5 * segment + 1}) {
                Script script;
                script.throws_at = at;
                script.random_access = random_access;
                EXPECT_EQ(error_of([&] { (void)run_battery(scripted(script), options_for(64 * segment, threads)); }),
                          "the device is gone")
                    << at << ' ' << threads;
            }
}

TEST_F(Battery, NoReadFollowsAFailedOne) {
    // Each could wait as long as the first did.
    std::atomic<int> reads = 0;
    Script script;
    script.throws_at = 2 * segment;
    script.random_access = false;
    script.reads = &reads;
    EXPECT_EQ(error_of([&] { (void)run_battery(scripted(script), options_for(64 * segment, 3)); }),
              "the device is gone");
    EXPECT_EQ(reads, 3);
}

TEST_F(Battery, ErrorsOfProgressComeOut) {
    for (const int threads : {1, 3}) {
        Options options = options_for(64 * segment, threads);
        options.progress = [](const Progress& progress) {
            if (progress.look && progress.done > segment) throw std::runtime_error("enough");
        };
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), options); }), "enough");
        std::atomic<int> calls = 0;
        options.bytes = uint64_t{1} << 40;  // far more than is reached before the first call between looks
        options.progress = [&](const Progress& progress) {
            if (!progress.look && ++calls == 2) throw std::runtime_error("enough");
        };
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), options); }), "enough");
        EXPECT_EQ(calls, 2);
    }
}

// ---- Interruptions --------------------------------------------------------------------------------------------------

/// Runs until it is stopped, resumes until it is stopped again, ..., to the end.
Report in_pieces(Script script, Options options, const std::string& checkpoint, const std::vector<uint64_t>& stops) {
    std::atomic<bool> flag = false;
    options.stop = &flag;
    options.checkpoint = checkpoint;
    for (const uint64_t stop : stops) {
        flag = false;
        script.flag = &flag;
        script.stops_at = stop;
        const Report report = run_battery(scripted(script), options);
        EXPECT_TRUE(report.interrupted) << stop;
        EXPECT_LE(report.bytes, stop + 4 * segment);
        options.resume = true;
    }
    flag = false;
    script.flag = nullptr;
    return run_battery(scripted(script), options);
}

TEST_F(Battery, InterruptionsChangeNothing) {
    const uint64_t bytes = 21 * segment + 64;
    for (const bool random_access : {true, false}) {
        Script script;
        script.random_access = random_access;
        const std::string expected = json(run_battery(scripted(script), options_for(bytes)));
        int n = 0;
        for (const std::vector<uint64_t>& stops :
             std::vector<std::vector<uint64_t>>{{0},
                                                {0, 0, 0},
                                                {segment},
                                                {segment + 1},
                                                {2 * segment},
                                                {4 * segment, 4 * segment},
                                                {4 * segment + 1, 8 * segment},
                                                {7 * segment, 9 * segment, 20 * segment}})
            for (const int threads : {1, 2, 3}) {
                const std::string checkpoint = file(std::to_string(++n) + (random_access ? "r" : "s"));
                const Report report = in_pieces(script, options_for(bytes, threads), checkpoint, stops);
                EXPECT_EQ(json(report), expected) << n << ' ' << threads;
            }
    }
}

TEST_F(Battery, InterruptedSourcesThatEnd) {
    for (const uint64_t size : {8 * segment, 8 * segment + 3, 11 * segment + 8})
        for (const bool random_access : {true, false}) {
            Script script;
            script.size = size;
            script.random_access = random_access;
            const std::string expected = json(run_battery(scripted(script), options_for(64 * segment)));
            for (const uint64_t stop : {3 * segment, 6 * segment, random_access ? segment : size - 1}) {
                const std::string name =
                    file(std::to_string(size) + std::to_string(stop) + (random_access ? "r" : "s"));
                const Options options = options_for(64 * segment, 2);
                const Report report = in_pieces(script, options, name, {stop});
                EXPECT_EQ(json(report), expected) << size << ' ' << stop;
                Options again = options;
                again.checkpoint = name;
                again.resume = true;
                EXPECT_EQ(json(run_battery(scripted(script), again)), expected);
            }
        }
}

TEST_F(Battery, AFinishedRunGivesItsReportAgain) {
    for (const uint64_t flaw : {0, 2000})
        for (const uint64_t bytes : {uint64_t{8192}, uint64_t{3000000}, segment, 6 * segment}) {
            Script script;
            script.flaw = flaw;
            Options options = options_for(bytes, 2);
            options.checkpoint = file(std::to_string(flaw) + "-" + std::to_string(bytes));
            const Report first = run_battery(scripted(script), options);
            EXPECT_EQ(first.verdict, flaw && bytes >= 2 * segment / 3 ? Verdict::fail : Verdict::pass);
            std::atomic<int> reads = 0;
            script.reads = &reads;
            options.resume = true;
            EXPECT_EQ(json(run_battery(scripted(script), options)), json(first));
            EXPECT_EQ(reads, 0);
        }
}

TEST_F(Battery, StoppedBeforeItBegins) {
    std::atomic<bool> flag = true;
    Options options = options_for(8 * segment);
    options.stop = &flag;
    options.checkpoint = file("state");
    std::atomic<int> reads = 0;
    Script script;
    script.reads = &reads;
    const Report report = run_battery(scripted(script), options);
    EXPECT_TRUE(report.interrupted);
    EXPECT_EQ(report.bytes, 0);
    EXPECT_TRUE(report.looks.empty());
    EXPECT_EQ(reads, 0);
    flag = false;
    options.resume = true;
    EXPECT_EQ(json(run_battery(scripted({}), options)), json(run_battery(scripted({}), options_for(8 * segment))));
}

// ---- Checkpoints ----------------------------------------------------------------------------------------------------

class Checkpoints : public Battery {
  protected:
    /// Interrupted at 2 of 4 segments.
    void SetUp() override {
        Battery::SetUp();
        std::atomic<bool> flag = false;
        options_ = options_for(4 * segment);
        options_.checkpoint = file("state");
        Options options = options_;
        options.stop = &flag;
        Script script;
        script.flag = &flag;
        script.stops_at = 2 * segment;
        ASSERT_TRUE(run_battery(scripted(script), options).interrupted);
        options_.resume = true;
    }
    std::string resumed(const Subject& subject) {
        return error_of([&] { (void)run_battery(subject, options_); });
    }
    std::string resumed_with(const std::string& bytes) {
        std::ofstream(options_.checkpoint, std::ios::binary) << bytes;
        return resumed(scripted({}));
    }
    Options options_;
};

TEST_F(Checkpoints, DamageIsSeen) {
    const std::string good = content(options_.checkpoint), refusal = "checkpoint " + options_.checkpoint + " ";
    ASSERT_GT(good.size(), 65536 * 8);
    // Every part of it: mark, version, description, numbers, looks, counts, checksum.
    for (std::size_t at = 0; at < good.size(); at += at < 600 ? 1 : 40009)
        for (const int bit : {0, 7}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
            const std::string message = resumed_with(bad);
            EXPECT_EQ(message, refusal + (at < 18   ? "is no checkpoint of rng test"
                                          : at < 20 ? "is of another version"
                                                    : "is damaged"))
                << at;
        }
    for (std::size_t at = good.size() - 8; at < good.size(); ++at) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        EXPECT_EQ(resumed_with(bad), refusal + "is damaged");
    }
    for (const std::size_t size : {0u, 1u, 19u, 20u, 27u, 28u, 100u, 5000u, static_cast<unsigned>(good.size() - 1)})
        EXPECT_EQ(resumed_with(good.substr(0, size)), refusal + "is damaged") << size;
    EXPECT_EQ(resumed_with(good + '\0'), refusal + "is damaged");
    EXPECT_EQ(resumed_with(good), "no error");
}

TEST_F(Checkpoints, NonsenseWithASoundChecksumIsSeen) {
    const std::string good = content(options_.checkpoint);
    // Lengths that do not fit, phases and flags that do not exist: each 64-bit number of the file's head in turn.
    std::size_t head = 20 + 8;
    uint64_t run_length = 0;
    std::memcpy(&run_length, good.data() + 20, 8);
    head += run_length;
    int refused = 0;
    for (std::size_t at = 20; at + 16 < head + 200; at += at == 20 ? 8 + run_length : 8) {
        std::string bad = good.substr(0, good.size() - 8);
        const uint64_t huge = uint64_t{1} << 61;
        std::memcpy(bad.data() + at, &huge, 8);
        const uint64_t sum = checksum({reinterpret_cast<const std::byte*>(bad.data()), bad.size()});
        bad.append(reinterpret_cast<const char*>(&sum), 8);
        const std::string message = resumed_with(bad);
        refused += message != "no error";
    }
    EXPECT_GE(refused, 4);
}

TEST_F(Checkpoints, OfAnotherRun) {
    const std::string refusal = "checkpoint " + options_.checkpoint + " is of another run: scripted, 16-bit words, ";
    const auto begins = [&](const std::string& message) {
        return message.compare(0, refusal.size(), refusal) == 0 ? "" : message;
    };
    EXPECT_EQ(begins(resumed(rng::stats::subject_of<rng::Philox4x32_10>(1))), "");
    Script known;
    known.knows_size = true;
    EXPECT_EQ(begins(resumed(scripted(known))), "");
    const Options good = options_;
    options_.bytes = 5 * segment;
    EXPECT_EQ(begins(resumed(scripted({}))), "");
    options_ = good;
    options_.policy.fail = 1e-7;
    EXPECT_EQ(begins(resumed(scripted({}))), "");
    options_ = good;
    options_.keep_going = true;
    EXPECT_EQ(begins(resumed(scripted({}))), "");
    options_ = good;
    // The same name, other bytes: a stream that is not the one it was.
    Script other;
    other.seed = 43;
    EXPECT_EQ(resumed(scripted(other)),
              "checkpoint " + options_.checkpoint + " is of other bytes: scripted began differently then");
    EXPECT_EQ(resumed(scripted({})), "no error");
}

TEST_F(Checkpoints, FilesThatCannotBe) {
    options_.checkpoint = file("missing");
    EXPECT_EQ(resumed(scripted({})), "checkpoint " + file("missing") + " cannot be read: No such file or directory");
    options_.checkpoint = folder_;
    EXPECT_EQ(resumed(scripted({})), "checkpoint " + folder_.string() + " cannot be read: Is a directory");
    options_.resume = false;
    EXPECT_EQ(resumed(scripted({})), "checkpoint " + folder_.string() + " must be a regular file");
    options_.checkpoint = file("no/folder");
    EXPECT_EQ(resumed(scripted({})),
              "checkpoint " + file("no/folder") + " cannot be written: No such file or directory");
    options_.checkpoint = "/dev/full";
    EXPECT_EQ(resumed(scripted({})), "checkpoint /dev/full must be a regular file");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "a temporary was left";
}

// ---- Verdicts -------------------------------------------------------------------------------------------------------

/// A test with p-values of one's own.
class GivenTest final : public rng::stats::Test {
  public:
    explicit GivenTest(std::vector<double> log10_upper) : log10_upper_(std::move(log10_upper)) {}
    void add(const Segment&) override {}
    void results(Results& results) const override {
        for (const double p : log10_upper_) results.add(std::to_string(p), {0, p});
    }

  private:
    std::vector<double> log10_upper_;
};

std::vector<NamedTest> given(const std::vector<std::vector<double>>& tests) {
    std::vector<NamedTest> named;
    for (const auto& ps : tests) named.push_back({"t" + std::to_string(named.size()), std::make_unique<GivenTest>(ps)});
    return named;
}

TEST(Verdicts, SharesAreOfLooksTestsAndParts) {
    // Two-sided: 2e-12; times 64 looks, 5 tests, 2 parts: 1.28e-9. The third test's part is alone: 6.4e-10.
    const auto results = read_off(given({{-12, -3}, {}, {-12}}), 5);
    ASSERT_EQ(results.size(), 3);
    EXPECT_NEAR(results[0].log10_adjusted, std::log10(2e-12 * 64 * 5 * 2), 1e-12);
    EXPECT_EQ(results[1].log10_adjusted, 0) << "a probability, at most 1";
    EXPECT_NEAR(results[2].log10_adjusted, std::log10(2e-12 * 64 * 5), 1e-12);
    EXPECT_EQ(results[2].test, "t2");
    EXPECT_NEAR(read_off(given({{-12}}), 3, 1)[0].log10_adjusted, std::log10(2e-12 * 3), 1e-12);
    EXPECT_EQ(read_off(given({{-INFINITY}}), 1)[0].log10_adjusted, -INFINITY);
}

TEST(Verdicts, NotANumberIsNoPass) { EXPECT_THROW((void)read_off(given({{-1, NAN}}), 1), std::logic_error); }

TEST(Verdicts, Thresholds) {
    const Policy policy;
    const auto verdict = [&](double log10_adjusted) {
        const Result result{"t", "", {}, log10_adjusted};
        return verdict_of(std::span(&result, 1), policy);
    };
    EXPECT_EQ(verdict(0), Verdict::pass);
    EXPECT_EQ(verdict(-2.999), Verdict::pass);
    EXPECT_EQ(verdict(-3.001), Verdict::suspicious);
    EXPECT_EQ(verdict(-5.999), Verdict::suspicious);
    EXPECT_EQ(verdict(-6.001), Verdict::fail);
    EXPECT_EQ(verdict(-INFINITY), Verdict::fail);
    const std::vector<Look> looks = {{"stream", 1, {{"a", "", {}, -4}, {"b", "", {}, -1}}},
                                     {"stream", 2, {{"c", "x", {}, -7}, {"a", "", {}, -3.5}}},
                                     {"stream", 4, {{"a", "", {}, 0}}}};
    EXPECT_EQ(verdict_of(looks, policy), Verdict::fail);
    EXPECT_EQ(verdict_of(std::span(looks).first(1), policy), Verdict::suspicious);
    EXPECT_EQ(verdict_of(std::span(looks).last(1), policy), Verdict::pass);
    EXPECT_EQ(suspicious_tests(looks, policy), (std::vector<std::string>{"a", "c"}));
}

/// Thresholds that a sound generator's p-value of `report` lies between.
Policy suspicious_of(const Report& report) {
    const double worst = report.worst()->log10_adjusted;
    return {std::pow(10, worst - 1), std::pow(10, worst + 0.01)};
}

TEST_F(Battery, SuspiciousTestsAreRepeatedOnAFreshSeed) {
    // Enough of a flaw to be noticed, and little enough not to be caught at this size.
    const uint64_t bytes = 2 * segment;
    Script flawed;
    flawed.flaw = 8;
    Options to_the_end = options_for(bytes);
    to_the_end.keep_going = true;
    const Report probe = run_battery(scripted(flawed), to_the_end);
    ASSERT_LT(probe.worst()->log10_adjusted, 0) << "the flaw must show";
    Options options = options_for(bytes, 2);
    options.policy = suspicious_of(probe);

    const Report alone = run_battery(scripted(flawed), options);
    EXPECT_EQ(alone.verdict, Verdict::suspicious) << "nothing to repeat it on";
    EXPECT_TRUE(alone.again.empty());

    std::vector<uint64_t> rounds;
    const auto subject = [&](uint64_t fresh_flaw) {
        Subject made = scripted(flawed);
        made.reseeded = [&rounds, fresh_flaw](uint64_t round) {
            rounds.push_back(round);
            Script script;
            script.seed = 1000 + round;
            script.flaw = fresh_flaw;
            return scripted(script);
        };
        return made;
    };
    const Report sound = run_battery(subject(0), options);
    EXPECT_EQ(sound.verdict, Verdict::pass);
    EXPECT_EQ(rounds, (std::vector<uint64_t>{1}));
    ASSERT_EQ(sound.again.size(), 1) << "looked at once, at the end";
    EXPECT_EQ(sound.again[0].size, 4 * bytes);
    // One look, one test: nothing but the two sides is corrected for.
    EXPECT_DOUBLE_EQ(sound.again[0].results.at(0).log10_adjusted, sound.again[0].results[0].p.log10_two_sided());
    EXPECT_EQ(run_battery(subject(200), options).verdict, Verdict::fail);
    options.repeat_suspicious = false;
    EXPECT_EQ(run_battery(subject(0), options).verdict, Verdict::suspicious);
    EXPECT_EQ(rounds.size(), 2);
    options.repeat_suspicious = true;

    // Interrupted in the repetition.
    for (const bool random_access : {true, false}) {
        std::atomic<bool> flag = false;
        Options pieces = options;
        pieces.stop = &flag;
        pieces.checkpoint = file(random_access ? "r" : "s");
        Subject stopping = scripted(flawed);
        Script fresh;
        fresh.seed = 1001;
        fresh.random_access = random_access;
        fresh.flag = &flag;
        fresh.stops_at = 3 * segment;
        stopping.reseeded = [&](uint64_t) { return scripted(fresh); };
        const Report stopped = run_battery(stopping, pieces);
        EXPECT_TRUE(stopped.interrupted);
        EXPECT_EQ(stopped.verdict, Verdict::suspicious);
        flag = false;
        fresh.flag = nullptr;
        pieces.resume = true;
        std::atomic<int> reads = 0;
        fresh.reads = &reads;
        EXPECT_EQ(json(run_battery(stopping, pieces)), json(sound));
        EXPECT_LT(reads, 8) << "it began anew";
        reads = 0;
        EXPECT_EQ(json(run_battery(stopping, pieces)), json(sound));
        EXPECT_EQ(reads, 0);
    }
}

TEST_F(Battery, FailuresEndTheRunUnlessItKeepsGoing) {
    Script script;
    script.flaw = 2000;
    const Report report = run_battery(scripted(script), options_for(16 * segment, 2));
    EXPECT_EQ(report.verdict, Verdict::fail);
    EXPECT_EQ(report.bytes, 2097152) << "the first look at which freq16 speaks";
    EXPECT_EQ(report.looks.back().size, report.bytes);
    Options options = options_for(16 * segment, 2);
    options.keep_going = true;
    const Report whole = run_battery(scripted(script), options);
    EXPECT_EQ(whole.verdict, Verdict::fail);
    EXPECT_EQ(whole.bytes, 16 * segment);
    EXPECT_EQ(json(in_pieces(script, options, file("state"), {3 * segment, 9 * segment})), json(whole));
}

// ---- Text -----------------------------------------------------------------------------------------------------------

TEST(Summary, SaysTheVerdictFirst) {
    Report report;
    report.subject = "mine";
    report.bytes_asked = uint64_t{1} << 30;
    report.bytes = 1 << 20;
    report.looks = {{"stream", 1 << 20, {{"freq16", "", {-8, 0}, -5}, {"hamming8", "w<=3", {-40, 0}, -37.5}}}};
    report.verdict = Verdict::fail;
    const std::string text = summary(report);
    EXPECT_EQ(text.find("FAIL: mine\n"), 0);
    EXPECT_NE(text.find("1 MiB"), std::string::npos);
    EXPECT_LT(text.find("hamming8:w<=3"), text.find("freq16"));
    EXPECT_NE(text.find("suspicious"), std::string::npos);
    report.verdict = Verdict::suspicious;
    EXPECT_NE(summary(report).find("Next: "), std::string::npos);
    report.interrupted = true;
    EXPECT_NE(summary(report).find("INTERRUPTED before 1 GiB"), std::string::npos);
    report = {};
    report.subject = "nothing";
    EXPECT_EQ(summary(report).find("PASS: nothing\nThere was too little data"), 0);
}

TEST(Json, HasEveryTail) {
    Report report;
    report.subject = "mine \xff \"x\"";
    report.command = "rng test --stdin";
    report.looks = {{"stream", 8192, {{"a", "", {-INFINITY, 0}, -INFINITY}, {"b", "c", {-0.25, -1.5}, -0.1}}}};
    const std::string text = json(report);
    EXPECT_NE(text.find("\"log10_lower\": null"), std::string::npos);
    EXPECT_NE(text.find("\"log10_upper\": -1.5"), std::string::npos);
    EXPECT_NE(text.find("\"command\": \"rng test --stdin\""), std::string::npos);
    EXPECT_EQ(text.find("thread"), std::string::npos);
    EXPECT_EQ(text, json(report));
}

}  // namespace
