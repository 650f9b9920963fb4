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
#include "bindings.hpp"

namespace python {

/// The name of an element type, as Array has it.
template <class T> std::string_view dtype_of() {
    if constexpr (std::is_same_v<T, bool>)
        return "bool";
    else
        return rng::dtype_name<T>();
}

/// Calls f(type_tag<T>) for the one of Types that an array's elements have. Returns false if they have none of them.
template <class... Types, class F> bool visit_type(std::string_view dtype, const F& f) {
    return (... || (dtype == dtype_of<Types>() && (f(rng::type_tag<Types>{}), true)));
}

/// An array that a call writes, in row-major order, by a function of a span and the number of its first value.
class Destination {
  public:
    Destination(const char* call, nb::handle out) : out_(out, call, "out", Array::Access::write) {}

    [[nodiscard]] std::string_view dtype() const { return out_.dtype(); }
    [[nodiscard]] size_t size() const { return out_.size(); }
    /// Writes values first, first + 1 ... If f refuses the last one, nothing is written.
    template <class T, class F> void write(const F& f, uint64_t first) const {
        T last;
        if (size() > 0 && (size() > chunk<T> || !out_.is_direct())) f(std::span(&last, 1), first + (size() - 1));
        write_in_order<T>(f, first);
    }
    /// The same for an f that draws one value after the other.
    template <class T, class F> void write_in_order(const F& f, uint64_t first = 0) const {
        const size_t n = size();
        const auto buffer = out_.is_direct() ? nullptr : std::make_unique<T[]>(std::min(n, chunk<T>));
        Places places(out_);
        const Writing writing(out_.tensor());
        for (size_t done = 0; done < n;) {
            const size_t now = std::min(chunk<T>, n - done);
            const std::span to(out_.is_direct() ? out_.elements<T>().data() + done : buffer.get(), now);
            if (now * sizeof(T) < least_released) {
                f(to, first + done);
            } else {
                const nb::gil_scoped_release released;
                f(to, first + done);
            }
            if (!out_.is_direct())
                for (const T& value : to) std::memcpy(places.next(), &value, sizeof(T));
            done += now;
            if (done < n && PyErr_CheckSignals() != 0) nb::raise_python_error();  // Ctrl-C
        }
    }

  private:
    template <class T> static constexpr size_t chunk = (size_t{4} << 20) / sizeof(T);
    static constexpr size_t least_released = 1 << 16;  // below, letting other threads run costs more than it gains

    Array out_;
};

/// Calls f(type_tag<T>) with the element type of an array, one of Types.
template <class... Types, class F> void with_type(const char* call, const Destination& out, const F& f) {
    if (visit_type<Types...>(out.dtype(), f)) return;
    std::string names;
    ((names += concat(names.empty() ? "" : ", ", dtype_of<Types>())), ...);
    throw_type_error(call, ": out must have elements of ", names, ", got ", out.dtype());
}

}  // namespace python
