// Reductions of an array that is spread over ranks: each rank computes nodes of the tree of docs/reduce.md from whole
// leaves.
#include <rng/reduce/rank_sums.hpp>

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <vector>

#include "../cpu/fp_environment.hpp"
#include "../ranks/rank_tree.hpp"
#include "reductions.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

[[nodiscard]] bool has_y(const ReductionRequest& q) {
    return q.reduction == Reduction::dot || q.reduction == Reduction::vdot;
}

[[nodiscard]] size_t element_bytes(const ReductionRequest& q) {
    const size_t number = q.stored == StoredReal::f64 ? 8 : q.stored == StoredReal::f32 ? 4 : 2;
    return number * static_cast<size_t>(q.parts);
}

/// Returns the leaf of x or y that has elements of other ranks at its end; empty if there is none. Collective.
std::vector<std::byte> joined_leaf(const RankLayout& layout, const Terms& terms, size_t bytes) {
    const auto* const given = static_cast<const std::byte*>(terms.data);
    std::vector<std::byte> head, leaf;
    layout.call().attempt([&] { head.assign(given, given + layout.head() * bytes); });
    const std::vector<std::byte> tail = layout.moved(head, bytes);
    layout.call().attempt([&] {
        if (layout.tail() == 0) return;
        const RankNode last = layout.slabs().back();
        const std::byte* const own = given + (layout.head() + last.first) * bytes;
        leaf.assign(own, own + (last.count - layout.tail()) * bytes);
        leaf.insert(leaf.end(), tail.begin(), tail.end());
    });
    return leaf;
}

/// The array's terms that a rank owns: a request for each of its nodes.
struct RankTerms {
    std::vector<std::byte> joined_x, joined_y;
    std::vector<ReductionRequest> slabs;

    /// Collective: elements that another rank owns move there.
    RankTerms(const RankLayout& layout, const ReductionRequest& q) {
        const size_t bytes = element_bytes(q);
        joined_x = joined_leaf(layout, q.x, bytes);
        if (has_y(q)) joined_y = joined_leaf(layout, q.y, bytes);
        const std::vector<RankNode> nodes = layout.slabs();
        for (size_t k = 0; k < nodes.size(); ++k) {
            const bool is_joined = layout.tail() > 0 && k + 1 == nodes.size();
            const size_t at = (layout.head() + nodes[k].first) * bytes;
            const auto data = [&](const Terms& terms, const std::vector<std::byte>& joined) -> const void* {
                return is_joined ? joined.data() : static_cast<const std::byte*>(terms.data) + at;
            };
            ReductionRequest& slab = slabs.emplace_back(q);
            slab.terms = nodes[k].count;
            slab.x.data = data(q.x, joined_x);
            if (has_y(q)) slab.y.data = data(q.y, joined_y);
        }
    }
};

/// The sums of an array over ranks, for write_reduction.
template <class T, int Count> class RankReducer {
  public:
    using Node = rng_abi::Parts<T, Count>;

    RankReducer(const RankLayout& layout, const RankTerms& terms) : call_(layout.call()), tree_(layout) {
        for (const ReductionRequest& slab : terms.slabs) slabs_.emplace_back(slab);
    }

    void run(std::initializer_list<Pass> passes, const Node* shifts, Node* sums) const {
        std::vector<Node> nodes(slabs_.size() * passes.size());
        for (size_t k = 0; k < slabs_.size(); ++k) slabs_[k].run(passes, shifts, &nodes[k * passes.size()]);
        add(nodes, passes.size(), sums);
    }
    [[nodiscard]] T greatest(size_t k) const {
        T most = 0;
        bool is_nan = false;
        const auto look = [&](T value) {
            is_nan = is_nan || is_nan_number(value);
            most = std::max(most, value);
        };
        for (const auto& slab : slabs_) look(slab.greatest(k));
        for (const T value : call_.gathered(is_nan ? std::numeric_limits<T>::quiet_NaN() : most)) look(value);
        return is_nan ? std::numeric_limits<T>::quiet_NaN() : most;
    }
    [[nodiscard]] Node scaled_squares(size_t k, int exponent) const {
        std::vector<Node> nodes;
        for (const auto& slab : slabs_) nodes.push_back(slab.scaled_squares(k, exponent));
        Node sum{};
        add(nodes, 1, &sum);
        return sum;
    }

  private:
    /// Adds up `n` sums of each slab, over all ranks.
    void add(const std::vector<Node>& nodes, size_t n, Node* sums) const {
        tree_.sum(
            n, Count, 1,
            [&](size_t slab, size_t first, size_t rows, T* out) {
                for (size_t i = 0; i < rows; ++i) std::copy_n(nodes[slab * n + first + i].part, Count, out + i * Count);
            },
            sums[0].part);
    }

    RankCall& call_;
    RankTree<T> tree_;
    std::vector<Reducer<T, Count>> slabs_;
};

/// Checks the arguments of one rank.
void check_mine(const RankReduction& r) {
    const ReductionRequest& q = r.request;
    const auto check = [&](const char* name, const Terms& terms, size_t count) {
        if (terms.data == nullptr && count != 0)
            raise_text(ErrorCode::invalid_argument, "%s: %s must not be null, for %zu elements", q.call, name, count);
    };
    check("x", q.x, q.terms);
    if (!has_y(q)) return;
    check("y", q.y, r.y_count);
    if (q.terms != r.y_count)
        raise_text(ErrorCode::invalid_argument, "%s: x and y must have the same size, got %zu and %zu", q.call, q.terms,
                   r.y_count);
    if ((q.terms != 0 && r.first != r.y_first) || r.size != r.y_size)
        refuse(q.call, "x and y must be spread alike, got elements from " + std::to_string(r.first) + " of " +
                           std::to_string(r.size) + " and from " + std::to_string(r.y_first) + " of " +
                           std::to_string(r.y_size));
}

}  // namespace

void reduce_ranks(const RankReduction& r, Ranks& ranks, void* out) {
    const rng_cpu::FpEnvironment environment;
    const ReductionRequest& q = r.request;
    RankCall::run(q.call, ranks, [&](RankCall& call) {
        const uint64_t type = static_cast<uint64_t>(q.stored) * 4 + static_cast<uint64_t>(q.parts);
        call.require_same([&] {
            return std::vector<RankField>{{"the type of the elements", type, false},
                                          {"the type of the sum", q.in_double ? uint64_t{1} : uint64_t{0}, false},
                                          {"size", r.size},
                                          {"correction", std::bit_cast<uint64_t>(q.correction), false}};
        });
        ReductionRequest whole = q;
        whole.terms = r.size;
        call.alike([&] { require_terms(whole); });
        call.attempt([&] { check_mine(r); });
        const RankLayout layout(call, "element", r.first, q.terms, r.size, sum_leaf);
        const RankTerms terms(layout, q);
        visit_type(q, [&]<class T, int Count>(T, std::integral_constant<int, Count>) {
            write_reduction(whole, RankReducer<T, Count>(layout, terms), static_cast<T*>(out), 0);
        });
    });
}

}  // namespace detail
RNG_END_NAMESPACE
