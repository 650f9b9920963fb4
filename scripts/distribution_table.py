"""The table of distributions, include/rng/distributions/distributions.inc, for scripts and tests."""

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parent.parent / "include" / "rng" / "distributions" / "distributions.inc"

# [(name, header, [types of values])], in the order of the catalogue; bernoulli and rademacher have one type, and do not name it.
DISTRIBUTIONS = [(name, header, types.split(", ")[1:]) for name, header, types in
                 re.findall(r"^RNG_(?:PLAIN_)?DISTRIBUTION\((\w+), ([\w.]+)((?:, \w+)*)\)$", TABLE.read_text(), re.MULTILINE)]

# The catalogue: "poisson<int32_t>", "bernoulli", ... A kernel's index is the place in it.
CATALOGUE = [f"{name}<{one}>" if one else name for name, _, types in DISTRIBUTIONS for one in types or [""]]
