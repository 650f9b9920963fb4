// RunningSum: sums of terms that come in chunks (rng/reduce/running_sum.hpp).
#include <rng/reduce/running_sum.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string_view>

#include "../cpu/dispatch.hpp"
#include "../cpu/fp_environment.hpp"
#include "../cpu/state_bytes.hpp"
#include "kernels/tree_sum.hpp"
#include "one_nan.hpp"
#include "stored.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr const char* push_call = "RunningSum::push";

/// Calls f(a number of the sum's type).
template <class F> auto visit_number(bool in_double, const F& f) { return in_double ? f(double{}) : f(float{}); }

template <class T> std::array<double, 2> added(const std::array<double, 2>& left, const std::array<double, 2>& right) {
    std::array<double, 2> sum{};
    for (size_t p = 0; p < 2; ++p) sum[p] = static_cast<double>(static_cast<T>(left[p]) + static_cast<T>(right[p]));
    return sum;
}

// The state's bytes (cpu/state_bytes.hpp): integers of 8 bytes, then the digest.
constexpr std::string_view magic = "rng sum\n";
class StateBytes {
  public:
    explicit StateBytes(std::span<const std::byte> bytes) : bytes_(bytes) {
        if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
            refuse("does not begin as one of a RunningSum");
        if (!take_digest(bytes_)) refuse("is damaged: its checksum does not match");
        bytes_ = bytes_.subspan(magic.size());
    }
    uint64_t next() {
        if (bytes_.size() < 8) refuse("has an end too soon");
        return take<uint64_t>(bytes_);
    }
    [[nodiscard]] bool is_at_end() const { return bytes_.empty(); }
    [[noreturn]] static void refuse(const char* what) {
        raise_text(ErrorCode::bad_state, "RunningSum::from_bytes: the state %s", what);
    }

  private:
    std::span<const std::byte> bytes_;
};

}  // namespace

/// Returns true if an element of [first, last) has been added already, and sets `where` to its number.
bool RunningSumState::has_any(uint64_t first, uint64_t last, uint64_t& where) const {
    if (first == last) return false;
    auto node = nodes_.upper_bound((last - 1) / leaf_size);
    if (node != nodes_.begin()) {
        --node;
        const uint64_t begin = node->first * leaf_size,
                       end = (node->first + (uint64_t{1} << node->second.level)) * leaf_size;
        if (begin < last && first < end) {
            where = std::max(begin, first);
            return true;
        }
    }
    for (auto leaf = open_.lower_bound(first / leaf_size); leaf != open_.end() && leaf->first * leaf_size < last;
         ++leaf)
        for (size_t i = 0; i < leaf_size; ++i)
            if (const uint64_t k = leaf->first * leaf_size + i; leaf->second.known[i] && first <= k && k < last) {
                where = k;
                return true;
            }
    return false;
}

/// Adds a node, and merges it with its siblings.
void RunningSumState::insert(uint64_t leaf, Node node) {
    for (;;) {
        const uint64_t size = uint64_t{1} << node.level, sibling = leaf ^ size;
        const auto other = nodes_.find(sibling);
        if (other == nodes_.end() || other->second.level != node.level) break;
        const auto& [left, right] =
            sibling < leaf ? std::pair(other->second.sum, node.sum) : std::pair(node.sum, other->second.sum);
        node.sum = in_double_ ? added<double>(left, right) : added<float>(left, right);
        ++node.level;
        leaf = std::min(leaf, sibling);
        nodes_.erase(other);
    }
    nodes_[leaf] = node;
}

/// Adds elements of a leaf; a complete one becomes a node.
void RunningSumState::add_open(uint64_t leaf, const OpenLeaf& part) {
    const auto count = static_cast<size_t>(parts_);
    OpenLeaf& to = open_[leaf];
    to.numbers.resize(leaf_size * count);
    for (size_t i = 0; i < leaf_size; ++i)
        if (part.known[i])
            for (size_t p = 0; p < count; ++p) to.numbers[i * count + p] = part.numbers[i * count + p];
    to.known |= part.known;
    if (!to.known.all()) return;
    const std::array<double, 2> sum = sum_of(to, leaf_size);
    open_.erase(leaf);
    insert(leaf, {0, sum});
}

std::array<double, 2> RunningSumState::sum_of(const OpenLeaf& leaf, size_t n) const {
    return visit_number(in_double_, [&]<class T>(T) {
        std::vector<T> numbers(n * static_cast<size_t>(parts_));
        std::transform(leaf.numbers.begin(), leaf.numbers.begin() + static_cast<ptrdiff_t>(numbers.size()),
                       numbers.begin(), [](double x) { return static_cast<T>(x); });
        T sum[2] = {};
        reduce({push_call, Reduction::sum, stored_real<T>(), parts_, in_double_, n, 1, {numbers.data()}}, sum, 0);
        return std::array<double, 2>{static_cast<double>(sum[0]), static_cast<double>(sum[1])};
    });
}

/// Returns the sum of n elements, which begin a node at element `first` of `values`.
RunningSumState::Node RunningSumState::node_of(const void* values, uint64_t first, uint64_t n, int level) const {
    return visit_number(in_double_, [&]<class T>(T) {
        T sum[2] = {};
        visit_stored(stored_, values, [&](const auto* data) {
            reduce({push_call,
                    Reduction::sum,
                    stored_,
                    parts_,
                    in_double_,
                    static_cast<size_t>(n),
                    1,
                    {data + first * static_cast<uint64_t>(parts_)}},
                   sum, 0);
        });
        return Node{level, {static_cast<double>(sum[0]), static_cast<double>(sum[1])}};
    });
}

/// Adds elements to a leaf that is open and stays open, and returns true. Otherwise returns false, and adds nothing.
bool RunningSumState::push_to_open_leaf(const void* values, uint64_t n, uint64_t first) {
    const auto leaf = open_.find(first / leaf_size);
    const size_t begin = first % leaf_size, count = static_cast<size_t>(parts_);
    if (leaf == open_.end() || n > leaf_size - begin || leaf->second.known.count() + n == leaf_size) return false;
    visit_stored(stored_, values, [&](const auto* data) {
        for (size_t i = 0; i < n; ++i) {
            leaf->second.known.set(begin + i);
            for (size_t p = 0; p < count; ++p)
                leaf->second.numbers[(begin + i) * count + p] = widened<double>(data[i * count + p]);
        }
    });
    return true;
}

void RunningSumState::push(const void* values, uint64_t n, uint64_t first) {
    constexpr uint64_t most = uint64_t{1} << 62;
    if (first > most || n > most - first)
        raise_text(ErrorCode::invalid_argument,
                   "%s: element numbers must be at most 2^62, got %llu elements from %llu on", push_call,
                   static_cast<unsigned long long>(n), static_cast<unsigned long long>(first));
    if (uint64_t where = 0; has_any(first, first + n, where))
        raise_text(ErrorCode::invalid_argument, "%s: element %llu has been added before", push_call,
                   static_cast<unsigned long long>(where));
    if (n == 0 || push_to_open_leaf(values, n, first)) return;
    RunningSumState next = *this;  // so an exception changes nothing
    const auto count = static_cast<size_t>(parts_);
    for (uint64_t k = first; k < first + n;) {
        const uint64_t leaf = k / leaf_size, left = first + n - k;
        if (k % leaf_size != 0 || left < leaf_size) {
            const uint64_t end = std::min(first + n, (leaf + 1) * leaf_size);
            OpenLeaf part;
            part.numbers.resize(leaf_size * count);
            visit_stored(stored_, values, [&](const auto* data) {
                for (uint64_t i = k; i < end; ++i) {
                    part.known.set(i % leaf_size);
                    for (size_t p = 0; p < count; ++p)
                        part.numbers[i % leaf_size * count + p] = widened<double>(data[(i - first) * count + p]);
                }
            });
            next.add_open(leaf, part);
            k = end;
        } else {
            int level = 0;
            while (leaf % (uint64_t{2} << level) == 0 && left >= leaf_size << (level + 1)) ++level;
            const uint64_t size = leaf_size << level;
            next.insert(leaf, node_of(values, k - first, size, level));
            k += size;
        }
    }
    *this = std::move(next);
}

void RunningSumState::merge(const RunningSumState& other) {
    constexpr const char* call = "RunningSum::merge";
    const auto refuse_twice = [&](uint64_t element) {
        raise_text(ErrorCode::invalid_argument, "%s: both sums have element %llu", call,
                   static_cast<unsigned long long>(element));
    };
    uint64_t where = 0;
    for (const auto& [leaf, node] : other.nodes_)
        if (has_any(leaf * leaf_size, (leaf + (uint64_t{1} << node.level)) * leaf_size, where)) refuse_twice(where);
    for (const auto& [leaf, part] : other.open_)
        for (size_t i = 0; i < leaf_size; ++i)
            if (const uint64_t k = leaf * leaf_size + i; part.known[i] && has_any(k, k + 1, where)) refuse_twice(where);
    const rng_cpu::FpEnvironment environment;
    RunningSumState next = *this;
    for (const auto& [leaf, node] : other.nodes_) next.insert(leaf, node);
    for (const auto& [leaf, part] : other.open_) next.add_open(leaf, part);
    *this = std::move(next);
}

uint64_t RunningSumState::size() const {
    uint64_t n = 0;
    for (const auto& [leaf, node] : nodes_) n += leaf_size << node.level;
    for (const auto& [leaf, part] : open_) n += part.known.count();
    return n;
}

void RunningSumState::total(void* out) const {
    const auto refuse_gap = [](uint64_t element) {
        raise_text(ErrorCode::invalid_argument, "RunningSum::total: element %llu is missing, and later ones are there",
                   static_cast<unsigned long long>(element));
    };
    const rng_cpu::FpEnvironment environment;
    visit_number(in_double_, [&]<class T>(T) {
        using Sum = rng_abi::Parts<T, 2>;
        const auto as_sum = [](const std::array<double, 2>& sum) {
            return Sum{{static_cast<T>(sum[0]), static_cast<T>(sum[1])}};
        };
        rng_abi::TreeNodes<Sum> tree;
        uint64_t leaves = 0;
        for (const auto& [leaf, node] : nodes_) {
            if (leaf != leaves) break;
            push_node(tree, as_sum(node.sum), node.level);
            leaves += uint64_t{1} << node.level;
        }
        // Now all nodes are in the tree, and perhaps the elements of one more leaf.
        const auto open = open_.find(leaves);
        const size_t known = open == open_.end() ? 0 : open->second.known.count();
        for (size_t i = 0; i < known; ++i)
            if (!open->second.known[i]) refuse_gap(leaves * leaf_size + i);
        if (size() != leaves * leaf_size + known) refuse_gap(leaves * leaf_size + known);
        if (known > 0) push_node(tree, as_sum(sum_of(open->second, known)));
        const Sum sum = total_of(tree, Sum{});
        for (int p = 0; p < parts_; ++p) static_cast<T*>(out)[p] = with_one_nan(sum.part[p]);
    });
}

std::vector<std::byte> RunningSumState::to_bytes() const {
    std::vector<std::byte> bytes;
    for (const char c : magic) bytes.push_back(static_cast<std::byte>(c));
    put<uint64_t>(bytes, (in_double_ ? 1 : 0) | static_cast<uint64_t>(parts_) << 8);
    put<uint64_t>(bytes, nodes_.size());
    put<uint64_t>(bytes, open_.size());
    for (const auto& [leaf, node] : nodes_) {
        put<uint64_t>(bytes, leaf);
        put<uint64_t>(bytes, static_cast<uint64_t>(node.level));
        for (size_t p = 0; p < static_cast<size_t>(parts_); ++p)
            put<uint64_t>(bytes, std::bit_cast<uint64_t>(node.sum[p]));
    }
    const auto count = static_cast<size_t>(parts_);
    for (const auto& [leaf, part] : open_) {
        put<uint64_t>(bytes, leaf);
        for (size_t word = 0; word < leaf_size / 64; ++word) {
            uint64_t bits = 0;
            for (size_t i = 0; i < 64; ++i) bits |= uint64_t{part.known[word * 64 + i]} << i;
            put<uint64_t>(bytes, bits);
        }
        for (size_t i = 0; i < leaf_size; ++i)
            for (size_t p = 0; p < count && part.known[i]; ++p)
                put<uint64_t>(bytes, std::bit_cast<uint64_t>(part.numbers[i * count + p]));
    }
    put_digest(bytes);
    return bytes;
}

void RunningSumState::from_bytes(std::span<const std::byte> bytes) {
    constexpr uint64_t most_leaves = (uint64_t{1} << 62) / leaf_size;
    StateBytes state(bytes);
    if (state.next() != ((in_double_ ? 1u : 0u) | static_cast<uint64_t>(parts_) << 8))
        StateBytes::refuse("is of a sum of another type");
    RunningSumState next(stored_, parts_, in_double_);
    const uint64_t nodes = state.next(), leaves = state.next();
    const auto count = static_cast<size_t>(parts_);
    const auto number = [&] {
        const double x = std::bit_cast<double>(state.next());
        if (!in_double_ && static_cast<double>(static_cast<float>(x)) != x && x == x)
            StateBytes::refuse("has a number that is not a float");
        return x;
    };
    uint64_t where = 0;
    for (uint64_t k = 0; k < nodes; ++k) {
        const uint64_t leaf = state.next(), level = state.next();
        if (level > 52 || leaf >= most_leaves || leaf % (uint64_t{1} << level) != 0)
            StateBytes::refuse("has a false node");
        Node node{static_cast<int>(level), {}};
        for (size_t p = 0; p < count; ++p) node.sum[p] = number();
        if (next.has_any(leaf * leaf_size, (leaf + (uint64_t{1} << level)) * leaf_size, where))
            StateBytes::refuse("has an element twice");
        next.insert(leaf, node);
    }
    for (uint64_t k = 0; k < leaves; ++k) {
        const uint64_t leaf = state.next();
        if (leaf >= most_leaves) StateBytes::refuse("has a false leaf");
        OpenLeaf part;
        part.numbers.resize(leaf_size * count);
        for (size_t word = 0; word < leaf_size / 64; ++word) {
            const uint64_t bits = state.next();
            for (size_t i = 0; i < 64; ++i) part.known[word * 64 + i] = (bits >> i & 1) != 0;
        }
        for (size_t i = 0; i < leaf_size; ++i)
            for (size_t p = 0; p < count && part.known[i]; ++p) part.numbers[i * count + p] = number();
        if (part.known.all() || next.has_any(leaf * leaf_size, (leaf + 1) * leaf_size, where))
            StateBytes::refuse("has an element twice");
        next.add_open(leaf, part);
    }
    if (!state.is_at_end()) StateBytes::refuse("goes on after its end");
    *this = std::move(next);
}

}  // namespace detail
RNG_END_NAMESPACE
