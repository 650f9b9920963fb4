// Sends a long run of bytes to an output, chunk by chunk, as fast as one core can.
//
// Copying into a pipe costs more than making the bytes, above all when the reader runs on another core: the kernel
// takes a cold page for every 4 KiB. So a pipe gets the pages themselves (vmsplice). They may live for as long as some
// reader likes, in this pipe or in another that it spliced them into, so nothing is ever written to them again: before
// its memory is used anew, a huge page is dropped from this process (MADV_DONTNEED), and the next touch finds another.
// There are two in turn: when one is dropped the reader has mostly let go of it, so that it comes back to this core,
// and soon, still in its cache. Huge pages make that cheap, one fault for 2 MiB; without them, and into files, chunks
// are copied from a small buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "output.hpp"

namespace cli {

class ChunkSender {
  public:
    explicit ChunkSender(Output& output);
    ChunkSender(const ChunkSender&) = delete;
    ChunkSender& operator=(const ChunkSender&) = delete;
    ~ChunkSender();

    /// Memory for the next chunk, of any contents. Its size may change from chunk to chunk.
    [[nodiscard]] std::span<uint32_t> chunk();
    /// Sends the first `bytes` of the last chunk.
    void send(size_t bytes);

  private:
    [[nodiscard]] bool map_pages();

    Output& output_;
    void* mapping_ = nullptr;
    std::byte* pages_ = nullptr;  // two huge pages, inside the mapping
    size_t next_ = 0;             // where in them the next chunk lies
    bool giving_;
    std::vector<uint32_t> buffer_;  // of copied chunks
};

}  // namespace cli
