// AnyDistribution: a distribution of the catalogue that is chosen at run time, and AnyStream, a stream of any engine.
//
//     const rng::AnyDistribution dist("normal", "f32", {{"mean", 10}, {"stddev", 2.5}});
//     const rng::AnyStream stream(42, rng::Engine::threefry4x64_20);
//     std::vector<float> x(1000);
//     dist.fill(std::span(x), stream);           // the bits of rng::fill(x, rng::normal{10.0f, 2.5f}, stream)
//
// Programs and bindings of other languages use these types; code whose distribution is fixed at compile time uses
// fill.hpp.
// FillOptions reports the progress of a long fill, and can stop it.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "detail/fill_request.hpp"
#include "device.hpp"
#include "distributions/complex_normal.hpp"
#include "generator.hpp"
#include "vec.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The value of a parameter: any integer of up to 64 bits, or any double, without loss.
class Number {
  public:
    /// Creates a Number from a real number.
    template <class T>
    requires(std::floating_point<T> && sizeof(T) <= 8) constexpr Number(T real) : kind_(Kind::real), real_(real) {}
    /// Creates a Number from an integer.
    template <class T>
    requires detail::integer<T>
    constexpr Number(T integer)
        : kind_(integer < T(0) ? Kind::negative : Kind::natural), bits_(static_cast<uint64_t>(integer)) {}

    /// Returns true if the number was created from an integer.
    [[nodiscard]] constexpr bool is_integer() const { return kind_ != Kind::real; }
    /// Returns true if the number is below 0.
    [[nodiscard]] constexpr bool is_negative() const { return is_integer() ? kind_ == Kind::negative : real_ < 0; }
    /// Returns the integer modulo 2^64, or 0 for a real number.
    [[nodiscard]] constexpr uint64_t integer() const { return bits_; }
    /// Returns the number as a double; an integer beyond 2^53 is rounded.
    [[nodiscard]] constexpr double real() const {
        return kind_ == Kind::real      ? real_
               : kind_ == Kind::natural ? static_cast<double>(bits_)
                                        : static_cast<double>(static_cast<int64_t>(bits_));
    }

  private:
    enum class Kind { real, natural, negative };
    Kind kind_;
    double real_ = 0;
    uint64_t bits_ = 0;
};

/// A parameter of a distribution, with its default value.
struct ParameterInfo {
    const char* name;
    const char* doc;
    const char* dtype;  ///< "f32", "f64", "i32", ...
    Number default_value = 0;
    const char* limit = "";  ///< its range in the words of error messages, "must be in [2^-76, 2^90]", or ""
};

/// A distribution of the catalogue for one value type, as `rng list` shows it.
struct DistributionInfo {
    const char* name;
    const char* dtype;  ///< the type of a value: "f32", "bf16", "u64", "c64", ...
    const char* summary;
    const char* support;
    int slot_words;      ///< 32-bit words that a value takes
    size_t value_bytes;  ///< size of a value
    std::span<const ParameterInfo> parameters;
};

/// Returns the rows of the catalogue, in its order. The value types of one distribution are adjacent; the first is the
/// default.
[[nodiscard]] RNG_API std::span<const DistributionInfo> known_distributions();

/// The value types of the catalogue's distributions.
using value_types = type_list<float, double, float16, bfloat16, complex<float>, complex<double>, vec2<float>,
                              vec2<double>, vec3<float>, vec3<double>, vec4<float>, vec4<double>, int8_t, int16_t,
                              int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t>;

/// Calls f(type_tag<T>{}) for the value type with this DistributionInfo::dtype. Returns false, and does not call f, if
/// there is none.
template <class F> bool visit_dtype(std::string_view dtype, F&& f) {
    bool found = false;
    detail::for_each_in(value_types{}, [&](auto tag) {
        if (dtype != dtype_name<typename decltype(tag)::type>()) return;
        found = true;
        f(tag);
    });
    return found;
}

/// Returns the engine with this name, such as "philox4x32-10": the inverse of engine_name(). Throws Error
/// (invalid_argument) on anything else.
[[nodiscard]] RNG_API Engine parse_engine(std::string_view name);

/// A stream of an engine that is chosen at run time. Its members do what those of Stream do.
class RNG_API AnyStream {
  public:
    /// Creates an AnyStream that holds this stream. The conversion is implicit, so that a fill takes a Stream of any
    /// engine.
    template <class E> AnyStream(const Stream<E>& stream) : record_(detail::record(stream)) {}
    /// Creates stream `id` of the key { seed, zero-extended }, at position 0. Throws Error (invalid_argument): unknown
    /// engine.
    explicit AnyStream(Integer seed, Engine engine = Engine::philox4x32_10, Integer id = 0);

    /// Creates the generator's stream at its current position.
    explicit AnyStream(const Generator& generator);

    /// Returns the stream as a Stream<E>. Throws Error (invalid_argument) if its engine is not E.
    template <class E> [[nodiscard]] Stream<E> stream() const {
        if (engine() != E::number) detail::throw_wrong_engine("AnyStream::stream", engine(), E::number);
        return detail::stream_of<E>(record_);
    }
    /// Returns the engine.
    [[nodiscard]] Engine engine() const { return record_.engine; }
    /// Returns the stream's number among the streams of its key.
    [[nodiscard]] uint64_t id() const { return record_.id; }
    /// Returns the position, in 32-bit words.
    [[nodiscard]] uint64_t position() const { return record_.position; }
    /// Returns the number of 32-bit words in the stream.
    [[nodiscard]] uint64_t size_words() const;
    /// Returns the same stream at another position (in words).
    [[nodiscard]] AnyStream at_position(Integer words) const;
    /// Returns the child with this tag (below 2^56) or name.
    [[nodiscard]] AnyStream fork(Integer tag) const;
    template <std::convertible_to<std::string_view> Name> [[nodiscard]] AnyStream fork(const Name& name) const {
        return child(detail::name_tag(name), domain::named);
    }

  private:
    friend class AnyDistribution;
    [[nodiscard]] AnyStream child(uint64_t block, unsigned fork_domain) const;
    detail::StreamRecord record_;
};

/// How a fill reports its progress, and which device computes it.
struct FillOptions {
    /// Called before the first chunk, if there is one, and after each chunk, with the number of values that are ready.
    /// The fill stops if the function returns false or throws. A chunk has about 4 MiB; no bit depends on its size.
    std::function<bool(uint64_t done)> go_on = {};
    /// The device that computes; the values always go to host memory.
    Device device = cpu();
};

/// A distribution of the catalogue with its parameters: a value type of 48 bytes.
class RNG_API AnyDistribution {
  public:
    struct Parameter {
        std::string_view name;
        Number value;
    };

    /// Creates the distribution `name` with values of type `dtype` (empty: its default type). A parameter that is not
    /// given has its default value. Real parameters are rounded once, to the nearest number of their type; integer
    /// parameters must be exact. Throws Error (invalid_argument) on an unknown name, type or parameter, and on a value
    /// out of range.
    AnyDistribution(std::string_view name, std::string_view dtype, std::span<const Parameter> parameters);
    explicit AnyDistribution(std::string_view name, std::string_view dtype = {},
                             std::initializer_list<Parameter> parameters = {})
        : AnyDistribution(name, dtype, std::span(parameters.begin(), parameters.size())) {}
    /// Creates an AnyDistribution from a distribution of the catalogue. Throws Error (invalid_argument) on a parameter
    /// out of range.
    template <distribution D>
    requires(catalogue_index<D> >= 0) AnyDistribution(const D& dist) : index_(catalogue_index<D>) {
        detail::validate("AnyDistribution", dist);
        static_assert(sizeof(D) <= sizeof parameters_ && alignof(D) <= 16 && std::is_trivially_copyable_v<D>);
        __builtin_memcpy(parameters_, &dist, sizeof(D));
    }

    /// Returns the first parameter that the constructor would find out of range, if there is one. Throws Error on any
    /// other mistake, as the constructor does.
    [[nodiscard]] static ParameterFault find_fault(std::string_view name, std::string_view dtype,
                                                   std::span<const Parameter> parameters);

    /// Returns the distribution's row of the catalogue.
    [[nodiscard]] const DistributionInfo& info() const;
    /// Returns the value of a parameter. Throws Error (invalid_argument) if the distribution has no such parameter.
    [[nodiscard]] Number parameter(std::string_view name) const;
    /// Returns the distribution as a D, or nothing if it is not a D. Where both long and long long have 64 bits, they
    /// are one type.
    template <distribution D>
    requires(catalogue_index<D> >= 0) [[nodiscard]] std::optional<D> as() const {
        if (index_ != catalogue_index<D>) return std::nullopt;
        D dist{};
        __builtin_memcpy(&dist, parameters_, sizeof(D));
        return dist;
    }

    /// Writes values first ... first + n - 1 of the stream: n * info().value_bytes bytes at `out`, aligned for the
    /// type. Returns the number of values written: n, unless options.go_on stopped the fill; then the memory of later
    /// values is unchanged. Pure. Throws Error as fill() from a stream does, and if the device is not available.
    size_t fill(void* out, size_t n, const AnyStream& stream, Integer first = 0, const FillOptions& options = {}) const;
    /// Writes the next n values of the generator, and advances it by n values. A stopped fill also advances it by n:
    /// concurrent fills may have claimed the values after these. options.device must be the CPU. Throws Error as fill()
    /// from a generator does.
    size_t fill(void* out, size_t n, Generator& generator, const FillOptions& options = {}) const;
    /// Fills a span, whose elements must have the distribution's value type. Throws Error (invalid_argument) if they
    /// have another type.
    template <class T>
    size_t fill(std::span<T> out, const AnyStream& stream, Integer first = 0, const FillOptions& options = {}) const {
        require_type(dtype_name<T>());
        return fill(out.data(), out.size(), stream, first, options);
    }
    template <class T> size_t fill(std::span<T> out, Generator& generator, const FillOptions& options = {}) const {
        require_type(dtype_name<T>());
        return fill(out.data(), out.size(), generator, options);
    }

    /// Submits a fill to `to`: element (row, col) of device memory is value first + row * cols + col of the stream. An
    /// element has info().value_bytes bytes, and the strides count elements. Pure. Throws Error as fill() of a
    /// device_matrix does.
    void fill(device_matrix<void> out, const AnyStream& stream, Integer first = 0,
              cuda_stream to = default_stream()) const;
    /// Submits a fill with the generator's next values, and advances it. The generator must be on the memory's device.
    void fill(device_matrix<void> out, Generator& generator, cuda_stream to = default_stream()) const;

  private:
    struct Index {
        int value;
    };
    explicit AnyDistribution(Index index);
    ParameterFault assign(std::span<const Parameter> parameters);
    void require_type(const char* dtype) const;
    [[nodiscard]] detail::FillRequest request(const detail::StreamRecord& stream) const;
    [[nodiscard]] detail::StreamRecord position_of(Integer first, size_t n, const AnyStream& stream) const;
    size_t fill_chunks(std::byte* out, size_t n, const detail::StreamRecord& stream, const FillOptions& options) const;

    int index_;  // in the catalogue
    alignas(16) std::byte parameters_[32]{};
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
