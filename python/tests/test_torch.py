"""The operators: rng.fill's values, compiled or not. The sampler of epochs: torch's own shares of an epoch, and the same numbers for
each item whatever the workers and ranks."""

import copy
import pickle
import shutil

import librng as rng
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import librng.torch  # noqa: E402
from librng.torch import EpochSampler, as_tensor, dropout, fork, normal  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated")  # of torch's own forward mode

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
    (librng.torch._dropped, (torch.ones(5, 4, requires_grad=True), 0.25, as_tensor(S), False)),
    (librng.torch._dropped, (torch.ones(5, 4).T[:, ::2].detach().requires_grad_(), 0.25, as_tensor(S), True)),
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


def test_dropout_is_linear_for_every_transformation():
    x, t = torch.rand(40, dtype=torch.float64), torch.rand(40, dtype=torch.float64)
    scale = dropout(torch.ones(40, dtype=torch.float64), 0.25, S)
    assert 0 < (scale == 0).sum() < 40

    def f(x):
        return dropout(x, 0.25, S)

    value, tangent = torch.func.jvp(f, (x,), (t,))
    assert torch.equal(value, f(x)) and torch.equal(tangent, f(t))
    with torch.autograd.forward_ad.dual_level():
        assert torch.equal(torch.autograd.forward_ad.unpack_dual(f(torch.autograd.forward_ad.make_dual(x, t))).tangent, f(t))
    for jacobian in (torch.func.jacfwd, torch.func.jacrev):
        assert torch.equal(jacobian(f)(x[:5]), torch.diag(scale[:5]))
    assert torch.equal(torch.func.grad(lambda x: f(x).sum())(x), scale)
    assert torch.equal(torch.func.grad(lambda x: torch.func.grad(lambda x: (f(x) ** 2).sum())(x).sum())(x), 2 * scale**2)


def test_vmap_takes_a_stream_for_each_row():
    x = torch.rand(3, 40)
    streams = torch.stack([as_tensor(S.fork(i)) for i in range(3)])
    each = torch.stack([dropout(row, 0.25, S.fork(i)) for i, row in enumerate(x)])
    one = torch.stack([dropout(row, 0.25, S) for row in x])
    filled = [torch.stack([normal(torch.empty(40), 0, 1, s) for s in rows]) for rows in ([S] * 3, [S.fork(i) for i in range(3)])]
    for f, same, own in ((lambda x, s: dropout(x, 0.25, s), one, each), (lambda x, s: normal(torch.empty_like(x), 0, 1, s), *filled)):
        for mode in ("error", "different", "same"):
            assert torch.equal(torch.func.vmap(f, randomness=mode)(x, streams), own)
        assert torch.equal(torch.func.vmap(f, (1, 1), randomness="error")(x.T, streams.T), own)
        assert torch.equal(torch.func.vmap(lambda x: f(x, S), randomness="same")(x), same)
        for mode in ("error", "different"):
            with pytest.raises(RuntimeError, match=f"^(dropout|normal): vmap with randomness='{mode}' needs a stream for each row"):
                torch.func.vmap(lambda x: f(x, S), randomness=mode)(x)
    # Gradients of each sample, with the mask of each; the streams may be children that are made inside.
    gradient = torch.func.vmap(torch.func.grad(lambda x, s: dropout(x, 0.25, fork(s, 7)).sum()), randomness="error")(x, streams)
    assert torch.equal(gradient, torch.stack([dropout(torch.ones(40), 0.25, S.fork(i).fork(7)) for i in range(3)]))
    assert torch.equal(torch.func.vmap(lambda s: dropout(x[0], 0.25, s))(streams)[2], dropout(x[0], 0.25, S.fork(2)))
    with pytest.raises(RuntimeError, match="normal: vmap over streams needs an out with a row for each"):
        torch.func.vmap(lambda s: normal(torch.empty(40), 0, 1, s))(streams)


def test_compiled_functions_keep_transformations():
    x, t = torch.ones(2, 40), torch.rand(2, 40)
    stream = as_tensor(S)
    f = lambda x: dropout(x, 0.25, stream)  # noqa: E731
    torch.compiler.reset()
    compiled = torch.compile(lambda x, t: (torch.func.jvp(f, (x,), (t,)), torch.func.grad(lambda x: f(x).sum())(x)), fullgraph=True, backend="aot_eager")
    (value, tangent), gradient = compiled(x, t)
    assert torch.equal(value, f(x)) and torch.equal(tangent, f(t)) and torch.equal(gradient, f(x))
    torch.compiler.reset()
    with pytest.raises(Exception, match="needs a stream for each row"):
        torch.compile(torch.func.vmap(f), fullgraph=True, backend="aot_eager")(x)


# ---- Tensors as memory -----------------------------------------------------------------------------------------------

INDEX = torch.tensor([[0, 1, 2]])
READS = {
    "sum": lambda x: rng.sum(x), "mean": lambda x: rng.mean(x, axis=0), "variance": lambda x: rng.variance(x), "norm2": lambda x: rng.norm2(x, axis=1),
    "dot": lambda x: rng.dot(x, x), "vdot": lambda x: rng.vdot(x, x), "segmented_sum": lambda x: rng.segmented_sum(x[0], torch.tensor([0, 1, 3])),
    "index_add": lambda x: rng.index_add(torch.zeros(4, 3, dtype=x.dtype), torch.tensor([2]), x), "bincount": lambda x: rng.bincount(INDEX[0], x[0].real),
    "scatter_add": lambda x: rng.scatter_add(torch.zeros(4, 3, dtype=x.dtype), INDEX, x), "RunningSum.push": lambda x: rng.RunningSum(x.dtype).push(x, 0),
    "svd_lowrank": lambda x: rng.svd_lowrank(x, generator=rng.Generator(1))[1], "pca_lowrank": lambda x: rng.pca_lowrank(x, generator=rng.Generator(1))[1],
}
WRITES = {
    "fill": lambda x: rng.fill(x, rng.complex_normal() if x.is_complex() else rng.normal(), S),
    "index_add": lambda x: rng.index_add(x, torch.tensor([0]), torch.ones(1, 3, dtype=x.dtype)),
    "scatter_add": lambda x: rng.scatter_add(x, torch.tensor([[0, 0, 0]]), torch.ones(1, 3, dtype=x.dtype)),
    "torch_uniform": lambda x: rng.compat.torch_uniform(x, rng.compat.torch_key(1)), "jax_uniform": lambda x: rng.compat.jax_uniform(x, rng.compat.jax_key(1)),
    "NumpyGenerator.random": lambda x: rng.compat.NumpyGenerator(rng.compat.numpy_philox(1)).random(x),
    "torch_cuda_rand": lambda x: rng.compat.torch_cuda_rand(x, 1, multiprocessors=1), "normal": lambda x: normal(x, 0, 1, S),
}
REAL_ALONE = {"torch_uniform", "jax_uniform", "NumpyGenerator.random", "torch_cuda_rand", "normal"}


@pytest.mark.parametrize("call", WRITES)
def test_autograd_hears_of_writes(call):
    """A gradient that needs values which are overwritten is an error, as with torch's own normal_()."""
    w = torch.ones(1, 3, requires_grad=True)
    for view in (lambda x: x, lambda x: x.T.contiguous().T, lambda x: x.view(3).view(1, 3)):
        x = torch.ones(1, 3)
        y = x * w
        WRITES[call](view(x) if view(x).data_ptr() == x.data_ptr() else x)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            torch.autograd.grad(y.sum(), w)
    with torch.inference_mode():
        x = torch.full((1, 3), -1.0)
        assert (WRITES[call](x) != -1).all()
    assert (WRITES[call](torch.full((1, 3), -1.0)) != -1).all()


@pytest.mark.parametrize("call", [*WRITES, *READS])
def test_no_gradient_is_lost_without_a_word(call):
    function = (WRITES | READS)[call]
    leaf = torch.ones(1, 3, requires_grad=True)
    for x in (leaf, leaf * 2, leaf.expand(1, 3)[:, :]):
        before = x.detach().clone()
        with pytest.raises(TypeError, match=rf"^{call}: \w+ requires a gradient, which this call does not compute: pass \w+.detach\(\)"):
            function(x)
        assert torch.equal(x, before)
    forward = torch.autograd.forward_ad
    with forward.dual_level(), pytest.raises(TypeError, match=f"^{call}: .* requires a gradient"):
        function(forward.make_dual(torch.ones(1, 3), torch.ones(1, 3)))
    with torch.no_grad():
        function(leaf)
    function(leaf.detach())


def test_no_gradient_of_a_parameter_is_lost_without_a_word():
    x, w = torch.ones(3), torch.tensor(0.5, requires_grad=True)
    for name, call in (("normal: mean", lambda: rng.normal(w)), ("normal: stddev", lambda: rng.Generator(1).normal(3, 0, w)), ("normal: mean", lambda: normal(x, w, 1, S)),
                       ("normal: stddev", lambda: normal(x, 0, w, S)), ("dropout: p", lambda: dropout(x, w, S)), ("mkl_uniform: b", lambda: rng.compat.mkl_uniform(x, S, 0, w))):
        with pytest.raises(TypeError, match=f"^{name} requires a gradient, which this call does not compute"):
            call()
    with torch.no_grad():
        assert rng.normal(w).parameters["mean"] == 0.5 and torch.equal(dropout(x, w, S), dropout(x, 0.5, S))


@pytest.mark.parametrize("call", READS)
def test_lazy_bits_of_views_are_read(call):
    z = torch.tensor([[1 + 2j, 3 + 4j, 5 - 7j]])
    if call != "bincount":  # of real weights
        assert same(READS[call](z.conj()), READS[call](z.conj().resolve_conj().clone())) and z.conj().is_conj()
    negative = z.conj().imag
    assert negative.is_neg() and same(READS[call](negative), READS[call](negative.resolve_neg().clone()))


def same(a, b):
    return a is b or (torch.equal(a, b) if isinstance(a, torch.Tensor) else np.array_equal(a, b))


@pytest.mark.parametrize("call", WRITES)
def test_lazy_bits_of_views_are_not_written_over(call):
    z = torch.ones(1, 3, dtype=torch.complex64)
    for view in (z.conj(), z.conj().imag)[call in REAL_ALONE :]:
        with pytest.raises(TypeError, match=f"^{call}: out is a view whose memory holds conjugate or negative values"):
            WRITES[call](view)
    assert (z == 1).all()


def test_tensors_without_memory():
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        fake = torch.empty(1, 3)
    for x, text in ((fake, "FakeTensor, device cpu, torch.strided"), (torch.empty(1, 3, device="meta"), "Tensor, device meta, torch.strided"),
                    (torch.eye(3).to_sparse(), "Tensor, device cpu, torch.sparse_coo")):
        for name, call in (("fill", lambda: rng.fill(x, rng.normal(), S)), ("sum", lambda: rng.sum(x)), ("torch_uniform", lambda: WRITES["torch_uniform"](x))):
            with pytest.raises(TypeError, match=f"^{name}: (out|x) is a tensor without memory of its own: {text}$"):
                call()
    with pytest.raises(TypeError, match="^fill: out is a tensor without memory of its own: Tensor, device cpu"):
        torch.func.vmap(lambda x: rng.fill(x, rng.normal(), S))(torch.ones(2, 3))


@pytest.mark.parametrize("call", WRITES)
def test_expanded_tensors_are_not_written(call):
    x = torch.ones(1, 1).expand(1, 3)
    with pytest.raises(ValueError, match=f"^{call}: out must have a place for each element, got a stride of 0 bytes for elements that take 4$"):
        WRITES[call](x)
    assert (x == 1).all()


def test_devices_and_parts_of_the_package():
    assert rng.Generator(1, device=torch.device("cpu")).device == "cpu" and rng.torch is librng.torch
    with pytest.raises(TypeError, match="^Stream: seed must be an integer, got Tensor$"):
        rng.Stream(torch.tensor(True))
    parameter = torch.nn.Parameter(torch.ones(3))
    assert not rng.Generator(1).normal(3, like=parameter).requires_grad
    mean = torch.tensor(1.0)
    assert rng.normal(mean).parameters["mean"] == 1
    assert rng.normal(mean.fill_(5)).parameters["mean"] == 5


@pytest.mark.parametrize("initialized", [True, False])
def test_states_of_all_devices_come_back(monkeypatch, initialized):
    calls = []
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: initialized)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "get_rng_state_all", lambda: ["state 0", "state 1"])
    monkeypatch.setattr(torch.cuda, "set_rng_state_all", calls.append)
    monkeypatch.setattr(torch.cuda, "manual_seed_all", calls.append)
    torch.manual_seed(11)
    before, calls[:] = torch.get_rng_state(), []
    with rng.seed_everything(42):
        assert calls == [rng.Seeds(42)["torch"]]
    assert calls[1:] == ([["state 0", "state 1"]] if initialized else [11]) and torch.equal(torch.get_rng_state(), before)


def test_what_operators_refuse(refused):
    x = torch.ones(3)
    refused(
        (lambda: dropout(x, 1.5, S), ValueError, r"dropout: p must be in \[0, 1\], got 1.5"),
        (lambda: dropout(torch.arange(3), 0.5, S), TypeError, "real or complex elements, got torch.int64"),
        (lambda: dropout(x, 0.5, rng.Generator(1)), TypeError, "dropout: stream must be a Stream or .* got Generator"),
        (lambda: dropout(x, 0.5, torch.ones(88)), TypeError, "got torch.float32"),
        (lambda: dropout(x, 0.5, as_tensor(S)[1:]), rng.BadState, "87 bytes are not a state"),
        (lambda: normal(x, 0, -1, S), ValueError, "^normal: stddev must be"),
        (lambda: normal([1.0], 0, 1, S), TypeError, "^normal: out must be a tensor, got list"),
        (lambda: dropout(np.ones(3), 0.5, S), TypeError, "^dropout: x must be a tensor, got ndarray"),
        (lambda: fork(S, "x"), TypeError, "^fork: tag must be an integer, got str"),
        (lambda: fork(S, True), TypeError, "^fork: tag must be an integer, got bool"),
        (lambda: fork(S, -1), ValueError, "^fork: tag must be in"),
        (lambda: as_tensor(42), TypeError, "as_tensor: stream must be a Stream, got int"),
        (lambda: fork(S, 2**56), ValueError, "tag"),
    )
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


@pytest.mark.parametrize("subset", [False, True])
def test_workers_that_persist_hear_of_the_epoch(subset):
    """So do data sets that pass other integers on, as torch's Subset does."""

    def epochs(workers, persistent):
        sampler, seen = EpochSampler(S, 24), []
        data = Data(sampler)
        if subset:
            data = torch.utils.data.Subset(data, range(23, -1, -1))
        loader = torch.utils.data.DataLoader(data, batch_size=5, sampler=sampler, num_workers=workers, persistent_workers=persistent)
        for epoch in (0, 1, 5):
            sampler.set_epoch(epoch)
            seen.append([pair for items, numbers in loader for pair in zip(items.tolist(), numbers.tolist())])
        return seen

    expected = epochs(0, False)
    assert len({number for epoch in expected for _, number in epoch}) == 3 * 24
    assert epochs(2, True) == epochs(2, False) == expected
    assert all(type(item) is int for item, _ in expected[0])


def test_items_are_integers():
    sampler = EpochSampler(S, 5)
    sampler.set_epoch(3)
    items = list(sampler)
    sampler.set_epoch(4)
    for item in (items[0], pickle.loads(pickle.dumps(items[0])), copy.deepcopy(items[0])):
        assert item == int(item) and list(range(5))[item] == item and sampler.numbers(item) == S.fork("numbers").fork(3).fork(int(item))
    assert sampler.numbers(int(items[0])) == sampler.numbers(np.int64(items[0])) == S.fork("numbers").fork(4).fork(int(items[0]))
    with pytest.raises(TypeError, match="^EpochSampler.numbers: item must be an integer, got float"):
        sampler.numbers(1.5)


def test_what_is_refused(refused):
    refused(
        (lambda: EpochSampler(42, 10), TypeError, "stream must be a Stream, got int"),
        (lambda: EpochSampler(S, -1), ValueError, "items must be at least 0, got -1"),
        (lambda: EpochSampler(S, 10, ranks=0), ValueError, "ranks must be at least 1"),
        (lambda: EpochSampler(S, 10, ranks=2, rank=2), ValueError, "rank must be below ranks = 2, got 2"),
        (lambda: EpochSampler(S, 10).set_epoch(1.5), TypeError, "epoch must be an integer"),
    )
    assert np.array_equal(list(EpochSampler(S, 0)), [])
