"""Arrays in memory of a GPU: the stream of CUDA that a fill goes to, what is refused, and the values.

No GPU is needed but for the last tests. The arrays are of classes below, which offer what CuPy, numba, JAX and torch offer. The CTest
python.fake_gpu runs this file with a module whose CUDA is played (tests/python/fake_gpu.cpp): values and streams of fills are seen there.
"""

import ctypes
import pathlib
import re
import sys
import types

import librng as rng
import numpy as np
import pytest
from librng import _cuda, compat

S = rng.Stream(42)
CUDA, PINNED, ROCM, MANAGED = 2, 3, 10, 13  # device types of DLPack
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}


class Interface:
    """An array of numba: __cuda_array_interface__ alone. `entries` replaces some of the entries."""

    def __init__(self, array, **entries):
        self.array, self.entries = array, entries

    @property
    def __cuda_array_interface__(self):
        a = self.array
        entries = {"shape": a.shape, "strides": a.strides, "typestr": a.dtype.str, "data": (a.ctypes.data, False), "version": 3}
        return {**entries, **self.entries}


class Tensor(ctypes.Structure):
    """DLTensor of dlpack.h."""

    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class Managed(ctypes.Structure):
    """DLManagedTensor."""

    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned; bit 0 of the flags is that of read-only arrays."""

    _fields_ = [("version", ctypes.c_uint32 * 2), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p), ("flags", ctypes.c_uint64),
                ("tensor", Tensor)]


new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)


class Dlpack:
    """An array of JAX: __dlpack__ alone. It writes down for which stream it was asked."""

    def __init__(self, array, device=CUDA, flags=None):
        self.array, self.device, self.flags, self.asked = array, device, flags, []

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, *, stream=None, max_version=None):
        if self.flags is None and max_version is not None:
            raise TypeError("before DLPack 1.0")
        self.asked.append(stream)
        a, numbers = self.array, ctypes.c_int64 * self.array.ndim
        strides = numbers(*(s // a.itemsize for s in a.strides))
        tensor = Tensor(a.ctypes.data, (self.device, 0), a.ndim, CODES[a.dtype.kind], 8 * a.itemsize, 1, numbers(*a.shape), strides, 0)
        if self.flags is None:
            self.kept, name = Managed(tensor, None, None), b"dltensor"
        else:
            self.kept, name = Versioned((1, 0), None, None, self.flags, tensor), b"dltensor_versioned"
        return new_capsule(ctypes.addressof(self.kept), name, None)


class WithBuffer(np.ndarray):
    """Memory of the host that a GPU reaches, as numba maps it: a buffer, and the interface of a GPU's array."""

    __cuda_array_interface__ = property(lambda self: Interface(self.view(np.ndarray)).__cuda_array_interface__)


class OfCupy(np.ndarray):
    """An array of CuPy 14, whose type has buffers but refuses them: NumPy refuses those of dates."""

    def __new__(cls, array):
        self = np.empty(0, "M8[s]").view(cls)
        self.described = Interface(array).__cuda_array_interface__
        return self

    __cuda_array_interface__ = property(lambda self: self.described)

    def __dlpack_device__(self):
        return CUDA, 0


class Both(Dlpack, Interface):
    """Both protocols."""

    def __init__(self, array, **entries):
        Dlpack.__init__(self, array, flags=0)
        self.entries = entries


class TorchTensor(Dlpack):
    """A tensor of torch on cuda:1. Like torch, it is given away for the current device alone."""

    is_cuda, device_name = True, "cuda:1"
    version, requires_grad, conjugate = 0, False, False
    is_neg = is_inference = lambda self: False
    is_conj = lambda self: self.conjugate  # noqa: E731
    data_ptr = lambda self: self.array.ctypes.data  # noqa: E731
    current_device, current_stream = "cuda:0", {"cuda:0": 0, "cuda:1": 0x7700}

    def __dlpack__(self, **arguments):
        assert TorchTensor.current_device == self.device_name
        return super().__dlpack__(**arguments)


@pytest.fixture
def torch_tensor(monkeypatch):
    class Device:
        def __init__(self, device):
            self.device = device

        def __enter__(self):
            self.before, TorchTensor.current_device = TorchTensor.current_device, TorchTensor.device_name

        def __exit__(self, *_):
            TorchTensor.current_device = self.before

    torch = types.ModuleType("torch")
    torch.Tensor, torch.is_grad_enabled = TorchTensor, lambda: True
    torch._subclasses = types.SimpleNamespace(FakeTensor=())
    torch.autograd = types.SimpleNamespace(
        forward_ad=types.SimpleNamespace(unpack_dual=lambda x: types.SimpleNamespace(tangent=None)),
        graph=types.SimpleNamespace(increment_version=lambda x: setattr(x, "version", x.version + 1)),
    )
    torch.cuda = types.SimpleNamespace(
        device=Device,
        current_stream=lambda: types.SimpleNamespace(cuda_stream=TorchTensor.current_stream[TorchTensor.current_device]),
    )
    monkeypatch.setitem(sys.modules, "torch", torch)
    return TorchTensor


class Rocm(Dlpack):
    """A tensor of torch for AMD's GPUs, which says is_cuda as well."""

    is_cuda = True


class OfCudaCore:
    def __init__(self, handle, version=0):
        self.answer = version, handle

    def __cuda_stream__(self):
        return self.answer


X = np.zeros(6, "f4")


def normals(out, **options):
    return rng.fill(out, rng.normal(), S, **options)


# ---- The stream of a fill --------------------------------------------------------------------------------------------


def test_the_stream_of_an_argument():
    assert _cuda.handle(0) == 0 and _cuda.handle(np.uint64(2**63)) == 2**63
    assert _cuda.handle(OfCudaCore(0x1234)) == 0x1234 and _cuda.handle(types.SimpleNamespace(cuda_stream=0x55)) == 0x55
    for bad, error, message in (("x", TypeError, "got str"), (True, TypeError, "got bool"), (1.5, TypeError, "got float"),
                                (-1, ValueError, "got -1"), (OfCudaCore(5, 1), ValueError, "version 0, got 1")):
        with pytest.raises(error, match=message):
            _cuda.handle(bad)


def test_torch_fills_in_its_current_stream(torch_tensor):
    x = torch_tensor(X, flags=0)
    assert _cuda.described(x, None)[1] == 0x7700
    assert _cuda.described(x, 0x42)[1] == 0x42
    assert x.asked == [0x7700, 0x42] and TorchTensor.current_device == "cuda:0"


def test_torchs_default_stream_has_another_number_in_dlpack(torch_tensor, monkeypatch):
    monkeypatch.setitem(TorchTensor.current_stream, "cuda:1", 0)
    x = torch_tensor(X)
    assert _cuda.described(x, None)[1] == 0 and x.asked == [1]


def test_autograd_hears_of_fills(torch_tensor):
    """As in the CPU's memory; test_torch.py has the rules."""
    x = torch_tensor(np.zeros(0, "f4"), flags=0)
    normals(x)
    assert x.version == 1
    for name, message in (("requires_grad", "requires a gradient"), ("conjugate", "is a view whose memory holds conjugate")):
        x = torch_tensor(np.zeros(0, "f4"), flags=0)
        setattr(x, name, True)
        with pytest.raises(TypeError, match=f"^fill: out {message}"):
            normals(x)
        assert x.version == 0 and x.asked == []


@pytest.mark.parametrize(("entry", "expected"), [(1, 1), (2, 2), (0x7788, 0x7788), (None, 1)])
def test_cuda_array_interface_names_the_stream(entry, expected):
    for array in (Interface(X, stream=entry), Both(X, stream=entry)):
        description, stream = _cuda.described(array, None)
        assert stream == expected and description["data"] == (X.ctypes.data, False)
    version_2 = Interface(X, version=2)
    assert _cuda.described(version_2, None)[1] == 1


def test_an_argument_goes_before_the_interface():
    assert _cuda.described(Interface(X, stream=7), 9)[1] == 9
    both = Both(X, stream=7)
    assert _cuda.described(both, 9)[1] == 9 and both.asked == [9]  # CuPy lets stream 9 wait for its own


def test_dlpack_fills_in_the_default_stream():
    for flags in (None, 0):
        x = Dlpack(X, flags=flags)
        assert _cuda.described(x, None)[1] == 1 and _cuda.described(x, OfCudaCore(9))[1] == 9 and x.asked == [1, 9]


# ---- What is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (ValueError, "must be None, 1, 2 or a cudaStream_t, got 0", lambda: normals(Interface(X, stream=0))),
        (TypeError, "out is read-only", lambda: normals(Interface(X, data=(64, True)))),
        (TypeError, "out is read-only", lambda: normals(Dlpack(X, flags=1))),
        (TypeError, "out must have no mask", lambda: normals(Interface(X, mask=X))),
        (TypeError, "typestr '>f4'", lambda: normals(Interface(X, typestr=">f4"))),
        (TypeError, "typestr '<M8", lambda: normals(Interface(X, typestr="<M8"))),
        (TypeError, "typestr '<f3'", lambda: normals(Interface(X, typestr="<f3"))),
        (ValueError, "must have 1 strides, got 2", lambda: normals(Interface(X, strides=(4, 4)))),
        (ValueError, "of normal must be one of .* got i32", lambda: normals(Interface(X, typestr="<i4"))),
        (ValueError, "got a stride of 0", lambda: normals(Interface(np.broadcast_to(X, (5, 6))))),
        (ValueError, "whole values of 4 bytes, got 6", lambda: normals(Interface(X, strides=(6,)))),
        (ValueError, "rows and columns at any strides, got 3", lambda: normals(Interface(np.zeros((4, 6, 8))[::2, ::2, ::2]))),
        (ValueError, "a last dimension of 3", lambda: rng.fill(Interface(X), rng.unit_vector3(), S)),
        (TypeError, "or that of a CUDA GPU .device type 10", lambda: normals(Rocm(X, ROCM))),
        (TypeError, "stream must be an int", lambda: normals(Interface(X), stream="x")),
        (ValueError, "stream is for memory of a GPU", lambda: normals(np.empty(3), stream=1)),
    ],
)
def test_what_is_refused(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_pinned_memory_is_the_cpus():
    x = Dlpack(np.empty(100, "f4"), PINNED, flags=0)
    normals(x)
    assert np.array_equal(x.array, normals(np.empty(100, "f4"))) and x.asked == [None]


def missing():
    """Why there is no GPU; None if there is one."""
    try:
        rng.Generator(1, device="cuda:0")
    except rng.Unsupported as error:
        return str(error)


def test_without_a_gpu_the_error_says_so():
    if missing() is None:
        pytest.skip("there is a GPU")
    out = np.full(6, -1, "f4")
    for array in (Interface(out), Dlpack(out, flags=0), Dlpack(out, MANAGED, flags=0), OfCupy(out)):
        with pytest.raises(rng.Error, match="without its CUDA backend|CUDA") as error:
            normals(array)
        assert isinstance(error.value, RuntimeError) and (out == -1).all()


def test_memory_of_the_host_that_a_gpu_reaches_is_the_hosts():
    out = np.zeros(6, "f4").view(WithBuffer)
    assert normals(out) is out
    assert np.array_equal(out.view(np.ndarray), normals(np.empty(6, "f4")))


# ---- Values, with CUDA played ----------------------------------------------------------------------------------------


@pytest.fixture
def gpu():
    library = ctypes.CDLL(rng._rng.__file__)
    if not hasattr(library, "rng_fake_gpu_memory"):
        pytest.skip("the module has no played CUDA: the CTest python.fake_gpu has")
    library.rng_fake_gpu_memory.argtypes = ctypes.c_void_p, ctypes.c_size_t
    library.rng_fake_gpu_launches.restype = library.rng_fake_gpu_stream.restype = ctypes.c_size_t
    return library


def views(memory):
    yield memory
    yield memory.reshape(6, 10).T[::2]
    yield memory.reshape(3, 4, 5)
    yield memory.reshape(3, 4, 5)[:, ::2]
    yield memory[::-3]
    yield memory.reshape(5, 12)[:, None, ::4]
    yield memory[:0].reshape(0, 3)


def test_fills_go_to_the_stream_and_have_the_values_of_the_cpu(gpu):
    memory = np.zeros(60, "f4")
    for number, view in enumerate(views(memory)):
        expected = rng.fill(np.empty(view.size, "f4"), rng.normal(1, 2), S, first=number)
        for array, argument, stream in ((Interface(view, stream=77), None, 77), (Interface(view, stream=77), 5, 5),
                                        (Dlpack(view), None, 1), (Dlpack(view, flags=0), OfCudaCore(6), 6), (Both(view, stream=8), None, 8)):
            gpu.rng_fake_gpu_memory(memory.ctypes.data, memory.nbytes)
            memory[:] = 0
            assert rng.fill(array, rng.normal(1, 2), S, first=number, stream=argument) is array
            assert np.array_equal(view.ravel(), expected) and np.count_nonzero(memory) == view.size
            assert gpu.rng_fake_gpu_launches() == (view.size > 0) and (view.size == 0 or gpu.rng_fake_gpu_stream() == stream)


def test_parameters_that_differ(gpu):
    memory = np.zeros(300, "f8")
    out, mean, few = memory[:100].view("i8"), memory[100:200], memory[200:250]
    mean[:] = np.linspace(0, 90, 100)
    gpu.rng_fake_gpu_memory(memory.ctypes.data, memory.nbytes)
    for given in Interface(mean, stream=9), Dlpack(mean, flags=0), Interface(mean.reshape(1, 100)[0]):
        out[:] = -1
        array = Interface(out, stream=77)
        assert rng.fill_each(array, rng.poisson, S, mean=given, first=3) is array and gpu.rng_fake_gpu_stream() == 77
        assert np.array_equal(out, rng.fill_each(np.empty(100, "i8"), rng.poisson, S, mean=mean, first=3))
    rng.fill_each(Interface(out), "poisson", S, mean=4.5, stream=6)
    assert np.array_equal(out, rng.fill(np.empty(100, "i8"), rng.poisson(4.5), S)) and gpu.rng_fake_gpu_stream() == 6
    g = rng.Generator(42, device="cuda:0")
    for _ in range(2):
        expected = rng.fill_each(np.empty(100, "i8"), rng.poisson, g.stream(), mean=mean)
        rng.fill_each(Interface(out), rng.poisson, g, mean=Interface(mean))
        assert np.array_equal(out, expected)
    launches, position = gpu.rng_fake_gpu_launches(), g.position
    each = rng.fill_each
    for error, message, call in (
        (rng.Unsupported, "^fill_each: normal: in memory of a GPU parameters may vary for", lambda: each(Interface(mean), "normal", g, mean=1)),
        (TypeError, "^fill_each: mean must be a number, or an array in memory of out's GPU", lambda: each(Interface(out), "poisson", g, mean=mean)),
        (ValueError, "^fill_each: mean must broadcast to", lambda: each(Interface(out), "poisson", g, mean=Interface(few))),
        (ValueError, "^fill_each: mean in memory of a GPU must be contiguous", lambda: each(Interface(out[:25]), "poisson", g, mean=Interface(few[::2]))),
        (ValueError, "^fill_each: mean in memory of a GPU must be contiguous", lambda: each(Interface(out), "poisson", g, mean=Interface(mean.view("i2")[:100]))),
        (ValueError, "^fill_each: out in memory of a GPU must be contiguous", lambda: each(Interface(out[::2]), "poisson", g, mean=1)),
        (rng.InvalidArgument, "^fill_each: poisson: mean must be in", lambda: each(Interface(out), "poisson", g, mean=-1)),
        (rng.Error, "^fill_each: poisson: .* the generator is on cpu", lambda: each(Interface(out), "poisson", rng.Generator(1), mean=1)),
    ):
        with pytest.raises(error, match=message):
            call()
    assert gpu.rng_fake_gpu_launches() == launches and g.position == position


def test_entries_by_address(gpu):
    memory = np.zeros(400, "f4")
    x, out, kept = memory[:100], memory[100:200], memory[200:225].view("?")
    x[:] = np.arange(100)
    where = [a.ctypes.data for a in (x, out, kept)]
    gpu.rng_fake_gpu_memory(memory.ctypes.data, memory.nbytes)
    expected = rng.fill(np.empty(100, bool), rng.bernoulli(0.7), S)
    rng._rng.mask_at("dropout", *where, 100, "f32", 0.7, 2.0, S, 0, 55)
    assert np.array_equal(kept, expected) and np.array_equal(out, x * expected * 2) and gpu.rng_fake_gpu_stream() == 55
    g = rng.Generator(42, device="cuda:0")
    for _ in range(2):
        expected = rng.fill(np.empty(100, bool), rng.bernoulli(0.25), g.stream())
        rng._rng.mask_at("bernoulli", 0, where[1], 0, 100, "f32", 0.25, 1.0, g, 0, 0)
        assert np.array_equal(out, expected)
    expected = rng.fill(np.empty(100, "f4"), rng.normal(), g.stream())
    rng._rng.fill_at("normal_", where[1], 100, "f32", rng.normal(), g, 0, 7)
    assert np.array_equal(out, expected) and gpu.rng_fake_gpu_stream() == 7
    counts = memory[300:400].view("i8")
    rng._rng.fill_each_at("poisson", counts.ctypes.data, 50, "i64", "poisson", [("mean", where[0], "f32", 1)], S, 0, 8)
    assert np.array_equal(counts, rng.fill_each(np.empty(50, "i8"), rng.poisson, S, mean=x[:50])) and gpu.rng_fake_gpu_stream() == 8


def test_a_generator_of_the_gpu_moves_on(gpu):
    memory = np.zeros(60, "f4")
    gpu.rng_fake_gpu_memory(memory.ctypes.data, memory.nbytes)
    ours, cpus = rng.Generator(42, device="cuda:0"), rng.Generator(42)
    for part in (memory[:37], memory[37:]):
        rng.fill(Interface(part), rng.normal(), ours)
    assert np.array_equal(memory, cpus.normal(60, dtype="float32")) and ours.position == cpus.position
    for source, message in ((cpus, "the generator is on cpu"), (rng.Generator(1, device="cuda:1"), "the generator is on cuda:1")):
        with pytest.raises(ValueError, match=message):
            rng.fill(Interface(memory), rng.normal(), source)
    with pytest.raises(ValueError, match="generator is on cuda:0"):
        rng.fill(np.empty(3), rng.normal(), ours)
    with pytest.raises(rng.EndOfStream):
        rng.fill(Interface(memory), rng.normal(), S.at_position(S.size_words - 10))


# ---- On a GPU --------------------------------------------------------------------------------------------------------


def test_torch_on_a_gpu():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available() or missing():
        pytest.skip(f"no GPU: {missing()}")
    from librng.torch import dropout

    for dtype in (torch.float32, torch.bfloat16, torch.float64, torch.int32):
        law = rng.poisson(3.5) if dtype == torch.int32 else rng.normal(1, 2)
        host = rng.fill(torch.empty(1000, 33, dtype=dtype), law, S)
        x = torch.empty(1000, 33, dtype=dtype, device="cuda")
        assert torch.equal(rng.fill(x, law, S).cpu(), host)
        assert torch.equal(rng.fill(x.T.contiguous().T, law, S).cpu(), host)
    # In a stream of its own, after work of that stream on the same memory.
    x = torch.zeros(1 << 24, device="cuda")
    with torch.cuda.stream(torch.cuda.Stream()):
        torch.cuda._sleep(100_000_000)
        x.fill_(7)
        normals(x)
        again = x.clone()
    torch.cuda.synchronize()
    assert torch.equal(again.cpu(), normals(torch.empty(1 << 24)))
    ones = torch.ones(1000, 33, requires_grad=True)
    assert torch.equal(dropout(ones.cuda(), 0.25, S).cpu(), dropout(ones, 0.25, S))


def test_cupy_on_a_gpu():
    cupy = pytest.importorskip("cupy")
    if missing():
        pytest.skip(f"no GPU: {missing()}")
    with cupy.cuda.Stream(non_blocking=True):
        x = cupy.zeros((1000, 33), cupy.float32)
        normals(x.T)
        host = cupy.asnumpy(x)
    assert np.array_equal(host.T.ravel(), normals(np.empty(33_000, "f4")))


def test_a_kernel_that_cupy_compiles():
    """The kernel of docs/cuda.md."""
    cupy = pytest.importorskip("cupy")
    if missing():
        pytest.skip(f"no GPU: {missing()}")
    root = pathlib.Path(__file__).resolve().parents[2]
    page = (root / "docs/cuda.md").read_text()
    code = re.search(r"```python\n(import cupy.*?)```", page, re.S)[1].replace("/usr/local/include", str(root / "include"))
    names = {}
    exec(compile(code, "docs/cuda.md", "exec"), names)
    assert np.array_equal(cupy.asnumpy(names["x"]), rng.fill(np.empty(1000, "f4"), rng.normal(), rng.Stream(42)))


def test_numbers_of_torchs_cuda_generator():
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("torch sees no GPU")
    gpu = torch.cuda.get_device_properties(0)
    shape = {"multiprocessors": gpu.multi_processor_count, "threads_per_multiprocessor": gpu.max_threads_per_multi_processor}
    for seed, n in ((42, 1000), (2**40 + 7, 3_000_001)):
        torch.cuda.manual_seed(seed)
        for _ in range(2):
            offset = int.from_bytes(bytes(torch.cuda.get_rng_state().tolist())[8:16], "little")
            theirs = torch.rand(n, device="cuda").cpu().numpy()
            assert np.array_equal(compat.torch_cuda_rand(np.empty(n, "f4"), seed, offset, **shape), theirs), (seed, n, offset)
