// The stream that a command reads, and the position in it: --seed, --id, --fork and --position.
#pragma once

#include <rng/core/stream.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "command_line.hpp"

namespace cli {

/// The options as they were typed, and their meaning.
struct StreamAddress {
    std::optional<std::string> seed, id, position;
    std::vector<std::string>
        forks;  ///< the first is a fork of the stream of seed and id, each other one a fork of the one before it

    /// Adds --seed, --id and --position.
    void add_options(CommandLine& command);
    void add_forks(CommandLine& command);

    struct Values {
        uint64_t seed, id, position;
    };
    /// Checks all options; `size_words` is the length of a stream.
    [[nodiscard]] Values values(uint64_t size_words) const;

    /// Returns the stream, with all forks. Throws UsageError.
    template <class E> [[nodiscard]] rng::Stream<E> stream() const {
        const Values where = values(rng::Stream<E>::size_words);
        rng::Stream<E> stream(where.seed, where.id);
        for (const std::string& fork : forks) {
            const std::optional<uint64_t> tag = tag_of(fork);
            stream = tag ? stream.fork(*tag) : stream.fork(fork);
        }
        return stream.at_position(where.position);
    }

  private:
    /// Returns the number if `fork` consists of digits only; nothing for a name. Throws UsageError if it is neither.
    [[nodiscard]] static std::optional<uint64_t> tag_of(const std::string& fork);
};

}  // namespace cli
