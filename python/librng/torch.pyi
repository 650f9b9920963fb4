import contextlib
from collections.abc import Iterator
from typing import Literal, SupportsIndex

import torch
import torch.utils.data

from librng._rng import Stream

__all__ = [
    "EpochSampler",
    "as_tensor",
    "coverage",
    "dropout",
    "fork",
    "in_worker",
    "install_kernels",
    "normal",
    "position",
    "reproducible",
    "stream_of",
    "uncovered",
    "uninstall_kernels",
]

def as_tensor(stream: Stream) -> torch.Tensor: ...
def dropout(x: torch.Tensor, p: float, stream: Stream | torch.Tensor) -> torch.Tensor: ...
def fork(stream: Stream | torch.Tensor, tag: int) -> torch.Tensor: ...
def coverage(key: Literal["CPU", "CUDA"]) -> dict[str, str]: ...
def in_worker(_: int = 0) -> None: ...
def install_kernels() -> None: ...
def position(generator: torch.Generator | None = None) -> tuple[int, int]: ...
def reproducible(
    seed: SupportsIndex | None = None, *, compile: Literal["reset", "keep"] = "reset", everything: bool = True, sums: bool = False
) -> contextlib._GeneratorContextManager[None]: ...
def stream_of(seed: SupportsIndex, k: SupportsIndex) -> Stream: ...
def uncovered(key: Literal["CPU", "CUDA"] = "CPU") -> list[str]: ...
def uninstall_kernels() -> None: ...
def normal(out: torch.Tensor, mean: float, stddev: float, stream: Stream | torch.Tensor) -> torch.Tensor: ...

class EpochSampler(torch.utils.data.Sampler[int]):
    stream: Stream
    items: int
    ranks: int
    rank: int
    shuffle: bool
    drop_last: bool
    epoch: int
    def __init__(
        self,
        stream: Stream,
        items: SupportsIndex,
        *,
        ranks: SupportsIndex = 1,
        rank: SupportsIndex = 0,
        shuffle: bool = True,
        drop_last: bool = False,
    ) -> None: ...
    def set_epoch(self, epoch: SupportsIndex) -> None: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def numbers(self, item: SupportsIndex) -> Stream: ...
