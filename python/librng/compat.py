"""Streams with the words of other libraries' generators, made from their seeds (docs/interop.md).

    from librng import compat

    x = rng.fill(np.empty(1000), rng.uniform(0, 1), compat.numpy_philox(42))
    # np.random.Generator(np.random.Philox(42)).random(1000), to the bit
"""

from librng import _rng

__all__ = ["curand", "mkl", "numpy_philox", "torch_key"]


def numpy_philox(seed=None, *, key=None):
    """The words of numpy.random.Philox(seed), of Philox(SeedSequence) or of Philox(key=key). rng.uniform(0, 1) of float64 and
    float32 is NumPy's random()."""
    if (seed is None) == (key is None):
        raise TypeError("numpy_philox: give a seed, or key=")
    if key is None:
        from numpy.random import SeedSequence

        sequence = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        words = [int(x) for x in sequence.generate_state(2, "uint64")]
    else:
        words = [key % 2**64, key >> 64]
    return _rng.Stream.from_key(words, position=8, engine="philox4x64-10")


def curand(seed, subsequence=0, offset=0):
    """The words of a state after curand_init(seed, subsequence, offset, &state) of Philox4_32_10."""
    return _rng.Stream(seed, subsequence).at_position(offset)


def mkl(seed):
    """The words of oneMKL's vslNewStream(&s, VSL_BRNG_PHILOX4X32X10, seed); vslSkipAheadStream(s, n) is at_position(n)."""
    return _rng.Stream(seed % 2**32)


def torch_key(seed, offset=0):
    """The words of 32 bits of torch.func._random with the key (seed, offset)."""
    return _rng.Stream(seed).at_position(4 * offset)
