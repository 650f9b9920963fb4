// The type-erased parts of permutations, shuffle() and choice().
#include <rng/choice.hpp>
#include <rng/detail/fill_request.hpp>
#include <rng/distributions/gumbel.hpp>
#include <rng/lane/functions.hpp>
#include <rng/shuffle.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <numeric>
#include <string>

#include "cpu/dispatch.hpp"
#include "cpu/parallel_for.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Calls f(stream) for the stream of a record.
template <class F> void with_stream(const StreamRecord& r, const F& f) {
    visit_engine(r.engine, [&]<class E>(type_tag<E>) { f(stream_of<E>(r)); });
}

/// All values of a permutation of n <= most_exchanged numbers. They need no allocation, which could fail after the
/// generator has advanced.
using Exchanged = std::array<uint16_t, most_exchanged>;
Exchanged exchanged(const StreamRecord& own, uint64_t n) {
    Exchanged value;
    std::iota(value.begin(), value.begin() + static_cast<ptrdiff_t>(n), uint16_t{0});
    with_stream(own, [&]<class E>(const Stream<E>& stream) {
        Exchanges<E> exchanges(stream);
        for (auto j = static_cast<uint32_t>(n); j-- > 1;) std::swap(value[j], value[exchanges.partner(j)]);
    });
    return value;
}

/// The fewest values that get a thread: about 10 microseconds of work.
constexpr size_t least_permuted = 4096;

}  // namespace

StreamRecord private_record(const StreamRecord& slot) {
    StreamRecord own{};
    with_stream(slot, [&](const auto& stream) { own = record(private_stream(stream, stream.position)); });
    return own;
}

void fill_permutation(const StreamRecord& own, uint64_t n, uint64_t first, void* out, size_t count,
                      size_t value_bytes) {
    const auto& kernels = rng_cpu::kernels_for(count * value_bytes, false);
    if (n <= most_exchanged) {
        const Exchanged value = exchanged(own, n);
        if (value_bytes == 4)
            std::copy_n(value.begin() + static_cast<ptrdiff_t>(first), count, static_cast<uint32_t*>(out));
        else
            std::copy_n(value.begin() + static_cast<ptrdiff_t>(first), count, static_cast<uint64_t*>(out));
        return;
    }
    Feistel<> feistel;
    with_stream(own, [&]<class E>(const Stream<E>& stream) { feistel = KeyedPermutation<E>(n, stream).keys(); });
    const rng_cpu::FpEnvironment environment;
    rng_cpu::parallel_for(count, 1024, count / least_permuted, [&](size_t begin, size_t end) {
        kernels.permute(n, feistel.key, first + begin, static_cast<std::byte*>(out) + begin * value_bytes, end - begin,
                        value_bytes);
    });
}

uint64_t check_weights(const char* call, std::span<const double> weights) {
    using List = Weights<double>;
    if (weights.size() > List::most)
        raise_text(ErrorCode::invalid_argument, "%s: weights must have at most 2^31 - 1 elements, got %zu", call,
                   weights.size());
    uint64_t positive = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        if (const ParameterFault wrong = List::fault_of(i, weights[i]))
            raise_text(ErrorCode::invalid_argument, "%s: weights[%zu] %s, got %.17g", call, i, wrong.limit, weights[i]);
        if (!List::counts_as_zero(weights[i])) ++positive;
    }
    return positive;
}

void weighted_choice(const StreamRecord& own, std::span<const double> weights, size_t k, std::span<double> key,
                     std::vector<uint64_t>& index) {
    struct Job {
        std::span<const double> weights;
        std::span<double> key;
    } job{weights, key};
    constexpr gumbel<double> dist{0, 1};
    fill_values(request(dist, own), job.key.data(), job.key.size());
    run_in_chunks(
        weights.size(), weights.size() / least_permuted,
        [](void* context, size_t first, size_t last) {
            using F = lane::f64<lane::Scalar>;
            Job& all = *static_cast<Job*>(context);
            for (size_t i = first; i < last; ++i)
                if (!Weights<double>::counts_as_zero(all.weights[i]))
                    all.key[i] = lane::add(lane::ln(F(all.weights[i])), F(all.key[i])).v;
        },
        &job);
    for (size_t i = 0; i < weights.size(); ++i)
        if (!Weights<double>::counts_as_zero(weights[i])) index.push_back(i);
    const auto chosen_before = [&](uint64_t a, uint64_t b) {
        if (key[a] > key[b]) return true;
        return !(key[a] < key[b]) && a < b;
    };
    const auto end = index.begin() + static_cast<ptrdiff_t>(k);
    std::nth_element(index.begin(), end, index.end(), chosen_before);
    std::sort(index.begin(), end, chosen_before);
    index.resize(k);
}

}  // namespace detail
RNG_END_NAMESPACE
