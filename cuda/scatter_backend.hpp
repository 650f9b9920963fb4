// DeviceScatter: the kernels of additions by index and of counts in the memory of a GPU, and the data on which they
// run. A Device runs them, as svd_backend.hpp describes it; it also sorts, as CudaDevice does. The workspace begins at
// a multiple of 256 bytes.
#pragma once

#include <bit>

#include "../src/device/backend.hpp"
#include "reduce_backend.hpp"
#include "scatter_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// index_add, scatter_add and bincount, with the results of src/reduce/index_add.cpp.
template <class Device> class DeviceScatter {
  public:
    /// most_keys: the most keys of entries that are sorted together.
    DeviceScatter(const ScatterRequest& q, Scattered what, Device& device, uint64_t most_keys = UINT32_MAX)
        : q_(q), what_(what), device_(device), has_lines_(q.index.line_stride != 0) {
        flags_ = places_.take<IndexFlags>(1);
        if (what == Scattered::counted) {
            // If there are no more counts than integers, they are computed beside `out` while the integers are checked.
            counts_beside_ = q.targets <= q.terms;
            counts_ = places_.take<uint64_t>(counts_beside_ ? q.targets : 0);
            return;
        }
        // As many lines as have keys of 32 bits, at least one.
        group_ = has_lines_ ? std::clamp<uint64_t>(most_keys / q.targets, 1, q.lines) : 1;
        for (size_t& buffer : buffers_) buffer = places_.take<uint32_t>(2 * padded());
        sort_bytes_ = device.sort_workspace(static_cast<uint32_t>(entries()), key_bits());
        sort_ = places_.take<std::byte>(sort_bytes_);
    }
    /// Returns the bytes of workspace.
    [[nodiscard]] size_t bytes() const { return places_.bytes(); }

    /// Writes to `out`. Throws Error (invalid_argument) if an integer is out of range, as the CPU does; then nothing is
    /// written. Waits for that check.
    void run(std::byte* workspace) {
        workspace_ = workspace;
        device_.zero(at<IndexFlags>(flags_), sizeof(IndexFlags));
        what_ == Scattered::counted ? count() : add();
    }

  private:
    static constexpr uint32_t few_columns = 8;             // rows of fewer are added column by column, as numbers are
    static constexpr uint64_t most_blocks = 2048;          // of kernels whose threads take several turns
    static constexpr uint64_t most_counting_blocks = 512;  // each adds all of its counts at the end
    static constexpr uint64_t most_blocks_y = 65535;

    template <class V> [[nodiscard]] V* at(size_t place) const { return reinterpret_cast<V*>(workspace_ + place); }
    /// The number of integers in the index.
    [[nodiscard]] uint64_t all_entries() const { return q_.terms * (has_lines_ ? q_.lines : 1); }
    /// The number of them in a group.
    [[nodiscard]] uint64_t entries() const { return q_.terms * group_; }
    [[nodiscard]] uint64_t padded() const { return divided_up(entries(), padded_terms) * padded_terms; }
    [[nodiscard]] int key_bits() const {
        return std::max(1, static_cast<int>(std::bit_width(q_.targets * group_ - 1)));
    }
    /// The number of numbers in an entry.
    [[nodiscard]] uint64_t columns() const { return static_cast<uint64_t>(q_.parts) * (has_lines_ ? 1 : q_.lines); }

    /// Calls f with the index as unsigned integers, from a line on.
    template <class F> void with_index(uint64_t line, const F& f) const {
        const auto with = [&]<class Index>(Index) {
            const auto* const data = static_cast<const Index*>(q_.index.data);
            f(Lines<const Index>{data + static_cast<ptrdiff_t>(line) * q_.index.line_stride, q_.index.stride,
                                 q_.index.line_stride, has_lines_ ? q_.terms : 0});
        };
        q_.index.bytes == 4 ? with(uint32_t{}) : with(uint64_t{});
    }
    [[nodiscard]] uint64_t limit() const { return limit_of(q_.index, q_.targets); }

    /// Throws an Error that names the first integer out of range, if there is one. Waits.
    void require_places() {
        with_index(0, [&]<class Index>(const Lines<const Index>& index) {
            const auto e = search_.first(device_, workspace_, BadPlace<Index>{index, limit()}, all_entries());
            if (!e) return;
            const auto line = static_cast<size_t>(*e / q_.terms), k = static_cast<size_t>(*e % q_.terms);
            const Index value = host_copy(device_, index.data + static_cast<ptrdiff_t>(k) * index.stride +
                                                       static_cast<ptrdiff_t>(line) * index.line_stride);
            refuse_index(q_, value, line, k);
        });
    }

    void count() {
        constexpr uint32_t most_in_shared = 12 << 10;  // counts of 4 bytes: 48 KiB, which every kernel may have
        auto* const out = static_cast<unsigned long long*>(q_.out);
        unsigned long long* const counts = counts_beside_ ? at<unsigned long long>(counts_) : out;
        if (!counts_beside_) require_places();
        device_.zero(counts, q_.targets * sizeof *counts);
        with_index(0, [&]<class Index>(const Lines<const Index>& index) {
            const auto in_shared = static_cast<uint32_t>(q_.targets <= most_in_shared ? q_.targets : 0);
            using Count = CountPlaces<Index>;
            if (q_.terms > 0)
                device_.launch(Count{index.data, counts, q_.terms, limit(), in_shared, at<IndexFlags>(flags_)},
                               std::min(most_counting_blocks, divided_up(q_.terms, loads_ahead * Count::threads)), 1,
                               in_shared * sizeof(uint32_t));
        });
        if (!counts_beside_) return;
        if (host_copy(device_, at<IndexFlags>(flags_)).has_bad_place) require_places();
        device_.copy(out, counts, q_.targets * sizeof *counts);
    }

    void add() {
        const uint64_t lines = has_lines_ ? q_.lines : 1;
        for (uint64_t line = 0; line < lines; line += group_) prepare(line);
        const IndexFlags flags = host_copy(device_, at<IndexFlags>(flags_));
        if (flags.has_bad_place) require_places();
        if (what_ == Scattered::summed) device_.zero(q_.out, q_.targets * sizeof(double));
        for (uint64_t line = 0; line < lines; line += group_) {
            if (group_ < lines) prepare(line);
            with_numbers(q_.stored, q_.in_double,
                         [&]<class T, class S>() { add_group<T, S>(line, group_ < lines || flags.descends); });
        }
    }
    /// Writes the keys of a group and the numbers of its entries, if they are sorted with the keys.
    void prepare(uint64_t line) {
        const uint64_t n = entries_from(line);
        with_index(line, [&]<class Index>(const Lines<const Index>& index) {
            using Prepare = PreparePlaces<Index>;
            if (n > 0)
                device_.launch(Prepare{index, n, limit(), q_.targets, keys(0), sorts_products() ? nullptr : values(0),
                                       at<IndexFlags>(flags_)},
                               blocks_for<Prepare>(n), 1);
        });
    }
    /// Returns the number of entries of the group that begins with a line.
    [[nodiscard]] uint64_t entries_from(uint64_t line) const {
        return has_lines_ ? q_.terms * std::min(group_, q_.lines - line) : q_.terms;
    }
    template <class K> [[nodiscard]] static uint64_t blocks_for(uint64_t n) {
        return std::min(most_blocks, divided_up(n, loads_ahead * K::threads));
    }
    [[nodiscard]] uint32_t* keys(int buffer) const { return at<uint32_t>(buffers_[buffer]); }
    [[nodiscard]] uint32_t* values(int buffer) const { return keys(buffer) + padded(); }
    /// True if products are sorted with the keys, instead of the numbers of entries.
    [[nodiscard]] bool sorts_products() const { return columns() == 1 && !q_.in_double; }

    template <class T, class S> void add_group(uint64_t line, bool sorts) {
        const uint64_t n = entries_from(line);
        if (n == 0) return;
        const ptrdiff_t parts = q_.parts, first = static_cast<ptrdiff_t>(line);
        const S* const from = static_cast<const S*>(q_.values) + first * q_.value_line * parts;
        T* const to = static_cast<T*>(q_.out) + first * q_.out_line * parts;
        const uint64_t line_terms = has_lines_ ? q_.terms : 0, line_places = has_lines_ ? q_.targets : 0;
        const auto alpha = static_cast<T>(q_.alpha);
        // `sources` are entries in the order of the keys; null for all in their own order.
        const auto multiply = [&](const uint32_t* sources, T* terms, ptrdiff_t offset) {
            const Lines<const S> lines{from + offset, q_.value_stride * parts, q_.value_line * parts, line_terms};
            device_.launch(MultiplyTerms<T, S>{lines, sources, terms, n, alpha},
                           divided_up(n, loads_ahead * threads_per_block), 1);
        };
        if constexpr (sizeof(T) == sizeof(uint32_t))
            if (sorts_products()) multiply(nullptr, reinterpret_cast<T*>(values(0)), 0);
        uint32_t *key[2] = {keys(0), keys(1)}, *value[2] = {values(0), values(1)};
        if (sorts) device_.sort(key, value, static_cast<uint32_t>(n), key_bits(), at<std::byte>(sort_), sort_bytes_);
        const auto add_numbers = [&](const T* terms, ptrdiff_t offset) {
            const Runs<T> runs{key[0], terms, n,
                               Lines<T>{to + offset, q_.out_stride * parts, q_.out_line * parts, line_places}};
            device_.launch(AddShortRuns<T>{runs}, divided_up(n, run_tile), 1);
            device_.launch(AddLongRuns<T>{runs}, divided_up(n, AddLongRuns<T>::entries), 1);
        };
        if constexpr (sizeof(T) == sizeof(uint32_t))
            if (sorts_products()) return add_numbers(reinterpret_cast<const T*>(value[0]), 0);
        if (columns() < few_columns) {
            auto* const terms = reinterpret_cast<T*>(key[1]);  // the other keys and values: 8 bytes an entry
            for (ptrdiff_t column = 0; column < static_cast<ptrdiff_t>(columns()); ++column) {
                multiply(value[0], terms, column / parts * q_.value_line * parts + column % parts);
                add_numbers(terms, column / parts * q_.out_line * parts + column % parts);
            }
            return;
        }
        add_rows(Rows<T, S>{key[0], value[0], n, from, q_.value_stride * parts, q_.value_line * parts, to,
                            q_.out_stride * parts, q_.out_line * parts, alpha, columns(),
                            static_cast<uint32_t>(parts - 1)});
    }
    template <class T, class S> void add_rows(const Rows<T, S>& rows) {
        constexpr uint32_t threads = AddShortRows<T, S>::threads;
        // Neighbouring threads take neighbouring numbers: of a row, or, if its numbers lie further apart than rows do,
        // of several rows.
        const bool lies_across = std::abs(rows.value_line) > std::abs(rows.value_stride);
        const uint64_t wanted = lies_across ? 1 : std::bit_ceil(divided_up(rows.columns, column_step));
        const auto across = static_cast<uint32_t>(std::min<uint64_t>(threads, wanted));
        const uint32_t short_y = blocks_y(rows.columns, across * column_step), long_y = blocks_y(rows.columns, threads);
        device_.launch(AddShortRows<T, S>{rows, static_cast<uint32_t>(std::countr_zero(across)), short_y},
                       divided_up(rows.n * across, threads), short_y);
        device_.launch(AddLongRows<T, S>{rows, long_y}, divided_up(rows.n, longest_short_rows), long_y);
    }
    [[nodiscard]] static uint32_t blocks_y(uint64_t columns, uint32_t of_block) {
        return static_cast<uint32_t>(std::min(most_blocks_y, divided_up(columns, of_block)));
    }

    const ScatterRequest& q_;
    Scattered what_;
    Device& device_;
    bool has_lines_;  // each line has its own index
    Places places_;
    FaultSearch search_{places_};
    size_t flags_, counts_ = 0, buffers_[2]{}, sort_ = 0, sort_bytes_ = 0;
    bool counts_beside_ = false;
    uint64_t group_ = 1;  // lines whose entries are sorted together
    std::byte* workspace_ = nullptr;
};

}  // namespace detail::gpu
RNG_END_NAMESPACE
