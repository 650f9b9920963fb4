"""Sums whose bits depend on the numbers and their order alone (docs/reduce.md of the C++ library)."""

from librng import _rng
from librng._checks import count, integer, one_of, real, short
from librng._sampling import _numpy, check_size, empty, is_tensor

_DOUBLE = ("f64", "c128")


def _in_double(call, dtype):
    """True if a sum is added in double precision. dtype is None, or float64 or complex128."""
    if dtype is None:
        return False
    if short(call, dtype) not in _DOUBLE:
        raise TypeError(f"{call}: dtype must be float64 or complex128, or None for the type of x, got {dtype}")
    return True


def _like(x):
    return x if is_tensor(x) else None


def _axis(call, axis):
    return min(integer(call, "axis", axis), 2**63 - 1)  # refused there


def _reduced(call, x, axis, dtype, correction=0.0):
    in_double = _in_double(call, dtype)
    if axis is None:
        return _rng.reduce_all(call, x, None, in_double, correction)
    axis = _axis(call, axis)
    shape, kind = _rng.reduced_like(call, x, axis, in_double)
    out = empty(call, shape, kind, like=_like(x))
    _rng.reduce_along(call, x, axis, out, in_double, correction)
    return out


def sum(x, axis=None, *, dtype=None):
    """The sum of an array, a Python number, or the sums along an axis, an array. The bits are those of rng::sum in C++.

    x has float16, bfloat16, float32, float64 or complex elements. float16 and bfloat16 are added in float32. dtype=float64 adds
    all in double precision."""
    return _reduced("sum", x, axis, dtype)


def mean(x, axis=None, *, dtype=None):
    """The sum divided by the number of elements; as sum otherwise."""
    return _reduced("mean", x, axis, dtype)


def variance(x, axis=None, *, correction=1, dtype=None):
    """The sum of |x - mean|^2 divided by n - correction: torch.var, and NumPy's var with ddof=correction."""
    return _reduced("variance", x, axis, dtype, real("variance", "correction", correction))


def norm2(x, axis=None, *, dtype=None):
    """The square root of the sum of |x|^2. No square overflows or becomes 0."""
    return _reduced("norm2", x, axis, dtype)


def dot(x, y, *, dtype=None):
    """The sum of x y, a Python number. Both arrays have one type and size; their elements count in row-major order."""
    return _rng.reduce_all("dot", x, y, _in_double("dot", dtype), 0.0)


def vdot(x, y, *, dtype=None):
    """The sum of conj(x) y."""
    return _rng.reduce_all("vdot", x, y, _in_double("vdot", dtype), 0.0)


def segmented_sum(x, offsets, *, dtype=None):
    """The sums of x[offsets[k]:offsets[k + 1]], a new array. offsets has int32 or int64 elements that ascend from 0 to len(x)."""
    in_double = _in_double("segmented_sum", dtype)
    _, kind = _rng.reduced_like("segmented_sum", x, 0, in_double)
    if not getattr(offsets, "shape", ()):
        raise TypeError(f"segmented_sum: offsets must be an array, got {type(offsets).__name__}")
    out = empty("segmented_sum", (max(len(offsets) - 1, 0),), kind, like=_like(x))
    _rng.segmented_sum(x, offsets, out, in_double)
    return out


def index_add(out, index, values, *, axis=0, alpha=1.0):
    """out[index[k]] += alpha * values[k], one after the other; along axis 1, columns. Returns out.

    The bits are those of a plain loop, numpy.add.at and torch's index_add_ on a CPU, for any number of threads. index has int32,
    uint32, int64 or uint64 elements. An index that names no place is a ValueError, and nothing is changed."""
    _rng.scatter("index_add", out, index, values, _axis("index_add", axis), real("index_add", "alpha", alpha))
    return out


def scatter_add(out, index, values, *, axis=0):
    """out[index[i, j], j] += values[i, j]; with axis 1 out[i, index[i, j]] += values[i, j]. Returns out."""
    _rng.scatter("scatter_add", out, index, values, _axis("scatter_add", axis), 1.0)
    return out


def bincount(index, weights=None, *, minlength=0):
    """How often each integer occurs, an array of int64; or the sums of its weights, of float64."""
    minlength = count("bincount", "minlength", minlength)
    check_size("bincount", "minlength", (minlength,))
    counts = _rng.counts(index)
    if weights is None:
        if len(counts) >= minlength:
            return counts
        longer = _numpy().zeros(minlength, "int64")
        longer[: len(counts)] = counts
        return longer
    out = _numpy().zeros(max(len(counts), minlength))
    _rng.scatter("bincount", out, index, weights, 0, 1.0)
    return out


class RunningSum:
    """A sum of pieces that come in any order, with the bits of sum() of the whole.

    push(values, first) adds the elements first, first + 1, ... of the whole; merge(other) adds another one's. total() needs all
    elements from 0 on. dtype is the type of the values. in_double adds in double precision. len() is the number of elements."""

    def __init__(self, dtype="float64", *, in_double=False):
        self._sum = _rng.RunningSum(short("RunningSum", dtype), bool(in_double))

    def push(self, values, first):
        self._sum.push(values, first)

    def merge(self, other):
        one_of("RunningSum.merge", "other", other, RunningSum, "a RunningSum")
        self._sum.merge(other._sum)

    def total(self):
        return self._sum.total()

    def __len__(self):
        return len(self._sum)

    def __getstate__(self):
        return (*self._sum.made_of(), self._sum.to_bytes())

    def __setstate__(self, state):
        dtype, in_double, values = state
        self._sum = _rng.RunningSum(dtype, in_double)
        self._sum.set_bytes(values)
