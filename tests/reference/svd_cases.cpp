// Prints every case of the SVD's goldens as a line of JSON, for svd_goldens.py: the matrix, the test matrix, the
// factors.
#include <cstdio>
#include <string>
#include <vector>

#include "../../src/verify/svd_cases.hpp"

namespace {

void print(const char* name, const std::vector<double>& values) {
    std::printf(", \"%s\": [", name);
    for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%.17g", i ? ", " : "", values[i]);
    std::printf("]");
}

}  // namespace

int main() {
    for (const auto& one : rng::detail::svd_cases()) {
        const auto r = rng::detail::run_svd_case(one, true);
        std::printf(
            "{\"name\": \"%s\", \"dtype\": \"%s\", \"rows\": %zu, \"cols\": %zu, \"q\": %zu, \"niter\": %lld, "
            "\"digest\": \"0x%016llx\", \"golden\": \"0x%016llx\"",
            rng::detail::to_string(one).c_str(), one.dtype, one.rows, one.cols, one.q, one.niter,
            static_cast<unsigned long long>(r.digest), static_cast<unsigned long long>(one.digest));
        print("a", r.a);
        print("omega", r.omega);
        print("u", r.u);
        print("s", r.s);
        print("v", r.v);
        std::printf("}\n");
    }
    return 0;
}
