"""Random order: permutations, choices and shuffles, as docs/contract.md, A.23, has them."""

from librng import _rng
from librng._checks import count
from librng._errors import InvalidArgument
from librng._sampling import _numpy, check_size, checked_source, is_tensor


def _values(call, source, n, k):
    """Values 0 ... k - 1 of a permutation of [0, n). A Generator moves on by one slot of four words, unless k is 0."""
    out = _numpy().empty(k, "int64")
    if isinstance(checked_source(call, source), _rng.Generator):
        return _rng.next_permutation(out, n, source) if k else out
    return _rng.fill_permutation(out, n, source)


def permutation(n, source):
    """The numbers 0 ... n - 1 in random order, as an array of int64."""
    n = count("permutation", "n", n)
    check_size("permutation", "n", (n,))
    return _values("permutation", source, n, n)


def choice(n, k, source):
    """k different numbers of 0 ... n - 1, in random order: the first k values of permutation(n)."""
    n, k = count("choice", "n", n), count("choice", "k", k)
    if k > n:
        raise InvalidArgument(f"choice: k must be at most n = {n}, got {k}")
    check_size("choice", "k", (k,))
    return _values("choice", source, n, k)


def shuffle(x, source):
    """Puts a list, or an array along its first axis, into random order, and returns None. x[i] becomes the old
    x[permutation(len(x), source)[i]]."""
    is_list = isinstance(x, list)
    if not is_list and not getattr(x, "shape", ()):
        raise TypeError(f"shuffle: x must be a list, or an array with an axis, got {type(x).__name__}")
    if not is_list:
        if not getattr(getattr(x, "flags", None), "writeable", True):
            raise TypeError("shuffle: x is read-only")
        item = x.element_size() if is_tensor(x) else getattr(x, "itemsize", 0)
        strides = [s * item for s in x.stride()] if is_tensor(x) else getattr(x, "strides", None)
        if strides:  # a row would get elements of others, if they share memory
            _rng.require_places("shuffle", "x", item, x.shape, strides)
    n = len(x)
    order = _values("shuffle", source, n, n)
    if is_list:
        x[:] = [x[i] for i in order]
    else:
        x[...] = x[order]
