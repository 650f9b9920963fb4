// verify(): the digests of goldens on every path of this machine.
#include <rng/verify.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string_view>

#include <rng/device_fill.hpp>
#include <rng/isa.hpp>

#include "../cpu/dispatch.hpp"
#include "../device/backend.hpp"
#include "goldens.hpp"
#include "svd_cases.hpp"
#include "verify_at.hpp"

RNG_BEGIN_NAMESPACE
namespace {

using rng_goldens::Golden;

template <class D> std::string parameter_text(const D& dist) {
    std::string text;
    D::fields().each([&](const auto& field) {
        char part[64];
        std::snprintf(part, sizeof part, "%s%s=%.9g", text.empty() ? "" : " ", field.name,
                      static_cast<double>(dist.*field.member));
        text += part;
    });
    return text;
}

/// A way to compute values: the headers, or the library with an instruction set, a number of threads and a device.
struct Path {
    bool headers;
    Isa isa;
    int threads;
    Device device = cpu();
    [[nodiscard]] std::string name() const {
        if (headers) return "headers";
        if (!(device == cpu())) return to_string(device);
        return std::string(to_string(isa)) + (threads > 1 ? " x " + std::to_string(threads) + " threads" : "");
    }
};

std::vector<Path> paths(const std::vector<Device>& devices) {
    std::vector<Path> all;
    for (const Device device : devices) {
        detail::require_device("verify", device);
        if (!(device == cpu())) {
            all.push_back({false, Isa::scalar, 1, device});
            continue;
        }
        all.push_back({true, Isa::scalar, 1});
        for (const Isa isa : available_isas())
            for (const int threads : {1, 2, 3}) all.push_back({false, isa, threads});
    }
    return all;
}

class RestoreSettings {
  public:
    RestoreSettings() : isa_(current_isa()), isa_is_chosen_(rng_cpu::is_isa_chosen()), threads_(num_threads()) {}
    ~RestoreSettings() {
        isa_is_chosen_ ? set_isa(isa_) : reset_isa();
        set_num_threads(threads_);
    }
    RestoreSettings(const RestoreSettings&) = delete;
    RestoreSettings& operator=(const RestoreSettings&) = delete;

  private:
    Isa isa_;
    bool isa_is_chosen_;
    int threads_;
};

/// The functions that compute the values of a golden, with their types erased.
struct Maker {
    detail::FillRequest request;
    detail::ByAt by_at;
    uint64_t (*digest)(const void* values, size_t n);
};

/// A golden's stream, without its type: no code here is compiled for each engine and distribution.
detail::StreamRecord stream_of(const Golden& g) {
    detail::StreamRecord found{};
    rng_goldens::visit_stream(g, [&found](const auto& stream) { found = detail::record(stream); });
    return found;
}

template <class D> Maker maker_of(detail::StreamRecord first, const D& dist) {
    using T = result_t<D>;
    first.position = detail::round_up(first.position, D::slot_words);
    return {detail::request(dist, first), detail::by_at(catalogue_index<D>),
            [](const void* values, size_t n) { return rng_goldens::digest_of(static_cast<const T*>(values), n); }};
}

VerifyRow run(const Golden& g, const Path& path, const Maker& maker, const std::string& parameters) {
    std::vector<std::max_align_t> memory(g.n * maker.request.value_bytes / sizeof(std::max_align_t) + 1);
    void* const values = memory.data();
    if (!(path.device == cpu())) {
        detail::fill_through_device(maker.request, values, g.n, path.device);
    } else if (path.headers) {
        maker.by_at(maker.request.stream, maker.request.distribution, values, g.n);
    } else {
        set_isa(path.isa);
        set_num_threads(path.threads);
        detail::fill_values(maker.request, values, g.n);
    }
    return {g.engine, g.distribution,           g.dtype, parameters, path.name(), g.seed, g.id, g.position, g.n,
            g.digest, maker.digest(values, g.n)};
}

VerifyRow run(const detail::SvdCase& one, const Path& path) {
    set_isa(path.isa);
    set_num_threads(path.threads);
    const detail::SvdCaseResult result = detail::run_svd_case(one, false, path.device);
    return {engine_name(Engine::philox4x32_10),
            "svd_lowrank",
            one.dtype,
            to_string(one),
            path.name(),
            detail::svd_case_seed,
            0,
            0,
            result.values,
            one.digest,
            result.digest};
}

/// Returns the goldens of a scope. Values of bits are computed one by one and those of normal in pairs: the two ways of
/// a long fill.
std::vector<const Golden*> goldens_of(VerifyScope scope) {
    std::vector<const Golden*> chosen;
    for (const Golden& g : rng_goldens::short_goldens) chosen.push_back(&g);
    for (const Golden& g : rng_goldens::long_goldens) {
        const std::string_view distribution = g.distribution;
        if (scope == VerifyScope::all || distribution == "bits" || distribution == "normal") chosen.push_back(&g);
    }
    return chosen;
}

}  // namespace

std::vector<VerifyRow> verify(const std::function<void(size_t done, size_t total)>& progress, VerifyScope scope) {
    return verify(devices(), progress, scope);
}

std::vector<VerifyRow> verify(const std::vector<Device>& devices,
                              const std::function<void(size_t done, size_t total)>& progress, VerifyScope scope) {
    const RestoreSettings restore;
    const std::vector<Path> all = paths(devices);
    const std::vector<const Golden*> goldens = goldens_of(scope);
    const auto has_svd = [](const Path& path) { return !path.headers; };
    const size_t total =
        all.size() * goldens.size() +
        static_cast<size_t>(std::count_if(all.begin(), all.end(), has_svd)) * detail::svd_cases().size();
    std::vector<VerifyRow> rows;
    size_t done = 0;
    for (const Path& path : all) {
        for (const Golden* g : goldens) {
            rng_goldens::visit_distribution(*g, [&](const auto& dist) {
                const Maker maker = maker_of(stream_of(*g), dist);
                rows.push_back(run(*g, path, maker, parameter_text(dist)));
            });
            if (progress) progress(++done, total);
        }
        if (!has_svd(path)) continue;
        for (const detail::SvdCase& one : detail::svd_cases()) {
            rows.push_back(run(one, path));
            if (progress) progress(++done, total);
        }
    }
    return rows;
}

RNG_END_NAMESPACE
