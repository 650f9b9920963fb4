"""numpy.random.Generator over our words."""

import pickle

import librng as rng
import numpy as np
import pytest
from librng.numpy import BitGenerator

ENGINES = ("philox4x32-10", "philox4x64-10", "threefry4x32-20", "threefry4x64-20")


@pytest.mark.parametrize("engine", ENGINES)
def test_random_is_our_uniform(engine):
    x = np.random.Generator(BitGenerator(42, engine=engine)).random(1000)
    assert np.array_equal(x, rng.fill(np.empty(1000), rng.uniform(0, 1), rng.Stream(42, engine=engine)))


def test_numpys_philox_is_a_stream_of_ours():
    """numpy.random.Philox begins at block 1."""
    ours = BitGenerator(rng.Stream(42, engine="philox4x64-10").at_position(8))
    theirs = np.random.Philox(key=42)
    assert np.array_equal(ours.random_raw(1000), theirs.random_raw(1000))
    a, b = np.random.Generator(ours), np.random.Generator(theirs)
    for draw in (lambda g: g.integers(0, 10, 7, dtype=np.uint32), lambda g: g.standard_normal(100), lambda g: g.random(5, np.float32),
                 lambda g: g.permutation(100), lambda g: g.gamma(2.5, size=20), lambda g: g.random(3)):
        assert np.array_equal(draw(a), draw(b))


def test_pickles_keep_the_half_word():
    g = np.random.Generator(BitGenerator(42))
    g.random(300)
    g.integers(0, 10, 3, dtype=np.uint32)  # an odd number of half words
    again = pickle.loads(pickle.dumps(g))
    other = np.random.Generator(BitGenerator(0))
    other.bit_generator.state = g.bit_generator.state
    expected = g.integers(0, 2**32, 5, dtype=np.uint32).tolist(), g.random(500).tolist()
    for made in (again, other):
        assert (made.integers(0, 2**32, 5, dtype=np.uint32).tolist(), made.random(500).tolist()) == expected


def test_children():
    b = BitGenerator(42)
    children = b.spawn(3) + b.spawn(2) + np.random.Generator(b).spawn(2)
    words = {int(c.random_raw() if hasattr(c, "random_raw") else c.bit_generator.random_raw()) for c in children}
    assert len(words) == 7


def test_a_generator_gives_its_place():
    g = rng.Generator(42)
    g.normal(10)
    assert BitGenerator(g).random_raw() == rng.at(rng.Stream(42), rng.bits(), 10, dtype="uint64")
    assert g.position == 20


def test_old_interfaces():
    assert np.random.RandomState(BitGenerator(42)).random_sample() == rng.at(rng.Stream(42), rng.uniform(), 0)
    with pytest.raises(ValueError, match="must be a state of BitGenerator"):
        BitGenerator(1).state = np.random.Philox(1).state
