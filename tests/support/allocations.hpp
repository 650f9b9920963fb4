// Replaces this program's operator new: what it holds is counted, and it runs out of memory when a test says so. For
// the one source of a test.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace support {

/// After so many allocations, of any thread, there is no memory. Below 0: never.
inline std::atomic<long> allocations_left{-1};
/// Bytes that are allocated, and the most that were, with what the C library rounds them up to. What a process holds of
/// them depends on the system: pages that are not written are not held, and freed ones may be.
inline std::atomic<std::size_t> held{0}, most_held{0};

inline void* allocate(std::size_t size, std::size_t alignment) {
    if (allocations_left.load(std::memory_order_relaxed) >= 0 && allocations_left.fetch_sub(1) == 0) {
        allocations_left = 0;  // and it stays so
        throw std::bad_alloc();
    }
    void* p = nullptr;
    if (posix_memalign(&p, std::max(alignment, sizeof(void*)), std::max<std::size_t>(size, 1)) != 0)
        throw std::bad_alloc();
    const std::size_t bytes = malloc_usable_size(p), now = held.fetch_add(bytes) + bytes;
    for (std::size_t most = most_held; now > most && !most_held.compare_exchange_weak(most, now);) {
    }
    return p;
}
inline void release(void* p) {
    if (p != nullptr) held -= malloc_usable_size(p);
    std::free(p);
}

}  // namespace support

// Not inlined: GCC would see malloc's memory given to delete.
#define RNG_TEST_NOINLINE __attribute__((noinline))
RNG_TEST_NOINLINE void* operator new(std::size_t size) { return support::allocate(size, alignof(std::max_align_t)); }
RNG_TEST_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment) {
    return support::allocate(size, static_cast<std::size_t>(alignment));
}
// AddressSanitizer has these two of its own, whose memory is not for free().
RNG_TEST_NOINLINE void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    try {
        return support::allocate(size, static_cast<std::size_t>(alignment));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
RNG_TEST_NOINLINE void* operator new(std::size_t size, const std::nothrow_t& nothrow) noexcept {
    return operator new (size, std::align_val_t{alignof(std::max_align_t)}, nothrow);
}
RNG_TEST_NOINLINE void operator delete(void* p) noexcept { support::release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t) noexcept { support::release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::align_val_t) noexcept { support::release(p); }
RNG_TEST_NOINLINE void operator delete(void* p, std::size_t, std::align_val_t) noexcept { support::release(p); }
#undef RNG_TEST_NOINLINE
