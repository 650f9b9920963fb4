// The type-free request that every fill() makes from its arguments; librng carries it out (src/fill.cpp).
#pragma once

#include <complex>
#include <ranges>
#include <type_traits>
#include <vector>

#include "../distributions/list.hpp"
#include "../draw.hpp"
#include "../generator.hpp"
#include "../matrix_view.hpp"
#include "tile.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A fill with its types erased.
struct FillRequest {
    const char* name;                        // the distribution's name, for messages
    int index;                               // the distribution's index in the catalogue, or -1
    const rng_abi::MapFunctions* functions;  // if index == -1: the map of a user's own distribution
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

/// The destination of a fill of device memory. If a generator provides the request's stream, the stream is set later.
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
/// Called before a generator moves on: the generator must be on the CPU, and RNG_ISA and RNG_NUM_THREADS must be valid.
RNG_API void require_cpu(const char* name, Device device);

/// Calls fault(distribution) in round-to-nearest mode without flushing, so that limits do not depend on the caller's
/// modes.
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

/// Returns the stream's record from value `first` on. Throws Error (end_of_stream) if n values do not fit.
template <class D, class E> [[nodiscard]] StreamRecord positioned(const Stream<E>& stream, uint64_t first, uint64_t n) {
    constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
    require_index(first <= size && n <= size && slots_fit(stream.position, first + n, slot, size), "fill", first);
    return record(stream.at_position(round_up(stream.position, slot) + first * slot));
}

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
