/* A block of threads: their shared memory, their barriers, and the shuffles of their warps.
 *
 * Each thread runs on a stack of its own until it comes to a barrier, then the next one; when all have come, they go
 * on. So within an interval between barriers threads run in the order of their numbers. That no other order would give
 * another result is checked: in one interval no shared location that a thread writes may be touched by another.
 * A warp's lanes meet in the same way at a shuffle, a ballot or a barrier of the warp. All 32 must come to the same
 * one. A warp's barrier ends a step. What a lane touches in one step, another lane of its warp may touch in a later
 * one. A copy of cp.async arrives when its thread waits for it: before, its place has other bytes. */
#ifndef RNG_TESTS_PTX_BLOCK_H
#define RNG_TESTS_PTX_BLOCK_H

#include <setjmp.h>
#include <stdlib.h>
#include <ucontext.h>

enum {
    ptx_lanes = 32,
    ptx_most_threads = 1024,
    ptx_stack_bytes = 1 << 16,
    ptx_most_shared = 227 << 10,
    ptx_most_copies = 32, /* of a thread that are under way */
    ptx_many = ptx_most_threads,
    ptx_several = 2 * ptx_many /* readers of several warps */
};

/* Four bytes of shared memory: who wrote and read them last, in which interval and step. Several lanes of a warp that
 * read in the same step are one reader: ptx_many and the number of one of them. */
struct ptx_cell {
    uint32_t writer, written, written_step, reader, read, read_step;
    uint32_t summed; /* the last interval with an atomic sum */
};

/* A copy of 16 bytes to shared memory that is under way: `bytes` from memory, then zeros. */
struct ptx_copy {
    uint32_t to, bytes, group;
    const unsigned char* from;
};

/* A context begins a thread on its stack, and its place is kept by a jump buffer: swapcontext asks the system for the
 * signal mask at each switch, which took a third of the time. */
struct ptx_fiber {
    ucontext_t context;
    jmp_buf stopped;
    int has_begun;
    struct ptx_place place;
    uint32_t barrier;  /* at which it waits, or meets its warp */
    uint32_t given[2]; /* to the lanes that meet it */
    uint32_t step;     /* how many barriers of its warp it has passed */
    int turn, meets, in_range, finished;
    struct ptx_copy copies[ptx_most_copies];
    uint32_t copy_count, copy_groups; /* under way; committed */
};

struct ptx_block {
    const struct ptx_kernel* kernel;
    const unsigned char* parameters;
    uint32_t shared_bytes;
    uint32_t interval; /* from 1 on */
    const char* fault; /* the first */
    struct ptx_fiber* now;
    jmp_buf scheduler;
    struct ptx_cell cells[ptx_most_shared / 4];
    _Alignas(16) unsigned char shared[ptx_most_shared];
    struct ptx_fiber fibers[ptx_most_threads];
};

static inline void ptx_blame(const struct ptx_place* at, const char* fault) {
    if (!at->block->fault) at->block->fault = fault;
}

static inline void ptx_check_alignment(const struct ptx_place* at, const unsigned char* address, uint32_t bytes) {
    if ((uintptr_t)address % bytes != 0) ptx_blame(at, "global memory at an address that is not aligned");
}

static inline int ptx_same_warp(const struct ptx_place* at, uint32_t thread) {
    return thread != ptx_several && thread % ptx_many / ptx_lanes == at->tid / ptx_lanes;
}
static inline uint32_t ptx_step(const struct ptx_place* at) {
    return at->block->kernel->barriers ? at->block->now->step : 0;
}
/* Returns true if no barrier stands between what another thread did then and what this one does now. */
static inline int ptx_in_conflict(const struct ptx_place* at, uint32_t thread, uint32_t interval, uint32_t step) {
    const int is_ordered = ptx_same_warp(at, thread) && step < ptx_step(at);
    return interval == at->block->interval && thread != at->tid && !is_ordered;
}

/* Returns the place of a location of shared memory. */
static inline unsigned char* ptx_shared(const struct ptx_place* at, uint32_t address, uint32_t bytes,
                                        uint32_t alignment, int is_write) {
    struct ptx_block* const block = at->block;
    if (address % alignment != 0) ptx_blame(at, "shared memory at an address that is not aligned");
    if (address > block->shared_bytes || bytes > block->shared_bytes - address) {
        ptx_blame(at, "beyond the shared memory");
        address = 0;
    }
    for (uint32_t i = address / 4; i <= (address + bytes - 1) / 4; ++i) {
        struct ptx_cell* const cell = &block->cells[i];
        const int others_read = ptx_in_conflict(at, cell->reader, cell->read, cell->read_step);
        if (ptx_in_conflict(at, cell->writer, cell->written, cell->written_step) || (is_write && others_read))
            ptx_blame(at, "two threads touch a shared location between barriers, and one writes");
        if (cell->summed == block->interval)
            ptx_blame(at, "two threads touch a shared location between barriers, and one adds to it");
        if (is_write) {
            cell->writer = at->tid;
            cell->written = block->interval;
            cell->written_step = ptx_step(at);
        } else {
            if (!cell->written) ptx_blame(at, "shared memory is read that nobody wrote");
            const uint32_t several = ptx_same_warp(at, cell->reader) ? ptx_many + at->tid : ptx_several;
            cell->reader = others_read ? several : at->tid;
            cell->read = block->interval;
            cell->read_step = ptx_step(at);
        }
    }
    return block->shared + address;
}

/* Adds to four bytes of shared memory. Sums may meet, in any order; nothing else may touch the place meanwhile. */
static inline void ptx_shared_sum(const struct ptx_place* at, uint32_t address, uint32_t value) {
    struct ptx_block* const block = at->block;
    uint32_t m;
    if (address % 4 != 0 || address > block->shared_bytes || 4 > block->shared_bytes - address) {
        ptx_blame(at, "a sum in shared memory at an address that is not aligned, or beyond it");
        return;
    }
    struct ptx_cell* const cell = &block->cells[address / 4];
    if (ptx_in_conflict(at, cell->writer, cell->written, cell->written_step) ||
        ptx_in_conflict(at, cell->reader, cell->read, cell->read_step))
        ptx_blame(at, "two threads touch a shared location between barriers, and one adds to it");
    if (!cell->written) ptx_blame(at, "shared memory is read that nobody wrote");
    cell->summed = block->interval;
    memcpy(&m, block->shared + address, 4);
    m += value;
    memcpy(block->shared + address, &m, 4);
}

static inline void ptx_copy_async(const struct ptx_place* at, uint32_t to, const unsigned char* from, uint32_t bytes) {
    struct ptx_fiber* const own = &at->block->fibers[at->tid];
    ptx_check_alignment(at, from, 16);
    if (own->copy_count == ptx_most_copies || bytes > 16) {
        ptx_blame(at, "more copies under way, or of more bytes, than this machine has");
        return;
    }
    memset(ptx_shared(at, to, 16, 16, 1), 0xa5, 16);
    own->copies[own->copy_count++] = (struct ptx_copy){to, bytes, own->copy_groups, from};
}
static inline void ptx_commit_copies(const struct ptx_place* at) { ++at->block->fibers[at->tid].copy_groups; }
/* Lets the copies of all groups but the last `pending` arrive. */
static inline void ptx_wait_for_copies(const struct ptx_place* at, uint32_t pending) {
    struct ptx_fiber* const own = &at->block->fibers[at->tid];
    uint32_t left = 0;
    for (uint32_t i = 0; i < own->copy_count; ++i) {
        const struct ptx_copy copy = own->copies[i];
        if (copy.group + pending >= own->copy_groups) {
            own->copies[left++] = copy;
            continue;
        }
        unsigned char* const to = ptx_shared(at, copy.to, 16, 16, 1);
        memset(to, 0, 16);
        memcpy(to, copy.from, copy.bytes);
    }
    own->copy_count = left;
}

static struct ptx_block ptx_the_block;

static void ptx_wait(struct ptx_block* block, uint32_t number) {
    block->now->barrier = number;
    if (!_setjmp(block->now->stopped)) _longjmp(block->scheduler, 1);
}

/* Gives a number to the lanes of the warp, and waits until all have given theirs. Two slots take turns, because a lane
 * may give its next number before another has read this one. */
static void ptx_meet(const struct ptx_place* at, uint32_t number, uint32_t value, uint32_t lanes) {
    struct ptx_fiber* const own = at->block->now;
    if (lanes != ~0u) ptx_blame(at, "a part of the warp is to meet");
    own->given[own->turn ^= 1] = value;
    own->meets = 1;
    ptx_wait(at->block, number);
    own->meets = 0;
}

/* The number of the lane `delta` lanes after this one; its own if there is none. */
static uint32_t ptx_shuffle_down(const struct ptx_place* at, uint32_t number, uint32_t value, uint32_t delta,
                                 uint32_t clamp, uint32_t lanes) {
    struct ptx_block* const block = at->block;
    struct ptx_fiber* const own = block->now;
    if (clamp != ptx_lanes - 1) ptx_blame(at, "a shuffle of a part of the warp");
    ptx_meet(at, number, value, lanes);
    own->in_range = delta < ptx_lanes - at->tid % ptx_lanes;
    return own->in_range ? own[delta].given[own->turn] : value;
}

/* The number of the lane whose number differs from this one's in the bits of `mask`. */
static uint32_t ptx_shuffle_bfly(const struct ptx_place* at, uint32_t number, uint32_t value, uint32_t mask,
                                 uint32_t clamp, uint32_t lanes) {
    struct ptx_fiber* const own = at->block->now;
    const uint32_t lane = at->tid % ptx_lanes;
    if (clamp != ptx_lanes - 1 || mask >= ptx_lanes) ptx_blame(at, "a shuffle of a part of the warp");
    ptx_meet(at, number, value, lanes);
    own->in_range = 1;
    return own[(int)(lane ^ (mask % ptx_lanes)) - (int)lane].given[own->turn];
}

/* The number of a lane. */
static uint32_t ptx_shuffle_idx(const struct ptx_place* at, uint32_t number, uint32_t value, uint32_t lane,
                                uint32_t clamp, uint32_t lanes) {
    struct ptx_fiber* const own = at->block->now;
    if (clamp != ptx_lanes - 1 || lane >= ptx_lanes) ptx_blame(at, "a shuffle of a part of the warp");
    ptx_meet(at, number, value, lanes);
    own->in_range = 1;
    return own[(int)(lane % ptx_lanes) - (int)(at->tid % ptx_lanes)].given[own->turn];
}

/* A bit for each lane whose predicate is true. */
static uint32_t ptx_ballot(const struct ptx_place* at, uint32_t number, uint32_t predicate, uint32_t lanes) {
    struct ptx_fiber* const own = at->block->now;
    ptx_meet(at, number, predicate, lanes);
    const struct ptx_fiber* const first = own - at->tid % ptx_lanes;
    uint32_t bits = 0;
    for (uint32_t lane = 0; lane < ptx_lanes; ++lane) bits |= (first[lane].given[own->turn] & 1) << lane;
    return bits;
}

static void ptx_warp_barrier(const struct ptx_place* at, uint32_t number, uint32_t lanes) {
    struct ptx_fiber* const own = at->block->now;
    ptx_meet(at, number, 0, lanes);
    ++own->step;
}

static void ptx_fiber_main(void) {
    struct ptx_block* const block = &ptx_the_block;
    block->kernel->thread(block->parameters, &block->now->place);
    block->now->finished = 1;
    _longjmp(block->scheduler, 1);
}

/* Lets a thread go on until it ends or waits. */
static void ptx_resume(struct ptx_block* block, struct ptx_fiber* fiber) {
    if (_setjmp(block->scheduler)) return;
    if (fiber->has_begun) _longjmp(fiber->stopped, 1);
    fiber->has_begun = 1;
    setcontext(&fiber->context);
}

/* Runs the lanes of a warp until each has ended or waits at a barrier. */
static void ptx_run_warp(struct ptx_block* block, uint32_t first, uint32_t ntid) {
    const uint32_t end = first + ptx_lanes < ntid ? first + ptx_lanes : ntid;
    for (int met_any = 1; met_any && !block->fault;) {
        uint32_t met = 0, came = 0;
        for (uint32_t t = first; t < end; ++t) {
            block->now = &block->fibers[t];
            if (!block->now->finished) ptx_resume(block, block->now);
            if (block->now->finished || !block->now->meets) continue;
            if (came++ && met != block->now->barrier) ptx_blame(&block->now->place, "lanes wait at different places");
            met = block->now->barrier;
        }
        if (came && came != ptx_lanes) ptx_blame(&block->now->place, "lanes meet without all lanes of the warp");
        met_any = came != 0;
    }
}

/* If it is not 0, the threads of kernels without barriers run from the last to the first: global memory is not watched,
 * and a result that depends on their order differs. */
int ptx_backwards;

/* The bytes of shared memory that the launch adds to those of the kernel. */
uint32_t ptx_launch_bytes;

const char* ptx_run_block(const struct ptx_kernel* kernel, const unsigned char* parameters, uint32_t ctaid,
                          uint32_t ctaid_y, uint32_t ntid, uint32_t nctaid) {
    static unsigned char* stacks;
    struct ptx_block* const block = &ptx_the_block;
    if (!stacks) stacks = malloc((size_t)ptx_most_threads * ptx_stack_bytes);
    if (ptx_launch_bytes && !kernel->shared_is_open) return "shared memory that the kernel has no name for";
    if (!stacks || ntid > ptx_most_threads || ptx_launch_bytes > ptx_most_shared ||
        kernel->shared_bytes + ptx_launch_bytes > ptx_most_shared)
        return "a block that is too large";
    block->shared_bytes = kernel->shared_bytes + ptx_launch_bytes;
    block->kernel = kernel;
    block->parameters = parameters;
    block->fault = 0;
    block->interval = 1;
    memset(block->cells, 0, (block->shared_bytes + 3) / 4 * sizeof block->cells[0]);
    memset(block->shared, 0xa5, block->shared_bytes);
    for (uint32_t i = 0; i < ntid; ++i) {
        const uint32_t t = ptx_backwards ? ntid - 1 - i : i;
        struct ptx_fiber* const fiber = &block->fibers[t];
        fiber->place = (struct ptx_place){t, ctaid, ctaid_y, ntid, nctaid, block};
        fiber->turn = fiber->meets = fiber->in_range = fiber->finished = fiber->has_begun = 0;
        fiber->step = fiber->copy_count = fiber->copy_groups = 0;
        if (kernel->barriers == 0) {
            kernel->thread(parameters, &fiber->place);
            continue;
        }
        getcontext(&fiber->context);
        fiber->context.uc_stack.ss_sp = stacks + (size_t)t * ptx_stack_bytes;
        fiber->context.uc_stack.ss_size = ptx_stack_bytes;
        fiber->context.uc_link = 0;
        makecontext(&fiber->context, ptx_fiber_main, 0);
    }
    if (kernel->barriers == 0) return block->fault;
    for (; !block->fault; ++block->interval) {
        uint32_t finished = 0, met = 0;
        for (uint32_t first = 0; first < ntid; first += ptx_lanes) ptx_run_warp(block, first, ntid);
        for (uint32_t t = 0; t < ntid; ++t) {
            const struct ptx_fiber* const fiber = &block->fibers[t];
            finished += (uint32_t)fiber->finished;
            if (fiber->finished) continue;
            if (met && met != fiber->barrier) ptx_blame(&fiber->place, "threads wait at different barriers");
            met = fiber->barrier;
        }
        if (finished == ntid) break;
        if (finished > 0) ptx_blame(&block->now->place, "a thread ends while others wait at a barrier");
    }
    return block->fault;
}

#endif
