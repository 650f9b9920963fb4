#!/usr/bin/env python3
"""clang-format, version 14, leaves every C++ and CUDA source as it is.

    check_format.py CLANG_FORMAT [--self-test]      exit code 1, and a message for each fault

A table that reads better by hand stands between bare lines `// clang-format off` and `// clang-format on`: version 14 takes
a comment with more words for no such line.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("include", "src", "cuda", "statistical_tests", "apps", "examples", "benchmarks", "python", "tests")
SUFFIXES = (".cpp", ".hpp", ".cu", ".h")


def differs(clang_format, files):
    """Whether clang-format would change one of the files; its messages go to standard error."""
    command = [clang_format, "--dry-run", "--Werror", f"--style=file:{ROOT / '.clang-format'}", *map(str, files)]
    return subprocess.run(command, check=False).returncode != 0


def self_test(clang_format):
    texts = {
        "int x = 1;\n": False,
        "int   x=1;\n": True,
        "// clang-format off\nint   x=1;\n// clang-format on\n": False,
        "// clang-format off: a table\nint   x=1;\n// clang-format on\n": True,
    }
    with tempfile.TemporaryDirectory() as folder:
        for text, expected in texts.items():
            path = Path(folder) / "a.cpp"
            path.write_text(text)
            if differs(clang_format, [path]) != expected:
                sys.exit(f"{text!r}: expected {'a' if expected else 'no'} difference")


def main():
    clang_format, *rest = sys.argv[1:]
    if rest == ["--self-test"]:
        return self_test(clang_format)
    files = [path for top in TOPS for path in sorted((ROOT / top).rglob("*")) if path.suffix in SUFFIXES]
    sys.exit(1 if not files or differs(clang_format, files) else 0)


if __name__ == "__main__":
    main()
