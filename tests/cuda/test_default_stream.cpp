// The stream of calls that name none, in a source that wants a default stream for each thread.
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#include <gtest/gtest.h>
#include <rng/device_fill.hpp>

#if __has_include(<cuda_runtime_api.h>)
#include <cuda_runtime_api.h>
#endif

namespace {

TEST(DefaultStream, IsTheThreadsOwnIfTheSourceSaysSo) {
    EXPECT_EQ(rng::default_stream(), reinterpret_cast<rng::cuda_stream>(2));
#if defined(cudaStreamPerThread)
    EXPECT_EQ(rng::default_stream(), cudaStreamPerThread);
#endif
}

}  // namespace
