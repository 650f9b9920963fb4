// The kernels of fills whose parameters differ from value to value, and of Bernoulli masks.
#pragma once

#include <rng/detail/any_engine.hpp>
#include <rng/detail/each.hpp>
#include <rng/distributions/binomial.hpp>
#include <rng/distributions/gamma.hpp>
#include <rng/distributions/poisson.hpp>
#include <rng/float16.hpp>

#include "kernel.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// The numbers of a parameter: number i is that of value i if they vary, otherwise number 0.
struct DeviceNumbers {
    const void* data;  // null: `one` has the bits of the number
    uint64_t one;
    NumberType type;
    bool varies;

    template <class T> RNG_KERNEL T number(uint64_t i) const;
};

/// Where the values of a kernel begin in a stream. In a graph, each run continues after the previous one.
struct DeviceStart {
    uint64_t word;
    const uint64_t* replay;  // null, or the number of earlier runs
    uint64_t replays;        // the number of replays for which the stream has room

    RNG_KERNEL uint64_t begin(uint64_t words) const;
};

/// out[i] is value i of the distribution D of parameters i. Counts are computed as those of int64_t: those of int32_t
/// have the same maps.
template <class D> struct WriteEach {
    static constexpr unsigned threads = 256, resident = 2;
    Stream<AnyEngine> stream;
    DeviceStart start;
    DeviceNumbers parameters[2];
    void* out;
    uint64_t n;
    bool is_narrow;  // true: out is of int32_t

    RNG_KERNEL void operator()() const;
    RNG_KERNEL D law(uint64_t i) const;
};

/// The masks and products of elements T (detail/each.hpp); without x, of all elements of this size.
template <class T, class E> struct WriteMask {
    static constexpr unsigned threads = 256, resident = 4;
    /// The values of a thread at a time: whole blocks, and at least 16 bytes.
    static constexpr int item = sizeof(T) >= 4 ? 4 : 16 / sizeof(T);

    Stream<E> stream;
    DeviceStart start;
    DeviceNumbers p;
    uint64_t least_lost;  // words below this one are kept, if p does not vary
    const T* x;
    T* out;
    uint8_t* mask;
    uint64_t one, n;
    double scale;
    bool is_aligned;  // true: x and out begin at multiples of 16 bytes, and the mask at one of `item`

    RNG_KERNEL void operator()() const;
    RNG_KERNEL bool is_kept(uint32_t word, uint64_t i) const;
    RNG_KERNEL T value(bool kept, T of_x) const;
    RNG_KERNEL void write_item(uint64_t i, uint64_t word) const;
    RNG_KERNEL void write_values(uint64_t i, uint64_t count, uint64_t word) const;
};

#if defined(__CUDACC__)

template <class T> RNG_KERNEL T DeviceNumbers::number(uint64_t i) const {
    const uint64_t k = varies ? i : 0;
    if (type == NumberType::f32 || type == NumberType::f64) {
        const double x = type == NumberType::f32 ? static_cast<double>(static_cast<const float*>(data)[k])
                         : data == nullptr       ? Scalar::from_bits64(one)
                                                 : static_cast<const double*>(data)[k];
        if constexpr (integer<T>)
            return static_cast<T>(lane::to_integer(lane::f64<Scalar>(x)).v);
        else
            return static_cast<T>(x);
    }
    const uint64_t bits = data == nullptr ? one : static_cast<const uint64_t*>(data)[k];
    if (type == NumberType::u64) return static_cast<T>(bits);
    return static_cast<T>(static_cast<int64_t>(bits));
}

RNG_KERNEL uint64_t DeviceStart::begin(uint64_t words) const {
    if (replay == nullptr) return word;
    require_replay(*replay < replays);
    return word + *replay * words;
}

template <class D> RNG_KERNEL D WriteEach<D>::law(uint64_t i) const {
    if constexpr (requires { D{}.mean; }) {
        return {parameters[0].number<double>(i)};
    } else {
        using T = result_t<D>;  // binomial's number of trials has it too
        using Second = std::conditional_t<integer<T>, double, T>;
        return {parameters[0].number<T>(i), parameters[1].number<Second>(i)};
    }
}

template <class D> RNG_KERNEL void WriteEach<D>::operator()() const {
    constexpr uint64_t slot = D::slot_words;
    const uint64_t word = start.begin(n * slot), step = uint64_t{gridDim.x} * threads;
    RNG_ROLLED
    for (uint64_t i = thread_index(); i < n; i += step) {
        const D dist = law(i);
        const auto value = value_at_word<D>(stream, map_over<Scalar>(dist), word + i * slot);
        if constexpr (integer<result_t<D>>) {
            if (is_narrow) {
                static_cast<int32_t*>(out)[i] = static_cast<int32_t>(value);
                continue;
            }
        }
        static_cast<result_t<D>*>(out)[i] = value;
    }
}

template <class T, class E> RNG_KERNEL bool WriteMask<T, E>::is_kept(uint32_t word, uint64_t i) const {
    if (!p.varies) return word < least_lost;
    const double each = p.number<double>(i);  // as in bernoulli's map
    return word < (Scalar::bits(Scalar::fma(each, 0x1p32, 0x1p52)) & 0xfffffffffffffu);
}

template <class T, class E> RNG_KERNEL T WriteMask<T, E>::value(bool kept, T of_x) const {
    if constexpr (!is_same<T, uint8_t>) {
        if (x != nullptr) {
            if constexpr (is_same<T, double>)
                return Scalar::mul(Scalar::mul(of_x, kept ? 1.0 : 0.0), scale);
            else
                return T(
                    Scalar::mul(Scalar::mul(static_cast<float>(of_x), kept ? 1.0f : 0.0f), static_cast<float>(scale)));
        }
    }
    const uint64_t bits = kept ? one : 0;
    T made;
    __builtin_memcpy(&made, &bits, sizeof made);  // the low bytes
    return made;
}

template <class T, class E> RNG_KERNEL void WriteMask<T, E>::write_item(uint64_t i, uint64_t word) const {
    constexpr int block = E::words_per_block;
    static_assert(item % block == 0 && block == 4);
    uint32_t words[item + block];
    const auto put = [&](int b) {
        const auto made = stream.block(word / block + static_cast<unsigned>(b), domain::draws);
        RNG_UNROLL
        for (int k = 0; k < block; ++k) words[b * block + k] = E::word_of(made, k);
    };
    RNG_UNROLL
    for (int b = 0; b < item / block; ++b) put(b);
    if (word % block != 0) {
        put(item / block);
        RNG_UNROLL
        for (int by = 2; by > 0; by /= 2) {
            RNG_UNROLL
            for (int k = 0; k + by < item + block; ++k)
                words[k] = (word & static_cast<unsigned>(by)) != 0 ? words[k + by] : words[k];
        }
    }
    struct alignas(16) Values {
        T of[item];
    };
    struct alignas(item) Kept {
        uint8_t of[item];
    };
    Values values{};
    Kept kept;
    if (x != nullptr) values = *reinterpret_cast<const Values*>(x + i);
    RNG_UNROLL
    for (int k = 0; k < item; ++k) {
        const bool is = is_kept(words[k], i + static_cast<unsigned>(k));
        kept.of[k] = is;
        values.of[k] = value(is, values.of[k]);
    }
    if (out != nullptr) *reinterpret_cast<Values*>(out + i) = values;
    if (mask != nullptr) *reinterpret_cast<Kept*>(mask + i) = kept;
}

template <class T, class E>
RNG_KERNEL void WriteMask<T, E>::write_values(uint64_t i, uint64_t count, uint64_t word) const {
    constexpr uint64_t size = E::words_per_block;
    auto block = stream.block(word / size, domain::draws);
    RNG_ROLLED
    for (uint64_t end = i + count;;) {
        const bool is = is_kept(E::word_of(block, static_cast<int>(word % size)), i);
        if (out != nullptr) out[i] = value(is, x != nullptr ? x[i] : T{});
        if (mask != nullptr) mask[i] = is;
        if (++i == end) return;
        if (++word % size == 0) block = stream.block(word / size, domain::draws);
    }
}

template <class T, class E> RNG_KERNEL void WriteMask<T, E>::operator()() const {
    const uint64_t word = start.begin(n), step = uint64_t{gridDim.x} * threads * item;
    RNG_ROLLED
    for (uint64_t i = thread_index() * item; i < n; i += step) {
        if constexpr (is_same<E, Philox4x32_10>) {
            if (is_aligned && n - i >= item) {
                write_item(i, word + i);
                continue;
            }
        }
        write_values(i, n - i < item ? n - i : item, word + i);
    }
}

#endif

// The kernels of requests, for the library and for tests.

/// The number of replays for which a stream of this engine has room.
inline DeviceStart start_of(const StreamRecord& stream, uint64_t words, const uint64_t* replay) {
    uint64_t size = 0;
    visit_engine(stream.engine, [&](auto tag) { size = Stream<typename decltype(tag)::type>::size_words; });
    return {stream.position, replay, words == 0 ? ~uint64_t{0} : (size - stream.position) / words};
}

inline DeviceNumbers device_numbers(const EachNumbers& numbers) {
    DeviceNumbers made{numbers.data, 0, numbers.type, numbers.varies};
    if (numbers.on_host) {  // of 8 bytes
        made.data = nullptr;
        __builtin_memcpy(&made.one, numbers.data, sizeof made.one);
    }
    return made;
}

/// Returns the kernel of a request for D, whose parameters are in the order of D's members.
template <class D>
WriteEach<D> each_kernel(const EachRequest& request, void* out, uint64_t n, const StreamRecord& stream, bool is_narrow,
                         const uint64_t* replay) {
    WriteEach<D> kernel{any_stream(stream), start_of(stream, n * D::slot_words, replay), {}, out, n, is_narrow};
    unsigned field = 0;
    D::fields().each([&](const auto& of) {
        const double by_default = static_cast<double>(D{}.*of.member);
        DeviceNumbers& numbers = kernel.parameters[field];
        numbers = {nullptr, 0, NumberType::f64, false};
        __builtin_memcpy(&numbers.one, &by_default, sizeof by_default);
        for (const EachNumbers& given : request.parameters)
            if (given.field == static_cast<int>(field)) numbers = device_numbers(given);
        ++field;
    });
    return kernel;
}

/// Returns the kernel of a mask whose elements have the size of T, and its type if there are products.
template <class T, class E>
WriteMask<T, E> mask_kernel(const MaskRequest& request, uint64_t n, const Stream<E>& stream, const StreamRecord& record,
                            const uint64_t* replay) {
    constexpr uintptr_t item = WriteMask<T, E>::item;
    const auto is_multiple = [](const void* data, uintptr_t of) { return reinterpret_cast<uintptr_t>(data) % of == 0; };
    const uint64_t least_lost = request.p.varies ? 0 : least_lost_word(real_number(request.p));
    return {stream,
            start_of(record, n, replay),
            device_numbers(request.p),
            least_lost,
            static_cast<const T*>(request.x),
            static_cast<T*>(request.out),
            request.mask,
            request.one,
            n,
            request.scale,
            is_multiple(request.x, 16) && is_multiple(request.out, 16) && is_multiple(request.mask, item)};
}

}  // namespace detail::gpu
RNG_END_NAMESPACE
