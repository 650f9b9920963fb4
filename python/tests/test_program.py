"""python -m librng is the program rng: the same output, errors, exit codes and ends by signals as the C++ program that the build
names in RNG_PROGRAM."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import librng.__main__
import numpy as np
import pytest

OURS = [sys.executable, "-m", "librng"]
pytestmark = pytest.mark.skipif(not librng.__main__.PROGRAM.exists(), reason="built without CLI11")


@pytest.fixture
def theirs():
    program = os.environ.get("RNG_PROGRAM")
    if not program:
        pytest.skip("RNG_PROGRAM is not set: there is no C++ program to compare with")
    return [program]


def run(program, *arguments):
    done = subprocess.run([*program, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=100)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        (0, "sample normal -n 5 --seed 42"),
        (0, "sample gamma -n 1000 --seed 7 --dtype f64 --format raw"),
        (0, "stream --seed 42 --bytes 100000"),
        (0, "list"),
        (0, "--version"),
        (0, "sample --help"),
        (0, "completion bash"),
        (1, "sample normal -n 5 -o /nowhere/x"),
        (2, ""),
        (2, "sampel"),
        (2, "sample normal -n 5 --stddev -1"),
        (2, "test --sed 42"),
    ],
)
def test_the_same_output_and_exit_code(theirs, code, arguments):
    ours = run(OURS, *arguments.split())
    assert ours == run(theirs, *arguments.split()) and ours[0] == code


def test_values_of_the_readme():
    code, output, _ = run(OURS, "sample", "normal", "-n", "2", "--seed", "42")
    assert code == 0 and [np.float32(x) for x in output.split()] == [np.float32("0.813999772"), np.float32("1.34617996")]


def ended(program, number):
    """How an endless output ends after its first bytes: by a signal, or (None) as its reader goes away."""
    options = {} if number is None else {"preexec_fn": lambda: signal.signal(number, signal.SIG_DFL)}  # a background job ignores SIGINT
    with subprocess.Popen([*program, "stream"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options) as process:
        assert len(process.stdout.read(1000)) == 1000
        if number is None:
            process.stdout.close()
        else:
            process.send_signal(number)
            latest = time.monotonic() + 100
            while process.stdout.read(1 << 20):
                assert time.monotonic() < latest, "the signal does not end the program"
        return process.wait(100), process.stderr.read()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, None], ids=str)
def test_the_same_end(theirs, number):
    assert ended(OURS, number) == ended(theirs, number)


def test_no_signal_is_ignored():
    """A program that ignores SIGPIPE would go on after its reader has gone."""
    program = "import librng.__main__ as m, os; os.execv = lambda *_: None; m.main(); print(open('/proc/self/status').read())"
    if not Path("/proc/self/status").exists():
        pytest.skip("no /proc")
    status = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    (ignored,) = (int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigIgn:"))
    assert not ignored & (1 << signal.SIGPIPE - 1 | 1 << signal.SIGXFSZ - 1)
