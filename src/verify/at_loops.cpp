// The loops of verify_at.hpp, which are compiled with another fma.
#define RNG_ABI_NAMESPACE v1_at
#include "verify_at.hpp"

#include <rng/at.hpp>
#include <rng/detail/any_engine.hpp>
#include <rng/distributions/catalogue.hpp>

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

// Each distribution has two loops: one of the default engine, and one of an engine that is chosen at run time.
template <class E, class D> void write(const Stream<E>& stream, const D& dist, result_t<D>* out, size_t n) {
    for (size_t i = 0; i < n; ++i) out[i] = at(stream, dist, i);
}
template <class D> void write_by_at(const void* record, const void* dist, void* out, size_t n) {
    const StreamRecord& stream = *static_cast<const StreamRecord*>(record);
    const D& known = *static_cast<const D*>(dist);
    if (stream.engine == Engine::philox4x32_10)
        write(stream_of<Philox4x32_10>(stream), known, static_cast<result_t<D>*>(out), n);
    else
        write(any_stream(stream), known, static_cast<result_t<D>*>(out), n);
}
template <class... D> rng_abi::AtLoop loop_of(int distribution, type_list<D...>) {
    static constexpr rng_abi::AtLoop all[] = {&write_by_at<D>...};
    return all[distribution];
}

}  // namespace
}  // namespace detail
RNG_END_NAMESPACE

namespace rng_abi {
AtLoop at_loop(int distribution) { return rng::detail::loop_of(distribution, rng::catalogue{}); }
}  // namespace rng_abi
