"""What the tests of the program share: running it, and the bits that it must give.

The program's path comes from the environment variable RNG_PROGRAM.
"""

import math
import os
import signal
import struct
import subprocess
import tempfile
import unittest

# A shell starts background commands with SIGINT ignored, and nohup with SIGHUP; children inherit that, and the program keeps to
# it. These tests send the signals, so they begin as a command in the foreground does.
for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)

TIMEOUT = 300  # seconds; generous, because sanitizer builds run these too


def is_sampled():
    """True if a test may take a part of its data, as support::sampled() does in tests in C++."""
    return int(os.environ.get("RNG_TEST_SHARE") or 1) > 1


def program():
    path = os.environ.get("RNG_PROGRAM")
    if not path:
        raise unittest.SkipTest("RNG_PROGRAM is not set: the program was not built")
    return path


def environment(**changes):
    """The environment without what would change the program's behaviour, but for `changes`."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("RNG_", "LC_")) and k != "LANG"}
    return {**kept, **changes}


def rng(*args, env=None, **options):
    """Runs the program to its end; stdout is bytes, stderr text."""
    options.setdefault("stdout", subprocess.PIPE)
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([program(), *(arg if isinstance(arg, bytes) else str(arg) for arg in args)], stderr=subprocess.PIPE, env=environment(**(env or {})), timeout=TIMEOUT, **options)
    done.stderr = done.stderr.decode()
    return done


def start(*args, **options):
    options.setdefault("stdout", subprocess.PIPE)
    options.setdefault("stderr", subprocess.PIPE)
    return subprocess.Popen([program(), *map(str, args)], stdin=subprocess.DEVNULL, env=environment(), **options)


def words(data):
    return list(struct.unpack(f"<{len(data) // 4}I", data))


def npy(data):
    """dtype, shape (of one dimension its length) and values (of complex ones, their parts) of a NumPy file in C order, read by the format's definition."""
    assert data[:6] == b"\x93NUMPY" and data[6:8] == b"\x01\x00", data[:8]
    (length,) = struct.unpack("<H", data[8:10])
    header = data[10:10 + length]
    assert (10 + length) % 64 == 0 and header.endswith(b"\n"), header
    description = eval(header, {"__builtins__": {}})  # the format defines the header as a Python literal
    assert set(description) == {"descr", "fortran_order", "shape"} and description["fortran_order"] is False
    shape = description["shape"]
    codes = {"<f2": "e", "<f4": "f", "<f8": "d", "<u4": "I", "<u8": "Q", "<c8": "2f", "<c16": "2d"}
    code = codes[description["descr"]]
    values = list(struct.unpack("<" + math.prod(shape) * code, data[10 + length:]))
    return description["descr"], shape[0] if len(shape) == 1 else shape, values


class Case(unittest.TestCase):
    maxDiff = None

    def ok(self, *args, **options):
        """Standard output of a run that must succeed without a word on standard error."""
        done = rng(*args, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), args)
        return done.stdout

    def fails(self, code, *args, **options):
        """The one line on standard error of a run that must end with this exit code."""
        done = rng(*args, **options)
        self.assertEqual(done.returncode, code, (args, done.stderr))
        self.assertTrue(done.stderr.endswith("\n") and done.stderr.count("\n") == 1, (args, done.stderr))
        self.assertNotIn("\r", done.stderr)
        return done.stderr[:-1]

    def refuses(self, message, *args, **options):
        """A bad argument: this one line, exit code 2, nothing on standard output."""
        done = rng(*args, **options)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (2, b"", message + "\n"), args)

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return folder.name
