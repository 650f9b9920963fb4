// rng stream: the words of a stream as bytes, little-endian, for other programs to test or to use.
#include <rng/rng.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include "address.hpp"
#include "chunk_sender.hpp"
#include "command.hpp"
#include "engines.hpp"
#include "meta.hpp"
#include "numbers.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "view_bytes.hpp"

namespace cli {
namespace {

struct Options {
    EngineOption engine;
    StreamAddress address;
    MetaOption meta;
    std::optional<std::string> bytes, view;
};

constexpr const char* footer =
    "The bytes are those of the 32-bit words from position P on, each little-endian; on every machine the same. "
    "Without --bytes the program writes until its reader goes away.\n\n"
    "Examples:\n"
    "  rng stream --seed 42 --bytes 1M > words.bin\n"
    "  rng stream --seed 42 | dieharder -a -g 200            (dieharder's generator 200: raw standard input)\n"
    "  rng stream --seed 42 | RNG_test stdin32               (PractRand: 32-bit words from standard input)\n"
    "  rng stream --seed 42 --id 7 --position 0x100000000 --bytes 64 | xxd\n"
    "  rng stream --seed 42 --fork wind --fork 7 --bytes 1M > words.bin\n"
    "  rng stream --seed 42 --view forks | RNG_test stdin32   (1024 forks of the stream, a block of each in turn)\n\n"
    "Views are those of rng test --views: reversed, low, high, bit0, bit-top, decimated-K, seeds, ids, forks, ...; a "
    "wrong "
    "name lists them.\n";

/// Calls make(chunk, first) for chunk after chunk: words from byte `first` on, a multiple of 8.
template <class Make>
void write_chunks(uint64_t available, const std::optional<uint64_t>& bytes, Output& output, Make make) {
    if (bytes && *bytes > available)
        throw UsageError("--bytes must be in [0, " + std::to_string(available) +
                         "] from this --position to the end of the stream, got " + std::to_string(*bytes));

    Progress progress("rng stream", bytes.value_or(0), "B");
    ChunkSender sender(output);
    const uint64_t total = bytes.value_or(available);
    for (uint64_t done = 0; done < total;) {
        std::span<uint32_t> chunk = sender.chunk();
        const uint64_t size = std::min<uint64_t>(total - done, chunk.size_bytes());
        chunk = chunk.first(static_cast<size_t>((size + 3) / 4));
        make(chunk, done);
        sender.send(static_cast<size_t>(size));
        done += size;
        progress.update(done);
    }
    if (!bytes) throw std::runtime_error("the stream ended after " + std::to_string(total) + " bytes");
}

template <class E>
void write_stream(const rng::Stream<E>& stream, const std::optional<uint64_t>& bytes, Output& output) {
    const uint64_t available = (rng::Stream<E>::size_words - stream.position) * 4;
    write_chunks(available, bytes, output, [&](std::span<uint32_t> chunk, uint64_t first) {
        rng::fill(chunk, rng::bits<uint32_t>{}, stream.at_position(stream.position + first / 4));
    });
}

void write_view(const ViewBytes& view, const std::optional<uint64_t>& bytes, Output& output) {
    constexpr uint64_t longer_than_anybody_reads = uint64_t{1} << 60;
    write_chunks(view.size.value_or(longer_than_anybody_reads), bytes, output,
                 [&](std::span<uint32_t> chunk, uint64_t first) {
                     static_cast<void>(view.read(first, std::as_writable_bytes(chunk)));
                 });
}

int run(const Options& options) {
    const EngineOption::Choice engine = options.engine.choice();
    const StreamAddress::Values where = options.address.values(engine.size_words);
    std::optional<uint64_t> bytes;
    if (options.bytes) bytes = parse_count("--bytes", *options.bytes, Counted::bytes);
    if (options.view && !options.address.forks.empty())
        throw UsageError("--view is of a stream of --seed and --id, got it with --fork " + options.address.forks[0]);
    std::optional<ViewBytes> view;
    if (options.view) view = view_bytes(engine.name, where, *options.view);
    Output output = Output::standard_output();
    if (output.is_terminal()) throw UsageError("standard output must be a pipe or a file, got a terminal");
    const std::string text = meta_text(
        "stream", engine.name, options.address, where,
        {{"view", options.view ? quoted(*options.view) : "null"}, {"bytes", bytes ? std::to_string(*bytes) : "null"}});
    if (bytes) output.require_space(static_cast<double>(*bytes));
    if (const auto meta = options.meta.begin({}, text)) meta->finish();  // before the reader may go away
    if (view)
        write_view(*view, bytes, output);
    else
        options.engine.visit(
            [&](auto tag) { write_stream(options.address.stream<typename decltype(tag)::type>(), bytes, output); });
    output.finish();
    return 0;
}

}  // namespace

Command add_stream(CommandLine& program) {
    CommandLine command = program.add_command("stream", "Write the raw words of a stream to standard output", footer);
    const auto options = std::make_shared<Options>();
    options->engine.add_to(command);
    options->address.add_options(command);
    options->address.add_forks(command);
    command.add_option(
        "--bytes", options->bytes, "N",
        "How many bytes, such as 1000000, 1M or 1e6; k, M, G, T, P multiply by powers of 1000 and Ki, Mi, "
        "... by powers of 1024 (default: until the reader goes away)");
    command.add_option(
        "--view", options->view, "V",
        "Write the words in another order or a part of them, as rng test --views reads them (default: plain)");
    options->meta.add_to(command);
    return {command, [options] { return run(*options); }};
}

}  // namespace cli
