#include "table_loops.hpp"

#include <rng/at.hpp>

namespace parity {
namespace {

template <class D>
void write(const rng::Stream<TableEngine>& stream, const void* dist, std::uint64_t first, void* out, std::size_t n) {
    const D& known = *static_cast<const D*>(dist);
    for (std::size_t i = 0; i < n; ++i) static_cast<rng::result_t<D>*>(out)[i] = rng::at(stream, known, first + i);
}
template <class... D> TableLoop loop_of(int distribution, rng::type_list<D...>) {
    static constexpr TableLoop all[] = {&write<D>...};
    return all[distribution];
}

}  // namespace

TableLoop table_loop(int distribution) { return loop_of(distribution, rng::catalogue{}); }

}  // namespace parity
