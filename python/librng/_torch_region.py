"""librng.torch.reproducible: where torch's random operators have librng's kernels, and what else has to change for that."""

import contextlib
import itertools
import math
import threading
import warnings

import torch

import librng as rng
from librng import _rng, _torch_kernels
from librng._checks import integer, one_of
from librng._errors import InvalidArgument, Unsupported
from librng._seeds import _restored, _states_of_torch, seed_everything
from librng._torch_sequence import forget_devices

_ops = torch.ops.aten
_lock = threading.Lock()
_users, _installed = 0, None


def install_kernels():
    """Gives torch's random operators librng's kernels, in the whole process, until uninstall_kernels is called as often."""
    global _users, _installed
    with _lock:
        if _users == 0:
            _installed = contextlib.ExitStack()
            try:
                _install(_installed)
            except BaseException:
                _installed.close()
                raise
        _users += 1


def uninstall_kernels():
    """Takes one call of install_kernels back. After the last one torch's own kernels are at their places again."""
    global _users
    with _lock:
        if _users == 0:
            raise rng.Error("uninstall_kernels: the kernels are not installed")
        _users -= 1
        if _users == 0:
            _installed.close()


def in_worker(_=0):
    """The worker_init_fn of a DataLoader, which installs the kernels in a worker that was spawned. One that was forked has them."""
    if _users == 0:
        install_kernels()


def _install(undo):
    library = torch.library.Library("aten", "IMPL")
    undo.callback(library._destroy)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Warning only once for all operators", UserWarning)
        for name, key, function in list(_torch_kernels.kernels()):
            library.impl(name, function, key, allow_override=True)
    undo.enter_context(_compiler())
    for name, ours in ("_no_grad_trunc_normal_", _trunc_normal), ("orthogonal_", _orthogonal):
        undo.callback(setattr, torch.nn.init, name, getattr(torch.nn.init, name))
        setattr(torch.nn.init, name, ours)
    if torch.distributed.is_available():
        undo.enter_context(_sharded_tensors())


@contextlib.contextmanager
def _compiler():
    """Inductor calls the operators, in the program's order, and does not replace bernoulli by a comparison of other numbers."""
    import torch._inductor.config as inductor
    from torch._inductor import decomposition

    if not hasattr(inductor, "reorder_for_peak_memory"):
        raise Unsupported(f"librng.torch: torch {torch.__version__} has no option that keeps the order of draws in compiled functions")
    table = decomposition.decompositions
    left_out = {op: table.pop(op) for op in [*table] if isinstance(op, torch._ops.OpOverload) and op.overloadpacket in (_ops.bernoulli, _ops.bernoulli_)}
    try:
        with inductor.patch(fallback_random=True, reorder_for_peak_memory=False):
            yield
    finally:
        table.update(left_out)


@contextlib.contextmanager
def reproducible(seed=None, *, compile="reset", everything=True):
    """Within it, unmodified torch programs draw the same random numbers on the CPU and on CUDA: librng's, from torch's own generators.

    seed is that of torch.manual_seed, and of the generators of random and numpy.random, each by a seed of its own, unless everything is
    False. At the end the states of all of them come back. Without a seed the draws go on from torch's states, which stay as they are left.

    compile says what becomes of functions that torch.compile has compiled before, which have torch's numbers inside: "reset" forgets
    them, "keep" leaves them."""
    if compile not in ("reset", "keep"):
        raise InvalidArgument(f"reproducible: compile must be 'reset' or 'keep', got {compile!r}")
    if seed is not None:
        integer("reproducible", "seed", seed)
        before = seed_everything(seed) if everything else _restored(list(_states_of_torch(torch)))
    else:
        before = contextlib.nullcontext()
    is_first = _users == 0
    with before:
        install_kernels()
        try:
            if compile == "reset" and is_first:
                torch.compiler.reset()
            if seed is not None:
                torch.manual_seed(seed)
            forget_devices()
            yield
        finally:
            uninstall_kernels()


# ---- initialisers that torch computes on -----------------------------------------------------------------------------------------------


@torch.no_grad()
def _trunc_normal(tensor, mean, std, a, b, generator=None):
    """torch takes erfinv of a uniform number, which differs between devices."""
    law = rng.truncated_normal(float(mean), float(std), *(_torch_kernels.bound(x, tensor.dtype) for x in (a, b)))
    if hasattr(tensor, "placements"):
        return _fill_shard("trunc_normal_", tensor, law, generator)
    return _torch_kernels._fill("trunc_normal_", tensor, law, _torch_kernels._source(tensor, generator))


@torch.no_grad()
def _orthogonal(tensor, gain=1, generator=None):
    """Fills a tensor of two or more dimensions with a (semi-)orthogonal matrix, uniform by Haar's measure: rng::init::orthogonal.

    torch's own takes a QR decomposition, which differs between devices."""
    if tensor.ndim < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    source = _torch_kernels._source(tensor, generator)
    if tensor.numel() == 0:
        return tensor
    if not isinstance(source, rng.Stream):
        raise Unsupported("orthogonal_: it is computed on the host, which a CUDA graph cannot capture")
    made = torch.empty(tensor.shape[0], tensor.numel() // tensor.shape[0], dtype=torch.float64 if tensor.dtype == torch.float64 else torch.float32)
    _rng.orthogonal("orthogonal_", made, float(gain), source)
    if hasattr(tensor, "placements"):
        tensor._local_tensor.copy_(made.view(tensor.shape)[tuple(slice(o, o + n) for n, o in zip(*_part("orthogonal_", tensor)))])
        return tensor
    return tensor.copy_(made.view(tensor.shape))


# ---- DTensor ---------------------------------------------------------------------------------------------------------------------------


def _part(call, tensor):
    """The shape of the local part of a DTensor, and the place in the whole tensor where it begins."""
    from torch.distributed.tensor._utils import compute_local_shape_and_global_offset

    if any(placement.is_partial() for placement in tensor.placements):
        raise Unsupported(f"{call}: a DTensor must be sharded or replicated, got {tensor.placements}")
    return compute_local_shape_and_global_offset(tensor.shape, tensor.device_mesh, tensor.placements)


def _runs(call, tensor):
    """(first, n) of the runs of elements of the whole tensor that the local part of a DTensor has, in the part's row-major order."""
    shape = tensor.shape
    part, offset = _part(call, tensor)
    last = len(shape)  # the part is whole from this dimension on
    while last > 0 and part[last - 1] == shape[last - 1]:
        last -= 1
    strides = [math.prod(shape[k + 1 :]) for k in range(len(shape))]
    begin = sum(o * s for o, s in zip(offset, strides))
    split = max(last - 1, 0)
    for index in itertools.product(*map(range, part[:split])):
        yield begin + sum(i * s for i, s in zip(index, strides)), math.prod(part[split:])


def _fill_shard(call, tensor, law, generator=None):
    """Fills the local part of a DTensor with its part of the fill of the whole tensor."""
    local, runs = tensor._local_tensor, _runs(call, tensor)
    source = _torch_kernels._source(local, generator)
    if local.numel():
        made = torch.empty(local.shape, dtype=torch.bool if law.name == "bernoulli" else _torch_kernels.made_type(call, law, local.dtype), device=local.device)
        flat, done = made.view(-1), 0
        for first, n in runs:
            rng.fill(flat[done : done + n], law, source, first=first)
            done += n
        local.copy_(made)
    return tensor


_LAWS = {"uniform_": lambda dtype, a=0.0, b=1.0: rng.uniform(_torch_kernels.bound(a, dtype), _torch_kernels.bound(b, dtype)),
         "normal_": lambda dtype, mean=0.0, std=1.0: rng.normal(float(mean), float(std)),
         "bernoulli_": lambda dtype, p=0.5: rng.bernoulli(float(p)),
         "exponential_": lambda dtype, rate=1.0: rng.exponential(float(rate)),
         "cauchy_": lambda dtype, median=0.0, sigma=1.0: rng.cauchy(float(median), float(sigma)),
         "log_normal_": lambda dtype, mean=1.0, std=2.0: rng.lognormal(float(mean), float(std))}


def _in_place(op, args, kwargs):
    """The operators of _LAWS, of a DTensor."""
    tensor, *parameters = args
    name = op._schema.name.removeprefix("aten::")
    return _fill_shard(name, tensor, _LAWS[name](tensor.dtype, *parameters), kwargs.get("generator"))


def _like(op, args, kwargs):
    """rand_like and randn_like."""
    made = torch.empty_like(args[0], dtype=kwargs.get("dtype"))
    law = rng.uniform(0.0, 1.0) if op._schema.name == "aten::rand_like" else rng.normal(0.0, 1.0)
    return _fill_shard(op._schema.name.removeprefix("aten::"), made, law)


def _randint_like(op, args, kwargs):
    tensor, *bounds = args
    lo, hi = (0, *bounds) if len(bounds) == 1 else bounds
    return _fill_shard("randint_like", torch.empty_like(tensor, dtype=kwargs.get("dtype")), rng.uniform_int(lo, hi - 1))


def _dropout(op, args, kwargs):
    x, p, train = (*args, True)[:3]
    mask = torch.ones_like(x, dtype=torch.bool)
    if train is False or p == 0:
        return x.clone(), mask
    _fill_shard("native_dropout", mask, rng.bernoulli(1.0 - p))
    return x * mask * (0.0 if p == 1 else 1 / (1 - p)), mask


def _whole(op, args, kwargs):
    """Any other random operator: each rank would draw the first numbers for its part, so that the tensors must be whole everywhere."""
    parts = [x for x in args if hasattr(x, "placements")]
    if not all(placement.is_replicate() for x in parts for placement in x.placements):
        raise Unsupported(f"{op._schema.name[6:]}: no numbers for parts of a DTensor; redistribute it to Replicate()")
    made = op(*(x._local_tensor if hasattr(x, "placements") else x for x in args), **kwargs)
    if made is parts[0]._local_tensor:
        return parts[0]
    wrap = lambda x: type(parts[0]).from_local(x, parts[0].device_mesh, parts[0].placements, run_check=False)  # noqa: E731
    return tuple(map(wrap, made)) if isinstance(made, tuple) else wrap(made)


_WHOLE = ("geometric_", "random_", "random_.from", "random_.to", "bernoulli", "bernoulli_.Tensor", "normal.Tensor_Tensor", "normal.Tensor_float",
          "normal.float_Tensor", "poisson", "binomial", "_standard_gamma", "_sample_dirichlet", "multinomial", "rrelu_with_noise", "rrelu_with_noise_")


@contextlib.contextmanager
def _sharded_tensors():
    """DTensor's handlers. torch's own moves a CUDA generator by the sizes of the parts."""
    from torch.distributed.tensor import DTensor

    named = lambda name: getattr(getattr(_ops, name.partition(".")[0]), name.partition(".")[2] or "default")  # noqa: E731
    handlers = {**{named(name): _whole for name in _WHOLE}, **{named(name.replace("bernoulli_", "bernoulli_.float")): _in_place for name in _LAWS},
                _ops.rand_like.default: _like, _ops.randn_like.default: _like, _ops.randint_like.default: _randint_like, _ops.randint_like.low_dtype: _randint_like,
                _ops.native_dropout.default: _dropout}
    table = DTensor._op_dispatcher._custom_op_handlers
    before = {op: table[op] for op in handlers if op in table}
    table.update(handlers)
    try:
        yield
    finally:
        for op in handlers:
            del table[op]
        table.update(before)


# ---- what is covered -------------------------------------------------------------------------------------------------------------------

KEYED = "no state: the numbers depend on a key that is an argument"
NOTHING = "draws nothing: it chooses a kernel, or reads what another one drew"
_DRAW_NOTHING = {"_fused_sdp_choice", "_scaled_dot_product_flash_attention_for_cpu", "_nested_tensor_softmax_with_shape", "_cudnn_attention_backward",
                 "_scaled_dot_product_cudnn_attention_backward", "_scaled_dot_product_efficient_attention_backward", "_fill_mem_eff_dropout_mask_",
                 "_cudnn_attention_forward_no_dropout_inplace", "_flash_attention_forward_no_dropout_inplace"}


def coverage(key):
    """How each operator that torch tags as random has librng's numbers for a key of the dispatcher, "CPU" or "CUDA": a dict of its name to
    "kernel", "composed" (of operators with kernels), "refused", KEYED, NOTHING, "none" (this torch has no kernel for the key) or
    "uncovered"."""
    one_of("coverage", "key", key, str, "a string")
    has, rows = torch._C._dispatch_has_kernel_for_dispatch_key, {}
    for name in sorted(torch._C._dispatch_get_all_op_names()):
        space, _, rest = name.partition("::")
        base, _, overload = rest.partition(".")
        operator = getattr(getattr(getattr(torch.ops, space), base, None), overload or "default", None)
        if operator is None or torch.Tag.nondeterministic_seeded not in operator.tags:
            continue
        if space == "rngprims" or base.startswith("_philox"):
            rows[name] = KEYED
        elif base in _DRAW_NOTHING:
            rows[name] = NOTHING
        elif rest in _torch_kernels.KERNELS and key in _torch_kernels.KERNELS[rest][1]:
            rows[name] = "kernel"
        elif rest in _torch_kernels.REFUSED:
            rows[name] = "refused" if has(name, key) else "none"
        elif has(name, key):
            rows[name] = "uncovered"
        else:
            rows[name] = "composed" if any(has(name, k) for k in _COMPOSITE) or space == "prims" else "none"
    return rows


_COMPOSITE = "CompositeImplicitAutograd", "CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"


def uncovered(key="CPU"):
    """The random operators of this torch that have a kernel for "CPU" or "CUDA" which reproducible neither replaces nor refuses: a test
    for new versions of torch."""
    return [name for name, how in coverage(key).items() if how == "uncovered"]
