// Reducer: sums in host memory, in the documented order (docs/reduce.md). It selects the terms and divides them among
// threads.
#pragma once

#include <rng/detail/reduction.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <utility>
#include <vector>

#include "../cpu/dispatch.hpp"
#include "../cpu/parallel_for.hpp"
#include "kernels/sums.hpp"
#include "one_nan.hpp"
#include "stored.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {

using rng_abi::sum_leaf;
using rng_abi::Term;

[[nodiscard]] constexpr size_t leaves_of(size_t terms) { return terms / sum_leaf + (terms % sum_leaf != 0 ? 1 : 0); }

/// One pass over the terms. `swapped` takes y with its real and imaginary parts exchanged.
struct Pass {
    Term term;
    bool swapped = false;
};

template <class T, int Count> class Reducer {
  public:
    using Node = rng_abi::Parts<T, Count>;

    explicit Reducer(const ReductionRequest& request) : q_(request) {
        const rng_abi::KernelTable& kernels = rng_cpu::kernels_for(q_.terms * q_.results * sizeof(T), false);
        functions_ = sizeof(T) == 4 ? kernels.sums->f32 : kernels.sums->f64;
    }

    /// Adds up the terms of all results from term `first` on. sums[k * passes + p] is pass p of result k. The shift of
    /// result k is shifts[k]; a null pointer stands for zeros.
    void run(std::initializer_list<Pass> passes, const Node* shifts, Node* sums, size_t first = 0) const {
        const size_t leaves = leaves_of(q_.terms), n = passes.size();
        // Several results are read together if they lie nearer to each other than terms do.
        const size_t together = std::abs(q_.x.next) < std::abs(q_.x.stride) ? most_together : 1;
        const size_t bundles = (q_.results + together - 1) / together;
        size_t group = 16;  // leaves of a task: a power of two, so that its sum is a node of the tree
        while (leaves > group && leaves / group * bundles > most_tasks) group *= 2;
        const size_t groups = std::max<size_t>(1, (leaves + group - 1) / group);
        if (groups == 1 && q_.results == 1) {
            Bundle bundle(*this, passes, shifts);
            bundle.add(first, 0, 1, 0, leaves, sums);
            return;
        }
        std::vector<Node> nodes(groups == 1 ? 0 : groups * q_.results * n);
        Node* const to = groups == 1 ? sums : nodes.data();
        const bool is_small = q_.terms * q_.results < (size_t{1} << 15);  // threads take longer to wake than they save
        rng_cpu::parallel_for(groups * bundles, 1, is_small ? 1 : SIZE_MAX, [&](size_t begin, size_t end) {
            Bundle bundle(*this, passes, shifts);
            for (size_t task = begin; task < end; ++task) {
                const size_t k = task / groups * together, g = task % groups, now = std::min(together, q_.results - k);
                Node part[most_together * most_passes];
                bundle.add(first, k, now, g * group, std::min(leaves, (g + 1) * group), part);
                for (size_t i = 0; i < now; ++i)
                    for (size_t p = 0; p < n; ++p) to[((k + i) * groups + g) * n + p] = part[i * n + p];
            }
        });
        if (groups == 1) return;
        for (size_t k = 0; k < q_.results; ++k)
            for (size_t p = 0; p < n; ++p) {
                rng_abi::TreeNodes<Node> tree;
                for (size_t g = 0; g < groups; ++g) push_node(tree, nodes[(k * groups + g) * n + p]);
                sums[k * n + p] = total_of(tree, Node{});
            }
    }

    /// Returns the greatest magnitude of a number of result k; NaN if one is NaN.
    [[nodiscard]] T greatest(size_t k) const {
        T room[sum_leaf * Count];
        T most = 0;
        bool is_nan = false;
        for (size_t leaf = 0; leaf < leaves_of(q_.terms); ++leaf)
            for (size_t i = 0, n = read_leaf(k, leaf, room); i < n; ++i) {
                is_nan = is_nan || is_nan_number(room[i]);
                most = std::max(most, std::fabs(room[i]));
            }
        return is_nan ? std::numeric_limits<T>::quiet_NaN() : most;
    }
    /// Returns the sum of the squares of result k times 2^-2exponent, from terms that are multiplied by 2^-exponent.
    [[nodiscard]] Node scaled_squares(size_t k, int exponent) const {
        T room[sum_leaf * Count];
        rng_abi::TreeNodes<Node> tree;
        for (size_t leaf = 0; leaf < leaves_of(q_.terms); ++leaf) {
            const size_t n = read_leaf(k, leaf, room);
            for (size_t i = 0; i < n; ++i) room[i] = std::scalbn(room[i], -exponent);
            functions_[static_cast<int>(Term::square)][Count - 1](room, nullptr, nullptr, n / Count, false, &tree);
        }
        return total_of(tree, Node{});
    }

    /// Terms [first, first + n) of result k, in the type of the sum.
    void gather(const Terms& from, size_t k, size_t first, size_t n, T* to) const {
        visit_stored(q_.stored, from.data, [&](const auto* data) {
            const ptrdiff_t step = from.stride * Count;
            const auto* at =
                data + (static_cast<ptrdiff_t>(k) * from.next + static_cast<ptrdiff_t>(first) * from.stride) * Count;
            for (size_t i = 0; i < n; ++i, at += step)
                for (int p = 0; p < Count; ++p) to[i * Count + static_cast<size_t>(p)] = widened<T>(at[p]);
        });
    }

  private:
    /// Reads a leaf of result k and returns the number of its numbers.
    size_t read_leaf(size_t k, size_t leaf, T* to) const {
        const size_t n = std::min(sum_leaf, q_.terms - leaf * sum_leaf);
        gather(q_.x, k, leaf * sum_leaf, n, to);
        return n * Count;
    }

    static constexpr size_t most_together = 8, most_tasks = 256, most_passes = 2;
    static constexpr size_t most_cached_bytes = size_t{512} << 10;  // of a second-level cache

    /// Neighbouring results whose terms are read together.
    class Bundle {
      public:
        Bundle(const Reducer& reducer, std::initializer_list<Pass> passes, const Node* shifts)
            : r_(reducer), passes_(passes), shifts_(shifts) {}

        /// Adds up leaves [begin, end) of results [k, k + now).
        void add(size_t first, size_t k, size_t now, size_t begin, size_t end, Node* sums) {
            const ReductionRequest& q = r_.q_;
            rng_abi::TreeNodes<Node> trees[most_together * most_passes];
            const size_t n = passes_.size();
            const bool in_place = is_in_place(q.x) && (q.y.data == nullptr || is_in_place(q.y));
            const size_t chunk = !in_place ? 1 : n == 1 ? end - begin : 4;  // a second pass finds it in the cache
            const bool is_large = q.terms > most_cached_bytes / sizeof(T) / q.results;
            for (size_t leaf = begin; leaf < end; leaf += chunk) {
                const size_t from = first + leaf * sum_leaf;
                const size_t count = std::min(std::min(chunk, end - leaf) * sum_leaf, q.terms - leaf * sum_leaf);
                read(q.x, k, now, from, count, room_x_, x_);
                if (q.y.data != nullptr) read(q.y, k, now, from, count, room_y_, y_);
                for (size_t p = 0; p < n; ++p) {
                    const Pass pass = passes_.begin()[p];
                    if (pass.swapped) swap_parts(now, count);
                    for (size_t i = 0; i < now; ++i)
                        r_.functions_[static_cast<int>(pass.term)][Count - 1](
                            x_[i], y_[i], shifts_ == nullptr ? nullptr : shifts_[k + i].part, count,
                            in_place && is_large && p == 0, &trees[i * n + p]);
                }
            }
            for (size_t i = 0; i < now * n; ++i) sums[i] = total_of(trees[i], Node{});
        }

      private:
        // Rooms of one leaf begin at different lines of the cache.
        static constexpr size_t room = sum_leaf * Count + 16;

        [[nodiscard]] bool is_in_place(const Terms& terms) const {
            for (const Pass& pass : passes_)
                if (pass.swapped && terms.data == r_.q_.y.data) return false;
            return terms.stride == 1 && r_.q_.stored == stored_real<T>();
        }
        void read(const Terms& terms, size_t k, size_t now, size_t first, size_t count, std::vector<T>& rooms,
                  const T** at) {
            if (is_in_place(terms)) {
                for (size_t i = 0; i < now; ++i)
                    at[i] = static_cast<const T*>(terms.data) +
                            (static_cast<ptrdiff_t>(k + i) * terms.next + static_cast<ptrdiff_t>(first)) * Count;
                return;
            }
            rooms.resize(room * most_together);
            for (size_t i = 0; i < now; ++i) at[i] = rooms.data() + i * room;
            if (now == 1) {
                r_.gather(terms, k, first, count, rooms.data());
                return;
            }
            visit_stored(r_.q_.stored, terms.data, [&](const auto* data) {
                for (size_t j = 0; j < count; ++j) {
                    const auto* from = data + (static_cast<ptrdiff_t>(k) * terms.next +
                                               static_cast<ptrdiff_t>(first + j) * terms.stride) *
                                                  Count;
                    for (size_t i = 0; i < now; ++i, from += terms.next * Count)
                        for (size_t p = 0; p < Count; ++p) rooms[i * room + j * Count + p] = widened<T>(from[p]);
                }
            });
        }
        /// Exchanges the parts of y, which lies in its rooms.
        void swap_parts(size_t now, size_t count) {
            if constexpr (Count == 2)
                for (size_t i = 0; i < now; ++i)
                    for (size_t j = 0; j < count; ++j)
                        std::swap(room_y_[i * room + 2 * j], room_y_[i * room + 2 * j + 1]);
        }

        const Reducer& r_;
        std::initializer_list<Pass> passes_;
        const Node* shifts_;
        std::vector<T> room_x_, room_y_;
        const T* x_[most_together] = {};
        const T* y_[most_together] = {};
    };

    const ReductionRequest& q_;
    const rng_abi::SumFunction (*functions_)[2];
};

}  // namespace detail
RNG_END_NAMESPACE
