// Sources of bits that come from elsewhere: a file, standard input or any descriptor, a command's output.
//
//     rng::stats::GeneratorUnderTest generator{rng::stats::open_source("words.bin")};
//     rng::stats::GeneratorUnderTest other{std::make_shared<rng::stats::CommandSource>("./my_generator --seed 1")};
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "source.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// How a descriptor is read.
struct StreamOptions {
    int word_bits = 32;                         ///< 8, 16, 32 or 64
    std::chrono::milliseconds timeout{60'000};  ///< the longest wait for the next byte; 0: no limit
    /// Once it is true, read() stops waiting and returns the bytes that it has
    const std::atomic<bool>* stop = nullptr;
};

/// A regular file, read at any place by any number of threads. The file must not change during a run.
/// Files and streams refuse text, which is not the output of a generator: their first 8 KiB must not be lines of
/// printable ASCII characters.
class FileSource final : public Source {
  public:
    /// Throws Error (invalid_argument) with the system's reason if the file cannot be opened, is not a regular one, or
    /// is text.
    explicit FileSource(std::string file, int word_bits = 32);
    FileSource(const FileSource&) = delete;
    FileSource& operator=(const FileSource&) = delete;
    ~FileSource() override;

    [[nodiscard]] std::string name() const override { return "file " + file_; }
    [[nodiscard]] int word_bits() const override { return word_bits_; }
    [[nodiscard]] std::optional<uint64_t> size() const override { return size_; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override;

  private:
    std::string file_;
    int word_bits_;
    int descriptor_;
    uint64_t size_ = 0;
};

/// The bytes of a descriptor until its end: a pipe, a terminal, a device, a socket.
class StreamSource final : public Source {
  public:
    /// Closes the descriptor at the end only if `owns` is true.
    StreamSource(int descriptor, std::string name, const StreamOptions& options = {}, bool owns = false);
    StreamSource(const StreamSource&) = delete;
    StreamSource& operator=(const StreamSource&) = delete;
    ~StreamSource() override;

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return options_.word_bits; }
    /// Throws Error (invalid_argument) with the system's reason, or on text; (bad_state) if no byte comes before the
    /// timeout.
    std::size_t read(uint64_t position, std::span<std::byte> to) override;

    /// Returns the number of bytes that have come.
    [[nodiscard]] uint64_t position() const { return position_; }
    void close();  ///< ends the source; closes the descriptor if the source owns it

  private:
    std::size_t read_some(std::span<std::byte> to);
    [[nodiscard]] bool wait();

    int descriptor_;
    std::string name_, beginning_;
    StreamOptions options_;
    bool owns_;
    uint64_t position_ = 0;
    bool ended_ = false;
};

/// Standard output of `/bin/sh -c COMMAND`, which runs in its own process group, without standard input.
/// If a process of the group still runs at the end, SIGTERM and, a second later, SIGKILL end it.
class CommandSource final : public Source {
  public:
    /// Throws Error (invalid_argument) if the command cannot be started.
    explicit CommandSource(std::string command, const StreamOptions& options = {});
    CommandSource(const CommandSource&) = delete;
    CommandSource& operator=(const CommandSource&) = delete;
    ~CommandSource() override;

    [[nodiscard]] std::string name() const override { return "command " + command_; }
    [[nodiscard]] int word_bits() const override { return output_.word_bits(); }
    /// Throws as StreamSource::read() does. Throws Error (bad_state) if the output ends because the command failed. The
    /// message gives the command's status or signal, and the number of bytes before it.
    std::size_t read(uint64_t position, std::span<std::byte> to) override;

  private:
    struct Process {
        pid_t id;
        int output;
    };
    static Process start(const std::string& command, const StreamOptions& options);
    CommandSource(std::string command, const StreamOptions& options, Process process);
    [[nodiscard]] bool reap(std::chrono::milliseconds patience);

    std::string command_;
    StreamOptions options_;
    pid_t group_;
    pid_t process_;  // 0 after it has been reaped
    int status_ = 0;
    StreamSource output_;
};

/// Opens a file by name: a FileSource for a regular file, otherwise (a named pipe, a device) a StreamSource.
/// Throws Error (invalid_argument) with the system's reason, for a directory too.
[[nodiscard]] std::shared_ptr<Source> open_source(const std::string& file, const StreamOptions& options = {});

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
