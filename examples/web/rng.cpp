// The headers of rng as a WebAssembly module: the numbers of every other device, in a browser's tab.
//
// build.sh compiles it, rng.mjs loads it. Numbers of 64 bits are BigInts in JavaScript. A fill writes to the buffer of
// the module, at most buffer_bytes at a time.
#include <rng/at.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/distributions/exponential.hpp>
#include <rng/distributions/gamma.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/distributions/uniform.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

#define RNG_EXPORT extern "C" __attribute__((visibility("default"), used))

namespace {

constexpr std::size_t buffer_bytes = 1 << 16;
alignas(16) std::byte buffer[buffer_bytes];

// The stream that the next fills read.
rng::Stream<> stream{0};

/// Writes values first, first + 1, ... of a distribution to the buffer.
template <class D> void fill(const D& dist, std::uint64_t first, std::uint32_t n) {
    auto* const out = reinterpret_cast<rng::result_t<D>*>(buffer);
    for (std::uint32_t i = 0; i < n; ++i) out[i] = rng::at(stream, dist, first + i);
}

}  // namespace

RNG_EXPORT std::byte* rng_buffer() { return buffer; }
RNG_EXPORT std::uint32_t rng_buffer_bytes() { return buffer_bytes; }

/// Chooses the stream: a seed, the stream's number, and a position in words.
RNG_EXPORT void rng_stream(std::uint64_t seed, std::uint64_t id, std::uint64_t position) {
    stream = rng::Stream{seed, id}.at_position(position);
}
/// Chooses the child of the stream with this number, or with the name that is in the buffer.
RNG_EXPORT void rng_fork(std::uint64_t tag) { stream = stream.fork(tag); }
RNG_EXPORT void rng_fork_name(std::uint32_t bytes) {
    stream = stream.fork(std::string_view(reinterpret_cast<const char*>(buffer), bytes));
}

RNG_EXPORT void rng_bits_u32(std::uint64_t first, std::uint32_t n) { fill(rng::bits<std::uint32_t>{}, first, n); }
RNG_EXPORT void rng_bits_u64(std::uint64_t first, std::uint32_t n) { fill(rng::bits<std::uint64_t>{}, first, n); }
RNG_EXPORT void rng_uniform_f32(std::uint64_t first, std::uint32_t n, float lo, float hi) {
    fill(rng::uniform{lo, hi}, first, n);
}
RNG_EXPORT void rng_uniform_f64(std::uint64_t first, std::uint32_t n, double lo, double hi) {
    fill(rng::uniform{lo, hi}, first, n);
}
RNG_EXPORT void rng_normal_f32(std::uint64_t first, std::uint32_t n, float mean, float stddev) {
    fill(rng::normal{mean, stddev}, first, n);
}
RNG_EXPORT void rng_normal_f64(std::uint64_t first, std::uint32_t n, double mean, double stddev) {
    fill(rng::normal{mean, stddev}, first, n);
}
RNG_EXPORT void rng_exponential_f32(std::uint64_t first, std::uint32_t n, float rate) {
    fill(rng::exponential{rate}, first, n);
}
RNG_EXPORT void rng_exponential_f64(std::uint64_t first, std::uint32_t n, double rate) {
    fill(rng::exponential{rate}, first, n);
}
RNG_EXPORT void rng_gamma_f32(std::uint64_t first, std::uint32_t n, float shape, float scale) {
    fill(rng::gamma{shape, scale}, first, n);
}
RNG_EXPORT void rng_gamma_f64(std::uint64_t first, std::uint32_t n, double shape, double scale) {
    fill(rng::gamma{shape, scale}, first, n);
}

/// Continues an FNV-1a digest over the first bytes of the buffer.
RNG_EXPORT std::uint64_t rng_digest(std::uint64_t digest, std::uint32_t bytes) {
    for (std::uint32_t i = 0; i < bytes; ++i)
        digest = (digest ^ static_cast<std::uint64_t>(buffer[i])) * 0x100000001b3u;
    return digest;
}
