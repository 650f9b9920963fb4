"""The stubs: with a line for each distribution, true to the package, and enough for mypy --strict."""

import ast
import importlib.util
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import librng as rng
import pytest

HERE = Path(__file__).resolve().parent
PACKAGE = Path(rng.__file__).resolve().parent

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


WITH_TORCH = """\
import torch
import librng as rng
import librng.torch

with librng.torch.reproducible(42, compile="keep", everything=False) as nothing:
    place: tuple[int, int] = librng.torch.position(torch.Generator())
    seed, k = librng.torch.position()
    x = rng.fill(torch.empty(3), rng.normal(), librng.torch.stream_of(seed, k))


@librng.torch.reproducible()
def function(y: torch.Tensor, p: float) -> torch.Tensor:
    return librng.torch.dropout(y, p, librng.torch.fork(rng.Stream(42), 7))


z: torch.Tensor = function(x, 0.5)
names: list[str] = librng.torch.uncovered("CUDA")
rows: dict[str, str] = librng.torch.coverage("CPU")
librng.torch.install_kernels()
librng.torch.uninstall_kernels()
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x), worker_init_fn=librng.torch.in_worker)
"""


def run(*arguments, folder=PACKAGE.parent):
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    if folder.name != "site-packages":  # mypy finds installed packages itself, and refuses their folder here
        environment["MYPYPATH"] = str(folder)
    result = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, env=environment)
    assert result.returncode == 0, result.stdout + result.stderr


def test_stubs_have_each_distribution():
    """The build writes these lines (tools/make_stubs.py)."""
    functions, compiled = (ast.parse((PACKAGE / name).read_text()) for name in ("__init__.pyi", "_rng.pyi"))
    (generator,) = (node for node in compiled.body if getattr(node, "name", "") == "Generator")
    for owner, nodes in ((rng, functions), (rng.Generator, generator)):
        named = {node.name: node.args for node in nodes.body if isinstance(node, ast.FunctionDef)}
        for name in rng.distributions:
            arguments, parameters = named[name], inspect.signature(getattr(owner, name)).parameters
            assert [x.arg for x in (*arguments.args, *arguments.kwonlyargs)] == list(parameters)
            defaults = [ast.literal_eval(x) for x in (*arguments.defaults, *arguments.kw_defaults)]
            assert defaults == [p.default for p in parameters.values() if p.default is not p.empty]


def test_the_quick_reference_has_the_signatures_of_the_stubs():
    run(HERE.parents[1] / "tests" / "docs" / "check_quick_reference.py", PACKAGE)


def test_stubs_are_true(tmp_path):
    """Of all modules; without torch, of all but librng.torch."""
    pytest.importorskip("mypy")
    left_out = [] if importlib.util.find_spec("torch") else ["torch.py*", "_torch_*.py"]
    shutil.copytree(PACKAGE, tmp_path / "librng", ignore=shutil.ignore_patterns("__pycache__", "rng", *left_out))
    # Private modules have no stubs, and no types that mypy could ask for.
    (tmp_path / "mypy.ini").write_text("[mypy]\ndisable_error_code = var-annotated\n")
    arguments = ("--ignore-missing-stub", "--ignore-unused-allowlist", "--allowlist", HERE / "stubtest_allowlist.txt", "--mypy-config-file", tmp_path / "mypy.ini")
    run("-m", "mypy.stubtest", "librng", *arguments, folder=tmp_path)


def test_programs_pass_strict_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "program.py").write_text(PROGRAM)
    run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / "program.py")


def test_programs_with_torch_pass_strict_mypy(tmp_path):
    pytest.importorskip("mypy")
    pytest.importorskip("torch")
    (tmp_path / "program.py").write_text(WITH_TORCH)
    run("-m", "mypy", "--strict", "--cache-dir", tmp_path / "cache", tmp_path / "program.py")
