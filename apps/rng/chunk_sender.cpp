#include "chunk_sender.hpp"

#include <sys/mman.h>

#include <fstream>
#include <string>

namespace cli {
namespace {

constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t pages_bytes = 2 * huge_page;
constexpr size_t mapped_bytes =
    3 * huge_page;                            // holds two aligned huge pages at any address; the rest is never touched
constexpr size_t gift_bytes = huge_page / 2;  // the most that a pipe of 1 MiB takes at once
constexpr size_t buffer_words = 256 * 1024 / 4;  // stays in a core's cache between making and copying

bool has_huge_pages() {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string text;
    return std::getline(file, text) && text.find("[never]") == std::string::npos;
}

}  // namespace

ChunkSender::ChunkSender(Output& output)
    : output_(output), giving_(output.is_pipe() && has_huge_pages() && map_pages()) {}

ChunkSender::~ChunkSender() {
    if (mapping_) ::munmap(mapping_, mapped_bytes);
}

bool ChunkSender::map_pages() {
    void* mapping = ::mmap(nullptr, mapped_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED) return false;
    mapping_ = mapping;
    pages_ = static_cast<std::byte*>(mapping) + (huge_page - reinterpret_cast<uintptr_t>(mapping) % huge_page);
#ifdef MADV_HUGEPAGE
    return ::madvise(pages_, pages_bytes, MADV_HUGEPAGE) == 0;
#else
    return false;
#endif
}

std::span<uint32_t> ChunkSender::chunk() {
    // A huge page that could not be dropped would be written to while it is still in the pipe.
    if (giving_ && next_ % huge_page == 0) giving_ = ::madvise(pages_ + next_, huge_page, MADV_DONTNEED) == 0;
    if (giving_) return {reinterpret_cast<uint32_t*>(pages_ + next_), gift_bytes / 4};
    buffer_.resize(buffer_words);
    return buffer_;
}

void ChunkSender::send(size_t bytes) {
    if (!giving_) return output_.write(buffer_.data(), bytes);
    if (!output_.give_pages(pages_ + next_, bytes)) {
        output_.write(pages_ + next_, bytes);
        giving_ = false;  // this system has no such call: copy from now on
        return;
    }
    next_ = (next_ + gift_bytes) % pages_bytes;
}

}  // namespace cli
