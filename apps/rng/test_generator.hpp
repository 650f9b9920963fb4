// What rng test tests: the generator of its options, and the views of it.
#pragma once

#include <rng/stats/generator_under_test.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "test_options.hpp"

namespace cli {

/// Returns the generator under test, from which nothing was read yet.
[[nodiscard]] rng::stats::GeneratorUnderTest make_generator(const TestOptions& options);

/// Returns the view of that name; the generator itself if the name is empty.
[[nodiscard]] rng::stats::GeneratorUnderTest viewed(const rng::stats::GeneratorUnderTest& whole,
                                                    const std::string& view);

/// Returns the views to test; one view without a name if there is no choice.
/// If there are several, views to which no chosen test applies are left out. A message says so if the user named them.
[[nodiscard]] std::vector<std::string> chosen_views(const TestOptions& options);

/// Returns a message about a source that has fewer bytes than were requested.
[[nodiscard]] std::string ended_early(const rng::stats::Source& source, uint64_t asked, uint64_t there);
/// Throws UsageError if the source has fewer bytes than were requested.
void require_bytes(const rng::stats::Source& source, const std::optional<uint64_t>& asked);

}  // namespace cli
