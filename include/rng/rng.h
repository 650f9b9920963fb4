/* rng.h: the C interface of librng, for C and for every language that can call C.
 *
 *     rng_stream stream;
 *     rng_distribution* normal;
 *     const rng_parameter parameters[] = {{"mean", RNG_REAL, 0, 10.0}, {"stddev", RNG_REAL, 0, 2.5}};
 *     float x[1000];
 *     if (rng_stream_init(&stream, 42, NULL, 0) != RNG_OK ||
 *         rng_distribution_new("normal", "f32", parameters, 2, &normal) != RNG_OK ||
 *         rng_fill(normal, &stream, 0, x, 1000, NULL) != RNG_OK)
 *         fprintf(stderr, "%s\n", rng_error_text());
 *
 * Values are those of C++: x[i] is rng::at(rng::Stream{42}, rng::normal{10.0f, 2.5f}, i).
 *
 * - Functions return RNG_OK or an error code, for which rng_error_text() returns the text. A call that fails changes
 *   nothing.
 * - Functions may be called from several threads at once. Only an object that a call changes must not be used by
 *   another thread at the same time.
 * - Structures begin with their version or their size, except rng_parameter, which does not change. A later library
 *   accepts the structures of an earlier header.
 * - This interface is frozen: everything here keeps its name, its layout and its meaning (docs/releases.md).
 */
#ifndef RNG_RNG_H
#define RNG_RNG_H

#include <stddef.h>
#include <stdint.h>

#if (defined(RNG_SHARED) || defined(RNG_C_SHARED)) && defined(__GNUC__)
#define RNG_C_API __attribute__((visibility("default")))
#else
#define RNG_C_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The result of a function. */
typedef int32_t rng_status;
enum {
    RNG_OK = 0,
    RNG_INVALID_ARGUMENT = 1, /**< an argument outside its documented range, or null */
    RNG_END_OF_STREAM = 2,    /**< values past the end of a stream */
    RNG_UNSUPPORTED = 3,      /**< not built in, or not on this machine */
    RNG_BAD_STATE = 4,        /**< damaged or foreign bytes of a state */
    RNG_CUDA_FAILED = 5,      /**< a call of CUDA failed */
    RNG_NO_MEMORY = 6,
    RNG_STOPPED = 7, /**< go_on returned 0 */
    RNG_FAILED = 8   /**< anything else */
};

/** Returns the text of this thread's last error, or "". Valid until the thread's next error. */
RNG_C_API const char* rng_error_text(void);
/** Returns the version of the library: "0.1.0". */
RNG_C_API const char* rng_version(void);
/** Sets the number of threads that fills use; 0: as many as the process may use. Bits do not depend on it. */
RNG_C_API rng_status rng_set_num_threads(int32_t threads);

/* ---- Streams ---- */

/** A stream: a value, which can be copied, compared and stored byte by byte. Its members may be read, and `position`
 * written. */
typedef struct rng_stream {
    uint32_t version; /**< 1 */
    int32_t engine;   /**< the engine's number in the contract */
    uint64_t key[4];
    uint64_t id;
    uint64_t position; /**< in 32-bit words */
} rng_stream;

/** Sets a stream to position 0 of stream `id` of a seed. `engine` is a name as `rng info` shows it; null means the
 * default, "philox4x32-10". */
RNG_C_API rng_status rng_stream_init(rng_stream* stream, uint64_t seed, const char* engine, uint64_t id);
/** Sets `child` to the child with this tag, below 2^56. It may be the parent itself. */
RNG_C_API rng_status rng_stream_fork(const rng_stream* parent, uint64_t tag, rng_stream* child);
/** Sets `child` to the child of this name: UTF-8, ended by 0. */
RNG_C_API rng_status rng_stream_fork_name(const rng_stream* parent, const char* name, rng_stream* child);

/** The bytes of a saved state. */
#define RNG_STATE_BYTES 88
/** Writes the stream as the state of a generator: portable, with a checksum. C++ and Python read it. */
RNG_C_API rng_status rng_stream_save(const rng_stream* stream, unsigned char state[RNG_STATE_BYTES]);
/** Reads a state that rng_stream_save() or Generator::get_state() wrote. Damaged bytes give RNG_BAD_STATE. */
RNG_C_API rng_status rng_stream_load(rng_stream* stream, const unsigned char state[RNG_STATE_BYTES]);

/* ---- Distributions ---- */

/** The kinds of numbers. */
enum {
    RNG_REAL = 0,    /**< the member `real` */
    RNG_INTEGER = 1, /**< the member `integer` */
    RNG_NATURAL = 2  /**< the bits of `integer`, as an unsigned number */
};
/** A parameter of a distribution. Integer parameters take integers without loss; real parameters take both kinds. */
typedef struct rng_parameter {
    const char* name;
    int64_t kind;
    int64_t integer;
    double real;
} rng_parameter;

/** A distribution with its parameters. It does not change, so threads may share it. */
typedef struct rng_distribution rng_distribution;

/** Creates a distribution of the catalogue (`rng list`). `dtype` is the type of a value: "f32", "i64", ...; null means
 * the distribution's default type. A parameter that is not given has its default value. */
RNG_C_API rng_status rng_distribution_new(const char* name, const char* dtype, const rng_parameter* parameters,
                                          size_t count, rng_distribution** made);
/** Frees a distribution; null is allowed. */
RNG_C_API void rng_distribution_free(rng_distribution* distribution);

/** The description of a distribution. */
typedef struct rng_distribution_info {
    uint64_t struct_bytes; /**< set by the caller: sizeof(rng_distribution_info) */
    const char* name;      /**< valid as long as the library is loaded */
    const char* dtype;     /**< valid as long as the library is loaded */
    uint64_t value_bytes;  /**< of a value in memory */
    uint64_t slot_words;   /**< 32-bit words of the stream that a value takes */
} rng_distribution_info;
RNG_C_API rng_status rng_distribution_describe(const rng_distribution* distribution, rng_distribution_info* info);

/* ---- Fills ---- */

/** How a long fill reports its progress. */
typedef struct rng_fill_options {
    uint64_t struct_bytes; /**< sizeof(rng_fill_options) */
    /** Null, or a function that is called before the first chunk and after each chunk, with the number of values that
     * are ready. If it returns 0, the fill ends with RNG_STOPPED. A chunk has about 4 MiB. It must not throw. */
    int32_t (*go_on)(void* context, uint64_t done);
    void* context;
} rng_fill_options;

/** Writes values first ... first + n - 1 of the stream to `out`: n values of info.value_bytes bytes, aligned for their
 * type. The stream does not change. `options` may be null. */
RNG_C_API rng_status rng_fill(const rng_distribution* distribution, const rng_stream* stream, uint64_t first, void* out,
                              size_t n, const rng_fill_options* options);
/** Writes the next n values, and advances the stream, as a fill from a Generator does. A stopped fill advances it by n
 * values, too. */
RNG_C_API rng_status rng_fill_next(const rng_distribution* distribution, rng_stream* stream, void* out, size_t n,
                                   const rng_fill_options* options);
/** Writes values first ... first + count - 1 of permutation k of [0, n), for n up to 2^62. */
RNG_C_API rng_status rng_permutation(const rng_stream* stream, uint64_t k, uint64_t n, uint64_t first, uint64_t* out,
                                     size_t count);

/* ---- The low-rank SVD ---- */

/** A matrix and where its singular values and vectors go. Element (i, j) of a is a[i * row_stride + j * col_stride],
 * strides in elements. u is m x q, s has q numbers and v is n x q, row by row, without gaps. */
typedef struct rng_svd {
    uint64_t struct_bytes; /**< sizeof(rng_svd) */
    const char* dtype;     /**< of a, u and v: "f32", "f64", "c64" or "c128"; s is real */
    uint64_t m, n;
    const void* a;
    int64_t row_stride, col_stride;
    uint64_t q;     /**< singular values: up to min(m, n) */
    uint64_t niter; /**< power iterations; 2 is usual */
    int64_t center; /**< 1: principal components, of a minus the mean of each column; 0: of a */
    void *u, *s, *v;
} rng_svd;
/** Computes the q leading singular values and vectors, and advances the stream past the random test matrix. */
RNG_C_API rng_status rng_svd_lowrank(const rng_svd* svd, rng_stream* stream);

#ifdef __cplusplus
}
#endif

#endif
