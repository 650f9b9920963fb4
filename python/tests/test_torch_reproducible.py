"""librng.torch.reproducible: each random operator of torch has the documented numbers, whatever lies around the call: a compiler, a
checkpoint, worker processes, threads, states that are saved and restored. torch_cases.py has the programs that a GPU must repeat."""

import bisect
import contextlib
import copy
import ctypes
import io
import json
import math
import multiprocessing
import random
import shutil
import subprocess
import sys
import threading
import types
import warnings

import librng as rng
import numpy as np
import pytest

torch = pytest.importorskip("torch")
import librng.torch  # noqa: E402
import torch.nn.functional as F  # noqa: E402
import torch_cases as cases  # noqa: E402
from librng import _torch_kernels, _torch_region, _torch_sequence  # noqa: E402
from librng.torch import coverage, in_worker, install_kernels, position, reproducible, stream_of, uncovered, uninstall_kernels  # noqa: E402
from torch import nn  # noqa: E402
from torch.func import grad, jvp, vmap  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated"), pytest.mark.filterwarnings("ignore:None of the inputs have")]
compilers = pytest.mark.skipif(not any(map(shutil.which, ("g++", "clang++"))), reason="inductor needs a C++ compiler")

HALVES = (torch.float16, torch.bfloat16)
N = (101, 13)


@pytest.fixture(autouse=True)
def nothing_is_left_behind():
    yield
    assert _torch_region._draws.count == 0


def drawn(draw, seed=42):
    """What a program makes in a region, and the place of its end."""
    with reproducible(seed, compile="keep"):
        return draw(), position()


def stream(k, seed=42):
    """Written out here, beside stream_of."""
    return rng.Stream(seed).fork("torch").fork(k)


def values(law, shape=N, dtype=torch.float32, k=0, seed=42):
    return rng.fill(torch.empty(shape, dtype=dtype), law, stream(k, seed))


def rounded(law, dtype, shape=N):
    """Of a law that librng has in f32 and f64: the halves are f32 values, rounded once."""
    return values(law, shape, torch.float32).to(dtype) if dtype in HALVES else values(law, shape, dtype)


def each(law, parameters, dtype=None, k=0):
    """Value i of the law that has the parameters of element i."""
    return [rng.at(stream(k), law(*p), i, dtype=dtype) for i, p in enumerate(parameters)]


def same_bits(a, b):
    return cases.digest(a) == cases.digest(b)


def test_a_stream_of_a_sequence():
    for seed, k in (42, 0), (2**64 - 1, 7), (0, 2**40):
        assert stream_of(seed, k) == rng.Stream(seed).fork("torch").fork(k)


# ---- the laws of operators -------------------------------------------------------------------------------------------------------------

ONE_LAW = {
    "uniform_": (lambda t: torch.empty(N, dtype=t).uniform_(-3, 5), lambda t: values(rng.uniform(-3, 5), dtype=t), cases.FLOATS),
    "uniform_ of one value": (lambda t: torch.empty(N, dtype=t).uniform_(2, 2), lambda t: torch.full(N, 2, dtype=t), cases.FLOATS),
    # Bounds that are no numbers of the type: torch rounds them, too.
    "uniform_ of bounds that are rounded": (lambda t: torch.empty(N, dtype=t).uniform_(-0.1, 0.3), lambda t: values(
        rng.uniform(*(torch.tensor(x, dtype=t if t in HALVES else torch.float64).item() for x in (-0.1, 0.3))), dtype=t), cases.FLOATS),
    "rand": (lambda t: torch.rand(N, dtype=t), lambda t: values(rng.uniform(0, 1), dtype=t), cases.FLOATS),
    "rand_like": (lambda t: torch.rand_like(torch.empty(N, dtype=t)), lambda t: values(rng.uniform(0, 1), dtype=t), cases.FLOATS),
    "rand of pairs": (lambda t: torch.view_as_real(torch.rand(N, dtype=t)), lambda t: values(rng.uniform(0, 1), (*N, 2), t.to_real()), cases.COMPLEX),
    "normal_": (lambda t: torch.empty(N, dtype=t).normal_(1, 2), lambda t: values(rng.normal(1, 2), dtype=t), cases.FLOATS),
    "normal_ of deviation 0": (lambda t: torch.empty(N, dtype=t).normal_(1, 0), lambda t: torch.ones(N, dtype=t), cases.FLOATS),
    "randn": (lambda t: torch.randn(N, dtype=t), lambda t: values(rng.normal(0, 1), dtype=t), cases.FLOATS),
    "randn, complex": (lambda t: torch.randn(N, dtype=t), lambda t: values(rng.complex_normal(1), dtype=t), cases.COMPLEX),
    "normal_, complex": (lambda t: torch.empty(N, dtype=t).normal_(1, 2), lambda t: values(rng.complex_normal(2), dtype=t) + 1, cases.COMPLEX),
    "normal of numbers": (lambda t: torch.normal(1.0, 2.0, N, dtype=t), lambda t: values(rng.normal(1, 2), dtype=t), cases.FLOATS),
    "exponential_": (lambda t: torch.empty(N, dtype=t).exponential_(0.7), lambda t: rounded(rng.exponential(0.7), t), cases.FLOATS),
    "exponential_ of rate inf": (lambda t: torch.ones(N, dtype=t).exponential_(math.inf), lambda t: torch.zeros(N, dtype=t), cases.FLOATS),
    "cauchy_": (lambda t: torch.empty(N, dtype=t).cauchy_(1, 2), lambda t: rounded(rng.cauchy(1, 2), t), cases.FLOATS),
    "log_normal_": (lambda t: torch.empty(N, dtype=t).log_normal_(0.1, 0.4), lambda t: rounded(rng.lognormal(0.1, 0.4), t), cases.FLOATS),
    "geometric_": (lambda t: torch.empty(N, dtype=t).geometric_(0.2), lambda t: (values(rng.geometric(0.2), dtype=torch.int64) + 1).to(t), cases.FLOATS + cases.INTEGERS),
    "random_ without bounds": (lambda t: torch.empty(N, dtype=t).random_(), lambda t: values(rng.uniform_int(0, torch.iinfo(t).max), dtype=t), cases.INTEGERS),
    "random_ without bounds, of floats": (lambda t: torch.empty(N, dtype=t).random_(), lambda t: values(
        rng.uniform_int(0, {torch.float16: 2**11, torch.bfloat16: 2**8, torch.float32: 2**24, torch.float64: 2**53}[t]), dtype=torch.int64).to(t), cases.FLOATS),
    "random_ of bool": (lambda t: torch.empty(N, dtype=t).random_(), lambda t: values(rng.uniform_int(0, 1), dtype=torch.int64).to(t), (torch.bool,)),
    "random_ from, to": (lambda t: torch.empty(N, dtype=t).random_(3, 90), lambda t: values(rng.uniform_int(3, 89), dtype=t), cases.INTEGERS),
    "random_ from, to, of floats": (lambda t: torch.empty(N, dtype=t).random_(3, 90), lambda t: values(rng.uniform_int(3, 89), dtype=torch.int64).to(t), cases.FLOATS),
    "randint": (lambda t: torch.randint(0, 100, N, dtype=t), lambda t: values(rng.uniform_int(0, 99), dtype=t), cases.INTEGERS),
    "randint_like": (lambda t: torch.randint_like(torch.empty(N, dtype=t), 3, 100), lambda t: values(rng.uniform_int(3, 99), dtype=t), cases.INTEGERS),
    "bernoulli_": (lambda t: torch.empty(N, dtype=t).bernoulli_(0.3), lambda t: values(rng.bernoulli(0.3), dtype=torch.bool).to(t), cases.FLOATS + cases.INTEGERS + (torch.bool,)),
    "randperm": (lambda t: torch.randperm(100, dtype=t), lambda t: torch.from_numpy(rng.permutation(100, stream(0))).to(t), cases.INTEGERS + cases.FLOATS),
    "trunc_normal_": (lambda t: nn.init.trunc_normal_(torch.empty(N, dtype=t), 0.5, 2.0, -1.0, 3.0), lambda t: values(rng.truncated_normal(0.5, 2, -1, 3), dtype=t), cases.FLOATS),
    "xavier_normal_": (lambda t: nn.init.xavier_normal_(torch.empty(N, dtype=t)), lambda t: values(rng.normal(0, (2 / (101 + 13)) ** 0.5), dtype=t), (torch.float32, torch.float64)),
}


@pytest.mark.parametrize("row", ONE_LAW)
def test_one_law_for_all_elements(row):
    draw, expected, dtypes = ONE_LAW[row]
    for dtype in dtypes:
        made, place = drawn(lambda: draw(dtype))
        assert made.dtype == expected(dtype).dtype and same_bits(made, expected(dtype)), dtype
        assert place == (42, 1), dtype


def test_words_decide_bernoulli():
    """Also the form with a tensor of probabilities: word < round(p 2^32), which is the law of one p where they are equal."""
    p = torch.tensor([0.0, 2**-31, 1e-9, 0.125, 0.3, 0.5, 0.999999, 1.0]).repeat(400)
    words = rng.fill(np.empty(p.numel(), "u4"), rng.bits(), stream(0))
    expected = torch.tensor([int(w) < round(q * 2**32) for w, q in zip(words.tolist(), p.tolist())])
    for draw in (lambda: torch.bernoulli(p), lambda: torch.empty(p.shape).bernoulli_(p),
                 lambda: torch.bernoulli(p, out=torch.empty(3)), lambda: torch.bernoulli(p.double()).float()):
        made, place = drawn(draw)
        assert torch.equal(made, expected.float()) and place == (42, 1)
    words = rng.fill(np.empty(2**20, "u4"), rng.bits(), stream(0))
    for q in (2**-31, 0.30000001192092896, 0.5):  # numbers of f32
        expected = torch.from_numpy(words < round(q * 2**32)).float()
        assert torch.equal(drawn(lambda: torch.bernoulli(torch.full((2**20,), q)))[0], expected)
        assert torch.equal(drawn(lambda: torch.empty(2**20).bernoulli_(q))[0], expected)


@pytest.mark.parametrize("dtype", cases.FLOATS)
def test_normal_of_tensors_is_a_product_and_a_sum(dtype):
    """Two roundings, so that no device may contract them to one."""
    mean, std = torch.linspace(-5, 5, 101).to(dtype), torch.linspace(0, 3, 101).to(dtype)
    z = values(rng.normal(0, 1), 101, dtype)
    for draw, expected in ((lambda: torch.normal(mean, std), z * std + mean), (lambda: torch.normal(mean, 0.7), z * 0.7 + mean), (lambda: torch.normal(0.7, std), z * std + 0.7),
                           (lambda: torch.normal(mean, std, out=torch.empty(0, dtype=dtype)), z * std + mean)):
        made, place = drawn(draw)
        assert torch.equal(made, expected) and place == (42, 1)
    column = torch.ones(3, 1, dtype=dtype)
    assert torch.equal(drawn(lambda: torch.normal(mean, column))[0], values(rng.normal(0, 1), (3, 101), dtype) + mean)


@pytest.mark.parametrize("dtype", cases.FLOATS)
def test_laws_with_a_parameter_for_each_element(dtype):
    wide = torch.float32 if dtype in HALVES else dtype
    mean, alpha = (torch.arange(60) % 9 * 2.5).to(dtype), (torch.arange(60) % 9 * 0.5 + 0.25).to(dtype)
    one = lambda x: [(p,) for p in x.double().tolist()]  # noqa: E731
    assert torch.equal(drawn(lambda: torch.poisson(mean))[0], torch.tensor(each(rng.poisson, one(mean), "int64")).to(dtype))
    assert torch.equal(drawn(lambda: torch._standard_gamma(alpha))[0], torch.tensor(each(rng.gamma, one(alpha), str(wide)[6:]), dtype=torch.float64).to(wide).to(dtype))
    if dtype in HALVES:
        return  # torch has no others
    trials, p = torch.arange(60).to(dtype), (torch.arange(60) % 7 / 8).to(dtype)
    rows = [(int(n), q) for n, q in zip(trials.tolist(), p.tolist())]
    assert torch.equal(drawn(lambda: torch.binomial(trials, p))[0], torch.tensor(each(rng.binomial, rows, "int64")).to(dtype))
    alphas = (torch.arange(35).view(5, 7) % 4 * 0.75 + 0.25).to(dtype)
    gammas = torch.tensor(each(rng.gamma, one(alphas.flatten()), "float64"), dtype=torch.float64).view(5, 7)
    made = drawn(lambda: torch._sample_dirichlet(alphas))[0]
    for row, expected in zip(made, gammas.tolist()):
        total = list(expected)
        while len(total) > 1:
            half = len(total) // 2
            total = [a + b for a, b in zip(total[:half], total[half:])] + total[2 * half :]
        assert row.tolist() == torch.tensor([x / total[0] for x in expected], dtype=torch.float64).to(dtype).tolist()


def test_multinomial_is_a_race_or_the_inverse_of_exact_sums():
    w = [0.5, 0.0, 3.0, 1.25, 0.1, 7.0]
    weights = torch.tensor([w, w[::-1]], dtype=torch.float64)
    made, place = drawn(lambda: torch.multinomial(weights, 4))
    times = rng.fill(np.empty((2, 6)), rng.exponential(1), stream(0))
    for row, each_weight, time in zip(made.tolist(), weights.tolist(), times.tolist()):
        assert row == sorted(range(6), key=lambda i: -each_weight[i] / time[i])[:4]
    assert place == (42, 1)
    made, place = drawn(lambda: torch.multinomial(weights, 500, True))
    u = rng.fill(np.empty((2, 500)), rng.uniform(0, 1), stream(0))
    for row, each_weight, numbers in zip(made.tolist(), weights.tolist(), u.tolist()):
        whole = [int(x / max(each_weight) * 2**52) for x in each_weight]
        sums = np.cumsum(np.array(whole, dtype=object)).tolist()
        assert row == [bisect.bisect_right(sums, min(int(x * sums[-1]), sums[-1] - 1)) for x in numbers]
    assert place == (42, 1)
    # Categories without a weight are never drawn, also at the ends, and there is no limit of 2^24 categories.
    ends = torch.zeros(2**24 + 5).index_fill_(0, torch.tensor([2, 2**24 + 1]), 1.0)
    for replacement in (False, True):
        assert set(drawn(lambda: torch.multinomial(ends, 2, replacement))[0].tolist()) <= {2, 2**24 + 1}
    out = torch.empty(0, dtype=torch.int64)
    assert torch.equal(drawn(lambda: torch.multinomial(weights, 4, out=out))[0], drawn(lambda: torch.multinomial(weights, 4))[0])


@pytest.mark.parametrize("dtype", cases.FLOATS + cases.COMPLEX)
def test_dropout_is_one_formula(dtype):
    x = torch.linspace(-3, 3, 999).to(dtype)
    if dtype.is_complex:
        x = x * (1 + 2j)
    wide = torch.float32 if dtype in HALVES else dtype
    for p in (0.04, 0.3, 0.42, 0.5, 0.88):
        mask = values(rng.bernoulli(1 - p), 999, torch.bool)
        factor = torch.tensor(1 / (1 - p), dtype=wide if not dtype.is_complex else wide.to_real())
        expected = torch.where(mask, (x.to(wide) * factor).to(dtype), 0)
        for draw in (lambda: F.dropout(x, p), lambda: torch.dropout(x, p, True), lambda: torch.native_dropout(x, p, True)[0], lambda: nn.Dropout(p)(x)):
            made, place = drawn(draw)
            assert torch.equal(made, expected) and place == (42, 1)
        if not dtype.is_complex:  # in place torch rounds the factor to the type first, on every device
            made = drawn(lambda: F.dropout(x.clone(), p, inplace=True))[0]
            assert torch.equal(made, x * mask.to(dtype).div(1 - p))
        assert torch.equal(drawn(lambda: torch.native_dropout(x, p, True)[1])[0], mask)
    leaf = x.clone().requires_grad_()
    y = drawn(lambda: F.dropout(leaf, 0.3))[0]
    (gradient,) = torch.autograd.grad(y, leaf, torch.ones_like(y))
    assert torch.equal(gradient != 0, values(rng.bernoulli(0.7), 999, torch.bool))


def test_noise_of_other_layers():
    x = torch.full((4, 5, 6, 7), 2.0)
    for f in F.alpha_dropout, F.feature_alpha_dropout:
        mask = values(rng.bernoulli(0.7), (4, 5, 1, 1) if f is F.feature_alpha_dropout else x.shape, torch.bool).expand(x.shape)
        y = drawn(lambda: f(x, 0.3, True))[0]
        assert len(y[mask].unique()) == 1 and len(y[~mask].unique()) == 1 and (y[mask][0] > 0 > y[~mask][0])
    mask = values(rng.bernoulli(0.7), (4, 5, 1, 1), torch.bool)
    assert torch.equal(drawn(lambda: F.dropout2d(x, 0.3))[0] != 0, mask.expand(x.shape))
    for dtype in cases.FLOATS:
        v = torch.linspace(-3, 3, 101).to(dtype)
        slopes = values(rng.uniform(*(torch.tensor(b, dtype=dtype if dtype in HALVES else torch.float64).item() for b in (1 / 8, 1 / 3))), 101, dtype)
        assert torch.equal(drawn(lambda: F.rrelu(v, training=True))[0], torch.where(v <= 0, v * slopes, v))
    g = values(rng.exponential(1), (30, 50)).log().neg()
    logits = torch.linspace(0, 5, 50).expand(30, 50)
    assert torch.allclose(drawn(lambda: F.gumbel_softmax(logits))[0], (logits + g).softmax(-1))


def test_attention_drops_by_the_mask_of_its_weights():
    q = torch.zeros(2, 4, 16, 16)
    one = torch.eye(16).expand(2, 4, 16, 16).contiguous()
    made, place = drawn(lambda: F.scaled_dot_product_attention(q, q, one, dropout_p=0.25))
    assert place == (42, 1) and torch.equal(made != 0, values(rng.bernoulli(0.75), (2, 4, 16, 16), torch.bool))
    assert torch.allclose(made, (made != 0) / 12)
    r = torch.randn(2, 4, 16, 8, requires_grad=True)
    with reproducible(42):
        inside = F.scaled_dot_product_attention(r, r, r, is_causal=True)
        assert position() == (42, 0)
    assert torch.equal(inside, F.scaled_dot_product_attention(r, r, r, is_causal=True))  # torch's choice without dropout
    with reproducible(42):
        (gradient,) = torch.autograd.grad(F.scaled_dot_product_attention(r, r, r, dropout_p=0.3).sum(), r)
    assert gradient.abs().sum() > 0


# ---- memory ----------------------------------------------------------------------------------------------------------------------------

hypothesis = pytest.importorskip("hypothesis")
st = hypothesis.strategies


@st.composite
def views(draw):
    """A view of up to four dimensions, in any order, with steps, of memory that is larger."""
    shape = draw(st.lists(st.integers(0, 5), max_size=4))
    base = torch.full([n + draw(st.integers(0, 3)) for n in shape], -77.0)
    view = base
    for axis, n in enumerate(shape):
        step = draw(st.integers(1, 2))
        view = view.narrow(axis, 0, n)[(slice(None),) * axis + (slice(None, None, step),)]
    return base, view.permute(draw(st.permutations(range(len(shape)))))


@hypothesis.settings(max_examples=60, deadline=None, derandomize=True)
@hypothesis.given(views())
def test_values_are_in_logical_order(base_and_view):
    base, view = base_and_view
    for fill, law in ((lambda t: t.uniform_(-3, 5), rng.uniform(-3, 5)), (lambda t: t.bernoulli_(0.3), rng.bernoulli(0.3)), (lambda t: t.exponential_(), rng.exponential(1))):
        base.fill_(-77)
        (_, place) = drawn(lambda: fill(view))
        assert place == (42, 1)  # one draw, also of nothing
        if view.numel():
            dtype = torch.bool if law.name == "bernoulli" else torch.float32
            assert torch.equal(view, values(law, tuple(view.shape), dtype).float())
        untouched = base.clone()
        view.fill_(-77)
        assert (base == -77).all() and (untouched == -77).sum() >= base.numel() - view.numel()
    x = torch.linspace(1, 2, max(1, view.numel()))[: view.numel()].reshape(view.shape)
    view.copy_(x)
    assert torch.equal(drawn(lambda: F.dropout(view, 0.5))[0], drawn(lambda: F.dropout(x, 0.5))[0])


def test_memory_formats():
    for like in torch.empty(2, 3, 4, 5).to(memory_format=torch.channels_last), torch.empty(2, 3, 4, 5, 6).to(memory_format=torch.channels_last_3d):
        a = drawn(lambda: torch.randn(like.shape))[0]
        b = drawn(lambda: torch.randn_like(like))[0]
        assert torch.equal(a, b) and b.stride() == like.stride()
        y, mask = drawn(lambda: torch.native_dropout(like.fill_(1), 0.3, True))[0]
        assert y.stride() == mask.stride() == like.stride() and torch.equal(mask, values(rng.bernoulli(0.7), tuple(like.shape), torch.bool))
    z = torch.zeros(9, 7, dtype=torch.complex64)
    drawn(lambda: z.conj().normal_(0, 1))
    assert torch.equal(z.conj(), values(rng.complex_normal(1), (9, 7), torch.complex64))
    with reproducible(1), pytest.raises(RuntimeError, match="single memory location"):
        torch.zeros(1).expand(3).normal_()


def test_autograd_hears_of_writes():
    with reproducible(1):
        parameter = nn.Parameter(torch.ones(3))
        with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
            parameter.normal_()
        w, x = torch.ones(3, requires_grad=True), torch.ones(3)
        y = w * x
        x.normal_()
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()
        z = w * 1
        z.uniform_()
        assert torch.autograd.grad(z.sum(), w)[0].tolist() == [0, 0, 0]
        a = torch.full((5,), 2.5, requires_grad=True)
        for made in torch._standard_gamma(a), torch.distributions.Dirichlet(a).rsample(), torch.distributions.Gamma(a, a).rsample():
            assert made.requires_grad and torch.autograd.grad((made**2).sum(), a)[0].isfinite().all()


# ---- cases, goldens, coverage ----------------------------------------------------------------------------------------------------------


def test_goldens():
    """They are provisional until a GPU has agreed: python torch_cases.py cuda."""
    goldens = json.loads(cases.GOLDENS.read_text())["digests"]
    exact = [name for name, (_, is_exact) in cases.CASES.items() if is_exact]
    assert sorted(goldens) == sorted(exact)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert [name for name in exact if cases.digest(cases.run(name)) != goldens[name]] == []


def test_close_cases_repeat():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in [name for name, (_, is_exact) in cases.CASES.items() if not is_exact]:
            a, b, c = cases.run(name), cases.run(name), cases.run(name, seed=43)
            assert cases.compare(a, b)[0] and not cases.compare(a, c)[0], name


def test_a_digest_sees_types_shapes_and_bits():
    x = torch.zeros(2, 3)
    different = [x, x.double(), x.view(3, 2), -x, x.int(), [x, x], torch.empty(0), torch.empty(0, 2), x + torch.eye(2, 3)]
    assert len({cases.digest(d) for d in different}) == len(different)
    assert cases.digest(x.t().contiguous().t()) == cases.digest({"a": [x]}) == cases.digest(x)
    assert cases.compare([x], [-x]) == (False, 0, 6, 0) and cases.compare([x], [x + 1])[1:3] == (6, 6) and cases.compare([x], [x.double()])[1] == -1


def test_threads_of_librng_and_torch_change_nothing():
    before = rng.num_threads(), torch.get_num_threads()
    names = ["uniform_ of 2^20 + 3", "normal_ of 2^20 + 3", "exponential_ of 2^20 + 3", "dropout of 2^20 + 3", "multinomial of 70,000 categories", "randperm",
             "poisson float32", "_sample_dirichlet of 1,001 parts", "bernoulli of p = 2^-31"]
    try:
        made = []
        for n in (1, 2, 5):
            rng.set_num_threads(n)
            torch.set_num_threads(n)
            made.append([cases.digest(cases.run(name)) for name in names])
    finally:
        rng.set_num_threads(before[0])
        torch.set_num_threads(before[1])
    assert made[0] == made[1] == made[2]


def test_nothing_is_uncovered(monkeypatch):
    assert uncovered() == uncovered("CPU") == uncovered("CUDA") == []
    tagged = set()
    for name in torch._C._dispatch_get_all_op_names():
        space, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        operator = getattr(getattr(getattr(torch.ops, space), base, None), overload or "default", None)
        if operator is not None and torch.Tag.nondeterministic_seeded in operator.tags:
            tagged.add(name)
    assert len(tagged) > 140
    for key in "CPU", "CUDA":
        rows = coverage(key)
        assert set(rows) == tagged
        assert set(rows.values()) <= {"kernel", "composed", "refused", "none", "keyed", "draws nothing"}
        assert rows["aten::normal_"] == "kernel" and rows["aten::rand"] == "composed"
    assert coverage("CUDA")["aten::_cudnn_rnn"] == "refused" and coverage("CPU")["aten::_cudnn_rnn"] == "none"
    monkeypatch.delitem(_torch_kernels.KERNELS, "poisson")
    assert uncovered("CPU") == uncovered("CUDA") == ["aten::poisson"]
    for key in 3, "cuda", "XPU":
        with pytest.raises(rng.InvalidArgument, match="^coverage: key must be 'CPU' or 'CUDA', got "):
            coverage(key)


def arguments_of(operator):
    """Arguments with which an operator draws: (positional, by name)."""
    t, given = torch.full((4, 3), 0.5), {
        "size": [4, 3], "shape": [4, 3], "stride": [3, 1], "low": 0, "from": 0, "high": 5, "to": 5, "n": 6, "lambd": 1.0, "num_samples": 2, "replacement": True,
        "training": True, "train": True, "dropout_p": 0.5, "dropout": 0.5, "requires_grad": False, "generator": None, "names": None, "p": 0.5, "mean": 0.0, "std": 1.0}
    positional, named = [], {}
    for a in operator._schema.arguments:
        kind, name = str(a.type), a.name
        drawing = name in ("replacement", "training", "train", "dropout_p", "dropout")
        if a.has_default_value() and not drawing and not a.is_out and a.kwarg_only:
            continue
        if name in ("query", "key", "value"):
            value = torch.ones(1, 1, 4, 8)
        elif a.is_out or name in ("out", "out0", "out1"):
            whole = "randperm" in operator.name() or "multinomial" in operator.name()
            value = torch.empty(0, dtype=torch.bool if name == "out1" and "dropout" in operator.name() else torch.int64 if whole else torch.float32)
        elif kind.startswith("Tensor"):
            value = torch.tensor(5) if name in ("high", "to") else t * 40 if name == "count" else -t if "rrelu" in operator.name() else t.clone()
        elif "prims" in operator.name() and name in ("dtype", "device"):
            value = torch.float32 if name == "dtype" else torch.device("cpu")
        elif a.has_default_value() and not drawing:
            value = a.default_value
        else:
            value = given[name]
        (named.__setitem__(name, value) if a.kwarg_only else positional.append(value))
    return positional, named


def arguments_of_recurrence(operator):
    base, _, overload = operator.name().partition("::")[2].partition(".")
    parameters = list({"lstm": nn.LSTM, "gru": nn.GRU, "rnn_tanh": nn.RNN, "rnn_relu": nn.RNN}[base](3, 32, 2).parameters())
    state = torch.zeros(2, 2, 32)
    state = [state, state.clone()] if base == "lstm" else state
    if overload == "input":
        return [torch.ones(5, 2, 3), state, parameters, True, 2, 0.5, True, False, False], {}
    packed = nn.utils.rnn.pack_padded_sequence(torch.ones(5, 2, 3), [5, 4])
    return [packed.data, packed.batch_sizes, state, parameters, True, 2, 0.5, True, False], {}


# None of these runs on a CPU: they are forms of what CUDA, MIOpen and MPS alone have.
NOT_HERE = ("_cudnn_rnn.out", "_cudnn_init_dropout_state.out", "_fused_dropout.out", "_lstm_mps.out", "miopen_rnn.out", "_triton_scaled_dot_attention.out",
            "_scaled_dot_product_fused_attention_overrideable", "_triton_multi_head_attention.out")


def test_each_overload_draws_librng_numbers():
    """Each is called twice: ours must have drawn, the twister of torch must not have moved, and both calls must be equal."""
    drew, wrong = [], {}
    for name, how in coverage("CPU").items():
        rest = name.partition("::")[2]
        if how not in ("kernel", "composed") or rest in NOT_HERE or "_mps" in rest or name.startswith("prims::inductor"):  # Inductor's own are not called
            continue
        base, _, overload = rest.partition(".")
        operator = getattr(getattr(getattr(torch.ops, name.partition("::")[0]), base), overload or "default")
        is_recurrence = base in ("lstm", "gru", "rnn_tanh", "rnn_relu")
        made = []
        try:
            arguments = (arguments_of_recurrence if is_recurrence else arguments_of)(operator)
            for seed in (5, 5, 6):
                with reproducible(seed, compile="keep"), warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    positional, named = copy.deepcopy(arguments)
                    twister = torch.get_rng_state()[:5000].clone()
                    result = operator(*positional, **named)
                    moved = not torch.equal(torch.get_rng_state()[24 : 24 + 8 * 618], twister[24 : 24 + 8 * 618]) or position()[0] != seed
                    made.append((cases.digest([x for x in cases.tensors(result) if x.numel()]), position()[1]))
        except Exception as error:  # noqa: BLE001 -- all overloads are named below
            wrong[name] = repr(error)[:200]
            continue
        if moved:
            wrong[name] = "torch's own twister has moved"
        elif made[0][1] == 0:
            wrong[name] = "nothing was drawn"
        elif made[0] != made[1] or made[0][0] == made[2][0]:
            wrong[name] = "the numbers are not those of the seed"
        else:
            drew.append(name)
    assert wrong == {}
    assert len(drew) > 110


# ---- laws, by statistics ---------------------------------------------------------------------------------------------------------------

M = 200_000


def continuous():
    stats = pytest.importorskip("scipy.stats")
    return {
        "rand": (lambda: torch.rand(M), stats.uniform(), stats.uniform(0, 1.01)),
        "rand f64": (lambda: torch.rand(M, dtype=torch.float64), stats.uniform(), stats.uniform(-0.01, 1.01)),
        "randn": (lambda: torch.randn(M), stats.norm(), stats.norm(0.02)),
        "normal_": (lambda: torch.empty(M).normal_(2, 3), stats.norm(2, 3), stats.norm(2, 3.05)),
        "normal of tensors": (lambda: torch.normal(torch.full((M,), 2.0), torch.full((M,), 3.0)), stats.norm(2, 3), stats.norm(2.05, 3)),
        "uniform_": (lambda: torch.empty(M).uniform_(-1, 3), stats.uniform(-1, 4), stats.uniform(-1, 4.05)),
        "exponential_": (lambda: torch.empty(M).exponential_(2), stats.expon(scale=0.5), stats.expon(scale=0.51)),
        "cauchy_": (lambda: torch.empty(M).cauchy_(1, 2), stats.cauchy(1, 2), stats.cauchy(1, 2.1)),
        "log_normal_": (lambda: torch.empty(M).log_normal_(0.5, 0.7), stats.lognorm(0.7, scale=np.exp(0.5)), stats.lognorm(0.72, scale=np.exp(0.5))),
        "gamma": (lambda: torch._standard_gamma(torch.full((M,), 2.5)), stats.gamma(2.5), stats.gamma(2.55)),
        "dirichlet": (lambda: torch._sample_dirichlet(torch.tensor([1.0, 2, 3]).expand(M, 3))[:, 1], stats.beta(2, 4), stats.beta(2, 3.9)),
        "rrelu": (lambda: -F.rrelu(torch.full((M,), -1.0), training=True), stats.uniform(1 / 8, 1 / 3 - 1 / 8), stats.uniform(1 / 8, 1 / 3 - 1 / 8.2)),
        "StudentT": (lambda: torch.distributions.StudentT(5.0).sample((M,)), stats.t(5), stats.t(4)),
        "Beta": (lambda: torch.distributions.Beta(2.0, 3.0).sample((M,)), stats.beta(2, 3), stats.beta(2, 3.1)),
        "VonMises": (lambda: torch.distributions.VonMises(0.0, 2.0).sample((2000,)), stats.vonmises(2), stats.vonmises(3)),
        "randn c64": (lambda: torch.randn(M, dtype=torch.complex64).real, stats.norm(0, 2**-0.5), stats.norm(0, 0.73)),
        "Gumbel": (lambda: torch.distributions.Gumbel(0.0, 1.0).sample((M,)), stats.gumbel_r(), stats.gumbel_r(0.02)),
        "trunc_normal_": (lambda: nn.init.trunc_normal_(torch.empty(M), 0.0, 1.0, -1.0, 2.0), stats.truncnorm(-1, 2), stats.truncnorm(-1, 2.1)),
    }


def discrete():
    stats = pytest.importorskip("scipy.stats")
    weights = torch.tensor([0.1, 0.2, 0.7])
    three = {0: 0.1, 1: 0.2, 2: 0.7}, {0: 0.1, 1: 0.21, 2: 0.69}
    half = lambda p: {0: 1 - p, 1: p}  # noqa: E731
    poisson, binomial = (lambda m: {k: stats.poisson(m).pmf(k) for k in range(40)}), lambda p: {k: stats.binom(10, p).pmf(k) for k in range(11)}
    return {
        "randint": (lambda: torch.randint(3, 9, (M,)), dict.fromkeys(range(3, 9), 1 / 6), {3: 0.18, **dict.fromkeys(range(4, 9), 0.164)}),
        "random_ u8": (lambda: torch.empty(M, dtype=torch.uint8).random_(), dict.fromkeys(range(256), 1 / 256), dict.fromkeys(range(255), 1 / 255)),
        "geometric_": (lambda: torch.empty(M).geometric_(0.4), {k: 0.4 * 0.6 ** (k - 1) for k in range(1, 60)}, {k: 0.41 * 0.59 ** (k - 1) for k in range(1, 60)}),
        "bernoulli": (lambda: torch.bernoulli(torch.full((M,), 0.3)), half(0.3), half(0.31)),
        "dropout": (lambda: F.dropout(torch.ones(M), 0.3) > 0, half(0.7), half(0.71)),
        "poisson": (lambda: torch.poisson(torch.full((M,), 3.5)), poisson(3.5), poisson(3.55)),
        "binomial": (lambda: torch.binomial(torch.full((M,), 10.0), torch.full((M,), 0.3)), binomial(0.3), binomial(0.305)),
        "multinomial with replacement": (lambda: torch.multinomial(weights, M, True), *three),
        "multinomial of rows": (lambda: torch.multinomial(weights.expand(M, 3), 1)[:, 0], *three),
        "multinomial of rows, the first of two": (lambda: torch.multinomial(weights.expand(M, 3), 2)[:, 0], *three),
        "randperm": (lambda: torch.stack([torch.randperm(3) for _ in range(6000)]) @ torch.tensor([9, 3, 1]), dict.fromkeys((5, 7, 11, 15, 19, 21), 1 / 6),
                     {5: 0.2, **dict.fromkeys((7, 11, 15, 19, 21), 0.16)}),
    }


def chi_squared(x, law):
    """The p-value of whole numbers under a law; what is rare is one class."""
    from scipy import stats

    n = len(x)
    counts = dict(zip(*(a.tolist() for a in np.unique(x.astype(np.int64), return_counts=True))))
    often = [k for k in law if law[k] * n > 5]
    observed, expected = [counts.pop(k, 0) for k in often], [law[k] * n for k in often]
    rest = n - sum(expected)
    if rest > 1e-6 * n:
        observed, expected = [*observed, n - sum(observed)], [*expected, rest]
    elif counts:
        return 0.0  # values that the law does not have
    return stats.chisquare(observed, np.array(expected) * sum(observed) / sum(expected)).pvalue


def test_continuous_laws():
    stats = pytest.importorskip("scipy.stats")
    p = {}
    with reproducible(42, compile="keep"):
        for name, (draw, law, wrong) in continuous().items():
            x = draw().double().numpy()
            p[name] = stats.kstest(x, law.cdf).pvalue
            assert stats.kstest(x, wrong.cdf).pvalue < 1e-4, f"{name}: the test does not tell a wrong law"
    assert [name for name, value in p.items() if not value > 1e-4] == []


def test_discrete_laws():
    p = {}
    with reproducible(42, compile="keep"):
        for name, (draw, law, wrong) in discrete().items():
            x = draw().numpy()
            p[name] = chi_squared(x, law)
            assert chi_squared(x, wrong) < 1e-4, f"{name}: the test does not tell a wrong law"
    assert [name for name, value in p.items() if not value > 1e-4] == []


def test_draws_are_independent_of_each_other():
    """Consecutive draws, and those of neighbouring seeds: correlations of 200,000 normal numbers are below 4.5 / sqrt(200,000)."""
    with reproducible(42, compile="keep"):
        rows = [torch.randn(M, dtype=torch.float64) for _ in range(3)]
    rows.append(drawn(lambda: torch.randn(M, dtype=torch.float64), 43)[0])
    correlations = torch.corrcoef(torch.stack(rows)) - torch.eye(4, dtype=torch.float64)
    assert correlations.abs().max() < 4.5 / M**0.5


# ---- initial weights -------------------------------------------------------------------------------------------------------------------


def test_initialisers_that_torch_computes_on():
    theirs = nn.init.orthogonal_, nn.init._no_grad_trunc_normal_
    for shape in (5, 5), (12, 5), (5, 12), (6, 2, 3), (0, 3):
        for dtype in (torch.float32, torch.float64, torch.bfloat16):
            w = drawn(lambda: nn.init.orthogonal_(torch.empty(shape, dtype=dtype), 3.0))[0]
            if w.numel():
                flat = w.flatten(1).double()
                square = flat @ flat.T if flat.shape[0] <= flat.shape[1] else flat.T @ flat
                assert torch.allclose(square, 9 * torch.eye(len(square), dtype=torch.float64), atol=0.2 if dtype == torch.bfloat16 else 1e-5)
    assert drawn(lambda: nn.init.orthogonal_(torch.empty(4, 4)))[1] == drawn(lambda: nn.init.orthogonal_(torch.empty(0, 4)))[1] == (42, 1)
    # Haar's measure: the first entry of a rotation of three dimensions is uniform in (-1, 1), of either sign.
    first = torch.stack([drawn(lambda: nn.init.orthogonal_(torch.empty(3, 3)), seed)[0][0, 0] for seed in range(60)])
    assert first.abs().max() < 1 and 15 < (first > 0).sum() < 45
    with reproducible(1), pytest.raises(ValueError, match="Only tensors with 2 or more dimensions are supported"):
        nn.init.orthogonal_(torch.empty(4))
    with reproducible(1):
        w = nn.init.trunc_normal_(nn.Parameter(torch.empty(1000)), std=0.02, a=-0.03, b=0.03)
        assert w.requires_grad and w.abs().max() <= 0.03 and w.std() > 0.01
        narrow = nn.init.trunc_normal_(torch.empty(1000, dtype=torch.bfloat16), std=0.1, a=-0.1, b=0.1)
        assert narrow.abs().max() <= torch.tensor(0.1, dtype=torch.bfloat16)
        g = torch.Generator().manual_seed(3)
        nn.init.trunc_normal_(torch.empty(3), generator=g)
        nn.init.orthogonal_(torch.empty(3, 3), generator=g)
        assert position(g) == (3, 2) and position() == (1, 2)
    assert (nn.init.orthogonal_, nn.init._no_grad_trunc_normal_) == theirs


def test_layers_of_every_type_have_weights():
    """Bounds by the square root of a width are no numbers of f16 and bf16."""
    for dtype in cases.FLOATS:
        for make in (lambda: nn.Linear(30, 40, dtype=dtype), lambda: nn.Conv2d(3, 5, 3, dtype=dtype), lambda: nn.LSTM(7, 9, dtype=dtype), lambda: nn.Embedding(7, 9, dtype=dtype),
                     lambda: nn.MultiheadAttention(12, 3, dtype=dtype), lambda: nn.Bilinear(3, 5, 7, dtype=dtype)):
            assert all(p.isfinite().all() and p.dtype == dtype for p in drawn(make)[0].parameters())


def test_meta_tensors_draw_nothing():
    with reproducible(1):
        with torch.device("meta"):
            layer = nn.Linear(3, 4)
        assert layer.weight.is_meta and position() == (1, 0)
        layer = layer.to_empty(device="cpu")
        layer.reset_parameters()
        assert position() == (1, 2)


# ---- sequences and states --------------------------------------------------------------------------------------------------------------


def test_the_sequence():
    with reproducible(42):
        assert position() == (42, 0)
        for k in range(4):
            assert torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, k=k)) and position() == (42, k + 1)
        torch.empty(0).normal_(), torch.empty(3).normal_(0, 0), torch.randperm(0)
        assert position() == (42, 7)  # a draw counts whatever it makes
        F.dropout(torch.ones(3), 0.0), F.dropout(torch.ones(3), 0.5, False)
        assert position() == (42, 7)


def test_manual_seed_in_a_region():
    with reproducible(42):
        torch.rand(3)
        torch.manual_seed(99)
        assert position() == (99, 0) and torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, seed=99))
        torch.manual_seed(-1)
        assert position() == (2**64 - 1, 0) and torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, seed=2**64 - 1))
        seed = torch.seed()
        assert position() == (seed, 0) and torch.initial_seed() == seed


def test_states():
    with reproducible(3):
        a = torch.rand(2)
        with torch.random.fork_rng():
            torch.rand(100)
            torch.manual_seed(8)
        b, state = torch.rand(2), torch.get_rng_state()
        c = torch.rand(2)
        torch.set_rng_state(state)
        assert position() == (3, 2) and torch.equal(torch.rand(2), c) and position() == (3, 3)
        torch.manual_seed(3)
        assert torch.equal(torch.rand(2), a) and torch.equal(torch.rand(2), b)


def test_states_in_files(tmp_path):
    with reproducible(3):
        torch.rand(3)
        torch.save(torch.get_rng_state(), tmp_path / "state")
        a = torch.randn(3)
    with reproducible(99):
        torch.rand(7)
        torch.set_rng_state(torch.load(tmp_path / "state"))
        assert position() == (3, 1) and torch.equal(torch.randn(3), a)
    before = torch.get_rng_state()
    try:  # a state of a region is one for torch's own kernels, too
        made = []
        for _ in range(2):
            torch.set_rng_state(torch.load(tmp_path / "state"))
            made.append(torch.rand(2000))
        assert torch.equal(*made) and 0.45 < made[0].mean() < 0.55 and len(made[0].unique()) > 1990
        with reproducible():  # and with torch's numbers drawn from it, it is another sequence
            assert position() != (3, 1)
    finally:
        torch.set_rng_state(before)


def test_a_region_without_a_seed_goes_on():
    before = torch.get_rng_state()
    try:
        torch.manual_seed(7)
        with reproducible():
            assert position() == (7, 0) and torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, seed=7))
        assert position() == (7, 1)
        with reproducible():
            assert torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, k=1, seed=7))
        torch.manual_seed(7)
        torch.rand(3)
        with reproducible():  # where torch has drawn itself: a sequence of that state
            seed, k = position()
            assert k == 0 and seed != 7 and torch.equal(torch.rand(3), values(rng.uniform(0, 1), 3, seed=seed)) and position() == (seed, 1)
        torch.manual_seed(7)
        torch.rand(4)
        with reproducible():
            assert position()[0] != seed
    finally:
        torch.set_rng_state(before)


@pytest.fixture(params=["in place", "by copies"])
def carriers(request, monkeypatch):
    if request.param == "by copies":
        monkeypatch.setattr(_torch_sequence, "offset_of_twister", lambda: None)
    _torch_sequence._default.cache_clear()
    yield request.param
    _torch_sequence._default.cache_clear()


def test_carriers(carriers):
    """The pair is read and written in place, or through get_state and set_state: with the same states."""
    assert (_torch_sequence.carrier(torch.default_generator).memory is None) == (carriers == "by copies")
    seen = []
    for seed in (3, 2**64 - 2):
        g = torch.Generator().manual_seed(seed)
        seen += [position(g), g.get_state()]
        with reproducible(seed):
            for at in (g, None):
                torch.rand(3, generator=at), torch.randn(5, dtype=torch.float64, generator=at)
                seen += [position(at), (at or torch.default_generator).get_state()]
            seen.append(torch.rand(3))
        torch.randn(3, generator=g)  # torch's own, from a marked state
        seen.append(g.get_state())
        g.manual_seed(seed), torch.rand(1, generator=g)
        seen += [position(g), g.get_state()]
    assert seen[0] == (3, 0) and seen[2] == (3, 2)
    digest = cases.digest([x if isinstance(x, torch.Tensor) else [v - 2**64 if v >= 2**63 else v for v in x] for x in seen])
    assert SEEN.setdefault("carriers", digest) == digest


SEEN = {}


def test_layouts_of_states(monkeypatch):
    find = _torch_sequence.offset_of_twister.__wrapped__
    assert find() is not None  # else this torch pays for copies: not wrong, but say so
    with monkeypatch.context() as m:
        m.setattr(ctypes, "string_at", lambda address, n: bytes(n))
        assert find() is None
    with monkeypatch.context() as m:
        short = types.SimpleNamespace(manual_seed=lambda seed: short, get_state=lambda: torch.zeros(16, dtype=torch.uint8))
        m.setattr(torch, "Generator", lambda: short)
        with pytest.raises(rng.Unsupported, match="states of 16 bytes for CPU generators, not 5056"):
            find()
    with pytest.raises(rng.Unsupported, match="a generator must be of the CPU or of CUDA, got one of meta"):
        position(types.SimpleNamespace(device=torch.device("meta")))


def test_generators():
    with reproducible(3):
        torch.rand(2)
        g = torch.Generator().manual_seed(11)
        a = torch.randn(3, generator=g)
        assert torch.equal(a, values(rng.normal(0, 1), 3, seed=11))
        for draw in (lambda: torch.randperm(4, generator=g), lambda: torch.randint(9, (2,), generator=g), lambda: torch.bernoulli(torch.ones(2), generator=g),
                     lambda: torch.multinomial(torch.ones(3), 1, generator=g), lambda: torch.empty(2).exponential_(generator=g), lambda: torch.poisson(torch.ones(2), g),
                     lambda: torch.normal(torch.ones(2), 1.0, generator=g), lambda: nn.init.kaiming_uniform_(torch.empty(2, 2), generator=g)):
            before = position(g)
            draw()
            assert position(g) == (11, before[1] + 1) and position() == (3, 1)
        h = torch.Generator()
        h.set_state(g.get_state())
        k = g.clone_state()
        c = torch.rand(2, generator=g)
        assert torch.equal(torch.rand(2, generator=h), c) and torch.equal(torch.rand(2, generator=k), c) and position(k) == position(g)
        # A generator that torch has drawn from before is a sequence of its state.
    g = torch.Generator().manual_seed(11)
    torch.rand(5, generator=g)
    with reproducible(3):
        seed = position(g)[0]
        assert seed != 11 and torch.equal(torch.rand(2, generator=g), values(rng.uniform(0, 1), 2, seed=seed))


class Device:
    """A CUDA generator, as far as a sequence sees one."""

    def __init__(self, seed, index=0):
        self.seed, self.offset, self.device = seed, 0, torch.device("cuda", index)

    def initial_seed(self):
        return self.seed

    def manual_seed(self, seed):
        self.seed, self.offset = seed, 0

    def get_offset(self):
        return self.offset

    def set_offset(self, offset):
        self.offset = offset


@pytest.fixture
def two_devices(monkeypatch):
    """Two of CUDA's default generators: (generators, the draw on a device, the seed of all)."""
    generators = Device(42), Device(42, 1)
    monkeypatch.setattr(torch.cuda, "default_generators", generators)
    monkeypatch.setattr(torch.cuda, "is_initialized", lambda: True)
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: False)

    def seed_all(seed):  # as torch.manual_seed has it
        torch.default_generator.manual_seed(seed)
        for g in generators:
            g.manual_seed(seed)

    before = torch.get_rng_state()
    seed_all(42)
    _torch_sequence.forget_devices()
    yield generators, lambda index=0, generator=None: _torch_sequence.next_stream(index, generator), seed_all
    _torch_sequence._written.clear()
    torch.set_rng_state(before)


def test_devices_share_a_sequence(two_devices):
    (a, b), draw, seed_all = two_devices
    assert [draw(i) for i in (0, -1, 1, 0, 1, -1)] == [stream(k) for k in range(6)] and position() == (42, 6)
    assert (a.offset, b.offset) == (16, 20)
    seed_all(99)  # both are at the same place, and the CPU does not draw the numbers of a device again
    assert [draw(i) for i in (0, -1, 1, -1)] == [stream(k, 99) for k in range(4)] and position() == (99, 4)


def test_a_seed_of_a_device_is_heard_before_any_draw(two_devices):
    (a, _), draw, _ = two_devices
    a.manual_seed(11)
    assert [draw(0) for _ in range(3)] == [stream(k, 11) for k in range(3)] and position() == (42, 0) and (a.seed, a.offset) == (11, 12)
    assert draw(1) == stream(0, 42) and position() == (42, 1)
    a.manual_seed(11)
    assert draw(0) == stream(0, 11) and draw(-1) == stream(1, 42)


def test_a_state_of_a_device_is_heard(two_devices):
    """A checkpoint in a compiled graph puts the state of a device back for its second forward pass, and then returns to the present."""
    (a, _), draw, _ = two_devices
    draw(0), draw(-1), draw(0)
    then = a.seed, a.offset
    assert [draw(0), draw(-1)] == [stream(3), stream(4)]
    now = a.seed, a.offset
    a.seed, a.offset = then
    assert draw(0) == stream(3) and position() == (42, 5)
    a.seed, a.offset = now
    assert draw(-1) == stream(5)


def test_states_of_all_devices_are_heard(two_devices):
    """A checkpoint in eager mode, and fork_rng, put the states of the CPU and of the devices back: the CPU's place counts, whoever drew last."""
    generators, draw, seed_all = two_devices
    save = lambda: (torch.get_rng_state(), [(g.seed, g.offset) for g in generators])  # noqa: E731

    def restore(saved):
        torch.set_rng_state(saved[0])
        for g, (seed, offset) in zip(generators, saved[1]):
            g.seed, g.offset = seed, offset

    draw(0), draw(-1)
    before = save()
    assert [draw(0), draw(1), draw(-1)] == [stream(2), stream(3), stream(4)]
    present = save()
    restore(before)
    assert [draw(0), draw(1)] == [stream(2), stream(3)]
    restore(present)
    assert [draw(1), draw(-1), draw(0)] == [stream(5), stream(6), stream(7)]
    present = save()
    seed_all(7)
    assert [draw(0), draw(-1), draw(-1), draw(1)] == [stream(k, 7) for k in range(4)]
    restore(present)
    assert [draw(0), draw(1)] == [stream(8), stream(9)]


def test_a_seed_before_a_capture(two_devices, monkeypatch):
    """A capture cannot read the places of devices. They follow all the same."""
    _, draw, seed_all = two_devices
    draw(0), draw(1)
    seed_all(99)
    with monkeypatch.context() as m:
        m.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
        assert draw(-1) == stream(0, 99)
    assert [draw(1), draw(0), draw(-1)] == [stream(k, 99) for k in (1, 2, 3)]


def test_both_devices_begin_anew_in_any_order(two_devices):
    (a, b), draw, seed_all = two_devices
    draw(0), draw(1)
    for seed, order in (99, (0, 1)), (98, (-1, 0, 1, 0)), (97, (-1, -1, 1, 0)), (96, (1, 1, -1, 0, 0)):
        seed_all(seed)
        assert [draw(i) for i in order] == [stream(k, seed) for k in range(len(order))], order
    a.manual_seed(96)  # for this device alone, with the seed of all: it draws its own again
    assert draw(0) == stream(0, 96) and draw(1) == stream(5, 96) and draw(0) == stream(1, 96)


def test_generators_of_a_device(two_devices):
    _, draw, _ = two_devices
    g = Device(11)
    assert [draw(0, g), draw(1, g)] == [stream(0, 11), stream(1, 11)] and g.offset == 8 and position() == (42, 0)
    assert position(g) == (11, 2)


def test_captures(monkeypatch):
    """In the capture of a CUDA graph a draw is made from a Generator, whose replays have numbers of their own."""
    t, made = types.SimpleNamespace(is_cuda=True, get_device=lambda: 0), []
    monkeypatch.setattr(torch.cuda, "is_current_stream_capturing", lambda: True)
    monkeypatch.setattr(rng, "Generator", lambda s, device: made.append((s, device)) or len(made))
    monkeypatch.setattr(_torch_kernels, "_captured", [])
    with reproducible(42, compile="keep"):
        assert [_torch_kernels.source_of(t), _torch_kernels.source_of(t)] == [1, 2] and position() == (42, 2)
        with pytest.raises(rng.Unsupported, match="generator= cannot be captured in a CUDA graph; leave generator= out"):
            _torch_kernels.source_of(t, Device(3))
    assert made == [(stream(0), "cuda:0"), (stream(1), "cuda:0")] and _torch_kernels._captured == [1, 2]


def test_kernels_of_cuda_that_draw_inside_are_refused(monkeypatch):
    called = []
    theirs = types.SimpleNamespace(call_boxed=lambda keys, *args, **options: called.append(args) or "theirs")
    q = torch.ones(1, 1, 2, 8)
    monkeypatch.setattr(torch.library, "get_kernel", lambda name, key: theirs)
    attention = _torch_kernels._refusal("_scaled_dot_product_flash_attention", "take MATH")
    assert attention(q, q, q) == attention(q, q, q, 0.0) == attention(q, q, q, dropout_p=0.0) == "theirs" and len(called) == 3
    for call in (lambda: attention(q, q, q, 0.2), lambda: attention(q, q, q, dropout_p=0.2)):
        with pytest.raises(rng.Unsupported, match="^_scaled_dot_product_flash_attention: dropout inside of this kernel has no numbers of librng: take MATH"):
            call()
    names = [a.name for a in torch.ops.aten._cudnn_rnn.default._schema.arguments]
    lstm = _torch_kernels._refusal("_cudnn_rnn", "set")
    for p, train, refuses in ((0.0, True, False), (0.5, False, False), (0.5, True, True)):
        given = dict.fromkeys(names) | {"dropout": p, "train": train}
        with pytest.raises(rng.Unsupported, match="^_cudnn_rnn") if refuses else contextlib.nullcontext():
            assert lstm(*given.values()) == "theirs"
    assert {"_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention", "_cudnn_init_dropout_state", "miopen_rnn"} <= set(_torch_kernels.REFUSED)


# ---- regions ---------------------------------------------------------------------------------------------------------------------------


def everything():
    """The states that a region must bring back, and whose kernels torch has."""
    numpy_state = np.random.get_state(legacy=False)["state"]
    return (torch.get_rng_state().numpy().tobytes(), random.getstate(), numpy_state["key"].tobytes(), numpy_state["pos"], nn.init.orthogonal_, nn.init._no_grad_trunc_normal_,
            torch._inductor.config.fallback_random, torch._inductor.config.reorder_for_peak_memory, sorted(map(str, torch._inductor.decomposition.decompositions)))


def torch_numbers():
    return cases.digest([f(torch.ones(50), torch.Generator().manual_seed(1)) for f in (lambda x, g: x.normal_(generator=g), lambda x, g: torch.bernoulli(x / 2, generator=g))])


def test_a_region_brings_everything_back():
    import torch._inductor.config
    import torch._inductor.decomposition  # noqa: F401

    before, numbers = everything(), torch_numbers()
    with reproducible(9):
        assert torch_numbers() != numbers
        torch.rand(5), random.random(), np.random.rand()
        inside = everything()
        assert inside[6:8] == (True, False) and all(a != b for a, b in zip(before, inside) if a is not before[6] and a is not before[7])
    assert everything() == before and torch_numbers() == numbers
    with pytest.raises(ZeroDivisionError), reproducible(9):
        torch.rand(5), random.random(), 1 / 0  # noqa: B018
    assert everything() == before and torch_numbers() == numbers


def test_random_and_numpy_are_seeded():
    made = []
    for seed in (5, 5, 6):
        with reproducible(seed, compile="keep"):
            made.append((random.random(), np.random.rand()))
    assert made[0] == made[1] and made[0][0] != made[2][0] and made[0][1] != made[2][1]
    with rng.seed_everything(5):
        assert made[0] == (random.random(), np.random.rand())
    states = random.getstate(), np.random.get_state()[1].tolist()
    with reproducible(5, everything=False, compile="keep"):
        assert (random.getstate(), np.random.get_state()[1].tolist()) == states
        values_of = random.random(), np.random.rand()
    assert values_of[0] != random.random() and values_of[1] != np.random.rand()  # they went on


def test_nested_regions():
    draw = lambda: torch.rand(2)  # noqa: E731
    with reproducible(1):
        a = draw()
        with reproducible(2):
            b = draw()
        c = draw()
        with reproducible():
            d = draw()
        e = draw()
    with reproducible(1):
        assert all(torch.equal(x, draw()) for x in (a, c, d, e))
    assert torch.equal(b, drawn(draw, 2)[0])


def test_a_region_decorates_a_function():
    @reproducible(42)
    def f():
        return torch.rand(3)

    assert torch.equal(f(), f()) and torch.equal(f(), values(rng.uniform(0, 1), 3)) and _torch_region._draws.count == 0


def test_kernels_for_a_whole_program():
    numbers = torch_numbers()
    install_kernels()
    install_kernels()
    ours = torch_numbers()
    with reproducible(3):
        pass
    uninstall_kernels()
    assert torch_numbers() == ours != numbers
    in_worker(0)
    uninstall_kernels()
    assert torch_numbers() == numbers
    with pytest.raises(rng.Error, match="^uninstall_kernels: the kernels are not installed"):
        uninstall_kernels()
    in_worker()
    assert torch_numbers() == ours
    uninstall_kernels()


def test_a_failed_start_leaves_nothing(monkeypatch):
    numbers, known = torch_numbers(), list(_torch_kernels.kernels())

    def broken():
        yield from known[:20]
        raise RuntimeError("no more kernels")

    before = everything()
    with monkeypatch.context() as m:
        m.setattr(_torch_kernels, "kernels", broken)
        with pytest.raises(RuntimeError, match="no more kernels"), reproducible(3):
            pass
    assert torch_numbers() == numbers and everything() == before and _torch_region._draws.count == 0
    with monkeypatch.context() as m:  # a torch whose Inductor has no option to keep the order of draws
        m.setitem(sys.modules, "torch._inductor.config", types.ModuleType("config"))
        m.setattr(torch._inductor, "config", sys.modules["torch._inductor.config"])
        with pytest.raises(rng.Unsupported, match="has no option that keeps the order of draws in compiled functions"), reproducible(3):
            pass
    assert torch_numbers() == numbers and everything() == before


def test_threads():
    made = []

    def work():
        for _ in range(200):
            made.append(torch.rand(4))

    with reproducible(1):
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert position() == (1, 800)
    expected = {tuple(values(rng.uniform(0, 1), 4, k=k, seed=1).tolist()) for k in range(800)}
    assert {tuple(x.tolist()) for x in made} == expected and len(expected) == 800


def test_nobody_sees_a_warning():
    """In a new process, since torch warns of replaced kernels once."""
    program = """
import warnings, torch, librng.torch
import torch.nn.functional as F
warnings.simplefilter("error")
for _ in range(2):
    with librng.torch.reproducible(42):
        m = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Dropout(0.5))
        m(torch.randn(2, 4)).sum().backward()
        F.gumbel_softmax(torch.ones(5)), torch.randperm(4), torch.bernoulli(torch.ones(3) / 2), torch.poisson(torch.ones(3)), torch.multinomial(torch.ones(3), 1)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (result.returncode, result.stderr, result.stdout) == (0, "", "")


def test_what_regions_refuse(refused):
    def enter(*arguments, **options):
        with reproducible(*arguments, **options):
            pass

    before = everything()
    refused(
        (lambda: enter(1.5), TypeError, "^reproducible: seed must be an integer, got float"),
        (lambda: enter(True), TypeError, "^reproducible: seed must be an integer, got bool"),
        (lambda: enter("42"), TypeError, "^reproducible: seed must be an integer, got str"),
        (lambda: enter(2**64), ValueError, "^reproducible: seed"),
        (lambda: enter(-(2**63) - 1), ValueError, "^reproducible: seed"),
        (lambda: enter(42, compile="never"), ValueError, "^reproducible: compile must be 'reset' or 'keep', got 'never'"),
        (lambda: enter(42, "keep"), TypeError, "positional"),
    )
    assert everything() == before
    for seed in (0, -1, 2**64 - 1, -(2**63), np.int64(42)):
        assert drawn(lambda: None, seed)[1] == (int(seed) % 2**64, 0)


def test_what_operators_refuse(refused):
    """torch's own messages, where it has one."""
    x, nan, inf = torch.ones(3), math.nan, math.inf
    small = torch.empty(3, dtype=torch.uint8)
    of = lambda *v: torch.tensor(v)  # noqa: E731
    theirs = [
        (lambda: torch.empty(3).uniform_(2, 1), RuntimeError, r"uniform_ expects to return a \[from, to\) range, but found from=2.* > to=1"),
        (lambda: torch.empty(3).normal_(0, -1), RuntimeError, "normal expects std >= 0.0, but found std -1"),
        (lambda: torch.empty(3).normal_(0, nan), RuntimeError, "normal expects std >= 0.0, but found std nan"),
        (lambda: torch.normal(x, -x), RuntimeError, "normal expects all elements of std >= 0.0"),
        (lambda: torch.empty(3).exponential_(-1), RuntimeError, "exponential_ expects lambda > 0.0, but found lambda=-1"),
        (lambda: torch.empty(3).cauchy_(0, 0), RuntimeError, "cauchy_ expects sigma > 0.0, but found sigma=0"),
        (lambda: torch.empty(3).log_normal_(0, 0), RuntimeError, "log_normal_ expects std > 0.0, but found std=0"),
        (lambda: torch.empty(3).geometric_(1.0), RuntimeError, r"geometric_ expects p to be in \(0, 1\), but got p=1"),
        (lambda: torch.empty(3).bernoulli_(1.5), RuntimeError, r"bernoulli_ expects p to be in \[0, 1\], but got p=1.5"),
        (lambda: torch.randint(3, 3, (2,)), RuntimeError, "random_ expects 'from' to be less than 'to', but got from=3 >= to=3"),
        (lambda: small.random_(0, 300), RuntimeError, "to - 1 is out of bounds for"),
        (lambda: small.random_(-1, 3), RuntimeError, "from is out of bounds for"),
        (lambda: torch.dropout(x, 2.0, True), RuntimeError, "dropout probability has to be between 0 and 1, but got 2"),
        (lambda: torch.dropout(x, nan, True), RuntimeError, "dropout probability has to be between 0 and 1, but got nan"),
        (lambda: torch.multinomial(torch.zeros(3), 1), RuntimeError, r"invalid multinomial distribution \(sum of probabilities <= 0\)"),
        (lambda: torch.multinomial(of(1.0, nan), 1), RuntimeError, "probability tensor contains either `inf`, `nan` or element < 0"),
        (lambda: torch.multinomial(of(1.0, inf), 1), RuntimeError, "probability tensor contains either `inf`, `nan` or element < 0"),
        (lambda: torch.multinomial(of(1.0, -1.0), 1), RuntimeError, "probability tensor contains either `inf`, `nan` or element < 0"),
        (lambda: torch.multinomial(torch.ones(3), 4), RuntimeError, r"cannot sample n_sample > prob_dist.size\(-1\) samples without replacement"),
        (lambda: torch.multinomial(torch.ones(3), 0), RuntimeError, "cannot sample n_sample <= 0 samples"),
        (lambda: torch.multinomial(torch.arange(3), 1), RuntimeError, "multinomial only supports floating-point dtypes for input, got:"),
        (lambda: torch.multinomial(torch.ones(1, 2, 3), 1), RuntimeError, "prob_dist must be 1 or 2 dim"),
        (lambda: torch.randperm(-1), RuntimeError, "negative dimension"),
        (lambda: F.dropout(x, 2.0), ValueError, "dropout probability has to be between 0 and 1, but got 2"),
    ]
    ours = [
        (lambda: torch.empty(3).uniform_(nan, 1), RuntimeError, "uniform_"),
        (lambda: torch.empty(3).normal_(nan, 1), ValueError, "normal: mean must be"),
        (lambda: torch.bernoulli(of(0.5, 2.0)), rng.InvalidArgument, r"^bernoulli: .*p must be in \[0, 1\], got 2"),
        (lambda: torch.empty(2).bernoulli_(of(0.5, nan)), rng.InvalidArgument, r"^bernoulli: .*p must be in \[0, 1\], got nan"),
        (lambda: torch.poisson(of(1.0, -1.0)), rng.InvalidArgument, "^poisson: .*mean must be in .* got -1"),
        (lambda: torch.poisson(of(1.0, nan)), rng.InvalidArgument, "^poisson: .*mean must be in .* got nan"),
        (lambda: torch._standard_gamma(of(1.0, nan)), rng.InvalidArgument, "^_standard_gamma: .*shape must be in .* got nan"),
        (lambda: torch._sample_dirichlet(of(1.0, 0.0)), rng.InvalidArgument, "^_sample_dirichlet: .*shape must be in .* got 0"),
        (lambda: torch.binomial(of(5.0, 5.0), of(0.5, 1.5)), rng.InvalidArgument, r"^binomial: .*p must be in \[0, 1\], got 1.5"),
        (lambda: torch.binomial(of(5.0, -1.0), of(0.5, 0.5)), rng.InvalidArgument, "^binomial: .*trials must be in .* got -1"),
        (lambda: torch.bernoulli(torch.arange(2)), RuntimeError, "^bernoulli expects floating-point probabilities, but got torch.int64"),
        (lambda: torch.randperm(257, dtype=torch.uint8), RuntimeError, "n is too large for result tensor type: 257 for torch.uint8"),
        (lambda: F.dropout(torch.ones(3, dtype=torch.int64), 0.5), rng.Unsupported, "dropout: not for elements of int64"),
        (lambda: torch._sample_dirichlet(torch.ones(3, dtype=torch.int64)), rng.Unsupported, "_sample_dirichlet: not for elements of int64"),
        (lambda: torch.empty(3, dtype=torch.int64).normal_(), rng.Unsupported, "normal_: elements of int64 have no values of normal"),
        *((lambda f=f: f(torch.empty(3, dtype=torch.float8_e4m3fn)), rng.Unsupported, "float8_e4m3fn") for f in (
            torch.Tensor.uniform_, torch.Tensor.normal_, torch.Tensor.bernoulli_, torch.Tensor.random_, torch.Tensor.exponential_, lambda x: x.random_(3),
            lambda x: F.dropout(x, 0.5), torch.rand_like)),
        *((lambda f=f: f(torch.empty(3, dtype=torch.complex64)), rng.Unsupported, "complex64") for f in (
            torch.Tensor.bernoulli_, torch.Tensor.random_, torch.Tensor.exponential_, torch.Tensor.cauchy_, lambda x: x.random_(3), lambda x: x.geometric_(0.5))),
    ]
    with reproducible(1, compile="keep"):
        refused(*theirs, *ours)
    refused(*theirs)  # torch refuses these in the same words
    with reproducible(1):  # and without an element nothing can be out of range
        for empty in (lambda: torch.bernoulli(torch.empty(0)), lambda: torch.poisson(torch.empty(0)), lambda: torch._standard_gamma(torch.empty(0)), lambda: torch.multinomial(torch.ones(0, 3), 2)):
            before = position()[1]
            assert empty().numel() == 0 and position()[1] == before + 1


# ---- programs --------------------------------------------------------------------------------------------------------------------------


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(16, 32), nn.Linear(32, 16)
        self.layer = nn.TransformerEncoderLayer(16, 2, 32, dropout=0.15, batch_first=True)

    def forward(self, x):
        return self.layer(F.dropout(self.b(F.dropout(torch.relu(self.a(x)), 0.1)), 0.5, self.training))


def train(steps=3):
    net = Net()
    optimizer, losses = torch.optim.SGD(net.parameters(), 0.1), []
    for _ in range(steps):
        loss = net(torch.randn(4, 5, 16)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_training_repeats():
    (a, at), (b, _), (c, _) = drawn(train), drawn(train), drawn(train, 43)
    assert a == b != c and at[0] == 42 and at[1] > 3 * 7


@pytest.mark.parametrize("reentrant", [True, False])
def test_checkpoints_make_the_same_masks(reentrant):
    gradients = []
    for checkpointed in (False, True):
        with reproducible(3):
            net, x = Net(), torch.randn(4, 5, 16).requires_grad_()
            (checkpoint(net, x, use_reentrant=reentrant) if checkpointed else net(x)).square().sum().backward()
            gradients.append([p.grad for p in (*net.parameters(), x)] + [torch.rand(3)])  # and the draws after it go on
    assert same_bits(*gradients)


def test_transformations():
    x = torch.ones(3, 64)
    with reproducible(1):
        with pytest.raises(RuntimeError, match="randomness"):
            vmap(lambda v: v + torch.rand(64))(x)
        rows = [len(vmap(lambda v: F.dropout(v, 0.5), randomness=how)(x).unique(dim=0)) for how in ("same", "different")]
        assert rows == [1, 3]
        per_sample = vmap(grad(lambda w, v: F.dropout(w * v, 0.5).sum()), randomness="different", in_dims=(None, 0))(x[0], x)
        assert per_sample.shape == (3, 64) and set(per_sample.unique().tolist()) == {0, 2}
        k = position()[1]
        value, tangent = jvp(lambda v: F.dropout(v, 0.5), (x,), (x * 3,))
        assert torch.equal(tangent, value * 3) and torch.equal(value != 0, values(rng.bernoulli(0.5), (3, 64), torch.bool, k, 1))
        assert torch.equal(torch.func.functionalize(lambda v: v.clone().uniform_())(x), values(rng.uniform(0, 1), (3, 64), k=k + 1, seed=1))
    same = drawn(lambda: vmap(lambda v: torch.rand(64), randomness="different")(x))[0]
    assert torch.equal(same, values(rng.uniform(0, 1), (3, 64)))


def test_modes_of_evaluation():
    x = torch.ones(50)
    with reproducible(1):
        for mode in contextlib.nullcontext, torch.no_grad, torch.inference_mode:
            with mode():
                k = position()[1]
                assert torch.equal(F.dropout(x, 0.5, False), x) and torch.equal(nn.Dropout(0.5).eval()(x), x) and torch.equal(torch.dropout(x, 0.5, False), x)
                assert torch.equal(F.dropout(x, 0.0), x) and torch.equal(F.alpha_dropout(x, 0.5, False), x) and torch.equal(F.rrelu(x), x)
                assert F.scaled_dot_product_attention(*[torch.ones(1, 1, 2, 8)] * 3).shape == (1, 1, 2, 8) and position()[1] == k
                assert torch.equal(F.dropout(x, 0.5) != 0, values(rng.bernoulli(0.5), 50, torch.bool, k, 1))
        y = torch.ones(3, requires_grad=True)
        z = torch.dropout(y, 0.5, False)
        assert z.data_ptr() == y.data_ptr() and torch.autograd.grad(z.sum(), y)[0].tolist() == [1, 1, 1]


def test_autocast():
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y, place = drawn(lambda: nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.2))(torch.ones(8, 64)))
        assert y.dtype == torch.bfloat16 and place == (42, 3) and torch.equal(y != 0, values(rng.bernoulli(0.8), (8, 64), torch.bool, 2))
        q = torch.zeros(1, 1, 16, 16)
        made = drawn(lambda: F.scaled_dot_product_attention(q, q, q + 1, dropout_p=0.3))[0]
        assert made.dtype == torch.bfloat16


def test_distributions_are_functions_of_the_draws():
    """torch's logarithm and exponential functions of a draw may differ between devices in the last bits; the draws do not."""
    D = torch.distributions
    u = values(rng.uniform(torch.finfo(torch.float32).tiny, 1), 200)
    assert torch.allclose(drawn(lambda: D.Gumbel(0.0, 1.0).sample((200,)))[0], -(-u.log()).log(), rtol=1e-4, atol=1e-5)
    assert torch.equal(drawn(lambda: D.Exponential(3.0).sample((200,)))[0], values(rng.exponential(1), 200) / 3) or torch.allclose(
        drawn(lambda: D.Exponential(3.0).sample((200,)))[0], values(rng.exponential(3), 200))
    assert torch.equal(drawn(lambda: D.Normal(torch.zeros(9), 2.0).sample((20,)))[0], values(rng.normal(0, 1), (20, 9)) * 2)
    assert torch.allclose(drawn(lambda: D.LogNormal(0.5, 2.0).sample((200,)))[0], (values(rng.normal(0, 1), 200) * 2 + 0.5).exp(), rtol=1e-4)
    for dtype in cases.FLOATS:  # the habit that keeps logarithms finite
        tiny = torch.finfo(dtype).tiny
        made = drawn(lambda: torch.empty(100_000, dtype=dtype).uniform_(tiny, 1))[0]
        assert made.min() > 0 and made.log().isfinite().all()


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_subclasses_and_other_layouts():
    with reproducible(1):
        nested = torch.nested.nested_tensor([torch.ones(20), torch.ones(30)], layout=torch.strided)
        assert all(set(x.tolist()) == {0, 2} for x in F.dropout(nested, 0.5).unbind())
        from torch._subclasses.fake_tensor import FakeTensorMode

        with FakeTensorMode():
            F.dropout(torch.rand(3), 0.5)
        k = position()
        assert k[1] == 1 and nn.Parameter(torch.rand(3)).shape == (3,)


# ---- data loaders ----------------------------------------------------------------------------------------------------------------------


def loaded(workers, context=None, init=None):
    with reproducible(5):
        loader = torch.utils.data.DataLoader(cases.Drawing(12), batch_size=3, shuffle=True, num_workers=workers, multiprocessing_context=context, worker_init_fn=init)
        return [(items.tolist(), numbers.tolist()) for items, numbers in loader]


def test_orders_and_splits():
    a, b = (drawn(lambda: torch.utils.data.random_split(range(10), [5, 5])[0].indices)[0] for _ in range(2))
    assert a == b == rng.permutation(10, stream(0)).tolist()[:5]
    assert loaded(0) == loaded(0)


def test_workers_by_fork():
    a = loaded(2, "fork")
    assert a == loaded(2, "fork") == loaded(2, "fork", in_worker)
    assert len({number for _, numbers in a for number in numbers}) == 12


def test_workers_by_spawn():
    """They begin without kernels; in_worker installs them."""
    assert loaded(1, "spawn", in_worker) == loaded(1, "fork") != loaded(1, "fork", cases.without_kernels)


# ---- DTensor ---------------------------------------------------------------------------------------------------------------------------

SHARDED = {
    "uniform_": lambda x: x.uniform_(-1, 2), "normal_": lambda x: x.normal_(1, 2), "bernoulli_": lambda x: x.bernoulli_(0.3), "exponential_": lambda x: x.exponential_(2.0),
    "log_normal_": lambda x: x.log_normal_(0.1, 0.4), "cauchy_": lambda x: x.cauchy_(1, 2), "dropout": lambda x: F.dropout(x, 0.3), "rand_like": torch.rand_like,
    "randn_like": torch.randn_like, "randint_like": lambda x: torch.randint_like(x, 10), "randint_like from": lambda x: torch.randint_like(x, 3, 10),
    "trunc_normal_": lambda x: nn.init.trunc_normal_(x, 0.0, 1.0, -1.0, 1.5), "orthogonal_": lambda x: nn.init.orthogonal_(x), "kaiming_uniform_": nn.init.kaiming_uniform_,
    "alpha_dropout": lambda x: F.alpha_dropout(x, 0.3, True), "rand_like f64": lambda x: torch.rand_like(x, dtype=torch.float64),
    "generator=": lambda x: x.uniform_(generator=torch.Generator().manual_seed(3)), "bf16": lambda x: x.to(torch.bfloat16).uniform_(-0.1, 0.1),
}
WHOLE = {"bernoulli": lambda x: torch.bernoulli(x * 0.5), "geometric_": lambda x: x.geometric_(0.2), "random_": lambda x: x.random_(), "poisson": torch.poisson,
         "multinomial": lambda x: torch.multinomial(x, 2), "rrelu": lambda x: F.rrelu(-x, training=True), "normal": lambda x: torch.normal(x, x)}
SHAPE = (9, 6, 4)  # 9 is no multiple of 2 or 4


def parts_of_a_rank(arguments):
    """In a process of its own, as one rank of a group that sends nothing: each case's local part, or the error."""
    import torch.distributed as dist
    from torch.distributed.tensor import DTensor, Replicate, Shard, init_device_mesh
    from torch.testing._internal.distributed.fake_pg import FakeStore

    ranks, rank, dim = arguments
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    dist.init_process_group("fake", rank=rank, world_size=ranks, store=FakeStore())
    mesh, placement, made = init_device_mesh("cpu", (ranks,)), Shard(dim) if dim >= 0 else Replicate(), {}
    for name, draw in (SHARDED | WHOLE).items():
        whole = torch.ones(SHAPE if name != "multinomial" else SHAPE[:2])
        if dim >= whole.dim():
            continue
        local = whole if dim < 0 else [*torch.chunk(whole, ranks, dim), *[whole.narrow(dim, 0, 0)] * ranks][rank]
        with reproducible(42, compile="keep"):
            try:
                x = draw(DTensor.from_local(local.clone(), mesh, [placement], run_check=False, shape=whole.shape, stride=whole.stride()))
                made[name] = x._local_tensor.double().numpy().copy(), position()
            except rng.Unsupported as error:
                made[name] = str(error)
    with torch.device("meta"):
        layer = nn.Linear(12, 16)
    layer.weight = nn.Parameter(torch.distributed.tensor.distribute_tensor(layer.weight, mesh, [placement if dim < 2 else Replicate()]))
    layer.to_empty(device="cpu")
    with reproducible(42, compile="keep"):
        layer.reset_parameters()
    made["layer"] = layer.weight._local_tensor.detach().double().numpy().copy(), (42, 2)
    return made


@pytest.mark.skipif(not torch.distributed.is_available(), reason="torch without torch.distributed")
@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="each rank is a fork")
def test_parts_of_tensors_are_those_of_the_whole():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = {name: drawn(lambda: draw(torch.ones(SHAPE if name != "multinomial" else SHAPE[:2]))) for name, draw in (SHARDED | WHOLE).items()}
    expected["layer"] = drawn(lambda: nn.Linear(12, 16).weight.detach())
    for ranks, dim in ((2, 0), (2, 1), (4, 0), (4, 1), (4, 2), (2, -1)):
        with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
            parts = pool.map(parts_of_a_rank, [(ranks, rank, dim) for rank in range(ranks)], chunksize=1)
        for name, (whole, place) in expected.items():
            found = [part[name] for part in parts if name in part]
            if name in WHOLE and dim >= 0:
                assert all(error.endswith("no numbers for parts of a DTensor; redistribute it to Replicate()") for error in found), name
                continue
            assert all(at == place for _, at in found), name
            arrays = [array for array, _ in found]
            sharded = dim if name != "layer" or dim < 2 else -1
            made = np.concatenate(arrays, sharded) if sharded >= 0 else arrays[-1]
            assert np.array_equal(made, whole.double().numpy()), (name, ranks, dim)


# ---- compiled functions ----------------------------------------------------------------------------------------------------------------


def draws(x):
    torch.rand(3)  # nobody takes it, and it is a draw all the same
    return (F.dropout(x, 0.3) * 2, torch.rand(8), torch.randn_like(x), torch.randint(0, 10, (8,)), torch.bernoulli(torch.full((8,), 0.5)), torch.empty(8).exponential_(),
            torch.randperm(8), torch.bernoulli(torch.full((4096,), 2.0**-31)), F.dropout(x, 0.5, False), torch.multinomial(torch.ones(9), 3), torch.empty(8).bernoulli_(0.5))


def compiled(function, backend, **options):
    torch.compiler.reset()
    return torch.compile(function, fullgraph=True, backend=backend, **options)


BACKENDS = ["aot_eager", pytest.param("inductor", marks=[pytest.mark.slow, compilers])]


@pytest.mark.parametrize("backend", BACKENDS)
def test_compiled_functions_draw_the_same(backend):
    """All kinds of draws, in the order of the program: two calls, the place after them, the gradient, and what nobody takes."""
    x = torch.ones(4, 8, requires_grad=True)
    made = []
    for function in draws, None:
        with reproducible(42):
            f = function or compiled(draws, backend)
            results = [f(x), f(x)]
            made.append([*results, torch.autograd.grad(results[1][0].sum(), x), position()[1]])
    assert [[torch.equal(a, b) for a, b in zip(*pair)] for pair in zip(made[0][:2], made[1][:2])] == [[True] * 11] * 2
    assert same_bits(*made) and not torch.equal(made[1][0][1], made[1][1][1])


@pytest.mark.parametrize("backend", BACKENDS)
def test_compiled_programs(backend):
    """A checkpoint and attention in a graph, and a module for any size of a batch."""
    net = nn.Sequential(nn.Linear(8, 8), nn.Dropout(0.15), nn.Linear(8, 8), nn.Dropout(0.5))

    def saved(x):
        return checkpoint(lambda y: F.dropout(torch.sin(y), 0.5) * y, x, use_reentrant=False).sum()

    def attended(q):
        return F.scaled_dot_product_attention(q, q, q, dropout_p=0.3).sum()

    for function, x in (saved, torch.linspace(0, 2, 32).view(4, 8)), (attended, torch.linspace(-1, 1, 256).view(1, 2, 16, 8)):
        x.requires_grad_()
        made = []
        for f in function, compiled(function, backend):
            with reproducible(1, compile="keep"):
                y = f(x)
                made.append((y.detach(), torch.autograd.grad(y, x)[0], position()[1]))
        assert torch.allclose(made[0][0], made[1][0], rtol=1e-5) and torch.allclose(made[0][1], made[1][1], atol=1e-5) and made[0][2] == made[1][2]
    made = []
    for f in net, compiled(net, backend, dynamic=True):
        with reproducible(2, compile="keep"):
            for n in (3, 5):
                net.zero_grad()
                y = f(torch.randn(n, 8))
                y.square().sum().backward()
                made.append([y.detach(), net[0].weight.grad.clone()])
            assert position() == (2, 6)
    for (y, gradient), (z, other) in zip(made[:2], made[2:]):
        assert torch.equal(y == 0, z == 0) and torch.allclose(y, z, atol=1e-6) and torch.allclose(gradient, other, atol=1e-5)


def test_functions_that_were_compiled_before():
    """They have torch's numbers inside. A region forgets them, unless it is told not to."""
    graphs = []

    def counted(graph, inputs):
        graphs.append(graph)
        return graph

    torch.compiler.reset()
    f = torch.compile(lambda x: x + torch.rand(3), backend=counted)
    f(torch.ones(3))
    for how, n in ("keep", 1), ("reset", 2):
        with reproducible(1, compile=how):
            f(torch.ones(3))
            with reproducible(2):  # within a region nothing is compiled for torch's own
                f(torch.ones(3))
        assert len(graphs) == n


def test_evaluation_compiles():
    model = nn.Sequential(nn.Dropout(0.5), nn.Dropout(0.3)).eval()
    with reproducible(1):
        assert torch.equal(compiled(model, "aot_eager")(torch.ones(5)), torch.ones(5)) and position() == (1, 0)
        program = torch.export.export(nn.Dropout(0.5).train(), (torch.ones(5),))
        assert torch.equal(program.module()(torch.ones(5)) != 0, values(rng.bernoulli(0.5), 5, torch.bool, position()[1] - 1, 1))


def test_states_pickle_and_copy():
    with reproducible(3):
        g = torch.Generator().manual_seed(11)
        torch.rand(2, generator=g)
        file = io.BytesIO()
        torch.save({"own": g.get_state(), "shared": torch.get_rng_state()}, file)
        a = torch.rand(2, generator=g), torch.rand(2)
        file.seek(0)
        states = torch.load(file)
        g.set_state(states["own"])
        torch.set_rng_state(states["shared"])
        assert torch.equal(torch.rand(2, generator=g), a[0]) and torch.equal(torch.rand(2), a[1])


def test_distributed_sampler():
    """Its order comes from a generator of its own, seeded by seed + epoch: the permutation of that sequence's first draw, shared out."""
    with reproducible(1):
        drawn = position()
        for epoch in 0, 3:
            shares = []
            for rank in range(2):
                sampler = torch.utils.data.DistributedSampler(range(11), num_replicas=2, rank=rank, seed=5)
                sampler.set_epoch(epoch)
                shares.append([*sampler])
            order = rng.permutation(11, stream_of(5 + epoch, 0)).tolist()
            assert [item for pair in zip(*shares) for item in pair] == [*order, order[0]]
        assert position() == drawn


def test_parameters_in_tensors_are_not_captured():
    """In a capture draws come from a Generator, and only one number for all elements can be captured."""
    half = torch.full((3,), 0.5)
    for call in (
        lambda source: _torch_kernels.keep("bernoulli", torch.empty(3), half, source),
        lambda source: _torch_kernels._fill_each("poisson", torch.empty(3, dtype=torch.int64), "poisson", source, mean=half),
    ):
        call(rng.Stream(42))
        with pytest.raises(rng.Unsupported, match="cannot be captured in a CUDA graph"):
            call(rng.Generator(42))
