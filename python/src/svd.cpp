// svd_lowrank and pca_lowrank of arrays: dense ones of any strides, and sparse ones in compressed rows.
#include <nanobind/nanobind.h>

#include <rng/any_distribution.hpp>
#include <rng/initialisers.hpp>
#include <rng/svd/svd_lowrank.hpp>

#include <complex>
#include <cstring>
#include <span>
#include <string>

#include "arrays.hpp"
#include "bindings.hpp"
#include "destination.hpp"
#include "distributions.hpp"

namespace python {
namespace {

/// The arrays for U, S and V, without gaps.
struct Result {
    Array u, s, v;

    Result(nb::handle u_array, nb::handle s_array, nb::handle v_array, const char* call)
        : u(u_array, call, "U", Array::Access::write),
          s(s_array, call, "S", Array::Access::write),
          v(v_array, call, "V", Array::Access::write) {}
    template <class R> void take(const R& svd) const {
        copy(svd.U.values, u);
        copy(svd.S, s);
        copy(svd.V.values, v);
    }

  private:
    template <class Values> static void copy(const Values& values, const Array& to) {
        const size_t bytes = values.size() * sizeof values[0];
        if (!to.is_contiguous() || to.size() * to.item_bytes() != bytes)
            throw_value_error("svd_lowrank: a result has another shape");
        if (bytes > 0) std::memcpy(to.data(), values.data(), bytes);
    }
};

template <class T, class A>
void compute(const A& a, long long q, long long niter, long long oversampling, bool center, rng::Generator& generator,
             const Result& result) {
    const nb::gil_scoped_release released;
    if (center)
        result.take(
            rng::pca_lowrank(a, rng::PcaOptions{.q = q, .niter = niter, .oversampling = oversampling}, generator));
    else
        result.take(
            rng::svd_lowrank(a, rng::SvdOptions<T>{.q = q, .niter = niter, .oversampling = oversampling}, generator));
}

const char* call_of(bool center) { return center ? "pca_lowrank" : "svd_lowrank"; }

/// Calls f(type_tag<T>) for the type of a matrix's elements.
template <class F> void with_element(const char* call, const Array& a, const F& f) {
    using namespace rng;
    const auto as_std = [&]<class T>(type_tag<T> tag) {
        if constexpr (requires { T::re; })
            f(type_tag<std::complex<decltype(T::re)>>{});
        else
            f(tag);
    };
    if (!visit_type<float, double, float16, bfloat16, complex<float>, complex<double>>(a.dtype(), as_std))
        throw_type_error(call, ": A must have real or complex elements, got ", a.dtype());
}

void svd_dense(nb::handle a_array, nb::handle u, nb::handle s, nb::handle v, long long q, long long niter,
               long long oversampling, bool center, rng::Generator& generator) {
    const char* const call = call_of(center);
    const Array a(a_array, call, "A");
    const Result result(u, s, v, call);
    if (a.shape().size() != 2) throw_value_error(call, ": A must have 2 dimensions, got ", a.shape().size());
    const auto item = static_cast<ptrdiff_t>(a.item_bytes());
    if (!a.is_aligned()) throw_value_error(call, ": A must have aligned elements");
    with_element(call, a, [&]<class T>(rng::type_tag<T>) {
        const rng::matrix_view<const T> view{reinterpret_cast<const T*>(a.data()), a.shape()[0], a.shape()[1],
                                             a.strides()[0] / item, a.strides()[1] / item};
        compute<T>(view, q, niter, oversampling, center, generator, result);
    });
}

void svd_csr(size_t rows, size_t cols, nb::handle offsets_array, nb::handle columns_array, nb::handle values_array,
             nb::handle u, nb::handle s, nb::handle v, long long q, long long niter, long long oversampling,
             bool center, rng::Generator& generator) {
    const char* const call = call_of(center);
    const Array offsets(offsets_array, call, "indptr"), columns(columns_array, call, "indices"),
        values(values_array, call, "data");
    const Result result(u, s, v, call);
    for (const Array* list : {&offsets, &columns, &values})
        if (!list->is_direct()) throw_value_error(call, ": the arrays of A must be C-contiguous and aligned");
    with_element(call, values, [&]<class T>(rng::type_tag<T>) {
        const auto compute_as = [&]<class Index>(rng::type_tag<Index>) {
            const rng::csr_view<T, Index> a{rows, cols, offsets.elements<const Index>(),
                                            columns.elements<const Index>(), values.elements<const T>()};
            compute<T>(a, q, niter, oversampling, center, generator, result);
        };
        if (offsets.dtype() != columns.dtype() || !visit_type<int32_t, int64_t>(columns.dtype(), compute_as))
            throw_type_error(call, ": indptr and indices must both be of int32 or of int64");
    });
}

/// rng::init::orthogonal of a whole matrix, in an array without gaps.
void orthogonal(const char* call, nb::handle array, double gain, const rng::AnyStream& stream) {
    const Array out(array, call, "tensor", Array::Access::write);
    const bool is_known =
        out.is_direct() && visit_type<float, double>(out.dtype(), [&]<class T>(rng::type_tag<T>) {
            const rng::shard<T> whole(out.elements<T>().data(), {out.shape().begin(), out.shape().end()});
            named(call, [&] {
                rng::visit_engine(stream.engine(), [&]<class E>(rng::type_tag<E>) {
                    rng::init::orthogonal(whole, stream.stream<E>(), gain);
                });
            });
        });
    if (!is_known) throw_type_error(call, ": tensor must be contiguous, of float32 or float64, got ", out.dtype());
}

}  // namespace

void bind_svd(nb::module_& m) {
    m.def("orthogonal", orthogonal);
    m.def("svd_dense", svd_dense);
    m.def("svd_csr", svd_csr);
}

}  // namespace python
