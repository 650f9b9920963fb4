// A library that run.py made of a PTX file, its kernels and what they counted.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ptx_machine.h"

namespace parity {

[[noreturn]] inline void fail(const std::string& message) {
    std::fprintf(stderr, "parity_host: %s\n", message.c_str());
    std::exit(2);
}

/// One translated PTX file.
struct Library {
    std::string name;
    const ptx_kernel* kernels;
    ptx_block_runner* run_block;
    ptx_counts* counts;
    int* backwards;
    std::uint32_t* launch_bytes;
    std::uint64_t compared = 0, mismatches = 0, replayed = 0, digests = 0, digest_mismatches = 0;

    explicit Library(const char* path) : name(path) {
        void* handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!handle) fail(dlerror());
        kernels = static_cast<const ptx_kernel*>(dlsym(handle, "ptx_kernels"));
        run_block = reinterpret_cast<ptx_block_runner*>(dlsym(handle, "ptx_run_block"));
        counts = static_cast<ptx_counts*>(dlsym(handle, "ptx_counts"));
        backwards = static_cast<int*>(dlsym(handle, "ptx_backwards"));
        launch_bytes = static_cast<std::uint32_t*>(dlsym(handle, "ptx_launch_bytes"));
        if (!kernels || !run_block || !counts || !backwards || !launch_bytes)
            fail(name + " was not made by ptx_to_c.py");
        name = name.substr(name.rfind('/') + 1);
    }

    /// Returns the kernel whose name begins so, or null.
    [[nodiscard]] const ptx_kernel* find(const std::string& mangled_prefix) const {
        const ptx_kernel* kernel = kernels;
        while (kernel->name && std::strncmp(kernel->name, mangled_prefix.c_str(), mangled_prefix.size()) != 0) ++kernel;
        return kernel->name ? kernel : nullptr;
    }

    /// Runs a grid of at least `n` threads, some of which must find themselves idle.
    template <class Arguments> void run(const std::string& mangled_prefix, const Arguments& arguments) const {
        run(mangled_prefix, arguments, 256, arguments.n / 256 + 1);
    }
    template <class Arguments>
    void run(const std::string& mangled_prefix, const Arguments& arguments, std::uint32_t threads, std::uint32_t blocks,
             std::uint32_t blocks_y = 1) const {
        for (std::uint32_t y = 0; y < blocks_y; ++y)
            for (std::uint32_t x = 0; x < blocks; ++x) run_one_block(mangled_prefix, arguments, threads, blocks, x, y);
    }
    /// Runs block (x, y) alone.
    template <class Arguments>
    void run_one_block(const std::string& mangled_prefix, const Arguments& arguments, std::uint32_t threads,
                       std::uint32_t blocks, std::uint32_t x, std::uint32_t y = 0) const {
        const ptx_kernel* const kernel = find(mangled_prefix);
        if (!kernel) fail(name + ": no kernel " + mangled_prefix);
        if (kernel->parameter_bytes != arguments.parameter_bytes) fail(name + ": parameters of " + mangled_prefix);
        if (const char* fault =
                run_block(kernel, reinterpret_cast<const unsigned char*>(&arguments), x, y, threads, blocks))
            fail(name + ": " + mangled_prefix + ": " + fault);
    }
};

}  // namespace parity
