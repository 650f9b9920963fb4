// A stand-in for the library's decomposition: with three threads the singular value is -0, which equals 0 in every way
// but its bits. And one for the system's fstatvfs: FREE_BYTES of the environment is what each disk has free; without
// it disks do not tell. See CMakeLists.txt.
#include <sys/statvfs.h>

#include <cstdlib>

#include <rng/rng.hpp>

int fstatvfs(int, struct statvfs* disk) {
    const char* const free = std::getenv("FREE_BYTES");
    *disk = {};
    disk->f_frsize = 1;
    disk->f_blocks = free ? 1 << 20 : 0;
    disk->f_bfree = free ? std::strtoul(free, nullptr, 10) : 0;
    return 0;
}

RNG_BEGIN_NAMESPACE
namespace detail {

size_t checked_svd(const SvdInput& input) { return static_cast<size_t>(*input.q); }

void run_svd(std::span<const SvdInput>, std::span<const SvdOutput> outputs, Generator&) {
    *static_cast<double*>(outputs[0].S) = num_threads() == 3 ? -0.0 : 0.0;
}

}  // namespace detail
RNG_END_NAMESPACE
