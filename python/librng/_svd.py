"""The seeded low-rank SVD of arrays, tensors and sparse matrices."""

from librng import _rng
from librng._checks import count, one_of
from librng._sampling import _LONG, _numpy, empty, is_tensor

_REAL = {"c64": "f32", "c128": "f64"}
_COMPUTED = {"f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64", "c64": "c64", "c128": "c128"}


def _as_float64(A, is_sparse):
    if is_tensor(A):
        return A.double()
    return A.astype("float64") if is_sparse else _numpy().asarray(A, "float64")


def _decompose(name, A, q, niter, oversampling, generator, center):
    one_of(name, "generator", generator, _rng.Generator, "a Generator")
    is_sparse = hasattr(A, "tocsr") and hasattr(A, "shape")
    if is_sparse:
        A = A.tocsr(copy=True)
        A.sum_duplicates()
        like, element = None, A.dtype
    else:
        like, element = (A if is_tensor(A) else None), getattr(A, "dtype", None)
        if element is None:
            raise TypeError(f"{name}: A must be an array or a sparse matrix, got {type(A).__name__}")
    if len(A.shape) != 2:
        raise ValueError(f"{name}: A must have 2 dimensions, got {len(A.shape)}")
    m, n = A.shape
    q = min(6, m, n) if q is None else count(name, "q", q)
    niter = count(name, "niter", niter)
    oversampling = min(count(name, "oversampling", oversampling), m, n)  # more columns than that have no effect
    if not 0 <= q <= min(m, n):
        raise ValueError(f"{name}: q must be in [0, min(m, n) = {min(m, n)}], got {q}")
    short = _COMPUTED.get(_rng.dtype_name(element, name))
    if short is None:  # integers and bool, as in numpy.linalg
        A, short = _as_float64(A, is_sparse), "f64"
    kind, real = _LONG[short], _LONG[_REAL.get(short, short)]
    U, S, V = (empty(name, *each, like=like) for each in (((m, q), kind), ((q,), real), ((n, q), kind)))
    if is_sparse:
        _rng.svd_csr(m, n, A.indptr, A.indices, A.data, U, S, V, q, niter, oversampling, center, generator)
    else:
        _rng.svd_dense(A, U, S, V, q, niter, oversampling, center, generator)
    return U, S, V


def svd_lowrank(A, q=None, niter=2, *, oversampling=0, generator):
    """The q leading singular values and vectors of A (m x n): U (m x q), S (q), V (n x q), so that A is about U diag(S) V^H.

    A is a NumPy array or a torch tensor of any strides, or a sparse matrix of SciPy. q is at most min(m, n), and 6 without one.
    Integers and bool are converted to float64; those beyond 2^53 are rounded to the nearest.
    oversampling=10 computes with min(q + 10, m, n) columns, as scikit-learn does by default, and returns the q leading ones.
    The generator moves on. The same seed gives the same bits on every machine, with any number of threads, for sparse and dense
    matrices alike (docs/svd.md)."""
    return _decompose("svd_lowrank", A, q, niter, oversampling, generator, False)


def pca_lowrank(A, q=None, niter=2, *, oversampling=0, generator):
    """The principal components of A's rows: svd_lowrank of A minus the mean of each column."""
    return _decompose("pca_lowrank", A, q, niter, oversampling, generator, True)
