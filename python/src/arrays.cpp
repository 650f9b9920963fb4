#include "arrays.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

namespace python {
namespace {

struct Element {
    std::string_view dtype;
    size_t bytes;
};

/// The type of elements of a buffer's format ("f", "<i8", "Zd"); none if values cannot be of it.
std::optional<Element> element_of_format(std::string_view format, size_t bytes) {
    if (!format.empty() && (format[0] == '@' || format[0] == '=' || format[0] == '<')) format.remove_prefix(1);
    constexpr std::array<std::string_view, 4> naturals{"u8", "u16", "u32", "u64"}, integers{"i8", "i16", "i32", "i64"};
    const size_t power = bytes == 1 ? 0 : bytes == 2 ? 1 : bytes == 4 ? 2 : bytes == 8 ? 3 : 4;
    if (format == "e") return Element{"f16", 2};
    if (format == "f") return Element{"f32", 4};
    if (format == "d") return Element{"f64", 8};
    if (format == "Zf") return Element{"c64", 8};
    if (format == "Zd") return Element{"c128", 16};
    if (format == "?") return Element{"bool", 1};
    if (format.size() != 1 || power > 3) return std::nullopt;
    if (std::string_view("BHILQN").find(format[0]) != std::string_view::npos) return Element{naturals[power], bytes};
    if (std::string_view("bhilqn").find(format[0]) != std::string_view::npos) return Element{integers[power], bytes};
    return std::nullopt;
}

std::optional<Element> element_of_dlpack(nb::dlpack::dtype type) {
    using Code = nb::dlpack::dtype_code;
    if (type.lanes != 1) return std::nullopt;
    const size_t bytes = type.bits / 8;
    switch (static_cast<Code>(type.code)) {
        case Code::Float:
            return bytes == 2   ? std::optional(Element{"f16", 2})
                   : bytes == 4 ? std::optional(Element{"f32", 4})
                   : bytes == 8 ? std::optional(Element{"f64", 8})
                                : std::nullopt;
        case Code::Bfloat: return bytes == 2 ? std::optional(Element{"bf16", 2}) : std::nullopt;
        case Code::Complex:
            return bytes == 8    ? std::optional(Element{"c64", 8})
                   : bytes == 16 ? std::optional(Element{"c128", 16})
                                 : std::nullopt;
        case Code::Bool: return Element{"bool", 1};
        case Code::Int: return element_of_format("q", bytes);
        case Code::UInt: return element_of_format("Q", bytes);
        default: return std::nullopt;
    }
}

[[noreturn]] void refuse(const char* call, const char* name, const std::string& why) {
    throw nb::type_error((std::string(call) + ": " + name + " " + why).c_str());
}

constexpr std::array<std::array<std::string_view, 2>, 14> type_names{{{"float16", "f16"},
                                                                      {"bfloat16", "bf16"},
                                                                      {"float32", "f32"},
                                                                      {"float64", "f64"},
                                                                      {"complex64", "c64"},
                                                                      {"complex128", "c128"},
                                                                      {"int8", "i8"},
                                                                      {"int16", "i16"},
                                                                      {"int32", "i32"},
                                                                      {"int64", "i64"},
                                                                      {"uint8", "u8"},
                                                                      {"uint16", "u16"},
                                                                      {"uint32", "u32"},
                                                                      {"uint64", "u64"}}};

nb::object tensors() { return nb::module_::import_("librng._tensors"); }

}  // namespace

std::string_view dtype_of_name(std::string_view name) {
    if (name == "bool") return "bool";
    for (const auto& [long_name, short_name] : type_names)
        if (name == long_name) return short_name;
    return "";
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

Array::Array(nb::handle object, Access access, const char* call, const char* name, Place place) {
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
    if (access == Access::write && place == Place::host) require_places(call, name);
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
    const auto element =
        element_of_format(view.format == nullptr ? "B" : view.format, static_cast<size_t>(view.itemsize));
    if (!element)
        refuse(call, name,
               std::string("has elements of a type without values: format '") +
                   (view.format == nullptr ? "B" : view.format) + "'");
    data_ = static_cast<std::byte*>(view.buf);
    dtype_ = element->dtype;
    item_bytes_ = element->bytes;
    for (int k = 0; k < view.ndim; ++k) {
        add_dimension(static_cast<size_t>(view.shape[k]), view.strides[k]);
    }
    return true;
}

void Array::take_tensor(nb::handle object, Access access, const char* call, const char* name) {
    const nb::object made = tensors().attr("memory")(object, call, name, access == Access::write);
    torch_tensor_ = made[0];
    data_ = reinterpret_cast<std::byte*>(nb::cast<uintptr_t>(nb::object(made[1])));
    dtype_ = dtype_of_name(nb::cast<std::string>(nb::object(made[2])));
    if (dtype_.empty())
        refuse(call, name, "has elements of a type without values: " + nb::cast<std::string>(nb::object(made[2])));
    item_bytes_ = nb::cast<size_t>(nb::object(made[3]));
    const nb::object shape = made[4], strides = made[5];
    for (size_t k = 0; k < nb::len(shape); ++k) {
        add_dimension(nb::cast<size_t>(nb::object(shape[k])),
                      nb::cast<ptrdiff_t>(nb::object(strides[k])) * static_cast<ptrdiff_t>(item_bytes_));
    }
}

void Array::take_dlpack(nb::handle object, Access access, const char* call, const char* name, Place place) {
    const auto take = [&](const auto& tensor) {
        const int type = tensor.device_type();
        const bool is_host = type == nb::device::cpu::value || type == nb::device::cuda_host::value,
                   is_gpu = type == nb::device::cuda::value || type == nb::device::cuda_managed::value;
        if (place == Place::host ? !is_host : !is_gpu)
            refuse(call, name,
                   std::string("must be in the CPU's memory") + (place == Place::gpu ? " or that of a CUDA GPU" : "") +
                       " (device type " + std::to_string(type) + " of DLPack)");
        const auto element = element_of_dlpack(tensor.dtype());
        if (!element) refuse(call, name, "has elements of a type without values");
        data_ = static_cast<std::byte*>(const_cast<void*>(tensor.data()));
        dtype_ = element->dtype;
        item_bytes_ = element->bytes;
        for (size_t k = 0; k < tensor.ndim(); ++k) {
            add_dimension(tensor.shape(k),
                          static_cast<ptrdiff_t>(tensor.stride(k)) * static_cast<ptrdiff_t>(item_bytes_));
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
    refuse(call, name,
           std::string("must be ") + (access == Access::write ? "a writable" : "an") +
               " array (NumPy, torch, anything with a buffer or __dlpack__), got " + type_of(object));
}

void Array::take_cuda_array(const nb::dict& entries, Access access, const char* call, const char* name) {
    const auto type = nb::cast<std::string>(entries["typestr"]);  // "<f4": byte order, kind, bytes
    constexpr std::string_view kinds = "iufcbV";                  // V is torch's bfloat16
    constexpr std::array codes{nb::dlpack::dtype_code::Int,   nb::dlpack::dtype_code::UInt,
                               nb::dlpack::dtype_code::Float, nb::dlpack::dtype_code::Complex,
                               nb::dlpack::dtype_code::Bool,  nb::dlpack::dtype_code::Bfloat};
    const size_t kind = type.size() < 3 || type[0] == '>' ? kinds.npos : kinds.find(type[1]);
    const size_t bytes = kind == kinds.npos ? 0 : std::strtoul(type.c_str() + 2, nullptr, 10);
    std::optional<Element> element;
    if (bytes >= 1 && bytes <= 16)
        element = element_of_dlpack({static_cast<uint8_t>(codes[kind]), static_cast<uint8_t>(8 * bytes), 1});
    if (!element) refuse(call, name, "has elements of a type without values: typestr '" + type + "'");
    dtype_ = element->dtype;
    item_bytes_ = element->bytes;

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
            throw nb::value_error((std::string(call) + ": " + name + " must have " + std::to_string(shape.size()) +
                                   " strides, got " + std::to_string(strides.size()))
                                      .c_str());
    } else {
        auto step = static_cast<ptrdiff_t>(item_bytes_);
        for (size_t k = shape.size(); k-- > 0; step *= static_cast<ptrdiff_t>(shape[k])) strides[k] = step;
    }
    for (size_t k = 0; k < shape.size(); ++k) add_dimension(shape[k], strides[k]);
}

rng::device_matrix<void> Array::matrix(const char* call, const char* name, size_t value_bytes, size_t inner) const {
    const auto refuse_value = [&](const std::string& why) {
        throw nb::value_error((std::string(call) + ": " + name + " in memory of a GPU must " + why).c_str());
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
            refuse_value("have strides of whole values of " + std::to_string(unit) + " bytes, got " +
                         std::to_string(strides_[k]));
        if (count > 0 && stride == kept[count - 1].stride * static_cast<ptrdiff_t>(kept[count - 1].length)) {
            kept[count - 1].length *= shape_[k];
            continue;
        }
        if (count == kept.size())
            refuse_value("be rows and columns at any strides, got " + std::to_string(dimensions_ - inner) +
                         " dimensions that are none");
        kept[count++] = {shape_[k], stride};
    }
    return {data_, kept[1].length, kept[0].length, kept[1].stride, kept[0].stride};
}

void Array::require_places(const char* call, const char* name) const {
    if (size() == 0 || is_contiguous()) return;
    const auto refuse_stride = [&](const std::string& got) {
        throw nb::value_error(
            (std::string(call) + ": " + name + " must have a place for each element, got a stride of " + got).c_str());
    };
    struct Dimension {
        size_t stride, length;
    };
    std::vector<Dimension> dimensions;
    for (size_t k = 0; k < dimensions_; ++k)
        if (shape_[k] > 1) dimensions.push_back({static_cast<size_t>(std::abs(strides_[k])), shape_[k]});
    std::sort(dimensions.begin(), dimensions.end(),
              [](const Dimension& a, const Dimension& b) { return a.stride < b.stride; });
    size_t extent = item_bytes_;  // of the dimensions with smaller strides
    for (const auto& [stride, length] : dimensions) {
        if (stride == 0) refuse_stride("0");
        if (stride < extent)
            refuse_stride(std::to_string(stride) + " bytes for elements that take " + std::to_string(extent));
        extent += stride * (length - 1);
    }
}

size_t Array::size() const {
    size_t n = 1;
    for (const size_t length : shape()) n *= length;
    return n;
}

bool Array::is_contiguous(size_t first) const {
    auto step = static_cast<ptrdiff_t>(item_bytes_);
    for (size_t k = dimensions_; k-- > first;) {
        if (shape_[k] != 1 && strides_[k] != step) return false;
        step *= static_cast<ptrdiff_t>(shape_[k]);
    }
    return true;
}

bool Array::is_aligned() const {
    const auto item = static_cast<ptrdiff_t>(item_bytes_);
    bool aligned = reinterpret_cast<uintptr_t>(data_) % item_bytes_ == 0;
    for (const ptrdiff_t stride : strides()) aligned = aligned && stride % item == 0;
    return aligned;
}

}  // namespace python
