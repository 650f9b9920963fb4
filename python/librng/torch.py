"""A sampler for torch's data loaders, whose order depends on a stream and an epoch alone.

    from librng.torch import EpochSampler

    sampler = EpochSampler(rng.Stream(42), len(data), ranks=4, rank=1)
    loader = torch.utils.data.DataLoader(data, batch_size=64, sampler=sampler, num_workers=8)
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for batch in loader: ...

A data set takes the random numbers of an item from sampler.numbers(item), a Stream: the same ones in any worker, on any rank, and after
a restart. The order, the items of each rank and the numbers are those of rng::EpochSampler in C++ (docs/contract.md, A.23).
"""

import torch.utils.data

from librng import _rng
from librng._order import _count, permutation

__all__ = ["EpochSampler"]


class EpochSampler(torch.utils.data.Sampler):
    """The items of an epoch for one rank, as torch.utils.data.DistributedSampler shares them: sample k of rank r has the place
    r + k ranks. If the items cannot be shared evenly, the epoch begins again after its end; with drop_last its tail is left out."""

    def __init__(self, stream, items, *, ranks=1, rank=0, shuffle=True, drop_last=False):
        if not isinstance(stream, _rng.Stream):
            raise TypeError(f"EpochSampler: stream must be a Stream, got {type(stream).__name__}")
        self.stream, self.items = stream, _count("EpochSampler", "items", items)
        self.ranks, self.rank = _count("EpochSampler", "ranks", ranks), _count("EpochSampler", "rank", rank)
        if self.ranks == 0:
            raise ValueError("EpochSampler: ranks must be at least 1, got 0")
        if self.rank >= self.ranks:
            raise ValueError(f"EpochSampler: rank must be below ranks = {self.ranks}, got {self.rank}")
        self.shuffle, self.drop_last, self.epoch = shuffle, drop_last, 0

    def set_epoch(self, epoch):
        """Chooses the epoch, from 0 on. Call it before each loop over the loader."""
        self.epoch = _count("EpochSampler.set_epoch", "epoch", epoch)

    def __len__(self):
        whole, rest = divmod(self.items, self.ranks)
        return whole + (0 if self.drop_last or rest == 0 else 1)

    def __iter__(self):
        places = ((self.rank + k * self.ranks) % self.items for k in range(len(self)))
        if not self.shuffle:
            return places
        order = permutation(self.items, self.stream.fork("order").fork(self.epoch))
        return (int(order[place]) for place in places)

    def numbers(self, item):
        """The Stream of an item in this epoch."""
        return self.stream.fork("numbers").fork(self.epoch).fork(item)
