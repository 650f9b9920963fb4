// Jacobi of small matrices in parity_svd: the rows after all sweeps, against the CPU's kernels.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "../../src/svd/jacobi.hpp"
#include "../../src/svd/kernels/linalg.hpp"
#include "parity_svd.hpp"

namespace {

using namespace parity;

struct JacobiCase {
    const char* name;
    size_t q;
    /// Returns element (i, k) of m.
    double (*element)(Numbers& numbers, size_t i, size_t k);
};

template <int Parts> void compare_jacobi(std::vector<Library>& libraries, const JacobiCase& c, double tolerance) {
    const size_t q = c.q, least = rng_abi::pad * svd::least_in_registers<Parts>;
    const size_t ld = std::max(rng::detail::padded(q, rng_abi::pad), least), width = ld * size_t{Parts};
    Numbers numbers(q);
    std::vector<double> start(q * width);
    for (size_t i = 0; i < q; ++i)
        for (int part = 0; part < Parts; ++part)
            for (size_t k = 0; k < q; ++k)
                start[i * width + static_cast<size_t>(part) * ld + k] = c.element(numbers, i, k);

    std::vector<double> m = start;
    rng::detail::svd::jacobi(rng::wide::Linalg<rng::lane::Scalar>::functions, m.data(), q, ld, Parts, tolerance);

    const size_t bytes = svd::jacobi_bytes(q, ld, Parts, 0);
    for (Library& library : libraries) {
        if (flushes(library)) continue;
        const Memory memory(bytes);
        std::vector<double> on_device = start;
        const PtxDevice device(library);
        if (!svd::has_jacobi<Parts>(device, bytes, q, ld)) fail("the matrix does not fit");
        svd::jacobi<Parts>(device, memory.data(), q, ld, tolerance, on_device.data());
        const std::string what = std::string("jacobi of ") + c.name + ", q = " + std::to_string(q) +
                                 (Parts == 2 ? ", complex" : "") + ", tolerance " +
                                 std::to_string(std::log2(tolerance));
        count(library, m.size(), same(on_device.data(), m.data(), m.size() * sizeof m[0]), what);
        memory.check(what);
    }
}

double upper(Numbers& numbers, size_t i, size_t k) { return k < i ? 0.0 : numbers.number(); }
/// Of few sweeps, which are slow here.
double nearly_diagonal(Numbers& numbers, size_t i, size_t k) {
    return i == k ? 1.5 : k > i ? std::ldexp(numbers.number(), -24) : 0.0;
}

}  // namespace

namespace parity {

void compare_all_jacobis(std::vector<Library>& libraries) {
    const auto compare = [&](const JacobiCase& c) {
        for (const double tolerance : {0x1p-36, 0x1p-50}) {
            compare_jacobi<1>(libraries, c, tolerance);
            compare_jacobi<2>(libraries, c, tolerance);
        }
    };
    for (const size_t q : {size_t{1}, size_t{2}, size_t{3}, size_t{16}, size_t{37}}) compare({"a triangle", q, upper});
    compare({"rows of a diagonal that ascends", 21, [](Numbers& numbers, size_t i, size_t k) {
                 const double d = std::ldexp(1.0, -static_cast<int>(20 - i) / 4);
                 return k == i ? d : k > i ? std::ldexp(numbers.number(), -30) : 0.0;
             }});
    compare({"I", 18, [](Numbers&, size_t i, size_t k) { return i == k ? 1.0 : 0.0; }});
    compare({"zeros", 5, [](Numbers&, size_t, size_t) { return 0.0; }});
    compare(
        {"parallel rows", 17, [](Numbers&, size_t i, size_t k) { return std::ldexp(1.0 + double(k % 3), -int(i)); }});
    compare({"rows on both sides of the least length", 20, [](Numbers& numbers, size_t i, size_t k) {
                 return std::ldexp(upper(numbers, i, k), i % 3 == 1 ? -207 - int(i) / 3 : 0);
             }});
    for (const size_t q : {size_t{66}, size_t{81}, size_t{97}, size_t{113}})  // a kernel each
        compare_jacobi<1>(libraries, {"a nearly diagonal triangle", q, nearly_diagonal}, 0x1p-36);
    compare_jacobi<1>(libraries, {"a triangle", 66, upper}, 0x1p-36);
    // More elements than stay in registers; more pairs than groups of threads.
    compare_jacobi<1>(libraries, {"a large triangle", 131, nearly_diagonal}, 0x1p-36);
    compare_jacobi<2>(libraries, {"a large triangle", 73, nearly_diagonal}, 0x1p-36);
}

}  // namespace parity
