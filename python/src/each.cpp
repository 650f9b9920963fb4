// fill_each, and the entries by which librng's Python code fills memory that it has checked: an address, a number of
// values and a type.
#include <rng/detail/each.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <rng/any_distribution.hpp>
#include <rng/fill.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "distributions.hpp"

namespace python {
namespace {

using rng::AnyStream;
using rng::Generator;
using rng::detail::EachNumbers;
using rng::detail::EachRequest;
using rng::detail::MaskRequest;
using rng::detail::MaskType;
using rng::detail::NumberType;
using rng::detail::StreamRecord;

/// Calls of so many bytes let other threads of Python run. Below, that costs more than it gains.
constexpr size_t least_released = 1 << 16;

template <class F> void released_for(size_t bytes, const F& f) {
    if (bytes < least_released) return f();
    const nb::gil_scoped_release released;
    f();
}

/// The stream's record from value `first` on. Throws Error if n values do not fit.
StreamRecord record_of(const char* call, const AnyStream& any, uint64_t first, size_t n, uint64_t slot) {
    StreamRecord record{};
    rng::visit_engine(any.engine(), [&]<class E>(rng::type_tag<E>) {
        record = rng::detail::record(rng::detail::at_slot(any.stream<E>(), first, n, slot, call));
    });
    return record;
}

/// The index of a law for elements of this type. Bools are bernoulli's own.
int index_of_law(const char* call, std::string_view law, std::string_view dtype) {
    const bool is_bool = dtype == "bool";
    if (is_bool && law != "bernoulli") throw_type_error(call, ": elements of bool take bernoulli alone, got ", law);
    const std::string_view numbers = is_bool ? "u8" : dtype;
    const auto all = rng::known_distributions();
    // The first row of each law, since a walk through all rows takes longer than a short fill.
    static const auto rows = [&] {
        std::unordered_map<std::string_view, size_t> first;
        for (size_t i = 0; i < all.size(); ++i) first.emplace(all[i].name, i);
        return first;
    }();
    const auto row = rows.find(law);
    for (size_t i = row == rows.end() ? all.size() : row->second; i < all.size() && all[i].name == law; ++i) {
        const std::string_view type(all[i].dtype);  // "f32", or "f32x3" of vectors
        if (type.substr(0, type.find('x')) == numbers) return static_cast<int>(i);
    }
    return rng::detail::index_of_law(law, numbers);  // throws
}

NumberType number_type(const char* call, std::string_view dtype) {
    if (dtype == "f32") return NumberType::f32;
    if (dtype == "f64") return NumberType::f64;
    if (dtype == "i64") return NumberType::i64;
    if (dtype == "u64") return NumberType::u64;
    throw_type_error(call, ": the type of a parameter must be f32, f64, i64 or u64, got ", dtype);
}

/// The numbers of a parameter as Python gives them: an address with a type and a step, or a number.
struct Numbers {
    EachNumbers numbers;
    union {
        double real;
        uint64_t integer;
    } one;

    void set(const char* call, nb::handle address, nb::handle dtype, nb::handle step) {
        numbers.type = number_type(call, nb::cast<const char*>(dtype));
        numbers.varies = nb::cast<int64_t>(step) != 0;
        numbers.on_host = false;
        numbers.data = reinterpret_cast<const void*>(nb::cast<uintptr_t>(address));
    }
    void set(const char* call, const char* name, nb::handle number) {
        const rng::Number value = number_of(number, call, name);
        numbers.type = !value.is_integer() ? NumberType::f64 : value.is_negative() ? NumberType::i64 : NumberType::u64;
        numbers.varies = false;
        numbers.on_host = true;
        if (value.is_integer())
            one.integer = value.integer();
        else
            one.real = value.real();
        numbers.data = &one;
    }
};

/// The parameters of a call: [(name, address, dtype, step) or (name, number), ...].
class Parameters {
  public:
    Parameters(const char* call, int law, nb::handle list) {
        count_ = nb::len(list);
        if (count_ > most) throw_type_error(call, ": at most ", most, " parameters, got ", count_);
        for (size_t k = 0; k < count_; ++k) {
            const nb::object row = list[k];
            const auto* const name = nb::cast<const char*>(row[0]);
            Numbers& numbers = own_[k];
            if (nb::len(row) == 2)
                numbers.set(call, name, nb::object(row[1]));
            else
                numbers.set(call, nb::object(row[1]), nb::object(row[2]), nb::object(row[3]));
            numbers.numbers.field = rng::detail::index_of_parameter(law, name);
            all_[k] = numbers.numbers;
        }
    }
    Parameters(const Parameters&) = delete;
    Parameters& operator=(const Parameters&) = delete;
    [[nodiscard]] std::span<const EachNumbers> get() const { return {all_, count_}; }

  private:
    static constexpr size_t most = 8;
    Numbers own_[most];
    EachNumbers all_[most];
    size_t count_ = 0;
};

void* memory_at(uintptr_t address) { return reinterpret_cast<void*>(address); }

/// Calls f(record, null) for a stream, or f({}, generator), while other threads of Python run: a launch waits if the
/// queue of launches is full.
template <class F>
void on_gpu(const char* call, nb::handle source, uint64_t first, size_t n, uint64_t slot, const F& f) {
    if (nb::isinstance<Generator>(source)) {
        auto& generator = nb::cast<Generator&>(source);
        const nb::gil_scoped_release released;
        return f(StreamRecord{}, &generator);
    }
    const StreamRecord record = record_of(call, nb::cast<const AnyStream&>(source), first, n, slot);
    const nb::gil_scoped_release released;
    f(record, nullptr);
}

void fill_at(const char* call, uintptr_t address, size_t n, const char* dtype, Distribution& dist, nb::handle source,
             int device, uintptr_t cuda_stream) {
    named(call, [&] {
        const rng::AnyDistribution& law =
            dist.of_type(call, dist.parts() == 1 ? std::string(dtype) : concat(dtype, "x", dist.parts()));
        if (device < 0) {
            const auto& stream = nb::cast<const AnyStream&>(source);
            released_for(n * law.info().value_bytes, [&] { law.fill(memory_at(address), n, stream); });
            return;
        }
        const auto out = rng::device_matrix<void>::row_major(memory_at(address), 1, n);
        const auto to = reinterpret_cast<rng::cuda_stream>(cuda_stream);
        if (nb::isinstance<Generator>(source)) {
            auto& generator = nb::cast<Generator&>(source);
            const nb::gil_scoped_release released;  // a launch waits if the queue of launches is full
            law.fill(out, generator, to);
        } else {
            const auto& stream = nb::cast<const AnyStream&>(source);
            const nb::gil_scoped_release released;
            law.fill(out, stream, 0, to);
        }
    });
}

void fill_each_at(const char* call, uintptr_t address, size_t n, const char* dtype, const char* law, nb::handle list,
                  nb::handle source, int device, uintptr_t cuda_stream) {
    named(call, [&] {
        const int index = index_of_law(call, law, dtype);
        const rng::DistributionInfo& info = rng::known_distributions()[static_cast<size_t>(index)];
        const Parameters parameters(call, index, list);
        const auto slot = static_cast<uint64_t>(info.slot_words);
        if (device >= 0) {
            on_gpu(call, source, 0, n, slot, [&](const StreamRecord& record, Generator* generator) {
                rng::detail::submit_each({call, index, parameters.get(), record}, memory_at(address), n,
                                         reinterpret_cast<rng::cuda_stream>(cuda_stream), generator);
            });
            return;
        }
        const StreamRecord record = record_of(call, nb::cast<const AnyStream&>(source), 0, n, slot);
        const EachRequest request{call, index, parameters.get(), record};
        released_for(n * info.value_bytes, [&] {
            rng::detail::require_each(request, n);
            rng::detail::write_each_values(request, 0, memory_at(address), n);
        });
    });
}

/// The type of a mask's products, and the bits of its 1.
void set_type(MaskRequest& request, std::string_view dtype) {
    const auto set = [&](MaskType type, size_t bytes, uint64_t one) {
        request.type = type;
        request.bytes = bytes;
        request.one = one;
    };
    if (dtype == "f16") return set(MaskType::f16, 2, 0x3c00);
    if (dtype == "bf16") return set(MaskType::bf16, 2, 0x3f80);
    if (dtype == "f32") return set(MaskType::f32, 4, 0x3f800000);
    if (dtype == "f64") return set(MaskType::f64, 8, 0x3ff0000000000000);
    for (const ElementType& type : element_types())
        if (dtype == type.dtype && type.code != nb::dlpack::dtype_code::Complex)
            return set(MaskType::pattern, type.bytes, 1);
    throw_type_error(request.call, ": dtype must be of real numbers, got ", dtype);
}

void mask_at(const char* call, uintptr_t x, uintptr_t out, uintptr_t mask, size_t n, const char* dtype, nb::handle p,
             double scale, nb::handle source, int device, uintptr_t cuda_stream) {
    named(call, [&] {
        Numbers numbers{};
        if (nb::isinstance<nb::tuple>(p))
            numbers.set(call, nb::object(p[0]), nb::object(p[1]), nb::object(p[2]));
        else
            numbers.set(call, "p", p);
        MaskRequest request{};
        request.call = call;
        request.p = numbers.numbers;
        request.x = memory_at(x);
        request.out = memory_at(out);
        request.mask = static_cast<uint8_t*>(memory_at(mask));
        request.scale = scale;
        set_type(request, dtype);
        if (x != 0 && request.type == MaskType::pattern)
            throw_type_error(call, ": dtype of x must be f16, bf16, f32 or f64, got ", dtype);
        if (device >= 0) {
            on_gpu(call, source, 0, n, 1, [&](const StreamRecord& record, Generator* generator) {
                request.stream = record;
                rng::detail::submit_mask(request, n, reinterpret_cast<rng::cuda_stream>(cuda_stream), generator);
            });
            return;
        }
        request.stream = record_of(call, nb::cast<const AnyStream&>(source), 0, n, 1);
        released_for(n * request.bytes, [&] {
            rng::detail::require_mask(request, n);
            rng::detail::write_mask(request, n);
        });
    });
}

/// The array of a call's values, with the law that they have.
struct Destination {
    Array out;
    int index;
    const rng::DistributionInfo& info;
    size_t parts, n;

    Destination(const char* call, nb::handle array, std::string_view law, Array::Place place)
        : out(array, call, "out", Array::Access::write, place),
          index(index_of_law(call, law, out.dtype())),
          info(rng::known_distributions()[static_cast<size_t>(index)]),
          parts(info.value_bytes / out.item_bytes()),
          n(out.size() / parts) {
        if (parts > 1 &&
            (out.shape().empty() || out.shape().back() != parts || !out.is_contiguous(out.shape().size() - 1)))
            throw_value_error(call, ": out must have a last dimension of ", parts, " without gaps for ", law);
    }
    /// The shape of the values.
    [[nodiscard]] std::span<const size_t> shape() const {
        return out.shape().subspan(0, out.shape().size() - (parts > 1 ? 1 : 0));
    }
    [[nodiscard]] size_t value_bytes() const { return info.value_bytes; }
};

std::string text_of(std::span<const size_t> shape) {
    std::string text;
    for (const size_t length : shape) text += concat(text.empty() ? "" : ", ", length);
    return concat("(", text, shape.size() == 1 ? ",)" : ")");
}

/// An array of a parameter's numbers, in the shape of the values.
class ParameterArray {
  public:
    ParameterArray(const char* call, const char* name, nb::handle object, const Destination& to, Array::Place place)
        : array_(object, call, name, Array::Access::read, place) {
        const std::string_view dtype = array_.dtype();
        if (dtype == "bool" || dtype == "c64" || dtype == "c128")
            throw_type_error(call, ": ", name, " must be of real numbers, got ", dtype);
        const auto shape = to.shape();
        const auto own = array_.shape();
        bool fits = own.size() <= shape.size();
        for (size_t k = 1; fits && k <= own.size(); ++k)
            fits = own[own.size() - k] == 1 || own[own.size() - k] == shape[shape.size() - k];
        if (!fits)
            throw_value_error(call, ": ", name, " must broadcast to ", text_of(shape),
                              ", the shape of the values, got ", text_of(own));
        numbers_.varies = to.n != 1 && array_.size() != 1;
        numbers_.on_host = false;
        numbers_.type = dtype == "f32"                                        ? NumberType::f32
                        : dtype == "f64" || dtype == "f16" || dtype == "bf16" ? NumberType::f64
                        : dtype == "u64"                                      ? NumberType::u64
                                                                              : NumberType::i64;
        numbers_.data = array_.data();
        const bool is_native = dtype == "f32" || dtype == "f64" || dtype == "i64" || dtype == "u64";
        const bool is_direct = is_native && array_.is_direct() && (array_.size() == to.n || array_.size() == 1);
        if (place == Array::Place::gpu) {
            if (!is_direct)
                throw_value_error(call, ": ", name, " in memory of a GPU must be contiguous, of float32, float64, ",
                                  "int64 or uint64, and of the shape of the values ", text_of(shape), ", got ", dtype,
                                  " of shape ", text_of(own));
        } else if (!is_direct || shares_memory_with(to.out)) {
            pack(shape, to.n);
        }
    }
    [[nodiscard]] EachNumbers numbers(int field) const {
        EachNumbers made = numbers_;
        made.field = field;
        return made;
    }

  private:
    /// True if numbers may be overwritten before they are read: those of other values than the ones that are written.
    [[nodiscard]] bool shares_memory_with(const Array& out) const {
        const auto ends = [](const Array& array) {
            const std::byte *low = array.data(), *high = low + array.item_bytes();
            for (size_t k = 0; k < array.shape().size(); ++k) {
                const ptrdiff_t reach =
                    array.strides()[k] * (static_cast<ptrdiff_t>(std::max<size_t>(array.shape()[k], 1)) - 1);
                (reach < 0 ? low : high) += reach;
            }
            return std::pair(low, high);
        };
        const auto [low, high] = ends(out);
        const auto [own_low, own_high] = ends(array_);
        return std::less<>()(low, own_high) && std::less<>()(own_low, high);
    }

    /// Copies the numbers, one for each value, as one of the types that fills read.
    void pack(std::span<const size_t> shape, size_t n) {
        if (array_.size() == 1 || n == 0) {
            packed_.resize(1);
            if (array_.size() > 0) copy(array_.data(), 0);
        } else {
            packed_.resize(n);
            // Strides of 0 where the array is broadcast.
            std::vector<ptrdiff_t> steps(shape.size(), 0);
            const auto own = array_.shape();
            for (size_t k = 1; k <= own.size(); ++k)
                if (own[own.size() - k] != 1) steps[shape.size() - k] = array_.strides()[own.size() - k];
            std::vector<size_t> index(shape.size(), 0);
            const std::byte* at = array_.data();
            for (size_t i = 0; i < n; ++i) {
                copy(at, i);
                for (size_t k = shape.size(); k > 0; --k) {
                    at += steps[k - 1];
                    if (++index[k - 1] < shape[k - 1]) break;
                    at -= static_cast<ptrdiff_t>(index[k - 1]) * steps[k - 1];
                    index[k - 1] = 0;
                }
            }
        }
        if (numbers_.type == NumberType::f32) numbers_.type = NumberType::f64;
        numbers_.data = packed_.data();
    }
    void copy(const std::byte* from, size_t i) {
        rng::visit_dtype(array_.dtype(), [&]<class T>(rng::type_tag<T>) {
            if constexpr (std::is_arithmetic_v<T> || rng::detail::is_half<T>) {
                T number;
                std::memcpy(&number, from, sizeof number);
                if constexpr (!std::is_integral_v<T>) {
                    const auto real = static_cast<double>(number);
                    std::memcpy(&packed_[i], &real, sizeof real);
                } else {
                    packed_[i] = static_cast<uint64_t>(number);  // an int64_t too
                }
            }
        });
    }

    Array array_;
    EachNumbers numbers_{};
    std::vector<uint64_t> packed_;  // the bits of numbers of 8 bytes
};

/// The parameters of fill_each: numbers, or arrays that broadcast.
class EachParameters {
  public:
    EachParameters(const char* call, const nb::dict& given, const Destination& to, Array::Place place,
                   nb::handle stream = nb::none()) {
        for (const auto& [key, value] : given) {
            const auto name = nb::cast<std::string>(key);
            const int field = rng::detail::index_of_parameter(to.index, name);
            if (is_array(value)) {
                nb::object array = nb::borrow(value);
                if (place == Array::Place::gpu) {
                    if (!is_on_gpu(value))
                        throw_type_error(call, ": ", name, " must be a number, or an array in memory of out's GPU");
                    array = nb::module_::import_("librng._cuda").attr("described")(value, stream)[0];
                }
                all_.push_back(arrays_.emplace_back(call, name.c_str(), array, to, place).numbers(field));
            } else {
                Numbers& one = ones_.emplace_back();
                one.set(call, name.c_str(), value);
                one.numbers.field = field;
                constants_.push_back(all_.emplace_back(one.numbers));
            }
        }
    }
    [[nodiscard]] std::span<const EachNumbers> all() const { return all_; }
    [[nodiscard]] std::span<const EachNumbers> constants() const { return constants_; }

  private:
    static bool is_array(nb::handle object) {
        if (PyLong_Check(object.ptr()) || PyFloat_Check(object.ptr())) return false;  // numpy.float64 too
        if (nb::hasattr(object, "shape")) return nb::len(nb::object(object.attr("shape"))) > 0;
        return PyObject_CheckBuffer(object.ptr()) || nb::hasattr(object, "__dlpack__") ||
               nb::hasattr(object, "__cuda_array_interface__");
    }

    std::list<ParameterArray> arrays_;
    std::list<Numbers> ones_;
    std::vector<EachNumbers> all_, constants_;
};

/// Writes all values, and lets other threads of Python run, and Ctrl-C end the call, if there are many.
void write_values(const EachRequest& request, const Destination& to) {
    constexpr size_t chunk_bytes = size_t{4} << 20;
    const size_t bytes = to.value_bytes(), most = std::max<size_t>(1, chunk_bytes / bytes);
    const bool is_direct = to.out.is_direct();
    std::vector<std::max_align_t> buffer(
        is_direct ? 0 : (std::min(to.n, most) * bytes + sizeof(std::max_align_t) - 1) / sizeof(std::max_align_t));
    Places places(to.out, to.parts > 1 ? 1 : 0);
    const Writing writing(to.out.tensor());
    for (size_t done = 0; done < to.n;) {
        const size_t now = std::min(most, to.n - done);
        auto* const values = is_direct ? to.out.data() + done * bytes : reinterpret_cast<std::byte*>(buffer.data());
        released_for(now * bytes, [&] { rng::detail::write_each_values(request, done, values, now); });
        if (!is_direct)
            for (size_t i = 0; i < now; ++i) std::memcpy(places.next(), values + i * bytes, bytes);
        done += now;
        if (done < to.n && PyErr_CheckSignals() != 0) nb::raise_python_error();
    }
}

void fill_each_on_gpu(const char* call, nb::handle out, const char* law, nb::handle source, uint64_t first,
                      nb::handle stream, const nb::dict& given) {
    const nb::handle tensor = is_tensor(out) ? out : nb::handle();
    if (tensor.is_valid()) require_writable(tensor, call, "out");
    const nb::object made = nb::module_::import_("librng._cuda").attr("described")(out, stream);
    const Destination to(call, nb::object(made[0]), law, Array::Place::gpu);
    if (!to.out.is_direct()) throw_value_error(call, ": out in memory of a GPU must be contiguous");
    const EachParameters parameters(call, given, to, Array::Place::gpu, nb::object(made[1]));
    rng::detail::require_each({call, to.index, parameters.constants(), {}}, 0);
    const auto cuda_stream = reinterpret_cast<rng::cuda_stream>(nb::cast<uintptr_t>(nb::int_(made[1])));
    const Writing writing(tensor);
    on_gpu(call, source, first, to.n, static_cast<uint64_t>(to.info.slot_words),
           [&](const StreamRecord& record, Generator* generator) {
               rng::detail::submit_each({call, to.index, parameters.all(), record}, to.out.data(), to.n, cuda_stream,
                                        generator);
           });
}

nb::object fill_each(nb::object out, const char* law, nb::handle source, nb::handle first, nb::handle stream,
                     const nb::dict& given) {
    constexpr const char* call = "fill_each";
    return named(call, [&] {
        const bool from_stream = nb::isinstance<AnyStream>(source);
        if (!from_stream && !nb::isinstance<Generator>(source))
            throw_type_error(call, ": the source must be a Generator or a Stream, got ", type_of(source));
        const uint64_t begin = integer_of(first, call, "first");
        if (!from_stream && begin != 0)
            throw_value_error(call, ": first is for a Stream; a Generator gives its next values");
        if (is_on_gpu(out)) {
            fill_each_on_gpu(call, out, law, source, begin, stream, given);
            return out;
        }
        if (!stream.is_none()) throw_value_error(call, ": stream is for memory of a GPU; out is in the CPU's memory");
        const Destination to(call, out, law, Array::Place::host);
        const EachParameters parameters(call, given, to, Array::Place::host);
        const auto slot = static_cast<uint64_t>(to.info.slot_words);
        EachRequest request{call, to.index, parameters.all(), {}};
        if (from_stream) request.stream = record_of(call, nb::cast<const AnyStream&>(source), begin, to.n, slot);
        released_for(to.n * to.value_bytes(), [&] { rng::detail::require_each(request, to.n); });
        if (!from_stream) {
            auto& generator = nb::cast<Generator&>(source);
            rng::detail::require_cpu(law, generator.device(), call);
            if (to.n > 0) request.stream = generator.claim(call, to.n, slot);
        }
        write_values(request, to);
        return out;
    });
}

}  // namespace

void bind_each(nb::module_& m) {
    m.def("fill_each", fill_each, any_arg("out"), "law"_a, any_arg("source"), any_arg("first"), any_arg("stream"),
          "parameters"_a);
    m.def("fill_at", fill_at, "call"_a, "address"_a, "n"_a, "dtype"_a, "dist"_a, "stream"_a, "device"_a = -1,
          "cuda_stream"_a = 0);
    m.def("fill_each_at", fill_each_at, "call"_a, "address"_a, "n"_a, "dtype"_a, "law"_a, "parameters"_a, "stream"_a,
          "device"_a = -1, "cuda_stream"_a = 0);
    m.def("mask_at", mask_at, "call"_a, "x"_a, "out"_a, "mask"_a, "n"_a, "dtype"_a, "p"_a, "scale"_a, "stream"_a,
          "device"_a = -1, "cuda_stream"_a = 0);
}

}  // namespace python
