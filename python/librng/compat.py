"""The numbers of other libraries' generators, to the bit (docs/interop.md).

    from librng import compat

    x = rng.fill(np.empty(1000), rng.uniform(0, 1), compat.numpy_philox(42))
    # np.random.Generator(np.random.Philox(42)).random(1000)
    y = compat.torch_uniform(np.empty(1000, "f4"), compat.torch_key(42))
    # torch.func._random.uniform(torch.func._random.key(42), 1000)

Functions that make streams and keys take a library's seed. Functions that take `out` fill an array of any shape and strides in
row-major order, of NumPy or a tensor of torch, and return it. The elements' type chooses the law. Value i of a draw is element i;
first= is the number of the first value. Calls raise TypeError for another type of elements, ValueError for a parameter out of
range, IndexError past the end of a stream; nothing is written then.
"""

# mypy: ignore-errors
# The signatures have types; the compiled functions that they call have none.

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsFloat, SupportsIndex, TypeVar

from librng import _rng
from librng._checks import count, integer, is_bool
from librng._errors import InvalidArgument
from librng._rng import NumpyGenerator, Stream

__all__ = [
    "JaxKey", "NumpyGenerator", "TorchKey", "curand", "curand_generate", "curand_uniform", "curand_uniform_double", "jax_bernoulli", "jax_bits",
    "jax_key", "jax_permutation", "jax_randint", "jax_uniform", "mkl", "mkl_uniform", "numpy_philox", "numpy_uniform", "tensorflow_generator",
    "tensorflow_op", "tensorflow_stateless", "tensorflow_uniform", "torch_bits", "torch_cuda_rand", "torch_key", "torch_uniform",
]

_Array = TypeVar("_Array")
_Real = SupportsFloat | SupportsIndex


def numpy_philox(seed: Any = None, *, key: int | None = None) -> Stream:
    """The words of numpy.random.Philox(seed), of Philox(SeedSequence) or of Philox(key=key). rng.uniform(0, 1) of float64 and
    float32 is NumPy's random()."""
    if (seed is None) == (key is None):
        raise TypeError("numpy_philox: give a seed, or key=")
    if key is None:
        from numpy.random import SeedSequence

        try:
            if is_bool(seed):
                raise TypeError
            sequence = seed if isinstance(seed, SeedSequence) else SeedSequence(seed)
        except (TypeError, ValueError) as error:
            kind = TypeError if isinstance(error, TypeError) else InvalidArgument
            raise kind(f"numpy_philox: seed must be an integer of at least 0, a sequence of such, or a SeedSequence, got {seed!r}") from None
        words = [int(x) for x in sequence.generate_state(2, "uint64")]
    else:
        if is_bool(key) or not hasattr(key, "__index__"):
            raise TypeError(f"numpy_philox: key must be an integer, got {type(key).__name__}")
        if not 0 <= key < 2**128:
            raise InvalidArgument(f"numpy_philox: key must be in [0, 2^128), got {key}")
        words = [key % 2**64, key >> 64]
    return _rng.Stream.from_key(words, position=8, engine="philox4x64-10")


def numpy_uniform(out: _Array, stream: Stream, low: _Real = 0.0, high: _Real = 1.0, *, first: SupportsIndex = 0) -> _Array:
    """numpy.random.Generator.uniform(low, high) of float64, from a stream of numpy_philox()."""
    return _rng.numpy_uniform(out, stream, first, low, high)


def curand(seed: SupportsIndex, subsequence: SupportsIndex = 0, offset: SupportsIndex = 0) -> Stream:
    """The words of a state after curand_init(seed, subsequence, offset, &state) of Philox4_32_10."""
    return _rng.Stream(integer("curand", "seed", seed), integer("curand", "subsequence", subsequence)).at_position(integer("curand", "offset", offset))


def curand_uniform(out: _Array, stream: Stream, *, first: SupportsIndex = 0) -> _Array:
    """curand_uniform of float32, curand_uniform2_double of float64: numbers of (0, 1], from a stream of curand()."""
    return _rng.curand_uniform(out, stream, first)


def curand_uniform_double(out: _Array, stream: Stream, *, first: SupportsIndex = 0) -> _Array:
    """curand_uniform_double of float64: numbers of (0, 1] with 32 random bits, from a stream of curand()."""
    return _rng.curand_uniform_double(out, stream, first)


def curand_generate(out: _Array, seed: SupportsIndex, *, first: SupportsIndex = 0) -> _Array:
    """curandGenerate of uint32, curandGenerateUniform of float32, curandGenerateUniformDouble of float64: the host API with a
    Philox generator of this seed, in the default ordering. first is curandSetGeneratorOffset's."""
    return _rng.curand_generate(out, seed, first)


def mkl(seed: int) -> Stream:
    """The words of oneMKL's vslNewStream(&s, VSL_BRNG_PHILOX4X32X10, seed); vslSkipAheadStream(s, n) is at_position(n)."""
    if not -(2**31) <= integer("mkl", "seed", seed) < 2**32:
        raise InvalidArgument(f"mkl: seed must be in [-2^31, 2^32), got {seed}")
    return _rng.Stream(seed % 2**32)


def mkl_uniform(out: _Array, stream: Stream, a: _Real = 0.0, b: _Real = 1.0, *, first: SupportsIndex = 0) -> _Array:
    """vsRngUniform of float32, vdRngUniform of float64: numbers of [a, b), from a stream of mkl()."""
    return _rng.mkl_uniform(out, stream, first, a, b)


class TorchKey(NamedTuple):
    """A key of torch.func._random: two integers below 2^64."""

    seed: int
    offset: int

    def fold_in(self, data: SupportsIndex) -> TorchKey:
        """torch.func._random.fold_in(key, data)."""
        return TorchKey(*_rng.torch_fold_in(self, data))

    def split(self, n: SupportsIndex) -> list[TorchKey]:
        """torch.func._random.split(key, n), as a list."""
        return [self.fold_in(i) for i in range(count("TorchKey.split", "n", n))]


def torch_key(seed: int, offset: int = 0) -> TorchKey:
    """The key torch.func._random.key(seed), from a block of four words on."""
    return TorchKey(integer("torch_key", "seed", seed) % 2**64, integer("torch_key", "offset", offset) % 2**64)


def torch_bits(out: _Array, key: tuple[int, int], *, first: SupportsIndex = 0) -> _Array:
    """torch.func._random.bits of uint32."""
    return _rng.torch_bits(out, key, first)


def torch_uniform(out: _Array, key: tuple[int, int], *, first: SupportsIndex = 0) -> _Array:
    """torch.func._random.uniform of float32 or float64: numbers of [0, 1)."""
    return _rng.torch_uniform(out, key, first)


def torch_cuda_rand(
    out: _Array, seed: SupportsIndex, offset: SupportsIndex = 0, *, multiprocessors: SupportsIndex, threads_per_multiprocessor: SupportsIndex = 2048
) -> _Array:
    """torch.rand of float32 with as many elements as out, on a GPU of this size. seed and offset are those of the state of
    torch's CUDA generator (torch.cuda.get_rng_state)."""
    return _rng.torch_cuda_rand(out, seed, offset, multiprocessors, threads_per_multiprocessor)


def tensorflow_stateless(seed: Sequence[SupportsIndex]) -> Stream:
    """The words of a draw of tf.random.stateless_uniform(seed=[a, b]) by Philox: seed is a pair of integers."""
    try:
        a, b = seed
    except TypeError:
        raise TypeError(f"tensorflow_stateless: seed must be a pair of integers, got {type(seed).__name__}") from None
    except ValueError:
        raise ValueError(f"tensorflow_stateless: seed must be a pair of integers, got {seed!r}") from None
    return _rng.tensorflow_stateless(a, b)


def tensorflow_generator(seed: SupportsIndex, drawn: SupportsIndex = 0) -> Stream:
    """The words of the next draw of tf.random.Generator.from_seed(seed, alg="philox"), after draws of `drawn` values in all."""
    return _rng.tensorflow_generator(seed, drawn)


def tensorflow_op(seed: int, op_seed: SupportsIndex | None = None) -> Stream:
    """The words of the first draw with seed=op_seed after tf.random.set_seed(seed); without op_seed, of the first draw without
    seed=."""
    if op_seed is None:
        from random import Random

        op_seed = Random(integer("tensorflow_op", "seed", seed)).randint(0, 2**31 - 1)
    return _rng.tensorflow_op(seed, op_seed)


def tensorflow_uniform(out: _Array, stream: Stream, low: _Real = 0, high: _Real = 1, *, first: SupportsIndex = 0) -> _Array:
    """TensorFlow's uniform numbers of [low, high), from a stream of one of the functions above: float32, float64, int32, int64.
    TensorFlow calls the bounds minval and maxval."""
    return _rng.tensorflow_uniform(out, stream, first, low, high)


class JaxKey(NamedTuple):
    """A key of jax.random, impl "threefry2x32": two integers below 2^32, as jax.random.key_data shows them."""

    high: int
    low: int

    def fold_in(self, data: SupportsIndex) -> JaxKey:
        """jax.random.fold_in(key, data)."""
        return JaxKey(*_rng.jax_fold_in(self, data))

    def split(self, n: SupportsIndex) -> list[JaxKey]:
        """jax.random.split(key, n), as a list."""
        return [self.fold_in(i) for i in range(count("JaxKey.split", "n", n))]


def jax_key(seed: int) -> JaxKey:
    """The key jax.random.key(seed). Without jax_enable_x64 JAX takes a seed modulo 2^32."""
    seed = integer("jax_key", "seed", seed)
    return JaxKey(seed >> 32 & 2**32 - 1, seed & 2**32 - 1)


def jax_bits(out: _Array, key: tuple[int, int], *, first: SupportsIndex = 0) -> _Array:
    """jax.random.bits of uint8, uint16, uint32 or uint64."""
    return _rng.jax_bits(out, key, first)


def jax_uniform(out: _Array, key: tuple[int, int], low: _Real = 0.0, high: _Real = 1.0, *, first: SupportsIndex = 0) -> _Array:
    """jax.random.uniform of float32 or float64: numbers of [low, high). JAX calls the bounds minval and maxval."""
    return _rng.jax_uniform(out, key, first, low, high)


def jax_randint(out: _Array, key: tuple[int, int], low: SupportsIndex, high: SupportsIndex, *, first: SupportsIndex = 0) -> _Array:
    """jax.random.randint of int32, int64, uint32 or uint64: integers of [low, high)."""
    return _rng.jax_randint(out, key, first, low, high)


def jax_bernoulli(out: _Array, key: tuple[int, int], p: _Real = 0.5, *, x64: bool = False, first: SupportsIndex = 0) -> _Array:
    """jax.random.bernoulli(key, p) of bool. x64 is jax_enable_x64, by which a Python number p is a float64."""
    draw = _rng.jax_bernoulli_f64 if x64 else _rng.jax_bernoulli_f32
    return draw(out, key, first, p)


def jax_permutation(out: _Array, key: tuple[int, int]) -> _Array:
    """jax.random.permutation(key, n) of int32 or int64, for the n elements of out."""
    return _rng.jax_permutation(out, key)
