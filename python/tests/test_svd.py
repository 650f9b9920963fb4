"""svd_lowrank and pca_lowrank of arrays of every layout."""

import librng as rng
import numpy as np
import pytest

A = rng.Generator(1).normal((40, 3)) @ rng.Generator(2).normal((3, 25))


def test_an_exact_matrix_of_low_rank():
    for dtype, error in (("f4", 1e-5), ("f8", 1e-13), ("c8", 1e-5), ("c16", 1e-13)):
        a = A.astype(dtype)
        U, S, V = rng.svd_lowrank(a, 3, generator=rng.Generator(42))
        assert U.dtype == V.dtype == a.dtype and S.dtype == a.real.dtype
        assert np.abs(U * S @ V.conj().T - a).max() < error * S[0]
        assert np.allclose(S, np.linalg.svd(A)[1][:3], rtol=10 * error)


def test_layouts_give_the_same_bits():
    expected = rng.svd_lowrank(A, 5, generator=rng.Generator(42))
    wide = np.zeros((80, 75))
    wide[::2, ::3] = A
    for a in (np.asfortranarray(A), wide[::2, ::3], A[::-1][::-1]):
        for x, y in zip(rng.svd_lowrank(a, 5, generator=rng.Generator(42)), expected):
            assert np.array_equal(x, y)


def test_principal_components():
    a = A + 100
    U, S, V = rng.pca_lowrank(a, 3, generator=rng.Generator(42))
    assert np.allclose(S, np.linalg.svd(a - a.mean(0))[1][:3])


@pytest.mark.parametrize("decompose", [rng.svd_lowrank, rng.pca_lowrank])
def test_oversampling_gives_the_leading_part_of_the_larger_call(decompose):
    for a in (A, A.T, A.astype("c8")):
        g, larger = rng.Generator(42), rng.Generator(42)
        U, S, V = decompose(a, 4, 1, oversampling=5, generator=g)
        for x, y in zip((U.T, S, V.T), (y.T[:4] for y in decompose(a, 9, 1, generator=larger))):
            assert np.array_equal(x, y)
        assert g.get_state() == larger.get_state()
    for x, y in zip(decompose(A, 25, oversampling=2**64 - 1, generator=rng.Generator(42)), decompose(A, 25, generator=rng.Generator(42))):
        assert np.array_equal(x, y)


def test_sparse_matrices_give_the_dense_bits():
    sparse = pytest.importorskip("scipy.sparse")
    dense = np.where(np.abs(A) > 1.5, A, 0)
    expected = rng.svd_lowrank(dense, 5, generator=rng.Generator(42))
    for a in (sparse.csr_matrix(dense), sparse.csc_array(dense), sparse.coo_matrix(dense)):
        for x, y in zip(rng.svd_lowrank(a, 5, generator=rng.Generator(42)), expected):
            assert np.array_equal(x, y)


INTEGERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


def whole(dtype):
    """30 x 12 with the least and the greatest number of the type, and for 64 bits with numbers that float64 rounds."""
    if dtype == "bool":
        return np.arange(360).reshape(30, 12) % 7 % 3 == 1
    info = np.iinfo(dtype)
    a = (np.arange(360).reshape(30, 12) ** 2 % 101).astype(dtype)
    a[0, :4] = info.min, info.max, info.max // 2 + 2, info.max // 3
    return a


def same(got, expected):
    return all(np.array_equal(x, y) and np.asarray(x).dtype == y.dtype for x, y in zip(got, expected))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("decompose", [rng.svd_lowrank, rng.pca_lowrank])
def test_integers_are_float64(decompose, dtype):
    a = whole(dtype)
    expected = decompose(a.astype("f8"), 5, generator=rng.Generator(42))
    assert expected[0].dtype == "f8"
    for view in (a, np.asfortranarray(a), np.repeat(a, 2, axis=1)[:, ::2]):
        assert same(decompose(view, 5, generator=rng.Generator(42)), expected)


def test_great_integers_are_rounded_to_the_nearest():
    great = np.array([[2**53 + 1, 0], [0, 2**53 + 3]])  # ties, which go to the even neighbour
    S = rng.svd_lowrank(great, 2, generator=rng.Generator(1))[1]
    assert np.array_equal(S, rng.svd_lowrank(np.array([[2.0**53, 0], [0, 2.0**53 + 4]]), 2, generator=rng.Generator(1))[1])


@pytest.mark.parametrize("dtype", INTEGERS)
def test_sparse_integers(dtype):
    sparse = pytest.importorskip("scipy.sparse")
    a = whole(dtype)
    a[np.arange(360).reshape(30, 12) % 5 < 3] = 0
    expected = rng.svd_lowrank(a.astype("f8"), 5, generator=rng.Generator(42))
    for matrix in (sparse.csr_matrix(a), sparse.csc_array(a), sparse.coo_matrix(a)):
        assert same(rng.svd_lowrank(matrix, 5, generator=rng.Generator(42)), expected)
        assert matrix.dtype == a.dtype


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integers_of_torch(dtype):
    torch = pytest.importorskip("torch")
    a = whole(dtype)
    expected = rng.svd_lowrank(a.astype("f8"), 5, generator=rng.Generator(42))
    got = rng.svd_lowrank(torch.from_numpy(a), 5, generator=rng.Generator(42))
    assert all(x.dtype == torch.float64 for x in got)
    assert same((x.numpy() for x in got), expected)


def test_torch():
    torch = pytest.importorskip("torch")
    expected = rng.svd_lowrank(A, 5, generator=rng.Generator(42))
    got = rng.svd_lowrank(torch.from_numpy(A), 5, generator=rng.Generator(42))
    for x, y in zip(got, expected):
        assert np.array_equal(x.numpy(), y)
    half = rng.svd_lowrank(torch.from_numpy(A).bfloat16(), 5, generator=rng.Generator(42))
    assert half[0].dtype == torch.float32


def test_what_is_refused(refused):
    g = rng.Generator(1)
    refused(
        (lambda: rng.svd_lowrank(A, 26, generator=g), ValueError, "q must be in .0, min.m, n. = 25., got 26"),
        (lambda: rng.svd_lowrank(A[0], generator=g), ValueError, "2 dimensions, got 1"),
        (lambda: rng.svd_lowrank(A.astype(str), generator=g), TypeError, "svd_lowrank: dtype"),
        (lambda: rng.svd_lowrank([[1.0]], generator=g), TypeError, "got list"),
        (lambda: rng.svd_lowrank(A, generator=rng.Stream(1)), TypeError, "generator must be a Generator, got Stream"),
        (lambda: rng.svd_lowrank(np.where(A > 2, np.nan, A), generator=g), ValueError, "nan|NaN"),
        (lambda: rng.svd_lowrank(A, niter=-1, generator=g), ValueError, "niter"),
        (lambda: rng.pca_lowrank(A, oversampling=-1, generator=g), ValueError, "pca_lowrank: oversampling must be at least 0, got -1"),
        (lambda: rng.svd_lowrank(A, oversampling=1.5, generator=g), TypeError, "oversampling"),
    )
    assert g.position == 0
