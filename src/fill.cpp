// The fills of rng/fill.hpp in host memory: ranges, bytes, and matrices with strides.
#include <rng/detail/fault_text.hpp>
#include <rng/distributions/bits.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <string>

#include "cpu/fp_environment.hpp"
#include "cpu/parallel_for.hpp"
#include "prepared_fill.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

void fill_values(const FillRequest& request, void* out, size_t n) {
    const rng_cpu::FpEnvironment environment;
    require_valid(request);
    if (n == 0) return;
    const PreparedFill job(request, n);
    auto* bytes = static_cast<std::byte*>(out);
    in_chunks(request, n,
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
/// Copies values of Size bytes, or of `size` if Size is 0: a size known at compile time makes a copy one instruction.
template <size_t Size = 0>
void copy_values(const std::byte* from, std::byte* to, const Run& outer, const Run& inner, size_t size = Size) {
    for (size_t i = 0; i < outer.n; ++i, from += outer.from_step, to += outer.to_step) {
        const std::byte* source = from;
        std::byte* target = to;
        for (size_t k = 0; k < inner.n; ++k, source += inner.from_step, target += inner.to_step)
            std::memcpy(target, source, Size == 0 ? size : Size);
    }
}

/// A matrix with any strides, filled by chunks of its values in their order: row after row.
class StridedFill {
  public:
    StridedFill(const PreparedFill& job, const StridedTarget& target, size_t size)
        : job_(job),
          origin_(static_cast<std::byte*>(target.data)),
          cols_(target.cols),
          size_(size),
          // The stride of the only row, or column, may be any number.
          col_bytes_(target.cols == 1 ? 0 : target.col_stride * static_cast<ptrdiff_t>(size)),
          row_bytes_(target.rows == 1 ? col_bytes_ : target.row_stride * static_cast<ptrdiff_t>(size)) {}

    void write(size_t first, size_t count) const {
        const size_t last = first + count, row = (first + cols_ - 1) / cols_, end = last / cols_;
        // If the values of a column are contiguous, rows one by one would touch a cache line for each value.
        if (std::abs(row_bytes_) >= std::abs(col_bytes_) || row >= end) return write_runs(first, count);
        write_runs(first, row * cols_ - first);
        for (size_t r = row; r < end; r += tile_rows) write_rows(r, std::min(tile_rows, end - r));
        write_runs(end * cols_, last - end * cols_);
    }

  private:
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

    /// Copies values to the place of element (row, col) and onwards.
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
    ptrdiff_t col_bytes_, row_bytes_;
};

}  // namespace

void fill_strided(const FillRequest& request, const StridedTarget& target) {
    const size_t n = target.rows * target.cols;
    if (target.col_stride == 1 && (target.rows == 1 || target.row_stride == static_cast<ptrdiff_t>(target.cols))) {
        fill_values(request, target.data, n);
        return;
    }
    const rng_cpu::FpEnvironment environment;
    require_valid(request);
    if (n == 0) return;
    const PreparedFill job(request, n);
    const StridedFill matrix(job, target, request.value_bytes);
    in_chunks(request, n, [&](size_t first, size_t count) { matrix.write(first, count); });
}

void run_in_chunks(size_t n, size_t most_threads, void (*part)(void* context, size_t first, size_t last),
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

size_t checked_size(const char* name, const void* data, size_t rows, size_t cols, const char* call) {
    size_t n = 0;
    if (__builtin_mul_overflow(rows, cols, &n))
        detail::refuse(std::string(call) + ": " + name,
                       "a matrix of " + std::to_string(rows) + " x " + std::to_string(cols) + " elements is too large");
    if (data == nullptr && n > 0)
        detail::refuse(std::string(call) + ": " + name,
                       "the destination is null but " + std::to_string(n) + " values were asked for");
    return n;
}

void require_cpu(const char* name, Device device, const char* call) {
    if (!(device == cpu()))
        detail::refuse(name == nullptr ? std::string(call) : std::string(call) + ": " + name,
                       "the destination is host memory but the generator is on " + to_string(device));
    (void)current_isa();
    (void)num_threads();
}

}  // namespace detail
RNG_END_NAMESPACE
