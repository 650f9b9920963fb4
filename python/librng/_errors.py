"""The classes of errors. Each is a librng.Error and one of Python's own classes, so that either can be caught."""


class Error(Exception):
    """What the library refuses or cannot do. The message names the call, the value and the limit."""


class InvalidArgument(Error, ValueError):
    """A parameter outside its documented range."""


class EndOfStream(Error, IndexError):
    """A value past the end of a stream of 2^56 blocks."""


class BadState(Error, ValueError):
    """Damaged or foreign bytes of a state."""


class Unsupported(Error, RuntimeError):
    """Not built in, or not on this machine."""


class CudaError(Error, RuntimeError):
    """A call of CUDA failed."""
