// Memory that begins at a cache line: a vector of 64 bytes that lies across two lines takes twice as long.
#pragma once

#include <memory>
#include <new>
#include <span>
#include <vector>

#include <rng/fill_undefined.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define RNG_FILL_WORKSPACES
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RNG_FILL_WORKSPACES
#endif
#endif

RNG_BEGIN_NAMESPACE
namespace detail {

inline constexpr std::align_val_t line_alignment{64};

template <class T> struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <class U> explicit LineAllocator(const LineAllocator<U>&) {}
    [[nodiscard]] T* allocate(size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line_alignment)); }
    void deallocate(T* p, size_t) { ::operator delete(p, line_alignment); }
    friend bool operator==(const LineAllocator&, const LineAllocator&) { return true; }
};
template <class T> using AlignedVector = std::vector<T, LineAllocator<T>>;

struct FreeLines {
    void operator()(void* p) const { ::operator delete(p, line_alignment); }
};
/// Room for n values, which stay uninitialised: most of a workspace is never read. Builds with AddressSanitizer fill it
/// with NaN, so a result shows a value that was read before it was written.
template <class T> [[nodiscard]] std::unique_ptr<T[], FreeLines> line_workspace(size_t n) {
    std::unique_ptr<T[], FreeLines> room(static_cast<T*>(::operator new(n * sizeof(T), line_alignment)));
#if defined(RNG_FILL_WORKSPACES)
    fill_undefined(std::span(room.get(), n));
#endif
    return room;
}

}  // namespace detail
RNG_END_NAMESPACE
