// From p-values to a verdict, suspicious tests repeated on a fresh seed, and what people and programs read of it.
//
#include <cmath>
#include <limits>

#include "../support/scripted_source.hpp"
#include "statistical_tests/battery/verdict.hpp"

namespace {

using namespace battery;

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

TEST(Verdicts, SharesAreOfAnalysesTestsAndParts) {
    // Two-sided: 2e-12; times 64 analyses, 5 tests, 2 parts: 1.28e-9. The third test's part is alone: 6.4e-10.
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
    const std::vector<InterimAnalysis> analyses = {{"stream", 1, {{"a", "", {}, -4}, {"b", "", {}, -1}}},
                                                   {"stream", 2, {{"c", "x", {}, -7}, {"a", "", {}, -3.5}}},
                                                   {"stream", 4, {{"a", "", {}, 0}}}};
    EXPECT_EQ(verdict_of(analyses, policy), Verdict::fail);
    EXPECT_EQ(verdict_of(std::span(analyses).first(1), policy), Verdict::suspicious);
    EXPECT_EQ(verdict_of(std::span(analyses).last(1), policy), Verdict::pass);
    EXPECT_EQ(suspicious_tests(analyses, policy), (std::vector<std::string>{"a", "c"}));
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
    EXPECT_TRUE(alone.repeats.empty());

    std::vector<uint64_t> rounds;
    const auto generator = [&](uint64_t fresh_flaw) {
        GeneratorUnderTest made = scripted(flawed);
        made.reseeded = [&rounds, fresh_flaw](uint64_t round) {
            rounds.push_back(round);
            Script script;
            script.seed = 1000 + round;
            script.flaw = fresh_flaw;
            return scripted(script);
        };
        return made;
    };
    const Report sound = run_battery(generator(0), options);
    EXPECT_EQ(sound.verdict, Verdict::pass);
    EXPECT_EQ(rounds, (std::vector<uint64_t>{1}));
    ASSERT_EQ(sound.repeats.size(), 1) << "analysed once, at the end";
    EXPECT_EQ(sound.repeats[0].size, 4 * bytes);
    // One analysis, one test: nothing but its two parts is corrected for.
    ASSERT_EQ(sound.repeats[0].results.size(), 2u);
    for (const Result& result : sound.repeats[0].results)
        EXPECT_DOUBLE_EQ(result.log10_adjusted, std::min(0.0, result.p.log10_two_sided() + std::log10(2)));
    EXPECT_EQ(run_battery(generator(200), options).verdict, Verdict::fail);
    options.repeat_suspicious = false;
    EXPECT_EQ(run_battery(generator(0), options).verdict, Verdict::suspicious);
    EXPECT_EQ(rounds.size(), 2);
    options.repeat_suspicious = true;

    // Interrupted in the repetition.
    for (const bool random_access : {true, false}) {
        std::atomic<bool> flag = false;
        Options pieces = options;
        pieces.stop = &flag;
        pieces.checkpoint = file(random_access ? "r" : "s");
        GeneratorUnderTest stopping = scripted(flawed);
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
    EXPECT_EQ(report.bytes, 16384) << "the first analysis at which freq16 says something of bytes";
    EXPECT_EQ(report.analyses.back().size, report.bytes);
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
    report.generator = "mine";
    report.bytes_asked = uint64_t{1} << 30;
    report.bytes_are_named = true;
    report.bytes = 1 << 20;
    report.analyses = {{"stream", 1 << 20, {{"freq16", "", {-8, 0}, -5}, {"hamming8", "w<=3", {-40, 0}, -37.5}}}};
    report.verdict = Verdict::fail;
    const std::string text = summary(report);
    EXPECT_EQ(text.find("FAIL: mine\n"), 0);
    EXPECT_NE(text.find("1 MiB"), std::string::npos);
    EXPECT_LT(text.find("hamming8:w<=3"), text.find("freq16"));
    EXPECT_NE(text.find("suspicious"), std::string::npos);
    report.verdict = Verdict::suspicious;
    EXPECT_NE(summary(report).find("Next: "), std::string::npos);
    EXPECT_EQ(summary(report).find("SUSPICIOUS: mine\n"), 0) << "nothing says that it is of less than it should be";
    report.interrupted = true;
    EXPECT_NE(summary(report).find("INTERRUPTED before 1 GiB"), std::string::npos);
    EXPECT_EQ(summary(report).find("SUSPICIOUS on 1 MiB of 1 GiB asked: mine\n"), 0);
    report.verdict = Verdict::fail;
    EXPECT_EQ(summary(report).find("FAIL: mine\n"), 0) << "more data would not undo it";
    report.verdict = Verdict::pass;
    report.interrupted = false;
    report.source_ended = true;
    EXPECT_EQ(summary(report).find("PASS on 1 MiB of 1 GiB asked: mine\n"), 0);
    report.bytes = report.bytes_asked = 0;  // a structural tier, interrupted
    report.interrupted = true;
    EXPECT_EQ(summary(report).find("PASS so far: mine\n"), 0);
    report = {};
    report.generator = "nothing";
    EXPECT_EQ(summary(report).find("NO VERDICT: nothing\nThere was too little data"), 0);
}

TEST(Json, HasEveryTail) {
    Report report;
    report.generator = "mine \xff \"x\"";
    report.command = "rng test --stdin";
    report.analyses = {{"stream", 8192, {{"a", "", {-INFINITY, 0}, -INFINITY}, {"b", "c", {-0.25, -1.5}, -0.1}}}};
    const std::string text = json(report);
    EXPECT_NE(text.find("\"log10_lower\": null"), std::string::npos);
    EXPECT_NE(text.find("\"log10_upper\": -1.5"), std::string::npos);
    EXPECT_NE(text.find("\"command\": \"rng test --stdin\""), std::string::npos);
    EXPECT_EQ(text.find("thread"), std::string::npos);
    EXPECT_EQ(text, json(report));
}

}  // namespace
