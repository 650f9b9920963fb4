// Sobol points in vectors: neighbouring coordinates of a point lie side by side.
#pragma once

#include "kernel_table.hpp"
#include "register_pair.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// Coordinates that are computed together, a column in each lane of 64 bits of V.
template <class V, class T> class SobolColumns {
  public:
    static constexpr auto columns = static_cast<size_t>(V::bytes / 8);

    /// Writes `walk.rows` numbers of each column, from column j on.
    RNG_FN static void write(const rng_abi::SobolWalk& walk, const uint64_t* point, size_t j, T* out) {
        lane::u64<V> x = load(point + j);
        uint64_t number = walk.number;
        for (size_t r = 0; r < walk.rows; ++r, out += walk.row_stride) {
            store(out + j, x);
            // After the very last point this reads the row of offsets, and its result is not used.
            x = x ^ load(walk.table + static_cast<size_t>(__builtin_ctzll(++number)) * walk.dimensions + j);
        }
        V::store(walk.point + j, x.v);
    }

  private:
    RNG_FN static lane::u64<V> load(const uint64_t* p) { return {V::load(reinterpret_cast<const uint32_t*>(p)), 0}; }
    RNG_FN static void store_numbers(double* out, lane::f64<V> x) { V::store(out, x.v); }
    RNG_FN static void store_numbers(float* out, lane::f64<V> x) { V::store_narrowed(out, x.v); }
    RNG_FN static void store(T* out, lane::u64<V> x) {
        using F = lane::f64<V>;  // a float of 24 bits is a double without error
        constexpr bool f32 = sizeof(T) == 4;
        const F number = lane::small_to_f64(lane::shr < f32 ? 40 : 11 > (x));
        store_numbers(out, lane::fma(number, F(f32 ? 0x1p-24 : 0x1p-53), F(0.0)));
    }
};

/// rng_abi::SobolFunction over lane L: first by the columns of four registers, then by those of one. The last register
/// may compute columns again.
template <class L, class T> bool sobol_points(const rng_abi::SobolWalk& walk, void* out) {
    using Many = SobolColumns<Unrolled2<Unrolled2<L>>, T>;
    using Few = SobolColumns<L, T>;
    if (walk.columns < Few::columns) return false;
    uint64_t start[rng_abi::SobolWalk::most_columns];
    __builtin_memcpy(start, walk.point, walk.columns * sizeof(uint64_t));
    size_t j = 0;
    for (; j + Many::columns <= walk.columns; j += Many::columns) Many::write(walk, start, j, static_cast<T*>(out));
    for (; j + Few::columns <= walk.columns; j += Few::columns) Few::write(walk, start, j, static_cast<T*>(out));
    if (j < walk.columns) Few::write(walk, start, walk.columns - Few::columns, static_cast<T*>(out));
    return true;
}

}  // namespace wide
RNG_END_NAMESPACE
