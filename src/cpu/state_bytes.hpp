// The bytes of saved states: integers, the lowest byte first, and at the end FNV-1a 64 of all bytes before.
#pragma once

#include <rng/verify.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

RNG_BEGIN_NAMESPACE
namespace detail {

template <class T> void put(std::vector<std::byte>& bytes, T value) {
    for (size_t i = 0; i < sizeof(T); ++i) bytes.push_back(static_cast<std::byte>(value >> (8 * i)));
}
/// Takes an integer off the front of `bytes`, which must have as many.
template <class T> T take(std::span<const std::byte>& bytes) {
    T value = 0;
    for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<T>(bytes[i]) << (8 * i));
    bytes = bytes.subspan(sizeof(T));
    return value;
}

inline void put_digest(std::vector<std::byte>& bytes) { put(bytes, digest(bytes)); }
/// Takes the digest off the back of `bytes`, and returns true if it is that of the bytes before.
[[nodiscard]] inline bool take_digest(std::span<const std::byte>& bytes) {
    if (bytes.size() < sizeof(uint64_t)) return false;
    std::span<const std::byte> last = bytes.last(sizeof(uint64_t));
    bytes = bytes.first(bytes.size() - last.size());
    return take<uint64_t>(last) == digest(bytes);
}

}  // namespace detail
RNG_END_NAMESPACE
