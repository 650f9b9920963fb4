"""Unmodified torch programs for librng.torch.reproducible: each is a function of a device, whose result must not depend on the device.

    python torch_cases.py cuda              # the CPU beside a GPU, and what only a GPU has; some 2 minutes
    python torch_cases.py cpu               # the CPU beside itself and beside the goldens
    python torch_cases.py --write-goldens   # data/torch_goldens.json, which the tests compare

An exact case has equal bits on both devices: the dtype, the shape and each byte. A close one has torch's own arithmetic behind its
draws (a logarithm, a matrix product), which differs between devices in the last bits; its draws are exact cases of their own."""

import functools
import hashlib
import json
import sys
import threading
import time
import warnings
from pathlib import Path

import torch
import torch.distributions as D
import torch.nn.functional as F
from librng import _torch_region
from librng._errors import Unsupported
from librng.torch import coverage, position, reproducible, uncovered, uninstall_kernels
from torch import nn

GOLDENS = Path(__file__).resolve().parent / "data" / "torch_goldens.json"
SEED = 42
CLOSE = 2e-3  # the largest relative difference of a close case, which is 2e-6 for most
CASES = {}  # name -> (function of a device, whether it is exact)

FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
COMPLEX = (torch.complex64, torch.complex128)
INTEGERS = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)
SIZE = (1031, 17)


def case(name, exact=True):
    def add(function):
        assert name not in CASES, name
        CASES[name] = function, exact
        return function

    return add


def close(name):
    return case(name, exact=False)


def short(dtype):
    return str(dtype)[6:]


def tensors(result):
    """The tensors of a result in a fixed order."""
    if isinstance(result, torch.Tensor):
        return [result]
    if isinstance(result, dict):
        return [x for key in sorted(result) for x in tensors(result[key])]
    if isinstance(result, (list, tuple)):
        return [x for part in result for x in tensors(part)]
    return [torch.tensor(result)]


def bits(x):
    x = x.detach().cpu().resolve_conj().resolve_neg().contiguous()
    return (torch.view_as_real(x) if x.is_complex() else x).reshape(-1).view(torch.uint8)


def digest(result):
    """SHA-256 of the dtype, the shape and the bytes of each tensor of a result."""
    made = hashlib.sha256()
    for x in tensors(result):
        made.update(f"{short(x.dtype)} {tuple(x.shape)};".encode())
        made.update(bits(x).numpy().tobytes())
    return made.hexdigest()


def run(name, device="cpu", seed=SEED):
    """The tensors of a case, on the CPU."""
    with reproducible(seed, compile="keep"):
        return [x.detach().cpu() for x in tensors(CASES[name][0](torch.device(device)))]


class Drawing(torch.utils.data.Dataset):
    """Items with a random number each. Here, so that a worker that is spawned imports little."""

    def __init__(self, items):
        self.items = items

    def __len__(self):
        return self.items

    def __getitem__(self, item):
        return item, torch.rand(1).item()


def without_kernels(_):
    """The worker_init_fn of a worker that draws torch's numbers, as one that was spawned without in_worker does."""
    while _torch_region._draws.count:
        uninstall_kernels()


# ---- operators that fill a tensor: every type, and every way that a tensor can lie in memory --------------------------------------------

FILLS = {
    "uniform_": (lambda t: t.uniform_(-3, 5), FLOATS + COMPLEX),
    "normal_": (lambda t: t.normal_(1, 2), FLOATS + COMPLEX),
    "exponential_": (lambda t: t.exponential_(0.7), FLOATS),
    "cauchy_": (lambda t: t.cauchy_(1, 2), FLOATS),
    "log_normal_": (lambda t: t.log_normal_(0.1, 0.4), FLOATS),
    "geometric_": (lambda t: t.geometric_(0.2), FLOATS + INTEGERS),
    "bernoulli_": (lambda t: t.bernoulli_(0.3), FLOATS + INTEGERS + (torch.bool,)),
    "random_": (lambda t: t.random_(), FLOATS + INTEGERS + (torch.bool,)),
    "random_ to": (lambda t: t.random_(100), FLOATS + INTEGERS),
    "random_ from, to": (lambda t: t.random_(3, 90), FLOATS + INTEGERS),
}
LAYOUTS = {
    "(0,)": lambda **o: torch.zeros(0, **o),
    "(1,)": lambda **o: torch.zeros(1, **o),
    "()": lambda **o: torch.zeros((), **o),
    "(3, 5)": lambda **o: torch.zeros(3, 5, **o),
    "2^20 + 3": lambda **o: torch.zeros(2**20 + 3, **o),
    "channels_last": lambda **o: torch.zeros(2, 3, 8, 8, **o).to(memory_format=torch.channels_last),
    "transposed": lambda **o: torch.zeros(37, 19, **o).t(),
    "every other row": lambda **o: torch.zeros(64, 64, **o)[::2],
    "every third column": lambda **o: torch.zeros(64, 64, **o)[:, 1::3],
}


def filled(fill, make, device, dtype):
    """The tensor after the fill, and all of the memory behind it: what lies between the elements is left alone."""
    t = make(device=device, dtype=dtype)
    fill(t)
    return [t.clone(memory_format=torch.contiguous_format), t if t._base is None else t._base]


for _name, (_fill, _dtypes) in FILLS.items():
    for _dtype in _dtypes:
        case(f"{_name} {short(_dtype)}")(functools.partial(filled, _fill, lambda **o: torch.zeros(SIZE, **o), dtype=_dtype))
    for _place, _make in LAYOUTS.items():
        _dtype = torch.int64 if "random" in _name else torch.float32
        case(f"{_name} of {_place}")(functools.partial(filled, _fill, _make, dtype=_dtype))
for _name in "uniform_", "normal_":
    case(f"{_name} of a conjugate view")(functools.partial(filled, FILLS[_name][0], lambda **o: torch.zeros(9, 7, **o).conj(), dtype=torch.complex64))

# ---- operators that make a tensor ------------------------------------------------------------------------------------------------------

for _t in FLOATS:
    case(f"rand {short(_t)}")(lambda d, t=_t: torch.rand(SIZE, dtype=t, device=d))
    case(f"randn {short(_t)}")(lambda d, t=_t: torch.randn(SIZE, dtype=t, device=d))
    case(f"dropout {short(_t)}")(lambda d, t=_t: F.dropout(torch.linspace(-3, 3, 9999, device=d).to(t), 0.15))
    case(f"native_dropout {short(_t)}")(lambda d, t=_t: torch.native_dropout(torch.linspace(-3, 3, 9999, device=d).to(t), 0.42, True))
    case(f"poisson {short(_t)}")(lambda d, t=_t: torch.poisson((torch.arange(300, device=d) % 9 * 2.5).to(t)))
    case(f"_standard_gamma {short(_t)}")(lambda d, t=_t: torch._standard_gamma((torch.arange(300, device=d) % 9 * 0.5 + 0.25).to(t)))
    case(f"bernoulli {short(_t)}")(lambda d, t=_t: torch.bernoulli((torch.arange(999, device=d) / 1000).to(t).expand(20, 999)))
    case(f"rrelu {short(_t)}")(lambda d, t=_t: F.rrelu(torch.linspace(-3, 3, 1001, device=d).to(t), training=True))
    case(f"normal of tensors {short(_t)}")(lambda d, t=_t: torch.normal(torch.arange(100.0, device=d).to(t), torch.arange(100.0, device=d).to(t) + 1))
    case(f"multinomial {short(_t)}")(lambda d, t=_t: [torch.multinomial(torch.arange(1.0, 60, device=d).to(t), 40, r) for r in (False, True)])
for _t in (torch.float32, torch.float64):
    case(f"binomial {short(_t)}")(lambda d, t=_t: torch.binomial(torch.full((500,), 20.0, dtype=t, device=d),
                                                                torch.tensor([0.1, 0.5, 0.9, 0.3, 0.7], dtype=t, device=d).repeat(100)))
    case(f"_sample_dirichlet {short(_t)}")(lambda d, t=_t: torch._sample_dirichlet(torch.tensor([0.5, 1, 2.5, 4, 0.25], dtype=t, device=d).expand(300, 5)))
for _t in COMPLEX:
    case(f"rand {short(_t)}")(lambda d, t=_t: torch.rand(SIZE, dtype=t, device=d))
    case(f"randn {short(_t)}")(lambda d, t=_t: torch.randn(SIZE, dtype=t, device=d))
    case(f"dropout {short(_t)}")(lambda d, t=_t: F.dropout(torch.full(SIZE, 1 + 2j, dtype=t, device=d), 0.3))
for _t in INTEGERS:
    case(f"randint {short(_t)}")(lambda d, t=_t: torch.randint(0 if t == torch.uint8 else -5, 100, SIZE, dtype=t, device=d))
case("randint of 64 bits")(lambda d: torch.randint(-(2**62), 2**62, SIZE, device=d))
case("random_ from, without an end")(lambda d: torch.empty(SIZE, dtype=torch.int64, device=d).random_(-(2**63), None))
case("rand_like, randn_like, randint_like of channels_last")(
    lambda d: [f(torch.empty(2, 3, 8, 8, device=d).to(memory_format=torch.channels_last)) for f in (torch.rand_like, torch.randn_like, lambda x: torch.randint_like(x, 9))])
case("dropout of channels_last")(lambda d: F.dropout(torch.ones(2, 3, 8, 8, device=d).to(memory_format=torch.channels_last), 0.3))
case("dropout of a strided view")(lambda d: F.dropout(torch.ones(64, 64, device=d)[::2, 1::3], 0.3))
case("dropout of 2^20 + 3")(lambda d: F.dropout(torch.ones(2**20 + 3, device=d), 0.3))
case("dropout of nothing, of one, of p = 0, of p = 1")(
    lambda d: [F.dropout(torch.ones(n, device=d), p) for n, p in ((0, 0.5), (1, 0.5), (9, 0.0), (9, 1.0))] + [torch.rand(3, device=d)])
case("dropout, factors of a last bit")(lambda d: [F.dropout(torch.linspace(-3, 3, 999, device=d), p) for p in (0.04, 0.09, 0.42, 0.45, 0.47, 0.71, 0.88, 0.97)])
case("dropout in evaluation, no_grad, inference_mode")(lambda d: evaluated(torch.ones(50, device=d)))
for _t in FLOATS:
    case(f"dropout in place {short(_t)}")(lambda d, t=_t: F.dropout(torch.linspace(-3, 3, 999, device=d).to(t), 0.42, inplace=True))
for _name, _f, _shape in (("dropout1d", F.dropout1d, (5, 6, 7)), ("dropout2d", F.dropout2d, (5, 6, 7, 4)), ("dropout3d", F.dropout3d, (5, 6, 3, 4, 2)),
                          ("alpha_dropout", F.alpha_dropout, (5, 6, 7)), ("feature_alpha_dropout", F.feature_alpha_dropout, (5, 6, 7, 4))):
    case(_name)(lambda d, f=_f, shape=_shape: f(torch.ones(shape, device=d), 0.3, True))
case("randperm")(lambda d: [torch.randperm(n, device=d) for n in (0, 1, 2, 1000, 100003)])
case("randperm int32, float64")(lambda d: [torch.randperm(1000, dtype=t, device=d) for t in (torch.int32, torch.float64)])
case("bernoulli_ of a tensor")(lambda d: torch.empty(20, 999, device=d).bernoulli_(torch.linspace(0, 1, 999, device=d)))
case("bernoulli of p = 2^-31")(lambda d: torch.bernoulli(torch.full((2**20,), 2.0**-31, device=d)).sum())
case("bernoulli of a transposed tensor")(lambda d: torch.bernoulli(torch.linspace(0, 1, 999, device=d).expand(20, 999).t()))
case("normal of a number and a tensor")(lambda d: [torch.normal(2.0, torch.arange(100.0, device=d)), torch.normal(torch.arange(100.0, device=d), 2.0)])
case("normal of out=")(lambda d: torch.normal(torch.arange(100.0, device=d), torch.ones(3, 1, device=d), out=torch.empty(0, device=d)))
case("multinomial with replacement")(lambda d: torch.multinomial(torch.tensor([[1.0, 2, 3, 0], [4, 0, 0.1, 9]], device=d), 1000, True))
case("multinomial without replacement")(lambda d: torch.multinomial(torch.arange(1.0, 3001, device=d).expand(5, 3000), 200))
case("multinomial of 70,000 categories")(lambda d: [torch.multinomial(torch.arange(70000.0, device=d), 200, r) for r in (False, True)])
case("_sample_dirichlet of 1,001 parts")(lambda d: torch._sample_dirichlet(torch.linspace(0.1, 5, 1001, device=d).expand(3, 1001)))
close("gumbel_softmax")(lambda d: F.gumbel_softmax(torch.arange(50.0, device=d).expand(30, 50) / 9))
case("gumbel_softmax hard")(lambda d: F.gumbel_softmax(torch.arange(50.0, device=d).expand(30, 50) / 9, hard=True).argmax(-1))
case("uniform_ of the smallest number")(lambda d: [torch.empty(999, dtype=t, device=d).uniform_(torch.finfo(t).tiny, 1) for t in FLOATS])


def evaluated(x):
    made = [F.dropout(x, 0.5, False), nn.Dropout(0.5).eval()(x), F.rrelu(-x, training=False), F.alpha_dropout(x, 0.5, False), F.dropout2d(x.view(1, 5, 2, 5), 0.5, False)]
    for mode in torch.no_grad, torch.inference_mode:
        with mode():
            made += [F.dropout(x, 0.5).clone(), F.dropout(x, 0.5, False).clone(), torch.rand_like(x), torch.bernoulli(x / 2)]
    return made


# ---- initial weights -------------------------------------------------------------------------------------------------------------------

INITIALISERS = {name: getattr(nn.init, name) for name in ("uniform_", "normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_", "kaiming_normal_")}
INITIALISERS["sparse_"] = lambda w: nn.init.sparse_(w, 0.3)
INITIALISERS["trunc_normal_"] = lambda w: nn.init.trunc_normal_(w, 0.1, 2.0, -1.0, 3.0)  # by its name: the region has its own
INITIALISERS["orthogonal_"] = lambda w: nn.init.orthogonal_(w, 2.0)
for _name, _f in INITIALISERS.items():
    case(f"init.{_name}")(lambda d, f=_f: f(torch.empty(33, 65, device=d)))

MODELS = {
    "mlp": lambda: nn.Sequential(nn.Linear(100, 300), nn.ReLU(), nn.Dropout(0.1), nn.Linear(300, 10)),
    "conv": lambda: nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ConvTranspose2d(16, 8, 3), nn.Conv1d(8, 4, 3)),
    "transformer": lambda: nn.Transformer(64, 4, 2, 2, 128),
    "lstm": lambda: nn.LSTM(30, 40, 2, dropout=0.3),
    "gru": lambda: nn.GRU(30, 40, 2),
    "embedding": lambda: nn.Embedding(1000, 64),
    "bilinear": lambda: nn.Bilinear(10, 11, 12),
    "embedding bag": lambda: nn.EmbeddingBag(1000, 64),
}


def weights(make, device):
    with torch.device(device):
        return make().state_dict()


for _name, _make in MODELS.items():
    case(f"weights of {_name}")(functools.partial(weights, _make))
case("weights made on the CPU, then moved")(lambda d: nn.Linear(100, 300).to(d).weight)

# ---- sequences, generators, states -----------------------------------------------------------------------------------------------------


@case("one sequence over both devices")
def _(d):
    return [torch.rand(5), torch.randn(7, device=d), torch.rand(5), torch.randint(9, (20,), device=d), torch.randperm(9), torch.rand(2, device=d)]


@case("a generator of the device")
def _(d):
    g = torch.Generator(d).manual_seed(7)
    a, state = torch.rand(9, device=d, generator=g), g.get_state()
    b = torch.randn(9, device=d, generator=g)
    g.set_state(state)
    return [a, b, torch.randn(9, device=d, generator=g), torch.randperm(9, device=d, generator=g), torch.rand(3, device=d), position(g)[1]]


@case("a generator's clone")
def _(d):
    g = torch.Generator(d).manual_seed(7)
    torch.rand(9, device=d, generator=g)
    h = g.clone_state()
    return [torch.rand(9, device=d, generator=each) for each in (g, h, g)]


@case("a state of the device")
def _(d):
    torch.rand(3, device=d)
    own = torch.cuda if d.type == "cuda" else torch
    state = own.get_rng_state()
    a = torch.rand(9, device=d)
    own.set_rng_state(state)
    return [a, torch.rand(9, device=d), torch.rand(9, device=d)]


@case("fork_rng")
def _(d):
    a = torch.rand(4, device=d), torch.rand(4)
    with torch.random.fork_rng():
        torch.manual_seed(3)
        b = torch.rand(4, device=d), torch.rand(4)
    return [*a, *b, torch.rand(4, device=d), torch.rand(4)]


@case("manual_seed inside of the region")
def _(d):
    torch.rand(4, device=d)
    torch.manual_seed(99)
    return [torch.rand(4, device=d), torch.rand(4), torch.rand(4, device=d)]


@case("checkpoint: masks of forward and backward")
def _(d):
    from torch.utils.checkpoint import checkpoint

    made = []
    for reentrant in (True, False):
        x = torch.ones(1000, device=d, requires_grad=True)
        made += [torch.rand(3, device=d), torch.rand(3)]  # the CPU draws last
        y = checkpoint(lambda v: F.dropout(v * 2, 0.4), x, use_reentrant=reentrant)
        made.append(torch.rand(3))
        y.sum().backward()
        made += [y, x.grad, (y != 0) == (x.grad != 0), torch.rand(3, device=d)]
    return made


@case("checkpoint of a sequence of layers")
def _(d):
    from torch.utils.checkpoint import checkpoint_sequential

    x = torch.ones(1000, device=d, requires_grad=True)
    y = checkpoint_sequential(nn.Sequential(*(nn.Dropout(0.1) for _ in range(6))), 3, x, use_reentrant=False)
    y.sum().backward()
    return [y, x.grad]


# ---- transformations -------------------------------------------------------------------------------------------------------------------


@case("vmap with different and with the same numbers")
def _(d):
    x = torch.ones(6, 50, device=d)
    return [torch.vmap(f, randomness=how)(x) for how in ("different", "same") for f in (lambda v: F.dropout(v, 0.5), lambda v: v + torch.rand(50, device=d))]


@case("jvp and grad of dropout")
def _(d):
    x = torch.ones(50, device=d)
    return [torch.func.jvp(lambda v: F.dropout(v, 0.5), (x,), (x * 3,)), torch.func.grad(lambda v: F.dropout(v, 0.5).sum())(x)]


@case("gradients of gamma and dirichlet keep their draws")
def _(d):
    a = torch.full((50, 3), 2.5, device=d, requires_grad=True)
    made = torch._standard_gamma(a), torch._sample_dirichlet(a)
    torch.autograd.grad(made[0].sum(), a)
    return [*made, torch.rand(3, device=d)]


@case("autocast: a mask")
def _(d):
    with torch.autocast(d.type, dtype=torch.bfloat16):
        return F.dropout(torch.ones(8, 64, device=d), 0.2)


# ---- attention and recurrence ----------------------------------------------------------------------------------------------------------


@close("attention with dropout")
def _(d):
    q = torch.linspace(-1, 1, 2 * 4 * 16 * 8, device=d).view(2, 4, 16, 8)
    return [F.scaled_dot_product_attention(q, q, q, dropout_p=0.25, is_causal=causal) for causal in (False, True)]


@case("attention with dropout: its mask")
def _(d):
    """Equal keys, and values of one at each place: an output is a mask by 1 / 16, times the factor."""
    q = torch.zeros(2, 4, 16, 16, device=d)
    return F.scaled_dot_product_attention(q, q, torch.eye(16, device=d).expand(2, 4, 16, 16).contiguous(), dropout_p=0.5)


@close("a layer of a transformer in training")
def _(d):
    m = nn.TransformerEncoderLayer(32, 4, 64, 0.1, batch_first=True).to(d).train()
    return m(torch.linspace(-1, 1, 3 * 7 * 32, device=d).view(3, 7, 32))


@close("LSTM with dropout, without cuDNN")
def _(d):
    with torch.backends.cudnn.flags(enabled=False):
        return nn.LSTM(8, 16, 3, dropout=0.4).to(d)(torch.linspace(-1, 1, 5 * 2 * 8, device=d).view(5, 2, 8))[0]


@close("weights after 20 steps of training")
def _(d):
    m = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 1)).to(d)
    optimizer, x = torch.optim.SGD(m.parameters(), 0.01), torch.randn(256, 20, device=d)
    for _ in range(20):
        optimizer.zero_grad()
        F.mse_loss(m(x), x[:, :1]).backward()
        optimizer.step()
    return list(m.parameters())


# ---- torch.distributions: laws that torch makes of a draw are close ---------------------------------------------------------------------


def _v(d, *values):
    return torch.tensor(values, device=d)


EXACT_LAWS = {
    "Normal": lambda d: D.Normal(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "Uniform": lambda d: D.Uniform(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "Bernoulli": lambda d: D.Bernoulli(_v(d, 0.1, 0.7)),
    "Categorical": lambda d: D.Categorical(_v(d, 0.125, 0.25, 0.625)),
    "Exponential": lambda d: D.Exponential(_v(d, 1.0, 3)),
    "Poisson": lambda d: D.Poisson(_v(d, 1.0, 30)),
    "Binomial": lambda d: D.Binomial(10, _v(d, 0.1, 0.5)),
    "Geometric": lambda d: D.Geometric(_v(d, 0.1, 0.5)),
    "Multinomial": lambda d: D.Multinomial(10, _v(d, 0.125, 0.5, 0.375)),
    "OneHotCategorical": lambda d: D.OneHotCategorical(_v(d, 0.125, 0.5, 0.375)),
}
CLOSE_LAWS = {
    "Gamma": lambda d: D.Gamma(_v(d, 0.5, 3), _v(d, 1.0, 2)),
    "Beta": lambda d: D.Beta(_v(d, 0.5, 3), _v(d, 1.0, 2)),
    "Dirichlet": lambda d: D.Dirichlet(_v(d, 0.5, 3, 1.0)),
    "StudentT": lambda d: D.StudentT(_v(d, 2.0, 3)),
    "Cauchy": lambda d: D.Cauchy(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "Gumbel": lambda d: D.Gumbel(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "Laplace": lambda d: D.Laplace(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "LogNormal": lambda d: D.LogNormal(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "Pareto": lambda d: D.Pareto(_v(d, 1.0, 1), _v(d, 1.0, 2)),
    "Weibull": lambda d: D.Weibull(_v(d, 1.0, 1), _v(d, 1.0, 2)),
    "VonMises": lambda d: D.VonMises(_v(d, 0.0, 1), _v(d, 1.0, 2)),
    "MultivariateNormal": lambda d: D.MultivariateNormal(torch.zeros(3, device=d), torch.eye(3, device=d) + 0.2),
    "Chi2": lambda d: D.Chi2(_v(d, 1.0, 4)),
    "FisherSnedecor": lambda d: D.FisherSnedecor(_v(d, 1.0, 4), _v(d, 2.0, 3)),
    "HalfNormal": lambda d: D.HalfNormal(_v(d, 1.0, 4)),
    "NegativeBinomial": lambda d: D.NegativeBinomial(_v(d, 3.0, 4), _v(d, 0.2, 0.3)),
    "Wishart": lambda d: D.Wishart(torch.tensor(5.0, device=d), torch.eye(3, device=d)),
    "LKJCholesky": lambda d: D.LKJCholesky(3, torch.tensor(1.5, device=d)),
    "RelaxedBernoulli": lambda d: D.RelaxedBernoulli(torch.tensor(0.5, device=d), _v(d, 0.2, 0.8)),
    "Kumaraswamy": lambda d: D.Kumaraswamy(_v(d, 1.0, 2), _v(d, 2.0, 3)),
}
for _laws, _exact in ((EXACT_LAWS, True), (CLOSE_LAWS, False)):
    for _name, _law in _laws.items():
        case(f"distributions.{_name}", _exact)(lambda d, law=_law: law(d).sample((200,)))


# ---- comparison ------------------------------------------------------------------------------------------------------------------------


def compare(a, b):
    """(whether the bits are equal, how many elements differ, of how many, the largest relative difference) of two lists of tensors."""
    if [(x.dtype, x.shape) for x in a] != [(y.dtype, y.shape) for y in b]:
        return False, -1, -1, float("inf")
    differ = total = worst = 0
    for x, y in zip(a, b):
        unequal = ~((x == y) | ((x != x) & (y != y)))
        differ, total = differ + int(unequal.sum()), total + x.numel()
        if unequal.any():
            x, y = (v.to(torch.complex128 if v.is_complex() else torch.float64) for v in (x, y))
            gap = (x - y).abs() / (x.abs() + 1e-3)
            worst = max(worst, float(gap[unequal].max()))
    return digest(a) == digest(b), differ, total, worst


def compare_devices(device, goldens, only=""):
    """Prints what is not equal. Returns the number of failures."""
    counts = dict.fromkeys(("equal", "close", "DIFFER", "ERROR"), 0)
    for name, (_, exact) in CASES.items():
        if only not in name:
            continue
        try:
            a, b = run(name), run(name, device)
            same, differ, total, worst = compare(a, b)
            moved = device == "cpu" and name in goldens and digest(a) != goldens[name]
            how = "equal" if same and not moved else "close" if not exact and worst < CLOSE else "DIFFER"
            if how != "equal":
                what = "not the golden" if moved else f"{differ} of {total} differ, at most by {worst:.1e}" if differ else "bits alone (signs of zeros, NaNs)"
                print(f"{how:6} {name}: {what}", flush=True)
        except Exception as error:  # noqa: BLE001 -- the other cases go on
            how = "ERROR"
            print(f"{how:6} {name}: {type(error).__name__}: {str(error).splitlines()[0][:200]}", flush=True)
        counts[how] += 1
    print(", ".join(f"{n} {how}" for how, n in counts.items()), flush=True)
    return counts["DIFFER"] + counts["ERROR"]


# ---- what only a GPU has ---------------------------------------------------------------------------------------------------------------

SECTIONS = {}


def section(function):
    """A function of the GPU, which returns the text to print; it raises AssertionError for what is wrong."""
    SECTIONS[function.__doc__.strip().splitlines()[0]] = function
    return function


def refused(call):
    try:
        call()
    except Unsupported as error:
        return f"refused: {str(error)[:80]}"
    raise AssertionError("not refused")


@section
def _(d):
    """draws in a CUDA graph"""

    def replays(seed):
        with reproducible(seed):
            x, graph = torch.zeros(1000, device=d), torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph):
                x.uniform_()
            made, place = [], position()
            for _ in range(3):
                graph.replay()
                made.append(x.cpu())
            return made, place, torch.rand(3, device=d).cpu()

    (a, at, after), (b, _, again) = replays(1), replays(1)
    assert all(map(torch.equal, a, b)) and torch.equal(after, again), "a capture does not repeat"
    assert len({tuple(x.tolist()) for x in a}) == 3, "replays have the same numbers"
    assert not torch.equal(replays(2)[0][0], a[0]), "the seed is not heard"
    with reproducible(1):
        w, g = torch.ones(9, device=d), torch.Generator(d).manual_seed(3)
        said = []
        for call in (lambda: torch.rand(9, device=d, generator=g), lambda: torch.randperm(9, device=d)):
            with torch.cuda.stream(torch.cuda.Stream()):
                graph = torch.cuda.CUDAGraph()
                graph.capture_begin()
                try:
                    said.append(refused(call))
                finally:
                    graph.capture_end()
        torch.rand(2, device=d) + w[:2]
    return f"position {at} after it; " + "; ".join(said)


@section
def _(d):
    """cuDNN's LSTM with dropout is refused in training, and not otherwise"""
    with reproducible(1):
        x = torch.ones(5, 2, 8, device=d)
        model = nn.LSTM(8, 16, 3, dropout=0.4).to(d)
        said = refused(lambda: model(x))
        model.eval()(x)
        nn.LSTM(8, 16, 3).to(d)(x)
        return said


@section
def _(d):
    """flash and efficient attention: untouched without dropout, refused with it"""
    ops = torch.ops.aten
    q = torch.linspace(-1, 1, 2 * 4 * 64 * 64, device=d).view(2, 4, 64, 64).half()
    before = ops._scaled_dot_product_flash_attention(q, q, q, 0.0)[0], F.scaled_dot_product_attention(q, q, q)
    with reproducible(1):
        inside = ops._scaled_dot_product_flash_attention(q, q, q, 0.0)[0], F.scaled_dot_product_attention(q, q, q)
        assert all(map(torch.equal, before, inside)), "attention without dropout has other bits in the region"
        said = [refused(lambda: ops._scaled_dot_product_flash_attention(q, q, q, 0.2)),
                refused(lambda: ops._scaled_dot_product_efficient_attention(q, q, q, None, False, 0.2))]
        F.scaled_dot_product_attention(q, q, q, dropout_p=0.2)
    return "; ".join(said)


def _layer(x):
    return F.dropout(x, 0.3), torch.rand_like(x), torch.randn(x.shape, device=x.device), torch.randint(9, x.shape, device=x.device), torch.bernoulli(x * 0.25)


@section
def _(d):
    """Inductor's draws are those of the CPU"""
    made = {}
    for how, device in ("eager", "cpu"), ("inductor", d):
        with reproducible(5):
            f = torch.compile(_layer, fullgraph=True) if how == "inductor" else _layer
            made[how] = [y.cpu() for _ in range(3) for y in f(torch.ones(1000, device=device))]
    assert all(map(torch.equal, made["eager"], made["inductor"])), [torch.equal(a, b) for a, b in zip(*made.values())]
    return "equal"


@section
def _(d):
    """draws on a side stream"""
    with reproducible(9):
        stream = torch.cuda.Stream()
        with torch.cuda.stream(stream):
            a = torch.rand(1 << 22, device=d)
            b = a * 1
        stream.synchronize()
        b = b.cpu()
    with reproducible(9):
        assert torch.equal(b, torch.rand(1 << 22))
    return "equal"


@section
def _(d):
    """eight threads, with a generator each"""
    made = {}

    def work(i):
        g = torch.Generator(d).manual_seed(i)
        made[i] = [torch.rand(1 << 16, device=d, generator=g).cpu() for _ in range(20)]

    with reproducible(3):
        threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for i in range(8):
            g = torch.Generator().manual_seed(i)
            assert all(torch.equal(x, torch.rand(1 << 16, generator=g)) for x in made[i]), i
    return "equal to the CPU's"


@section
def _(d):
    """seeds of the device alone, and its states after the region"""
    before = torch.cuda.get_rng_state_all()
    with reproducible(3):
        torch.cuda.manual_seed(11)  # before any draw
        a = torch.rand(5, device=d), torch.rand(5, device=d)
        torch.cuda.manual_seed_all(11)
        b = torch.rand(5, device=d), torch.rand(5, device=d)
        assert position() == (3, 0), "the device's own sequence moved the shared one"
        torch.manual_seed(11)
        c, e = torch.rand(5, device=d), torch.rand(5)
        assert all(map(torch.equal, a, b)) and torch.equal(a[0], c) and not torch.equal(c.cpu(), e)
        torch.manual_seed(12)
        f, g = torch.rand(5), torch.rand(5, device=d)
        assert not torch.equal(f, g.cpu()), "the device drew the CPU's numbers again"
    assert all(map(torch.equal, before, torch.cuda.get_rng_state_all())), "the states did not come back"
    return "obeyed"


@section
def _(d):
    """autocast: the masks of the CPU"""
    made = []
    for device in torch.device("cpu"), d:
        with reproducible(4):
            model = nn.Sequential(nn.Linear(64, 64), nn.Dropout(0.2)).to(device)
            with torch.autocast(device.type, dtype=torch.bfloat16):
                made.append(model(torch.ones(8, 64, device=device)).cpu())
    assert made[0].dtype == made[1].dtype and torch.equal(made[0] == 0, made[1] == 0)
    return "equal"


class _Vision(nn.Module):
    def __init__(self):
        super().__init__()
        self.patches, self.place = nn.Conv2d(3, 64, 8, 8), nn.Parameter(nn.init.trunc_normal_(torch.empty(16, 64), std=0.02))
        self.layers, self.head = nn.TransformerEncoder(nn.TransformerEncoderLayer(64, 4, 128, 0.1, batch_first=True), 2), nn.Linear(64, 10)

    def forward(self, x):
        return self.head(self.layers(self.patches(x).flatten(2).transpose(1, 2) + self.place).mean(1))


class _Words(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.recurrent, self.head = nn.Embedding(100, 32), nn.LSTM(32, 64, 2), nn.Linear(64, 10)

    def forward(self, x):
        return self.head(F.dropout(self.recurrent(self.words((x[:, 0, 0] * 10).long() % 100))[0][:, -1], 0.3, self.training))


NETS = {
    "mlp": lambda: nn.Sequential(nn.Flatten(), nn.Linear(3072, 128), nn.ReLU(), nn.Dropout(0.1), nn.Linear(128, 10)),
    "convolutions": lambda: nn.Sequential(nn.Conv2d(3, 16, 3), nn.BatchNorm2d(16), nn.ReLU(), nn.Dropout2d(0.2), nn.Conv2d(16, 32, 3, 2), nn.ReLU(),
                                          nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10)),
    "vision transformer": _Vision,
    "lstm": _Words,
}


def trained(make, device, in_region, steps=5):
    """The initial weights, and the losses of some steps with data that is drawn on the device."""
    if not in_region:
        torch.manual_seed(SEED)
        return _trained(make, device, steps)
    with reproducible(SEED):
        return _trained(make, device, steps)


def _trained(make, device, steps):
    with torch.device(device):
        model = make().train()
    initial = [x.detach().cpu().clone() for x in model.state_dict().values()]
    optimizer, losses = torch.optim.AdamW(model.parameters(), 1e-3), []
    for _ in range(steps):
        loss = F.cross_entropy(model(torch.randn(8, 3, 32, 32, device=device)), torch.randint(10, (8,), device=device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return initial, losses


def train_all(d):
    """Initial weights on both devices must be equal; the gap of losses is printed, with torch's numbers beside it."""
    failures = 0
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    for name, make in NETS.items():
        said = []
        for in_region in (True, False):
            (a, x), (b, y) = (trained(make, device, in_region) for device in (torch.device("cpu"), d))
            equal = sum(map(torch.equal, a, b))
            failures += in_region and equal < len(a)
            said.append(f"{'with' if in_region else 'without'} librng {equal} of {len(a)} weights equal, losses at most {max(abs(p - q) for p, q in zip(x, y)):.1e} apart")
        print(f"-- training of {name}: {'; '.join(said)}", flush=True)
    return failures


def main(argument, only=""):
    warnings.simplefilter("ignore")
    begin = time.time()
    if argument == "--write-goldens":
        note = ("SHA-256 of the exact cases of torch_cases.py for seed 42, made on a CPU. Provisional until a GPU has agreed: "
                "python torch_cases.py cuda. Written by python torch_cases.py --write-goldens")
        rows = {name: digest(run(name)) for name, (_, exact) in CASES.items() if exact}
        GOLDENS.write_text(json.dumps({"note": note, "digests": rows}, indent=1) + "\n")
        return 0
    goldens = json.loads(GOLDENS.read_text())["digests"] if GOLDENS.exists() else {}
    print("torch", torch.__version__, torch.cuda.get_device_name(0) if argument != "cpu" else "cpu", flush=True)
    failures = compare_devices("cpu" if argument == "cpu" else "cuda:0", goldens, only)
    for key in "CPU", "CUDA":
        left = uncovered(key)
        failures += len(left)
        print(f"uncovered {key}: {left} of {len(coverage(key))}")
    if only:
        return min(failures, 1)
    for name, function in SECTIONS.items() if argument != "cpu" else ():
        try:
            print(f"-- {name}: {function(torch.device('cuda:0'))}", flush=True)
        except Exception as error:  # noqa: BLE001 -- the other sections go on
            failures += 1
            print(f"-- {name}: FAILED {type(error).__name__}: {(str(error).splitlines() or [''])[0][:300]}", flush=True)
    failures += train_all(torch.device("cpu" if argument == "cpu" else "cuda:0"))
    print(f"{failures} failures in {time.time() - begin:.0f} s")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]) if len(sys.argv) > 1 else __doc__)
