"""Tests every instruction that the translator knows, on random and extreme operands, against instruction_oracle.py.

    check_instructions.py [--cc CC] [--ptxas PTXAS]

Where ptxas is at hand it assembles the same text, so that these instructions are known to be PTX. What this cannot show
is that the oracle has read the PTX manual rightly: only a GPU can.
"""

import argparse
import dataclasses
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from instruction_oracle import expected
from loaded_ptx import Library
from ptx_instructions import TABLE, width

CASES = 150
HEAD = ".version 7.0\n.target sm_80\n.address_size 64\n"
EXTREMES = {
    "f32": [0, 1 << 31, 1, 0x80000001, (1 << 23) - 1, 1 << 23, 0x807FFFFF, 0x00FFFFFF, 127 << 23, 0xBF800000],
    "f64": [0, 1 << 63, 1, (1 << 52) - 1, 1 << 52, 0x3FF << 52, 0xBFF << 52, (0x3FF << 52) - 1],
}
NANS = {"f32": [0x7FC00000, 0x7F800000, 0xFF800000], "f64": [0x7FF8 << 48, 0x7FF << 52, 0xFFF << 52]}
options = argparse.Namespace(cc="cc", ptxas="ptxas")


def kernel_name(mnemonic):
    return "k_" + mnemonic.replace(".", "_")


def kernel(mnemonic, instruction):
    """PTX that loads the operands from 8-byte cells, runs the instruction and stores its result in the next cell."""
    lines = [".reg .b64 %at;", "ld.param.u64 %at, [cells];"]
    names = []
    for i, t in enumerate(instruction.operands):
        w = width(t)
        if w == "pred":
            lines += [f".reg .pred %o{i};", f".reg .b32 %q{i};", f"ld.global.b32 %q{i}, [%at+{8 * i}];"]
            lines += [f"setp.ne.b32 %o{i}, %q{i}, 0;"]
        else:
            w = max(w, 16)  # there are no 8-bit registers: the instruction ignores what lies above
            lines += [f".reg .b{w} %o{i};", f"ld.global.b{w} %o{i}, [%at+{8 * i}];"]
        names.append(f"%o{i}")
    if mnemonic == "lop3.b32":  # its table is part of the instruction
        lines = lines[:-2]
        names[3] = "0xD8"
    w = width(instruction.result)
    place = f"[%at+{8 * len(instruction.operands)}]"
    lines += [f".reg .{'pred' if w == 'pred' else f'b{w}'} %r;", f"{mnemonic} %r, {', '.join(names)};"]
    if w == "pred":
        lines += [".reg .b32 %f;", "selp.b32 %f, 1, 0, %r;", f"st.global.b32 {place}, %f;"]
    else:
        lines += [f"st.global.b{w} {place}, %r;"]
    body = "\n  ".join([*lines, "ret;"])
    return f".visible .entry {kernel_name(mnemonic)}(.param .u64 cells)\n{{\n  {body}\n}}\n"


def operand(rng, mnemonic, t, position):
    if t == "pred":
        return rng.getrandbits(1)
    if mnemonic == "lop3.b32" and position == 3:
        return 0xD8
    if t in EXTREMES:
        pool = EXTREMES[t] + (NANS[t] if mnemonic.startswith("setp") or mnemonic == "cvt.rn.f16.f32" else [])
        if rng.random() < 0.4:
            bits = rng.choice(pool)
        else:  # near 1, so that sums cancel, or near the bottom of the exponents
            bias, fraction_bits = (127, 23) if t == "f32" else (1023, 52)
            exponent = rng.choice([rng.randint(bias - 30, bias + 30), rng.randint(0, 30)])
            bits = rng.getrandbits(1) << width(t) - 1 | exponent << fraction_bits | rng.getrandbits(fraction_bits)
        return bits & ~(1 << width(t) - 1) if "sqrt" in mnemonic else bits
    if mnemonic == "add.rn.f16x2":
        return rng.choice([rng.getrandbits(32) & 0xBFFFBFFF, 0, 0x80008000, 0x80000000])  # two numbers below 2
    n = max(width(t), 16)
    small = mnemonic.split(".")[0] in ("shl", "shr", "shf", "bfe", "bfi") and position > 0 and t == "u32"
    if small and rng.random() < 0.9:
        return rng.randint(0, 70)
    edges = [0, 1, 2, (1 << n) - 1, 1 << n - 1, (1 << n - 1) - 1, (1 << n - 1) + 1]
    return rng.choice(edges) if rng.random() < 0.3 else rng.getrandbits(n) >> rng.choice([0, 0, 0, n // 2])


def difference(library, mnemonic, instruction):
    """The first of many operands for which the library disagrees with the oracle, or None."""
    rng = random.Random(mnemonic)
    compared = 0
    for _ in range(CASES):
        values = [operand(rng, mnemonic, t, i) for i, t in enumerate(instruction.operands)]
        try:
            wanted = expected(mnemonic, values)
        except OverflowError:  # the oracle has no infinities, and maps make none
            continue
        got = library.run(kernel_name(mnemonic), values)
        compared += 1
        if instruction.arithmetic and wanted == 0:  # the oracle has no sign of zero
            got &= ~(1 << width(instruction.result) - 1)
        if got != wanted:
            return f"{mnemonic} {', '.join(f'{v:#x}' for v in values)}: {got:#x}, expected {wanted:#x}"
    return None if compared > CASES // 2 else f"{mnemonic}: only {compared} cases"


class Instructions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.ptx = HEAD + "".join(kernel(m, i) for m, i in TABLE.items())
        cls.library = Library(cls.ptx, Path(cls.temporary.name), options.cc)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_every_instruction_is_what_the_manual_says(self):
        for mnemonic, instruction in TABLE.items():
            self.assertIsNone(difference(self.library, mnemonic, instruction))

    def test_every_number_of_16_bits_is_widened(self):
        for bits in range(1 << 16):
            self.assertEqual(self.library.run(kernel_name("cvt.f32.f16"), [bits]), expected("cvt.f32.f16", [bits]), hex(bits))

    def test_a_wrong_instruction_is_noticed(self):
        wrong = {"shl.b32": "a << (b & 31)", "shr.s64": "a / ((int64_t)1 << (b & 63))", "fma.rn.f32": "a * b + c"}
        wrong |= {"fma.rn.f64": "a * b + c", "setp.ltu.f32": "a < b", "sqrt.rn.f64": "sqrtf((float)a)", "div.rn.f32": "a * (1 / b)"}
        wrong |= {"cvt.f32.f16": "ptx_f64_of_f16(a)", "cvt.rn.f16.f32": "ptx_f16_of_f64(nextafterf(a, 0))"}
        for mnemonic, value in wrong.items():
            instruction = dataclasses.replace(TABLE[mnemonic], value=value)
            with mock.patch.dict(TABLE, {mnemonic: instruction}), tempfile.TemporaryDirectory() as folder:
                library = Library(HEAD + kernel(mnemonic, instruction), Path(folder), options.cc)
                self.assertIsNotNone(difference(library, mnemonic, instruction), mnemonic)

    def test_flushes_are_counted(self):
        tiny, one = 1, 0x3F800000
        for name, values, flushes, changed in (
            ("mul.rn.ftz.f32", [one, one], 0, 0),
            ("mul.rn.ftz.f32", [tiny, one], 1, 1),
            ("mul.rn.ftz.f32", [0x1F800000, 0x1F800000], 1, 1),  # 2^-64 squared
            ("add.rn.ftz.f32", [tiny, one], 1, 0),
            ("setp.lt.ftz.f32", [tiny, one], 1, 0),
            ("setp.lt.ftz.f32", [0, tiny], 1, 1),
        ):
            before = list(self.library.counts)
            self.library.run(kernel_name(name), values)
            after = [x - y for x, y in zip(self.library.counts, before)]
            self.assertEqual(after, [flushes, changed, 0], (name, values))
        before = self.library.counts[2]
        self.library.run(kernel_name("mul.rn.f32"), [0x1F800000, 0x1F800000])
        self.assertEqual(self.library.counts[2], before + 1)

    def test_ptxas_takes_the_same_text(self):
        if not options.ptxas:
            self.skipTest("ptxas was not found")
        source = Path(self.temporary.name) / "all.ptx"
        source.write_text(self.ptx)
        command = [options.ptxas, "-arch=sm_80", source, "-o", "/dev/null"]
        result = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, (result.stdout + result.stderr)[-2000:])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--ptxas", default="ptxas")
    parser.parse_args(namespace=options)
    options.ptxas = shutil.which(options.ptxas) or shutil.which("/usr/local/cuda/bin/ptxas")
    unittest.main(argv=sys.argv[:1])
