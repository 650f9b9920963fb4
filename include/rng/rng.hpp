// rng: counter-based random numbers, the same bits on every device.
//
//     rng::Generator gen{42};
//     const std::vector<float> z = rng::sample(rng::normal{0.0f, 1.0f}, 1'000'000, gen);
//
// This header includes the headers of this list, unless it says otherwise:
//
//   core/philox.hpp threefry.hpp   block functions: a counter and a key to a block of words
//   core/engine.hpp stream.hpp     Stream: words addressed by position; fork(tag), fork("name")
//   core/counter_engine.hpp        block_engine: an engine in the style of <random>, for kernels too
//   at.hpp                         at(stream, distribution, i), at_block, Cursor: random access, host and kernels
//   draw.hpp                       dist(engine): one value, from our engines in the style of <random> and from others
//   float16.hpp                    float16, bfloat16
//   distributions/catalogue.hpp    the distributions that distributions/distributions.inc lists
//   distributions/piecewise.hpp    piecewise_constant, piecewise_linear: densities given as lists
//   distributions/categorical.hpp  categorical, categorical_icdf, AliasTable: categories by weights
//   permutation.hpp                permutation: one value of a random permutation of [0, n), or its place
//   generator.hpp                  Generator, default_generator(), manual_seed(), ScopedGenerators
//   fill.hpp matrix_view.hpp       fill(), sample(): vectors, spans and matrices, from generators and streams
//   fill_each.hpp                  fill_each(): fills whose parameters differ from value to value
//   shuffle.hpp choice.hpp         shuffle(), fills of a permutation; choice(): k of n, with weights, with replacement
//   data_loader.hpp                EpochSampler: the order of a data set, for any number of workers and ranks
//   sobol.hpp sobol_view.hpp       sobol, sobol_view: points that fill the unit cube evenly (quasi-random)
//   row_at.hpp                     row_at(): one structured value, a vector or a matrix
//   structured/dirichlet.hpp ...   dirichlet, multivariate_normal, sphere, ball, haar_orthogonal,
//                                  haar_special_orthogonal, haar_unitary, wishart, multinomial,
//                                  multivariate_hypergeometric; cholesky()
//   fill_rows.hpp                  fill_rows(): each row of a matrix is one structured value
//   shard.hpp                      shard: a part of a tensor, with the values of the whole
//   indices.hpp                    indices, block_cyclic: strided values, parts of an array for many ranks
//   initialisers.hpp               init: xavier, kaiming, orthogonal and sparse weights of neural networks
//   any_distribution.hpp           AnyDistribution, AnyStream: chosen at run time; fills that can be stopped
//   prepared.hpp                   Prepared: a distribution with its map and table prepared once
//   prepared_map.hpp               PreparedMap: the same without the table, for kernels
//   reader.hpp                     Reader: values one by one, at the speed of a fill
//   device_fill.hpp                fill() of CUDA device memory
//   device_launch.hpp              the same by user-defined distributions, under nvcc (not included by this header)
//   device_fill_rows.hpp           fill_rows() of CUDA device memory, launch_rows(), under nvcc (not included by this
//                                  header)
//   svd/svd_lowrank.hpp            svd_lowrank(), pca_lowrank(): with the same bits on every path
//   svd/host_workspace.hpp         how much host memory svd_lowrank() and pca_lowrank() take
//   svd/device_svd.hpp             svd_lowrank() and pca_lowrank() for matrices in CUDA device memory
//   ranks.hpp                      Ranks, ThreadRanks: the transport of calls over several processes (not included by
//                                  this header)
//   mpi.hpp                        the processes of an MPI communicator as Ranks (not included by this header)
//   svd/svd_ranks.hpp              svd_lowrank() of a matrix whose rows are spread over ranks (not included by this
//                                  header)
//   svd/device_svd_ranks.hpp       the same for rows in CUDA device memory (not included by this header)
//   reduce.hpp                     sum(), mean(), dot(), index_add(), RunningSum: sums in one order (not included by
//                                  this header)
//   reduce/rank_sums.hpp           sum() and so on of an array that is spread over ranks (not included by this header)
//   reduce/device_reduce.hpp       the same of CUDA device memory (not included by this header)
//   fill_undefined.hpp             fill_undefined(): NaN for memory that should be written first (not included by this
//                                  header)
//   random.hpp                     philox4x32, philox4x64, threefry4x32 ...: engines for std:: and boost::
//   interop/random123.hpp          Random123's generators here, our engines there (not included by this header)
//   isa.hpp device.hpp             instruction set, threads, devices
//   core/error.hpp                 Error, which every call throws on bad input
//   verify.hpp                     the golden digests, recomputed
//
// Everything above generator.hpp is header-only (target rng::core) and works inside kernels.
// The rest is librng (target rng::rng). docs/contract.md defines every bit of the results.
#pragma once

#include "any_distribution.hpp"
#include "at.hpp"
#include "choice.hpp"
#include "core/engine.hpp"
#include "core/error.hpp"
#include "core/philox.hpp"
#include "core/stream.hpp"
#include "core/threefry.hpp"
#include "data_loader.hpp"
#include "device.hpp"
#include "device_fill.hpp"
#include "distributions/catalogue.hpp"
#include "distributions/categorical.hpp"
#include "distributions/piecewise.hpp"
#include "fill.hpp"
#include "fill_each.hpp"
#include "fill_rows.hpp"
#include "float16.hpp"
#include "generator.hpp"
#include "indices.hpp"
#include "initialisers.hpp"
#include "isa.hpp"
#include "matrix_view.hpp"
#include "permutation.hpp"
#include "prepared.hpp"
#include "prepared_map.hpp"
#include "random.hpp"
#include "reader.hpp"
#include "row_at.hpp"
#include "shard.hpp"
#include "shuffle.hpp"
#include "sobol.hpp"
#include "structured/cholesky.hpp"
#include "structured/dirichlet.hpp"
#include "structured/haar.hpp"
#include "structured/multinomial.hpp"
#include "structured/multivariate_hypergeometric.hpp"
#include "structured/multivariate_normal.hpp"
#include "structured/sphere.hpp"
#include "structured/wishart.hpp"
#include "svd/device_svd.hpp"
#include "svd/host_workspace.hpp"
#include "svd/svd_lowrank.hpp"
#include "verify.hpp"
