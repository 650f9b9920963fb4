#include "range_finder.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>
#include <rng/distributions/normal.hpp>

#include "orthonormalise.hpp"
#include "small_svd.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The algorithm for one matrix.
template <class T> class RangeFinder {
  public:
    RangeFinder(const SvdPlan& plan, SvdBackend<T>& backend)
        : plan_(plan), shape_(plan.shape), backend_(backend), planes_(shape_.complex ? 2 : 1) {}

    /// X = A Omega, with Omega from the stream. Throws Error if A or M is not finite.
    void sketch(const StreamRecord& stream) {
        scale_ = 0;
        backend_.draw_test_matrix(stream, plan_.test_matrix, 0);
        backend_.multiply_to(TallMatrix::x);
        // A finite product of this size has finite factors.
        constexpr int extreme = sizeof(T) == 4 ? 60 : 600, most_scale = sizeof(T) == 4 ? 100 : 1000;
        const double most = backend_.largest(TallMatrix::x);
        if (most <= std::ldexp(1.0, extreme) && most >= std::ldexp(1.0, -extreme)) return;
        require_finite();
        const double greatest = backend_.largest_element();
        if (!std::isfinite(greatest))
            refuse(plan_.center ? "A less its column means overflows, or the sum of a column does" : "A - M overflows");
        if (greatest == 0) return;
        int e = 0;
        (void)std::frexp(greatest, &e);
        scale_ = std::clamp(-e, -most_scale, most_scale);
        backend_.draw_test_matrix(stream, plan_.test_matrix, scale_);
        backend_.multiply_to(TallMatrix::x);
    }

    /// Does the rest of the algorithm and returns S. `stream` is at the position where Omega began.
    std::vector<T> finish(const StreamRecord& stream) {
        const size_t q = shape_.q;
        RandomColumns refills(stream);
        orthonormalise(backend_, shape_, TallMatrix::x, plan_.niter == 0, refills);
        for (long long i = 0; i < plan_.niter; ++i) {
            multiply_scaled(TallMatrix::z);
            orthonormalise(backend_, shape_, TallMatrix::z, false, refills);
            multiply_scaled(TallMatrix::x);
            orthonormalise(backend_, shape_, TallMatrix::x, i + 1 == plan_.niter, refills);
        }
        multiply_scaled(TallMatrix::z);
        SquareMatrix r(padded(planes_ * q, rng_abi::pad));
        const int exponent = orthonormalise(backend_, shape_, TallMatrix::z, true, refills, &r);
        const SmallSvd svd =
            small_svd(r, shape_, std::ldexp(1.0, sizeof(T) == 4 ? -36 : -50),
                      [&](double* m, double* v, double tolerance) { return backend_.jacobi(m, v, tolerance); });
        backend_.multiply_right(TallMatrix::x, svd.uh);
        backend_.multiply_right(TallMatrix::z, svd.vh);
        // The first element of the greatest magnitude of each column of U becomes positive.
        std::vector<std::complex<double>> factors =
            backend_.largest_per_column(shape_.is_wide() ? TallMatrix::z : TallMatrix::x);
        for (auto& f : factors) {
            const double size = std::sqrt(std::fma(f.real(), f.real(), f.imag() * f.imag()));
            f = planes_ == 1 ? std::complex<double>(f.real() < 0 ? -1.0 : 1.0)
                             : std::complex<double>(f.real() / size, -f.imag() / size);
        }
        backend_.write(TallMatrix::x, factors);
        backend_.write(TallMatrix::z, factors);
        std::vector<T> s(q);
        for (size_t c = 0; c < q; ++c) s[c] = static_cast<T>(std::ldexp(svd.sigma[c], exponent - scale_));
        return s;
    }

    void require_finite() {
        if (const std::string where = backend_.not_finite(); !where.empty()) refuse(where);
    }

  private:
    void refuse(const std::string& what) const { backend_.refuse_call(plan_.call, what); }

    /// multiply_to with a factor 2^scale_ that goes through the product.
    void multiply_scaled(TallMatrix result) {
        const TallMatrix from = result == TallMatrix::x ? TallMatrix::z : TallMatrix::x;
        backend_.scale(from, scale_);
        backend_.multiply_to(result);
        backend_.scale(from, -scale_);
    }

    const SvdPlan& plan_;
    SvdShape shape_;
    SvdBackend<T>& backend_;
    size_t planes_;
    int scale_ = 0;  // exponent of the factor that keeps products with A within range
};

namespace {

struct Raced {};

bool same(const StreamRecord& a, const StreamRecord& b) {
    return a.engine == b.engine && std::equal(std::begin(a.key), std::end(a.key), std::begin(b.key)) && a.id == b.id &&
           a.position == b.position;
}

}  // namespace

template <class T>
std::vector<std::vector<T>> svd_lowrank_at(const SvdPlan& plan,
                                           std::span<const std::unique_ptr<SvdBackend<T>>> backends,
                                           Generator& generator, bool in_turn) {
    std::vector<RangeFinder<T>> algorithms;
    for (const auto& backend : backends) algorithms.emplace_back(plan, *backend);
    in_turn = in_turn && backends.size() > 1;
    const size_t values = std::min(plan.shape.rows, plan.shape.cols) * plan.shape.q;
    if (values == 0) {  // the position is not even rounded up
        for (auto& algorithm : algorithms) algorithm.require_finite();
        return std::vector<std::vector<T>>(backends.size());
    }
    if (plan.center)
        for (size_t i = 0; i < backends.size(); ++i) {
            algorithms[i].require_finite();
            if (!in_turn) backends[i]->subtract_column_means();
        }
    const auto sketch = [&](size_t i, const StreamRecord& stream) {
        if (plan.center && in_turn) backends[i]->subtract_column_means();
        algorithms[i].sketch(stream);
    };
    const uint64_t slot = plan.test_matrix == TestMatrix::rademacher ? uint64_t{bits<uint32_t>::slot_words}
                          : plan.shape.complex                       ? uint64_t{complex_normal<T>::slot_words}
                                                                     : uint64_t{normal<T>::slot_words};
    for (;;) {
        // The work takes too long for the generator's lock. If another thread moved the generator meanwhile, the work
        // is done again.
        StreamRecord expected{};
        backends[0]->attempt([&] { expected = generator.clone().claim(plan.call, values, slot); });
        for (size_t i = 0; i < backends.size(); ++i) sketch(i, expected);
        for (const auto& backend : backends) backend->check_unmoved(generator);
        try {
            (void)generator.claim(plan.call, values, slot, [&](const StreamRecord& claimed) {
                if (!same(claimed, expected)) throw Raced{};
            });
        } catch (const Raced&) {
            for (const auto& backend : backends) backend->begin_again();
            continue;
        }
        std::vector<std::vector<T>> all;
        for (size_t i = 0; i < backends.size(); ++i) {
            if (in_turn) sketch(i, expected);  // the next matrix's took its place
            all.push_back(algorithms[i].finish(expected));
        }
        return all;
    }
}
template std::vector<std::vector<float>> svd_lowrank_at(const SvdPlan&,
                                                        std::span<const std::unique_ptr<SvdBackend<float>>>, Generator&,
                                                        bool);
template std::vector<std::vector<double>> svd_lowrank_at(const SvdPlan&,
                                                         std::span<const std::unique_ptr<SvdBackend<double>>>,
                                                         Generator&, bool);

}  // namespace detail
RNG_END_NAMESPACE
