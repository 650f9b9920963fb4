"""librng.torch.reproducible: where torch's random operators have librng's kernels, and what else has to change for that."""

import contextlib
import itertools
import math
import threading
import warnings

import torch

import librng as rng
from librng import _rng, _torch_kernels
from librng._checks import integer
from librng._errors import InvalidArgument, Unsupported
from librng._seeds import _restored, _states_of_torch, seed_everything
from librng._torch_kernels import KERNELS, REFUSED, bound, fill, made_type, operator, source_of
from librng._torch_sequence import forget_devices

_ops = torch.ops.aten


class _Users:
    """What is installed as long as somebody uses it, in the whole process."""

    def __init__(self, install):
        self.install, self.lock, self.count, self.undo = install, threading.Lock(), 0, None

    def add(self):
        with self.lock:
            if self.count == 0:
                with contextlib.ExitStack() as undo:
                    self.install(undo)
                    self.undo = undo.pop_all()
            self.count += 1

    def remove(self):
        with self.lock:
            if self.count == 0:
                raise rng.Error("uninstall_kernels: the kernels are not installed")
            self.count -= 1
            if self.count == 0:
                self.undo.close()


def install_kernels():
    """Gives torch's random operators librng's kernels, in the whole process, until uninstall_kernels is called as often."""
    _draws.add()


def uninstall_kernels():
    """Takes one call of install_kernels back. After the last one torch's own kernels are at their places again."""
    _draws.remove()


def in_worker(_=0):
    """The worker_init_fn of a DataLoader, which installs the kernels in a worker that was spawned. One that was forked has them."""
    if _draws.count == 0:
        install_kernels()


def _replace(kernels, undo):
    library = torch.library.Library("aten", "IMPL")
    undo.callback(library._destroy)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Warning only once for all operators", UserWarning)
        for name, key, function in list(kernels):
            library.impl(name, function, key, allow_override=True)


def _install(undo):
    _replace(_torch_kernels.kernels(), undo)
    _prepare_compiler(undo)
    for name, ours in ("_no_grad_trunc_normal_", _trunc_normal), ("orthogonal_", _orthogonal):
        undo.callback(setattr, torch.nn.init, name, getattr(torch.nn.init, name))
        setattr(torch.nn.init, name, ours)
    if torch.distributed.is_available():
        from torch.distributed.tensor import DTensor

        table = DTensor._op_dispatcher._custom_op_handlers
        undo.callback(table.update, {op: table[op] for op in _HANDLERS if op in table})
        undo.callback(lambda: [table.pop(op) for op in _HANDLERS])
        table.update(_HANDLERS)


def _install_sums(undo):
    from librng import _torch_sums

    _replace(_torch_sums.kernels(), undo)


_draws, _sums = _Users(_install), _Users(_install_sums)


def _prepare_compiler(undo):
    """Inductor calls the operators, in the program's order, and does not replace bernoulli by a comparison of other numbers."""
    import torch._inductor.config as inductor
    from torch._inductor.decomposition import decompositions as table

    if not hasattr(inductor, "reorder_for_peak_memory"):
        raise Unsupported(f"librng.torch: torch {torch.__version__} has no option that keeps the order of draws in compiled functions")
    undo.callback(table.update, {op: table.pop(op) for op in [*table] if getattr(op, "overloadpacket", None) in (_ops.bernoulli, _ops.bernoulli_)})
    undo.enter_context(inductor.patch(fallback_random=True, reorder_for_peak_memory=False))


@contextlib.contextmanager
def reproducible(seed=None, *, compile="reset", everything=True, sums=False):
    """Within it, unmodified torch programs draw the same random numbers on the CPU and on CUDA: librng's, from torch's own generators.

    seed is that of torch.manual_seed, and of the generators of random and numpy.random, each by a seed of its own, unless everything is
    False. At the end the states of all of them come back. Without a seed the draws go on from torch's states, which stay as they are left.

    sums=True gives sums and additions by index a fixed order too, the same on both devices (librng._torch_sums has the operators). Compiled
    functions keep the sums of their compiler.

    compile says what becomes of functions that torch.compile has compiled before, which have torch's numbers inside: "reset" forgets
    them, "keep" leaves them."""
    if compile not in ("reset", "keep"):
        raise InvalidArgument(f"reproducible: compile must be 'reset' or 'keep', got {compile!r}")
    before = contextlib.nullcontext()
    if seed is not None:
        integer("reproducible", "seed", seed)
        before = seed_everything(seed) if everything else _restored(list(_states_of_torch(torch)))
    with before, contextlib.ExitStack() as installed:
        is_first = _draws.count == 0
        for users in (_draws, _sums)[: 1 + bool(sums)]:
            users.add()
            installed.callback(users.remove)
        if compile == "reset" and is_first:
            torch.compiler.reset()
        if seed is not None:
            torch.manual_seed(seed)
        forget_devices()
        yield


# ---- initialisers that torch computes on -----------------------------------------------------------------------------------------------


@torch.no_grad()
def _trunc_normal(tensor, mean, std, a, b, generator=None):
    """torch takes erfinv of a uniform number, which differs between devices."""
    law = rng.truncated_normal(float(mean), float(std), *(bound(x, tensor.dtype) for x in (a, b)))
    if hasattr(tensor, "placements"):
        return _fill_part("trunc_normal_", tensor, law, generator)
    return fill("trunc_normal_", tensor, law, source_of(tensor, generator))


@torch.no_grad()
def _orthogonal(tensor, gain=1, generator=None):
    """Fills a tensor of two or more dimensions with a (semi-)orthogonal matrix, uniform by Haar's measure: rng::init::orthogonal.

    torch's own takes a QR decomposition, which differs between devices."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    source = source_of(tensor, generator)
    if not isinstance(source, rng.Stream):
        raise Unsupported("orthogonal_: it is computed on the host, which a CUDA graph cannot capture")
    made = torch.empty(tensor.shape, dtype=torch.float64 if tensor.dtype == torch.float64 else torch.float32)
    if tensor.numel():
        _rng.orthogonal("orthogonal_", made.view(tensor.shape[0], -1), float(gain), source)
    if hasattr(tensor, "placements"):
        tensor._local_tensor.copy_(made[tuple(slice(first, first + n) for n, first in zip(*_part("orthogonal_", tensor)))])
        return tensor
    return tensor.copy_(made)


# ---- DTensor: each rank makes its part of the fill of the whole tensor ------------------------------------------------------------------


def _part(call, tensor):
    """The shape of the local part of a DTensor, and the indices where it begins in the whole tensor."""
    from torch.distributed.tensor._utils import compute_local_shape_and_global_offset

    if any(placement.is_partial() for placement in tensor.placements):
        raise Unsupported(f"{call}: a DTensor must be sharded or replicated, got {tensor.placements}")
    return compute_local_shape_and_global_offset(tensor.shape, tensor.device_mesh, tensor.placements)


def _fill_part(call, tensor, law, generator=None):
    shape, local, (part, offset) = tensor.shape, tensor._local_tensor, _part(call, tensor)
    source = source_of(local, generator)
    if local.numel():
        split = max((k for k in range(len(shape)) if part[k] != shape[k]), default=0)  # the part is whole behind this dimension
        strides, n = [math.prod(shape[k + 1 :]) for k in range(len(shape))], math.prod(part[split:])
        made = torch.empty(local.numel() // n, n, dtype=made_type(call, law.name, local.dtype), device=local.device)
        for row, index in zip(made, itertools.product(*map(range, part[:split]))):
            rng.fill(row, law, source, first=sum((o + i) * s for o, i, s in zip(offset, (*index, *[0] * len(shape)), strides)))
        local.copy_(made.view(local.shape))
    return tensor


_PART_LAWS = {  # of the type of the elements and the operator's arguments
    "uniform_": lambda dtype, a=0.0, b=1.0: rng.uniform(bound(a, dtype), bound(b, dtype)),
    "normal_": lambda dtype, mean=0.0, std=1.0: rng.normal(float(mean), float(std)),
    "bernoulli_.float": lambda dtype, p=0.5: rng.bernoulli(float(p)),
    "exponential_": lambda dtype, rate=1.0: rng.exponential(float(rate)),
    "cauchy_": lambda dtype, median=0.0, sigma=1.0: rng.cauchy(float(median), float(sigma)),
    "log_normal_": lambda dtype, mean=1.0, std=2.0: rng.lognormal(float(mean), float(std)),
    "rand_like": lambda dtype: rng.uniform(0.0, 1.0),
    "randn_like": lambda dtype: rng.normal(0.0, 1.0),
    "randint_like": lambda dtype, hi: rng.uniform_int(0, hi - 1),
    "randint_like.low_dtype": lambda dtype, lo, hi: rng.uniform_int(lo, hi - 1),
}


def _draw(op, args, options):
    """A handler of DTensor. torch's own moves a CUDA generator by the sizes of the parts."""
    name = op.name().removeprefix("aten::")
    tensor = torch.empty_like(args[0], dtype=options.get("dtype")) if "_like" in name else args[0]
    return _fill_part(name.partition(".")[0], tensor, _PART_LAWS[name](tensor.dtype, *args[1:]), options.get("generator"))


def _dropout(op, args, options):
    x, p, train = (*args, True)[:3]
    mask = torch.ones_like(x, dtype=torch.bool)
    if train is False or p == 0:
        return x.clone(), mask
    _fill_part("native_dropout", mask, rng.bernoulli(1.0 - p))
    return x * mask * (0.0 if p == 1 else 1 / (1 - p)), mask


def _whole(op, args, options):
    """Any other random operator. Each rank would draw the first numbers for its part, so the tensors must be whole everywhere."""
    first, *_ = tensors = [x for x in args if hasattr(x, "placements")]
    if not all(placement.is_replicate() for x in tensors for placement in x.placements):
        raise Unsupported(f"{op.name()[6:]}: no numbers for parts of a DTensor; redistribute it to Replicate()")
    made = op(*(x._local_tensor if hasattr(x, "placements") else x for x in args), **options)
    if made is first._local_tensor:
        return first
    made = [type(first).from_local(x, first.device_mesh, first.placements, run_check=False) for x in (made if isinstance(made, tuple) else (made,))]
    return tuple(made) if len(made) > 1 else made[0]


_WHOLE = ("geometric_", "random_", "random_.from", "random_.to", "bernoulli", "bernoulli_.Tensor", "normal.Tensor_Tensor", "normal.Tensor_float",
          "normal.float_Tensor", "poisson", "binomial", "_standard_gamma", "_sample_dirichlet", "multinomial", "rrelu_with_noise", "rrelu_with_noise_")
_HANDLERS = {operator(name): handler for names, handler in ((_PART_LAWS, _draw), (_WHOLE, _whole), (("native_dropout",), _dropout)) for name in names}

# ---- what is covered -------------------------------------------------------------------------------------------------------------------

_DRAW_NOTHING = {"_fused_sdp_choice", "_scaled_dot_product_flash_attention_for_cpu", "_nested_tensor_softmax_with_shape", "_cudnn_attention_backward",
                 "_scaled_dot_product_cudnn_attention_backward", "_scaled_dot_product_efficient_attention_backward", "_fill_mem_eff_dropout_mask_",
                 "_cudnn_attention_forward_no_dropout_inplace", "_flash_attention_forward_no_dropout_inplace"}
_COMPOSITE = ("CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional")


def coverage(key):
    """How each operator that torch tags as random has librng's numbers for a key of the dispatcher, "CPU" or "CUDA", by its name: "kernel",
    "composed" of operators with kernels, "refused", "keyed" (its numbers depend on an argument alone), "draws nothing" (it chooses a
    kernel, or reads what another one drew), "none" (this torch has no kernel for the key) or "uncovered"."""
    if key not in ("CPU", "CUDA"):
        raise InvalidArgument(f"coverage: key must be 'CPU' or 'CUDA', got {key!r}")
    rows = {}
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        space, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        op = getattr(getattr(getattr(torch.ops, space), base, None), overload or "default", None)
        if op is None or torch.Tag.nondeterministic_seeded not in op.tags:
            continue
        has_kernel, *is_composite = (torch._C._dispatch_has_kernel_for_dispatch_key(name, k) for k in (key, *_COMPOSITE))
        if space == "rngprims" or base in _DRAW_NOTHING:
            rows[name] = "keyed" if space == "rngprims" else "draws nothing"
        elif rest in KERNELS and key in KERNELS[rest][1]:
            rows[name] = "kernel"
        elif has_kernel:
            rows[name] = "refused" if rest in REFUSED else "uncovered"
        else:
            rows[name] = "composed" if any(is_composite) or space == "prims" else "none"
    return rows


def uncovered(key="CPU"):
    """The random operators of this torch that have a kernel for "CPU" or "CUDA" which reproducible neither replaces nor refuses: a test
    for new versions of torch."""
    return [name for name, how in coverage(key).items() if how == "uncovered"]
