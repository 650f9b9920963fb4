#!/usr/bin/env python3
"""No source of the product has more than 350 lines.

    check_lines.py [ROOT]         exit code 1, and a line for each source that is longer
    check_lines.py --self-test
"""

import sys
import tempfile
from pathlib import Path

TOPS = ("include", "src", "cuda", "statistical_tests")
SUFFIXES = (".cpp", ".hpp", ".cu", ".h")
MOST_LINES = 350


def check(root):
    """The faults of a tree, a line each."""
    files = [path for top in TOPS for path in sorted((root / top).rglob("*")) if path.suffix in SUFFIXES]
    counts = {path: len(path.read_text().splitlines()) for path in files}
    faults = [f"{path}: {count} lines, more than {MOST_LINES}" for path, count in counts.items() if count > MOST_LINES]
    return faults or ([] if files else [f"{root}: no sources"])


def self_test():
    for lines, expected in ((MOST_LINES, 0), (MOST_LINES + 1, 1), (None, 1)):
        with tempfile.TemporaryDirectory() as folder:
            if lines:
                (Path(folder) / "src").mkdir()
                (Path(folder) / "src" / "a.cpp").write_text("int x;\n" * lines)
            if len(check(Path(folder))) != expected:
                sys.exit(f"{lines} lines: {expected} faults expected, found {check(Path(folder))}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = check(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent.parent)
    print("\n".join(faults) if faults else f"No source has more than {MOST_LINES} lines.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
