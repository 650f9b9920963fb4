// Thrust's CUDA system with this library's iterators, functors and engines (thrust_cuda.hpp).
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/for_each.h>
#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/tabulate.h>
#include <thrust/transform.h>
#include <rng/interop/thrust.hpp>

#include "thrust_cuda.hpp"

#if THRUST_DEVICE_SYSTEM != THRUST_DEVICE_SYSTEM_CUDA
#error "this file tests Thrust's CUDA system"
#endif

namespace thrust_cuda {

namespace {

using rng::interop::value_iterator;

template <class T> std::vector<T> on_host(const thrust::device_vector<T>& values) {
    std::vector<T> copy(values.size());
    thrust::copy(values.begin(), values.end(), copy.begin());
    return copy;
}

struct Draw {
    rng::Stream<> stream;
    double* out;

    __device__ void operator()(uint64_t i) const {
        rng::interop::ThrustEngine<rng::Philox4x32_10> engine(stream.at_position(4 * i));
        thrust::uniform_real_distribution<double> uniform(-1, 3);
        out[i] = uniform(engine);
    }
};

}  // namespace

std::vector<float> copied(const rng::Stream<>& from, const rng::normal<float>& dist, uint64_t first, std::size_t n,
                          cudaStream_t stream) {
    thrust::device_vector<float> out(n);
    thrust::copy_n(thrust::cuda::par.on(stream), value_iterator(from, dist, first), n, out.begin());
    return on_host(out);
}

std::vector<double> added(const rng::Stream<rng::Threefry4x64_20>& from, const rng::normal<double>& dist, std::size_t n,
                          cudaStream_t stream) {
    thrust::device_vector<double> out(n);
    const thrust::counting_iterator<uint64_t> numbers(0);
    thrust::transform(thrust::cuda::par.on(stream), numbers, numbers + static_cast<std::ptrdiff_t>(n),
                      value_iterator(from, dist), out.begin(), thrust::plus<double>{});
    return on_host(out);
}

std::vector<int> tabulated(const rng::Stream<>& from, const rng::uniform_int<int>& dist, std::size_t n,
                           cudaStream_t stream) {
    thrust::device_vector<int> out(n);
    thrust::tabulate(thrust::cuda::par.on(stream), out.begin(), out.end(), rng::interop::ValueAt(from, dist));
    return on_host(out);
}

std::vector<double> drawn(const rng::Stream<>& from, std::size_t n, cudaStream_t stream) {
    thrust::device_vector<double> out(n);
    const thrust::counting_iterator<uint64_t> numbers(0);
    thrust::for_each(thrust::cuda::par.on(stream), numbers, numbers + static_cast<std::ptrdiff_t>(n),
                     Draw{from, thrust::raw_pointer_cast(out.data())});
    return on_host(out);
}

}  // namespace thrust_cuda
