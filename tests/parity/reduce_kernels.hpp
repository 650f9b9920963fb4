// What reduce_kernels.cu and parity_reduce.cpp share: the kernels of sums and of additions by index.
#pragma once

#include "../../cuda/scatter_kernels.hpp"
#include "../../cuda/sum_kernels.hpp"
#include "element.hpp"

namespace parity {

namespace gpu = rng::detail::gpu;

template <class T, class S, int Parts>
using SumsOf =
    rng::type_list<gpu::AddLeaves<T, S, Parts, gpu::Add::value>, gpu::AddLeaves<T, S, Parts, gpu::Add::spread>,
                   gpu::AddLeaves<T, S, Parts, gpu::Add::square>, gpu::AddLeaves<T, S, Parts, gpu::Add::product>,
                   gpu::AddLeaves<T, S, Parts, gpu::Add::scaled_square>, gpu::AddColumns<T, S, Parts, gpu::Add::value>,
                   gpu::AddColumns<T, S, Parts, gpu::Add::spread>, gpu::AddColumns<T, S, Parts, gpu::Add::square>>;

/// Thread i converts number i of each array.
struct ConvertHalves {
    static constexpr unsigned threads = 256, resident = 1;
    const rng::float16* halves;
    float* widened;
    const float* floats;
    rng::float16* rounded;

    RNG_KERNEL void operator()() const;
};
#if defined(__CUDACC__)
RNG_KERNEL void ConvertHalves::operator()() const {
    const uint64_t i = gpu::thread_index();
    widened[i] = halves[i];
    rounded[i] = rng::float16(floats[i]);
}
#endif

template <class T> using SumsOfType = rng::type_list<gpu::MergeLeaves<T>, gpu::FinishSums<T, 1>, gpu::FinishSums<T, 2>>;

template <class Index>
using PlacesOf =
    rng::type_list<gpu::SearchFault<gpu::BadPlace<Index>>, gpu::PreparePlaces<Index>, gpu::CountPlaces<Index>>;

template <class T> using RunsOf = rng::type_list<gpu::AddShortRuns<T>, gpu::AddLongRuns<T>>;
template <class T, class S>
using RowsOf = rng::type_list<gpu::MultiplyTerms<T, S>, gpu::AddShortRows<T, S>, gpu::AddLongRows<T, S>>;

using reduce_kernels =
    joined_t<SumsOf<float, float, 1>, SumsOf<float, rng::float16, 1>, SumsOf<float, rng::bfloat16, 1>,
             SumsOf<double, float, 1>, SumsOf<double, rng::float16, 1>, SumsOf<double, rng::bfloat16, 1>,
             SumsOf<double, double, 1>, SumsOf<float, float, 2>, SumsOf<double, float, 2>, SumsOf<double, double, 2>,
             SumsOfType<float>, SumsOfType<double>, PlacesOf<uint32_t>, PlacesOf<uint64_t>, RunsOf<float>,
             RunsOf<double>, RowsOf<float, float>, RowsOf<float, rng::float16>, RowsOf<float, rng::bfloat16>,
             RowsOf<double, float>, RowsOf<double, rng::float16>, RowsOf<double, rng::bfloat16>, RowsOf<double, double>,
             rng::type_list<gpu::SearchFault<gpu::BadSegment>, gpu::ReduceLargest, ConvertHalves>>;

}  // namespace parity
