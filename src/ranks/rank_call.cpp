#include "rank_call.hpp"

#include <rng/isa.hpp>
#include <rng/verify.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Fields as they are sent: little-endian on every machine, and the same number of them for every call.
constexpr size_t most_fields = 32;
using Record = std::array<std::byte, most_fields * 8>;

Record record_of(std::span<const RankField> fields) {
    Record record{};
    for (size_t i = 0; i < fields.size(); ++i)
        for (size_t k = 0; k < 8; ++k) record[i * 8 + k] = static_cast<std::byte>(fields[i].value >> (8 * k) & 0xff);
    return record;
}
uint64_t value_in(const Record& record, size_t i) {
    uint64_t value = 0;
    for (size_t k = 0; k < 8; ++k) value |= static_cast<uint64_t>(record[i * 8 + k]) << (8 * k);
    return value;
}

uint64_t byte_order() {
    const std::array<unsigned char, 8> bytes{1, 2, 3, 4, 5, 6, 7, 8};
    return std::bit_cast<uint64_t>(bytes);
}

uint64_t digest_of_text(const char* text) { return digest(std::as_bytes(std::span(text, std::strlen(text)))); }

/// "svd_lowrank: q is out of range" as an error of one rank.
std::string with_rank(const char* call, int rank, const std::string& text) {
    const std::string prefix = std::string(call) + ": ";
    const bool has_prefix = text.compare(0, prefix.size(), prefix) == 0;
    return prefix + "rank " + std::to_string(rank) + ": " + (has_prefix ? text.substr(prefix.size()) : text);
}

}  // namespace

void RankCall::run(const char* name, Ranks& ranks, const std::function<void(RankCall&)>& body) {
    RankCall call(name, ranks);
    std::string why;
    try {
        return body(call);
    } catch (const Error& error) {
        if (call.has_failed_) ranks.fail(error.what());
        if (call.has_failed_ || call.is_agreed_) throw;
        why = with_rank(name, ranks.rank(), error.what());
    } catch (const std::bad_alloc&) {
        why = with_rank(name, ranks.rank(), "not enough memory");
    } catch (const std::exception& error) {
        why = with_rank(name, ranks.rank(), error.what());
    } catch (...) {
        why = with_rank(name, ranks.rank(), "an unknown exception");
    }
    ranks.fail(why);
    raise(ErrorCode::ranks, why);
}

void RankCall::exchange(std::span<const Message> send, std::span<Message> receive) {
    if (send.empty() && receive.empty()) return;
    transport([&] { ranks_.exchange(send, receive); });
}
void RankCall::start(std::span<const Message> send, std::span<Message> receive) {
    transport([&] { ranks_.start(send, receive); });
}
void RankCall::finish() {
    transport([&] { ranks_.finish(); });
}
void RankCall::broadcast(std::span<std::byte> bytes, int root) {
    if (size() > 1 && !bytes.empty()) transport([&] { ranks_.broadcast(bytes, root); });
}
void RankCall::all_gather(std::span<const std::byte> mine, std::span<std::byte> all) {
    if (!mine.empty()) transport([&] { ranks_.all_gather(mine, all); });
}

std::string RankCall::text_of(int root, const std::string& mine) {
    const RankField length_of[] = {{"", mine.size()}};
    Record length = record_of(length_of);
    broadcast(std::span(length).first(8), root);
    std::string text = mine;
    text.resize(value_in(length, 0));
    broadcast(std::as_writable_bytes(std::span(text.data(), text.size())), root);
    return text;
}

std::string RankCall::first_text(const std::string& mine) {
    const std::vector<char> has_text = gathered<char>(mine.empty() ? 0 : 1);
    const auto first = std::find(has_text.begin(), has_text.end(), 1);
    return first == has_text.end() ? "" : text_of(static_cast<int>(first - has_text.begin()), mine);
}

void RankCall::require_same(const std::function<std::vector<RankField>()>& fields) {
    std::vector<RankField> of_call;
    attempt([&] {
        (void)current_isa();
        (void)num_threads();
        of_call = fields();
    });
    compare(of_call);
}

void RankCall::compare(std::span<const RankField> of_call) {
    std::vector<RankField> fields{{"the byte order", byte_order(), false},
                                  {"the version of the library", digest_of_text(RNG_VERSION), false},
                                  {"the call", digest_of_text(name_), false}};
    fields.insert(fields.end(), of_call.begin(), of_call.end());
    if (fields.size() > most_fields) throw std::logic_error("a call has too many fields");
    const Record mine = record_of(fields);
    const RankField whole[] = {{"", digest(mine)}};
    const Record digest_record = record_of(whole);
    std::array<std::byte, 8> sent{};
    std::copy_n(digest_record.begin(), sent.size(), sent.begin());
    const auto digests = gathered(sent);
    const auto other = std::find_if(digests.begin(), digests.end(), [&](const auto& d) { return d != digests[0]; });
    if (other == digests.end()) return;

    const int differs = static_cast<int>(other - digests.begin());
    Record first = mine;
    broadcast(first, 0);
    std::string what;
    if (rank() == differs)
        for (size_t i = 0; i < fields.size() && what.empty(); ++i) {
            const auto have = static_cast<int64_t>(value_in(mine, i)),
                       wanted = static_cast<int64_t>(value_in(first, i));
            if (have == wanted) continue;
            const std::string of_rank = " rank " + std::to_string(differs), name = fields[i].name;
            what = fields[i].is_number
                       ? name + " must be the same on all ranks, got " + std::to_string(wanted) + " on rank 0 and " +
                             std::to_string(have) + " on" + of_rank
                       : name + " must be the same on all ranks, but differs between rank 0 and" + of_rank;
        }
    refuse_if_any(text_of(differs, what));
}

void RankCall::attempt(const std::function<void()>& part) {
    signed char code = -1;  // one byte: the ranks may not have compared their byte orders yet
    std::string what;
    try {
        part();
    } catch (const Error& error) {
        code = static_cast<signed char>(error.code());
        what = with_rank(name_, rank(), error.what());
    } catch (const std::bad_alloc&) {
        code = static_cast<signed char>(ErrorCode::ranks);
        what = with_rank(name_, rank(), "not enough memory");
    } catch (const std::length_error&) {  // from a container: there can never be enough
        code = static_cast<signed char>(ErrorCode::ranks);
        what = with_rank(name_, rank(), "not enough memory");
    }
    const auto codes = gathered(code);
    const auto first = std::find_if(codes.begin(), codes.end(), [](signed char c) { return c >= 0; });
    if (first == codes.end()) return;
    const std::string text = text_of(static_cast<int>(first - codes.begin()), what);
    is_agreed_ = true;
    raise(static_cast<ErrorCode>(*first), text);
}

}  // namespace detail
RNG_END_NAMESPACE
