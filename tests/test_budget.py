"""The limits of CPU time can be passed, and are kept only by what is below them: scripts/cpu_time.sh and scripts/budget.py."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parent.parent / "scripts"
BURN = "import time\nwhile time.process_time() < {}: pass"


class Budget(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log = self.folder / "cpu.txt"

    def timed(self, *words, log=True):
        """A command under cpu_time.sh."""
        environment = {k: v for k, v in os.environ.items() if k != "RNG_CPU_LOG"}
        if log:
            environment["RNG_CPU_LOG"] = str(self.log)
        return subprocess.run(["bash", SCRIPTS / "cpu_time.sh", *words], env=environment, input="",
                              capture_output=True, text=True)

    def judged(self, *options):
        """What budget.py prints of the log, and its exit code. One core: each more costs a known source more."""
        one = {min(os.sched_getaffinity(0))}
        done = subprocess.run([sys.executable, SCRIPTS / "budget.py", self.log, *options], capture_output=True, text=True,
                              preexec_fn=lambda: os.sched_setaffinity(0, one))
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def a_compiler(self, seconds):
        """A stand-in that takes so long for the known source: 1.6 s is a machine as fast as the reference."""
        compiler = self.folder / "compiler"
        compiler.write_text(f"#!{sys.executable}\n{BURN.format(seconds)}\n")
        compiler.chmod(0o755)
        return str(compiler)

    def test_a_command_runs_as_it_would_alone(self):
        for log in (True, False):
            done = self.timed("test", "a 100% test", "sh", "-c", "cat; echo out; echo err >&2; exit 7", log=log)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (7, "out\n", "err\n"))
        self.assertRegex(self.log.read_text(), r"\A\d+[.,]\d+ \d+[.,]\d+ test a 100% test\n\Z")

    def test_a_signal_is_seen(self):
        done = self.timed("test", "killed", "sh", "-c", "kill -SEGV $$")
        self.assertEqual(done.returncode, 128 + 11)
        self.assertEqual(done.stderr, "exit code 139: ended by signal 11\n")
        self.assertEqual(self.judged()[0], 0)

    def test_a_passed_limit_is_named(self):
        # A process of a process counts, and a sleeping one does not.
        burn = [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {BURN.format(1.5)!r}])"]
        self.timed("test", "dear", *burn)
        self.timed("test", "idle", "sleep", "1.5")
        self.timed("source", "sh", "-c", ":", "-o", "x.o", "-c", "cheap.cpp")
        code, text = self.judged("--test", "0.7", "--compiler", self.a_compiler(0))
        self.assertEqual(code, 1, text)
        self.assertRegex(text, r"(?m)^BUDGET: dear took \d+ CPU-seconds to run; the limit is 1 ")
        self.assertEqual(text.count("BUDGET"), 1, text)
        self.assertEqual(self.judged("--test", "1000")[0], 0)

    def test_each_kind_has_its_limit(self):
        self.log.write_text("39.5 0.4 source a.cpp\n59.0 0.9 test b\nsh: line 1: 5 Killed\n3200.0 0.0 total all\n")
        self.assertEqual(self.judged()[0], 0)
        # Half as much again is what neighbours on the machine may cost.
        for over, bad, name, verb, limit in (("39.7 0.4 source", "59.7 0.4 source", "c.cpp", "to compile", 40),
                                             ("39,7 0,4 source", "59,7 0,4 source", "d.cpp", "to compile", 40),
                                             ("60.2 0.0 test", "90.1 0.0 test", "e", "to run", 60),
                                             ("3250.0 0.0 total", "4861.0 0.0 total", "f", "in all its stages", 3240)):
            for line, exit_code, word in ((over, 0, "over the budget"), (bad, 1, "BUDGET")):
                self.log.write_text(f"{line} {name}\n")
                code, text = self.judged("--total", "3240", "--compiler", self.a_compiler(0))
                self.assertEqual(code, exit_code, line)
                self.assertRegex(text, rf"(?m)^{word}: {name} took \d+ CPU-seconds {verb}; the limit is {limit} ")

    def test_a_compiler_that_does_not_work(self):
        self.log.write_text("48.0 0.0 source a.cpp\n")
        failing = self.folder / "failing"
        failing.write_text("#!/bin/sh\nexit 1\n")
        failing.chmod(0o755)
        for compiler in (self.folder / "nosuch", failing):
            code, text = self.judged("--compiler", str(compiler))
            self.assertEqual(code, 1)
            self.assertRegex(text, r"(?m)^BUDGET: cannot tell how fast this machine is: .*(nosuch|failing)")

    def test_a_slower_machine_has_longer(self):
        self.log.write_text("62.0 0.0 source a.cpp\n")  # which fails on the reference
        compiler = self.a_compiler(2.4)
        self.assertEqual(self.judged("--compiler", compiler)[0], 0)  # half as long again: 60 s, and the tolerance
        self.log.write_text("4800.0 0.0 source a.cpp\n")
        self.assertEqual(self.judged("--compiler", compiler)[0], 1)

    def test_an_empty_log_is_no_failure(self):
        self.log.write_text("")
        self.assertEqual(self.judged(), (0, ""))


if __name__ == "__main__":
    unittest.main()
