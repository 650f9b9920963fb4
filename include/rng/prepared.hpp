// Prepared<D>: a distribution for many draws, with its transform (map) and its table prepared once.
//
//     const rng::Prepared arrivals(rng::poisson{3.5});
//     const rng::Stream stream{42};
//     int sum = 0;
//     for (int i = 0; i < 1000; ++i) sum += rng::at(stream, arrivals, i);   // as at(stream, poisson{3.5}, i)
//
// at(), fill(), sample(), Cursor and Reader take it, as does arrivals(engine), and give the values of D.
// Use it for single values and small fills of distributions whose preparation is costly: counts and piecewise
// distributions. Reader and std_distribution prepare a distribution once by themselves. Kernels take
// prepared.on_device().
#pragma once

#include <memory>

#include "detail/fill_request.hpp"
#include "device.hpp"
#include "prepared_map.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

namespace detail {

/// A table in a device's memory. Fills in flight, and captured graphs, may use the memory after the last copy is
/// destroyed.
struct DeviceTable {
    Device device;
    std::shared_ptr<const uint64_t> words;  // null: there is none
};
/// Copies a table of `words` 64-bit words to the device. Throws Error if the device is missing, and on a failure of
/// CUDA.
[[nodiscard]] RNG_API DeviceTable table_on(const char* name, Device device, const uint64_t* table, size_t words);

}  // namespace detail

/// A distribution D with its prepared map, and the table that the map uses. Copies share the table. Draws and fills do
/// not change a Prepared, so threads can share one. If D is a view of lists, the lists must outlive the Prepared, and
/// it must outlive the Cursors that read it.
template <class D> class Prepared : public detail::PreparedTraits<D> {
    using Known = detail::canonical_t<D>;

  public:
    using map_type = decltype(Known{}.map());

    /// Prepares the distribution with its default parameters.
    Prepared() : Prepared(D{}) {}
    /// Prepares the distribution. Throws Error on a parameter out of range.
    explicit Prepared(const D& dist) : dist_(dist) {
        detail::validate("Prepared", dist);
        detail::in_standard_modes([](void* self) { static_cast<Prepared*>(self)->prepare(); }, this);
    }
    /// Prepares the distribution, and copies its table, if it has one, to the memory of a GPU for fills of that memory.
    /// A captured graph keeps the table as long as the graph can run. Throws Error if the device is missing, and on a
    /// failure of CUDA.
    Prepared(const D& dist, Device device) : Prepared(dist) {
        if constexpr (detail::has_table<Known>) {
            if (device == cpu() || table_ == nullptr) return;
            const Known& known = detail::canonical(dist_);
            device_table_ = detail::table_on(detail::name_of<D>(), device, table_.get(), known.table_words());
            device_map_ = known.map(device_table_.words.get());
        }
    }

    /// Returns the distribution with its parameters.
    [[nodiscard]] const D& distribution() const { return dist_; }
    /// Returns a copy without the table, of a trivially copyable type: an argument for kernels.
    [[nodiscard]] PreparedMap<D> on_device() const { return PreparedMap<D>(dist_); }

    /// Returns a copy of the map, which uses the table.
    [[nodiscard]] map_type map() const { return map_; }
    /// Returns a reference to the prepared map.
    [[nodiscard]] const map_type& cached_map() const { return map_; }
    /// Deprecated: use cached_map.
    [[deprecated("use cached_map")]] const map_type& kept_map() const { return map_; }
    /// Returns the maps for fills on the host and on the device.
    [[nodiscard]] detail::CachedMaps cached_maps() const { return {&map_, &device_map_, &device_table_}; }
    /// Returns a value that is drawn from the engine, as draw() does.
    template <class G> result_t<D> operator()(G& engine) const { return draw(*this, engine); }

  private:
    void prepare() {
        const Known& known = detail::canonical(dist_);
        device_map_ = map_ = known.map();
        if constexpr (detail::has_table<Known>) {
            if (const size_t words = known.table_words(); words > 0) {
                table_ = std::shared_ptr<uint64_t[]>(new uint64_t[words]);
                known.build_table(table_.get());
                map_ = known.map(static_cast<const uint64_t*>(table_.get()));
            }
        }
    }

    D dist_;
    std::shared_ptr<uint64_t[]> table_;
    detail::DeviceTable device_table_{cpu(), nullptr};
    map_type map_ = Known{}.map(), device_map_ = map_;
};

/// Does not compile: Prepared is for scalar distributions only.
template <class D>
requires(!distribution<D>) class Prepared<D> {
    static_assert(detail::never<D>,
                  "Prepared keeps the map of a distribution of single values; a distribution of rows, such as "
                  "multinomial, has none: pass it to fill_rows(matrix, dist, generator) as it is");

  public:
    /// Does not compile; the message says what to write.
    explicit Prepared(const D&);
    /// Does not compile; the message says what to write.
    Prepared(const D&, Device);
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
