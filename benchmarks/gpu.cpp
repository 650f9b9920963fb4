// rng_bench_gpu: fills of a GPU's memory by rng, cuRAND's host API (Philox, XORWOW) and cudaMemset, timed by CUDA
// events. With the argument svd it times the low-rank SVD instead, with `reduce` sums and additions by index, with
// `device` the kernels of gpu_device.cu. With `first` it prints, as JSON, the seconds of the process's first calls.
//
//     rng_bench_gpu KIB...|svd|reduce|device|first
//
// Otherwise the first line of its output is JSON and names the rows. Each line "ROW CALLS" of its input then is
// answered by the seconds of one call, measured over so many. gpu.py asks, in turn with torch and CuPy, and makes the
// tables.
#include <cuda_runtime_api.h>
#include <curand.h>
#include <dlfcn.h>
#include <rng/reduce/device_reduce.hpp>
#include <rng/rng.hpp>
#include <rng/sobol.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "gpu_device.hpp"

namespace {

void check(const char* call, int status) {
    if (status == 0) return;
    std::cerr << "rng_bench_gpu: " << call << " failed with code " << status << '\n';
    std::exit(1);
}
#define CHECK(call) check(#call, static_cast<int>(call))

cudaStream_t stream;

struct Row {
    std::string who, what;
    std::size_t kib;
    std::int64_t values;
    std::function<void()> call;  // submits its work to `stream`
};
std::vector<Row> rows;
std::string not_run;  // JSON: who, and why

/// From the first of the calls to the end of what they submitted, after a warm one.
double seconds(const Row& row, int calls) {
    cudaEvent_t begin, end;
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    row.call();
    CHECK(cudaEventRecord(begin, stream));
    for (int i = 0; i < calls; ++i) row.call();
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaEventSynchronize(end));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK(cudaEventDestroy(begin));
    CHECK(cudaEventDestroy(end));
    CHECK(cudaGetLastError());
    return milliseconds * 1e-3 / calls;
}

/// cuRAND's host API. The program runs without.
struct Curand {
    void* library = dlopen(bench::curand_library(), RTLD_NOW);
    decltype(&curandCreateGenerator) create = find("curandCreateGenerator");
    decltype(&curandSetPseudoRandomGeneratorSeed) set_seed = find("curandSetPseudoRandomGeneratorSeed");
    decltype(&curandSetStream) set_stream = find("curandSetStream");
    decltype(&curandGenerate) bits = find("curandGenerate");
    decltype(&curandGenerateUniform) uniform = find("curandGenerateUniform");
    decltype(&curandGenerateUniformDouble) uniform_double = find("curandGenerateUniformDouble");
    decltype(&curandGenerateNormal) normal = find("curandGenerateNormal");
    decltype(&curandGenerateNormalDouble) normal_double = find("curandGenerateNormalDouble");
    decltype(&curandGeneratePoisson) poisson = find("curandGeneratePoisson");

    [[nodiscard]] curandGenerator_t generator(curandRngType_t type) const {
        curandGenerator_t made = nullptr;
        CHECK(create(&made, type));
        CHECK(set_seed(made, 42));
        CHECK(set_stream(made, stream));
        return made;
    }

  private:
    struct Function {
        void* address;
        template <class F> operator F() const { return reinterpret_cast<F>(address); }
    };
    [[nodiscard]] Function find(const char* name) const { return {library ? dlsym(library, name) : nullptr}; }
};

void* device_memory(std::size_t bytes) {
    void* p = nullptr;
    CHECK(cudaMalloc(&p, bytes));
    CHECK(cudaMemset(p, 1, bytes));
    CHECK(cudaDeviceSynchronize());  // `stream` does not wait for it
    return p;
}

const void* copy_to_device(std::span<const std::uint64_t> values) {
    void* const p = device_memory(values.size_bytes());
    CHECK(cudaMemcpy(p, values.data(), values.size_bytes(), cudaMemcpyHostToDevice));
    return p;
}

/// The fills of one size, all of the same memory.
struct Fills {
    std::size_t kib;
    void* memory;

    [[nodiscard]] std::size_t bytes() const { return kib * 1024; }
    void add(const std::string& who, const std::string& what, std::size_t value_bytes,
             const std::function<void()>& call) const {
        rows.push_back({who, what, kib, static_cast<std::int64_t>(bytes() / value_bytes), call});
    }
    template <class D> [[nodiscard]] rng::device_span<rng::result_t<D>> span() const {
        using T = rng::result_t<D>;
        return {static_cast<T*>(memory), bytes() / sizeof(T)};
    }
    template <class D> void add_rng(const std::string& what, const D& dist) const {
        static rng::Generator generator(rng::cuda(0), 42);
        add("rng-cuda", what, sizeof(rng::result_t<D>),
            [=, out = span<D>()] { rng::fill(out, dist, generator, stream); });
    }
    template <class D, class E>
    void add_from(const std::string& what, const D& dist, const rng::Stream<E>& from, long long first) const {
        add("rng-cuda", what, sizeof(rng::result_t<D>),
            [=, out = span<D>()] { rng::fill(out, dist, from, first, stream); });
    }
    void add_all() const {
        add("memset", "bytes", 1, [*this] { CHECK(cudaMemsetAsync(memory, 1, bytes(), stream)); });
        add_rng("bits_u32", rng::bits<std::uint32_t>{});
        add_rng("bits_u64", rng::bits<std::uint64_t>{});
        add_rng("uniform_f32", rng::uniform<float>{});
        add_rng("uniform_f64", rng::uniform<double>{});
        add_rng("uniform_f16", rng::uniform<rng::float16>{});
        add_rng("uniform_bf16", rng::uniform<rng::bfloat16>{});
        add_rng("normal_f32", rng::normal<float>{});
        add_rng("normal_f64", rng::normal<double>{});
        add_rng("normal_f16", rng::normal<rng::float16>{});
        add_rng("normal_bf16", rng::normal<rng::bfloat16>{});
        add_rng("exponential_f32", rng::exponential<float>{});
        add_rng("exponential_f64", rng::exponential<double>{});
        add_rng("uniform_int_i32", rng::uniform_int<std::int32_t>{0, 5});
        add_rng("bernoulli", rng::bernoulli{0.3});
        add_rng("complex_normal_f32", rng::complex_normal<float>{});
        add_rng("gamma_f32", rng::gamma<float>{2.5f, 1.0f});
        // With tables in the GPU's memory, and without.
        static const rng::Prepared poisson(rng::poisson<std::int32_t>{3.5}, rng::cuda(0));
        add_rng("poisson_i32", rng::poisson<std::int32_t>{3.5});
        add_rng("poisson_i32_table", poisson);
        add_sobol();
        // After a fill of odd length no position meets a multiple of 16 bytes.
        add_from("uniform_f32_position_1", rng::uniform<float>{}, rng::Stream<>{42}, 1);
        add_from("normal_f32_position_1", rng::normal<float>{}, rng::Stream<>{42}, 1);
        add_from("normal_f32_threefry", rng::normal<float>{}, rng::Stream<rng::Threefry4x64_20>{42}, 0);
        add_from("bits_u32_threefry", rng::bits<std::uint32_t>{}, rng::Stream<rng::Threefry4x64_20>{42}, 0);
    }
    /// Points of 16 dimensions: the table is copied by each call, or stays on the GPU.
    void add_sobol() const {
        static const rng::sobol<float> points(16, rng::Stream<>{42});
        static const rng::sobol_view<float> view{static_cast<const std::uint64_t*>(copy_to_device(points.table())), 16};
        const auto out = rng::device_matrix<float>::row_major(static_cast<float*>(memory), bytes() / 64, 16);
        add("rng-cuda", "sobol_f32", 4, [=] { rng::fill(out, points, 0, stream); });
        add("rng-cuda", "sobol_f32_table", 4, [=] { rng::fill(out, view, 0, stream); });
    }
    void add_curand(const Curand& api, curandGenerator_t generator, const std::string& who) const {
        auto* const f32 = static_cast<float*>(memory);
        auto* const f64 = static_cast<double*>(memory);
        auto* const u32 = static_cast<unsigned*>(memory);
        const std::size_t n = bytes() / 4, half = bytes() / 8;
        add(who, "bits_u32", 4, [=] { CHECK(api.bits(generator, u32, n)); });
        add(who, "uniform_f32", 4, [=] { CHECK(api.uniform(generator, f32, n)); });
        add(who, "uniform_f64", 8, [=] { CHECK(api.uniform_double(generator, f64, half)); });
        add(who, "normal_f32", 4, [=] { CHECK(api.normal(generator, f32, n, 0, 1)); });
        add(who, "normal_f64", 8, [=] { CHECK(api.normal_double(generator, f64, half, 0, 1)); });
        add(who, "poisson_i32", 4, [=] { CHECK(api.poisson(generator, u32, n, 3.5)); });
    }
};

void add_fills(const std::vector<std::size_t>& sizes) {
    void* const memory = device_memory(*std::max_element(sizes.begin(), sizes.end()) * 1024);
    const Curand curand;
    curandGenerator_t philox = nullptr, xorwow = nullptr;
    if (curand.library == nullptr) {
        not_run = R"("curand": "the library was not found", "xorwow": "the library was not found")";
    } else {
        philox = curand.generator(CURAND_RNG_PSEUDO_PHILOX4_32_10);
        xorwow = curand.generator(CURAND_RNG_PSEUDO_XORWOW);
    }
    for (const std::size_t kib : sizes) {
        const Fills fills{kib, memory};
        fills.add_all();
        if (curand.library == nullptr) continue;
        fills.add_curand(curand, philox, "curand");
        fills.add_curand(curand, xorwow, "xorwow");
    }
}

void add_device_rows() {
    auto* const sums = static_cast<float*>(device_memory(bench::device_row_sums * sizeof(float)));
    for (const bench::DeviceRow& row : bench::device_rows())
        rows.push_back({row.who, row.what, 0, row.values, [=] { row.launch(sums, stream); }});
}

/// svd_lowrank of a matrix of normal values, with two power iterations.
template <class T> void add_svd(std::size_t m, std::size_t n, std::size_t q, const std::string& type) {
    static rng::Generator generator(rng::cuda(0), 42);
    const rng::DeviceSvdOptions<T> options{.q = static_cast<long long>(q)};
    auto* const values = static_cast<T*>(device_memory(m * n * sizeof(T)));
    rng::fill(rng::device_span<T>{values, m * n}, rng::normal<T>{}, generator, stream);
    const auto a = rng::device_matrix<const T>::row_major(values, m, n);
    const auto factor = [&](std::size_t count) {
        return rng::device_matrix<T>::row_major(static_cast<T*>(device_memory(count * q * sizeof(T))), count, q);
    };
    const rng::DeviceSvd<T> result{factor(m), {static_cast<T*>(device_memory(q * sizeof(T))), q}, factor(n)};
    const std::size_t bytes = rng::svd_lowrank_workspace(a, options);
    const rng::device_span<std::byte> work{static_cast<std::byte*>(device_memory(bytes)), bytes};
    const std::string shape = std::to_string(m) + 'x' + std::to_string(n) + 'q' + std::to_string(q);
    rows.push_back({"rng-cuda", shape + '_' + type, 0, static_cast<std::int64_t>(m * n),
                    [=] { rng::svd_lowrank(a, options, result, work, generator, stream); }});
}

/// The shapes of svd_torch.py.
void add_svds() {
    constexpr std::size_t shapes[][3] = {{20000, 2000, 16}, {20000, 2000, 64}, {4096, 4096, 16},
                                         {4096, 4096, 64},  {2000, 500, 128},  {1000, 1000, 6}};
    for (const auto& [m, n, q] : shapes) {
        add_svd<float>(m, n, q, "f32");
        add_svd<double>(m, n, q, "f64");
    }
}

template <class D> rng::device_span<rng::result_t<D>> random_values(const D& dist, std::size_t n, std::uint64_t seed) {
    using T = rng::result_t<D>;
    const rng::device_span<T> values{static_cast<T*>(device_memory(n * sizeof(T))), n};
    rng::fill(values, dist, rng::Stream<>{seed}, 0, stream);
    return values;
}
template <class T> void add_sums(const std::string& type) {
    constexpr std::size_t n = (std::size_t{1} << 30) / sizeof(T), columns = 1000;
    const auto x = random_values(rng::normal<T>{}, n, 1), y = random_values(rng::normal<T>{}, n, 2);
    using Sum = std::conditional_t<std::is_same_v<T, double>, double, float>;  // halves are added up in float
    const rng::device_span<Sum> one{static_cast<Sum*>(device_memory(sizeof(Sum))), 1};
    const rng::device_span<Sum> row{static_cast<Sum*>(device_memory(columns * sizeof(Sum))), columns};
    const auto matrix = rng::device_matrix<T>::row_major(x.data, n / columns, columns);
    const auto add = [n](const std::string& what, const std::function<void()>& call) {
        rows.push_back({"rng-cuda", what, 0, static_cast<std::int64_t>(n), call});
    };
    add("sum_" + type, [=] { rng::sum(x, one, stream); });
    add("variance_" + type, [=] { rng::variance(x, one, 1, stream); });
    add("norm2_" + type, [=] { rng::norm2(x, one, stream); });
    add("dot_" + type, [=] { rng::dot(x, y, one, stream); });
    add("sum-of-1000-columns_" + type, [=] { rng::sum(matrix, 0, row, stream); });
}

/// An index on the device: the place of each of n uniform numbers.
template <class F> rng::device_span<const std::int64_t> index_of(std::size_t n, const F& place) {
    const std::vector<double> u = rng::sample(rng::uniform<double>{}, n, rng::Stream<>{4});
    std::vector<std::int64_t> index(n);
    std::transform(u.begin(), u.end(), index.begin(), place);
    auto* const there = static_cast<std::int64_t*>(device_memory(n * sizeof(std::int64_t)));
    CHECK(cudaMemcpy(there, index.data(), n * sizeof(std::int64_t), cudaMemcpyHostToDevice));
    return {there, n};
}

/// Additions of 2^24 numbers and of 65536 rows of 1024, and counts of 2^24 integers. gpu.py makes such indices for
/// torch.
void add_scatters() {
    const auto numbers = [](std::size_t n) {
        return rng::device_span<float>{static_cast<float*>(device_memory(n * sizeof(float))), n};
    };
    const auto add = [](const std::string& what, std::size_t places, std::size_t n, const std::function<void()>& call) {
        rows.push_back(
            {"rng-cuda", what + "-into-" + std::to_string(places) + "_f32", 0, static_cast<std::int64_t>(n), call});
    };
    constexpr std::size_t n = std::size_t{1} << 24, lines = 65536, columns = 1024, words = 50'000;
    const auto terms = random_values(rng::normal<float>{}, n, 3);
    const auto uniform = [=](std::size_t size) {
        return index_of(n, [=](double u) { return static_cast<std::int64_t>(u * static_cast<double>(size)); });
    };
    const auto skewed = [=](std::size_t size) {
        return index_of(n,
                        [=](double u) { return static_cast<std::int64_t>(u * u * u * u * static_cast<double>(size)); });
    };
    const auto add_numbers = [&](const std::string& what, std::size_t places,
                                 rng::device_span<const std::int64_t> index) {
        const auto sums = numbers(places);
        add("index_add-" + what, places, n, [=] { rng::index_add(sums, index, terms, 0.75, stream); });
    };
    const auto add_counts = [&](const std::string& what, std::size_t places,
                                rng::device_span<const std::int64_t> index) {
        const rng::device_span<std::int64_t> counts{static_cast<std::int64_t*>(device_memory(places * 8)), places};
        add("bincount-" + what, places, n, [=] { rng::bincount(index, counts, stream); });
    };
    for (const std::size_t places : {std::size_t{1000}, std::size_t{1'000'000}, n}) {
        const auto index = uniform(places);
        add_numbers("uniform", places, index);
        if (places != n) add_counts("uniform", places, index);
    }
    for (const std::size_t places : {std::size_t{1'000'000}, std::size_t{1000}})
        add_numbers("u4", places, skewed(places));
    const auto one = index_of(n, [](double) { return std::int64_t{0}; });
    add_numbers("one", 1, one);
    add_counts("one", 1, one);
    const auto table = rng::device_matrix<float>::row_major(numbers(words * columns).data, words, columns);
    const auto gradients = rng::device_matrix<float>::row_major(
        random_values(rng::normal<float>{}, lines * columns, 5).data, lines, columns);
    const auto add_rows = [&](const std::string& what, rng::device_span<const std::int64_t> index) {
        add("index_add-rows-" + what, words, lines * columns,
            [=] { rng::index_add(table, 0, index, gradients, 0.75, stream); });
    };
    add_rows("uniform",
             index_of(lines, [=](double u) { return static_cast<std::int64_t>(u * static_cast<double>(words)); }));
    std::vector<double> below(words);  // word k has the weight 1 / (k + 1)
    double total = 0;
    for (std::size_t k = 0; k < words; ++k) below[k] = total += 1 / static_cast<double>(k + 1);
    add_rows("zipf", index_of(lines, [&](double u) {
                 return std::lower_bound(below.begin(), below.end() - 1, u * total) - below.begin();
             }));
}

/// Sums of 1 GiB, and additions by index.
void add_reductions() {
    add_sums<float>("f32");
    add_sums<double>("f64");
    add_sums<rng::float16>("f16");
    add_sums<rng::bfloat16>("bf16");
    add_scatters();
}

/// The first calls of a process load their kernels: each of these is the first of another object file. The fill that is
/// repeated shows what a call takes later.
void print_first_calls() {
    using clock = std::chrono::steady_clock;
    constexpr std::size_t n = 4096, q = 4;
    const char* comma = "{";
    const auto print = [&](const char* what, clock::time_point begin) {
        CHECK(cudaStreamSynchronize(stream));
        std::cout << comma << '"' << what << "\": " << std::chrono::duration<double>(clock::now() - begin).count();
        comma = ", ";
    };
    auto begin = clock::now();
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));  // makes the context
    print("CUDA itself", begin);
    const auto memory = [](std::size_t count) {
        return rng::device_span<float>{static_cast<float*>(device_memory(count * sizeof(float))), count};
    };
    const auto x = memory(n), one = memory(1), s = memory(q), factors = memory(2 * 64 * q);
    const rng::normal<float> normal;
    for (const char* const what : {"a fill", "the fill again"}) {
        begin = clock::now();
        rng::fill(x, normal, rng::Stream<>{42}, 0, stream);
        print(what, begin);
    }
    begin = clock::now();
    rng::fill(x, normal, rng::Stream<rng::Threefry4x64_20>{42}, 0, stream);
    print("a fill by another engine", begin);
    begin = clock::now();
    rng::sum(x, one, stream);
    print("a sum", begin);
    const auto a = rng::device_matrix<const float>::row_major(x.data, 64, 64);
    const rng::DeviceSvdOptions<float> options{.q = q};
    const std::size_t bytes = rng::svd_lowrank_workspace(a, options);
    const rng::device_span<std::byte> work{static_cast<std::byte*>(device_memory(bytes)), bytes};
    rng::Generator generator(rng::cuda(0), 42);
    begin = clock::now();
    rng::svd_lowrank(a, options,
                     {rng::device_matrix<float>::row_major(factors.data, 64, q), s,
                      rng::device_matrix<float>::row_major(factors.data + 64 * q, 64, q)},
                     work, generator, stream);
    print("an SVD", begin);
    std::cout << "}" << std::endl;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc == 2 ? argv[1] : "";
    std::vector<std::size_t> sizes;
    for (int i = 1; i < argc && what != "svd" && what != "reduce" && what != "device" && what != "first"; ++i) {
        const std::string text = argv[i];
        if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos || text.size() > 9 ||
            std::stoul(text) == 0) {
            std::cerr << "rng_bench_gpu: arguments are sizes in KiB, or svd, reduce, device or first; got " << text
                      << '\n';
            return 2;
        }
        sizes.push_back(std::stoul(text));
    }
    if (sizes.empty()) sizes = {1024 * 1024};
    if (rng::devices().size() < 2) {
        std::cerr << "rng_bench_gpu: there is no GPU on this machine\n";
        return 77;
    }
    if (what == "first") {
        print_first_calls();
        return 0;
    }
    cudaDeviceProp device;
    CHECK(cudaGetDeviceProperties(&device, 0));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    if (what == "svd")
        add_svds();
    else if (what == "reduce")
        add_reductions();
    else if (what == "device")
        add_device_rows();
    else
        add_fills(sizes);
    std::cout << R"({"device": ")" << device.name << R"(", "rng_version": ")" << RNG_VERSION << R"(", "not_run": {)"
              << not_run << R"(}, "rows": [)";
    const char* comma = "";
    for (const Row& row : rows) {
        std::cout << comma << R"({"who": ")" << row.who << R"(", "what": ")" << row.what << R"(", "kib": )" << row.kib
                  << R"(, "values": )" << row.values << '}';
        comma = ", ";
    }
    std::cout << "]}" << std::endl;
    std::size_t row = 0;
    int calls = 0;
    while (std::cin >> row >> calls && row < rows.size() && calls > 0)
        std::cout << seconds(rows[row], calls) << std::endl;
    return std::cin.eof() ? 0 : 2;
}
