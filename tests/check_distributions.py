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

PAGES = ("README.md", "CHANGELOG.md", "docs/contract.md")
OTHER_HEADERS = {"alias_table.hpp", "catalogue.hpp", "categorical.hpp", "list.hpp", "piecewise.hpp"}


def complaints(distributions, headers, pages):
    for name, _, _ in distributions:
        for page, text in pages.items():
            if not re.search(rf"\b{name}\b", text, re.IGNORECASE):
                yield f"{page} does not name {name}"
    for header in sorted(headers - {header for _, header, _ in distributions} - OTHER_HEADERS):
        yield f"{TABLE.name} has no row of {header}"


def self_test():
    table = [("a", "a.hpp", ["float"]), ("b", "b.hpp", [])]
    assert not list(complaints(table, {"a.hpp", "b.hpp", "list.hpp"}, {"page": "`a` and b."}))
    assert list(complaints(table, {"a.hpp", "b.hpp"}, {"page": "`a` and bb."})) == ["page does not name b"]
    assert list(complaints(table, {"a.hpp", "c.hpp"}, {})) == ["distributions.inc has no row of c.hpp"]
    assert len(DISTRIBUTIONS) == len(re.findall(r"^RNG_", TABLE.read_text(), re.MULTILINE)), "a row was not read"


if __name__ == "__main__":
    self_test()
    texts = {page: (ROOT / page).read_text() for page in PAGES}
    found = list(complaints(DISTRIBUTIONS, {path.name for path in TABLE.parent.glob("*.hpp")}, texts))
    print(f"{len(DISTRIBUTIONS)} distributions, {len(found)} complaints")
    sys.exit("\n".join(found) or 0)
