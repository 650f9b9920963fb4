// Arrays of other packages as memory: the buffer protocol (NumPy, array, memoryview) and DLPack (torch, JAX, CuPy).
// Arrays in memory of a GPU may also have __cuda_array_interface__ (CuPy, numba).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <rng/device.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace python {

namespace nb = nanobind;

/// True for a tensor of torch.
[[nodiscard]] bool is_tensor(nb::handle object);

/// Throws a TypeError if a tensor of torch is none that "call: name" can write (librng._tensors).
void require_writable(nb::handle tensor, const char* call, const char* name);

/// Tells autograd, at the end of its scope, that a tensor of torch may have been written. A gradient that needs the old
/// values then raises an error. A null handle stands for an array of another package.
class Writing {
  public:
    explicit Writing(nb::handle tensor) : tensor_(tensor) {}
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    ~Writing();

  private:
    nb::handle tensor_;
};

/// A type of elements that values can have.
struct ElementType {
    const char* name;   ///< "float32", as NumPy and torch name it
    const char* dtype;  ///< "f32", ...: the names of DistributionInfo::dtype, and bool
    nb::dlpack::dtype_code code;
    size_t bytes;
};
[[nodiscard]] std::span<const ElementType> element_types();
/// The type of a name such as "float32"; null if there is none.
[[nodiscard]] const ElementType* element_type_named(std::string_view name);

/// Throws a ValueError "call: name ..." if elements of an array share memory, or lie between others. Strides are in
/// bytes.
void require_places(const char* call, const char* name, size_t item_bytes, std::span<const size_t> shape,
                    std::span<const ptrdiff_t> strides);

/// True if the array says that it is in memory of a GPU.
[[nodiscard]] bool is_on_gpu(nb::handle object);

/// The memory of an array, held as long as this object lives.
class Array {
  public:
    enum class Access { read, write };
    enum class Place { host, gpu };

    /// Throws a TypeError that begins with "call: name" if the object is no array of numbers in this kind of memory.
    /// Throws it, too, if the array should be written and is read-only, and if a tensor of torch would lose a gradient.
    /// Throws a ValueError if the array should be written and elements share memory, or lie between others. An array in
    /// memory of a GPU comes as librng._cuda.described gives it: a capsule of DLPack, or a dict of
    /// __cuda_array_interface__.
    Array(nb::handle object, const char* call, const char* name, Access access = Access::read,
          Place place = Place::host);
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;

    [[nodiscard]] std::byte* data() const { return data_; }
    /// The tensor of torch that the memory belongs to, or a null handle.
    [[nodiscard]] nb::handle tensor() const { return torch_tensor_; }
    [[nodiscard]] std::string_view dtype() const { return type_->dtype; }
    [[nodiscard]] size_t item_bytes() const { return type_->bytes; }
    [[nodiscard]] std::span<const size_t> shape() const { return {shape_, dimensions_}; }
    /// In bytes.
    [[nodiscard]] std::span<const ptrdiff_t> strides() const { return {strides_, dimensions_}; }
    [[nodiscard]] size_t size() const;
    /// True if the last dimensions, from `first` on, lie without gaps in row-major order.
    [[nodiscard]] bool is_contiguous(size_t first = 0) const;
    /// True if every element lies at a multiple of its size, as arithmetic on it needs.
    [[nodiscard]] bool is_aligned() const;
    /// True if elements<T>() are the elements in row-major order.
    [[nodiscard]] bool is_direct() const { return is_contiguous() && is_aligned(); }
    template <class T> [[nodiscard]] std::span<T> elements() const { return {reinterpret_cast<T*>(data_), size()}; }
    /// The elements in row-major order, without gaps.
    [[nodiscard]] std::vector<std::byte> packed() const;

    /// Rows and columns of values of `value_bytes` bytes, with strides in values: the array without its last `inner`
    /// dimensions, which are a value. Neighbouring dimensions that lie one after the other are one. Throws a ValueError
    /// if more than two remain, or if values share memory or lie between others.
    [[nodiscard]] rng::device_matrix<void> matrix(const char* call, const char* name, size_t value_bytes,
                                                  size_t inner) const;

  private:
    void add_dimension(size_t length, ptrdiff_t stride);
    bool take_buffer(nb::handle object, Access access, const char* call, const char* name);
    void take_tensor(nb::handle object, Access access, const char* call, const char* name);
    void take_dlpack(nb::handle object, Access access, const char* call, const char* name, Place place);
    void take_cuda_array(const nb::dict& entries, Access access, const char* call, const char* name);

    /// A member of its own: it lets go of the buffer also if the constructor of Array throws.
    struct Buffer {
        Py_buffer view{};
        ~Buffer() {
            if (view.obj != nullptr) PyBuffer_Release(&view);
        }
    };
    Buffer buffer_;
    nb::object torch_tensor_;
    nb::ndarray<> tensor_;
    nb::ndarray<nb::ro> constant_tensor_;
    std::byte* data_ = nullptr;
    const ElementType* type_ = nullptr;
    static constexpr size_t most_dimensions = PyBUF_MAX_NDIM;
    size_t dimensions_ = 0;
    size_t shape_[most_dimensions];  // without memory of the heap, for calls with one value
    ptrdiff_t strides_[most_dimensions];
};

/// The name of an object's type, for messages.
[[nodiscard]] std::string type_of(nb::handle object);

/// The addresses of an array's elements in row-major order; or those of its innermost vectors, `inner` dimensions each.
class Places {
  public:
    explicit Places(const Array& array, size_t inner = 0)
        : array_(array), index_(array.shape().size() - inner), at_(array.data()) {}
    /// Returns the next address. Requires that there is one.
    std::byte* next() {
        std::byte* const here = at_;
        for (size_t k = index_.size(); k > 0; --k) {
            const ptrdiff_t stride = array_.strides()[k - 1];
            at_ += stride;
            if (++index_[k - 1] < array_.shape()[k - 1]) break;
            at_ -= static_cast<ptrdiff_t>(index_[k - 1]) * stride;
            index_[k - 1] = 0;
        }
        return here;
    }

  private:
    const Array& array_;
    std::vector<size_t> index_;
    std::byte* at_;
};

}  // namespace python
