// The arguments of fills besides the request: destinations and their checks.
#pragma once

#include <complex>
#include <ranges>
#include <type_traits>
#include <vector>

#include "../draw.hpp"
#include "../generator.hpp"
#include "../matrix_view.hpp"
#include "fill_request.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Strided destination: value row * cols + col goes to data + (row * row_stride + col * col_stride) * value_bytes.
struct StridedTarget {
    void* data;
    size_t rows, cols;
    ptrdiff_t row_stride, col_stride;
};

/// The destination of a fill of device memory. If a generator provides the request's stream, the stream is set later.
struct DeviceTarget {
    void* data;
    size_t n;
    cuda_stream stream;
};

RNG_API void fill_byte_values(const StreamRecord& stream, std::byte* out, size_t n);
RNG_API void fill_strided(const FillRequest& request, const StridedTarget& target);

/// Refuses a null destination, a CUDA generator for host memory and a matrix of more than 2^64 - 1 elements.
RNG_API size_t checked_size(const char* name, const void* data, size_t rows, size_t cols);
/// Called before a generator moves on: the generator must be on the CPU, and RNG_ISA and RNG_NUM_THREADS must be valid.
RNG_API void require_cpu(const char* name, Device device);

/// True if memory of elements T can hold results of type V.
template <class T, class V> inline constexpr bool is_stored_as = is_same<fixed_width<T>, fixed_width<V>>;
template <class T> inline constexpr bool is_stored_as<std::complex<T>, complex<T>> = true;

template <class R, class D> constexpr void check_element_type() {
    using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    static_assert(!std::is_const_v<T>, "fill: the range is const");
    static_assert(is_stored_as<std::remove_const_t<T>, result_t<D>>,
                  "fill: the elements of the range are not of the distribution's type: normal{0.0f, 1.0f} makes float, "
                  "normal{0.0, 1.0} double, uniform_int{1, 6} int, bits<uint32_t>{} uint32_t");
}

/// Writes rows * cols values into `out`. Its i-th element is element(i); its first element is at `data`.
template <class Out, class D, class G, class Element>
void fill_from_engine(Out& out, const void* data, uint64_t rows, uint64_t cols, const D& dist, G& engine,
                      Element element) {
    constexpr uint64_t slot = D::slot_words, word = sizeof(typename G::word) / 4;
    const auto stream = to_stream(engine);
    if constexpr (slot < word) {  // each value takes a whole word of the engine: it is value 0, 2, 4, ... of the stream
        validate("fill", dist);
        const uint64_t n = checked_size(name_of<D>(), data, rows, cols);
        (void)positioned<D>(stream, 0, 2 * n);
        for (uint64_t i = 0; i < n; ++i) element(i) = draw_at_position(dist, engine);
    } else {
        fill(out, dist, stream);
        if (const uint64_t n = rows * cols; n > 0)
            engine.discard((round_up(stream.position, slot) - stream.position + slot * n) / word);
    }
}

/// Returns a vector of n elements. Throws Error (invalid_argument) with the call's name if n is too large for a
/// std::vector.
template <class T> std::vector<T> vector_of(uint64_t n) {
    if (const size_t most = std::vector<T>{}.max_size(); n > most)
        raise_text(ErrorCode::invalid_argument, "sample: n must be at most %zu, got %s", most, NumberText(n).text);
    return std::vector<T>(n);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
