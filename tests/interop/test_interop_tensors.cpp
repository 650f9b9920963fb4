// interop/dlpack.hpp and interop/cuda_array.hpp: arrays of other libraries become spans and matrices of the same
// memory, and what does not fit is refused. No Python and no GPU: the descriptions are made by hand, as the interfaces
// define them.
#include <gtest/gtest.h>
#include <rng/interop/cuda_array.hpp>
#include <rng/interop/dlpack.hpp>
#include <rng/rng.hpp>

#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include "../support/paths.hpp"

namespace {

using rng::ErrorCode;
using rng::interop::as_device_span;
using rng::interop::as_matrix;
using rng::interop::as_span;
using rng::interop::cuda_array;
using rng::interop::device_of;
using rng::interop::stream_of;
using support::error_of;

// The structures of DLPack 1.1.
enum DLDeviceType : int32_t { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLROCM = 10, kDLCUDAManaged = 13 };
struct DLDevice {
    DLDeviceType device_type;
    int32_t device_id;
};
struct DLDataType {
    uint8_t code, bits;
    uint16_t lanes;
};
struct DLTensor {
    void* data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};
struct DLManagedTensor {
    DLTensor dl_tensor;
    void* manager_ctx;
    void (*deleter)(DLManagedTensor*);
};
struct DLManagedTensorVersioned {
    struct {
        uint32_t major, minor;
    } version;
    void* manager_ctx;
    void (*deleter)(DLManagedTensorVersioned*);
    uint64_t flags;
    DLTensor dl_tensor;
};

/// A tensor of a float's type over 60 floats, with sizes and strides of its own.
struct Tensor : DLTensor {
    std::vector<float> memory = std::vector<float>(60);
    std::vector<int64_t> sizes, steps;

    explicit Tensor(std::vector<int64_t> shape_of, std::vector<int64_t> strides_of = {}, DLDeviceType place = kDLCPU)
        : sizes(std::move(shape_of)), steps(std::move(strides_of)) {
        static_cast<DLTensor&>(*this) = {memory.data(),
                                         {place, 0},
                                         static_cast<int32_t>(sizes.size()),
                                         {2, 32, 1},
                                         sizes.empty() ? nullptr : sizes.data(),
                                         steps.empty() ? nullptr : steps.data(),
                                         0};
    }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;
};

std::string refusal(const Tensor& tensor) {
    return error_of(ErrorCode::invalid_argument, [&] { (void)as_span<float>(tensor); });
}
std::string refusal_of_matrix(const Tensor& tensor) {
    return error_of(ErrorCode::invalid_argument, [&] { (void)as_matrix<float>(tensor); });
}

/// The types that arrays have, with DLPack's code and NumPy's letter.
template <class F> void for_each_element_type(const F& f) {
    f(int8_t{}, 0, 'i'), f(int16_t{}, 0, 'i'), f(int32_t{}, 0, 'i'), f(int64_t{}, 0, 'i');
    f(uint8_t{}, 1, 'u'), f(uint16_t{}, 1, 'u'), f(uint32_t{}, 1, 'u'), f(uint64_t{}, 1, 'u');
    f(0LL, 0, 'i'), f(0ULL, 1, 'u');  // of two 64-bit types, one is no int64_t
    f(rng::float16{}, 2, 'f'), f(0.0f, 2, 'f'), f(0.0, 2, 'f'), f(rng::bfloat16{}, 4, 'V');
    f(std::complex<float>{}, 5, 'c'), f(std::complex<double>{}, 5, 'c');
    f(rng::complex<float>{}, 5, 'c'), f(rng::complex<double>{}, 5, 'c');
}

TEST(Dlpack, FillsWriteTheTensorsMemory) {
    for (const DLDeviceType device : {kDLCPU, kDLCUDAHost}) {
        Tensor tensor({3, 4, 5}, {20, 5, 1}, device);
        rng::Generator gen(42), same(42);
        const std::span<float> x = as_span<float>(tensor);
        EXPECT_EQ(x.data(), tensor.memory.data());
        rng::fill(x, rng::normal{0.0f, 1.0f}, gen);
        EXPECT_TRUE(support::same_bits(tensor.memory, rng::sample(rng::normal{0.0f, 1.0f}, 60, same)));
    }
    const Tensor of_doubles({30});
    DLTensor tensor = of_doubles;
    tensor.dtype = {2, 64, 1};
    rng::fill(as_span<double>(tensor), rng::uniform<double>{}, rng::Stream<>{42});
    EXPECT_EQ(as_span<const double>(tensor)[29], rng::at(rng::Stream<>{42}, rng::uniform<double>{}, 29));
}

TEST(Dlpack, MatricesHaveTheirStrides) {
    const rng::Stream<> stream{42};
    const Tensor by_columns({4, 5}, {1, 12});
    rng::fill(as_matrix<float>(by_columns), rng::normal{0.0f, 1.0f}, stream);
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 5; ++j)
            ASSERT_EQ(by_columns.memory[i + 12 * j], rng::at(stream, rng::normal{0.0f, 1.0f}, 5 * i + j));
    EXPECT_EQ(by_columns.memory[4], 0.0f);

    const Tensor in_c_order({4, 5});
    EXPECT_EQ(as_matrix<float>(in_c_order).row_stride, 5);
    EXPECT_EQ(as_matrix<float>(in_c_order).col_stride, 1);
    const Tensor repeated({4, 5}, {0, 1});
    EXPECT_EQ(as_matrix<const float>(repeated).row_stride, 0);
    EXPECT_EQ(refusal_of_matrix(repeated), "as_matrix: strides[0] must not be 0 for 4 elements");
    EXPECT_EQ(as_matrix<float>(Tensor({1, 5}, {0, 1})).rows, 1u);
    EXPECT_EQ(refusal_of_matrix(Tensor({4, 5, 3})), "as_matrix: ndim must be 2, got 3");
    EXPECT_EQ(refusal_of_matrix(Tensor({20})), "as_matrix: ndim must be 2, got 1");
    EXPECT_EQ(refusal_of_matrix(Tensor({4, -1})), "as_matrix: shape[1] must be at least 0, got -1");
    EXPECT_EQ(as_matrix<float>(Tensor({0, 7}, {0, 0})).cols, 7u);
}

TEST(Dlpack, TheOffsetCounts) {
    Tensor tensor({10});
    tensor.byte_offset = 12;
    EXPECT_EQ(as_span<float>(tensor).data(), tensor.memory.data() + 3);
    tensor.byte_offset = 2;
    EXPECT_EQ(refusal(tensor).find("as_span: the data must be at a multiple of 4 bytes, got address 0x"), 0u);
    tensor.byte_offset = ~uint64_t{0} - 7;
    EXPECT_EQ(refusal(tensor), "as_span: byte_offset must lead to an address, got 18446744073709551608");
}

// Under UndefinedBehaviorSanitizer a product with such a stride would end the test.
TEST(Dlpack, TheStrideOfOneRowOrColumnIsAnyNumber) {
    constexpr int64_t huge = -9042521604759584126;
    Tensor row({1, 10}, {huge, 2}), column({10, 1}, {2, huge}), one({1, 1}, {huge, -huge});
    const rng::normal law{0.0f, 1.0f};
    std::vector<float> expected(10);
    rng::fill(expected, law, rng::Stream<>{42});
    for (Tensor* tensor : {&row, &column, &one}) {
        const auto given = as_matrix<float>(*tensor);
        const rng::matrix_view<float> as_it_is{given.data, given.rows, given.cols, tensor->strides[0],
                                               tensor->strides[1]};
        for (const auto& view : {given, as_it_is}) {
            std::ranges::fill(tensor->memory, 7.0f);
            rng::fill(view, law, rng::Stream<>{42});
            for (std::size_t i = 0; i < given.rows * given.cols; ++i)
                EXPECT_EQ(tensor->memory[2 * i], expected[i]) << i;
        }
    }
}

TEST(Dlpack, DevicesChooseTheKindOfSpan) {
    const Tensor on_host({60}), pinned({60}, {}, kDLCUDAHost), managed({60}, {}, kDLCUDAManaged);
    Tensor on_gpu({60}, {1}, kDLCUDA);
    on_gpu.device.device_id = 3;
    EXPECT_EQ(device_of(on_host), rng::cpu());
    EXPECT_EQ(device_of(pinned), rng::cpu());
    EXPECT_EQ(device_of(managed), rng::cuda(0));
    EXPECT_EQ(device_of(on_gpu), rng::cuda(3));
    for (const Tensor* tensor : {&managed, static_cast<const Tensor*>(&on_gpu)}) {
        const rng::device_span<float> span = as_device_span<float>(*tensor);
        EXPECT_EQ(span.data, tensor->memory.data());
        EXPECT_EQ(span.size, 60u);
        const std::string type = std::to_string(tensor->device.device_type);
        EXPECT_EQ(refusal(*tensor),
                  "as_span: the tensor must be in host memory (device type 1 or 3), got device type " + type);
    }
    for (const Tensor* tensor : {&on_host, &pinned})
        EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)as_device_span<float>(*tensor); }),
                  "as_device_span: the tensor must be in memory of a GPU (device type 2 or 13), got device type " +
                      std::to_string(tensor->device.device_type));
    const Tensor elsewhere({60}, {}, kDLROCM);
    const std::string known =
        ": the device type must be 1 (CPU), 2 (CUDA), 3 (CUDA, pinned) or 13 (CUDA, managed), got 10";
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { (void)device_of(elsewhere); }), "device_of" + known);
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { (void)as_span<float>(elsewhere); }), "as_span" + known);
}

TEST(Dlpack, OnlyTheTensorsOwnTypeIsTaken) {
    const Tensor memory({2});
    for_each_element_type([&](auto element, int right, char) {
        using T = decltype(element);
        for (uint8_t code = 0; code < 18; ++code)
            for (const uint8_t bits : std::vector<uint8_t>{1, 8, 16, 32, 64, 128})
                for (uint16_t lanes = 1; lanes <= 2; ++lanes) {
                    DLTensor tensor = memory;
                    tensor.dtype = {code, bits, lanes};
                    const bool is_bool = code == 6 && std::is_same_v<T, uint8_t>;
                    if ((code == right || is_bool) && bits == 8 * sizeof(T) && lanes == 1) {
                        EXPECT_EQ(as_span<T>(tensor).size(), 2u);
                        EXPECT_EQ(as_span<const T>(tensor).size(), 2u);
                        continue;
                    }
                    const std::string wanted =
                        "code " + std::to_string(right) + ", bits " + std::to_string(8 * sizeof(T)) + ", lanes 1";
                    const std::string got = "code " + std::to_string(code) + ", bits " + std::to_string(bits) +
                                            ", lanes " + std::to_string(lanes);
                    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)as_span<T>(tensor); }),
                              "as_span: the tensor must have elements of " + wanted + ", got " + got);
                }
    });
}

TEST(Dlpack, GapsAndOtherOrdersAreRefused) {
    const std::string wanted = "as_span: the array must be contiguous in C order: ";
    EXPECT_EQ(refusal(Tensor({3, 4}, {1, 3})), wanted + "strides[1] must be 1, got 3");
    EXPECT_EQ(refusal(Tensor({3, 4}, {5, 1})), wanted + "strides[0] must be 4, got 5");
    EXPECT_EQ(refusal(Tensor({30}, {2})), wanted + "strides[0] must be 1, got 2");
    EXPECT_EQ(refusal(Tensor({30}, {-1})), wanted + "strides[0] must be 1, got -1");
    EXPECT_EQ(refusal(Tensor({2, 3, 4}, {12, 3, 1})), wanted + "strides[1] must be 4, got 3");
    EXPECT_EQ(as_span<float>(Tensor({3, 1, 4}, {4, 77, 1})).size(), 12u);  // a step that nobody takes
}

TEST(Dlpack, SizesAndAddresses) {
    EXPECT_EQ(as_span<float>(Tensor({})).size(), 1u);  // a number without dimensions
    Tensor none({3, 0, 5}, {9, 9, 9});
    EXPECT_EQ(as_span<float>(none).size(), 0u);
    none.data = nullptr;
    none.byte_offset = 8;
    EXPECT_EQ(as_span<float>(none).size(), 0u);
    EXPECT_EQ(as_span<float>(Tensor({INT64_MAX, INT64_MAX, 0})).size(), 0u);

    Tensor null({3, 4});
    null.data = nullptr;
    null.byte_offset = 64;
    EXPECT_EQ(refusal(null), "as_span: the data must not be null for 12 elements");
    EXPECT_EQ(refusal(Tensor({3, -4})), "as_span: shape[1] must be at least 0, got -4");
    EXPECT_EQ(refusal(Tensor({0, -4})), "as_span: shape[1] must be at least 0, got -4");
    EXPECT_EQ(
        refusal(Tensor({int64_t{1} << 31, int64_t{1} << 31})),
        "as_span: shape[1] must be at most 1073741823, so that the array has fewer than 2^63 bytes, got 2147483648");
    Tensor negative({3});
    negative.ndim = -1;
    EXPECT_EQ(refusal(negative), "as_span: ndim must be at least 0, got -1");
    Tensor without_shape({3});
    without_shape.shape = nullptr;
    EXPECT_EQ(refusal(without_shape), "as_span: the shape must not be null for ndim 1");
}

TEST(Dlpack, ManagedTensors) {
    const Tensor tensor({60});
    const DLManagedTensor old{tensor, nullptr, nullptr};
    EXPECT_EQ(as_span<float>(old).data(), tensor.memory.data());
    EXPECT_EQ(device_of(old), rng::cpu());
    DLManagedTensorVersioned managed{{1, 7}, nullptr, nullptr, 2, tensor};
    EXPECT_EQ(as_span<float>(managed).size(), 60u);
    managed.flags = 1;
    EXPECT_EQ(as_span<const float>(managed).size(), 60u);
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)as_span<float>(managed); }),
              "as_span: the tensor must be writable, got a read-only one; const elements can be read");
    managed = {{2, 0}, nullptr, nullptr, 0, tensor};
    EXPECT_EQ(error_of(ErrorCode::unsupported, [&] { (void)as_span<float>(managed); }),
              "as_span: DLPack must have version 1, got version 2");
}

/// An array of 3 x 4 floats at some address.
cuda_array array_of_12() {
    cuda_array array;
    array.data = 0x7f00'0000'0100;
    array.shape = {3, 4};
    array.typestr = "<f4";
    return array;
}
template <class T = float> std::string refusal(const cuda_array& array) {
    return error_of(ErrorCode::invalid_argument, [&] { (void)as_device_span<T>(array); });
}

TEST(CudaArray, IsASpanOfItsMemory) {
    cuda_array array = array_of_12();
    EXPECT_EQ(as_device_span<float>(array).size, 12u);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(as_device_span<float>(array).data), array.data);
    array.strides = {16, 4};
    EXPECT_EQ(as_device_span<float>(array).size, 12u);
    array.is_read_only = true;
    EXPECT_EQ(as_device_span<const float>(array).size, 12u);
    EXPECT_EQ(refusal(array),
              "as_device_span: the array must be writable, got a read-only one; const elements can be read");
    array = array_of_12();
    array.shape = {3, 0};
    array.data = 0;
    EXPECT_EQ(as_device_span<float>(array).size, 0u);
}

TEST(CudaArray, OnlyTheArraysOwnTypeIsTaken) {
    for_each_element_type([&](auto element, int, char kind) {
        using T = decltype(element);
        for (const char order : {'<', '>', '|', '='})
            for (const char letter : {'b', 'i', 'u', 'f', 'c', 'V', 'S', 'O'})
                for (const int bytes : {1, 2, 4, 8, 16}) {
                    cuda_array array = array_of_12();
                    array.typestr = std::string{order, letter} + std::to_string(bytes);
                    const bool is_bool = letter == 'b' && std::is_same_v<T, uint8_t>;
                    const bool has_order = order == '<' || (order == '|' && bytes == 1);
                    if ((letter == kind || is_bool) && bytes == int{sizeof(T)} && has_order) {
                        EXPECT_EQ(as_device_span<T>(array).size, 12u) << array.typestr;
                        EXPECT_EQ(as_device_span<const T>(array).size, 12u) << array.typestr;
                        continue;
                    }
                    const std::string wanted = std::string{sizeof(T) == 1 ? '|' : '<', kind};
                    EXPECT_EQ(refusal<T>(array), "as_device_span: the array must have typestr " + wanted +
                                                     std::to_string(sizeof(T)) + ", got " + array.typestr);
                }
    });
    cuda_array array = array_of_12();
    array.typestr = std::string(1000, 'x');
    EXPECT_EQ(refusal(array), "as_device_span: the array must have typestr <f4, got " + std::string(40, 'x'));
    array.typestr.clear();
    EXPECT_EQ(refusal(array), "as_device_span: the array must have typestr <f4, got ");
}

TEST(CudaArray, WhatDoesNotFitIsRefused) {
    cuda_array array = array_of_12();
    const std::string order = "as_device_span: the array must be contiguous in C order: ";
    array.strides = {4, 12};
    EXPECT_EQ(refusal(array), order + "strides[1] must be 4, got 12");
    array.strides = {20, 4};
    EXPECT_EQ(refusal(array), order + "strides[0] must be 16, got 20");
    array.strides = {4};
    EXPECT_EQ(refusal(array), "as_device_span: there must be 2 strides, as many as dimensions, got 1");
    array.strides = {};
    array.data += 2;
    EXPECT_EQ(refusal(array), "as_device_span: the data must be at a multiple of 4 bytes, got address 0x7f0000000102");
    array.data = 0;
    EXPECT_EQ(refusal(array), "as_device_span: the data must not be null for 12 elements");
    array.shape[0] = -3;
    EXPECT_EQ(refusal(array), "as_device_span: shape[0] must be at least 0, got -3");
}

TEST(CudaArray, Streams) {
    cuda_array array = array_of_12();
    const auto as_number = [](rng::cuda_stream stream) { return reinterpret_cast<uintptr_t>(stream); };
    EXPECT_EQ(stream_of(array), rng::default_stream());
    EXPECT_EQ(as_number(stream_of(array, reinterpret_cast<rng::cuda_stream>(7))), 7u);
    for (const uintptr_t stream : {uintptr_t{1}, uintptr_t{2}, uintptr_t{0x5581'0000'4000}}) {
        array.stream = stream;
        EXPECT_EQ(as_number(stream_of(array)), stream);
    }
    array.stream = 0;
    EXPECT_EQ(error_of(ErrorCode::invalid_argument, [&] { (void)stream_of(array); }),
              "stream_of: the stream must be None, 1, 2 or a cudaStream_t, got 0");
}

}  // namespace
