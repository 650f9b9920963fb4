"""Random programs of fills, children and states, and arrays of random shapes, strides and types: hypothesis looks for one that breaks
a rule. Its choices are the same in every run."""

import copy
import itertools
import pickle

import librng as rng
import numpy as np
import pytest
from librng import _rng
from librng._sampling import _LONG
from librng.numpy import BitGenerator

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, strategies as st  # noqa: E402

hypothesis.settings.register_profile(
    "rng", derandomize=True, database=None, deadline=None, max_examples=80, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("rng")

def descendant(stream, names):
    for name in names:
        stream = stream.fork(name)
    return stream


ENGINES = st.sampled_from(["philox4x32-10", "philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20"])
ROWS = [row for row in _rng.catalogue() if not row["dtype"].startswith("bf16")]  # NumPy has no bfloat16
streams = st.builds(  # of any engine, after up to three forks, at any position
    lambda seed, engine, names, position: descendant(rng.Stream(seed, engine=engine), names).at_position(position),
    st.integers(0, 2**64 - 1), ENGINES, st.lists(st.integers(0, 2**56 - 1) | st.text(max_size=5), max_size=3), st.integers(0, 2**40),
)


@st.composite
def laws(draw):
    """A law of the catalogue with the type of its numbers, and how many make a value."""
    row = draw(st.sampled_from(ROWS))
    base, _, parts = row["dtype"].partition("x")
    return rng.Distribution(row["name"]), np.dtype(_LONG[base]), int(parts or 1)


@st.composite
def arrays(draw, dtype, parts):
    """A view of zeros, and the memory: up to three dimensions in any order, with steps of either sign, at any address."""
    shape = draw(st.lists(st.integers(0, 6), max_size=3))
    steps = [draw(st.sampled_from([1, 1, 2, 3, -1, -2])) for _ in shape]
    offset = draw(st.sampled_from([0, 0, 1, 4, dtype.itemsize]))
    tail = [parts] if parts > 1 else []
    lengths = [n * abs(step) for n, step in zip(shape, steps)] + tail
    memory = bytearray(int(np.prod(lengths, dtype=int)) * dtype.itemsize + offset)
    view = np.ndarray(lengths, dtype, memory, offset)[(*(slice(None, None, step) for step in steps), ...)]
    order = draw(st.permutations(range(len(shape))))
    return view.transpose([*order, *range(len(shape), view.ndim)]), memory


@given(st.data(), streams, laws(), st.integers(0, 2**40))
def test_a_fill_writes_what_at_tells_and_nothing_else(data, stream, law, first):
    dist, dtype, parts = law
    view, memory = data.draw(arrays(dtype, parts))
    rng.fill(view, dist, stream, first=first)
    count = view.size // parts
    expected = np.array([rng.at(stream, dist, first + i, dtype=dtype) for i in range(count)], dtype)
    assert view.tobytes() == expected.tobytes()
    view[...] = 0
    assert not any(memory)


@given(st.data(), streams, laws())
def test_parts_of_a_fill_are_the_whole(data, stream, law):
    dist, dtype, parts = law
    n = data.draw(st.integers(0, 3000))
    cuts = [0, *sorted(data.draw(st.lists(st.integers(0, n), max_size=5))), n]
    shape = (n, parts) if parts > 1 else (n,)
    whole, by_stream, by_generator = (np.zeros(shape, dtype) for _ in range(3))
    rng.fill(whole, dist, stream)
    generator = rng.Generator(stream)
    for begin, end in itertools.pairwise(cuts):
        rng.fill(by_stream[begin:end], dist, stream, first=begin)
        rng.fill(by_generator[begin:end], dist, generator)
    assert whole.tobytes() == by_stream.tobytes() == by_generator.tobytes()


@st.composite
def steps(draw):
    """Something that moves a generator on: its name and arguments."""
    kind = draw(st.sampled_from(["fill", "skip", "fork", "split", "permutation"]))
    return (kind, *draw(laws())[:2], draw(st.integers(1, 40))) if kind == "fill" else (kind, draw(st.integers(1, 40)))


def take(generator, step):
    """Takes a step. Returns what it gave, as bytes."""
    kind, *arguments = step
    if kind == "fill":
        dist, dtype, n = arguments
        return rng.fill(np.empty((n, dist.parts) if dist.parts > 1 else n, dtype), dist, generator).tobytes()
    (n,) = arguments
    if kind == "skip":
        return generator.skip_words(n)
    if kind == "fork":
        return generator.fork().get_state()
    if kind == "split":
        return [child.get_state() for child in generator.split(n)]
    return rng.permutation(n, generator).tobytes()


COPIES = [lambda g: pickle.loads(pickle.dumps(g)), copy.deepcopy, lambda g: g.clone(), lambda g: restored(g.get_state())]


def restored(state):
    generator = rng.Generator(0)
    generator.set_state(state)
    return generator


@given(streams, st.lists(steps(), max_size=6), st.lists(steps(), min_size=1, max_size=4))
def test_a_copy_goes_on_as_its_original(stream, before, after):
    generator = rng.Generator(stream)
    for step in before:
        take(generator, step)
    copies = [made(generator) for made in COPIES]
    expected = [take(generator, step) for step in after]
    for again in copies:
        assert [take(again, step) for step in after] == expected and again.get_state() == generator.get_state()


@given(streams, st.integers(0, 2**64 - 1))
def test_streams_are_values(stream, number):
    for again in (pickle.loads(pickle.dumps(stream)), copy.deepcopy(stream), rng.Generator(stream).stream(),
                  rng.Stream.from_key(stream.key, stream.id, stream.position, engine=stream.engine)):
        assert again == stream and hash(again) == hash(stream) and repr(again) == repr(stream)
    other = stream.at_position(number % stream.size_words)
    assert (other == stream) == (other.position == stream.position)


@given(st.data(), streams)
def test_damaged_states_are_refused(data, stream):
    state = bytearray(rng.Generator(stream).get_state())
    state[data.draw(st.integers(0, len(state) - 1))] ^= data.draw(st.integers(1, 255))
    generator = rng.Generator(1)
    with pytest.raises(rng.BadState):
        generator.set_state(bytes(state))
    assert generator.get_state() == rng.Generator(1).get_state()


DRAWS = {
    "random": lambda g, n: g.random(n),
    "floats": lambda g, n: g.random(n, np.float32),
    "words": lambda g, n: g.integers(0, 2**32, n, dtype=np.uint32),
    "bytes": lambda g, n: np.frombuffer(g.bytes(n), "u1"),
    "normal": lambda g, n: g.standard_normal(n),
    "permutation": lambda g, n: g.permutation(n),
}
draws = st.lists(st.tuples(st.sampled_from(sorted(DRAWS)), st.integers(0, 700)), max_size=6)


@given(streams, draws, draws)
def test_numpys_generator_goes_on_after_a_pickle(stream, before, after):
    """Its state has a buffer, and the half of a word that an odd number of 32-bit draws leaves."""
    generator = np.random.Generator(BitGenerator(stream))
    for name, n in before:
        DRAWS[name](generator, n)
    again = pickle.loads(pickle.dumps(generator))
    for name, n in after:
        assert DRAWS[name](generator, n).tobytes() == DRAWS[name](again, n).tobytes()
