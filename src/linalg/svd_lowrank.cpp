// The low-rank SVD: what is done in which order. Every sum is one of cpu/linalg.hpp, so no bit depends on the
// instruction set or on threads; every branch depends on such bits alone.
#include <rng/linalg/svd_lowrank.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <rng/isa.hpp>

#include "../cpu/dispatch.hpp"
#include "../cpu/fp_environment.hpp"
#include "../cpu/threads.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

using rng_abi::ElementType;
using rng_abi::Operand;
using rng_abi::pad;
using rng_abi::sum_block;

size_t padded(size_t n, size_t to) { return (n + to - 1) / to * to; }

const rng_abi::LinalgFunctions& kernels() { return *rng_cpu::current_kernels().linalg; }

template <class T> rng_abi::ProductFunction product_function() {
    if constexpr (sizeof(T) == 4)
        return kernels().product_f32;
    else
        return kernels().product_f64;
}

/// Sums in the order of a binary tree, given its leaves from the first on: the one of the products' blocks.
template <class T> class TreeSum {
  public:
    explicit TreeSum(size_t n) : n_(n) {}
    void push(std::vector<T> leaf) {
        size_t level = 0;
        for (; leaves_ >> level & 1; ++level) add(levels_[level], leaf);
        if (levels_.size() <= level) levels_.resize(level + 1);
        levels_[level] = std::move(leaf);
        ++leaves_;
    }
    [[nodiscard]] std::vector<T> total() {
        std::vector<T> sum;
        for (size_t level = 0; leaves_ >> level != 0; ++level)
            if (leaves_ >> level & 1) {
                if (!sum.empty()) add(levels_[level], sum);
                if (sum.empty()) sum = std::move(levels_[level]);
            }
        if (sum.empty()) sum.resize(n_);
        return sum;
    }

  private:
    static void add(const std::vector<T>& left, std::vector<T>& right) {
        for (size_t i = 0; i < right.size(); ++i) right[i] = left[i] + right[i];
    }
    size_t n_, leaves_ = 0;
    std::vector<std::vector<T>> levels_;
};

/// Calls part(first, last) for pieces of [0, n) whose bounds are multiples of `grain`, on the threads there are.
template <class F> void in_parallel(size_t n, size_t grain, const F& part) {
    if (n == 0) return;
    const int threads = num_threads();
    const size_t pieces = (n + grain - 1) / grain, wanted = static_cast<size_t>(threads) * 4;
    const size_t per_part = (pieces + wanted - 1) / wanted * grain;
    const int parts = static_cast<int>((n + per_part - 1) / per_part);
    rng_cpu::run_parts(parts, threads, [&](int i) {
        const rng_cpu::FpEnvironment environment;
        const size_t first = static_cast<size_t>(i) * per_part;
        part(first, std::min(n, first + per_part));
    });
}

Operand rows_of(const Operand& a, size_t first, size_t value_bytes) {
    Operand part = a;
    const auto moved = [&](const void* p, ptrdiff_t stride) -> const void* {
        return p ? static_cast<const std::byte*>(p) +
                       static_cast<ptrdiff_t>(first) * stride * static_cast<ptrdiff_t>(value_bytes)
                 : nullptr;
    };
    part.data = moved(a.data, a.row_stride);
    part.mean = moved(a.mean, a.mean_row_stride);
    return part;
}

size_t element_bytes(const Operand& a, size_t computed) { return a.type == ElementType::same ? computed : 2; }

/// out (rows x ld) = a (rows x terms) times b (terms x ld).
template <class T> void multiply(const Operand& a, size_t rows, size_t terms, const T* b, size_t ld, T* out) {
    const size_t bytes = element_bytes(a, sizeof(T));
    in_parallel(rows, rng_abi::panel_rows, [&](size_t first, size_t last) {
        std::vector<T> workspace(rng_abi::product_workspace(terms, ld));
        product_function<T>()(rows_of(a, first, bytes), last - first, 0, terms, b, ld, ld, out + first * ld, ld,
                              workspace.data());
    });
}

/// A tall matrix of the algorithm: p x q, rows ld apart, the padding 0.
template <class T> struct Tall {
    size_t rows, cols, ld;
    std::vector<T> values;
    Tall(size_t r, size_t c) : rows(r), cols(c), ld(padded(c, pad)), values(r * ld) {}
    [[nodiscard]] Operand operand() const {
        return {values.data(), static_cast<ptrdiff_t>(ld), 1, ElementType::same, nullptr, 0, 0};
    }
};

/// G = X^T X in double precision, q x q, rows ld apart.
template <class T> std::vector<double> gram(const Tall<T>& x) {
    const size_t q = x.cols, ld = x.ld;
    constexpr size_t chunk = 8 * sum_block;  // rows that are widened at a time: a complete subtree
    const size_t chunks = (x.rows + chunk - 1) / chunk;
    // A leaf for each group of chunks, a power of two of them: few enough to keep.
    size_t group = 1;
    while (chunks / group > 64) group *= 2;
    const size_t groups = (chunks + group - 1) / group;
    std::vector<std::vector<double>> leaves(groups);
    in_parallel(groups, 1, [&](size_t first, size_t last) {
        std::vector<double> wide(sizeof(T) == 8 ? 0 : chunk * ld);
        std::vector<double> workspace(rng_abi::product_workspace(chunk, ld));
        for (size_t g = first; g < last; ++g) {
            TreeSum<double> sum(q * ld);
            for (size_t c = g * group; c < std::min(chunks, (g + 1) * group); ++c) {
                const size_t begin = c * chunk, rows = std::min(chunk, x.rows - begin);
                const T* const from = x.values.data() + begin * ld;
                const double* b = nullptr;
                if constexpr (sizeof(T) == 8) {
                    b = from;
                } else {
                    for (size_t i = 0; i < rows * ld; ++i) wide[i] = static_cast<double>(from[i]);
                    b = wide.data();
                }
                const Operand transposed{b, 1, static_cast<ptrdiff_t>(ld), ElementType::same, nullptr, 0, 0};
                std::vector<double> leaf(q * ld);
                kernels().product_f64(transposed, q, 0, rows, b, ld, ld, leaf.data(), ld, workspace.data());
                sum.push(std::move(leaf));
            }
            leaves[g] = sum.total();
        }
    });
    TreeSum<double> sum(q * ld);
    for (auto& leaf : leaves) sum.push(std::move(leaf));
    return sum.total();
}

template <class T> double largest(const Tall<T>& x) {
    double most = 0;
    for (size_t i = 0; i < x.rows; ++i)
        for (size_t j = 0; j < x.cols; ++j) {
            const double a = std::fabs(static_cast<double>(x.values[i * x.ld + j]));
            if (!(a <= std::numeric_limits<T>::max())) return std::numeric_limits<double>::infinity();
            most = std::max(most, a);
        }
    return most;
}

/// Exact but for overflow and underflow: two factors, so that each is a number.
template <class T> void scale_by_power(Tall<T>& x, int exponent) {
    if (exponent == 0) return;
    const double half = std::ldexp(1.0, exponent / 2), rest = std::ldexp(1.0, exponent - exponent / 2);
    for (T& v : x.values) v = static_cast<T>(static_cast<double>(v) * half * rest);
}

/// Random columns for those that are lost: uniform in (-1, 1) from words of domain 252 from the test matrix's first
/// word on, in the order in which they are asked for.
class Refills {
  public:
    explicit Refills(const StreamRecord& stream) : stream_(stream) {}
    template <class T> void write(Tall<T>& x, size_t column) {
        const double scale = 1.0 / std::sqrt(static_cast<double>(x.rows));
        visit_engine(stream_.engine, [&](auto tag) {
            using E = typename decltype(tag)::type;
            const Stream<E> stream = stream_of<E>(stream_);
            for (size_t i = 0; i < x.rows; ++i) {
                const uint64_t w = (stream.position + next_++) % Stream<E>::size_words;
                const auto signed_word = static_cast<int32_t>(word(stream.at_position(0), w, refill_domain));
                x.values[i * x.ld + column] =
                    static_cast<T>((static_cast<double>(signed_word) + 0.5) * 0x1p-31 * scale);
            }
        });
    }

  private:
    static constexpr unsigned refill_domain = 252;
    StreamRecord stream_;
    uint64_t next_ = 0;
};

/// q x q in double precision, rows ld apart.
struct Square {
    size_t q, ld;
    std::vector<double> v;
    explicit Square(size_t n) : q(n), ld(padded(n, pad)), v(n * ld) {}
    [[nodiscard]] double& operator()(size_t i, size_t j) { return v[i * ld + j]; }
    [[nodiscard]] double operator()(size_t i, size_t j) const { return v[i * ld + j]; }
};

/// x = x w, w rounded to T.
template <class T> void multiply_in_place(Tall<T>& x, const Square& w) {
    std::vector<T> rounded(w.v.size());
    std::transform(w.v.begin(), w.v.end(), rounded.begin(), [](double d) { return static_cast<T>(d); });
    Tall<T> result(x.rows, x.cols);
    multiply(x.operand(), x.rows, x.cols, rounded.data(), x.ld, result.values.data());
    x.values = std::move(result.values);
}

/// Orthonormal columns that span x's, by shifted CholeskyQR (Fukaya et al., SIAM J. Sci. Comput. 42, 2020), repeated
/// until it is safe; columns lost in rounding are replaced by random ones. With r, x = (the result) r 2^exponent.
template <class T>
void orthonormalise(Tall<T>& x, bool tight, Refills& refills, Square* r_total = nullptr, int* exponent = nullptr) {
    const size_t q = x.cols;
    constexpr int extreme = sizeof(T) == 4 ? 40 : 400, most_passes = 10;
    const double unit = 0x1p-1 * static_cast<double>(std::numeric_limits<T>::epsilon());
    const double shift = std::ldexp(static_cast<double>(q), -44);
    if (exponent) *exponent = 0;
    if (r_total)
        for (size_t i = 0; i < q; ++i) (*r_total)(i, i) = 1;
    const double most = largest(x);
    if (most > 0 && (most > std::ldexp(1.0, extreme) || most < std::ldexp(1.0, -extreme))) {
        int e = 0;
        (void)std::frexp(most, &e);
        scale_by_power(x, -e);
        if (exponent) *exponent = e;
    }
    double first_norm = 0;  // of the longest column
    std::vector<double> kept(q, 1.0);
    constexpr double refilled = 1e300;
    for (int pass = 0; pass < most_passes; ++pass) {
        Square g(q);
        g.v = gram(x);
        if (pass == 0)
            for (size_t j = 0; j < q; ++j) first_norm = std::max(first_norm, std::sqrt(g(j, j)));
        bool changed = false;
        for (size_t j = 0; j < q; ++j) {
            if (std::sqrt(g(j, j)) * kept[j] > 4 * unit * first_norm) continue;
            refills.write(x, j);
            kept[j] = refilled;
            changed = true;
            if (r_total)
                for (size_t k = 0; k < q; ++k) (*r_total)(j, k) = 0;
        }
        if (changed) g.v = gram(x);
        double deviation = 0;
        for (size_t i = 0; i < q; ++i)
            for (size_t j = 0; j < q; ++j) deviation = std::max(deviation, std::fabs(g(i, j) - (i == j ? 1.0 : 0.0)));
        std::vector<double> d(q);
        for (size_t j = 0; j < q; ++j) d[j] = 1.0 / std::sqrt(g(j, j));
        for (size_t i = 0; i < q; ++i)
            for (size_t j = 0; j < q; ++j) g(i, j) = i == j ? 1.0 : g(i, j) * d[i] * d[j];
        Square r(q), w(q);
        const bool shifted = !(kernels().cholesky(g.v.data(), q, g.ld, 0, r.v.data()) > 64 * shift);
        if (shifted) kernels().cholesky(g.v.data(), q, g.ld, shift, r.v.data());
        for (size_t j = 0; j < q; ++j)
            if (kept[j] != refilled) kept[j] *= r(j, j) / d[j];
        kernels().invert_upper(r.v.data(), q, r.ld, w.v.data());
        for (size_t i = 0; i < q; ++i)
            for (size_t j = 0; j < q; ++j) w(i, j) *= d[i];
        if (r_total) {
            for (size_t i = 0; i < q; ++i)
                for (size_t j = 0; j < q; ++j) r(i, j) /= d[j];
            Square product(q);
            kernels().multiply_upper(r.v.data(), r_total->v.data(), q, r.ld, product.v.data());
            *r_total = std::move(product);
        }
        multiply_in_place(x, w);
        if (!shifted && (!tight || deviation < 0.1)) return;
    }
}

/// R^T = Uh diag(sigma) Vh^T. Columns of uh and vh in descending order of sigma.
template <class T> void small_svd(const Square& r, Square& uh, std::vector<double>& sigma, Square& vh) {
    const size_t q = r.q, ld = r.ld;
    double most = 0;
    for (const double v : r.v) most = std::max(most, std::fabs(v));
    int e = 0;
    if (most > 0) (void)std::frexp(most, &e);
    const double scale = std::ldexp(1.0, 1 - e);
    // Rows of m are the columns of R^T.
    Square m(q), v(q);
    for (size_t i = 0; i < q; ++i)
        for (size_t k = i; k < q; ++k) m(i, k) = r(i, k) * scale;
    std::vector<double> norms(q + 1);
    std::vector<size_t> order(q + 1);
    kernels().jacobi(m.v.data(), v.v.data(), q, ld, std::ldexp(1.0, sizeof(T) == 4 ? -36 : -50), norms.data(),
                     order.data());
    // One Newton-Schulz step: v + (I - v v^T) v / 2.
    Square error(q), better(q);
    for (size_t i = 0; i < q; ++i)
        for (size_t j = i; j < q; ++j) {
            const double dot = kernels().dot8(&v.v[i * ld], &v.v[j * ld], ld);
            error(i, j) = error(j, i) = ((i == j ? 1.0 : 0.0) - dot) * 0.5;
        }
    for (size_t i = 0; i < q; ++i) {
        for (size_t j = 0; j < q; ++j) kernels().axpy(error(i, j), &v.v[j * ld], &better.v[i * ld], ld);
        for (size_t k = 0; k < ld; ++k) better.v[i * ld + k] = v.v[i * ld + k] + better.v[i * ld + k];
    }
    std::vector<size_t> by_size(q);
    for (size_t i = 0; i < q; ++i) by_size[i] = i;
    std::sort(by_size.begin(), by_size.end(),
              [&](size_t a, size_t b) { return norms[a] > norms[b] || (norms[a] == norms[b] && a < b); });

    Square u(q);  // rows: the columns of Uh
    const double greatest = q > 0 ? norms[by_size[0]] : 0;
    for (size_t c = 0; c < q; ++c) {
        const size_t i = by_size[c];
        double* const uc = &u.v[c * ld];
        sigma[c] = norms[i] / scale;
        if (norms[i] > greatest * 1e-290 && norms[i] > 0) {
            for (size_t k = 0; k < q; ++k) uc[k] = m(i, k) / norms[i];
        } else {  // completed from unit vectors, by Gram-Schmidt twice
            sigma[c] = 0;
            for (size_t unit = 0; unit < q; ++unit) {
                for (size_t k = 0; k < q; ++k) uc[k] = k == unit ? 1.0 : 0.0;
                for (int twice = 0; twice < 2; ++twice)
                    for (size_t before = 0; before < c; ++before)
                        kernels().axpy(-kernels().dot8(uc, &u.v[before * ld], ld), &u.v[before * ld], uc, ld);
                const double length = std::sqrt(kernels().dot8(uc, uc, ld));
                if (!(length > 0.5 / std::sqrt(static_cast<double>(q)))) continue;
                for (size_t k = 0; k < q; ++k) uc[k] /= length;
                break;
            }
        }
        for (size_t k = 0; k < q; ++k) {
            uh(k, c) = uc[k];
            vh(k, c) = better(i, k);
        }
    }
}

[[noreturn]] void refuse(const SvdInput& in, const std::string& what) {
    throw Error(ErrorCode::invalid_argument, std::string(in.call) + ": " + what);
}

/// q, in range; the other arguments are sound.
size_t checked_q(const SvdInput& in) {
    const size_t least = std::min(in.rows, in.cols);
    if (in.data == nullptr && in.rows * in.cols > 0) refuse(in, "A is null but has elements");
    if (in.niter < 0) refuse(in, "niter must be 0 or more, got " + std::to_string(in.niter));
    if (in.mean != nullptr &&
        !((in.mean_rows == in.rows || in.mean_rows == 1) && (in.mean_cols == in.cols || in.mean_cols == 1)))
        refuse(in, "M must be " + std::to_string(in.rows) + " x " + std::to_string(in.cols) + ", 1 x " +
                       std::to_string(in.cols) + " or " + std::to_string(in.rows) + " x 1, got " +
                       std::to_string(in.mean_rows) + " x " + std::to_string(in.mean_cols));
    const long long q = in.q.value_or(static_cast<long long>(std::min<size_t>(6, least)));
    if (q < 0 || static_cast<unsigned long long>(q) > least)
        refuse(in, "q must be in [0, " + std::to_string(least) + "] for a matrix of " + std::to_string(in.rows) +
                       " x " + std::to_string(in.cols) + ", got " + std::to_string(q));
    return static_cast<size_t>(q);
}

template <class S> double element(const void* data, ptrdiff_t at) {
    return static_cast<double>(static_cast<const S*>(data)[at]);
}
template <class T> double element(const SvdInput& in, const void* data, ptrdiff_t at) {
    switch (in.type) {
        case 1: return static_cast<double>(static_cast<float>(static_cast<const float16*>(data)[at]));
        case 2: return static_cast<double>(static_cast<float>(static_cast<const bfloat16*>(data)[at]));
        default: return element<T>(data, at);
    }
}

ElementType element_type(const SvdInput& in) {
    switch (in.type) {
        case 1: return ElementType::f16;
        case 2: return ElementType::bf16;
        default: return ElementType::same;
    }
}

/// Names the first element that is no number.
template <class T> void find_not_finite(const SvdInput& in) {
    const auto look = [&](const char* name, const void* data, size_t rows, size_t cols, ptrdiff_t rs, ptrdiff_t cs) {
        if (data == nullptr) return;
        for (size_t i = 0; i < rows; ++i)
            for (size_t j = 0; j < cols; ++j) {
                const double v = element<T>(in, data, static_cast<ptrdiff_t>(i) * rs + static_cast<ptrdiff_t>(j) * cs);
                if (!std::isfinite(v))
                    refuse(in, std::string(name) + " must be finite, got " + (std::isnan(v) ? "NaN" : "infinity") +
                                   " at (" + std::to_string(i) + ", " + std::to_string(j) + ")");
            }
    };
    look("A", in.data, in.rows, in.cols, in.row_stride, in.col_stride);
    look("M", in.mean, in.mean_rows, in.mean_cols, in.mean_row_stride, in.mean_col_stride);
}

template <class T> class Algorithm {
  public:
    Algorithm(const SvdInput& in, Generator& generator) : in_(in), generator_(generator), q_(checked_q(in)) {
        if (!(generator.device() == cpu()))
            refuse(in, "the matrix is in host memory but the generator is on " + to_string(generator.device()));
    }

    LowRankSvd<T> run() {
        if (in_.center) subtract_column_means();
        LowRankSvd<T> result{Matrix<T>(in_.rows, q_), std::vector<T>(q_), Matrix<T>(in_.cols, q_)};
        const size_t p = std::max(in_.rows, in_.cols), r = std::min(in_.rows, in_.cols);
        Tall<T> x(p, q_), z(r, q_);
        const StreamRecord stream = sketch(x, z);
        if (q_ == 0) return result;
        Refills refills(stream);
        orthonormalise(x, in_.niter == 0, refills);
        for (long long i = 0; i < in_.niter; ++i) {
            multiply_scaled(x, z, false);
            orthonormalise(z, false, refills);
            multiply_scaled(z, x, true);
            orthonormalise(x, i + 1 == in_.niter, refills);
        }
        multiply_scaled(x, z, false);
        Square r_total(q_), uh(q_), vh(q_);
        int exponent = 0;
        orthonormalise(z, true, refills, &r_total, &exponent);
        std::vector<double> sigma(q_);
        small_svd<T>(r_total, uh, sigma, vh);
        multiply_in_place(x, uh);
        multiply_in_place(z, vh);
        for (size_t c = 0; c < q_; ++c) result.S[c] = static_cast<T>(std::ldexp(sigma[c], exponent - scale_));
        const bool tall = in_.rows >= in_.cols;
        write_with_signs(tall ? x : z, tall ? z : x, result);
        return result;
    }

  private:
    /// A, or its transpose where A is wide: p x r.
    [[nodiscard]] Operand tall_operand() const {
        Operand a{in_.data,
                  in_.row_stride,
                  in_.col_stride,
                  element_type(in_),
                  in_.mean,
                  in_.mean_rows == 1 ? 0 : in_.mean_row_stride,
                  in_.mean_cols == 1 ? 0 : in_.mean_col_stride};
        return in_.rows >= in_.cols ? a : transposed(a);
    }
    static Operand transposed(Operand a) {
        std::swap(a.row_stride, a.col_stride);
        std::swap(a.mean_row_stride, a.mean_col_stride);
        return a;
    }

    /// out = (A or A^T) in, where a factor 2^scale_ goes through the product.
    void multiply_scaled(Tall<T>& in, Tall<T>& out, bool by_tall) {
        scale_by_power(in, scale_);
        multiply(by_tall ? tall_operand() : transposed(tall_operand()), out.rows, in.rows, in.values.data(), in.ld,
                 out.values.data());
        scale_by_power(in, -scale_);
    }

    /// x = A Omega, Omega the next r * q values of the generator; where they begin. The generator moves on only when A
    /// is known to be finite.
    StreamRecord sketch(Tall<T>& x, const Tall<T>& z) {
        const size_t values = z.rows * q_;
        const bool rademacher = in_.test_matrix == TestMatrix::rademacher;
        const uint64_t slot = rademacher ? uint64_t{bits<uint32_t>::slot_words} : uint64_t{normal<T>::slot_words};
        if (values == 0) {  // not even the position is rounded up
            find_not_finite<T>(in_);
            return {};
        }
        for (;;) {
            // Not under the generator's lock, since it takes long; if another thread was faster, again.
            const StreamRecord expected = generator_.clone().claim(in_.call, values, slot);
            first_product(expected, x, z);
            try {
                return generator_.claim(in_.call, values, slot, [&](const StreamRecord& claimed) {
                    if (!same(claimed, expected)) throw Raced{};
                });
            } catch (const Raced&) {
            }
        }
    }
    struct Raced {};
    static bool same(const StreamRecord& a, const StreamRecord& b) {
        return a.engine == b.engine && std::equal(std::begin(a.key), std::end(a.key), std::begin(b.key)) &&
               a.id == b.id && a.position == b.position;
    }

    void first_product(const StreamRecord& stream, Tall<T>& x, const Tall<T>& z) {
        Tall<T> omega(z.rows, q_);
        scale_ = 0;
        fill_test_matrix(stream, omega);
        multiply(tall_operand(), x.rows, omega.rows, omega.values.data(), omega.ld, x.values.data());
        constexpr int extreme = sizeof(T) == 4 ? 60 : 600, most_scale = sizeof(T) == 4 ? 100 : 1000;
        const double most = largest(x);
        if (most <= std::ldexp(1.0, extreme) && most >= std::ldexp(1.0, -extreme)) return;
        find_not_finite<T>(in_);
        const double greatest = largest_difference();
        if (!std::isfinite(greatest)) refuse(in_, "A - M overflows");
        if (greatest == 0) return;
        int e = 0;
        (void)std::frexp(greatest, &e);
        scale_ = std::clamp(-e, -most_scale, most_scale);
        scale_by_power(omega, scale_);
        multiply(tall_operand(), x.rows, omega.rows, omega.values.data(), omega.ld, x.values.data());
    }
    void fill_test_matrix(const StreamRecord& stream, Tall<T>& omega) {
        const auto place = [&](const auto& view, const auto& dist) {
            visit_engine(stream.engine,
                         [&](auto tag) { fill(view, dist, stream_of<typename decltype(tag)::type>(stream)); });
        };
        if (in_.test_matrix == TestMatrix::normal) {
            place(matrix_view<T>{omega.values.data(), omega.rows, q_, static_cast<ptrdiff_t>(omega.ld), 1},
                  normal<T>{});
            return;
        }
        std::vector<uint32_t> words(omega.rows * q_);
        place(matrix_view<uint32_t>::row_major(words.data(), omega.rows, q_), bits<uint32_t>{});
        for (size_t k = 0; k < omega.rows; ++k)
            for (size_t j = 0; j < q_; ++j) omega.values[k * omega.ld + j] = words[k * q_ + j] >> 31 ? T{-1} : T{1};
    }
    [[nodiscard]] double largest_difference() const {
        double most = 0;
        const auto at = [](size_t i, size_t j, ptrdiff_t rs, ptrdiff_t cs) {
            return static_cast<ptrdiff_t>(i) * rs + static_cast<ptrdiff_t>(j) * cs;
        };
        for (size_t i = 0; i < in_.rows; ++i)
            for (size_t j = 0; j < in_.cols; ++j) {
                T v = static_cast<T>(element<T>(in_, in_.data, at(i, j, in_.row_stride, in_.col_stride)));
                if (in_.mean != nullptr)
                    v -= static_cast<T>(element<T>(in_, in_.mean,
                                                   at(in_.mean_rows == 1 ? 0 : i, in_.mean_cols == 1 ? 0 : j,
                                                      in_.mean_row_stride, in_.mean_col_stride)));
                most = std::max(most, std::fabs(static_cast<double>(v)));
            }
        return most;
    }

    /// M = the mean of each column: its sum in the order of products, divided by m.
    void subtract_column_means() {
        if (in_.rows * in_.cols == 0) return;
        Operand columns{in_.data, in_.col_stride, in_.row_stride, element_type(in_), nullptr, 0, 0};
        std::vector<T> ones(in_.rows * pad), sums(in_.cols * pad);
        for (size_t i = 0; i < in_.rows; ++i) ones[i * pad] = T{1};
        multiply(columns, in_.cols, in_.rows, ones.data(), pad, sums.data());
        means_.resize(in_.cols);
        widened_.clear();
        for (size_t j = 0; j < in_.cols; ++j) means_[j] = sums[j * pad] / static_cast<T>(in_.rows);
        if (in_.type != 0) {  // the mean is of the computed type, so A has to be as well
            widened_.resize(in_.rows * in_.cols);
            for (size_t i = 0; i < in_.rows; ++i)
                for (size_t j = 0; j < in_.cols; ++j)
                    widened_[i * in_.cols + j] = static_cast<T>(element<T>(
                        in_, in_.data,
                        static_cast<ptrdiff_t>(i) * in_.row_stride + static_cast<ptrdiff_t>(j) * in_.col_stride));
            in_.data = widened_.data();
            in_.row_stride = static_cast<ptrdiff_t>(in_.cols);
            in_.col_stride = 1;
            in_.type = 0;
        }
        for (const T v : means_)
            if (!std::isfinite(v)) {
                in_.mean = nullptr;
                find_not_finite<T>(in_);
                refuse(in_, "the mean of a column overflows");
            }
        in_.mean = means_.data();
        in_.mean_rows = 1;
        in_.mean_cols = in_.cols;
        in_.mean_row_stride = static_cast<ptrdiff_t>(in_.cols);
        in_.mean_col_stride = 1;
    }

    /// The first element of the greatest magnitude of each column of U becomes positive.
    void write_with_signs(const Tall<T>& u, const Tall<T>& v, LowRankSvd<T>& result) const {
        std::vector<T> sign(q_, T{1}), most(q_, T{-1});
        for (size_t i = 0; i < u.rows; ++i)
            for (size_t c = 0; c < q_; ++c) {
                const T x = u.values[i * u.ld + c], a = std::fabs(x);
                if (!(a > most[c])) continue;
                most[c] = a;
                sign[c] = x < 0 ? T{-1} : T{1};
            }
        const auto copy = [&](const Tall<T>& from, Matrix<T>& to) {
            for (size_t i = 0; i < from.rows; ++i)
                for (size_t c = 0; c < q_; ++c) to(i, c) = from.values[i * from.ld + c] * sign[c];
        };
        copy(u, result.U);
        copy(v, result.V);
    }

    SvdInput in_;
    Generator& generator_;
    size_t q_;
    int scale_ = 0;  // exponent of the factor that keeps products with A within range
    std::vector<T> means_, widened_;
};

}  // namespace

LowRankSvd<float> svd_lowrank(const SvdInput& input, Generator& generator, float) {
    const rng_cpu::FpEnvironment environment;
    return Algorithm<float>(input, generator).run();
}
LowRankSvd<double> svd_lowrank(const SvdInput& input, Generator& generator, double) {
    const rng_cpu::FpEnvironment environment;
    return Algorithm<double>(input, generator).run();
}

}  // namespace detail
RNG_END_NAMESPACE
