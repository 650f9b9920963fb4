// Fills by distributions that the library does not know, from a source that nvcc compiles.
//
//     device_launch refusals      wrong calls of launch_fill are refused; needs no GPU
//     device_launch gpu           every engine, streams, matrices, graphs and single values in kernels against the CPU
//
// Exit code 0: all is well. 1: a fault, which is printed. 77: there is no GPU.
#include <rng/device_launch.hpp>
#include <rng/permutation.hpp>
#include <rng/rng.hpp>
#include <rng/sobol.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../support/shapes.hpp"

namespace {

using Point = rng::shapes::Sum<float, rng::Shape::joint, 4, 1, 3>;
using Tries = rng::shapes::Sum<uint64_t, rng::Shape::sampler, 2, 2>;

int faults = 0;
void expect(bool holds, const std::string& what) {
    if (holds) return;
    ++faults;
    std::printf("%s\n", what.c_str());
}
void ok(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::printf("CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

template <class F> void expect_refused(const std::string& text, const F& call) {
    std::string said = "nothing";
    try {
        call();
    } catch (const rng::Error& error) {
        said = error.what();
    }
    expect(said == text, "\"" + said + "\" instead of \"" + text + "\"");
}

void check_refusals() {
    auto* const memory = reinterpret_cast<float*>(4096);
    const rng::Stream<> stream{42};
    using rng::device_span, rng::device_matrix, rng::launch_fill;
    expect_refused("launch_fill: exponential: rate must be in [2^-120, 2^90], got -1", [&] {
        launch_fill(device_span{memory, 3}, rng::exponential{-1.0f}, stream);
    });
    expect_refused("launch_fill: uniform: the destination is null but 3 values were asked for", [&] {
        launch_fill(device_span<float>{nullptr, 3}, rng::uniform<float>{}, stream);
    });
    expect_refused("launch_fill: user's distribution: the destination must be at a multiple of 8 bytes", [&] {
        launch_fill(device_span{reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(memory) + 4), 3}, Tries{}, stream);
    });
    expect_refused("launch_fill: uniform: a matrix of 1099511627776 x 1099511627776 elements is too large", [&] {
        launch_fill(device_matrix<float>::column_major(memory, size_t{1} << 40, size_t{1} << 40), rng::uniform<float>{},
                    stream);
    });
    expect_refused("launch_fill: index 288230376151711744 leads past the end of the stream (a stream has 2^56 blocks)",
                   [&] {
                       launch_fill(device_span{memory, 3}, rng::uniform<float>{}, stream, uint64_t{1} << 58);
                   });
    launch_fill(device_span{memory, 0}, rng::uniform<float>{}, stream);  // nothing to do
}

/// Memory of the device for n values.
template <class T> class OnDevice {
  public:
    explicit OnDevice(std::size_t n) : size_(n) { ok(cudaMalloc(&data_, n * sizeof(T))); }
    ~OnDevice() { ok(cudaFree(data_)); }
    OnDevice(const OnDevice&) = delete;
    OnDevice& operator=(const OnDevice&) = delete;
    [[nodiscard]] T* data() const { return data_; }
    /// True if the memory has these values, bit for bit.
    [[nodiscard]] bool holds(const std::vector<T>& values) const {
        std::vector<T> found(size_);
        ok(cudaDeviceSynchronize());
        ok(cudaMemcpy(found.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost));
        return std::memcmp(found.data(), values.data(), size_ * sizeof(T)) == 0;
    }

  private:
    T* data_ = nullptr;
    std::size_t size_;
};

template <class D> void check_fills(const char* name) {
    using T = rng::result_t<D>;
    constexpr std::size_t rows = 301, cols = 101, n = rows * cols;
    const OnDevice<T> memory(n);
    const rng::device_span<T> span{memory.data(), n};
    const auto columns = rng::device_matrix<T>::column_major(memory.data(), rows, cols);
    rng::for_each_engine([&](auto tag) {
        using E = typename decltype(tag)::type;
        const std::string what = std::string(name) + " by " + E::name + ": ";
        rng::Generator gpu(rng::cuda(0), 42, E::number), cpu(rng::cpu(), 42, E::number);
        gpu.skip_words(3);
        cpu.skip_words(3);
        rng::fill(span, D{}, gpu);
        expect(memory.holds(rng::sample(D{}, n, cpu)), what + "a generator's fill");
        rng::fill(columns, D{}, gpu);
        std::vector<T> transposed(n);
        rng::fill(rng::matrix_view<T>::column_major(transposed.data(), rows, cols), D{}, cpu);
        expect(memory.holds(transposed), what + "a matrix in column order");
        expect(gpu.get_state() == cpu.get_state(), what + "the state after fills");
    });
    const rng::Stream<rng::Threefry4x32_20> stream(42, 7, 5);
    rng::launch_fill(span, D{}, stream, 11);
    expect(memory.holds(rng::sample(D{}, n, stream, 11)), std::string(name) + ": launch_fill");
}

/// The launches of a graph continue a child of the generator.
void check_graph() {
    constexpr std::size_t n = 1003;
    const OnDevice<rng::result_t<Point>> memory(n);
    rng::Generator gpu(rng::cuda(0), 42, rng::Engine::philox4x64_10), cpu(rng::cpu(), 42, rng::Engine::philox4x64_10);
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t launch;
    ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    rng::fill(rng::device_span{memory.data(), n}, Point{}, gpu, stream);
    ok(cudaStreamEndCapture(stream, &graph));
    ok(cudaGraphInstantiate(&launch, graph, 0));
    rng::Generator child = cpu.fork();
    for (int replay = 0; replay < 3; ++replay) {
        ok(cudaGraphLaunch(launch, stream));
        ok(cudaStreamSynchronize(stream));
        expect(memory.holds(rng::sample(Point{}, n, child)), "launch " + std::to_string(replay) + " of a graph");
    }
    ok(cudaGraphExecDestroy(launch));
    ok(cudaGraphDestroy(graph));
    ok(cudaStreamDestroy(stream));
}

/// Thread i writes value i, and the place of that value.
template <class E> __global__ void permute(rng::KeyedPermutation<E> p, uint64_t n, uint64_t* values, uint64_t* places) {
    const uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    values[i] = p.at(i);
    places[i] = p.inverse(values[i]);
}
template <class E> void check_permutations() {
    const rng::Stream<E> stream(42, 7, 5);
    for (const uint64_t n : {uint64_t{1}, uint64_t{1000}, uint64_t{100'003}}) {
        const OnDevice<uint64_t> values(n), places(n);
        const auto p = rng::permutation{n}.of(stream, 3);
        permute<<<static_cast<unsigned>((n + 127) / 128), 128>>>(p, n, values.data(), places.data());
        std::vector<uint64_t> expected(n), order(n);
        for (uint64_t i = 0; i < n; ++i) {
            expected[i] = p.at(i);
            order[i] = i;
        }
        const std::string what = "a permutation of " + std::to_string(n) + " by " + E::name;
        expect(values.holds(expected), what);
        expect(places.holds(order), what + ", inverse");
    }
}

/// Row i of x has point first + i.
template <class T> __global__ void coordinates(rng::sobol_view<T> points, uint64_t first, uint64_t n, T* x) {
    const uint64_t i = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < n) x[i * points.dimensions + blockIdx.y] = points.at(first + i, blockIdx.y);
}
template <class T> void check_coordinates() {
    constexpr uint32_t d = 16;
    constexpr uint64_t n = 10'001, first = (uint64_t{1} << 32) - 5000;
    const rng::Stream<> stream(42, 7, 5);
    for (const rng::sobol<T>& points : {rng::sobol<T>(d), rng::sobol<T>(d, stream)}) {
        const OnDevice<uint64_t> table(points.table().size());
        const OnDevice<T> x(n * d);
        ok(cudaMemcpy(table.data(), points.table().data(), points.table().size_bytes(), cudaMemcpyHostToDevice));
        rng::sobol_view<T> view = points.view();
        view.table = table.data();
        coordinates<<<dim3((n + 127) / 128, d), 128>>>(view, first, n, x.data());
        expect(x.holds(rng::sample(points, n, first)), "coordinates of Sobol points");
    }
}

}  // namespace

int main(int argc, char** argv) {
    const std::string_view part = argc == 2 ? argv[1] : "";
    if (part == "refusals") {
        check_refusals();
    } else if (part == "gpu") {
        if (rng::devices().size() < 2) {
            std::printf("SKIPPED: there is no GPU on this machine\n");
            return 77;
        }
        check_fills<Point>("values of three floats");
        check_fills<Tries>("a sampler");
        check_graph();
        check_permutations<rng::Philox4x32_10>();
        check_permutations<rng::Threefry4x64_20>();
        check_coordinates<float>();
        check_coordinates<double>();
    } else {
        std::printf("usage: device_launch refusals|gpu\n");
        return 2;
    }
    return faults == 0 ? 0 : 1;
}
