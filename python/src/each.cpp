// fill_each, and the entries by which librng's Python code fills memory that it has checked: an address, a number of
// values and a type.
#include <rng/detail/each.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <rng/any_distribution.hpp>
#include <rng/fill.hpp>

#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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
    for (size_t i = 0; i < all.size(); ++i) {
        if (all[i].name != law) continue;
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
template <class F> void on_gpu(const char* call, nb::handle source, size_t n, uint64_t slot, const F& f) {
    if (nb::isinstance<Generator>(source)) {
        auto& generator = nb::cast<Generator&>(source);
        const nb::gil_scoped_release released;
        return f(StreamRecord{}, &generator);
    }
    const StreamRecord record = record_of(call, nb::cast<const AnyStream&>(source), 0, n, slot);
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
            on_gpu(call, source, n, slot, [&](const StreamRecord& record, Generator* generator) {
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
            on_gpu(call, source, n, 1, [&](const StreamRecord& record, Generator* generator) {
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

}  // namespace

void bind_each(nb::module_& m) {
    m.def("fill_at", fill_at, "call"_a, "address"_a, "n"_a, "dtype"_a, "dist"_a, "stream"_a, "device"_a = -1,
          "cuda_stream"_a = 0);
    m.def("fill_each_at", fill_each_at, "call"_a, "address"_a, "n"_a, "dtype"_a, "law"_a, "parameters"_a, "stream"_a,
          "device"_a = -1, "cuda_stream"_a = 0);
    m.def("mask_at", mask_at, "call"_a, "x"_a, "out"_a, "mask"_a, "n"_a, "dtype"_a, "p"_a, "scale"_a, "stream"_a,
          "device"_a = -1, "cuda_stream"_a = 0);
}

}  // namespace python
