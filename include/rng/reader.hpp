// Reader: successive values of a stream, one by one, at the speed of a fill. For the host; needs librng.
//
//     rng::Reader z(rng::Stream<>{42}, rng::normal{0.0, 1.0});
//     const double a = z(), b = z();       // at(stream, dist, 0), at(stream, dist, 1)
//
// A Reader keeps up to 1 KiB of values (4 KiB for a sampler), which the library computes with the instruction set in
// use. Cursor (at.hpp) gives the same values without the library, in kernels too, a block at a time.
#pragma once

#include "core/stream.hpp"
#include "detail/value_run.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// Returns the successive values of a stream, from at(stream, dist, first) on, at the speed of a fill. A copy returns
/// the same values as its original from then on. Threads must not share a Reader.
template <class D, class E = Philox4x32_10> class Reader {
  public:
    using result_type = result_t<D>;
    static_assert(
        requires { E::number; }, "Reader: the library has no fills for this engine; take a Cursor");

    /// Creates a reader that begins at value `first` of the stream. Throws Error: parameters out of range, an address
    /// past the end of the stream.
    explicit Reader(const Stream<E>& stream, const D& dist = {}, Integer first = 0) : dist_(dist) {
        detail::validate("Reader", dist);
        constexpr uint64_t slot = D::slot_words, size = Stream<E>::size_words;
        detail::require_index(first <= size && detail::slots_fit(stream.position, first, slot, size), "Reader", first);
        end_ = stream.at_position(detail::round_up(stream.position, slot) + first * slot);
    }

    /// Returns the next value. Throws Error (end_of_stream) if there is none.
    [[nodiscard]] result_type operator()() {
        if (run_.is_empty()) [[unlikely]]
            refill();
        return run_.take();
    }
    /// Returns the next value, as operator() does.
    [[nodiscard]] result_type next() { return (*this)(); }

    /// Returns the position of the next value, in 32-bit words.
    [[nodiscard]] uint64_t position() const { return end_.position - uint64_t{run_.left()} * D::slot_words; }
    /// Returns the stream at that position: value 0 of it is the next value.
    [[nodiscard]] Stream<E> stream() const { return end_.at_position(position()); }

  private:
    __attribute__((noinline)) void refill() {
        const uint64_t left = detail::slots_left<D>(end_);
        detail::require_inside_stream(left > 0, "Reader");
        run_.refill(dist_, detail::record(end_), left);
        end_.position += uint64_t{run_.left()} * D::slot_words;
    }

    Stream<E> end_;  // at the first value after the run
    D dist_;
    detail::ValueRun<D> run_;
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
