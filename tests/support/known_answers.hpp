// The values of the Python model of the contract: tests/reference/known_answers.json and goldens.json.
#pragma once

#include <gtest/gtest.h>
#include <rng/core/stream.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace support {

using Json = nlohmann::json;

inline Json read_reference(const std::string& file) {
    const std::filesystem::path path = std::filesystem::path(RNG_REFERENCE_DIR) / file;
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return Json::parse(in);
}

inline const Json& known_answers() {
    static const Json all = read_reference("known_answers.json");
    return all;
}

/// Integers that JSON cannot hold are strings of hexadecimal digits there.
inline uint64_t integer(const Json& value) {
    return value.is_string() ? std::stoull(value.get<std::string>(), nullptr, 16) : value.get<uint64_t>();
}

/// The bits of a value, the first byte last, as rows write them: "0x" and all hexadecimal digits.
template <class T> std::string bits_text(const T& value) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    std::string text = "0x";
    for (std::size_t i = sizeof(T); i-- > 0;)
        for (const int shift : {4, 0}) text += "0123456789abcdef"[bytes[i] >> shift & 15];
    return text;
}

/// True if the row is about engine E.
template <class E> bool is_about(const Json& row) { return row.at("engine") == E::name; }

template <class E> rng::Stream<E> stream_of(const Json& row) {
    return rng::Stream<E>(integer(row.at("seed")), integer(row.at("id")), integer(row.at("position")));
}

/// Compares a child with the key and id that a row lists.
template <class E> void expect_child(const Json& row, const rng::Stream<E>& child) {
    const Json& key = row.at("child_key");
    ASSERT_EQ(key.size(), static_cast<std::size_t>(child.key.size()));
    for (int i = 0; i < child.key.size(); ++i)
        EXPECT_EQ(child.key[i], integer(key.at(static_cast<std::size_t>(i)))) << row;
    EXPECT_EQ(child.id, integer(row.at("child_id"))) << row;
    EXPECT_EQ(child.position, 0u) << row;
}

}  // namespace support
