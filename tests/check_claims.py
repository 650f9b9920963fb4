"""Checks that every test named in docs/verification.md exists.

Rows of its tables with the column "Test" name tests in backquotes: `test_x` is a CTest, `test_x:Suite.Case` a case of that
GoogleTest program; * and ? stand for any text and any letter. The last column is "not yet", or the commit and the date of the last full run.

    check_claims.py --ctest CTEST --build DIRECTORY [--claims FILE]
    check_claims.py --self-test
"""

import argparse
import fnmatch
import json
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parent
CLAIMS = TESTS.parent / "docs" / "verification.md"
LAST_RUN = re.compile(r"^(not yet|[0-9a-f]{7,40}, \d{4}-\d{2}-\d{2})$")


def rows(text):
    """(line number, {column: cell}) of every row of every table that has a column Test."""
    header = None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("|"):
            header = None
            continue
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
        if header is None:
            header = cells
        elif "Test" in header and not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
            yield number, dict(zip(header, cells))


def check(text, ctests, cases_of):
    """(number of claims, complaints); cases_of(ctest) lists the cases of a GoogleTest program."""
    claims, complaints = 0, []
    for number, row in rows(text):
        claims += 1
        names = re.findall(r"`([^`]+)`", row["Test"])
        if not names:
            complaints.append(f"line {number}: no test is named")
        for name in names:
            ctest, _, case = name.partition(":")
            found = fnmatch.filter(ctests, ctest)
            if not found and (TESTS / f"{ctest}.cpp").exists():
                print(f"{ctest} is left out of this build (a package that it needs is not here)")
            elif not found:
                complaints.append(f"line {number}: there is no test {ctest}")
            elif case and not fnmatch.filter((known for one in found for known in cases_of(one)), case):
                complaints.append(f"line {number}: {ctest} has no case {case}")
        last = list(row.values())[-1]
        if not LAST_RUN.match(last):
            complaints.append(f"line {number}: the last full run is '{last}', not 'not yet' or 'commit, yyyy-mm-dd'")
    if claims == 0:
        complaints.append("no claims at all")
    return claims, complaints


def list_ctests(ctest, build):
    """{name: command}"""
    output = subprocess.run(
        [ctest, "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True
    ).stdout
    return {test["name"]: test.get("command", []) for test in json.loads(output)["tests"]}


def list_cases(command):
    """The cases of a GoogleTest program, Suite.Case; empty for any other program."""
    arguments = [a for a in command if not a.startswith("--gtest_filter")]
    output = subprocess.run([*arguments, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    suite, cases = "", []
    for line in output.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            cases.append(suite + name)
        elif name.endswith("."):
            suite = name
    return cases


def self_test():
    table = "| Claim | Bound | Test | Last full run |\n|---|---|---|---|\n"
    good = table + "| a | b | `test_a`, `test_b:S.*` | not yet |\n| c | d | `test_b:S.one` | 0123abc, 2026-01-31 |\n"
    ctests = {"test_a", "test_b"}
    cases = {"test_b": ["S.one", "S.two"]}.get
    assert check(good, ctests, cases) == (2, []), check(good, ctests, cases)
    for bad in ("`test_c` | not yet", "`test_b:S.three` | not yet", "by eye | not yet", "`test_a` | soon"):
        assert check(f"{table}| a | b | {bad} |\n", ctests, cases)[1], bad
    assert check("no table", ctests, cases)[1]
    print("self-test: the good table passes, the bad ones are refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--build", help="the build directory")
    parser.add_argument("--claims", type=Path, default=CLAIMS)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if not arguments.build:
        parser.error("--build is needed")
    ctests = list_ctests(arguments.ctest, arguments.build)
    claims, complaints = check(arguments.claims.read_text(), ctests, lambda name: list_cases(ctests[name]))
    print(f"{claims} claims, {len(ctests)} tests, {len(complaints)} complaints")
    if complaints:
        sys.exit("\n".join(f"{arguments.claims.name}: {complaint}" for complaint in complaints))


if __name__ == "__main__":
    main()
