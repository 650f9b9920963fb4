"""The kernels of librng.torch.reproducible: torch's random operators by librng's laws.

Element i in row-major order is value i of the law from the draw's stream, whatever the strides, the memory format and the device. One
call of a kernel is one draw, whatever its values are, so that all devices count alike.

KERNELS has a row for each operator that torch implements for the keys CPU and CUDA. The other random operators are composed of these."""

import functools
import math

import torch

import librng as rng
from librng import _rng
from librng._errors import Unsupported
from librng._torch_sequence import next_stream

_ops = torch.ops.aten
KERNELS = {}  # name -> (function, keys of the dispatcher)
_BOTH = ("CPU", "CUDA")
_HALVES = (torch.float16, torch.bfloat16)
_DIGITS = {torch.float16: 11, torch.bfloat16: 8, torch.float32: 24, torch.float64: 53}  # of significands
_NAMES = {getattr(torch, long): short for short, long in _rng.dtype_names.items()}
_types = {name: {} for name in rng.distributions}  # law -> type of torch -> librng's name of it
for _row in _rng.catalogue():
    if _row["dtype"] in _rng.dtype_names:
        _types[_row["name"]][getattr(torch, _rng.dtype_names[_row["dtype"]])] = _row["dtype"]
_types["bernoulli"][torch.bool] = "bool"
del _row


def _kernel(*names, keys=_BOTH):
    return lambda function: KERNELS.update({name: (function, keys) for name in names}) or function


def _out(name, made):
    """The form of an operator that writes into out=."""
    _kernel(name)(lambda *args, out, **options: out.resize_((result := made(*args, **options)).shape).copy_(result))


def _check(is_right, text, *values):
    if not is_right:
        raise RuntimeError(text.format(*values))


# ---- draws into memory -----------------------------------------------------------------------------------------------------------------


def _check_type(call, t, types=frozenset(_DIGITS)):
    """The elements of a tensor, of parameters or of results, are of a type for which torch has the operator."""
    if t.dtype not in types:
        raise Unsupported(f"{call}: not for elements of {str(t.dtype)[6:]}")


def bound(x, dtype):
    """A bound of values, which is a number of their type, as torch has it."""
    return float(torch.tensor(x, dtype=dtype, device="cpu")) if dtype in _HALVES else float(x)


def _is_capturing(t):
    return t.is_cuda and torch.cuda.is_current_stream_capturing()


_captured = []  # generators of captured draws, which graphs need as long as they are replayed


def source_of(t, generator=None):
    """What the next draw, into t, is made from: a Stream, or in a capture a Generator, so that each replay has other numbers."""
    if not _is_capturing(t):
        return next_stream(t.get_device() if t.is_cuda else -1, generator)
    if generator is not None:
        raise Unsupported("librng.torch: a draw from generator= cannot be captured in a CUDA graph; leave generator= out")
    _captured.append(rng.Generator(next_stream(-1, None), device=f"cuda:{t.get_device()}"))
    return _captured[-1]


@functools.cache
def _has_cuda():
    try:
        return rng.Generator(0, device="cuda:0") is not None
    except rng.Error:
        return False


def place_of(t):
    """The device's number and the stream of CUDA for a call with addresses. None if librng cannot reach the memory."""
    if t.is_cpu:
        return -1, 0
    return (t.get_device(), torch._C._cuda_getCurrentRawStream(t.get_device())) if t.is_cuda and _has_cuda() else None


def _is_plain(*tensors):
    return all(t.is_contiguous() and not t.is_conj() and not t.is_neg() for t in tensors)


def _like(t, dtype, place=True):
    return torch.empty(t.shape, dtype=dtype, device=t.device if place else "cpu")


def made_type(call, law, dtype):
    """The type in which values of a law are made for elements of a type. It may be another one, which they are converted from."""
    made = torch.bool if law == "bernoulli" else dtype if dtype in _types[law] else torch.float32 if dtype in _HALVES else torch.int64
    if made not in _types[law] or dtype not in _NAMES:
        raise Unsupported(f"{call}: elements of {str(dtype)[6:]} have no values of {law} in librng")
    return made


def fill(call, t, law, source):
    """Fills t with values of a law, and returns it."""
    kind, place = _types[law.name].get(t.dtype), place_of(t)
    if t.numel() == 0:
        return t
    if kind is None and t.is_complex() and law.name == "uniform":  # the real part and the imaginary one are neighbours
        parts = torch.empty(*t.shape, 2, dtype=t.real.dtype, device=t.device)
        return t.copy_(torch.view_as_complex(fill(call, parts, law, source)))
    if kind is None or place is None or not _is_plain(t):
        return t.copy_(fill(call, _like(t, made_type(call, law.name, t.dtype), place), law, source))
    _rng.fill_at(call, t.data_ptr(), t.numel(), kind, law, source, *place)
    return t


def _parameter(p, t):
    """A tensor of parameters for the elements of t, and what describes it: its address, its type, and the step from one to the next."""
    if p.dtype not in (torch.float32, torch.float64, torch.int64):
        p = p.to(torch.float32 if p.dtype in _HALVES else torch.float64)
    p = p.to(t.device).expand(t.shape).contiguous() if p.numel() > 1 else p.to(t.device)
    return p, (p.data_ptr(), _NAMES[p.dtype], int(p.numel() > 1))


def _check_not_captured(call, source):
    if not isinstance(source, rng.Stream):
        raise Unsupported(f"{call}: parameters that are tensors cannot be captured in a CUDA graph")


def _fill_each(call, out, law, source, **parameters):
    """Fills out with values of a law whose parameters are tensors, and returns it."""
    place = place_of(out)
    if out.numel() == 0:
        return out
    _check_not_captured(call, source)
    if out.dtype not in _types[law] or place is None or not _is_plain(out):
        return out.copy_(_fill_each(call, _like(out, made_type(call, law, out.dtype), place), law, source, **parameters))
    held = {name: _parameter(p, out) for name, p in parameters.items()}
    _rng.fill_each_at(call, out.data_ptr(), out.numel(), _types[law][out.dtype], law, [(n, *p[1]) for n, p in held.items()], source, *place)
    return out


def keep(call, t, p, source, x=None, mask=None, scale=1.0):
    """Value i of bernoulli(p), a number or a tensor, as a number of t's type; with x it is multiplied by x and the scale. mask gets it as bool."""
    place, tensors = place_of(t), [y for y in (t, x, mask) if y is not None]
    if t.numel() == 0:
        return t
    if isinstance(p, torch.Tensor):
        _check_not_captured(call, source)
    if place and isinstance(source, rng.Stream) and _is_plain(*tensors) and (t.dtype in _DIGITS or x is None and t.dtype in _NAMES and t.itemsize <= 8):
        held, p = _parameter(p, t) if isinstance(p, torch.Tensor) else (None, float(p))
        addresses = [0 if y is None else y.data_ptr() for y in (x, t, mask)]
        _rng.mask_at(call, *addresses, t.numel(), _NAMES[t.dtype], p, scale, source, *place)
        return t
    kept = _like(t, torch.bool, place)
    kept = (keep(call, kept, p, source) if isinstance(p, torch.Tensor) else fill(call, kept, rng.bernoulli(p), source)).to(t.device)
    if mask is not None:
        mask.copy_(kept)
    return t.copy_(kept if x is None else x * kept * scale)


def _require(call, p, name, lo, hi, text="{}: {} must be in [{:g}, {:g}], got {}", on_cpu=True):
    """The elements of a parameter are in [lo, hi]: one pass, and one wait for the device, which a capture forbids. on_cpu is False for those that
    are checked as values are made."""
    if p.numel() and (on_cpu or not p.is_cpu) and not _is_capturing(p):
        low, high = (x.item() for x in torch.aminmax(p))
        _check(low >= lo and high <= hi, text, call, name, lo, hi, high if low >= lo else low)


# ---- one law for all elements ----------------------------------------------------------------------------------------------------------


@_kernel("uniform_")
def _(self, a=0.0, b=1.0, *, generator=None):
    _check(a <= b, "uniform_ expects to return a [from, to) range, but found from={} > to={}", a, b)
    return fill("uniform_", self, rng.uniform(bound(a, self.dtype), bound(b, self.dtype)), source_of(self, generator))


@_kernel("normal_")
def _(self, mean=0.0, std=1.0, *, generator=None):
    _check(std >= 0, "normal expects std >= 0.0, but found std {}", std)
    law = None if std == 0 else rng.complex_normal(float(std)) if self.is_complex() else rng.normal(float(mean), float(std))
    source = source_of(self, generator)
    if law is None:
        return self.fill_(mean)
    return fill("normal_", self, law, source).add_(mean) if self.is_complex() else fill("normal_", self, law, source)


@_kernel("exponential_")
def _(self, rate=1.0, *, generator=None):
    _check(rate > 0, "exponential_ expects lambda > 0.0, but found lambda={}", rate)
    source = source_of(self, generator)
    return self.fill_(0) if math.isinf(rate) else fill("exponential_", self, rng.exponential(float(rate)), source)


@_kernel("cauchy_")
def _(self, median=0.0, sigma=1.0, *, generator=None):
    _check(sigma > 0, "cauchy_ expects sigma > 0.0, but found sigma={}", sigma)
    return fill("cauchy_", self, rng.cauchy(float(median), float(sigma)), source_of(self, generator))


@_kernel("log_normal_")
def _(self, mean=1.0, std=2.0, *, generator=None):
    _check(std > 0, "log_normal_ expects std > 0.0, but found std={}", std)
    return fill("log_normal_", self, rng.lognormal(float(mean), float(std)), source_of(self, generator))


@_kernel("geometric_")  # torch counts trials, librng failures
def _(self, p, *, generator=None):
    _check_type("geometric_", self, _COUNTS)
    _check(0 < p < 1, "geometric_ expects p to be in (0, 1), but got p={}", p)
    return self.copy_(fill("geometric_", _like(self, torch.int64), rng.geometric(float(p)), source_of(self, generator)).add_(1))


def _greatest(dtype):
    """The greatest number of random_() without bounds: all integers up to it are exact."""
    return 1 if dtype == torch.bool else 2 ** _DIGITS[dtype] if dtype in _DIGITS else torch.iinfo(dtype).max


_COUNTS = {*_DIGITS, torch.bool, *_types["uniform_int"]}  # types of whole numbers


@_kernel("random_", "random_.from", "random_.to")
def _(self, *bounds, generator=None):
    _check_type("random_", self, _COUNTS)
    lo, to = (0, *(bounds or (None,))) if len(bounds) < 2 else bounds
    hi = _greatest(self.dtype) if to is None else to - 1
    _check(lo <= hi, "random_ expects 'from' to be less than 'to', but got from={} >= to={}", lo, to)
    least = -math.inf if self.dtype in _DIGITS else 0 if self.dtype == torch.bool else torch.iinfo(self.dtype).min
    for name, value in ("from", lo), ("to - 1", hi):
        _check(self.dtype in _DIGITS or least <= value <= _greatest(self.dtype), "{} is out of bounds for {}: {}", name, self.dtype, value)
    law, source = rng.uniform_int(lo, hi), source_of(self, generator)
    made = self if self.dtype in _types["uniform_int"] else _like(self, torch.int64)  # types that have no integers take those of int64
    return self if fill("random_", made, law, source) is self else self.copy_(made)


@_kernel("bernoulli_.float")
def _(self, p=0.5, *, generator=None):
    _check_type("bernoulli_", self, _COUNTS)
    _check(0 <= p <= 1, "bernoulli_ expects p to be in [0, 1], but got p={}", p)
    return keep("bernoulli_", self, p, source_of(self, generator))


@_kernel("randperm.generator_out")
def _(n, *, generator=None, out):
    _check(n <= _greatest(out.dtype) + (out.dtype not in _DIGITS), "n is too large for result tensor type: {} for {}", n, out.dtype)
    if _is_capturing(out):
        raise Unsupported("randperm: an order is made on the host, which a CUDA graph cannot capture")
    return out.resize_(n).copy_(torch.from_numpy(rng.permutation(n, source_of(out, generator))))


# ---- a law for each element ------------------------------------------------------------------------------------------------------------


@_kernel("bernoulli_.Tensor")
def _bernoulli_each(self, p, *, generator=None):
    _check_type("bernoulli", self, _COUNTS)
    _check(p.is_floating_point(), "bernoulli expects floating-point probabilities, but got {}", p.dtype)
    source = source_of(self, generator)  # before the check, which the host makes with the values: a draw counts on each device if it is refused
    _require("bernoulli", p, "p", 0, 1, on_cpu=False)
    return keep("bernoulli", self, p, source)


@_kernel("bernoulli.out")
def _(self, *, generator=None, out):
    return _bernoulli_each(out.resize_(self.shape), self, generator=generator)


@_kernel("normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor")
def _normal_each(mean, std=1.0, *, generator=None):
    """normal(0, 1), then a product and a sum by two kernels, which no device contracts to one rounding."""
    tensors = [p for p in (mean, std) if isinstance(p, torch.Tensor)]
    shapes, dtype = {p.shape for p in tensors}, torch.result_type(*tensors) if len(tensors) == 2 else tensors[0].dtype
    z = torch.empty(shapes.pop() if len(shapes) == 1 else torch.broadcast_shapes(*shapes), dtype=dtype, device=tensors[0].device)
    if isinstance(std, torch.Tensor):
        _check(not std.is_complex(), "normal expects standard deviation to be non-complex")
        _require("normal", std, "std", 0, math.inf, "normal expects all elements of std >= 0.0")
    else:
        _check(std >= 0, "normal expects std >= 0.0, but found std {}", std)
    law = rng.complex_normal(1.0) if z.is_complex() else rng.normal(0.0, 1.0)
    return fill("normal", z, law, source_of(z, generator)).mul_(std).add_(mean)


for _overload in "Tensor_float", "float_Tensor", "Tensor_Tensor":
    _out(f"normal.{_overload}_out", _normal_each)


@_kernel("poisson")
def _(self, generator=None):
    _check_type("poisson", self)
    source = source_of(self, generator)
    _require("poisson", self, "rate", 0, 2.0**62, on_cpu=False)
    return _fill_each("poisson", _like(self, torch.int64), "poisson", source, mean=self).to(self.dtype)


@_kernel("binomial")
def _(count, prob, generator=None):
    _check_type("binomial", count)
    shape = count.shape if count.shape == prob.shape else torch.broadcast_shapes(count.shape, prob.shape)
    out = torch.empty(shape, dtype=torch.int64, device=count.device)
    source = source_of(out, generator)
    _require("binomial", count, "count", 0, 2.0**62, on_cpu=False)
    _require("binomial", prob, "prob", 0, 1, on_cpu=False)
    return _fill_each("binomial", out, "binomial", source, trials=count.to(torch.int64), p=prob).to(count.dtype)


@_kernel("_standard_gamma")
def _(self, generator=None):
    _check_type("_standard_gamma", self)
    source = source_of(self, generator)
    _require("_standard_gamma", self, "alpha", *_SHAPES[self.dtype == torch.float64], on_cpu=False)
    return _fill_each("_standard_gamma", _like(self, self.dtype), "gamma", source, shape=self)


_SHAPES = (2.0**-20, 2.0**30), (2.0**-40, 2.0**60)  # of gamma in float32 and in float64


@_kernel("_sample_dirichlet")
def _(self, generator=None):
    """Gamma values by their sum, in which one half is added to the other again and again: an order that all devices have."""
    _check_type("_sample_dirichlet", self)
    source = source_of(self, generator)
    _require("_sample_dirichlet", self, "alpha", *_SHAPES[True], on_cpu=False)
    total = x = _fill_each("_sample_dirichlet", _like(self, torch.float64), "gamma", source, shape=self)
    while (half := total.shape[-1] // 2) > 0:
        total = torch.cat((total[..., :half] + total[..., half : 2 * half], total[..., 2 * half :]), -1)
    return (x / total).to(self.dtype)


@_kernel("multinomial")
def _multinomial(self, num_samples, replacement=False, *, generator=None):
    """Without replacement a race of exponential times e_i / w_i. With it the inverse of the sums of weights, which are whole numbers here: such
    sums are exact in any order."""
    _check(self.is_floating_point(), "multinomial only supports floating-point dtypes for input, got: {}", self.dtype)
    _check(0 < self.dim() <= 2, "prob_dist must be 1 or 2 dim")
    _check(num_samples > 0, "cannot sample n_sample <= 0 samples")
    _check(replacement or num_samples <= self.shape[-1], "cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    source, w = source_of(self, generator), self.to(torch.float64)
    _require("multinomial", w, "weights", 0, 1.7976931348623157e308, "probability tensor contains either `inf`, `nan` or element < 0")
    if w.numel() and not _is_capturing(w):
        least = (w > 0).sum(-1).min().item()
        _check(least > 0, "invalid multinomial distribution (sum of probabilities <= 0)")
        _check(replacement or least >= num_samples, "invalid multinomial distribution (with replacement=False, not enough non-negative category to "
               "sample)")
    if not replacement:
        return (w / fill("multinomial", _like(w, torch.float64), rng.exponential(1.0), source)).topk(num_samples, -1)[1]
    bits = min(52, 62 - max(1, w.shape[-1] - 1).bit_length())
    sums = (w / w.amax(-1, keepdim=True) * 2.0**bits).to(torch.int64).cumsum(-1)
    u = fill("multinomial", w.new_empty(*w.shape[:-1], num_samples), rng.uniform(0.0, 1.0), source)
    return torch.searchsorted(sums, torch.minimum((u * sums[..., -1:].to(torch.float64)).to(torch.int64), sums[..., -1:] - 1), right=True)


_out("multinomial.out", _multinomial)


# ---- dropout and attention -------------------------------------------------------------------------------------------------------------


@_kernel("native_dropout")
def _(x, p, train=True):
    mask = torch.ones_like(x, dtype=torch.bool)
    if train is False or p == 0:
        return x.clone(), mask
    _check(0 <= p <= 1, "dropout probability has to be between 0 and 1, but got {}", p)
    _check_type("dropout", x, (*_DIGITS, torch.complex64, torch.complex128))
    return keep("native_dropout", torch.empty_like(x), 1 - p, source_of(x), x, mask, 0.0 if p == 1 else 1 / (1 - p)), mask


@_kernel("_fused_dropout", keys=("CUDA",))  # p is the probability to keep
def _(x, p, generator=None):
    mask = torch.empty_like(x, dtype=torch.uint8)
    return keep("_fused_dropout", torch.empty_like(x), p, source_of(x, generator), x, mask.view(torch.bool), 1 / p), mask


@_kernel("dropout", keys=("AutogradCPU", "AutogradCUDA", *_BOTH))
def _(x, p, train):
    """torch's CPU and CUDA kernels round the factor differently, so that both take native_dropout."""
    _check(0 <= p <= 1, "dropout probability has to be between 0 and 1, but got {}", p)
    if train and p > 0 and x.numel() > 0:
        if x.is_complex():  # native_dropout has no derivative there
            return x * _ops.native_dropout(torch.ones_like(x, dtype=x.dtype.to_real()), p, True)[0]
        return _ops.native_dropout(x, p, True)[0]
    return x.view_as(x) if torch.is_inference_mode_enabled() else _ops.alias(x)


@_kernel("rrelu_with_noise")
def _rrelu(self, noise, lower=0.125, upper=1 / 3, training=False, generator=None):
    if not training:
        return torch.nn.functional.leaky_relu(self, (lower + upper) / 2)
    law = rng.uniform(bound(lower, self.dtype), bound(upper, self.dtype))
    slopes = fill("rrelu_with_noise", _like(self, self.dtype), law, source_of(self, generator))
    return self * noise.copy_(torch.where(self <= 0, slopes, 1))


_kernel("rrelu_with_noise_")(lambda self, *args, **options: self.copy_(_rrelu(self, *args, **options)))
_out("rrelu_with_noise.out", _rrelu)


@_kernel("scaled_dot_product_attention", keys=("AutogradCPU", "AutogradCUDA", *_BOTH))
def _(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
    """Fused kernels draw inside. With dropout the plain formula, which calls dropout, takes their place."""
    if dropout_p > 0:
        return _ops._scaled_dot_product_attention_math(q, k, v, attn_mask, dropout_p, is_causal, **options)[0]
    return _ops.scaled_dot_product_attention.default.decompose(q, k, v, attn_mask, dropout_p, is_causal, **options)


# ---- refused: kernels of CUDA that draw inside -----------------------------------------------------------------------------------------

_MATH = "take torch.nn.attention.sdpa_kernel(SDPBackend.MATH)"
_NO_CUDNN = "set torch.backends.cudnn.enabled = False"
REFUSED = {
    **dict.fromkeys(("_scaled_dot_product_flash_attention", "_scaled_dot_product_efficient_attention", "_scaled_dot_product_cudnn_attention",
                     "_flash_attention_forward", "_efficient_attention_forward", "_cudnn_attention_forward", "_triton_scaled_dot_attention",
                     "_scaled_dot_product_flash_attention.quantized", "_flash_attention_forward.quantized"), _MATH),
    **dict.fromkeys(("_cudnn_rnn", "_cudnn_init_dropout_state", "miopen_rnn"), _NO_CUDNN),
}


def operator(name):
    """The overload of aten with a name such as "normal.out"; None if this torch has none."""
    base, _, overload = name.partition(".")
    return getattr(getattr(_ops, base, None), overload or "default", None)


def _refusal(name, instead):
    theirs = torch.library.get_kernel("aten::" + name, "CUDA")
    names = [argument.name for argument in operator(name)._schema.arguments]

    def refused_with_dropout(*args, **options):
        given = dict(zip(names, args)) | options
        if given.get("dropout_p", given.get("dropout", 0.0)) > 0 and given.get("train", True):
            raise Unsupported(f"{name}: dropout inside of this kernel has no numbers of librng: {instead}")
        return theirs.call_boxed(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), *args, **options)

    return refused_with_dropout


def kernels():
    """(name, key, function) of each kernel for the operators that this torch has."""
    for name, (function, keys) in KERNELS.items():
        if operator(name) is not None:
            yield from ((name, key, function) for key in keys)
    for name, instead in REFUSED.items():
        if operator(name) is not None and torch._C._dispatch_has_kernel_for_dispatch_key("aten::" + name, "CUDA"):
            yield name, "CUDA", _refusal(name, instead)
