// Sends a long run of bytes to an output, chunk by chunk, as fast as one core can.
//
// Copying into a pipe costs more than making the bytes, above all if the reader runs on another core.
// The reason: the kernel takes a cold page for every 4 KiB. So a pipe gets the pages themselves (vmsplice).
// These pages may stay in use for any time, in this pipe or in another one, so nothing is ever written to them again.
// Before its memory is used again, a huge page is dropped from this process (MADV_DONTNEED), and the next access gets
// another page.
// Two huge pages are used in turn. When one is dropped, the reader has mostly released it.
// So the page soon comes back to this core, still in the core's cache.
// Huge pages make this cheap: one page fault for 2 MiB. Without huge pages, and into files, chunks are copied from a
// small buffer.
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

    /// Returns memory for the next chunk, with any contents. Its size may change from chunk to chunk.
    [[nodiscard]] std::span<uint32_t> chunk();
    /// Sends the first `bytes` of the last chunk.
    void send(size_t bytes);

  private:
    [[nodiscard]] bool map_pages();

    Output& output_;
    void* mapping_ = nullptr;
    std::byte* pages_ = nullptr;    // two huge pages, inside the mapping
    size_t next_ = 0;               // the position of the next chunk in them
    bool giving_;                   // true while the pipe takes whole pages
    std::vector<uint32_t> buffer_;  // for chunks that are copied
};

}  // namespace cli
