// Fills of values that are not contiguous (rng/indices.hpp): their words are gathered, and one call of the map computes
// many of them.
#include <rng/indices.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "cpu/fp_environment.hpp"
#include "prepared_fill.hpp"

RNG_BEGIN_NAMESPACE
namespace detail {
namespace {

// Blocks of at least this many words are computed one after another, each as a fill of its own.
constexpr uint64_t long_block_words = tile_words / 2;

/// True for engines whose scattered blocks have their own vector code (cpu/sparse_blocks.hpp). The scattered blocks of
/// other engines take ten times as long as those of a run.
template <class A> inline constexpr bool has_fast_scatter = false;
template <int Rounds> inline constexpr bool has_fast_scatter<PhiloxEngine<uint32_t, Rounds>> = true;
template <class... E> bool scatters_fast(Engine engine, type_list<E...>) {
    static constexpr bool fast[] = {has_fast_scatter<typename E::algorithm>...};
    return fast[static_cast<int>(engine)];
}

/// The limits of each method. Measured on a Xeon with AVX-512, for steps of 2 to 64 values and blocks of 1 to 256
/// words.
struct Limits {
    // Blocks of fewer words than near_block_words, with steps of at most near_step blocks, are computed with all values
    // between.
    uint64_t near_block_words, near_step;
    // Blocks of fewer words than this are scattered blocks of the engine; longer ones are runs.
    uint64_t scattered_words;
};
Limits limits_for(const FillRequest& request) {
    if (!scatters_fast(request.stream.engine, engines{})) return {8, 8, 32};
    return {4, 4 / request.slot_words, 64};
}

/// Copies n elements of Size bytes, from place[i] to place i.
template <size_t Size> void gather_elements(const void* from, const uint32_t* place, size_t n, void* to) {
    for (size_t i = 0; i < n; ++i)
        std::memcpy(static_cast<std::byte*>(to) + i * Size, static_cast<const std::byte*>(from) + place[i] * Size,
                    Size);
}
/// Calls the function above: a size known at compile time makes a copy one instruction.
void gather_elements(size_t size, const void* from, const uint32_t* place, size_t n, void* to) {
    switch (size) {
        case 1: return gather_elements<1>(from, place, n, to);
        case 2: return gather_elements<2>(from, place, n, to);
        case 4: return gather_elements<4>(from, place, n, to);
        case 8: return gather_elements<8>(from, place, n, to);
        case 16: return gather_elements<16>(from, place, n, to);
        case 32: return gather_elements<32>(from, place, n, to);
        default:
            for (size_t i = 0; i < n; ++i)
                std::memcpy(static_cast<std::byte*>(to) + i * size,
                            static_cast<const std::byte*>(from) + place[i] * size, size);
    }
}

/// The place of the next value. Only the constructor divides.
class Place {
  public:
    Place(const PreparedFill& job, const indices& at, uint64_t first)
        : word_(job.word_of(at[first])),
          block_(at.block),
          left_(at.block - first % at.block),
          value_words_(job.words_in(1)),
          jump_(job.words_in(at.step - at.block)) {}

    [[nodiscard]] uint64_t word() const { return word_; }
    /// Returns how many of the next `count` values are neighbours.
    [[nodiscard]] size_t run(size_t count) const { return std::min<uint64_t>(count, left_); }
    /// Advances by values that are neighbours.
    void pass(size_t values) {
        word_ += values * value_words_;
        left_ -= values;
        if (left_ > 0) return;
        left_ = block_;
        word_ += jump_;
    }

  private:
    uint64_t word_, block_, left_, value_words_;
    uint64_t jump_;  // modulo 2^64: blocks may overlap
};

/// A fill by indices. The method depends on block and step alone.
class IndexedFill {
  public:
    IndexedFill(const PreparedFill& job, const indices& at, const FillRequest& request)
        : job_(job),
          at_(at),
          block_words_(at.block * request.slot_words),
          size_(request.value_bytes),
          limits_(limits_for(request)),
          is_near_(block_words_ < limits_.near_block_words && at.step >= at.block &&
                   at.step <= at.block * limits_.near_step) {}

    /// Writes values [first, first + count) of the numbers.
    void write(uint64_t first, size_t count, std::byte* out) const {
        if (is_near_) return write_near(first, count, out);
        if (at_.block == 1 && block_words_ < limits_.scattered_words) return write_single(first, count, out);
        if (block_words_ < long_block_words) return write_tiles(first, count, out);
        while (count > 0) {
            const size_t now = std::min<uint64_t>(count, at_.block - first % at_.block);
            job_.run(at_[first], now, out);
            first += now;
            count -= now;
            out += now * size_;
        }
    }

  private:
    /// Computes the values between, too.
    void write_near(uint64_t first, size_t count, std::byte* out) const {
        constexpr size_t most = tile_words;
        alignas(64) std::byte values[most * rng_abi::most_bytes_of_word];
        uint32_t place[most];
        const size_t room = sizeof values / size_;
        Place next(job_, at_, first);
        while (count > 0) {
            const uint64_t begin = next.word();
            size_t n = 0, end = 0;
            for (; n < std::min(count, most); ++n) {
                const size_t at = job_.slots_in(next.word() - begin);
                if (at >= room) break;
                place[n] = static_cast<uint32_t>(at);
                end = at + 1;
                next.pass(1);
            }
            job_.run_from(begin, end, values);
            gather_elements(size_, values, place, n, out);
            count -= n;
            out += n * size_;
        }
    }

    /// Fills tiles with the engine's blocks of one run after another.
    void write_tiles(uint64_t first, size_t count, std::byte* out) const {
        struct Run {
            uint64_t word;             // of the first slot in the tile
            size_t begin, skipped, n;  // slots
        };
        constexpr size_t most_runs = tile_words / 8;
        Run runs[most_runs];
        alignas(64) uint32_t words[tile_words];
        alignas(64) std::byte own_values[tile_words * rng_abi::most_bytes_of_word];
        const uint64_t group = job_.group_words();
        const bool is_scattered = block_words_ < limits_.scattered_words;
        PreparedFill::Blocks blocks(is_scattered ? &job_ : nullptr);
        Place next(job_, at_, first);
        while (count > 0) {
            size_t used = 0, n = 0;
            while (count > 0 && n < most_runs) {
                const size_t now = next.run(count);
                const uint64_t skipped = next.word() & (group - 1), begin = next.word() - skipped;
                const uint64_t needed = round_up(skipped + job_.words_in(now), group);
                if (used + needed > tile_words) break;
                if (is_scattered)
                    job_.list(blocks, used, begin, needed);
                else
                    job_.generate_words(begin, needed, words + used);
                runs[n++] = {begin, static_cast<size_t>(job_.slots_in(used)),
                             static_cast<size_t>(job_.slots_in(skipped)), now};
                used += needed;
                count -= now;
                next.pass(now);
            }
            if (is_scattered) job_.generate_list(blocks, used, words);
            size_t r = 0;
            const std::byte* const values = job_.map_gathered(words, job_.slots_in(used), own_values, [&](size_t slot) {
                while (r + 1 < n && runs[r + 1].begin <= slot) ++r;  // slots ascend
                return runs[r].word + job_.words_in(slot - runs[r].begin);
            });
            for (size_t i = 0; i < n; ++i) {
                std::memcpy(out, values + (runs[i].begin + runs[i].skipped) * size_, runs[i].n * size_);
                out += runs[i].n * size_;
            }
        }
    }

    /// Blocks of one value: computes the group of each, and maps only the unit that has the value.
    void write_single(uint64_t first, size_t count, std::byte* out) const {
        constexpr size_t most = 256, most_group = 16;
        alignas(64) uint32_t made[most * most_group], words[most * most_group];
        alignas(64) std::byte own_values[most * most_group * rng_abi::most_bytes_of_word];
        uint32_t place[most];
        const uint64_t group = job_.group_words(), unit = job_.unit_words(), in_unit = job_.slots_in(unit);
        const uint64_t step = job_.words_in(at_.step), units_in_group = group / unit;
        const int unit_shift = std::countr_zero(unit);
        const size_t at_once = std::min<size_t>(most, tile_words / group);
        PreparedFill::Blocks blocks(&job_);
        for (uint64_t w = job_.word_of(at_[first]); count > 0;) {
            const size_t now = std::min(count, at_once);
            for (size_t i = 0; i < now; ++i) {
                const uint64_t in_group = (w + i * step) & (group - 1);
                place[i] = static_cast<uint32_t>(i * units_in_group + (in_group >> unit_shift));
            }
            job_.list_groups(blocks, w, step, now);
            job_.generate_list(blocks, now * group, made);
            gather_elements(unit * sizeof(uint32_t), made, place, now, words);
            const auto word_of_slot = [&](size_t slot) {
                const uint64_t of_unit = (w + slot / in_unit * step) & ~(unit - 1);
                return of_unit + job_.words_in(slot % in_unit);
            };
            const std::byte* const values = job_.map_gathered(words, now * in_unit, own_values, word_of_slot);
            if (in_unit == 1) {
                std::memcpy(out, values, now * size_);
            } else {
                for (size_t i = 0; i < now; ++i)
                    place[i] = static_cast<uint32_t>(i * in_unit + job_.slots_in((w + i * step) & (unit - 1)));
                gather_elements(size_, values, place, now, out);
            }
            w += now * step;
            count -= now;
            out += now * size_;
        }
    }

    const PreparedFill& job_;
    indices at_;
    uint64_t block_words_;
    size_t size_;
    Limits limits_;
    bool is_near_;  // true if the values between are computed, too
};

std::string text_of(const indices& at) {
    return "indices{first " + std::to_string(at.first) + ", step " + std::to_string(at.step) + ", block " +
           std::to_string(at.block) + "}";
}

}  // namespace

void fill_indexed(const FillRequest& request, void* out, size_t n, const indices& at) {
    if (at.step == at.block || n <= at.block) {  // neighbours
        FillRequest from_first = request;
        if (n > 0) from_first.stream.position += at.first * request.slot_words;
        return fill_values(from_first, out, n);
    }
    const rng_cpu::FpEnvironment environment;
    require_valid(request);
    const PreparedFill job(request, n);
    const IndexedFill indexed(job, at, request);
    auto* bytes = static_cast<std::byte*>(out);
    in_chunks(request, n,
              [&](size_t first, size_t count) { indexed.write(first, count, bytes + first * request.value_bytes); });
}

uint64_t checked_reach(const char* call, const char* name, const indices& at, uint64_t n) {
    const std::string who = std::string(call) + ": " + name;
    if (at.block == 0) refuse(who, "block must be at least 1, got " + text_of(at));
    if (n == 0) return 0;
    // The greatest number is the last one, or the last of the last whole block if blocks overlap.
    const uint64_t whole = n / at.block, rest = n % at.block;
    const auto end = [&](uint64_t block, uint64_t count) {
        uint64_t to = 0;
        if (__builtin_mul_overflow(block, at.step, &to) || __builtin_add_overflow(to, at.first, &to) ||
            __builtin_add_overflow(to, count, &to))
            refuse(who, "numbers must be below 2^64 - 1, got " + text_of(at) + " of " + std::to_string(n) + " values");
        return to;
    };
    return std::max(whole > 0 ? end(whole - 1, at.block) : 0, rest > 0 ? end(whole, rest) : 0);
}

void check_layout(const char* name, const block_cyclic& layout, uint64_t n) {
    const std::string who = std::string("dist_fill: ") + name;
    check_dealing(who.c_str(), layout.block, layout.rank, layout.ranks);
    if (n != layout.count())
        refuse(who, "rank " + std::to_string(layout.rank) + " of " + std::to_string(layout.ranks) + " has " +
                        std::to_string(layout.count()) + " of " + std::to_string(layout.size) +
                        " values in blocks of " + std::to_string(layout.block) + ", but the part has " +
                        std::to_string(n));
}

}  // namespace detail
RNG_END_NAMESPACE
