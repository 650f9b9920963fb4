"""Tensors of torch as memory: what a call may read or write, and where the elements are. The module _rng calls these functions.

Each message begins with the name of the call and of the argument."""

import sys


def refuse_gradients(x, call, name):
    """No function of librng but those of librng.torch has a gradient, and a gradient must not get lost without a word."""
    torch = sys.modules["torch"]
    if (x.requires_grad and torch.is_grad_enabled()) or torch.autograd.forward_ad.unpack_dual(x).tangent is not None:
        raise TypeError(f"{call}: {name} requires a gradient, which this call does not compute: pass {name}.detach(), or call it under torch.no_grad()")


def refuse_lazy_bits(x, call, name):
    """Views by conj() or imag may be lazy: the memory holds other values than the tensor has."""
    if x.is_conj() or x.is_neg():
        raise TypeError(f"{call}: {name} is a view whose memory holds conjugate or negative values: pass a tensor of its own, then copy_() it")


def plain(x, call, name, is_written):
    """x, or for reading a copy without lazy bits."""
    refuse_gradients(x, call, name)
    if is_written:
        refuse_lazy_bits(x, call, name)
    else:
        x = x.resolve_conj().resolve_neg()
    try:
        is_there = not isinstance(x, sys.modules["torch"]._subclasses.FakeTensor) and (x.data_ptr() != 0 or x.numel() == 0)
    except RuntimeError:  # tensors inside of vmap or of grad, sparse ones
        is_there = False
    if not is_there:
        raise TypeError(f"{call}: {name} is a tensor without memory of its own: {type(x).__name__}, device {x.device}, {x.layout}")
    return x


def memory(x, call, name, is_written):
    """The tensor that holds the memory; address, type, shape, and strides in elements."""
    x = plain(x, call, name, is_written)
    if x.device.type != "cpu":
        raise TypeError(f"{call}: {name} must be in the CPU's memory, got {x.device}")
    return x, x.data_ptr(), str(x.dtype)[6:], x.shape, x.stride()


def written(x):
    """Tells autograd that x has other values: a gradient that needs the old ones is an error."""
    if not x.is_inference():
        sys.modules["torch"].autograd.graph.increment_version(x)
