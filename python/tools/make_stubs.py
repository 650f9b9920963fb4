"""Writes a package's stubs, __init__.pyi and _rng.pyi, with their lines for each distribution of the catalogue.

    python make_stubs.py FOLDER      the package librng that can be imported; python/librng has the stubs without these lines
"""

import sys
from pathlib import Path

from librng._sampling import FAMILIES

SOURCES = Path(__file__).resolve().parents[1] / "librng"
MARK = "# One for each distribution, by tools/make_stubs.py\n"


def function(family):
    parameters = ", ".join(f"{name}: _Real = {default!r}" for name, default, _ in family.parameters)
    return f"def {family.name}({parameters}) -> Distribution: ...\n"


def method(family):
    parameters = "".join(f", {name}: _Real = {default!r}" for name, default, _ in family.parameters)
    return f"    def {family.name}(self, size: _Size{parameters}, *, dtype: Any = None, like: Any = None) -> Any: ...\n"


for file, line in ("__init__.pyi", function), ("_rng.pyi", method):
    before, after = (SOURCES / file).read_text().split(MARK)
    (Path(sys.argv[1]) / file).write_text(before.rstrip(" ") + "".join(map(line, FAMILIES.values())) + after)
