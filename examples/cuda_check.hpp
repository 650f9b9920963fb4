// For the examples in CUDA: errors of its calls end the program.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

inline void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

/// Device memory for n values.
template <class T> class DeviceArray {
  public:
    explicit DeviceArray(std::size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T))); }
    ~DeviceArray() { cudaFree(data_); }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;

    T* data() const { return data_; }
    void copy_from(const T* host) { check(cudaMemcpy(data_, host, size_ * sizeof(T), cudaMemcpyHostToDevice)); }
    void copy_to(T* host) const { check(cudaMemcpy(host, data_, size_ * sizeof(T), cudaMemcpyDeviceToHost)); }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};
