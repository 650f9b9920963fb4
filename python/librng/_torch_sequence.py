"""The sequences of draws of librng.torch.reproducible, which torch's own generators carry.

Draw k of a sequence (seed, k) is made from Stream(seed).fork("torch").fork(k). manual_seed, get_state, set_state, fork_rng, checkpoints
and files of states work as ever, since the state of a torch.Generator holds the pair:

- that of a CPU generator in the last six of the 624 words of its Mersenne twister, two of which mark it. Without the mark the sequence is
  (initial_seed, 0) if nothing was drawn since manual_seed, and otherwise (a hash of the state, 0). Torch's own kernels can go on from a
  marked state: it is a state of the twister like any other.
- that of a CUDA generator as (initial_seed, offset = 4 k).

Without generator= all devices share the sequence of torch.default_generator. CUDA's default generators are kept at the same place. One
that is found at another place was seeded or restored for its device alone, and its own sequence counts, until it is put back to the place
that it left, as a checkpoint in a compiled graph does, or until all devices are seeded. One that is at the beginning of
the shared sequence, and has not drawn since that began, was seeded by torch.manual_seed together with all others."""

import ctypes
import functools
import hashlib
import struct
import threading

import torch

from librng import _rng
from librng._errors import Unsupported

_MARK = (0x676E7262, 0x31302D6C)
_WORDS = 24 + 618 * 8  # of the last six words in get_state(), each of 8 bytes
_BYTES = 5056  # of get_state()
_LAST = 20 + 618 * 4  # of the last six words in a twister: seed (8 bytes), left, is_seeded, next (4 each), 624 words
_TWISTER = _LAST + 24

lock = threading.RLock()
_written = {}  # index of a CUDA device -> (seed, offset) that its default generator was left with by a draw of the shared sequence
_begun = set()  # indices of the devices that have drawn since the first draw of the shared sequence


def _twister_offset():
    """Where a CPU generator has its twister, from Generator._cdata on; None if it is not where it is known to be, and states are copied."""
    g = torch.Generator()
    g.manual_seed(0x123456789ABCDEF)
    state = g.get_state()
    if state.numel() != _BYTES:
        raise Unsupported(f"librng.torch: torch {torch.__version__} has states of {state.numel()} bytes for CPU generators; {_BYTES} are known")
    words = struct.unpack_from("<624Q", state.numpy(), 24)
    expected = struct.pack("<QiIi624I", 0x123456789ABCDEF, 1, 1, 0, *words)
    for offset in range(64, 128, 8):
        # A comparison of the seed first: memory behind the generator is not read.
        if ctypes.string_at(g._cdata + offset, 8) == expected[:8]:
            found = ctypes.string_at(g._cdata + offset, _TWISTER)
            return offset if found[:12] + found[16:] == expected[:12] + expected[16:] else None
    return None


@functools.lru_cache(maxsize=1)
def offset_of_twister():
    return _twister_offset()


class _Direct:
    """The six words of a CPU generator in place."""

    __slots__ = ("memory", "generator")

    def __init__(self, g, offset):
        self.memory, self.generator = memoryview((ctypes.c_char * _TWISTER).from_address(g._cdata + offset)), g

    def position(self):
        a, b, seed, k = struct.unpack_from("<IIQQ", self.memory, _LAST)
        if (a, b) == _MARK:
            return seed, k
        seed, left = struct.unpack_from("<Qi", self.memory, 0)
        return (seed, 0) if left == 1 and struct.unpack_from("<i", self.memory, 16)[0] == 0 else (_hash(self.generator.get_state()), 0)

    def move_to(self, seed, k):
        struct.pack_into("<IIQQ", self.memory, _LAST, *_MARK, seed, k)


class _Copied:
    """The six words of a CPU generator by get_state and set_state."""

    def __init__(self, g):
        self.generator = g

    def position(self):
        state = self.generator.get_state()
        a, b, s0, s1, k0, k1 = (word & 0xFFFFFFFF for word in struct.unpack_from("<6Q", state.numpy(), _WORDS))
        if (a, b) == _MARK:
            return s0 | s1 << 32, k0 | k1 << 32
        seed, left, _, place = struct.unpack_from("<QiiQ", state.numpy(), 0)
        return (seed, 0) if left == 1 and place == 0 else (_hash(state), 0)

    def move_to(self, seed, k):
        state = self.generator.get_state()
        struct.pack_into("<6Q", state.numpy(), _WORDS, *_MARK, seed & 0xFFFFFFFF, seed >> 32, k & 0xFFFFFFFF, k >> 32)
        self.generator.set_state(state)


class _OfCuda:
    def __init__(self, g):
        self.generator = g

    def position(self):
        return self.generator.initial_seed(), self.generator.get_offset() // 4

    def move_to(self, seed, k):
        if self.generator.initial_seed() != seed:
            self.generator.manual_seed(seed)
        self.generator.set_offset(4 * k)


def _hash(state):
    return int.from_bytes(hashlib.blake2b(state.numpy().tobytes(), digest_size=8).digest(), "little")


@functools.lru_cache(maxsize=1)
def _default():
    return carrier(torch.default_generator)


def carrier(g):
    if g.device.type == "cuda":
        return _OfCuda(g)
    if g.device.type != "cpu":
        raise Unsupported(f"librng.torch: a generator must be of the CPU or of CUDA, got one of {g.device}")
    offset = offset_of_twister()
    return _Copied(g) if offset is None else _Direct(g, offset)


@functools.lru_cache(maxsize=16)
def _streams(seed):
    return _rng.Stream(seed).fork("torch")


def stream_of(seed, k):
    """The Stream of draw k of the sequence of a seed."""
    return _streams(seed).fork(k)


def position(generator=None):
    """(seed, k) of a generator, by default torch.default_generator: its next draw is made from stream_of(seed, k)."""
    with lock:
        return (_default() if generator is None else carrier(generator)).position()


def _state(c):
    return c.initial_seed(), c.get_offset()


def forget_devices():
    """At the entry of a region: CUDA's default generators count as at their place now."""
    _written.clear()
    _begun.clear()
    if torch.cuda.is_initialized():
        _written.update({c.device.index: _state(c) for c in torch.cuda.default_generators})


def next_stream(cuda_index, generator):
    """The Stream of the next draw on a CUDA device, or on another device (-1). Moves the sequence on by one draw."""
    with lock:
        if generator is not None:
            at = carrier(generator)
        else:
            at = _default()
            if cuda_index >= 0:
                return _next_of_device(at, torch.cuda.default_generators[cuda_index], cuda_index)
        seed, k = at.position()
        if k == 0 and generator is None:
            _begun.clear()
        at.move_to(seed, k + 1)
    return _streams(seed).fork(k)


def _next_of_device(shared, own, index):
    state = _state(own)
    seed, k = shared.position()
    if k == 0:
        _begun.clear()
    follows = state == _written.setdefault(index, state) or (state[0], state[1] // 4) == (seed, k) or (state == (seed, 0) and index not in _begun)
    _begun.add(index)
    if follows:
        shared.move_to(seed, k + 1)
        if state[0] != seed:
            own.manual_seed(seed)
        _written[index] = seed, 4 * (k + 1)
    else:
        seed, k = state[0], state[1] // 4
    own.set_offset(4 * (k + 1))
    return _streams(seed).fork(k)


def next_of_capture(generator):
    """The Stream of the next draw of a CUDA graph's capture. Only the shared sequence can be read and moved there."""
    if generator is not None:
        raise Unsupported("librng.torch: a draw from a CUDA generator= cannot be captured in a CUDA graph; leave generator= out")
    return next_stream(-1, None)
