// Numbers in memory of a type that is known at run time.
#pragma once

#include <rng/detail/reduction.hpp>

#include <vector>

RNG_BEGIN_NAMESPACE
namespace detail {

template <class F> void visit_stored(StoredReal stored, const void* data, const F& f) {
    switch (stored) {
        case StoredReal::f16: return f(static_cast<const float16*>(data));
        case StoredReal::bf16: return f(static_cast<const bfloat16*>(data));
        case StoredReal::f32: return f(static_cast<const float*>(data));
        case StoredReal::f64: return f(static_cast<const double*>(data));
    }
}
/// The number in a type that has all numbers of the stored type. In kernels, a NaN may become another NaN.
template <class T, class S> [[nodiscard]] RNG_FN T widened(S x) {
    if constexpr (sizeof(S) == 2)
        return static_cast<T>(number_of(x));
    else
        return static_cast<T>(x);
}

/// Room for n values, which needs no heap memory for a few.
template <class T> class SmallVector {
  public:
    explicit SmallVector(size_t n) {
        if (n > few) many_.resize(n);
    }
    [[nodiscard]] T* data() { return many_.empty() ? few_ : many_.data(); }
    [[nodiscard]] T& operator[](size_t i) { return data()[i]; }

  private:
    static constexpr size_t few = 4;
    T few_[few];
    std::vector<T> many_;
};

}  // namespace detail
RNG_END_NAMESPACE
