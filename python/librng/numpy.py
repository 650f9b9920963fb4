"""Our streams as a bit generator of NumPy.

    import numpy as np
    from librng.numpy import BitGenerator

    g = np.random.Generator(BitGenerator(42))
    x = g.random(1000)                    # the bits of rng.fill(x, rng.uniform(0, 1), rng.Stream(42))
"""

import numpy
from numpy.random import SeedSequence
from numpy.random.bit_generator import ISeedSequence

from librng import _rng
from librng._checks import count, integer

__all__ = ["BitGenerator"]


class BitGenerator(numpy.random.BitGenerator):
    """The 64-bit words of a stream, for numpy.random.Generator, RandomState and numba.

    seed is an int, a Stream or a Generator; words come from its position on. A Generator does not move on. None, a sequence of
    ints and a SeedSequence are taken as NumPy's own bit generators take them; SeedSequence(seed) has seeds of any size. Two bit
    generators of one stream repeat each other: give each worker one of spawn(), or a stream of its own. A draw past the end of
    the stream raises a SystemError, whose cause is an EndOfStream."""

    def __init__(self, seed=None, *, engine=None):
        stream, sequence = _stream(seed, engine)
        # Makes the lock and the structure that NumPy's C code reads, too.
        super().__init__(_sequence(stream) if sequence is None else sequence)
        self._children = 0
        self._source = _rng.BitSource(stream)
        self._source.attach(self.capsule)

    @property
    def state(self):
        """A dict of numbers and strings with all that the next numbers depend on."""
        source, stream = self._source, self._source.stream
        place = {"engine": stream.engine, "key": list(stream.key), "id": stream.id, "position": stream.position, "drawn": source.drawn,
                 "children": self._children}
        return {"bit_generator": type(self).__name__, "state": place, "has_uint32": int(source.half is not None),
                "uinteger": source.half or 0}

    @state.setter
    def state(self, value):
        kind = type(self).__name__
        if not isinstance(value, dict) or value.get("bit_generator") != kind:
            raise ValueError(f"{kind}.state: must be a state of {kind}")
        try:
            if "stream" in value:  # of 0.1.0
                stream, drawn, children, half = (value[key] for key in ("stream", "drawn", "children", "half"))
            else:
                place = value["state"]
                stream = _rng.Stream.from_key(place["key"], place["id"], place["position"], engine=place["engine"])
                drawn, children = place["drawn"], place["children"]
                half = value["uinteger"] if value["has_uint32"] else None
            drawn, children = count(kind, "drawn", drawn), count(kind, "children", children)
            self._source.restore(stream, drawn, half)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{kind}.state: must be a state of {kind}: {error!r}") from None
        self._children = children

    def __reduce__(self):
        return _restored, (type(self), self.state, self.seed_seq)

    def spawn(self, n_children):
        """n children that never coincide with each other or with this one, each counted."""
        n_children = count("BitGenerator.spawn", "n_children", n_children)
        first, self._children = self._children, self._children + n_children
        return [type(self)(self._source.stream.fork("numpy").fork(k)) for k in range(first, first + n_children)]


def _stream(seed, engine):
    """The stream of an argument, and its SeedSequence if it has one."""
    if isinstance(seed, (_rng.Stream, _rng.Generator)):
        if engine is not None:
            raise TypeError(f"BitGenerator: engine must not be given beside a {type(seed).__name__}, whose engine is {seed.engine}")
        return seed if isinstance(seed, _rng.Stream) else seed.stream(), None
    engine = {} if engine is None else {"engine": engine}
    if hasattr(seed, "__index__") and not getattr(seed, "shape", ()):
        return _rng.Stream(integer("BitGenerator", "seed", seed), **engine), None
    try:
        sequence = seed if isinstance(seed, ISeedSequence) else SeedSequence(seed)
    except (TypeError, ValueError) as error:
        raise type(error)(f"BitGenerator: seed must be an integer, a Stream, a Generator, or what a SeedSequence takes: {error}") from None
    return _rng.Stream(*sequence.generate_state(2, numpy.uint64).tolist(), **engine), sequence


def _sequence(stream):
    """A SeedSequence of the stream's own, so that what others spawn from it differs from seed to seed."""
    words = stream.fork("seed_seq")
    return SeedSequence([_rng.at(words, _rng.Distribution("bits"), i, dtype="uint32") for i in range(4)])


def _restored(kind, state, sequence=None):
    made = kind(state["stream"] if sequence is None else sequence)  # one state of 0.1.0 has no sequence
    made.state = state
    return made
