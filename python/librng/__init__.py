"""Random numbers with the same bits on every device: the seed gives the numbers of the C++ library and of its CUDA kernels.

    import librng as rng

    g = rng.Generator(42)
    x = g.normal((1000, 3), mean=10, stddev=2.5, dtype="float32")    # moves g on
    s = rng.Stream(42).fork("wind")                                  # a value, which never changes
    y = rng.at(s, rng.uniform(0, 1), 123_456)                        # one value alone

There is no default generator: a generator or a stream is an argument. So processes that fork do not repeat each other's numbers
unasked: give each worker g.fork(worker).
"""

import importlib

from librng import _rng
from librng._battery import Report, test
from librng._errors import BadState, CudaError, EndOfStream, Error, InvalidArgument, Unsupported
from librng._order import choice, permutation, shuffle
from librng._reduce import RunningSum, bincount, dot, index_add, mean, norm2, scatter_add, segmented_sum, sum, variance, vdot
from librng._rng import Distribution, Generator, Stream, at, fill, num_threads, set_num_threads
from librng._sampling import FAMILIES as _FAMILIES
from librng._sampling import constructor as _constructor
from librng._sampling import fill_each, sample
from librng._sampling import method as _method
from librng._svd import pca_lowrank, svd_lowrank
from librng._seeds import Seeds, entropy_seed, seed_everything


def __getattr__(name):
    """librng.compat, librng.numpy and librng.torch are imported when they are touched."""
    if name in ("compat", "numpy", "torch"):
        return importlib.import_module(f"librng.{name}")
    raise AttributeError(f"module 'librng' has no attribute {name!r}")


__version__ = _rng.__version__
contract_version = _rng.contract_version

for _name, _family in _FAMILIES.items():
    globals()[_name] = _constructor(_family)
    setattr(Generator, _name, _method(_family))
distributions = tuple(_FAMILIES)
del _name, _family

__all__ = [
    *distributions, "BadState", "CudaError", "Distribution", "EndOfStream", "Error", "Generator", "InvalidArgument", "Report", "RunningSum", "Seeds",
    "Stream", "Unsupported", "at", "bincount", "choice", "contract_version", "distributions", "dot", "entropy_seed", "fill", "fill_each", "index_add",
    "mean", "norm2", "num_threads", "pca_lowrank", "permutation", "sample", "scatter_add", "seed_everything", "segmented_sum", "set_num_threads", "shuffle",
    "sum", "svd_lowrank", "test", "variance", "vdot",
]
