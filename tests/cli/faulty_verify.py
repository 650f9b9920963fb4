"""rng verify where one digest is wrong: RNG_PROGRAM is the program with faulty_verify.cpp."""

import errno
import json
import os
import unittest

from cli import TIMEOUT, Case, rng, start


class FaultyVerify(Case):
    def test_table(self):
        done = rng("verify")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        lines = done.stdout.decode().splitlines()
        self.assertEqual([line.split() for line in lines[:4]],
                         [["headers", "x3"], ["philox4x32-10", "ok", "DIFFERS"], ["normal", "f32", "ok", "ok"], ["normal", "f64", "ok", "DIFFERS"]])
        rest = " ".join(line.strip() for line in lines[6:-1])
        self.assertTrue(rest.startswith("no golden  bits u32, bits u64, uniform f32, "), rest)
        self.assertIn("uniform_dense f64, normal f16, normal bf16, normal_icdf f32, ", rest)  # the two of normal have rows
        self.assertLessEqual(max(len(line) for line in lines[6:-1]), 80)
        self.assertEqual([lines[5], lines[-1]], [
            'DIFFERS  philox4x32-10: normal f64 {mean 0, "stddev" 1}, avx2 x 3 threads: seed 0x000000000000002a, id 0x0000000000000007, '
            "position 3, n 4096: expected 0x0000000000001234, got 0x0000000000abcdef",
            "4 digests on 2 paths: 1 DIFFERS"])

    def test_json(self):
        done = rng("verify", "--json")
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        report = json.loads(done.stdout)
        self.assertEqual((report["digests"], report["differing"]), (4, 1))
        self.assertEqual(report["without_golden"][:2] + report["without_golden"][-1:], ["bits u32", "bits u64", "rademacher i8"])
        self.assertEqual([row["ok"] for row in report["rows"]], [True, True, True, False])
        self.assertEqual(report["rows"][3], {
            "engine": "philox4x32-10", "distribution": "normal", "dtype": "f64",
            "parameters": 'mean 0, "stddev" 1', "path": "avx2 x 3 threads",
            "seed": "0x000000000000002a", "id": "0x0000000000000007", "position": "0x0000000000000003", "n": 4096,
            "expected": "0x0000000000001234", "got": "0x0000000000abcdef", "ok": False})

    def test_a_reader_that_goes_away_does_not_hide_it(self):
        for options in ((), ("--json",)):
            with start("verify", *options) as process:
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b"")
                self.assertEqual(process.wait(TIMEOUT), 1)

    def test_full_disk(self):  # here, since an honest verify takes seconds
        for options in ((), ("--json",)):
            with open("/dev/full", "wb") as full:
                message = self.fails(1, "verify", *options, stdout=full)
            self.assertEqual(message, "rng verify: cannot write to standard output: " + os.strerror(errno.ENOSPC))


if __name__ == "__main__":
    unittest.main()
