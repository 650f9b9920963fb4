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

Under torch.func.vmap a stream gives each row the same numbers, which randomness="same" allows. Other modes raise a RuntimeError. A batch
of streams, torch.stack([as_tensor(stream.fork(i)) for i in range(n)]), gives each row those of its own stream, in every mode.
"""

import torch
import torch.utils.data

import librng
from librng import _rng
from librng._checks import count, integer, one_of
from librng._errors import InvalidArgument
from librng._order import permutation
from librng._tensors import refuse_gradients, refuse_lazy_bits
from librng._torch_region import coverage, in_worker, install_kernels, reproducible, uncovered, uninstall_kernels
from librng._torch_sequence import position, stream_of

__all__ = ["EpochSampler", "as_tensor", "coverage", "dropout", "fork", "in_worker", "install_kernels", "normal", "position", "reproducible", "stream_of",
           "uncovered", "uninstall_kernels"]

# Operators have the names rng::normal, rng::dropped and rng::fork. Their arguments are tensors and numbers, as a graph of torch has
# them: a stream is a tensor of the bytes that a pickle of the Stream has.


def as_tensor(stream):
    """A Stream as a tensor of 88 bytes on the CPU. A compiled function takes this tensor, so another stream compiles nothing anew."""
    one_of("as_tensor", "stream", stream, _rng.Stream, "a Stream")
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


def _rows(call, randomness, n, x, of_x, stream, of_stream):
    """For vmap over n rows of x, along of_x, and a stream, or streams along of_stream: what each row of the result is made from. One pair
    stands for all rows."""
    rows = [x] * n if of_x is None else x.unbind(of_x)
    if of_stream is not None:
        return zip(rows, stream.unbind(of_stream))
    if randomness == "same":
        return [(rows[0], stream)]
    raise RuntimeError(f"{call}: vmap with randomness={randomness!r} needs a stream for each row, a batch of tensors of as_tensor; "
                       "with randomness='same' one stream gives all rows the same numbers")


@torch.library.custom_op("rng::fork", mutates_args=())
def _fork(stream: torch.Tensor, tag: int) -> torch.Tensor:
    return as_tensor(_stream(stream).fork(tag))


@_fork.register_fake
def _(stream, tag):
    return torch.empty_like(stream)


@_fork.register_vmap
def _(info, in_dims, stream, tag):
    return torch.stack([_fork(each, tag) for each in stream.unbind(in_dims[0])]), 0


def fork(stream, tag):
    """The child with a number below 2^56, as a tensor: as_tensor(Stream.fork(tag)), also in compiled functions."""
    if isinstance(tag, bool) or not hasattr(tag, "__index__"):
        raise TypeError(f"fork: tag must be an integer, got {type(tag).__name__}")
    if not 0 <= tag < 2**56:
        raise InvalidArgument(f"fork: tag must be in [0, 2^56), got {tag}")
    return _fork(_tensor("fork", stream), tag)


@torch.library.custom_op("rng::normal", mutates_args={"out"})
def _normal(out: torch.Tensor, mean: float, stddev: float, stream: torch.Tensor) -> None:
    _rng.fill_as("normal", out, librng.normal(mean, stddev), _stream(stream))


@_normal.register_fake
def _(out, mean, stddev, stream):
    return None


@_normal.register_vmap
def _(info, in_dims, out, mean, stddev, stream):
    if in_dims[0] is None:
        raise RuntimeError("normal: vmap over streams needs an out with a row for each")
    for row, each in _rows("normal", info.randomness, info.batch_size, out, in_dims[0], stream, in_dims[3]):
        _normal(row, mean, stddev, each)
    if in_dims[3] is None:
        out.copy_(out.select(in_dims[0], 0).clone().unsqueeze(in_dims[0]))
    return None, None


def normal(out, mean, stddev, stream):
    """Fills a tensor with normal numbers, and returns it: rng.fill(out, rng.normal(mean, stddev), stream), also in compiled functions.

    A tensor that requires a gradient is refused outside of torch.no_grad(). stream is a Stream, or its tensor."""
    one_of("normal", "out", out, torch.Tensor, "a tensor")
    for name, value in ("out", out), ("mean", mean), ("stddev", stddev):
        if isinstance(value, torch.Tensor):
            refuse_gradients(value, "normal", name)
    if not torch.compiler.is_compiling():
        refuse_lazy_bits(out, "normal", "out")
    _normal(out, mean, stddev, _tensor("normal", stream))
    return out


@torch.library.custom_op("rng::dropped", mutates_args=())
def _dropped(x: torch.Tensor, p: float, stream: torch.Tensor, again: bool) -> torch.Tensor:
    """The mask of the elements that dropout sets to 0, laid out as x. It has no gradient. again is true for a mask that has been made
    before, for a derivative: vmap then asks for no randomness."""
    mask = torch.empty_like(x, dtype=torch.bool)
    kept = mask if mask.is_contiguous() else torch.empty(x.shape, dtype=torch.bool, device=x.device)
    return torch.logical_not(_rng.fill_as("dropout", kept, librng.bernoulli(1 - p), _stream(stream)), out=mask)


@_dropped.register_fake
def _(x, p, stream, again):
    return torch.empty_like(x, dtype=torch.bool)


@_dropped.register_vmap
def _(info, in_dims, x, p, stream, again):
    rows = _rows("dropout", "same" if again else info.randomness, info.batch_size, x, in_dims[0], stream, in_dims[2])
    made = [_dropped(row, p, each, again) for row, each in rows]
    return (made[0], None) if in_dims[2] is None else (torch.stack(made), 0)


class _Dropout(torch.autograd.Function):
    """dropout: a linear function of x, so that its derivative is itself. The mask is made again, and only the stream is stored."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x, p, stream, again):
        return torch.where(_dropped(x.detach(), p, stream, again), 0, x * (1 / (1 - p) if p < 1 else 0.0))

    @staticmethod
    def setup_context(ctx, inputs, output):
        _, ctx.p, stream, _ = inputs
        ctx.save_for_backward(stream)
        ctx.save_for_forward(stream)

    @staticmethod
    def backward(ctx, gradient):
        return _linear(gradient, ctx.p, *ctx.saved_tensors, True), None, None, None


class _ForwardDropout(_Dropout):
    """The same with a rule for forward mode. torch.compile traces no function with such a rule, and needs none."""

    @staticmethod
    def jvp(ctx, tangent, *_):
        return _linear(tangent, ctx.p, *ctx.saved_tensors, True)


def _linear(*arguments):
    return (_Dropout if torch.compiler.is_compiling() else _ForwardDropout).apply(*arguments)


def dropout(x, p, stream):
    """x with each element set to 0 with probability p in [0, 1], and the others multiplied by 1 / (1 - p).

    Element i in row-major order is kept if value i of rng.bernoulli(1 - p) of the stream is 1, on every device. The backward pass makes
    these values again, and no mask is stored. Gradients of any order, forward mode and torch.func see the same mask. stream is a Stream,
    or its tensor. Take another one for each layer and step."""
    one_of("dropout", "x", x, torch.Tensor, "a tensor")
    if isinstance(p, torch.Tensor):
        refuse_gradients(p, "dropout", "p")
    if not 0 <= p <= 1:
        raise InvalidArgument(f"dropout: p must be in [0, 1], got {p}")
    if not x.is_floating_point() and not x.is_complex():
        raise TypeError(f"dropout: x must have real or complex elements, got {x.dtype}")
    return _linear(x, float(p), _tensor("dropout", stream), False)


class _Item(int):
    """An item of an epoch. The copy of a sampler in a worker that persists does not hear of set_epoch, but it gets the items."""

    def __new__(cls, item, epoch):
        self = int.__new__(cls, item)
        self.epoch = epoch
        return self

    def __reduce__(self):
        return _received, (int(self), self.epoch)


_epoch_of_worker = None  # in a worker: that of the items it has got last


def _received(item, epoch):
    global _epoch_of_worker
    if torch.utils.data.get_worker_info() is not None:
        _epoch_of_worker = epoch
    return _Item(item, epoch)


class EpochSampler(torch.utils.data.Sampler):
    """The items of an epoch for one rank, as torch.utils.data.DistributedSampler shares them: sample k of rank r has the place
    r + k ranks. If the items cannot be shared evenly, the epoch begins again after its end; with drop_last its tail is left out.

    Items are integers that know their epoch, so workers may persist (DataLoader's persistent_workers=True)."""

    def __init__(self, stream, items, *, ranks=1, rank=0, shuffle=True, drop_last=False):
        self.stream, self.items = one_of("EpochSampler", "stream", stream, _rng.Stream, "a Stream"), count("EpochSampler", "items", items)
        self.ranks, self.rank = count("EpochSampler", "ranks", ranks), count("EpochSampler", "rank", rank)
        if self.ranks == 0:
            raise InvalidArgument("EpochSampler: ranks must be at least 1, got 0")
        if self.rank >= self.ranks:
            raise InvalidArgument(f"EpochSampler: rank must be below ranks = {self.ranks}, got {self.rank}")
        self.shuffle, self.drop_last, self.epoch = shuffle, drop_last, 0

    def set_epoch(self, epoch):
        """Chooses the epoch, from 0 on. Call it before each loop over the loader."""
        self.epoch = count("EpochSampler.set_epoch", "epoch", epoch)

    def __len__(self):
        whole, rest = divmod(self.items, self.ranks)
        return whole + (0 if self.drop_last or rest == 0 else 1)

    def __iter__(self):
        epoch = self.epoch
        places = ((self.rank + k * self.ranks) % self.items for k in range(len(self)))
        if not self.shuffle:
            return (_Item(place, epoch) for place in places)
        order = permutation(self.items, self.stream.fork("order").fork(epoch))
        return (_Item(order[place], epoch) for place in places)

    def numbers(self, item):
        """The Stream of an item in its epoch. That of any other integer is the epoch of the items that are at work: in a worker those it
        has got last, and else that of set_epoch."""
        epoch = getattr(item, "epoch", None)
        if epoch is None:
            epoch = self.epoch if _epoch_of_worker is None else _epoch_of_worker
        return self.stream.fork("numbers").fork(epoch).fork(integer("EpochSampler.numbers", "item", item))
