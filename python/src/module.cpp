// The module librng._rng: what the package's Python code stands on.
#include <nanobind/nanobind.h>

#include <rng/core/error.hpp>
#include <rng/generator.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "bindings.hpp"
#include "distributions.hpp"

namespace {

namespace nb = nanobind;

/// The class of librng._errors for an error's code. All but Error itself are subclasses of librng.Error and of a class
/// of Python's own.
const char* class_of(rng::ErrorCode code) {
    switch (code) {
        case rng::ErrorCode::invalid_argument: return "InvalidArgument";
        case rng::ErrorCode::end_of_stream: return "EndOfStream";
        case rng::ErrorCode::bad_state: return "BadState";
        case rng::ErrorCode::cuda: return "CudaError";
        case rng::ErrorCode::unsupported: return "Unsupported";
        case rng::ErrorCode::ranks: break;  // nothing here computes over ranks
    }
    return "Error";
}

void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const rng::Error& e) {
        PyErr_SetString(nb::module_::import_("librng._errors").attr(class_of(e.code())).ptr(), e.what());
    }
}

}  // namespace

NB_MODULE(_rng, m) {
    nb::set_leak_warnings(false);  // what other packages still hold at the end of the process is no leak of ours
    nb::register_exception_translator(translate);
    m.attr("__version__") = RNG_VERSION;
    m.attr("contract_version") = rng::contract_version;
    python::bind_distributions(m);
    python::bind_generators(m);
    python::bind_fills(m);
    python::bind_each(m);
    python::bind_numpy_bits(m);
    python::bind_reduce(m);
    python::bind_svd(m);
    python::bind_compat(m);
#if defined(RNG_PYTHON_BATTERY)
    python::bind_battery(m);
#endif
    m.def("num_threads", [] { return rng::num_threads(); });
    m.def(
        "set_num_threads",
        [](nb::handle n) {
            constexpr int64_t most = std::numeric_limits<int>::max();
            const auto number = static_cast<int64_t>(python::integer_of(n, "set_num_threads", "n"));
            python::with_number(n, static_cast<int>(std::clamp(number, -most, most)), rng::set_num_threads);
        },
        python::any_arg("n"));
}
