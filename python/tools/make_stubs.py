"""Writes the parts of librng/__init__.pyi and librng/_rng.pyi that have a line for each distribution.

    python make_stubs.py [--check]      needs an importable librng; --check compares and writes nothing
"""

import re
import sys
from pathlib import Path

from librng._sampling import FAMILIES

HERE = Path(__file__).resolve().parents[1] / "librng"
PART = re.compile(r"(^ *# One for each distribution, by tools/make_stubs\.py:\n)(.*?)(^ *# End of what the tool writes\.$)", re.DOTALL | re.MULTILINE)


def function(family):
    parameters = ", ".join(f"{name}: _Real = {default!r}" for name, default, _ in family.parameters)
    return f"def {family.name}({parameters}) -> Distribution: ...\n"


def method(family):
    parameters = "".join(f", {name}: _Real = {default!r}" for name, default, _ in family.parameters)
    return f"    def {family.name}(self, size: _Size{parameters}, *, dtype: Any = None, like: Any = None) -> Any: ...\n"


def texts():
    """What each file should be."""
    for name, line in ("__init__.pyi", function), ("_rng.pyi", method):
        path = HERE / name
        lines = "".join(map(line, FAMILIES.values()))
        text, count = PART.subn(lambda part: part[1] + lines + part[3], path.read_text())
        if count != 1:
            raise SystemExit(f"{path} must have one part that begins with '# One for each distribution'")
        yield path, text


def main():
    stale = [(path, text) for path, text in texts() if path.read_text() != text]
    if "--check" in sys.argv[1:]:
        for path, _ in stale:
            print(f"{path} is not what make_stubs.py writes")
        return 1 if stale else 0
    for path, text in stale:
        path.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
