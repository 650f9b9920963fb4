// The sources that views are made of.
#pragma once

#include <rng/stats/generator_under_test.hpp>

#include <memory>
#include <string>

namespace rng::stats {

/// Returns the bits of each word in reverse order.
[[nodiscard]] std::shared_ptr<Source> reversed_words(std::shared_ptr<Source> source, std::string name);

/// Returns `bits` bits of each word from bit `first` on, packed from the least significant bit on. Requires `bits` to
/// be 1, or half a word, which then is the view's word.
[[nodiscard]] std::shared_ptr<Source> part_of_words(std::shared_ptr<Source> source, std::string name, int first,
                                                    int bits);

/// Returns words 0, step, 2 step, ...
[[nodiscard]] std::shared_ptr<Source> decimated(std::shared_ptr<Source> source, std::string name, uint64_t step);

/// Returns `run` blocks of each of the first `streams` streams in turn.
[[nodiscard]] std::shared_ptr<Source> interleaved(std::shared_ptr<const StreamSet> set, std::string name,
                                                  uint64_t streams, uint64_t run);

}  // namespace rng::stats
