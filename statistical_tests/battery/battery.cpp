// The streaming engine: deals segments out to threads, adds up their counts, and looks at the p-values at sizes that
// double.
#include <rng/error.hpp>
#include <rng/stats/battery.hpp>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <sstream>
#include <thread>

#include "../tests/catalogue.hpp"
#include "segment_buffer.hpp"
#include "state.hpp"
#include "verdict.hpp"

namespace rng::stats {

namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t first_look_bytes = uint64_t{1} << 13;
constexpr auto save_every = std::chrono::seconds(30);
constexpr auto report_every = std::chrono::milliseconds(200);

/// What a stage's units are: segments of the source, or numbers alone.
class Units {
  public:
    virtual ~Units() = default;
    /// The next unit that no one has had; false if there is none before `end`. May be called from several threads.
    virtual bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) = 0;
    [[nodiscard]] virtual uint64_t next_index() const = 0;
};

class NumberedUnits final : public Units {
  public:
    explicit NumberedUnits(uint64_t first) : next_(first) {}
    bool next(uint64_t end, SegmentBuffer&, Segment& segment) override {
        const std::scoped_lock lock(mutex_);
        if (next_ >= end) return false;
        segment = {next_++, {}, 0};
        return true;
    }
    [[nodiscard]] uint64_t next_index() const override { return next_; }

  private:
    std::mutex mutex_;
    uint64_t next_;
};

class StreamUnits final : public Units {
  public:
    StreamUnits(Source& source, uint64_t first, uint64_t bytes) : source_(source), next_(first), bytes_(bytes) {}

    bool next(uint64_t end, SegmentBuffer& buffer, Segment& segment) override {
        std::unique_lock lock(mutex_);
        if (next_ >= end || ended_) return false;
        const uint64_t index = next_++, position = index * segment_bytes;
        const bool alone = !source_.is_random_access();
        if (!alone) lock.unlock();
        const std::size_t asked = static_cast<std::size_t>(std::min<uint64_t>(segment_bytes, bytes_ - position));
        std::size_t got = buffer.read(position, asked);
        if (!alone) lock.lock();
        if (got < asked) {
            ended_ = true;
            got -= got % 8;  // whole words only
            bytes_ = std::min(bytes_, position + got);
            if (got == 0) return false;
        }
        segment = buffer.segment(index, got);
        return true;
    }
    [[nodiscard]] uint64_t next_index() const override { return next_; }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] uint64_t bytes() const { return bytes_; }  ///< that there are, as far as is known

  private:
    Source& source_;
    std::mutex mutex_;
    uint64_t next_, bytes_;
    bool ended_ = false;
};

/// One run of one set of tests over one subject.
class Run {
  public:
    Run(const Subject& subject, const Options& options, Effort effort, uint64_t bytes, Report& report)
        : subject_(subject), options_(options), effort_(effort), report_(report), bytes_(bytes) {
        for (const Stage stage : {Stage::functional, Stage::stream}) tests_[index(stage)] = make(stage);
        if (options.tier == Tier::functional) tests_[index(Stage::stream)].clear();
        if (tests_in_all() == 0)
            throw Error(ErrorCode::invalid_argument, "battery: no test applies to " + subject.source->name());
        threads_ = options.threads > 0 ? options.threads : static_cast<int>(std::thread::hardware_concurrency());
        threads_ = std::max(threads_, 1);
    }

    void resume() { done_ = load_state(options_.checkpoint, description(), report_, all_tests()); }

    /// Goes through both stages; false if it was stopped.
    bool go() {
        last_save_ = Clock::now();
        bool finished = functional() && stream();
        if (!options_.checkpoint.empty() && !repeats()) save();
        return finished;
    }

  private:
    static std::size_t index(Stage stage) { return static_cast<std::size_t>(stage); }
    [[nodiscard]] std::vector<NamedTest> make(Stage stage) const {
        return make_tests(stage, subject_, effort_, options_.only);
    }
    [[nodiscard]] std::size_t tests_in_all() const { return tests_[0].size() + tests_[1].size(); }
    [[nodiscard]] bool repeats() const { return effort_.factor > 1; }
    [[nodiscard]] bool stopped() const { return options_.stop && options_.stop->load(); }

    [[nodiscard]] std::vector<const NamedTest*> all_tests() const {
        std::vector<const NamedTest*> all;
        for (const auto& tests : tests_)
            for (const NamedTest& named : tests) all.push_back(&named);
        return all;
    }
    [[nodiscard]] std::string description() const {
        std::ostringstream text;
        text << subject_.source->name() << ", " << subject_.source->word_bits() << "-bit words, " << bytes_
             << " bytes, tier " << to_string(options_.tier) << (options_.keep_going ? ", after failures too" : "")
             << ", fail " << options_.policy.fail << ", suspicious " << options_.policy.suspicious << ", tests";
        for (const NamedTest* named : all_tests()) text << ' ' << named->name;
        return text.str();
    }
    void save() {
        save_state(options_.checkpoint, description(), done_, report_, all_tests());
        last_save_ = Clock::now();
    }

    /// Takes a look; true if the run ends with it.
    bool look(const char* stage, uint64_t size, std::span<const NamedTest> tests) {
        // A test that is repeated is looked at once, at the end.
        report_.looks.push_back({stage, size, read_off(tests, tests_in_all(), repeats() ? 1 : looks_at_most)});
        if (options_.progress) options_.progress({stage, size, 0, &report_.looks.back()});
        return !options_.keep_going && verdict_of(report_.looks.back().results, options_.policy) == Verdict::fail;
    }

    [[nodiscard]] bool has_failed() const {
        return !options_.keep_going && verdict_of(report_.looks, options_.policy) == Verdict::fail;
    }

    bool functional() {
        auto& tests = tests_[index(Stage::functional)];
        uint64_t total = 0;
        for (const NamedTest& named : tests) total = std::max(total, named.test->units());
        uint64_t& done = done_[index(Stage::functional)];
        NumberedUnits units(done);
        while (done < total && !has_failed()) {
            const uint64_t next_look = repeats() ? total : std::min(total, std::bit_ceil(done + 1));
            if (!process(Stage::functional, units, next_look, {"functional", 0, total, nullptr}, 1)) return false;
            if (look("functional", done, tests)) break;
        }
        return true;
    }

    bool stream() {
        auto& tests = tests_[index(Stage::stream)];
        if (tests.empty() || has_failed()) return true;
        uint64_t& done = done_[index(Stage::stream)];
        if (done == 0 && report_.bytes == 0 && !small_looks()) return true;
        StreamUnits units(*subject_.source, done, bytes_);
        const auto segments = [](uint64_t bytes) { return (bytes + segment_bytes - 1) / segment_bytes; };
        while (!units.ended() && done < segments(bytes_)) {
            const uint64_t next_look =
                repeats() ? segments(bytes_) : std::min(segments(bytes_), std::bit_ceil(done + 1));
            const bool whole = process(Stage::stream, units, next_look, {"stream", 0, bytes_, nullptr}, segment_bytes);
            done = std::min(done, segments(units.bytes()));
            report_.bytes = std::min(done * segment_bytes, units.bytes());
            if (!whole) return false;
            // Where the source ends at a look, that look has been taken.
            if (!report_.looks.empty() && report_.looks.back().stage == std::string("stream") &&
                report_.looks.back().size == report_.bytes)
                break;
            if (look("stream", report_.bytes, tests)) break;
        }
        report_.source_ended = report_.source_ended || units.ended();
        return true;
    }

    /// Looks below one segment, each with tests that have seen no more. False if the run ends there.
    bool small_looks() {
        first_ = SegmentBuffer(*subject_.source);
        const std::size_t asked = static_cast<std::size_t>(std::min<uint64_t>(segment_bytes, bytes_));
        std::size_t got = first_.read(0, asked);
        first_got_ = got - got % 8;
        if (first_got_ < first_look_bytes)
            throw Error(ErrorCode::invalid_argument, "battery: " + subject_.source->name() + ": the least is " +
                                                         std::to_string(first_look_bytes) + " bytes, got " +
                                                         std::to_string(got));
        const bool last = first_got_ < segment_bytes;
        report_.source_ended = got < asked;
        std::vector<std::size_t> sizes;
        if (!repeats())
            for (std::size_t size = first_look_bytes; size < first_got_; size *= 2) sizes.push_back(size);
        if (last) sizes.push_back(first_got_);
        for (const std::size_t size : sizes) {
            auto tests = make(Stage::stream);
            for (const NamedTest& named : tests) named.test->add(first_.segment(0, size));
            report_.bytes = size;
            if (look("stream", size, tests)) return false;
            if (stopped() && size != sizes.back()) {
                report_.bytes = 0;  // these few looks are taken anew when the run goes on
                std::erase_if(report_.looks, [](const Look& l) { return l.stage == "stream"; });
                report_.interrupted = true;
                return false;
            }
        }
        report_.bytes = 0;
        if (last) {
            report_.bytes = first_got_;
            return false;
        }
        // The segment is at hand, and a source without random access would not give it again.
        for (const NamedTest& named : tests_[index(Stage::stream)]) named.test->add(first_.segment(0, first_got_));
        done_[index(Stage::stream)] = 1;
        report_.bytes = segment_bytes;
        first_ = {};
        return !look("stream", segment_bytes, tests_[index(Stage::stream)]);
    }

    /// Has all tests of a stage count the units up to `end`, on all threads. False if it was stopped before.
    bool process(Stage stage, Units& units, uint64_t end, Progress progress, uint64_t unit_size) {
        auto& done = done_[index(stage)];
        while (done < end) {
            const bool saves = !options_.checkpoint.empty() && !repeats();
            pause_ = false;
            work(stage, units, end, progress, unit_size, saves);
            done = units.next_index();
            if (stopped() && done < end) {
                report_.interrupted = true;
                return false;
            }
            if (!pause_) break;
            if (saves) {
                if (stage == Stage::stream) report_.bytes = done * segment_bytes;
                save();
            }
        }
        return true;
    }

    void work(Stage stage, Units& units, uint64_t end, Progress progress, uint64_t unit_size, bool saves) {
        auto& master = tests_[index(stage)];
        auto& others = helpers_[index(stage)];
        while (others.size() + 1 < static_cast<std::size_t>(threads_)) others.push_back(make(stage));

        std::mutex mutex;
        std::condition_variable ended;
        int running = threads_;
        std::exception_ptr error;
        const auto worker = [&](std::vector<NamedTest>& tests) {
            try {
                SegmentBuffer buffer = stage == Stage::stream ? SegmentBuffer(*subject_.source) : SegmentBuffer();
                Segment segment;
                while (!pause_ && !stopped() && units.next(end, buffer, segment))
                    for (const NamedTest& named : tests)
                        if (stage == Stage::stream || segment.index < named.test->units()) named.test->add(segment);
            } catch (...) {
                const std::scoped_lock lock(mutex);
                if (!error) error = std::current_exception();
                pause_ = true;
            }
            const std::scoped_lock lock(mutex);
            --running;
            ended.notify_one();
        };
        std::vector<std::jthread> pool;
        pool.emplace_back(worker, std::ref(master));
        for (auto& tests : others) pool.emplace_back(worker, std::ref(tests));
        {
            std::unique_lock lock(mutex);
            while (!ended.wait_for(lock, report_every, [&] { return running == 0; })) {
                if (saves && Clock::now() - last_save_ > save_every) pause_ = true;
                if (!options_.progress || pause_) continue;
                lock.unlock();
                progress.done = std::min(units.next_index() * unit_size, progress.total);
                try {
                    options_.progress(progress);
                    lock.lock();
                } catch (...) {
                    lock.lock();
                    if (!error) error = std::current_exception();
                    pause_ = true;
                }
            }
        }
        pool.clear();
        if (error) std::rethrow_exception(error);
        for (auto& tests : others)
            for (std::size_t i = 0; i < tests.size(); ++i) {
                auto &to = master[i].test->counts, &from = tests[i].test->counts;
                for (std::size_t k = 0; k < to.size(); ++k) to[k] += std::exchange(from[k], 0);
            }
    }

    const Subject& subject_;
    const Options& options_;
    Effort effort_;
    Report& report_;
    uint64_t bytes_;
    int threads_ = 1;
    std::array<std::vector<NamedTest>, 2> tests_;
    std::array<std::vector<std::vector<NamedTest>>, 2> helpers_;  // of the other threads
    UnitsDone done_{};
    std::atomic<bool> pause_ = false;
    Clock::time_point last_save_;
    SegmentBuffer first_;
    std::size_t first_got_ = 0;
};

void require_known(const Options& options, const Subject& subject, Effort effort) {
    for (const std::string& name : options.only) {
        bool known = false;
        std::string all;
        for (const CatalogueRow& row : catalogue()) {
            known = known || name == row.name;
            all += (all.empty() ? "" : ", ") + std::string(row.name);
        }
        for (const Stage stage : {Stage::functional, Stage::stream})
            known = known || !make_tests(stage, subject, effort, {&name, 1}).empty();
        if (!known) throw Error(ErrorCode::invalid_argument, "battery: test must be one of " + all + ", got " + name);
    }
}

}  // namespace

const char* to_string(Tier tier) {
    switch (tier) {
        case Tier::functional: return "functional";
        case Tier::quick: return "quick";
        case Tier::standard: return "standard";
        default: return "deep";
    }
}

uint64_t tier_bytes(Tier tier) {
    switch (tier) {
        case Tier::functional: return 0;
        case Tier::quick: return uint64_t{1} << 30;
        case Tier::standard: return uint64_t{1} << 33;
        default: return uint64_t{1} << 40;
    }
}

Report run_battery(const Subject& subject, const Options& options) {
    const Effort effort{options.tier, 1};
    const uint64_t bytes = options.bytes.value_or(tier_bytes(options.tier)) / 8 * 8;
    if (options.tier != Tier::functional && bytes < first_look_bytes)
        throw Error(ErrorCode::invalid_argument, "battery: bytes must be at least " + std::to_string(first_look_bytes) +
                                                     ", got " + std::to_string(options.bytes.value_or(0)));
    require_known(options, subject, effort);

    Report report;
    report.subject = subject.source->name();
    report.word_bits = subject.source->word_bits();
    report.tier = options.tier;
    report.policy = options.policy;
    report.bytes_asked = bytes;
    Run run(subject, options, effort, bytes, report);
    if (options.resume) run.resume();
    if (!run.go() || report.interrupted) {
        report.interrupted = true;
        report.verdict = verdict_of(report.looks, options.policy);
        return report;
    }

    report.verdict = verdict_of(report.looks, options.policy);
    if (report.verdict == Verdict::suspicious && options.repeat_suspicious && subject.reseeded) {
        constexpr uint64_t more = 4;
        Options again = options;
        again.only = suspicious_tests(report.looks, options.policy);
        again.checkpoint.clear();
        Report repeated;
        const Subject fresh = subject.reseeded(1);
        Run repetition(fresh, again, {options.tier, more}, bytes * more, repeated);
        if (repetition.go()) {
            report.again = std::move(repeated.looks);
            report.verdict = verdict_of(report.again, options.policy);
        } else {
            report.interrupted = true;
        }
    }
    return report;
}

}  // namespace rng::stats
