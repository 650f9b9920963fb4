"""A function for each distribution of the catalogue, and a method of Generator of the same name."""

import functools
import inspect
import keyword
import sys

from librng import _rng


@functools.cache
def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("librng makes arrays by NumPy: install numpy, or pass an array of your own to librng.fill") from None
    return numpy


def empty(size, dtype, parts=1, like=None):
    """An array without values: of NumPy, or of the package of `like` (a torch tensor, for instance)."""
    shape = (size,) if hasattr(size, "__index__") else tuple(size)
    if parts > 1:
        shape = (*shape, parts)
    if like is None:
        return _numpy().empty(shape, dtype)
    package = type(like).__module__.partition(".")[0]
    if package == "torch":
        return like.new_empty(shape, dtype=getattr(sys.modules[package], dtype))
    if package == "numpy":
        return _numpy().empty(shape, dtype)
    raise TypeError(f"like must be an array of NumPy or a tensor of torch, got {type(like).__name__}")


_LONG = {"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c64": "complex64", "c128": "complex128"}
_LONG |= {f"{sign}{bits}": f"{name}{bits}" for sign, name in (("i", "int"), ("u", "uint")) for bits in (8, 16, 32, 64)}
_LONG["bool"] = "bool"


class Family:
    """A distribution's name with all of its types."""

    def __init__(self, rows):
        first = rows[0]
        self.name, self.summary, self.support = first["name"], first["summary"], first["support"]
        # By their names in Python, where lambda cannot be one.
        self.parameters = [(name + "_" * keyword.iskeyword(name), default, doc) for name, _, default, doc in first["parameters"]]
        self.dtypes = [row["dtype"].partition("x")[0] for row in rows]
        if self.name == "bernoulli":
            self.dtypes.insert(0, "bool")

    def doc(self):
        lines = [f"{self.summary[0].upper()}{self.summary[1:]}: {self.support}.", ""]
        lines += [f"{name}: {text} (default {default})" for name, default, text in self.parameters]
        lines.append("Types: " + ", ".join(_LONG[d] for d in self.dtypes))
        return "\n".join(lines)

    def signature_parameters(self, kind):
        return [inspect.Parameter(name, kind, default=default) for name, default, _ in self.parameters]


def families():
    rows = {}
    for row in _rng.catalogue():
        rows.setdefault(row["name"], []).append(row)
    return {name: Family(group) for name, group in rows.items()}


FAMILIES = families()


def constructor(family):
    """The function that makes a distribution of its parameters, by place or by name."""
    names = [name for name, _, _ in family.parameters]

    # A loop that writes rng.normal(0, 1) again and again gets one object. An int and a float of one value differ.
    @functools.lru_cache(maxsize=64, typed=True)
    def made(*args, **parameters):
        if len(args) > len(names):
            raise TypeError(f"{family.name} takes {len(names)} parameters ({', '.join(names) or 'none'}), got {len(args)}")
        for name, value in zip(names, args):
            if name in parameters:
                raise TypeError(f"{family.name} got two values of {name}")
            parameters[name] = value
        return _rng.Distribution(family.name, **{name.rstrip("_"): value for name, value in parameters.items()})

    def make(*args, **parameters):
        try:
            return made(*args, **parameters)
        except TypeError:  # arguments that no dict can keep, or wrong ones: the message is that of the call itself
            return made.__wrapped__(*args, **parameters)

    plain = _rng.Distribution(family.name)
    make.default_dtype, make.parts = plain.default_dtype, plain.parts
    make.__name__ = make.__qualname__ = family.name
    make.__module__ = "librng"
    make.__doc__ = family.doc()
    make.__signature__ = inspect.Signature(family.signature_parameters(inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return make


_short = functools.lru_cache(maxsize=64)(_rng.dtype_name)


def restored(name, parameters):
    """The distribution of a pickle."""
    return _rng.Distribution(name, **parameters)


def sample(source, dist, size, dtype=None, like=None):
    """A new array of values: dist's, from a Generator, which moves on, or from a Stream.

    size is an int or a tuple. dtype is a name or a type, such as "float32"; without one it is float64, int64, complex128 or
    bool, as NumPy has it. The array is one of NumPy, or of the package of `like`, a torch tensor for instance."""
    if dtype is None and like is not None:
        dtype = like.dtype
    kind = _LONG[dist.default_dtype if dtype is None else _short(dtype)]
    return _rng.fill(empty(size, kind, dist.parts, like), dist, source)


def method(family):
    make = constructor(family)
    default = _LONG[make.default_dtype]
    parts = make.parts

    def draw(self, size, /, *args, dtype=None, like=None, **parameters):
        dist = make(*args, **parameters)
        if like is None and dtype is None and parts == 1:  # the commonest call, without its detours
            return _rng.fill(_numpy().empty(size, default), dist, self)
        return sample(self, dist, size, dtype, like)

    draw.__name__ = family.name
    draw.__qualname__ = f"Generator.{family.name}"
    draw.__module__ = "librng"
    draw.__doc__ = "A new array of values. " + family.doc()
    kinds = inspect.Parameter
    draw.__signature__ = inspect.Signature([
        kinds("self", kinds.POSITIONAL_ONLY),
        kinds("size", kinds.POSITIONAL_ONLY),
        *family.signature_parameters(kinds.POSITIONAL_OR_KEYWORD),
        kinds("dtype", kinds.KEYWORD_ONLY, default=None),
        kinds("like", kinds.KEYWORD_ONLY, default=None),
    ])
    return draw
