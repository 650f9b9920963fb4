"""A function for each distribution of the catalogue, and a method of Generator of the same name."""

import functools
import inspect
import keyword
import math
import operator
import sys

from librng import _rng
from librng._checks import is_bool, one_of, short, text
from librng._errors import InvalidArgument


@functools.cache
def _numpy():
    try:
        import numpy
    except ImportError:
        raise ImportError("librng makes arrays by NumPy: install numpy, or pass an array of your own to librng.fill") from None
    return numpy


def _shape(call, size):
    """The tuple of a size."""
    sizes = (size,) if hasattr(size, "__index__") and not getattr(size, "shape", ()) else size
    try:
        sizes = tuple(sizes)
        if any(map(is_bool, sizes)):
            raise TypeError
        shape = tuple(map(operator.index, sizes))
    except TypeError:
        raise TypeError(f"{call}: size must be an integer or a tuple of integers, got {size!r}") from None
    if shape and min(shape) < 0:
        raise InvalidArgument(f"{call}: size must be at least 0, got {size!r}")
    return shape


def is_tensor(x):
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def check_size(call, name, shape):
    """Refuses arrays of so many values that NumPy cannot count their bytes, for which its own message has no name."""
    if math.prod(n or 1 for n in shape) > 2**58:
        got = text(shape[0]) if len(shape) == 1 else f"({', '.join(map(text, shape))})"
        raise InvalidArgument(f"{call}: {name} must be at most 2^58 values, got {got}")


def empty(call, shape, dtype, like=None):
    """An array without values: of NumPy, or of the package of `like`, a tensor of torch on the device of `like`."""
    check_size(call, "size", shape)
    if like is not None and is_tensor(like):
        return like.new_empty(shape, dtype=getattr(sys.modules["torch"], dtype), requires_grad=False)
    if like is None or isinstance(like, _numpy().ndarray):
        try:
            return _numpy().empty(shape, dtype)
        except ValueError as error:  # of too many dimensions
            raise InvalidArgument(f"{call}: size: {error}") from None
    raise TypeError(f"{call}: like must be an array of NumPy or a tensor of torch, got {type(like).__name__}")


def checked_source(call, source):
    return one_of(call, "the source", source, (_rng.Generator, _rng.Stream), "a Generator or a Stream")


_LONG = _rng.dtype_names  # "float32" of "f32"


class Family:
    """A distribution's name with all of its types."""

    def __init__(self, rows):
        first = rows[0]
        self.name, self.summary, self.support = first["name"], first["summary"], first["support"]
        plain = _rng.Distribution(self.name)
        self.default_dtype, self.parts = plain.default_dtype, plain.parts
        # Those of the default type, by their names in Python, where lambda cannot be one.
        row = next((row for row in rows if row["dtype"].partition("x")[0] == self.default_dtype), first)
        self.parameters = [(name + "_" * keyword.iskeyword(name), default, doc) for name, _, default, doc in row["parameters"]]
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

    def made(*args, **parameters):
        if len(args) > len(names):
            raise TypeError(f"{family.name}: takes {len(names)} parameters ({', '.join(names) or 'none'}), got {len(args)}")
        for name, value in zip(names, args):
            if name in parameters:
                raise TypeError(f"{family.name}: got two values of {name}")
            parameters[name] = value
        return _rng.Distribution(family.name, **{name.rstrip("_"): value for name, value in parameters.items()})

    # A loop that writes rng.normal(0, 1) again and again gets one object. An int and a float of one value differ.
    @functools.lru_cache(maxsize=64, typed=True)
    def kept(*args, **parameters):
        if not _CONSTANT.issuperset(map(type, (*args, *parameters.values()))):
            raise TypeError  # a number that may change while it is the same object, as a tensor is
        return made(*args, **parameters)

    def make(*args, **parameters):
        try:
            return kept(*args, **parameters)
        except TypeError:  # arguments that no dict can keep, too, and wrong ones
            return made(*args, **parameters)

    make.__name__ = make.__qualname__ = family.name
    make.__module__ = "librng"
    make.__doc__ = family.doc()
    make.__signature__ = inspect.Signature(family.signature_parameters(inspect.Parameter.POSITIONAL_OR_KEYWORD))
    return make


_CONSTANT = frozenset({int, float})
_MISSING = inspect.Parameter.empty


def restored(name, parameters):
    """The distribution of a pickle."""
    return _rng.Distribution(name, **parameters)


def sample(source, dist, size, dtype=None, like=None):
    """A new array of values: dist's, from a Generator, which moves on, or from a Stream.

    size is an int or a tuple. dtype is a name or a type, such as "float32"; without one it is float64, int64, complex128 or
    bool, as NumPy has it. The array is one of NumPy, or of the package of `like`, a torch tensor for instance."""
    one_of("sample", "dist", dist, _rng.Distribution, "a distribution, such as librng.normal(0, 1)")
    return _sample("sample", checked_source("sample", source), dist, size, dtype, like)


def _sample(call, source, dist, size, dtype, like):
    kind = dist.default_dtype
    if dtype is None and like is not None:
        dtype = getattr(like, "dtype", None)
    if dtype is not None:
        kind, known = short(call, dtype), FAMILIES[dist.name].dtypes
        if kind not in known:
            raise InvalidArgument(f"{call}: dtype of {dist.name} must be one of {', '.join(_LONG[d] for d in known)}, got {_LONG[kind]}")
    shape = _shape(call, size) + ((dist.parts,) if dist.parts > 1 else ())
    return _rng.fill_as(call, empty(call, shape, _LONG[kind], like), dist, source)


def fill_each(out, law, source, *, first=0, stream=None, **parameters):
    """Fills an array with values whose parameters differ; returns it.

    law is a distribution's function, such as librng.poisson, or its name. A parameter is a number, or an array or a list that broadcasts to
    the shape of out (for directions, of out without its last dimension). Value i, in row-major order, is the one that
    fill(out, law(...), source, first=first) gives for the parameters of value i. In memory of a CUDA GPU law is poisson, binomial,
    gamma or bernoulli, and arrays of parameters lie there too; their numbers are not checked."""
    name = law if isinstance(law, str) else getattr(law, "__name__", None)
    if name not in FAMILIES or (law is not name and getattr(law, "__module__", None) != "librng"):
        raise TypeError(f"fill_each: law must be a distribution's function, such as librng.poisson, or its name, got {law!r}")
    known = [parameter for parameter, _, _ in FAMILIES[name].parameters]
    for parameter in parameters:
        if parameter not in known:
            raise TypeError(f"fill_each: a parameter of {name} must be one of {', '.join(known) or 'none'}, got {parameter}")
    for parameter, value in parameters.items():
        if isinstance(value, (list, tuple)):
            try:
                parameters[parameter] = _numpy().asarray(value)
            except ValueError as error:  # of rows of different lengths
                raise InvalidArgument(f"fill_each: {parameter}: {error}") from None
    return _rng.fill_each(out, name, source, first, stream, {key.rstrip("_"): value for key, value in parameters.items()})


def method(family):
    make = constructor(family)
    call, default, parts = family.name, _LONG[family.default_dtype], family.parts

    def draw(self, size=_MISSING, *args, dtype=None, like=None, **parameters):
        if type(size) is int and 0 < size < 2**58 and dtype is None and like is None and parts == 1:  # the commonest call, without its detours
            return _rng.fill_as(call, _numpy().empty(size, default), make(*args, **parameters), self)
        if size is _MISSING:
            raise TypeError(f"{call}: size is missing: {call}(size{''.join(', ' + name for name, _, _ in family.parameters)})")
        if args and size == 0 and type(size) is int and type(args[-1]) is int and hasattr(_numpy().random.Generator, call):
            raise TypeError(f"{call}: size comes first, before the parameters, and {', '.join(map(repr, (size, *args)))} may be NumPy's order; "
                            "for an array without values write the size as (0,), or name the parameters")
        return _sample(call, self, make(*args, **parameters), size, dtype, like)

    draw.__name__ = family.name
    draw.__qualname__ = f"Generator.{family.name}"
    draw.__module__ = "librng"
    draw.__doc__ = "A new array of values. " + family.doc()
    kinds = inspect.Parameter
    draw.__signature__ = inspect.Signature([
        kinds("self", kinds.POSITIONAL_OR_KEYWORD),
        kinds("size", kinds.POSITIONAL_OR_KEYWORD),
        *family.signature_parameters(kinds.POSITIONAL_OR_KEYWORD),
        kinds("dtype", kinds.KEYWORD_ONLY, default=None),
        kinds("like", kinds.KEYWORD_ONLY, default=None),
    ])
    return draw
