"""Seeds of other packages, each from one seed and the package's name."""

import contextlib
import functools
import secrets
import sys

from librng import _rng
from librng._checks import count, integer
from librng._errors import InvalidArgument


def entropy_seed():
    """A seed of 64 bits from the system's entropy. Print it, so that a run can be repeated."""
    return secrets.randbits(64)


class Seeds:
    """Seeds by name: words of Stream(seed).fork(name), so each package has numbers of its own.

        seeds = rng.Seeds(42)
        random.seed(seeds["random"])
        torch.manual_seed(seeds["torch"])
        key = jax.random.key(seeds.bits("jax", 63))
    """

    def __init__(self, seed):
        self._stream = _rng.Stream(integer("Seeds", "seed", seed))

    def __getitem__(self, name):
        """The seed of 64 bits for a name."""
        return _rng.at(self._stream.fork(name), _rng.Distribution("bits"), 0, dtype="uint64")

    def bits(self, name, bits):
        """The upper `bits` bits of the seed for a name, from 1 to 64."""
        if not 1 <= count("Seeds.bits", "bits", bits) <= 64:
            raise InvalidArgument(f"Seeds.bits: bits must be in [1, 64], got {bits}")
        return self[name] >> (64 - bits)

    def words(self, name, n):
        """n words of 32 bits for a name, as a list."""
        stream = self._stream.fork(name)
        return [_rng.at(stream, _rng.Distribution("bits"), i, dtype="uint32") for i in range(count("Seeds.words", "n", n))]


def _seeders(seeds):
    """Functions that seed the packages that are imported already; no package is imported here."""
    loaded = sys.modules
    yield lambda: __import__("random").seed(seeds["random"])
    if "numpy" in loaded:
        yield lambda: loaded["numpy"].random.seed(seeds.words("numpy", 4))
    if "torch" in loaded:
        yield lambda: loaded["torch"].manual_seed(seeds["torch"])
    if "tensorflow" in loaded:
        yield lambda: loaded["tensorflow"].random.set_seed(seeds.bits("tensorflow", 31))


def _states_of_torch(torch):
    """Functions that bring the states of torch's generators back: those of all devices, as torch.manual_seed seeds them.

    No device is initialised here. One that is not yet takes the seed of the CPU's generator when it is."""
    state, seed = torch.get_rng_state(), torch.initial_seed()
    yield lambda: torch.set_rng_state(state)
    for name in "cuda", "xpu":
        device = getattr(torch, name)
        if device.is_initialized():
            yield functools.partial(device.set_rng_state_all, device.get_rng_state_all())
        elif device.is_available():
            yield functools.partial(device.manual_seed_all, seed)
    if torch.backends.mps.is_available():
        yield functools.partial(torch.mps.set_rng_state, torch.mps.get_rng_state())


@contextlib.contextmanager
def _restored(states):
    try:
        yield
    finally:
        for restore in states:
            restore()


def seed_everything(seed):
    """Seeds random, and numpy.random, torch and tensorflow if they are imported, each by a seed of its own.

    In a with statement the states of random, numpy.random and torch, on all of its devices, come back at its end:

        with rng.seed_everything(42):
            ...
    """
    import random

    seeds = Seeds(integer("seed_everything", "seed", seed))
    state = random.getstate()
    states = [lambda: random.setstate(state)]
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy_state = numpy.random.get_state(legacy=False)
        states.append(lambda: numpy.random.set_state(numpy_state))
    if (torch := sys.modules.get("torch")) is not None:
        states.extend(_states_of_torch(torch))
    for seeder in _seeders(seeds):
        seeder()
    return _restored(states)
