#include "cipher_stream.hpp"

#include <rng/core/engine.hpp>
#include <rng/stats/engine.hpp>

#include <algorithm>
#include <cstring>

#include "../checks/test.hpp"

namespace rng::stats {

namespace {

constexpr std::size_t most_words = 8;  // the most 32-bit words of a block or a key

/// Writes the counter of a block to words 0.. of one lane.
void put_counter(const Cipher& cipher, uint64_t block, unsigned domain, uint64_t id, uint32_t* to, std::size_t lanes) {
    const uint64_t first = block | static_cast<uint64_t>(domain) << 56;
    for (int w = 0; w < cipher.block_words(); ++w) to[static_cast<std::size_t>(w) * lanes] = 0;
    to[0] = static_cast<uint32_t>(first);
    to[lanes] = static_cast<uint32_t>(first >> 32);
    if (!CipherStream::has_ids(cipher)) return;
    // The id is the third of four words, or the second of two.
    const std::size_t at = cipher.words == 4 ? cipher.word_bits / 16 : 2;
    to[at * lanes] = static_cast<uint32_t>(id);
    to[(at + 1) * lanes] = static_cast<uint32_t>(id >> 32);
}

/// Turns blocks in lanes into a sequence of words: a transposition.
RNG_STATS_CLONES void interleave(const uint32_t* blocks, std::size_t lanes, std::size_t words, uint32_t* to) {
    for (std::size_t l = 0; l < lanes; ++l)
        for (std::size_t w = 0; w < words; ++w) to[l * words + w] = blocks[w * lanes + l];
}

class CipherSource final : public Source {
  public:
    CipherSource(const CipherStream& stream, uint64_t position, std::string name)
        : stream_(stream), first_(position * 4), name_(std::move(name)) {}
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int word_bits() const override { return stream_.cipher.word_bits; }
    [[nodiscard]] std::optional<uint64_t> size() const override {
        const uint64_t whole = (uint64_t{1} << 56) * static_cast<uint64_t>(stream_.cipher.block_words()) * 4;
        return whole - first_;
    }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        stream_.read(first_ + position, to);
        return to.size();
    }

  private:
    CipherStream stream_;
    uint64_t first_;
    std::string name_;
};

class CipherStreams final : public StreamSet {
  public:
    enum class Kind { seeds, ids, forks };
    CipherStreams(const Cipher& cipher, uint64_t seed, Kind kind) : cipher_(cipher), seed_(seed), kind_(kind) {}
    [[nodiscard]] std::string name() const override {
        return kind_ == Kind::seeds ? "seeds" : kind_ == Kind::ids ? "ids" : "forks";
    }
    [[nodiscard]] int word_bits() const override { return cipher_.word_bits; }
    [[nodiscard]] int block_bytes() const override { return cipher_.block_words() * 4; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        stream(index).read(position, to);
    }

  private:
    [[nodiscard]] CipherStream stream(uint64_t index) const {
        if (kind_ == Kind::seeds) return {cipher_, seed_ + index};
        if (kind_ == Kind::ids) return {cipher_, seed_, index};
        return CipherStream(cipher_, seed_).fork(index);
    }
    Cipher cipher_;
    uint64_t seed_;
    Kind kind_;
};

class CipherFunction : public BlockFunction {
  public:
    explicit CipherFunction(const Cipher& cipher) : cipher_(cipher) {}
    [[nodiscard]] int output_words() const override { return cipher_.block_words(); }

  protected:
    Cipher cipher_;
};

class BlockOfCounter final : public CipherFunction {
  public:
    using CipherFunction::CipherFunction;
    [[nodiscard]] std::string name() const override { return "block"; }
    [[nodiscard]] int input_words() const override { return cipher_.block_words() + cipher_.key_words(); }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        cipher_.evaluate(lanes, inputs, outputs);
    }
};

/// Calls f(first, size) for batches of at most `batch` lanes.
constexpr std::size_t batch = 64;
template <class F> void for_pieces(std::size_t lanes, F&& f) {
    for (std::size_t first = 0; first < lanes; first += batch) f(first, std::min(batch, lanes - first));
}

class FirstBlockOfSeed final : public CipherFunction {
  public:
    using CipherFunction::CipherFunction;
    [[nodiscard]] std::string name() const override { return "seed"; }
    [[nodiscard]] int input_words() const override { return CipherStream::has_ids(cipher_) ? 4 : 2; }
    [[nodiscard]] int input_bits() const override {
        // A key of 32 bits takes only 32 bits of the seed.
        return cipher_.key_words() < 2 ? 32 : 32 * input_words();
    }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        const auto words = static_cast<std::size_t>(cipher_.block_words());
        const auto key_words = static_cast<std::size_t>(cipher_.key_words());
        uint32_t in[2 * most_words * batch], out[most_words * batch];
        for_pieces(lanes, [&](std::size_t first, std::size_t n) {
            std::fill_n(in, (words + key_words) * n, 0);
            const auto copy = [&](std::size_t word, std::size_t to) {
                std::copy_n(inputs + word * lanes + first, n, in + to * n);
            };
            for (std::size_t w = 0; w < std::min<std::size_t>(2, key_words); ++w) copy(w, words + w);
            if (CipherStream::has_ids(cipher_))
                for (std::size_t w = 0; w < 2; ++w)
                    copy(2 + w, w + (cipher_.words == 4 ? static_cast<std::size_t>(cipher_.word_bits) / 16 : 2));
            cipher_.evaluate(n, in, out);
            for (std::size_t w = 0; w < words; ++w) std::copy_n(out + w * n, n, outputs + w * lanes + first);
        });
    }
};

class FirstBlockOfFork final : public CipherFunction {
  public:
    using CipherFunction::CipherFunction;
    [[nodiscard]] std::string name() const override { return "fork"; }
    [[nodiscard]] int input_words() const override { return 4; }
    [[nodiscard]] int input_bits() const override { return 64 + 56; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        const auto words = static_cast<std::size_t>(cipher_.block_words());
        const auto key_words = static_cast<std::size_t>(cipher_.key_words());
        uint32_t in[2 * most_words * batch], out[most_words * batch];
        for_pieces(lanes, [&](std::size_t first, std::size_t n) {
            std::fill_n(in, (words + key_words) * n, 0);
            for (std::size_t w = 0; w < 2; ++w) std::copy_n(inputs + w * lanes + first, n, in + (words + w) * n);
            for (std::size_t l = 0; l < n; ++l) {
                const uint64_t tag =
                    inputs[2 * lanes + first + l] | static_cast<uint64_t>(inputs[3 * lanes + first + l]) << 32;
                put_counter(cipher_, tag & ((uint64_t{1} << 56) - 1), domain::tagged, 0, in + l, n);
            }
            cipher_.evaluate(n, in, out);
            std::copy_n(out, key_words * n, in + words * n);
            const bool has_rest = words >= key_words + 2;  // true if the block has words left for a child's id
            for (std::size_t l = 0; l < n; ++l) {
                const uint64_t id =
                    !has_rest ? 0 : out[key_words * n + l] | static_cast<uint64_t>(out[(key_words + 1) * n + l]) << 32;
                put_counter(cipher_, 0, domain::draws, id, in + l, n);
            }
            cipher_.evaluate(n, in, out);
            for (std::size_t w = 0; w < words; ++w) std::copy_n(out + w * n, n, outputs + w * lanes + first);
        });
    }
};

}  // namespace

CipherStream::CipherStream(const Cipher& of, uint64_t seed, uint64_t stream_id) : cipher(of), id(stream_id) {
    key[0] = static_cast<uint32_t>(seed);
    if (cipher.key_words() > 1) key[1] = static_cast<uint32_t>(seed >> 32);
}

CipherStream CipherStream::fork(uint64_t tag) const {
    constexpr std::size_t lanes = 16;
    uint32_t in[2 * most_words * lanes] = {}, out[most_words * lanes];
    const auto words = static_cast<std::size_t>(cipher.block_words());
    const auto key_words = static_cast<std::size_t>(cipher.key_words());
    put_counter(cipher, tag, domain::tagged, id, in, lanes);
    for (std::size_t w = 0; w < key_words; ++w) in[(words + w) * lanes] = key[w];
    cipher.evaluate(lanes, in, out);
    CipherStream child = *this;
    for (std::size_t w = 0; w < key_words; ++w) child.key[w] = out[w * lanes];
    child.id =
        words >= key_words + 2 ? out[key_words * lanes] | static_cast<uint64_t>(out[(key_words + 1) * lanes]) << 32 : 0;
    return child;
}

void CipherStream::read(uint64_t position, std::span<std::byte> to) const {
    constexpr std::size_t most_lanes = 256;
    uint32_t in[2 * most_words * most_lanes], out[most_words * most_lanes], in_order[most_words * most_lanes];
    const auto words = static_cast<std::size_t>(cipher.block_words());
    const auto key_words = static_cast<std::size_t>(cipher.key_words());
    const std::size_t block_bytes = words * 4;
    uint64_t block = position / block_bytes;
    std::size_t skip = position % block_bytes;
    std::size_t filled = 0;  // number of lanes whose key and id are in place
    while (!to.empty()) {
        const std::size_t blocks = (skip + to.size() + block_bytes - 1) / block_bytes;
        const std::size_t lanes = std::min(most_lanes, (blocks + 15) / 16 * 16);
        if (lanes != filled) {
            for (std::size_t l = 0; l < lanes; ++l) put_counter(cipher, 0, domain::draws, id, in + l, lanes);
            for (std::size_t w = 0; w < key_words; ++w) std::fill_n(in + (words + w) * lanes, lanes, key[w]);
            filled = lanes;
        }
        for (std::size_t l = 0; l < lanes; ++l) {
            in[l] = static_cast<uint32_t>(block + l);
            in[lanes + l] = static_cast<uint32_t>((block + l) >> 32);
        }
        cipher.evaluate(lanes, in, out);
        interleave(out, lanes, words, in_order);
        const std::size_t size = std::min(lanes * block_bytes - skip, to.size());
        std::memcpy(to.data(), reinterpret_cast<const std::byte*>(in_order) + skip, size);
        to = to.subspan(size);
        block += lanes;
        skip = 0;
    }
}

std::shared_ptr<Source> cipher_source(const CipherStream& stream, uint64_t position, std::string name) {
    return std::make_shared<CipherSource>(stream, position, std::move(name));
}

std::vector<std::shared_ptr<const BlockFunction>> cipher_functions(const Cipher& cipher) {
    std::vector<std::shared_ptr<const BlockFunction>> functions{std::make_shared<BlockOfCounter>(cipher),
                                                                std::make_shared<FirstBlockOfSeed>(cipher)};
    if (CipherStream::has_ids(cipher)) functions.push_back(std::make_shared<FirstBlockOfFork>(cipher));
    return functions;
}

std::vector<std::shared_ptr<const StreamSet>> cipher_streams(const Cipher& cipher, uint64_t seed) {
    using Kind = CipherStreams::Kind;
    if (cipher.key_words() < 2) return {};  // seeds beyond 2^32 would repeat
    std::vector<std::shared_ptr<const StreamSet>> sets{std::make_shared<CipherStreams>(cipher, seed, Kind::seeds)};
    if (CipherStream::has_ids(cipher))
        for (const Kind kind : {Kind::ids, Kind::forks})
            sets.push_back(std::make_shared<CipherStreams>(cipher, seed, kind));
    return sets;
}

namespace detail {

std::vector<std::shared_ptr<const BlockFunction>> philox_functions(int word_bits, int rounds) {
    return cipher_functions({Cipher::Family::philox, 4, word_bits, rounds});
}
std::vector<std::shared_ptr<const BlockFunction>> threefry_functions(int word_bits, int rounds) {
    return cipher_functions({Cipher::Family::threefry, 4, word_bits, rounds});
}

}  // namespace detail

}  // namespace rng::stats
