"""docs/contract.md states coefficients and known answers: they are the model's."""

import re
import unittest
from pathlib import Path

import functions
import quantile
from directions import UnitVector2, UnitVector3, UnitVector4
from floats import BFLOAT16, BINARY16, BINARY32, BINARY64, to_float
from kernels import F32, F64
from maps import ComplexNormal, Exponential, Normal, NormalIcdf, Uniform, UniformDense, UniformInt, UniformOpen, UniformOpenClosed, at
from stream import Stream, name_tag

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "contract.md").read_text()
KNOWN = dict(re.findall(r"^\| (.+?) \| (.+?) \|$", TEXT[TEXT.index("## Appendix B") :], re.MULTILINE))


def words(values):
    return " ".join(f"{v:08x}" for v in values)


def child(s):
    return f"key {words(s.key)}, id {s.id:016x}"


class Document(unittest.TestCase):
    def test_coefficients(self):
        stated = {}
        for block in TEXT.split("<!-- coefficients -->")[1:]:
            block = re.match(r"\n\n((?:    .*\n)+)", block)[1]
            for name, values in re.findall(r"(\w+) = ((?:\s*-?0x[0-9a-f.]+p[-+]\d+)+)", block):
                stated[name] = [float.fromhex(x) for x in values.split()]
        expected = {}
        for prefix, kernel in ("F", F32), ("D", F64):
            tables = {"LN2_HI": [kernel.ln2_high], "LN2_LO": [kernel.ln2_low], "LOG": kernel.log, "SIN": kernel.sine, "COS": kernel.cosine}
            expected |= {f"{prefix}_{name}": [to_float(c) for c in table] for name, table in tables.items()}
        for prefix, of_type, names in ("F", quantile.F32, ("NEAR", "FAR")), ("D", quantile.F64, ("NEAR", "MIDDLE", "FAR")):
            tables = {"LOG2": of_type.log2, "CENTRE": of_type.centre}
            tables |= {name: table for name, (_, _, table) in zip(names, of_type.pieces, strict=True)}
            expected |= {f"{prefix}_{name}": [to_float(c) for c in table] for name, table in tables.items()}
        for prefix, of_type in ("F", functions.F32), ("D", functions.F64):
            tables = {"LOG2E": [of_type.log2_e], "EXP": of_type.exp, "WIDE_LOG": of_type.wide_log, "THIRD": [of_type.third],
                      "HALF_PI": [of_type.half_pi], "REMAINDER": of_type.remainder, "ATAN": of_type.atan}
            expected |= {f"{prefix}_{name}": [to_float(c) for c in table] for name, table in tables.items()}
        self.assertEqual(stated, expected)

    def test_streams(self):
        s = Stream.from_seed(42)
        self.assertEqual(KNOWN["words 0 ... 3"], words(s.word(k) for k in range(4)))
        self.assertEqual(KNOWN["fork(7)"], child(s.fork(7)))
        self.assertEqual(KNOWN['fork("worker")'], child(s.fork("worker")))
        self.assertEqual(KNOWN["counted child 0"], child(s.counted_child(0)))
        self.assertEqual(KNOWN["private stream of the value at word 0"], child(s.private_stream(0)))

    def test_names(self):
        names = ("", "a", "worker", "sixteen byte nam", "seventeen byte nm", "größe-π-乱数")
        self.assertEqual([KNOWN[name or "(empty)"] for name in names], [f"{name_tag(name):014x}" for name in names])

    def test_values(self):
        s = Stream.from_seed(42)
        for what, distribution in {
            "uniform f32, values 0, 1": Uniform(BINARY32),
            "uniform f64": Uniform(BINARY64),
            "uniform_open f32": UniformOpen(BINARY32),
            "uniform_open_closed f32": UniformOpenClosed(BINARY32),
            "exponential f32": Exponential(BINARY32),
            "exponential f64": Exponential(BINARY64),
            "normal f32": Normal(BINARY32),
            "normal f64": Normal(BINARY64),
            "normal_icdf f32": NormalIcdf(BINARY32),
            "normal_icdf f64": NormalIcdf(BINARY64),
            "uniform f16": Uniform(BINARY16),
            "uniform bf16": Uniform(BFLOAT16),
            "uniform_dense f32": UniformDense(BINARY32),
            "uniform_dense f64": UniformDense(BINARY64),
            "normal f16": Normal(BINARY16),
            "normal bf16": Normal(BFLOAT16),
        }.items():
            values = [to_float(distribution.result.from_bits(at(s, distribution, i))) for i in range(2)]
            self.assertEqual([float.fromhex(x) for x in KNOWN[what].split()], values)
        for f in BINARY32, BINARY64:
            z = at(s, ComplexNormal(f), 0)
            parts = [to_float(f.from_bits(bits)) for bits in (z & (1 << f.bits) - 1, z >> f.bits)]
            known = KNOWN[f"complex_normal {f.name} parts, value 0"]
            self.assertEqual([float.fromhex(x) for x in known.split()], parts)
            for direction in UnitVector2, UnitVector3, UnitVector4:
                v = at(s, direction(f), 0)
                parts = [to_float(f.from_bits(v >> k * f.bits & (1 << f.bits) - 1)) for k in range(direction.size)]
                known = KNOWN[f"{direction.name} {f.name} parts, value 0"]
                self.assertEqual([float.fromhex(x) for x in known.split()], parts)
        for what, d in ("32-bit integers 1 ... 6", UniformInt(32, 1, 6)), ("16-bit integers 0 ... 9", UniformInt(16, 0, 9)):
            self.assertEqual(KNOWN[what + ", values 0 ... 9"], " ".join(str(at(s, d, i)) for i in range(10)))


if __name__ == "__main__":
    unittest.main()
