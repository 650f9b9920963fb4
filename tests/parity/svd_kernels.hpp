// What svd_kernels.cu and parity_svd.cpp share: the kernels of svd_lowrank by index.
#pragma once

#include "../../cuda/svd_sparse_kernels.hpp"
#include "element.hpp"

namespace parity {

namespace svd = rng::detail::svd;

template <class T, class... E> rng::type_list<svd::RandomColumn<T, E>...> refills(rng::type_list<E...>);

/// Kernels of sparse matrices alone.
template <class Index>
using OfIndex = rng::type_list<svd::SearchFault<svd::BadOffset<Index>>, svd::SearchFault<svd::BadIndex<Index>>,
                               svd::MakeEntries<Index>>;
using OfSparse =
    joined_t<OfIndex<int32_t>, OfIndex<int64_t>,
             rng::type_list<svd::SearchFault<svd::SecondEntry>, svd::CountDigits, svd::SumCounts, svd::MoveEntries,
                            svd::WriteOffsets, svd::SparseProduct<float>, svd::SparseProduct<double>,
                            svd::WriteElements<float, float>, svd::WriteElements<float, rng::float16>,
                            svd::WriteElements<float, rng::bfloat16>, svd::WriteElements<double, double>,
                            svd::WriteDense<float, float>, svd::WriteDense<float, rng::float16>,
                            svd::WriteDense<float, rng::bfloat16>, svd::WriteDense<double, double>>>;

/// Kernels of one computed type.
template <class T>
using OfType = joined_t<
    rng::type_list<svd::Product<T, T, T, svd::Narrow<T>>, svd::Product<T, T, T, svd::Middle<T>>,
                   svd::Product<T, T, T, svd::Broad<T>>, svd::Product<double, T, T, svd::SmallGram>,
                   svd::Product<double, T, T, svd::Gram>, svd::Merge<T>, svd::Scale<T>, svd::WriteTestMatrix<T, T>,
                   svd::WriteTestMatrix<T, rng::complex<T>>, svd::WriteTestMatrix<T, uint32_t>,
                   svd::LargestPerColumn<T>, svd::SearchMatrix<T, T>, svd::Write<T>>,
    decltype(refills<T>(rng::engines{}))>;

/// Kernels of matrices of 16 bits, computed in float.
template <class S>
using OfHalf =
    rng::type_list<svd::Product<float, S, float, svd::Narrow<float>>, svd::Product<float, S, float, svd::Middle<float>>,
                   svd::Product<float, S, float, svd::Broad<float>>, svd::SearchMatrix<float, S>>;

using svd_kernels =
    joined_t<OfType<float>, OfType<double>, OfHalf<rng::float16>, OfHalf<rng::bfloat16>,
             rng::type_list<svd::ReduceLargest, svd::CopyElements<uint16_t>, svd::CopyElements<uint32_t>>, OfSparse>;
template <class K> inline constexpr int svd_index = rng::detail::index_in<K>(svd_kernels{});

}  // namespace parity
