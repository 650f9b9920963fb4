// Runs the kernels of fills whose parameters vary, and of masks, translated from PTX (shared libraries made by run.py),
// against the CPU's.
//
//     parity_each [--only counts|gamma|masks|ends]... LIBRARY...
//
// Exit code 0: no bit differs (NaNs are one number), and nothing else was written. 1: a difference. 2: misuse.
#include <rng/any_distribution.hpp>
#include <rng/distributions/catalogue.hpp>
#include <rng/fill.hpp>

#include <random>
#include <string>
#include <vector>

#include "each_kernels.hpp"
#include "ptx_device.hpp"

namespace {

using namespace parity;
using rng::detail::AnyEngine;
using rng::detail::EachNumbers;
using rng::detail::EachRequest;
using rng::detail::MaskRequest;
using rng::detail::MaskType;
using rng::detail::NumberType;
using rng::detail::StreamRecord;

using EachDevice = ListedPtxDevice<each_kernels>;

template <class T> constexpr NumberType type_of = NumberType::i64;
template <> constexpr NumberType type_of<float> = NumberType::f32;
template <> constexpr NumberType type_of<double> = NumberType::f64;
template <> constexpr NumberType type_of<uint64_t> = NumberType::u64;

/// Numbers for every value, in memory of the device.
template <class T> EachNumbers varying(int field, const std::vector<T>& data) {
    return {field, type_of<T>, true, false, data.data()};
}
/// A number for all values, in memory of the host.
template <class T> EachNumbers constant(int field, const T& number) {
    return {field, type_of<T>, false, true, &number};
}

/// Calls f with the records of streams of all engines, at places whose blocks begin elsewhere than the values.
template <class F> void each_stream(const F& f) {
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        for (const uint64_t position : {uint64_t{0}, uint64_t{20}, (uint64_t{1} << 34) - 40})
            f(rng::detail::record(rng::Stream<E>(0xdeadbeefcafef00d, 0x8000000000000005, position)));
    });
}

template <class T> bool is_same_number(const T& a, const T& b) {
    if constexpr (!std::is_integral_v<T>) {
        const auto x = static_cast<double>(a), y = static_cast<double>(b);
        if (std::isnan(x) && std::isnan(y)) return true;
    }
    return same(&a, &b, sizeof a);
}
template <class T>
void compare_numbers(Library& library, const std::vector<T>& host, const T* made, const std::string& what) {
    for (size_t i = 0; i < host.size(); ++i)
        count(library, 1, is_same_number(host[i], made[i]), what + ", value " + std::to_string(i));
}

/// The law D, whose kernel computes values of Wide.
template <class D, class Wide>
void compare_each(std::vector<Library>& libraries, const std::vector<EachNumbers>& parameters, size_t n,
                  const std::string& what) {
    using T = rng::result_t<D>;
    each_stream([&](const StreamRecord& stream) {
        const EachRequest request{"test", rng::catalogue_index<D>, parameters, stream};
        rng::detail::require_each(request, n);
        std::vector<T> host(n);
        rng::detail::write_each_values(request, 0, host.data(), n);
        const uint64_t replay = 3, before = replay * n * D::slot_words;
        StreamRecord earlier = stream;
        const bool is_replayed = stream.position >= before;
        if (is_replayed) earlier.position -= before;
        for (Library& library : libraries) {
            const Memory out(n * sizeof(T));
            const auto kernel = gpu::each_kernel<Wide>(request, out.data(), n, earlier, sizeof(T) == 4,
                                                       is_replayed ? &replay : nullptr);
            EachDevice(library, is_replayed).launch(kernel, 2, 1);
            compare_numbers(library, host, reinterpret_cast<const T*>(out.data()),
                            what + " by " + rng::engine_name(stream.engine));
            out.check(what);
        }
    });
}

/// Numbers between two powers of two, as many small as large ones.
template <class T> std::vector<T> spread(size_t n, double least, double most, uint64_t seed) {
    std::mt19937_64 bits(seed);
    std::uniform_real_distribution<double> exponent(least, most);
    std::vector<T> x(n);
    for (T& number : x) number = static_cast<T>(std::exp2(exponent(bits)));
    return x;
}

constexpr size_t n = 700;  // more than a grid of two blocks has threads

void compare_counts(std::vector<Library>& libraries) {
    const auto means = spread<double>(n, -70, 40, 1);
    auto small = spread<float>(n, -3, 10, 2);
    small[0] = small[699] = 0;
    const auto trials = spread<int64_t>(n, 0, 50, 3);
    const auto few = spread<int64_t>(n, 0, 30, 4);
    std::vector<double> p = spread<double>(n, -30, 0, 5);
    for (size_t i = 0; i < n; i += 3) p[i] = 1 - p[i];
    const std::vector<float> p32(p.begin(), p.end());
    const std::vector<double> real_trials(few.begin(), few.end());
    using rng::binomial, rng::poisson;
    compare_each<poisson<int64_t>, poisson<int64_t>>(libraries, {varying(0, means)}, n, "poisson of f64");
    compare_each<poisson<int32_t>, poisson<int64_t>>(libraries, {varying(0, small)}, n, "poisson of f32");
    compare_each<poisson<int64_t>, poisson<int64_t>>(libraries, {varying(0, few)}, n, "poisson of i64");
    const auto both = [&](const auto& number, const auto& probability) {
        return std::vector{varying(0, number), varying(1, probability)};
    };
    compare_each<binomial<int64_t>, binomial<int64_t>>(libraries, both(trials, p), n, "binomial of i64");
    compare_each<binomial<int32_t>, binomial<int64_t>>(libraries, both(few, p32), n, "binomial of i32");
    compare_each<binomial<int64_t>, binomial<int64_t>>(libraries, both(real_trials, p), n, "binomial of f64");
    const double half = 0.5;
    const uint64_t many = 1000;
    compare_each<binomial<int64_t>, binomial<int64_t>>(libraries, {varying(0, few), constant(1, half)}, n,
                                                       "binomial of p = 1/2");
    compare_each<binomial<int64_t>, binomial<int64_t>>(libraries, {varying(0, few)}, n, "binomial of the default p");
    compare_each<binomial<int32_t>, binomial<int64_t>>(libraries, {constant(0, many), varying(1, p)}, n,
                                                       "binomial of 1000 trials");
}

template <class T> void compare_gammas(std::vector<Library>& libraries) {
    const auto shapes = spread<T>(n, -20, 20, 6), scales = spread<T>(n, -40, 80, 7);
    const std::vector<double> others(shapes.begin(), shapes.end());
    using D = rng::gamma<T>;
    compare_each<D, D>(libraries, {varying(0, shapes), varying(1, scales)}, n, "gamma");
    compare_each<D, D>(libraries, {varying(0, others)}, n, "gamma of f64");
}

template <class T, class E, class Stream>
void compare_mask(std::vector<Library>& libraries, MaskRequest request, const Stream& stream, const std::vector<T>& x,
                  size_t offset, bool has_mask, const std::string& what) {
    const size_t size = x.size();
    std::vector<T> host(size);
    std::vector<uint8_t> mask(size);
    request.out = host.data();
    request.x = request.type == MaskType::pattern ? nullptr : x.data();
    request.mask = has_mask ? mask.data() : nullptr;
    rng::detail::write_mask(request, size);
    const uint64_t replay = 2;
    StreamRecord earlier = request.stream;
    const bool is_replayed = earlier.position >= replay * size;
    if (is_replayed) earlier.position -= replay * size;
    for (Library& library : libraries) {
        const Memory from((size + offset) * sizeof(T)), out((size + offset) * sizeof(T)), kept(size + offset);
        std::memcpy(from.data() + offset * sizeof(T), x.data(), size * sizeof(T));
        MaskRequest q = request;
        T* const in_place = reinterpret_cast<T*>(from.data()) + offset;
        q.x = request.x == nullptr ? nullptr : in_place;
        q.out = offset == 2 && request.x != nullptr ? in_place : reinterpret_cast<T*>(out.data()) + offset;
        q.mask = has_mask ? reinterpret_cast<uint8_t*>(kept.data()) + offset : nullptr;
        const auto kernel = gpu::mask_kernel<T>(q, size, stream, earlier, is_replayed ? &replay : nullptr);
        EachDevice(library, offset > 0).launch(kernel, 1, 1);
        compare_numbers(library, host, static_cast<const T*>(q.out), what);
        if (has_mask) count(library, size, same(mask.data(), kept.data() + offset, size), "the mask of " + what);
        out.check(what);
        kept.check(what);
    }
}

std::vector<uint32_t> words_of(const StreamRecord& stream, size_t size) {
    std::vector<uint32_t> words(size);
    rng::visit_engine(stream.engine, [&]<class E>(rng::type_tag<E>) {
        rng::fill(words, rng::bits<uint32_t>{}, rng::detail::stream_of<E>(stream));
    });
    return words;
}

template <class T> void compare_masks(std::vector<Library>& libraries, MaskType type, uint64_t one) {
    constexpr size_t most = 5003;
    std::vector<T> x(most);
    Numbers numbers(9);
    for (T& number : x) {
        const double made = std::ldexp(numbers.number(), static_cast<int>(numbers.next() % 40) - 20);
        if constexpr (!std::is_integral_v<T>) number = as<T>(made);
    }
    if constexpr (!std::is_integral_v<T>) {
        const std::vector<double> special{
            INFINITY, -INFINITY, NAN,      0.0,       -0.0,
            65504,    0x1p-24,   0x1p-140, 0x1p-1060, sizeof(T) == 8 ? 0x1.9p1023 : 0x1.9p127};
        for (size_t i = 0; i < 4 * special.size(); ++i) x[i] = as<T>(special[i % special.size()]);
    }
    std::vector<double> p(most);
    for (size_t i = 0; i < most; ++i) p[i] = static_cast<double>(i % 101) / 100;
    p[0] = 0x1p-34, p[1] = 0x1.8p-33, p[2] = 1 - 0x1p-34, p[3] = 5e-324;
    const std::vector<float> p32(p.begin(), p.end());
    MaskRequest request{};
    request.call = "test";
    request.bytes = sizeof(T);
    request.one = one;
    each_stream([&](const StreamRecord& stream) {
        for (const MaskType of : {type, MaskType::pattern})
            for (const size_t offset : {0, 1, 2})
                for (const size_t size : {size_t{3}, size_t{37}, most}) {
                    request.type = of;
                    request.scale = offset == 1 ? 0.75 : 1 / 0.7;  // half types have ties with 0.75
                    request.stream = stream;
                    request.stream.position += size % 4 + offset;
                    const auto words = words_of(request.stream, size);
                    // A word on the threshold itself is not kept.
                    for (size_t i = 4; i < size; i += 5) p[i] = words[i] * 0x1p-32;
                    const double constants[] = {words[size / 2] * 0x1p-32, 0.7, 1, 0};
                    request.p = offset == 0   ? constant(0, constants[size / 36 % 4])
                                : offset == 1 ? varying(0, p)
                                              : varying(0, p32);
                    const std::vector<T> some(x.begin(), x.begin() + static_cast<ptrdiff_t>(size));
                    const std::string what = "mask of " + std::to_string(size) + " of " + std::to_string(sizeof(T)) +
                                             " bytes at " + std::to_string(offset) + " by " +
                                             rng::engine_name(stream.engine);
                    const StreamRecord& from = request.stream;
                    if (stream.engine == rng::Engine::philox4x32_10) {
                        const auto philox = rng::detail::stream_of<rng::Philox4x32_10>(from);
                        compare_mask<T, rng::Philox4x32_10>(libraries, request, philox, some, offset, size != 37, what);
                    }
                    if (size < most || stream.engine != rng::Engine::philox4x32_10)
                        compare_mask<T, AnyEngine>(libraries, request, rng::detail::any_stream(from), some, offset,
                                                   size != 37, what);
                }
    });
}

/// Values of parameters of any bits mean nothing, but kernels end.
template <class D> void expect_ends(std::vector<Library>& libraries) {
    std::mt19937_64 bits(1);
    std::vector<double> first(200), second(200);
    for (std::vector<double>* numbers : {&first, &second})
        for (double& number : *numbers) {
            const uint64_t word = bits();
            std::memcpy(&number, &word, sizeof number);
        }
    first[0] = first[1] = second[1] = NAN, first[2] = INFINITY, second[3] = INFINITY, first[4] = -1;
    std::vector<EachNumbers> parameters{varying(0, first)};
    if (D::fields().size() == 2) parameters.push_back(varying(1, second));
    const StreamRecord stream = rng::detail::record(rng::Stream<>(5));
    const EachRequest request{"test", rng::catalogue_index<D>, parameters, stream};
    for (Library& library : libraries) {
        const ptx_counts before = *library.counts;
        const Memory out(first.size() * 8);
        EachDevice(library).launch(gpu::each_kernel<D>(request, out.data(), first.size(), stream, false, nullptr), 1,
                                   1);
        count(library, first.size(), true, "ends");
        *library.counts = before;
    }
}

}  // namespace

int main(int argc, char** argv) {
    Command command(argc, argv, "parity_each", {"counts", "gamma", "masks", "ends"});
    if (command.has("counts")) compare_counts(command.libraries);
    if (command.has("gamma")) {
        compare_gammas<float>(command.libraries);
        compare_gammas<double>(command.libraries);
    }
    if (command.has("masks")) {
        compare_masks<uint8_t>(command.libraries, MaskType::pattern, 1);
        compare_masks<rng::float16>(command.libraries, MaskType::f16, 0x3c00);
        compare_masks<rng::bfloat16>(command.libraries, MaskType::bf16, 0x3f80);
        compare_masks<float>(command.libraries, MaskType::f32, 0x3f800000);
        compare_masks<double>(command.libraries, MaskType::f64, 0x3ff0000000000000);
    }
    if (command.has("ends")) {
        expect_ends<rng::poisson<int64_t>>(command.libraries);
        expect_ends<rng::binomial<int64_t>>(command.libraries);
        expect_ends<rng::gamma<float>>(command.libraries);
        expect_ends<rng::gamma<double>>(command.libraries);
    }
    return report(command.libraries) ? 0 : 1;
}
