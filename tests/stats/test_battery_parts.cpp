// Parts of a run: counted apart and added up, they give the bytes of one run's report. Files that do not belong
// together are refused.
#include <rng/stats/battery_parts.hpp>
#include <rng/stats/engines_under_test.hpp>

#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <random>
#include <set>

#include "../support/sampled.hpp"
#include "../support/scripted_source.hpp"
#include "statistical_tests/battery/state.hpp"

namespace {

using namespace battery;

class Parts : public Battery {
  protected:
    /// Cuts [0, all) at random, perhaps at places without an analysis.
    std::vector<SegmentRange> cut(uint64_t all, std::size_t parts) {
        std::vector<uint64_t> ends = {0, all};
        while (ends.size() < std::min<uint64_t>(parts, all) + 1) {
            const uint64_t end = random_() % all;
            if (std::ranges::find(ends, end) == ends.end()) ends.push_back(end);
        }
        std::ranges::sort(ends);
        std::vector<SegmentRange> ranges;
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) ranges.push_back({ends[i], ends[i + 1]});
        return ranges;
    }
    /// Counts each range, and returns the files in an order of their own.
    std::vector<std::string> counted(const std::function<GeneratorUnderTest()>& generator, const Options& options,
                                     const std::vector<SegmentRange>& ranges) {
        std::vector<std::string> files;
        for (const SegmentRange range : ranges) {
            files.push_back(file(std::to_string(range.first) + "-" + std::to_string(range.last)));
            EXPECT_TRUE(count_segments(generator(), options, range, files.back()));
        }
        std::ranges::shuffle(files, random_);
        return files;
    }
    /// Compares the report of parts with that of one run.
    void expect_whole(const std::function<GeneratorUnderTest()>& generator, const Options& options,
                      const std::vector<std::size_t>& numbers_of_parts = {1, 2, 3, 5}) {
        const Report whole = run_battery(generator(), options);
        const uint64_t all = segments_of(generator(), options);
        for (const std::size_t parts : numbers_of_parts) {
            const std::vector<SegmentRange> ranges = cut(all, parts);
            const Report merged = merge_counts(generator(), options, counted(generator, options, ranges));
            std::string places;
            for (const SegmentRange range : ranges) places += ' ' + std::to_string(range.first);
            EXPECT_EQ(json(merged), json(whole)) << places;
            EXPECT_EQ(summary(merged), summary(whole)) << places;
        }
    }
    void expect_whole(const Script& script, const Options& options) {
        expect_whole([&] { return scripted(script); }, options);
    }
    std::string refusal(const std::function<void()>& call) { return error_of(call); }

    std::mt19937 random_{20261126};
};

TEST_F(Parts, GiveTheReportOfOneRun) {
    for (const uint64_t bytes : {17 * segment + 64, 16 * segment, segment + 8, segment, uint64_t{3000000}})
        for (const int threads : {1, 3}) expect_whole(Script{}, options_for(bytes, threads));
}

TEST_F(Parts, OfASourceThatEndsBeforeTheBytesAsked) {
    Script script;
    script.knows_size = true;
    for (const uint64_t size : {11 * segment + 13, 8 * segment, uint64_t{100000}}) {
        script.size = size;
        expect_whole(script, options_for(64 * segment));
    }
}

TEST_F(Parts, EndWithTheFirstFailureAsOneRunDoes) {
    std::set<uint64_t> ends;
    for (const uint64_t flaw : {0, 8, 16, 32, 128, 2000})
        for (const bool keep_going : {false, true}) {
            Script script;
            script.flaw = flaw;
            Options options = options_for(19 * segment);
            options.keep_going = keep_going;
            const Report whole = run_battery(scripted(script), options);
            if (whole.verdict == Verdict::fail && !keep_going) ends.insert(whole.bytes);
            expect_whole(script, options);
        }
    EXPECT_GE(ends.size(), 3u) << "failures at few analyses test little";
    EXPECT_LT(*ends.begin(), segment);
    EXPECT_GT(*ends.rbegin(), segment);
}

TEST_F(Parts, ShareTheStructuralTests) {
    const auto sound = [] { return rng::stats::engine_under_test<rng::Philox4x32_10>(7); };
    const auto flawed = [] { return engine_under_test("philox4x32-4", 7, 0, 0); };
    Options both = options_for(5 * segment);
    both.only = {"freq16", "stream-pairs"};
    Options structural;
    structural.tier = Tier::structural;
    structural.threads = 1;
    structural.only = {"stream-pairs"};
    for (const Options& options : {both, structural}) {
        expect_whole(sound, options, {3});
        expect_whole(flawed, options, {2, 5});
    }
    // The stage fails, so the stream is not in the report, although it was counted.
    EXPECT_EQ(run_battery(flawed(), both).verdict, Verdict::fail);
    EXPECT_EQ(run_battery(flawed(), both).bytes, 0u);
    EXPECT_GT(segments_of(sound(), structural), 5u);
    // The part that takes the analyses of the stream has no case of the stage that fails.
    both.bytes = 70 * segment;
    EXPECT_EQ(json(merge_counts(flawed(), both, counted(flawed, both, {{0, 1}, {1, 70}}))),
              json(run_battery(flawed(), both)));
}

TEST_F(Parts, HaveEvenSharesOfTheStructuralWork) {
    // stream-pairs has 64 cases and fingerprints has 256, whose work is about the same. So half of all work is done
    // with the cases below 51: 51 / 64 of one test and 51 / 256 of the other are together nearly 1.
    const auto sound = [] { return rng::stats::engine_under_test<rng::Philox4x32_10>(7); };
    Options options = options_for(4 * segment);
    options.only = {"freq16", "stream-pairs", "fingerprints"};
    std::vector<uint64_t> ends;
    for (const std::string& half : counted(sound, options, {{0, 2}, {2, 4}}))
        for (const RangeCounts& range : load_state(half, "", StateFile::counts).ranges)
            if (range.stage == 0) ends.push_back(range.last);
    EXPECT_EQ(std::ranges::count_if(ends, [](uint64_t end) { return end == 51 || end == 52; }), 1)
        << ::testing::PrintToString(ends);
}

TEST_F(Parts, RepeatWhatIsSuspicious) {
    Script script;
    script.flaw = 8;
    Options options = options_for(4 * segment);
    options.policy = {1e-300, 0.999};
    std::atomic<int> rounds = 0;
    const auto generator = [&] {
        GeneratorUnderTest made = scripted(script);
        made.reseeded = [&](uint64_t round) {
            ++rounds;
            Script fresh;
            fresh.seed = 1000 + round;
            return scripted(fresh);
        };
        return made;
    };
    ASSERT_FALSE(run_battery(generator(), options).repeats.empty());
    rounds = 0;
    expect_whole(generator, options);
    EXPECT_EQ(rounds, 1 + 4) << "once for the whole run, once for each merge, never for a part";
}

TEST_F(Parts, MayRepeatOrNot) {
    const auto generator = [] { return scripted({}); };
    Options options = options_for(4 * segment), other = options;
    for (const bool repeats : {false, true}) {
        options.repeat_suspicious = repeats;
        other.repeat_suspicious = !repeats;
        EXPECT_EQ(json(merge_counts(generator(), other, counted(generator, options, {{0, 3}, {3, 4}}))),
                  json(run_battery(generator(), other)));
    }
}

// ---- Files that do not belong together ------------------------------------------------------------------------------

class Counts : public Parts {
  protected:
    void SetUp() override {
        Parts::SetUp();
        files_ = counted([] { return scripted({}); }, options_, {{0, 3}, {3, 4}, {4, 8}});
        std::ranges::sort(files_);
    }
    std::string merged(const std::vector<std::string>& files, const Script& script = {}) {
        return refusal([&] { (void)merge_counts(scripted(script), options_, files); });
    }
    std::string count(SegmentRange range, const std::string& to, const Script& script = {}) {
        return refusal([&] { (void)count_segments(scripted(script), options_, range, to); });
    }
    Options options_ = options_for(8 * segment);
    std::vector<std::string> files_;
};

TEST_F(Counts, MissingAndOverlapping) {
    const std::string &a = files_[0], &b = files_[1], &c = files_[2];
    EXPECT_EQ(merged({c, a, b}), "no error");
    EXPECT_EQ(merged({}), "merge_counts: segments 0:8 are missing: no file has them");
    EXPECT_EQ(merged({b, c}), "merge_counts: segments 0:3 are missing: no file has them");
    EXPECT_EQ(merged({c, a}), "merge_counts: segments 3:4 are missing: no file has them");
    EXPECT_EQ(merged({a, b}), "merge_counts: segments 4:8 are missing: no file has them");
    EXPECT_EQ(merged({a, b, c, b}), "merge_counts: segments 3:4 are in two files: " + b + " and " + b);
    EXPECT_EQ(count({2, 6}, file("over")), "no error");
    EXPECT_EQ(merged({a, b, c, file("over")}),
              "merge_counts: segments 2:3 are in two files: " + a + " and " + file("over"));
}

TEST_F(Counts, OfOtherRunsBytesAndVersions) {
    const std::string refused = "counts " + files_[0] + " is of another run: scripted, 16-bit words, ";
    const Options good = options_;
    const auto begins = [&] { return merged(files_).substr(0, refused.size()); };
    options_.bytes = 9 * segment;
    EXPECT_EQ(begins(), refused);
    options_ = good;
    options_.keep_going = true;
    EXPECT_EQ(begins(), refused);
    options_ = good;
    options_.only = {"hamming8"};
    EXPECT_EQ(begins(), refused);
    options_ = good;
    Script other;
    other.seed = 43;
    EXPECT_EQ(merged(files_, other), "counts " + files_[0] + " is of other bytes: scripted began differently then");
    // One file of another seed under the same name.
    EXPECT_EQ(count({3, 4}, files_[1], other), "no error");
    EXPECT_EQ(merged(files_), "counts " + files_[1] + " is of other bytes: scripted began differently then");

    std::string bytes = content(files_[2]);
    const std::string version = RNG_VERSION " of contract ", wrong = "9" + version.substr(1);
    const std::size_t at = bytes.find(version);
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at, wrong.size(), wrong);
    bytes.resize(bytes.size() - 8);
    const uint64_t sum = checksum({reinterpret_cast<const std::byte*>(bytes.data()), bytes.size()});
    bytes.append(reinterpret_cast<const char*>(&sum), 8);
    std::ofstream(files_[2], std::ios::binary) << bytes;
    EXPECT_EQ(merged({files_[2]}), "counts " + files_[2] + " is of version " + wrong +
                                       std::to_string(rng::contract_version) + ", this is " + version +
                                       std::to_string(rng::contract_version));
}

TEST_F(Counts, TornAndForeign) {
    const std::string good = content(files_[1]), name = "counts " + files_[1];
    ASSERT_GT(good.size(), 65536u * 8);
    const auto merged_with = [&](const std::string& bytes) {
        std::ofstream(files_[1], std::ios::binary) << bytes;
        return merged(files_);
    };
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{20}, std::size_t{1000}, good.size() / 2, good.size() - 1})
        EXPECT_EQ(merged_with(good.substr(0, size)), name + " is damaged") << size;
    for (std::size_t at = 20; at < good.size(); at += at < 600 ? 7 : 100003) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 1);
        EXPECT_EQ(merged_with(bad), name + " is damaged") << at;
    }
    EXPECT_EQ(merged_with("abc"), name + " is not a file of rng test --counts");
    EXPECT_EQ(merged_with(good), "no error");

    Options options = options_;
    options.checkpoint = file("state");
    (void)run_battery(scripted({}), options);
    EXPECT_EQ(merged({file("state")}), "counts " + file("state") + " is a checkpoint, not the counts of segments");
    options.checkpoint = files_[0];
    options.resume = true;
    EXPECT_EQ(refusal([&] { (void)run_battery(scripted({}), options); }),
              "checkpoint " + files_[0] + " is the counts of segments, not a checkpoint");
    EXPECT_EQ(merged({file("none")}), "counts " + file("none") + " cannot be read: No such file or directory");
}

TEST_F(Counts, KeepTheCallersArguments) {
    const std::vector<std::string> arguments = {"--seed", "1", "", "a b"};
    ASSERT_TRUE(count_segments(scripted({}), options_, {0, 1}, file("x"), arguments));
    EXPECT_EQ(counts_arguments(file("x")), arguments);
    EXPECT_TRUE(counts_arguments(files_[0]).empty());
}

TEST_F(Counts, RangesAndSourcesThatCannotBe) {
    const std::string range = "count_segments: segments must be A:B with 0 <= A < B <= 8, got ";
    EXPECT_EQ(count({8, 9}, file("x")), range + "8:9");
    EXPECT_EQ(count({3, 3}, file("x")), range + "3:3");
    EXPECT_EQ(count({4, 3}, file("x")), range + "4:3");
    Script script;
    script.random_access = false;
    EXPECT_EQ(count({0, 8}, file("x"), script),
              "count_segments: scripted can only be read from its beginning; segments need a file of known size or an "
              "engine");
    script.random_access = true;
    script.size = 5 * segment + 16;
    EXPECT_EQ(count({4, 8}, file("x"), script),
              "count_segments: scripted ended after " + std::to_string(script.size) + " bytes, within the run");
    script.throws_at = 5 * segment;
    EXPECT_EQ(count({4, 8}, file("x"), script), "the device is gone");
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
        EXPECT_FALSE(entry.path().filename().string().starts_with('x')) << entry;
}

TEST_F(Counts, FilesThatCannotBeWritten) {
    std::atomic<int> reads = 0;
    Script script;
    script.reads = &reads;
    EXPECT_EQ(count({0, 8}, file("no/x"), script),
              "counts " + file("no/x") + " cannot be written: No such file or directory");
    EXPECT_EQ(count({0, 8}, "/dev/full", script), "counts /dev/full must be a regular file");
    EXPECT_EQ(reads, 0) << "the work was done before the file was tried";

    std::signal(SIGXFSZ, SIG_IGN);
    rlimit before{};
    ::getrlimit(RLIMIT_FSIZE, &before);
    rlimit full = before;
    full.rlim_cur = 100;
    ::setrlimit(RLIMIT_FSIZE, &full);
    const std::string message = count({3, 4}, files_[1]);
    ::setrlimit(RLIMIT_FSIZE, &before);
    EXPECT_EQ(message, "counts " + files_[1] + " cannot be written: File too large");
    EXPECT_EQ(merged(files_), "no error") << "the file that was there is gone";

    std::atomic<bool> flag = false;
    script.flag = &flag;
    script.stops_at = 2 * segment;
    Options options = options_;
    options.stop = &flag;
    EXPECT_FALSE(count_segments(scripted(script), options, {0, 8}, file("stopped")));
    EXPECT_FALSE(std::filesystem::exists(file("stopped")));
}

}  // namespace
