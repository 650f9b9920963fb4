"""Sums: the order of docs/reduce.md in NumPy, along axes of any strides; additions by index as NumPy and torch have them; pieces."""

import math
import pickle

import librng as rng
import numpy as np
import pytest


def leaf(x, dtype):
    lanes = np.zeros(128, dtype)
    for first in range(0, len(x), 128):
        row = x[first : first + 128]
        lanes[: len(row)] += row
    while len(lanes) > 1:
        lanes = lanes[: len(lanes) // 2] + lanes[len(lanes) // 2 :]
    return lanes[0] + dtype(0)


def plain(x, dtype):
    """The documented order: leaves of 1024 elements in a binary tree."""
    if len(x) <= 1024:
        return leaf(x.astype(dtype), dtype)
    size = 1024
    while 2 * size < len(x):
        size *= 2
    return plain(x[:size], dtype) + plain(x[size:], dtype)


def numbers(shape, dtype="f8"):
    x = rng.fill(np.empty(shape), rng.normal(0, 3), rng.Stream(1))
    return (x + 1j * x[::-1]).astype(dtype) if np.dtype(dtype).kind == "c" else x.astype(dtype)


@pytest.mark.parametrize("n", [0, 1, 127, 1023, 1025, 10_000])
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "c8", "c16"])
def test_sums_have_the_documented_order(n, dtype):
    x = numbers(n, dtype)
    kind = {"f2": np.float32, "f4": np.float32, "f8": np.float64, "c8": np.complex64, "c16": np.complex128}[dtype]
    assert rng.sum(x) == plain(x, kind)
    assert rng.sum(np.repeat(x, 3)[::3]) == plain(x, kind)
    assert rng.sum(x, dtype="complex128" if dtype[0] == "c" else "float64") == plain(x, np.complex128 if dtype[0] == "c" else np.float64)
    if n:
        total, real = plain(x, kind), kind(0).real.dtype.type
        mean = complex(total.real / real(n), total.imag / real(n)) if dtype[0] == "c" else total / kind(n)
        assert rng.mean(x) == mean
        assert math.isclose(rng.norm2(x), np.linalg.norm(x.astype(kind)), rel_tol=1e-6)
        assert np.isclose(rng.vdot(x, x), np.vdot(x.astype("c16"), x.astype("c16")), rtol=1e-6)
    if n > 1:
        wide = x.astype("c16")
        assert math.isclose(rng.variance(x, correction=0), np.var(wide), rel_tol=1e-5)
        assert math.isclose(rng.variance(x), np.var(wide, ddof=1), rel_tol=1e-5)


def test_along_axes_of_any_strides():
    x = numbers((4, 1100, 3), "f4")
    for a in (x, x.T, x[1:, ::-2], x[0], x[0].T, x[0, ::5, 1:]):
        for axis in range(-a.ndim, a.ndim):
            for f in (rng.sum, rng.mean, rng.norm2):
                out = f(a, axis)
                assert out.dtype == np.float32 and np.array_equal(out, np.apply_along_axis(lambda line: f(line.copy()), axis, a))
    assert rng.sum(x.T) == rng.sum(x.T.copy())
    assert rng.sum(x, 1, dtype="float64").dtype == np.float64
    assert rng.norm2(numbers((5, 4), "c8"), 0).dtype == np.float32


@pytest.mark.parametrize("threads", [1, 3])
def test_additions_by_index_are_those_of_numpy(threads):
    before = rng.num_threads()
    rng.set_num_threads(threads)
    try:
        for n, targets in ((10, 100), (50_000, 100), (50_000, 20_000)):
            index = rng.fill(np.empty(n, "i8"), rng.uniform_int(0, targets - 1), rng.Stream(2))
            for dtype in ("f4", "f8", "c8"):
                values = numbers(n, dtype)
                theirs = np.zeros(targets, dtype)
                np.add.at(theirs, index, values)
                for kind in ("i4", "u4", "i8", "u8"):
                    ours = rng.index_add(np.zeros(targets, dtype), index.astype(kind), values)
                    assert ours.tobytes() == theirs.tobytes()
            assert np.array_equal(rng.bincount(index), np.bincount(index))
            assert np.array_equal(rng.bincount(index[::2], minlength=30_000), np.bincount(index[::2], minlength=30_000))
            weights = numbers(n)
            assert np.array_equal(rng.bincount(index, weights), np.bincount(index, weights))
        rows, index = numbers((500, 20), "f4"), np.arange(500) ** 2 % 37
        theirs = np.zeros((37, 20), "f4")
        np.add.at(theirs, index, rows)
        assert np.array_equal(rng.index_add(np.zeros((37, 20), "f4"), index, rows), theirs)
        assert np.array_equal(rng.index_add(np.zeros((20, 37), "f4"), index, rows.T, axis=1), theirs.T)
        places = rng.fill(np.empty((500, 20), "i4"), rng.uniform_int(0, 36), rng.Stream(3))
        theirs = np.zeros((37, 20), "f4")
        np.add.at(theirs, (places, np.arange(20)), rows)
        assert np.array_equal(rng.scatter_add(np.zeros((37, 20), "f4"), places, rows), theirs)
    finally:
        rng.set_num_threads(before)


def test_additions_by_index_are_those_of_torch():
    torch = pytest.importorskip("torch")
    index = torch.from_numpy(rng.fill(np.empty(20_000, "i8"), rng.uniform_int(0, 99), rng.Stream(2)))
    for dtype in (torch.float32, torch.float64):
        values = torch.from_numpy(numbers(20_000)).to(dtype)
        theirs = torch.zeros(100, dtype=dtype).index_add_(0, index, values)
        assert torch.equal(rng.index_add(torch.zeros(100, dtype=dtype), index, values), theirs)
        rows = values.reshape(1000, 20)
        theirs = torch.zeros(100, 20, dtype=dtype).index_add_(0, index[:1000], rows)
        assert torch.equal(rng.index_add(torch.zeros(100, 20, dtype=dtype), index[:1000], rows), theirs)
    x = torch.from_numpy(numbers((30, 40), "f4"))
    sums = rng.sum(x, 0)
    assert isinstance(sums, torch.Tensor) and torch.equal(sums, torch.from_numpy(rng.sum(x.numpy(), 0)))
    assert rng.sum(x.to(torch.bfloat16)) == rng.sum(x.to(torch.bfloat16).float())


def test_pieces_are_the_whole():
    for dtype, in_double in (("f4", False), ("f4", True), ("c16", False)):
        x = numbers(5000, dtype)
        whole, part = rng.RunningSum(x.dtype, in_double=in_double), rng.RunningSum(x.dtype, in_double=in_double)
        whole.push(x[4000:], 4000)
        part.push(x[:100], 0)
        part.push(x[100:4000:1], 100)
        whole.merge(pickle.loads(pickle.dumps(part)))
        assert len(whole) == 5000 and whole.total() == rng.sum(x, dtype="float64" if in_double else None)


def test_segments():
    x, offsets = numbers(3000, "f4"), np.array([0, 0, 10, 2000, 3000])
    expected = [rng.sum(x[a:b]) for a, b in zip(offsets, offsets[1:])]
    assert rng.segmented_sum(x, offsets).tolist() == expected
    assert rng.segmented_sum(x, offsets.astype("i4")).tolist() == expected


def test_what_is_refused(refused):
    x = np.ones(4, "f4")
    out = np.ones(3, "f4")
    refused(
        (lambda: rng.sum(np.ones(3, "i4")), TypeError, "sum: x must have real or complex elements, got i32"),
        (lambda: rng.sum([1.0, 2.0]), TypeError, "sum: x must be an array .* got list"),
        (lambda: rng.sum(x, 1), ValueError, r"sum: axis must be in \[-1, 1\), got 1"),
        (lambda: rng.sum(x, dtype="float32"), TypeError, "dtype must be float64 or complex128"),
        (lambda: rng.mean(np.empty(0)), ValueError, "mean: x must have at least 1 term, got 0"),
        (lambda: rng.variance(x, correction=4), ValueError, "variance: x must have more than 4 terms"),
        (lambda: rng.dot(x, x[:3]), ValueError, "dot: x and y must have the same size, got 4 and 3"),
        (lambda: rng.dot(x, np.ones(4)), TypeError, "dot: x and y must have elements of one type, got f32 and f64"),
        (lambda: rng.index_add(out, np.array([0, 1, 2, 3]), x), ValueError, r"index_add: index must be in \[0, 3\), got 3 at 3"),
        (lambda: rng.index_add(out, np.array([0.0] * 4), x), TypeError, "index_add: index must have integers .* got f64"),
        (lambda: rng.index_add(out, np.array([0, 1]), x), ValueError, "index_add: index must have 4 elements"),
        (lambda: rng.index_add(out, np.array([0] * 4), x.astype("f8")), TypeError, "out must be of the type in which"),
        (lambda: rng.index_add(np.lib.stride_tricks.as_strided(out, (3,), (0,)), np.array([0]), x[:1]), ValueError, "got a stride of 0"),
        (lambda: rng.index_add(out, np.array([0] * 4), x, axis=1), ValueError, r"axis must be in \[0, 1\), got 1"),
        (lambda: rng.bincount(np.array([0, -1])), ValueError, "bincount: index must be in .* got -1 at 1"),
        (lambda: rng.segmented_sum(x, np.array([0, 5])), ValueError, "the last offset must be the size of x, 4, got 5"),
        (lambda: rng.RunningSum("int32"), TypeError, "RunningSum: dtype must be of real or complex numbers, got i32"),
        (lambda: rng.RunningSum("float32").push(np.ones(3), 0), TypeError, "values must be of the sum's type, f32, got f64"),
        (lambda: rng.RunningSum("float32").merge(3), TypeError, "RunningSum.merge: other must be a RunningSum, got int"),
    )
    assert out.tolist() == [1, 1, 1]
