"""Generators and streams: children, states, pickles, threads, processes, interrupts."""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import librng as rng
from librng import compat
from librng.numpy import BitGenerator
import numpy as np
import pytest


def test_a_generator_is_its_stream_moving_on():
    g, s = rng.Generator(42), rng.Stream(42)
    assert g.stream() == s
    whole = rng.fill(np.empty(100), rng.normal(), s)
    assert np.array_equal(np.concatenate([g.normal(30), g.normal(70)]), whole)
    assert g.position == 200 and g.stream() == s.at_position(200)
    assert np.array_equal(rng.Generator(s.at_position(60)).normal(10), whole[30:40])


def test_children_differ():
    g = rng.Generator(42)
    children = [g.fork(), g.fork(), *g.split(3), g.fork(7), g.fork("seven"), g]
    first = {float(c.uniform(1)[0]) for c in children}
    assert len(first) == len(children)
    assert rng.Generator(42).fork(7).stream() == rng.Stream(42).fork(7)
    assert rng.Generator(42).fork("x").stream() == rng.Stream(42).fork("x")


def test_integers_below_zero_are_those_modulo_two_to_the_64():
    assert rng.Stream(-1) == rng.Stream(2**64 - 1) and rng.Stream(-(2**63)) == rng.Stream(2**63)
    assert rng.Stream(np.int64(5)) == rng.Stream(np.array(5)) == rng.Stream(5)


@pytest.mark.parametrize("wide", [2**64, 2**64 + 42, 2**70 - 1, -(2**63) - 1, 2**127])
def test_wider_integers_are_refused(wide):
    g, s, out = rng.Generator(1), rng.Stream(1), np.full(3, -1.0)
    for call in (lambda: rng.Stream(wide), lambda: rng.Stream(1, wide), lambda: rng.Stream.from_key([1, 2], wide), lambda: rng.Stream.from_key([1, 2], 0, wide),
                 lambda: rng.Stream.from_key([wide, 0], engine="philox4x64-10"), lambda: s.fork(wide), lambda: s.at_position(wide), lambda: rng.Generator(wide),
                 lambda: g.fork(wide), lambda: g.split(wide), lambda: g.manual_seed(wide), lambda: g.skip_words(wide), lambda: rng.at(s, rng.normal(), wide),
                 lambda: rng.fill(out, rng.normal(), s, first=wide), lambda: rng.permutation(wide, s), lambda: rng.choice(wide, 3, g), lambda: rng.choice(3, wide, g),
                 lambda: rng.RunningSum().push(out, wide), lambda: rng.Seeds(wide), lambda: rng.seed_everything(wide), lambda: compat.curand(wide),
                 lambda: compat.curand(1, wide), lambda: compat.curand(1, 0, wide), lambda: compat.mkl(wide), lambda: compat.torch_key(wide), lambda: compat.torch_key(1, wide),
                 lambda: compat.torch_key(1).fold_in(wide), lambda: compat.jax_key(wide), lambda: compat.jax_key(1).fold_in(wide), lambda: compat.tensorflow_generator(wide),
                 lambda: compat.tensorflow_stateless([1, wide]), lambda: compat.tensorflow_op(wide), lambda: compat.curand_generate(out, wide),
                 lambda: compat.curand_uniform(out, s, first=wide), lambda: compat.torch_uniform(out, (wide, 0)), lambda: compat.jax_uniform(out, (0, wide)),
                 lambda: compat.torch_cuda_rand(out.astype("f4"), wide, multiprocessors=1), lambda: BitGenerator(wide)):
        with pytest.raises(ValueError, match=r"^\w+(\.\w+)?: .* must be in .*got -?\d+"):
            call()
    assert g.position == 0 and (out == -1).all()


def test_keys_of_peers_have_their_own_width():
    """32 bits of JAX and oneMKL, 128 of NumPy's Philox."""
    assert compat.mkl(-1) == compat.mkl(2**32 - 1) and compat.jax_key(1).fold_in(-1) == compat.jax_key(1).fold_in(2**32 - 1)
    for call in (lambda: compat.mkl(2**32), lambda: compat.jax_key(1).fold_in(2**32), lambda: compat.jax_uniform(np.empty(3), (2**32, 0)),
                 lambda: compat.numpy_philox(key=2**128), lambda: compat.numpy_philox(key=-1)):
        with pytest.raises(ValueError, match=r"^\w+(\.\w+)?: .* must be in .*got -?\d+"):
            call()


def test_a_seed_of_128_bits():
    seed = 0x0123456789ABCDEF_FEDCBA9876543210
    wide = rng.Stream(seed % 2**64, seed >> 64)
    with pytest.raises(ValueError, match=r"a seed of 128 bits: Stream\(seed % 2\*\*64, seed >> 64\)$"):
        rng.Generator(seed)
    assert len({rng.at(s, rng.bits(), 0, dtype="uint64") for s in (wide, rng.Stream(seed % 2**64), rng.Stream(seed >> 64), wide.fork(0))}) == 4
    assert rng.Generator(wide).stream() == wide


def test_a_stream_chooses_the_engine_and_not_the_device():
    s = rng.Stream(3, 9, engine="threefry4x64-20").at_position(12)
    assert rng.Generator(s).stream() == rng.Generator(s, device="cpu").stream() == s
    assert rng.Generator(s).get_state() == rng.Generator(s.at_position(0)).get_state()[:0] + rng.Generator(s, device="cpu").get_state()
    with pytest.raises(ValueError, match="^Generator: device: must be cpu, cuda or cuda:N"):
        rng.Generator(s, device="nonsense")
    for source in (s, 7):  # the same answer, whether there is a GPU or not
        try:
            assert rng.Generator(source, device="cuda:0").device == "cuda:0"
        except rng.Unsupported as error:
            assert str(error).startswith("Generator: cuda:0 is not available")
    for engine in ("threefry4x64-20", "philox4x32-10"):
        with pytest.raises(TypeError, match="^Generator: engine must not be given beside a Stream, whose engine is threefry4x64-20"):
            rng.Generator(s, engine=engine)
        with pytest.raises(TypeError, match="^BitGenerator: engine must not be given beside a Stream"):
            BitGenerator(s, engine=engine)


@pytest.mark.parametrize("engine", ["philox4x32-10", "threefry4x64-20"])
def test_states_and_pickles(engine):
    g = rng.Generator(42, engine=engine)
    g.normal(5)
    g.fork()
    state = g.get_state()
    assert len(state) == 88
    made = [pickle.loads(pickle.dumps(g, protocol)) for protocol in range(6)] + [copy.copy(g), copy.deepcopy(g), g.clone()]
    other = rng.Generator(0)
    other.set_state(memoryview(bytearray(state)))
    expected, child = g.clone().normal(9), g.clone().fork().stream()
    for again in [*made, other]:
        assert np.array_equal(again.normal(9), expected) and again.fork().stream() == child
    s = rng.Stream(3, 9, engine=engine).fork("x").at_position(12)
    assert all(pickle.loads(pickle.dumps(s, protocol)) == s for protocol in range(6)) and hash(copy.deepcopy(s)) == hash(s) and s != s.at_position(13)
    d = rng.gamma(shape=2.5, scale=3)
    assert pickle.loads(pickle.dumps(d)) == d and d != rng.gamma(shape=2.5, scale=4) and d.parameters == {"shape": 2.5, "scale": 3}
    assert rng.normal(mean=0, stddev=2) == rng.normal(stddev=2.0, mean=0) != rng.laplace(0, 2)
    assert len({rng.normal(mean=0, stddev=2), rng.normal(stddev=2.0, mean=0)}) == 1
    with pytest.raises(rng.BadState, match="damaged"):
        other.set_state(state[:-1] + bytes([state[-1] ^ 1]))


def test_threads_never_overlap():
    g, parts = rng.Generator(42), []
    work = [threading.Thread(target=lambda: parts.append(rng.fill(np.empty(50_000, "u8"), rng.bits(), g))) for _ in range(8)]
    for t in work:
        t.start()
    for t in work:
        t.join()
    whole = rng.fill(np.empty(400_000, "u8"), rng.bits(), rng.Stream(42))
    assert np.array_equal(np.sort(np.concatenate(parts)), np.sort(whole))


def test_other_threads_run_beside_a_fill():
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    rng.fill(np.empty(30_000_000), rng.normal(), rng.Stream(1))
    done.set()
    thread.join()
    assert len(ticks) > 10


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timers")
def test_an_interrupt_ends_a_long_fill():
    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    out = np.empty(100_000_000, "f4")
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        start = time.perf_counter()
        with pytest.raises(KeyboardInterrupt):
            while True:
                rng.fill(out, rng.normal(), rng.Stream(1))
        assert time.perf_counter() - start < 5
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_fills():
    rng.fill(np.empty(1_000_000), rng.normal(), rng.Stream(1))
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writer, rng.fill(np.empty(1_000_000), rng.normal(), rng.Stream(2))[-1].tobytes())
        os._exit(0)
    os.waitpid(child, 0)
    assert np.frombuffer(os.read(reader, 8))[0] == rng.at(rng.Stream(2), rng.normal(), 999_999)


def test_order():
    s = rng.Stream(5)
    p = rng.permutation(5000, s)
    assert np.array_equal(np.sort(p), np.arange(5000))
    assert np.array_equal(rng.choice(5000, 10, s), p[:10])
    g = rng.Generator(5)
    assert np.array_equal(rng.permutation(5000, g), p) and g.position == 4
    x, y = list(range(5000)), np.arange(10_000).reshape(5000, 2)
    rng.shuffle(x, s)
    rng.shuffle(y, s)
    assert x == p.tolist() and np.array_equal(y[:, 0], 2 * p)


def test_seeds_of_other_packages():
    import random

    seeds = rng.Seeds(42)
    assert seeds["numpy"] == rng.at(rng.Stream(42).fork("numpy"), rng.bits(), 0, dtype="uint64") != seeds["torch"]
    assert seeds.bits("jax", 63) == seeds["jax"] >> 1
    before = random.getstate()
    with rng.seed_everything(42):
        first = random.random(), float(np.random.random())
    assert random.getstate() == before
    rng.seed_everything(42)
    assert (random.random(), float(np.random.random())) == first
    assert 0 <= rng.entropy_seed() < 2**64


def test_seeds_of_numpy_with_a_bit_generator_of_ours():
    before = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(BitGenerator(1))
        with rng.seed_everything(3):
            first = np.random.random(5).tolist()
        with rng.seed_everything(3):
            assert np.random.random(5).tolist() == first
        assert np.random.random() == rng.at(rng.Stream(1), rng.uniform(), 0)
        np.random.seed()
        assert np.random.random(5).tolist() != first
    finally:
        np.random.set_bit_generator(before)


def test_the_parts_of_the_package_come_when_they_are_touched():
    program = ("import sys, librng as rng; assert not {'numpy', 'librng.numpy', 'librng.compat', 'librng.torch'} & set(sys.modules); "
               "rng.numpy.BitGenerator(1); rng.compat.curand(1); assert not hasattr(rng, 'nothing')")
    subprocess.run([sys.executable, "-c", program], check=True)
