#!/usr/bin/env python3
"""rng-mpi test: its output is that of rng test, and a run goes on from the counts of another one."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
import cli  # noqa: E402
from rng_mpi import ONLY, PROGRAM, RANKS, command, first_line, interrupt, rng_mpi, run  # noqa: E402

FAST = ["--bytes", "44Mi", "--threads", 1, *ONLY]  # 11 segments


class RngMpi(cli.Case):
    def path(self, name):
        return f"{self.folder()}/{name}"

    def outputs(self, runs, args, code):
        """Standard output and the files of a run."""
        folder = self.folder()
        done = runs("test", *args, "--json", f"{folder}/x.json", "--html", f"{folder}/x.html")
        self.assertEqual(done.returncode, code, (args, done.stderr))
        return [done.stdout, *(Path(folder, name).read_bytes() for name in ("x.json", "x.html"))]

    def on(self, ranks, args, code=0):
        return self.outputs(lambda *all_args: rng_mpi(ranks, *all_args), args, code)

    def test_the_bytes_of_one_process(self):
        flawed = self.path("flawed.bin")
        Path(flawed).write_bytes(b"abcd" * (11 << 20))
        for args, code in ((FAST, 0),
                           (["--file", flawed, "--threads", 1, "--keep-going", "--name", "it's", *ONLY], 1),
                           (["--file", flawed, "--threads", 1, *ONLY], 1),
                           (["--dist", "normal", "--views", "plain,inverted", *FAST], 0),
                           (["--tier", "structural", "--only", "stream-pairs", "--threads", 1], 0)):
            expected = self.outputs(cli.rng, args, code)
            for ranks in RANKS:
                self.assertEqual(self.on(ranks, args, code), expected, (ranks, args))

    def test_json_to_standard_output(self):
        args = ["test", *FAST, "--seed", 7, "--json", "-"]
        self.assertEqual(rng_mpi(2, *args).stdout, cli.rng(*args).stdout)

    def test_errors_are_those_of_one_process(self):
        short = self.path("short.bin")
        Path(short).write_bytes(bytes(8000))
        for args in (["--engine", "philx"], ["--bytes", "1x"], ["--file", "/no/file"], ["--file", short, "--bytes", "9000"],
                     ["--json", "/no/folder/x.json"], ["--only", "freq17"], ["--colour"], ["--tier", "structural", "--bytes", 8]):
            expected = cli.rng("test", *args)
            done = rng_mpi(2, "test", *args)
            self.assertEqual((done.returncode, first_line(done), done.stdout),
                             (2, expected.stderr.replace("rng test", "rng-mpi test").strip(), b""))

    def test_what_ranks_cannot_do(self):
        for args, text in ((["--stdin"], "ranks need a source that can be read from the middle: a file of known size or an engine, "
                                         "got standard input"),
                           (["--merge", "x"], "--merge is for rng test: ranks share the segments out"),
                           (["--segments", "0:1"], "--segments is for rng test: ranks share the segments out")):
            done = rng_mpi(2, "test", *args)
            self.assertEqual((done.returncode, first_line(done)), (2, f"rng-mpi test: {text}"))

    def test_an_error_of_one_rank(self):
        line = [*command(1, "test", *FAST), ":", "-n", "1", "env", "TMPDIR=/no/folder", PROGRAM, "test"]
        done = run(line)
        self.assertEqual(done.returncode, 2)
        self.assertRegex(first_line(done), "^rng-mpi test: rank 1: folder .* cannot be made: ")

    def test_another_number_of_ranks_goes_on(self):
        state = self.path("state")
        expected = self.outputs(cli.rng, FAST, 0)
        self.assertEqual(self.on(2, [*FAST, "--checkpoint", state]), expected)
        files = sorted(Path(state).iterdir())
        self.assertGreater(len(files), 4)
        for file in files[1:4]:
            file.unlink()
        kept = {file: file.stat().st_mtime_ns for file in files if file.exists()}
        self.assertEqual(self.on(3, [*FAST, "--checkpoint", state, "--resume"]), expected)
        self.assertEqual({file: file.stat().st_mtime_ns for file in kept}, kept)
        self.assertEqual(self.on(1, [*FAST, "--checkpoint", state, "--resume"]), expected)  # all is counted

    def refused(self, *args):
        done = rng_mpi(2, "test", *args)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
        return first_line(done)

    def test_checkpoints_that_do_not_fit(self):
        state = self.path("state")
        here = [*FAST, "--checkpoint", state]
        self.assertEqual(self.refused(*here, "--resume"), f"rng-mpi test: checkpoint {state} cannot be read: No such file or directory")
        self.on(1, here)
        self.assertRegex(self.refused(*here), f"checkpoint {state} is there already")
        files = sorted(Path(state).iterdir())
        self.assertRegex(self.refused(*here, "--seed", 1, "--resume"), f"counts {state}/.* are of another run")
        whole = files[0].read_bytes()
        files[0].write_bytes(whole[:-1])
        self.assertEqual(self.refused(*here, "--resume"), f"rng-mpi test: counts {files[0]} is damaged")
        files[0].write_bytes(whole)
        Path(state, "0-1.counts").write_bytes(whole)
        self.assertRegex(self.refused(*here, "--resume"), "has segments that another file has")

    def test_files_in_the_folder_of_a_checkpoint(self):
        state = self.path("state")
        self.on(1, [*FAST, "--checkpoint", state])
        data = f"{state}/0-9.counts.part"  # the name under which counts are written
        Path(data).write_bytes(bytes(1 << 20))
        values = f"{state}/0-8.counts.part"
        self.ok("sample", "normal", "-n", 1000, "-o", f"{values}.npy")
        Path(f"{values}.npy").rename(values)
        before = {file: file.read_bytes() for file in Path(state).iterdir()}
        for option, name, *more in (("--json", f"{state}/0-1.counts"), ("--html", f"{state}/../state/x"), ("--file", data),
                                    ("--npy", values, "--dist", "normal", "--views", "plain")):
            self.assertEqual(self.refused(option, name, *more, "--checkpoint", state, "--resume"),
                             f"rng-mpi test: {option} must not lie in the folder of --checkpoint, got {name}")
        self.assertEqual({file: file.read_bytes() for file in Path(state).iterdir()}, before)

    def test_a_signal_keeps_what_was_counted(self):
        interrupt(self, "test", "--bytes", "64Gi", "--threads", 1, *ONLY)


if __name__ == "__main__":
    unittest.main()
