// DeviceSums: the kernels of sums in the memory of a GPU, and the data on which they run. A Device runs them, as
// svd_backend.hpp describes it. The workspace begins at a multiple of 256 bytes.
#pragma once

#include <type_traits>

#include "search.hpp"
#include "sum_kernels.hpp"

RNG_BEGIN_NAMESPACE
namespace detail::gpu {

/// Places of buffers in a workspace, one after the other.
class Places {
  public:
    /// Returns the place of n values of V, in bytes from the beginning.
    template <class V> [[nodiscard]] size_t take(uint64_t n) {
        const size_t begin = bytes_;
        bytes_ += static_cast<size_t>(divided_up(n * sizeof(V), 256) * 256);
        return begin;
    }
    [[nodiscard]] size_t bytes() const { return bytes_; }

  private:
    size_t bytes_ = 0;
};

/// Launches a kernel with a thread for each of n.
template <class Device, class K> void launch_each(Device& device, uint64_t n, const K& kernel) {
    if (n > 0) device.launch(kernel, divided_up(n, K::threads), 1);
}
template <class V, class Device> [[nodiscard]] V host_copy(Device& device, const V* from) {
    V value;
    device.to_host(&value, from, sizeof value);
    return value;
}

/// Calls f<T, S>() with the type of a sum's numbers, and with that of the numbers in memory.
template <class F> void with_numbers(StoredReal stored, bool in_double, const F& f) {
    const auto with = [&]<class T>(T) {
        visit_stored(stored, nullptr, [&]<class S>(const S*) {
            if constexpr (sizeof(S) <= sizeof(T)) f.template operator()<T, S>();
        });
    };
    in_double ? with(double{}) : with(float{});
}

/// Sums of elements with Parts numbers of S, with the results of src/reduce/sums.cpp.
template <class T, class S, int Parts, class Device> class DeviceSums {
  public:
    DeviceSums(const ReductionRequest& q, const Leaves& leaves, Device& device)
        : q_(q), leaves_(leaves), device_(device) {
        const uint64_t n = leaves.runs();
        const bool is_norm = q.reduction == Reduction::norm2, is_variance = q.reduction == Reduction::variance;
        first_ = places_.take<T>(n * static_cast<uint64_t>(sums_of(first_pass(), Parts)));
        means_ = places_.take<T>(is_variance ? leaves.results * Parts : 0);
        second_ = places_.take<T>(is_variance ? n * 2 * Parts : is_norm ? n * Parts : 0);
    }
    /// Returns the bytes of workspace.
    [[nodiscard]] size_t bytes() const { return places_.bytes(); }

    /// Writes the results, one after the other.
    void run(std::byte* workspace, T* out) {
        const auto at = [&](size_t place) { return reinterpret_cast<T*>(workspace + place); };
        T *const first = at(first_), *const means = at(means_), *const second = at(second_);
        switch (q_.reduction) {
            case Reduction::sum:
            case Reduction::mean: add<Add::value>(first); return finish(q_.reduction, first, out);
            case Reduction::variance:
                add<Add::value>(first);
                finish(Reduction::mean, first, means);
                add<Add::spread>(second, means);
                return finish(q_.reduction, second, out);
            case Reduction::norm2:
                add<Add::square>(first);
                add<Add::scaled_square>(second, first);
                return finish(q_.reduction, first, out, second);
            case Reduction::dot:
            case Reduction::vdot: add<Add::product>(first); return finish(q_.reduction, first, out);
        }
    }

  private:
    [[nodiscard]] Add first_pass() const {
        return q_.reduction == Reduction::norm2                                    ? Add::square
               : q_.reduction == Reduction::dot || q_.reduction == Reduction::vdot ? Add::product
                                                                                   : Add::value;
    }
    [[nodiscard]] static TermsOf<S> terms_of(const Terms& terms) {
        return {static_cast<const S*>(terms.data), terms.stride * Parts, terms.next * Parts};
    }

    /// True if a warp should read neighbouring results. Fewer than 8 of them leave most of it idle.
    [[nodiscard]] bool has_columns() const {
        const auto size = [](ptrdiff_t x) { return x < 0 ? -x : x; };
        return leaves_.offsets == nullptr && leaves_.results >= 8 && size(q_.x.next) < size(q_.x.stride);
    }

    /// Adds up all leaves, and then those of each result.
    template <Add What> void add(T* sums, const T* given = nullptr) {
        constexpr auto each = static_cast<uint32_t>(sums_of(What, Parts));
        // Few norms need scaled squares: a small grid finds them.
        constexpr bool is_rare = What == Add::scaled_square;
        constexpr uint64_t warp = warp_size, most_rare = 1024;
        bool is_done = false;
        if constexpr (What == Add::value || What == Add::spread || What == Add::square)
            if (has_columns()) {
                using Columns = AddColumns<T, S, Parts, What>;
                device_.launch(Columns{leaves_, terms_of(q_.x), given, sums}, Columns::blocks(leaves_), 1);
                is_done = true;
            }
        if (!is_done) {
            using Rows = AddLeaves<T, S, Parts, What>;
            const uint64_t blocks = divided_up(leaves_.runs() * warp, Rows::threads);
            if (blocks > 0)
                device_.launch(Rows{leaves_, terms_of(q_.x), terms_of(q_.y), given, sums},
                               is_rare && blocks > most_rare ? most_rare : blocks, 1);
        }
        for (uint64_t span = 1; span < leaves_.most_runs(); span *= merged_by_warp) {
            const MergeLeaves<T> merge{
                leaves_, sums, span, each, What == Add::square ? each - 1 : each, is_rare ? given : nullptr};
            launch_each(device_, leaves_.runs(merge.size()) * warp, merge);
        }
    }
    void finish(Reduction reduction, const T* sums, T* out, const T* scaled = nullptr) {
        launch_each(device_, leaves_.results,
                    FinishSums<T, Parts>{leaves_, reduction, sums, scaled, static_cast<T>(q_.terms),
                                         static_cast<T>(static_cast<double>(q_.terms) - q_.correction), out});
    }

    const ReductionRequest& q_;
    Leaves leaves_;
    Device& device_;
    Places places_;
    size_t first_, means_, second_;
};

/// Calls f(sums) with the DeviceSums of a request.
template <class Device, class F>
void with_sums(const ReductionRequest& q, const Leaves& leaves, Device& device, const F& f) {
    with_numbers(q.stored, q.in_double, [&]<class T, class S>() {
        if (q.parts == 1) {
            DeviceSums<T, S, 1, Device> sums(q, leaves, device);
            f(sums, T{});
        } else if constexpr (sizeof(S) >= 4) {
            DeviceSums<T, S, 2, Device> sums(q, leaves, device);
            f(sums, T{});
        }
    });
}

/// A search for the first fault, and its place in a workspace.
class FaultSearch {
  public:
    explicit FaultSearch(Places& places)
        : found_(places.take<SearchResult>(most_search_blocks)), best_(places.take<SearchResult>(1)) {}
    template <class Device, class Fault>
    [[nodiscard]] std::optional<uint64_t> first(Device& device, std::byte* workspace, const Fault& fault,
                                                uint64_t n) const {
        return first_fault(device, fault, n, reinterpret_cast<SearchResult*>(workspace + found_),
                           reinterpret_cast<SearchResult*>(workspace + best_));
    }

  private:
    size_t found_, best_;
};

/// Throws Error (invalid_argument) if offsets are wrong, as the CPU does. Waits. workspace: of the search.
template <class Device>
void require_offsets(const char* call, const Leaves& leaves, Device& device, const FaultSearch& search,
                     std::byte* workspace) {
    const auto k = search.first(device, workspace, BadSegment{leaves}, leaves.results + 1);
    if (!k) return;
    const auto offset = [&](uint64_t i) -> long long {
        return leaves.offsets_are_wide ? host_copy(device, static_cast<const int64_t*>(leaves.offsets) + i)
                                       : host_copy(device, static_cast<const int32_t*>(leaves.offsets) + i);
    };
    const long long value = offset(*k), before = *k == 0 ? 0 : offset(*k - 1);
    if (*k == 0 ? value != 0 : value < before) refuse_offset(call, value, before, static_cast<size_t>(*k));
    refuse_last_offset(call, static_cast<size_t>(leaves.terms), value);
}

}  // namespace detail::gpu
RNG_END_NAMESPACE
