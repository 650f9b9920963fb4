"""numpy.random.Generator over our words."""

import json
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


def words(generator, n=4):
    return np.random.Generator(generator).integers(0, 2**64, n, dtype=np.uint64).tolist()


def test_children_of_the_seed_sequence():
    """Dask, scikit-learn and SciPy spawn from seed_seq, and make a bit generator of the same class from a child."""
    made = [words(BitGenerator(b.seed_seq.spawn(1)[0])) for b in (BitGenerator(1), BitGenerator(2), BitGenerator(rng.Stream(1).fork("x")), BitGenerator(0))]
    assert len({tuple(each) for each in made}) == 4
    assert words(BitGenerator(BitGenerator(1).seed_seq.spawn(1)[0])) == made[0]
    b = BitGenerator(1)
    for again in (b, pickle.loads(pickle.dumps(b))):  # the second child, also of a pickle
        first = b.seed_seq.spawn(1)[0]
        b = pickle.loads(pickle.dumps(b))
    assert words(BitGenerator(first)) not in made and b.seed_seq.n_children_spawned == 2


def test_seeds_as_numpy_takes_them():
    sequence = np.random.SeedSequence(2**100 + 7)
    low, high = sequence.generate_state(2, np.uint64).tolist()
    b = BitGenerator(sequence)
    assert b.seed_seq is sequence and words(b) == words(BitGenerator(rng.Stream(low, high)))
    assert words(BitGenerator([1, 2])) == words(BitGenerator(np.array([1, 2]))) == words(BitGenerator(np.random.SeedSequence([1, 2])))
    assert words(BitGenerator()) != words(BitGenerator(None))
    assert words(BitGenerator(np.int64(5))) == words(BitGenerator(np.array(5))) == words(BitGenerator(5)) != words(BitGenerator([5]))
    for seed, error in ((1.5, TypeError), ("x", TypeError), (2**64, ValueError), ([-1], ValueError), (True, TypeError)):
        with pytest.raises(error, match="^BitGenerator: seed "):
            BitGenerator(seed)


def test_states_are_json():
    b = BitGenerator(rng.Stream(3, 9, engine="threefry4x64-20"))
    np.random.Generator(b).integers(0, 10, 3, dtype=np.uint32)
    b.spawn(2)
    other = BitGenerator(0)
    other.state = json.loads(json.dumps(b.state))
    assert other.state == b.state and words(other, 2000) == words(b, 2000) and words(other.spawn(1)[0]) == words(b.spawn(1)[0])
    old = BitGenerator(0)
    old.state = {"bit_generator": "BitGenerator", "stream": rng.Stream(42), "drawn": 7, "half": None, "children": 0}  # as 0.1.0 has it
    assert old.random_raw() == rng.at(rng.Stream(42), rng.bits(), 7, dtype="uint64")
    for state in ({"bit_generator": "BitGenerator"}, {**b.state, "state": 3}, {**b.state, "state": {**b.state["state"], "drawn": -1}}, [], b.state["state"]):
        with pytest.raises(ValueError, match="^BitGenerator.state: must be a state of BitGenerator"):
            other.state = state


def test_the_end_of_a_stream():
    """All words of the stream are there, and the first one past it is an error and not the end of the process."""
    s = rng.Stream(1)
    for left in (0, 3, 2500):
        end = s.at_position(s.size_words - 2 * left)
        g = np.random.Generator(BitGenerator(end))
        assert g.random(left).tolist() == [rng.at(end, rng.uniform(), i) for i in range(left)]
        for draw in (lambda: g.random(1), g.random, lambda: g.standard_gamma(0.5, 10), lambda: g.integers(0, 10**15, 2000),
                     lambda: np.random.RandomState(g.bit_generator).standard_normal(3), lambda: g.bit_generator.random_raw()):
            with pytest.raises((SystemError, rng.EndOfStream)) as error:
                draw()
            cause = error.value
            while cause is not None and not isinstance(cause, rng.EndOfStream):
                cause = cause.__cause__ or cause.__context__
            assert str(cause) == "BitGenerator: past the end of the stream (a stream has 2^56 blocks)"


def test_a_generator_gives_its_place():
    g = rng.Generator(42)
    g.normal(10)
    assert BitGenerator(g).random_raw() == rng.at(rng.Stream(42), rng.bits(), 10, dtype="uint64")
    assert g.position == 20


def test_old_interfaces():
    assert np.random.RandomState(BitGenerator(42)).random_sample() == rng.at(rng.Stream(42), rng.uniform(), 0)
    with pytest.raises(ValueError, match="must be a state of BitGenerator"):
        BitGenerator(1).state = np.random.Philox(1).state
