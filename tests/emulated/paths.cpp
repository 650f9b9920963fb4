// Every path of the library on another machine, which an emulator runs: operations, digests, and the caller's
// floating-point modes. It needs no GoogleTest, which cross compilers seldom have. scripts/test.sh builds and runs it
// (stage arm).
//
//     emulated_paths scalar neon     fails too if the machine's instruction sets are not these
#include <rng/rng.hpp>
#include <rng/verify.hpp>

#include <cfenv>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "lanes.hpp"

namespace {

int wrong = 0;

void verify_paths() {
    struct Count {
        int all, wrong;
    };
    std::map<std::string, Count> counts;
    for (const rng::VerifyRow& row : rng::verify({}, rng::VerifyScope::quick)) {
        Count& count = counts[row.path];
        ++count.all;
        if (row.ok()) continue;
        if (++count.wrong <= 3)
            std::printf("%s: %s %s %s (%s): expected %016" PRIx64 ", got %016" PRIx64 "\n", row.path.c_str(),
                        row.engine.c_str(), row.distribution.c_str(), row.dtype.c_str(), row.parameters.c_str(),
                        row.expected, row.got);
    }
    Count sum{};
    for (const auto& [path, count] : counts) {
        std::printf("%-20s %5d digests, %d wrong\n", path.c_str(), count.all, count.wrong);
        sum.all += count.all, sum.wrong += count.wrong;
    }
    std::printf("%d digests on %zu paths, %d wrong\n", sum.all, counts.size(), sum.wrong);
    wrong += sum.wrong;
}

#if defined(__aarch64__)
/// The digest of values that come from long chains of sums and products.
std::uint64_t digest_of_fills() {
    std::vector<float> x(4000);
    std::vector<double> y(4000);
    rng::fill(x, rng::normal<float>{3.0f, 0.7f}, rng::Stream<>{42});
    rng::fill(y, rng::gamma<double>{2.5, 1.0}, rng::Stream<>{43});
    return rng::digest(std::as_bytes(std::span(x))) ^ rng::digest(std::as_bytes(std::span(y)));
}

std::uint64_t control() {
    std::uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    return fpcr;
}
void set_control(std::uint64_t fpcr) { __asm__ volatile("msr fpcr, %0" : : "r"(fpcr)); }

/// No mode of the caller changes a bit, and each is as before afterwards.
void fill_in_modes() {
    const std::uint64_t saved = control();
    for (const rng::Isa isa : rng::available_isas()) {
        rng::set_isa(isa);
        const std::uint64_t expected = digest_of_fills();
        for (std::uint64_t mode = 0; mode < 16; ++mode) {
            const std::uint64_t fpcr = saved | mode << 22;  // RMode, FZ, DN
            set_control(fpcr);
            volatile float one = 1, three = 3;
            const float third = one / three;
            const std::uint64_t got = digest_of_fills();
            const std::uint64_t after = control();
            set_control(saved);
            const bool is_up = (mode & 3) == 0 || (mode & 3) == 1;  // the nearest one lies above too
            const bool is_real = (third > 0x1.555554p-2f) == is_up;
            if (got == expected && after == fpcr && is_real) continue;
            ++wrong;
            std::printf("%s, FPCR %" PRIx64 ": %s, FPCR %" PRIx64 " afterwards%s\n", rng::to_string(isa), fpcr,
                        got == expected ? "the same bits" : "OTHER BITS", after, is_real ? "" : ", NO SUCH MODE");
        }
        std::printf("%s: the same bits in 16 modes\n", rng::to_string(isa));
    }
    rng::reset_isa();
}
#endif

}  // namespace

int main(int count, char** names) {
    std::string wanted, found;
    for (int i = 1; i < count; ++i) wanted += std::string(" ") + names[i];
    for (const rng::Isa isa : rng::available_isas()) found += std::string(" ") + rng::to_string(isa);
    if (count > 1 && wanted != found) {
        std::printf("instruction sets:%s, expected:%s\n", found.c_str(), wanted.c_str());
        ++wrong;
    }
    wrong += emulated::wrong_operations();
    verify_paths();
#if defined(__aarch64__)
    fill_in_modes();
#endif
    return wrong == 0 ? 0 : 1;
}
