// What tests of a GPU's memory share: they are skipped where there is none.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>
#include <rng/device.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

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

/// Values in memory of the present device.
template <class T> class OnDevice {
  public:
    explicit OnDevice(std::size_t n) : size_(n) {
        ok(cudaMalloc(&data_, std::max<std::size_t>(1, n) * sizeof(T)));
        ok(cudaMemset(data_, 0xff, n * sizeof(T)));  // NaNs
        ok(cudaDeviceSynchronize());                 // streams that do not wait for the default one may come next
    }
    explicit OnDevice(const std::vector<T>& values) : OnDevice(values.size()) {
        ok(cudaMemcpy(data_, values.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    }
    ~OnDevice() { ok(cudaFree(data_)); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;

    [[nodiscard]] T* data() const { return static_cast<T*>(data_); }
    [[nodiscard]] rng::device_span<T> span() const { return {data(), size_}; }
    [[nodiscard]] std::vector<T> on_host() const {
        std::vector<T> values(size_);
        ok(cudaDeviceSynchronize());
        ok(cudaMemcpy(values.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return values;
    }

  private:
    void* data_ = nullptr;
    std::size_t size_;
};

}  // namespace support
