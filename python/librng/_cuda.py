"""Arrays in memory of a GPU: how they describe themselves, and the stream of CUDA that a fill goes to.

Sources: the array API's __dlpack__(stream=...), and __cuda_array_interface__, version 3."""

import operator
import sys

from librng._errors import InvalidArgument

LEGACY = 1  # CUDA's default stream, as both protocols name it


def handle(stream):
    """The cudaStream_t of an argument stream=: an int, or an object with __cuda_stream__ (cuda.core) or cuda_stream (torch)."""
    if hasattr(stream, "__cuda_stream__"):
        version, stream = stream.__cuda_stream__()
        if version != 0:
            raise InvalidArgument(f"fill: __cuda_stream__ must have version 0, got {version}")
    number = getattr(stream, "cuda_stream", stream)
    if not hasattr(number, "__index__") or isinstance(number, bool):
        raise TypeError(f"fill: stream must be an int, or have __cuda_stream__ or cuda_stream, got {type(stream).__name__}")
    number = operator.index(number)
    if not 0 <= number < 2**64:
        raise InvalidArgument(f"fill: stream must be the address of a cudaStream_t, got {number}")
    return number


def described(out, stream):
    """A capsule of DLPack or a dict of __cuda_array_interface__, and the cudaStream_t of the fill.

    Without stream= the fill goes where its package works on the array: to torch's current stream, or to the one that
    __cuda_array_interface__ names. A package with DLPack alone lets the default stream wait for its own."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(out, torch.Tensor):
        with torch.cuda.device(out.device):  # torch gives away tensors of the current device alone
            return _by_dlpack(out, torch.cuda.current_stream().cuda_stream if stream is None else handle(stream))
    has_interface = hasattr(out, "__cuda_array_interface__")
    if has_interface and (stream is None or not hasattr(out, "__dlpack__")):
        array = out.__cuda_array_interface__
        return array, _stream_of(array) if stream is None else handle(stream)
    return _by_dlpack(out, LEGACY if stream is None else handle(stream))


def _stream_of(array):
    stream = array.get("stream")
    if stream is None:  # no work on the array is under way
        return LEGACY
    if stream == 0:
        raise InvalidArgument("fill: the stream of __cuda_array_interface__ must be None, 1, 2 or a cudaStream_t, got 0")
    return stream


def _by_dlpack(out, stream):
    """The package makes the stream wait for its own work on the array, if that is in another stream."""
    number = stream or LEGACY  # DLPack forbids 0
    try:
        return out.__dlpack__(stream=number, max_version=(1, 0)), stream
    except TypeError:  # a package from before DLPack 1.0
        return out.__dlpack__(stream=number), stream
