from collections.abc import Iterator
from typing import SupportsIndex

import torch
import torch.utils.data

from librng._rng import Stream

__all__ = ["EpochSampler", "as_tensor", "dropout", "fork", "normal"]

def as_tensor(stream: Stream) -> torch.Tensor: ...
def dropout(x: torch.Tensor, p: float, stream: Stream | torch.Tensor) -> torch.Tensor: ...
def fork(stream: Stream | torch.Tensor, tag: int) -> torch.Tensor: ...
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
