// The arguments of fills besides the request: destinations and their checks.
#pragma once

#include <algorithm>
#include <complex>
#include <ranges>
#include <type_traits>
#include <vector>

#include "../draw.hpp"
#include "../generator.hpp"
#include "../matrix_view.hpp"
#include "fill_request.hpp"
#include "fill_sizes.hpp"

#include "../core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// Strided destination: value row * cols + col goes to data + (row * row_stride + col * col_stride) * value_bytes.
struct StridedTarget {
    void* data;
    size_t rows, cols;
    ptrdiff_t row_stride, col_stride;
};

struct DeviceTarget;
/// Launches a fill whose stream is positioned at its first value. The device must be current. The counter is null, or
/// counts the replays of a graph.
using DeviceLaunch = void (*)(const FillRequest& request, const DeviceTarget& target, Device device,
                              const uint64_t* counter);

/// Numbers that a launch reads: parameter lists, direction numbers. They are in host memory, and are copied for the
/// launch. If `bytes` is 0, they are already in memory of the device.
struct LaunchNumbers {
    const void* data = nullptr;
    size_t bytes = 0;
};

/// The destination of a fill of device memory. If a generator provides the request's stream, the stream is set later.
struct DeviceTarget {
    void* data;
    size_t n;
    cuda_stream stream;
    Strides strides = {};
    DeviceLaunch launch = nullptr;  // null: the library's own, for the distributions of the catalogue
    const char* call = "fill";      // for messages
    LaunchNumbers numbers = {};     // a launch gets them in memory of the device
};

RNG_API void fill_byte_values(const StreamRecord& stream, std::byte* out, size_t n);
RNG_API void fill_strided(const FillRequest& request, const StridedTarget& target);

/// Returns rows * cols. Throws Error if `data` is null but there are elements, or if the product exceeds 2^64 - 1.
RNG_API size_t checked_size(const char* name, const void* data, size_t rows, size_t cols, const char* call = "fill");
/// Throws Error unless the generator's device is the CPU, and RNG_ISA and RNG_NUM_THREADS are valid. It is called
/// before a generator advances. The name is that of a distribution, or null.
RNG_API void require_cpu(const char* name, Device device, const char* call = "fill");

/// True if memory of elements T can hold results of type V.
template <class T, class V> inline constexpr bool is_stored_as = is_same<fixed_width<T>, fixed_width<V>>;
template <class T> inline constexpr bool is_stored_as<std::complex<T>, complex<T>> = true;

template <class R, class D> constexpr void check_element_type() {
    if constexpr (is_view<std::remove_cvref_t<R>>) {
        using T = std::remove_reference_t<decltype(*std::declval<R>().data)>;
        static_assert(is_stored_as<T, result_t<D>>, "fill: the matrix or shard is not of the distribution's type");
    } else {
        using T = std::remove_reference_t<std::ranges::range_reference_t<R>>;
        static_assert(!std::is_const_v<T>, "fill: the range is const");
        static_assert(is_stored_as<std::remove_const_t<T>, result_t<D>>,
                      "fill: the elements of the range are not of the distribution's type: normal{0.0f, 1.0f} makes "
                      "float, normal{0.0, 1.0} double, uniform_int{1, 6} int, bits<uint32_t>{} uint32_t");
    }
}

/// A range as the destination of a fill.
template <class T> struct RangeTarget {
    T* data;
    size_t n;
    [[nodiscard]] size_t size() const { return n; }
    [[nodiscard]] T& operator()(size_t i) const { return data[i]; }
    void fill(const FillRequest& request) const { fill_values(request, data, n); }
};
/// A view that is a destination, as a target. shard.hpp has that of a shard.
template <class View> class ViewTarget;
template <class T> class ViewTarget<matrix_view<T>> {
  public:
    ViewTarget(const char* name, const matrix_view<T>& view) : view_(view) {
        (void)checked_size(name, view.data, view.rows, view.cols);
    }
    [[nodiscard]] size_t size() const { return view_.rows * view_.cols; }
    [[nodiscard]] T& operator()(size_t i) const { return view_(i / view_.cols, i % view_.cols); }
    void fill(const FillRequest& request) const {
        fill_strided(request, {view_.data, view_.rows, view_.cols, view_.row_stride, view_.col_stride});
    }

  private:
    matrix_view<T> view_;
};
/// Returns where a fill of D's values writes. Throws Error as checked_size() does, and for a bad shard.
template <class D, class R> auto host_target(R& out) {
    check_element_type<R&, D>();
    if constexpr (is_view<std::remove_cvref_t<R>>) {
        return ViewTarget<std::remove_cvref_t<R>>(name_of<D>(), out);
    } else {
        const auto data = std::ranges::data(out);
        using T = std::remove_reference_t<decltype(*data)>;
        return RangeTarget<T>{data, checked_size(name_of<D>(), data, 1, std::ranges::size(out))};
    }
}

/// Advances an engine past n values that were read from `stream`, which was at the engine's position. Requires that
/// each slot is whole words of the engine.
template <class D, class E, class G> void move_past(G& engine, const Stream<E>& stream, uint64_t n) {
    constexpr uint64_t slot = D::slot_words, word = sizeof(typename G::word) / 4;
    if (n > 0) engine.discard((round_up(stream.position, slot) - stream.position + slot * n) / word);
}
/// True if each slot is whole words of the engine, so that its next n values are a fill from its stream.
template <class D, class G> inline constexpr bool has_runs = D::slot_words * 4 >= sizeof(typename G::word);

/// Fills `out` with the next values of an engine.
template <class Out, class D, class G> void fill_from_engine(Out& out, const D& dist, G& engine) {
    const auto stream = to_stream(engine);
    if constexpr (has_runs<D, std::remove_reference_t<G>>) {
        fill(out, dist, stream);
        move_past<D>(engine, stream, host_target<D>(out).size());
    } else {  // each value takes a whole word of the engine: it is value 0, 2, 4, ... of the stream
        validate("fill", dist);
        const auto target = host_target<D>(out);
        const uint64_t n = target.size();
        (void)positioned<D>(stream, 0, 2 * n);
        for (uint64_t i = 0; i < n; ++i) target(i) = draw_at_position(dist, engine);
    }
}

/// Returns an empty vector with room for n elements. Throws Error (invalid_argument) with the call's name if n is too
/// large for a std::vector.
template <class T> std::vector<T> room_for(uint64_t n) {
    std::vector<T> values;
    if (const size_t most = values.max_size(); n > most)
        raise_text(ErrorCode::invalid_argument, "sample: n must be at most %zu, got %s", most, NumberText(n).text);
    values.reserve(n);
    return values;
}

/// Appends the n values of a request to an empty vector with room for them. The vector grows by chunks, so that the
/// elements that it zeroes are still in the cache when the fill writes them.
template <class T> void append_values(std::vector<T>& values, FillRequest request, uint64_t n) {
    do {
        const size_t done = values.size(), chunk = std::min<uint64_t>(n - done, sample_chunk_bytes / sizeof(T));
        values.resize(done + chunk);
        fill_values(request, values.data() + done, chunk);
        request.stream.position += chunk * request.slot_words;
        request.fault = nullptr;  // the parameters are valid
    } while (values.size() < n);
}

}  // namespace detail

RNG_END_NAMESPACE

#include "../core/restore_macros.inc"
