"""reproducible(sums=True): torch's sums are those of librng.sum, and additions by index are made one after the other, as a plain loop makes
them. Outside of the region torch's own kernels are at their places."""

import itertools

import librng as rng
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from librng.torch import reproducible  # noqa: E402

REALS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
TYPES = [*REALS, torch.complex64, torch.complex128]
GENERATOR = np.random.default_rng(7)
X = torch.from_numpy(GENERATOR.standard_normal((37, 19, 5)))
VALUES = torch.from_numpy(GENERATOR.standard_normal((200, 19, 5)))
INDEX = torch.from_numpy(GENERATOR.integers(0, 37, 200))


@pytest.fixture(autouse=True)
def region():
    with reproducible(1, sums=True, everything=False):
        yield


def rows(x, dims):
    """A matrix whose rows are the reduced elements of each result, in row-major order."""
    kept = [d for d in range(x.dim()) if d not in dims]
    return x.permute(*kept, *dims).reshape(*(x.shape[d] for d in kept), -1)


def number(value):
    return torch.tensor(value, dtype=torch.complex128 if isinstance(value, complex) else torch.float64)


def exact(made, expected):
    assert made.dtype == expected.dtype and torch.equal(made, expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("dims", [dims for n in (1, 2, 3) for dims in itertools.combinations(range(3), n)])
def test_sums(dtype, dims):
    x = X.to(dtype)
    for view in (x, x.transpose(0, 2), x[::2, 3:], x[5:7].expand(4, 2, 19, 5)[1]):
        terms = rows(view, dims)
        flat = terms.reshape(-1, terms.shape[-1]).contiguous()

        def by(call):
            return torch.stack([number(call(row)) for row in flat]).view(terms.shape[:-1])

        exact(view.sum(dims), by(rng.sum).to(dtype))
        exact(view.sum(dims, keepdim=True).squeeze(dims), by(rng.sum).to(dtype))
        exact(view.mean(dims), by(rng.mean).to(dtype))
        exact(torch.linalg.vector_norm(view, dim=dims), by(rng.norm2).to(dtype if not dtype.is_complex else dtype.to_real()))
        variance = by(rng.variance).to(dtype.to_real() if dtype.is_complex else dtype)
        exact(view.var(dims), variance)
        exact(torch.var_mean(view, dims)[1], by(rng.mean).to(dtype))
        exact(view.var(dims, correction=0), by(lambda row: rng.variance(row, correction=0)).to(variance.dtype))
        if dtype in (torch.float32, torch.float64):
            exact(view.std(dims), variance.sqrt())


def test_whole_sums_and_products():
    for dtype in TYPES:
        x = X.to(dtype)
        flat = x.reshape(-1)
        exact(x.sum(), number(rng.sum(flat)).to(dtype))
        exact(torch.dot(flat, flat.flip(0)), number(rng.dot(flat, flat.flip(0))).to(dtype))
        exact(torch.vdot(flat, flat.flip(0)), number(rng.vdot(flat, flat.flip(0))).to(dtype))
        assert torch.empty(0, dtype=dtype).sum() == 0 and torch.empty(0, dtype=dtype).mean().isnan()
    out = torch.empty(1)
    assert torch.sum(X.float(), (0, 1), out=out) is out and out.shape == (5,)
    exact(X.float().sum(dtype=torch.float64), number(rng.sum(X.float().double())))
    exact(torch.arange(10).sum(), torch.tensor(45))  # integers are torch's
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times"):
        X.sum((1, 1))


def test_the_order_does_not_depend_on_threads():
    x = torch.from_numpy(GENERATOR.standard_normal(1_000_003)).float()
    before = torch.get_num_threads(), rng.num_threads()
    try:
        sums = []
        for threads in 1, 2:
            torch.set_num_threads(threads)
            rng.set_num_threads(threads)
            sums.append((x.sum().item(), x[:1_000_000].view(1000, 1000).sum(0), torch.dot(x, x).item()))
    finally:
        torch.set_num_threads(before[0])
        rng.set_num_threads(before[1])
    assert sums[0][0] == sums[1][0] and torch.equal(sums[0][1], sums[1][1]) and sums[0][2] == sums[1][2]


def added(out, places, values, alpha=1):
    """out[place] += alpha * value, one after the other; float16 and bfloat16 in float32, rounded once at the end."""
    half = out.dtype in (torch.float16, torch.bfloat16)
    made = (out.float() if half else out).clone().numpy()
    terms = (values.float() if half else values).numpy()
    np.add.at(made, places, terms if alpha == 1 else made.dtype.type(alpha) * terms)
    return torch.from_numpy(made).to(out.dtype)


@pytest.mark.parametrize("dtype", TYPES)
def test_additions_by_index(dtype):
    x, values, index = X.to(dtype), VALUES.to(dtype), INDEX
    at = index.numpy()
    exact(torch.index_add(x, 0, index, values), added(x, at, values))
    exact(x.clone().index_add_(0, index.int(), values, alpha=2), added(x, at, values, 2))
    down = x.transpose(0, 1)  # along dimension 1, of a view
    exact(down.clone().index_add_(1, index, values.transpose(0, 1)), added(x, at, values).transpose(0, 1))
    exact(torch.index_put(x, (index, index % 19), values[:, 0], accumulate=True), added(x, (at, at % 19), values[:, 0]))
    exact(torch.index_put(x, (index - 37, torch.tensor(3), index % 5), values[:, 0, 0], accumulate=True), added(x, (at, 3, at % 5), values[:, 0, 0]))
    exact(torch.index_put(x, (index[:, None], torch.arange(19)), values, accumulate=True), added(x, (at[:, None], np.arange(19)), values))
    exact(torch.ops.aten.index_put(x, [None, index % 19], values[0, 0], True), added(x, (slice(None), at % 19), values[0, 0].expand(37, 200, 5)))
    apart = torch.ops.aten.index_put(x, [index, None, index % 5], values[:, :, 0], True)
    exact(apart, added(x, (at, slice(None), at % 5), values[:, :, 0]))
    exact(x.clone().transpose(0, 2).put_(index, values[:, 0, 0], accumulate=True).reshape(-1), added(x.transpose(0, 2).reshape(-1), at, values[:, 0, 0]))
    places = torch.from_numpy(GENERATOR.integers(0, 19, (30, 50, 4)))
    terms = values[:30].repeat(1, 3, 1)
    i, _, k = np.indices(places.shape)
    exact(torch.scatter_add(x, 1, places, terms), added(x, (i, places.numpy(), k), terms[:30, :50, :4]))


def test_counts_and_embeddings():
    weights = VALUES[:, 0, 0].float()
    exact(torch.bincount(INDEX, weights, 50), added(torch.zeros(50), INDEX.numpy(), weights))
    exact(torch.bincount(INDEX), torch.from_numpy(np.bincount(INDEX.numpy())))
    for by_frequency in False, True:
        table = torch.nn.Embedding(37, 5, padding_idx=3, scale_grad_by_freq=by_frequency)
        table(INDEX.view(20, 10)).mul(VALUES[:, 0].float().view(20, 10, 5)).sum().backward()
        terms = VALUES[:, 0].float()
        if by_frequency:
            terms = terms / torch.bincount(INDEX, minlength=37)[INDEX, None]
        others = INDEX != 3
        exact(table.weight.grad, added(torch.zeros(37, 5), INDEX[others].numpy(), terms[others]))


def test_gradients_by_index():
    x = X.float().requires_grad_()
    (x[INDEX] * VALUES.float()).sum().backward()
    exact(x.grad, added(torch.zeros(37, 19, 5), INDEX.numpy(), VALUES.float()))
    y = X.float().requires_grad_()
    places = torch.from_numpy(GENERATOR.integers(0, 37, (50, 19, 5)))
    (y.gather(0, places) * VALUES[:50].float()).sum().backward()
    _, j, k = np.indices(places.shape)
    exact(y.grad, added(torch.zeros(37, 19, 5), (places.numpy(), j, k), VALUES[:50].float()))


def test_a_wrong_index_changes_nothing():
    x = X.float()
    before = x.clone()
    for wrong in 37, -1:
        index = INDEX.clone()
        index[150] = wrong
        with pytest.raises((IndexError, ValueError), match="index"):
            x.index_add_(0, index, VALUES.float())
        assert torch.equal(x, before)


def test_wrong_shapes_and_indices_are_refused():
    """Memory behind a tensor is neither read nor written."""
    x = X.float()
    before, values, index = x.clone(), VALUES.float(), INDEX
    column = index.clone()
    column[3] = 19  # a place of the next row
    for wrong in (
        lambda: x.index_add_(0, index[:100], values),
        lambda: x.index_add_(0, index, values[:100]),
        lambda: x.index_add_(0, index, torch.ones(200, 19, 6)),
        lambda: x.index_add_(0, index.float(), values),
        lambda: x.index_add_(3, index, values),
        lambda: x.scatter_add_(0, torch.zeros(2, 20, 5, dtype=torch.int64), torch.ones(2, 20, 5)),
        lambda: x.scatter_add_(0, torch.zeros(3, 19, 5, dtype=torch.int64), torch.ones(2, 19, 5)),
        lambda: x.index_put_((index, column), values[:, 0], accumulate=True),
        lambda: x.index_put_((index, -20 + 0 * index), values[:, 0], accumulate=True),
        lambda: x.index_put_((index,), torch.ones(100, 19, 5), accumulate=True),
        lambda: x.put_(index, values[:100, 0, 0], accumulate=True),
        lambda: x[:1].expand(37, 19, 5).index_add_(0, index, values),
        lambda: torch.bincount(torch.tensor([1, -1]), torch.ones(2)),
    ):
        with pytest.raises((IndexError, RuntimeError, ValueError)):
            wrong()
        assert torch.equal(x, before)


def test_torch_comes_back():
    own = torch.library.get_kernel("aten::sum.dim_IntList", "CPU")
    assert own is not None
    with reproducible(2, sums=True):
        inner = X.float().sum()
    assert inner == X.float().sum()  # the outer region still has its sums
