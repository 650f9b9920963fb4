// PreparedMap<D>: a distribution whose map is prepared once. A kernel takes it as an argument, or creates one before
// its loop.
//
//     const rng::PreparedMap counts(rng::poisson{3.5});
//     int sum = 0;
//     for (int i = 0; i < 100; ++i) sum += rng::at(rng::Stream{42}, counts, i);   // as at(Stream{42}, poisson{3.5}, i)
//
// A map holds what follows from the parameters alone: a reciprocal, the coefficients of a polynomial.
// On the host Prepared (prepared.hpp) also keeps the table that a map can use.
#pragma once

#include "draw.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

struct DeviceTable;  // prepared.hpp

/// The maps that a prepared distribution keeps for fills: two of one type, whose tables are in the memory of the host
/// and of the device.
struct CachedMaps {
    const void* host;          // null if no map is kept
    const void* device;        // for kernels
    const DeviceTable* table;  // the table of the device's map, or null
};

/// The description of a prepared distribution: that of D.
template <class D> struct PreparedTraits {
    using prepared_distribution = D;
    using result_type = result_t<D>;
    using part_type = typename Unit<D>::Part;
    static constexpr const char* name = name_of<D>();
    static constexpr int slot_words = D::slot_words;
    static constexpr Shape map_shape = D::map_shape;
    static constexpr int operand_words = Unit<D>::operand_words;
    static constexpr int parts = Unit<D>::parts;
    static constexpr bool has_real_arithmetic = detail::has_real_arithmetic<D>();
    static constexpr bool retries_take_slots = detail::retries_take_slots<D>();
};

}  // namespace detail

/// A distribution D with its prepared map. Its values are those of D. Parameters must be in range, as for at().
template <class D> class PreparedMap : public detail::PreparedTraits<D> {
  public:
    using map_type = decltype(D{}.map());

    /// Prepares the distribution with its default parameters.
    RNG_FN PreparedMap() : PreparedMap(D{}) {}
    /// Prepares the map of these parameters, which must be in range.
    RNG_FN explicit PreparedMap(const D& dist) : map_(dist.map()) {}

    /// Returns a reference to the prepared map.
    [[nodiscard]] RNG_FN const map_type& cached_map() const { return map_; }
    /// Deprecated: use cached_map.
    [[deprecated("use cached_map")]] RNG_FN const map_type& kept_map() const { return map_; }
    /// Returns the map, for fills on the host and on a device.
    [[nodiscard]] detail::CachedMaps cached_maps() const { return {&map_, &map_, nullptr}; }
    /// Returns a copy of the map.
    [[nodiscard]] RNG_FN map_type map() const { return map_; }
    /// Returns a value that is drawn from the engine, as draw() does.
    template <class G> RNG_FN result_t<D> operator()(G& engine) const { return draw(*this, engine); }

  private:
    map_type map_;
};

template <class D> RNG_GUIDE PreparedMap(const D&)->PreparedMap<D>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
