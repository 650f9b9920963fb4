// A sparse matrix in the memory of a GPU: checked, then sorted by rows and by columns, for products and searches.
#pragma once

#include <string>
#include <utility>

#include "../src/svd/texts.hpp"
#include "svd_layout.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::svd {

/// Throws Error (invalid_argument) with text(i) for the first i of n items at fault, if there is one.
template <class T, class Device, class Fault, class Text>
void require_none(Work<T, Device>& work, const char* call, size_t n, const Fault& fault, const Text& text) {
    if (const auto first = first_fault(work.device, fault, n, work.found(), work.best())) refuse(call, text(*first));
}

/// Returns a copy of a value in the device's memory.
template <class V, class Device> [[nodiscard]] V host_copy(Device& device, const V* from) {
    V value;
    device.to_host(&value, from, sizeof value);
    return value;
}

/// Throws Error (invalid_argument) if the arrays are not valid, as the CPU does, but does not find an element that
/// occurs twice.
template <class Index, class T, class Device>
void check_arrays(Work<T, Device>& work, const char* call, const MatrixDescription& a) {
    const SparseTexts texts(a);
    if (const std::string wrong = texts.sizes(a.rows); !wrong.empty()) refuse(call, wrong);
    const size_t count = a.sparse.value_count;
    const auto* const offsets = static_cast<const Index*>(a.sparse.offsets);
    const auto* const indices = static_cast<const Index*>(a.sparse.indices);
    require_none(work, call, a.rows + 1, BadOffset<Index>{offsets, a.rows, count},
                 [&](uint64_t i) { return texts.offset(i, host_copy(work.device, offsets + i)); });
    require_none(work, call, count, BadIndex<Index>{indices, a.cols},
                 [&](uint64_t k) { return texts.index(k, host_copy(work.device, indices + k), a.cols); });
}

/// Device: as in svd_backend.hpp.
template <class T, class Device> class DeviceSparse {
  public:
    /// Throws Error (invalid_argument) if the arrays are not valid, as the CPU does. No index is used before all of
    /// them have been checked. The matrix is slab `slab` of the layout.
    DeviceSparse(const char* call, const MatrixDescription& a, size_t slab, Work<T, Device>& work)
        : a_(a),
          work_(work),
          count_(a.sparse.value_count),
          by_rows_(side(work.layout.sides[slab].by_rows)),
          by_columns_(side(work.layout.sides[slab].by_columns)) {
        auto* entries = work.template at<Entry>(work.layout.entries);
        auto* other = work.template at<Entry>(work.layout.sorted);
        a.sparse.index_bytes == 4 ? read<int32_t>(call, entries) : read<int64_t>(call, entries);
        // The second sort leaves the columns of each row in ascending order, which the first has made.
        const auto sort = [&](bool by_row) {
            sort_entries(work.device, entries, other, work.template at<uint32_t>(work.layout.counts), count_,
                         by_row ? a.rows : a.cols, by_row);
        };
        const Layout::Sides& sides = work.layout.sides[slab];
        sort(false);
        write(entries, sides.by_columns, false);
        sort(true);
        require_none(work, call, count_, SecondEntry{entries}, [&](uint64_t k) {
            const Entry e = host_copy(work.device, entries + k);
            return SparseTexts(a).twice(a.first_row + e.row, e.col);
        });
        write(entries, sides.by_rows, true);
    }

    [[nodiscard]] size_t size() const { return count_; }               ///< the number of elements
    [[nodiscard]] const T* values() const { return by_rows_.values; }  ///< row by row
    /// Returns the elements by rows, or those of the transpose.
    [[nodiscard]] const SparseSide<T>& rows_of(bool transposed) const { return transposed ? by_columns_ : by_rows_; }

    /// Returns row and column of element k of values().
    [[nodiscard]] std::pair<size_t, size_t> place(uint64_t k) const {
        size_t row = 0, end = a_.rows;  // the last row that begins at k or before it
        while (end - row > 1) {
            const size_t middle = row + (end - row) / 2;
            (host_copy(work_.device, by_rows_.offsets + middle) <= k ? row : end) = middle;
        }
        return {row, host_copy(work_.device, by_rows_.inner + k)};
    }

    /// Computes rows [first, first + rows) of A b, or of A^H b; b and out have `plane` columns (and as many imaginary
    /// parts after them).
    void multiply(bool adjoint, const T* b, size_t plane, size_t first, size_t rows, T* out) {
        const size_t parts = static_cast<size_t>(a_.real_parts()), width = plane * parts;
        const size_t terms = (adjoint ? a_.rows : a_.cols) * parts;
        const Split split = part_of(sparse_split(adjoint ? a_.cols : a_.rows, width, terms), rows, sparse_rows);
        SparseSide<T> side = rows_of(adjoint);
        side.offsets += first;
        run_product(work_.device, split,
                    SparseProduct<T>{side, b, out, rows, split.row_tiles, static_cast<uint32_t>(width),
                                     static_cast<uint32_t>(plane), split.log2_group, a_.is_complex, adjoint},
                    work_.template at<T>(work_.layout.nodes));
    }

  private:
    [[nodiscard]] SparseSide<T> side(const Layout::Side& s) const {
        return {work_.template at<uint32_t>(s.offsets), work_.template at<uint32_t>(s.inner),
                work_.template at<T>(s.values)};
    }

    /// Checks the caller's arrays and makes entries of them.
    template <class Index> void read(const char* call, Entry* entries) {
        check_arrays<Index>(work_, call, a_);
        work_.each(count_, MakeEntries<Index>{static_cast<const Index*>(a_.sparse.offsets),
                                              static_cast<const Index*>(a_.sparse.indices), entries, a_.rows, count_});
    }

    /// Writes one order of the elements.
    void write(const Entry* entries, const Layout::Side& to, bool by_row) {
        const size_t outer = by_row ? a_.rows : a_.cols;
        work_.each(outer + 1, WriteOffsets{entries, work_.template at<uint32_t>(to.offsets), outer, count_, by_row});
        with_element_type<T>(a_.type, [&](auto type) {
            using S = std::remove_cv_t<std::remove_pointer_t<decltype(type)>>;
            work_.each(count_, WriteElements<T, S>{entries, static_cast<const S*>(a_.sparse.values),
                                                   work_.template at<uint32_t>(to.inner),
                                                   work_.template at<T>(to.values), count_, by_row, a_.real_parts()});
        });
    }

    const MatrixDescription& a_;
    Work<T, Device>& work_;
    size_t count_;
    SparseSide<T> by_rows_, by_columns_;
};

}  // namespace detail::svd
RNG_END_NAMESPACE
