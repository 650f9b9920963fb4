// Generator: its seeds, children, claims of values, and saved states.
#include <rng/generator.hpp>

#include <cstring>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>

#include <rng/at.hpp>

#include "cpu/state_bytes.hpp"
#include "device/backend.hpp"
#include "generator_state.hpp"

RNG_BEGIN_NAMESPACE

namespace {

// The state blob (cpu/state_bytes.hpp): these fields, then the digest.
//     magic "RNGSTATE" | version u32 | engine u32 | key 4 x u64 | id u64 | position u64 | children u64 |
//     initial seed u64
constexpr char state_magic[] = "RNGSTATE";
constexpr uint32_t state_version = 1;
constexpr size_t state_bytes = 8 + 4 + 4 + 4 * 8 + 4 * 8 + 8;

using detail::put, detail::take;

[[noreturn]] void bad_state(const std::string& what) {
    detail::refuse("Generator::set_state", what, ErrorCode::bad_state);
}

uint64_t stream_words(Engine engine) {
    uint64_t words = 0;
    visit_engine(engine, [&](auto tag) { words = Stream<typename decltype(tag)::type>::size_words; });
    return words;
}

bool known(Engine engine) {
    return visit_engine(engine, [](auto) {});
}

detail::StreamRecord child_of(const detail::StreamRecord& parent, uint64_t block, unsigned fork_domain) {
    detail::StreamRecord child{};
    visit_engine(parent.engine, [&](auto tag) {
        child = detail::record(detail::stream_of<typename decltype(tag)::type>(parent).child(block, fork_domain));
    });
    return child;
}

/// Throws Error if fewer than n children are left.
void require_children(const char* call, uint64_t taken, uint64_t n) {
    if (n > detail::blocks_per_stream - taken)
        detail::refuse(call,
                       "a generator has 2^56 children; " + std::to_string(taken) +
                           " are taken, got n = " + detail::NumberText(n).text,
                       ErrorCode::end_of_stream);
}

}  // namespace

Generator::Generator(Device device, Integer seed, Engine engine) {
    detail::require_device("Generator", device);
    if (!known(engine))
        detail::refuse("Generator", "no engine has the number " + std::to_string(static_cast<uint32_t>(engine)));
    state_ = std::make_unique<State>(device, engine, seed);
}
Generator::Generator(Generator&&) noexcept = default;
Generator& Generator::operator=(Generator&&) noexcept = default;
Generator::~Generator() = default;

Generator::State& Generator::state() const {
    if (!state_) detail::refuse("Generator", "used after it was moved from");
    return *state_;
}

Generator Generator::clone() const { return Generator(std::make_unique<State>(state())); }

Generator::Generator(Device device, const detail::StreamRecord& stream)
    : state_(std::make_unique<State>(device, stream.engine, 0)) {
    state_->stream = stream;
    visit_engine(stream.engine, [&](auto tag) {
        const uint64_t* key = stream.key;
        state_->initial_seed = sizeof(typename decltype(tag)::type::word) == 4 ? key[0] | key[1] << 32 : key[0];
    });
}

Generator Generator::child(Device device, const detail::StreamRecord& parent, uint64_t block, unsigned fork_domain) {
    return {device, child_of(parent, block, fork_domain)};
}

Generator Generator::fork() { return std::move(counted_children("Generator::fork", 1).front()); }
std::vector<Generator> Generator::split(Integer n) { return counted_children("Generator::split", n); }

Generator Generator::fork(Integer tag) const {
    detail::require_tag(tag, "Generator::fork");
    return child(device(), snapshot(), tag, domain::tagged);
}

std::vector<Generator> Generator::counted_children(const char* call, uint64_t n) {
    std::vector<Generator> children;
    // Under one lock, so that the children belong to the stream that counts them: another thread may seed.
    const std::lock_guard lock(state().mutex);
    require_children(call, state_->children, n);
    children.reserve(n);
    for (uint64_t i = 0; i < n; ++i)
        children.push_back(child(state_->device, state_->stream, state_->children + i, domain::counted));
    state_->children += n;  // last: the statements above may throw
    return children;
}

void Generator::manual_seed(Integer seed) {
    const std::lock_guard lock(state().mutex);
    state_->restart(state_->stream.engine, seed);
}

uint64_t Generator::seed() {
    std::random_device entropy;
    const uint64_t low = entropy(), high = entropy();
    const uint64_t seed = low | high << 32;
    manual_seed(seed);
    return seed;
}

uint64_t Generator::initial_seed() const {
    const std::lock_guard lock(state().mutex);
    return state_->initial_seed;
}

void Generator::skip_words(Integer n) {
    const std::lock_guard lock(state().mutex);
    const uint64_t left = stream_words(state_->stream.engine) - state_->stream.position;
    if (n > left)
        detail::refuse("Generator::skip_words",
                       std::to_string(left) + " words are left in the stream, got " + detail::NumberText(n).text,
                       ErrorCode::end_of_stream);
    state_->stream.position += n;
}

Device Generator::device() const { return state().device; }
Engine Generator::engine() const { return snapshot().engine; }
uint64_t Generator::position() const { return snapshot().position; }
uint64_t Generator::id() const { return snapshot().id; }

detail::StreamRecord Generator::snapshot() const {
    const std::lock_guard lock(state().mutex);
    return state_->stream;
}

detail::StreamRecord Generator::claim(const char* call, uint64_t n, uint64_t slot_words,
                                      const std::function<void(const detail::StreamRecord&)>& submit) {
    const std::lock_guard lock(state().mutex);
    detail::StreamRecord& s = state_->stream;
    detail::require_inside_stream(detail::slots_fit(s.position, n, slot_words, stream_words(s.engine)), call);
    detail::StreamRecord claimed = s;
    claimed.position = detail::round_up(s.position, slot_words);
    if (submit) submit(claimed);
    s.position = claimed.position + n * slot_words;
    return claimed;
}

void Generator::claim_child(const std::function<void(const detail::StreamRecord&)>& submit) {
    const std::lock_guard lock(state().mutex);
    require_children("fill", state_->children, 1);
    submit(child_of(state_->stream, state_->children, domain::counted));
    ++state_->children;
}

std::vector<std::byte> Generator::get_state() const {
    std::vector<std::byte> bytes;
    bytes.reserve(state_bytes);
    const std::lock_guard lock(state().mutex);
    const detail::StreamRecord& s = state_->stream;
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(state_magic[i]));
    put(bytes, state_version);
    put(bytes, static_cast<uint32_t>(s.engine));
    for (const uint64_t k : s.key) put(bytes, k);
    for (const uint64_t field : {s.id, s.position, state_->children, state_->initial_seed}) put(bytes, field);
    detail::put_digest(bytes);
    return bytes;
}

void Generator::set_state(std::span<const std::byte> bytes) {
    if (bytes.size() < 12 || std::memcmp(bytes.data(), state_magic, 8) != 0)
        bad_state("these " + std::to_string(bytes.size()) + " bytes are not a state of rng (they begin with RNGSTATE)");
    std::span<const std::byte> rest = bytes.subspan(8);
    if (const auto version = take<uint32_t>(rest); version != state_version)
        bad_state("version " + std::to_string(version) + "; this library reads version " +
                  std::to_string(state_version));
    if (bytes.size() != state_bytes)
        bad_state("a state has " + std::to_string(state_bytes) + " bytes, got " + std::to_string(bytes.size()));
    if (std::span<const std::byte> whole = bytes; !detail::take_digest(whole))
        bad_state("the checksum does not match: damaged bytes");

    const auto number = take<uint32_t>(rest);
    const auto engine = static_cast<Engine>(number);
    if (!known(engine)) bad_state("engine number " + std::to_string(number) + " is not known to this version");
    detail::StreamRecord s{engine, {}, 0, 0};
    for (uint64_t& k : s.key) k = take<uint64_t>(rest);
    s.id = take<uint64_t>(rest);
    s.position = take<uint64_t>(rest);
    const auto children = take<uint64_t>(rest), seed = take<uint64_t>(rest);
    if (children > detail::blocks_per_stream || !detail::is_valid(s)) bad_state("a field is out of range");

    const std::lock_guard lock(state().mutex);
    state_->stream = s;
    state_->children = children;
    state_->initial_seed = seed;
}

namespace detail {

bool is_valid(const StreamRecord& stream) {
    bool valid = false;
    visit_engine(stream.engine, [&](auto tag) {
        using E = typename decltype(tag)::type;
        valid = stream.position <= Stream<E>::size_words;
        for (int i = 0; i < 4; ++i) {
            const uint64_t most = i < E::key_type::size() ? static_cast<typename E::word>(~typename E::word{0}) : 0;
            valid = valid && stream.key[i] <= most;
        }
    });
    return valid;
}

void throw_wrong_engine(const char* call, Engine have, Engine wanted) {
    detail::refuse(call,
                   std::string("the engine is ") + engine_name(have) + ", got a request for " + engine_name(wanted));
}

}  // namespace detail

RNG_END_NAMESPACE
