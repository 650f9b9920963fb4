// The destination of a command's output: standard output, or a file that appears under its name only when it is whole.
//
// A regular file is written under a temporary name beside its own and renamed at the end, so a reader never sees a part
// of it; on an error, or on SIGINT, SIGTERM or SIGHUP, the temporary is removed and what was there before stays.
// Devices and named pipes are written in place: they have no "before", and renaming over /dev/null would be a disaster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace cli {

/// A write that failed, with the system's reason.
struct WriteError : std::runtime_error {
    WriteError(const std::string& target, const char* action, int error);
    int error;  ///< errno, such as ENOSPC
};

/// Standard output is a pipe whose reader has gone away, as head does: no error of anybody's.
struct ReaderGone : WriteError {
    using WriteError::WriteError;
};

class Output {
  public:
    /// Standard output. A pipe is enlarged, since each switch between writer and reader costs.
    static Output standard_output();
    /// The file `path`. Throws WriteError if it cannot be made.
    static Output file(const std::string& path);

    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    /// Removes the temporary file of an output that was not finished.
    ~Output();

    /// Writes all of it or throws WriteError; ReaderGone of standard output alone.
    void write(const void* data, size_t size);
    /// Moves whole pages into a pipe without copying them: nobody may write to them again. False if the system cannot;
    /// then nothing was sent. Throws WriteError.
    [[nodiscard]] bool give_pages(const void* pages, size_t size);
    /// Closes, which is when some file systems report that they are full, and gives the file its name.
    void finish();
    /// The same of files that belong together: either each gets its name, or an error leaves none of them.
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
    std::string name_;       // as the user knows it
    std::string path_;       // the final name of a regular file, links resolved
    std::string temporary_;  // not empty: the file under construction
};

/// The most files under construction at a time.
inline constexpr int most_temporaries = 4;

/// The text on standard output, all of it or WriteError. A reader that has gone away is no error: it has what it
/// wanted, and the command's own exit code still says what came of its work.
void print(const std::string& text);

/// The columns of the terminal on standard output, 40 at least; 80 if it is none, so that what is in a pipe or a file
/// does not depend on a terminal.
[[nodiscard]] size_t terminal_columns();
/// Whether the locale's character set is UTF-8.
[[nodiscard]] bool terminal_is_unicode();

/// The path of a file, the same however its name is written; "-" stays as it is.
[[nodiscard]] std::string canonical_path(const std::string& file);

/// Once, before anything is opened: errors of writing become return values instead of signals, and descriptors 0 to 2
/// exist, so that no file can take the place of a closed standard stream.
void prepare_standard_streams();

}  // namespace cli
