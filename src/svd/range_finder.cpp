#include "range_finder.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <rng/distributions/bits.hpp>
#include <rng/distributions/complex_normal.hpp>
#include <rng/distributions/normal.hpp>
#include <rng/lane/scalar.hpp>

#include "../cpu/parallel_for.hpp"
#include "orthonormalise.hpp"
#include "small_svd.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

/// The algorithm for one matrix.
template <class T> class RangeFinder {
  public:
    RangeFinder(const SvdPlan& plan, SvdBackend<T>& backend)
        : plan_(plan),
          backend_(backend),
          x_(backend.tall(TallMatrix::x)),
          z_(backend.tall(TallMatrix::z)),
          planes_(plan.shape.parts()) {}

    /// X = A Omega, with Omega from the stream. Throws Error if A or M is not finite.
    void sketch(const StreamRecord& stream) {
        scale_ = 0;
        z_.draw_test_matrix(stream, plan_.in.test_matrix, 0);
        backend_.multiply_to(TallMatrix::x);
        // A finite product of this size has finite factors.
        constexpr int extreme = sizeof(T) == 4 ? 60 : 600, most_scale = sizeof(T) == 4 ? 100 : 1000;
        const double most = x_.largest();
        if (most <= std::ldexp(1.0, extreme) && most >= std::ldexp(1.0, -extreme)) return;
        require_finite();
        const double greatest = backend_.largest_element();
        if (!std::isfinite(greatest))
            refuse(plan_.in.center ? "A less its column means overflows, or the sum of a column does"
                                   : "A - M overflows");
        if (greatest == 0) return;
        int e = 0;
        (void)std::frexp(greatest, &e);
        scale_ = std::clamp(-e, -most_scale, most_scale);
        z_.draw_test_matrix(stream, plan_.in.test_matrix, scale_);
        backend_.multiply_to(TallMatrix::x);
    }

    /// Carries out the rest of the algorithm and writes the result. `stream` is at the position where Omega began.
    void finish(const StreamRecord& stream) {
        const size_t q = plan_.shape.q;
        RandomColumns refills(stream);
        orthonormalise(x_, plan_.in.niter == 0, refills);
        for (long long i = 0; i < plan_.in.niter; ++i) {
            multiply_scaled(TallMatrix::z);
            orthonormalise(z_, false, refills);
            multiply_scaled(TallMatrix::x);
            orthonormalise(x_, i + 1 == plan_.in.niter, refills);
        }
        multiply_scaled(TallMatrix::z);
        SquareMatrix r(padded(planes_ * q, rng_abi::pad));
        const int exponent = orthonormalise(z_, true, refills, &r);
        const SmallSvd svd = small_svd(r, plan_.shape, std::ldexp(1.0, sizeof(T) == 4 ? -36 : -50));
        x_.multiply_right(svd.uh);
        z_.multiply_right(svd.vh);
        // The first element of the greatest magnitude of each column of U becomes positive.
        std::vector<std::complex<double>> factors = (plan_.shape.is_wide() ? z_ : x_).largest_per_column();
        for (auto& f : factors) {
            const double size = std::sqrt(lane::Scalar::fma(f.real(), f.real(), f.imag() * f.imag()));
            f = planes_ == 1 ? std::complex<double>(f.real() < 0 ? -1.0 : 1.0)
                             : std::complex<double>(f.real() / size, -f.imag() / size);
        }
        backend_.write(TallMatrix::x, factors);
        backend_.write(TallMatrix::z, factors);
        std::vector<T> s(plan_.shape.returned_q);
        for (size_t c = 0; c < s.size(); ++c) s[c] = static_cast<T>(std::ldexp(svd.sigma[c], exponent - scale_));
        backend_.write_s(s);
    }

    void require_finite() {
        if (const std::string where = backend_.not_finite(); !where.empty()) refuse(where);
    }

  private:
    void refuse(const std::string& what) const {
        if (plan_.ranks != nullptr) plan_.ranks->refuse_alike(what);
        detail::refuse(plan_.in.call, what);
    }

    /// multiply_to() of the other tall matrix times 2^scale_, which is scaled back afterwards.
    void multiply_scaled(TallMatrix result) {
        Tall<T>& from = result == TallMatrix::x ? z_ : x_;
        from.scale(scale_);
        backend_.multiply_to(result);
        from.scale(-scale_);
    }

    const SvdPlan& plan_;
    SvdBackend<T>& backend_;
    Tall<T>&x_, &z_;
    size_t planes_;
    int scale_ = 0;  // exponent of the factor that keeps products with A within range
};

namespace {

struct Raced {};

bool same(const StreamRecord& a, const StreamRecord& b) {
    return a.engine == b.engine && std::equal(std::begin(a.key), std::end(a.key), std::begin(b.key)) && a.id == b.id &&
           a.position == b.position;
}

/// Returns the stream of the test matrix. No rank may throw alone.
StreamRecord test_matrix_of(const SvdPlan& plan, const Generator& generator, size_t values, uint64_t slot) {
    StreamRecord record{};
    const auto claim = [&] { record = generator.clone().claim(plan.in.call, values, slot); };
    plan.ranks != nullptr ? plan.ranks->attempt(claim) : claim();
    return record;
}

/// Throws Error on all ranks if the generator of one has advanced since the call began.
void check_unmoved(const SvdPlan& plan, const Generator& generator) {
    if (plan.ranks == nullptr) return;
    plan.ranks->refuse_first(generator.get_state() == plan.state
                                 ? ""
                                 : "the generator of rank " + std::to_string(plan.ranks->rank()) +
                                       " was moved by another thread during the call");
}

}  // namespace

template <class T>
void svd_lowrank_at(const SvdPlan& plan, std::span<const std::unique_ptr<SvdBackend<T>>> backends, Generator& generator,
                    bool in_turn) {
    std::vector<RangeFinder<T>> algorithms;
    for (const auto& backend : backends) algorithms.emplace_back(plan, *backend);
    in_turn = in_turn && backends.size() > 1;
    const auto for_each_matrix = [&](const auto& work) {
        const auto some = [&](size_t first, size_t last) {
            for (size_t i = first; i < last; ++i) work(i);
        };
        plan.spread ? rng_cpu::parallel_for(backends.size(), 1, SIZE_MAX, some) : some(0, backends.size());
    };
    const size_t values = std::min(plan.shape.rows, plan.shape.cols) * plan.shape.q;
    if (values == 0) {  // the position is not even rounded up
        for_each_matrix([&](size_t i) { algorithms[i].require_finite(); });
        return;
    }
    if (plan.in.center)
        for_each_matrix([&](size_t i) {
            algorithms[i].require_finite();
            if (!in_turn) backends[i]->subtract_column_means();
        });
    const auto sketch = [&](size_t i, const StreamRecord& stream) {
        if (plan.in.center && in_turn) backends[i]->subtract_column_means();
        algorithms[i].sketch(stream);
    };
    const uint64_t slot = plan.in.test_matrix == TestMatrix::rademacher ? uint64_t{bits<uint32_t>::slot_words}
                          : plan.shape.complex                          ? uint64_t{complex_normal<T>::slot_words}
                                                                        : uint64_t{normal<T>::slot_words};
    for (;;) {
        // The work takes too long for the generator's lock. If another thread advances the generator in this time, the
        // work is repeated; but no rank can repeat it alone.
        const StreamRecord expected = test_matrix_of(plan, generator, values, slot);
        for_each_matrix([&](size_t i) { sketch(i, expected); });
        check_unmoved(plan, generator);
        try {
            (void)generator.claim(plan.in.call, values, slot, [&](const StreamRecord& claimed) {
                if (!same(claimed, expected)) throw Raced{};
            });
        } catch (const Raced&) {
            if (plan.ranks == nullptr) continue;
            throw std::runtime_error(
                "another thread moved the generator while the ranks went on; each rank needs its own");
        }
        for_each_matrix([&](size_t i) {
            if (in_turn) sketch(i, expected);  // that of the next matrix took its place
            algorithms[i].finish(expected);
        });
        return;
    }
}
template void svd_lowrank_at(const SvdPlan&, std::span<const std::unique_ptr<SvdBackend<float>>>, Generator&, bool);
template void svd_lowrank_at(const SvdPlan&, std::span<const std::unique_ptr<SvdBackend<double>>>, Generator&, bool);

}  // namespace detail
RNG_END_NAMESPACE
