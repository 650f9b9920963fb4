// The direction numbers of Sobol points, their scrambling, and fills by the ruler sequence.
#include <rng/detail/fill_sizes.hpp>
#include <rng/distributions/uniform.hpp>
#include <rng/sobol.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "cpu/dispatch.hpp"
#include "cpu/parallel_for.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr uint64_t packed_directions[] = {
#include "sobol_directions.inc"
};

/// Reads numbers from the string of bits, the lowest bit first.
class BitReader {
  public:
    uint64_t next(uint32_t bits) {
        uint64_t number = 0;
        for (uint32_t i = 0; i < bits; ++i, ++position_)
            number |= (packed_directions[position_ / 64] >> (position_ % 64) & 1) << i;
        return number;
    }

  private:
    size_t position_ = 0;
};

// Words and values of a tile stay in the L1 cache.
constexpr size_t tile_values = 1024;
constexpr size_t most_columns = rng_abi::SobolWalk::most_columns;  // of a tile

/// Computes points of float from words of 32 bits, or of double from words of 64, by the map of uniform.
template <class Word> class SobolFill {
  public:
    SobolFill(const SobolRequest& request, const rng_abi::KernelTable& kernels)
        : request_(request),
          functions_(*kernels.maps[request.index]),
          vectors_(sizeof(Word) == 4 ? kernels.sobol_f32 : kernels.sobol_f64) {
        const uniform<std::conditional_t<sizeof(Word) == 4, float, double>> unit;
        functions_.prepare(&unit, map_, nullptr);
    }

    /// Writes rows [first, last) of the target, by tiles of some columns of some rows.
    void write(size_t first, size_t last) const {
        const size_t dimensions = request_.target.cols, cols = std::min(most_columns, dimensions);
        const sobol_view<double> points{request_.table, static_cast<uint32_t>(dimensions)};
        std::vector<uint64_t> point(dimensions);
        for (size_t j = 0; j < dimensions; ++j)
            point[j] = points.fraction(request_.first + first, static_cast<uint32_t>(j));
        alignas(64) Word words[tile_values]{};  // the map reads whole registers
        for (size_t row = first, rows = tile_values / cols; row < last; row += rows)
            for (size_t col = 0; col < dimensions; col += cols)
                write_tile(row, std::min(rows, last - row), col, std::min(cols, dimensions - col), &point[col], words);
    }

  private:
    /// Writes a tile, and leaves the point after its last row in `point`.
    void write_tile(size_t row, size_t rows, size_t col, size_t cols, uint64_t* point, Word* words) const {
        const StridedTarget& target = request_.target;
        auto* to = static_cast<Word*>(target.data) + static_cast<ptrdiff_t>(row) * target.row_stride +
                   static_cast<ptrdiff_t>(col) * target.col_stride;
        const uint64_t number = request_.first + row;
        if (vectors_ != nullptr && target.col_stride == 1 &&
            vectors_({request_.table + col, target.cols, number, rows, cols, point, target.row_stride}, to))
            return;
        write_words(number, rows, col, cols, point, words);
        const size_t n = rows * cols, mapped = (n + functions_.slot_multiple - 1) & ~(functions_.slot_multiple - 1);
        const bool is_dense = target.col_stride == 1 && target.row_stride == static_cast<ptrdiff_t>(cols);
        alignas(64) Word own_values[tile_values];
        Word* const values = is_dense && mapped == n ? to : own_values;
        functions_.apply(map_, reinterpret_cast<const uint32_t*>(words), values, mapped, nullptr);
        if (values == to) return;
        const Word* from = values;
        if (is_dense)
            std::memcpy(to, from, n * sizeof(Word));
        else if (target.col_stride == 1)
            for (size_t r = 0; r < rows; ++r, from += cols, to += target.row_stride)
                std::memcpy(to, from, cols * sizeof(Word));
        else
            for (size_t r = 0; r < rows; ++r, from += cols, to += target.row_stride)
                for (size_t j = 0; j < cols; ++j)
                    std::memcpy(to + static_cast<ptrdiff_t>(j) * target.col_stride, from + j, sizeof(Word));
    }

    /// Writes the words of points number, number + 1, ... and leaves the point after them in `point`.
    void write_words(uint64_t number, size_t rows, size_t col, size_t cols, uint64_t* point, Word* words) const {
        size_t j = 0;
        for (; j + 8 <= cols; j += 8) walk<8>(number, rows, col + j, cols, point + j, words + j);
        if (cols & 4) walk<4>(number, rows, col + j, cols, point + j, words + j), j += 4;
        if (cols & 2) walk<2>(number, rows, col + j, cols, point + j, words + j), j += 2;
        if (cols & 1) walk<1>(number, rows, col + j, cols, point + j, words + j);
    }
    /// write_words() for Width columns, which stay in registers. The Gray codes of neighbours differ in one bit.
    template <size_t Width>
    void walk(uint64_t number, size_t rows, size_t col, size_t cols, uint64_t* point, Word* words) const {
        uint64_t x[Width];
        for (size_t j = 0; j < Width; ++j) x[j] = point[j];
        const uint64_t* const table = request_.table + col;
        for (size_t r = 0; r < rows; ++r, words += cols) {
            // After the very last point this reads the row of offsets, and its result is not used.
            const uint64_t* const direction =
                table + static_cast<size_t>(std::countr_zero(++number)) * request_.target.cols;
            for (size_t j = 0; j < Width; ++j) {
                words[j] = static_cast<Word>(x[j] >> (64 - 8 * sizeof(Word)));
                x[j] ^= direction[j];
            }
        }
        for (size_t j = 0; j < Width; ++j) point[j] = x[j];
    }

    const SobolRequest& request_;
    const rng_abi::MapFunctions& functions_;
    rng_abi::SobolFunction vectors_;
    alignas(64) std::byte map_[rng_abi::most_map_bytes];
};

template <class Word> void fill_words(const SobolRequest& request) {
    const size_t rows = request.target.rows, bytes = rows * request.target.cols * request.value_bytes;
    const rng_cpu::FpEnvironment environment;
    const SobolFill<Word> job(request, rng_cpu::kernels_for(bytes, false));
    rng_cpu::parallel_for(rows, 1, bytes / least_part_bytes,
                          [&](size_t first, size_t last) { job.write(first, last); });
}

}  // namespace

void write_sobol_table(uint64_t* table, uint32_t dimensions) {
    const auto entry = [&](uint32_t k, uint32_t j) -> uint64_t& { return table[size_t{k} * dimensions + j]; };
    for (uint32_t k = 0; k < sobol_bits; ++k) entry(k, 0) = uint64_t{1} << (63 - k);
    BitReader packed;
    for (uint32_t j = 1; j < dimensions; ++j) {
        const auto degree = static_cast<uint32_t>(packed.next(5));
        const uint64_t inner = packed.next(degree - 1);
        for (uint32_t k = 0; k < degree; ++k) entry(k, j) = (2 * packed.next(k) + 1) << (63 - k);
        for (uint32_t k = degree; k < sobol_bits; ++k) {
            uint64_t v = entry(k - degree, j) ^ entry(k - degree, j) >> degree;
            for (uint32_t i = 1; i < degree; ++i)
                if (inner >> (degree - 1 - i) & 1) v ^= entry(k - i, j);
            entry(k, j) = v;
        }
    }
    std::fill_n(&entry(sobol_bits, 0), dimensions, 0);
}

void scramble_sobol_table(uint64_t* table, uint32_t dimensions, const uint64_t* words) {
    for (uint32_t j = 0; j < dimensions; ++j, words += sobol_rows) {
        for (uint32_t k = 0; k < sobol_bits; ++k) {
            uint64_t& entry = table[size_t{k} * dimensions + j];
            uint64_t product = 0;
            for (uint64_t rest = entry; rest != 0; rest &= rest - 1) {
                const auto c = static_cast<uint32_t>(63 - std::countr_zero(rest));
                product ^= scramble_column(words[c], c);
            }
            entry = product;
        }
        table[size_t{sobol_bits} * dimensions + j] = words[sobol_bits];
    }
}

void fill_sobol(const SobolRequest& request) {
    request.value_bytes == sizeof(uint32_t) ? fill_words<uint32_t>(request) : fill_words<uint64_t>(request);
}

uint32_t checked_sobol_dimensions(uint64_t dimensions) {
    if (dimensions == 0 || dimensions > most_sobol_dimensions)
        raise_text(ErrorCode::invalid_argument, "sobol: dimensions must be in [1, %u], got %s", most_sobol_dimensions,
                   NumberText(dimensions).text);
    return static_cast<uint32_t>(dimensions);
}

void require_sobol_points(const char* call, uint64_t first, uint64_t n) {
    constexpr uint64_t points = uint64_t{1} << sobol_bits;
    if (first <= points && n <= points - first) return;
    const uint64_t last = first <= points && n > 0 ? first + (n - 1) : first;
    raise_text(ErrorCode::invalid_argument, "%s: points must be below 2^63, got %s", call, NumberText(last).text);
}

void require_sobol_dimension(uint64_t dimension, uint32_t dimensions) {
    if (dimension >= dimensions)
        raise_text(ErrorCode::invalid_argument, "sobol::at: dimension must be below %u, got %s", dimensions,
                   NumberText(dimension).text);
}

}  // namespace detail
RNG_END_NAMESPACE
