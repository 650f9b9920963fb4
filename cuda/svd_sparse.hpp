// A sparse matrix in the memory of a GPU: checked, then sorted by rows and by columns, for products and searches.
#pragma once

#include <string>
#include <utility>

#include "../src/svd/texts.hpp"
#include "svd_layout.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Device: as in svd_backend.hpp.
template <class T, class Device> class DeviceSparse {
  public:
    /// Throws Error (invalid_argument) if the arrays are not sound, as the CPU does. No index is used before all of
    /// them have been checked.
    DeviceSparse(const char* call, const MatrixDescription& a, const Layout& layout, std::byte* memory, Device& device)
        : call_(call),
          a_(a),
          layout_(layout),
          memory_(memory),
          device_(device),
          count_(a.sparse.value_count),
          by_rows_(side(layout.by_rows)),
          by_columns_(side(layout.by_columns)) {
        if (const std::string wrong = SparseTexts(a).sizes(a.rows); !wrong.empty()) refuse(call, wrong);
        auto* entries = at<Entry>(layout.entries);
        auto* other = at<Entry>(layout.sorted);
        a.sparse.index_bytes == 4 ? read<int32_t>(entries) : read<int64_t>(entries);
        // The second sort leaves the columns of each row in ascending order, which the first has made.
        const auto sort = [&](bool by_row) {
            sort_entries(device_, entries, other, at<uint32_t>(layout.counts), count_, by_row ? a.rows : a.cols,
                         by_row);
        };
        sort(false);
        write(entries, false);
        sort(true);
        require_none(count_, SecondEntry{entries}, [&](uint64_t k) {
            const Entry e = host_copy(entries + k);
            return SparseTexts(a_).twice(e.row, e.col);
        });
        write(entries, true);
    }

    [[nodiscard]] size_t size() const { return count_; }               ///< how many elements
    [[nodiscard]] const T* values() const { return by_rows_.values; }  ///< row by row
    /// The elements by rows, or those of the transpose.
    [[nodiscard]] const SparseSide<T>& rows_of(bool transposed) const { return transposed ? by_columns_ : by_rows_; }

    /// Returns row and column of element k of values().
    [[nodiscard]] std::pair<size_t, size_t> place(uint64_t k) const {
        size_t row = 0, end = a_.rows;  // the last row that begins at k or before it
        while (end - row > 1) {
            const size_t middle = row + (end - row) / 2;
            (host_copy(by_rows_.offsets + middle) <= k ? row : end) = middle;
        }
        return {row, host_copy(by_rows_.inner + k)};
    }

    /// out = A b, or A^H b; b and out have `plane` columns (and as many imaginary parts after them).
    void multiply(bool adjoint, const T* b, size_t plane, T* out) {
        const size_t parts = static_cast<size_t>(a_.real_parts()), rows = adjoint ? a_.cols : a_.rows;
        const size_t terms = (adjoint ? a_.rows : a_.cols) * parts, width = plane * parts;
        const Split split = sparse_split(rows, width, terms);
        run_product(device_, split,
                    SparseProduct<T>{rows_of(adjoint), b, out, rows, split.row_tiles, static_cast<uint32_t>(width),
                                     static_cast<uint32_t>(plane), split.log2_group, a_.is_complex, adjoint},
                    at<T>(layout_.nodes));
    }

  private:
    template <class V> [[nodiscard]] V* at(size_t offset) const { return reinterpret_cast<V*>(memory_ + offset); }
    [[nodiscard]] SparseSide<T> side(const Layout::Side& s) const {
        return {at<uint32_t>(s.offsets), at<uint32_t>(s.inner), at<T>(s.values)};
    }
    template <class V> [[nodiscard]] V host_copy(const V* from) const {
        V value;
        device_.to_host(&value, from, sizeof value);
        return value;
    }
    /// Launches a kernel with a thread for each of n.
    template <class K> void each(size_t n, const K& kernel) {
        if (n > 0) device_.launch(kernel, divided_up(n, K::threads), 1);
    }

    /// Throws Error with text(i) if a thing i of n is at fault.
    template <class Fault, class Text> void require_none(size_t n, const Fault& fault, const Text& text) {
        if (const auto first =
                first_fault(device_, fault, n, at<SearchResult>(layout_.found), at<SearchResult>(layout_.best)))
            refuse(call_, text(*first));
    }

    /// Checks the caller's arrays and makes entries of them.
    template <class Index> void read(Entry* entries) {
        const auto* const offsets = static_cast<const Index*>(a_.sparse.offsets);
        const auto* const indices = static_cast<const Index*>(a_.sparse.indices);
        require_none(a_.rows + 1, BadOffset<Index>{offsets, a_.rows, count_},
                     [&](uint64_t i) { return SparseTexts(a_).offset(i, host_copy(offsets + i)); });
        require_none(count_, BadIndex<Index>{indices, a_.cols},
                     [&](uint64_t k) { return SparseTexts(a_).index(k, host_copy(indices + k), a_.cols); });
        each(count_, MakeEntries<Index>{offsets, indices, entries, a_.rows, count_});
    }

    /// Writes one order of the elements.
    void write(const Entry* entries, bool by_row) {
        const Layout::Side& to = by_row ? layout_.by_rows : layout_.by_columns;
        const size_t outer = by_row ? a_.rows : a_.cols;
        each(outer + 1, WriteOffsets{entries, at<uint32_t>(to.offsets), outer, count_, by_row});
        with_element_type<T>(a_.type, [&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            each(count_, WriteElements<T, S>{entries, static_cast<const S*>(a_.sparse.values), at<uint32_t>(to.inner),
                                             at<T>(to.values), count_, by_row, a_.real_parts()});
        });
    }

    const char* call_;
    const MatrixDescription& a_;
    const Layout& layout_;
    std::byte* memory_;
    Device& device_;
    size_t count_;
    SparseSide<T> by_rows_, by_columns_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
