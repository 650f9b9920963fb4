#include "rank_layout.hpp"

#include <algorithm>
#include <string>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr int tag_of_items = 0;

struct Part {
    uint64_t first, count;
};

std::string range_text(const char* item, uint64_t begin, uint64_t end) {
    return std::string(item) + "s [" + std::to_string(begin) + ", " + std::to_string(end) + ")";
}

}  // namespace

RankLayout::RankLayout(RankCall& call, const char* item, uint64_t first, uint64_t count, uint64_t total, size_t block)
    : call_(&call), block_(block), rank_(static_cast<size_t>(call.rank())) {
    const std::vector<Part> parts = call.gathered(Part{first, count});
    uint64_t next = 0;
    size_t before = parts.size();  // the last rank with items; none yet
    const auto rank_text = [](size_t rank) { return "rank " + std::to_string(rank); };
    for (size_t r = 0; r < parts.size(); ++r) {
        given_.push_back(next);
        if (parts[r].count == 0) continue;
        const uint64_t begin = parts[r].first;
        if (begin > total || parts[r].count > total - begin)
            call.refuse_alike(rank_text(r) + " has " + std::to_string(parts[r].count) + " " + item + "s from " + item +
                              " " + std::to_string(begin) + " on, of " + std::to_string(total));
        if (begin > next)
            call.refuse_alike(range_text(item, next, begin) + " are on no rank: " +
                              (before == parts.size() ? "" : rank_text(before) + " ends before them, and ") +
                              rank_text(r) + " begins after them");
        if (begin < next)
            call.refuse_alike(range_text(item, begin, std::min(next, begin + parts[r].count)) + " are on " +
                              rank_text(before) + " and on " + rank_text(r) + ": the ranks have their " + item +
                              "s in the order of the ranks");
        next = begin + parts[r].count;
        before = r;
    }
    if (next != total)
        call.refuse_alike(range_text(item, next, total) + " are on no rank" +
                          (before == parts.size() ? "" : ": the last is " + rank_text(before)));
    given_.push_back(total);
    owned_ = given_;
    for (uint64_t& start : owned_)  // rounded up to a block's first item, or to the total
        if (const uint64_t rest = start % block; rest != 0) start += std::min(block - rest, total - start);
    if (tail() == 0) return;
    const uint64_t tail_begin = owned_[rank_ + 1] - tail();
    for (size_t r = rank_ + 1; r + 1 < given_.size() && given_[r] < owned_[rank_ + 1]; ++r) {
        const uint64_t end = std::min(given_[r + 1], owned_[rank_ + 1]);
        if (end > given_[r])
            sources_.push_back({static_cast<int>(r), static_cast<size_t>(given_[r] - tail_begin),
                                static_cast<size_t>(end - given_[r])});
    }
}

int RankLayout::owner(uint64_t of_block) const {
    const auto after = std::upper_bound(owned_.begin(), owned_.end() - 1, of_block * block_);
    return static_cast<int>(after - owned_.begin()) - 1;
}

std::vector<std::byte> RankLayout::moved(std::span<std::byte> head, size_t bytes) const {
    return moved(head, std::vector<uint64_t>(tail(), bytes));
}

std::vector<std::byte> RankLayout::moved(std::span<std::byte> head, std::span<const uint64_t> tail_bytes) const {
    std::vector<std::byte> to;
    std::vector<Ranks::Message> send, receive;
    call_->attempt([&] {
        std::vector<uint64_t> begins{0};
        for (const uint64_t bytes : tail_bytes) begins.push_back(begins.back() + bytes);
        to.resize(begins.back());
        if (!head.empty()) send.push_back({owner(given_first() / block_), tag_of_items, head});
        for (const Source& source : sources_) {
            const uint64_t begin = begins[source.first], end = begins[source.first + source.count];
            if (begin < end) receive.push_back({source.rank, tag_of_items, std::span(to).subspan(begin, end - begin)});
        }
    });
    call_->exchange(send, receive);
    return to;
}

void RankLayout::move_back(std::span<std::byte> tail, size_t bytes, std::span<std::byte> head) const {
    if (bytes == 0) return;
    std::vector<Ranks::Message> send, receive;
    if (!head.empty()) receive.push_back({owner(given_first() / block_), tag_of_items, head});
    for (const Source& source : sources_)
        send.push_back({source.rank, tag_of_items, tail.subspan(source.first * bytes, source.count * bytes)});
    call_->exchange(send, receive);
}

void RankLayout::append_cover(uint64_t begin, uint64_t end, uint64_t first_item, uint64_t last_item,
                              std::vector<RankNode>& to) const {
    while (begin < end) {
        int level = 0;
        const auto next_size = [&] { return uint64_t{2} << level; };
        while (!is_top(level) && begin % next_size() == 0 && (begin + next_size() <= end || end == blocks())) ++level;
        const uint64_t next = std::min(end, begin + (uint64_t{1} << level)), item = begin * block_;
        // Near 2^64 the end of the last block would overflow.
        const uint64_t next_item = next < blocks() ? next * block_ : total();
        to.push_back({level, begin >> level, static_cast<size_t>(item - first_item),
                      static_cast<size_t>(std::min(last_item, next_item) - item)});
        begin = next;
    }
}

std::vector<RankNode> RankLayout::cover(int rank) const {
    const uint64_t begin = owned_[static_cast<size_t>(rank)], end = owned_[static_cast<size_t>(rank) + 1];
    std::vector<RankNode> nodes;
    if (begin < end) append_cover(begin / block_, blocks_of(end), begin, end, nodes);
    return nodes;
}

std::vector<RankNode> RankLayout::slabs() const {
    if (tail() == 0) return cover(static_cast<int>(rank_));
    const uint64_t begin = first() / block_, last = (first() + count() - 1) / block_;
    std::vector<RankNode> nodes;
    append_cover(begin, last, first(), first() + count(), nodes);
    nodes.push_back({0, last, static_cast<size_t>(last * block_ - first()),
                     static_cast<size_t>(first() + count() - last * block_)});
    return nodes;
}

}  // namespace detail
RNG_END_NAMESPACE
