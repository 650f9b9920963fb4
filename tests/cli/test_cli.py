"""The program's commands: the values they print, and what they say to bad arguments."""

import json
import math
import re
import struct
import sys
import unittest
from pathlib import Path

TESTS = Path(__file__).parent.parent
sys.path += [str(TESTS / "reference"), str(TESTS.parent / "scripts")]

from cli import Case, is_sampled, npy, rng, words
from distribution_table import DISTRIBUTIONS
from engines import PHILOX4X32_7, PHILOX4X32_10, PHILOX4X64_10, THREEFRY4X32_20, THREEFRY4X64_20
from make_goldens import cases
from stream import Stream

DTYPES = {"f32": ("<f4", "f"), "f64": ("<f8", "d"), "u32": ("<u4", "I"), "u64": ("<u8", "Q")}
SLOTS = {(distribution.name, distribution.dtype): distribution.slot for _, distribution, _ in cases()}  # as the model has them
KINDS = list(SLOTS)
SVD_KINDS = [("svd_lowrank", dtype) for dtype in ("f16", "bf16", "f32", "f64", "c64", "c128")]  # only in rng verify
SIZE_WORDS = 2**58
COUNT = "must be a whole number below 2^64 (units: k, M, G, T, P, Ki, Mi, Gi, Ti, Pi; or as 1e6)"


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


COMMANDS = "info, list, stream, sample, svd, test, zoo, calibrate, verify, help, version"
ENGINES = "philox4x32-10, philox4x32-7, philox4x64-10, threefry4x32-20, threefry4x64-20"


class Information(Case):
    def test_info(self):
        text = re.sub(r"\n +", " ", self.ok("info").decode())  # what goes on in another line
        lines = dict(re.split(r"  +", line, maxsplit=1) for line in text.splitlines())
        self.assertRegex(lines["rng"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(lines["contract version"], "1")
        self.assertRegex(lines["instruction set"], r"^(scalar|avx2|avx512|neon) \(this machine has scalar")
        self.assertRegex(lines["threads"], r"^[1-9]\d* ")
        self.assertIn("cpu", lines["devices"].split(", "))
        self.assertRegex(lines["CUDA backend"], r"^(not )?built in")
        self.assertEqual("cuda:0" in lines["devices"], lines["CUDA backend"] == "built in")
        self.assertEqual(lines["engines"], ENGINES)

    def test_info_follows_the_environment(self):
        text = self.ok("info", env={"RNG_ISA": "scalar", "RNG_NUM_THREADS": "3"}).decode()
        self.assertRegex(text, r"instruction set +scalar \(")
        self.assertRegex(text, r"threads +3 ")

    def test_list(self):
        lines = re.sub(r"\n {10,}", " ", self.ok("list").decode()).splitlines()  # what goes on in another line
        starts = [i for i, line in enumerate(lines) if not line.startswith(" ")]
        entries = {lines[a].split()[0]: [re.split(r"  +", line.strip(), maxsplit=1) for line in lines[a:b]]
                   for a, b in zip(starts, starts[1:] + [len(lines)])}
        self.assertEqual(entries["normal"][1:], [["types, slots", "f32 1, f64 2, f16 1, bf16 1"], ["support", "(-inf, inf)"],
                                                 ["parameters", "--mean 0 --stddev 1"],
                                                 ["ranges", "mean of magnitude 2^126 at most (f32, bf16), of magnitude 2^1022 at most (f64), "
                                                  "of magnitude 2^14 at most (f16); stddev in [0, 2^120] (f32, bf16), in [0, 2^1000] (f64), "
                                                  "in [0, 2^12] (f16)"]])
        # The default of hi is of each type its own: the same values, and what the help says.
        self.assertEqual(entries["uniform_int"][3], ["parameters", "--lo 0 --hi the greatest of the type"])
        self.assertRegex(" ".join(self.ok("sample", "--help").decode().split()), r"uniform_int: upper bound \(default the greatest of the type\)")
        for sign, bits in ((sign, bits) for sign in "iu" for bits in (8, 16, 32, 64)):
            args = ("sample", "uniform_int", "-n", 20, "--dtype", f"{sign}{bits}")
            self.assertEqual(self.ok(*args), self.ok(*args, "--lo", 0, "--hi", 2**(bits - (sign == "i")) - 1))
        self.assertEqual(entries["bits"][1:], [["types, slots", "u32 1, u64 2"], ["support", "[0, 2^32), [0, 2^64)"], ["parameters", "none"]])
        self.assertEqual(set(entries), {name for name, _ in KINDS})
        for name, rows in entries.items():
            self.check_ranges(name, dict(rows).get("ranges", ""))

    def check_ranges(self, name, ranges):
        """Each range that the program prints stands in the contract's row of the distribution, or in a row that this one refers to."""
        contract = (TESTS.parent / "docs" / "contract.md").read_text()
        table = re.findall(r"^\| (.*) \| (.*) \|$", contract[contract.index("## 7. Parameter ranges"):contract.index("**Small parameters.**")], re.M)

        def limits_of(named, seen=()):
            found = [limits for names, limits in table if re.search(rf"\b{named}\b", names, re.I)]
            for other in set(re.findall(r"\bas (?:a )?(\w+)", " ".join(found))) - {*seen, named}:
                found += limits_of(other, (*seen, named))
            return found

        own = " ".join(limits_of(name)) + " "
        for of_parameter in ranges.split("; ") if ranges else ():
            parameter = of_parameter.split()[0]
            has_row = re.search(rf"\b{parameter}\b", own)
            self.assertTrue(has_row or parameter in ("loc", "scale", "sigma"), f"{name}: {parameter} is not in the contract")
            limits = own if has_row else " ".join(limits_of("location")) + " "
            printed = re.findall(r"in \[([^]]*), ([^]]*)\]|of magnitude (\S+) at most", of_parameter)
            self.assertTrue(printed, of_parameter)
            for least, most, magnitude in printed:
                if magnitude == "pi":
                    magnitude = "0x1.921fb4p+1"
                known = [f"above {magnitude} ", f" {magnitude} (f"] if magnitude else [f"[{least}, {most}]"] + [f"above {most} "] * (least == "0")
                self.assertTrue(any(text in limits for text in known), f"{name}: {parameter}: {known[0]} is not in the contract")

    def test_tables_fit_a_terminal(self):
        for command in (("list",), ("info",), ("test", "--list"), ("zoo", "--list"), ("zoo", "--only", "randu,lcg64"),
                        ("calibrate", "--tier", "structural", "--batteries", "1", "--all", "--only", "avalanche2")):
            done = rng(*command)
            if "without" in done.stderr:  # the statistical tests, or OpenSSL
                continue
            self.assertEqual([line for line in done.stdout.decode().splitlines() if len(line) > 80], [], command)
        self.assertEqual(self.ok("list", env={"COLUMNS": "200"}), self.ok("list"))  # a pipe does not know a terminal

    def test_calibrate_takes_its_threads_from_the_environment(self):
        done = rng("calibrate", "--batteries", "1", "--bytes", "1Mi", env={"RNG_NUM_THREADS": "0"})
        if "without" not in done.stderr:  # the statistical tests, or OpenSSL
            self.assertEqual(done.returncode, 2)
            self.assertIn("RNG_NUM_THREADS", done.stderr)

    def test_calibrate_keeps_the_counts_that_it_merges(self):
        folder = self.folder()
        batteries = ("--tier", "structural", "--batteries", "2", "--only", "avalanche2")
        for part in ("0:1", "1:2"):
            done = rng("calibrate", *batteries, "--part", part, "--counts", f"{folder}/{part}")
            if "without" in done.stderr:  # the statistical tests, or OpenSSL
                self.skipTest(done.stderr)
        with open(f"{folder}/1:2", "rb") as file:
            counts = file.read()
        self.refuses(f"rng calibrate: --json would overwrite {folder}/1:2, which is an input of this run",
                     "calibrate", "--merge", f"{folder}/0:1", f"{folder}/1:2", "--json", f"{folder}/./1:2")
        with open(f"{folder}/1:2", "rb") as file:
            self.assertEqual(file.read(), counts)

    def test_version_and_help(self):
        self.assertRegex(self.ok("--version").decode(), r"^rng \d+\.\d+\.\d+\n$")
        for command in ("info", "list", "stream", "sample", "svd", "verify"):
            self.assertIn(command, self.ok("--help").decode())
            text = self.ok(command, "--help").decode()
            self.assertIn("Usage: rng " + command, text)
            self.assertIn("Example", text)
        text = self.ok("stream", "--help").decode()
        self.assertIn("dieharder -a -g 200", text)
        self.assertIn("RNG_test stdin32", text)
        text = " ".join(self.ok("sample", "--help").decode().split())
        self.assertRegex(text, r"--stddev X +normal, normal_icdf: standard deviation.*\(default 1\)")
        self.assertRegex(text, r"--seed S .*\(default 20111115\)")

    def test_help_and_version_as_commands(self):
        self.assertEqual(self.ok("version"), self.ok("--version"))
        self.assertEqual(self.ok("help"), self.ok("--help"))
        for command in COMMANDS.split(", "):
            self.assertEqual(self.ok("help", command), self.ok(command, "--help"))
        self.refuses(f"rng help: COMMAND must be one of {COMMANDS}, got smaple: did you mean sample?", "help", "smaple")

    def test_help_fits_a_terminal(self):
        for command in ([], *([c] for c in COMMANDS.split(", "))):
            text = self.ok(*command, "--help").decode()
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [], command)
        # What goes on in another line begins under the description.
        self.assertRegex(self.ok("stream", "--help").decode(), r"\n  --view V +\S.*\n {26}\S")

    @unittest.skipIf(is_sampled(), "test_verify_json computes the same digests, and faulty_verify.py reads a table")
    def test_verify(self):
        text = self.ok("verify", "--quick").decode()
        if "cuda" not in text:  # each GPU is a column more
            self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
        self.assertRegex(text.splitlines()[-1], r"^\d+ digests on \d+ paths: all equal$")
        for line in [*(f"{name} {dtype}" for name, dtype in KINDS), *ENGINES.split(", ")]:
            self.assertRegex(text, rf"(?m)^{line} +ok\b")
        for name, dtype in SVD_KINDS:
            self.assertRegex(text, rf"(?m)^{name} {dtype} +- +ok\b")
        self.assertNotIn("DIFFERS", text)
        self.assertNotIn("no golden", text)

    def test_verify_json(self):
        report = json.loads(self.ok("verify", "--quick", "--json"))
        rows = report["rows"]
        self.assertEqual((report["digests"], report["differing"], report["without_golden"]), (len(rows), 0, []))
        self.assertEqual({(row["engine"], row["distribution"], row["dtype"]) for row in rows},
                         {(engine, *kind) for engine in ENGINES.split(", ") for kind in KINDS} |
                         {("philox4x32-10", *kind) for kind in SVD_KINDS})
        paths = {row["path"] for row in rows}
        self.assertLessEqual({"headers", "scalar"}, paths)
        for row in rows:
            self.assertTrue(row["ok"] is True and row["got"] == row["expected"], row)
            self.assertRegex(row["expected"], r"^0x[0-9a-f]{16}$")
        for kind in KINDS + SVD_KINDS:  # every path computes every golden of every distribution; headers decompose nothing
            able = [path for path in paths if kind in KINDS or path.split()[0] in ("scalar", "avx2", "avx512", "neon")]
            counts = [sum((row["distribution"], row["dtype"], row["path"]) == (*kind, path) for row in rows)
                      for path in able]
            self.assertGreater(counts[0], 0)
            self.assertEqual(len(set(counts)), 1, kind)


class StreamWords(Case):
    def test_known_answers(self):
        # Random123's first known answer of Philox4x32-10: counter 0, key 0.
        self.assertEqual(words(self.ok("stream", "--seed", 0, "--bytes", 16)),
                         [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8])
        # C++26: the 10000th value of a default std::philox4x32.
        self.assertEqual(words(self.ok("stream", "--bytes", 40000))[-1], 1955073260)
        self.assertEqual(words(self.ok("stream", "--bytes", 4, "--position", 9999)), [1955073260])

    def test_engines(self):
        # C++26: the 10000th value of a default std::philox4x64.
        low, high = words(self.ok("stream", "--engine", "philox4x64-10", "--bytes", 8, "--position", 2 * 9999))
        self.assertEqual(low | high << 32, 3409172418970261260)
        # Random123's first known answers: counter 0, key 0.
        for engine, first in (("philox4x32-7", 0x5F6FB709), ("threefry4x32-20", 0x9C6CA96A)):
            self.assertEqual(words(self.ok("stream", "--engine", engine, "--seed", 0, "--bytes", 4)), [first], engine)
        low, high = words(self.ok("stream", "--engine", "threefry4x64-20", "--seed", 0, "--bytes", 8))
        self.assertEqual(low | high << 32, 0x09218EBDE6C85537)
        # The library's types of these names: C++26's and Random123's numbers again.
        for engine, place, value in (("philox4x32", 9999, 1955073260), ("philox4x64", 2 * 9999, 3409172418970261260 % 2**32)):
            self.assertEqual(words(self.ok("stream", "--engine", engine, "--bytes", 4, "--position", place)), [value], engine)
        for engine, first in (("philox4x32_7", 0x5F6FB709), ("threefry4x32", 0x9C6CA96A), ("threefry4x64", 0xE6C85537)):
            self.assertEqual(words(self.ok("stream", "--engine", engine, "--seed", 0, "--bytes", 4)), [first], engine)
        for engine in ENGINES.split(", "):
            place = ("--engine", engine, "--seed", 42, "--id", 7, "--position", 9)
            self.assertEqual(self.ok("stream", *place, "--bytes", 4000),
                             self.ok("sample", "bits", *place, "-n", 1000, "--format", "raw"), engine)

    def test_address(self):
        whole = self.ok("stream", "--seed", 42, "--id", 7, "--bytes", "1M")
        self.assertEqual(len(whole), 10**6)
        for first in (1, 2, 3, 4, 65535, 65536, 65537):
            part = self.ok("stream", "--seed", "0x2a", "--id", "0x7", "--position", first, "--bytes", 1234)
            self.assertEqual(part, whole[4 * first:4 * first + 1234], first)
        self.assertNotEqual(self.ok("stream", "--seed", 42, "--bytes", 16), whole[:16])
        self.assertNotEqual(self.ok("stream", "--seed", 43, "--id", 7, "--bytes", 16), whole[:16])
        self.assertEqual(self.ok("stream", "--engine", "philox4x32-10", "--seed", 42, "--id", 7, "--bytes", 7), whole[:7])

    def test_whole_range_of_seeds(self):
        most = self.ok("stream", "--seed", 2**64 - 1, "--id", 2**64 - 1, "--bytes", 64)
        self.assertEqual(self.ok("stream", "--seed", hex(2**64 - 1), "--id", "0XFFFFFFFFFFFFFFFF", "--bytes", 64), most)
        self.assertEqual(words(most), words(self.ok("sample", "bits", "-n", 16, "--seed", 2**64 - 1, "--id", 2**64 - 1,
                                                    "--format", "raw")))

    def test_byte_suffixes(self):
        for text, size in (("0", 0), ("3", 3), ("2k", 2000), ("2K", 2000), ("2kB", 2000), ("1Ki", 1024), ("3KiB", 3072),
                           ("1M", 10**6), ("1MiB", 2**20), ("2e3", 2000), ("1E+4", 10**4), ("0x10", 16)):
            self.assertEqual(len(self.ok("stream", "--bytes", text)), size, text)

    def test_end_of_stream(self):
        tail = self.ok("stream", "--position", SIZE_WORDS - 4, "--bytes", 16)
        self.assertEqual(len(tail), 16)
        self.assertIn("--bytes must be in [0, 16]", self.fails(2, "stream", "--position", SIZE_WORDS - 4, "--bytes", 17))
        # Without --bytes an end is a surprise for the reader, and is reported.
        done = rng("stream", "--position", SIZE_WORDS - 4)
        self.assertEqual((done.returncode, done.stdout), (1, tail))
        self.assertIn("the stream ended after 16 bytes", done.stderr)

    def test_every_path_gives_the_same_bytes(self):
        expected = self.ok("stream", "--seed", 5, "--position", 3, "--bytes", "3M", env={"RNG_ISA": "scalar"})
        self.assertEqual(self.ok("stream", "--seed", 5, "--position", 3, "--bytes", "3M"), expected)
        for threads in (1, 2, 7):
            got = self.ok("stream", "--seed", 5, "--position", 3, "--bytes", "3M", env={"RNG_NUM_THREADS": str(threads)})
            self.assertEqual(got, expected, threads)


class Forks(Case):
    """Against the model of the contract in tests/reference."""

    def model(self, engine, forks, seed=42, id=7):
        stream = Stream.from_seed(seed, id, engine=engine)
        for fork in forks:
            stream = stream.fork(fork)
        return stream

    def test_forks(self):
        for name, engine in (("philox4x32", PHILOX4X32_10), ("philox4x32-7", PHILOX4X32_7), ("philox4x64", PHILOX4X64_10),
                             ("threefry4x32", THREEFRY4X32_20), ("threefry4x64", THREEFRY4X64_20)):
            for forks in ([], ["wind"], [7], ["wind", 7], [7, "wind"], [0, 2**56 - 1], ["0x7"], ["7 "], ["-1"], ["h\u00f6he" * 9], ["7.0", 10]):
                options = [part for fork in forks for part in ("--fork", fork)]
                if "-1" in forks:
                    options = ["--fork=-1"]
                args = ("--engine", name, "--seed", 42, "--id", 7, "--position", 5, *options)
                expected = [self.model(engine, forks).word(5 + i) for i in range(6)]
                self.assertEqual(words(self.ok("stream", *args, "--bytes", 24)), expected, (name, forks))
                self.assertEqual(words(self.ok("sample", "bits", *args, "-n", 6, "--format", "raw")), expected, (name, forks))

    def test_an_empty_value_is_not_the_next_argument(self):
        expected = [self.model(PHILOX4X32_10, [""]).word(i) for i in range(2)]
        for empty in (("--fork", ""), ("--fork=",)):
            self.assertEqual(words(self.ok("stream", "--seed", 42, "--id", 7, *empty, "--bytes", 8)), expected, empty)
        self.refuses("rng stream: --seed must be a whole number in [0, 2^64 - 1], got nothing", "stream", "--seed=", "--bytes", 8)

    def test_digits_are_a_number(self):
        a, b = (self.ok("stream", "--fork", text, "--bytes", 16) for text in ("7", "007"))
        self.assertEqual(a, b)

    def test_bad_forks(self):
        for command in (("stream", "--bytes", 4), ("sample", "bits", "-n", 1)):
            self.refuses(f"rng {command[0]}: --fork must be a whole number in [0, 2^56 - 1], got {2**56}",
                         *command, "--fork", "wind", "--fork", 2**56)
        self.refuses("rng stream: --view is of a stream of --seed and --id, got it with --fork wind",
                     "stream", "--view", "low", "--fork", "wind")


class Samples(Case):
    def values(self, name, dtype, n, *more):
        """The same values in all formats, which must agree."""
        args = ("sample", name, "--dtype", dtype, "-n", n, *more)
        descr, count, values = npy(self.ok(*args, "--format", "npy"))
        self.assertEqual((descr, count), (DTYPES[dtype][0], n))
        self.assertEqual(self.ok(*args, "--format", "raw"), struct.pack(f"<{n}{DTYPES[dtype][1]}", *values))
        text = self.ok(*args)
        self.assertEqual(self.ok(*args, "--format", "text"), text)
        self.assertEqual(self.ok(*args, "--format", "csv"), b"value\n" + text)
        self.assertEqual(json.loads(self.ok(*args, "--format", "json"), parse_float=str, parse_int=str), text.decode().split())
        parse = {"f32": lambda t: f32(float(t)), "f64": float}.get(dtype, int)
        lines = text.decode().splitlines()
        self.assertEqual([parse(line) for line in lines], values)
        if dtype == "f64":  # no more digits than Python's repr, which is the shortest too
            def digits(t): return len(re.sub(r"e.*|[-.]", "", t).strip("0"))
            self.assertEqual([digits(line) for line in lines], [digits(repr(v)) for v in values])
        return values

    def test_bits_and_uniforms_come_from_the_words(self):
        w = words(self.ok("stream", "--seed", 9, "--bytes", "400"))
        pairs = [low | high << 32 for low, high in zip(w[::2], w[1::2])]
        seed = ("--seed", 9)
        self.assertEqual(self.values("bits", "u32", 100, *seed), w)
        self.assertEqual(self.values("bits", "u64", 50, *seed), pairs)
        self.assertEqual(self.values("uniform", "f32", 100, *seed), [(x >> 8) * 2.0**-24 for x in w])
        self.assertEqual(self.values("uniform", "f64", 50, *seed), [(x >> 11) * 2.0**-53 for x in pairs])
        self.assertEqual(self.values("uniform_open", "f32", 100, *seed), [(2 * (x >> 9) + 1) * 2.0**-24 for x in w])
        self.assertEqual(self.values("uniform_open_closed", "f64", 50, *seed), [((x >> 11) + 1) * 2.0**-53 for x in pairs])

    def test_counts(self):
        for text, n in (("2k", 2000), ("1Ki", 1024), ("3e3", 3000), ("0x10", 16)):
            self.assertEqual(self.ok("sample", "bits", "-n", text, "--format", "raw"),
                             self.ok("sample", "bits", "-n", n, "--format", "raw"), text)
        self.assertEqual(len(self.ok("sample", "bits", "-n", "1M", "--format", "raw")), 4 * 10**6)

    def test_names_of_types(self):
        for name, long, short in (("normal", "float32", "f32"), ("normal", "float64", "f64"), ("normal", "float", "f32"), ("normal", "double", "f64"), ("normal", "float16", "f16"),
                                  ("normal", "bfloat16", "bf16"), ("complex_normal", "complex64", "c64"),
                                  ("complex_normal", "complex128", "c128"), ("bits", "uint32", "u32"), ("bits", "uint64", "u64"),
                                  ("bernoulli", "uint8", "u8"), *(("uniform_int", f"int{b}", f"i{b}") for b in (8, 16, 32, 64))):
            def args(dtype, name=name): return "sample", name, "-n", 50, "--dtype", dtype, "--format", "raw"
            self.assertEqual(self.ok(*args(long)), self.ok(*args(short)), long)
        self.refuses("rng sample: --dtype must be u32 or u64 for bits, got float32", "sample", "bits", "-n", 1, "--dtype", "float32")
        self.refuses("rng sample: --dtype must be u32 or u64 for bits, got float12", "sample", "bits", "-n", 1, "--dtype", "float12")

    def test_parameters_are_applied(self):
        unit = self.values("uniform", "f64", 1000)
        scaled = self.values("uniform", "f64", 1000, "--lo", "-4", "--hi", "0x1p2")
        self.assertEqual(scaled, [8 * u - 4 for u in unit])  # exact: powers of two
        z = self.values("normal", "f64", 1000)
        self.assertEqual(self.values("normal", "f64", 1000, "--stddev", "4"), [4 * x for x in z])
        self.assertEqual(self.values("normal", "f32", 3, "--mean", "-2.5", "--stddev", 0), [-2.5] * 3)
        e = self.values("exponential", "f64", 1000)
        self.assertEqual(self.values("exponential", "f64", 1000, "--rate", "0.25"), [4 * x for x in e])
        # A parameter is rounded once, to the type of the values.
        self.assertEqual(self.values("normal", "f32", 1, "--mean", "0.1", "--stddev", 0), [f32(0.1)])

    def test_halves(self):
        for dtype, digits in (("f16", 5), ("bf16", 4)):
            def bits(*more, dtype=dtype):
                raw = self.ok("sample", "normal", "-n", 500, "--stddev", "0.01", "--dtype", dtype, *more)
                return [x for (x,) in struct.iter_unpack("<H", raw)] if "raw" in more else raw.decode().split()
            texts = bits()
            half = {"f16": lambda x: struct.unpack("<H", struct.pack("<e", x))[0],
                    "bf16": lambda x: (struct.unpack("<I", struct.pack("<f", x))[0] + 0x8000) >> 16}[dtype]
            self.assertEqual([half(float(t)) for t in texts], bits("--format", "raw"))
            self.assertLessEqual(max(len(re.sub(r"e.*|[-.]", "", t).strip("0")) for t in texts), digits)
        header = self.ok("sample", "uniform", "-n", 3, "--dtype", "f16", "--format", "npy")
        self.assertEqual((npy(header)[:2]), ("<f2", 3))
        self.refuses("rng sample: --format must be text, csv, raw or json for bf16, which NumPy does not have, got npy",
                     "sample", "normal", "-n", 1, "--dtype", "bf16", "--format", "npy")
        self.refuses("rng sample: --hi must be a finite value of float16, got 0.1",
                     "sample", "uniform", "-n", 1, "--dtype", "f16", "--hi", "0.1")

    def test_complex(self):
        for dtype, descr, code in (("c64", "<c8", "f"), ("c128", "<c16", "d")):
            args = ("sample", "complex_normal", "-n", 300, "--stddev", 3, "--dtype", dtype)
            raw = struct.unpack(f"<600{code}", self.ok(*args, "--format", "raw"))
            got, n, parts = npy(self.ok(*args, "--format", "npy"))
            self.assertEqual((got, n, tuple(parts)), (descr, 300, raw))
            pairs = json.loads(self.ok(*args, "--format", "json"))
            self.assertEqual([(f32(z[0]), f32(z[1])) if dtype == "c64" else tuple(z) for z in pairs], list(zip(raw[::2], raw[1::2])))
            numbers = [complex(line) for line in self.ok(*args).decode().split()]
            cast = f32 if dtype == "c64" else float
            self.assertEqual([(cast(z.real), cast(z.imag)) for z in numbers], list(zip(raw[::2], raw[1::2])))
        self.refuses("rng sample: --histogram is of real values, got complex_normal",
                     "sample", "complex_normal", "-n", 5, "--histogram")

    def test_vectors(self):
        for n in 2, 3, 4:
            for part, descr, code in ("f32", "<f4", "f"), ("f64", "<f8", "d"):
                args = ("sample", f"unit_vector{n}", "-n", 100, "--dtype", f"{part}x{n}")
                raw = struct.unpack(f"<{100 * n}{code}", self.ok(*args, "--format", "raw"))
                got, shape, parts = npy(self.ok(*args, "--format", "npy"))
                self.assertEqual((got, shape, tuple(parts)), (descr, (100, n), raw))
                rows = [raw[i:i + n] for i in range(0, len(raw), n)]
                for row in rows:
                    self.assertLess(abs(math.fsum(x * x for x in row) - 1), 4 * (2**-23 if part == "f32" else 2**-52))
                cast = f32 if part == "f32" else float
                def read(lines, between, cast=cast): return [tuple(map(cast, map(float, line.split(between)))) for line in lines]
                self.assertEqual(read(self.ok(*args).decode().splitlines(), " "), rows)
                header, *lines = self.ok(*args, "--format", "csv").decode().splitlines()
                self.assertEqual((header, read(lines, ",")), (",".join("xyzw"[:n]), rows))
                self.assertEqual([tuple(map(cast, v)) for v in json.loads(self.ok(*args, "--format", "json"))], rows)
        self.refuses("rng sample: --histogram is of real values, got unit_vector3", "sample", "unit_vector3", "-n", 5, "--histogram")
        self.refuses("rng sample: --dtype must be f32x3 or f64x3 for unit_vector3, got f32", "sample", "unit_vector3", "-n", 5, "--dtype", "f32")

    def test_moments(self):
        # Six standard errors of the mean of 10^5 values: false alarms once in 5e8 runs of other seeds, none of this one.
        n = 10**5
        for name, mean, deviation in (("normal", 0, 1), ("normal_icdf", 0, 1), ("exponential", 1, 1), ("uniform", 0.5, 12**-0.5)):
            for dtype in ("f32", "f64"):
                values = npy(self.ok("sample", name, "-n", n, "--dtype", dtype, "--format", "npy"))[2]
                self.assertLess(abs(sum(values) / n - mean), 6 * deviation / math.sqrt(n), (name, dtype))
                variance = sum((x - mean)**2 for x in values) / n
                self.assertLess(abs(variance / deviation**2 - 1), 0.06, (name, dtype))

    def test_default_dtypes(self):
        for name, dtype in (("normal", "f32"), ("uniform", "f32"), ("exponential", "f32"), ("bits", "u32")):
            got = self.ok("sample", name, "-n", 5, "--format", "npy")
            self.assertEqual(got, self.ok("sample", name, "-n", 5, "--format", "npy", "--dtype", dtype))

    def test_concatenation(self):
        for number, (name, dtype) in enumerate(KINDS):
            slot = SLOTS[name, dtype]
            args = ("sample", name, "--dtype", dtype, "--seed", 3, "--format", "raw")
            whole = self.ok(*args, "-n", 1001, "--position", 8)
            cuts = 0, 1, 500, 1000
            for cut in cuts[number % 4:][:1] if is_sampled() else cuts:
                first = self.ok(*args, "-n", cut, "--position", 8)
                second = self.ok(*args, "-n", 1001 - cut, "--position", 8 + cut * slot)
                self.assertEqual(first + second, whole, (name, dtype, cut))
            rounded = self.ok(*args, "-n", 1001, "--position", 7)
            self.assertEqual(rounded == whole, slot > 1, (name, dtype))  # rounded up to a multiple of the slot

    def test_chunks_join(self):
        # More values than a chunk holds, begun at an odd value of a pair, against their parts.
        for dtype, slot in (("f32", 1), ("f64", 2)):
            args = ("sample", "normal", "--dtype", dtype, "--format", "raw", "--seed", 11)
            whole = self.ok(*args, "-n", 200001, "--position", slot)
            self.assertEqual(len(whole), 200001 * 4 * slot)
            for first in (0, 1, 65535, 65536, 65537, 131072, 199999):
                part = self.ok(*args, "-n", 2, "--position", slot * (1 + first))
                self.assertEqual(part, whole[4 * slot * first:4 * slot * (first + 2)], (dtype, first))
            scalar = self.ok(*args, "-n", 200001, "--position", slot, env={"RNG_ISA": "scalar", "RNG_NUM_THREADS": "1"})
            self.assertEqual(scalar, whole)

    def test_nothing(self):
        self.assertEqual(self.values("normal", "f64", 0), [])
        self.assertEqual(self.ok("sample", "normal", "-n", 0, "--histogram"), b"no values\n")

    def test_end_of_stream(self):
        self.assertEqual(len(self.ok("sample", "normal", "-n", 4, "--position", SIZE_WORDS - 4, "--format", "raw")), 16)
        self.assertEqual(len(self.ok("sample", "normal", "-n", 2, "--position", SIZE_WORDS - 4, "--dtype", "f64",
                                     "--format", "raw")), 16)

    def test_histogram(self):
        n = 200000
        for name, dtype, mean, deviation in (("normal", "f32", 0, 1), ("uniform", "f64", 0.5, 12**-0.5),
                                             ("bits", "u64", 2.0**63, 2.0**64 / 12**0.5)):
            args = ("sample", name, "--dtype", dtype, "-n", n, "--seed", 1)
            text = self.ok(*args, "--histogram").decode()
            self.assertTrue(text.isascii())  # no locale says UTF-8
            values = npy(self.ok(*args, "--format", "npy"))[2]
            head = re.match(r"n (\d+)  min (\S+)  max (\S+)\nmean (\S+)  stddev (\S+)  skewness (\S+)  "
                            r"excess kurtosis (\S+)\n\n", text)
            count, least, greatest, *moments = (float(x) for x in head.groups())
            self.assertEqual(count, n)
            lo, hi = min(values), max(values)
            cast = f32 if dtype == "f32" else float
            self.assertEqual((cast(least), cast(greatest)), (cast(lo), cast(hi)))
            got_mean = math.fsum(values) / n
            got_deviation = math.sqrt(math.fsum((x - got_mean)**2 for x in values) / n)
            third = math.fsum(((x - got_mean) / got_deviation)**3 for x in values) / n
            fourth = math.fsum(((x - got_mean) / got_deviation)**4 for x in values) / n - 3
            self.assertAlmostEqual(moments[0] / deviation, got_mean / deviation, delta=1e-5)
            self.assertAlmostEqual(moments[1] / got_deviation, 1, delta=1e-5)
            self.assertAlmostEqual(moments[2], third, delta=1e-4)
            self.assertAlmostEqual(moments[3], fourth, delta=1e-4)
            self.assertLess(abs(got_mean - mean), 6 * deviation / math.sqrt(n))

            rows = re.findall(r"(?m)^\[ *(\S+), *(\S+)([\])]) +(\d+) ?([#.]*)$", text)
            self.assertEqual(len(rows), 24)
            counts = [int(row[3]) for row in rows]
            self.assertEqual(sum(counts), n)
            self.assertEqual([row[2] for row in rows], [")"] * 23 + ["]"])
            expected = [0] * 24
            for x in values:
                expected[min(23, int((x - lo) / (hi - lo) * 24))] += 1
            # Values at an edge may fall to either side: the program and this sum round differently.
            self.assertLessEqual(max(abs(a - b) for a, b in zip(counts, expected)), 5)
            longest = max(len(row[4]) for row in rows)
            for row in rows:
                self.assertAlmostEqual(len(row[4].replace(".", "")), longest * int(row[3]) / max(counts), delta=0.51)
                self.assertEqual(row[4] == "", int(row[3]) == 0)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_histogram_of_few_integers(self):
        """A row for each value, those that did not occur among them; a range of more than 40 has edges between integers."""
        for name, dtype, more, n in (("uniform_int", "i32", ("--lo", 1, "--hi", 6), 6000), ("uniform_int", "i8", ("--lo", -20, "--hi", 19), 500),
                                     ("uniform_int", "i64", ("--lo", -2**63, "--hi", -2**63 + 39), 60),
                                     ("uniform_int", "u64", ("--lo", 2**64 - 3, "--hi", 2**64 - 1), 90), ("bernoulli", "u8", ("--p", 0.25), 400),
                                     ("poisson", "i64", ("--mean", 3.5), 500), ("rademacher", "i8", (), 60)):
            args = ("sample", name, "--dtype", dtype, *more, "-n", n)
            values = [int(line) for line in self.ok(*args).split()]
            text = self.ok(*args, "--histogram").decode()
            rows = re.findall(r"(?m)^ *(-?\d+) +(\d+)(?: [#.]+)?$", text)
            self.assertEqual([(int(value), int(count)) for value, count in rows],
                             [(x, values.count(x)) for x in range(min(values), max(values) + 1)], args)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)
        for dtype, lo, hi in (("i8", -128, 127), ("u8", 0, 40), ("i64", -2**63, 2**63 - 1), ("u64", 0, 2**64 - 1), ("u16", 7, 65000)):
            args = ("sample", "uniform_int", "--dtype", dtype, "--lo", lo, "--hi", hi, "-n", 3000)
            values = [int(line) for line in self.ok(*args).split()]
            text = self.ok(*args, "--histogram").decode()
            rows = [(int(a), int(b), end, int(count))
                    for a, b, end, count in re.findall(r"(?m)^\[ *(-?\d+), *(-?\d+)([\])]) +(\d+)(?: [#.]+)?$", text)]
            self.assertEqual((rows[0][0], rows[-1][1], rows[-1][2]), (min(values), max(values), "]"), args)
            self.assertTrue(20 <= len(rows) <= 24, len(rows))
            for i, (a, b, end, count) in enumerate(rows):
                is_last = i + 1 == len(rows)
                self.assertEqual(end, "]" if is_last else ")")
                if not is_last:
                    self.assertEqual(b, rows[i + 1][0])
                    self.assertEqual(b - a, rows[0][1] - rows[0][0])
                self.assertEqual(count, sum(a <= x < b + is_last for x in values), args)
            self.assertLessEqual(max(map(len, text.splitlines())), 80)

    def test_histogram_in_unicode(self):
        for variables, unicode in (({"LANG": "C.UTF-8"}, True), ({"LC_ALL": "de_DE.utf8", "LANG": "C"}, True),
                                   ({"LC_ALL": "C", "LANG": "C.UTF-8"}, False), ({}, False)):
            text = self.ok("sample", "normal", "-n", 1000, "--histogram", env=variables).decode()
            self.assertEqual("█" in text, unicode, variables)
            self.assertEqual("#" in text, not unicode, variables)

    def test_histogram_of_extremes(self):
        text = self.ok("sample", "normal", "--stddev", 0, "--mean", 3, "-n", 10, "--histogram").decode()
        self.assertIn("every value is 3\n", text)
        for more in (("--stddev", "0x1p1000"), ("--stddev", "0x1p-900"), ("--mean", "0x1p1022", "--stddev", 1)):
            text = self.ok("sample", "normal", "--dtype", "f64", *more, "-n", 1000, "--histogram").decode()
            self.assertNotRegex(text, r"\b(nan|inf)\b")
        text = self.ok("sample", "uniform", "--lo", "-3.4e38", "--hi", 0, "-n", 1000, "--histogram").decode()
        self.assertNotRegex(text, r"\b(nan|inf)\b")


class BadArguments(Case):
    """Each message names the option, its range and the value; one line, exit code 2, nothing on standard output."""

    def test_commands(self):
        self.refuses(f"rng: no command: use one of {COMMANDS} (rng --help)")
        self.refuses(f"rng: COMMAND must be one of {COMMANDS}, got frob", "frob")
        self.refuses("rng: unknown option --frob (rng --help lists what there is)", "--frob")
        self.refuses("rng info: unexpected argument x (rng info --help lists what there is)", "info", "x")
        self.refuses("rng verify: unknown option --frob=1 (rng verify --help lists what there is)", "verify", "--frob=1")

    def test_typing_errors(self):
        for args, typed, meant in (
                (("smaple", "normal", "-n", 1), "got smaple", "sample"), (("versoin",), "got versoin", "version"),
                (("sample", "norml", "-n", 1), "got norml", "normal"), (("sample", "unifrom", "-n", 1), "got unifrom", "uniform"),
                (("sample", "normal", "-n", 1, "--stdev", 2), "unknown option --stdev", "--stddev"),
                (("sample", "normal", "--stdev=2"), "unknown option --stdev=2", "--stddev"),
                (("sample", "uniform", "-n", 1, "--low", 2), "unknown option --low", "--lo"),
                (("stream", "--sede", 2), "unknown option --sede", "--seed"), (("--versoin",), "unknown option --versoin", "--version"),
                (("sample", "normal", "-n", 1, "--std", 2), "unknown option --std", "--stddev"),
                (("sample", "expon", "-n", 1), "got expon", "exponential"),
                (("sample", "normal", "-n", 1, "--dtype", "f46"), "got f46", "f64"),
                (("sample", "normal", "-n", 1, "--format", "cvs"), "got cvs", "csv"),
                (("stream", "--engine", "philox4x23-10"), "got philox4x23-10", "philox4x32-10")):
            message = self.fails(2, *args)
            self.assertIn(f"{typed}: did you mean {meant}?", message)
        for args in (("frob",), ("sample", "gauss", "-n", 1), ("sample", "bits", "-n", 1, "--dtype", "f32"), ("sample", "bits", "--sigma"),
                     ("sample", "x" * 10**5, "-n", 1)):
            self.assertNotIn("did you mean", self.fails(2, *args))

    def test_addresses(self):
        for command in (("stream", "--bytes", "4"), ("sample", "bits", "-n", "1")):
            name = "rng " + command[0]
            for option in ("--seed", "--id"):
                for bad in ("-1", "18446744073709551616", "0x10000000000000000", "1.5", "1e3", "abc", "0x", "0xg", " 1", "1 "):
                    self.refuses(f"{name}: {option} must be a whole number in [0, 2^64 - 1], got {bad}", *command, option, bad)
                self.refuses(f"{name}: {option} must be a whole number in [0, 2^64 - 1], got nothing", *command, option, "")
            for bad in ("-1", SIZE_WORDS + 1, 2**64):
                self.refuses(f"{name}: --position must be a whole number in [0, 2^58], got {bad}",
                             *command, "--position", bad)

    def test_stream(self):
        self.refuses(f"rng stream: --engine must be one of {ENGINES}, got mt19937", "stream", "--engine", "mt19937")
        for bad in ("-1", "1X", "1.5k", "k", "20000P", "1Kib", "18446744073709551616", "1 k", "1e", "1e20", "2e19", "1e-1", "1e3k", "1e6B"):
            self.refuses(f"rng stream: --bytes {COUNT}, got {bad}", "stream", "--bytes", bad)

    def test_counts(self):
        for bad in ("-1", "1.5", "many", "18446744073709551616", "1kB", "1KiB"):  # B is of bytes
            self.refuses(f"rng sample: -n {COUNT}, got {bad}", "sample", "normal", "-n", bad)
        for dtype, position, most in (("f32", 0, SIZE_WORDS), ("f64", 0, SIZE_WORDS // 2), ("f32", SIZE_WORDS - 3, 3),
                                      ("f64", SIZE_WORDS - 3, 1), ("f32", SIZE_WORDS, 0)):
            self.refuses(f"rng sample: -n must be in [0, {most}] from this --position to the end of the stream, "
                         f"got {most + 1}", "sample", "normal", "--dtype", dtype, "--position", position, "-n", most + 1)
        self.refuses("rng sample: -n is required", "sample", "normal")

    def test_files_without_a_name(self):
        """As "$OUT" is if it was not set."""
        for *args, option in (("sample", "bits", "-n", 1, "--output"), ("sample", "bits", "-n", 1, "--meta"), ("stream", "--meta"),
                              ("svd", "x.npy", "--output"), ("test", "--json"), ("test", "--html"), ("test", "--checkpoint"), ("test", "--counts"),
                              ("test", "--merge"), ("test", "--npy"), ("zoo", "--json"), ("zoo", "--html"), ("calibrate", "--json"),
                              ("calibrate", "--counts"), ("calibrate", "--merge")):
            for more in ((option, ""), (option + "=",)):
                done = rng(*args, *more)
                if "without" not in done.stderr:  # the statistical tests, or OpenSSL
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", f"rng {args[0]}: {option} must not be empty\n"))
        self.refuses("rng sample: --output must not be empty", "sample", "bits", "-n", 1, "-o", "")
        self.refuses("rng svd: FILE must not be empty", "svd", "")

    def test_whole_numbers_with_an_exponent(self):
        def ranges(dtype, lo, hi):
            return self.ok("sample", "uniform_int", "-n", 20, "--dtype", dtype, "--lo", lo, "--hi", hi)
        for dtype in ("i16", "i64", "u16", "u64"):
            self.assertEqual(ranges(dtype, "2e1", "1E+4"), ranges(dtype, 20, 10000))
        self.assertEqual(ranges("i32", "-12e2", "0e9"), ranges("i32", -1200, 0))
        self.assertEqual(ranges("u64", 0, "1e19"), ranges("u64", 0, 10**19))
        for dtype, text, end in (("i8", "1e3", 127), ("u8", "1e3", 255), ("u64", "2e19", 2**64 - 1), ("i64", "1e19", 2**63 - 1), ("i64", "1e20", 2**63 - 1),
                                 ("i64", "1.5e3", 2**63 - 1), ("i64", "e3", 2**63 - 1), ("i64", "1e", 2**63 - 1), ("i64", "1e-1", 2**63 - 1),
                                 ("i64", "1e3k", 2**63 - 1)):
            least = -end - 1 if dtype[0] == "i" else 0
            self.refuses(f"rng sample: --hi must be a whole number in [{least}, {end}], got {text}",
                         "sample", "uniform_int", "-n", 1, "--dtype", dtype, "--hi", text)

    def test_names(self):
        known = ", ".join(name for name, _, _ in DISTRIBUTIONS)
        self.refuses(f"rng sample: DIST must be one of {known}, got gauss", "sample", "gauss", "-n", 1)
        self.refuses(f"rng sample: DIST must be one of {known}, got a\\x0ab", "sample", "a\nb", "-n", 1)
        self.refuses("rng sample: DIST is required", "sample", "-n", 1)
        self.refuses("rng sample: --dtype must be f32 or f64 for exponential, got f16", "sample", "exponential", "-n", 1,
                     "--dtype", "f16")
        self.refuses("rng sample: --dtype must be u32 or u64 for bits, got f32", "sample", "bits", "-n", 1, "--dtype", "f32")
        self.refuses("rng sample: --format must be one of text, csv, raw, npy, json, got xml", "sample", "bits", "-n", 1, "--format", "xml")
        self.refuses("rng sample: unknown option --wobble (rng sample --help lists what there is)",
                     "sample", "normal", "-n", 1, "--wobble", 2)
        self.refuses("rng sample: unknown option --wobble (rng sample --help lists what there is)",
                     "sample", "normal", "--wobble", 2)
        message = self.fails(2, "sample", "bits", "-n", 1, "--device", "tpu")
        self.assertRegex(message, r"^rng sample: --device must be cpu.*, got tpu$")
        message = self.fails(2, "verify", "--device", "cuda:99")
        self.assertRegex(message, r"^rng verify: --device must be all or cpu.* on this machine \(rng info\), got cuda:99$")
        self.assertIn("--seed", self.fails(2, "sample", "bits", "-n", 1, "--seed"))
        self.assertIn("--seed", self.fails(2, "sample", "bits", "-n", 1, "--seed", 1, "--seed", 2))

    def test_parameters(self):
        normal = ("sample", "normal", "-n", 1)
        self.refuses("rng sample: --stddev must be in [0, 2^120], got -1", *normal, "--stddev", -1)
        self.refuses("rng sample: --stddev must be in [0, 2^1000], got 1e305",
                     *normal, "--dtype", "f64", "--stddev", "1e305")
        for bad in ("nan", "NaN"):
            self.refuses(f"rng sample: --mean must be a number, got {bad}", *normal, "--mean", bad)
        for bad in ("inf", "-inf"):
            self.refuses(f"rng sample: --mean must be of magnitude 2^126 at most, got {bad}", *normal, "--mean", bad)
        for bad in ("abc", "1x", "1,5", " 1", "--"):
            self.refuses(f"rng sample: --mean must be a number, got {bad}", *normal, f"--mean={bad}")
        self.refuses("rng sample: --mean must fit in f32, got 1e400 (it overflows)", *normal, "--mean", "1e400")
        self.refuses("rng sample: --mean must fit in f32, got -1e39 (it overflows)", *normal, "--mean", "-1e39")
        self.refuses("rng sample: --stddev must fit in f64, got 1e-400 (it underflows)",
                     *normal, "--dtype", "f64", "--stddev", "1e-400")
        truncated = "sample", "truncated_normal", "-n", 1
        self.assertGreaterEqual(float(self.ok(*truncated, "--lo", 2, "--hi", "inf")), 2)
        self.assertLessEqual(float(self.ok(*truncated, "--lo=-inf", "--hi", -3)), -3)
        self.refuses("rng sample: --lo must be a number or -inf, got inf", *truncated, "--lo", "inf")
        self.refuses("rng sample: --hi must be at least lo, got 1", "sample", "uniform", "-n", 1, "--lo", 2)
        self.refuses("rng sample: --hi must be greater than lo, got 2", "sample", "uniform_open", "-n", 1, "--lo", 2, "--hi", 2)
        message = self.fails(2, "sample", "exponential", "-n", 1, "--rate", 0)
        self.assertRegex(message, r"^rng sample: --rate must be in \[.*\], got 0$")

    def test_parameters_of_others(self):
        self.refuses("rng sample: uniform has no parameter --rate: it has --lo, --hi; --rate belongs to exponential, "
                     "got --rate 2", "sample", "uniform", "-n", 1, "--rate", 2)
        self.refuses("rng sample: bits has no parameter --mean: it has none; --mean belongs to normal, normal_icdf, "
                     "inverse_gaussian, truncated_normal, poisson, got --mean 1",
                     "sample", "bits", "-n", 1, "--mean", 1)

    def test_environment(self):
        for command in (("info",), ("stream", "--bytes", "4"), ("sample", "bits", "-n", "1")):
            for variable, bad in (("RNG_ISA", "mmx"), ("RNG_NUM_THREADS", "0"), ("RNG_NUM_THREADS", "many")):
                message = self.fails(2, *command, env={variable: bad})
                self.assertIn(variable, message)
                self.assertIn(bad, message)


if __name__ == "__main__":
    unittest.main()
