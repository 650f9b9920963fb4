// The destination of a command's output: standard output, or a file that appears under its name only when it is
// complete.
//
// A regular file is written under a temporary name beside its own, and renamed at the end. So a reader never sees a
// part of the file. On an error, or on SIGINT, SIGTERM or SIGHUP, the temporary file is removed, and an earlier file of
// the name stays. Devices and named pipes are written in place: they have no earlier contents, and a rename would
// destroy /dev/null. So is the file that a standard stream writes to (/dev/stdout): it may have earlier contents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace cli {

/// A write that failed, with the system's reason.
struct WriteError : std::runtime_error {
    WriteError(const std::string& target, const char* action, int error);
    int error;  ///< errno, such as ENOSPC
};

/// Standard output is a pipe whose reader has gone away, as `head` does. This is not an error.
struct ReaderGone : WriteError {
    using WriteError::WriteError;
};

class Output {
  public:
    /// Returns standard output. A pipe is enlarged, because each switch between writer and reader costs time.
    static Output standard_output();
    /// Returns the output to the file `path`. Throws WriteError if the file cannot be made.
    static Output file(const std::string& path);
    /// Returns true if the output to `path` appears under this name when it is complete, and nothing is written in
    /// place.
    [[nodiscard]] static bool appears_whole(const std::string& path);

    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Throws UsageError if this is a file on a disk with less free space than this number of bytes.
    void require_space(double bytes) const;
    /// Removes the temporary file of an output that was not finished.
    ~Output();

    /// Writes all bytes or throws WriteError; ReaderGone for standard output only.
    void write(const void* data, size_t size);
    /// Moves whole pages into a pipe without copying them: nobody may write to them again.
    /// Returns false if the system cannot do this; then nothing was sent. Throws WriteError.
    [[nodiscard]] bool give_pages(const void* pages, size_t size);
    /// Closes the file and gives it its name. Some file systems report only at the close that they are full.
    void finish();
    /// Finishes files that belong together: either each gets its name, or an error leaves none of them.
    static void finish_all(std::span<Output* const> outputs);

    [[nodiscard]] bool is_terminal() const;
    [[nodiscard]] bool is_pipe() const;

  private:
    Output(int descriptor, std::string name, std::string path = {}, std::string temporary = {})
        : descriptor_(descriptor), name_(std::move(name)), path_(std::move(path)), temporary_(std::move(temporary)) {}
    [[noreturn]] void fail_write(int error) const;
    void close();
    void appear();
    void drop_temporary();

    int descriptor_;
    std::string name_;       // as the user wrote it
    std::string path_;       // the final name of a regular file, links resolved
    std::string temporary_;  // not empty: the file under construction
};

/// The maximum number of files under construction at a time.
inline constexpr int most_temporaries = 4;

/// Writes the text to standard output, all of it or throws WriteError. A reader that has gone away is not an error.
/// The reader has what it wanted, and the exit code still tells the result of the command.
void print(const std::string& text);

/// Returns the number of columns of the terminal on standard output, at least 40.
/// Returns 80 if standard output is not a terminal, so that the contents of a pipe or a file do not depend on a
/// terminal.
[[nodiscard]] size_t terminal_columns();
/// Returns true if the locale's character set is UTF-8.
[[nodiscard]] bool terminal_is_unicode();

/// Returns the path of a file, the same for all ways to write its name; "-" and an empty name stay the same. The file
/// need not exist.
[[nodiscard]] std::string canonical_path(const std::string& file);

/// Throws UsageError if the output `file` is one of the inputs, under any name of it. The message begins with the
/// option.
void require_no_input(const std::string& option, const std::string& file, const std::vector<std::string>& inputs);

/// Throws UsageError if two of the files are the same one, unless it is /dev/null. The message begins with the options.
void require_distinct(const std::string& options, const std::vector<std::string>& files);

/// Throws UsageError if there is already something of this name, which a run without --resume would overwrite.
void require_new_checkpoint(const std::string& name);

/// Prepares the standard streams. Call it once, before anything is opened. Afterwards:
/// - errors of writing are return values instead of signals;
/// - descriptors 0 to 2 exist, so that no file can take the place of a closed standard stream.
void prepare_standard_streams();

}  // namespace cli
