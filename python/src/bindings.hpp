// What module.cpp binds; each part has a file of its name.
#pragma once

#include <nanobind/nanobind.h>

namespace python {

namespace nb = nanobind;

void bind_compat(nb::module_& m);
void bind_distributions(nb::module_& m);
void bind_fills(nb::module_& m);
void bind_generators(nb::module_& m);
void bind_numpy_bits(nb::module_& m);
void bind_reduce(nb::module_& m);
void bind_svd(nb::module_& m);
void bind_battery(nb::module_& m);

}  // namespace python
