"""The operators: rng.fill's values, compiled or not. The sampler of epochs: torch's own shares of an epoch, and the same numbers for
each item whatever the workers and ranks."""

import shutil

import librng as rng
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import librng.torch  # noqa: E402
from librng.torch import EpochSampler, as_tensor, dropout, fork, normal  # noqa: E402

S = rng.Stream(42)


def kept(shape, p, stream):
    return torch.from_numpy(rng.fill(np.empty(shape, bool), rng.bernoulli(p=1 - p), stream))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16, torch.complex64])
def test_dropout_makes_its_mask_again(dtype):
    x = torch.full((30, 40), 3.0, dtype=dtype)
    for view in (x, x.T, x[::2, 3:], x[:, 0].expand(5, 30)):
        view = view.detach().requires_grad_()
        for p in (0.0, 0.25, 1.0):
            y = dropout(view, p, S)
            mask = kept(view.shape, p, S)
            expected = (view.detach() * (1 / (1 - p) if p < 1 else 0)).masked_fill(~mask, 0)
            assert torch.equal(y, expected) and y.stride() == (view * 2).stride()
            (gradient,) = torch.autograd.grad(y, view, torch.full_like(y, 3))
            assert torch.equal(gradient, expected)


def test_dropout_stores_no_mask():
    x = torch.ones(1000, requires_grad=True)
    sizes = []
    with torch.autograd.graph.saved_tensors_hooks(lambda t: sizes.append(t.numel()) or t, lambda t: t):
        dropout(x, 0.5, S)
    assert sizes == [88]


def test_dropout_has_gradients_of_gradients():
    x = torch.rand(50, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda x: dropout(x, 0.3, S), x) and torch.autograd.gradgradcheck(lambda x: dropout(x, 0.3, S), x)


def test_normal_fills():
    x = torch.empty(6, 4).T
    assert normal(x, 1, 2.5, S) is x
    assert np.array_equal(x.contiguous().numpy().ravel(), rng.fill(np.empty(24, "f4"), rng.normal(1, 2.5), S))


@pytest.mark.parametrize("engine", ["philox4x32-10", "threefry4x64-20"])
def test_a_stream_is_a_tensor(engine):
    s = rng.Stream(42, 7, engine=engine).fork("x").at_position(12)
    assert as_tensor(s).tolist() == list(s.__getstate__())
    child = as_tensor(s.fork(2**56 - 1))
    assert torch.equal(fork(s, 2**56 - 1), child) and torch.equal(fork(as_tensor(s), 2**56 - 1), child)


OPERATORS = [
    (librng.torch._fork, (as_tensor(S), 3)),
    (librng.torch._normal, (torch.empty(5, 4), 0.0, 1.0, as_tensor(S))),
    (librng.torch._dropout, (torch.ones(5, 4, requires_grad=True), 0.25, as_tensor(S))),
    (librng.torch._dropout, (torch.ones(5, 4).T[:, ::2].detach().requires_grad_(), 0.25, as_tensor(S))),
]


@pytest.mark.filterwarnings("ignore:The .grad attribute")  # opcheck reads it of every tensor
@pytest.mark.parametrize(("operator", "arguments"), OPERATORS)
def test_operators_are_what_torch_asks_for(operator, arguments):
    torch.library.opcheck(operator, arguments)


@pytest.mark.parametrize("backend", ["eager", "aot_eager", pytest.param("inductor", marks=pytest.mark.slow)])
def test_compiled_functions_have_the_same_bits(backend):
    if backend == "inductor" and not any(map(shutil.which, ("g++", "clang++"))):
        pytest.skip("inductor needs a C++ compiler")
    graphs = []

    def function(x, t):
        y = dropout(x, 0.25, fork(t, 0))
        return dropout(y, 0.5, fork(t, 1)), normal(torch.empty_like(x), 1.0, 2.0, fork(t, 2))

    def counted(graph, inputs):
        graphs.append(graph)
        return torch._dynamo.lookup_backend(backend)(graph, inputs)

    torch.compiler.reset()
    compiled = torch.compile(function, fullgraph=True, backend=counted)
    x = torch.ones(50, 40, requires_grad=True)
    for step in range(3):
        both = [f(x, as_tensor(S.fork(step))) for f in (function, compiled)]
        gradients = [torch.autograd.grad(y.sum(), x)[0] for y, _ in both]
        for a, b in (*zip(*both), gradients):
            assert torch.equal(a, b)
    assert len(graphs) == 1


def test_what_operators_refuse():
    x = torch.ones(3)
    for call, error, message in (
        (lambda: dropout(x, 1.5, S), ValueError, r"dropout: p must be in \[0, 1\], got 1.5"),
        (lambda: dropout(torch.arange(3), 0.5, S), TypeError, "real or complex elements, got torch.int64"),
        (lambda: dropout(x, 0.5, rng.Generator(1)), TypeError, "dropout: stream must be a Stream or .* got Generator"),
        (lambda: dropout(x, 0.5, torch.ones(88)), TypeError, "got torch.float32"),
        (lambda: dropout(x, 0.5, as_tensor(S)[1:]), rng.BadState, "87 bytes are not a state"),
        (lambda: normal(x, 0, -1, S), ValueError, "stddev must be"),
        (lambda: as_tensor(42), TypeError, "as_tensor: stream must be a Stream, got int"),
        (lambda: fork(S, 2**56), ValueError, "tag"),
    ):
        with pytest.raises(error, match=message):
            call()
    assert x.tolist() == [1, 1, 1]


@pytest.mark.parametrize("drop_last", [False, True])
@pytest.mark.parametrize("items", [1, 97, 2500])
def test_ranks_share_an_epoch_as_torch_has_it(items, drop_last):
    data = range(items)
    for ranks in range(1, 6):
        for rank in range(ranks):
            theirs = torch.utils.data.DistributedSampler(data, ranks, rank, shuffle=False, drop_last=drop_last)
            ours = EpochSampler(S, items, ranks=ranks, rank=rank, shuffle=False, drop_last=drop_last)
            assert list(ours) == list(theirs) and len(ours) == len(theirs)


def test_an_epoch_has_each_item_once():
    sampler = EpochSampler(S, 1000)
    orders = []
    for epoch in range(3):
        sampler.set_epoch(epoch)
        orders.append(list(sampler))
        assert sorted(orders[-1]) == list(range(1000))
        assert orders[-1] == rng.permutation(1000, S.fork("order").fork(epoch)).tolist()
    assert orders[0] != orders[1] != orders[2]


class Data(torch.utils.data.Dataset):
    def __init__(self, sampler):
        self.sampler = sampler

    def __len__(self):
        return self.sampler.items

    def __getitem__(self, item):
        return item, rng.at(self.sampler.numbers(item), rng.uniform(), 0)


def test_workers_change_nothing():
    def epoch(workers, ranks):
        seen = {}
        for rank in range(ranks):
            sampler = EpochSampler(S, 60, ranks=ranks, rank=rank)
            sampler.set_epoch(3)
            for items, numbers in torch.utils.data.DataLoader(Data(sampler), batch_size=7, sampler=sampler, num_workers=workers):
                seen.update(zip(items.tolist(), numbers.tolist()))
        return seen

    expected = epoch(0, 1)
    assert len(expected) == 60 and len(set(expected.values())) == 60
    assert epoch(2, 1) == epoch(0, 3) == expected


def test_what_is_refused():
    for call, error, message in (
        (lambda: EpochSampler(42, 10), TypeError, "stream must be a Stream, got int"),
        (lambda: EpochSampler(S, -1), ValueError, "items must be at least 0, got -1"),
        (lambda: EpochSampler(S, 10, ranks=0), ValueError, "ranks must be at least 1"),
        (lambda: EpochSampler(S, 10, ranks=2, rank=2), ValueError, "rank must be below ranks = 2, got 2"),
        (lambda: EpochSampler(S, 10).set_epoch(1.5), TypeError, "epoch must be an integer"),
    ):
        with pytest.raises(error, match=message):
            call()
    assert np.array_equal(list(EpochSampler(S, 0)), [])
