#!/usr/bin/env python3
"""The version is the same wherever it is written. Exit code 1, and a line for each place that differs from CMakeLists.txt.

    check_version.py [ROOT]
    check_version.py --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

# A file, and a pattern for each place: its groups, joined by points, are the version.
SOURCE = ("CMakeLists.txt", r"^  VERSION (\d+\.\d+\.\d+)$")
PLACES = [
    ("include/rng/core/config.hpp",
     r"^#define RNG_VERSION_MAJOR (\d+)\n#define RNG_VERSION_MINOR (\d+)\n#define RNG_VERSION_PATCH (\d+)$"),
    ("include/rng/core/config.hpp", r'^#define RNG_VERSION "(.*)"$'),
    ("pyproject.toml", r'^version = "(.*)"$'),
    ("CITATION.cff", r"^version: (.*)$"),
    ("CHANGELOG.md", r"\A(?:(?!^## (?!\[Unreleased\]$)).*\n)*## \[(.*)\] - (?:\d{4}-\d\d-\d\d|unreleased)$"),
]


def version(root, file, pattern):
    found = re.search(pattern, (root / file).read_text(), re.MULTILINE)
    return ".".join(found.groups()) if found else None


def check(root):
    expected = version(root, *SOURCE)
    return [f"{file}: the version is {found or 'missing'}, in {SOURCE[0]} {expected}"
            for file, pattern in PLACES if (found := version(root, file, pattern)) != expected or not found]


def self_test():
    texts = {
        "CMakeLists.txt": "project(\n  rng\n  VERSION 1.2.3\n",
        "include/rng/core/config.hpp": "#define RNG_VERSION_MAJOR 1\n#define RNG_VERSION_MINOR 2\n#define RNG_VERSION_PATCH 3\n"
                                       '#define RNG_VERSION "1.2.3"\n',
        "pyproject.toml": '[project]\nname = "rng"\nversion = "1.2.3"\n',
        "CITATION.cff": "cff-version: 1.2.0\nversion: 1.2.3\n",
        "CHANGELOG.md": "# Changelog\n\n## [1.2.3] - 2026-01-02\n\n## [1.2.2] - 2026-01-01\n",
    }
    changes = [None, *((name, "2.3", "2.4") for name in texts if name != "CITATION.cff"), ("CITATION.cff", ": 1.2.3", ": 1.2.4"),
               ("include/rng/core/config.hpp", "PATCH 3", "PATCH 4"), ("CHANGELOG.md", "2026-01-02", "soon")]
    for change in changes:
        with tempfile.TemporaryDirectory() as folder:
            for name, text in texts.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text.replace(*change[1:]) if change and change[0] == name else text)
            assert bool(check(Path(folder))) == bool(change), change
    print("The checks of the self-test passed.")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit()
    faults = check(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[2]))
    print("\n".join(faults) or "The version is the same everywhere.")
    sys.exit(bool(faults))
