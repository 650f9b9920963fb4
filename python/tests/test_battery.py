"""The battery passes sound generators and finds a flawed one, whatever kind of source they are."""

import hashlib
import itertools
import random

import librng as rng
import numpy as np
import pytest

pytestmark = pytest.mark.skipif(not hasattr(rng._rng, "run_battery"), reason="built without Boost.Math")
SIZE = 1 << 22


def hashed():
    """Bytes of SHAKE-128 of a counter."""
    counter = itertools.count()
    return lambda n: hashlib.shake_128(next(counter).to_bytes(8, "little")).digest(n)


@pytest.mark.parametrize(
    "source",
    [
        rng.Stream(42),
        rng.Generator(42, engine="threefry4x64-20"),
        np.random.default_rng(42),
        np.random.Philox(42),
        hashed(),
    ],
)
def test_sound_generators_pass(source):
    report = rng.test(source, bytes=SIZE)
    assert report.verdict == "pass" and "pass" in str(report).lower()
    assert report.to_dict()


def test_a_counter_fails(tmp_path):
    state = [0]

    def counter(n):
        first = state[0]
        state[0] += n // 4
        return np.arange(first, state[0], dtype="u4")

    report = rng.test(counter, bytes=SIZE, name="a counter")
    assert report.verdict == "fail"
    report.html(tmp_path / "report.html")
    assert "a counter" in (tmp_path / "report.html").read_text()


def test_the_mersenne_twister_fails():
    """Its bits are linear over GF(2) (docs/statistics.md)."""
    assert rng.test(random.Random(42).randbytes, bytes=SIZE).verdict == "fail"


class Raw:
    def random_raw(self, n):
        return "words"


def test_what_is_refused(refused):
    refused(
        (lambda: rng.test(42), TypeError, "got int"),
        (lambda: rng.test(rng.Stream(1), "long"), ValueError, "tier must be"),
        *((lambda n=n: rng.test(rng.Stream(1), bytes=n), ValueError, rf"^test: bytes must be in \[8192, 2\^60\], got {n}$") for n in (-1, 0, 100, 2**60 + 1)),
        (lambda: rng.test(rng.Stream(1), bytes=SIZE, only=["no such test"]), ValueError, "^test: .* got no such test"),
        (lambda: rng.test(rng.Stream(1), bytes=SIZE, only="rank"), TypeError, "^test: only must be a list of names of tests, got 'rank'$"),
        (lambda: rng.test(rng.Stream(1), bytes=SIZE, only=3), TypeError, "^test: only must be a list of names of tests, got 3$"),
        *((lambda n=n: rng.test(hashed(), bytes=SIZE, word_bits=n), ValueError, f"^test: word_bits must be 8, 16, 32 or 64, got {n}$") for n in (0, 7, 2**40)),
        (lambda: rng.test(rng.Stream(1), bytes=SIZE, threads=2**31), ValueError, r"^test: threads must be in \[0, 2\^31\), got 2147483648$"),
        *((lambda made=made: rng.test(lambda n: made, bytes=SIZE), TypeError,
           f"^test: the result of the function must be bytes or an array of numbers, got {type(made).__name__}$") for made in ([1], "x" * 2**16, None)),
        (lambda: rng.test(Raw(), bytes=SIZE), TypeError, "^test: the result of the function must be bytes or an array of numbers, got str$"),
        (lambda: rng.test(lambda n: np.array(["ab"]), bytes=SIZE), TypeError, "^test: the result of the function has elements of a type without values"),
        (lambda: rng.test(lambda n: bytes(n + 1), bytes=SIZE), ValueError,
         "^test: the function must return at most the 65536 bytes that it is asked for, without gaps, got 65537$"),
        (lambda: rng.test(lambda n: 1 / 0, bytes=SIZE), ZeroDivisionError, "division"),
    )
