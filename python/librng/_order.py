"""Random order: permutations, choices and shuffles, as docs/contract.md, A.23, has them."""

import operator

from librng import _rng
from librng._sampling import _numpy


def _count(call, name, value):
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{call}: {name} must be an integer, got {type(value).__name__}") from None
    if number < 0:
        raise ValueError(f"{call}: {name} must be at least 0, got {number}")
    return number


def _values(call, source, n, count):
    """Values 0 ... count - 1 of a permutation of [0, n). A Generator moves on by one slot of four words, unless count is 0."""
    numpy = _numpy()
    out = numpy.empty(count, numpy.int64)
    if isinstance(source, _rng.Generator):
        return _rng.next_permutation(out, n, source) if count else out
    if isinstance(source, _rng.Stream):
        return _rng.fill_permutation(out, n, source)
    raise TypeError(f"{call}: the source must be a Generator or a Stream, got {type(source).__name__}")


def permutation(n, source):
    """The numbers 0 ... n - 1 in random order, as an array of int64."""
    n = _count("permutation", "n", n)
    return _values("permutation", source, n, n)


def choice(n, k, source):
    """k different numbers of 0 ... n - 1, in random order: the first k values of permutation(n)."""
    n, k = _count("choice", "n", n), _count("choice", "k", k)
    if k > n:
        raise ValueError(f"choice: k must be at most n = {n}, got {k}")
    return _values("choice", source, n, k)


def shuffle(x, source):
    """Puts a list, or an array along its first axis, into random order, and returns None. x[i] becomes the old
    x[permutation(len(x), source)[i]]."""
    order = permutation(len(x), source)
    if isinstance(x, list):
        x[:] = [x[i] for i in order]
    else:
        x[...] = x[order]
