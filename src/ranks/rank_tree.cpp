#include "rank_tree.hpp"

#include <rng/isa.hpp>

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

/// Returns the number of grains that keep the threads of this process busy: a few for each, since some cores have other
/// work.
size_t grains_of_threads() { return static_cast<size_t>(num_threads()) * 4; }

}  // namespace

template <class T>
typename RankTree<T>::Nodes RankTree<T>::made(size_t first, size_t rows, size_t width, const Leaf& leaf) const {
    Nodes nodes;
    const std::vector<RankNode> slabs = layout_.slabs();
    for (size_t k = 0; k < slabs.size(); ++k) {
        std::vector<T> values(rows * width);
        leaf(k, first, rows, values.data());
        nodes[{slabs[k].level, slabs[k].index}] = std::move(values);
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
        // The nodes that are left on this level have their siblings elsewhere: the first node on the left, the last on
        // the right.
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
    // The threads divide the rows of one call of the leaf, and a slice may have fewer grains than there are threads. So
    // several slices are computed at once, but at most half of them: some travel while others are computed. Ranks with
    // other numbers of threads compute other numbers of slices at once. Each still waits for slices of earlier steps
    // alone.
    const size_t wanted = (grains_at_once_ != 0 ? grains_at_once_ : grains_of_threads()) * grain / of_slice;
    const size_t at_once = std::clamp<size_t>(wanted, 1, std::max<size_t>(1, size / 2));

    const size_t values = rows_of(rank) * width;
    Nodes all;
    std::vector<std::vector<T>> sent, received;  // one for each message
    std::vector<std::vector<RankNode>> coming;
    std::vector<Ranks::Message> send, receive;
    bool is_under_way = false;
    const auto finish = [&] {
        if (!is_under_way) return;
        call.finish();
        is_under_way = false;
        for (size_t m = 0; m < coming.size(); ++m)
            for (size_t k = 0; k < coming[m].size(); ++k) {
                const T* const from = received[m].data() + k * values;
                all[{coming[m][k].level, coming[m][k].index}] = std::vector<T>(from, from + values);
            }
        sent.clear();
        received.clear();
        coming.clear();
        send.clear();
        receive.clear();
    };
    for (size_t step = 1, now = 0; step <= size; step += now) {  // this rank's own slice comes last
        const size_t begin = (rank + step) % size, first = first_of(begin);
        now = std::min({at_once, size - begin, size + 1 - step});
        const Nodes nodes = complete(made(first, first_of(begin + now) - first, width, leaf));
        const auto append_slice = [&](const std::vector<T>& node, size_t slice, std::vector<T>& to) {
            const T* const from = node.data() + (first_of(slice) - first) * width;
            to.insert(to.end(), from, from + rows_of(slice) * width);
        };
        finish();
        for (size_t s = step; s < std::min(step + now, size); ++s) {
            const size_t to = (rank + s) % size, from = (rank + size - s) % size;
            std::vector<T>& slice = sent.emplace_back();
            for (const auto& node : nodes) append_slice(node.second, to, slice);
            std::vector<RankNode>& cover = coming.emplace_back(layout_.cover(static_cast<int>(from)));
            std::sort(cover.begin(), cover.end(), [](const RankNode& a, const RankNode& b) {
                return std::pair(a.level, a.index) < std::pair(b.level, b.index);
            });
            std::vector<T>& theirs = received.emplace_back(cover.size() * values);
            if (!slice.empty()) send.push_back({static_cast<int>(to), tag_of_nodes, bytes_of(slice)});
            if (!theirs.empty()) receive.push_back({static_cast<int>(from), tag_of_nodes, bytes_of(theirs)});
        }
        if (step + now > size)
            for (const auto& node : nodes) append_slice(node.second, rank, all[node.first]);
        if (sent.empty()) continue;
        call.start(send, receive);
        is_under_way = true;
    }
    finish();
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
