// Arrays of other packages as memory: the buffer protocol (NumPy, array, memoryview) and DLPack (torch, JAX, CuPy).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace python {

namespace nb = nanobind;

/// The memory of an array in the CPU's memory, held as long as this object lives.
class Array {
  public:
    enum class Access { read, write };

    /// Throws a TypeError that begins with "call: name" if the object is no array of numbers in host memory. Throws it,
    /// too, if the array should be written and is read-only.
    Array(nb::handle object, Access access, const char* call, const char* name);
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array();

    [[nodiscard]] std::byte* data() const { return data_; }
    /// "f32", "i64", "bool", ...: the names of DistributionInfo::dtype, and bool.
    [[nodiscard]] std::string_view dtype() const { return dtype_; }
    [[nodiscard]] size_t item_bytes() const { return item_bytes_; }
    [[nodiscard]] std::span<const size_t> shape() const { return {shape_, dimensions_}; }
    /// In bytes.
    [[nodiscard]] std::span<const ptrdiff_t> strides() const { return {strides_, dimensions_}; }
    [[nodiscard]] size_t size() const;
    /// True if the last dimensions, from `first` on, lie without gaps in row-major order.
    [[nodiscard]] bool is_contiguous(size_t first = 0) const;

  private:
    void add_dimension(size_t length, ptrdiff_t stride);
    bool take_buffer(nb::handle object, Access access, const char* call, const char* name);
    void take_dlpack(nb::handle object, Access access, const char* call, const char* name);

    std::optional<Py_buffer> buffer_;
    nb::ndarray<> tensor_;
    nb::ndarray<nb::ro> constant_tensor_;
    std::byte* data_ = nullptr;
    std::string_view dtype_;
    size_t item_bytes_ = 0;
    static constexpr size_t most_dimensions = PyBUF_MAX_NDIM;
    size_t dimensions_ = 0;
    size_t shape_[most_dimensions];  // without memory of the heap, for calls with one value
    ptrdiff_t strides_[most_dimensions];
};

/// The name of an object's type, for messages.
[[nodiscard]] std::string type_of(nb::handle object);

/// Calls f(address, first, count) for runs of elements without gaps that together are the array, in row-major order.
template <class F> void for_each_run(const Array& array, const F& f) {
    const size_t size = array.size(), dimensions = array.shape().size();
    if (size == 0) return;
    size_t inner = dimensions;  // dimensions from here on are one run
    while (inner > 0 && array.is_contiguous(inner - 1)) --inner;
    size_t run = 1;
    for (size_t k = inner; k < dimensions; ++k) run *= array.shape()[k];
    std::vector<size_t> index(inner);
    for (size_t first = 0; first < size; first += run) {
        ptrdiff_t offset = 0;
        for (size_t k = 0; k < inner; ++k) offset += static_cast<ptrdiff_t>(index[k]) * array.strides()[k];
        f(array.data() + offset, first, run);
        for (size_t k = inner; k > 0 && ++index[k - 1] == array.shape()[k - 1]; --k) index[k - 1] = 0;
    }
}

}  // namespace python
