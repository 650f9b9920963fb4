// The functions of rng.h, by the types that are chosen at run time.
#include <rng/rng.h>
#include <rng/any_distribution.hpp>
#include <rng/isa.hpp>
#include <rng/permutation.hpp>
#include <rng/shuffle.hpp>
#include <rng/svd/svd_lowrank.hpp>

#include <algorithm>
#include <complex>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator_state.hpp"

struct rng_distribution {
    rng::AnyDistribution any;
};

namespace {

using rng::ErrorCode;
using rng::detail::NumberText;
using rng::detail::raise_text;
using rng::detail::StreamRecord;

thread_local char error_text[1024] = "";

/// Keeps "call: text" as the text of the last error, and returns the status.
rng_status failed(const char* call, rng_status status, const char* text) {
    std::snprintf(error_text, sizeof error_text, "%s: %s", call, text);
    return status;
}

rng_status status_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return RNG_INVALID_ARGUMENT;
        case ErrorCode::end_of_stream: return RNG_END_OF_STREAM;
        case ErrorCode::unsupported: return RNG_UNSUPPORTED;
        case ErrorCode::bad_state: return RNG_BAD_STATE;
        case ErrorCode::cuda: return RNG_CUDA_FAILED;
        case ErrorCode::ranks: break;
    }
    return RNG_FAILED;
}

/// Thrown if go_on stops a fill.
struct Stopped {
    size_t done, n;
};

/// Calls f(), the body of the function `call`. No exception may reach C.
template <class F> rng_status guarded(const char* call, const F& f) noexcept {
    try {
        f();
        return RNG_OK;
    } catch (const Stopped& fill) {
        char text[96];
        std::snprintf(text, sizeof text, "go_on stopped the fill after %zu of %zu values", fill.done, fill.n);
        return failed(call, RNG_STOPPED, text);
    } catch (const rng::Error& error) {
        return failed(call, status_of(error.code()), error.what());
    } catch (const std::bad_alloc&) {
        return failed(call, RNG_NO_MEMORY, "out of memory");
    } catch (const std::exception& error) {
        return failed(call, RNG_FAILED, error.what());
    } catch (...) {
        return failed(call, RNG_FAILED, "an exception that is not a std::exception");
    }
}

void require(const char* name, const void* pointer) {
    if (pointer == nullptr) raise_text(ErrorCode::invalid_argument, "%s must not be null", name);
}

void require_size(const char* name, uint64_t have, size_t least) {
    if (have < least)
        raise_text(ErrorCode::invalid_argument, "%s->struct_bytes must be at least %zu, got %s", name, least,
                   NumberText(have).text);
}

/// Returns the stream of a structure, whose fields the caller may have written.
StreamRecord record_of(const char* name, const rng_stream* stream) {
    require(name, stream);
    if (stream->version != 1)
        raise_text(ErrorCode::invalid_argument, "%s->version must be 1, got %u: call rng_stream_init first", name,
                   stream->version);
    StreamRecord r{static_cast<rng::Engine>(stream->engine), {}, stream->id, stream->position};
    std::copy_n(stream->key, 4, r.key);
    if (!rng::detail::is_valid(r))
        raise_text(ErrorCode::invalid_argument,
                   "%s has no key, id and position of an engine's stream (engine %d): call rng_stream_init first", name,
                   static_cast<int>(stream->engine));
    return r;
}

void store(rng_stream* stream, const StreamRecord& r) {
    rng_stream made{1, static_cast<int32_t>(r.engine), {}, r.id, r.position};
    std::copy_n(r.key, 4, made.key);
    *stream = made;
}

/// Calls f(stream) with the stream in its own type.
template <class F> void with_stream(const StreamRecord& r, const F& f) {
    rng::visit_engine(r.engine, [&]<class E>(rng::type_tag<E>) { f(rng::detail::stream_of<E>(r)); });
}

rng::Number number_of(const rng_parameter& parameter) {
    switch (parameter.kind) {
        case RNG_REAL: return parameter.real;
        case RNG_INTEGER: return parameter.integer;
        case RNG_NATURAL: return static_cast<uint64_t>(parameter.integer);
    }
    raise_text(ErrorCode::invalid_argument,
               "the kind of parameter %s must be RNG_REAL (0), RNG_INTEGER (1) or RNG_NATURAL (2), got %lld",
               parameter.name, static_cast<long long>(parameter.kind));
}

/// Fills, and returns the number of values that were written.
size_t fill_from(const rng_distribution* distribution, const StreamRecord& stream, uint64_t first, void* out, size_t n,
                 const rng_fill_options* options) {
    rng::FillOptions how;
    if (options != nullptr) {
        require_size("options", options->struct_bytes, sizeof(rng_fill_options));
        if (options->go_on != nullptr)
            how.go_on = [options](uint64_t done) { return options->go_on(options->context, done) != 0; };
    }
    size_t done = 0;
    with_stream(stream, [&](const auto& s) { done = distribution->any.fill(out, n, s, first, how); });
    return done;
}

/// Returns a size or a stride of 64 bits as a To. Throws Error if it does not fit, on machines with addresses of 32
/// bits.
template <class To, class From> To fitting(const char* name, From x) {
    if (!std::in_range<To>(x))
        raise_text(ErrorCode::invalid_argument, "%s must fit %zu bits, got %lld", name, 8 * sizeof(To),
                   static_cast<long long>(x));
    return static_cast<To>(x);
}

template <class T> void compute_svd(const rng_svd& svd, rng::Generator& generator) {
    const auto q = static_cast<long long>(svd.q), niter = static_cast<long long>(svd.niter);
    const rng::matrix_view<const T> a{
        static_cast<const T*>(svd.a), fitting<size_t>("svd->m", svd.m), fitting<size_t>("svd->n", svd.n),
        fitting<ptrdiff_t>("svd->row_stride", svd.row_stride), fitting<ptrdiff_t>("svd->col_stride", svd.col_stride)};
    const auto result = svd.center != 0 ? rng::pca_lowrank(a, rng::PcaOptions{.q = q, .niter = niter}, generator)
                                        : rng::svd_lowrank(a, rng::SvdOptions<T>{.q = q, .niter = niter}, generator);
    const auto copy = [](const auto& values, void* to) {
        if (!values.empty()) std::memcpy(to, values.data(), values.size() * sizeof values[0]);
    };
    copy(result.U.values, svd.u);
    copy(result.S, svd.s);
    copy(result.V.values, svd.v);
}

}  // namespace

extern "C" {

const char* rng_error_text() { return error_text; }

const char* rng_version() { return RNG_VERSION; }

rng_status rng_set_num_threads(int32_t threads) {
    return guarded("rng_set_num_threads", [&] { rng::set_num_threads(threads); });
}

rng_status rng_stream_init(rng_stream* stream, uint64_t seed, const char* engine, uint64_t id) {
    return guarded("rng_stream_init", [&] {
        require("stream", stream);
        const rng::Engine number = engine == nullptr ? rng::Engine::philox4x32_10 : rng::parse_engine(engine);
        rng::visit_engine(
            number, [&]<class E>(rng::type_tag<E>) { store(stream, rng::detail::record(rng::Stream<E>(seed, id))); });
    });
}

rng_status rng_stream_fork(const rng_stream* parent, uint64_t tag, rng_stream* child) {
    return guarded("rng_stream_fork", [&] {
        const StreamRecord r = record_of("parent", parent);
        require("child", child);
        with_stream(r, [&](const auto& s) { store(child, rng::detail::record(s.fork(tag))); });
    });
}

rng_status rng_stream_fork_name(const rng_stream* parent, const char* name, rng_stream* child) {
    return guarded("rng_stream_fork_name", [&] {
        const StreamRecord r = record_of("parent", parent);
        require("name", name);
        require("child", child);
        with_stream(r, [&](const auto& s) { store(child, rng::detail::record(s.fork(std::string_view(name)))); });
    });
}

rng_status rng_stream_save(const rng_stream* stream, unsigned char state[RNG_STATE_BYTES]) {
    return guarded("rng_stream_save", [&] {
        const StreamRecord r = record_of("stream", stream);
        require("state", state);
        with_stream(r, [&](const auto& s) {
            const std::vector<std::byte> bytes = rng::Generator(s).get_state();
            static_assert(RNG_STATE_BYTES == 88);
            std::memcpy(state, bytes.data(), RNG_STATE_BYTES);
        });
    });
}

rng_status rng_stream_load(rng_stream* stream, const unsigned char state[RNG_STATE_BYTES]) {
    return guarded("rng_stream_load", [&] {
        require("stream", stream);
        require("state", state);
        rng::Generator generator;
        generator.set_state(std::as_bytes(std::span(state, RNG_STATE_BYTES)));
        rng::visit_engine(generator.engine(), [&]<class E>(rng::type_tag<E>) {
            store(stream, rng::detail::record(generator.stream<E>()));
        });
    });
}

rng_status rng_distribution_new(const char* name, const char* dtype, const rng_parameter* parameters, size_t count,
                                rng_distribution** made) {
    return guarded("rng_distribution_new", [&] {
        require("name", name);
        require("made", made);
        if (count > 0) require("parameters", parameters);
        std::vector<rng::AnyDistribution::Parameter> list;
        for (size_t i = 0; i < count; ++i) {
            require(("parameters[" + std::to_string(i) + "].name").c_str(), parameters[i].name);
            list.push_back({parameters[i].name, number_of(parameters[i])});
        }
        *made = new rng_distribution{rng::AnyDistribution(name, dtype == nullptr ? "" : dtype, list)};
    });
}

void rng_distribution_free(rng_distribution* distribution) { delete distribution; }

rng_status rng_distribution_describe(const rng_distribution* distribution, rng_distribution_info* info) {
    return guarded("rng_distribution_describe", [&] {
        require("distribution", distribution);
        require("info", info);
        require_size("info", info->struct_bytes, sizeof(rng_distribution_info));
        const rng::DistributionInfo& its = distribution->any.info();
        info->name = its.name;
        info->dtype = its.dtype;
        info->value_bytes = its.value_bytes;
        info->slot_words = static_cast<uint64_t>(its.slot_words);
    });
}

rng_status rng_fill(const rng_distribution* distribution, const rng_stream* stream, uint64_t first, void* out, size_t n,
                    const rng_fill_options* options) {
    return guarded("rng_fill", [&] {
        require("distribution", distribution);
        const size_t done = fill_from(distribution, record_of("stream", stream), first, out, n, options);
        if (done < n) throw Stopped{done, n};
    });
}

rng_status rng_fill_next(const rng_distribution* distribution, rng_stream* stream, void* out, size_t n,
                         const rng_fill_options* options) {
    return guarded("rng_fill_next", [&] {
        require("distribution", distribution);
        StreamRecord r = record_of("stream", stream);
        const size_t done = fill_from(distribution, r, 0, out, n, options);
        if (n == 0) return;
        const auto slot = static_cast<uint64_t>(distribution->any.info().slot_words);
        r.position = rng::detail::round_up(r.position, slot) + n * slot;
        store(stream, r);
        if (done < n) throw Stopped{done, n};
    });
}

rng_status rng_permutation(const rng_stream* stream, uint64_t k, uint64_t n, uint64_t first, uint64_t* out,
                           size_t count) {
    return guarded("rng_permutation", [&] {
        const StreamRecord r = record_of("stream", stream);
        with_stream(r, [&](const auto& s) { rng::fill(std::span(out, count), rng::permutation{n}.of(s, k), first); });
    });
}

rng_status rng_svd_lowrank(const rng_svd* svd, rng_stream* stream) {
    return guarded("rng_svd_lowrank", [&] {
        require("svd", svd);
        require_size("svd", svd->struct_bytes, sizeof(rng_svd));
        require("svd->dtype", svd->dtype);
        const StreamRecord r = record_of("stream", stream);
        if (svd->q > 0 && svd->m > 0) require("svd->u", svd->u);
        if (svd->q > 0) require("svd->s", svd->s);
        if (svd->q > 0 && svd->n > 0) require("svd->v", svd->v);
        bool is_known = false;
        using Elements = rng::type_list<float, double, std::complex<float>, std::complex<double>>;
        with_stream(r, [&](const auto& s) {
            rng::Generator generator(s);
            rng::detail::for_each_in(Elements{}, [&]<class T>(rng::type_tag<T>) {
                constexpr const char* name = rng::detail::is_same<T, float>                 ? "f32"
                                             : rng::detail::is_same<T, double>              ? "f64"
                                             : rng::detail::is_same<T, std::complex<float>> ? "c64"
                                                                                            : "c128";
                if (std::strcmp(svd->dtype, name) != 0) return;
                is_known = true;
                compute_svd<T>(*svd, generator);
            });
            StreamRecord moved = r;
            moved.position = generator.position();
            if (is_known) store(stream, moved);
        });
        if (!is_known)
            raise_text(ErrorCode::invalid_argument, "svd->dtype must be f32, f64, c64 or c128, got %s", svd->dtype);
    });
}

}  // extern "C"
