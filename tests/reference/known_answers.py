"""The single values that known_answers.json lists. Integers above 2^32 are written as hexadecimal strings."""

from pathlib import Path

from engines import PHILOX4X32_10, STREAM_ENGINES, Engine
from floats import BINARY32, BINARY64, negate, to_float
from kernels import neglog, sincos
from maps import Bernoulli, Exponential, Normal, NormalIcdf, UniformInt, at
from categorical import Categorical, CategoricalIcdf
from permutation import Permutation, weighted_choice
from piecewise import PiecewiseConstant, PiecewiseLinear
from quantile import normal_quantile
from samplers import Trial, TruncatedNormal, VonMises
from stream import COUNTED_FORKS, PAIRS_32, PAIRS_64, Stream, name_tag

VECTORS = Path(__file__).resolve().parent / "random123_vectors.txt"

PLACES = ((42, 0, 0), (0xDEADBEEFCAFEF00D, 0x8000000000000005, 3))
# A block each, none, one byte more than one, a partial one, and two-byte and three-byte characters.
NAMES = ("", "a", "worker", "sixteen byte nam", "seventeen byte nm", "größe-π-乱数")
TAGS = (0, 1, 7, 2**56 - 1)
COUNTS = (0, 1, 2**32)

INTEGERS = (
    (8, 0, 255),
    (8, -128, 127),
    (16, 0, 9),
    (16, -100, 100),
    (16, 0, 2**16 - 1),
    (32, 1, 6),
    (32, -(2**31), 2**31 - 1),
    (32, 0, 2**32 - 2),
    (64, 0, 999_999_999_999),
    (64, -(2**63), 2**63 - 1),
    (64, 0, 2**63),  # rejects almost every second word pair
)
# The span that rejects most among those of 16 bits still rejects one word in 65930: at this place it is the third value's.
RARE_REJECTION = ((16, 0, 65174), (42, 0, 147790))
PROBABILITIES = (0.0, 2.0**-34, 2.0**-32, 0.25, 0.5, 1 / 3, 1 - 2.0**-32, 1 - 2.0**-34, 1.0)


def hex_word(x, bits=64):
    return f"0x{x:0{bits // 4}x}"


def hex_words(words, bits=64):
    return [hex_word(w, bits) for w in words]


def read_vectors(path=VECTORS):
    """(engine, counter, key, block) of every line of Random123's known answers."""
    for line in path.read_text().splitlines():
        if line.startswith("#"):
            continue
        name, rounds, *fields = line.split()
        family, shape = name[:-4], name[-4:]
        engine = Engine(family, int(shape[0]), int(shape[2:]), int(rounds))
        words = tuple(int(x, 16) for x in fields)
        n, k = engine.words, engine.key_words
        yield engine, words[:n], words[n : n + k], words[n + k :]


def place(stream, seed):
    return {"engine": stream.engine.name, "seed": hex_word(seed), "id": hex_word(stream.id), "position": stream.position}


def child_of(stream):
    return {"child_key": hex_words(stream.key, stream.engine.bits), "child_id": hex_word(stream.id)}


def blocks():
    for engine, counter, key, block in read_vectors():
        parts = {"counter": counter, "key": key, "block": block}
        yield {"engine": engine.name} | {name: hex_words(words, engine.bits) for name, words in parts.items()}


def streams():
    for engine in STREAM_ENGINES:
        for seed, id, position in (*PLACES, (20111115, 1, (engine.words32 << 32) - 5), (7, 9, (engine.words32 << 56) - 8)):
            s = Stream.from_seed(seed, id, position, engine)
            for domain in 0, PAIRS_32, PAIRS_64, COUNTED_FORKS:
                words = [s.word(position + k, domain) for k in range(8)]
                yield place(s, seed) | {"domain": domain, "words": hex_words(words, 32)}


def names():
    for name in NAMES:
        yield {"name": name, "utf8": name.encode().hex(), "tag": hex_word(name_tag(name))}


def forks():
    for engine in STREAM_ENGINES:
        for seed, id, position in PLACES:
            s = Stream.from_seed(seed, id, position, engine)
            for tag in TAGS:
                yield place(s, seed) | {"tag": hex_word(tag)} | child_of(s.fork(tag))
            for name in NAMES:
                yield place(s, seed) | {"name": name} | child_of(s.fork(name))
            for count in COUNTS:
                yield place(s, seed) | {"count": hex_word(count)} | child_of(s.counted_child(count))
            grandchild = s.fork(7).fork("worker")
            yield place(s, seed) | {"tag": hex_word(7), "then_name": "worker"} | child_of(grandchild)


def private_streams():
    for engine in STREAM_ENGINES:
        s = Stream.from_seed(42, 5, 0, engine)
        for slot_position in *range(engine.words32), (engine.words32 << 32) + 3:
            p = s.private_stream(slot_position)
            words = [p.word(k) for k in range(4)]
            yield place(s, 42) | {"slot_position": slot_position} | child_of(p) | {"words": hex_words(words, 32)}


def integers():
    cases = [(bounds, where) for bounds in INTEGERS for where in PLACES]
    for (bits, lo, hi), (seed, id, position) in [*cases, RARE_REJECTION]:
        s = Stream.from_seed(seed, id, position)
        d = UniformInt(bits, lo, hi)
        bounds = {"bits": bits, "lo": str(lo), "hi": str(hi)}
        yield place(s, seed) | bounds | {"values": [str(at(s, d, i)) for i in range(8)]}


def bernoulli():
    for p in PROBABILITIES:
        for seed, id, position in PLACES:
            s = Stream.from_seed(seed, id, position)
            d = Bernoulli(p)
            values = [at(s, d, i) for i in range(16)]
            yield place(s, seed) | {"p": p.hex(), "threshold": d.threshold, "values": values}


def values():
    """The first values of maps on every engine: the goldens cover Philox4x32-10 alone."""
    for engine in STREAM_ENGINES:
        for format in BINARY32, BINARY64:
            for distribution in Exponential(format), Normal(format), NormalIcdf(format):
                for seed, id, position in PLACES:
                    s = Stream.from_seed(seed, id, position, engine)
                    bits = hex_words([at(s, distribution, i) for i in range(6)], format.bits)
                    yield place(s, seed) | {"name": distribution.name, "dtype": distribution.dtype, "values": bits}


def fnv1a(values, size):
    """FNV-1a, 64 bits, of values as little-endian bytes."""
    h = 0xCBF29CE484222325
    for value in values:
        for byte in value.to_bytes(size, "little"):
            h = (h ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return h


def prepared():
    """Digests of the numbers that maps prepare, for many parameters: tests/matrix compares them on every platform."""
    for format in BINARY32, BINARY64:
        numbers = {"gamma": [], "von_mises": [], "truncated_normal": []}
        for k in range(256):
            x = (256 + k) / 256 * 2.0 ** (k % 20 - 12)
            trial = Trial(format, format.exactly(x))
            numbers["gamma"] += trial.d, trial.three_d, trial.c, negate(trial.inverse)
            circular = VonMises(format, 0.0, x)
            numbers["von_mises"] += circular.narrowing, circular.least
            lo = -x if k % 3 == 0 else x
            hi = to_float(format.add(format.exactly(lo), format.exactly((k + 1) / 32)))
            bounded = TruncatedNormal(format, 0.0, 1.0, lo, hi)
            numbers["truncated_normal"] += bounded.near, bounded.width, bounded.mean_step, bounded.least_bar
        for name, values in numbers.items():
            digest = fnv1a([format.to_bits(x) for x in values], format.bits // 8)
            yield {"name": name, "dtype": format.name, "digest": f"{digest:016x}"}


# Boundaries, densities; those of piecewise_linear have one more. All are values of float. tests/support/piece_lists.hpp has
# the same lists.
PIECES = (
    ((0.0, 1.0), (2.0,), (0.0, 3.0)),
    ((-1.0, 0.0, 0.5, 4.0), (1.0, 0.0, 0.25), (1.0, 0.0, 0.0, 2.5)),
    ((-0.75, -0.5, 0.0, 2.0**-40, 1.0, 1000.0), (0.0, 3.0, 7.5, 0.0, 2.0**-30), (0.0, 3.0, 0.0, 2.0**70, 0.0, 0.0)),
    (tuple(k * k / 64 - 8.0 for k in range(41)), tuple(k % 7 / 8 for k in range(40)), tuple(k % 5 / 4 for k in range(41))),
    ((0.0, 0.8125, 11.0), (5.0, 3.0), (3.0, 7.0, 1.0)),  # ratios of densities that are rounded, values near 0
)
PIECEWISE_VALUES = 512


def piecewise():
    """Masses, values of the words at both ends of each piece, the first values of a stream, and a digest of n of them."""
    for k, (boundaries, constant, linear) in enumerate(PIECES):
        for law, densities in (PiecewiseConstant, constant), (PiecewiseLinear, linear):
            for format in BINARY32, BINARY64:
                d = law(format, boundaries, densities)
                ends, first = [], 0
                for mass in d.masses:
                    ends += [first, first + mass // 3, first + mass - 1] if mass else []
                    first += mass
                values = [at(Stream.from_seed(42), d, i) for i in range(PIECEWISE_VALUES)]
                yield {
                    "name": d.name,
                    "dtype": d.dtype,
                    "lists": k,
                    "boundaries": [x.hex() for x in boundaries],
                    "densities": [x.hex() for x in densities],
                    "masses": hex_words([m % 2**64 for m in d.masses], 64),
                    "words": hex_words(ends, 64),
                    "values_of_words": hex_words([d.of_word(w) for w in ends], format.bits),
                    "values": hex_words(values[:16], format.bits),
                    "n": len(values),
                    "digest": f"{fnv1a(values, format.bits // 8):016x}",
                }


PERMUTED = (1, 2, 5, 52, 2047, 2048, 2049, 4096, 65537, 1_000_000, 2**32, 2**32 + 1, 2**61 + 1, 2**62)
# Permutation 2 of the second place has its slot at word 12: inside a block of 8 words.
# Of 3693 permutations of 2048 this is the first with a rejected word: that of place 1680.
RARELY_PERMUTED = (42, 0, 0), 2048, 3692


def permutations():
    """Values at both ends and in the middle, and a digest of all values where they are few."""
    cases = [(engine, where, n, k) for engine in STREAM_ENGINES for n in PERMUTED for where, k in zip(PLACES, (0, 2), strict=True)]
    for engine, (seed, id, position), n, k in [*cases, (PHILOX4X32_10, *RARELY_PERMUTED)]:
        s = Stream.from_seed(seed, id, position, engine)
        p = Permutation(s, n, k)
        indices = sorted({i % n for i in (0, 1, 2, 3, n // 3, n // 2, n - 2, n - 1)})
        row = place(s, seed) | {"n": hex_word(n), "k": k, "indices": hex_words(indices)}
        row["values"] = hex_words([p.value(i) for i in indices])
        if n <= 4096:
            row["digest"] = f"{fnv1a([p.value(i) for i in range(n)], 4):016x}"
        yield row


CHOICES = (
    ([1.0, 2.0, 0.0, 4.0, 0.5], 4),
    ([3.0] * 40, 40),
    ([2.0 ** (k * 7 % 601 - 300) for k in range(200)], 12),
    ([0.0, 2.0**-300, 0.0], 1),
)


def choices():
    for engine in STREAM_ENGINES:
        for weights, k in CHOICES if engine == PHILOX4X32_10 else CHOICES[:1]:
            for seed, id, position in PLACES:
                s = Stream.from_seed(seed, id, position, engine)
                row = place(s, seed) | {"weights": [w.hex() for w in weights], "k": k}
                yield row | {"values": weighted_choice(s, weights, k)}


# All are values of float. tests/support/piece_lists.hpp has the same lists.
WEIGHTS = (
    (2.0,),
    (1.0, 0.0, 2.5),
    (0.0, 3.0, 2.0**-126, 7.5, 0.0, 2.0**-30, 2.0**40),
    tuple(k % 7 / 8 + k % 11 for k in range(100)),
    tuple(float(1 + k % 3) for k in range(64)),
)
CATEGORIES = 512
WIDE = 31  # bits of a category, as of 2^30 weights and more


def categorical():
    """Units and aliases, values of the first and last word of each cell or mass, and values of a stream."""
    for k, weights in enumerate(WEIGHTS):
        alias, icdf, wide = Categorical(weights), CategoricalIcdf(weights), Categorical(weights, WIDE)
        count, first, ends = len(weights), 0, []
        for i in range(count):
            words = [-(-i * 2**64 // count), -(-(i + 1) * 2**64 // count) - 1]
            ends += words if count < 16 or i % 9 == 0 else []
        for mass in icdf.masses:
            ends += [first, first + mass - 1] if mass and count < 16 else []
            first += mass
        row = {"lists": k, "weights": [x.hex() for x in weights], "entries": hex_words([a << 24 | b for a, b in alias.entries], 64)}
        row |= {"wide_entries": hex_words([a << WIDE | b for a, b in wide.entries], 64), "wide_of_words": [wide.of_word(w) for w in ends]}
        row |= {"masses": hex_words([m % 2**64 for m in icdf.masses], 64), "words": hex_words(ends, 64)}
        for law in alias, icdf:
            values = [at(Stream.from_seed(42), law, i) for i in range(CATEGORIES)]
            row |= {f"{law.name}_of_words": [law.of_word(w) for w in ends], f"{law.name}_digest": f"{fnv1a(values, 4):016x}"}
        yield row | {"n": CATEGORIES}


def edge_words(bits):
    """Words at which the kernels change branch, convert or round at the limit, with both neighbours."""
    centres = [0, *(k << bits - 3 for k in range(1, 8)), *(1 << bits - k for k in (8, 9, 22)), 1 << bits // 2, 1 << bits // 4, 0xB504F334 << bits - 32, 0x5A82799A << bits - 32]
    return sorted({(c + d) & (1 << bits) - 1 for c in centres for d in (-1, 0, 1)})


def kernels():
    for format in BINARY32, BINARY64:
        for w in edge_words(format.bits):
            sine, cosine = sincos(format, w)
            results = {"neglog": neglog(format, w), "sin": sine, "cos": cosine, "quantile": normal_quantile(format, w)}
            row = {"dtype": format.name, "word": hex_word(w, format.bits)}
            yield row | {name: hex_word(format.to_bits(x), format.bits) for name, x in results.items()}


def known_answers():
    sections = blocks, streams, names, forks, private_streams, integers, bernoulli, values, prepared, piecewise, categorical, permutations, choices, kernels
    return {"contract": 1} | {section.__name__: list(section()) for section in sections}
