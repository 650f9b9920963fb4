// What row_kernels.cu and parity_rows.cpp share by index: fills of rows. Lists lie in memory that kernels read. Fills
// with Sobol points have no list.
#pragma once

#include <rng/detail/any_engine.hpp>
#include <rng/detail/device_row_fill.hpp>
#include <rng/detail/device_sobol_fill.hpp>
#include <rng/structured/dirichlet.hpp>
#include <rng/structured/haar.hpp>
#include <rng/structured/multinomial.hpp>
#include <rng/structured/multivariate_normal.hpp>
#include <rng/structured/sphere.hpp>
#include <rng/structured/wishart.hpp>

#include "element.hpp"

namespace parity {

using rng::Philox4x32_10, rng::Threefry4x64_20, rng::detail::DeviceRowFill;

using row_fills = rng::type_list<
    DeviceRowFill<rng::dirichlet<float>, Philox4x32_10>, DeviceRowFill<rng::dirichlet<double>, Threefry4x64_20>,
    DeviceRowFill<rng::multivariate_normal<float>, Philox4x32_10>, DeviceRowFill<rng::sphere<float>, Threefry4x64_20>,
    DeviceRowFill<rng::ball<double>, rng::detail::AnyEngine>,
    DeviceRowFill<rng::haar_special_orthogonal<double>, Philox4x32_10>,
    DeviceRowFill<rng::haar_unitary<float>, Philox4x32_10>, DeviceRowFill<rng::wishart<double>, Philox4x32_10>,
    DeviceRowFill<rng::multinomial<int>, Threefry4x64_20>>;

template <int I> using RowFill = typename Element<I, row_fills>::type;

}  // namespace parity
