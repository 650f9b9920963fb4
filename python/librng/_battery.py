"""The statistical battery: whether a generator's bits look random."""

import json

from librng import _rng
from librng._checks import count, one_of
from librng._errors import InvalidArgument, Unsupported


class Report:
    """The result of a test. str() is a summary of a few lines, the verdict first."""

    def __init__(self, made):
        self.verdict = made["verdict"]
        self._summary, self._json, self._html = made["summary"], made["json"], made["html"]

    def __str__(self):
        return self._summary

    def __repr__(self):
        return f"<librng.Report {self.verdict}>"

    def to_dict(self):
        """Every look and every p-value, as `rng test --json` has them."""
        return json.loads(self._json)

    def html(self, path):
        """Writes the report as a web page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self._html)


def test(source, tier="quick", *, bytes=None, name=None, word_bits=32, threads=1, only=()):
    """Runs the battery, and returns a Report with the verdict "pass", "suspicious" or "fail".

    source is a Stream, a Generator (its stream, which does not move on), a generator or bit generator of NumPy, or a function that
    returns the next n bytes. tier is "quick" (1 GiB), "standard" (8 GiB) or "deep" (1 TiB), or bytes says how many are read.
    word_bits is the size of the source's own words: 8, 16, 32 or 64. `only` names tests. A sound generator fails with a probability
    of 1e-6 at most (docs/statistics.md)."""
    if not hasattr(_rng, "run_battery"):
        raise Unsupported("test: librng was built without Boost.Math and nlohmann/json, which the battery needs")
    subject, kind = source, type(source).__name__
    if isinstance(source, _rng.Generator):
        subject = source.stream()
    elif not isinstance(source, _rng.Stream):
        if hasattr(source, "bit_generator"):  # a generator of NumPy
            source, kind = source.bit_generator, type(source.bit_generator).__name__
        if hasattr(source, "random_raw"):
            subject = lambda n: source.random_raw(n // 8)  # noqa: E731
            word_bits = 64
        elif not callable(source):
            raise TypeError(f"test: the source must be a Stream, a Generator, a generator of NumPy or a function, got {kind}")
    one_of("test", "tier", tier, str, "a string")
    if name is not None:
        one_of("test", "name", name, str, "a string")
    if count("test", "word_bits", word_bits) not in (8, 16, 32, 64):
        raise InvalidArgument(f"test: word_bits must be 8, 16, 32 or 64, got {word_bits}")
    if count("test", "threads", threads) >= 2**31:
        raise InvalidArgument(f"test: threads must be in [0, 2^31), got {threads}")
    if isinstance(only, str) or not hasattr(only, "__iter__"):
        raise TypeError(f"test: only must be a list of names of tests, got {only!r}")
    only = [one_of("test", "a name of only", each, str, "a string") for each in only]
    return Report(_rng.run_battery(subject, name=name or kind, word_bits=word_bits, tier=tier, bytes=bytes, threads=threads, only=only))
