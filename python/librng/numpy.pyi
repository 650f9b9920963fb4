from collections.abc import Sequence
from typing import Any, SupportsIndex

import numpy
from numpy.random.bit_generator import ISeedSequence

from librng._rng import Generator, Stream

__all__ = ["BitGenerator"]

class BitGenerator(numpy.random.BitGenerator):
    def __init__(
        self, seed: SupportsIndex | Sequence[int] | Stream | Generator | ISeedSequence | None = None, *, engine: str | None = None
    ) -> None: ...
    state: dict[str, Any]
    def spawn(self, n_children: SupportsIndex) -> list[BitGenerator]: ...
