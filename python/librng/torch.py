"""torch: operators that torch.compile keeps in its graph, and a sampler for data loaders.

    from librng.torch import as_tensor, dropout, fork, normal

    @torch.compile(fullgraph=True)
    def layers(x, step):                                 # step: a stream as a tensor, which no compiled code depends on
        x = dropout(first(x), 0.1, fork(step, 0))        # the backward pass makes the mask again, and none is stored
        return dropout(second(x), 0.1, fork(step, 1))

    for k in range(1000):
        layers(x, as_tensor(training.fork(k)))

The sampler's order depends on a stream and an epoch alone:

    from librng.torch import EpochSampler

    sampler = EpochSampler(rng.Stream(42), len(data), ranks=4, rank=1)
    loader = torch.utils.data.DataLoader(data, batch_size=64, sampler=sampler, num_workers=8)
    for epoch in range(100):
        sampler.set_epoch(epoch)
        for batch in loader: ...

A data set takes the random numbers of an item from sampler.numbers(item), a Stream: the same ones in any worker, on any rank, and after
a restart. The order, the items of each rank and the numbers are those of rng::EpochSampler in C++ (docs/contract.md, A.23).
"""

import torch
import torch.utils.data

import librng
from librng import _rng
from librng._errors import InvalidArgument
from librng._order import _count, permutation

__all__ = ["EpochSampler", "as_tensor", "dropout", "fork", "normal"]

# Operators have the names rng::normal, rng::dropout and rng::fork. Their arguments are tensors and numbers, as a graph of torch has
# them: a stream is a tensor of the bytes that a pickle of the Stream has.


def as_tensor(stream):
    """A Stream as a tensor of 88 bytes on the CPU. A compiled function takes this tensor, so another stream compiles nothing anew."""
    if not isinstance(stream, _rng.Stream):
        raise TypeError(f"as_tensor: stream must be a Stream, got {type(stream).__name__}")
    return torch.frombuffer(bytearray(stream.__getstate__()), dtype=torch.uint8)


def _tensor(call, stream):
    if isinstance(stream, torch.Tensor) and stream.dtype == torch.uint8:
        return stream
    if isinstance(stream, _rng.Stream):
        return as_tensor(stream)
    kind = stream.dtype if isinstance(stream, torch.Tensor) else type(stream).__name__
    raise TypeError(f"{call}: stream must be a Stream or a tensor of as_tensor, got {kind}")


def _stream(tensor):
    stream = _rng.Stream.__new__(_rng.Stream)
    stream.__setstate__(bytes(tensor.tolist()))
    return stream


@torch.library.custom_op("rng::fork", mutates_args=())
def _fork(stream: torch.Tensor, tag: int) -> torch.Tensor:
    return as_tensor(_stream(stream).fork(tag))


@_fork.register_fake
def _(stream, tag):
    return torch.empty_like(stream)


def fork(stream, tag):
    """The child with a number below 2^56, as a tensor: as_tensor(Stream.fork(tag)), also in compiled functions."""
    return _fork(_tensor("fork", stream), tag)


@torch.library.custom_op("rng::normal", mutates_args={"out"})
def _normal(out: torch.Tensor, mean: float, stddev: float, stream: torch.Tensor) -> None:
    _rng.fill(out, librng.normal(mean, stddev), _stream(stream))


@_normal.register_fake
def _(out, mean, stddev, stream):
    return None


def normal(out, mean, stddev, stream):
    """Fills a tensor with normal numbers, and returns it: rng.fill(out, rng.normal(mean, stddev), stream), also in compiled functions.

    stream is a Stream, or its tensor."""
    _normal(out, mean, stddev, _tensor("normal", stream))
    return out


@torch.library.custom_op("rng::dropout", mutates_args=())
def _dropout(x: torch.Tensor, p: float, stream: torch.Tensor) -> torch.Tensor:
    kept = torch.empty(x.shape, dtype=torch.bool, device=x.device)
    _rng.fill(kept, librng.bernoulli(1 - p), _stream(stream))
    return _scaled(x, p).masked_fill_(~kept, 0)


def _scaled(x, p):
    return x * (1 / (1 - p) if p < 1 else 0.0)


@_dropout.register_fake
def _(x, p, stream):
    return _scaled(x, p)


def _keep(ctx, inputs, output):  # torch calls it by these names
    _, ctx.p, stream = inputs
    ctx.save_for_backward(stream)


def _backward(ctx, gradient):
    return _dropout(gradient, ctx.p, *ctx.saved_tensors), None, None


_dropout.register_autograd(_backward, setup_context=_keep)


def dropout(x, p, stream):
    """x with each element set to 0 with probability p in [0, 1], and the others multiplied by 1 / (1 - p).

    Element i in row-major order is kept if value i of rng.bernoulli(1 - p) of the stream is 1, on every device. The backward pass makes
    these values again, and no mask is stored. stream is a Stream, or its tensor. Take another one for each layer and step."""
    if not 0 <= p <= 1:
        raise InvalidArgument(f"dropout: p must be in [0, 1], got {p}")
    if not x.is_floating_point() and not x.is_complex():
        raise TypeError(f"dropout: x must have real or complex elements, got {x.dtype}")
    return _dropout(x, p, _tensor("dropout", stream))


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
