from typing import Any, SupportsIndex

import numpy

from librng._rng import Generator, Stream

__all__ = ["BitGenerator"]

class BitGenerator(numpy.random.BitGenerator):
    def __init__(self, seed: SupportsIndex | Stream | Generator, *, engine: str = "philox4x32-10") -> None: ...
    state: dict[str, Any]
    def spawn(self, n_children: int) -> list[BitGenerator]: ...
