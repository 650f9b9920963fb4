// fill_rows: fills each row of a matrix with one structured value: a random vector or matrix, whose components are
// drawn jointly.
//
//     const std::vector<double> alpha{0.5, 1, 2.5};
//     std::vector<double> shares(1000 * 3);
//     const auto table = rng::matrix_view<double>::row_major(shares.data(), 1000, 3);
//     rng::fill_rows(table, rng::dirichlet(alpha), gen);          // advances the generator
//     rng::fill_rows(table, rng::dirichlet(alpha), stream);       // pure: row i is row_at(stream, dist, i)
//
// A value that is a d x d matrix is stored row by row in the d * d columns of the view.
// The distributions are in rng/structured: dirichlet, multivariate_normal, sphere, ball, haar_orthogonal,
// haar_special_orthogonal, haar_unitary, wishart, multinomial, multivariate_hypergeometric.
// The rows must not overlap the lists of the distribution.
// Rows are computed on the library's threads. fill_rows(n) then fill_rows(m) equals fill_rows(n + m).
// Kernels compute the rows of a device_matrix, which is CUDA device memory, in sources that nvcc compiles
// (device_fill_rows.hpp).
#pragma once

#include "detail/any_engine.hpp"
#include "detail/device_row_target.hpp"
#include "detail/row_components.hpp"
#include "fill.hpp"
#include "matrix_view.hpp"
#include "row_at.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A fill of rows that computes one row after the other.
template <class D, class E> struct RowFill {
    const D& dist;
    Stream<E> stream;  // at the slot of the first row
    matrix_view<result_t<D>> out;

    [[nodiscard]] RowPlace<result_t<D>> row(size_t i) const { return {&out(i, 0), out.col_stride}; }
    void write(size_t begin, size_t end) const {
        for (size_t i = begin; i < end; ++i) write_row(stream, dist, stream.position + i * row_slot_words, row(i));
    }
};
struct FinishRow {
    template <class L, class D> RNG_FN void operator()(type_tag<L>, const D& dist, RowPlace<result_t<D>> row) const {
        dist.finish(OneRow<L, result_t<D>>{row});
    }
};
/// A fill of rows that computes one component of many rows at a time. The components are in the columns of a buffer, so
/// that a SIMD vector holds many rows, and are then copied to the matrix. Rows that are too long for the buffer are
/// computed in the matrix itself.
template <class D> struct RowFill<D, void> {
    using T = result_t<D>;
    const D& dist;
    StreamRecord stream;
    matrix_view<T> out;

    void write(size_t begin, size_t end) const {
        const bool has_columns = out.cols <= most_columns;
        const size_t fitting = elements_together / out.cols & ~(least_rows - 1);
        const size_t height = std::min(end - begin, std::clamp(fitting, least_rows, rows_together));
        std::vector<T> columns(has_columns ? height * out.cols : 0);
        for (size_t from = begin; from < end; from += height) {
            const size_t rows = std::min(end - from, height);
            const matrix_view<T> target{&out(from, 0), rows, out.cols, out.row_stride, out.col_stride};
            if (!has_columns) {
                make(from, target, 0);
                continue;
            }
            const matrix_view<T> made{columns.data(), rows, out.cols, 1, static_cast<ptrdiff_t>(height)};
            make(from, made, height);
            for (size_t i = 0; i < rows; ++i)
                for (size_t j = 0; j < out.cols; ++j) target(i, j) = made(i, j);
        }
    }

  private:
    /// Computes rows from row `from` on. `height` is the height of the buffer's columns, or 0 if the rows are in the
    /// matrix.
    void make(size_t from, const matrix_view<T>& rows, size_t height) const {
        // The stride of a single row may be any number.
        const ptrdiff_t step = (rows.rows == 1 ? 1 : rows.row_stride) * static_cast<ptrdiff_t>(sizeof(T));
        StreamRecord first = stream;
        first.position += from * row_slot_words;
        RowStreams streams(first, rows.rows);
        dist.for_each_component([&](uint64_t place, const auto& base, uint64_t j) {
            streams.fill_component(request(base, first), j, reinterpret_cast<std::byte*>(&rows(0, place)), step);
        });
        const size_t finished = height == 0 ? 0 : finish_rows(rows_index<D>, &dist, rows.data, height, rows.rows);
        for (size_t i = finished; i < rows.rows; ++i)
            over_best_lane_of_rows<const D&, RowPlace<T>>(FinishRow{}, dist, {&rows(i, 0), rows.col_stride});
    }
};

/// A fill of rows of multinomial counts that computes one outcome of many rows at a time.
template <class T, class W> struct RowFill<multinomial<T, W>, void> {
    const multinomial<T, W>& dist;
    StreamRecord stream;
    matrix_view<T> out;

    void write(size_t begin, size_t end) const {
        for (size_t from = begin; from < end; from += rows_together) {
            const size_t rows = std::min(end - from, rows_together);
            StreamRecord first = stream;
            first.position += from * row_slot_words;
            RowStreams streams(first, rows);
            uint64_t left[rows_together], counts[rows_together];
            std::fill_n(left, rows, static_cast<uint64_t>(dist.trials));
            dist.for_each_share([&](uint64_t j, double share, bool is_of_others) {
                streams.fill_binomials(j, left, share, counts);
                for (size_t i = 0; i < rows; ++i) {
                    const uint64_t others = left[i] - counts[i];
                    out(from + i, j) = static_cast<T>(is_of_others ? others : counts[i]);
                    left[i] = is_of_others ? counts[i] : others;
                }
            });
        }
    }
};

template <class D> inline constexpr bool makes_rows_together = rows_index<D> >= 0;
template <class T, class W> inline constexpr bool makes_rows_together<multinomial<T, W>> = true;

/// The least number of elements that is worth a thread: 50 microseconds of work or more.
inline constexpr size_t least_elements_of_rows = 2048;

template <class Fill> void run_row_fill(const Fill& fill) {
    // Chunks begin at multiples of 64. Here they are chunks of 64ths of rows, so that threads also share a few large
    // rows.
    constexpr size_t parts = 64;
    const size_t threads = fill.out.rows > 1 ? fill.out.rows * fill.out.cols / least_elements_of_rows + 1 : 1;
    struct Job {
        const Fill& fill;
    } job{fill};
    run_in_chunks(
        fill.out.rows * parts, threads,
        [](void* context, size_t from, size_t to) {
            static_cast<const Job*>(context)->fill.write(from / parts, to / parts);
        },
        &job);
}

/// Makes the checks of fill_rows(), before anything is written or a generator advances.
template <class Matrix, class D> void require_rows(const Matrix& out, const D& dist) {
    static_assert(is_stored_as<std::remove_pointer_t<decltype(out.data)>, result_t<D>>,
                  "fill_rows: the matrix is not of the distribution's type");
    validate("fill_rows", dist);
    (void)checked_size(D::name, out.data, out.rows, out.cols, "fill_rows");
    if (out.cols != dist.row_size())
        refuse(std::string("fill_rows: ") + D::name, "the matrix must have " + std::to_string(dist.row_size()) +
                                                         " columns, one for each element of a row, got " +
                                                         std::to_string(out.cols));
}
template <class T, class D> matrix_view<result_t<D>> checked_rows(const matrix_view<T>& out, const D& dist) {
    require_rows(out, dist);
    return {reinterpret_cast<result_t<D>*>(out.data), out.rows, out.cols, out.row_stride, out.col_stride};
}

/// Calls submit(request, target) for rows in device memory, from a stream of engine E; void means any engine.
template <class E, class T, class D, class Submit>
void submit_rows(const device_matrix<T>& out, const D& dist, const StreamRecord& from, cuda_stream stream,
                 const Submit& submit) {
    constexpr DeviceLaunch launch = row_launch<D, E>();
    require_rows(out, dist);
    const std::vector<uint64_t> lists = packed_lists(dist);
    submit(FillRequest{D::name,
                       -1,
                       nullptr,
                       &dist,
                       {},
                       row_slot_words,
                       domain::draws,
                       sizeof(result_t<D>),
                       alignof(result_t<D>),
                       from},
           DeviceTarget{out.data,
                        out.rows,
                        stream,
                        {out.cols, out.row_stride, out.col_stride},
                        launch,
                        "fill_rows",
                        {lists.data(), lists.size() * sizeof(uint64_t)}});
}

}  // namespace detail

/// Fills the rows of a matrix: row i is row_at(stream, dist, first + i). Pure. The matrix has dist.row_size() columns,
/// any strides, and no elements that overlap.
/// Throws Error: parameters out of range, a wrong number of columns, null data, the end of the stream. Then nothing is
/// written.
template <class T, row_distribution D, class E>
void fill_rows(matrix_view<T> out, const D& dist, const Stream<E>& stream, Integer first = 0) {
    const auto rows = detail::checked_rows(out, dist);
    const auto from = detail::at_slot(stream, first, out.rows, detail::row_slot_words, "fill_rows");
    if (out.rows == 0) return;
    if constexpr (detail::makes_rows_together<D>)
        detail::run_row_fill(detail::RowFill<D, void>{dist, detail::record(from), rows});
    else
        detail::run_row_fill(detail::RowFill<D, E>{dist, from, rows});
}

/// Fills the rows of a matrix with the generator's next rows, and advances it by four words for each row.
/// Throws Error as the fill from a stream does, and if the generator belongs to another device; then the generator is
/// unchanged.
template <class T, row_distribution D, detail::movable_generator G = Generator&>
void fill_rows(matrix_view<T> out, const D& dist, G&& generator = default_generator()) {
    Generator& source = generator;
    const auto rows = detail::checked_rows(out, dist);
    if (!(source.device() == cpu()))
        detail::refuse(std::string("fill_rows: ") + D::name,
                       "the destination is host memory but the generator is on " + to_string(source.device()) +
                           "; for device memory pass a device_matrix, include <rng/device_fill_rows.hpp> and compile "
                           "the call by nvcc");
    detail::require_cpu(D::name, source.device());
    if (out.rows == 0) return;
    const detail::StreamRecord from = source.claim("fill_rows", out.rows, detail::row_slot_words);
    if constexpr (detail::makes_rows_together<D>)
        detail::run_row_fill(detail::RowFill<D, void>{dist, from, rows});
    else if (from.engine == Engine::philox4x32_10)
        detail::run_row_fill(detail::RowFill<D, Philox4x32_10>{dist, detail::stream_of<Philox4x32_10>(from), rows});
    else
        detail::run_row_fill(detail::RowFill<D, detail::AnyEngine>{dist, detail::any_stream(from), rows});
}

/// Submits a fill of rows in device memory to `stream`, and advances the generator by four words for each row. The rows
/// have the bits of the CPU's. The generator must be on the memory's device. Lists of the distribution are in host
/// memory, and need not outlive the call. The source must include device_fill_rows.hpp and be compiled by nvcc.
/// Throws Error on:
/// - parameters out of range, a wrong number of columns, null or misaligned memory,
/// - memory that is not on the generator's device,
/// - the end of the stream,
/// - a failure of CUDA (with its call, code and text).
template <class T, row_distribution D>
void fill_rows(device_matrix<T> out, const D& dist, Generator& generator, cuda_stream stream = default_stream()) {
    detail::submit_rows<void>(out, dist, {}, stream, [&generator](const auto& request, const auto& target) {
        detail::fill_device(request, target, &generator);
    });
}
/// Submits a fill of rows from the default generator of the memory's device.
template <class T, row_distribution D>
void fill_rows(device_matrix<T> out, const D& dist, cuda_stream stream = default_stream()) {
    detail::submit_rows<void>(out, dist, {}, stream, [](const auto& request, const auto& target) {
        detail::fill_device(request, target, nullptr);
    });
}
/// Submits a fill of rows from a stream: row i is row_at(from, dist, first + i). Pure.
template <class T, row_distribution D, class E>
void fill_rows(device_matrix<T> out, const D& dist, const Stream<E>& from, Integer first = 0,
               cuda_stream stream = default_stream()) {
    const auto at_first = detail::at_slot(from, first, out.rows, detail::row_slot_words, "fill_rows");
    detail::submit_rows<E>(out, dist, detail::record(at_first), stream,
                           [](const auto& request, const auto& target) { detail::fill_device(request, target); });
}

namespace detail {

/// True for a wrong call of fill_rows(), as misused_fill() is for fill() (detail/misuse.hpp).
template <class Out, class Dist, class... From> constexpr bool misused_fill_rows() {
    constexpr bool is_matrix = is_view<Out> || is_of_device<Out>;
    if constexpr (row_distribution<Dist>)
        return !is_matrix || (is_view<Out> && !first_is_source<From...>);
    else
        return is_matrix || row_distribution<Out>;
}
template <class Out, class Dist, class... From> constexpr void explain_fill_rows() {
    if constexpr (row_distribution<Out>)
        static_assert(never<Out>, "fill_rows: the matrix comes first: write fill_rows(matrix, dist, generator)");
    else if constexpr (!is_view<Out> && !is_of_device<Out>)
        static_assert(never<Out>,
                      "fill_rows: the first argument is a matrix: of a std::vector<double> x write "
                      "matrix_view<double>::row_major(x.data(), rows, dist.row_size())");
    else if constexpr (source<Dist>)
        static_assert(never<Out>, "fill_rows: the distribution comes second: write fill_rows(matrix, dist, generator)");
    else if constexpr (distribution<Dist>)
        static_assert(never<Out>,
                      "fill_rows: the distribution makes single values, not rows: write fill(matrix, dist, generator)");
    else if constexpr (!row_distribution<Dist>)
        static_assert(never<Out>,
                      "fill_rows: the second argument is not a distribution of rows: rng::dirichlet(alpha), "
                      "rng::multinomial(100, weights) and the others of rng/structured are");
    else
        explain_source<From...>();
}

}  // namespace detail

/// Does not compile: explains a wrong call of fill_rows().
template <class Out, class Dist, class... From>
requires(detail::misused_fill_rows<Out, Dist, From...>())  //
    void fill_rows(const Out&, const Dist&, const From&...) {
    detail::explain_fill_rows<Out, Dist, From...>();
}

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
