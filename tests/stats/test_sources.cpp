// Sources of bits: generators of <random>'s kind packed into words, and files at any place.
// Also descriptors that give few bytes at a time or none, and commands that fail. cli/test_battery_sources.py tests
// them through rng test.
//
#include <gtest/gtest.h>
#include <rng/core/error.hpp>
#include <rng/stats/source.hpp>
#include <rng/stats/sources.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace rng::stats;
using namespace std::chrono_literals;

std::vector<std::byte> read(Source& source, uint64_t position, std::size_t size) {
    std::vector<std::byte> bytes(size);
    bytes.resize(source.read(position, bytes));
    return bytes;
}

/// Byte i is i + i / 256, so places far apart differ too.
std::vector<std::byte> pattern(std::size_t size, std::size_t from = 0) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((from + i) + (from + i) / 256);
    return bytes;
}

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "no error";
}

// ---- Generators -----------------------------------------------------------------------------------------------------

template <class T, T Min, T Max> struct Listed {
    using result_type = T;
    static constexpr T min() { return Min; }
    static constexpr T max() { return Max; }
    T operator()() { return values[next++ % values.size()]; }
    std::vector<T> values;
    std::size_t next = 0;
};

std::vector<uint64_t> words(Source& source, std::size_t n, uint64_t position = 0) {
    std::vector<uint64_t> result(n);
    EXPECT_EQ(source.read(position, std::as_writable_bytes(std::span(result))), n * 8);
    return result;
}

TEST(UrbgSource, WholeWords) {
    UrbgSource bytes(Listed<uint16_t, 0, 255>{{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}});
    EXPECT_EQ(bytes.word_bits(), 8);
    EXPECT_EQ(words(bytes, 1)[0], 0x8877665544332211u);
    UrbgSource engine(std::mt19937(5489));  // the default seed; C++ fixes the 10,000th number
    EXPECT_EQ(engine.word_bits(), 32);
    EXPECT_EQ(words(engine, 1, 4 * 9998)[0] >> 32, 4123659995u);
    UrbgSource wide(Listed<uint64_t, 0, UINT64_MAX>{{1, 2, 3}});
    EXPECT_EQ(wide.word_bits(), 64);
    EXPECT_EQ(words(wide, 2), (std::vector<uint64_t>{1, 2}));
    EXPECT_EQ(words(wide, 1, 24)[0], 1u) << "the third is passed over";
}

TEST(UrbgSource, OddRanges) {
    // A range [5, 12] gives three bits: 5 is 000, 12 is 111; 64 bits are 21 values and one bit, the next word goes on
    // with the rest.
    UrbgSource three(Listed<unsigned, 5, 12>{{5, 12}});
    EXPECT_EQ(three.word_bits(), 32);
    uint64_t expected[2] = {};
    for (int bit = 0; bit < 128; ++bit)
        if (bit / 3 % 2 == 1) expected[bit / 64] |= uint64_t{1} << bit % 64;
    EXPECT_EQ(words(three, 2), (std::vector<uint64_t>{expected[0], expected[1]}));
    // A range of 10 values gives three bits from the first 8; the others are passed over.
    UrbgSource ten(Listed<unsigned, 0, 9>{{8, 0, 9, 7}});
    EXPECT_EQ(words(ten, 2), (std::vector<uint64_t>{expected[0], expected[1]}));
    // A part of a word.
    UrbgSource again(Listed<unsigned, 5, 12>{{5, 12}});
    const auto part = read(again, 8, 3);
    EXPECT_EQ(std::memcmp(part.data(), &expected[1], 3), 0);
}

// ---- Files and descriptors ------------------------------------------------------------------------------------------

class Sources : public testing::Test {
  protected:
    void SetUp() override {
        folder_ =
            std::filesystem::temp_directory_path() / ("rng-sources-" + std::to_string(::getpid()) + "-" +
                                                      testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    std::string file(const std::vector<std::byte>& bytes) const {
        const std::string name = folder_ / "words";
        std::ofstream(name, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return name;
    }
    std::filesystem::path folder_;
};

TEST_F(Sources, FilesAreReadAnywhere) {
    FileSource source(file(pattern(100003)), 64);
    EXPECT_EQ(source.size(), 100003u);
    EXPECT_EQ(source.word_bits(), 64);
    EXPECT_TRUE(source.is_random_access());
    for (const uint64_t position : {0, 99992, 8, 65536, 0})
        EXPECT_EQ(read(source, position, 11), pattern(11, position));
    EXPECT_EQ(read(source, 100000, 100), pattern(3, 100000));
    EXPECT_TRUE(read(source, 200000, 100).empty());
    std::vector<std::jthread> threads;
    for (uint64_t t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (uint64_t i = 0; i < 50; ++i)
                EXPECT_EQ(read(source, (i * 4 + t) * 8, 1000), pattern(1000, (i * 4 + t) * 8));
        });
}

TEST_F(Sources, WhatIsNoFile) {
    const std::string folder = folder_;
    EXPECT_EQ(error_of([&] { (void)open_source(folder); }), "file " + folder + " cannot be read: Is a directory");
    EXPECT_EQ(error_of([&] { FileSource source(folder); }), "file " + folder + " must be a regular file");
    EXPECT_EQ(error_of([&] { (void)open_source(folder + "/x"); }),
              "file " + folder + "/x cannot be opened: No such file or directory");
    EXPECT_EQ(error_of([&] { FileSource source(file({}), 24); }), "source: word_bits must be 8, 16, 32 or 64, got 24");
    EXPECT_NE(dynamic_cast<FileSource*>(open_source(file(pattern(8))).get()), nullptr);
    const auto device = open_source("/dev/zero");
    EXPECT_FALSE(device->is_random_access());
    EXPECT_EQ(read(*device, 1 << 20, 5), std::vector<std::byte>(5));
}

struct Pipe {
    int ends[2];
    Pipe() { EXPECT_EQ(::pipe(ends), 0); }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe() {
        ::close(ends[0]);
        close();
    }
    void close() {
        if (ends[1] >= 0) ::close(ends[1]);
        ends[1] = -1;
    }
    void write(const std::vector<std::byte>& bytes) const {
        EXPECT_EQ(::write(ends[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    }
};

TEST_F(Sources, StreamsComeInPieces) {
    Pipe pipe;
    StreamSource source(pipe.ends[0], "pipe");
    std::jthread writer([&] {
        const auto bytes = pattern(3000);
        for (std::size_t at = 0; at < 3000; at += 30) {
            pipe.write({bytes.begin() + static_cast<std::ptrdiff_t>(at),
                        bytes.begin() + static_cast<std::ptrdiff_t>(at + 30)});
            if (at % 900 == 0) std::this_thread::sleep_for(5ms);
        }
        pipe.close();
    });
    EXPECT_EQ(read(source, 0, 100), pattern(100));
    EXPECT_EQ(read(source, 104, 1000), pattern(1000, 104)) << "what is between is passed over";
    EXPECT_EQ(read(source, 1104, 5000), pattern(1896, 1104)) << "its end";
    EXPECT_TRUE(read(source, 3000, 8).empty());
    EXPECT_TRUE(read(source, 10000, 8).empty());
    EXPECT_EQ(source.position(), 3000u);
}

TEST_F(Sources, StuckStreams) {
    Pipe pipe;
    StreamSource source(pipe.ends[0], "pipe", {32, 1000ms});
    pipe.write(pattern(10));
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(error_of([&] { (void)read(source, 0, 16); }), "pipe gave nothing for 1 seconds, after 10 bytes");
    EXPECT_GE(std::chrono::steady_clock::now() - start, 1s);
}

TEST_F(Sources, StreamsStopWaiting) {
    std::atomic<bool> stop = false;
    Pipe pipe;
    StreamSource source(pipe.ends[0], "pipe", {32, 0ms, &stop});
    pipe.write(pattern(10));
    std::jthread stopper([&] {
        std::this_thread::sleep_for(50ms);
        stop = true;
    });
    EXPECT_EQ(read(source, 0, 16), pattern(10));
}

// ---- Commands -------------------------------------------------------------------------------------------------------

TEST_F(Sources, CommandsThatEnd) {
    CommandSource source("cat " + file(pattern(1000)), {16, 60s});
    EXPECT_EQ(source.word_bits(), 16);
    EXPECT_EQ(read(source, 0, 512), pattern(512));
    EXPECT_EQ(read(source, 512, 1000), pattern(488, 512));
    CommandSource empty("cat");
    EXPECT_TRUE(read(empty, 0, 8).empty()) << "it has no standard input";
}

TEST_F(Sources, CommandsThatFail) {
    CommandSource status("printf 12345; exit 7"), killed("printf 123; kill -TERM $$"),
        unread("yes | head -c 64; exit 7");
    EXPECT_EQ(error_of([&] { (void)read(status, 0, 8); }),
              "command printf 12345; exit 7 exited with status 7 after 5 bytes");
    EXPECT_EQ(error_of([&] { (void)read(killed, 0, 8); }),
              "command printf 123; kill -TERM $$ was ended by signal 15 (Terminated) after 3 bytes");
    EXPECT_EQ(read(unread, 0, 64).size(), 64u) << "all that was asked for came before";
    EXPECT_EQ(error_of([] {
                  CommandSource source("true", {12, 60s});
              }),
              "source: word_bits must be 8, 16, 32 or 64, got 12");
}

TEST_F(Sources, NothingOfACommandStays) {
    // The shell, its children, and one that does not hear SIGTERM.
    const std::string pids = folder_ / "pids";
    {
        CommandSource source("echo $$ > " + pids + "; sleep 1000 & echo $! >> " + pids +
                             "; (trap '' TERM; sleep 1000) & echo $! >> " + pids + "; printf 12345678; wait");
        EXPECT_EQ(read(source, 0, 8).size(), 8u);
    }
    std::ifstream in(pids);
    int n = 0;
    for (pid_t id; in >> id; ++n) {
        // An orphan is gone once init, or whoever stands in for it, has reaped it.
        bool is_gone = false;
        for (int i = 0; i < 500 && !is_gone; ++i) {
            std::ifstream state("/proc/" + std::to_string(id) + "/stat");
            std::string word, status = "gone";
            if (state >> word >> word >> status && status != "Z")
                std::this_thread::sleep_for(10ms);
            else
                is_gone = true;
        }
        EXPECT_TRUE(is_gone) << id;
    }
    EXPECT_EQ(n, 3);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child that no one has reaped";
}

TEST_F(Sources, CommandsThatClosedTheirOutput) {
    CommandSource source("printf 12345678; exec 1>&-; sleep 1000");
    EXPECT_EQ(read(source, 0, 16).size(), 8u);
}

}  // namespace
