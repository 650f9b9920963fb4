"""Writes structured_answers.json: rows of the structured results, as the model makes them. With --check, compares."""

import json
from pathlib import Path

from engines import STREAM_ENGINES
from floats import BINARY32, BINARY64, to_float
from known_answers import fnv1a
from stream import Stream
from structured import (
    Ball,
    Dirichlet,
    HaarOrthogonal,
    HaarSpecialOrthogonal,
    HaarUnitary,
    Multinomial,
    MultivariateHypergeometric,
    MultivariateNormal,
    Sphere,
    Wishart,
    cholesky,
    weight_masses,
)
from written import write_or_check

PATH = Path(__file__).resolve().parent / "structured_answers.json"
# (seed, id, position): the plain start, and high bits everywhere with a position inside a slot.
PLACES = (42, 0, 0), (0xDEADBEEFCAFEF00D, 0x8000000000000005, 5)
ALPHAS = [1.0], [1.0] * 5, [0.5, 1.0, 2.5], [2.0**-20, 2.0**-20, 2.0**-20, 2.0**-20], [2.0**30, 1.0, 2.0**-20, 100.0, 0.75]
RESIDUE = [3.0, 3.0, 3.0, 3.0, 5.0, 3.0, 3.0, 3.0, 7.0]  # elimination leaves 2^-52 or so where 0 is exact
COVARIANCES = [2.25], [4.0, 2.0, 2.0, 3.0], RESIDUE, [4.0, 2.0, 6.0, 2.0, 1.0, 3.0, 6.0, 3.0, 10.0], [1.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0, 0.25]
KINDS = ([5], 3), ([13, 13, 13, 13], 5), ([0, 40000, 0, 1000, 30000], 30000), ([2**20, 3, 2**21], 2**20)
WEIGHTS = [3.0], [0.5, 0.25, 0.25], [0.0, 1.0, 2.0, 0.0, 2.0**-300, 7.5, 0.0], [8.0, 2.0**-45, 1.0]


def laws():
    """(parameters, law): everything that the test needs to make the same law."""
    for t in BINARY32, BINARY64:
        for alpha in ALPHAS:
            yield {"alpha": alpha}, Dirichlet(t, alpha)
        for covariance in COVARIANCES:
            d = round(len(covariance) ** 0.5)
            factor = [to_float(x) for x in cholesky(t, covariance, d)]
            mean = [k - 0.5 for k in range(d)]
            shared = {"dimension": d, "covariance": covariance, "factor": factor}
            yield shared | {"mean": mean}, MultivariateNormal(t, mean, factor)
            yield shared | {"df": d + 1.5}, Wishart(t, d + 1.5, factor, d)
        for d in 1, 2, 3, 9:
            yield {"dimension": d}, Sphere(t, d)
            yield {"dimension": d}, Ball(t, d)
        for d in 1, 2, 4:
            for law in HaarOrthogonal, HaarSpecialOrthogonal, HaarUnitary:
                yield {"dimension": d}, law(t, d)
    for bits, most in (32, 2**31 - 1), (64, 2**62):
        for trials in 0, 1, 100, most:
            for weights in WEIGHTS:
                yield {"trials": trials, "weights": weights, "masses": weight_masses(weights)}, Multinomial(bits, trials, weights)
        for counts, draws in KINDS:
            for k in 0, draws, sum(counts):
                yield {"counts": counts, "draws": k}, MultivariateHypergeometric(bits, counts, k)


def text(x, bits):
    return [text(part, bits) for part in x] if isinstance(x, list) else f"{x:0{bits // 4}x}"


def rows():
    for parameters, law in laws():
        for place in PLACES:
            for engine in STREAM_ENGINES if place is PLACES[1] else STREAM_ENGINES[:1]:
                seed, id, position = place
                stream = Stream.from_seed(seed, id, position, engine)
                yield {
                    "name": law.name,
                    "dtype": law.dtype,
                    **{key: hexed(x) for key, x in parameters.items()},
                    "engine": engine.name,
                    "seed": f"{seed:x}",
                    "id": f"{id:x}",
                    "position": position,
                    "rows": [[text(x, law.bits) for x in law.row_at(stream, i)] for i in (0, 3)],
                }


def hexed(x):
    """Numbers as text: floats in hexadecimal, large integers too."""
    if isinstance(x, list):
        return [hexed(part) for part in x]
    return x.hex() if isinstance(x, float) else f"{x:x}"


def digests():
    """Digests of the first rows: tests/matrix compares them on every platform. tests/matrix/row_digests.hpp has the same lists."""
    alpha, covariance, d = [0.5, 1.0, 2.5], [4.0, 2.0, 6.0, 2.0, 3.0, 3.0, 6.0, 3.0, 10.0], 3
    single, double = ([to_float(x) for x in cholesky(t, covariance, d)] for t in (BINARY32, BINARY64))
    laws = (
        Dirichlet(BINARY32, alpha),
        Dirichlet(BINARY64, alpha),
        MultivariateNormal(BINARY64, [-0.5, 0.5, 1.5], double),
        Wishart(BINARY32, 4.5, single, d),
        Sphere(BINARY32, 9),
        Ball(BINARY64, 3),
        HaarSpecialOrthogonal(BINARY32, 4),
        HaarUnitary(BINARY64, 3),
        Multinomial(32, 1000, [0.0, 1.0, 2.0, 0.5]),
        MultivariateHypergeometric(32, [13, 0, 20000, 40000], 25000),
    )
    flat = [("dirichlet_of_ones", Dirichlet(t, [1.0] * 5)) for t in (BINARY32, BINARY64)]
    for name, law in [(law.name, law) for law in laws] + flat:
        numbers = []
        for i in range(16):
            for x in law.row_at(Stream.from_seed(42), i):
                numbers += x if isinstance(x, list) else [x]
        yield {"name": name, "dtype": law.dtype, "digest": f"{fnv1a(numbers, law.bits // 8):016x}"}


def output():
    lines = ",\n".join("  " + json.dumps(row) for row in rows())
    others = ",\n".join("  " + json.dumps(row) for row in digests())
    return f'{{\n"contract": 1,\n"rows": [\n{lines}\n],\n"digests": [\n{others}\n]\n}}\n'


if __name__ == "__main__":
    write_or_check({PATH: output()})
