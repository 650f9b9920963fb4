// The words of a stream behind NumPy's interface of bit generators: five pointers that NumPy's C code calls.
// NumPy has no way to tell it that a stream has ended, and an exception of C++ must not pass through its code. So the
// call gets other words, and Python's error is set: the call then raises it.
#include <nanobind/nanobind.h>

#include <rng/any_distribution.hpp>

#include <algorithm>
#include <optional>

#include "bindings.hpp"

namespace python {
namespace {

/// bitgen_t of numpy/random/bitgen.h, whose layout has been the same since NumPy 1.17.
struct NumpyBits {
    void* state;
    uint64_t (*next_uint64)(void*);
    uint32_t (*next_uint32)(void*);
    double (*next_double)(void*);
    uint64_t (*next_raw)(void*);
};

/// The values of bits<uint64_t> of a stream, one after the other.
class BitSource {
  public:
    explicit BitSource(const rng::AnyStream& stream) : stream_(stream) {}

    uint64_t next64() {
        if (used_ == size) refill();
        return buffer_[used_++];
    }
    /// The low half of a 64-bit word, then the high half, whatever is drawn between: as NumPy's own generators do.
    uint32_t next32() {
        if (has_half_) {
            has_half_ = false;
            return half_;
        }
        const uint64_t word = next64();
        has_half_ = true;
        half_ = static_cast<uint32_t>(word >> 32);
        return static_cast<uint32_t>(word);
    }
    /// The value of rng.uniform(0, 1) of the same word.
    double next_double() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

    /// Writes the pointers into NumPy's structure, which the capsule holds. The source must outlive the capsule.
    void attach(const nb::capsule& capsule) {
        auto& bits = *static_cast<NumpyBits*>(capsule.data("BitGenerator"));
        bits = {this, [](void* self) { return static_cast<BitSource*>(self)->next64(); },
                [](void* self) { return static_cast<BitSource*>(self)->next32(); },
                [](void* self) { return static_cast<BitSource*>(self)->next_double(); },
                [](void* self) { return static_cast<BitSource*>(self)->next64(); }};
    }

    [[nodiscard]] const rng::AnyStream& stream() const { return stream_; }
    /// How many 64-bit words have been drawn.
    [[nodiscard]] uint64_t drawn() const { return made_ - (size - used_); }
    [[nodiscard]] std::optional<uint32_t> half() const { return has_half_ ? std::optional(half_) : std::nullopt; }
    void restore(const rng::AnyStream& stream, uint64_t drawn, std::optional<uint32_t> half) {
        stream_ = stream;
        made_ = drawn;
        used_ = size;
        has_half_ = half.has_value();
        half_ = half.value_or(0);
    }

  private:
    static constexpr size_t size = 1024;  // 8 KiB: a refill costs little beside it

    /// Makes the next words, at the end of the buffer if the stream has fewer left.
    void refill() noexcept {
        const uint64_t all = (stream_.size_words() - std::min(stream_.position(), stream_.size_words())) / 2;
        const uint64_t left = all - std::min(made_, all);
        const size_t n = left == 0 ? 1 : static_cast<size_t>(std::min<uint64_t>(left, size));
        if (left == 0)
            raise_end(made_ - all);
        else
            law().fill(buffer_ + (size - n), n, stream_, made_);
        made_ += n;
        used_ = size - n;
    }
    /// Sets the error. The word is one of another stream, since loops that reject words must end.
    void raise_end(uint64_t words_before) noexcept {
        const nb::gil_scoped_acquire gil;
        law().fill(buffer_ + (size - 1), 1, rng::AnyStream(0), words_before);
        if (PyErr_Occurred() == nullptr)
            PyErr_SetString(nb::module_::import_("librng._errors").attr("EndOfStream").ptr(),
                            "BitGenerator: past the end of the stream (a stream has 2^56 blocks)");
    }
    static const rng::AnyDistribution& law() {
        static const rng::AnyDistribution bits("bits", "u64");
        return bits;
    }

    rng::AnyStream stream_;
    uint64_t made_ = 0;
    size_t used_ = size;
    bool has_half_ = false;
    uint32_t half_ = 0;
    uint64_t buffer_[size];
};

}  // namespace

void bind_numpy_bits(nb::module_& m) {
    nb::class_<BitSource>(m, "BitSource")
        .def(nb::init<const rng::AnyStream&>())
        .def("attach", &BitSource::attach)
        .def_prop_ro("stream", [](const BitSource& b) { return b.stream(); })
        .def_prop_ro("drawn", &BitSource::drawn)
        .def_prop_ro(
            "half",
            [](const BitSource& b) -> nb::object { return b.half() ? nb::object(nb::int_(*b.half())) : nb::none(); })
        .def(
            "restore",
            [](BitSource& b, const rng::AnyStream& stream, uint64_t drawn, nb::handle half) {
                b.restore(stream, drawn, half.is_none() ? std::nullopt : std::optional(nb::cast<uint32_t>(half)));
            },
            "stream"_a, "drawn"_a, any_arg("half"));
}

}  // namespace python
