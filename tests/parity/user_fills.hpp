// What user_kernels.cu and parity_user.cpp share by index. Fills: distributions of users, of every shape, random bytes,
// piecewise laws, and distributions of the catalogue over an engine that is chosen at run time. The Sums of samplers
// leave three values of four undecided. Single values: piecewise laws, whose lists are no parameters of a catalogue.
#pragma once

#include <rng/detail/any_engine.hpp>
#include <rng/detail/device_fill_kernel.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/distributions/piecewise.hpp>

#include <type_traits>

#include "../support/shapes.hpp"
#include "table_engine.hpp"

namespace parity {

using rng::Philox4x32_10, rng::Threefry4x64_20, rng::detail::AnyEngine, rng::detail::DeviceFill, rng::shapes::Sum;

/// A sampler that leaves a tenth of its values undecided, with parameters of several types.
struct Tenth {
    using result_type = uint64_t;
    static constexpr int slot_words = 1;
    static constexpr rng::Shape map_shape = rng::Shape::sampler;
    uint32_t rejected = 0x1999999a;
    uint64_t first = 0x123456789;
    uint16_t flipped = 0x5a5a;

    struct Map {
        uint32_t rejected;
        uint64_t first;
        uint16_t flipped;
        template <class L> RNG_FN auto operator()(rng::lane::u64<L> w) const {
            using U = rng::lane::u64<L>;
            return rng::lane::Proposal{(w ^ U(flipped)) + U(first), rng::lane::lanes_below(w, U(rejected))};
        }
    };
    [[nodiscard]] RNG_FN Map map() const { return {rejected, first, flipped}; }
};

using user_fills = rng::type_list<
    DeviceFill<rng::detail::StreamBytes, Philox4x32_10>, DeviceFill<rng::detail::StreamBytes, Threefry4x64_20>,
    DeviceFill<Sum<uint16_t, rng::Shape::joint, 4, 1, 3>, Threefry4x64_20>,
    DeviceFill<Sum<double, rng::Shape::pair, 1, 1>, Philox4x32_10>,
    DeviceFill<Sum<float, rng::Shape::joint, 4, 1, 3>, Threefry4x64_20>,
    DeviceFill<Sum<double, rng::Shape::value, 8, 2>, Philox4x32_10>,
    DeviceFill<Sum<uint32_t, rng::Shape::sampler, 1, 1>, Philox4x32_10>,
    DeviceFill<Sum<uint64_t, rng::Shape::sampler, 2, 2>, Threefry4x64_20>,
    DeviceFill<rng::uniform_open<rng::float16>, AnyEngine>, DeviceFill<rng::bernoulli, AnyEngine>,
    DeviceFill<rng::exponential<float>, AnyEngine>, DeviceFill<rng::complex_normal<double>, AnyEngine>,
    DeviceFill<rng::uniform_dense<float>, AnyEngine>, DeviceFill<rng::uniform_int<int16_t>, AnyEngine>,
    DeviceFill<rng::uniform_int<uint64_t>, AnyEngine>, DeviceFill<rng::normal_icdf<double>, AnyEngine>,
    DeviceFill<Sum<uint8_t, rng::Shape::sampler, 1, 1>, Philox4x32_10>,
    DeviceFill<Sum<uint16_t, rng::Shape::sampler, 2, 1>, Philox4x32_10>,
    DeviceFill<Sum<float, rng::Shape::sampler, 4, 1, 3>, Philox4x32_10>, DeviceFill<Tenth, Philox4x32_10>,
    DeviceFill<Tenth, AnyEngine>, DeviceFill<rng::piecewise_constant<float>, Philox4x32_10>,
    DeviceFill<rng::piecewise_linear<double>, Threefry4x64_20>>;

template <int I> using UserFill = typename Element<I, user_fills>::type;

using list_laws = rng::type_list<rng::piecewise_constant<float>, rng::piecewise_constant<double>,
                                 rng::piecewise_linear<float>, rng::piecewise_linear<double>>;

template <int I> using ListLaw = typename Element<I, list_laws>::type;
/// Words come from an engine, or from a table of words that are hard for the law.
template <bool FromTable> using ListStream = rng::Stream<std::conditional_t<FromTable, TableEngine, Philox4x32_10>>;

}  // namespace parity
