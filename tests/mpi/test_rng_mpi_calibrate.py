#!/usr/bin/env python3
"""rng-mpi calibrate: its output is that of rng calibrate, and a run goes on from the counts of another one."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
import cli  # noqa: E402
from rng_mpi import ONLY, PROGRAM, RANKS, command, first_line, interrupt, rng_mpi, run  # noqa: E402

BATTERIES = ["--batteries", 11, "--bytes", "1Mi", "--threads", 1, *ONLY]


class Calibrate(cli.Case):
    def setUp(self):
        done = cli.rng("calibrate", "--batteries", 0)
        if "OpenSSL" in done.stderr:
            self.skipTest(done.stderr)

    def outputs(self, runs, *args):
        """Exit code, standard output and JSON of a run."""
        name = f"{self.folder()}/x.json"
        done = runs("calibrate", *args, "--json", name)
        self.assertIn(done.returncode, (0, 1), (args, done.stderr))
        return done.returncode, done.stdout, Path(name).read_bytes()

    def on(self, ranks, *args):
        return self.outputs(lambda *all_args: rng_mpi(ranks, *all_args), *args)

    def test_the_bytes_of_one_process(self):
        for args in (BATTERIES, [*BATTERIES, "--cipher", "aes-128-ctr", "--first-key", "0x10", "--all"],
                     ["--tier", "structural", "--batteries", 3, "--only", "avalanche2,stream-pairs", "--threads", 2],
                     ["--batteries", 0]):
            expected = self.outputs(cli.rng, *args)
            for ranks in RANKS:
                self.assertEqual(self.on(ranks, *args), expected, (ranks, args))

    def test_each_rank_has_its_share(self):
        state = f"{self.folder()}/state"
        self.on(3, *BATTERIES, "--checkpoint", state)
        ranges = sorted(tuple(map(int, file.stem.split("-"))) for file in Path(state).iterdir())
        self.assertEqual([first for first, _ in ranges], [0, *(last for _, last in ranges[:-1])])
        self.assertEqual((ranges[-1][1], {last - first for first, last in ranges}), (11, {1}))  # 3 ranks, 8 pieces each

    def test_errors_are_those_of_one_process(self):
        for args in (["--cipher", "chacha2"], ["--batteries", "1x"], ["--batteries", "10G"], ["--tier", "deep"],
                     ["--only", "freq17", "--batteries", 2], ["--json", "/no/folder/x.json"], ["--threads", 1025], ["--colour"],
                     ["--bytes", "9", "--batteries", 2]):
            expected = cli.rng("calibrate", *args)
            done = rng_mpi(2, "calibrate", *args)
            self.assertEqual((done.returncode, first_line(done), done.stdout),
                             (expected.returncode, expected.stderr.replace("rng calibrate", "rng-mpi calibrate").strip(),
                              expected.stdout), args)
            self.assertNotEqual(done.returncode, 0)

    def refused(self, *args):
        done = rng_mpi(2, "calibrate", *args)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        return first_line(done)

    def test_what_ranks_cannot_do(self):
        for option in (["--part", "0:1"], ["--counts", "x"], ["--merge", "x"]):
            self.assertEqual(self.refused(*option),
                             f"rng-mpi calibrate: {option[0]} is for rng calibrate: ranks share the batteries out")

    def test_an_error_of_one_rank(self):
        line = [*command(1, "calibrate", *BATTERIES), ":", "-n", "1", "env", "TMPDIR=/no/folder", PROGRAM, "calibrate"]
        done = run(line)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        self.assertRegex(first_line(done), "^rng-mpi calibrate: rank 1: folder .* cannot be made: ")

    def test_another_number_of_ranks_goes_on(self):
        state = f"{self.folder()}/state"
        here = [*BATTERIES, "--checkpoint", state]
        self.assertEqual(self.refused(*here, "--resume"),
                         f"rng-mpi calibrate: checkpoint {state} cannot be read: No such file or directory")
        expected = self.outputs(cli.rng, *BATTERIES)
        self.assertEqual(self.on(2, *here), expected)
        files = sorted(Path(state).iterdir())
        for file in files[1:4]:
            file.unlink()
        kept = {file: file.stat().st_mtime_ns for file in files if file.exists()}
        self.assertEqual(self.on(3, *here, "--resume"), expected)
        self.assertEqual({file: file.stat().st_mtime_ns for file in kept}, kept)
        self.assertRegex(self.refused(*here), f"checkpoint {state} is there already")
        self.assertEqual(self.refused(*BATTERIES, "--resume"), "rng-mpi calibrate: --resume needs --checkpoint FOLDER")
        self.assertRegex(self.refused(*here, "--resume", "--first-key", 2), f"counts {state}/.* are of another run")
        self.assertEqual(self.refused(*BATTERIES, "--checkpoint", f"{state}2", "--json", f"{state}2"),
                         f"rng-mpi calibrate: --json and --checkpoint must be different, got {state}2 twice")
        self.assertEqual(self.refused(*here, "--resume", "--json", f"{state}/x"),
                         f"rng-mpi calibrate: --json must not lie in the folder of --checkpoint, got {state}/x")

    def test_a_signal_keeps_what_was_counted(self):
        interrupt(self, "calibrate", "--bytes", "2Mi", "--batteries", "10M", "--threads", 1, *ONLY)


if __name__ == "__main__":
    unittest.main()
