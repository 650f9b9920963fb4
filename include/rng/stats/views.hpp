// Views: the same generator read in another order, or a part of its output.
// A test may miss a flaw in the plain words. The test may find the flaw in every 64th word, or in the lowest bit.
//
//     const rng::stats::GeneratorUnderTest generator = rng::stats::engine_under_test<rng::Philox4x32_10>(42);
//     const rng::stats::Report report = run_battery(make_view(generator, "interleaved-1024-1/forks"));
//
// A view is a Source. It has the same bytes in any order of reads, and has random access if its own source has.
// Views other than "plain" have no functions and no streams: these belong to the generator, and are tested once.
#pragma once

#include <string>
#include <vector>

#include "generator_under_test.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// Returns the names of the views of a generator, "plain" first:
///
///     plain                   the source itself
///     reversed                bits of each word in reverse order
///     low, high               halves of each word, of words of 16 bits or more
///     bit0, bit-top           the lowest or highest bit of each word, packed
///     inverted                for normal values: the words from which Box and Muller's map makes them (inverted.hpp)
///     decimated-64            every 64th word; -K: any K in [2, 65536]
///     SET                     1024 streams of a StreamSet of that name (or all that there are), a block of each in
///                             turn: interleaved-1024-1/SET
///
/// make_view() accepts two more: interleaved-S-C/SET and "streams".
/// The first has S streams in [2, 65536], C in {1, 3, 16} blocks of each in turn. "streams" is the set of ids; if there
/// is none, the first set.
[[nodiscard]] std::vector<std::string> view_names(const GeneratorUnderTest& generator);

/// Returns the views to test if the user requests none. They are plain and inverted for normal values; otherwise none,
/// and the generator is tested as it is.
[[nodiscard]] std::vector<std::string> default_views(const GeneratorUnderTest& generator);

/// Returns a view of a generator. A reseeded view is the same view of the reseeded generator.
/// If there is no such view of this generator, throws Error (invalid_argument) that lists the views that apply.
[[nodiscard]] GeneratorUnderTest make_view(const GeneratorUnderTest& generator, const std::string& view);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
