#include <rng/stats/engines_under_test.hpp>

#include <rng/core/stream.hpp>
#include <rng/stats/engine.hpp>

#include <algorithm>

#include "../p_values/require.hpp"
#include "cipher_stream.hpp"

namespace rng::stats {

namespace {

GeneratorUnderTest cipher_under_test(const Cipher& cipher, uint64_t seed, uint64_t id, uint64_t position) {
    const std::string name = cipher.name();
    detail::require(id == 0 || CipherStream::has_ids(cipher), name.c_str(), "id must be 0", id);
    const uint64_t words = (uint64_t{1} << 56) * static_cast<uint64_t>(cipher.block_words());
    detail::require(position < words, name.c_str(), "position must be inside the stream", position);
    return {cipher_source({cipher, seed, id}, position, detail::stream_name(name, seed, id, position)),
            cipher_functions(cipher), cipher_streams(cipher, seed), seed, [=](uint64_t round) {
                return cipher_under_test(cipher, Stream<Philox4x32_10>(seed).fork(round).id, id, position);
            }};
}

}  // namespace

GeneratorUnderTest engine_under_test(const std::string& name, uint64_t seed, uint64_t id, uint64_t position) {
    GeneratorUnderTest generator;
    for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        if (name != E::name) return;
        detail::require(position < Stream<E>::size_words, E::name, "position must be inside the stream", position);
        generator = engine_under_test<E>(seed, name, Stream<E>(seed, id, position));
    });
    const auto cipher = cipher_by_name(name);
    detail::require(cipher.has_value(), "engine",
                    "must be philox2x32-R, philox4x32-R, philox2x64-R, philox4x64-R (R in 1..16), threefry2x32-R, "
                    "threefry4x32-R, threefry2x64-R or threefry4x64-R (R in 1..32)",
                    name);
    if (!generator.source) return cipher_under_test(*cipher, seed, id, position);
    return generator;
}

std::vector<std::string> engine_under_test_names() {
    std::vector<std::string> names;
    for_each_engine([&](auto tag) { names.emplace_back(decltype(tag)::type::name); });
    for (const Cipher::Family family : {Cipher::Family::philox, Cipher::Family::threefry})
        for (const int words : {4, 2})
            for (const int bits : {32, 64})
                for (int rounds = 1; rounds <= Cipher::most_rounds(family); ++rounds) {
                    const std::string name = Cipher{family, words, bits, rounds}.name();
                    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
                }
    return names;
}

}  // namespace rng::stats
