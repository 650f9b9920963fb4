"""Sums of a fixed order for librng.torch.reproducible(sums=True): torch's sums and additions by index, with the same bits on every device.

Sums are those of librng.sum (docs/reduce.md), whose terms are the reduced elements in row-major order. Additions by index are made one
after the other, in the order of the index. Integers, and types without sums in librng, keep torch's kernels."""

import math

import torch

from librng import _rng
from librng._torch_kernels import _check, _place

_ops = torch.ops.aten
_NAMES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.complex64: "c64", torch.complex128: "c128"}
_SUMS_OF = {torch.float16: torch.float32, torch.bfloat16: torch.float32}  # the others are added in their own type
KERNELS = {}  # name -> function


def _kernel(*names):
    return lambda function: KERNELS.update(dict.fromkeys(names, function)) or function


class _Theirs:
    """torch's own kernel of an operator, for tensors that are none of ours."""

    def __init__(self, name):
        self.name, self.kernels = name, {}

    def __call__(self, x, *args, **options):
        key = "CUDA" if x.is_cuda else "CPU"
        return self.kernels[key].call_boxed(torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key)), x, *args, **options)


def _is_ours(x):
    return x.dtype in _NAMES and _place(x) is not None


def _reduced(reduction, x, dims, keepdim=False, y=None, correction=0.0):
    """The reductions over some dimensions, all of them if dims is empty or None."""
    dims = sorted(d % x.dim() for d in dims) if dims and x.dim() else list(range(x.dim()))
    _check(len({*dims}) == len(dims), "dim appears multiple times in the list of dims")
    kept = [d for d in range(x.dim()) if d not in dims]
    terms = math.prod(x.shape[d] for d in dims)
    rows, columns = (t if t is None else t.permute(*kept, *dims).contiguous().resolve_conj().resolve_neg() for t in (x, y))
    made = _SUMS_OF.get(x.dtype, x.dtype)
    out = torch.empty([x.shape[d] for d in kept], dtype=made.to_real() if reduction in ("norm2", "variance") else made, device=x.device)
    if out.numel():
        _rng.reduce_at(reduction, reduction, rows.data_ptr(), 0 if y is None else columns.data_ptr(), _NAMES[x.dtype], terms, out.numel(), out.data_ptr(),
                       correction, *_place(x))
    return out.view([1 if d in dims else n for d, n in enumerate(x.shape)]) if keepdim else out


def _sums(name, reduction):
    """sum and mean: (self, dim, keepdim, *, dtype)."""
    theirs = _Theirs(name)

    @_kernel(name)
    def made(x, dims=None, keepdim=False, *, dtype=None):
        y = x if dtype is None else x.to(dtype)
        if not _is_ours(y) or reduction == "mean" and y.numel() == 0:
            return theirs(x, dims, keepdim, dtype=dtype)
        return _reduced(reduction, y, dims, keepdim).to(y.dtype)

    return theirs, made
