"""What the tests of rng test share: the program with one exact test, inputs, and what a run says."""

import json
import os
import struct
import unittest

import cli
from cli import Case, program

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

    def normal_values(self, n):
        path = self.path("values.npy")
        self.ok("sample", "normal", "-n", n, "-o", path)
        return path
