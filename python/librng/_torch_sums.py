"""Sums of a fixed order for librng.torch.reproducible(sums=True): torch's sums and additions by index, with the same bits on every device.

Sums are those of librng.sum (docs/reduce.md); their terms are the reduced elements in row-major order. Additions by index are made one after
the other, in row-major order of the index. Integers, and types that librng does not add, keep torch's kernels."""

import functools
import itertools
import math

import torch

from librng import _rng
from librng._torch_kernels import operator, place_of

_NAMES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64", torch.complex64: "c64", torch.complex128: "c128"}
_HALVES = (torch.float16, torch.bfloat16)  # added in float32
KERNELS = {}  # name -> function(torch's own kernel, the operator's arguments...)


def _kernel(*names):
    return lambda function: KERNELS.update(dict.fromkeys(names, function)) or function


def kernels():
    """(name, key, function) of each kernel for the operators that this torch has."""
    for name, key in itertools.product(KERNELS, ("CPU", "CUDA")):
        if operator(name) is not None and torch._C._dispatch_has_kernel_for_dispatch_key("aten::" + name, key):
            theirs = torch.library.get_kernel("aten::" + name, key).call_boxed
            yield name, key, functools.partial(KERNELS[name], functools.partial(theirs, torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))))


def _is_ours(*tensors):
    return all(t.dtype in _NAMES and place_of(t) and t.device == tensors[0].device for t in tensors)


def _plain(x):
    return x.contiguous().resolve_conj().resolve_neg()


# ---- sums ------------------------------------------------------------------------------------------------------------------------------


def _reduce(reduction, x, dims=None, keepdim=False, y=None, correction=0.0):
    """The reductions over some dimensions; over all of them if dims is empty or None."""
    dims = sorted(d % x.dim() for d in dims) if dims and x.dim() else list(range(x.dim()))
    if len({*dims}) != len(dims):
        raise RuntimeError(f"dim {next(d for d in dims if dims.count(d) > 1)} appears multiple times in the list of dims")
    kept = [d for d in range(x.dim()) if d not in dims]
    terms, by_columns = math.prod(x.shape[d] for d in dims), len(kept) > 0 and x.permute(*dims, *kept).is_contiguous()
    rows = [_plain(t.permute(*dims, *kept) if by_columns else t.permute(*kept, *dims)) for t in (x, y) if t is not None]
    made = torch.float32 if x.dtype in _HALVES else x.dtype
    out = torch.empty([x.shape[d] for d in kept], dtype=made.to_real() if reduction in ("norm2", "variance") else made, device=x.device)
    if out.numel():
        addresses = [t.data_ptr() for t in rows] + [0] * (y is None)
        _rng.reduce_at(reduction, reduction, *addresses, _NAMES[x.dtype], terms, out.numel(), by_columns, out.data_ptr(), float(correction),
                       *place_of(x))
    return out.view([1 if d in dims else n for d, n in enumerate(x.shape)]) if keepdim else out


def _given(made, out):
    return made if out is None else out.resize_(made.shape).copy_(made)


def _sums(reduction, theirs, x, dims=None, keepdim=False, *, dtype=None, out=None):
    y = x if dtype is None else x.to(dtype)
    if not _is_ours(y) or reduction == "mean" and y.numel() == 0:
        return theirs(x, dims, keepdim, dtype=dtype, **{} if out is None else {"out": out})
    return _given(_reduce(reduction, y, dims, keepdim).to(y.dtype), out)


_kernel("sum.dim_IntList", "sum.IntList_out")(functools.partial(_sums, "sum"))
_kernel("mean.dim", "mean.out")(functools.partial(_sums, "mean"))


@_kernel("linalg_vector_norm", "linalg_vector_norm.out")
def _(theirs, x, p=2, dims=None, keepdim=False, *, dtype=None, out=None):
    y = x if dtype is None else x.to(dtype)
    if p != 2 or not _is_ours(y):
        return theirs(x, p, dims, keepdim, dtype=dtype, **{} if out is None else {"out": out})
    made = _reduce("norm2", y, dims, keepdim)
    return _given(made.to(y.dtype) if y.dtype in _HALVES else made, out)


def _variances(function, theirs, x, dims=None, *, correction=None, keepdim=False, out=None):
    count = math.prod(x.shape[d] for d in dims) if dims and x.dim() else x.numel()
    correction = 1 if correction is None else correction
    if not _is_ours(x) or count - correction <= 0:
        return theirs(x, dims, correction=correction, keepdim=keepdim, **{} if out is None else {"out": out})
    made = _reduce("variance", x, dims, keepdim, correction=correction)
    made = (made.sqrt() if function.startswith("std") else made).to(x.dtype if x.dtype in _HALVES else made.dtype)
    return (made, _reduce("mean", x, dims, keepdim).to(x.dtype)) if function.endswith("mean") else _given(made, out)


for _name in "var", "std":
    _kernel(f"{_name}.correction", f"{_name}.correction_out")(functools.partial(_variances, _name))
    _kernel(f"{_name}_mean.correction")(functools.partial(_variances, f"{_name}_mean"))


def _products(reduction, theirs, x, y):
    if not _is_ours(x, y) or x.dtype != y.dtype or x.shape != y.shape or x.dim() != 1:
        return theirs(x, y)
    return _reduce(reduction, x, y=y).to(x.dtype)


_kernel("dot")(functools.partial(_products, "dot"))
_kernel("vdot")(functools.partial(_products, "vdot"))


# ---- additions by index ----------------------------------------------------------------------------------------------------------------


def _add(call, out, index, values, alpha=1.0):
    """out[index[k], ...] += alpha * values[k, ...] along the first dimension. The index has one dimension, or the shape of the values."""
    if values.shape[1:] != out.shape[1:] or index.shape not in (values.shape, values.shape[:1]):
        raise RuntimeError(f"{call}: shapes do not match: {tuple(out.shape)}, index {tuple(index.shape)}, values {tuple(values.shape)}")
    to = _plain(out.to(torch.float32) if out.dtype in _HALVES else out)
    if values.numel():
        terms, index, values = len(values), _plain(index.to(torch.int64)), _plain(values)
        _rng.scatter_at(call, to.data_ptr(), _NAMES[out.dtype], len(out), values.numel() // terms, index.data_ptr(),
                        index.dim() == values.dim() > 1, terms, values.data_ptr(), float(alpha), *place_of(out))
    if to.data_ptr() != out.data_ptr():
        out.copy_(to)


def _is_writable(t):
    """No elements share memory, as those of expanded tensors do, which torch refuses."""
    return all(stride != 0 or n < 2 for stride, n in zip(t.stride(), t.shape))


def _is_index(out, *tensors):
    return all(t.dtype in (torch.int32, torch.int64) and t.device == out.device for t in tensors)


def _unchanged(self, out):
    """What an operator adds to: self itself, a copy of it, or out=."""
    return self.clone() if out is None else out if out is self else out.resize_(self.shape).copy_(self)


def _index_add(in_place, theirs, self, dim, index, source, *, alpha=1, out=None):
    own = _is_ours(self, source) and _is_index(self, index) and _is_writable(self) and self.dtype == source.dtype and not isinstance(alpha, complex)
    if not own or not self.dim() == source.dim() > 0 or index.dim() > 1 or not -self.dim() <= dim < self.dim():
        return theirs(self, dim, index, source, alpha=alpha, **{} if out is None else {"out": out})
    to = self if in_place else _unchanged(self, out)
    _add("index_add", to.movedim(dim, 0), index.reshape(-1), source.movedim(dim, 0), alpha)
    return to


def _scatter_add(in_place, theirs, self, dim, index, source, *, out=None):
    own = _is_ours(self, source) and _is_index(self, index) and _is_writable(self) and self.dtype == source.dtype
    if not own or not self.dim() == index.dim() == source.dim() > 0 or not -self.dim() <= dim < self.dim():
        return theirs(self, dim, index, source, **{} if out is None else {"out": out})
    to = self if in_place else _unchanged(self, out)
    part = to[tuple(slice(None) if d == dim % to.dim() else slice(n) for d, n in enumerate(index.shape))]
    _add("scatter_add", part.movedim(dim, 0), index.movedim(dim, 0), source[tuple(map(slice, index.shape))].movedim(dim, 0))
    return to


for _name, _function in ("index_add", _index_add), ("scatter_add", _scatter_add):
    _kernel(_name, f"{_name}.out")(functools.partial(_function, False))
    _kernel(f"{_name}_")(functools.partial(_function, True))


@_kernel("_index_put_impl_")
def _(theirs, self, indices, values, accumulate=False, unsafe=False):
    at = [d for d, index in enumerate(indices) if index is not None]
    own = accumulate and _is_ours(self, values) and _is_index(self, *(indices[d] for d in at)) and _is_writable(self)
    if not own or not at or len(indices) > self.dim() or self.dtype != values.dtype:
        return theirs(self, indices, values, accumulate, unsafe)
    for d in at:  # a place out of one dimension may be a place of the whole
        least, most = (x.item() for x in torch.aminmax(indices[d])) if indices[d].numel() else (0, -1)
        if not -self.shape[d] <= least <= most < self.shape[d] and indices[d].numel():
            raise IndexError(f"index {most if most >= self.shape[d] else least} is out of bounds for dimension {d} with size {self.shape[d]}")
    places = torch.broadcast_tensors(*(indices[d].to(torch.int64) for d in at))
    rest = [d for d in range(self.dim()) if d not in at]
    n, first = places[0].dim(), at[0] if at[-1] - at[0] == len(at) - 1 else 0  # where the result has the dimensions of the index
    shape = [self.shape[d] for d in rest]
    shown = values.expand(*shape[:first], *places[0].shape, *shape[first:]).movedim(tuple(range(first, first + n)), tuple(range(n)))
    row = torch.zeros_like(places[0])
    for d, index in zip(at, places):
        row = row * self.shape[d] + torch.where(index < 0, index + self.shape[d], index)
    moved = self.permute(*at, *rest)
    flat = moved.reshape(math.prod(moved.shape[: len(at)]), *shape)
    _add("index_put", flat, row.reshape(-1), shown.reshape(row.numel(), *shape))
    if flat.data_ptr() != self.data_ptr() or not moved.is_contiguous():
        moved.copy_(flat.view(moved.shape))
    return self


@_kernel("put_")
def _(theirs, self, index, source, accumulate=False):
    own = accumulate and _is_ours(self, source) and _is_index(self, index) and _is_writable(self) and self.dtype == source.dtype
    if not own or index.numel() != source.numel():
        return theirs(self, index, source, accumulate)
    flat = self.reshape(-1)
    index = index.reshape(-1)
    _add("put_", flat, torch.where(index < 0, index + len(flat), index), source.reshape(-1))
    return self if self.is_contiguous() else self.copy_(flat.view(self.shape))


@_kernel("bincount")
def _(theirs, self, weights=None, minlength=0):
    is_plain = weights is not None and weights.device == self.device and weights.shape == self.shape and self.dim() == 1 and self.numel() > 0
    if not is_plain or not _is_ours(weights) or weights.is_complex() or self.is_floating_point():
        return theirs(self, weights, minlength)
    dtype = torch.float32 if weights.dtype == torch.float32 else torch.float64
    out = torch.zeros(max(minlength, self.max().item() + 1), dtype=dtype, device=self.device)
    _add("bincount", out, self, weights.to(dtype))
    return out


@_kernel("embedding_dense_backward")
def _(theirs, gradient, indices, num_weights, padding_idx, scale_grad_by_freq):
    if not _is_ours(gradient) or not _is_index(gradient, indices):
        return theirs(gradient, indices, num_weights, padding_idx, scale_grad_by_freq)
    out, index = gradient.new_zeros(num_weights, gradient.shape[-1]), indices.reshape(-1).to(torch.int64)
    rows = gradient.reshape(-1, gradient.shape[-1])
    if scale_grad_by_freq:
        rows = rows / torch.bincount(index, minlength=num_weights)[index, None].to(rows.dtype)
    if padding_idx >= 0:
        rows, index = rows[index != padding_idx], index[index != padding_idx]
    _add("embedding_dense_backward", out, index, rows)
    return out
