// fill: values of a distribution into memory, the fastest way this machine has, the same bits on each.
//
//     rng::fill(x, rng::normal{0.0f, 1.0f}, generator);     // moves the generator on
//     rng::fill(std::span(x), rng::normal{0.0f, 1.0f}, stream);   // pure: value i is at(stream, dist, i)
//
// fill(n) then fill(m) equals fill(n + m). A fill of no values changes nothing. The distributions of the catalogue are
// compiled into the library; any other type with result_type, slot_words, shape and map() works too (docs/adding.md).
#pragma once

#include <ranges>
#include <span>
#include <vector>

#include "dist/catalogue.hpp"
#include "generator.hpp"
#include "lane/map.hpp"
#include "lane/tile.hpp"
#include "matrix_view.hpp"

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
    size_t value_bytes;
    StreamRecord stream;  // positioned at the first value
};

/// Strided destination: value row * cols + col goes to data + (row * row_stride + col * col_stride) * value_bytes.
struct StridedTarget {
    void* data;
    size_t rows, cols;
    ptrdiff_t row_stride, col_stride;
};

RNG_API void fill_values(const FillRequest& request, void* out, size_t n);
RNG_API void fill_strided(const FillRequest& request, const StridedTarget& target);

[[noreturn]] RNG_API void throw_parameter_fault(const char* call, const char* name, const ParameterFault& fault);
/// Refuses a null destination, a CUDA generator for host memory and a matrix of more than 2^64 - 1 elements.
RNG_API size_t checked_size(const char* name, const void* data, size_t rows, size_t cols);
RNG_API void require_cpu(const char* name, Device device);

template <class D>
concept HasName = requires {
    D::name;
};
template <class D>
concept HasFault = requires(const D& d) {
    d.fault();
};

template <class D> constexpr const char* name_of() {
    if constexpr (HasName<D>)
        return D::name;
    else
        return "user's distribution";
}

template <class D> void validate(const char* call, const D& dist) {
    if constexpr (HasFault<D>)
        if (const ParameterFault fault = dist.fault()) throw_parameter_fault(call, name_of<D>(), fault);
}

template <class D> [[nodiscard]] FillRequest request(const D& dist, const StreamRecord& stream) {
    static_assert(catalogue_index<D> >= 0 || sizeof(result_t<D>) > 0);
    const rng_abi::MapFunctions* functions = nullptr;
    if constexpr (catalogue_index<D> < 0) {
        static constexpr rng_abi::MapFunctions own{&lane::prepare_map<D>, &lane::apply_map<D, lane::NoVectors>};
        functions = &own;
    }
    return {name_of<D>(), catalogue_index<D>,  functions, &dist, D::slot_words, D::shape == Shape::pair,
            domain_of<D>, sizeof(result_t<D>), stream};
}

/// The stream's record for n values, its position rounded up to a slot; Error (end_of_stream) if they do not fit.
template <class D, class E> [[nodiscard]] StreamRecord positioned(const Stream<E>& stream, uint64_t n) {
    require_inside_stream(slots_fit(stream.position, n, D::slot_words, Stream<E>::size_words), "fill");
    return record(stream.at_position(round_up(stream.position, D::slot_words)));
}

}  // namespace detail

/// A type that fill() takes: see dist/parameters.hpp.
template <class D>
concept distribution = requires(const D& d) {
    typename D::result_type;
    {D::slot_words + 0};
    {D::shape == Shape::value};
    d.map();
};

/// Pure: out[i] = at(stream, dist, i). Throws Error: parameters out of range, null data, the end of the stream.
template <distribution D, class E> void fill(std::span<result_t<D>> out, const D& dist, const Stream<E>& stream) {
    detail::validate("fill", dist);
    const size_t n = detail::checked_size(detail::name_of<D>(), out.data(), 1, out.size());
    detail::fill_values(detail::request(dist, detail::positioned<D>(stream, n)), out.data(), n);
}

/// Fills a contiguous range (vector, array, span) of the distribution's type and moves the generator on.
/// Throws Error as above, and if the generator belongs to another device; the generator is then unchanged.
template <std::ranges::contiguous_range R, distribution D>
requires std::ranges::sized_range<R>
void fill(R&& out, const D& dist, Generator& generator = default_generator()) {
    using T = std::ranges::range_value_t<R>;
    static_assert(detail::is_same<T, result_t<D>>,
                  "fill: the elements of the range are not of the distribution's type; write normal<double>{} or "
                  "normal{0.0, 1.0} for doubles, normal{0.0f, 1.0f} for floats");
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), generator.device());
    T* data = std::ranges::data(out);
    const size_t n = detail::checked_size(detail::name_of<D>(), data, 1, std::ranges::size(out));
    if (n > 0) detail::fill_values(detail::request(dist, generator.claim("fill", n, D::slot_words)), data, n);
}

/// Matrices: element (row, col) is value row * cols + col, whatever the strides. Elements must not overlap.
template <class T, distribution D>
void fill(matrix_view<T> out, const D& dist, Generator& generator = default_generator()) {
    static_assert(detail::is_same<T, result_t<D>>, "fill: the matrix is not of the distribution's type");
    detail::validate("fill", dist);
    detail::require_cpu(detail::name_of<D>(), generator.device());
    const size_t n = detail::checked_size(detail::name_of<D>(), out.data, out.rows, out.cols);
    if (n > 0)
        detail::fill_strided(detail::request(dist, generator.claim("fill", n, D::slot_words)),
                             {out.data, out.rows, out.cols, out.row_stride, out.col_stride});
}
template <class T, distribution D, class E> void fill(matrix_view<T> out, const D& dist, const Stream<E>& stream) {
    static_assert(detail::is_same<T, result_t<D>>, "fill: the matrix is not of the distribution's type");
    detail::validate("fill", dist);
    const size_t n = detail::checked_size(detail::name_of<D>(), out.data, out.rows, out.cols);
    detail::fill_strided(detail::request(dist, detail::positioned<D>(stream, n)),
                         {out.data, out.rows, out.cols, out.row_stride, out.col_stride});
}

/// n values in a new vector.
template <distribution D>
[[nodiscard]] std::vector<result_t<D>> sample(const D& dist, size_t n, Generator& generator = default_generator()) {
    std::vector<result_t<D>> values(n);
    fill(values, dist, generator);
    return values;
}

RNG_END_NAMESPACE
