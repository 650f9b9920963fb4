// Views: the same generator read in another order, or a part of it. A flaw that a test cannot see in the plain words
// may lie open in every 64th of them, in their lowest bit, or between streams that take turns.
//
//     run_battery(make_view(subject_of<rng::Philox4x32_10>(42), "interleaved-1024-1/forks"));
//
// A view is a Source with the same bytes however it is read, of random access if what it is made of is. Beyond plain
// it has no functions and no streams: those are the subject's own, and tested once.
#pragma once

#include <string>
#include <vector>

#include "subject.hpp"

#include <rng/core/hide_macros.inc>

namespace rng::stats {

/// The views to test a subject by, "plain" first:
///
///     plain                   the source itself
///     reversed                bits of each word in reverse order
///     low, high               halves of each word, of words of 16 bits or more
///     bit0, bit-top           the lowest or highest bit of each word, packed
///     inverted                of normal values: what Box and Muller's map would have made them of (inverted.hpp)
///     decimated-64            every 64th word; -K: any K in [2, 65536]
///     SET                     1024 streams of a StreamSet of that name (or all that there are), a block of each in
///                             turn: interleaved-1024-1/SET
///
/// make_view() knows two more: interleaved-S-C/SET, S streams in [2, 65536], C in {1, 3, 16} blocks of each in turn;
/// and "streams", which is the set of ids, or the first where there is none.
[[nodiscard]] std::vector<std::string> view_names(const Subject& subject);

/// The views to test a subject by if none is asked for: plain and inverted of normal values; none of anything else,
/// which is tested as it is.
[[nodiscard]] std::vector<std::string> default_views(const Subject& subject);

/// Throws Error (invalid_argument) that lists what applies if there is no such view of this subject. Reseeded, it is
/// the same view of the reseeded subject.
[[nodiscard]] Subject make_view(const Subject& subject, const std::string& view);

}  // namespace rng::stats

#include <rng/core/restore_macros.inc>
