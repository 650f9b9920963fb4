// A device that executes PTX on the host, its memory, and how what it computes is compared.
#pragma once

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <complex>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <rng/core/error.hpp>
#include <rng/core/type_list.hpp>
#include <rng/detail/svd_element.hpp>

#include "ptx_library.hpp"

namespace parity {

/// A device whose kernels are PTX executed on the host, and whose memory is the host's.
/// Kernels: the list of kernels that the PTX has (listed_kernels.hpp).
template <class Kernels> class ListedPtxDevice {
  public:
    /// If is_reversed is true, blocks run from the last to the first, and so do threads that wait for no others.
    explicit ListedPtxDevice(const Library& library, bool is_reversed = false)
        : library_(library), is_reversed_(is_reversed) {}

    template <class K> void launch(const K& kernel, uint64_t blocks, uint32_t blocks_y, size_t shared_bytes = 0) const {
        constexpr int index = rng::detail::index_in<K>(Kernels{});
        static_assert(index >= 0, "the kernel is not in the list");
        struct Arguments : K {
            const std::uint32_t parameter_bytes = sizeof(K);
        };
        const std::string name = "_Z13listed_kernelILi" + std::to_string(index) + "E";
        const auto n = static_cast<uint32_t>(blocks);
        *library_.backwards = is_reversed_;
        *library_.launch_bytes = static_cast<uint32_t>(shared_bytes);
        for (uint32_t y = 0; y < blocks_y; ++y)
            for (uint32_t x = 0; x < n; ++x)
                library_.run_one_block(name, Arguments{kernel}, K::threads, n, is_reversed_ ? n - 1 - x : x,
                                       is_reversed_ ? blocks_y - 1 - y : y);
        *library_.launch_bytes = 0;
    }
    void zero(void* to, size_t bytes) const { std::memset(to, 0, bytes); }
    void copy(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }
    /// The result of a stable sort is unique. What else CUB leaves in the buffers is not, nor in which of them it
    /// sorts.
    void sort(uint32_t* (&keys)[2], uint32_t* (&values)[2], uint32_t n, int bits, void* workspace, size_t bytes) {
        ++sorts_;
        if (bytes < sort_workspace(n, bits)) fail("a sort with less workspace than it asked for");
        std::memset(workspace, 0x3c, bytes);
        std::vector<std::pair<uint32_t, uint32_t>> pairs(n);
        for (uint32_t i = 0; i < n; ++i) pairs[i] = {keys[0][i], values[0][i]};
        const auto digits = [&](const auto& pair) { return bits >= 32 ? pair.first : pair.first & ((1u << bits) - 1); };
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&](const auto& a, const auto& b) { return digits(a) < digits(b); });
        if ((bits + 7) / 8 % 2 != 0) {
            std::swap(keys[0], keys[1]);
            std::swap(values[0], values[1]);
        }
        for (uint32_t i = 0; i < n; ++i) {
            std::tie(keys[0][i], values[0][i]) = pairs[i];
            keys[1][i] = values[1][i] = 0xc3c3c3c3;
        }
    }
    [[nodiscard]] size_t sort_workspace(uint32_t n, int bits) const {
        return 1000 + n / 64 + static_cast<uint32_t>(bits);
    }
    /// How many sorts there were.
    [[nodiscard]] int sorts() const { return sorts_; }
    void to_device(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }
    void to_host(void* to, const void* from, size_t bytes) const { std::memcpy(to, from, bytes); }

  private:
    const Library& library_;
    bool is_reversed_;
    int sorts_ = 0;
};

/// Device memory at a multiple of 256, of NaNs at first, with a margin that must stay.
class Memory {
  public:
    explicit Memory(size_t bytes) : bytes_(bytes), all_(bytes + 1024) {
        std::memset(all_.data(), 0xff, all_.size());
        begin_ = all_.data() + 256 + (256 - reinterpret_cast<uintptr_t>(all_.data()) % 256);
    }
    [[nodiscard]] std::byte* data() const { return begin_; }
    void check(const std::string& what) const {
        for (const std::byte* p = all_.data(); p < all_.data() + all_.size(); ++p)
            if ((p < begin_ || p >= begin_ + bytes_) && *p != std::byte{0xff})
                fail(what + " writes outside its memory");
    }

  private:
    size_t bytes_;
    std::vector<std::byte> all_;
    std::byte* begin_;
};

/// Numbers of many sizes and both signs, and some zeros.
class Numbers {
  public:
    explicit Numbers(uint64_t seed) : state_(seed) {}
    uint64_t next() {  // SplitMix64
        uint64_t z = state_ += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
    double number() {
        const uint64_t w = next();
        if (w % 17 == 0) return w & 64 ? -0.0 : 0.0;
        return std::ldexp(static_cast<double>(static_cast<int64_t>(w)), -63 - static_cast<int>(next() % 8));
    }

  private:
    uint64_t state_;
};

template <class S> S as(double x) {
    if constexpr (sizeof(S) == 2)
        return S(static_cast<float>(x));
    else if constexpr (rng::detail::SvdElement<S>::is_complex)
        return S(as<rng::detail::real_t<S>>(x));
    else
        return static_cast<S>(x);
}

inline bool same(const void* a, const void* b, size_t bytes) { return std::memcmp(a, b, bytes) == 0; }

inline void count(Library& library, size_t values, bool equal, const std::string& what) {
    library.compared += values;
    if (equal) return;
    if (library.mismatches++ < 10) std::printf("%s: %s differs\n", library.name.c_str(), what.c_str());
}

/// The command line of a program whose tests have parts: PROGRAM [--only PART]... LIBRARY...
class Command {
  public:
    std::vector<Library> libraries;

    Command(int argc, char** argv, const std::string& program, const std::set<std::string>& parts) {
        for (int i = 1; i < argc; ++i)
            if (argv[i] == std::string("--only") && i + 1 < argc)
                only_.insert(argv[++i]);
            else
                libraries.emplace_back(argv[i]);
        if (!libraries.empty() && std::includes(parts.begin(), parts.end(), only_.begin(), only_.end())) return;
        std::string names;
        for (const std::string& part : parts) names += (names.empty() ? "" : "|") + part;
        fail("usage: " + program + " [--only " + names + "]... LIBRARY...");
    }
    /// True if the part is to be run.
    [[nodiscard]] bool has(const char* part) const { return only_.empty() || only_.contains(part); }

  private:
    std::set<std::string> only_;
};

/// Calls f(an element) for each type of elements.
template <class F> void each_type(const F& f) {
    f(float{});
    f(double{});
    f(rng::float16{});
    f(rng::bfloat16{});
    f(std::complex<float>{});
    f(std::complex<double>{});
}

template <class F> std::string error_of(const F& f) {
    try {
        f();
    } catch (const rng::Error& error) {
        return error.what();
    }
    return "";
}

/// Prints what was compared, and returns true if no library differs.
inline bool report(const std::vector<Library>& libraries) {
    bool sound = true;
    for (const Library& library : libraries) {
        const ptx_counts& counts = *library.counts;
        std::printf("%s: %" PRIu64 " values compared, %" PRIu64 " mismatches; %" PRIu64 " flushes, %" PRIu64
                    " changed a bit%s%s\n",
                    library.name.c_str(), library.compared, library.mismatches, counts.flushes, counts.flushes_changed,
                    counts.flushes_changed ? ", first " : "", counts.flushes_changed ? counts.culprit : "");
        sound = sound && library.mismatches == 0 && counts.flushes_changed == 0 && library.compared > 0;
    }
    return sound;
}

}  // namespace parity
