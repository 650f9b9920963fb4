// fill() for the distributions whose headers are included: what <rng/fill.hpp> is without the catalogue. Headers that
// fill with one distribution include this, so that a change of another does not compile them again.
#pragma once

#include <complex>
#include <ranges>
#include <type_traits>
#include <vector>

#include "at.hpp"
#include "detail/misuse.hpp"
#include "detail/tile.hpp"
#include "distributions/list.hpp"
#include "draw.hpp"
#include "generator.hpp"
#include "matrix_view.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A fill with its types erased.
struct FillRequest {
    const char* name;                        // of the distribution, for messages
    int index;                               // in the catalogue, or -1:
    const rng_abi::MapFunctions* functions;  // then the map of a user's own distribution
    const void* distribution;
    uint64_t slot_words;
    bool pairs;
    unsigned domain;
    size_t value_bytes, alignment;
    StreamRecord stream;  // positioned at the first value
};

/// Strided destination: value row * cols + col goes to data + (row * row_stride + col * col_stride) * value_bytes.
struct StridedTarget {
    void* data;
    size_t rows, cols;
    ptrdiff_t row_stride, col_stride;
};

/// What a fill of device memory is given; request.stream is not yet known where a generator provides it.
struct DeviceTarget {
    void* data;
    size_t n;
    cuda_stream stream;
};

RNG_API void fill_byte_values(const StreamRecord& stream, std::byte* out, size_t n);
RNG_API void fill_values(const FillRequest& request, void* out, size_t n);
RNG_API void fill_strided(const FillRequest& request, const StridedTarget& target);

[[noreturn]] RNG_API void throw_parameter_fault(const char* call, const char* name, const ParameterFault& fault);
/// Refuses a null destination, a CUDA generator for host memory and a matrix of more than 2^64 - 1 elements.
RNG_API size_t checked_size(const char* name, const void* data, size_t rows, size_t cols);
/// Before a generator moves on: it must be on the CPU, and RNG_ISA and RNG_NUM_THREADS must be in order.
RNG_API void require_cpu(const char* name, Device device);

/// Calls fault(distribution) in round-to-nearest without flushing: limits must not depend on the caller's modes.
RNG_API ParameterFault fault_in_standard_modes(ParameterFault (*fault)(const void*), const void* distribution);

template <class D> void validate(const char* call, const D& dist) {
    if constexpr (HasFault<D>) {
        const auto fault_of = [](const void* d) -> ParameterFault { return static_cast<const D*>(d)->fault(); };
        if (const ParameterFault fault = fault_in_standard_modes(fault_of, &dist))
            throw_parameter_fault(call, name_of<D>(), fault);
    }
}

template <class D> [[nodiscard]] FillRequest request(const D& dist, const StreamRecord& stream) {
    static_assert(is_same<D, canonical_t<D>>);
    const rng_abi::MapFunctions* functions = nullptr;
    if constexpr (catalogue_index<D> < 0) {
        static constexpr rng_abi::MapFunctions own = lane::map_functions<D, lane::NoVectors>();
        functions = &own;
    }
    return {name_of<D>(), catalogue_index<D>,  functions,
            &dist,        D::slot_words,       D::shape == Shape::pair,
            domain_of<D>, sizeof(result_t<D>), alignof(result_t<D>),
            stream};
}

/// The stream's record from value `first` on; Error (end_of_stream) if n values do not fit.
template <class D, class E> [[nodiscard]] StreamRecord positioned(const Stream<E>& stream, uint64_t first, uint64_t n) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    require_index(first <= size && n <= size && slots_fit(stream.position, first + n, slot, size), "fill", first);
    return record(stream.at_position(round_up(stream.position, slot) + first * slot));
}

/// Memory of elements T can hold results of type V.
template <class T, class V> inline constexpr bool is_stored_as = is_same<fixed_width<T>, fixed_width<V>>;
template <class T> inline constexpr bool is_stored_as<std::complex<T>, complex<T>> = true;

template <class R, class D> constexpr void check_element_type() {
    using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
    static_assert(!std::is_const_v<T>, "fill: the range is const");
    static_assert(is_stored_as<std::remove_const_t<T>, result_t<D>>,
                  "fill: the elements of the range are not of the distribution's type: normal{0.0f, 1.0f} makes float, "
                  "normal{0.0, 1.0} double, uniform_int{1, 6} int, bits<uint32_t>{} uint32_t");
}

/// rows * cols values into `out`, whose i-th element is element(i) and whose first is at `data`.
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

}  // namespace detail

/// Pure: out[i] = at(stream, dist, first + i), for a contiguous range (vector, array, span) of the distribution's type.
/// Throws Error: parameters out of range, null data, the end of the stream.
template <std::ranges::contiguous_range R, distribution D, class E>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, const Stream<E>& stream, Integer first = 0) {
    detail::check_element_type<R, D>();
    detail::validate("fill", dist);
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out));
    detail::fill_values(detail::request(detail::canonical(dist), detail::positioned<D>(stream, first, n)), data, n);
}

/// Fills a contiguous range and moves the generator on. Throws Error as above, and if the generator belongs to another
/// device; the generator is then unchanged.
template <std::ranges::contiguous_range R, distribution D>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, Generator& generator = default_generator()) {
    detail::check_element_type<R, D>();
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), generator.device());
    const auto data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out));
    if (n > 0)
        detail::fill_values(detail::request(detail::canonical(dist), generator.claim("fill", n, D::slot_words)), data,
                            n);
}
/// From a temporary: fill(x, dist, generator.fork(7)).
template <std::ranges::contiguous_range R, distribution D> void fill(R&& out, const D& dist, Generator&& generator) {
    fill(out, dist, generator);
}
template <std::ranges::contiguous_range R, distribution D>
void fill(R&& out, const D& dist,
          const Generator&) = delete;  // a fill moves the generator on: pass one that is not const

/// From one of this library's engines: the values of dist(engine) in a loop, and the engine stands where that leaves
/// it. Throws Error as above, and if the engine stands outside domain 0; the engine is then unchanged.
template <std::ranges::contiguous_range R, distribution D, detail::movable_engine G>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, G&& engine) {
    detail::check_element_type<R, D>();
    const auto data = std::ranges::data(out);
    detail::fill_from_engine(
        out, data, 1, std::ranges::size(out), dist, engine, [data](size_t i) -> auto& { return data[i]; });
}

/// Random bytes: those of the stream's 32-bit words, little-endian. Takes ceil(n / 4) words, so that a fill of n bytes
/// and one of m are a fill of n + m where n is divisible by 4. Pure. Throws Error: null data, the end of the stream.
template <class E> void fill_bytes(std::span<std::byte> out, const Stream<E>& stream) {
    const size_t n = detail::checked_size("bytes", out.data(), 1, out.size());
    detail::fill_byte_values(detail::positioned<bits<uint32_t>>(stream, 0, n / 4 + (n % 4 != 0)), out.data(), n);
}
/// The same; moves the generator on.
inline void fill_bytes(std::span<std::byte> out, Generator& generator = default_generator()) {
    detail::require_cpu("bytes", generator.device());
    const size_t n = detail::checked_size("bytes", out.data(), 1, out.size());
    if (n > 0) detail::fill_byte_values(generator.claim("fill_bytes", n / 4 + (n % 4 != 0), 1), out.data(), n);
}

/// Matrices: element (row, col) is value row * cols + col, whatever the strides. Elements must not overlap.
template <class T, distribution D>
void fill(matrix_view<T> out, const D& dist, Generator& generator = default_generator()) {
    static_assert(detail::is_stored_as<T, result_t<D>>, "fill: the matrix is not of the distribution's type");
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), generator.device());
    const size_t n = detail::checked_size(detail::name_of<D>(), out.data, out.rows, out.cols);
    if (n > 0)
        detail::fill_strided(detail::request(detail::canonical(dist), generator.claim("fill", n, D::slot_words)),
                             detail::StridedTarget{out.data, out.rows, out.cols, out.row_stride, out.col_stride});
}
template <class T, distribution D, class E>
void fill(matrix_view<T> out, const D& dist, const Stream<E>& stream, Integer first = 0) {
    static_assert(detail::is_stored_as<T, result_t<D>>, "fill: the matrix is not of the distribution's type");
    detail::validate("fill", dist);
    const size_t n = detail::checked_size(detail::name_of<D>(), out.data, out.rows, out.cols);
    detail::fill_strided(detail::request(detail::canonical(dist), detail::positioned<D>(stream, first, n)),
                         detail::StridedTarget{out.data, out.rows, out.cols, out.row_stride, out.col_stride});
}

template <class T, distribution D, detail::movable_engine G> void fill(matrix_view<T> out, const D& dist, G&& engine) {
    static_assert(detail::is_stored_as<T, result_t<D>>, "fill: the matrix is not of the distribution's type");
    detail::fill_from_engine(out, out.data, out.rows, out.cols, dist, engine,
                             [&](size_t i) -> T& { return out(i / out.cols, i % out.cols); });
}

namespace detail {
/// Throws Error (invalid_argument) where std::vector would not name the call.
template <class T> std::vector<T> vector_of(uint64_t n) {
    if (const size_t most = std::vector<T>{}.max_size(); n > most)
        raise_text(ErrorCode::invalid_argument, "sample: n must be at most %zu, got %s", most, NumberText(n).text);
    return std::vector<T>(n);
}
}  // namespace detail

/// n values in a new vector.
template <distribution D>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, Generator& generator = default_generator()) {
    std::vector<result_t<D>> values = detail::vector_of<result_t<D>>(n);
    fill(values, dist, generator);
    return values;
}
template <distribution D>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, Generator&& generator) {
    return sample(dist, n, generator);
}
template <distribution D>
std::vector<result_t<D>> sample(const D& dist, Integer n, const Generator&) = delete;  // it would have to move on
template <distribution D, detail::movable_engine G>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, G&& engine) {
    std::vector<result_t<D>> values = detail::vector_of<result_t<D>>(n);
    fill(values, dist, engine);
    return values;
}
/// Pure: values first ... first + n - 1 of the stream.
template <distribution D, class E>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, Integer n, const Stream<E>& stream, Integer first = 0) {
    std::vector<result_t<D>> values = detail::vector_of<result_t<D>>(n);
    fill(values, dist, stream, first);
    return values;
}

template <distribution D>
result_t<D> at(const Generator&, const D&,
               Integer) = delete;  // random access is a stream's: at(generator.stream(), ...)

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
