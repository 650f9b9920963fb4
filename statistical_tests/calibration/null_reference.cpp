#include <rng/stats/calibration.hpp>

#include <rng/core/error.hpp>

#include <openssl/evp.h>

#include <algorithm>
#include <climits>
#include <vector>

namespace rng::stats {

namespace {

struct FreeContext {
    void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using Context = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

void require(bool condition) {
    if (!condition) rng::detail::refuse("null reference", "OpenSSL refused the cipher", ErrorCode::unsupported);
}

/// Encrypts in place, in batches that fit the int of OpenSSL's EVP functions.
void encrypt(EVP_CIPHER_CTX* context, std::span<std::byte> data) {
    while (!data.empty()) {
        const std::size_t batch = std::min<std::size_t>(data.size(), INT_MAX / 64 * 64);
        auto* const bytes = reinterpret_cast<unsigned char*>(data.data());
        int written = 0;
        require(EVP_EncryptUpdate(context, bytes, &written, bytes, static_cast<int>(batch)) == 1);
        data = data.subspan(batch);
    }
}

EVP_CIPHER_CTX* thread_context() {
    static thread_local const Context context(EVP_CIPHER_CTX_new());
    require(context != nullptr);
    return context.get();
}

CipherKey key_from_seed(uint64_t seed) {
    CipherKey key{};
    for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<unsigned char>(seed >> (8 * i));
    key[31] = 1;  // keeps these keys apart from other uses of small keys
    return key;
}

/// Returns the initial counter of a stream. AES's counter is big-endian: its upper half names the stream.
CipherIv iv_of_stream(uint64_t index) {
    CipherIv iv{};
    for (std::size_t i = 0; i < 8; ++i) iv[7 - i] = static_cast<unsigned char>(index >> (8 * i));
    return iv;
}

class CipherSource final : public Source {
  public:
    CipherSource(NullCipher cipher, uint64_t seed, int word_bits)
        : cipher_(cipher), seed_(seed), key_(key_from_seed(seed)), word_bits_(word_bits) {}
    [[nodiscard]] std::string name() const override {
        return (cipher_ == NullCipher::chacha20 ? "chacha20, key " : "aes-128-ctr, key ") + std::to_string(seed_);
    }
    [[nodiscard]] int word_bits() const override { return word_bits_; }
    [[nodiscard]] bool is_random_access() const override { return true; }
    std::size_t read(uint64_t position, std::span<std::byte> to) override {
        keystream(cipher_, key_, {}, position, to);
        return to.size();
    }

  private:
    NullCipher cipher_;
    uint64_t seed_;
    CipherKey key_;
    int word_bits_;
};

class CipherStreams final : public StreamSet {
  public:
    CipherStreams(uint64_t seed, int word_bits) : key_(key_from_seed(seed)), word_bits_(word_bits) {}
    [[nodiscard]] std::string name() const override { return "streams"; }
    [[nodiscard]] int word_bits() const override { return word_bits_; }
    [[nodiscard]] int block_bytes() const override { return 16; }
    void read(uint64_t index, uint64_t position, std::span<std::byte> to) const override {
        keystream(NullCipher::aes128_ctr, key_, iv_of_stream(index + 1), position, to);
    }

  private:
    CipherKey key_;
    int word_bits_;
};

/// f(x) = CBC-MAC of x's 128-bit blocks. Inputs have a fixed length, for which CBC-MAC is a pseudorandom function
/// (Bellare, Kilian, Rogaway, J. Comput. Syst. Sci. 61, 2000).
class CipherFunction final : public BlockFunction {
  public:
    CipherFunction(std::string name, uint64_t seed, int input_words)
        : name_(std::move(name)), key_(key_from_seed(seed)), input_words_(input_words) {
        key_[30] = static_cast<unsigned char>(input_words);
    }
    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] int input_words() const override { return input_words_; }
    [[nodiscard]] int output_words() const override { return 4; }
    void evaluate(std::size_t lanes, const uint32_t* inputs, uint32_t* outputs) const override {
        EVP_CIPHER_CTX* const context = thread_context();
        require(EVP_EncryptInit_ex(context, EVP_aes_128_ecb(), nullptr, key_.data(), nullptr) == 1);
        EVP_CIPHER_CTX_set_padding(context, 0);
        std::vector<std::array<uint32_t, 4>> state(lanes);
        for (int begin = 0; begin < input_words_; begin += 4) {
            for (int w = begin; w < std::min(begin + 4, input_words_); ++w)
                for (std::size_t lane = 0; lane < lanes; ++lane)
                    state[lane][static_cast<std::size_t>(w - begin)] ^=
                        inputs[static_cast<std::size_t>(w) * lanes + lane];
            encrypt(context, std::as_writable_bytes(std::span(state)));
        }
        for (std::size_t w = 0; w < 4; ++w)
            for (std::size_t lane = 0; lane < lanes; ++lane) outputs[w * lanes + lane] = state[lane][w];
    }

  private:
    std::string name_;
    CipherKey key_;
    int input_words_;
};

}  // namespace

void keystream(NullCipher cipher, const CipherKey& key, const CipherIv& iv, uint64_t position,
               std::span<std::byte> to) {
    CipherIv start = iv;
    const uint64_t block_bytes = cipher == NullCipher::chacha20 ? 64 : 16;
    uint64_t carry = position / block_bytes;
    if (cipher == NullCipher::chacha20) {  // 32 bits, little-endian
        require(position + to.size() <= uint64_t{1} << 38);
        for (std::size_t i = 0; i < 4; ++i, carry >>= 8) {
            carry += start[i];
            start[i] = static_cast<unsigned char>(carry);
        }
    } else {  // 128 bits, big-endian
        for (std::size_t i = 16; i-- > 0; carry >>= 8) {
            carry += start[i];
            start[i] = static_cast<unsigned char>(carry);
        }
    }
    EVP_CIPHER_CTX* const context = thread_context();
    const EVP_CIPHER* const kind = cipher == NullCipher::chacha20 ? EVP_chacha20() : EVP_aes_128_ctr();
    require(EVP_EncryptInit_ex(context, kind, nullptr, key.data(), start.data()) == 1);
    std::byte skipped[64]{};
    encrypt(context, std::span(skipped).first(static_cast<std::size_t>(position % block_bytes)));
    std::ranges::fill(to, std::byte{0});
    encrypt(context, to);
}

GeneratorUnderTest null_generator(NullCipher cipher, uint64_t seed, int word_bits) {
    return {.source = std::make_shared<CipherSource>(cipher, seed, word_bits),
            .functions = {std::make_shared<CipherFunction>("block", seed, 6),
                          std::make_shared<CipherFunction>("seed", seed, 2)},
            .streams = {std::make_shared<CipherStreams>(seed, word_bits)},
            .seed = seed};
}

}  // namespace rng::stats
