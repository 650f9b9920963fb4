// The function that writes runs of blocks of each engine, on an instruction set with vectors.
//
// R describes the instruction set:
// - Vector32 and Vector64: its vectors of 32-bit and 64-bit words (vector_avx2.hpp, vector_avx512.hpp,
// vector_neon.hpp);
// - Philox32<Rounds> and SparsePhilox32<Rounds>: the wide engine for Philox4x32, and what computes blocks that are not
// a
//   run (sparse_blocks.hpp);
// - Philox64Vector: the vector for Philox4x64, which needs wide products. Without it, Philox4x64 has no wide form;
// - philox_chains, philox64_chains, threefry_chains: how many blocks are computed side by side.
#pragma once

#include "wide_engine.hpp"
#include "wide_philox64.hpp"
#include "wide_threefry.hpp"

RNG_BEGIN_NAMESPACE
namespace wide {

/// An engine without a wide form computes block after block.
template <class R, class A> constexpr rng_abi::BlocksFunction blocks_of(type_tag<A>) { return &scalar_blocks<A>; }
template <class R, int Rounds> constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint32_t, Rounds>>) {
    return &wide_blocks<typename R::template Philox32<Rounds>, R::philox_chains>;
}
template <class R, int Rounds>
requires requires { typename R::Philox64Vector; }
constexpr rng_abi::BlocksFunction blocks_of(type_tag<PhiloxEngine<uint64_t, Rounds>>) {
    return &wide_blocks<Philox4x64Rounds<typename R::Philox64Vector, Rounds>, R::philox64_chains>;
}
template <class R, int Rounds> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint32_t, Rounds>>) {
    return &wide_blocks<ThreefryRounds<typename R::Vector32, uint32_t, Rounds>, R::threefry_chains>;
}
template <class R, int Rounds> constexpr rng_abi::BlocksFunction blocks_of(type_tag<ThreefryEngine<uint64_t, Rounds>>) {
    return &wide_blocks<ThreefryRounds<typename R::Vector64, uint64_t, Rounds>, R::threefry_chains>;
}

/// The blocks functions of all engines on R.
template <class R>
inline constexpr BlocksTable<engines> wide_table([](auto algorithm) { return blocks_of<R>(algorithm); });

}  // namespace wide
RNG_END_NAMESPACE
