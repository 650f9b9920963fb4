// init: initial weights of neural networks, with the names and formulas of torch.nn.init.
//
//     std::vector<float> w(512 * 256);                                  // 512 outputs, 256 inputs
//     const auto fans = rng::init::fans({512, 256});
//     rng::fill(w, rng::init::xavier_uniform<float>(fans), gen);
//     rng::fill(w, rng::init::kaiming_normal<float>(fans, rng::init::FanMode::in,
//                                                   rng::init::gain(rng::init::Nonlinearity::leaky_relu, 0.2)), gen);
//     const rng::shard<float> rows(w.data(), {1024, 256}, {512, 0}, {512, 256});
//     rng::init::orthogonal(rows, gen);                                 // rows 512 to 1023 of a 1024 x 256 matrix
//
// Independent weights are plain fills, so these functions return distributions. Each works with every fill: of ranges,
// matrices, shards and device memory. Uniform, normal and truncated normal weights need no function of their own:
// rng::fill(part, rng::truncated_normal{0.0f, 0.02f, -0.04f, 0.04f}, gen).
// The weights of a tensor do not depend on how it is sharded (shard.hpp).
// Sources: X. Glorot, Y. Bengio, AISTATS 2010; K. He et al., ICCV 2015; A. Saxe et al., ICLR 2014 (orthogonal); J.
// Martens, ICML 2010 (sparse). Oracle: kaiming_normal of 64 inputs has the standard deviation sqrt(2 / 64).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "detail/random_source.hpp"
#include "distributions/normal.hpp"
#include "distributions/uniform.hpp"
#include "shard.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace init {

/// The fans of a weight: the inputs of each output (in), and the outputs of each input (out).
struct Fans {
    double in = 0, out = 0;
};
/// Returns the fans of a weight {outputs, inputs, kernel's sizes...}, as torch counts them. (JAX puts inputs before
/// outputs: give {outputs, inputs} here.) Throws Error (invalid_argument) unless there are at least two dimensions,
/// none of them 0.
[[nodiscard]] RNG_API Fans fans(const std::vector<size_t>& shape);

/// The activation function between two layers.
enum class Nonlinearity { linear, sigmoid, tanh, relu, leaky_relu, selu };
/// Returns the recommended gain, as torch.nn.init.calculate_gain: 1, 1, 5/3, sqrt(2), sqrt(2 / (1 + slope^2)) and 3/4.
/// The slope is that of leaky_relu below 0. Throws Error (invalid_argument) if it is not in [-2^30, 2^30].
[[nodiscard]] RNG_API double gain(Nonlinearity function, double slope = 0.01);

/// Returns the gain of a function by its name in torch: "linear", "conv1d" to "conv3d", "conv_transpose1d" to
/// "conv_transpose3d", "sigmoid", "tanh", "relu", "leaky_relu" or "selu". Throws Error (invalid_argument) on another
/// name, and as above.
[[nodiscard]] RNG_API double gain(std::string_view function, double slope = 0.01);

/// The fan of Kaiming's weights: `in` preserves the variance in the forward pass, `out` in the backward pass.
enum class FanMode { in, out };

}  // namespace init

namespace detail {

[[nodiscard]] RNG_API double xavier_stddev(const char* call, const init::Fans& fans, double gain);
[[nodiscard]] RNG_API double kaiming_stddev(const char* call, const init::Fans& fans, init::FanMode mode, double gain);

/// Returns the distribution, or throws Error (invalid_argument) if a parameter is out of range for its value type.
template <class D> [[nodiscard]] D checked_distribution(const char* call, double stddev, const D& dist) {
    if (const ParameterFault fault = dist.fault())
        raise_text(ErrorCode::invalid_argument,
                   "%s: gain and fans give a standard deviation of %.9g, for which %s of %s %s", call, stddev,
                   fault.field, name_of<D>(), fault.limit);
    return dist;
}

/// The uniform distribution with mean 0 and this standard deviation.
template <class T> [[nodiscard]] uniform<T> symmetric_uniform(const char* call, double stddev) {
    const double bound = lane::Scalar::mul(0x1.bb67ae8584caap+0, stddev);  // sqrt(3), as Python's math.sqrt(3.0)
    using A = arithmetic_t<T>;
    const A hi = static_cast<A>(static_cast<T>(static_cast<A>(bound)));
    return checked_distribution(call, stddev, uniform<T>{-hi, hi});
}
/// The normal distribution with mean 0 and this standard deviation.
template <class T> [[nodiscard]] normal<T> symmetric_normal(const char* call, double stddev) {
    using A = arithmetic_t<T>;
    return checked_distribution(call, stddev, normal<T>{A(0), static_cast<A>(stddev)});
}

/// Writes the stream's max(rows, cols) x min(rows, cols) matrix with orthonormal columns, times the gain, without gaps.
/// T is float or double.
template <class T>
RNG_API void orthogonal_columns(const StreamRecord& stream, size_t rows, size_t cols, double gain, T* out);
extern template void orthogonal_columns(const StreamRecord&, size_t, size_t, double, float*);
extern template void orthogonal_columns(const StreamRecord&, size_t, size_t, double, double*);

/// Returns the number of the tensor's elements. Throws Error on a shard of fewer than two dimensions, and a gain out of
/// range.
[[nodiscard]] RNG_API uint64_t checked_orthogonal(const ShardTarget& target, double gain);
/// Returns the number of zeros in a column. Throws Error on a shard that is not a matrix, and a sparsity outside [0,
/// 1].
[[nodiscard]] RNG_API size_t checked_sparse(const ShardTarget& target, double sparsity);
/// Chooses the rows of a column that are 0. The constructor allocates all memory: 16 bytes for each row of the whole
/// matrix.
class ZeroRows {
  public:
    explicit ZeroRows(size_t rows) : keys_(rows), order_(rows) {}
    /// Returns `zeros` rows of a column, valid until the next call. The stream is positioned at the tensor's first
    /// value.
    RNG_API std::span<const size_t> of(const StreamRecord& stream, size_t column, size_t zeros);

  private:
    std::vector<uint64_t> keys_;
    std::vector<size_t> order_;
};

/// Calls f(element, number) for all elements of a shard, with their row-major numbers in the whole tensor.
template <class T, class F> void for_each_element(const shard<T>& out, const F& f) {
    for (const size_t size : out.sizes)
        if (size == 0) return;
    std::vector<size_t> index(out.sizes.size());
    for (;;) {
        size_t number = 0;
        ptrdiff_t place = 0;
        for (size_t k = 0; k < index.size(); ++k) {
            number = number * out.shape[k] + out.offsets[k] + index[k];
            place += static_cast<ptrdiff_t>(index[k]) * out.strides[k];
        }
        f(out.data[place], number);
        size_t k = index.size();
        while (k > 0 && ++index[k - 1] == out.sizes[k - 1]) index[--k] = 0;
        if (k == 0) return;
    }
}

/// A source of random numbers is a Stream, or a Generator, which advances past the whole tensor.
template <class T, class S> void write_orthogonal(const shard<T>& out, S& source, double gain) {
    using A = arithmetic_t<T>;
    const uint64_t n = checked_orthogonal(erased(out), gain);
    if (n == 0) return;
    const size_t rows = out.shape[0], cols = n / rows;
    std::vector<A> q(n);
    orthogonal_columns<A>(take_slots<normal<A>>("orthogonal", n, source), rows, cols, gain, q.data());
    for_each_element(out, [&](T& element, size_t number) {
        element = static_cast<T>(rows >= cols ? q[number] : q[number % cols * rows + number / cols]);
    });
}
template <class T, class S> void write_sparse(const shard<T>& out, double sparsity, arithmetic_t<T> stddev, S& source) {
    ShardTarget target = erased(out);
    const size_t zeros = checked_sparse(target, sparsity), n = out.shape[0] * out.shape[1];
    const normal<T> dist{0, stddev};
    validate("sparse", dist);
    if (n == 0) return;
    ZeroRows zero_rows(out.shape[0]);
    const StreamRecord stream = take_slots<normal<T>>("sparse", n, source);
    fill_shard(request(dist, stream), std::move(target));  // allocates nothing
    const matrix_view<T> part{out.data, out.sizes[0], out.sizes[1], out.strides[0], out.strides[1]};
    for (size_t j = 0; j < part.cols && part.rows > 0; ++j)
        for (const size_t row : zero_rows.of(stream, out.offsets[1] + j, zeros))
            if (row >= out.offsets[0] && row - out.offsets[0] < part.rows) part(row - out.offsets[0], j) = T{};
}

}  // namespace detail

namespace init {

/// Returns the uniform distribution on [-b, b) with b = gain * sqrt(6 / (in + out)) (Glorot). Types: float, double,
/// float16, bfloat16. Throws Error (invalid_argument) unless gain is in [2^-40, 2^40], the fans are in [1, 2^64], and
/// the parameters are in range for the type.
template <class T> [[nodiscard]] uniform<T> xavier_uniform(const Fans& fans, double gain = 1) {
    constexpr const char* call = "xavier_uniform";
    return detail::symmetric_uniform<T>(call, detail::xavier_stddev(call, fans, gain));
}
/// Returns the normal distribution with mean 0 and standard deviation gain * sqrt(2 / (in + out)) (Glorot). Types and
/// errors as xavier_uniform.
template <class T> [[nodiscard]] normal<T> xavier_normal(const Fans& fans, double gain = 1) {
    constexpr const char* call = "xavier_normal";
    return detail::symmetric_normal<T>(call, detail::xavier_stddev(call, fans, gain));
}
/// Returns the uniform distribution on [-b, b) with b = gain * sqrt(3 / fan) (He); the default gain is that of relu.
/// Types and errors as xavier_uniform.
template <class T>
[[nodiscard]] uniform<T> kaiming_uniform(const Fans& fans, FanMode mode = FanMode::in,
                                         double gain = init::gain(Nonlinearity::relu)) {
    constexpr const char* call = "kaiming_uniform";
    return detail::symmetric_uniform<T>(call, detail::kaiming_stddev(call, fans, mode, gain));
}
/// Returns the normal distribution with mean 0 and standard deviation gain / sqrt(fan) (He); the default gain is that
/// of relu. Types and errors as xavier_uniform.
template <class T>
[[nodiscard]] normal<T> kaiming_normal(const Fans& fans, FanMode mode = FanMode::in,
                                       double gain = init::gain(Nonlinearity::relu)) {
    constexpr const char* call = "kaiming_normal";
    return detail::symmetric_normal<T>(call, detail::kaiming_stddev(call, fans, mode, gain));
}

/// Fills a shard of a random matrix with orthonormal rows or columns, whichever are fewer, times gain. The matrix has
/// shape[0] rows; all other dimensions together are its columns. It is uniform among such matrices (Haar). Its sums
/// have the order of svd_lowrank (docs/svd.md).
/// Each call computes the whole matrix: about 10 max(m, n) min(m, n)^2 operations, in float for the 16-bit types.
/// The source is a Stream or a Generator. A Generator advances past as many normal values as the whole tensor has
/// elements.
/// Throws Error (invalid_argument): fewer than two dimensions, a gain outside [2^-40, 2^40], an invalid shard. Also at
/// the end of the stream, and (unsupported) for a generator of another device. Then nothing has changed. If the
/// computation throws std::bad_alloc, the generator has already advanced.
template <class T, detail::random_source S> void orthogonal(const shard<T>& out, S&& source, double gain = 1) {
    detail::write_orthogonal(out, source, gain);
}

/// Fills a shard of a matrix that has ceil(sparsity * rows) zeros in each column, at random rows. The other elements
/// are those of the fill with normal{0, stddev}. While it runs, a call takes 16 bytes for each row of the whole matrix.
/// The source is a Stream or a Generator. A Generator advances as in the fill.
/// Throws Error (invalid_argument): a shard that is not a matrix, a sparsity outside [0, 1], a stddev that normal
/// rejects, an invalid shard. Also at the end of the stream, (unsupported) for a generator of another device, and
/// std::bad_alloc. Then nothing has changed.
template <class T, detail::random_source S>
void sparse(const shard<T>& out, double sparsity, detail::arithmetic_t<T> stddev, S&& source) {
    detail::write_sparse(out, sparsity, stddev, source);
}

}  // namespace init

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
