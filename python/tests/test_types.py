"""The stubs: those that make_stubs.py writes, true to the package, and enough for mypy --strict."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import librng
import pytest

HERE = Path(__file__).resolve().parent
PACKAGE = Path(librng.__file__).resolve().parent

PROGRAM = """\
import numpy as np
import librng as rng
from librng import compat
from librng.numpy import BitGenerator

g = rng.Generator(42)
x = g.normal((3, 2), mean=1, stddev=2, dtype="float32")
s: rng.Stream = rng.Stream(42).fork("wind").fork(7)
d: rng.Distribution = rng.gamma(shape=2.5)
y = rng.fill(np.empty(3), d, s)
b = np.random.Generator(BitGenerator(42))
children: list[rng.Generator] = g.split(3)
seeded = rng.numpy.BitGenerator(np.random.SeedSequence(7)).seed_seq
words: rng.Stream = rng.compat.curand(1)
z = g.normal(size=3, stddev=2)
peer = compat.torch_uniform(np.empty(3), compat.torch_key(42).split(2)[1], first=7)
draws = compat.NumpyGenerator(compat.numpy_philox(42)).integers(np.empty(3, "i8"), 0, 10)
"""


def run(*arguments, folder=PACKAGE.parent):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    if folder.name != "site-packages":  # mypy finds installed packages itself, and refuses their folder here
        environment["MYPYPATH"] = str(folder)
    result = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_are_those_that_the_tool_writes():
    run(HERE.parent / "tools" / "make_stubs.py", "--check")


def test_stubs_are_true(tmp_path):
    """Of all modules; without torch, of all but librng.torch."""
    pytest.importorskip("mypy")
    left_out = [] if importlib.util.find_spec("torch") else ["torch.py*"]
    shutil.copytree(PACKAGE, tmp_path / "librng", ignore=shutil.ignore_patterns("__pycache__", "rng", *left_out))
    arguments = ("--ignore-missing-stub", "--allowlist", HERE / "stubtest_allowlist.txt")
    run("-m", "mypy.stubtest", "librng", *arguments, folder=tmp_path)


def test_programs_pass_strict_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / "program.py")
