"""Arrays of every kind get the values of the whole in row-major order; what is no array, or cannot be written, is refused."""

import array
import inspect

import librng as rng
import numpy as np
import pytest

S = rng.Stream(7)


def normals(out, **options):
    return rng.fill(out, rng.normal(), S, **options)


WHOLE = normals(np.empty(24, "f4"))


def test_shapes_and_strides():
    for view in (np.zeros((4, 6), "f4"), np.zeros((2, 3, 4), "f4"), np.zeros((6, 4), "f4").T, np.zeros((4, 12), "f4")[:, ::2],
                 np.zeros(24, "f4")[::-1], np.zeros((8, 3, 2), "f4")[::2].transpose(2, 0, 1), np.zeros((1, 24), "f4")):
        assert np.array_equal(normals(view).ravel(), WHOLE)
        rng.fill(view, rng.normal(), rng.Generator(7))
        assert np.array_equal(view.ravel(), WHOLE)
    assert normals(np.empty((3, 0), "f4")).size == 0
    scalar = np.zeros((), "f4")
    assert normals(scalar) == WHOLE[0]


def test_elements_that_are_not_aligned():
    records = np.zeros(24, [("tag", "u1"), ("x", "f4")])
    assert np.array_equal(normals(records["x"]), WHOLE) and not records["tag"].any()
    memory = bytearray(24 * 4 + 1)
    view = np.frombuffer(memory, "f4", offset=1)
    assert np.array_equal(normals(view), WHOLE)
    with pytest.raises(ValueError, match="aligned"):
        rng.svd_lowrank(view.reshape(4, 6), generator=rng.Generator(1))


def test_large_arrays_of_any_strides():
    expected = normals(np.empty(300_000))
    view = np.zeros((500, 600)).T
    assert np.array_equal(normals(view).ravel(), expected)
    vectors = np.zeros((3, 30_000, 3))[:, ::2]
    whole = rng.fill(np.empty((45_000, 3)), rng.unit_vector3(), S)
    assert np.array_equal(rng.fill(vectors, rng.unit_vector3(), S).reshape(-1, 3), whole)


def test_a_refused_array_is_let_go():
    memory = bytearray(b"abcd")
    with pytest.raises(TypeError, match="type without values"):
        rng.fill(memoryview(memory).cast("c"), rng.bits(), S)
    memory.append(0)  # raises BufferError while anybody holds the buffer


def test_a_stream_that_ends_writes_nothing():
    end = S.at_position(S.size_words - 10)
    for out in (np.full((4, 4), -1.0, "f4"), np.full((4, 8), -1.0, "f4")[:, ::2]):
        with pytest.raises(rng.EndOfStream):
            rng.fill(out, rng.normal(), end)
        assert (out == -1).all()


def test_first_is_the_number_of_the_first_value():
    assert np.array_equal(normals(np.empty(4, "f4"), first=20), WHOLE[20:])
    with pytest.raises(ValueError, match="first is for a Stream"):
        rng.fill(np.empty(4, "f4"), rng.normal(), rng.Generator(7), first=20)


def test_other_buffers():
    plain = array.array("f", [0] * 24)
    assert list(normals(plain)) == WHOLE.tolist()
    data = bytearray(8)
    rng.fill(data, rng.uniform_int(0, 255), S)
    assert list(data) == rng.fill(np.empty(8, "u1"), rng.uniform_int(0, 255), S).tolist()


def test_directions_fill_the_last_dimension():
    x = rng.fill(np.empty((5, 3)), rng.unit_vector3(), S)
    assert np.allclose((x**2).sum(-1), 1)
    assert np.array_equal(rng.Generator(7).unit_vector3(5), x)
    with pytest.raises(ValueError, match="last dimension of 3"):
        rng.fill(np.empty((3, 5)), rng.unit_vector3(), S)


def test_bool_takes_bernoulli_alone():
    x = rng.Generator(7).bernoulli(100, p=0.25)
    assert x.dtype == bool and np.array_equal(x, rng.fill(np.empty(100, "u1"), rng.bernoulli(p=0.25), S))
    with pytest.raises(TypeError, match="take bernoulli alone"):
        rng.fill(np.empty(3, bool), rng.uniform_int(0, 1), S)


def test_the_type_of_new_arrays():
    g = rng.Generator(1)
    assert g.normal(3).dtype == np.float64 and g.poisson(3, 2.5).dtype == np.int64 and g.complex_normal(2).dtype == np.complex128
    assert g.normal((2, 3), mean=1, stddev=2, dtype=np.float32).shape == (2, 3)
    for dtype in ("float32", np.float32, np.dtype("f4"), "f32"):
        assert g.uniform(2, dtype=dtype).dtype == np.float32
    with pytest.raises(TypeError, match="dtype must be"):
        g.normal(3, dtype="quadruple")


@pytest.mark.parametrize(
    ("error", "message", "call"),
    [
        (TypeError, "out must be a writable array .* got list", lambda: normals([1.0])),
        (TypeError, "out is read-only", lambda: normals(np.broadcast_to(np.zeros(1), 4))),
        (TypeError, "out is read-only", lambda: rng.fill(bytes(4), rng.bits(), S)),
        (TypeError, "type without values", lambda: normals(np.empty(3, "S4"))),
        (TypeError, "type without values", lambda: normals(np.empty(3, ">f4"))),
        (TypeError, "source must be a Generator or a Stream, got int", lambda: rng.fill(np.empty(3), rng.normal(), 42)),
        (ValueError, "type of normal must be one of .* got i32", lambda: normals(np.empty(3, "i4"))),
        (ValueError, "stddev must be in .* got -1", lambda: rng.normal(0, -1)),
        (TypeError, "mean must be a number, got str", lambda: rng.normal("0")),
        (TypeError, "^normal: takes 2 parameters", lambda: rng.normal(0, 1, 2)),
        (TypeError, "^normal: got two values of mean", lambda: rng.normal(0, mean=1)),
        (ValueError, "got meen", lambda: rng.normal(meen=1)),
        (TypeError, "seed must be an integer, got float", lambda: rng.Stream(1.0)),
        (TypeError, "seed must be an integer, got bool", lambda: rng.Generator(True)),
        (ValueError, "engine must be one of", lambda: rng.Stream(1, engine="mt19937")),
        (TypeError, "tag must be an integer or a string", lambda: S.fork(None)),
        (ValueError, "tag", lambda: S.fork(2**56)),
        (TypeError, "fill: dist must be a distribution, such as .* got int", lambda: rng.fill(np.empty(3), 1, S)),
        (TypeError, "at: stream must be a Stream, got Generator", lambda: rng.at(rng.Generator(1), rng.normal(), 0)),
        (IndexError, "past the end", lambda: rng.at(S, rng.normal(), 2**60)),
        (rng.InvalidArgument, "n must be at most", lambda: rng._rng.fill_permutation(np.empty(1, "i8"), 2**63, S)),
    ],
)
def test_what_is_refused(error, message, call):
    with pytest.raises(error, match=message):
        call()


def test_a_refused_fill_changes_nothing():
    g, out = rng.Generator(1), np.full(3, -1, "i4")
    with pytest.raises(rng.Error):
        rng.fill(out, rng.normal(), g)
    assert g.position == 0 and (out == -1).all()


def test_integers_are_int64_unless_asked():
    """The row `g.integers(low, high, n)` of docs/python.md, for a low below 0."""
    g = rng.Generator(42)
    x = g.uniform_int(100, -5, 5)
    assert x.dtype == np.int64 and x.min() == -5 and x.max() == 5
    assert (g.uniform_int(9, 0, 3) - 4).max() < 0
    assert rng.at(S, rng.uniform_int(-5, -5), 0) == -5
    assert g.uniform_int(3, 2**64 - 1, 2**64 - 1, dtype="uint64").tolist() == [2**64 - 1] * 3
    assert rng.sample(S, rng.uniform_int(-5, -5), 2).tolist() == [-5, -5]
    with pytest.raises(ValueError, match=r"^uniform_int: hi must be a whole number in \[-9223372036854775808, 9223372036854775807\], got 18446744073709551615"):
        g.uniform_int(3, 0, 2**64 - 1)
    with pytest.raises(ValueError, match=r"^uniform_int: hi must be .* 9223372036854775807\], got 2.5"):
        rng.uniform_int(0, 2.5)
    # What the signature says is what is drawn.
    lo, hi = (p.default for p in inspect.signature(rng.uniform_int).parameters.values())
    assert np.array_equal(rng.Generator(1).uniform_int(9), rng.Generator(1).uniform_int(9, lo, hi))


DTYPES = {
    "float16": ["half", "f2", np.half], "float32": ["single", "f4", "<f4", "=f4", np.single, np.dtype("f4"), "f32"], "float64": ["double", "f8", float, "float"],
    "complex64": ["c8", np.csingle], "complex128": ["complex", "c16", complex], "int8": ["i1", np.byte], "int16": ["i2", "short"], "int32": ["i4", np.intc],
    "int64": ["int", int, "longlong", np.longlong, np.int_], "uint8": ["u1", "ubyte"], "uint32": ["u4", np.uintc], "uint64": ["ulonglong", np.ulonglong],
}


def test_numpys_names_of_types():
    for name, others in DTYPES.items():
        law = rng.complex_normal() if name[0] == "c" else rng.uniform() if name[0] == "f" else rng.uniform_int(0, 100)
        expected = rng.sample(S, law, 3, dtype=name)
        for other in others:
            x = rng.sample(S, law, 3, dtype=other)
            assert x.dtype == name and np.array_equal(x, expected), other
            assert rng.at(S, law, 1, dtype=other) == expected[1].item()
    assert rng.Generator(1).bernoulli(3, dtype=np.bool_).dtype == bool


@pytest.mark.parametrize(("dtype", "message"), [
    ("i8", "'i8' is int8 in C\\+\\+ and int64 in NumPy: write 'int8' or 'int64'"), ("u8", "'u8' is uint8 in"), ("f16", "'f16' is float16 in"),
    (">f4", "byte order of this machine, got >f4"), (np.dtype(">f8"), "byte order of this machine, got >f8"), ("quadruple", "got quadruple"),
    ([1], "got "), (np.datetime64, "got datetime64"), (3, "got 3"),
])
def test_types_that_are_refused(dtype, message):
    for name, call in (("normal", lambda: rng.Generator(1).normal(3, dtype=dtype)), ("sample", lambda: rng.sample(S, rng.normal(), 3, dtype)),
                       ("at", lambda: rng.at(S, rng.normal(), 0, dtype=dtype)), ("sum", lambda: rng.sum(np.ones(3), dtype=dtype)),
                       ("RunningSum", lambda: rng.RunningSum(dtype))):
        with pytest.raises(TypeError, match=f"^{name}: dtype .*{message}"):
            call()


def test_where_the_size_stands():
    g = lambda: rng.Generator(7)  # noqa: E731
    assert np.array_equal(g().normal(size=3), g().normal(3)) and np.array_equal(g().normal(size=(2, 3), mean=1), g().normal((2, 3), 1))
    with pytest.raises(TypeError, match=r"^Generator\.normal\(\) got multiple values for argument 'size'"):
        g().normal(0, 1, size=5)
    for arguments, named in (((0, 1, 5), {}), ((0, 1), {}), ((), {}), ((), {"mean": 1}), ((0.0, 1.0, 5), {}), (("3",), {}), ((-1,), {}), ((None,), {})):
        with pytest.raises((TypeError, ValueError), match="^normal: size "):
            g().normal(*arguments, **named)
    with pytest.raises(TypeError, match=r"^poisson: size comes first, before the parameters, and 0, 5 may be NumPy's order"):
        g().poisson(0, 5)
    # Arrays without values, where nothing may be NumPy's order.
    n = 0
    assert [x.size for x in (g().normal(n), g().normal(n, 0.0, 1.0), g().normal((n,), 0, 1), g().normal(n, mean=0, stddev=1), g().uniform_int(n, 0, 9))] == [0] * 5


def test_a_lower_bound_reaches_no_default_of_the_upper_one():
    """NumPy's g.uniform(low, high) is g.uniform(size, lo) here."""
    g = rng.Generator(7)
    calls = {
        "uniform": [lambda: g.uniform(5, 1), lambda: g.uniform(10, 1.0), lambda: g.uniform(5, 7), lambda: g.uniform((5,), lo=1), lambda: g.uniform(5, 1, dtype="float32"),
                    lambda: g.uniform(5, np.float32(1)), lambda: g.uniform(5, np.array(1.0)), lambda: rng.at(S, rng.uniform(1), 0), lambda: rng.sample(S, rng.uniform(2.5), 3)],
        "uniform_open": [lambda: g.uniform_open(5, 1), lambda: g.uniform_open(5, 2)],
        "uniform_open_closed": [lambda: g.uniform_open_closed(5, 1)],
        "uniform_int": [lambda: g.uniform_int(5, 2**63 - 1), lambda: g.uniform_int(5, 255, dtype="uint8"), lambda: rng.uniform_int(2**64 - 1)],
        "sample": [lambda: rng.sample(S, rng.uniform_int(255), 3, "uint8"), lambda: rng.sample(S, rng.uniform_int(2**63 - 1), 3)],
        "fill": [lambda: rng.fill(np.empty(3, "u1"), rng.uniform_int(255), S), lambda: rng.fill(np.empty(3, "i2")[::2], rng.uniform_int(2**15 - 1), g)],
        "at": [lambda: rng.at(S, rng.uniform_int(255), 0, dtype="uint8")],
        "triangular": [lambda: g.triangular(5, 1), lambda: g.triangular(5, 1, 2)],
        "truncated_normal": [lambda: g.truncated_normal(5, 0, 1, 2), lambda: g.truncated_normal(5, lo=3)],
    }
    for name, refused in calls.items():
        for call in refused:
            with pytest.raises(TypeError, match=f"^{name}: (hi|right) is missing, and its default [0-9.]+ is not above (lo|left) = [0-9.]+; .* size comes first"):
                call()
    assert g.position == 0
    # A bound that is given may meet the other one, and a type of more numbers has a greater default.
    assert g.uniform(5, lo=1, hi=1).tolist() == g.uniform(5, 1, 1).tolist() == [1.0] * 5 and g.uniform(5, 0.5).min() >= 0.5
    assert rng.fill(np.empty(9, "i2"), rng.uniform_int(255), S).min() >= 255 and rng.fill(np.empty(3, "u1"), rng.uniform_int(255, 255), S).tolist() == [255] * 3
    assert g.uniform_int(9, 2**63, dtype="uint64").min() >= 2**63 and g.uniform_int(9, 255, 255, dtype="uint8").tolist() == [255] * 9
    assert g.truncated_normal(9, 0, 1, 1.5).min() >= 1.5 and g.triangular(9, 0.25).min() >= 0.25
    for call in (lambda: g.uniform_int(3, 300, dtype="uint8"), lambda: g.uniform_int(3, 2**63)):
        with pytest.raises(ValueError, match="^uniform_int: lo must be a whole number in "):
            call()


@pytest.mark.parametrize("n", [0, -1, 1025, 2**40, -(2**40), 2**64 - 1])
def test_the_number_of_threads_is_the_one_in_the_message(n):
    with pytest.raises(rng.InvalidArgument, match=rf"^set_num_threads: n must be in \[1, 1024\], got {n}$"):
        rng.set_num_threads(n)


def test_bools_are_no_sizes():
    g = rng.Generator(7)
    for size in (True, False, np.True_, np.array(True), (True, 2), [3, False], (np.True_,)):
        for name, call in (("normal", lambda: g.normal(size)), ("normal", lambda: g.normal(size, 0, 1)), ("unit_vector2", lambda: g.unit_vector2(size)),
                           ("sample", lambda: rng.sample(S, rng.normal(), size))):
            with pytest.raises(TypeError, match=f"^{name}: size must be an integer or a tuple of integers, got "):
                call()
    with pytest.raises(TypeError, match="^normal: size must be .* got False$"):
        g.normal(False, 1, 5)
    for n in (True, np.True_, np.array(True)):
        for name, call in (("permutation: n", lambda: rng.permutation(n, g)), ("choice: k", lambda: rng.choice(3, n, g)), ("Generator.split: n", lambda: g.split(n)),
                           ("Seeds.words: n", lambda: rng.Seeds(1).words("x", n)), ("bincount: minlength", lambda: rng.bincount(np.arange(3), minlength=n)),
                           ("svd_lowrank: q", lambda: rng.svd_lowrank(np.ones((3, 3)), n, generator=g)), ("TorchKey.split: n", lambda: rng.compat.torch_key(1).split(n)),
                           ("JaxKey.split: n", lambda: rng.compat.jax_key(1).split(n)), ("BitGenerator.spawn: n_children", lambda: rng.numpy.BitGenerator(1).spawn(n))):
            with pytest.raises(TypeError, match=f"^{name} must be an integer, got "):
                call()
    assert g.position == 0


@pytest.mark.parametrize("name, call, got", [
    ("normal: size", lambda g: g.normal(2**64 + 3), "18446744073709551619"), ("normal: size", lambda g: g.normal(2**62), "4611686018427387904"),
    ("normal: size", lambda g: g.normal((2**40, 2**40)), r"\(1099511627776, 1099511627776\)"), ("normal: size", lambda g: g.normal((0, 2**62)), r"\(0, 4611686018427387904\)"),
    ("unit_vector3: size", lambda g: g.unit_vector3(2**58), r"\(288230376151711744, 3\)"), ("normal: size", lambda g: g.normal(2**9999), "an integer of 10000 bits"),
    ("sample: size", lambda g: rng.sample(g, rng.normal(), 2**62), "4611686018427387904"), ("permutation: n", lambda g: rng.permutation(2**62, g), "4611686018427387904"),
    ("choice: k", lambda g: rng.choice(2**62, 2**61, g), "2305843009213693952"), ("bincount: minlength", lambda g: rng.bincount(np.arange(3), minlength=2**62), "4611686018427387904"),
])
def test_sizes_that_no_array_has(name, call, got):
    g = rng.Generator(7)
    with pytest.raises(rng.InvalidArgument, match=rf"^{name} must be at most 2\^58 values, got {got}$"):
        call(g)
    with pytest.raises(rng.InvalidArgument, match="^normal: size: .*dimension"):
        g.normal((1,) * 70)
    assert g.position == 0


@pytest.mark.parametrize("dtype", [None, "uint64", "int64"])
def test_integers_beyond_every_type(dtype):
    for bounds, got in (((0, 2**64), "18446744073709551616"), ((-(2**63) - 1, 0), "-9223372036854775809"), ((0, 1e30), "1e\\+30")):
        with pytest.raises(rng.InvalidArgument, match=rf"^uniform_int: (lo|hi) must be in \[-2\^63, 2\^63\), or \[0, 2\^64\) of uint64, got {got}$"):
            rng.Generator(7).uniform_int(2, *bounds, dtype=dtype)


def test_parameters_are_numbers_of_now():
    """An object that changes is not the number that it was."""

    class Cell:
        def __init__(self, value):
            self.value = value

        def __float__(self):
            return self.value

    cell = Cell(1.0)
    assert rng.normal(cell).parameters["mean"] == 1
    cell.value = 5.0
    assert rng.normal(cell).parameters["mean"] == 5
    assert rng.normal(np.array(2.5), np.float32(2)).parameters == {"mean": 2.5, "stddev": 2} and rng.poisson(np.array(3)).parameters == {"mean": 3}
    for value in (np.array([1.0, 2.0]), np.array([1]), np.ones((1, 1))):
        with pytest.raises(TypeError, match="^poisson: mean must be one number for all values, got ndarray$"):
            rng.Generator(1).poisson(3, value)


def test_elements_that_share_memory_are_refused():
    as_strided = np.lib.stride_tricks.as_strided
    windows = as_strided(np.zeros(6), (4, 3), (8, 8))
    for out, stride in ((as_strided(np.zeros(3), (4, 3), (0, 8)), "0 bytes for elements that take 8"), *((x, "8 bytes for elements that take 24") for x in (windows, windows.T))):
        for call in (lambda: normals(out), lambda: rng.index_add(out, np.arange(len(out)), np.ones_like(out)),
                     lambda: rng.compat.curand_uniform(out, rng.compat.curand(1))):
            with pytest.raises(ValueError, match=f"^[a-z_]*: out must have a place for each element, got a stride of {stride}"):
                call()
        assert not np.asarray(out).any()
    normals(np.zeros((4, 4)).diagonal().view(Writable))
    assert rng.sum(windows) == 0  # for reading they are as good as any


def test_a_shuffle_leaves_alone_what_it_cannot_write():
    as_strided, g = np.lib.stride_tricks.as_strided, rng.Generator(7)
    fixed = np.arange(3.0)
    fixed.flags.writeable = False
    with pytest.raises(TypeError, match="^shuffle: x is read-only$"):
        rng.shuffle(fixed, g)
    windows = as_strided(np.arange(6.0), (4, 3), (8, 8))
    for x, stride in ((windows, "8 bytes for elements that take 24"), (as_strided(np.arange(3.0), (4, 3), (0, 8)), "0 bytes for elements that take 8"),
                      (windows[::-1], "8 bytes for elements that take 24")):
        before = x.copy()
        with pytest.raises(ValueError, match=f"^shuffle: x must have a place for each element, got a stride of {stride}$"):
            rng.shuffle(x, g)
        assert np.array_equal(x, before)
    assert g.position == 0
    order = rng.permutation(4, S).tolist()
    for x in (np.arange(8)[::-2], np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1), np.zeros((4, 4)).diagonal().view(Writable), np.array(list("abcd"), object),
              np.zeros((4, 0)), np.arange(3)[:, None].repeat(4, 1).T[:, ::2], np.zeros(4, [("tag", "u1"), ("x", "f4")])):
        expected = x[order]
        rng.shuffle(x, S)
        assert np.array_equal(x, expected)


class Writable(np.ndarray):
    """A view of a diagonal, which NumPy gives away as read-only."""

    def __array_finalize__(self, _):
        self.flags.writeable = True


# What C++ calls the call, or what Python or nanobind say of it, is no use to whom it happens to.
WRONG = {
    "Stream": [lambda: rng.Stream("x"), lambda: rng.Stream(1, engine=3), lambda: rng.Stream(1, engine="mt19937"), lambda: rng.Stream(np.arange(2))],
    "Stream.from_key": [lambda: rng.Stream.from_key([1, 2], engine=None), lambda: rng.Stream.from_key(7), lambda: rng.Stream.from_key([1, 2], engine="x")],
    "Stream.fork": [lambda: S.fork(2**56), lambda: S.fork(1.5)],
    "Stream.at_position": [lambda: S.at_position(2**64), lambda: S.at_position(0.5)],
    "Generator": [lambda: rng.Generator(1, device="nonsense"), lambda: rng.Generator(1, device=3), lambda: rng.Generator(1, engine=3), lambda: rng.Generator(None)],
    "Generator.set_state": [lambda: rng.Generator(1).set_state(b"x"), lambda: rng.Generator(1).set_state("x"), lambda: rng.Generator(1).set_state(7)],
    "Generator.split": [lambda: rng.Generator(1).split(-1), lambda: rng.Generator(1).split(1.0)],
    "Generator.skip_words": [lambda: rng.Generator(1).skip_words(2**60)],
    "Generator.manual_seed": [lambda: rng.Generator(1).manual_seed("x")],
    "Distribution": [lambda: rng.Distribution("x"), lambda: rng.Distribution(7)],
    "normal": [lambda: rng.normal(0, -1), lambda: rng.normal(meen=1), lambda: rng.normal("0"), lambda: rng.normal(0, 1, 2),
               lambda: rng.Generator(1).normal(3, dtype="int32"), lambda: rng.Generator(1).normal(3, like=[1.0]), lambda: rng.Generator(1).normal(3, 1e300, dtype="float32")],
    "uniform": [lambda: rng.uniform(np.array("x")), lambda: rng.uniform("5"), lambda: rng.uniform(True), lambda: rng.uniform(float("nan"))],
    "uniform_int": [lambda: rng.uniform_int(-5, 2**64 - 1), lambda: rng.Generator(1).uniform_int(3, -5, 5, dtype="uint8")],
    "unit_vector3": [lambda: rng.Generator(1).unit_vector3("x")],
    "fill": [lambda: normals(np.empty(3, "i4")), lambda: normals(np.empty(3), first="x"),
             lambda: normals(np.empty(3, bool)), lambda: rng.fill(np.empty(3), rng.normal(), S.at_position(2**58))],
    "at": [lambda: rng.at(S, rng.normal(), 2**60), lambda: rng.at(S, rng.normal(), 2**64), lambda: rng.at(S, rng.normal(), 0, dtype="int8")],
    "sample": [lambda: rng.sample(3, rng.normal(), rng.Generator(1)), lambda: rng.sample(S, "normal", 3), lambda: rng.sample(S, rng.normal(), S)],
    "permutation": [lambda: rng.permutation("x", S), lambda: rng.permutation(3, 7)],
    "choice": [lambda: rng.choice(2**64 + 5, 3, S), lambda: rng.choice(3, 4, S), lambda: rng.choice(3, 2, None)],
    "shuffle": [lambda: rng.shuffle(3, S), lambda: rng.shuffle("abc", S), lambda: rng.shuffle([1], 3),
                lambda: rng.shuffle(np.broadcast_to(np.zeros(1), 4), S)],
    "sum": [lambda: rng.sum(np.ones((2, 2)), axis=(0, 1)), lambda: rng.sum(np.ones(3), axis=1), lambda: rng.sum(np.ones(3), axis=2**70), lambda: rng.sum([1.0])],
    "variance": [lambda: rng.variance(np.ones(3), correction="x"), lambda: rng.variance(np.ones(3), axis=0.0)],
    "segmented_sum": [lambda: rng.segmented_sum(np.ones(3), 3), lambda: rng.segmented_sum(np.arange(3), np.array([0, 3]))],
    "index_add": [lambda: rng.index_add(np.ones(3), np.array([3]), np.ones(1)), lambda: rng.index_add(np.ones(3), np.array([0]), np.ones(1), alpha="x"),
                  lambda: rng.index_add(np.ones(3), np.array([0]), np.ones(1), axis=None)],
    "scatter_add": [lambda: rng.scatter_add(np.ones(3), np.array([3]), np.ones(1)), lambda: rng.scatter_add(np.ones(3), np.array([0]), np.ones(1), axis="x")],
    "bincount": [lambda: rng.bincount(np.ones(3)), lambda: rng.bincount(np.arange(3), minlength=-1), lambda: rng.bincount(np.arange(3), np.ones(2))],
    "RunningSum.push": [lambda: rng.RunningSum().push(np.ones(3, "f4"), 0), lambda: rng.RunningSum().push(np.ones(3), "x"), lambda: rng.RunningSum().push(np.ones(3), 2**64),
                        lambda: rng.RunningSum().push(np.ones(3), -1)],
    "svd_lowrank": [lambda: rng.svd_lowrank(np.ones((3, 3)), q=1.5, generator=rng.Generator(1)), lambda: rng.svd_lowrank(np.ones((3, 3)), niter=-1, generator=rng.Generator(1)),
                    lambda: rng.svd_lowrank(np.full((3, 3), "x"), generator=rng.Generator(1))],
    "set_num_threads": [lambda: rng.set_num_threads(0), lambda: rng.set_num_threads("x"), lambda: rng.set_num_threads(2**40)],
    "Seeds": [lambda: rng.Seeds("x"), lambda: rng.Seeds(2**64)],
    "Seeds.bits": [lambda: rng.Seeds(1).bits("x", 65), lambda: rng.Seeds(1).bits("x", 1.5)],
    "seed_everything": [lambda: rng.seed_everything("x"), lambda: rng.seed_everything(2**64)],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_message_begins_with_the_name_in_python(name):
    for call in WRONG[name]:
        with pytest.raises((TypeError, ValueError, IndexError)) as error:
            call()
        text = str(error.value)
        assert text.startswith(name + ": ") and "incompatible function arguments" not in text and "::" not in text and "Any" not in text, text


def test_torch():
    torch = pytest.importorskip("torch")
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        x = torch.empty(1000, dtype=getattr(torch, dtype))
        normals(x)
        expected = [rng.at(S, rng.normal(), i, dtype=dtype) for i in range(1000)]
        assert x.double().tolist() == expected
    x = torch.zeros(4, 6)
    normals(x.T)
    assert np.array_equal(x.T.reshape(-1).numpy(), WHOLE)
    assert rng.Generator(7).normal((4, 6), like=x).flatten().tolist() == WHOLE.tolist()
