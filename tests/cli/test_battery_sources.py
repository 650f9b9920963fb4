"""rng test: sources of every kind, their verdicts and exit codes, options and views."""

import array
import json
import math
import os
import random
import re
import select
import shlex
import signal
import struct
import subprocess
import time
import unittest

import cli
from battery import ONLY, SEGMENT, BatteryCase, flawed, is_built, rng
from cli import TIMEOUT, Case, environment, is_sampled, program, start


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

    def test_interim_analyses_of_a_slow_source_come_with_its_bytes(self):
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
                    self.assertTrue(select.select([run.stderr], [], [], TIMEOUT)[0], f"no analysis at {size} bytes")
                    line = run.stderr.readline()
                    self.assertTrue(line, f"no analysis at {size} bytes")
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


if __name__ == "__main__":
    unittest.main()
