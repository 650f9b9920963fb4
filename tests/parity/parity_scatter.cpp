// Additions by index and counts in parity_reduce.
#include <utility>

#include "parity_reduce.hpp"

namespace {

using namespace parity;
using rng::detail::Scattered;
using rng::detail::ScatterRequest;

/// Integers below `targets`: some of them are frequent, and most are rare.
template <class I> std::vector<I> places(size_t n, size_t targets, uint64_t seed) {
    Numbers random(seed);
    std::vector<I> index(n);
    for (I& i : index) i = static_cast<I>(random.next() % (random.next() % 3 == 0 ? 1 + targets / 50 : targets));
    return index;
}

/// What the CPU makes of a request, and what the device does: the bytes from `first` on, and the error. most_keys: of a
/// sort. sorts: how many are wanted; less than 0 for any number.
void compare(std::vector<Library>& libraries, const ScatterRequest& request, Scattered scattered, void* first,
             size_t bytes, const std::string& host_error, const std::vector<std::byte>& before, const std::string& what,
             uint64_t most_keys = UINT32_MAX, int sorts = -1) {
    const auto offset = static_cast<std::byte*>(request.out) - static_cast<std::byte*>(first);
    on_each(libraries, request.terms > 2000, [&](ReduceDevice& device, Library& library) {
        const Memory out(bytes);
        std::memcpy(out.data(), before.data(), bytes);
        ScatterRequest q = request;
        q.out = out.data() + offset;
        const int sorts_before = device.sorts();
        const std::string error = error_of([&] {
            gpu::DeviceScatter scatter(q, scattered, device, most_keys);
            const Memory workspace(scatter.bytes());
            scatter.run(workspace.data());
            workspace.check(what);
        });
        count(library, 1, error == host_error, what + ": the error '" + error + "', the CPU's '" + host_error + "',");
        count(library, bytes, same(out.data(), first, bytes), what);
        out.check(what);
        if (sorts >= 0) count(library, 1, device.sorts() - sorts_before == sorts, what + ": the number of sorts");
    });
}
/// `all` are the numbers in which the places of the request lie.
template <class Out>
void compare(std::vector<Library>& libraries, const ScatterRequest& request, std::vector<Out>& all,
             const std::string& what, uint64_t most_keys = UINT32_MAX, int sorts = -1) {
    const auto* const begin = reinterpret_cast<const std::byte*>(all.data());
    const std::vector<std::byte> before(begin, begin + all.size() * sizeof(Out));
    const std::string error = error_of([&] { rng::detail::scatter(request); });
    compare(libraries, request, Scattered::added, all.data(), before.size(), error, before, what, most_keys, sorts);
}

template <class T, class Out, class I> void compare_index_adds(std::vector<Library>& libraries) {
    for (const size_t n : {1, 900, 3000})
        for (const size_t targets : {1, 7, 1000, 70'000}) {
            const std::vector<I> index = places<I>(n, targets, n + targets);
            const std::vector<T> values = numbers<T>(n, n);
            for (const double alpha : {1.0, 0.3}) {
                std::vector<Out> out = numbers<Out>(targets, 1);
                compare(libraries,
                        rng::detail::index_add_request(rng::detail::as_column(out), 0, index,
                                                       rng::detail::as_column(values), alpha),
                        out, "index_add of " + std::to_string(n) + " to " + std::to_string(targets));
            }
        }
}

/// Runs of all lengths around those at which another kernel adds them, and where tiles begin and end.
template <class T> void compare_runs(std::vector<Library>& libraries) {
    using Sum = rng::detail::sum_t<T, void>;
    std::vector<uint32_t> sorted;
    const std::vector<size_t> lengths{1,   95, 96, 97, 1,   98,  1, 700, 96, 128,  2000, 33,
                                      190, 1,  1,  64, 192, 193, 3, 511, 0,  1025, 95,   96};
    for (size_t place = 0; place < lengths.size(); ++place)
        sorted.insert(sorted.end(), lengths[place], static_cast<uint32_t>(3 * place));
    const size_t targets = 3 * lengths.size();
    for (const size_t n : {sorted.size(), size_t{1023}, size_t{1024}, size_t{1025}}) {
        const std::vector<uint32_t> index(sorted.begin(), sorted.begin() + static_cast<ptrdiff_t>(n));
        const std::vector<T> values = numbers<T>(n, 6);
        std::vector<Sum> out = numbers<Sum>(targets, 7);
        const auto request =
            rng::detail::index_add_request(rng::detail::as_column(out), 0, index, rng::detail::as_column(values), 0.7);
        compare(libraries, request, out, "runs of all lengths", UINT32_MAX, 0);
    }
    // One descent, by 1, where turns of threads and of blocks meet.
    for (const size_t at : {size_t{1}, size_t{256}, size_t{1024}, sorted.size() - 1}) {
        std::vector<uint32_t> index = sorted;
        for (uint32_t& i : index) ++i;
        index[at] = index[at - 1] - 1;
        const std::vector<T> values = numbers<T>(index.size(), 6);
        std::vector<Sum> out = numbers<Sum>(targets + 1, 7);
        const auto request =
            rng::detail::index_add_request(rng::detail::as_column(out), 0, index, rng::detail::as_column(values), 1);
        compare(libraries, request, out, "one descent", UINT32_MAX, 1);
    }
    std::vector<uint32_t> mixed = sorted;
    Numbers random(5);
    for (size_t k = mixed.size() - 1; k > 0; --k) std::swap(mixed[k], mixed[random.next() % (k + 1)]);
    const std::vector<T> values = numbers<T>(mixed.size(), 6);
    std::vector<Sum> out = numbers<Sum>(targets, 7);
    const auto request =
        rng::detail::index_add_request(rng::detail::as_column(out), 0, mixed, rng::detail::as_column(values), 1);
    compare(libraries, request, out, "mixed runs of all lengths", UINT32_MAX, 1);
}

/// Rows of widths around those at which another kernel adds them, with short and long runs.
template <class T, class Out> void compare_rows(std::vector<Library>& libraries, const std::vector<size_t>& widths) {
    std::vector<int32_t> index;
    for (const auto& [place, length] :
         {std::pair<int, int>{3, 63}, {1, 64}, {7, 65}, {0, 2}, {4, 300}, {9, 1}, {2, 129}})
        index.insert(index.end(), static_cast<size_t>(length), place);
    Numbers random(5);
    for (size_t k = index.size() - 1; k > 0; --k) std::swap(index[k], index[random.next() % (k + 1)]);
    const size_t n = index.size(), targets = 11;
    for (const size_t width : widths) {
        const std::vector<T> values = numbers<T>(n * width, width);
        for (const bool is_turned : {false, true}) {
            std::vector<Out> out = numbers<Out>(targets * width, 8);
            const auto view = [&]<class V>(V* data, size_t count) {
                return is_turned ? rng::matrix_view<V>::row_major(data, width, count)
                                 : rng::matrix_view<V>::row_major(data, count, width);
            };
            compare(libraries,
                    rng::detail::index_add_request(view(out.data(), targets), is_turned, index, view(values.data(), n),
                                                   0.3),
                    out, "index_add of " + std::to_string(width) + " numbers" + (is_turned ? " along rows" : ""));
        }
    }
}

/// Along both axes, with strides of every kind.
template <class T, class Out> void compare_matrices(std::vector<Library>& libraries) {
    constexpr size_t terms = 130, lines = 9, targets = 17;
    const std::vector<T> values = numbers<T>(terms * (lines + 2), 5);
    const std::vector<int32_t> shared = places<int32_t>(terms, targets, 6);
    const std::vector<int64_t> each = places<int64_t>(terms * lines, targets, 7);
    const auto pitch = static_cast<ptrdiff_t>(lines + 2);
    for (const bool is_turned : {false, true})
        for (const bool is_backwards : {false, true}) {
            std::vector<Out> out = numbers<Out>(targets * (lines + 2), 8);
            // Terms and places go down the rows, or, turned, along them.
            const auto view = [&]<class V>(V* data, size_t count, ptrdiff_t row) {
                const ptrdiff_t step = is_backwards ? -row : row;
                V* const first = is_backwards ? data + static_cast<ptrdiff_t>(count - 1) * row : data;
                return is_turned ? rng::matrix_view<V>{first, lines, count, 1, step}
                                 : rng::matrix_view<V>{first, count, lines, step, 1};
            };
            const auto to = view(out.data(), targets, pitch);
            const auto from = view(values.data(), terms, pitch);
            const std::string how = std::string(is_turned ? " along rows" : "") + (is_backwards ? " backwards" : "");
            compare(libraries, rng::detail::index_add_request(to, is_turned, shared, from, 1), out,
                    "index_add of lines" + how);
            compare(libraries, rng::detail::scatter_add_request(to, is_turned, view(each.data(), terms, lines), from),
                    out, "scatter_add" + how);
            compare(libraries, rng::detail::scatter_add_request(to, is_turned, view(each.data(), terms, lines), from),
                    out, "scatter_add in groups of lines" + how, 4 * targets + 1, 3);
        }
}

void compare_special(std::vector<Library>& libraries) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const float other = std::bit_cast<float>(0xffc00005u), least = std::numeric_limits<float>::denorm_min();
    std::vector<uint32_t> index(2000);
    std::vector<float> values(index.size(), least), out(100, -0.0f);
    for (size_t k = 0; k < index.size(); ++k) index[k] = static_cast<uint32_t>(k % 90);
    values[0] = other, values[1] = infinity, values[91] = -infinity, values[2] = 1, values[3] = -0.0f;
    out[95] = other;  // no term is added to it
    out[4] = other;
    compare(libraries,
            rng::detail::index_add_request(rng::detail::as_column(out), 0, index, rng::detail::as_column(values), 1),
            out, "index_add of special numbers");
    // Only -0, which stays -0.
    std::vector<float> zeros(90, -0.0f), minus(index.size(), -0.0f);
    compare(libraries,
            rng::detail::index_add_request(rng::detail::as_column(zeros), 0, index, rng::detail::as_column(minus), 1),
            zeros, "index_add of -0");
    std::vector<float> rows(20 * 9, -0.0f);
    const std::vector<float> minus_rows(70 * 9, -0.0f);
    index.resize(70);
    for (uint32_t& i : index) i %= 20;
    compare(libraries,
            rng::detail::index_add_request(rng::matrix_view<float>::row_major(rows.data(), 20, 9), 0, index,
                                           rng::matrix_view<const float>::row_major(minus_rows.data(), 70, 9), 1),
            rows, "index_add of rows of -0");
}

void compare_faults(std::vector<Library>& libraries) {
    const auto check = [&]<class I>(std::vector<I> index, std::vector<std::pair<size_t, I>> wrong) {
        for (const auto& [k, value] : wrong) index[k] = value;
        const std::vector<float> values = numbers<float>(index.size(), 1);
        std::vector<float> out = numbers<float>(50, 2);
        compare(
            libraries,
            rng::detail::index_add_request(rng::detail::as_column(out), 0, index, rng::detail::as_column(values), 1),
            out, "index_add of a wrong index");
        const auto view = [&](auto* data) {
            return rng::matrix_view<std::remove_pointer_t<decltype(data)>>{data, index.size() / 5, 5, 5, 1};
        };
        std::vector<float> grid = numbers<float>(250, 3);
        compare(libraries,
                rng::detail::scatter_add_request(rng::matrix_view<float>{grid.data(), 50, 5, 5, 1}, 0,
                                                 view(std::as_const(index).data()), view(values.data())),
                grid, "scatter_add of a wrong index");
    };
    check(places<int32_t>(3000, 50, 1), {{2999, 50}, {1234, -1}});
    check(places<int64_t>(3000, 50, 2), {{7, int64_t{1} << 40}, {8, -5}});
    check(places<uint32_t>(3000, 50, 3), {{2000, 4294967295u}});
    check(places<uint64_t>(3000, 50, 4), {{0, ~uint64_t{0}}, {1, 50}});
}

template <class I> void compare_counts(std::vector<Library>& libraries) {
    const auto check = [&](const std::vector<I>& index, size_t bins, const std::string& how,
                           const std::string& error = "") {
        const size_t n = index.size();
        const std::vector<float> weights = numbers<float>(n, 9);
        ScatterRequest q{};
        q.call = "bincount";
        q.index = rng::detail::described_index(index.data());
        q.terms = n, q.lines = 1, q.targets = bins, q.value_stride = q.out_stride = 1;
        q.values = weights.data(), q.stored = rng::detail::StoredReal::f32, q.parts = 1, q.in_double = true;
        const std::string what = "bincount of " + std::to_string(n) + " in " + std::to_string(bins) + how;
        std::vector<int64_t> counts(bins);
        std::vector<double> sums(bins);
        const std::vector<std::byte> before(bins * 8, std::byte{9});
        if (error.empty()) {
            counts = rng::bincount(index, bins);
            sums = rng::bincount(index, weights, bins);
        } else {
            std::memcpy(counts.data(), before.data(), before.size());
            std::memcpy(sums.data(), before.data(), before.size());
        }
        q.out = counts.data();
        compare(libraries, q, Scattered::counted, counts.data(), before.size(), error, before, what);
        q.out = sums.data();
        compare(libraries, q, Scattered::summed, sums.data(), before.size(), error, before, what + " with weights");
    };
    // Places of shared memory, and of global memory; more bins than integers.
    for (const size_t n : {0, 1, 5000})
        for (const size_t bins : {1, 50, 70'000}) check(places<I>(n, bins, n + bins), bins, "");
    check(places<I>(20'000, 12'288, 3), 12'288, "");
    check(places<I>(20'000, 12'289, 3), 12'289, "");
    std::vector<I> one(20'000, I{17});  // of which a warp counts 32 at once
    check(one, 13'000, ", all in one");
    one[4321] = 19'000;
    for (const size_t bins : {18, 13'000})
        check(one, bins, ", one of them wrong",
              "bincount: index must be in [0, " + std::to_string(bins) + "), got 19000 at 4321");
}

}  // namespace

void parity::compare_scatters(std::vector<Library>& libraries) {
    compare_index_adds<float, float, int32_t>(libraries);
    compare_index_adds<double, double, uint64_t>(libraries);
    compare_index_adds<rng::float16, float, int64_t>(libraries);
    compare_index_adds<rng::bfloat16, float, uint32_t>(libraries);
    compare_index_adds<std::complex<float>, std::complex<float>, int32_t>(libraries);
    compare_index_adds<std::complex<double>, std::complex<double>, int32_t>(libraries);
    compare_index_adds<float, double, int32_t>(libraries);
    compare_index_adds<rng::float16, double, int32_t>(libraries);
    compare_index_adds<rng::bfloat16, double, int32_t>(libraries);
    compare_index_adds<std::complex<float>, std::complex<double>, int32_t>(libraries);
    compare_runs<float>(libraries);
    compare_runs<double>(libraries);
    compare_rows<float, float>(libraries, {7, 8, 9, 130, 513});
    compare_rows<double, double>(libraries, {8, 130});
    compare_rows<rng::float16, float>(libraries, {20});
    compare_rows<std::complex<float>, std::complex<double>>(libraries, {3, 5, 70});
    compare_matrices<float, float>(libraries);
    compare_matrices<float, double>(libraries);
    compare_matrices<std::complex<double>, std::complex<double>>(libraries);
    compare_special(libraries);
    compare_faults(libraries);
    compare_counts<int32_t>(libraries);
    compare_counts<uint64_t>(libraries);
}
