"""Arrays of every kind get the values of the whole in row-major order; what is no array, or cannot be written, is refused."""

import array

import librng as rng
import numpy as np
import pytest

S = rng.Stream(7)
WHOLE = rng.fill(np.empty(24, "f4"), rng.normal(), S)


def test_shapes_and_strides():
    for view in (np.zeros((4, 6), "f4"), np.zeros((2, 3, 4), "f4"), np.zeros((6, 4), "f4").T, np.zeros((4, 12), "f4")[:, ::2],
                 np.zeros(24, "f4")[::-1], np.zeros((8, 3, 2), "f4")[::2].transpose(2, 0, 1), np.zeros((1, 24), "f4")):
        assert np.array_equal(rng.fill(view, rng.normal(), S).ravel(), WHOLE)
        rng.fill(view, rng.normal(), rng.Generator(7))
        assert np.array_equal(view.ravel(), WHOLE)
    assert rng.fill(np.empty((3, 0), "f4"), rng.normal(), S).size == 0
    scalar = np.zeros((), "f4")
    assert rng.fill(scalar, rng.normal(), S) == WHOLE[0]


def test_elements_that_are_not_aligned():
    records = np.zeros(24, [("tag", "u1"), ("x", "f4")])
    assert np.array_equal(rng.fill(records["x"], rng.normal(), S), WHOLE) and not records["tag"].any()
    memory = bytearray(24 * 4 + 1)
    view = np.frombuffer(memory, "f4", offset=1)
    assert np.array_equal(rng.fill(view, rng.normal(), S), WHOLE)
    with pytest.raises(ValueError, match="aligned"):
        rng.svd_lowrank(view.reshape(4, 6), generator=rng.Generator(1))


def test_large_arrays_of_any_strides():
    expected = rng.fill(np.empty(300_000), rng.normal(), S)
    view = np.zeros((500, 600)).T
    assert np.array_equal(rng.fill(view, rng.normal(), S).ravel(), expected)
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
    assert np.array_equal(rng.fill(np.empty(4, "f4"), rng.normal(), S, first=20), WHOLE[20:])
    with pytest.raises(ValueError, match="first is for a Stream"):
        rng.fill(np.empty(4, "f4"), rng.normal(), rng.Generator(7), first=20)


def test_other_buffers():
    plain = array.array("f", [0] * 24)
    assert list(rng.fill(plain, rng.normal(), S)) == WHOLE.tolist()
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
        (TypeError, "out must be a writable array .* got list", lambda: rng.fill([1.0], rng.normal(), S)),
        (TypeError, "out is read-only", lambda: rng.fill(np.broadcast_to(np.zeros(1), 4), rng.normal(), S)),
        (TypeError, "out is read-only", lambda: rng.fill(bytes(4), rng.bits(), S)),
        (TypeError, "type without values", lambda: rng.fill(np.empty(3, "S4"), rng.normal(), S)),
        (TypeError, "type without values", lambda: rng.fill(np.empty(3, ">f4"), rng.normal(), S)),
        (TypeError, "source must be a Generator or a Stream, got int", lambda: rng.fill(np.empty(3), rng.normal(), 42)),
        (ValueError, "type of normal must be one of .* got i32", lambda: rng.fill(np.empty(3, "i4"), rng.normal(), S)),
        (ValueError, "stddev must be 0 or in .* got -1", lambda: rng.normal(0, -1)),
        (TypeError, "mean must be a number, got str", lambda: rng.normal("0")),
        (TypeError, "normal takes 2 parameters", lambda: rng.normal(0, 1, 2)),
        (TypeError, "two values of mean", lambda: rng.normal(0, mean=1)),
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


def test_torch():
    torch = pytest.importorskip("torch")
    for dtype in ("float32", "float64", "float16", "bfloat16"):
        x = torch.empty(1000, dtype=getattr(torch, dtype))
        rng.fill(x, rng.normal(), S)
        expected = [rng.at(S, rng.normal(), i, dtype=dtype) for i in range(1000)]
        assert x.double().tolist() == expected
    x = torch.zeros(4, 6)
    rng.fill(x.T, rng.normal(), S)
    assert np.array_equal(x.T.reshape(-1).numpy(), WHOLE)
    assert rng.Generator(7).normal((4, 6), like=x).flatten().tolist() == WHOLE.tolist()
