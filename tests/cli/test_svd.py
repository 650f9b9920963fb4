"""rng svd: the factors it writes, matrices in every form that it reads, and when its files appear."""

import errno
import json
import os
import random
import re
import resource
import signal
import struct
import time
import unittest

from cli import TIMEOUT, npy, start
from matrices import CODES, WHOLE, SvdCase, flat, market, npy_file, product


def fnv(data):
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


class Factors(SvdCase):
    def factors(self, data, *more):
        """The report, and U, S and V as lists of rows."""
        prefix = os.path.join(self.folder(), "x")
        report = self.report(data, "-o", prefix, *more)
        self.assertEqual(sorted(os.listdir(os.path.dirname(prefix))), ["x_S.npy", "x_U.npy", "x_V.npy"])
        self.assertEqual(report["files"], [f"{prefix}_{name}.npy" for name in "USV"])
        bytes_of, result = {}, []
        for name in "USV":
            with open(f"{prefix}_{name}.npy", "rb") as file:
                data = file.read()
            descr, shape, values = npy(data)
            bytes_of[name] = data[10 + struct.unpack("<H", data[8:10])[0]:]
            kinds = {"c64": ("<c8", "<f4"), "c128": ("<c16", "<f8"), "f32": ("<f4", "<f4"), "f64": ("<f8", "<f8")}
            self.assertEqual(descr, kinds[report["dtype"]][name == "S"])
            if descr[1] == "c":
                values = [complex(a, b) for a, b in zip(values[::2], values[1::2])]
            if name == "S":
                self.assertEqual(shape, report["q"])
                result.append(values)
            else:
                self.assertEqual(shape, (report["rows" if name == "U" else "cols"], report["q"]))
                result.append([values[i * shape[1]:(i + 1) * shape[1]] for i in range(shape[0])])
        self.assertEqual(report["digest"], f"0x{fnv(b''.join(bytes_of[name] for name in 'USV')):016x}")
        self.assertEqual([struct.pack(f"<{CODES[descr[1:]]}", s) for s in result[1]],
                         [struct.pack(f"<{CODES[descr[1:]]}", s) for s in report["singular_values"]])
        return report, *result

    def check_factors(self, matrix, data, tolerance, *more):
        """U and V have orthonormal columns, and U diag(S) V^H is the matrix, which has rank q."""
        report, U, S, V = self.factors(data, *more)
        q = report["q"]
        self.assertEqual(S, sorted(S, reverse=True))
        for factor in (U, V):
            for a in range(q):
                for b in range(q):
                    dot = sum(complex(row[a]).conjugate() * row[b] for row in factor)
                    self.assertLess(abs(dot - (a == b)), tolerance)
        for i, row in enumerate(matrix):
            for j, value in enumerate(row):
                got = sum(U[i][k] * S[k] * complex(V[j][k]).conjugate() for k in range(q))
                self.assertLess(abs(got - value), tolerance * S[0], (i, j))
        return report

    def test_every_type(self):
        for rows, cols in ((40, 7), (7, 40), (9, 9)):
            for descr, dtype, tolerance in (("<f2", "f32", 1e-6), ("<f4", "f32", 1e-6), ("<f8", "f64", 1e-14),
                                            ("<c8", "c64", 1e-6), ("<c16", "c128", 1e-14)):
                matrix = product(rows, cols, imaginary=descr[1] == "c")
                report = self.check_factors(matrix, npy_file(matrix, descr), tolerance, "-q", 3)
                self.assertEqual((report["dtype"], report["rows"], report["cols"], report["q"]), (dtype, rows, cols, 3))

    def test_known_values(self):
        # The singular values of a diagonal matrix are the magnitudes of its diagonal.
        diagonal = [[5 if i == j == 2 else -3 if i == j == 0 else 1 if i == j else 0 for j in range(4)] for i in range(4)]
        values = self.report(npy_file(diagonal), "-q", 4)["singular_values"]
        for got, expected in zip(values, (5, 3, 1, 1)):
            self.assertAlmostEqual(got, expected, delta=1e-14)
        values = self.report(market("coordinate complex general", "2 3 1", "2 3 3 4"), "-q", 1)["singular_values"]
        self.assertAlmostEqual(values[0], 5, delta=1e-14)

    def test_documented_digest(self):
        # docs/cli.md: the same on every machine.
        data = market("array real general", "1000 200", *(f"{1 / (i + j - 1):.17g}" for j in range(1, 201) for i in range(1, 1001)))
        report = self.report(data, "-q", 4, "--niter", 6, "--seed", 42)
        self.assertEqual((report["digest"], report["residual"]), ("0xebdae8e0cb28c9aa", 0.0115))
        # LAPACK's, by numpy.linalg.svd; the fifth is 0.0288, so that the residual is sqrt(0.0288^2 + ...) of the norm.
        for got, expected in zip(report["singular_values"], (2.333799510550955, 1.0525641936478738, 0.3560089954486359, 0.10520839477743357)):
            self.assertAlmostEqual(got, expected, delta=1e-14)

    def test_text(self):
        path = self.file(npy_file(product(12, 5)), "A.npy")
        prefix = os.path.join(self.folder(), "x")
        lines = self.ok("svd", path, "-q", 2, "--seed", "0x10", "-o", prefix).decode().splitlines()
        report = json.loads(self.ok("svd", path, "-q", 2, "--seed", 16, "--json"))
        rows = [re.split(r"  +", line, 1) for line in lines[:lines.index("")]]
        self.assertEqual([row for row in rows if row[0] != "time"], [
            ["matrix", path], ["shape", "12 x 5, dense"], ["computed", "f64"], ["q", "2"], ["niter", "2"], ["seed", "16"],
            ["device", "cpu"], ["digest", report["digest"]], ["residual", f"{report['residual']:.3g} of the norm"], ["written", prefix + "_U.npy, 12 x 2"],
            ["written", prefix + "_S.npy, 2"], ["written", prefix + "_V.npy, 5 x 2"]])
        self.assertRegex(dict(rows)["time"], r"^[\d.e-]+ s$")
        self.assertEqual(lines[lines.index("") + 1], "singular values")
        self.assertEqual([float(line) for line in lines[lines.index("") + 2:]], report["singular_values"])
        text = self.ok("svd", self.file(market("coordinate real general", "3 4 2", "1 1 1", "2 2 2")), "--center").decode()
        self.assertRegex(text, r"(?m)^shape +3 x 4, sparse, 2 entries$")
        self.assertRegex(text, r"(?m)^computed +f64, less the mean of each column$")
        self.assertNotIn("written", text)

    def test_json(self):
        report = self.report(npy_file(product(12, 5)), "--seed", 16)
        self.assertEqual((report["q"], report["niter"], report["oversampling"], report["center"], report["seed"], report["device"]),
                         (5, 2, 0, False, "0x0000000000000010", "cpu"))
        self.assertEqual((report["files"], report["differing"], report["paths"]), ([], 0, []))
        self.assertGreaterEqual(report["seconds"], 0)
        self.assertRegex(report["digest"], r"^0x[0-9a-f]{16}$")
        strange = self.file(npy_file(product(12, 5)), 'a "b"\\\n.npy')
        self.assertEqual(json.loads(self.ok("svd", strange, "--json"))["matrix"], strange)

    def test_the_seed_alone_decides(self):
        data = npy_file([[(i * j) % 7 + (i == j) for j in range(30)] for i in range(300)])
        args = ("-q", 4, "--niter", 0)  # without iterations the factors show the test matrix
        expected = self.digest(data, *args, "--seed", 42)
        for env in ({"RNG_ISA": "scalar"}, {"RNG_NUM_THREADS": "1"}, {"RNG_NUM_THREADS": "3"}):
            report = json.loads(self.ok("svd", self.file(data), *args, "--seed", "0x2a", "--json", env=env))
            self.assertEqual(report["digest"], expected)
        self.assertNotEqual(self.digest(data, *args, "--seed", 43), expected)
        self.assertEqual(self.digest(data, *args), self.digest(data, *args, "--seed", 20111115))
        self.assertNotEqual(self.digest(data, "-q", 4), self.digest(data, *args))
        self.assertEqual(self.digest(data, "-q", 4), self.digest(data, "-q", 4, "--niter", 2))
        self.assertEqual(self.digest(data), self.digest(data, "-q", 6))

    def test_oversampling(self):
        data = npy_file([[(i * j) % 7 + (i == j) for j in range(30)] for i in range(300)])
        for more in ((), ("--center",)):
            _, U, S, V = self.factors(data, "-q", 9, *more)
            report, *leading = self.factors(data, "-q", 4, "--oversampling", 5, *more)
            self.assertEqual(leading, [[row[:4] for row in U], S[:4], [row[:4] for row in V]])
            self.assertEqual((report["q"], report["oversampling"]), (4, 5))
        self.assertEqual(self.digest(data, "-q", 30), self.digest(data, "-q", 30, "--oversampling", 2**63 - 1))
        text = self.ok("svd", self.file(data), "-q", 4, "--oversampling", 5, "--verify").decode()
        self.assertRegex(text, r"(?m)^q +4, oversampling 5$")
        self.assertIn("all equal", text)

    def test_center(self):
        matrix = product(8, 5)  # eight rows of whole numbers: the means are exact
        means = [sum(row[j] for row in matrix) / 8 for j in range(5)]
        centered = [[v - mean for v, mean in zip(row, means)] for row in matrix]
        self.assertEqual(self.digest(npy_file(matrix), "--center", "-q", 3), self.digest(npy_file(centered), "-q", 3))
        self.assertNotEqual(self.digest(npy_file(matrix), "-q", 3), self.digest(npy_file(centered), "-q", 3))
        self.assertIs(self.report(npy_file(matrix), "--center")["center"], True)

    def test_dtype(self):
        matrix = [[v / 3 for v in row] for row in product(10, 6)]
        rounded = [list(struct.unpack("<6f", struct.pack("<6f", *row))) for row in matrix]
        self.assertEqual(self.digest(npy_file(matrix), "--dtype", "f32"), self.digest(npy_file(rounded, "<f4")))
        self.assertEqual(self.digest(npy_file(rounded, "<f4"), "--dtype", "f64"), self.digest(npy_file(rounded)))
        halves = product(10, 6)
        self.assertEqual(self.digest(npy_file(halves, "<f2")), self.digest(npy_file(halves, "<f4")))
        self.assertEqual(self.digest(npy_file(halves, "<f2"), "--dtype", "f32"), self.digest(npy_file(halves, "<f4")))
        self.assertEqual(self.digest(npy_file(halves, "<f2"), "--dtype", "f64"), self.digest(npy_file(halves)))
        z = product(10, 6, imaginary=1)
        self.assertEqual(self.digest(npy_file(z, "<c16"), "--dtype", "c64"), self.digest(npy_file(z, "<c8")))
        self.assertEqual(self.digest(npy_file(z, "<c8"), "--dtype", "c128"), self.digest(npy_file(z, "<c16")))
        sparse = market("coordinate real general", "4 3 3", "1 1 0.1", "3 2 7", "4 3 -2")
        self.assertEqual(self.report(sparse, "--dtype", "f32")["dtype"], "f32")
        self.assertNotEqual(self.digest(sparse, "--dtype", "f32"), self.digest(sparse))

    def test_residual(self):
        # A diagonal matrix less its leading values: sqrt(2^2 + 1^2) of sqrt(4^2 + 3^2 + 2^2 + 1^2); complex numbers of these magnitudes.
        for unit, descr in ((1, "<f8"), (1, "<f4"), (1, "<i2"), (0.6 + 0.8j, "<c16"), (1e300, "<f8"), (1e-300, "<f8")):
            diagonal = [[(4 - i) * unit if i == j else 0 * unit for j in range(4)] for i in range(7)]
            report = self.report(npy_file(diagonal, descr), "-q", 2, "--niter", 40)
            self.assertAlmostEqual(report["residual"], (5 / 30)**0.5, delta=6e-4)
            self.assertEqual(report["residual_step"], 1)
        sparse = market("coordinate real general", "4 3 3", "1 1 3", "2 2 4", "4 3 12")
        self.assertAlmostEqual(self.report(sparse, "-q", 1, "--niter", 40)["residual"], 5 / 13, delta=6e-4)
        self.assertLess(self.report(npy_file(product(40, 30)), "-q", 3)["residual"], 1e-14)
        self.assertEqual(self.report(npy_file([[0.0] * 4] * 5), "-q", 2)["residual"], 0)
        # Less its column means the matrix has rank 1.
        offset = [[5 + (2 * i - 7) * (j + 1) for j in range(4)] for i in range(8)]
        self.assertLess(self.report(npy_file(offset), "-q", 1, "--center")["residual"], 1e-14)
        self.assertGreater(self.report(npy_file(offset), "-q", 1)["residual"], 0.1)

    def test_residual_of_empty_rows(self):
        # Two of three equal singular values are left.
        sparse = market("coordinate real general", "1000000 1000000 3", "2 1 100", "3 2 100", "5 7 100")
        report = self.report(sparse, "-q", 1, "--niter", 4)
        self.assertAlmostEqual(report["residual"], (2 / 3)**0.5, delta=6e-4)
        self.assertEqual((report["residual_step"], report["residual_below"]), (1, False))

    def test_residual_of_sparse(self):
        r = random.Random(3)
        for descr, field, unit in (("<f8", "real", 1), ("<c16", "complex", 0.6 + 0.8j)):
            matrix = [[0 * unit] * 20 for _ in range(30)]
            for place in r.sample(range(600), 150):
                matrix[place // 20][place % 20] = r.randint(1, 9) * unit
            entries = [(i + 1, j + 1, *flat([v])) for i, row in enumerate(matrix) for j, v in enumerate(row) if v]
            sparse = market(f"coordinate {field} general", f"30 20 {len(entries)}", *(" ".join(map(repr, entry)) for entry in entries))
            for more in ((), ("--center",), ("--dtype", "c64" if field == "complex" else "f32")):
                for q in (0, 1, 7, 19):
                    expected = self.report(npy_file(matrix, descr), "-q", q, *more)["residual"]
                    report = self.report(sparse, "-q", q, *more)
                    self.assertAlmostEqual(report["residual"], expected, delta=2e-3 * expected, msg=(field, more, q))
                    self.assertFalse(report["residual_below"])
        # What is left is less than rounding errors: there is a bound.
        matrix = product(40, 30)
        entries = [f"{i + 1} {j + 1} {v}" for i, row in enumerate(matrix) for j, v in enumerate(row) if v]
        sparse = market("coordinate real general", f"40 30 {len(entries)}", *entries)
        for more in ((), ("--center",)):
            report = self.report(sparse, "-q", 4, *more)
            self.assertTrue(report["residual_below"])
            self.assertTrue(0.9e-7 < report["residual"] < 2e-7, report["residual"])
        self.assertIn("residual  below 1e-07 of the norm\n", self.ok("svd", self.file(sparse), "-q", 4).decode())
        # In f32 the factors are rounded, which is the residual.
        report = self.report(sparse, "-q", 4, "--dtype", "f32")
        self.assertTrue(report["residual_below"] or 0 < report["residual"] < 1e-6)
        # Less its means this matrix is zero, or what rounding errors left.
        third = 1 / 3
        constant = market("coordinate real general", "3 2 3", *(f"{i} 1 {third!r}" for i in (1, 2, 3)))
        self.assertIsNone(self.report(constant, "-q", 1, "--center")["residual"])

    def test_residual_of_extreme_elements(self):
        for element in (1e300, 1e-300, 1e-320, 1e308):
            self.assertEqual(self.report(npy_file([[element] * 4] * 5), "-q", 0)["residual"], 1)
            sparse = market("coordinate real general", "5 4 2", f"1 2 {element!r}", f"4 4 {element!r}")
            if element != 1e-320:  # the program reads no such number
                self.assertEqual(self.report(sparse, "-q", 0)["residual"], 1)
                self.assertAlmostEqual(self.report(sparse, "-q", 1)["residual"], 0.5**0.5, delta=6e-4)
        # The singular value overflows. JSON has no number for it, and none for what follows from it.
        rows = [[(-1)**(i * j + i // 3) * 1e308 for j in range(20)] for i in range(40)]
        text = self.ok("svd", self.file(npy_file(rows)), "-q", 1, "--json").decode()
        report = json.loads(text, parse_constant=lambda name: self.fail(f"not JSON: {name}"))
        self.assertEqual((report["singular_values"], report["residual"]), ([None], None))

    def test_residual_of_sampled_rows(self):
        # 64 equal singular values, of which 40 are found; every second row is zero.
        for first in (0, 1):
            data = bytearray(64 * 2**17)
            for i in range(2**16):
                data[(2 * i + first) * 64 + i % 64] = 1
            header = b"{'descr': '|u1', 'fortran_order': False, 'shape': (131072, 64), }\n"
            file = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(data)
            report = self.report(file, "-q", 40, "--niter", 0)
            self.assertAlmostEqual(report["residual"], (24 / 64)**0.5, delta=6e-4)
            self.assertEqual(report["residual_step"], 1 if first else 2)  # a sample of zeros is no sample

    def test_nothing(self):
        for rows, cols in ((0, 5), (5, 0), (0, 0)):
            for data in (npy_file([], shape=(rows, cols)), market("array real general", f"{rows} {cols}"),
                         market("coordinate real general", f"{rows} {cols} 0")):
                report, U, S, V = self.factors(data)
                self.assertEqual((report["q"], S), (0, []))
        self.assertEqual(self.factors(npy_file(product(5, 4)), "-q", 0)[2], [])
        zero = self.report(market("coordinate real general", "5 4 0"), "-q", 2)
        self.assertEqual(zero["singular_values"], [0, 0])

    def test_verify(self):
        data = npy_file([[(i * j) % 7 + (i == j) for j in range(30)] for i in range(300)], "<f4")
        report = self.report(data, "-q", 4, "--verify", "--seed", 5)
        names = [path["path"] for path in report["paths"]]
        self.assertEqual(names[:3], ["scalar", "scalar x 2 threads", "scalar x 3 threads"])
        self.assertEqual(len(names), len(set(names)))
        self.assertEqual(len(names) % 3, 0)
        self.assertEqual({(path["ok"], path["digest"]) for path in report["paths"]}, {(True, report["digest"])})
        self.assertEqual((report["differing"], report["digest"]), (0, self.digest(data, "-q", 4, "--seed", 5)))
        text = self.ok("svd", self.file(data), "--verify").decode()
        self.assertEqual(text.splitlines()[-1], f"{len(names)} paths: all equal")
        self.assertEqual(len(re.findall(r"(?m)^\w+( x [23] threads)? +[\d.e-]+ s +0x[0-9a-f]{16}  ok$", text)), len(names))


class Forms(SvdCase):
    """A matrix has one digest, however its file writes it."""

    def test_npy(self):
        for kind in CODES:
            matrix = product(9, 6, imaginary=kind[0] == "c")
            expected = self.digest(npy_file(matrix, "<" + kind))
            for order in "<>=|":
                for fortran in (False, True):
                    self.assertEqual(self.digest(npy_file(matrix, order + kind, fortran)), expected, (order, kind, fortran))
            for version in ((2, 0), (3, 0)):
                self.assertEqual(self.digest(npy_file(matrix, "<" + kind, version=version)), expected)
        # Whole numbers are those of f64; f32 holds those of up to 16 bits.
        for kind in WHOLE:
            low, high = (0, 1) if kind == "b1" else (0, 2**(8 * int(kind[1])) - 1) if kind[0] == "u" else (-2**(8 * int(kind[1]) - 1), 2**(8 * int(kind[1]) - 1) - 1)
            whole = [[(low, high, 1, 0)[(i * 4 + j * 3 + i * j) % 4] for j in range(6)] for i in range(9)]
            numbers = [[float(v) for v in row] for row in whole]
            expected = self.digest(npy_file(numbers))
            if kind[1] in "12":
                self.assertEqual(self.digest(npy_file(whole, "<" + kind), "--dtype", "f32"), self.digest(npy_file(numbers, "<f4")))
            for order in "<>=|":
                for fortran in (False, True):
                    report = self.report(npy_file(whole, order + kind, fortran))
                    self.assertEqual((report["digest"], report["dtype"]), (expected, "f64"), (order, kind))
        many = [[(i * 512 + j) % 251 for j in range(512)] for i in range(200)]  # more than is read at a time
        self.assertEqual(self.digest(npy_file(many, ">u2"), "-q", 2), self.digest(npy_file(many, "<f8"), "-q", 2))
        matrix = product(3, 2)
        expected = self.digest(npy_file(matrix))
        for header in ("{'shape': (3L, 2L), 'fortran_order': False, 'descr': '<f8'}",
                       '{"descr":"<f8","fortran_order":False,"shape":(3,2,),}   \n',
                       " { 'fortran_order' : False , 'descr' : '<f8' , 'shape' : ( 3 , 2 ) } " + 20000 * " "):
            self.assertEqual(self.digest(npy_file(matrix, header=header)), expected, header[:80])

    def test_market(self):
        matrix = product(5, 4)
        expected = self.digest(npy_file(matrix))
        columns = [matrix[i][j] for j in range(4) for i in range(5)]
        entries = [f"{i + 1} {j + 1} {matrix[i][j]}" for i in range(5) for j in range(4) if matrix[i][j]]
        random.Random(2).shuffle(entries)
        sizes = f"5 4 {len(entries)}"
        forms = [market("array real general", "5 4", *columns), market("array integer general", "5 4", *columns),
                 market("coordinate real general", sizes, *entries),
                 market("Coordinate INTEGER General", sizes, *entries).replace(b"%%MatrixMarket matrix", b"%%matrixMARKET  MATRIX"),
                 market("coordinate real general", "% a comment", "%", "", sizes, "", *entries, "  ", "%end").replace(b"\n", b"\r\n"),
                 market("array real general", "\t5  4 ", *(f"  {v:+.3e}\t" for v in columns))]
        for form in forms:
            self.assertEqual(self.digest(form), expected, form.decode())
        z = product(5, 4, imaginary=1)
        expected = self.digest(npy_file(z, "<c16"))
        self.assertEqual(self.digest(market("array complex general", "5 4", *(f"{z[i][j].real} {z[i][j].imag}"
                                                                              for j in range(4) for i in range(5)))), expected)
        self.assertEqual(self.digest(market("coordinate complex general", "5 4 20", *(
            f"{i + 1} {j + 1} {z[i][j].real} {z[i][j].imag}" for j in range(4) for i in range(5)))), expected)

    def test_pattern(self):
        self.assertEqual(self.digest(market("coordinate pattern general", "3 2 2", "1 2", "3 1")),
                         self.digest(npy_file([[0, 1], [0, 0], [1, 0]])))
        self.assertEqual(self.digest(market("coordinate pattern symmetric", "2 2 2", "1 1", "2 1")),
                         self.digest(npy_file([[1, 1], [1, 0]])))

    def test_symmetries(self):
        n = 5
        base = product(n, n, imaginary=1)
        for symmetry, mirror in (("symmetric", lambda v: v), ("skew-symmetric", lambda v: -v),
                                 ("hermitian", lambda v: v.conjugate())):
            for field in ("real", "integer", "complex"):
                if symmetry == "hermitian" and field != "complex":
                    continue

                def value(i, j):
                    v = base[max(i, j)][min(i, j)]
                    v = v if field == "complex" else complex(int(v.real), 0)
                    v = v if i > j else mirror(v) if i < j else (v + mirror(v)) / 2
                    return v if field == "complex" else int(v.real)
                full = [[value(i, j) for j in range(n)] for i in range(n)]
                lower = [(i, j) for j in range(n) for i in range(j + (symmetry[1] == "k"), n)]
                texts = [" ".join(str(int(part)) for part in flat([full[i][j]])) for i, j in lower]
                expected = self.digest(npy_file(full, "<c16" if field == "complex" else "<f8"))
                self.assertEqual(self.digest(market(f"array {field} {symmetry}", f"{n} {n}", *texts)), expected, (field, symmetry))
                entries = [f"{i + 1} {j + 1} {text}" for (i, j), text in zip(lower, texts)]
                self.assertEqual(self.digest(market(f"coordinate {field} {symmetry}", f"{n} {n} {len(entries)}", *entries)),
                                 expected, (field, symmetry))

    def test_numbers(self):
        for text, value in (("1e-3", 1e-3), ("+.5", 0.5), ("-4.", -4.0), ("0.1", 0.1), ("1E+5", 1e5),
                            ("123456789.123456789", 123456789.123456789)):
            self.assertEqual(self.digest(market("array real general", "1 2", text, 1)), self.digest(npy_file([[value, 1]])), text)
        # Whole numbers are rounded to f64 once.
        self.assertEqual(self.digest(market("array integer general", "1 2", 2**63 - 1, -2**63)),
                         self.digest(npy_file([[2.0**63, -2.0**63]])))

    def test_by_content_not_by_name(self):
        data = market("array real general", "1 1", 2)
        self.assertEqual(json.loads(self.ok("svd", self.file(data, "x.npy"), "--json"))["singular_values"], [2])


class BadArguments(SvdCase):
    def test_numbers(self):
        path = self.file(npy_file(product(5, 3)))
        for bad in ("4", "-1"):
            self.refuses(f"rng svd: {path}: -q must be in [0, 3] for a matrix of 5 x 3, got {bad}", "svd", path, "-q", bad)
        self.assertIn("-q must be a whole number", self.fails(2, "svd", path, "-q", "1.5"))
        self.refuses(f"rng svd: --niter must be a whole number in [0, {2**63 - 1}], got -1", "svd", path, "--niter", -1)
        self.refuses(f"rng svd: --oversampling must be a whole number in [0, {2**63 - 1}], got -1", "svd", path, "--oversampling", -1)
        self.refuses(f"rng svd: --seed must be a whole number in [0, 2^64 - 1], got {2**64}", "svd", path, "--seed", 2**64)
        self.refuses("rng svd: FILE is required", "svd")
        message = self.fails(2, "svd", path, "--device", "cuda:99")
        self.assertRegex(message, r"^rng svd: --device must be cpu.* on this machine .*, got cuda:99$")
        for variable in ("RNG_ISA", "RNG_NUM_THREADS"):
            self.assertIn(f"rng svd: {variable}", self.fails(2, "svd", path, env={variable: "many"}))

    def test_dtypes(self):
        real, z = self.file(npy_file(product(5, 3))), self.file(npy_file(product(5, 3, imaginary=1), "<c16"))
        for bad in ("c64", "f16", "u32", ""):
            self.refuses(f"rng svd: --dtype must be f32 or f64 for this matrix, got {bad}", "svd", real, "--dtype", bad)
        self.refuses("rng svd: --dtype must be c64 or c128 for this matrix, got f64", "svd", z, "--dtype", "f64")
        self.refuses("rng svd: --dtype must be f64 or c128 for a matrix that holds 1e+39, got f32",
                     "svd", self.file(npy_file([[1.0, 1e39]])), "--dtype", "f32")


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


class Output(SvdCase):
    def wait_for_files(self, folder):
        end = time.monotonic() + TIMEOUT
        while len(os.listdir(folder)) < 3:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.001)

    def test_all_or_none(self):
        path = self.file(npy_file(product(50, 30)))
        for blocked in ("x_U.npy", "x_S.npy", "x_V.npy"):
            folder = self.folder()
            prefix = os.path.join(folder, "x")
            os.mkdir(os.path.join(folder, blocked))
            self.refuses(f"rng svd: -o: cannot open {os.path.join(folder, blocked)}: {os.strerror(errno.EISDIR)}", "svd", path, "-o", prefix)
            self.assertEqual(os.listdir(folder), [blocked])
        missing = os.path.join(self.folder(), "no", "x")
        self.refuses(f"rng svd: -o: cannot create {missing}_U.npy: {os.strerror(errno.ENOENT)}", "svd", path, "-o", missing)

    def test_old_files_stay_until_the_new_are_whole(self):
        path, folder = self.file(npy_file(product(50, 30))), self.folder()
        prefix = os.path.join(folder, "x")
        for name in "USV":
            with open(f"{prefix}_{name}.npy", "w") as file:
                file.write("before")

        def contents():
            result = []
            for name in "USV":
                with open(f"{prefix}_{name}.npy", "rb") as file:
                    result.append(file.read())
            return result
        nan = product(5, 3)
        nan[4][2] = float("nan")
        self.fails(2, "svd", self.file(npy_file(nan)), "-o", prefix)
        self.assertEqual(contents(), 3 * [b"before"])
        message = self.fails(1, "svd", path, "-q", 6, "-o", prefix, preexec_fn=limit_file_size)
        self.assertEqual(message, f"rng svd: cannot write to {prefix}_U.npy: {os.strerror(errno.EFBIG)}")
        self.assertEqual(contents(), 3 * [b"before"])
        self.assertEqual(len(os.listdir(folder)), 3)
        self.ok("svd", path, "-q", 2, "-o", prefix)
        self.assertEqual([npy(data)[1] for data in contents()], [(50, 2), 2, (30, 2)])
        self.assertEqual(len(os.listdir(folder)), 3)

    def test_a_name_that_is_taken_meanwhile(self):
        path, folder = self.file(npy_file(product(50, 30))), self.folder()
        prefix = os.path.join(folder, "x")
        with start("svd", path, "--niter", 20000, "-o", prefix) as process:
            self.wait_for_files(folder)
            os.mkdir(prefix + "_V.npy")
            error = process.stderr.read().decode()
            self.assertEqual(process.wait(TIMEOUT), 1)
        self.assertEqual(error, f"rng svd: cannot create {prefix}_V.npy: {os.strerror(errno.EISDIR)}\n")
        self.assertEqual(os.listdir(folder), ["x_V.npy"])  # nor are there U and S

    def test_full_disk(self):
        path = self.file(npy_file(product(50, 30)))
        for more in ((), ("--json",)):
            with open("/dev/full", "wb") as full:
                message = self.fails(1, "svd", path, *more, stdout=full)
            self.assertEqual(message, "rng svd: cannot write to standard output: " + os.strerror(errno.ENOSPC))

    def test_signals_leave_no_file(self):
        # Enough iterations for hours: the files are under construction meanwhile.
        path = self.file(npy_file(product(50, 30)))
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            folder = self.folder()
            with start("svd", path, "--niter", 10**12, "-o", os.path.join(folder, "x")) as process:
                self.wait_for_files(folder)
                process.send_signal(number)
                self.assertEqual(process.wait(TIMEOUT), -number)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main()
