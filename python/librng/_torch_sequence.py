"""The sequences of draws of librng.torch.reproducible, which torch's own generators carry.

Draw k of a sequence (seed, k) is made from Stream(seed).fork("torch").fork(k). manual_seed, get_state, set_state, fork_rng, checkpoints
and files of states work as ever, since the state of a torch.Generator holds the pair:

- that of a CPU generator in the last six of the 624 words of its Mersenne twister, two of which mark it. Without the mark the sequence is
  (initial_seed, 0) if nothing was drawn since manual_seed, and otherwise (a hash of the state, 0). Torch's own kernels can go on from a
  marked state, which is a state of the twister like any other.
- that of a CUDA generator as (initial_seed, offset = 4 k).

Without generator= all devices share the sequence of torch.default_generator. CUDA's default generators are kept at the same place. One
that is found at another place was seeded or restored for its device alone. Then its own sequence counts, until it is put back to the place that
it left, as a checkpoint in a compiled graph does. If the shared sequence itself is not where it was left, then it was seeded or restored
too, by torch.manual_seed, fork_rng or a checkpoint in eager mode, and the devices that have its seed follow it from their present places
on."""

import ctypes
import functools
import hashlib
import struct
import threading

import torch

from librng import _rng
from librng._errors import Unsupported

_MARK = (0x676E7262, 0x31302D6C)
_STATE_BYTES, _WORDS = 5056, 24 + 618 * 8  # of get_state(): its size, and where the six words are, each in 8 bytes
_LAST = 20 + 618 * 4  # where they are in a twister, as _twister has it
lock = threading.RLock()
_written = {}  # index of a CUDA device -> (seed, offset) that its default generator was left with by a draw of the shared sequence
_left = None  # (seed, k) that the shared sequence was left with


def _twister(state):
    """The twister of a get_state() as it is in memory: seed, left, is_seeded, next, and 624 words of 4 bytes."""
    seed, left, is_seeded, place, *words = struct.unpack_from("<QiiQ624Q", state.numpy())
    return struct.pack("<QiIi624I", seed, left, is_seeded, place, *words)


@functools.lru_cache(maxsize=1)
def offset_of_twister():
    """Where a CPU generator has its twister, from Generator._cdata on. None if it is not found; then states are copied."""
    g = torch.Generator().manual_seed(0x123456789ABCDEF)
    if g.get_state().numel() != _STATE_BYTES:
        raise Unsupported(f"librng.torch: torch {torch.__version__} has states of {g.get_state().numel()} bytes for CPU generators, not {_STATE_BYTES}")
    expected = _twister(g.get_state())
    for offset in range(64, 128, 8):  # the seed first, so that no memory behind the generator is read
        if ctypes.string_at(g._cdata + offset, 8) == expected[:8]:
            found = ctypes.string_at(g._cdata + offset, len(expected))
            return offset if found[:12] + found[16:] == expected[:12] + expected[16:] else None
    return None


class _OfCpu:
    def __init__(self, g):
        self.generator, offset = g, offset_of_twister()
        self.memory = None if offset is None else memoryview((ctypes.c_char * (_LAST + 24)).from_address(g._cdata + offset))

    def position(self):
        memory = self.memory or _twister(self.generator.get_state())
        a, b, seed, k = struct.unpack_from("<IIQQ", memory, _LAST)
        if (a, b) == _MARK:
            return seed, k
        seed, left, _, place = struct.unpack_from("<QiIi", memory)
        if left == 1 and place == 0:
            return seed, 0
        return int.from_bytes(hashlib.blake2b(self.generator.get_state().numpy().tobytes(), digest_size=8).digest(), "little"), 0

    def move_to(self, seed, k):
        if self.memory:
            return struct.pack_into("<IIQQ", self.memory, _LAST, *_MARK, seed, k)
        state = self.generator.get_state()
        struct.pack_into("<6Q", state.numpy(), _WORDS, *_MARK, seed & 0xFFFFFFFF, seed >> 32, k & 0xFFFFFFFF, k >> 32)
        self.generator.set_state(state)


class _OfCuda:
    def __init__(self, g):
        self.generator = g

    def state(self):
        return self.generator.initial_seed(), self.generator.get_offset()

    def position(self):
        seed, offset = self.state()
        return seed, offset // 4

    def move_to(self, seed, k):
        if self.generator.initial_seed() != seed:
            self.generator.manual_seed(seed)
        self.generator.set_offset(4 * k)


def carrier(g):
    if g.device.type not in ("cpu", "cuda"):
        raise Unsupported(f"librng.torch: a generator must be of the CPU or of CUDA, got one of {g.device}")
    return _OfCpu(g) if g.device.type == "cpu" else _OfCuda(g)


@functools.lru_cache(maxsize=1)
def _default():
    return carrier(torch.default_generator)


@functools.lru_cache(maxsize=16)
def _parent(seed):
    return _rng.Stream(seed).fork("torch")


def stream_of(seed, k):
    """The Stream of draw k of the sequence of a seed."""
    return _parent(seed).fork(k)


def position(generator=None):
    """(seed, k) of a generator, by default torch.default_generator: its next draw is made from stream_of(seed, k)."""
    with lock:
        return (_default() if generator is None else carrier(generator)).position()


def forget_devices():
    """At the entry of a region: CUDA's default generators count as at their place now."""
    global _left
    _left = None
    _written.clear()
    if torch.cuda.is_initialized():
        _written.update({c.device.index: _OfCuda(c).state() for c in torch.cuda.default_generators})


def _join(seed):
    """The devices that have a seed follow the shared sequence from now on. False in the capture of a graph, where their places cannot be read."""
    if torch.cuda.is_initialized() and torch.cuda.is_current_stream_capturing():
        return False
    states = {c.device.index: _OfCuda(c).state() for c in torch.cuda.default_generators}
    _written.update({index: state for index, state in states.items() if state[0] == seed})
    return True


def next_stream(cuda_index, generator):
    """The Stream of the next draw on a CUDA device, or on another device (-1). Moves the sequence on by one draw."""
    global _left
    with lock:
        at = shared = _default() if generator is None else carrier(generator)
        seed, k = at.position()
        is_known = generator is not None or (seed, k) == _left or _join(seed)
        if cuda_index >= 0 and generator is None:
            own = _OfCuda(torch.cuda.default_generators[cuda_index])
            state = own.state()
            if state == _written.setdefault(cuda_index, state):
                own.move_to(seed, k + 1)
                _written[cuda_index] = own.state()
            else:
                at, (seed, k) = own, own.position()
        at.move_to(seed, k + 1)
        if generator is None and at is shared:
            _left = (seed, k + 1) if is_known else None
    return _parent(seed).fork(k)
