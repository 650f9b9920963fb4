// Sources that do as they are told: end, fail, or stop the run at a byte; and runs in pieces.
#pragma once

#include <gtest/gtest.h>
#include <rng/core/engine.hpp>
#include <rng/stats/engine.hpp>
#include <rng/stats/report.hpp>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "statistical_tests/checks/test.hpp"

namespace battery {

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
        : script_(script), engine_(rng::stats::engine_under_test<rng::Philox4x32_10>(script.seed)) {}
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
    GeneratorUnderTest engine_;
    uint64_t next_ = 0;
};

inline GeneratorUnderTest scripted(const Script& script) { return {std::make_shared<ScriptedSource>(script)}; }

inline Options options_for(uint64_t bytes, int threads = 1) {
    Options options;
    options.bytes = bytes;
    options.threads = threads;
    options.only = {"freq16"};
    return options;
}

inline std::string json(const Report& report) { return json_report({&report, 1}); }

inline std::vector<uint64_t> sizes(const Report& report) {
    std::vector<uint64_t> sizes;
    for (const InterimAnalysis& analysis : report.analyses) sizes.push_back(analysis.size);
    return sizes;
}

inline std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "no error";
}

/// Runs until it is stopped, resumes until it is stopped again, ..., to the end. The data must go on for four segments
/// after the place of each stop, or workers may end the run before it is stopped.
inline Report in_pieces(Script script, Options options, const std::string& checkpoint,
                        const std::vector<uint64_t>& stops) {
    std::atomic<bool> flag = false;
    options.stop = &flag;
    options.checkpoint = checkpoint;
    uint64_t done = 0;
    for (const uint64_t stop : stops) {
        flag = false;
        script.flag = &flag;
        script.stops_at = stop;
        const Report report = run_battery(scripted(script), options);
        EXPECT_TRUE(report.interrupted) << stop;
        // Each of up to three workers may hold a segment at or beyond the stop before one of them reads and sets the
        // flag.
        EXPECT_LE(report.bytes, std::max(stop, done) + 4 * segment);
        done = report.bytes;
        options.resume = true;
    }
    flag = false;
    script.flag = nullptr;
    return run_battery(scripted(script), options);
}

/// Has a folder of its own.
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

}  // namespace battery
