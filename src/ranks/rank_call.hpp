// RankCall: a call over ranks, which agree on its arguments at the beginning and on its errors.
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

/// An argument that must be the same on all ranks.
struct RankField {
    const char* name;
    uint64_t value;
    bool is_number = true;  ///< true if messages show the value, as a signed number
};

/// A call over ranks: a transport that remembers whether it failed, and the errors that ranks share. An Error is taken
/// for one of this rank alone, unless a function below threw it on all ranks.
class RankCall final : public Ranks {
  public:
    /// Both must outlive this object.
    RankCall(const char* name, Ranks& ranks) : name_(name), ranks_(ranks) {}

    /// Runs body(*this). An Error that the functions below threw on all ranks passes through. Other exceptions end the
    /// group, and become an Error (ranks) whose text all ranks that wait get too.
    static void run(const char* name, Ranks& ranks, const std::function<void(RankCall&)>& body);

    /// The first function of each call. Runs fields() on each rank in an attempt, together with the checks of the
    /// process's settings: its instruction set and number of threads. Then throws Error (invalid_argument) on all ranks
    /// if fields differ, or the call, the version or the byte order. The message names the first field that differs,
    /// and the rank.
    void require_same(const std::function<std::vector<RankField>()>& fields);
    /// Runs part() on this rank. If some rank's part throws, all ranks throw the error of the first such rank. A failed
    /// allocation is an Error (ranks).
    void attempt(const std::function<void()>& part);
    /// Throws Error (invalid_argument) "name: what" on all ranks, where `what` is the text of the first rank that has
    /// one.
    void refuse_first(const std::string& what) { refuse_if_any(first_text(what)); }
    /// Throws Error "name: what" on all ranks, which all call it: `what` follows from values that all of them have.
    [[noreturn]] void refuse_alike(const std::string& what, ErrorCode code = ErrorCode::invalid_argument) {
        is_agreed_ = true;
        refuse(name_, what, code);
    }
    /// Runs part(), which does the same on all ranks: an Error that it throws is thrown on all of them.
    template <class F> auto alike(const F& part) {
        try {
            return part();
        } catch (const Error&) {
            is_agreed_ = true;
            throw;
        }
    }
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
    void refuse_if_any(const std::string& what) {
        if (!what.empty()) refuse_alike(what);
    }
    void compare(std::span<const RankField> of_call);
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
    bool has_failed_ = false;  // true if the transport has failed
    bool is_agreed_ = false;   // true if all ranks throw the current error
};

}  // namespace detail
RNG_END_NAMESPACE
