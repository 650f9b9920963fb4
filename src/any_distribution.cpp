// AnyDistribution and AnyStream: the distributions of the catalogue by name, from streams of any engine.
#include <rng/any_distribution.hpp>

#include <rng/detail/each.hpp>
#include <rng/detail/fill_sizes.hpp>
#include <rng/device_fill.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/isa.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "catalogue_entry.hpp"
#include "cpu/fp_environment.hpp"
#include "device/backend.hpp"

RNG_BEGIN_NAMESPACE
namespace {

constexpr const char *call = "AnyDistribution", *fill_call = "AnyDistribution::fill";

std::string text_of(const Number& number) {
    if (number.is_integer())
        return number.is_negative() ? std::to_string(static_cast<int64_t>(number.integer()))
                                    : std::to_string(number.integer());
    char text[32];
    std::snprintf(text, sizeof text, "%.17g", number.real());
    return text;
}

/// Returns the number as a parameter of type T. Throws Error if T is an integer type that does not hold it.
template <class T> T value_as(const char* field, const Number& number) {
    if constexpr (std::is_floating_point_v<T>) {
        if (!number.is_integer()) return static_cast<T>(number.real());
        // A conversion by way of double would round twice.
        return number.is_negative() ? static_cast<T>(static_cast<int64_t>(number.integer()))
                                    : static_cast<T>(number.integer());
    } else {
        using Limits = std::numeric_limits<T>;
        // The integer is kept as sign and bits, so that all values of both 64-bit types compare.
        bool is_negative = number.is_negative();
        uint64_t bits = number.integer();
        bool is_whole = true;
        if (!number.is_integer()) {
            const double real = number.real();
            is_whole = real >= -0x1p63 && real < 0x1p64 && !(std::abs(real - std::trunc(real)) > 0);
            if (is_whole)
                bits = is_negative ? static_cast<uint64_t>(static_cast<int64_t>(real)) : static_cast<uint64_t>(real);
        }
        const bool fits = is_negative
                              ? Limits::is_signed && static_cast<int64_t>(bits) >= static_cast<int64_t>(Limits::min())
                              : bits <= static_cast<uint64_t>(Limits::max());
        if (!is_whole || !fits)
            detail::refuse(call, std::string(field) + " must be a whole number in [" + std::to_string(Limits::min()) +
                                     ", " + std::to_string(Limits::max()) + "], got " + text_of(number));
        return static_cast<T>(bits);
    }
}

using detail::Operations;

template <class D> constexpr Operations operations_of() {
    return {[](void* dist) { new (dist) D{}; },
            [](void* dist, int field, const Number& value) {
                int i = 0;
                D::fields().each([&](const auto& f) {
                    if (i++ != field) return;
                    auto& member = static_cast<D*>(dist)->*f.member;
                    member = value_as<std::remove_cvref_t<decltype(member)>>(f.name, value);
                });
            },
            [](const void* dist, int field) -> Number {
                Number number = 0;
                int i = 0;
                D::fields().each([&](const auto& f) {
                    if (i++ == field) number = static_cast<const D*>(dist)->*f.member;
                });
                return number;
            },
            detail::fault_function<D>(),
            [](const void* dist, const detail::StreamRecord& stream) {
                return detail::request(*static_cast<const D*>(dist), stream);
            }};
}

// The tables are constants: code that computes them at run time would take half of this file's compile time.
template <class D>
constexpr auto parameters_of = [] {
    std::array<ParameterInfo, static_cast<size_t>(D::fields().size())> all{};
    size_t i = 0;
    D::fields().each([&](const auto& field) {
        using T = std::remove_cvref_t<decltype(D{}.*field.member)>;
        all[i] = {field.name, field.doc, dtype_name<T>(), D{}.*field.member, detail::range_texts<D>.of[i].text};
        ++i;
    });
    return all;
}();

using Entry = detail::CatalogueEntry;

template <class D> constexpr Entry entry_of() {
    return {{D::name, dtype_name<result_t<D>>(), D::summary, D::support, D::slot_words, sizeof(result_t<D>),
             parameters_of<D>},
            operations_of<D>()};
}
template <class... D> constexpr std::array<Entry, sizeof...(D)> entries_of(type_list<D...>) {
    return {entry_of<D>()...};
}
constexpr auto entries = entries_of(catalogue{});

const Entry& entry_at(int index) { return entries[static_cast<size_t>(index)]; }

/// Adds a word to a list in a message, unless the list has it.
void add(std::string& list, const std::string& word) {
    if ((", " + list + ", ").find(", " + word + ", ") == std::string::npos) list += (list.empty() ? "" : ", ") + word;
}

/// Throws an Error that lists the known distributions, or the types of this one.
[[noreturn]] void refuse_name(std::string_view name, std::string_view dtype) {
    std::string names, dtypes;
    for (const Entry& entry : entries) {
        add(names, entry.info.name);
        if (entry.info.name == name) add(dtypes, entry.info.dtype);
    }
    if (dtypes.empty()) detail::refuse(call, "name must be one of " + names + ", got " + std::string(name));
    detail::refuse(call, "type of " + std::string(name) + " must be one of " + dtypes + ", got " + std::string(dtype));
}
/// Returns the index of a distribution.
int find(std::string_view name, std::string_view dtype) {
    for (size_t i = 0; i < entries.size(); ++i)
        if (entries[i].info.name == name && (dtype.empty() || entries[i].info.dtype == dtype))
            return static_cast<int>(i);
    refuse_name(name, dtype);
}

/// Returns the index of a parameter. If there is none, throws an Error that lists the known ones.
int find_parameter(const DistributionInfo& info, std::string_view name) {
    std::string known;
    for (size_t i = 0; i < info.parameters.size(); ++i) {
        if (info.parameters[i].name == name) return static_cast<int>(i);
        add(known, info.parameters[i].name);
    }
    const std::string owner = info.name, got = ", got " + std::string(name);
    detail::refuse(call, known.empty() ? owner + " must be given no parameter" + got
                                       : "parameter of " + owner + " must be one of " + known + got);
}

/// Throws Error if there are values to write and no memory for them.
void require_memory(const void* out, size_t n) {
    if (out == nullptr && n > 0)
        detail::refuse(fill_call, "the destination is null but " + std::to_string(n) + " values were asked for");
}

}  // namespace

namespace detail {

const CatalogueEntry& catalogue_entry(int index) { return entry_at(index); }

int index_of_law(std::string_view name, std::string_view dtype) { return find(name, dtype); }
int index_of_parameter(int law, std::string_view name) { return find_parameter(entry_at(law).info, name); }

ParameterFault with_value(const ParameterFault& fault, const Number& value) {
    ParameterFault changed{fault.field, value.real(), fault.limit, value.is_integer(), value.integer()};
    if (value.is_negative()) changed.magnitude = 0 - value.integer();
    return changed;
}

}  // namespace detail

std::span<const DistributionInfo> known_distributions() {
    static const auto infos = [] {
        std::vector<DistributionInfo> list;
        for (const Entry& entry : entries) list.push_back(entry.info);
        return list;
    }();
    return infos;
}

Engine parse_engine(std::string_view name) {
    std::optional<Engine> found;
    std::string known;
    for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        if (name == E::name) found = E::number;
        known += (known.empty() ? "" : ", ") + std::string(E::name);
    });
    if (!found)
        detail::raise(ErrorCode::invalid_argument,
                      "engine must be one of " + known + ", got '" + std::string(name) + "'");
    return *found;
}

AnyStream::AnyStream(Integer seed, Engine engine, Integer id) : record_() {
    const bool known = visit_engine(
        engine, [&](auto tag) { record_ = detail::record(Stream<typename decltype(tag)::type>(seed, id)); });
    if (!known)
        detail::refuse("AnyStream", "engine must be one of the " + std::to_string(engines::size) +
                                        " of rng::Engine, got " + std::to_string(static_cast<uint32_t>(engine)));
}

AnyStream::AnyStream(const Generator& generator) : record_() {
    visit_engine(generator.engine(),
                 [&](auto tag) { record_ = detail::record(generator.stream<typename decltype(tag)::type>()); });
}

uint64_t AnyStream::size_words() const {
    uint64_t size = 0;
    visit_engine(engine(), [&](auto tag) { size = Stream<typename decltype(tag)::type>::size_words; });
    return size;
}

AnyStream AnyStream::at_position(Integer words) const {
    AnyStream moved = *this;
    moved.record_.position = words;
    return moved;
}

AnyStream AnyStream::fork(Integer tag) const {
    detail::require_tag(tag, "AnyStream::fork");
    return child(tag, domain::tagged);
}

AnyStream AnyStream::child(uint64_t block, unsigned fork_domain) const {
    AnyStream result = *this;
    visit_engine(engine(), [&](auto tag) {
        result = detail::stream_of<typename decltype(tag)::type>(record_).child(block, fork_domain);
    });
    return result;
}

AnyDistribution::AnyDistribution(Index index) : index_(index.value) {
    entry_at(index_).operations.construct(parameters_);
}

AnyDistribution::AnyDistribution(std::string_view name, std::string_view dtype, std::span<const Parameter> parameters)
    : AnyDistribution(Index{find(name, dtype)}) {
    if (const ParameterFault fault = assign(parameters)) detail::throw_parameter_fault(call, info().name, fault);
}

ParameterFault AnyDistribution::find_fault(std::string_view name, std::string_view dtype,
                                           std::span<const Parameter> parameters) {
    return AnyDistribution(Index{find(name, dtype)}).assign(parameters);
}

ParameterFault AnyDistribution::assign(std::span<const Parameter> parameters) {
    const rng_cpu::FpEnvironment environment;  // parameters are rounded to nearest, whatever the caller's modes are
    const Entry& entry = entry_at(index_);
    for (const Parameter& parameter : parameters)
        entry.operations.assign(parameters_, find_parameter(entry.info, parameter.name), parameter.value);
    if (entry.operations.fault == nullptr) return {};
    ParameterFault fault = entry.operations.fault(parameters_);
    // The fault has the rounded value. A message names the given one: 1e39 and not inf.
    for (const Parameter& parameter : parameters)
        if (fault && parameter.name == fault.field) fault = detail::with_value(fault, parameter.value);
    return fault;
}

const DistributionInfo& AnyDistribution::info() const { return entry_at(index_).info; }

Number AnyDistribution::parameter(std::string_view name) const {
    return entry_at(index_).operations.parameter(parameters_, find_parameter(info(), name));
}

void AnyDistribution::require_type(const char* dtype) const {
    if (std::string_view(dtype) != info().dtype)
        detail::refuse(fill_call, std::string("the elements must be ") + info().dtype + " for this " + info().name +
                                      ", got " + dtype);
}

detail::FillRequest AnyDistribution::request(const detail::StreamRecord& stream) const {
    return entry_at(index_).operations.request(parameters_, stream);
}

/// Returns the stream's record from value `first` on. Throws Error (end_of_stream) if n values do not fit.
detail::StreamRecord AnyDistribution::position_of(Integer first, size_t n, const AnyStream& stream) const {
    const auto slot = static_cast<uint64_t>(info().slot_words);
    const uint64_t position = stream.position();
    detail::require_slots(position, first, n, slot, stream.size_words(), fill_call);
    return stream.at_position(detail::round_up(position, slot) + first * slot).record_;
}

size_t AnyDistribution::fill_chunks(std::byte* out, size_t n, const detail::StreamRecord& stream,
                                    const FillOptions& options) const {
    const size_t size = info().value_bytes, slot = static_cast<size_t>(info().slot_words);
    const bool on_cpu = options.device == cpu();
    detail::FillRequest request = this->request(stream);
    const size_t chunk = options.go_on ? (on_cpu ? detail::chunk_bytes : detail::device_chunk_bytes) / size : n;
    size_t done = 0;
    if (n == 0 || (options.go_on && !options.go_on(0))) return 0;
    while (done < n) {
        const size_t count = std::min(chunk, n - done);
        if (on_cpu)
            detail::fill_values(request, out + done * size, count);
        else
            detail::fill_through_device(request, out + done * size, count, options.device);
        request.stream.position += count * slot;
        done += count;
        if (options.go_on && !options.go_on(done)) break;
    }
    return done;
}

size_t AnyDistribution::fill(void* out, size_t n, const AnyStream& stream, Integer first,
                             const FillOptions& options) const {
    require_memory(out, n);
    const detail::StreamRecord begin = position_of(first, n, stream);
    if (!(options.device == cpu())) detail::require_device(fill_call, options.device);
    return fill_chunks(static_cast<std::byte*>(out), n, begin, options);
}

void AnyDistribution::fill(device_matrix<void> out, const AnyStream& stream, Integer first, cuda_stream to) const {
    const size_t n = detail::checked_size(info().name, out.data, out.rows, out.cols);
    detail::fill_device(request(position_of(first, n, stream)), {out.data, n, to, detail::strides_of(out)});
}

void AnyDistribution::fill(device_matrix<void> out, Generator& generator, cuda_stream to) const {
    const size_t n = detail::checked_size(info().name, out.data, out.rows, out.cols);
    detail::fill_device(request({}), {out.data, n, to, detail::strides_of(out)}, &generator);
}

size_t AnyDistribution::fill(void* out, size_t n, Generator& generator, const FillOptions& options) const {
    if (!(options.device == cpu()))
        detail::refuse(fill_call,
                       "options.device must be cpu for a fill from a generator, got " + to_string(options.device));
    if (!(generator.device() == cpu()))
        detail::refuse(fill_call,
                       "the destination is host memory but the generator is on " + to_string(generator.device()));
    require_memory(out, n);
    if (n == 0) return 0;
    // A wrong RNG_ISA or RNG_NUM_THREADS throws here, before the generator advances.
    (void)current_isa();
    (void)num_threads();
    const auto claimed = generator.claim(fill_call, n, static_cast<uint64_t>(info().slot_words));
    return fill_chunks(static_cast<std::byte*>(out), n, claimed, options);
}

RNG_END_NAMESPACE
