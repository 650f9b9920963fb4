"""Dropout for torch whose mask is a pure function of a stream: the backward pass makes the mask again, and keeps no memory for it.

    python dropout.py        needs torch

A step that is computed again (checkpointing), or on another machine, has the same mask. torch's own dropout keeps its mask, or the
state of a global generator.
"""

import torch

import librng as rng


class Dropout(torch.autograd.Function):
    """x with each element set to 0 with probability p, and the others divided by 1 - p."""

    @staticmethod
    def mask(shape, p, stream):
        return rng.fill(torch.empty(shape, dtype=torch.bool), rng.bernoulli(p=1 - p), stream)

    @staticmethod
    def forward(ctx, x, p, stream):
        ctx.p, ctx.stream = p, stream
        return x * Dropout.mask(x.shape, p, stream) / (1 - p)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * Dropout.mask(gradient.shape, ctx.p, ctx.stream) / (1 - ctx.p), None, None


def main():
    layer = rng.Stream(42).fork("layer 3")
    x = torch.ones(1000, 1000, requires_grad=True)
    y = Dropout.apply(x, 0.25, layer.fork(17))  # step 17
    y.sum().backward()
    assert torch.equal(x.grad, y.detach()), "forward and backward have different masks"
    assert not torch.equal(y, Dropout.apply(x, 0.25, layer.fork(18)))
    print(f"kept {(y != 0).double().mean():.4f} of the elements; the backward pass made the same mask again")


if __name__ == "__main__":
    main()
