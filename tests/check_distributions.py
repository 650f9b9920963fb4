"""Checks that whatever lists the distributions has each of the table, and that the table has each header.

What else a distribution needs fails by name elsewhere: its header (catalogue.hpp does not compile), its model (test_cli.py: the model's
distributions are those of `rng list`), its ranges (test_limits, and test_cli.py beside the contract) and its law (test_statistics).
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "scripts"))

from distribution_table import DISTRIBUTIONS, TABLE

# What must name each distribution: a file, and what of it does not count.
LISTS = {
    "README.md": "", "CHANGELOG.md": "", "docs/distributions.md": "", "src/verify/goldens_long.inc": "",
    "docs/contract.md": r"(?s)\n## 7\. Parameter ranges\n.*?(?=\n## 8\.)",  # test_cli.py compares the ranges
}
# Formulas of one word, whose distribution function has known values beside it. Laws of other kinds are tested elsewhere.
NAMED_LAWS = "statistical_tests/laws/named_laws.cpp", "tests/stats/test_named_laws.cpp"
OTHER_HEADERS = {"alias_table.hpp", "catalogue.hpp", "categorical.hpp", "list.hpp", "piecewise.hpp"}


def names(text, name):
    return re.search(rf"\b{name}\b", text, re.IGNORECASE)


def complaints(distributions, headers, lists, laws="", known_values=""):
    for name, _, _ in distributions:
        for file, text in lists.items():
            if not names(text, name):
                yield f"{file} does not name {name}"
        if f'"{name}"' in laws and not names(known_values, name):
            yield f"{NAMED_LAWS[1]} has no known values of {name}"
    for header in sorted(headers - {header for _, header, _ in distributions} - OTHER_HEADERS):
        yield f"{TABLE.name} has no row of {header}"


def self_test():
    table = [("a", "a.hpp", ["float"]), ("b", "b.hpp", [])]
    assert not list(complaints(table, {"a.hpp", "b.hpp", "list.hpp"}, {"page": "`a` and b."}, 'Row{"a"}', "a(1)"))
    assert list(complaints(table, {"a.hpp", "b.hpp"}, {"page": "`a` and bb."})) == ["page does not name b"]
    assert list(complaints(table, {"a.hpp", "c.hpp"}, {})) == ["distributions.inc has no row of c.hpp"]
    assert list(complaints(table, {"a.hpp"}, {}, 'Row{"a"}', "")) == [f"{NAMED_LAWS[1]} has no known values of a"]
    assert len(DISTRIBUTIONS) == len(re.findall(r"^RNG_", TABLE.read_text(), re.MULTILINE)), "a row was not read"


if __name__ == "__main__":
    self_test()
    texts = {file: re.sub(left_out or "(?!)", "", (ROOT / file).read_text()) for file, left_out in LISTS.items()}
    found = list(complaints(DISTRIBUTIONS, {path.name for path in TABLE.parent.glob("*.hpp")}, texts,
                            *((ROOT / file).read_text() for file in NAMED_LAWS)))
    print(f"{len(DISTRIBUTIONS)} distributions, {len(found)} complaints")
    sys.exit("\n".join(found) or 0)
