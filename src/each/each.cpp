// Fills whose parameters differ from value to value, of a distribution that is chosen at run time
// (rng/detail/each.hpp).
#include <rng/detail/each.hpp>
#include <rng/detail/fault_text.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill_each.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "../catalogue_entry.hpp"
#include "../cpu/fp_environment.hpp"
#include "../cpu/parallel_for.hpp"
#include "../verify/verify_at.hpp"
#include "numbers.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The distribution of one value after the other.
class EachLaw {
  public:
    explicit EachLaw(const EachRequest& request) : request_(request), entry_(catalogue_entry(request.index)) {
        entry_.operations.construct(law_);
    }
    /// Sets the parameters that do not vary. Throws Error if one is no number of its type.
    void set_constants() { set(0, false); }
    /// Sets the other parameters to those of value i.
    void set_value(size_t i) { set(i, true); }
    [[nodiscard]] const void* get() const { return law_; }

    /// Sets the parameters of value i, and throws Error if they are out of range.
    void require_valid(size_t i, bool is_first, bool some_vary) {
        ParameterFault fault{};
        try {
            if (is_first) set_constants();
            if (some_vary) set_value(i);
            if (entry_.operations.fault != nullptr) fault = entry_.operations.fault(law_);
        } catch (const Error& error) {  // "AnyDistribution: trials must be a whole number ..."
            const std::string text = error.what();
            throw Error(error.code(), call(i, some_vary) + ": " + entry_.info.name + text.substr(text.find(": ")));
        }
        if (!fault) return;
        for (const EachNumbers& numbers : request_.parameters)
            if (std::string_view(entry_.info.parameters[static_cast<size_t>(numbers.field)].name) == fault.field)
                fault = with_value(fault, number_of_value(numbers, i));
        throw_parameter_fault(call(i, some_vary).c_str(), entry_.info.name, fault);
    }

  private:
    void set(size_t i, bool varies) {
        for (const EachNumbers& numbers : request_.parameters)
            if (numbers.varies == varies) entry_.operations.assign(law_, numbers.field, number_of_value(numbers, i));
    }
    [[nodiscard]] std::string call(size_t i, bool some_vary) const {
        return some_vary ? std::string(request_.call) + ": value " + std::to_string(i) : request_.call;
    }

    const EachRequest& request_;
    const CatalogueEntry& entry_;
    alignas(16) std::byte law_[32]{};
};

bool some_vary(const EachRequest& request) {
    return std::ranges::any_of(request.parameters, [](const EachNumbers& numbers) { return numbers.varies; });
}

/// The parameter with this number; null if it has its default.
const EachNumbers* parameter(const EachRequest& request, int field) {
    const auto found = std::ranges::find(request.parameters, field, &EachNumbers::field);
    return found == request.parameters.end() ? nullptr : &*found;
}
/// read_numbers() of a parameter, or its default.
template <class T>
void read_parameter(const EachRequest& request, int field, T by_default, size_t begin, T* to, size_t n) {
    if (const EachNumbers* const numbers = parameter(request, field))
        read_numbers(*numbers, begin, to, n);
    else
        std::fill_n(to, n, by_default);
}

/// Calls f(type_tag<D>) if the law D at this index has a loop of its own here. Each parameter of these laws has a range
/// of its own. Returns false if it has none.
template <class F> bool with_own_loop(int index, const F& f) {
    bool found = false;
    for_each_in(type_list<poisson<int32_t>, poisson<int64_t>, binomial<int32_t>, binomial<int64_t>, gamma<float>,
                          gamma<double>, normal<float>, normal<double>, bernoulli>{},
                [&]<class D>(type_tag<D> tag) {
                    if (catalogue_index<D> != index) return;
                    found = true;
                    f(tag);
                });
    return found;
}

/// True if a number is in the range of a parameter P. It may be false for -0 too.
template <class P, class T> bool is_in_range(const ParameterRange<P>& range, T number) {
    if constexpr (!integer<P>) {
        const auto bits = lane::Scalar::bits(static_cast<P>(number)), most = lane::Scalar::bits(range.most);
        return range.least < 0 ? bits << 1 <= most << 1 : bits <= most && bits >= lane::Scalar::bits(range.least);
    } else if constexpr (integer<T>) {
        return static_cast<uint64_t>(number) <= static_cast<uint64_t>(range.most) && !Number(number).is_negative();
    } else {
        const auto real = static_cast<double>(number);
        return real >= static_cast<double>(range.least) && real <= static_cast<double>(range.most) &&
               !(real - std::trunc(real) > 0);
    }
}
/// True if all parameters of values first ... last - 1 are in range. It may be false for -0 too.
template <class D> bool are_in_range(const EachRequest& request, size_t first, size_t last) {
    bool all = true;
    int field = 0;
    D::fields().each([&](const auto& of) {
        const EachNumbers* const numbers = parameter(request, field++);
        if (numbers == nullptr) return;
        with_numbers(*numbers, [&](const auto* data) {
            const size_t begin = numbers->varies ? first : 0, end = numbers->varies ? last : 1;
            for (size_t i = begin; i < end; ++i) all &= is_in_range(of.range, data[i]);
        });
    });
    return all;
}

/// Writes the values of [begin, end) to out[0 ...], each by itself. The parameters are in range.
void write_one_by_one(const EachRequest& request, size_t begin, size_t end, std::byte* out) {
    const CatalogueEntry& entry = catalogue_entry(request.index);
    const auto slot = static_cast<uint64_t>(entry.info.slot_words);
    const size_t bytes = entry.info.value_bytes;
    // at() takes less time than a fill, but for proposals of two gamma variables, which read many words.
    const bool has_long_map = slot >= 4 && slot * sizeof(uint32_t) >= 4 * bytes && entry.info.dtype[0] != 'i';
    const ByAt at = by_at(request.index);
    EachLaw law(request);
    law.set_constants();
    StreamRecord stream = request.stream;
    stream.position += begin * slot;
    for (size_t i = begin; i < end; ++i) {
        law.set_value(i);
        if (has_long_map)
            fill_values(entry.operations.request(law.get(), stream), out, 1);
        else
            at(stream, law.get(), out, 1);
        stream.position += slot;
        out += bytes;
    }
}

template <class T> void write_counts(const EachRequest& request, size_t begin, size_t end, T* out) {
    const bool is_binomial =
        request.index == catalogue_index<binomial<int32_t>> || request.index == catalogue_index<binomial<int64_t>>;
    uint64_t trials[counts_together], counts[counts_together];
    double p[counts_together];
    StreamRecord stream = request.stream;
    stream.position += uint64_t{2} * begin;
    while (begin < end) {
        const size_t n = std::min(end - begin, counts_together);
        if (is_binomial) {
            read_parameter<uint64_t>(request, 0, 1, begin, trials, n);
            read_parameter(request, 1, 0.5, begin, p, n);
        } else {
            read_parameter(request, 0, 1.0, begin, p, n);
        }
        fill_counts(stream, is_binomial ? trials : nullptr, p, counts, n);
        for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(counts[i]);
        out += n;
        begin += n;
        stream.position += uint64_t{2} * n;
    }
}

/// Scales standard normal values.
template <class T> struct ScaleNormals {
    template <class L> RNG_FN void operator()(type_tag<L>, T* z, const T* mean, const T* stddev, size_t n) const {
        for (size_t i = 0; i < n; ++i) {
            const NormalParameters<T> of(mean[i], stddev[i]);
            z[i] = L::fma(of.stddev, z[i], of.mean);
        }
    }
};
template <class T> void write_normals(const EachRequest& request, size_t begin, size_t end, T* out) {
    using D = normal<T>;
    constexpr D standard;
    T mean[counts_together], stddev[counts_together];
    StreamRecord stream = request.stream;
    stream.position += uint64_t{begin} * D::slot_words;
    for (size_t i = begin; i < end; i += counts_together) {
        const size_t n = std::min(end - i, counts_together);
        fill_values(detail::request(standard, stream), out, n);
        read_parameter(request, 0, standard.mean, i, mean, n);
        read_parameter(request, 1, standard.stddev, i, stddev, n);
        over_best_lane<D, T*, const T*, const T*, size_t>(ScaleNormals<T>{}, out, mean, stddev, n);
        out += n;
        stream.position += uint64_t{n} * D::slot_words;
    }
}

/// From streams of Philox4x32-10.
template <class T> void write_gammas(const EachRequest& request, size_t begin, size_t end, T* out) {
    using D = gamma<T>;
    const auto stream = stream_of<Philox4x32_10>(request.stream);
    constexpr D by_default;
    T shape[counts_together], scale[counts_together];
    const auto dist_of = [&](uint64_t i) { return D{shape[i], scale[i]}; };
    using Fill = EachFill<D, Philox4x32_10, decltype(dist_of), T>;
    for (size_t i = begin; i < end; i += counts_together) {
        const size_t n = std::min(end - i, counts_together);
        read_parameter(request, 0, by_default.shape, i, shape, n);
        read_parameter(request, 1, by_default.scale, i, scale, n);
        const Fill fill{dist_of, stream, 0, stream.position + uint64_t{i} * D::slot_words, out};
        over_best_lane<D, const Fill&, size_t, size_t>(WriteEach<D>{}, fill, 0, n);
        out += n;
    }
}

/// Writes the values of [begin, end) to out[0 ...].
void write(const EachRequest& request, size_t begin, size_t end, std::byte* bytes) {
    // The rarer engines share the loops of at().
    const bool is_gamma =
        request.index == catalogue_index<gamma<float>> || request.index == catalogue_index<gamma<double>>;
    if (is_gamma && request.stream.engine != Engine::philox4x32_10) return write_one_by_one(request, begin, end, bytes);
    const bool is_written = with_own_loop(request.index, [&]<class D>(type_tag<D>) {
        using T = result_t<D>;
        T* const out = reinterpret_cast<T*>(bytes);
        if constexpr (IsPoisson<D> || IsBinomial<D>)
            write_counts(request, begin, end, out);
        else if constexpr (is_same<D, normal<T>>)
            write_normals(request, begin, end, out);
        else if constexpr (is_same<D, gamma<T>>)
            write_gammas(request, begin, end, out);
    });
    if (!is_written) write_one_by_one(request, begin, end, bytes);
}

/// bernoulli, whose parameter varies, is a mask.
void write_kept(const EachRequest& request, size_t begin, void* out, size_t n) {
    EachNumbers p = request.parameters.front();
    with_numbers(p, [&](const auto* data) { p.data = data + begin; });
    StreamRecord stream = request.stream;
    stream.position += begin;
    write_mask({request.call, p, nullptr, out, nullptr, MaskType::pattern, 1, 1, 1, stream}, n);
}

}  // namespace

void require_each(const EachRequest& request, size_t n) {
    const rng_cpu::FpEnvironment environment;
    EachLaw constants(request);
    if (!some_vary(request)) return constants.require_valid(0, true, false);
    rng_cpu::parallel_for(n, 64, n / least_each, [&](size_t first, size_t last) {
        bool all = false;
        with_own_loop(request.index, [&]<class D>(type_tag<D>) { all = are_in_range<D>(request, first, last); });
        if (all) return;
        EachLaw law(request);
        for (size_t i = first; i < last; ++i) law.require_valid(i, i == first, true);
    });
}

void write_each_values(const EachRequest& request, size_t begin, void* out, size_t n) {
    const CatalogueEntry& entry = catalogue_entry(request.index);
    auto* const bytes = static_cast<std::byte*>(out);
    const rng_cpu::FpEnvironment environment;
    if (!some_vary(request)) {
        EachLaw law(request);
        law.set_constants();
        StreamRecord stream = request.stream;
        stream.position += begin * static_cast<uint64_t>(entry.info.slot_words);
        fill_values(entry.operations.request(law.get(), stream), out, n);
        return;
    }
    if (request.index == catalogue_index<bernoulli>) return write_kept(request, begin, out, n);
    rng_cpu::parallel_for(n, 64, n / least_each, [&](size_t first, size_t last) {
        write(request, begin + first, begin + last, bytes + first * entry.info.value_bytes);
    });
}

}  // namespace detail
RNG_END_NAMESPACE
