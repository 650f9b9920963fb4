"""Tests the translator by itself: memory, control flow, and what it must refuse (check_instructions.py has the rest).

    check_translator.py [--cc CC]

What it cannot show: that nvcc writes nothing else. It need not: whatever else it writes is refused.
"""

import argparse
import ctypes
import re
import sys
import tempfile
import unittest
from pathlib import Path

from loaded_ptx import Library
from ptx_text import PtxError
from ptx_to_c import translate

HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"
options = argparse.Namespace(cc="cc")

# Parameters at offsets, a constant table, a local array, vectors, a loop, scopes, narrow loads, halves of registers.
MACHINERY = HEAD + """
.const .align 8 .b8 table[16] = {1, 2, 3, 4, 255, 0, 0, 128, 10, 11};
.global .align 8 .f64 halves[2] = {0d3FE0000000000000, 0dBFE0000000000000};
.global .align 8 .u64 text = generic($nobody_reads_this);
.visible .entry machinery(.param .u64 cells, .param .align 4 .b8 pair[12], .param .u16 small,
    .param .u64 .ptr .align 1 unused)
{
    .local .align 8 .b8 depot[16];
    .reg .pred %p<3>;
    .reg .b16 %rs<3>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<9>;
    .reg .b64 %SPL;
    mov.u64 %SPL, depot;
    ld.param.u64 %rd1, [cells];
    cvta.to.global.u64 %rd1, %rd1;
    ld.param.v2.u32 {%r1, %r2}, [pair+4];
    ld.param.u16 %rs1, [small];
    st.local.v2.u32 [%SPL], {%r1, %r2};
    ld.local.u64 %rd2, [%SPL];            // pair[1..2]
    st.global.u64 [%rd1], %rd2;
    mov.u64 %rd3, table;
    ld.const.s8 %r3, [%rd3+4];            // -1
    ld.const.u32 %rd4, [table+8];         // 0x0b0a, extended with zeros
    ld.global.f64 %rd5, [halves+8];
    st.global.s32 [%rd1+8], %r3;
    st.global.u64 [%rd1+16], %rd4;
    st.global.b64 [%rd1+24], %rd5;
    mov.u32 %r4, 0;
    mov.u32 %r5, -5;
$loop:
    add.s32 %r4, %r4, 3;
    add.s32 %r5, %r5, 1;
    setp.ne.s32 %p1, %r5, 0;
    @%p1 bra $loop;
    { .reg .b32 tmp; mov.b64 {tmp, %r6}, %rd2; @!%p1 add.s32 %r4, %r4, tmp; }
    mov.b64 %rd6, {%r4, %r6};
    mov.pred %p2, -1;
    @%p2 st.global.u64 [%rd1+32], %rd6;
    @!%p2 st.global.u64 [%rd1+32], 7;
    cvt.u32.u16 %r7, %rs1;
    mov.u32 %r8, %ntid.x;
    add.s32 %r7, %r7, %r8;
    st.global.v2.u32 [%rd1+40], {%r7, 4294967295};
    mov.u32 %r9, 131070;
    cvt.s32.s16 %r9, %r9;                 // -2, of the low bits
    st.global.u32 [%rd1+48], %r9;
    ret;
}
"""


class Machinery(unittest.TestCase):
    def test_memory_and_control_flow(self):
        with tempfile.TemporaryDirectory() as folder:
            library = Library(MACHINERY, Path(folder), options.cc)
            cells = (ctypes.c_uint64 * 7)()
            words = ctypes.addressof(cells).to_bytes(8, "little")
            words += b"".join(x.to_bytes(4, "little") for x in (9, 100, 200, 65535)) + bytes(8)
            self.assertEqual(library.kernels["machinery"].parameter_bytes, 32)
            self.assertIsNone(library.run_block("machinery", words, 64))
            wanted = [200 << 32 | 100, 0xFFFFFFFF, 0x0B0A, 0xBFE << 52, 200 << 32 | 115, 0xFFFFFFFF << 32 | 65535 + 64, 0xFFFFFFFE]
            self.assertEqual(list(cells), wanted)


# helper(a, b) returns a + b and a - b; the kernel writes both to its cells.
CALLS = HEAD + """
.func (.param .align 4 .b8 out[8]) helper(.param .b64 a, .param .b32 b)
;
.visible .entry calls(.param .u64 cells)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [cells];
    { // callseq 0, 0
    .reg .b32 temp_param_reg;
    .param .b64 param0;
    st.param.b64 [param0+0], 100;
    .param .b32 param1;
    st.param.b32 [param1+0], 30;
    .param .align 4 .b8 retval0[8];
    call.uni (retval0),
    helper,
    (
    param0,
    param1
    );
    ld.param.b32 %r1, [retval0+0];
    ld.param.b32 %r2, [retval0+4];
    } // callseq 0
    st.global.v2.u32 [%rd1], {%r1, %r2};
    ret;
}
.func (.param .align 4 .b8 out[8]) helper(.param .b64 a, .param .b32 b)
{
    .reg .b32 %r<5>;
    ld.param.u32 %r1, [a];
    ld.param.u32 %r2, [b];
    add.s32 %r3, %r1, %r2;
    sub.s32 %r4, %r1, %r2;
    st.param.b32 [out+0], %r3;
    st.param.b32 [out+4], %r4;
    ret;
}
"""


class Calls(unittest.TestCase):
    """Functions of the same text; others are refused."""

    def test_a_function_is_called(self):
        with tempfile.TemporaryDirectory() as folder:
            library = Library(CALLS, Path(folder), options.cc)
            cells = (ctypes.c_uint32 * 2)()
            self.assertIsNone(library.run_block("calls", ctypes.addressof(cells).to_bytes(8, "little"), 1))
            self.assertEqual(list(cells), [130, 70])

    def test_refused(self):
        body = CALLS.rindex(".func")
        for text, why in (
            (CALLS[:body], "without a body"),
            (CALLS.replace("    helper,", "    other,"), "a call that is not understood"),
            (CALLS.replace("param0,\n    param1", "param0"), "other arguments"),
            (CALLS.replace("sub.s32", "bar.sync 0; sub.s32"), "wait for each other"),
            (CALLS.replace("sub.s32 %r4", "sub.f32 %r4"), "may fuse"),
        ):
            with self.assertRaisesRegex(PtxError, why):
                translate(text)


# Thread t writes word t of `row`. After a barrier it writes the sum of words t and t + 1 to cells[t]. %s stands for the
# instruction that a test tries in the place of that barrier.
BLOCK = HEAD + """
.shared .align 4 .b8 padding[4];
.visible .entry block(.param .u64 cells)
{
    .shared .align 16 .b8 row[132];
    .reg .pred %%p<3>;
    .reg .b32 %%r<9>;
    .reg .b64 %%rd<3>;
    ld.param.u64 %%rd1, [cells];
    mov.u32 %%r1, %%tid.x;
    mov.u32 %%r2, row;
    mad.lo.s32 %%r3, %%r1, 4, %%r2;
    setp.eq.s32 %%p1, %%r1, 0;
    @%%p1 st.shared.u32 [row+128], 100;
    st.shared.u32 [%%r3], %%r1;
    %s
    ld.shared.u32 %%r4, [%%r3];
    ld.shared.u32 %%r5, [%%r3+4];
    add.s32 %%r4, %%r4, %%r5;
    mul.wide.u32 %%rd2, %%r1, 4;
    add.s64 %%rd2, %%rd2, %%rd1;
    st.global.u32 [%%rd2], %%r4;
    ret;
}
"""


class Blocks(unittest.TestCase):
    """Threads meet at barriers, and what a GPU would leave open is found."""

    def run_block(self, barrier, threads=32, block=BLOCK, cells=32, launch_bytes=0):
        with tempfile.TemporaryDirectory() as folder:
            library = Library(block % barrier, Path(folder), options.cc)
            ctypes.c_uint32.in_dll(library.dll, "ptx_launch_bytes").value = launch_bytes
            memory = (ctypes.c_uint32 * 66)()
            fault = library.run_block("block", ctypes.addressof(memory).to_bytes(8, "little"), threads)
            return fault, list(memory[:cells])

    def test_a_barrier_makes_the_others_words_seen(self):
        fault, cells = self.run_block("bar.sync 0;")
        self.assertIsNone(fault)
        self.assertEqual(cells, [2 * t + 1 for t in range(31)] + [131])

    def test_a_shuffle_gives_the_next_lanes_number(self):
        # The last lane keeps its own; two shuffles take the number of the lane after the next.
        shuffle = "mov.u32 %r7, 1; shfl.sync.down.b32 %r6|%p2, %r1, %r7, 31, -1;"
        marked = f"{shuffle} @!%p2 mov.u32 %r6, 31;"
        for shuffles, steps in ((shuffle, 1), (marked, 1), (f"{shuffle} shfl.sync.down.b32 %r6, %r6, 1, 31, -1;", 2)):
            fault, cells = self.run_block(f"bar.sync 0; {shuffles} st.shared.u32 [%r3], %r6; bar.sync 0;")
            self.assertIsNone(fault, shuffles)
            given = [min(t + steps, 31) for t in range(32)] + [100]
            self.assertEqual(cells, [given[t] + given[t + 1] for t in range(32)])

    def test_a_butterfly_gives_the_number_of_the_lane_with_other_bits(self):
        for mask in (1, 4, 31):
            shuffle = f"shfl.sync.bfly.b32 %r6|%p2, %r1, {mask}, 31, -1; @!%p2 mov.u32 %r6, 99;"
            fault, cells = self.run_block(f"bar.sync 0; {shuffle} st.shared.u32 [%r3], %r6; bar.sync 0;")
            self.assertIsNone(fault, mask)
            given = [t ^ mask for t in range(32)] + [100]
            self.assertEqual(cells, [given[t] + given[t + 1] for t in range(32)])

    def test_a_shuffle_gives_the_number_of_a_lane(self):
        fault, cells = self.run_block("bar.sync 0; shfl.sync.idx.b32 %r6|%p2, %r1, 5, 31, -1; @!%p2 mov.u32 %r6, 99; st.shared.u32 [%r3], %r6; bar.sync 0;")
        self.assertIsNone(fault)
        self.assertEqual(cells, [10] * 31 + [105])

    def test_a_sum_in_shared_memory_has_the_terms_of_all_threads(self):
        add = "{ .reg .b32 %old<2>; atom.shared.add.u32 %old1, [row+128], %r1; }"
        fault, cells = self.run_block(f"bar.sync 0; {add} {add.replace('old', 'other')} bar.sync 0;")
        self.assertIsNone(fault)
        self.assertEqual(cells[31], 31 + 100 + 2 * sum(range(32)))
        for first, second in ((add, ""), ("", add)):
            fault, _ = self.run_block(f"bar.sync 0; {first} @%p1 ld.shared.u32 %r6, [row+128]; {second} bar.sync 0;")
            self.assertIn("one adds to it", fault or "nothing")

    # Each lane has 16 bytes of `row` and 16 of the cells, in which the first four lanes have written 1, 2, 3, 4.
    COPY = ("bar.sync 0; setp.lt.u32 %p2, %r1, 4; { .reg .b32 %to; .reg .b64 %at; shl.b32 %to, %r1, 4; cvt.u64.u32 %at, %to; "
            "add.u32 %to, %to, %r2; add.s64 %at, %at, %rd1; @%p2 st.global.v4.u32 [%at], {1, 2, 3, 4}; "
            "@%p2 cp.async.cg.shared.global [%to], [%at], 16, 12; } cp.async.commit_group; ")

    def test_a_copy_arrives_when_its_thread_waits(self):
        fault, cells = self.run_block(self.COPY + "cp.async.wait_group 0; bar.sync 0;")
        self.assertIsNone(fault)
        self.assertEqual(cells[:15], [3, 5, 3, 1] * 3 + [3, 5, 3])  # three words of each lane, then a zero
        unwritten = 0xA5A5A5A5
        for late in ("", "cp.async.wait_group 1;"):
            fault, cells = self.run_block(self.COPY + late + "bar.sync 0;")
            self.assertIsNone(fault)
            self.assertEqual(cells[0], 2 * unwritten % 2**32)
        fault, _ = self.run_block(self.COPY + "cp.async.wait_group 0;")
        self.assertIn("two threads touch", fault or "nothing")

    def test_shared_memory_of_the_launch_follows_the_kernels(self):
        # The row is the launch's: 132 bytes from 16 on, after 4 of the kernel's own, of which it hears later.
        opened = BLOCK.replace("    .shared .align 16 .b8 row[132];", "    .shared .align 4 .b8 own[4];").replace(
            ".visible", ".extern .shared .align 16 .b8 row[];\n.visible").replace("    @%%p1", "    @%%p1 st.shared.u32 [own], 7;\n    @%%p1")
        self.assertIn("row[]", opened)
        self.assertIn("[own]", opened)
        fault, cells = self.run_block("bar.sync 0;", block=opened, launch_bytes=132)
        self.assertIsNone(fault)
        self.assertEqual(cells, [2 * t + 1 for t in range(31)] + [131])
        for launch_bytes, block, what in ((128, opened, "beyond the shared memory"), (4, BLOCK, "no name for"), (228 << 10, opened, "too large")):
            fault, _ = self.run_block("bar.sync 0;", block=block, launch_bytes=launch_bytes)
            self.assertIn(what, fault or "nothing")

    def test_a_ballot_has_a_bit_for_each_lane(self):
        odd = "and.b32 %r6, %r1, 1; setp.ne.s32 %p2, %r6, 0; vote.sync.ballot.b32 %r6, %p2, -1;"
        fault, cells = self.run_block(f"bar.sync 0; {odd} vote.sync.ballot.b32 %r7, %p1, -1; add.s32 %r6, %r6, %r7; "
                                      "st.shared.u32 [%r3], %r6; bar.sync 0;")
        self.assertIsNone(fault)
        self.assertEqual(cells[:31], [2 * (0xAAAAAAAA + 1) % 2**32] * 31)

    def test_a_barrier_of_the_warp_orders_its_lanes(self):
        # Each lane reads the next one's word, then writes over it. The last lane's next word is the first lane's own.
        write = "ld.shared.u32 %r6, [%r3+4]; {} st.shared.u32 [%r3], %r6; {}"
        fault, cells = self.run_block("bar.warp.sync -1;" + write.format("bar.warp.sync -1;", "bar.warp.sync -1;"))
        self.assertIsNone(fault)
        given = [min(t + 1, 32) for t in range(32)] + [100]
        given[31] = 100
        self.assertEqual(cells, [given[t] + given[t + 1] for t in range(32)])
        for first, second in (("", "bar.warp.sync -1;"), ("bar.warp.sync -1;", "")):
            fault, _ = self.run_block("bar.warp.sync -1;" + write.format(first, second))
            self.assertIn("two threads touch", fault or "nothing")

    def test_a_barrier_of_a_warp_does_not_order_another_warp(self):
        two_warps = BLOCK.replace("row[132]", "row[260]").replace("row+128", "row+256")
        read = "setp.eq.s32 %p2, %r1, {}; @%p2 ld.shared.u32 %r6, [row];"
        write = "@%p1 st.shared.u32 [row], 7;"
        step = "bar.warp.sync -1;"
        for reader, is_sound in ((0, True), (31, True), (32, False), (63, False)):
            for first, second in ((read.format(reader), write), (write, read.format(reader))):
                fault, _ = self.run_block(f"bar.sync 0; {first} {step} {second} bar.sync 0;", 64, two_warps)
                self.assertEqual(fault is None, is_sound, (reader, first))
        # Two readers of one warp are ordered with a writer of theirs; a reader of another warp is not.
        for others, is_sound in (("setp.lt.s32 %p2, %r1, 32;", True), ("setp.lt.s32 %p2, %r1, 33;", False)):
            both = f"{others} @%p2 ld.shared.u32 %r6, [row];"
            fault, _ = self.run_block(f"bar.sync 0; {both} {step} {write} bar.sync 0;", 64, two_warps)
            self.assertEqual(fault is None, is_sound, others)

    def test_an_atomic_sum_has_the_terms_of_all_threads(self):
        fault, cells = self.run_block("cvt.u64.u32 %rd2, %r1; { .reg .b64 %old<2>; atom.global.add.u64 %old1, [%rd1+256], %rd2; } bar.sync 0;", cells=66)
        self.assertIsNone(fault)
        self.assertEqual(cells[64:], [sum(range(32)), 0])

    def test_faults(self):
        for barrier, threads, what in (
            ("", 32, "nobody wrote"),
            ("bar.sync 0; st.shared.u32 [row+4], %r1;", 32, "two threads touch"),
            ("bar.sync 0; @%p1 st.shared.u32 [row+4], 1;", 32, "two threads touch"),
            ("@%p1 ret; bar.sync 0;", 32, "a thread ends"),
            ("@%p1 bra $other; bar.sync 0; bra $on; $other: bar.sync 0; $on:", 32, "different barriers"),
            ("bar.sync 0;", 30, "nobody wrote"),
            ("bar.sync 0; shfl.sync.down.b32 %r6, %r1, 1, 31, -1;", 30, "without all lanes"),
            ("bar.sync 0; shfl.sync.down.b32 %r6, %r1, 1, 31, 65535;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.down.b32 %r6, %r1, 1, 15, -1;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.bfly.b32 %r6, %r1, 1, 31, 3;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.bfly.b32 %r6, %r1, 1, 15, -1;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.bfly.b32 %r6, %r1, 32, 31, -1;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.idx.b32 %r6, %r1, 32, 31, -1;", 32, "a part of the warp"),
            ("bar.sync 0; shfl.sync.idx.b32 %r6, %r1, 1, 31, 3;", 32, "a part of the warp"),
            ("bar.sync 0; { .reg .b32 %old<2>; atom.shared.add.u32 %old1, [row+2], 1; }", 32, "not aligned"),
            ("bar.sync 0; { .reg .b32 %old<2>; atom.shared.add.u32 %old1, [row+132], 1; }", 32, "beyond"),
            ("bar.sync 0; cp.async.cg.shared.global [row+4], [%rd1], 16, 16;", 32, "shared memory at an address"),
            ("bar.sync 0; cp.async.cg.shared.global [row], [%rd1+4], 16, 16;", 32, "global memory at an address"),
            ("bar.sync 0; cp.async.cg.shared.global [row], [%rd1], 16, 17;", 32, "of more bytes"),
            ("bar.sync 0; vote.sync.ballot.b32 %r6, %p1, 1;", 32, "a part of the warp"),
            ("bar.sync 0; @%p1 vote.sync.ballot.b32 %r6, %p1, -1;", 32, "without all lanes"),
            ("bar.sync 0; bar.warp.sync 7;", 32, "a part of the warp"),
            ("bar.sync 0; @!%p1 bar.warp.sync -1;", 32, "without all lanes"),
            ("bar.sync 0; @%p1 ret; shfl.sync.down.b32 %r6, %r1, 1, 31, -1;", 32, "without all lanes"),
            ("bar.sync 0; @%p1 shfl.sync.down.b32 %r6, %r1, 1, 31, -1; bar.sync 0;", 32, "without all lanes"),
            ("@%p1 shfl.sync.down.b32 %r6, %r1, 1, 31, -1; @!%p1 shfl.sync.down.b32 %r6, %r1, 1, 31, -1;", 32, "different"),
            ("bar.sync 0; @%p1 st.shared.u32 [row+132], %r1;", 32, "beyond the shared memory"),
            ("bar.sync 0; ld.shared.v2.u32 {%r4, %r5}, [row+4];", 32, "shared memory at an address"),
            ("bar.sync 0; st.global.u32 [%rd1+2], %r1;", 32, "global memory at an address"),
            ("bar.sync 0; { .reg .b64 %old<2>; atom.global.add.u64 %old1, [%rd1+4], 1; }", 32, "global memory at an address"),
        ):
            fault, _ = self.run_block(barrier, threads)
            self.assertIn(what, fault or "nothing", barrier)


class Refusals(unittest.TestCase):
    """An instruction that is not understood, or that the rule of maps forbids, must stop the translation."""

    REFUSED = {
        "mul.f32 %f1, %f2, %f3;": "may fuse",
        "add.ftz.f32 %f1, %f2, %f3;": "may fuse",
        "add.f32 %f1, %f2, 0f3F800000;": "may fuse",
        "sub.f64 %d1, %d2, %d2;": "may fuse",
        "fma.rz.f32 %f1, %f2, %f3, %f1;": "may fuse",
        "mul.rn.sat.f32 %f1, %f2, %f3;": "may fuse",
        "sqrt.approx.ftz.f32 %f1, %f2;": "approximation",
        "sin.approx.f32 %f1, %f2;": "approximation",
        "rsqrt.approx.f32 %f1, %f2;": "approximation",
        "div.full.f32 %f1, %f2, %f3;": "may fuse",
        "rcp.rn.f64 %d1, %d2;": "reciprocal",
        "min.NaN.f32 %f1, %f2, %f3;": "min or max",
        "cvt.rzi.s32.f32 %r1, %f2;": "float-to-integer",
        "call.uni (%r1), helper, (%r2);": "a call",
        "add.cc.u32 %r1, %r2, %r3;": "unknown instruction",
        "atom.global.add.u32 %r1, [%d1], %r2;": "unknown instruction",
        "atom.global.add.u64 %d2, [%d1], 1; mov.u64 %d3, %d2;": "the result of an atomic operation, is read",
        "atom.global.add.u64 %d2, %d1, 1;": "address not understood",
        "bar.sync 1;": "unknown instruction",
        "bar.sync 0, 32;": "unknown instruction",
        "bar.arrive 0, 32;": "unknown instruction",
        "atom.shared.add.u64 %d1, [%r2], %d3;": "unknown instruction",
        "atom.shared.add.u32 %r1, [%r2], %r3; mov.u32 %r2, %r1;": "the result of an atomic operation, is read",
        "cp.async.ca.shared.global [%r1], [%d1], 16, %r2;": "unknown instruction",
        "cp.async.cg.shared.global [%r1], [%d1], 16;": "unknown instruction",
        "cp.async.wait_all;": "unknown instruction",
        "shfl.sync.up.b32 %r1, %r2, 1, 31, -1;": "unknown instruction",
        "ld.volatile.shared.u32 %r1, [%r2];": "unknown instruction",
        "st.u64 [%d1], %d2;": "unknown instruction",
        "ld.u64 %r1, [%d1];": "which has 32 bits",
        "ld.volatile.global.u32 %r1, [%d1];": "unknown instruction",
        "add.s32 %r1, %r2, %d1;": "bits where",
        "add.s64 %r1, %d1, %d2;": "bits where",
        "cvt.f64.f32 %d1, %d2;": "bits where",
        "cvt.u64.u32 %r1, %r2;": "bits where",
        "add.s32 %r1, %r2;": "takes 3 operands",
        "add.s32 %r1, %r9, %r2;": "not declared",
        "add.s32 %r1, %r2, 99999999999;": "does not fit",
        "add.rn.f32 %f1, %f2, 1.0;": "not understood",
        "mov.u32 %r1, %clock;": "not declared",
        "mov.b32 %r1, 0d3FF0000000000000;": "another width",
        "ld.global.u64 %r1, [%d1];": "which has 32 bits",
        ".extern .shared .b8 x[];": "not understood",
        ".reg .f16 %h;": "not understood",
        '.pragma "unroll";': "not understood",
    }

    @staticmethod
    def module(line):
        registers = ".reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d<4>;"
        return f"{HEAD}.visible .entry k(.param .u64 cells)\n{{\n{registers}\n{line}\nret;\n}}\n"

    def test_refused(self):
        translate(self.module("add.s32 %r1, %r2, %r3;"))
        for line, why in self.REFUSED.items():
            with self.assertRaisesRegex(PtxError, re.escape(why), msg=line) as caught:
                translate(self.module(line))
            self.assertIn("line 7", str(caught.exception), line)

    def test_refused_modules(self):
        for text in (HEAD, HEAD + ".func f() { ret; }", HEAD + ".extern .global .b32 x;", HEAD + ".extern .shared .b8 x[];", HEAD + ".extern .shared .b8 x[4];", HEAD + ".shared .b8 x[];"):
            with self.assertRaises(PtxError, msg=text):
                translate(text)
        with self.assertRaisesRegex(PtxError, "3 bytes of data for an array of 2"):
            translate(self.module("ld.const.u8 %r1, [t];").replace(HEAD, HEAD + ".const .align 4 .b8 t[2] = {1, 2, 3};\n"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="cc")
    parser.parse_args(namespace=options)
    unittest.main(argv=sys.argv[:1])
