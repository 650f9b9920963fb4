"""Fills whose parameters differ from value to value have the values of fills with these parameters, one by one; masks have those of
bernoulli. Here are the entries by address too, which librng's Python code calls."""

import itertools

import librng as rng
import numpy as np
import pytest
from librng import _rng
from librng._sampling import _LONG, FAMILIES

hypothesis = pytest.importorskip("hypothesis")
from hypothesis import given, strategies as st  # noqa: E402

hypothesis.settings.register_profile("rng", derandomize=True, database=None, deadline=None, max_examples=80)
hypothesis.settings.load_profile("rng")

S = rng.Stream(7).at_position(5)
ENGINES = ["philox4x32-10", "philox4x32-7", "philox4x64-10", "threefry4x32-20", "threefry4x64-20"]
ROWS = [(name, dtype) for name, family in FAMILIES.items() for dtype in family.dtypes]


@pytest.fixture
def threads():
    """Sets the number of threads; the number before comes back."""
    before = rng.num_threads()
    yield rng.set_num_threads
    rng.set_num_threads(before)


def empty(shape, dtype, parts):
    """An array for values of a type; NumPy has no bfloat16, so that is a pair of an array of its bits and a view for librng."""
    shape = (*shape, parts) if parts > 1 else shape
    return np.zeros(shape, "u2" if dtype == "bf16" else _LONG[dtype])


def accepted(name, dtype, parameters):
    try:
        _rng.fill_each_at("law", 0, 0, dtype, name, list(parameters.items()), S)
    except (rng.Error, TypeError):
        return False
    return True


def random_parameters(name, dtype, n, seed):
    """n numbers for each parameter of a law, around its default and in range."""
    random = np.random.default_rng(seed)
    family = FAMILIES[name]
    rows = {row["dtype"].partition("x")[0]: row["parameters"] for row in _rng.catalogue() if row["name"] == name}
    parameters = rows["u8" if dtype == "bool" else dtype]
    numbers = {key: [] for key, _, _, _ in parameters}
    for _ in range(n):
        for _ in range(20):
            chosen = {}
            for key, kind, default, _ in parameters:
                if kind[0] in "iu":
                    chosen[key] = default + int(random.integers(-3, 4))
                else:
                    mantissa, exponent = np.frexp(default * random.uniform(0.3, 1.5) + random.uniform(-0.2, 0.5) * (default == 0))
                    chosen[key] = float(np.ldexp(np.round(mantissa * 128), exponent - 7))  # bounds of bfloat16 must be exact
            if accepted(name, dtype, chosen):
                break
        else:
            chosen = {key: default for key, _, default, _ in parameters}
        for key, value in chosen.items():
            numbers[key].append(value)
    arrays = {key: np.array(values, {"i": "i8", "u": "u8"}.get(kind[0], "f8")) for (key, values), (_, kind, _, _) in zip(numbers.items(), parameters)}
    for key, values in arrays.items():
        assert len(set(values.tolist())) > 1, f"{family.name}: {key} does not vary"
    return arrays


def address(array):
    return array.__array_interface__["data"][0]


def by_address(out, dtype, name, arrays, source=S):
    kinds = {"float64": "f64", "float32": "f32", "int64": "i64", "uint64": "u64"}
    rows = [(key, address(values), kinds[values.dtype.name], 1) for key, values in arrays.items()]
    parts = FAMILIES[name].parts
    _rng.fill_each_at("call", address(out), out.size // parts, dtype, name, rows, source)
    return out


def one_by_one(name, dtype, arrays, n, stream=S, first=0):
    """Each value by a fill of its own."""
    parts = FAMILIES[name].parts
    out = empty((n,), dtype, parts)
    slot = next(row["slot_words"] for row in _rng.catalogue() if row["name"] == name and row["dtype"].partition("x")[0] == ("u8" if dtype == "bool" else dtype))
    for i in range(n):
        law = _rng.Distribution(name, **{key: values[i] for key, values in arrays.items()})
        at = stream.at_position(-(-stream.position // slot) * slot + (first + i) * slot)
        _rng.fill_at("call", address(out[i : i + 1]), 1, dtype, law, at)
    return out


@pytest.mark.parametrize(("name", "dtype"), ROWS)
def test_values_are_those_of_fills(name, dtype):
    n = 40
    arrays = random_parameters(name, dtype, n, 1)
    parts = FAMILIES[name].parts
    expected = one_by_one(name, dtype, arrays, n)
    out = by_address(empty((n,), dtype, parts), dtype, name, arrays)
    assert out.tobytes() == expected.tobytes()
    if dtype == "bf16":
        return
    out = rng.fill_each(empty((n,), dtype, parts), getattr(rng, name), S, **{FAMILIES[name].parameters[k][0]: v for k, v in enumerate(arrays.values())})
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", ["poisson", "binomial", "gamma", "normal", "bernoulli", "beta", "uniform_int", "unit_vector3"])
def test_engines_and_threads(name, engine, threads):
    dtype, n = FAMILIES[name].default_dtype, 5000
    few = random_parameters(name, dtype, 50, 2) if FAMILIES[name].parameters else {}
    arrays = {key: np.tile(values, n // 50) for key, values in few.items()}
    stream = rng.Stream(3, 5, engine=engine).at_position(2**34 - 77)
    expected = one_by_one(name, dtype, arrays, 300, stream)
    made = []
    for count in 1, 2, 3:
        threads(count)
        made.append(by_address(empty((n,), dtype, FAMILIES[name].parts), dtype, name, arrays, stream).tobytes())
    assert made[0] == made[1] == made[2] and made[0].startswith(expected.tobytes())


@given(st.data())
def test_shapes_strides_and_broadcasting(data):
    shape = data.draw(st.lists(st.integers(0, 5), max_size=3))
    steps = [data.draw(st.sampled_from([1, 2, -1])) for _ in shape]
    dtype = data.draw(st.sampled_from(["int32", "int64"]))
    out = np.zeros([n * abs(step) for n, step in zip(shape, steps)], dtype)[(*(slice(None, None, step) for step in steps), ...)]
    out = out.transpose(data.draw(st.permutations(range(out.ndim))))

    def parameter(low, high, kinds):
        own = [data.draw(st.sampled_from([n, 1])) for n in out.shape][data.draw(st.integers(0, out.ndim)) :]
        numbers = np.random.default_rng(data.draw(st.integers(0, 9))).uniform(low, high, own).astype(data.draw(st.sampled_from(kinds)))
        return numbers.T.copy().T if data.draw(st.booleans()) else numbers

    trials = parameter(0, 100, ["i1", "u2", "i4", "u4", "i8", "u8"])
    p = parameter(0, 1, ["f2", "f4", "f8"])
    first = data.draw(st.sampled_from([0, 1, 17]))
    rng.fill_each(out, "binomial", S, first=first, trials=trials, p=p)
    everywhere = np.broadcast_to(trials, out.shape), np.broadcast_to(p, out.shape)
    for i, place in enumerate(np.ndindex(out.shape)):
        law = rng.binomial(int(everywhere[0][place]), float(everywhere[1][place]))
        assert out[place] == rng.at(S, law, first + i, dtype=dtype)


def test_numbers_and_defaults():
    n = 100
    out, expected = np.empty(n, "f4"), np.empty(n, "f4")
    assert rng.fill_each(out, rng.normal, S, mean=3, stddev=np.float32(2)) is out
    assert np.array_equal(out, rng.fill(expected, rng.normal(3, 2), S))
    assert np.array_equal(rng.fill_each(out, "normal", S), rng.fill(expected, rng.normal(), S))
    rng.fill_each(out, rng.normal, S, mean=np.full((), 3), stddev=np.full(n, 2))
    assert np.array_equal(out, rng.fill(expected, rng.normal(3, 2), S))
    assert np.array_equal(rng.fill_each(out, "exponential", S, rate=np.full((1,), 2)), rng.fill(expected, rng.exponential(2), S))
    assert rng.fill_each(np.empty((3, 0)), "normal", S, mean=np.empty((3, 0))).size == 0
    lowest = rng.fill_each(np.empty(2, "u8"), rng.uniform_int, S, lo=np.full(2, 2**64 - 2, "u8"), hi=2**64 - 1)
    assert lowest.min() >= 2**64 - 2


def test_lists_are_arrays():
    made, expected = (rng.fill_each(np.empty(3, np.int64), rng.poisson, rng.Stream(42), mean=mean) for mean in ([1, 2.5, 300], np.array([1, 2.5, 300])))
    assert np.array_equal(made, expected)
    with pytest.raises(rng.InvalidArgument, match="fill_each: mean: .*inhomogeneous"):
        rng.fill_each(np.empty(3, np.int64), rng.poisson, rng.Stream(42), mean=[[1, 2, 3], [1]])


def test_a_parameter_that_lies_in_out():
    n = 3000
    mean = np.random.default_rng(1).uniform(0, 300, n)
    expected = rng.fill_each(np.empty(n, "i8"), "poisson", S, mean=mean)
    shared = mean.copy()
    rng.fill_each(shared.view("i8"), "poisson", S, mean=shared)
    assert np.array_equal(shared.view("i8"), expected)
    shared = mean.copy()
    rng.fill_each(shared.view("i8")[::-1], "poisson", S, mean=shared)
    assert np.array_equal(shared.view("i8")[::-1], expected)


def test_generators():
    mean = np.linspace(0, 50, 33)
    g, h = rng.Generator(7), rng.Generator(7)
    for _ in range(2):
        at = g.stream()
        assert np.array_equal(rng.fill_each(np.empty(33, "i8"), rng.poisson, g, mean=mean), rng.fill_each(np.empty(33, "i8"), rng.poisson, at, mean=mean))
        rng.fill(np.empty(33, "i8"), rng.poisson(1), h)
        assert g.position == h.position


def test_errors(refused):
    g, n = rng.Generator(1), 5000
    mean = np.ones(n)
    mean[4321], mean[4400] = -1, np.nan
    out = np.full(n, 77, "i8")
    trials = np.full(n, 2.0)
    trials[7] = 2.5
    each = rng.fill_each
    refused(
        (lambda: each(out, rng.poisson, g, mean=mean), rng.InvalidArgument, r"^fill_each: value 4321: poisson: mean must be in \[0, 2\^62\], got -1$"),
        (lambda: each(out, rng.poisson, g, mean=-1), rng.InvalidArgument, r"^fill_each: poisson: mean must be in \[0, 2\^62\], got -1$"),
        (lambda: each(out, rng.binomial, g, trials=trials), rng.InvalidArgument, r"^fill_each: value 7: binomial: trials must be a whole number .*, got 2.5$"),
        (lambda: each(out, rng.binomial, g, trials=np.ones(n, "i8"), p=2), rng.InvalidArgument, r"^fill_each: value 0: binomial: p must be in \[0, 1\], got 2$"),
        (lambda: each(out, rng.poisson, g, mean=np.ones(3)), ValueError, r"^fill_each: mean must broadcast to \(5000,\), the shape of the values, got \(3,\)$"),
        (lambda: each(out, rng.poisson, g, mean=np.ones(n, bool)), TypeError, "^fill_each: mean must be of real numbers, got bool$"),
        (lambda: each(out, rng.poisson, g, mean=np.ones(n, "c16")), TypeError, "^fill_each: mean must be of real numbers, got c128$"),
        (lambda: each(out, rng.poisson, g, mean="1"), TypeError, "^fill_each: mean must be a number, got str$"),
        (lambda: each(out, rng.poisson, g, rate=1), TypeError, "^fill_each: a parameter of poisson must be one of mean, got rate$"),
        (lambda: each(out, "poison", g), TypeError, "^fill_each: law must be a distribution's function, .* got 'poison'$"),
        (lambda: each(out, rng.poisson(1), g), TypeError, "^fill_each: law must be"),
        (lambda: each(out, len, g), TypeError, "^fill_each: law must be"),
        (lambda: each(out, rng.normal, g), rng.InvalidArgument, "^fill_each: type of normal must be one of .*, got i64$"),
        (lambda: each(np.empty(3, bool), "poisson", g), TypeError, "^fill_each: elements of bool take bernoulli alone, got poisson$"),
        (lambda: each(np.empty(4), "unit_vector3", g), ValueError, "^fill_each: out must have a last dimension of 3"),
        (lambda: each(out, rng.poisson, 3), TypeError, "^fill_each: the source must be a Generator or a Stream, got int$"),
        (lambda: each(out, rng.poisson, g, first=1), ValueError, "^fill_each: first is for a Stream"),
        (lambda: each(out, rng.poisson, g, stream=1), ValueError, "^fill_each: stream is for memory of a GPU"),
        (lambda: each(out, rng.poisson, S.at_position(S.size_words - 4), mean=np.ones(n)), rng.EndOfStream, "^fill_each: "),
    )
    assert (out == 77).all() and g.position == 0


# Masks, by address: what librng's mode for torch calls.

MASK_TYPES = ["f16", "bf16", "f32", "f64"]


def bf16_of(x):
    """The bits of floats, rounded to nearest, ties to even."""
    bits = np.asarray(x, "f4").view("u4").astype("u8")
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(np.asarray(x, "f4")), 0x7FC0, rounded).astype("u2")


def floats(x, dtype):
    return (x.astype("u4") << 16).view("f4") if dtype == "bf16" else x.astype("f8" if dtype == "f64" else "f4")


def stored(x, dtype):
    with np.errstate(all="ignore"):
        return bf16_of(x) if dtype == "bf16" else np.asarray(x).astype(_LONG[dtype])


def kept_by(p, n, stream=S):
    if np.ndim(p) == 0:
        return rng.fill(np.empty(n, bool), rng.bernoulli(float(p)), stream)
    return np.array([rng.at(stream, rng.bernoulli(float(q)), i, dtype="bool") for i, q in enumerate(p)], bool)


def mask(x, out, kept, n, dtype, p, scale, stream=S):
    where = [0 if a is None else address(a) for a in (x, out, kept)]
    if not isinstance(p, float):
        p = (address(p), {"f8": "f64", "f4": "f32"}[p.dtype.str[1:]], 1)
    _rng.mask_at("dropout", *where, n, dtype, p, scale, stream)


@given(st.data())
@hypothesis.settings(max_examples=200)
def test_masks(data):
    dtype = data.draw(st.sampled_from(MASK_TYPES))
    n = data.draw(st.sampled_from([0, 1, 3, 15, 16, 17, 100, 2049, 4096, 9001]))
    stream = rng.Stream(1, engine=data.draw(st.sampled_from(ENGINES))).at_position(data.draw(st.integers(0, 9)))
    random = np.random.default_rng(data.draw(st.integers(0, 9)))
    x = random.standard_normal(n) * np.exp2(random.integers(-30, 16, n))
    special = [np.inf, -np.inf, np.nan, 0.0, -0.0, 65504.0, 1e-7]
    x[: min(n, 14)] = list(itertools.islice(itertools.cycle(special), min(n, 14)))
    x = stored(x, dtype)
    p = data.draw(st.sampled_from([0.0, 1.0, 0.25, 0.7, 2.0**-34, "f4", "f8"]))
    if isinstance(p, str):
        p = random.uniform(0, 1, n).astype(p)
        if n == 0:
            p = np.zeros(1, p.dtype)
    scale = data.draw(st.sampled_from([1.0, 0.75, 1 / 0.7, 1e-3]))
    kept = kept_by(p, n, stream) if n else np.zeros(0, bool)
    with np.errstate(all="ignore"):
        number = np.float64 if dtype == "f64" else np.float32
        product = stored(floats(x, dtype) * kept.astype(number) * number(scale), dtype)
    want_mask = data.draw(st.booleans())
    made_mask = np.full(n + 1, 7, "u1")
    out = x if data.draw(st.booleans()) else np.empty_like(x)
    mask(x, out, made_mask if want_mask else None, n, dtype, p, scale, stream)
    assert np.array_equal(floats(out, dtype), floats(product, dtype), equal_nan=True)
    assert np.array_equal(np.signbit(floats(out, dtype)[~np.isnan(floats(out, dtype))]), np.signbit(floats(product, dtype)[~np.isnan(floats(product, dtype))]))
    assert made_mask[n] == 7 and (not want_mask or np.array_equal(made_mask[:n], kept))


@pytest.mark.parametrize("dtype", ["bool", *MASK_TYPES, *(f"{kind}{bits}" for kind in "iu" for bits in (8, 16, 32, 64))])
def test_ones_of_every_type(dtype):
    n = 5001
    p = np.random.default_rng(1).uniform(0, 1, n)
    one = np.ones(n, "f4").view("u4")[0] >> 16 if dtype == "bf16" else 1
    for probability in 0.3, p:
        out, kept = empty((n,), dtype, 1), np.empty(n, bool)
        mask(None, out, kept, n, dtype, probability, 1.0)
        expected = kept_by(probability, n)
        assert np.array_equal(out, expected * np.array(one, out.dtype)) and np.array_equal(kept, expected)
        mask(None, None, kept, n, dtype, probability, 1.0)
        assert np.array_equal(kept, expected)


def test_masks_by_threads(threads):
    n = 2**18 + 13
    x = np.random.default_rng(1).standard_normal(n).astype("f4")
    p = np.random.default_rng(1).uniform(0, 1, n)
    made = []
    for count in 1, 2, 3:
        threads(count)
        for probability in 0.7, p:
            out, kept = np.empty_like(x), np.empty(n, bool)
            mask(x, out, kept, n, "f32", probability, 2.0)
            made.append(out.tobytes() + kept.tobytes())
    assert made[:2] == made[2:4] == made[4:]


def test_refused_masks(refused):
    x, p = np.full(9, 3.0), np.linspace(0, 2, 9)
    refused(
        (lambda: mask(x, x, None, 9, "f64", 1.5, 1.0), rng.InvalidArgument, r"^dropout: bernoulli: p must be in \[0, 1\], got 1.5$"),
        (lambda: mask(x, x, None, 9, "f64", p, 1.0), rng.InvalidArgument, r"^dropout: value 5: bernoulli: p must be in \[0, 1\], got 1.25$"),
        (lambda: mask(x, x, None, 9, "i64", 0.5, 1.0), TypeError, "^dropout: dtype of x must be f16, bf16, f32 or f64, got i64$"),
        (lambda: mask(None, x, None, 9, "c64", 0.5, 1.0), TypeError, "^dropout: dtype must be of real numbers, got c64$"),
        (lambda: mask(x, x, None, 9, "f64", 0.5, 1.0, S.at_position(S.size_words - 4)), rng.EndOfStream, "^dropout: "),
    )
    assert (x == 3).all()


def test_fill_at(refused):
    for dist, dtype in (rng.normal(1, 2), "f32"), (rng.unit_vector3(), "f64"), (rng.bernoulli(0.3), "bool"), (rng.uniform_int(1, 6), "i16"):
        out, expected = (empty((100,), dtype, dist.parts) for _ in range(2))
        _rng.fill_at("call", address(out), 100, dtype, dist, S)
        assert np.array_equal(out, rng.fill(expected, dist, S))
    refused((lambda: _rng.fill_at("normal_", address(out), 3, "i64", rng.normal(), S), rng.InvalidArgument, "^normal_: type of normal must be"))
