"""Blocks, words, domains, slots, retry streams and forks: against published values and against the contract's properties."""

import unittest
from dataclasses import replace

from engines import PHILOX4X32_10, PHILOX4X64_10, STREAM_ENGINES, THREEFRY4X32_20, Engine, philox, threefry
from floats import BINARY32, BINARY64
from known_answers import NAMES, read_vectors
from maps import REAL_DISTRIBUTIONS, Bernoulli, Bits, Exponential, Normal, UniformInt, at, fill
from stream import EndOfStream, Stream, RetryStream, name_tag

POSITIONS = (0, 1, 2, 3, 5, 4 * 2**32 - 3)


def all_distributions():
    yield from (Bits(32), Bits(64), UniformInt(16, 0, 9), UniformInt(64, 0, 2**63), Bernoulli(0.25))
    for distribution in REAL_DISTRIBUTIONS:
        yield from (distribution(BINARY32), distribution(BINARY64))


class PublishedValues(unittest.TestCase):
    def test_random123(self):
        vectors = list(read_vectors())
        self.assertEqual(len(vectors), 60)
        for engine, counter, key, block in vectors:
            self.assertEqual(engine.block(counter, key), block, engine)

    def test_std_philox_10000th(self):
        """C++26 [rand.predef]."""
        self.assertEqual(Stream.from_seed(20111115).word(9999), 1955073260)
        self.assertEqual(Stream.from_seed(20111115, engine=PHILOX4X64_10).word64(2 * 9999), 3409172418970261260)

    def test_curand_through_torch(self):
        """torch.manual_seed(0); torch.rand(10, device="cuda"), twice: curand_init(0, i, 0 and then 4) and curand_uniform."""
        first = [0.3990, 0.5167, 0.0249, 0.9401, 0.9459, 0.7967, 0.4150, 0.8203, 0.2290, 0.9096]
        second = [0.9722, 0.7910, 0.4690, 0.3300, 0.3345, 0.3783, 0.7640, 0.6405, 0.1103, 0.3594]
        for position, published in (0, first), (4, second):
            words = [Stream.from_seed(0, i).word(position) for i in range(10)]
            self.assertEqual([round(w * 2.0**-32 + 2.0**-33, 4) for w in words], published)

    def test_curand_counter_layout(self):
        """curand_init(seed, subsequence, offset): counter {offset / 4 : 64, subsequence : 64}, words x, y, z, w."""
        seed, subsequence = 0x0123456789ABCDEF, 0xFEDCBA9876543210
        s = Stream.from_seed(seed, subsequence)
        for offset in 0, 3, 4, 4 * 2**32 - 1, 4 * 2**32, 4 * 2**55 + 2:
            b = offset // 4
            counter = (b & 0xFFFFFFFF, b >> 32, subsequence & 0xFFFFFFFF, subsequence >> 32)
            block = philox(4, 32, 10, counter, (seed & 0xFFFFFFFF, seed >> 32))
            self.assertEqual(s.word(offset), block[offset % 4])


class Counters(unittest.TestCase):
    def test_layout(self):
        s = Stream.from_seed(1, 0x0102030405060708)
        self.assertEqual(s.counter(0x12_3456_789A_BCDE, 0xEF), (0x789ABCDE, 0xEF123456, 0x05060708, 0x01020304))
        s = replace(s, engine=PHILOX4X64_10)
        self.assertEqual(s.counter(0x12_3456_789A_BCDE, 0xEF), (0xEF123456789ABCDE, 0, 0x0102030405060708, 0))

    def test_seeding_is_zero_extension(self):
        seed = 0x1122334455667788
        keys = [Stream.from_seed(seed, engine=e).key for e in STREAM_ENGINES]
        low, high = 0x55667788, 0x11223344
        self.assertEqual(keys, [(low, high), (low, high), (seed, 0), (low, high, 0, 0), (seed, 0, 0, 0)])

    def test_64_bit_engines_give_the_low_half_first(self):
        s = Stream.from_seed(3, engine=PHILOX4X64_10)
        block = philox(4, 64, 10, (1, 0, 0, 0), (3, 0))
        self.assertEqual([s.word(8 + k) for k in range(4)], [block[0] & 0xFFFFFFFF, block[0] >> 32, block[1] & 0xFFFFFFFF, block[1] >> 32])

    def test_no_counter_serves_two_domains(self):
        """Every counter that draws, pairs, retry streams and forks of one stream really use, recorded."""
        for base in STREAM_ENGINES:
            used = {}
            engine = Engine(base.family, base.words, base.bits, base.rounds)
            original, purpose = engine.block, [None]

            def recording(counter, key, original=original, used=used, purpose=purpose):
                used.setdefault((counter, key), set()).add(purpose[0])
                return original(counter, key)

            engine.block = recording
            s = Stream.from_seed(5, 6, 0, engine)
            jobs = {"draws": [Bits(32)], "pairs f32": [Normal(BINARY32)], "pairs f64": [Normal(BINARY64)]}
            for purpose[0], distributions in jobs.items():
                for d in distributions:
                    fill(s, d, 32)
            for name, child in (("tags", s.fork), ("counts", s.counted_child), ("private", s.private_stream)):
                purpose[0] = name
                for k in range(64):
                    child(k)
            purpose[0] = "names"
            for name in NAMES:
                s.fork(name)
            shared = {c: p for c, p in used.items() if len(p) > 1}
            self.assertEqual(shared, {})
            self.assertEqual(set().union(*used.values()), {*jobs, "tags", "counts", "private", "names"})

    def test_private_streams_differ_by_lane(self):
        for engine in STREAM_ENGINES:
            s = Stream.from_seed(5, 6, 0, engine)
            children = [s.private_stream(p) for p in range(3 * engine.words32)]
            self.assertEqual(len({(c.key, c.id) for c in children}), len(children))


class Fills(unittest.TestCase):
    def test_concatenation(self):
        for engine in STREAM_ENGINES:
            for d in all_distributions():
                for position in POSITIONS:
                    s = Stream.from_seed(11, 3, position, engine)
                    whole, after_whole = fill(s, d, 8)
                    first, middle = fill(s, d, 3)
                    second, after = fill(middle, d, 5)
                    self.assertEqual(first + second, whole)
                    self.assertEqual(after, after_whole)

    def test_random_access_is_by_position(self):
        """Value i of a fill is value 0 of a stream placed at its slot."""
        for engine in STREAM_ENGINES:
            for d in all_distributions():
                for position in POSITIONS:
                    s = Stream.from_seed(11, 3, position, engine)
                    values, _ = fill(s, d, 6)
                    rounded = (position + d.slot - 1) & -d.slot
                    for i, value in enumerate(values):
                        self.assertEqual(at(s, d, i), value)
                        self.assertEqual(at(replace(s, position=rounded + i * d.slot), d, 0), value)

    def test_rounding_up(self):
        s = Stream.from_seed(11, 0, 5)
        values, after = fill(s, Bits(64), 2)
        self.assertEqual(values, [s.word(6) | s.word(7) << 32, s.word(8) | s.word(9) << 32])
        self.assertEqual(after.position, 10)
        self.assertEqual(fill(s, Bits(32), 2)[0], [s.word(5), s.word(6)])

    def test_end_of_stream(self):
        for engine in STREAM_ENGINES:
            end = engine.words32 * 2**56
            s = Stream.from_seed(1, 0, end - 3, engine)
            for d, fits in (Bits(32), 3), (Bits(64), 1), (Normal(BINARY32), 3), (Exponential(BINARY64), 1):
                values, after = fill(s, d, fits)
                self.assertEqual((len(values), after.position), (fits, end))
                self.assertEqual(fill(after, d, 0)[0], [])
                for failing in (lambda: fill(s, d, fits + 1), lambda: at(s, d, fits), lambda: at(after, d, 0)):
                    self.assertRaises(EndOfStream, failing)
            for failing in (lambda: s.word(end), lambda: s.fork(2**56), lambda: s.counted_child(2**56), lambda: s.word(-1)):
                self.assertRaises(EndOfStream, failing)


class RetryStreams(unittest.TestCase):
    def test_slot_then_private_stream(self):
        for engine in STREAM_ENGINES:
            s = Stream.from_seed(9, 8, 0, engine)
            for slot, position in (1, 7), (2, 6), (2, 2**40):
                private = s.child(position // engine.words32, 1 + position % engine.words32)
                retry_stream = RetryStream(s, position, slot)
                expected = [s.word(position + k) for k in range(slot)] + [private.word(k) for k in range(5)]
                self.assertEqual([retry_stream.word() for _ in expected], expected)

    def test_rejection_stays_on_the_retry_stream(self):
        """A span just above 2^63 rejects every second pair of words; the slots of other values are never read."""
        s = Stream.from_seed(42)
        d = UniformInt(64, 0, 2**63)
        values, _ = fill(s, d, 64)
        used_private = 0
        for i, value in enumerate(values):
            private = s.private_stream(2 * i)
            candidates = [s.word64(2 * i)] + [private.word64(2 * k) for k in range(40)]
            accepted = [w for w in candidates if w * (2**63 + 1) % 2**64 >= 2**64 % (2**63 + 1)]
            self.assertEqual(value, accepted[0] * (2**63 + 1) >> 64)
            used_private += accepted[0] != candidates[0]
        self.assertTrue(16 < used_private < 48)


class Forks(unittest.TestCase):
    def test_children_by_engine(self):
        for engine in STREAM_ENGINES:
            s = Stream.from_seed(77, 88, 0, engine)
            for child, domain in (s.fork(7), 255), (s.counted_child(7), 254), (s.private_stream(7 * engine.words32 + 2), 3):
                if engine.bits == 32:
                    counter = (7, domain << 24, 88, 0)
                else:
                    counter = (7 | domain << 56, 0, 88, 0)
                words = {"philox": philox, "threefry": threefry}[engine.family](4, engine.bits, engine.rounds, counter, s.key)
                expected = {
                    ("philox", 32): (words[:2], words[2] + 2**32 * words[3]),
                    ("philox", 64): (words[:2], words[2]),
                    ("threefry", 32): (words, 0),
                    ("threefry", 64): (words, 0),
                }[engine.family, engine.bits]
                self.assertEqual((child.key, child.id, child.position, child.engine), (*expected, 0, engine))

    def test_forks_ignore_the_position(self):
        for engine in STREAM_ENGINES:
            s = Stream.from_seed(1, 2, 0, engine)
            for tag in 0, 2**56 - 1, "worker":
                self.assertEqual(replace(s, position=12345).fork(tag), s.fork(tag))

    def test_kinds_of_children_differ(self):
        s = Stream.from_seed(1, 2)
        t = name_tag("worker")
        self.assertEqual(len({s.fork(t), s.fork("worker"), s.counted_child(t), s}), 4)
        self.assertEqual(s.fork("worker"), s.child(t, 253))

    def test_name_hash(self):
        def cipher(message, h):
            out = threefry(2, 64, 20, message, h)
            return out[0] ^ message[0], out[1] ^ message[1]

        word = lambda text: int.from_bytes(text, "little")
        low56 = 2**56 - 1
        self.assertEqual(name_tag(""), cipher((0, 0), (0, 0))[0] & low56)
        h = cipher((word(b"seventee"), word(b"n byte n")), (0, 0))
        h = cipher((word(b"m"), 0), h)
        self.assertEqual(name_tag("seventeen byte nm"), cipher((17, 0), h)[0] & low56)
        h = cipher((word("π".encode()), 0), (0, 0))
        self.assertEqual(name_tag("π"), cipher((2, 0), h)[0] & low56)

    def test_padding_and_length_count(self):
        names = ["", "\0", "\0" * 16, "\0" * 17, "a", "a\0", "a" * 15, "a" * 16, "a" * 17, *NAMES]
        self.assertEqual(len({name_tag(n) for n in names}), len(set(names)))

    def test_threefry_children_drop_the_id(self):
        s = Stream.from_seed(4, 9, 0, THREEFRY4X32_20)
        self.assertEqual(s.fork(1).id, 0)
        self.assertNotEqual(s.fork(1).key, replace(s, id=10).fork(1).key)


if __name__ == "__main__":
    unittest.main()
