// Interruptions of the battery at any place, and checkpoints: resumed, finished, damaged, foreign.
//
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "../support/sampled.hpp"
#include "../support/scripted_source.hpp"
#include "statistical_tests/battery/state.hpp"

namespace {

using namespace battery;

// ---- Interruptions --------------------------------------------------------------------------------------------------

TEST_F(Battery, InterruptionsChangeNothing) {
    const uint64_t bytes = 17 * segment + 64;
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
                                                {7 * segment, 9 * segment, 12 * segment}})
            for (const int threads : {1, 2, 3}) {
                const std::string checkpoint = file(std::to_string(++n) + (random_access ? "r" : "s"));
                const Report report = in_pieces(script, options_for(bytes, threads), checkpoint, stops);
                EXPECT_EQ(json(report), expected) << n << ' ' << threads;
            }
    }
}

TEST_F(Battery, InterruptedSourcesThatEnd) {
    std::vector<uint64_t> source_sizes = {11 * segment + 8, 8 * segment + 3, 8 * segment};
    source_sizes.resize(support::sampled(source_sizes.size()));
    for (const uint64_t size : source_sizes)
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
    EXPECT_TRUE(report.analyses.empty());
    EXPECT_EQ(reads, 0);
    flag = false;
    options.resume = true;
    EXPECT_EQ(json(run_battery(scripted({}), options)), json(run_battery(scripted({}), options_for(8 * segment))));
}

/// Smaller files than this cannot be written while it lives: a full disk for everybody.
class FullDisk {
  public:
    FullDisk() {
        std::signal(SIGXFSZ, SIG_IGN);
        ::getrlimit(RLIMIT_FSIZE, &before_);
        rlimit full = before_;
        full.rlim_cur = 100;
        ::setrlimit(RLIMIT_FSIZE, &full);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() { ::setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

TEST_F(Battery, AFullDiskCostsTheCheckpointAndNotTheRun) {
    const uint64_t bytes = 9 * segment;
    const std::string expected = json(run_battery(scripted({}), options_for(bytes)));
    for (const bool is_full_to_the_end : {false, true}) {
        const std::string checkpoint = file(is_full_to_the_end ? "full" : "full for a while");
        std::unique_ptr<FullDisk> disk;
        std::vector<std::string> warnings;
        Options options = options_for(bytes);
        options.checkpoint = checkpoint;
        options.save_every = std::chrono::milliseconds(1);
        options.warning = [&](const std::string& what) {
            warnings.push_back(what);
            if (!is_full_to_the_end) disk.reset();
        };
        // Full from the fourth segment on; it is read no further until the warning has come.
        class Waiting final : public Source {
          public:
            Waiting(std::unique_ptr<FullDisk>& disk, const std::vector<std::string>& warnings)
                : source_(scripted({}).source), disk_(disk), warnings_(warnings) {}
            std::string name() const override { return source_->name(); }
            int word_bits() const override { return source_->word_bits(); }
            std::size_t read(uint64_t position, std::span<std::byte> to) override {
                if (position == 4 * segment) disk_ = std::make_unique<FullDisk>();
                // A pause of the threads, in which the state is saved, needs the end of a segment: so this one waits
                // but briefly.
                if (position > 4 * segment && warnings_.empty())
                    std::this_thread::sleep_for(std::chrono::milliseconds(500));
                return source_->read(position, to);
            }

          private:
            std::shared_ptr<Source> source_;
            std::unique_ptr<FullDisk>& disk_;
            const std::vector<std::string>& warnings_;
        };
        const Report report = run_battery({std::make_shared<Waiting>(disk, warnings)}, options);
        disk.reset();
        const std::string reason = "checkpoint " + checkpoint + " cannot be written: File too large";
        EXPECT_EQ(warnings, std::vector<std::string>{reason});
        EXPECT_EQ(json(report), expected);
        EXPECT_EQ(report.checkpoint_error, is_full_to_the_end ? reason : "");
        options.resume = true;
        EXPECT_EQ(json(run_battery({std::make_shared<Waiting>(disk, warnings)}, options)), expected);
        disk.reset();
    }
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
    std::string resumed(const GeneratorUnderTest& generator) {
        return error_of([&] { (void)run_battery(generator, options_); });
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
    // Every part of it: mark, version, description, numbers, analyses, counts, checksum.
    for (std::size_t at = 0; at < good.size(); at += at < 40 ? 1 : at < 600 ? 7 : 100003)
        for (const int bit : {0, 7}) {
            std::string bad = good;
            bad[at] = static_cast<char>(bad[at] ^ 1 << bit);
            const std::string message = resumed_with(bad);
            EXPECT_EQ(message, refusal + (at < 18   ? "is not a checkpoint of rng test"
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
    EXPECT_EQ(begins(resumed(rng::stats::engine_under_test<rng::Philox4x32_10>(1))), "");
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

}  // namespace
