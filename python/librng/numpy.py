"""Our streams as a bit generator of NumPy.

    import numpy as np
    from librng.numpy import BitGenerator

    g = np.random.Generator(BitGenerator(42))
    x = g.random(1000)                    # the bits of rng.fill(x, rng.uniform(0, 1), rng.Stream(42))
"""

import numpy

from librng import _rng

__all__ = ["BitGenerator"]


class BitGenerator(numpy.random.BitGenerator):
    """The 64-bit words of a stream, for numpy.random.Generator, RandomState and numba.

    seed is an int, a Stream or a Generator; words come from its position on. A Generator does not move on. Two bit generators of
    one stream repeat each other: give each worker one of spawn(), or a stream of its own."""

    def __init__(self, seed, *, engine="philox4x32-10"):
        super().__init__(0)  # makes the lock and the structure that NumPy's C code reads
        if isinstance(seed, _rng.Generator):
            seed = seed.stream()
        self._children = 0
        self._source = _rng.BitSource(seed if isinstance(seed, _rng.Stream) else _rng.Stream(seed, engine=engine))
        self._source.attach(self.capsule)

    @property
    def state(self):
        """A dict with all that the next numbers depend on."""
        source = self._source
        return {"bit_generator": type(self).__name__, "stream": source.stream, "drawn": source.drawn, "half": source.half,
                "children": self._children}

    @state.setter
    def state(self, value):
        if not isinstance(value, dict) or value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state: must be a state of {type(self).__name__}")
        self._source.restore(value["stream"], value["drawn"], value["half"])
        self._children = value["children"]

    def __reduce__(self):
        return _restored, (type(self), self.state)

    def __getstate__(self):
        return self.state

    def __setstate__(self, state):
        self.state = state

    def spawn(self, n_children):
        """n children that never coincide with each other or with this one, each counted."""
        if n_children < 0:
            raise ValueError(f"spawn: n_children must be at least 0, got {n_children}")
        first, self._children = self._children, self._children + n_children
        return [type(self)(self._source.stream.fork("numpy").fork(k)) for k in range(first, first + n_children)]


def _restored(kind, state):
    made = kind(0)
    made.state = state
    return made
