#include "arrays.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "bindings.hpp"

namespace python {
namespace {

using Code = nb::dlpack::dtype_code;

constexpr ElementType types[] = {{"bool", "bool", Code::Bool, 1},
                                 {"float16", "f16", Code::Float, 2},
                                 {"bfloat16", "bf16", Code::Bfloat, 2},
                                 {"float32", "f32", Code::Float, 4},
                                 {"float64", "f64", Code::Float, 8},
                                 {"complex64", "c64", Code::Complex, 8},
                                 {"complex128", "c128", Code::Complex, 16},
                                 {"int8", "i8", Code::Int, 1},
                                 {"int16", "i16", Code::Int, 2},
                                 {"int32", "i32", Code::Int, 4},
                                 {"int64", "i64", Code::Int, 8},
                                 {"uint8", "u8", Code::UInt, 1},
                                 {"uint16", "u16", Code::UInt, 2},
                                 {"uint32", "u32", Code::UInt, 4},
                                 {"uint64", "u64", Code::UInt, 8}};

template <class F> const ElementType* find_type(const F& is_wanted) {
    const auto* const found = std::ranges::find_if(types, is_wanted);
    return found == std::end(types) ? nullptr : found;
}

const ElementType* type_of_code(Code code, size_t bytes) {
    return find_type([&](const ElementType& type) { return type.code == code && type.bytes == bytes; });
}

/// The type of elements of a buffer's format ("f", "<i8", "Zd"); null if values cannot be of it.
const ElementType* type_of_format(std::string_view format, size_t bytes) {
    constexpr std::pair<Code, std::string_view> codes[] = {
        {Code::Float, "efd"}, {Code::Bool, "?"}, {Code::UInt, "BHILQN"}, {Code::Int, "bhilqn"}};
    const auto has_prefix = [&](std::string_view prefixes) { return prefixes.find(format[0]) != prefixes.npos; };
    if (format.size() > 1 && has_prefix("@=<")) format.remove_prefix(1);
    const bool is_complex = format.size() > 1 && has_prefix("Z");
    if (is_complex) format.remove_prefix(1);
    if (format.size() != 1) return nullptr;
    for (const auto& [code, letters] : codes)
        if (has_prefix(letters)) return type_of_code(is_complex ? Code::Complex : code, bytes);
    return nullptr;
}

const ElementType* type_of_dlpack(nb::dlpack::dtype type) {
    return type.lanes == 1 ? type_of_code(static_cast<Code>(type.code), type.bits / 8) : nullptr;
}

template <class... Parts> [[noreturn]] void refuse(const char* call, const char* name, const Parts&... why) {
    throw_type_error(call, ": ", name, " ", why...);
}

nb::object tensors() { return nb::module_::import_("librng._tensors"); }

}  // namespace

std::span<const ElementType> element_types() { return types; }

const ElementType* element_type_named(std::string_view name) {
    return find_type([&](const ElementType& type) { return type.name == name; });
}

bool is_tensor(nb::handle object) {
    const nb::handle torch = PyDict_GetItemString(PyImport_GetModuleDict(), "torch");
    const nb::object kind = torch.is_valid() ? nb::getattr(torch, "Tensor", nb::none()) : nb::none();
    return PyType_Check(kind.ptr()) != 0 && PyObject_IsInstance(object.ptr(), kind.ptr()) == 1;
}

void require_writable(nb::handle tensor, const char* call, const char* name) {
    (void)tensors().attr("plain")(tensor, call, name, true);
}

Writing::~Writing() {
    if (!tensor_.is_valid()) return;
    try {
        (void)tensors().attr("written")(tensor_);
    } catch (nb::python_error& error) {
        error.discard_as_unraisable("librng: a tensor's version");
    }
}

std::string type_of(nb::handle object) { return nb::cast<std::string>(object.type().attr("__qualname__")); }

bool is_on_gpu(nb::handle object) {
    if (PyObject_CheckBuffer(object.ptr())) {
        // CuPy's arrays have a type with buffers, which they refuse; memory of the host that GPUs reach has them.
        if (!nb::hasattr(object, "__cuda_array_interface__")) return false;
        Py_buffer view;
        if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_STRIDED_RO | PyBUF_FORMAT) == 0) {
            PyBuffer_Release(&view);
            return false;
        }
        PyErr_Clear();
    }
    if (nb::hasattr(object, "is_cuda")) {  // torch, whose __dlpack_device__ takes microseconds
        const nb::object answer = object.attr("is_cuda");
        if (answer.is(Py_True) || answer.is(Py_False)) return answer.is(Py_True);
    }
    if (nb::hasattr(object, "__dlpack_device__")) {
        const auto type = nb::cast<int>(nb::int_(object.attr("__dlpack_device__")()[0]));
        return type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
    }
    return nb::hasattr(object, "__cuda_array_interface__");
}

Array::Array(nb::handle object, const char* call, const char* name, Access access, Place place) {
    if (place == Place::gpu && nb::isinstance<nb::dict>(object))
        take_cuda_array(nb::borrow<nb::dict>(object), access, call, name);
    else if (place == Place::gpu)
        take_dlpack(object, access, call, name, place);
    else if (!take_buffer(object, access, call, name)) {
        if (is_tensor(object))
            take_tensor(object, access, call, name);
        else
            take_dlpack(object, access, call, name, place);
    }
    if (access == Access::write && place == Place::host && size() > 0 && !is_contiguous())
        require_places(call, name, item_bytes(), shape(), strides());
}

void Array::add_dimension(size_t length, ptrdiff_t stride) {
    if (dimensions_ == most_dimensions) throw nb::value_error("an array must have at most 64 dimensions");
    shape_[dimensions_] = length;
    strides_[dimensions_++] = stride;
}

bool Array::take_buffer(nb::handle object, Access access, const char* call, const char* name) {
    if (!PyObject_CheckBuffer(object.ptr())) return false;
    Py_buffer& view = buffer_.view;
    if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0) {
        PyErr_Clear();  // an element type that buffers do not have, such as bfloat16: DLPack may have it
        return false;
    }
    if (access == Access::write && view.readonly != 0) refuse(call, name, "is read-only");
    const char* const format = view.format == nullptr ? "B" : view.format;
    type_ = type_of_format(format, static_cast<size_t>(view.itemsize));
    if (type_ == nullptr) refuse(call, name, "has elements of a type without values: format '", format, "'");
    data_ = static_cast<std::byte*>(view.buf);
    for (int k = 0; k < view.ndim; ++k) {
        add_dimension(static_cast<size_t>(view.shape[k]), view.strides[k]);
    }
    return true;
}

void Array::take_tensor(nb::handle object, Access access, const char* call, const char* name) {
    const nb::object made = tensors().attr("memory")(object, call, name, access == Access::write);
    torch_tensor_ = made[0];
    data_ = reinterpret_cast<std::byte*>(nb::cast<uintptr_t>(made[1]));
    const auto type = nb::cast<std::string>(made[2]);
    type_ = element_type_named(type);
    if (type_ == nullptr) refuse(call, name, "has elements of a type without values: ", type);
    const nb::object shape = made[3], strides = made[4];
    for (size_t k = 0; k < nb::len(shape); ++k)
        add_dimension(nb::cast<size_t>(shape[k]),
                      nb::cast<ptrdiff_t>(strides[k]) * static_cast<ptrdiff_t>(item_bytes()));
}

void Array::take_dlpack(nb::handle object, Access access, const char* call, const char* name, Place place) {
    const auto take = [&](const auto& tensor) {
        const int type = tensor.device_type();
        const bool is_host = type == nb::device::cpu::value || type == nb::device::cuda_host::value,
                   is_gpu = type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
        if (place == Place::host ? !is_host : !is_gpu)
            refuse(call, name, "must be in the CPU's memory", place == Place::gpu ? " or that of a CUDA GPU" : "",
                   " (device type ", type, " of DLPack)");
        type_ = type_of_dlpack(tensor.dtype());
        if (type_ == nullptr) refuse(call, name, "has elements of a type without values");
        data_ = static_cast<std::byte*>(const_cast<void*>(tensor.data()));
        for (size_t k = 0; k < tensor.ndim(); ++k) {
            add_dimension(tensor.shape(k),
                          static_cast<ptrdiff_t>(tensor.stride(k)) * static_cast<ptrdiff_t>(item_bytes()));
        }
    };
    const bool has_dlpack = place == Place::gpu || nb::hasattr(object, "__dlpack__");
    if (access == Access::read) {
        if (has_dlpack && nb::try_cast(object, constant_tensor_)) return take(constant_tensor_);
    } else if (has_dlpack && nb::try_cast(object, tensor_)) {
        return take(tensor_);
    } else if (has_dlpack && nb::try_cast(object, constant_tensor_)) {
        refuse(call, name, "is read-only");
    }
    refuse(call, name, "must be ", access == Access::write ? "a writable" : "an",
           " array (NumPy, torch, anything with a buffer or __dlpack__), got ", type_of(object));
}

void Array::take_cuda_array(const nb::dict& entries, Access access, const char* call, const char* name) {
    const auto type = nb::cast<std::string>(entries["typestr"]);  // "<f4": byte order, kind, bytes
    constexpr std::string_view kinds = "iufcbV";                  // V is torch's bfloat16
    constexpr Code codes[] = {Code::Int, Code::UInt, Code::Float, Code::Complex, Code::Bool, Code::Bfloat};
    const size_t kind = type.size() < 3 || type[0] == '>' ? kinds.npos : kinds.find(type[1]);
    if (kind != kinds.npos) type_ = type_of_code(codes[kind], std::strtoul(type.c_str() + 2, nullptr, 10));
    if (type_ == nullptr) refuse(call, name, "has elements of a type without values: typestr '", type, "'");

    const auto optional = [&](const char* key) {
        return entries.contains(key) ? nb::object(entries[key]) : nb::none();
    };
    const nb::object data = entries["data"];
    if (access == Access::write && nb::cast<bool>(data[1])) refuse(call, name, "is read-only");
    if (!optional("mask").is_none()) refuse(call, name, "must have no mask");
    data_ = reinterpret_cast<std::byte*>(nb::cast<uintptr_t>(nb::int_(data[0])));
    const auto shape = nb::cast<std::vector<size_t>>(entries["shape"]);
    std::vector<ptrdiff_t> strides(shape.size());
    if (const nb::object given = optional("strides"); !given.is_none()) {
        strides = nb::cast<std::vector<ptrdiff_t>>(given);
        if (strides.size() != shape.size())
            throw_value_error(call, ": ", name, " must have ", shape.size(), " strides, got ", strides.size());
    } else {
        auto step = static_cast<ptrdiff_t>(item_bytes());
        for (size_t k = shape.size(); k-- > 0; step *= static_cast<ptrdiff_t>(shape[k])) strides[k] = step;
    }
    for (size_t k = 0; k < shape.size(); ++k) add_dimension(shape[k], strides[k]);
}

rng::device_matrix<void> Array::matrix(const char* call, const char* name, size_t value_bytes, size_t inner) const {
    const auto refuse_value = [&](const auto&... why) {
        throw_value_error(call, ": ", name, " in memory of a GPU must ", why...);
    };
    if (size() == 0) return rng::device_matrix<void>::row_major(data_, 1, 0);
    struct Dimension {
        size_t length = 1;
        ptrdiff_t stride = 0;  // in values
    };
    std::array<Dimension, 2> kept;  // the innermost first
    size_t count = 0;
    for (size_t k = dimensions_ - inner; k-- > 0;) {
        if (shape_[k] == 1) continue;
        if (strides_[k] == 0) refuse_value("have a place for each element, got a stride of 0");
        const ptrdiff_t unit = static_cast<ptrdiff_t>(value_bytes), stride = strides_[k] / unit;
        if (strides_[k] % unit != 0)
            refuse_value("have strides of whole values of ", unit, " bytes, got ", strides_[k]);
        if (count > 0 && stride == kept[count - 1].stride * static_cast<ptrdiff_t>(kept[count - 1].length)) {
            kept[count - 1].length *= shape_[k];
            continue;
        }
        if (count == kept.size())
            refuse_value("be rows and columns at any strides, got ", dimensions_ - inner, " dimensions that are none");
        kept[count++] = {shape_[k], stride};
    }
    return {data_, kept[1].length, kept[0].length, kept[1].stride, kept[0].stride};
}

void require_places(const char* call, const char* name, size_t item_bytes, std::span<const size_t> shape,
                    std::span<const ptrdiff_t> strides) {
    std::vector<std::pair<size_t, size_t>> dimensions;  // stride and length
    for (size_t k = 0; k < shape.size(); ++k) {
        if (shape[k] == 0) return;
        if (shape[k] > 1) dimensions.emplace_back(std::abs(strides[k]), shape[k]);
    }
    std::ranges::sort(dimensions);
    size_t extent = item_bytes;  // of the dimensions with smaller strides
    for (const auto& [stride, length] : dimensions) {
        if (stride < extent)
            throw_invalid_argument(call, ": ", name, " must have a place for each element, got a stride of ", stride,
                                   " bytes for elements that take ", extent);
        extent += stride * (length - 1);
    }
}

size_t Array::size() const {
    size_t n = 1;
    for (const size_t length : shape()) n *= length;
    return n;
}

bool Array::is_contiguous(size_t first) const {
    auto step = static_cast<ptrdiff_t>(item_bytes());
    for (size_t k = dimensions_; k-- > first;) {
        if (shape_[k] != 1 && strides_[k] != step) return false;
        step *= static_cast<ptrdiff_t>(shape_[k]);
    }
    return true;
}

bool Array::is_aligned() const {
    const auto item = static_cast<ptrdiff_t>(item_bytes());
    bool aligned = reinterpret_cast<uintptr_t>(data_) % item_bytes() == 0;
    for (const ptrdiff_t stride : strides()) aligned = aligned && stride % item == 0;
    return aligned;
}

std::vector<std::byte> Array::packed() const {
    std::vector<std::byte> bytes(size() * item_bytes());
    Places places(*this);
    for (size_t done = 0; done < bytes.size(); done += item_bytes())
        std::memcpy(bytes.data() + done, places.next(), item_bytes());
    return bytes;
}

}  // namespace python
