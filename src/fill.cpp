#include <rng/detail/fault_text.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cpu/dispatch.hpp"
#include "cpu/fp_environment.hpp"
#include "cpu/parallel_for.hpp"
#include "retries.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

// Engine and map take turns on tiles of this size, so that a tile stays in the L1 cache between them.
constexpr uint64_t tile_words = 2048;
// The words of values that begin or end inside a block, or are fewer than a register has. A multiple of any granule.
constexpr uint64_t covering_words = 512;
// The least part that is worth a thread (about 10 microseconds of work).
constexpr size_t least_part_bytes = size_t{128} << 10;

template <class... E> uint64_t words_per_block(Engine engine, type_list<E...>) {
    static constexpr uint64_t words[] = {E::words_per_block...};
    return words[static_cast<int>(engine)];
}

/// A fill that is ready to run: kernels chosen, the map prepared. Its pieces can run in any order, on any thread.
class PreparedFill {
  public:
    /// For n values in all.
    PreparedFill(const FillRequest& request, size_t n)
        : request_(request),
          kernels_(rng_cpu::kernels_for(n * request.value_bytes, false)),
          functions_(request.index >= 0 ? kernels_.maps[request.index] : *request.functions),
          blocks_(kernels_.blocks[static_cast<int>(request.stream.engine)]),
          words_per_block_(words_per_block(request.stream.engine, engines{})),
          group_words_(std::max(words_per_block_, functions_.unit_words)),
          block_shift_(std::countr_zero(words_per_block_)),
          slot_shift_(std::countr_zero(request.slot_words)),
          step_(std::max<uint64_t>(functions_.granule, group_words_ >> slot_shift_)) {
        if (request.kept.host != nullptr) {
            std::memcpy(map_, request.kept.host, functions_.map_bytes);
            return;
        }
        if (functions_.table_words != nullptr && n >= functions_.least_tabulated)
            table_.resize(functions_.table_words(request.distribution));
        functions_.prepare(request.distribution, map_, table_.empty() ? nullptr : table_.data());
    }

    /// Writes values [first, first + n) to out.
    void run(uint64_t first, size_t n, std::byte* out) const {
        for (uint64_t w = request_.stream.position + (first << slot_shift_); n > 0;) {
            const uint64_t skipped = w & (group_words_ - 1);
            const uint64_t covered = (covering_words - skipped) >> slot_shift_;
            size_t count = std::min<uint64_t>(n, tile_words >> slot_shift_) & ~(step_ - 1);
            if (skipped == 0 && (count == n || n > covered)) {
                write_steps(w >> block_shift_, count, out);
            } else {
                count = std::min<uint64_t>(n, covered);
                write_covered(w, count, out);
            }
            w += uint64_t{count} << slot_shift_;
            n -= count;
            out += count * request_.value_bytes;
        }
    }

  private:
    /// Writes `count` values, a multiple of step_, from the beginning of a block on.
    void write_steps(uint64_t block, size_t count, std::byte* out) const {
        // If values are as large as their words, the words go straight to the destination, and the map works in place.
        // The engine's arithmetic then hides the cost of bringing the destination into the cache.
        alignas(64) uint32_t tile[tile_words];
        // Bytes may begin at any address; if they do, their words need the tile.
        const bool in_place = works_in_place() && reinterpret_cast<uintptr_t>(out) % alignof(uint32_t) == 0;
        auto* words = in_place ? reinterpret_cast<uint32_t*>(out) : tile;
        generate(block, (uint64_t{count} << slot_shift_) >> block_shift_, words);
        if (is_identity()) {
            if (!in_place) std::memcpy(out, tile, count * request_.value_bytes);
            return;
        }
        uint32_t undecided[tile_words];
        const size_t listed = functions_.apply(map_, words, out, count, undecided);
        if (listed > 0) write_undecided(retry_context(words), block, undecided, listed, 0, out);
    }

    /// Writes `count` values from word w on. All blocks that hold their words are mapped, and the values are copied.
    void write_covered(uint64_t w, size_t count, std::byte* out) const {
        alignas(64) uint32_t words[covering_words];
        const uint64_t skipped_words = w & (group_words_ - 1);
        const uint64_t block = (w - skipped_words) >> block_shift_, skipped = skipped_words >> slot_shift_;
        const uint64_t slots = skipped + count;
        // Whole vectors, of eight blocks: the engine then copies nothing.
        const uint64_t blocks = round_up(round_up(slots << slot_shift_, group_words_) >> block_shift_, 8);
        generate(block, blocks, words);
        if (is_identity()) {
            std::memcpy(out, words + (skipped << slot_shift_), count * request_.value_bytes);
            return;
        }
        const uint64_t mapped = (slots + functions_.granule - 1) & ~uint64_t{functions_.granule - 1};
        if (const uint64_t used = blocks << block_shift_, needed = mapped << slot_shift_; needed > used)
            std::memset(words + used, 0, (needed - used) * sizeof(uint32_t));
        alignas(64) std::byte own_values[covering_words * rng_abi::most_bytes_of_word];
        std::byte* const values = works_in_place() ? reinterpret_cast<std::byte*>(words) : own_values;
        uint32_t undecided[covering_words];
        const size_t listed = functions_.apply(map_, words, values, mapped, undecided);
        std::memcpy(out, values + skipped * request_.value_bytes, count * request_.value_bytes);
        if (listed == 0) return;
        const uint32_t* const last = undecided + listed;
        const uint32_t* const begin = std::lower_bound<const uint32_t*>(undecided, last, skipped);
        const uint32_t* const end = std::lower_bound(begin, last, slots);
        write_undecided(retry_context(words), block, begin, static_cast<size_t>(end - begin), skipped, out);
    }

    void generate(uint64_t block, uint64_t count, uint32_t* words) const {
        blocks_(words, block, count, request_.domain, request_.stream.id, request_.stream.key);
    }

    [[nodiscard]] RetryContext retry_context(const uint32_t* words) const {
        return {request_, kernels_, functions_, map_, words_per_block_, words};
    }

    /// Returns true if the map may write values over their words: retries after a quick() read the words again.
    [[nodiscard]] bool works_in_place() const {
        return request_.value_bytes == sizeof(uint32_t) << slot_shift_ && functions_.apply == functions_.attempt;
    }

    /// Returns true if no map is needed: raw words in the machine's own byte order.
    [[nodiscard]] bool is_identity() const {
        return request_.index == catalogue_index<bits<uint32_t>> ||
               (request_.index == catalogue_index<bits<uint64_t>> && std::endian::native == std::endian::little);
    }

    const FillRequest& request_;
    const rng_abi::KernelTable& kernels_;
    rng_abi::MapFunctions functions_;
    rng_abi::BlocksFunction blocks_;
    uint64_t words_per_block_;
    uint64_t group_words_;  // words that are whole blocks and whole units
    int block_shift_, slot_shift_;
    uint64_t step_;  // slots that are whole groups and whole registers
    std::vector<uint64_t> table_;
    alignas(64) std::byte map_[rng_abi::most_map_bytes];
};

/// Runs parallel_for over the values of a request. Each piece is a number of whole tiles.
template <class Piece> void in_pieces(const FillRequest& request, size_t n, const Piece& piece) {
    rng_cpu::parallel_for(n, tile_words / request.slot_words, n * request.value_bytes / least_part_bytes,
                          [&](size_t first, size_t last) { piece(first, last - first); });
}

/// Throws Error if a parameter is out of range. Requires an FpEnvironment.
void require_sound(const FillRequest& request) {
    if (request.fault == nullptr) return;
    if (const ParameterFault fault = request.fault(request.distribution))
        throw_parameter_fault("fill", request.name, fault);
}

}  // namespace

void fill_values(const FillRequest& request, void* out, size_t n) {
    const rng_cpu::FpEnvironment environment;
    require_sound(request);
    if (n == 0) return;
    const PreparedFill job(request, n);
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

namespace {

/// n values, each `step` bytes after the one before.
struct Run {
    size_t n;
    ptrdiff_t from_step, to_step;
};
/// Copies values of Size bytes, or of `size` if Size is 0: a size known when compiling makes a copy one instruction.
template <size_t Size = 0>
void copy_values(const std::byte* from, std::byte* to, const Run& outer, const Run& inner, size_t size = Size) {
    for (size_t i = 0; i < outer.n; ++i, from += outer.from_step, to += outer.to_step) {
        const std::byte* source = from;
        std::byte* target = to;
        for (size_t k = 0; k < inner.n; ++k, source += inner.from_step, target += inner.to_step)
            std::memcpy(target, source, Size == 0 ? size : Size);
    }
}

/// A matrix at any strides, filled by pieces of its values in their order: row after row.
class StridedFill {
  public:
    StridedFill(const PreparedFill& job, const StridedTarget& target, size_t size)
        : job_(job),
          origin_(static_cast<std::byte*>(target.data)),
          cols_(target.cols),
          size_(size),
          row_bytes_(target.row_stride * static_cast<ptrdiff_t>(size)),
          col_bytes_(target.col_stride * static_cast<ptrdiff_t>(size)) {}

    void write(size_t first, size_t count) const {
        const size_t last = first + count, row = (first + cols_ - 1) / cols_, end = last / cols_;
        // Rows one by one would touch a line of memory for each value if the values of a column lie side by side.
        if (std::abs(row_bytes_) >= std::abs(col_bytes_) || row >= end) return write_runs(first, count);
        write_runs(first, row * cols_ - first);
        for (size_t r = row; r < end; r += tile_rows) write_rows(r, std::min(tile_rows, end - r));
        write_runs(end * cols_, last - end * cols_);
    }

  private:
    static constexpr size_t tile_rows = 16, tile_row_bytes = 1024;

    /// Writes runs of values, each in one row.
    void write_runs(size_t first, size_t count) const {
        alignas(64) std::byte buffer[tile_words * 4];
        size_t row = first / cols_, col = first % cols_;
        while (count > 0) {
            const size_t now = std::min(count, sizeof buffer / size_);
            job_.run(first, now, buffer);
            for (size_t done = 0; done < now; ++row, col = 0) {
                const size_t run = std::min(now - done, cols_ - col);
                copy(buffer + done * size_, row, col, {1, 0, 0}, {run, static_cast<ptrdiff_t>(size_), col_bytes_});
                done += run;
                if (col + run < cols_) {
                    col += run;
                    break;
                }
            }
            first += now;
            count -= now;
        }
    }

    /// Writes whole rows, by columns of a tile.
    void write_rows(size_t row, size_t rows) const {
        alignas(64) std::byte tile[tile_rows * tile_row_bytes];
        const size_t width = std::min(cols_, tile_row_bytes / size_);
        for (size_t col = 0; col < cols_; col += width) {
            const size_t now = std::min(width, cols_ - col);
            if (now == cols_)
                job_.run(row * cols_, rows * cols_, tile);
            else
                for (size_t r = 0; r < rows; ++r) job_.run((row + r) * cols_ + col, now, tile + r * now * size_);
            copy(tile, row, col, {now, static_cast<ptrdiff_t>(size_), col_bytes_},
                 {rows, static_cast<ptrdiff_t>(now * size_), row_bytes_});
        }
    }

    /// Copies values to where element (row, col) is first.
    void copy(const std::byte* from, size_t row, size_t col, const Run& outer, const Run& inner) const {
        std::byte* to = origin_ + static_cast<ptrdiff_t>(row) * row_bytes_ + static_cast<ptrdiff_t>(col) * col_bytes_;
        if (inner.from_step == inner.to_step && outer.n == 1) {
            std::memcpy(to, from, inner.n * size_);
            return;
        }
        switch (size_) {
            case 1: return copy_values<1>(from, to, outer, inner);
            case 2: return copy_values<2>(from, to, outer, inner);
            case 4: return copy_values<4>(from, to, outer, inner);
            case 8: return copy_values<8>(from, to, outer, inner);
            case 16: return copy_values<16>(from, to, outer, inner);
            default: return copy_values(from, to, outer, inner, size_);
        }
    }

    const PreparedFill& job_;
    std::byte* origin_;
    size_t cols_, size_;
    ptrdiff_t row_bytes_, col_bytes_;
};

}  // namespace

void fill_strided(const FillRequest& request, const StridedTarget& target) {
    const size_t n = target.rows * target.cols;
    if (target.col_stride == 1 && (target.rows == 1 || target.row_stride == static_cast<ptrdiff_t>(target.cols))) {
        fill_values(request, target.data, n);
        return;
    }
    const rng_cpu::FpEnvironment environment;
    require_sound(request);
    if (n == 0) return;
    const PreparedFill job(request, n);
    const StridedFill matrix(job, target, request.value_bytes);
    in_pieces(request, n, [&](size_t first, size_t count) { matrix.write(first, count); });
}

void run_in_pieces(size_t n, size_t most_threads, void (*part)(void* context, size_t first, size_t last),
                   void* context) {
    const rng_cpu::FpEnvironment environment;
    rng_cpu::parallel_for(n, 64, most_threads, [&](size_t first, size_t last) { part(context, first, last); });
}

void in_standard_modes(void (*f)(void* context), void* context) {
    const rng_cpu::FpEnvironment environment;
    f(context);
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
