"""Generators and streams: children, states, pickles, threads, processes, interrupts."""

import copy
import os
import pickle
import signal
import threading
import time

import librng as rng
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


def test_seeds_are_taken_modulo_two_to_the_64():
    assert rng.Stream(-1) == rng.Stream(2**64 - 1) == rng.Stream(2**70 - 1)
    assert rng.Stream(np.int64(5)) == rng.Stream(5)


@pytest.mark.parametrize("engine", ["philox4x32-10", "threefry4x64-20"])
def test_states_and_pickles(engine):
    g = rng.Generator(42, engine=engine)
    g.normal(5)
    g.fork()
    state = g.get_state()
    assert len(state) == 88
    made = [pickle.loads(pickle.dumps(g, protocol)) for protocol in range(2, 6)] + [copy.copy(g), copy.deepcopy(g), g.clone()]
    other = rng.Generator(0)
    other.set_state(state)
    expected, child = g.clone().normal(9), g.clone().fork().stream()
    for again in [*made, other]:
        assert np.array_equal(again.normal(9), expected) and again.fork().stream() == child
    s = rng.Stream(3, 9, engine=engine).fork("x").at_position(12)
    assert pickle.loads(pickle.dumps(s)) == s and hash(copy.deepcopy(s)) == hash(s) and s != s.at_position(13)
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
