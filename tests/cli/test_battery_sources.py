"""rng test: sources of every kind, verdicts and exit codes, interruptions, output files, what it says and where."""

import array
import json
import math
import os
import pty
import random
import re
import resource
import select
import shlex
import signal
import stat
import struct
import subprocess
import time
import unittest

import cli
from cli import TIMEOUT, Case, environment, is_sampled, program, start

SEGMENT = 1 << 22
# One test, whose p-values are exact, where it is not the tests that are tested.
ONLY = ["--only", "freq16"]


def is_built():
    return rng("test", "--list").returncode == 0


def narrowed(args):
    args = list(map(str, args))
    return args + ONLY if args[0] == "test" and not {"--only", "--list", "--tier", "--merge"} & set(args) else args


def rng(*args, **options):
    return cli.rng(*narrowed(args), **options)


def is_sanitized():
    """True if the program takes address space for a sanitizer."""
    with open(program(), "rb") as file:
        return b"__asan_" in file.read()


def catches(pid, number):
    """True if the process has a handler of this signal."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        caught = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    return caught >> (number - 1) & 1 == 1


def checksum(content):
    """The sum at the end of counts and checkpoints: FNV-1a of words of 64 bits, mixed."""
    total = 0xcbf29ce484222325
    content += bytes(-len(content) % 8)
    for (word,) in struct.iter_unpack("<Q", content):
        total = (total ^ word) * 0x100000001b3 % 2**64
        total ^= total >> 32
    return total


def flawed(n):
    return b"abcd" * (n // 4)


class BatteryCase(Case):
    @classmethod
    def setUpClass(cls):
        if not is_built():
            raise unittest.SkipTest("the program was built without the statistical tests")

    def path(self, name):
        return os.path.join(self.folder(), name)

    def sound(self, n, name="words.bin", seed=1):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(self.ok("stream", "--seed", seed, "--bytes", n))
        return path

    def written(self, data, name="words.bin"):
        path = self.path(name)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def ok(self, *args, **options):
        return super().ok(*narrowed(args), **options)

    def fails(self, code, *args, **options):
        return super().fails(code, *narrowed(args), **options)

    def report(self, *args, code=0, **options):
        done = rng("test", *args, "--json", "-", **options)
        self.assertEqual((done.returncode, done.stderr), (code, ""), args)
        document = json.loads(done.stdout)
        self.assertEqual(list(document), ["version", "contract_version", "verdict", "reports"])
        return document["reports"][0]

    def partial(self, message, *args, beginning):
        """Exit code 2 with this one line, and yet a summary of what was tested, which begins so, and its files."""
        folder = self.folder()
        outputs = ["--json", f"{folder}/x.json", "--html", f"{folder}/x.html"]
        done = rng("test", *args, *outputs)
        self.assertEqual((done.returncode, done.stderr), (2, f"rng test: {message}\n"), args)
        self.assertTrue(done.stdout.decode().startswith(beginning), (done.stdout, beginning))
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
        with open(f"{folder}/x.html", encoding="utf-8") as file:
            self.assertIn(beginning.partition(": ")[0][len("PASS"):] + ": no evidence of a flaw", file.read())
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            document = json.load(file)
        self.assertEqual((document["verdict"], document["reports"][0]["partial"]), ("none", True))
        return document["reports"][0]

    def counted(self, ranges, *args):
        """Files with the counts of these ranges of segments."""
        folder = self.folder()
        files = []
        for first, last in ranges:
            files.append(f"{folder}/{first}-{last}")
            self.ok("test", *args, "--segments", f"{first}:{last}", "--counts", files[-1])
        return files

    def no_verdict(self, message, *args, **options):
        """One line, exit code 2, and no word of a verdict."""
        done = rng("test", *args, **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", f"rng test: {message}\n"), args)


class NotBuilt(Case):
    def test_says_so(self):
        if is_built():
            self.skipTest("the program was built with the statistical tests")
        message = ("this program was built without the statistical tests: configure with -DRNG_BUILD_STATS=ON "
                   "(Debian: libboost-math-dev, nlohmann-json3-dev) and build rng_program")
        self.refuses(f"rng stream: {message}", "stream", "--view", "low", "--bytes", 8)
        for command in ("test", "zoo"):
            self.refuses(f"rng {command}: {message}", command)
            self.refuses(f"rng {command}: {message}", command, "--bytes", "1M", "extra")


class Sources(BatteryCase):
    def test_engine(self):
        text = Case.ok(self, "test", "--bytes", "4Mi").decode()
        self.assertTrue(text.startswith("PASS: philox4x32-10, seed 20111115\n"), text)
        self.assertIn("4 MiB", text)
        report = self.report("--engine", "threefry4x64-20", "--seed", "0x10", "--id", 3, "--position", 5,
                             "--bytes", "2Mi")
        self.assertEqual(report["command"], "rng test --engine threefry4x64-20 --seed 16 --id 3 --position 5 "
                                            "--tier quick --bytes 2097152 --only freq16")
        self.assertEqual(report["parameters"]["word_bits"], 64)
        self.assertEqual(self.report(*shlex.split(report["command"])[2:]), report)

    def test_the_same_bytes_from_everywhere(self):
        n = 3 * SEGMENT + 1000
        path = self.sound(n)
        from_file = self.report("--file", path)
        self.assertEqual((from_file["bytes"], from_file["source_ended"]), (n, True))
        with open(path, "rb") as file:
            done = subprocess.run([program(), "test", "--stdin", "--json", "-", *ONLY], stdin=file, capture_output=True,
                                  env=environment(), timeout=TIMEOUT)
        self.assertEqual(done.returncode, 0)
        from_stdin = json.loads(done.stdout)["reports"][0]
        from_command = self.report("--command", f"cat {shlex.quote(path)}")
        pipe = os.path.join(self.folder(), "pipe")
        os.mkfifo(pipe)
        writer = subprocess.Popen(["sh", "-c", f"cat {shlex.quote(path)} > {shlex.quote(pipe)}"])
        self.addCleanup(writer.wait)
        from_pipe = self.report("--file", pipe, "--threads", 3)
        for report in (from_stdin, from_command, from_pipe):
            self.assertEqual(report["looks"], from_file["looks"])
            self.assertEqual(report["bytes"], n)

    def test_word_bits(self):
        path = self.sound(16384)
        for bits in (8, 16, 32, 64):
            self.assertEqual(self.report("--file", path, "--word-bits", bits)["parameters"]["word_bits"], bits)
        for bits in ("0", "7", "128", "x", "8 "):
            self.no_verdict(f"--word-bits must be 8, 16, 32 or 64, got {bits}", "--file", path, "--word-bits", bits)

    def test_flaws(self):
        n = 1 << 22
        data = self.written(flawed(n))
        for source in (["--file", data], ["--command", f"cat {shlex.quote(data)}"]):
            done = rng("test", *source)
            self.assertEqual((done.returncode, done.stderr), (1, ""))
            self.assertTrue(done.stdout.startswith(b"FAIL: "), done.stdout)
        # An endless generator is ended with the failure, and nothing of it stays.
        begun = time.monotonic()
        mark = f"4{os.getpid()}"
        report = self.report("--command", f"yes {mark} | tr '\\n' '\\0'", code=1)
        self.assertEqual(report["verdict"], "fail")
        self.assertLess(report["bytes"], 1 << 23)
        self.assertNotIn(f"yes {mark}", subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout)
        self.assertLess(time.monotonic() - begun, TIMEOUT / 2)

    def test_values(self):
        folder = self.folder()
        for name, *args in (("good", "normal", "--mean", 3), ("bad", "normal", "--mean", 3, "--stddev", 1.2)):
            self.ok("sample", *args, "-n", 1 << 21, "-o", f"{folder}/{name}.npy")
        for name, code in (("good", 0), ("bad", 1)):
            report = self.report("--npy", f"{folder}/{name}.npy", "--dist", "normal(mean=3)", code=code)
            self.assertIn(f"{name}.npy", report["subject"])
        self.assertEqual(report["command"],
                         f"rng test --npy {folder}/bad.npy --dist 'normal(mean=3)' --views plain --tier quick "
                         "--only freq16")
        values = f"{folder}/whole.npy"
        self.ok("sample", "uniform_int", "--dtype", "i32", "--lo", -2000, "--hi", 10**6, "-n", 1 << 18, "-o", values)
        for lo, hi, code in (("-2e3", "1E+6", 0), ("-2000", "1000000", 0), ("-2e3", "2e6", 1)):
            self.report("--npy", values, "--dist", f"uniform_int(lo={lo},hi={hi})", code=code)
        for bad in ("1e10", "1.5e3", "e3", "1e", "1e-3", "1e999999999999"):
            self.no_verdict(f"distribution: hi must be a whole number that its type holds, got {bad}",
                            "--npy", values, "--dist", f"uniform_int(hi={bad})")
        report = self.report("--dist", "exponential", "--dtype", "f64", "--seed", 3, "--bytes", "2Mi")
        self.assertIn("exponential", report["subject"])
        self.assertEqual(self.report(*shlex.split(report["command"])[2:]), report)
        self.fails(2, "test", "--dist", "abnormal")
        self.fails(2, "test", "--npy", "/no/such.npy", "--dist", "normal")
        self.fails(2, "test", "--npy", self.written(b"no array"), "--dist", "normal")

    def values(self, values, typecode, name="values.npy"):
        """A file as NumPy writes it."""
        data = array.array(typecode, values)
        header = f"{{'descr': '<f{data.itemsize}', 'fortran_order': False, 'shape': ({len(data)},), }}"
        header += " " * (-(len(header) + 11) % 64) + "\n"
        return self.written(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode() + data.tobytes(),
                            name)

    def test_normal_values_are_inverted_too(self):
        # Box and Muller's method on 24 bits: nothing of its values alone shows them.
        generator = random.Random(20261122)
        values = []
        for _ in range(1 << 11):
            radius = math.sqrt(-2 * math.log(1 - generator.getrandbits(24) * 2**-24))
            angle = 2 * math.pi * generator.getrandbits(24) * 2**-24
            values += [radius * math.cos(angle), radius * math.sin(angle)]
        coarse = self.values(values, "d")
        for dist in ("normal", "normal_icdf", "complex_normal(stddev=1.4142135623730951)"):
            done = cli.rng("test", "--npy", coarse, "--dist", dist)
            self.assertEqual((done.returncode, done.stderr), (1, ""), dist)
            self.assertRegex(done.stdout, rb"^PASS on \d+ KiB \(all there is; the tier takes 1 GiB\): " + re.escape(coarse.encode()))
            self.assertIn(b", inverted\n", done.stdout)
            self.assertIn(b"normal-pairs:radius", done.stdout)
        for args in (["--only", "normal-pairs"], ["--only", "normal-pairs", "--views", "inverted"]):
            self.assertEqual(self.report("--npy", coarse, "--dist", "normal", *args, code=1)["verdict"], "fail", args)
        # This library's pass, in two reports each of which its command repeats.
        done = cli.rng("test", "--dist", "normal", "--bytes", "1Mi", "--only", "freq16,normal-pairs", "--json", "-")
        reports = json.loads(done.stdout)["reports"]
        self.assertEqual(([r["verdict"] for r in reports], done.returncode), (["pass", "pass"], 0))
        for report in reports:
            self.assertEqual(self.report(*shlex.split(report["command"])[2:]), report)
        self.assertIn("normal-pairs", {r["test"] for look in reports[1]["looks"] for r in look["results"]})
        self.assertNotIn("--views", self.report("--dist", "uniform", "--bytes", "1Mi")["command"])
        line = self.fails(2, "test", "--dist", "uniform", "--views", "inverted")
        self.assertIn("must be one of plain, ", line)
        self.assertNotIn("inverted,", line)

    def test_uniform_values_of_any_rounding(self):
        generator = random.Random(7)
        n = 1 << 15
        words = [generator.getrandbits(32) for _ in range(n)]
        sound = {"uniform": [w * 2**-32 for w in words], "uniform(lo=-3,hi=7)": [w * 10 * 2**-32 - 3 for w in words]}
        for dist, values in sound.items():
            done = cli.rng("test", "--npy", self.values(values, "f"), "--dist", dist)
            self.assertEqual(done.returncode, 0, done.stdout)
        for values, step, parameter in (([(w >> 16) * 2**-16 for w in words], "2^-16", "bits=16"),
                                        ([round(w * 2**-32, 6) for w in words], "10^-6", "decimals=6")):
            coarse = self.values(values, "f")
            page = self.path("page.html")
            done = cli.rng("test", "--npy", coarse, "--dist", "uniform", "--html", page)
            self.assertEqual(done.returncode, 1)
            sentence = f"The values lie on a grid of {step}, "
            self.assertIn(sentence, done.stdout.decode())
            with open(page, encoding="utf-8") as file:
                self.assertIn(sentence, file.read())
            self.assertEqual(cli.rng("test", "--npy", coarse, "--dist", f"uniform({parameter})").returncode, 0)
        self.no_verdict("distribution: decimals must not be given beside bits, got 6",
                        "--npy", coarse, "--dist", "uniform(bits=20,decimals=6)")
        self.no_verdict("distribution: decimals must be in [0, 15], got 16",
                        "--npy", coarse, "--dist", "uniform(decimals=16)")

    def test_short_and_odd_input(self):
        for n in (0, 1, 8191):
            path = self.written(self.ok("stream", "--bytes", n))
            message = f"run_battery: %s ended after {n} bytes, the least is 8192"
            self.no_verdict(message % f"file {path}", "--file", path)
            self.no_verdict(message % f"command cat {path}", "--command", f"cat {path}")
        self.no_verdict("run_battery: standard input ended after 0 bytes, the least is 8192", "--stdin")
        for n in (8192, 8193, 10001, SEGMENT + 1):
            path = self.sound(n)
            test = ["--file", path, "--only", "hamming8"]  # which has a p-value of 8 KiB
            report = self.report(*test)
            self.assertEqual((report["bytes"], report["source_ended"]), (n // 8 * 8, True))
            text = self.ok("test", *test).decode()
            self.assertIn("the source ended there", text)

    def test_less_than_asked_for(self):
        n = SEGMENT + 100
        path = self.sound(n)
        message = "%s ended after {} of the {} bytes of --bytes; without it the verdict is on what there is"
        self.no_verdict(message.format(n, 2 * SEGMENT) % f"file {path}", "--file", path, "--bytes", 2 * SEGMENT)
        whole = n // 8 * 8
        report = self.partial(message.format(whole, 2 * SEGMENT) % f"command cat {path}", "--command", f"cat {path}",
                              "--bytes", 2 * SEGMENT, beginning="PASS on 4.00 MiB of 8 MiB asked: command cat ")
        self.assertEqual((report["bytes"], report["source_ended"], report["interrupted"]), (whole, True, False))
        self.assertEqual(report["looks"], self.report("--file", path, "--bytes", whole)["looks"])
        # What fails has failed, however little there was.
        zeros = self.written(bytes(100000), "zeros")
        done = rng("test", "--command", f"cat {zeros}", "--bytes", "1Mi", "--keep-going")
        self.assertEqual((done.returncode, done.stderr, done.stdout[:6]), (1, "", b"FAIL: "))
        self.assertEqual(self.report("--file", path, "--bytes", n)["bytes"], n // 8 * 8)
        self.assertEqual(self.report("--command", f"cat {path}", "--bytes", n)["source_ended"], False)
        # The end of an engine's stream.
        message = "philox4x32-10, seed 20111115.* ended after 40000 of the 65536 bytes"
        line = self.fails(2, "test", "--position", 2**58 - 10000, "--bytes", 65536)
        self.assertRegex(line, message)
        self.assertEqual(self.report("--position", 2**58 - 10000)["bytes"], 40000)

    def test_commands_that_fail(self):
        for end, what in (("exit 3", "exited with status 3"), ("kill -9 $$", "was ended by signal 9 (Killed)"),
                          ("no-such-program", "exited with status 127")):
            for n in (0, 100):
                command = f"head -c {n} /dev/urandom; {end} 2>/dev/null"
                self.no_verdict(f"command {command} {what} after {n} bytes", "--command", command)
            command = f"head -c 100000 /dev/urandom; {end} 2>/dev/null"
            report = self.partial(f"command {command} {what} after 100000 bytes", "--command", command,
                                  beginning="PASS on 64 KiB of the tier's 1 GiB: command head ")
            self.assertEqual((report["bytes"], report["interrupted"]), (65536, True))
        # Enough was there before.
        self.assertEqual(self.report("--command", "head -c 100000 /dev/urandom; exit 3", "--bytes", 65536)["verdict"],
                         "pass")

    def test_stuck_sources(self):
        begun = time.monotonic()
        self.no_verdict("command head -c 9000 /dev/urandom; sleep 1000 gave nothing for 1 seconds, after 9000 bytes",
                        "--command", "head -c 9000 /dev/urandom; sleep 1000", "--timeout", 1, "--threads", 3)
        self.partial("command head -c 40000 /dev/urandom; sleep 1000 gave nothing for 1 seconds, after 40000 bytes",
                     "--command", "head -c 40000 /dev/urandom; sleep 1000", "--timeout", 1,
                     beginning="PASS on 32 KiB of the tier's 1 GiB: command head ")
        self.assertLess(time.monotonic() - begun, TIMEOUT / 2)
        pipe = os.path.join(self.folder(), "pipe")
        os.mkfifo(pipe)
        self.no_verdict(f"file {pipe} gave nothing for 1 seconds, after 0 bytes", "--file", pipe, "--timeout", 1)
        # A slow one is not stuck.
        slow = "for i in 1 2 3 4; do head -c 4096 /dev/urandom; sleep 0.5; done"
        self.assertEqual(self.report("--command", slow, "--timeout", 2, "--bytes", 16384)["bytes"], 16384)

    def test_streams_that_die_early(self):
        message = ("command {0} ended after {1} bytes; a stream that gives less than 1048576 may have died; if so few are "
                   "meant, say --bytes {1}")
        for n, size in ((32768, "32 KiB"), ((1 << 20) - 8, "1024 KiB")):
            command = f"head -c {n} /dev/urandom"
            self.partial(message.format(command, n), "--command", command,
                         beginning=f"PASS on {size} (all there is; the tier takes 1 GiB): command head ")
            self.assertEqual(self.report("--command", command, "--bytes", n)["bytes"], n)
        done = rng("test", "--command", "head -c 1048576 /dev/urandom")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith(b"PASS on 1 MiB (all there is; the tier takes 1 GiB): command head "), done.stdout)
        # A file says beforehand how much there is.
        done = rng("test", "--file", self.sound(32768))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue(done.stdout.startswith(b"PASS on 32 KiB (all there is; the tier takes 1 GiB): file "), done.stdout)

    def test_nothing_seen_is_no_pass(self):
        folder = self.folder()
        pipe = os.path.join(folder, "pipe")
        os.mkfifo(pipe)
        with start("test", "--file", pipe, "--timeout", "0", "--json", f"{folder}/x.json", "--checkpoint",
                   f"{folder}/state", *ONLY) as run:
            give_up = time.monotonic() + TIMEOUT
            while not os.path.exists(f"{folder}/state") and time.monotonic() < give_up:
                time.sleep(0.02)
            run.send_signal(signal.SIGTERM)
            out, _ = run.communicate(timeout=TIMEOUT)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        self.assertTrue(out.startswith(b"NO VERDICT: file "), out)
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            document = json.load(file)
        report = document["reports"][0]
        self.assertEqual((document["verdict"], report["verdict"], report["partial"], report["bytes_asked"]),
                         ("none", "none", True, 1 << 30))

    def test_no_p_value_is_no_pass(self):
        # Too little data for this test; one that speaks of what must not happen alone.
        words, values = self.sound(8192), self.path("z.npy")
        self.ok("sample", "normal", "-n", 4096, "-o", values)
        for args in (("--file", words, *ONLY), ("--npy", values, "--dist", "normal", "--views", "plain", "--only", "support")):
            folder = self.folder()
            done = rng("test", *args, "--json", f"{folder}/x.json", "--html", f"{folder}/x.html")
            subject = f"file {words}" if words in args else f"{values} as normal"
            self.assertEqual((done.returncode, done.stderr),
                             (2, f"rng test: no test gave a p-value of {subject}: more data might, or other tests (--only)\n"), args)
            self.assertTrue(done.stdout.decode().startswith("NO VERDICT: "), done.stdout)
            self.assertIn("There was too little data, or the chosen tests give a p-value to flaws alone.\n", done.stdout.decode())
            with open(f"{folder}/x.json", encoding="utf-8") as file:
                self.assertEqual(json.load(file)["verdict"], "none")
            self.assertTrue(os.path.exists(f"{folder}/x.html"))

    def test_a_failure_outranks_too_little(self):
        # In the view of the top bits nothing is flawed, but the command may have died.
        words = self.written(bytes(v for i in range(0, 1 << 17, 4) for v in (0xaa, 0xaa, *os.urandom(2))))
        done = rng("test", "--command", f"cat {shlex.quote(words)}", "--views", "plain,high", *ONLY)
        self.assertEqual((done.returncode, done.stderr), (1, ""), done.stdout)

    def test_a_command_is_started_once_for_each_view(self):
        path, log = self.sound(1 << 18), self.path("log")
        command = f"echo x >> {shlex.quote(log)}; cat {shlex.quote(path)}"
        for views, starts in (("plain", 1), ("plain,low", 2)):
            self.ok("test", "--command", command, "--views", views, "--bytes", 65536)
            with open(log, encoding="ascii") as file:
                self.assertEqual(len(file.readlines()), starts)
            os.unlink(log)

    def test_looks_of_a_slow_source_come_with_its_bytes(self):
        data = self.ok("stream", "--bytes", 70000, "--seed", 3)
        with subprocess.Popen([program(), "test", "--stdin", "--verbose", "--bytes", "70000", "--json", "-", *ONLY],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=environment()) as run:
            given = 0
            for size in (8192, 16384, 32768, 65536):
                run.stdin.write(data[given:size])
                run.stdin.flush()
                given = size
                line = b""
                while f"{size // 1024} KiB".encode() not in line:  # while nothing more is in the pipe
                    self.assertTrue(select.select([run.stderr], [], [], TIMEOUT)[0], f"no look at {size} bytes")
                    line = run.stderr.readline()
                    self.assertTrue(line, f"no look at {size} bytes")
            run.stdin.write(data[given:])
            run.stdin.close()
            slow = json.loads(run.stdout.read())["reports"][0]
            self.assertEqual(run.wait(TIMEOUT), 0)
        path = self.written(data)
        self.assertEqual(slow["looks"], self.report("--file", path, "--bytes", 70000)["looks"])

    def test_a_silent_source_has_failed_already(self):
        with subprocess.Popen([program(), "test", "--stdin", *ONLY], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              env=environment()) as run:
            run.stdin.write(bytes(65536))  # and then neither more nor an end
            run.stdin.flush()
            self.assertTrue(select.select([run.stdout], [], [], 50)[0], "it waits for more")
            self.assertEqual(run.stdout.read()[:6], b"FAIL: ")
            self.assertEqual(run.wait(TIMEOUT), 1)
            run.stdin.close()

    def test_text_is_no_failure(self):
        generator = random.Random(1)
        lines = "\n".join(str(generator.getrandbits(32)) for _ in range(20000)) + "\n"
        of_dieharder = f"#{'=' * 66}\n# generator mt19937  seed = 1\n#{'=' * 66}\ntype: d\ncount: 20000\nnumbit: 32\n" + lines
        message = "is text: its first {} bytes are lines of characters, and the words of a generator are read as binary numbers"
        forms = [lines.replace("\n", end) for end in ("\n", "\r\n", "\r", "\t0x1.8p-1,\n", " # \u00fcber \u20ac\n")]
        for text in (of_dieharder, *forms):
            path = self.written(text.encode(), "words.txt")
            said = message.format(8192)
            for views in ((), ("--views", "plain,low")):
                self.no_verdict(f"file {path} {said}", "--file", path, *views)
                self.no_verdict(f"command cat {path} {said}", "--command", f"cat {path}", *views)
            with open(path, "rb") as file:
                self.no_verdict(f"standard input {said}", "--stdin", stdin=file)
            self.no_verdict(f"file {path} {said}", "--file", path, "--segments", "0:1", "--counts", self.path("counts"))
        for encoding in ("utf-8-sig", "utf-16"):
            path = self.written(lines.encode(encoding))
            self.no_verdict(f"file {path} {message.format(8192)}", "--file", path)
        path = self.written(lines[:100].encode())
        self.no_verdict(f"file {path} {message.format(100)}", "--file", path)
        # Characters without lines may be a flaw, and so may lines with one other byte.
        for flaw in (lines.replace("\n", " ").encode(), b"\0" + lines.encode(), lines.encode()[:8191] + b"\x80" + lines.encode()):
            self.assertEqual(self.report("--file", self.written(flaw), code=1)["verdict"], "fail")

    def test_the_last_value_of_an_odd_number_is_read(self):
        only = ("--only", "moments,support", "--views", "plain")
        for n in (10000, 10001, SEGMENT // 4, SEGMENT // 4 + 1):  # a segment, and a value more
            path = self.path("x.npy")
            self.ok("sample", "normal", "-n", n, "-o", path)
            self.assertEqual(self.report("--npy", path, "--dist", "normal", *only)["bytes"], 4 * n)
            with open(path, "r+b") as file:
                file.seek(-4, os.SEEK_END)
                file.write(struct.pack("<f", math.nan))
            for threads in (1, 2):
                report = self.report("--npy", path, "--dist", "normal", "--threads", threads, *only, code=1)
                self.assertEqual(report["looks"][-1]["size"], 4 * n, n)
        # The last value is in a segment of its own.
        files = self.counted([(0, 1), (1, 2)], "--npy", path, "--dist", "normal", *only)
        merged, whole = (rng("test", *args, "--json", "-").stdout for args in (("--merge", *files), ("--npy", path, "--dist", "normal", *only)))
        self.assertEqual(merged, whole)

    def test_files_that_cannot_be_read(self):
        folder = self.folder()
        self.no_verdict(f"file {folder} cannot be read: Is a directory", "--file", folder)
        self.no_verdict("file /no/such cannot be opened: No such file or directory", "--file", "/no/such")
        if os.geteuid() != 0:
            path = self.sound(8192)
            os.chmod(path, 0)
            self.no_verdict(f"file {path} cannot be opened: Permission denied", "--file", path)
        done = subprocess.run([program(), "test", "--stdin"], stdin=os.open(folder, os.O_RDONLY), capture_output=True,
                              env=environment(), timeout=TIMEOUT)
        self.assertEqual((done.returncode, done.stdout, done.stderr),
                         (2, b"", b"rng test: standard input cannot be read: Is a directory\n"))
        self.assertEqual(self.report("--file", "/dev/urandom", "--bytes", 65536)["bytes"], 65536)
        self.assertEqual(self.report("--file", "/dev/zero", code=1, env={})["verdict"], "fail")


class Options(BatteryCase):
    def test_what_does_not_go_together(self):
        for message, *args in (
                ("one source at a time, got --engine and --stdin", "--stdin", "--engine", "philox4x32-10"),
                ("one source at a time, got --file and --command", "--file", "x", "--command", "y"),
                ("--seed is for engines, got it with --stdin", "--stdin", "--seed", "1"),
                ("--id is for engines, got it with --file", "--file", "x", "--id", "1"),
                ("--position is for engines, got it with --command", "--command", "x", "--position", "1"),
                ("--word-bits is for --stdin, --file and --command; engines and values have their own", "--word-bits", "8"),
                ("--npy needs --dist, the distribution that its values should follow", "--npy", "x"),
                ("--dist is for --npy and engines, got it with --stdin", "--stdin", "--dist", "normal"),
                ("--dtype is for --dist of an engine; a NumPy file has its own",
                 "--npy", "x", "--dist", "normal", "--dtype", "f32"),
                ("--id and --position are not for --dist", "--dist", "normal", "--id", "1"),
                ("--tier must be structural, quick, standard or deep, got fast", "--tier", "fast"),
                ("--bytes is not for --tier structural, which reads no stream", "--tier", "structural", "--bytes", "1M"),
                ("--threads must be a whole number in [1, 1024], got 0", "--threads", "0"),
                ("--threads must be a whole number in [0, 1024], got 1025", "--threads", "1025"),
                ("--views must be one alone with --stdin, which can be read once, got low,high",
                 "--stdin", "--views", "low,high"),
                ("--resume needs --checkpoint FILE", "--resume"),
                ("--name is for --stdin, --file, --command and --npy; engines have their own", "--name", "x"),
                ("--name must not be empty", "--stdin", "--name", ""),
                ("--file must not be empty", "--file", ""),
                ("--command must not be empty", "--command", ""),
                ("--json, --html and --checkpoint must be different, got x twice", "--json", "x", "--html", "x"),
                ("--json, --html and --checkpoint must be different, got ./x twice", "--json", "x", "--html", "./x"),
                ("--json, --html and --checkpoint must be different, got - twice", "--json", "-", "--html", "-"),
                ("run_battery: bytes must be in [8192, 2^60], got 100", "--bytes", "100")):
            self.no_verdict(message, *args)
        self.assertIn("test must be one of", self.fails(2, "test", "--only", "nonsense", "--bytes", "1M"))
        self.assertIn("freq16", self.fails(2, "test", "--only", "nonsense", "--bytes", "1M"))
        self.fails(2, "test", "--engine", "philox5x32-10")
        for args, meant in ((("test", "--engine", "philox4x23-10"), "philox4x32-10"), (("test", "--dist", "norml(mean=1)"), "normal"),
                            (("test", "--only", "frq16"), "freq16"), (("test", "--tier", "qiuck"), "quick"), (("zoo", "--only", "rnadu"), "randu")):
            self.assertTrue(self.fails(2, *args).endswith(f": did you mean {meant}?"), args)
        self.fails(2, "test", "--views", "sideways", "--bytes", "1M")

    def test_list(self):
        lines = self.ok("test", "--list").decode().splitlines()
        tests = {a.split()[0]: (a.split(maxsplit=1)[1], b.split(maxsplit=1)) for a, b in zip(lines[::2], lines[1::2])}
        self.assertEqual(tests["freq16"], ("16-bit values occur equally often", ["stream", "must find a counter of 2^20 blocks"]))
        self.assertEqual(tests["avalanche1"][1], ["functions", "must find philox4x32-6"])

    def test_only(self):
        report = self.report("--only", "freq16", "--bytes", "4Mi")
        self.assertEqual({r["test"] for look in report["looks"] for r in look["results"]}, {"freq16"})

    def test_views_that_no_chosen_test_applies_to(self):
        path = self.path("x.json")
        done = rng("test", "--dist", "normal", "--views", "reversed,plain,low", "--only", "moments", "--bytes", "1Mi",
                   "--json", path)
        self.assertEqual((done.returncode, done.stderr),
                         (0, "rng test: none of the tests applies to the views reversed, low: left out\n"))
        with open(path, encoding="utf-8") as file:
            report, = json.load(file)["reports"]
        self.assertEqual(report, self.report("--dist", "normal", "--views", "plain", "--only", "moments",
                                             "--bytes", "1Mi"))
        done = rng("test", "--dist", "normal", "--views", "all", "--only", "moments", "--bytes", "1Mi")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("left out", done.stderr)
        self.no_verdict("run_battery: none of the tests applies to normal, f32, philox4x32-10, seed 20111115, view reversed",
                        "--dist", "normal", "--views", "reversed,low", "--only", "moments", "--bytes", "1Mi")

    def test_name(self):
        path = self.sound(1 << 20)
        html, odd = self.path("x.html"), "my <own> 'generator'"
        for source in (["--file", path], ["--command", f"cat {path}"]):
            report = self.report(*source, "--name", odd, "--bytes", "1Mi", "--html", html)
            self.assertEqual(report["subject"], odd)
            self.assertEqual(self.report(*shlex.split(report["command"])[2:]), report)
            with open(html, encoding="utf-8") as file:
                self.assertIn("<h1>my &lt;own&gt; &#39;generator&#39;</h1>", file.read())
            text = self.ok("test", *source, "--name", odd, "--views", "low,high", "--bytes", "64Ki").decode()
            self.assertTrue(text.startswith(f"PASS: {odd}, view low\n"), text)
            self.assertIn(f"\nPASS: {odd}, view high\n", text)
        with open(path, "rb") as file:
            done = subprocess.run([program(), "test", "--stdin", "--name", odd, *ONLY], stdin=file, capture_output=True,
                                  env=environment(), timeout=TIMEOUT)
        self.assertIn(f": {odd}\n".encode(), done.stdout)
        values = self.path("z.npy")
        self.ok("sample", "normal", "-n", 1 << 18, "-o", values)
        self.assertEqual(self.report("--npy", values, "--dist", "normal", "--name", odd)["subject"], odd)

    def test_views(self):
        path = self.path("x.json")
        self.ok("test", "--views", "plain,low,bit0", "--bytes", "2Mi", "--json", path)
        with open(path, encoding="utf-8") as file:
            reports = json.load(file)["reports"]
        self.assertEqual(len(reports), 3)
        self.assertEqual(len({report["subject"] for report in reports}), 3)
        self.assertIn("--views low ", reports[1]["command"])
        again = self.report(*shlex.split(reports[1]["command"])[2:])
        self.assertEqual(again, reports[1])
        # The worst decides: high halves of these words are constant, low ones sound.
        halves = bytearray(flawed(1 << 22))
        sound = self.ok("stream", "--bytes", 1 << 22)
        halves[0::4], halves[1::4] = sound[0::4], sound[1::4]
        path = self.written(halves)
        self.assertEqual(rng("test", "--file", path, "--views", "low", "--only", "freq16").returncode, 0)
        for views in ("low,high", "high,low"):
            self.assertEqual(rng("test", "--file", path, "--views", views, "--only", "freq16").returncode, 1)


def bits_of(data, bits):
    """The words of so many bits, little-endian, as numbers."""
    return [int.from_bytes(data[i:i + bits // 8], "little") for i in range(0, len(data), bits // 8)]


def bytes_of(numbers, bits):
    """The other way round, of any number of bits: the first is the lowest."""
    all_bits = 0
    for i, number in enumerate(numbers):
        all_bits |= number << (i * bits)
    return all_bits.to_bytes(len(numbers) * bits // 8, "little")


class Views(BatteryCase):
    """rng stream --view: what other programs read is what rng test --views does."""

    def test_words(self):
        for engine, bits in (("philox4x32-10", 32), ("threefry4x64-20", 64)):
            args = ["stream", "--engine", engine, "--seed", 9, "--id", 3, "--position", 5 * 16]
            words = bits_of(self.ok(*args, "--bytes", 64 * 1024), bits)
            half = bits // 2
            for view, expected in (
                    ("plain", bytes_of(words, bits)),
                    ("reversed", bytes_of([int(f"{w:0{bits}b}"[::-1], 2) for w in words], bits)),
                    ("low", bytes_of([w % 2**half for w in words], half)),
                    ("high", bytes_of([w >> half for w in words], half)),
                    ("bit0", bytes_of([w & 1 for w in words], 1)),
                    ("bit-top", bytes_of([w >> (bits - 1) for w in words], 1)),
                    ("decimated-7", bytes_of(words[::7], bits)),
                    ("decimated-64", bytes_of(words[::64], bits))):
                n = len(expected) - 3  # no whole word
                self.assertEqual(self.ok(*args, "--view", view, "--bytes", n), expected[:n], view)

    def test_streams_in_turns(self):
        ids = [*range(0, 1024, 33 if is_sampled() else 1), 1023]
        streams = {i: self.ok("stream", "--seed", 9, "--id", i, "--bytes", 64) for i in ids}
        for view in ("ids", "streams", "interleaved-1024-1/ids"):
            turns = self.ok("stream", "--seed", 9, "--view", view, "--bytes", 4 * 1024 * 16)
            for i, stream in streams.items():
                self.assertEqual(b"".join(turns[at:at + 16] for at in range(16 * i, len(turns), 1024 * 16)), stream, (view, i))

    def test_what_the_battery_reads(self):
        path = self.path("x.json")
        only = ["--only", "freq16,hamming8"]
        for engine in ("philox4x32-10", "philox4x64-10"):
            rng("test", "--engine", engine, "--views", "all", "--bytes", "64Ki", "--json", path, *only)
            with open(path, encoding="utf-8") as file:
                reports = json.load(file)["reports"]
            self.assertGreater(len(reports), 12)
            for report in reports:
                view = report["command"].split("--views ")[1].split()[0]
                data = self.written(self.ok("stream", "--engine", engine, "--view", view, "--bytes", "64Ki"))
                self.assertEqual(self.report("--file", data, "--bytes", "64Ki", "--word-bits",
                                             report["parameters"]["word_bits"], *only)["looks"], report["looks"], view)

    def test_ends(self):
        self.assertIn("make_view: view of philox4x32-10, seed 20111115 must be one of plain, reversed, low, ",
                      self.fails(2, "stream", "--view", "sideways", "--bytes", 1))
        args = ["stream", "--position", 2**58 - 1000, "--view", "low"]
        self.assertEqual(len(self.ok(*args, "--bytes", 2000)), 2000)
        self.assertEqual(self.fails(2, *args, "--bytes", 2001),
                         "rng stream: --bytes must be in [0, 2000] from this --position to the end of the stream, got 2001")
        # An endless one ends with its reader.
        with start("stream", "--view", "forks") as run:
            run.stdout.read(10**6)
            run.stdout.close()
            self.assertEqual((run.stderr.read(), run.wait(TIMEOUT)), (b"", 0))


class Runs(BatteryCase):
    def test_threads_change_nothing(self):
        path = self.sound(5 * SEGMENT + 8)
        for source in (["--bytes", "18Mi"], ["--file", path], ["--command", f"cat {shlex.quote(path)}"]):
            outputs = {self.ok("test", *source, "--json", "-", "--threads", n) for n in (1, 2, 3)}
            outputs.add(self.ok("test", *source, "--json", "-", env={"RNG_NUM_THREADS": "2", "RNG_ISA": "scalar"}))
            self.assertEqual(len(outputs), 1, source)

    def test_no_more_threads_than_are_of_use(self):
        # Each has counters of its own, some 90 MB of an engine's.
        most = 0
        one = {min(os.sched_getaffinity(0))}
        with start("test", "--threads", "1024", "--bytes", "8Mi", preexec_fn=lambda: os.sched_setaffinity(0, one)) as run:
            while run.poll() is None:
                try:
                    most = max(most, len(os.listdir(f"/proc/{run.pid}/task")))
                except FileNotFoundError:
                    break
                time.sleep(0.002)
            self.assertEqual(run.wait(TIMEOUT), 0)
            self.assertTrue(run.stdout.read().startswith(b"PASS: "))
        self.assertLessEqual(most, 2 * os.cpu_count() + 1)

    def test_interrupted_with_outputs(self):
        for number, runs in ((signal.SIGINT, ([],)), (signal.SIGTERM, ([], ["--resume"]))):
            folder = self.folder()
            files = ["--json", f"{folder}/x.json", "--html", f"{folder}/x.html", "--checkpoint", f"{folder}/state"]
            args = ["test", "--bytes", "1Ti", "--threads", "1", *ONLY, *files]
            for more in runs:
                begun = os.stat(f"{folder}/x.json").st_ino if more else 0
                run = start(*args, *more)
                give_up = time.monotonic() + TIMEOUT
                while time.monotonic() < give_up:  # until the file was written on the way
                    if os.path.exists(f"{folder}/x.json") and os.stat(f"{folder}/x.json").st_ino != begun:
                        break
                    time.sleep(0.05)
                run.send_signal(number)
                out, err = run.communicate(timeout=TIMEOUT)
                self.assertEqual((run.returncode, err), (128 + number, b""), out)
                self.assertRegex(out.decode(), r"^PASS on .* of 1 TiB asked: philox4x32-10, seed 20111115\n")
                self.assertIn("INTERRUPTED before 1 TiB", out.decode())
                self.assertIn(f"--checkpoint {folder}/state --resume", out.decode())
                self.assertEqual(sorted(os.listdir(folder)), ["state", "x.html", "x.json"])
                with open(f"{folder}/x.json", encoding="utf-8") as file:
                    report = json.load(file)["reports"][0]
                self.assertEqual(report["interrupted"], True)
                self.assertGreater(report["bytes"], 0)

    def test_interrupted_in_the_second_view(self):
        # The low halves need twice the bytes, and there are no more than the plain words take.
        path, folder = self.sound(1 << 21), self.folder()
        with start("test", "--command", f"cat {path}; sleep 1000", "--views", "plain,low", "--bytes", "2Mi", *ONLY,
                   "--verbose", "--json", f"{folder}/x.json", "--html", f"{folder}/x.html") as run:
            self.assertTrue(run.stdout.readline().startswith(b"PASS: command "))
            lines = iter(run.stderr.readline, b"")
            # The last look of each view; the second has no more to come.
            self.assertTrue(any(line.startswith(b"     2 MiB  pass ") for line in lines))
            self.assertTrue(any(line.startswith(b"     1 MiB  pass ") for line in lines))
            run.send_signal(signal.SIGTERM)
            out, _ = run.communicate(timeout=TIMEOUT)
        self.assertEqual(run.returncode, 128 + signal.SIGTERM)
        self.assertIn(b"\nPASS on 1 MiB of 2 MiB asked: command ", out)
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            reports = json.load(file)["reports"]
        self.assertEqual([(r["interrupted"], r["bytes"]) for r in reports], [(False, 1 << 21), (True, 1 << 20)])
        self.assertEqual(reports[1]["looks"], self.report("--file", path, "--views", "low", "--bytes", "1Mi")["looks"])

    def interrupted(self, number, *args):
        """A run that is given a signal once it has begun; its output."""
        run = start(*narrowed(["test", *args]))
        time.sleep(1.5)
        run.send_signal(number)
        out, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual((run.returncode, err), (128 + number, b""), (args, out))
        self.assertIn(b"INTERRUPTED", out)
        return out.decode()

    def test_interrupt_and_resume(self):
        checkpoint = self.path("state")
        source = ["--bytes", "512Mi", "--only", "freq16", "--seed", 5]
        expected = self.ok("test", *source, "--json", "-")
        for number in (signal.SIGINT, signal.SIGTERM):
            run = start("test", *map(str, source), "--checkpoint", checkpoint, "--threads", "1")
            time.sleep(0.4)
            run.send_signal(number)
            out, err = run.communicate(timeout=TIMEOUT)
            self.assertIn(run.returncode, (0, 128 + number), err)
            self.assertEqual(os.path.exists(checkpoint), True)
            if run.returncode:
                self.assertIn(f"--checkpoint {checkpoint} --resume", out.decode())
            resumed = self.ok("test", *source, "--checkpoint", checkpoint, "--resume", "--json", "-", "--threads", 3)
            self.assertEqual(resumed, expected)
            # Finished: the same report once more.
            self.assertEqual(self.ok("test", *source, "--checkpoint", checkpoint, "--resume", "--json", "-"), expected)
            os.unlink(checkpoint)

    def test_interrupted_waits(self):
        # Nothing comes, and yet it ends at once and says how to go on.
        checkpoint = self.path("the state")
        for source in (["--command", "sleep 1000"], ["--command", "head -c 5000000 /dev/urandom; sleep 1000"]):
            out = self.interrupted(signal.SIGINT, *source, "--checkpoint", checkpoint, "--threads", 2)
            self.assertIn(f"--checkpoint '{checkpoint}' --resume", out)
            os.unlink(checkpoint)
        out = self.interrupted(signal.SIGTERM, "--command", "sleep 1000")
        self.assertIn("there is no --checkpoint to continue from", out)

    def test_streams_resume_from_their_beginning(self):
        path = self.sound(9 * SEGMENT)
        checkpoint = self.path("state")
        gate = self.path("gate")
        command = f"head -c {5 * SEGMENT} {path}; while [ ! -e {gate} ]; do sleep 0.1; done; tail -c {4 * SEGMENT} {path}"
        self.interrupted(signal.SIGINT, "--command", command, "--checkpoint", checkpoint)
        open(gate, "w", encoding="ascii").close()
        resumed = self.report("--command", command, "--checkpoint", checkpoint, "--resume")
        self.assertEqual(resumed["looks"], self.report("--file", path)["looks"])

    def test_checkpoints_of_several_views(self):
        checkpoint = self.path("state")
        args = ["--views", "plain,low", "--bytes", "2Mi"]
        expected = self.ok("test", *args, "--checkpoint", checkpoint, "--json", "-")
        self.assertEqual(sorted(os.listdir(os.path.dirname(checkpoint))), ["state.low", "state.plain"])
        os.unlink(checkpoint + ".low")  # as if it had not begun
        self.assertEqual(self.ok("test", *args, "--checkpoint", checkpoint, "--resume", "--json", "-"), expected)

    def test_bad_checkpoints(self):
        checkpoint = self.path("state")
        args = ["--bytes", "1Mi", "--checkpoint", checkpoint]
        self.no_verdict(f"checkpoint {checkpoint} cannot be read: No such file or directory", *args, "--resume")
        self.ok("test", *args)
        self.no_verdict(f"checkpoint {checkpoint} is there already: go on from it with --resume, or remove it", *args)
        line = self.fails(2, "test", *args, "--resume", "--seed", 7)
        self.assertIn(f"checkpoint {checkpoint} is of another run: philox4x32-10, seed 20111115", line)
        with open(checkpoint, "r+b") as file:
            file.seek(100)
            file.write(b"\0\1\2")
        self.no_verdict(f"checkpoint {checkpoint} is damaged", *args, "--resume")
        with open(checkpoint, "wb") as file:
            file.write(b"{}")
        self.no_verdict(f"checkpoint {checkpoint} is not a checkpoint of rng test", *args, "--resume")
        folder = self.folder()
        self.no_verdict(f"checkpoint {folder}/no/x cannot be written: No such file or directory",
                        "--bytes", "1Mi", "--checkpoint", f"{folder}/no/x")


class Parts(BatteryCase):
    def outputs(self, *args, code=0):
        """Standard output and the files of a run."""
        folder = self.folder()
        done = rng("test", *args, "--json", f"{folder}/x.json", "--html", f"{folder}/x.html")
        self.assertEqual((done.returncode, done.stderr), (code, ""), args)
        written = [done.stdout]
        for name in ("x.json", "x.html"):
            with open(f"{folder}/{name}", "rb") as file:
                written.append(file.read())
        return written

    def test_parts_give_the_bytes_of_one_run(self):
        n = 11 * SEGMENT + 1000
        path = self.sound(n, name="sound words.bin")
        flawed_too = self.written(flawed(n // 8 * 8), name="flawed.bin")
        generator = random.Random(20261126)
        for args, code in ((["--bytes", "44Mi"], 0), (["--file", path, "--word-bits", 16, "--name", "it's"], 0),
                           (["--file", flawed_too, "--keep-going"], 1), (["--file", flawed_too], 1),
                           (["--engine", "threefry2x32-20", "--seed", 5, "--views", "low", "--bytes", "44Mi"], 0),
                           (["--dist", "exponential", "--dtype", "f64", "--bytes", "44Mi"], 0)):
            expected = self.outputs(*args, code=code)
            segments = 11 if "44Mi" in args else 12
            for parts in (1, 2, 3, 5)[::2 if is_sampled() else 1]:
                ends = [0, *sorted(generator.sample(range(1, segments), parts - 1)), segments]
                files = self.counted(list(zip(ends, ends[1:])), *args)
                generator.shuffle(files)
                self.assertEqual(self.outputs("--merge", *files, code=code), expected, (args, ends))

    def test_all_tests_in_parts(self):
        args = ["--tier", "quick", "--bytes", "20Mi"]
        files = self.counted([(0, 2), (2, 5)], *args)
        self.assertEqual(self.outputs("--merge", *reversed(files)), self.outputs(*args))
        args = ["--tier", "structural", "--only", "stream-pairs"]
        files = self.counted([(0, 2), (2, 3), (3, 64)], *args)
        self.assertEqual(self.outputs("--merge", *files), self.outputs(*args))

    def test_what_counting_says(self):
        counts = self.path("counts")
        args = ["--bytes", "16Mi", "--counts", counts, "--segments"]
        self.assertEqual(self.ok("test", *args, "1:3"),
                         b"Counted segments 1:3 of 4; rng test --merge makes the report\n")
        for bad in ("3:5", "2:2", "3:2", "1", "1:", ":2", "a:b", "-1:2", "1:2:3", ""):
            self.no_verdict(f"--segments must be A:B with 0 <= A < B <= 4, the segments of this run, got {bad}",
                            *args[:-1], f"--segments={bad}")
        self.no_verdict("--segments needs --counts FILE, where the counts go", "--segments", "0:1")
        self.no_verdict("--counts needs --segments A:B, which are counted", "--counts", counts)
        for option in ("--json", "--html", "--checkpoint"):
            self.no_verdict(f"{option} is for whole runs and --merge, got it with --segments", *args, "0:1", option, "x")
        needs = "--segments needs a source that can be read from the middle: a file or an engine, got it with "
        self.no_verdict(needs + "--stdin", *args, "0:1", "--stdin")
        self.no_verdict(needs + "--command", *args, "0:1", "--command", "cat /dev/zero")
        pipe = os.path.join(self.folder(), "pipe")
        os.mkfifo(pipe)
        with subprocess.Popen(["sh", "-c", f"head -c 20000000 /dev/zero > {shlex.quote(pipe)}"],
                              stderr=subprocess.DEVNULL):
            self.no_verdict(f"count_segments: file {pipe} can only be read from its beginning; segments need a file of "
                            "known size or an engine", *args, "0:1", "--file", pipe)
        self.no_verdict("--segments is for one view at a time, and this run has plain and low: choose with --views",
                        *args, "0:1", "--views", "plain,low")

    def test_files_that_cannot_be_written(self):
        folder = self.folder()
        args = ["--bytes", "1Ti", "--segments", "0:262144", "--counts"]
        self.no_verdict(f"counts {folder}/no/x cannot be written: No such file or directory", *args, f"{folder}/no/x")
        self.no_verdict("counts /dev/full must be a regular file", *args, "/dev/full")
        run = subprocess.run(["bash", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$@"', "bash", program(), "test", "--bytes",
                              "8Mi", *ONLY, "--segments", "1:2", "--counts", f"{folder}/x"], capture_output=True,
                             env=environment(), timeout=TIMEOUT, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr.decode()),
                         (2, b"", f"rng test: counts {folder}/x cannot be written: File too large\n"))
        self.assertEqual(os.listdir(folder), [])

    def test_an_interrupted_part_leaves_no_file(self):
        folder = self.folder()
        run = start("test", "--bytes", "1Ti", *ONLY, "--segments", "0:262144", "--counts", f"{folder}/x")
        give_up = time.monotonic() + TIMEOUT
        while not catches(run.pid, signal.SIGINT) and time.monotonic() < give_up:
            time.sleep(0.02)
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual((run.returncode, out, err.decode()),
                         (130, b"", f"rng test: interrupted: counts {folder}/x was not written\n"))
        self.assertEqual(os.listdir(folder), [])

    def test_files_that_do_not_belong_together(self):
        args = ["--bytes", "12Mi"]
        first, second, third = self.counted([(0, 1), (1, 2), (2, 3)], *args)
        self.no_verdict("merge_counts: segments 1:2 are missing: no file has them", "--merge", third, first)
        self.no_verdict(f"merge_counts: segments 1:2 are in two files: {second} and {second}", "--merge", first, second,
                        second, third)
        for other in (["--seed", 7], ["--keep-going"], ["--engine", "philox4x64-10"]):
            (foreign,) = self.counted([(1, 2)], *args, *other)
            line = self.fails(2, "test", "--merge", first, foreign, third)
            self.assertIn(f"counts {foreign} is of another run: ", line)
        with open(second, "r+b") as file:
            file.truncate(os.path.getsize(second) - 5)
        self.no_verdict(f"counts {second} is damaged", "--merge", first, second, third)
        self.no_verdict(f"counts {first}x cannot be read: No such file or directory", "--merge", f"{first}x")
        checkpoint = self.path("state")
        self.ok("test", *args, "--checkpoint", checkpoint)
        self.no_verdict(f"counts {checkpoint} is a checkpoint, not the counts of segments", "--merge", checkpoint)
        self.no_verdict(f"checkpoint {first} is the counts of segments, not a checkpoint", *args, "--checkpoint", first,
                        "--resume")

    def test_the_files_know_their_run(self):
        (counts,) = self.counted([(0, 1)], "--bytes", "4Mi")
        for option in (["--seed", 1], ["--bytes", "4Mi"], ["--only", "freq16"], ["--stdin"], ["--resume"],
                       ["--segments", "0:1"]):
            self.no_verdict(f"{option[0]} is not for --merge: the files know their run", "--merge", counts, *option)
        self.ok("test", "--merge", counts, "--threads", 2, "--checkpoint", self.path("state"))

    def test_no_output_overwrites_an_input(self):
        data = self.sound(2 * SEGMENT)
        values = self.values(200000)
        first, second = self.counted([(0, 1), (1, 2)], "--file", data)
        folder = os.path.dirname(first)
        os.symlink(data, f"{folder}/link")
        files = {}
        for path in (data, values, first, second):
            with open(path, "rb") as file:
                files[path] = file.read()

        def refuses(option, written, name, *args):
            self.no_verdict(f"{option} would overwrite {name}, which is an input of this run", *args, option, written)
            for path, content in files.items():
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), content, (path, option, args))

        part = ("--file", data, "--segments", "0:1")
        refuses("--counts", data, data, *part)
        refuses("--counts", f"{folder}/../{os.path.basename(folder)}/link", data, *part)
        os.link(data, f"{folder}/hard")
        refuses("--counts", f"{folder}/hard", data, *part)
        os.unlink(f"{folder}/hard")
        for option in ("--json", "--html", "--checkpoint"):
            refuses(option, data, data, "--file", data)
            refuses(option, values, values, "--npy", values, "--dist", "normal")
            refuses(option, second, second, "--merge", first, second)
            refuses(option, data, data, "--merge", first, second)  # the source that the files name
            with open(data, "rb") as file:
                done = subprocess.run([program(), "test", "--stdin", option, data], stdin=file, capture_output=True,
                                      env=environment(), timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (2, f"rng test: {option} would overwrite {data}, which is an input of this run\n"))
        tested = f"{folder}/state.low"  # several views have a checkpoint each
        os.link(data, tested)
        files[tested] = files[data]
        refuses("--checkpoint", f"{folder}/state", tested, "--file", tested, "--views", "plain,low")
        os.unlink(tested)
        del files[tested]
        self.assertEqual(self.ok("test", "--file", data, "--json", "-"), self.ok("test", "--merge", first, second, "--json", "-"))

    def test_no_output_overwrites_another(self):
        state = self.path("state")
        for name in (state, f"{state}.low"):
            views = ("--views", "plain,low") if "low" in name else ()
            for option in ("--json", "--html"):
                self.no_verdict(f"--json, --html and --checkpoint must be different, got {name} twice", *views, option, name,
                                "--checkpoint", state)
        self.refuses(f"rng zoo: --json and --html must be different, got {state} twice", "zoo", "--json", state, "--html", state)
        self.assertEqual(os.listdir(os.path.dirname(state)), [])

    def test_no_output_touches_the_file_of_another_name(self):
        folder = self.folder()
        part = ("--bytes", "8Mi", "--segments", "0:1", "--counts", f"{folder}/c")
        runs = [(("test", "--bytes", "64Ki", "--checkpoint", f"{folder}/c"), ["c"]), (("test", *part), ["c"])]
        if "without" not in rng("calibrate", "--batteries", "0").stderr:  # OpenSSL
            runs.append((("calibrate", "--batteries", 2, "--bytes", "64Ki", *ONLY, "--part", "0:1", "--counts", f"{folder}/c"), ["c"]))
        # A run that begins and cannot end.
        runs.append((("test", *part[:-1], f"{folder}/no/c"), []))
        with open(f"{folder}/precious", "w", encoding="ascii") as file:
            file.write("precious")
        for args, made in runs:
            for make in (lambda name: os.symlink("precious", name), lambda name: os.link(f"{folder}/precious", name)):
                for name in ("c.part", "c.tmp"):
                    make(f"{folder}/{name}")
                rng(*args)
                self.assertEqual(sorted(os.listdir(folder)), sorted([*made, "c.part", "c.tmp", "precious"]), args)
                for name in ("c.part", "c.tmp", "precious"):
                    with open(f"{folder}/{name}", encoding="ascii") as file:
                        self.assertEqual(file.read(), "precious", args)
                for name in [*made, "c.part", "c.tmp"]:
                    os.unlink(f"{folder}/{name}")

    def test_a_replaced_state_keeps_its_owner_and_its_links(self):
        owner = (1000, 1001) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
        for args, again in ((("--bytes", "8Mi", "--segments", "0:1", "--counts"), ()), (("--bytes", "64Ki", "--checkpoint"), ("--resume",))):
            folder = self.folder()
            path, link = f"{folder}/{'c' * 250}", f"{folder}/link"
            self.ok("test", *args, path)
            before = os.stat(path)
            os.chown(path, *owner)
            os.chmod(path, 0o640)
            os.symlink(path, link)
            self.ok("test", *args, link, *again)
            got = os.stat(path)
            self.assertNotEqual(got.st_ino, before.st_ino, "it was replaced")
            self.assertEqual((stat.S_IMODE(got.st_mode), got.st_uid, got.st_gid), (0o640, *owner), args)
            self.assertEqual(sorted(os.listdir(folder)), ["c" * 250, "link"])
            self.assertTrue(os.path.islink(link))

    def test_two_runs_may_write_the_same_counts(self):
        folder = self.folder()
        args = narrowed(["test", "--bytes", "256Mi", "--threads", 1, "--segments", "0:64", "--counts", f"{folder}/c"])
        runs = [start(*args) for _ in range(2)]
        for run in runs:
            out, err = run.communicate(timeout=TIMEOUT)
            self.assertEqual((run.returncode, out[:25], err), (0, b"Counted segments 0:64 of ", b""))
        self.assertEqual(os.listdir(folder), ["c"])
        self.ok("test", "--merge", f"{folder}/c")

    def test_names_of_any_length(self):
        folder = self.folder()
        counts, json_file = f"{folder}/{'c' * 255}", f"{folder}/{'j' * 255}"
        self.ok("test", "--bytes", "4Mi", "--segments", "0:1", "--counts", counts)
        self.ok("test", "--merge", counts, "--json", json_file)
        self.assertEqual(sorted(os.listdir(folder)), ["c" * 255, "j" * 255])

    def test_files_that_are_no_files(self):
        """Refused at once: nobody writes to the pipe, and the device has no end."""
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        calibrates = "without" not in rng("calibrate", "--batteries", "0").stderr  # OpenSSL
        begun = time.monotonic()
        for path in (pipe, "/dev/zero", "/dev/null"):
            self.no_verdict(f"counts {path} must be a regular file", "--merge", path)
            self.no_verdict(f"checkpoint {path} must be a regular file", "--bytes", "1Mi", "--checkpoint", path, "--resume")
            self.no_verdict(f"npy: {path} must be a regular file", "--npy", path, "--dist", "normal")
            if calibrates:
                self.refuses(f"rng calibrate: counts {path} must be a regular file", "calibrate", "--merge", path)
        # Of a file that is something else only the beginning is read: this one would not fit in memory.
        path = self.written(b"something else")
        os.truncate(path, 2**42)
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))} if not is_sanitized() else {}
        self.no_verdict(f"counts {path} is not a file of rng test --counts", "--merge", path, **limit)
        self.no_verdict(f"checkpoint {path} is not a checkpoint of rng test", "--bytes", "1Mi", "--checkpoint", path, "--resume", **limit)
        self.assertLess(time.monotonic() - begun, TIMEOUT / 2)

    def end_of_row(self, text, at):
        """Where packed counters end: their number, then by turns how many are 0, how many are not, and these."""
        (left,), at = struct.unpack_from("<Q", text, at), at + 8
        while left > 0:
            for width in (0, 8):
                length = shift = 0
                while True:
                    length |= (text[at] & 0x7f) << shift
                    shift, at = shift + 7, at + 1
                    if text[at - 1] < 0x80:
                        break
                left, at = left - length, at + length * width
        return at

    def test_counts_take_memory_by_the_length_of_their_file(self):
        counts, checkpoint = self.path("counts"), self.path("state")
        self.ok("test", "--bytes", "4Mi", "--segments", "0:1", "--counts", counts)
        with start(*narrowed(["test", "--bytes", "64Gi", "--checkpoint", checkpoint])) as run:  # killed before its end
            give_up = time.monotonic() + TIMEOUT
            while not os.path.exists(checkpoint) and time.monotonic() < give_up:
                time.sleep(0.02)
            run.kill()
            run.communicate(timeout=TIMEOUT)
        # Rows of 2^27 counters, in 13 bytes each: 2^27 zeros, and nothing else.
        rows = 1000
        zeros = (struct.pack("<Q", 2**27) + bytes([0x80, 0x80, 0x80, 0x40, 0])) * rows
        for path, args in ((counts, ("--merge", counts)), (checkpoint, ("--bytes", "64Gi", "--checkpoint", checkpoint, "--resume"))):
            with open(path, "rb") as file:
                text = file.read()[:-8]
            # The counters of freq16 are the only row of their list.
            at = text.index(struct.pack("<QQ", 1, 2**16))
            end = self.end_of_row(text, at + 8)
            text = text[:at] + struct.pack("<Q", rows) + zeros + text[end:]
            with open(path, "wb") as file:
                file.write(text + struct.pack("<Q", checksum(text)))
            with start(*narrowed(["test", *args])) as run:
                out, err = run.stdout.read(), run.stderr.read().decode()
                _, status, usage = os.wait4(run.pid, 0)
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual((run.returncode, out), (2, b""))
            self.assertRegex(err, rf"^rng test: (counts|checkpoint) {path} is (damaged|of another version)\n$")
            self.assertLess(usage.ru_maxrss * 1024, 2**30)

    def values(self, n):
        path = self.path("values.npy")
        self.ok("sample", "normal", "-n", n, "-o", path)
        return path

    def test_arguments_that_no_part_has(self):
        counts = self.path("counts")
        self.ok("test", "--npy", self.values(200000), "--dist", "normal", "--views", "plain", "--segments", "0:1", "--counts", counts)
        with open(counts, "rb") as file:
            good = file.read()[:-8]

        def refuses(reason, *changes):
            text = good
            for old, new in changes:  # of the same length, so that the file stays sound
                self.assertEqual((text.count(old), len(old)), (1, len(new)))
                text = text.replace(old, new)
            with open(counts, "wb") as file:
                file.write(text + struct.pack("<Q", checksum(text)))
            self.no_verdict(f"counts {counts} has arguments that --segments does not take: {reason}", "--merge", counts)

        refuses("--npy needs --dist, the distribution that its values should follow", (b"--dist", b"--name"))
        refuses("--tier must be structural, quick, standard or deep, got quack: did you mean quick?", (b"\0quick", b"\0quack"))


class Outputs(BatteryCase):
    def limited_on_the_way(self, args, is_begun, limit=256):
        """A run that may write no longer files than this from when it has begun on, as if the disk were full."""
        run = start(*narrowed(["test", *args]))
        give_up = time.monotonic() + TIMEOUT
        while not is_begun() and time.monotonic() < give_up:
            time.sleep(0.01)
        hard = resource.prlimit(run.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (limit, hard))
        return run, lambda: resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def test_a_full_disk_on_the_way_costs_the_file_and_not_the_run(self):
        for has_room_again in (True, False):
            folder = self.folder()
            path = f"{folder}/x.json"
            run, make_room = self.limited_on_the_way(["--bytes", "64Gi", "--threads", "1", "--json", path],
                                                     lambda: os.listdir(folder))
            line = run.stderr.readline().decode()
            self.assertEqual(line, f"rng test: warning: cannot write to {path}: File too large; the run goes on\n")
            self.assertIsNone(run.poll())
            if has_room_again:
                make_room()
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=TIMEOUT)
            self.assertIn(b"INTERRUPTED", out)
            if has_room_again:
                self.assertEqual((run.returncode, err), (130, b""))
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["reports"][0]["interrupted"], True)
            else:
                self.assertEqual((run.returncode, err.decode()),
                                 (2, f"rng test: cannot write to {path}: File too large\n"))
                self.assertEqual(os.listdir(folder), [])

    def test_a_full_disk_at_the_end_costs_the_checkpoint_and_not_the_summary(self):
        folder = self.folder()
        path = f"{folder}/state"
        run, _ = self.limited_on_the_way(["--bytes", "1Ti", "--threads", "1", "--checkpoint", path],
                                         lambda: os.path.exists(path))
        with open(path, "rb") as file:
            first = file.read()
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual((run.returncode, err.decode()),
                         (2, f"rng test: checkpoint {path} cannot be written: File too large\n"))
        self.assertIn(b"INTERRUPTED", out)
        self.assertEqual(os.listdir(folder), ["state"])
        with open(path, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_files_before_standard_output(self):
        for views, n in (("plain", 1), ("plain,low,high", 3)):
            folder = self.folder()
            with start(*narrowed(["test", "--bytes", "2Mi", "--views", views, "--json", f"{folder}/x.json",
                                  "--html", f"{folder}/x.html"])) as run:
                run.stdout.close()  # a reader that wants nothing
                self.assertEqual(run.stderr.read().decode(), "")
                self.assertEqual(run.wait(TIMEOUT), 0)  # the verdict all the same
            self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
            with open(f"{folder}/x.json", encoding="utf-8") as file:
                self.assertEqual([r["interrupted"] for r in json.load(file)["reports"]], n * [False])
            with open(f"{folder}/x.html", encoding="utf-8") as file:
                self.assertIn("</html>", file.read())

    def test_a_reader_that_goes_away_does_not_change_the_verdict(self):
        path = self.written(flawed(1 << 20))
        for more in ((), ("--json", "-"), ("--html", "-")):
            with start("test", "--file", path, *more) as run:
                run.stdout.close()
                self.assertEqual(run.stderr.read(), b"", more)
                self.assertEqual(run.wait(TIMEOUT), 1, more)

    def test_the_summary_fits_a_terminal(self):
        path = self.written(flawed(1 << 20))
        for args in (("--file", path, "--name", "mine"), ("--engine", "philox4x32-4", "--tier", "structural"), ("--bytes", "1Mi")):
            lines = rng("test", *args).stdout.decode().splitlines()
            self.assertGreater(len(lines), 3)
            self.assertEqual([line for line in lines if len(line) > 80], [], args)

    def test_files_of_the_zoo(self):
        folder = self.folder()
        self.assertEqual(self.fails(1, "zoo", "--only", "randu", "--json", f"{folder}/no/x"),
                         f"rng zoo: cannot create {folder}/no/x: No such file or directory")
        with start("zoo", "--only", "randu", "--json", f"{folder}/x.json", "--html", f"{folder}/x.html") as run:
            run.stdout.close()
            self.assertEqual(run.stderr.read(), b"")
            self.assertEqual(run.wait(TIMEOUT), 0)
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            self.assertEqual([row["name"] for row in json.load(file)["rows"]], ["randu"])
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])

    def test_html_says_what_a_failure_means(self):
        path = self.path("x.html")
        rng("test", "--file", self.written(flawed(1 << 20)), "--html", path)
        with open(path, encoding="utf-8") as file:
            self.assertIn("<p>What it means: <b>freq16</b> looks at \u201c16-bit values occur equally often\u201d", file.read())

    def test_files_appear_whole(self):
        folder = self.folder()
        text = self.ok("test", "--bytes", "1Mi", "--json", f"{folder}/x.json", "--html", f"{folder}/x.html")
        self.assertTrue(text.startswith(b"PASS"))
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
        self.ok("test", "--bytes", "1Mi", "--json", "/dev/null", "--html", "/dev/null")
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["verdict"], "pass")
        with open(f"{folder}/x.html", encoding="utf-8") as file:
            self.assertIn("philox4x32-10", file.read())

    def test_json_has_no_times(self):
        first = self.ok("test", "--bytes", "1Mi", "--json", "-")
        time.sleep(1.1)
        self.assertEqual(self.ok("test", "--bytes", "1Mi", "--json", "-", "--threads", 1), first)

    def test_json_of_a_run_that_is_killed(self):
        path = self.path("x.json")
        run = start(*narrowed(["test", "--bytes", "64Gi", "--threads", "1", "--json", path]))
        give_up = time.monotonic() + TIMEOUT
        while not os.path.exists(path) and time.monotonic() < give_up:
            time.sleep(0.1)
        run.kill()
        run.communicate(timeout=TIMEOUT)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)["reports"][0]
        self.assertEqual((report["verdict"], report["interrupted"]), ("pass", True))
        self.assertEqual(report["bytes"], report["looks"][-1]["size"])

    def test_what_cannot_be_written(self):
        folder = self.folder()
        for option in ("--json", "--html"):
            self.no_verdict(f"cannot create {folder}/no/x: No such file or directory",
                            "--bytes", "1Mi", option, f"{folder}/no/x")
            self.no_verdict(f"cannot open {folder}: Is a directory", "--bytes", "1Mi", option, folder)
            done = rng("test", "--bytes", "1Mi", option, "/dev/full")
            self.assertEqual((done.returncode, done.stderr),
                             (2, "rng test: cannot write to /dev/full: No space left on device\n"))
        with open("/dev/full", "wb") as full:
            done = rng("test", "--bytes", "1Mi", stdout=full)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "rng test: cannot write to standard output: No space left on device\n"))
        # A full disk, by a limit of the size of files: neither file nor temporary is left.
        for option in ("--json", "--html", "--checkpoint"):
            path = os.path.join(folder, "x")
            done = rng("test", "--bytes", "16Mi", option, path,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)))
            self.assertEqual(done.returncode, 2, (option, done))
            self.assertIn(path, done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(os.listdir(folder), [])

    def test_no_control_characters_without_a_terminal(self):
        done = rng("test", "--bytes", "64Mi", "--verbose")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"(?m)^ +64 MiB  pass ")
        self.assertFalse(set(done.stderr) & {"\r", "\033"})
        self.assertFalse(set(done.stdout) & {13, 27})

    def test_progress_on_a_terminal(self):
        master, slave = pty.openpty()
        run = subprocess.Popen([program(), "test", "--bytes", "16Gi", "--threads", "1", *ONLY], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, env=environment())
        os.close(slave)
        shown = b""
        end = time.monotonic() + TIMEOUT
        while b" left" not in shown and time.monotonic() < end:
            if select.select([master], [], [], 0.5)[0]:
                try:
                    shown += os.read(master, 4096)
                except OSError:
                    break
        run.send_signal(signal.SIGINT)
        while select.select([master], [], [], 5)[0]:
            try:
                data = os.read(master, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
        out = run.communicate(timeout=TIMEOUT)[0]
        os.close(master)
        self.assertEqual(run.returncode, 130)
        self.assertRegex(shown.decode(), r"rng test: stream \d+ %, .* of 16 GiB, [\d.]+ [KMG]iB/s, \d+ (s|min) left")
        self.assertRegex(shown.decode(), r"16 MiB  pass ")
        self.assertTrue(shown.endswith(b"\r\033[K"), shown[-80:])
        self.assertNotIn(b"\033", out)

    def test_standard_input_is_no_terminal(self):
        master, slave = pty.openpty()
        done = subprocess.run([program(), "test", "--stdin"], stdin=slave, capture_output=True, env=environment(),
                              timeout=TIMEOUT)
        os.close(slave)
        os.close(master)
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"rng test: standard input must be a pipe or a file, got a terminal\n"))


if __name__ == "__main__":
    unittest.main()
