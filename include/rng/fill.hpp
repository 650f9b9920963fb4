// fill: writes values of a distribution into memory, as fast as this machine can, with the same bits on every machine.
//
//     rng::fill(x, rng::normal{0.0f, 1.0f}, generator);     // advances the generator
//     rng::fill(x, rng::normal{0.0f, 1.0f}, stream);        // pure: x[i] = at(stream, dist, i)
//     rng::fill(x, rng::normal{0.0f, 1.0f}, engine);        // an rng::philox4x32: advances it as dist(engine) does
//
// fill(n) then fill(m) equals fill(n + m). A fill of no values changes nothing.
// The distributions of the catalogue are compiled into the library.
// Any other type with result_type, slot_words, map_shape and map() works too (docs/adding.md).
// Include the headers of the distributions that you fill with, or rng.hpp, which includes all of them.
#pragma once

#include <ranges>
#include <span>
#include <vector>

#include "detail/fill_arguments.hpp"
#include "detail/misuse.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Fills a destination with values of its element type: out[i] = at(stream, dist, first + i). Pure.
/// A destination is a contiguous range (vector, array, span), a matrix_view or a shard. Element (row, col) of a matrix
/// is value row * cols + col for any strides; that of row-major number i in a tensor is value i, whoever has the shard.
/// Elements must not overlap.
/// Throws Error: parameters out of range, null data, a bad shard, the end of the stream.
template <detail::host_destination R, distribution D, class E>
void fill(R&& out, const D& dist, const Stream<E>& stream, Integer first = 0) {
    const auto target = detail::host_target<D>(out);
    target.fill(
        detail::unchecked_request(detail::canonical(dist), detail::positioned<D>(stream, first, target.size())));
}

/// Fills a destination with the generator's next values, and advances it; past the whole tensor for a shard, so the
/// generators of all processes keep the same state. A temporary generator will do: fill(x, dist, generator.fork(7)).
/// Throws Error as the fill from a stream does, and if the generator belongs to another device; then the generator is
/// unchanged.
template <detail::host_destination R, distribution D, detail::movable_generator G = Generator&>
void fill(R&& out, const D& dist, G&& generator = default_generator()) {
    Generator& from = generator;
    detail::check_element_type<R, D>();
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), from.device());
    const auto target = detail::host_target<D>(out);
    if (const auto n = target.size(); n > 0)
        target.fill(detail::request(detail::canonical(dist), from.claim("fill", n, D::slot_words)));
}
template <detail::host_destination R, distribution D>
void fill(R&& out, const D& dist,
          const Generator&) = delete;  // a fill advances the generator: pass one that is not const

/// Fills from one of this library's engines. Values and final state are those of a loop of dist(engine).
/// Throws Error as the fill from a stream does, and if the engine is outside domain 0; then the engine is unchanged.
template <detail::host_destination R, distribution D, detail::movable_engine G>
void fill(R&& out, const D& dist, G&& engine) {
    detail::check_element_type<R, D>();
    static_assert(
        requires { detail::host_target<D>(out)(0); },
        "fill: the values of a shard come from a Stream or a Generator: write to_stream(engine)");
    detail::fill_from_engine(out, dist, engine);
}

/// Fills with random bytes: the stream's 32-bit words, little-endian. Takes ceil(n / 4) words.
/// So a fill of n bytes and then one of m bytes equal a fill of n + m bytes, if n is divisible by 4.
/// Pure. Throws Error: null data, the end of the stream.
template <class E> void fill_bytes(std::span<std::byte> out, const Stream<E>& stream) {
    const size_t n = detail::checked_size("bytes", out.data(), 1, out.size());
    const auto words = detail::at_slot(stream, 0, n / 4 + (n % 4 != 0), 1, "fill_bytes");
    detail::fill_byte_values(detail::record(words), out.data(), n);
}
/// Fills with random bytes from the generator, and advances it.
inline void fill_bytes(std::span<std::byte> out, Generator& generator = default_generator()) {
    detail::require_cpu(nullptr, generator.device(), "fill_bytes");
    const size_t n = detail::checked_size("bytes", out.data(), 1, out.size());
    if (n > 0) detail::fill_byte_values(generator.claim("fill_bytes", n / 4 + (n % 4 != 0), 1), out.data(), n);
}

namespace detail {

/// sample() under the name `call`, with which its errors begin.
template <class D>
[[nodiscard]] std::vector<result_t<D>> sample_for(const char* call, const D& dist, uint64_t n, Generator& generator) {
    auto values = room_for<result_t<D>>(n);
    validate(call, dist);
    require_cpu(name_of<D>(), generator.device(), call);
    if (n > 0) append_values(values, request(canonical(dist), generator.claim(call, n, D::slot_words)), n);
    return values;
}

}  // namespace detail

/// Returns the generator's next n values in a new vector.
template <distribution D, detail::movable_generator G = Generator&>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, G&& generator = default_generator()) {
    return detail::sample_for("sample", dist, n, generator);
}
template <distribution D>
std::vector<result_t<D>> sample(const D& dist, Integer n, const Generator&) =
    delete;  // sample() advances the generator: pass one that is not const
/// Returns values first ... first + n - 1 of the stream. Pure.
template <distribution D, class E>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, const Stream<E>& stream, Integer first = 0) {
    auto values = detail::room_for<result_t<D>>(n);
    detail::validate("sample", dist);
    detail::append_values(
        values, detail::request(detail::canonical(dist), detail::positioned<D>(stream, first, n, "sample")), n);
    return values;
}
/// Returns the next n values of one of this library's engines, which advances as in a loop of dist(engine).
template <distribution D, detail::movable_engine G>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, G&& engine) {
    if constexpr (detail::has_runs<D, std::remove_reference_t<G>>) {
        const auto stream = to_stream(engine);
        auto values = sample(dist, n, stream);
        detail::move_past<D>(engine, stream, n);
        return values;
    } else {
        auto values = detail::room_for<result_t<D>>(n);
        values.resize(n);
        fill(values, dist, engine);
        return values;
    }
}

template <distribution D>
result_t<D> at(const Generator&, const D&,
               Integer) = delete;  // only streams have random access: at(generator.stream(), ...)

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
