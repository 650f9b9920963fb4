"""Dropout for torch whose mask is a pure function of a stream: the backward pass makes the mask again, and keeps no memory for it.

    python dropout.py        needs torch

A layer that is computed again (checkpointing), compiled, or on another machine, has the same mask. torch's own dropout keeps its mask,
or the state of a global generator.
"""

import torch
from torch.utils.checkpoint import checkpoint

import librng as rng
from librng.torch import dropout


def main():
    layer = rng.Stream(42).fork("layer 3")
    step = layer.fork(17)
    x = torch.ones(1000, 1000, requires_grad=True)
    y = dropout(x, 0.25, step)
    (gradient,) = torch.autograd.grad(y.sum(), x)
    assert torch.equal(gradient, y), "forward and backward have different masks"
    # The layer runs again in the backward pass; no state of a generator is kept for that.
    again = checkpoint(dropout, x, 0.25, step, use_reentrant=False, preserve_rng_state=False)
    assert torch.equal(torch.autograd.grad(again.sum(), x)[0], gradient)
    assert not torch.equal(y, dropout(x, 0.25, layer.fork(18)))
    print(f"kept {(y != 0).double().mean():.4f} of the elements; the backward pass made the same mask again")


if __name__ == "__main__":
    main()
