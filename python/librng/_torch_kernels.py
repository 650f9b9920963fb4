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
from librng._torch_sequence import next_of_capture, next_stream

_ops = torch.ops.aten
KERNELS = {}  # name -> (function, keys of the dispatcher)
BOTH = ("CPU", "CUDA")
_HALVES = (torch.float16, torch.bfloat16)
_DIGITS = {torch.float16: 11, torch.bfloat16: 8, torch.float32: 24, torch.float64: 53}  # of significands
_NAMES = {getattr(torch, long): short for short, long in _rng.dtype_names.items()}
_types = {name: {} for name in rng.distributions}  # law -> type of torch -> librng's name of it
for _row in _rng.catalogue():
    if _row["dtype"] in _rng.dtype_names:
        _types[_row["name"]][getattr(torch, _rng.dtype_names[_row["dtype"]])] = _row["dtype"]
_types["bernoulli"][torch.bool] = "bool"
del _row


def _kernel(*names, keys=BOTH):
    return lambda function: KERNELS.update({name: (function, keys) for name in names}) or function


# ---- memory ----------------------------------------------------------------------------------------------------------------------------


def _is_capturing(t):
    return t.is_cuda and torch.cuda.is_current_stream_capturing()


_captured = []  # generators of captured draws, which graphs need as long as they are replayed


def _source(t, generator=None):
    """What the next draw, into t, is made from."""
    if not t.is_cuda:
        return next_stream(-1, generator)
    if not torch.cuda.is_current_stream_capturing():
        return next_stream(t.get_device(), generator)
    _captured.append(rng.Generator(next_of_capture(generator), device=f"cuda:{t.get_device()}"))
    return _captured[-1]


def _place(t):
    """The device's number and the stream of CUDA for a call with addresses; None if librng cannot reach the memory."""
    if t.is_cpu:
        return -1, 0
    return (t.get_device(), torch._C._cuda_getCurrentRawStream(t.get_device())) if t.is_cuda and _has_cuda() else None


@functools.cache
def _has_cuda():
    try:
        rng.Generator(0, device="cuda:0")
    except rng.Error:
        return False
    return True


def _is_plain(t):
    return t.is_contiguous() and not t.is_conj() and not t.is_neg()


def _fill(call, t, law, source):
    """Fills t with values of a law, and returns it."""
    n = t.numel()
    if n == 0:
        return t
    kind = _types[law.name].get(t.dtype)
    if kind is None:
        return t.copy_(_converted(call, t, law, source))
    place = _place(t)
    if place is None or not _is_plain(t):
        return t.copy_(_fill(call, torch.empty(t.shape, dtype=t.dtype, device=t.device if place else "cpu"), law, source))
    _rng.fill_at(call, t.data_ptr(), n, kind, law, source, *place)
    return t


def _converted(call, t, law, source):
    """Values of a law that does not have t's type."""
    if t.is_complex() and law.name == "uniform":  # real and imaginary part are neighbours
        return torch.view_as_complex(_fill(call, torch.empty(*t.shape, 2, dtype=t.real.dtype, device=t.device), law, source))
    return _fill(call, _like(t, made_type(call, law, t.dtype)), law, source)


def made_type(call, law, dtype):
    """The type in which values of a law are made for elements of a type, which may be another one."""
    made = dtype if dtype in _types[law.name] else torch.float32 if dtype in _HALVES else torch.int64
    if made not in _types[law.name] or dtype not in _NAMES:
        raise Unsupported(f"{call}: elements of {str(dtype)[6:]} have no values of {law.name} in librng")
    return made


def _require_type(call, t, types=_DIGITS):
    """The elements of a tensor, of parameters or of results, are such for which torch has the operator."""
    if t.dtype not in types:
        raise Unsupported(f"{call}: not for elements of {str(t.dtype)[6:]}")


def bound(x, dtype):
    """A bound of values, which is a number of their type, as torch has it."""
    return float(torch.tensor(x, dtype=dtype, device="cpu")) if dtype in _HALVES else float(x)


def _like(t, dtype):
    return torch.empty(t.shape, dtype=dtype, device=t.device)


def _as_parameter(p, shape):
    """A tensor of parameters for n values: f32, f64 or i64, one for each value or one for all."""
    if p.dtype not in (torch.float32, torch.float64, torch.int64):
        p = p.to(torch.float32 if p.dtype in _HALVES else torch.float64)
    return p.reshape(1) if p.numel() == 1 else p.expand(shape).contiguous()


def _require(call, p, name, lo, hi, message=None):
    """The elements of a parameter are in [lo, hi]. One pass, and one wait for the device; a capture cannot ask."""
    if p.numel() and not _is_capturing(p):
        low, high = (float(x) for x in torch.aminmax(p))
        if not (low >= lo and high <= hi):
            raise RuntimeError(message or f"{call}: {name} must be in [{lo:g}, {hi:g}], got {low if not low >= lo else high}")


def _fill_each(call, out, law, source, **parameters):
    """Fills out with values of the law whose parameters are tensors, and returns it."""
    if out.numel() == 0:
        return out
    if not isinstance(source, rng.Stream):
        raise Unsupported(f"{call}: parameters that are tensors cannot be captured in a CUDA graph")
    kind, place = _types[law].get(out.dtype), _place(out)
    if kind is None or place is None or not _is_plain(out):
        made = out.dtype if kind else torch.float32 if torch.float32 in _types[law] else torch.int64
        where = out.device if place else "cpu"
        return out.copy_(_fill_each(call, torch.empty(out.shape, dtype=made, device=where), law, source, **{k: p.to(where) for k, p in parameters.items()}))
    held = {name: _as_parameter(p.to(out.device), out.shape) for name, p in parameters.items()}
    given = [(name, p.data_ptr(), _NAMES[p.dtype], int(p.numel() > 1)) for name, p in held.items()]
    _rng.fill_each_at(call, out.data_ptr(), out.numel(), kind, law, given, source, *place)
    return out


def _keep(call, x, out, mask, p, scale, source):
    """Kept elements, value i of bernoulli(p): out is x times the mask times the scale, or without x the mask itself. p: a number or a tensor."""
    t = mask if out is None else out
    if t.numel() == 0:
        return
    place = _place(t)
    plain = all(_is_plain(y) for y in (x, out, mask) if y is not None) and (out is None or out.element_size() <= 8)
    usual = x is None or x.dtype in _DIGITS
    if place is None or not plain or not usual or not isinstance(source, rng.Stream):
        kept = torch.empty(t.shape, dtype=torch.bool, device=t.device if place else "cpu")
        if isinstance(source, rng.Stream) and place is not None or isinstance(p, torch.Tensor):
            _keep(call, None, None, kept, p, 1.0, source)
        else:
            _fill(call, kept, rng.bernoulli(p), source)
        kept = kept.to(t.device)
        if mask is not None:
            mask.copy_(kept)
        if out is not None:
            out.copy_(kept if x is None else x * kept * scale)
        return
    if isinstance(p, torch.Tensor):
        held = _as_parameter(p.to(t.device), t.shape)
        p = held.data_ptr(), _NAMES[held.dtype], int(held.numel() > 1)
    _rng.mask_at(call, *(0 if y is None else y.data_ptr() for y in (x, out, mask)), t.numel(), _NAMES[t.dtype], p, scale, source, *place)


# ---- one law for all elements ----------------------------------------------------------------------------------------------------------


@_kernel("uniform_")
def uniform_(self, a=0.0, b=1.0, *, generator=None):
    if not a <= b:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={a} > to={b}")
    return _fill("uniform_", self, rng.uniform(bound(a, self.dtype), bound(b, self.dtype)), _source(self, generator))


@_kernel("normal_")
def normal_(self, mean=0.0, std=1.0, *, generator=None):
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    source = _source(self, generator)
    if std == 0:
        return self.fill_(mean)
    if self.is_complex():
        return _fill("normal_", self, rng.complex_normal(float(std)), source).add_(mean)
    return _fill("normal_", self, rng.normal(float(mean), float(std)), source)


@_kernel("exponential_")
def exponential_(self, rate=1.0, *, generator=None):
    if not rate > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={rate}")
    source = _source(self, generator)
    return self.fill_(0) if math.isinf(rate) else _fill("exponential_", self, rng.exponential(float(rate)), source)


@_kernel("cauchy_")
def cauchy_(self, median=0.0, sigma=1.0, *, generator=None):
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma}")
    return _fill("cauchy_", self, rng.cauchy(float(median), float(sigma)), _source(self, generator))


@_kernel("log_normal_")
def log_normal_(self, mean=1.0, std=2.0, *, generator=None):
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std}")
    return _fill("log_normal_", self, rng.lognormal(float(mean), float(std)), _source(self, generator))


@_kernel("geometric_")
def geometric_(self, p, *, generator=None):
    """torch counts trials, librng failures."""
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p}")
    return self.copy_(_fill("geometric_", _like(self, torch.int64), rng.geometric(float(p)), _source(self, generator)).add_(1))


def _integers(call, self, lo, hi, generator):
    """Whole numbers of lo ... hi. Types that have no integers take those of int64."""
    law = rng.uniform_int(lo, hi)
    source = _source(self, generator)
    if self.dtype in _types["uniform_int"]:
        return _fill(call, self, law, source)
    return self.copy_(_fill(call, _like(self, torch.int64), law, source))


def _greatest(dtype):
    """The greatest number of random_() without bounds: all integers up to it are exact."""
    return 1 if dtype == torch.bool else 2 ** _DIGITS[dtype] if dtype in _DIGITS else torch.iinfo(dtype).max


_COUNTS = {*_DIGITS, torch.bool, *_types["uniform_int"]}  # types of whole numbers

@_kernel("random_")
def random_(self, *, generator=None):
    _require_type("random_", self, _COUNTS)
    return _integers("random_", self, 0, _greatest(self.dtype), generator)


@_kernel("random_.from", "random_.to")
def random_from_to(self, *bounds, generator=None):
    _require_type("random_", self, _COUNTS)
    lo, to = (0, *bounds) if len(bounds) == 1 else bounds
    hi = _greatest(self.dtype) if to is None else to - 1
    if lo > hi:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={lo} >= to={to}")
    if self.dtype not in _DIGITS:
        least = 0 if self.dtype == torch.bool else torch.iinfo(self.dtype).min
        for name, value in ("from", lo), ("to - 1", hi):
            if not least <= value <= _greatest(self.dtype):
                raise RuntimeError(f"{name} is out of bounds for {str(self.dtype)[6:]}: {value}")
    return _integers("random_", self, lo, hi, generator)


@_kernel("bernoulli_.float")
def bernoulli_(self, p=0.5, *, generator=None):
    _require_type("bernoulli_", self, _COUNTS)
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p}")
    source = _source(self, generator)
    if self.dtype in _types["bernoulli"]:
        return _fill("bernoulli_", self, rng.bernoulli(float(p)), source)
    _keep("bernoulli_", None, self, None, float(p), 1.0, source)
    return self


@_kernel("randperm.generator_out")
def randperm(n, *, generator=None, out):
    if n > _greatest(out.dtype) + (out.dtype not in _DIGITS):
        raise RuntimeError(f"n is too large for result tensor type: {n} for {str(out.dtype)[6:]}")
    if _is_capturing(out):
        raise Unsupported("randperm: an order is made on the host, which a CUDA graph cannot capture")
    return out.resize_(n).copy_(torch.from_numpy(rng.permutation(n, _source(out, generator))))


# ---- a law for each element ------------------------------------------------------------------------------------------------------------


def _bernoulli_each(call, out, p, generator):
    if not p.is_floating_point():
        raise RuntimeError(f"{call}: probabilities must be floating-point, got {str(p.dtype)[6:]}")
    _require_type(call, out, _COUNTS)
    _require(call, p, "p", 0, 1, "Expected p_in >= 0 && p_in <= 1 to be true, but got false.")
    _keep(call, None, out, None, p, 1.0, _source(out, generator))
    return out


@_kernel("bernoulli_.Tensor")
def bernoulli_each_(self, p, *, generator=None):
    return _bernoulli_each("bernoulli_", self, p, generator)


@_kernel("bernoulli.out")
def bernoulli_out(self, *, generator=None, out):
    return _bernoulli_each("bernoulli", out.resize_(self.shape), self, generator)


def _normal_each(z, mean, std, generator):
    """normal(0, 1), then a product and a sum by two kernels, which no device contracts to one rounding."""
    if isinstance(std, torch.Tensor):
        if std.is_complex():
            raise RuntimeError("normal expects standard deviation to be non-complex")
        _require("normal", std, "std", 0, math.inf, "normal expects all elements of std >= 0.0")
    elif not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    law = rng.complex_normal(1.0) if z.is_complex() else rng.normal(0.0, 1.0)
    return _fill("normal", z, law, _source(z, generator)).mul_(std).add_(mean)


@_kernel("normal.Tensor_float", "normal.float_Tensor", "normal.Tensor_Tensor")
def normal_each(mean, std=1.0, *, generator=None):
    tensors = [p for p in (mean, std) if isinstance(p, torch.Tensor)]
    dtype = torch.result_type(*tensors) if len(tensors) == 2 else tensors[0].dtype
    shape = torch.broadcast_shapes(*(p.shape for p in tensors))
    return _normal_each(torch.empty(shape, dtype=dtype, device=tensors[0].device), mean, std, generator)


@_kernel("normal.Tensor_float_out", "normal.float_Tensor_out", "normal.Tensor_Tensor_out")
def normal_each_out(mean, std=1.0, *, generator=None, out):
    shape = torch.broadcast_shapes(*(p.shape for p in (mean, std) if isinstance(p, torch.Tensor)))
    return _normal_each(out.resize_(shape), mean, std, generator)


@_kernel("poisson")
def poisson(self, generator=None):
    _require_type("poisson", self)
    _require("poisson", self, "rate", 0, 2.0**62, None if self.numel() and float(self.min()) >= 0 else "invalid Poisson rate, expected rate to be non-negative")
    return _like(self, self.dtype).copy_(_fill_each("poisson", _like(self, torch.int64), "poisson", _source(self, generator), mean=self))


@_kernel("binomial")
def binomial(count, prob, generator=None):
    _require("binomial", count, "count", 0, 2.0**62)
    _require("binomial", prob, "prob", 0, 1)
    out = torch.empty(torch.broadcast_shapes(count.shape, prob.shape), dtype=count.dtype, device=count.device)
    source = _source(out, generator)
    return out.copy_(_fill_each("binomial", _like(out, torch.int64), "binomial", source, trials=count.to(torch.int64), p=prob))


@_kernel("_standard_gamma")
def standard_gamma(self, generator=None):
    _require_type("_standard_gamma", self)
    _require("_standard_gamma", self, "alpha", *_GAMMA_SHAPES[self.dtype != torch.float64])
    return _fill_each("_standard_gamma", _like(self, self.dtype), "gamma", _source(self, generator), shape=self)


_GAMMA_SHAPES = (2.0**-800, 2.0**900), (2.0**-50, 2.0**90)  # float64, float32


@_kernel("_sample_dirichlet")
def sample_dirichlet(self, generator=None):
    """Gamma values by their sum, of which one half is added to the other again and again: an order that all devices have."""
    _require_type("_sample_dirichlet", self)
    _require("_sample_dirichlet", self, "alpha", *_GAMMA_SHAPES[0])
    x = _fill_each("_sample_dirichlet", _like(self, torch.float64), "gamma", _source(self, generator), shape=self)
    total = x
    while total.shape[-1] > 1:
        half = total.shape[-1] // 2
        total = torch.cat((total[..., :half] + total[..., half : 2 * half], total[..., 2 * half :]), -1)
    return (x / total).to(self.dtype)


@_kernel("multinomial")
def multinomial(self, num_samples, replacement=False, *, generator=None):
    """Without replacement a race of exponential times, w_i / e_i. With it the inverse of the sums of weights, which are whole numbers here:
    their sums are exact in any order."""
    if not self.is_floating_point():
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {str(self.dtype)[6:]}")
    if not 0 < self.dim() <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > self.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    source, w = _source(self, generator), self.to(torch.float64)
    if w.numel() and not _is_capturing(w):
        _require("multinomial", w, "weights", 0, 1.7976931348623157e308, "probability tensor contains either `inf`, `nan` or element < 0")
        least = int((w > 0).sum(-1).min())
        if least == 0:
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
        if not replacement and least < num_samples:
            raise RuntimeError("invalid multinomial distribution (with replacement=False, not enough non-negative category to sample)")
    if not replacement:
        return (w / _fill("multinomial", _like(w, torch.float64), rng.exponential(1.0), source)).topk(num_samples, -1)[1]
    bits = min(52, 62 - max(1, w.shape[-1] - 1).bit_length())
    sums = (w / w.amax(-1, keepdim=True) * 2.0**bits).to(torch.int64).cumsum(-1)
    u = _fill("multinomial", torch.empty(*w.shape[:-1], num_samples, dtype=torch.float64, device=w.device), rng.uniform(0.0, 1.0), source)
    return torch.searchsorted(sums, torch.minimum((u * sums[..., -1:].to(torch.float64)).to(torch.int64), sums[..., -1:] - 1), right=True)


@_kernel("multinomial.out")
def multinomial_out(self, num_samples, replacement=False, *, generator=None, out):
    made = multinomial(self, num_samples, replacement, generator=generator)
    return out.resize_(made.shape).copy_(made)


# ---- dropout and attention -------------------------------------------------------------------------------------------------------------


@_kernel("native_dropout")
def native_dropout(x, p, train=True):
    if train is False or p == 0:
        return x.clone(), torch.ones_like(x, dtype=torch.bool)
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")
    _require_type("dropout", x, (*_DIGITS, torch.complex64, torch.complex128))
    out, mask = torch.empty_like(x), torch.empty_like(x, dtype=torch.bool)
    _keep("native_dropout", x, out, mask, 1 - p, 0.0 if p == 1 else 1 / (1 - p), _source(x))
    return out, mask


@_kernel("_fused_dropout", keys=("CUDA",))
def fused_dropout(x, p, generator=None):
    """Here p is the probability to keep."""
    out, mask = torch.empty_like(x), torch.empty_like(x, dtype=torch.uint8)
    _keep("_fused_dropout", x, out, mask.view(torch.bool), p, 1 / p, _source(x, generator))
    return out, mask


@_kernel("dropout", keys=("AutogradCPU", "AutogradCUDA", *BOTH))
def dropout(x, p, train):
    """torch's CPU and CUDA kernels round the factor differently, so that both take native_dropout."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p}")
    if train and p > 0 and x.numel() > 0:
        if x.is_complex():  # native_dropout has no derivative there
            return x * _ops.native_dropout(torch.ones_like(x, dtype=x.dtype.to_real()), p, True)[0]
        return _ops.native_dropout(x, p, True)[0]
    return x.view_as(x) if torch.is_inference_mode_enabled() else _ops.alias(x)


@_kernel("rrelu_with_noise")
def rrelu_with_noise(self, noise, lower=0.125, upper=1 / 3, training=False, generator=None):
    if not training:
        return torch.nn.functional.leaky_relu(self, (lower + upper) / 2)
    law = rng.uniform(bound(lower, self.dtype), bound(upper, self.dtype))
    slopes = _fill("rrelu_with_noise", _like(self, self.dtype), law, _source(self, generator))
    noise.copy_(torch.where(self <= 0, slopes, 1))
    return self * noise


@_kernel("rrelu_with_noise_")
def rrelu_with_noise_(self, *args, **options):
    return self.copy_(rrelu_with_noise(self, *args, **options))


@_kernel("rrelu_with_noise.out")
def rrelu_with_noise_out(self, *args, out, **options):
    return out.resize_(self.shape).copy_(rrelu_with_noise(self, *args, **options))


@_kernel("scaled_dot_product_attention", keys=("AutogradCPU", "AutogradCUDA", *BOTH))
def attention(q, k, v, attn_mask=None, dropout_p=0.0, is_causal=False, **options):
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


def _refusal(name, instead, theirs):
    operator = getattr(_ops, name.partition(".")[0])
    schema = getattr(operator, name.partition(".")[2] or "default")._schema

    def refused_with_dropout(*args, **options):
        given = dict(zip((argument.name for argument in schema.arguments), args)) | options
        p = given.get("dropout_p", given.get("dropout", 0.0))
        if p > 0 and given.get("train", True):
            raise Unsupported(f"{name}: dropout inside of this kernel has no numbers of librng: {instead}")
        return theirs.call_boxed(torch._C.DispatchKeySet(torch._C.DispatchKey.CUDA), *args, **options)

    return refused_with_dropout


def kernels():
    """(name, key, function) of each kernel for the operators that this torch has."""
    has = torch._C._dispatch_has_kernel_for_dispatch_key
    for name, (function, keys) in KERNELS.items():
        for key in keys:
            yield name, key, function
    for name, instead in REFUSED.items():
        if _is_known(name) and has("aten::" + name, "CUDA"):
            yield name, "CUDA", _refusal(name, instead, torch.library.get_kernel("aten::" + name, "CUDA"))


def _is_known(name):
    base, _, overload = name.partition(".")
    return hasattr(_ops, base) and (overload or "default") in getattr(_ops, base).overloads()
