// An array that typed C++ code writes: any strides, chunk by chunk, while other threads of Python run.
#pragma once

#include <nanobind/nanobind.h>

#include <rng/core/distribution.hpp>
#include <rng/core/type_list.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "arrays.hpp"

namespace python {

/// The name of an element type, as Array has it.
template <class T> std::string_view dtype_of() {
    if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else
        return rng::dtype_name<T>();
}

/// An array that a call writes, in row-major order, by a function of a span and the number of its first value.
class Destination {
  public:
    Destination(const char* call, nb::handle out) : out_(out, Array::Access::write, call, "out") {}

    [[nodiscard]] std::string_view dtype() const { return out_.dtype(); }
    [[nodiscard]] size_t size() const { return out_.size(); }
    /// Writes values first, first + 1 ... If f refuses the last one, nothing is written.
    template <class T, class F> void write(const F& f, uint64_t first) const {
        T last;
        if (size() > 0 && (size() > chunk<T> || !is_direct())) f(std::span(&last, 1), first + (size() - 1));
        write_in_order<T>(f, first);
    }
    /// The same for an f that draws one value after the other.
    template <class T, class F> void write_in_order(const F& f, uint64_t first = 0) const {
        const size_t n = size();
        const auto buffer = is_direct() ? nullptr : std::make_unique<T[]>(std::min(n, chunk<T>));
        Places places(out_);
        const Writing writing(out_.tensor());
        for (size_t done = 0; done < n;) {
            const size_t now = std::min(chunk<T>, n - done);
            const std::span to(is_direct() ? reinterpret_cast<T*>(out_.data()) + done : buffer.get(), now);
            if (now * sizeof(T) < least_released) {
                f(to, first + done);
            } else {
                const nb::gil_scoped_release released;
                f(to, first + done);
            }
            if (!is_direct())
                for (const T& value : to) std::memcpy(places.next(), &value, sizeof(T));
            done += now;
            if (done < n && PyErr_CheckSignals() != 0) nb::raise_python_error();  // Ctrl-C
        }
    }

  private:
    template <class T> static constexpr size_t chunk = (size_t{4} << 20) / sizeof(T);
    static constexpr size_t least_released = 1 << 16;  // below, letting other threads run costs more than it gains

    [[nodiscard]] bool is_direct() const { return out_.is_contiguous() && out_.is_aligned(); }

    Array out_;
};

/// Calls f(type_tag<T>) with the element type of an array, one of Types.
template <class... Types, class F> void with_type(const char* call, const Destination& out, const F& f) {
    std::string names;
    bool is_known = false;
    const auto try_type = [&]<class T>(rng::type_tag<T> tag) {
        names += (names.empty() ? "" : ", ") + std::string(dtype_of<T>());
        if (out.dtype() != dtype_of<T>()) return;
        is_known = true;
        f(tag);
    };
    (try_type(rng::type_tag<Types>{}), ...);
    if (!is_known)
        throw nb::type_error(
            (std::string(call) + ": out must have elements of " + names + ", got " + std::string(out.dtype())).c_str());
}

}  // namespace python
