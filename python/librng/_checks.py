"""Arguments of calls. Each message begins with the name of the call and of the argument."""

import functools

from librng import _rng
from librng._errors import InvalidArgument


integer, is_bool = _rng.integer, _rng.is_bool  # integer(call, name, value): an integer of -2^63 to 2^64 - 1, as seeds and ids are


def count(call, name, value):
    """An integer of 0 to 2^64 - 1."""
    number = integer(call, name, value)
    if number < 0:
        raise InvalidArgument(f"{call}: {name} must be at least 0, got {number}")
    return number


def real(call, name, value):
    try:
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{call}: {name} must be a number, got {type(value).__name__}") from None


def one_of(call, name, value, kinds, description):
    if not isinstance(value, kinds):
        raise TypeError(f"{call}: {name} must be {description}, got {type(value).__name__}")
    return value


def text(number):
    return str(number) if number.bit_length() <= 256 else f"an integer of {number.bit_length()} bits"


_cached = functools.lru_cache(maxsize=64)(_rng.dtype_name)


def short(call, dtype):
    """The short name of a type of values: "f32" of "float32", numpy.float32 or torch.float32."""
    try:
        return _cached(dtype, "")
    except TypeError:  # no type, or nothing that a dict can keep
        return _rng.dtype_name(dtype, call)
