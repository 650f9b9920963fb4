// The battery as a program: interim analyses, results that depend on nothing but the data, sources that end or fail
// anywhere. What each statistical test finds has tests of its own.
//
#include <cmath>
#include <cstring>

#include "../support/scripted_source.hpp"

namespace {

using namespace battery;

// ---- Analyses and threads -------------------------------------------------------------------------------------------

TEST_F(Battery, AnalysesDoubleAndEndWithTheData) {
    const Report report = run_battery(scripted({}), options_for(3 * segment + 4096));
    std::vector<uint64_t> expected;
    for (uint64_t size = 8192; size <= 2 * segment; size *= 2) expected.push_back(size);
    expected.push_back(3 * segment + 4096);
    EXPECT_EQ(sizes(report), expected);
    EXPECT_EQ(report.bytes, 3 * segment + 4096);
    EXPECT_FALSE(report.source_ended);
    // freq16 speaks of bytes when each of 256 values expects 64, of 16-bit values when each of 65536 expects 10.
    for (const InterimAnalysis& analysis : report.analyses)
        EXPECT_EQ(analysis.results.size(), (analysis.size >= 64 * 256) + (analysis.size >= 10 * 65536 * 2))
            << analysis.size;
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
        EXPECT_EQ(report.analyses.back().results.size(), 2u);
        for (const Result& result : report.analyses.back().results) {
            EXPECT_EQ(result.p.log10_lower, -INFINITY) << result.name();
            EXPECT_EQ(result.p.log10_upper, 0) << result.name();
        }
    }
}

// ---- Sources that end, or fail --------------------------------------------------------------------------------------

TEST_F(Battery, SourcesEndAnywhere) {
    for (const uint64_t size :
         {uint64_t{8192}, uint64_t{8193}, uint64_t{8199}, uint64_t{8200}, uint64_t{16384}, uint64_t{1234567},
          segment - 1, segment, segment + 1, segment + 7, segment + 8, 2 * segment - 8, 2 * segment, 2 * segment + 8,
          3 * segment, 4 * segment, 4 * segment + 100}) {
        // What there is, asked for: the expected analyses.
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
                    ASSERT_FALSE(report.analyses.empty());
                    for (std::size_t i = 0; i < report.analyses.back().results.size(); ++i)
                        EXPECT_EQ(report.analyses.back().results[i].p.log10_upper,
                                  expected.analyses.back().results.at(i).p.log10_upper)
                            << where;
                }
    }
}

TEST_F(Battery, TooLittle) {
    for (const uint64_t size : {0, 1, 8191}) {
        Script script;
        script.size = size;
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted(script), options_for(segment)); }),
                  "run_battery: scripted ended after " + std::to_string(size) + " bytes, the least is 8192");
    }
    EXPECT_EQ(error_of([] { (void)run_battery(scripted({}), options_for(8191)); }),
              "run_battery: bytes must be in [8192, 2^60], got 8191");
    EXPECT_EQ(error_of([] { (void)run_battery(scripted({}), options_for((uint64_t{1} << 60) + 1)); }),
              "run_battery: bytes must be in [8192, 2^60], got 1152921504606846977");
    Options unknown;
    unknown.only = {"freq17"};
    EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), unknown); }).substr(0, 33),
              "run_battery: test must be one of ");
    Options structural = options_for(segment);
    structural.tier = Tier::structural;
    EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), structural); }),
              "run_battery: none of the tests applies to scripted");
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
    EXPECT_EQ(reads, 12)
        << "a read for each of the 10 analyses below a segment and at its end, one more segment, the failure";
}

TEST_F(Battery, AnalysesDoNotWaitForMoreThanTheirBytes) {
    // A source of 10 kB a second gives its first 8 KiB in a second, its first segment in seven minutes.
    std::vector<uint64_t> read_by_then;
    class Watched final : public Source {
      public:
        explicit Watched(uint64_t& read) : read_(read) {}
        std::string name() const override { return "watched"; }
        int word_bits() const override { return 32; }
        std::size_t read(uint64_t position, std::span<std::byte> to) override {
            EXPECT_EQ(position, read_);
            for (std::size_t i = 0; i < to.size(); ++i)
                to[i] = static_cast<std::byte>((position + i) * 0x9e3779b1 >> 24);
            read_ = position + to.size();
            return to.size();
        }

      private:
        uint64_t& read_;
    };
    uint64_t read = 0;
    Options options = options_for(segment + 8);
    options.keep_going = true;
    options.progress = [&](const Progress& progress) {
        if (progress.analysis) read_by_then.push_back(read);
    };
    const Report report = run_battery({std::make_shared<Watched>(read)}, options);
    EXPECT_EQ(read_by_then, sizes(report));
    EXPECT_EQ(read_by_then.front(), 8192u);
}

TEST_F(Battery, TestsOfAGenerator) {
    Options options;
    const GeneratorUnderTest engine = engine_under_test<rng::Philox4x32_10>(1);
    for (const std::vector<std::string>& only : std::vector<std::vector<std::string>>{{"freq16"}, {"freq16", "rank"}}) {
        options.only = only;
        EXPECT_EQ(tests_of(engine, options), only);
    }
    options.only = {"moments"};
    EXPECT_TRUE(tests_of(engine, options).empty());
    options.only = {"avalanche2"};
    EXPECT_FALSE(tests_of(engine, options).empty());
    EXPECT_TRUE(tests_of(scripted({}), options).empty());
    options = {};
    options.tier = Tier::structural;
    EXPECT_TRUE(tests_of(scripted({}), options).empty());
    EXPECT_FALSE(tests_of(engine, options).empty());
}

TEST_F(Battery, ReportsSoFar) {
    std::vector<Report> reports;
    Options options = options_for(3 * segment);
    options.on_partial_report = [&](const Report& report) { reports.push_back(report); };
    const Report whole = run_battery(scripted({}), options);
    ASSERT_EQ(reports.size(), whole.analyses.size());
    for (std::size_t i = 0; i < reports.size(); ++i) {
        EXPECT_TRUE(reports[i].interrupted);
        EXPECT_EQ(reports[i].analyses.size(), i + 1);
        EXPECT_EQ(reports[i].bytes, whole.analyses[i].size);
        EXPECT_EQ(reports[i].generator, whole.generator);
    }
    EXPECT_FALSE(whole.interrupted);
}

TEST_F(Battery, ErrorsOfProgressComeOut) {
    for (const int threads : {1, 3}) {
        Options options = options_for(64 * segment, threads);
        options.progress = [](const Progress& progress) {
            if (progress.analysis && progress.done > segment) throw std::runtime_error("enough");
        };
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), options); }), "enough");
        std::atomic<int> calls = 0;
        options.bytes = uint64_t{1} << 40;  // far more than is reached before the first call between analyses
        options.progress = [&](const Progress& progress) {
            if (!progress.analysis && ++calls == 2) throw std::runtime_error("enough");
        };
        EXPECT_EQ(error_of([&] { (void)run_battery(scripted({}), options); }), "enough");
        EXPECT_EQ(calls, 2);
    }
}

}  // namespace
