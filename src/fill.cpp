#include <rng/core/tape.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <string>

#include "cpu/dispatch.hpp"
#include "cpu/fp_environment.hpp"
#include "cpu/parallel_for.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

// Engine and map take turns on tiles of this size, so that a tile stays in the L1 cache between them.
constexpr uint64_t tile_words = 2048;
// The least part that is worth a thread (about 10 microseconds of work).
constexpr size_t least_part_bytes = size_t{128} << 10;
constexpr uint64_t most_words_per_block = 8;
constexpr size_t most_value_bytes = 16;

uint64_t words_per_block(Engine engine) {
    int words = 0;
    visit_engine(engine, [&](auto tag) { words = decltype(tag)::type::words_per_block; });
    return static_cast<uint64_t>(words);
}

/// A fill that is ready to run: kernels chosen, the map prepared. Its pieces can run in any order, on any thread.
class PreparedFill {
  public:
    explicit PreparedFill(const FillRequest& request)
        : request_(request),
          words_per_block_(words_per_block(request.stream.engine)),
          blocks_(rng_cpu::current_kernels().blocks[static_cast<int>(request.stream.engine)]),
          functions_(request.index >= 0 ? rng_cpu::current_kernels().maps[request.index] : *request.functions) {
        functions_.prepare(request.distribution, map_);
    }

    /// Writes values [first, first + n) to out.
    void run(uint64_t first, size_t n, std::byte* out) const {
        const uint64_t slot = request_.slot_words;
        for (uint64_t w = request_.stream.position + first * slot; n > 0;) {
            const uint64_t offset = w % words_per_block_;
            const uint64_t whole_blocks = offset == 0 ? std::min(n * slot, tile_words) / words_per_block_ : 0;
            const size_t count = whole_blocks > 0 ? whole_blocks * words_per_block_ / slot
                                                  : std::min<uint64_t>(n, (words_per_block_ - offset) / slot);
            if (whole_blocks > 0)
                write_blocks(w / words_per_block_, whole_blocks, count, out);
            else
                write_part_of_block(w, count, out);
            w += count * slot;
            n -= count;
            out += count * request_.value_bytes;
        }
    }

  private:
    void write_blocks(uint64_t block, uint64_t blocks, size_t count, std::byte* out) const {
        // If values are as large as their words, the words go straight to the destination, and the map works in place.
        // The engine's arithmetic then hides the cost of bringing the destination into the cache.
        alignas(64) uint32_t tile[tile_words];
        // Bytes may begin at any address; if they do, their words need the tile.
        const bool in_place = request_.value_bytes == 4 * request_.slot_words &&
                              reinterpret_cast<uintptr_t>(out) % alignof(uint32_t) == 0;
        auto* words = in_place ? reinterpret_cast<uint32_t*>(out) : tile;
        generate(block, blocks, words);
        if (is_identity()) {
            if (!in_place) std::memcpy(out, tile, count * request_.value_bytes);
            return;
        }
        uint32_t undecided[tile_words];
        const size_t listed = functions_.apply(map_, words, out, count, undecided);
        for (size_t k = 0; k < listed; ++k)
            finish(block * words_per_block_ + undecided[k] * request_.slot_words,
                   out + undecided[k] * request_.value_bytes);
    }

    /// Writes `count` values from word w on, all inside one block. The whole block is mapped, and the requested values
    /// are copied.
    void write_part_of_block(uint64_t w, size_t count, std::byte* out) const {
        alignas(64) uint32_t words[most_words_per_block];
        alignas(64) std::byte values[most_words_per_block * most_value_bytes];
        generate(w / words_per_block_, 1, words);
        uint32_t undecided[most_words_per_block];
        const size_t listed = functions_.apply(map_, words, values, words_per_block_ / request_.slot_words, undecided);
        const size_t skipped = w % words_per_block_ / request_.slot_words;
        std::memcpy(out, values + skipped * request_.value_bytes, count * request_.value_bytes);
        for (size_t k = 0; k < listed; ++k)
            if (undecided[k] >= skipped && undecided[k] < skipped + count)
                finish(w + (undecided[k] - skipped) * request_.slot_words,
                       out + (undecided[k] - skipped) * request_.value_bytes);
    }

    /// Writes the value whose slot begins at word `first`, from its whole tape.
    void finish(uint64_t first, std::byte* value) const {
        visit_engine(request_.stream.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            Tape<E> tape(stream_of<E>(request_.stream), first, static_cast<int>(request_.slot_words));
            const auto next = [](void* self) { return static_cast<Tape<E>*>(self)->word(); };
            alignas(16) std::byte aligned[most_value_bytes];  // the destination may be unaligned
            functions_.finish(map_, {&tape, next}, aligned);
            std::memcpy(value, aligned, request_.value_bytes);
        });
    }

    void generate(uint64_t block, uint64_t count, uint32_t* words) const {
        blocks_(words, block, count, request_.domain, request_.stream.id, request_.stream.key);
    }

    /// Returns true if no map is needed: raw words in the machine's own byte order.
    [[nodiscard]] bool is_identity() const {
        return request_.index == catalogue_index<bits<uint32_t>> ||
               (request_.index == catalogue_index<bits<uint64_t>> && std::endian::native == std::endian::little);
    }

    const FillRequest& request_;
    uint64_t words_per_block_;
    rng_abi::BlocksFunction blocks_;
    rng_abi::MapFunctions functions_;
    alignas(16) std::byte map_[rng_abi::map_bytes];
};

/// Runs parallel_for over the values of a request. Each piece is a number of whole tiles, and is worth a thread.
template <class Piece> void in_pieces(const FillRequest& request, size_t n, const Piece& piece) {
    rng_cpu::parallel_for(n, tile_words / request.slot_words, n * request.value_bytes / least_part_bytes,
                          [&](size_t first, size_t last) { piece(first, last - first); });
}

}  // namespace

void fill_values(const FillRequest& request, void* out, size_t n) {
    if (n == 0) return;
    const rng_cpu::FpEnvironment environment;
    const PreparedFill job(request);
    auto* bytes = static_cast<std::byte*>(out);
    in_pieces(request, n,
              [&](size_t first, size_t count) { job.run(first, count, bytes + first * request.value_bytes); });
}

void fill_byte_values(const StreamRecord& stream, std::byte* out, size_t n) {
    constexpr bits<uint32_t> words;
    const size_t whole = n / 4;
    fill_values(detail::request(words, stream), out, whole);
    if (std::endian::native == std::endian::big)
        for (size_t i = 0; i < whole; ++i) std::reverse(out + 4 * i, out + 4 * i + 4);
    if (n % 4 == 0) return;
    StreamRecord rest = stream;
    rest.position += whole;
    uint32_t word = 0;
    fill_values(detail::request(words, rest), &word, 1);
    for (size_t i = 4 * whole; i < n; ++i, word >>= 8) out[i] = static_cast<std::byte>(word);
}

void fill_strided(const FillRequest& request, const StridedTarget& target) {
    const size_t n = target.rows * target.cols, size = request.value_bytes;
    if (n == 0) return;
    if (target.col_stride == 1 && (target.rows == 1 || target.row_stride == static_cast<ptrdiff_t>(target.cols))) {
        fill_values(request, target.data, n);
        return;
    }
    const rng_cpu::FpEnvironment environment;
    const PreparedFill job(request);
    auto* origin = static_cast<std::byte*>(target.data);
    const ptrdiff_t row_bytes = target.row_stride * static_cast<ptrdiff_t>(size);
    const ptrdiff_t col_bytes = target.col_stride * static_cast<ptrdiff_t>(size);
    in_pieces(request, n, [&](size_t first, size_t count) {
        alignas(64) std::byte buffer[tile_words * 4];
        while (count > 0) {
            const size_t now = std::min(count, sizeof buffer / size);
            job.run(first, now, buffer);
            for (size_t i = 0; i < now; ++i) {
                const auto row = static_cast<ptrdiff_t>((first + i) / target.cols);
                const auto col = static_cast<ptrdiff_t>((first + i) % target.cols);
                std::memcpy(origin + row * row_bytes + col * col_bytes, buffer + i * size, size);
            }
            first += now;
            count -= now;
        }
    });
}

ParameterFault fault_in_standard_modes(ParameterFault (*fault)(const void*), const void* distribution) {
    const rng_cpu::FpEnvironment environment;
    return fault(distribution);
}

void throw_parameter_fault(const char* call, const char* name, const ParameterFault& fault) {
    throw Error(ErrorCode::invalid_argument, fault_text(call, name, fault));
}

size_t checked_size(const char* name, const void* data, size_t rows, size_t cols) {
    size_t n = 0;
    if (__builtin_mul_overflow(rows, cols, &n))
        detail::refuse(std::string("fill: ") + name,
                       "a matrix of " + std::to_string(rows) + " x " + std::to_string(cols) + " elements is too large");
    if (data == nullptr && n > 0)
        detail::refuse(std::string("fill: ") + name,
                       "the destination is null but " + std::to_string(n) + " values were asked for");
    return n;
}

void require_cpu(const char* name, Device device) {
    if (!(device == cpu()))
        detail::refuse(std::string("fill: ") + name,
                       "the destination is host memory but the generator is on " + to_string(device));
    (void)current_isa();
    (void)num_threads();
}

}  // namespace detail
RNG_END_NAMESPACE
