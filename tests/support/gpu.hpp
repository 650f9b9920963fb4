// What tests of a GPU's memory share: they are skipped where there is none.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/device.hpp>

namespace support {

inline void ok(cudaError_t error) { ASSERT_EQ(error, cudaSuccess) << cudaGetErrorString(error); }

/// With a stream of the first GPU.
class GpuTest : public testing::Test {
  protected:
    void SetUp() override {
        if (rng::devices().size() < 2) GTEST_SKIP() << "no GPU on this machine";
        ok(cudaSetDevice(0));
        ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    }
    void TearDown() override {
        if (stream) ok(cudaStreamDestroy(stream));
    }
    cudaStream_t stream = nullptr;
};

}  // namespace support
