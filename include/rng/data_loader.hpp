// EpochSampler: which item of a data set a loader reads at each place of an epoch, and the random numbers of that item.
//
//     rng::EpochOptions options;
//     options.items = 50'000;
//     options.batch_size = 64;
//     options.ranks = 4, options.rank = 1;                          // this process is the second of four
//     const rng::EpochSampler epoch(rng::Stream{42}, 3, options);   // seed 42, epoch 3
//     for (uint64_t b = 0; b < epoch.batches(); ++b)                // in any order, by any worker, from any batch on
//         for (const auto& sample : epoch.batch(b)) {
//             const float angle = rng::at(sample.numbers, rng::uniform{-10.0f, 10.0f}, 0);
//             (void)angle, (void)sample.item;                       // read item, rotate by the angle
//         }
//     for (const auto& sample : epoch) (void)sample.item;           // all samples of this rank, in its order
//
// Items and numbers are a pure function of the stream and the epoch. They do not depend on the number of workers, on
// prefetching, or on the batch at which a training run resumes.
// The number of ranks does not change the item or the numbers of a place. It determines which rank has the place, and
// how many places are left out or read again at the end of the epoch.
// Ranks share an epoch as in torch.utils.data.DistributedSampler: sample k of rank r is at place r + k * ranks. If the
// items cannot be shared evenly, the epoch starts again from its first place, or its tail is left out (drop_last).
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "choice.hpp"
#include "permutation.hpp"
#include "shuffle.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// The items of an epoch, and this rank's part of it.
struct EpochOptions {
    uint64_t items = 0;            ///< items of the data set
    uint64_t batch_size = 1;       ///< samples in a batch; the last batch may have fewer
    uint64_t ranks = 1;            ///< processes that share an epoch
    uint64_t rank = 0;             ///< this process, below `ranks`, which is at most 2^31
    bool shuffle = true;           ///< true: items in random order; false: in their own order
    bool drop_last = false;        ///< true: leaves out places that would make ranks uneven; false: repeats items
    bool drop_last_batch = false;  ///< true: no batch has fewer than batch_size samples
    bool replacement = true;       ///< in a weighted epoch; false: no item is chosen twice
};

/// An item to read, its place in the epoch of all ranks, and its random numbers.
template <class E = Philox4x32_10> struct EpochSample {
    uint64_t item = 0;
    uint64_t place = 0;
    Stream<E> numbers;  ///< of item and epoch; in a weighted epoch, of place and epoch
};

/// The samples of one epoch for one rank. Threads may share it.
template <class E = Philox4x32_10> class EpochSampler {
  public:
    /// Creates an epoch in which each item appears once. Takes no memory for more than 2048 items.
    /// Throws Error (invalid_argument): items above 2^55, epoch above 2^56 - 1, batch_size 0, ranks 0 or above 2^31,
    /// rank >= ranks.
    EpochSampler(const Stream<E>& stream, Integer epoch, const EpochOptions& options)
        : EpochSampler(stream, epoch, options, options.items, "items") {
        if (!options_.shuffle || places_ == 0) return;
        permuted_ = permutation{places_}.of(order_stream_);
        if (places_ > detail::most_exchanged) return;
        table_.resize(places_);
        fill(table_, permuted_);
    }
    /// Creates an epoch of `samples` items, chosen with probabilities proportional to the weights
    /// (torch.utils.data.WeightedRandomSampler): as choice_with_replacement() does, or as choice() does if
    /// options.replacement is false. Ignores options.items and options.shuffle. Takes 8 bytes for each sample, or for
    /// each weight without replacement. Throws Error as the constructor above does, with `samples` for the items, and
    /// as choice_with_replacement() or choice() do for the weights.
    EpochSampler(const Stream<E>& stream, Integer epoch, const EpochOptions& options, std::span<const double> weights,
                 Integer samples)
        : EpochSampler(stream, epoch, options, samples, "samples") {
        is_weighted_ = true;
        table_ = options.replacement
                     ? detail::weighted_draws("EpochSampler", "samples", weights, samples, order_stream_)
                     : detail::weighted_choice_of("EpochSampler", "samples", weights, samples, order_stream_);
    }

    /// Returns the number of this rank's samples.
    [[nodiscard]] uint64_t size() const {
        return places_ / options_.ranks + (!options_.drop_last && places_ % options_.ranks != 0 ? 1 : 0);
    }
    /// Returns sample k of this rank. Throws Error (invalid_argument) if k >= size().
    [[nodiscard]] EpochSample<E> operator[](Integer k) const {
        require_below("operator[]: k must be below size()", k, size());
        const uint64_t place = (options_.rank + k * options_.ranks) % places_;
        const uint64_t item = !table_.empty() ? table_[place] : options_.shuffle ? permuted_.at(place) : place;
        return {item, place, numbers_.fork(is_weighted_ ? place : item)};
    }

    /// Returns the number of this rank's batches.
    [[nodiscard]] uint64_t batches() const {
        const uint64_t whole = size() / options_.batch_size;
        return whole + (!options_.drop_last_batch && size() % options_.batch_size != 0 ? 1 : 0);
    }
    /// Returns the samples of batch b. Throws Error (invalid_argument) if b >= batches().
    [[nodiscard]] std::vector<EpochSample<E>> batch(Integer b) const {
        require_below("batch: b must be below batches()", b, batches());
        const uint64_t first = b * options_.batch_size, count = std::min(options_.batch_size, size() - first);
        std::vector<EpochSample<E>> samples;
        samples.reserve(count);
        for (uint64_t k = first; k < first + count; ++k) samples.push_back((*this)[k]);
        return samples;
    }

    /// A forward iterator over the samples of this rank. The epoch must outlive it.
    class iterator {
      public:
        using value_type = EpochSample<E>;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;  // for C++17's algorithms: * returns a value
        using iterator_concept = std::forward_iterator_tag;

        iterator() = default;
        /// Points to sample k.
        iterator(const EpochSampler& epoch, uint64_t k) : epoch_(&epoch), k_(k) {}
        [[nodiscard]] EpochSample<E> operator*() const { return (*epoch_)[k_]; }
        iterator& operator++() {
            ++k_;
            return *this;
        }
        iterator operator++(int) { return {*epoch_, k_++}; }
        bool operator==(const iterator&) const = default;

      private:
        const EpochSampler* epoch_ = nullptr;
        uint64_t k_ = 0;
    };
    /// Returns an iterator to the first sample of this rank.
    [[nodiscard]] iterator begin() const { return {*this, 0}; }
    /// Returns the iterator past the last sample of this rank.
    [[nodiscard]] iterator end() const { return {*this, size()}; }

  private:
    EpochSampler(const Stream<E>& stream, uint64_t epoch, const EpochOptions& options, uint64_t places,
                 const char* what)
        : options_(checked(epoch, options, places, what)),
          places_(places),
          order_stream_(stream.fork("order").fork(epoch)),
          numbers_(stream.fork("numbers").fork(epoch)),
          permuted_(permutation{}.of(order_stream_)) {}

    /// Returns the options. Throws Error unless they, the epoch and the number of places (named `what`) are valid.
    static const EpochOptions& checked(uint64_t epoch, const EpochOptions& options, uint64_t places, const char* what) {
        const auto demand = [](bool valid, const std::string& limit, uint64_t got) {
            if (!valid) detail::refuse("EpochSampler", limit + ", got " + detail::NumberText(got).text);
        };
        demand(epoch >> 56 == 0, "epoch must be below 2^56", epoch);
        demand(places <= uint64_t{1} << 55, std::string(what) + " must be at most 2^55", places);
        demand(options.batch_size > 0, "batch_size must be at least 1", options.batch_size);
        demand(options.ranks > 0 && options.ranks <= uint64_t{1} << 31, "ranks must be in [1, 2^31]", options.ranks);
        demand(options.rank < options.ranks, "rank must be below ranks = " + std::to_string(options.ranks),
               options.rank);
        return options;
    }
    static void require_below(const char* limit, uint64_t i, uint64_t n) {
        if (i >= n)
            detail::raise_text(ErrorCode::invalid_argument, "EpochSampler::%s = %llu, got %s", limit,
                               static_cast<unsigned long long>(n), detail::NumberText(i).text);
    }

    EpochOptions options_;
    uint64_t places_;
    Stream<E> order_stream_, numbers_;
    KeyedPermutation<E> permuted_;
    std::vector<uint64_t> table_;  // the items in their order, if few or weighted
    bool is_weighted_ = false;
};
template <class E> EpochSampler(const Stream<E>&, Integer, const EpochOptions&) -> EpochSampler<E>;

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
