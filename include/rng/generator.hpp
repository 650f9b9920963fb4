// Generator: a stream that advances as it is used. Names and behaviour follow torch.Generator.
//
//     rng::Generator gen{42};                                       // on the CPU; gen{rng::cuda(0), 42} on a GPU
//     rng::fill(x, rng::normal{0.0f, 1.0f}, gen);                   // the next values
//     std::vector<rng::Generator> of_thread = gen.split(8);         // independent of each other and of gen
//
// A generator owns { engine, key, id, position, child counter, initial seed } and is bound to a device.
// The same seed gives the same numbers on every device.
// A generator is move-only: an accidental copy would repeat numbers. clone() copies on purpose.
// Several threads may share a generator, and concurrent fills never overlap.
// Scheduling decides which thread gets which numbers; if results must repeat, fork one generator for each thread.
//
// Default generators of different devices give the same numbers, because all devices give equal bits.
// A program that uses several devices at once should fork the default generators by rank.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/integer.hpp"
#include "core/stream.hpp"
#include "detail/stream_record.hpp"
#include "device.hpp"

#include "core/hide_macros.inc"

RNG_BEGIN_NAMESPACE

/// An engine, a seed and a position, bound to a device: what a fill takes its numbers from.
class RNG_API Generator {
  public:
    /// Creates a generator on a device. Throws Error (unsupported) if the device is not available; the message says
    /// why.
    explicit Generator(Device device = cpu(), Integer seed = default_seed, Engine engine = Engine::philox4x32_10);
    /// Creates a generator on the CPU.
    explicit Generator(Integer seed) : Generator(cpu(), seed) {}
    /// Creates a generator on the CPU that continues from the stream's position, and gives its numbers. No children are
    /// counted.
    template <class E> explicit Generator(const Stream<E>& stream) : Generator(cpu(), detail::record(stream)) {}
    Generator(const Generator&) = delete;  // a copy repeats numbers: pass Generator&, or fork(), clone() or std::move()
    Generator& operator=(const Generator&) = delete;
    /// Moves the state. The other generator may then only be destroyed or assigned to.
    Generator(Generator&&) noexcept;
    Generator& operator=(Generator&&) noexcept;
    ~Generator();

    /// Returns a copy with the same state: it repeats this generator's numbers.
    [[nodiscard]] Generator clone() const;

    /// Returns the next counted child, and counts it. Children of one parent share no words with each other or with its
    /// draws.
    [[nodiscard]] Generator fork();
    /// Returns the child with this tag (below 2^56) or name. Pure: the result depends on seed and id only, not on the
    /// position.
    [[nodiscard]] Generator fork(Integer tag) const;
    template <std::convertible_to<std::string_view> Name> [[nodiscard]] Generator fork(const Name& name) const {
        return child(device(), snapshot(), detail::name_tag(name), domain::named);
    }
    /// Returns the next n counted children.
    [[nodiscard]] std::vector<Generator> split(Integer n);

    /// Restarts at position 0 of stream 0 of this seed, with no children counted.
    void manual_seed(Integer seed);
    /// Seeds from the system's entropy (as torch's does) and returns the seed; manual_seed(s) sets one.
    [[nodiscard]] uint64_t seed();
    /// Returns the last seed that was set; for a child, the low 64 bits of its key.
    [[nodiscard]] uint64_t initial_seed() const;
    /// Advances by n 32-bit words. If that is past the end, throws Error (end_of_stream) and changes nothing.
    void skip_words(Integer n);

    [[nodiscard]] Device device() const;      ///< Returns the device that computes the values
    [[nodiscard]] Engine engine() const;      ///< Returns the engine that computes the words
    [[nodiscard]] uint64_t position() const;  ///< Returns the position, in 32-bit words
    [[nodiscard]] uint64_t id() const;        ///< Returns the stream's number among those of its key

    /// Returns the stream at the current position, for kernels and random access. Throws Error (invalid_argument) if
    /// the generator has another engine.
    template <class E = Philox4x32_10> [[nodiscard]] Stream<E> stream() const {
        const detail::StreamRecord r = snapshot();
        if (r.engine != E::number) detail::throw_wrong_engine("Generator::stream", r.engine, E::number);
        return detail::stream_of<E>(r);
    }

    // The member names of an engine of <random>. A Generator is not such an engine; code that uses it as one gets a
    // message that explains this.
    using result_type = uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffffffu; }
    // The return type is not result_type, so a Generator does not model std::uniform_random_bit_generator. Code that is
    // constrained by the concept then does not select it.
    template <class T = void> uint64_t operator()() {
        static_assert(
            detail::never<T>,
            "rng: a Generator is not an engine of <random>: write rng::sample(dist, n, gen) or rng::fill(x, dist, "
            "gen), and give std:: an rng::philox4x32 engine(42)");
        return 0;
    }
    template <class T> void seed(const T&) {
        static_assert(detail::never<T>,
                      "rng: Generator::seed() takes a seed from the system; to set one write gen.manual_seed(7)");
    }
    template <class T> void discard(const T&) {
        static_assert(detail::never<T>,
                      "rng: a Generator skips 32-bit words, two for a double: write gen.skip_words(n), or "
                      "rng::fill(x, dist, stream, first)");
    }

    /// Returns the whole state except the device: portable, versioned, checksummed (docs/contract.md gives the bytes).
    [[nodiscard]] std::vector<std::byte> get_state() const;
    /// Sets the state to one of get_state(). If the bytes are not valid, throws Error (bad_state), which says why, and
    /// changes nothing.
    void set_state(std::span<const std::byte> state);

    /// For fills: claims n slots of slot_words words and returns where they begin, or throws and claims nothing.
    /// submit, if given, runs under the generator's lock; if it throws, nothing is claimed.
    detail::StreamRecord claim(const char* call, uint64_t n, uint64_t slot_words,
                               const std::function<void(const detail::StreamRecord&)>& submit = {});
    /// For fills in CUDA graphs: calls submit with the next counted child, which is counted unless submit throws.
    void claim_child(const std::function<void(const detail::StreamRecord&)>& submit);

  private:
    friend class detail::DefaultGenerators;
    struct State;
    // A template, so that the 0 in Generator(0) is a seed and not a null pointer.
    template <std::same_as<std::unique_ptr<State>> S> explicit Generator(S state) : state_(std::move(state)) {}
    [[nodiscard]] State& state() const;
    [[nodiscard]] detail::StreamRecord snapshot() const;
    Generator(Device device, const detail::StreamRecord& stream);
    std::vector<Generator> counted_children(const char* call, uint64_t n);
    [[nodiscard]] static Generator child(Device device, const detail::StreamRecord& parent, uint64_t block,
                                         unsigned fork_domain);

    std::unique_ptr<State> state_;
};

/// Returns the device's default generator, which fills use if none is given. It is seeded with default_seed. It is
/// never destroyed, so destructors of static objects may fill from it. The CPU's default generator accesses no other
/// device.
[[nodiscard]] RNG_API Generator& default_generator(Device device = cpu());

namespace detail {

/// A Generator that a call can advance: not a const one; a temporary too, as in fill(x, dist, generator.fork(7)).
template <class G>
concept movable_generator = std::is_convertible_v<std::add_lvalue_reference_t<G>, Generator&>;

}  // namespace detail

/// Seeds the default generators of all devices, used or not, without access to any device.
RNG_API void manual_seed(Integer seed);

/// Saves the states of all default generators and restores them at the end of the scope (torch.random.fork_rng).
class RNG_API ScopedGenerators {
  public:
    /// Saves the states.
    ScopedGenerators();
    ~ScopedGenerators();
    ScopedGenerators(const ScopedGenerators&) = delete;
    ScopedGenerators& operator=(const ScopedGenerators&) = delete;

  private:
    uint64_t seed_;                               // the seed of the default generators that are not used yet
    std::vector<std::vector<std::byte>> states_;  // the CPU's first; empty for a generator that is not used yet
};

RNG_END_NAMESPACE

#include "core/restore_macros.inc"
