"""rng svd --verify where a path gives other bits, and rng svd -o on a disk that is nearly full: RNG_PROGRAM is the program with faulty_svd.cpp."""

import json
import os
import unittest

from cli import rng
from matrices import SvdCase, npy_file, product


class FaultySvd(SvdCase):
    def run_with(self, *more):
        """Exit code 1, and no file: a result that the paths do not agree on is none."""
        folder = self.folder()
        done = rng("svd", self.file(npy_file([[1, 2]])), "--verify", "-o", os.path.join(folder, "x"), *more, env={"RNG_NUM_THREADS": "1"})
        self.assertEqual((done.returncode, done.stderr, os.listdir(folder)), (1, "", []))
        return done.stdout.decode()

    def test_table(self):
        lines = self.run_with().splitlines()
        lines = lines[lines.index("singular values") + 3:]
        for line in lines[:-1]:
            self.assertEqual(line.split()[-1], "DIFFERS" if " x 3 threads" in line else "ok")
        isas = (len(lines) - 1) // 3
        self.assertEqual(lines[-1], f"{3 * isas} paths: {isas} " + ("DIFFERS" if isas == 1 else "DIFFER"))

    def test_json(self):
        report = json.loads(self.run_with("--json"))
        self.assertEqual((report["files"], report["differing"]), ([], len(report["paths"]) // 3))
        for path in report["paths"]:
            self.assertEqual((path["ok"], path["digest"] == report["digest"]), 2 * (" x 3 threads" not in path["path"],))

    def test_free_space_is_asked_for_before_a_file_is_written(self):
        # U, S and V hold at least (40 + 20) 3 numbers. With room for a byte less there is no file.
        for descr, bytes_of_number in (("<f4", 4), ("<f8", 8), ("<c8", 8), ("<c16", 16)):
            folder, needed = self.folder(), 60 * 3 * bytes_of_number
            prefix = os.path.join(folder, "x")
            args = ("svd", self.file(npy_file(product(40, 20, imaginary="c" in descr), descr)), "-q", 3, "-o", prefix)
            message = self.fails(2, *args, env={"FREE_BYTES": str(needed - 1)})
            self.assertRegex(message, rf"^rng svd: {prefix}_U.npy needs at least [\d.]+ (Ki)?B, and its disk has [\d.]+ (Ki)?B free$")
            self.assertEqual(os.listdir(folder), [])
            self.ok(*args, env={"FREE_BYTES": str(needed)})
            self.assertEqual(len(os.listdir(folder)), 3)


if __name__ == "__main__":
    unittest.main()
