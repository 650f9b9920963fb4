#include "rank_tree.hpp"

#include <algorithm>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr int tag_of_nodes = 1;

template <class T> std::span<std::byte> bytes_of(std::vector<T>& values) {
    return std::as_writable_bytes(std::span(values));
}
template <class T> void add_to(std::vector<T>& left, const std::vector<T>& right) {
    for (size_t i = 0; i < left.size(); ++i) left[i] = left[i] + right[i];
}

}  // namespace

template <class T>
typename RankTree<T>::Nodes RankTree<T>::made(size_t first, size_t rows, size_t width, const Leaf& leaf) const {
    Nodes nodes;
    const std::vector<RankNode> pieces = layout_.pieces();
    for (size_t k = 0; k < pieces.size(); ++k) {
        std::vector<T> values(rows * width);
        leaf(k, first, rows, values.data());
        nodes[{pieces[k].level, pieces[k].index}] = std::move(values);
    }
    return nodes;
}

/// Adds up the siblings of a level that are both here. A node whose sibling does not exist passes through.
template <class T> void RankTree<T>::raise_level(Nodes& nodes, int level) const {
    if (layout_.is_top(level)) return;
    for (auto at = nodes.lower_bound({level, 0}); at != nodes.end() && at->first.first == level;) {
        const uint64_t i = at->first.second;
        const auto right = std::next(at);
        const bool has_right = right != nodes.end() && right->first == std::pair(level, i + 1);
        const bool is_last = (layout_.blocks() - 1) >> level == i;
        if (i % 2 != 0 || !(has_right || is_last)) {
            ++at;
            continue;
        }
        std::vector<T> sum = std::move(at->second);
        if (has_right) add_to(sum, right->second);
        at = nodes.erase(at, has_right ? std::next(right) : right);
        nodes[{level + 1, i / 2}] = std::move(sum);
    }
}

template <class T> typename RankTree<T>::Nodes RankTree<T>::complete(Nodes nodes) const {
    for (int level = 0; !layout_.is_top(level); ++level) raise_level(nodes, level);
    return nodes;
}

template <class T> void RankTree<T>::add_by_levels(Nodes nodes, size_t values, T* out) const {
    RankCall& call = layout_.call();
    for (int level = 0; !layout_.is_top(level); ++level) {
        raise_level(nodes, level);
        // What is left of this level has its sibling elsewhere: the first node on the left, the last on the right.
        std::vector<std::vector<T>> sent, received;
        std::vector<Ranks::Message> send, receive;
        std::vector<uint64_t> waiting;
        for (auto at = nodes.lower_bound({level, 0}); at != nodes.end() && at->first.first == level; ++at) {
            const uint64_t i = at->first.second;
            const int peer = layout_.owner((i % 2 != 0 ? i - 1 : i + 1) << level);
            if (i % 2 != 0) {
                sent.push_back(std::move(at->second));
                send.push_back({peer, tag_of_nodes, bytes_of(sent.back())});
            } else {
                received.emplace_back(values);
                receive.push_back({peer, tag_of_nodes, bytes_of(received.back())});
                waiting.push_back(i);
            }
        }
        call.exchange(send, receive);
        for (size_t k = 0; k < waiting.size(); ++k) nodes[{level, waiting[k] + 1}] = std::move(received[k]);
        std::erase_if(nodes, [&](const auto& node) {
            return node.first.first == level && node.second.size() != values;  // it was sent
        });
        raise_level(nodes, level);
    }
    const int root = layout_.owner(0);
    if (call.rank() == root) std::copy_n(nodes.begin()->second.begin(), values, out);
    call.broadcast(std::as_writable_bytes(std::span(out, values)), root);
}

template <class T>
void RankTree<T>::add_by_slices(size_t rows, size_t width, size_t grain, const Leaf& leaf, T* out) const {
    RankCall& call = layout_.call();
    const auto size = static_cast<size_t>(call.size()), rank = static_cast<size_t>(call.rank());
    const size_t grains = (rows + grain - 1) / grain, of_slice = (grains + size - 1) / size * grain;
    const auto first_of = [&](size_t slice) { return std::min(rows, slice * of_slice); };
    const auto rows_of = [&](size_t slice) { return first_of(slice + 1) - first_of(slice); };
    const auto slice_of_nodes = [&](size_t slice) {
        return complete(made(first_of(slice), rows_of(slice), width, leaf));
    };

    const size_t values = rows_of(rank) * width;
    Nodes all;
    std::vector<T> sent, received;
    std::vector<Ranks::Message> send, receive;
    std::vector<RankNode> coming;
    bool is_under_way = false;
    const auto finish = [&] {
        if (!is_under_way) return;
        call.finish();
        is_under_way = false;
        for (size_t k = 0; k < coming.size(); ++k) {
            const T* const from = received.data() + k * values;
            all[{coming[k].level, coming[k].index}] = std::vector<T>(from, from + values);
        }
    };
    for (size_t step = 1; step <= size; ++step) {  // this rank's own slice comes last
        const size_t to = (rank + step) % size, from = (rank + size - step) % size;
        Nodes nodes = slice_of_nodes(to);
        finish();
        if (step == size) {
            all.merge(nodes);
            break;
        }
        sent.clear();
        for (const auto& node : nodes) sent.insert(sent.end(), node.second.begin(), node.second.end());
        coming = layout_.cover(static_cast<int>(from));
        std::sort(coming.begin(), coming.end(), [](const RankNode& a, const RankNode& b) {
            return std::pair(a.level, a.index) < std::pair(b.level, b.index);
        });
        received.resize(coming.size() * values);
        send.clear();
        receive.clear();
        if (!sent.empty()) send.push_back({static_cast<int>(to), tag_of_nodes, bytes_of(sent)});
        if (!received.empty()) receive.push_back({static_cast<int>(from), tag_of_nodes, bytes_of(received)});
        call.start(send, receive);
        is_under_way = true;
    }
    std::vector<T> mine(of_slice * width), whole(mine.size() * size);
    if (values > 0) {
        all = complete(std::move(all));
        std::copy(all.begin()->second.begin(), all.begin()->second.end(), mine.begin());
    }
    call.all_gather(std::as_bytes(std::span(mine)), bytes_of(whole));
    std::copy_n(whole.begin(), rows * width, out);
}

template <class T> void RankTree<T>::sum(size_t rows, size_t width, size_t grain, const Leaf& leaf, T* out) const {
    if (layout_.blocks() == 0 || rows * width == 0) {
        std::fill_n(out, rows * width, T{0});
        return;
    }
    if (layout_.call().size() > 1 && rows * width * sizeof(T) > most_bytes_)
        add_by_slices(rows, width, grain, leaf, out);
    else
        add_by_levels(made(0, rows, width, leaf), rows * width, out);
}

template class RankTree<float>;
template class RankTree<double>;

}  // namespace detail
RNG_END_NAMESPACE
