#include "view_sources.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace rng::stats {

namespace {

constexpr std::size_t scratch_words = std::size_t{1} << 13;  // words of 64 bits: half of a first-level cache's share

/// Base of views, which make whole words of 64 bits.
class View : public Source {
  public:
    View(std::string name, int word_bits) : name_(std::move(name)), word_bits_(word_bits) {}
    [[nodiscard]] std::string name() const final { return name_; }
    [[nodiscard]] int word_bits() const final { return word_bits_; }

    std::size_t read(uint64_t position, std::span<std::byte> to) final {
        std::vector<uint64_t> words(std::min(scratch_words, (to.size() + 7) / 8));
        std::size_t done = 0;
        while (done < to.size()) {
            const std::size_t want = std::min(words.size() * 8, to.size() - done);
            const std::size_t got = std::min(want, make(position + done, std::span(words).first((want + 7) / 8)));
            std::memcpy(to.data() + done, words.data(), got);
            done += got;
            if (got < want) break;
        }
        return done;
    }

  protected:
    /// Makes the words from `position` bytes on. Returns the number of bytes that there are: fewer than asked for only
    /// at the end.
    virtual std::size_t make(uint64_t position, std::span<uint64_t> to) = 0;

  private:
    std::string name_;
    int word_bits_;
};

/// A view of one source.
class SourceView : public View {
  public:
    SourceView(std::shared_ptr<Source> source, std::string name, int word_bits)
        : View(std::move(name), word_bits), source_(std::move(source)) {}
    [[nodiscard]] bool is_random_access() const final { return source_->is_random_access(); }

  protected:
    std::size_t read_source(uint64_t position, std::span<uint64_t> to) {
        return source_->read(position, std::as_writable_bytes(to));
    }
    [[nodiscard]] Source& source() const { return *source_; }
    /// Returns how many of the source's `bytes` bytes belong to whole words.
    [[nodiscard]] std::size_t whole_words(uint64_t bytes) const {
        const auto word_bytes = static_cast<uint64_t>(source_->word_bits()) / 8;
        return bytes / word_bytes * word_bytes;
    }

  private:
    std::shared_ptr<Source> source_;
};

class Reversed final : public SourceView {
  public:
    Reversed(std::shared_ptr<Source> source, std::string name)
        : SourceView(source, std::move(name), source->word_bits()) {}
    [[nodiscard]] std::optional<uint64_t> size() const override {
        const auto bytes = source().size();
        return bytes ? std::optional<uint64_t>(whole_words(*bytes)) : std::nullopt;
    }

  private:
    std::size_t make(uint64_t position, std::span<uint64_t> to) override {
        const std::size_t got = read_source(position, to);
        for (uint64_t& word : to) word = reverse(word);
        return whole_words(got);
    }
    /// Swaps neighbouring bits, then neighbouring pairs, and so on up to halves of words.
    [[nodiscard]] uint64_t reverse(uint64_t x) const {
        static constexpr uint64_t masks[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                             0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};
        for (int i = 0; (1 << i) < word_bits(); ++i) x = (x & masks[i]) << (1 << i) | (x >> (1 << i) & masks[i]);
        return x;
    }
};

template <class Word> uint64_t gather(const Word* words, int first, int bits) {
    const uint64_t mask = (uint64_t{1} << bits) - 1;
    uint64_t packed = 0;
    for (int at = 0; at < 64; at += bits) packed |= (*words++ >> first & mask) << at;
    return packed;
}

/// `bits` bits of each word. A word of 64 bits is made of 64 / bits words of the source. So the source's positions are
/// `ratio` times the view's.
class PartOfWords final : public SourceView {
  public:
    PartOfWords(std::shared_ptr<Source> source, std::string name, int first, int bits)
        : SourceView(source, std::move(name), bits == 1 ? source->word_bits() : bits),
          first_(first),
          bits_(bits),
          source_bits_(source->word_bits()),
          ratio_(static_cast<std::size_t>(source_bits_ / bits)) {}
    [[nodiscard]] std::optional<uint64_t> size() const override {
        const auto bytes = source().size();
        return bytes ? std::optional<uint64_t>(whole_words(*bytes) / ratio_) : std::nullopt;
    }

  private:
    std::size_t make(uint64_t position, std::span<uint64_t> to) override {
        std::vector<uint64_t> from(std::min(scratch_words, to.size() * ratio_) / ratio_ * ratio_);
        std::size_t done = 0;
        while (done < to.size()) {
            const std::size_t n = std::min(from.size() / ratio_, to.size() - done);
            const auto part = std::span(from).first(n * ratio_);
            const std::size_t got = read_source((position + done * 8) * ratio_, part);
            for (std::size_t i = 0; i < n; ++i) to[done + i] = gather(&part[i * ratio_]);
            if (got < part.size_bytes()) return done * 8 + whole_words(got) / ratio_;
            done += n;
        }
        return done * 8;
    }
    [[nodiscard]] uint64_t gather(const uint64_t* from) const {
        switch (source_bits_) {
            case 8: return rng::stats::gather(reinterpret_cast<const uint8_t*>(from), first_, bits_);
            case 16: return rng::stats::gather(reinterpret_cast<const uint16_t*>(from), first_, bits_);
            case 32: return rng::stats::gather(reinterpret_cast<const uint32_t*>(from), first_, bits_);
            default: return rng::stats::gather(from, first_, bits_);
        }
    }
    int first_, bits_, source_bits_;
    std::size_t ratio_;
};

class Decimated final : public SourceView {
  public:
    Decimated(std::shared_ptr<Source> source, std::string name, uint64_t step)
        : SourceView(source, std::move(name), source->word_bits()),
          step_(step),
          word_bytes_(static_cast<std::size_t>(source->word_bits()) / 8) {}
    [[nodiscard]] std::optional<uint64_t> size() const override {
        const auto bytes = source().size();
        return bytes ? std::optional((*bytes / word_bytes_ + step_ - 1) / step_ * word_bytes_) : std::nullopt;
    }

  private:
    // Below this distance in bytes everything in between is read too: a read costs about as much as 256 bytes.
    static constexpr std::size_t far_apart = 256;

    std::size_t make(uint64_t position, std::span<uint64_t> to) override {
        auto* const out = reinterpret_cast<std::byte*>(to.data());
        const std::size_t n = to.size() * 8 / word_bytes_;
        const uint64_t distance = step_ * word_bytes_;
        if (distance >= far_apart) {
            for (std::size_t i = 0; i < n; ++i) {
                const uint64_t at = position * step_ + i * distance;
                uint64_t word = 0;
                const std::size_t got = read_source(at / 8 * 8, {&word, 1});
                if (got < at % 8 + word_bytes_) return i * word_bytes_;
                std::memcpy(out + i * word_bytes_, reinterpret_cast<std::byte*>(&word) + at % 8, word_bytes_);
            }
            return to.size() * 8;
        }
        std::vector<uint64_t> from(std::min<std::size_t>(scratch_words, to.size() * step_) / step_ * step_);
        for (std::size_t i = 0; i < n;) {
            const std::size_t words = std::min(from.size() * 8 / distance, n - i);
            const std::size_t got =
                read_source(position * step_ + i * distance, std::span(from).first(words * distance / 8));
            for (std::size_t k = 0; k < words; ++k, ++i) {
                if (got < k * distance + word_bytes_) return i * word_bytes_;
                std::memcpy(out + i * word_bytes_, reinterpret_cast<std::byte*>(from.data()) + k * distance,
                            word_bytes_);
            }
        }
        return to.size() * 8;
    }
    uint64_t step_;
    std::size_t word_bytes_;
};

class Interleaved final : public View {
  public:
    Interleaved(std::shared_ptr<const StreamSet> set, std::string name, uint64_t streams, uint64_t run)
        : View(std::move(name), set->word_bits()),
          set_(std::move(set)),
          streams_(streams),
          run_bytes_(run * static_cast<uint64_t>(set_->block_bytes())) {}
    [[nodiscard]] bool is_random_access() const override { return true; }

  private:
    std::size_t make(uint64_t position, std::span<uint64_t> to) override {
        auto* out = reinterpret_cast<std::byte*>(to.data());
        const auto* const end = out + to.size() * 8;
        std::vector<std::byte> run;
        while (out < end) {
            const uint64_t index = position / run_bytes_, stream = index % streams_;
            const uint64_t start = index / streams_ * run_bytes_, inside = position % run_bytes_;
            const auto left = static_cast<uint64_t>(end - out);
            uint64_t bytes;
            if (inside == 0 && left >= run_bytes_) {
                const uint64_t n = std::min(streams_ - stream, left / run_bytes_);
                bytes = n * run_bytes_;
                set_->read_each(stream, n, start, run_bytes_, out);
            } else {
                bytes = std::min(run_bytes_ - inside, left);
                run.resize(run_bytes_);
                set_->read(stream, start, run);
                std::memcpy(out, run.data() + inside, bytes);
            }
            out += bytes;
            position += bytes;
        }
        return to.size() * 8;
    }
    std::shared_ptr<const StreamSet> set_;
    uint64_t streams_, run_bytes_;
};

}  // namespace

std::shared_ptr<Source> reversed_words(std::shared_ptr<Source> source, std::string name) {
    return std::make_shared<Reversed>(std::move(source), std::move(name));
}
std::shared_ptr<Source> part_of_words(std::shared_ptr<Source> source, std::string name, int first, int bits) {
    return std::make_shared<PartOfWords>(std::move(source), std::move(name), first, bits);
}
std::shared_ptr<Source> decimated(std::shared_ptr<Source> source, std::string name, uint64_t step) {
    return std::make_shared<Decimated>(std::move(source), std::move(name), step);
}
std::shared_ptr<Source> interleaved(std::shared_ptr<const StreamSet> set, std::string name, uint64_t streams,
                                    uint64_t run) {
    return std::make_shared<Interleaved>(std::move(set), std::move(name), streams, run);
}

}  // namespace rng::stats
