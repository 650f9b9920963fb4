/* What the C that ptx_to_c.py writes stands on, and what parity_host.cpp needs to call it.
 *
 * Registers hold bits; each instruction converts them to the type in its name and back. Addresses are the host's, but
 * those of shared memory, which count from the beginning of the block's. */
#ifndef RNG_TESTS_PTX_MACHINE_H
#define RNG_TESTS_PTX_MACHINE_H

#include <stdint.h>
#include <string.h>

struct ptx_block; /* what the threads of a block share: ptx_block.h */

/* Which thread it is. */
struct ptx_place {
    uint32_t tid, ctaid, ctaid_y, ntid, nctaid;
    struct ptx_block* block;
};

/* One thread of one kernel; parameters lie in `parameters` as PTX lays them out. */
typedef void ptx_thread(const unsigned char* parameters, const struct ptx_place* place);

struct ptx_kernel {
    const char* name; /* mangled; null ends the table `ptx_kernels` */
    ptx_thread* thread;
    uint32_t parameter_bytes, shared_bytes;
    uint32_t shared_is_open; /* not 0: the launch says how many bytes follow (ptx_launch_bytes) */
    uint32_t barriers;
};

/* Runs a block of a grid; what it did that a GPU would not define, or null. The function is `ptx_run_block`. */
typedef const char* ptx_block_runner(const struct ptx_kernel* kernel, const unsigned char* parameters, uint32_t ctaid,
                                     uint32_t ctaid_y, uint32_t ntid, uint32_t nctaid);

struct ptx_counts {
    uint64_t flushes;         /* .ftz instructions that met or made a subnormal number */
    uint64_t flushes_changed; /* those whose result differs from the instruction's without .ftz */
    uint64_t subnormals;      /* f32 and f64 arithmetic without .ftz that made a subnormal number */
    const char* culprit;      /* the first instruction of the last two kinds */
};

#ifndef __cplusplus
#include <math.h>

_Static_assert(sizeof(void*) == 8, "PTX addresses have 64 bits");

struct ptx_counts ptx_counts;

#define PTX_BITS(type, bits_type, prefix)              \
    static inline type prefix##_of(bits_type x) {      \
        type r;                                        \
        memcpy(&r, &x, sizeof r);                      \
        return r;                                      \
    }                                                  \
    static inline bits_type bits_of_##prefix(type x) { \
        bits_type r;                                   \
        memcpy(&r, &x, sizeof r);                      \
        return r;                                      \
    }
PTX_BITS(float, uint32_t, f32)
PTX_BITS(double, uint64_t, f64)

/* The bits of a number rounded to nearest even, with so many bits of fraction, from a least exponent on. */
static inline uint32_t ptx_half(double x, int fraction, int least) {
    int exponent;
    if (x != x) return 0x7fff; /* the one NaN that the instructions make */
    const uint32_t sign = signbit(x) ? 0x8000u : 0, infinite = 0x7fffu >> fraction << fraction;
    if (x == 0) return sign;
    frexp(x, &exponent);
    exponent = exponent - 1 < least ? least : exponent - 1;
    const double places = rint(ldexp(fabs(x), fraction - exponent));
    const double bits = ldexp(exponent - least, fraction) + places;
    return sign | (bits < infinite ? (uint32_t)bits : infinite);
}
static inline uint32_t ptx_f16_of_f64(double x) { return ptx_half(x, 10, -14); }
static inline uint32_t ptx_bf16_of_f64(double x) { return ptx_half(x, 7, -126); }
static inline double ptx_f64_of_f16(uint32_t bits) {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double x = exponent ? ldexp(fraction + 1024, exponent - 25) : ldexp(fraction, -24);
    return bits & 0x8000 ? -x : x;
}
static inline float ptx_f32_of_f16(uint32_t bits) {
    if ((bits & 0x7fffu) > 0x7c00u) return f32_of(0x7fffffffu);
    if ((bits & 0x7fffu) == 0x7c00u) return bits & 0x8000u ? -INFINITY : INFINITY;
    return (float)ptx_f64_of_f16(bits);
}
static inline uint32_t ptx_add_f16(uint32_t a, uint32_t b) {
    return ptx_f16_of_f64(ptx_f64_of_f16(a) + ptx_f64_of_f16(b));
}

static inline int f32_subnormal(float x) {
    const uint32_t magnitude = bits_of_f32(x) & 0x7fffffffu;
    return magnitude != 0 && magnitude < 0x00800000u;
}
static inline int f64_subnormal(double x) {
    const uint64_t magnitude = bits_of_f64(x) & 0x7fffffffffffffffu;
    return magnitude != 0 && magnitude < 0x0010000000000000u;
}
/* A result of 2^-126 may have been rounded up from below; whether .ftz then flushes it is not documented. */
static inline int f32_flushable(float x) { return f32_subnormal(x) || (bits_of_f32(x) & 0x7fffffffu) == 0x00800000u; }
static inline float f32_flushed(float x) { return f32_of(bits_of_f32(x) & (f32_subnormal(x) ? 0x80000000u : ~0u)); }

/* 1 / sqrt(a): as a GPU approximates it, but better. Of a double the upper halves of argument and result count. */
static inline float ptx_rsqrt_f32(float a) { return (float)(1 / sqrt((double)a)); }
static inline double ptx_rsqrt_f64(double a) {
    const uint64_t upper = 0xffffffff00000000u;
    return f64_of(bits_of_f64(1 / sqrt(f64_of(bits_of_f64(a) & upper))) & upper);
}

/* The bit field instructions as the PTX manual defines them; positions and lengths are the low 8 bits. */
static inline uint64_t ptx_bfe(uint64_t a, uint32_t b, uint32_t c, int width, int is_signed) {
    const uint32_t position = b & 0xff, length = c & 0xff;
    const uint32_t top = position + length - 1 < (uint32_t)width - 1 ? position + length - 1 : (uint32_t)width - 1;
    const uint64_t fill = is_signed && length != 0 ? (a >> top) & 1 : 0;
    uint64_t d = 0;
    for (uint32_t i = 0; i < (uint32_t)width; ++i)
        d |= (i < length && position + i < (uint32_t)width ? (a >> (position + i)) & 1 : fill) << i;
    return d;
}
static inline uint64_t ptx_bfi(uint64_t a, uint64_t b, uint32_t c, uint32_t d, int width) {
    const uint32_t position = c & 0xff, length = d & 0xff;
    if (position >= (uint32_t)width || length == 0) return b;
    const uint64_t ones = length >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << length) - 1;
    return (b & ~(ones << position)) | ((a & ones) << position);
}
static inline uint32_t ptx_brev(uint32_t a) {
    uint32_t d = 0;
    for (int i = 0; i < 32; ++i) d |= (a >> i & 1) << (31 - i);
    return d;
}
static inline uint32_t ptx_prmt(uint32_t a, uint32_t b, uint32_t selectors) {
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;
    for (int i = 0; i < 4; ++i) {
        const uint32_t selector = selectors >> (4 * i) & 0xf, byte = (uint32_t)(bytes >> (8 * (selector & 7))) & 0xff;
        d |= (selector & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << (8 * i);
    }
    return d;
}
static inline uint32_t ptx_lop3(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t d = 0;
    for (uint32_t row = 0; row < 8; ++row)
        if (table >> row & 1) d |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return d;
}

#include "ptx_block.h"
#endif

#endif
