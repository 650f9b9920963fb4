"""rng test: threads, interruptions, checkpoints, and runs that several processes count in parts."""

import json
import os
import random
import shlex
import signal
import struct
import subprocess
import time
import unittest

from battery import ONLY, SEGMENT, BatteryCase, catches, checksum, flawed, narrowed, rng
from cli import TIMEOUT, is_sampled, start


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

    def test_arguments_that_no_part_has(self):
        counts = self.path("counts")
        self.ok("test", "--npy", self.normal_values(200000), "--dist", "normal", "--views", "plain", "--segments", "0:1", "--counts", counts)
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


if __name__ == "__main__":
    unittest.main()
