// Ranks that pass every call on, for tests that change one of them.
#pragma once

#include <rng/ranks.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace support {

/// Forwards to another transport.
class ForwardingRanks : public rng::Ranks {
  public:
    explicit ForwardingRanks(rng::Ranks& ranks) : ranks_(ranks) {}

    [[nodiscard]] int rank() const override { return ranks_.rank(); }
    [[nodiscard]] int size() const override { return ranks_.size(); }
    void exchange(std::span<const Message> send, std::span<Message> receive) override {
        ranks_.exchange(send, receive);
    }
    void start(std::span<const Message> send, std::span<Message> receive) override { ranks_.start(send, receive); }
    void finish() override { ranks_.finish(); }
    void broadcast(std::span<std::byte> bytes, int root) override { ranks_.broadcast(bytes, root); }
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override {
        ranks_.all_gather(mine, all);
    }
    void fail(std::string_view why) noexcept override { ranks_.fail(why); }

  private:
    rng::Ranks& ranks_;
};

}  // namespace support
