// What all calls over ranks begin with and end by: the ranks agree on their arguments and on their errors.
#pragma once

#include <rng/core/error.hpp>
#include <rng/ranks.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <span>
#include <string>
#include <vector>

RNG_BEGIN_NAMESPACE
namespace detail {

/// Something that all ranks must give alike.
struct RankField {
    const char* name;
    uint64_t value;
    bool is_number = true;  ///< true if messages show the value, as a signed number
};

/// A call over ranks: a transport that remembers whether it failed, and the errors that ranks share.
class RankCall final : public Ranks {
  public:
    /// Both must outlive this object.
    RankCall(const char* name, Ranks& ranks) : name_(name), ranks_(ranks) {}

    /// Runs body(*this). Each Error that it throws must be the same on all ranks, unless the transport threw it. Other
    /// exceptions end the group, and become an Error (ranks) whose text all ranks that wait get too.
    static void run(const char* name, Ranks& ranks, const std::function<void(RankCall&)>& body);

    /// Throws Error (invalid_argument) on all ranks if fields differ, or the call, the version or the byte order does.
    /// The message names the first field that differs, and the rank.
    void require_same(std::span<const RankField> fields);
    /// Runs part() on this rank. If some rank's part throws, all ranks throw the error of the first such rank.
    /// Memory that cannot be had is an Error (ranks).
    void attempt(const std::function<void()>& part);
    /// Throws Error (invalid_argument) "name: what" on all ranks, where `what` is the text of the first rank that has
    /// one.
    void refuse_first(const std::string& what) { refuse_if_any(first_text(what)); }
    /// Returns on all ranks the text of the first rank whose text is not empty.
    [[nodiscard]] std::string first_text(const std::string& mine);
    /// Gathers one plain value from each rank.
    template <class T> [[nodiscard]] std::vector<T> gathered(const T& mine) {
        std::vector<T> all(static_cast<size_t>(size()));
        all_gather(std::as_bytes(std::span(&mine, 1)), std::as_writable_bytes(std::span(all)));
        return all;
    }

    [[nodiscard]] const char* name() const { return name_; }
    [[nodiscard]] int rank() const override { return ranks_.rank(); }
    [[nodiscard]] int size() const override { return ranks_.size(); }
    void exchange(std::span<const Message> send, std::span<Message> receive) override;
    void start(std::span<const Message> send, std::span<Message> receive) override;
    void finish() override;
    void broadcast(std::span<std::byte> bytes, int root) override;
    void all_gather(std::span<const std::byte> mine, std::span<std::byte> all) override;
    void fail(std::string_view why) noexcept override { ranks_.fail(why); }

  private:
    void refuse_if_any(const std::string& what) const {
        if (!what.empty()) refuse(name_, what);
    }
    [[nodiscard]] std::string text_of(int root, const std::string& mine);
    template <class F> void transport(const F& f) {
        try {
            f();
        } catch (...) {
            has_failed_ = true;
            throw;
        }
    }

    const char* name_;
    Ranks& ranks_;
    bool has_failed_ = false;
};

}  // namespace detail
RNG_END_NAMESPACE
