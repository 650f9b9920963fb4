// Views for rng stream, in a build with the statistical tests.
#include <rng/stats/engines_under_test.hpp>
#include <rng/stats/views.hpp>

#include "view_bytes.hpp"

namespace cli {

ViewBytes view_bytes(const std::string& engine, const StreamAddress::Values& where, const std::string& view) {
    const auto source =
        make_view(rng::stats::engine_under_test(engine, where.seed, where.id, where.position), view).source;
    return {source->size(),
            [source](uint64_t position, std::span<std::byte> to) { return source->read(position, to); }};
}

}  // namespace cli
