// Additions at indices: rng/reduce/index_add.hpp.
//
// If a matrix has many lines, the threads divide them. So every place gets its terms in the order of the index, from
// one thread. Dividing the places of a single line was slower than one thread, because each thread must read the whole
// index.
#include <rng/reduce/index_add.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <vector>

#include "../cpu/parallel_for.hpp"
#include "one_nan.hpp"
#include "requests.hpp"
#include "stored.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr uint64_t most_bins = uint64_t{1} << 48;
constexpr size_t few_terms = size_t{1} << 15;  // for these, threads take longer to wake than they save

/// Calls f with the index as unsigned integers: checked ones are not negative.
template <class F> void visit_index(const IndexDescription& index, const F& f) {
    index.bytes == 4 ? f(static_cast<const uint32_t*>(index.data)) : f(static_cast<const uint64_t*>(index.data));
}

void check_index(const ScatterRequest& q) {
    const uint64_t limit = limit_of(q.index, q.targets);
    visit_index(q.index, [&](const auto* index) {
        const size_t lines = q.index.line_stride == 0 ? 1 : q.lines;
        std::atomic<bool> is_valid{true};
        for (size_t line = 0; line < lines; ++line) {
            const auto* const at = index + static_cast<ptrdiff_t>(line) * q.index.line_stride;
            rng_cpu::parallel_for(q.terms, few_terms, SIZE_MAX, [&](size_t first, size_t last) {
                uint64_t most = 0;
                if (q.index.stride == 1)
                    for (size_t k = first; k < last; ++k) most = std::max<uint64_t>(most, at[k]);
                else
                    for (size_t k = first; k < last; ++k)
                        most = std::max<uint64_t>(most, at[static_cast<ptrdiff_t>(k) * q.index.stride]);
                if (most >= limit) is_valid = false;
            });
            if (is_valid) continue;
            for (size_t k = 0;; ++k)
                if (const uint64_t bits = at[static_cast<ptrdiff_t>(k) * q.index.stride]; bits >= limit)
                    refuse_index(q, bits, line, k);
        }
    });
}

/// Additions to numbers of T, from values of S.
template <class T, class S, class I> class Scatter {
  public:
    Scatter(const ScatterRequest& q, const I* index, const S* values)
        : q_(q), index_(index), values_(values), out_(static_cast<T*>(q.out)), alpha_(static_cast<T>(q.alpha)) {}

    void run() {
        if (is_plain()) {
            add_plain();
            return;
        }
        check_index(q_);
        const rng_cpu::FpEnvironment environment;
        const bool is_large = q_.terms >= few_terms / std::min(q_.lines, few_terms);
        rng_cpu::parallel_for(q_.lines, neighbours, is_large ? SIZE_MAX : 1, [&](size_t first, size_t last) {
            bool is_nan = false;
            for (size_t k = 0; k < q_.terms; ++k)
                for (size_t line = first; line < last; ++line) is_nan |= add(k, line);
            for (size_t k = 0; is_nan && k < q_.terms; ++k)
                for (size_t line = first; line < last; ++line) mend_nan(k, line);
        });
    }

  private:
    static constexpr size_t neighbours = 16;  // lines whose numbers may share a cache line

    [[nodiscard]] size_t target(size_t k, size_t line) const {
        return static_cast<size_t>(
            index_[static_cast<ptrdiff_t>(k) * q_.index.stride + static_cast<ptrdiff_t>(line) * q_.index.line_stride]);
    }
    [[nodiscard]] T* place(size_t target, size_t line) const {
        return out_ +
               (static_cast<ptrdiff_t>(target) * q_.out_stride + static_cast<ptrdiff_t>(line) * q_.out_line) * q_.parts;
    }
    /// Adds term k of a line, and returns true if the sum is NaN.
    [[nodiscard]] bool add(size_t k, size_t line) const {
        T* const to = place(target(k, line), line);
        const S* const from =
            values_ +
            (static_cast<ptrdiff_t>(k) * q_.value_stride + static_cast<ptrdiff_t>(line) * q_.value_line) * q_.parts;
        bool is_nan = false;
        for (int p = 0; p < q_.parts; ++p) {
            const T term = widened<T>(from[p]) * alpha_;
            to[p] = to[p] + term;
            is_nan = is_nan || !(to[p] == to[p]);
        }
        return is_nan;
    }
    void mend_nan(size_t k, size_t line) const {
        T* const to = place(target(k, line), line);
        for (int p = 0; p < q_.parts; ++p) to[p] = with_one_nan(to[p]);
    }

    /// True for contiguous real numbers, no fewer than there are places.
    [[nodiscard]] bool is_plain() const {
        return q_.lines == 1 && q_.parts == 1 && q_.index.stride == 1 && q_.value_stride == 1 && q_.out_stride == 1 &&
               q_.alpha == 1 && q_.targets <= q_.terms;
    }
    /// Checks each integer before its addition, which costs no time. After a fault, a copy restores the places.
    void add_plain() const {
        const std::vector<T> before(out_, out_ + q_.targets);
        const rng_cpu::FpEnvironment environment;
        if (!add_checked()) {
            std::copy(before.begin(), before.end(), out_);
            check_index(q_);
        }
        if (has_nan(out_, q_.targets))
            for (size_t k = 0; k < q_.terms; ++k) mend_nan(k, 0);
    }
    /// Returns false at an integer out of range.
    [[nodiscard]] bool add_checked() const {
        constexpr size_t together = 4;  // one jump for this many checks
        const uint64_t limit = limit_of(q_.index, q_.targets);
        const auto add_term = [&](size_t k) {
            T& to = out_[index_[k]];
            to = to + widened<T>(values_[k]);
        };
        size_t k = 0;
        for (; k + together <= q_.terms; k += together) {
            const I* const at = index_ + k;
            if (at[0] >= limit || at[1] >= limit || at[2] >= limit || at[3] >= limit) return false;
            for (size_t i = 0; i < together; ++i) add_term(k + i);
        }
        for (; k < q_.terms; ++k) {
            if (index_[k] >= limit) return false;
            add_term(k);
        }
        return true;
    }

    const ScatterRequest& q_;
    const I* index_;
    const S* values_;
    T* out_;
    T alpha_;
};

}  // namespace

void scatter(const ScatterRequest& q) {
    if (q.terms == 0 || q.lines == 0) return;
    visit_index(q.index, [&]<class I>(const I* index) {
        visit_stored(q.stored, q.values, [&]<class S>(const S* values) {
            if (q.in_double)
                Scatter<double, S, I>(q, index, values).run();
            else if constexpr (sizeof(S) < 8)
                Scatter<float, S, I>(q, index, values).run();
        });
    });
}

size_t bins_of(const char* call, const IndexDescription& index, size_t terms) {
    if (index.data == nullptr && terms != 0)
        raise_text(ErrorCode::invalid_argument, "%s: index must not be null, for %zu elements", call, terms);
    const uint64_t limit = limit_of(index, most_bins);
    size_t bins = 0;
    visit_index(index, [&](const auto* at) {
        std::atomic<uint64_t> greatest{0};
        rng_cpu::parallel_for(terms, few_terms, SIZE_MAX, [&](size_t first, size_t last) {
            uint64_t most = 0;
            for (size_t k = first; k < last; ++k) most = std::max<uint64_t>(most, at[k]);
            for (uint64_t seen = greatest; most > seen && !greatest.compare_exchange_weak(seen, most);) continue;
        });
        if (greatest >= limit)
            for (size_t k = 0;; ++k)
                if (at[k] >= limit)
                    raise_text(ErrorCode::invalid_argument, "%s: index must be in [0, %llu), got %lld at %zu", call,
                               static_cast<unsigned long long>(limit), signed_value(index, at[k]), k);
        bins = terms == 0 ? 0 : static_cast<size_t>(greatest) + 1;
    });
    return bins;
}

namespace {

/// The counts of fewer than 2^32 integers: small counts stay in the cache. Equal integers in succession would wait for
/// each other's count, so small integers are counted in several tables by turns, until a greater one comes.
class Counter {
  public:
    static constexpr size_t most_terms = size_t{1} << 31;

    /// Counts the integers, and returns true. Returns false if one is not below `limit`.
    template <class I> [[nodiscard]] bool count(const I* at, size_t n, uint64_t limit) {
        size_t k = 0;
        if (n >= tables * small && limit >= small) {
            tables_.resize(tables * small);
            for (; k + tables <= n && (at[k] | at[k + 1] | at[k + 2] | at[k + 3]) < small; k += tables)
                for (size_t t = 0; t < tables; ++t) ++tables_[t * small + static_cast<size_t>(at[k + t])];
        }
        uint64_t most = 0;
        for (size_t i = k; i < n; ++i) most = std::max<uint64_t>(most, at[i]);
        if (most >= limit) return false;
        if (k < n) counts_.resize(static_cast<size_t>(most) + 1);
        for (; k < n; ++k) ++counts_[static_cast<size_t>(at[k])];
        return true;
    }
    /// Adds the counts to `to`, which grows as needed.
    void add_to(std::vector<int64_t>& to) const {
        to.resize(std::max({to.size(), counts_.size(), tables_.empty() ? 0 : small}));
        for (size_t bin = 0; bin < counts_.size(); ++bin) to[bin] += counts_[bin];
        for (size_t i = 0; i < tables_.size(); ++i) to[i % small] += tables_[i];
    }

  private:
    static constexpr size_t tables = 4, small = 4096;
    std::vector<uint32_t> tables_, counts_;
};

}  // namespace

std::vector<int64_t> counts_of(const char* call, const IndexDescription& index, size_t terms) {
    if (index.data == nullptr) (void)bins_of(call, index, terms);  // it throws if there should be integers
    const uint64_t limit = limit_of(index, most_bins);
    std::vector<int64_t> counts;
    visit_index(index, [&](const auto* at) {
        // Each part counts integers below `limit_of_part`, in its own counts. Returns false if there are others.
        const auto count = [&](size_t threads, uint64_t limit_of_part) {
            const size_t parts = std::max(threads, terms / Counter::most_terms + 1);
            std::vector<Counter> counters(parts);
            std::atomic<bool> is_complete{true};
            const auto count_part = [&](size_t i) {
                const size_t first = terms / parts * i, last = i + 1 == parts ? terms : terms / parts * (i + 1);
                if (!counters[i].count(at + first, last - first, limit_of_part)) is_complete = false;
            };
            if (parts == 1)
                count_part(0);
            else
                rng_cpu::run_parts(static_cast<int>(parts), static_cast<int>(threads),
                                   [&](int part) { count_part(static_cast<size_t>(part)); });
            if (is_complete)
                for (const Counter& counter : counters) counter.add_to(counts);
            return is_complete.load();
        };
        const size_t threads = terms < few_terms ? 1 : static_cast<size_t>(num_threads());
        // All counts of several threads together take no more memory than the integers.
        if ((threads > 1 && count(threads, std::min<uint64_t>(limit, terms / threads))) || count(1, limit)) return;
        (void)bins_of(call, index, terms);  // it throws
    });
    while (!counts.empty() && counts.back() == 0) counts.pop_back();
    return counts;
}

}  // namespace detail
RNG_END_NAMESPACE
