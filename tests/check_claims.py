"""Checks that every test named in docs/verification.md and docs/gpu-verification.md exists, and reports which claims the last runs of
the tests confirm.

Rows of their tables with the column "Test" name tests in backquotes: `test_x` is a CTest, `test_x:Suite.Case` a case of that
GoogleTest program, `lto/test_x` the run of a CTest by one stage of scripts/test.sh; * and ? stand for any text and any letter. What no
stage of continuous integration runs, and what is named with a stage, also needs a row with the column "Last run": "not yet", or the
commit and the date.

    check_claims.py --ctest CTEST --build DIRECTORY [--claims PAGE...]
    check_claims.py --report [LOG...]       LOG: what scripts/test.sh left of a stage, by default all build/logs/ctest-*.log
    check_claims.py --self-test
"""

import argparse
import fnmatch
import functools
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = [ROOT / "docs" / "verification.md", ROOT / "docs" / "gpu-verification.md"]
LAST_RUN = re.compile(r"not yet|[0-9a-f]{7,40}, \d{4}-\d{2}-\d{2}")
NOT_IN_CI = {"slow", "exhaustive", "cross", "mpi"}  # labels of the tests that only scripts/test.sh --full runs
STAGES = set(re.findall(r"^stage_(\w+)\(\)", (ROOT / "scripts" / "test.sh").read_text(), re.MULTILINE))
RUN = re.compile(r"Tests of (.+)")  # the first line of a log: commit and date
RESULT = re.compile(r"^ *\d+/\d+ Test +#\d+: (\S+) \.{3,}(.*)", re.MULTILINE)


def rows(pages):
    """("page:line", {column: cell}) of every row of every table that has a column Test. pages: {name: text}."""
    for page, text in pages.items():
        header = None
        for number, line in enumerate(text.splitlines(), 1):
            if not line.startswith("|"):
                header = None
                continue
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())[1:-1]]
            if header is None:
                header = cells
            elif "Test" in header and not all(re.fullmatch(r":?-+:?", cell) for cell in cells):
                yield f"{page}:{number}", dict(zip(header, cells))


def names_of(row):
    """(stage or "", name of the CTest, case or "") of each test that a row names."""
    return re.findall(r"`(?:(\w+)/)?([^`:]+):?([^`]*)`", row["Test"])


def check(pages, labels, cases_of):
    """(number of claims, complaints). labels: {ctest: labels}; cases_of(ctest) lists the cases of a GoogleTest program."""
    claims, complaints = 0, []
    dated = {(stage, name) for _, row in rows(pages) if "Last run" in row for stage, name, _ in names_of(row)}
    for where, row in rows(pages):
        claims += "Claim" in row
        if not names_of(row):
            complaints.append(f"{where}: no test is named")
        for stage, name, case in names_of(row):
            found = fnmatch.filter(labels, name)
            if stage and stage not in STAGES:
                complaints.append(f"{where}: scripts/test.sh has no stage {stage}")
            if not found:
                complaints.append(f"{where}: there is no test {name}")
            elif case and not fnmatch.filter((known for one in found for known in cases_of(one)), case):
                complaints.append(f"{where}: {name} has no case {case}")
            for one in found:
                if (stage or labels[one] & NOT_IN_CI) and not any(s == stage and fnmatch.fnmatch(one, n) for s, n in dated):
                    complaints.append(f"{where}: continuous integration does not run {one}, and no row has the date of its last run")
        if not LAST_RUN.fullmatch(row.get("Last run", "not yet")):
            complaints.append(f"{where}: the last run is '{row['Last run']}', not 'not yet' or 'commit, yyyy-mm-dd'")
    if claims == 0:
        complaints.append("no claims at all")
    return claims, complaints


def results_of(log):
    """{ctest: "passed", "failed" or "not run"} of what ctest printed."""
    results = {}
    for name, end in RESULT.findall(log):
        not_run = "***Skipped" in end or "***Not Run (Disabled)" in end
        results[name] = "not run" if not_run else "passed" if end.split()[:1] == ["Passed"] else "failed"
    return results


def report(pages, logs):
    """(lines, whether a claim failed): each stage's run, and what the runs say of each claim. logs: {stage: what it printed}."""
    lines, counts = [], dict.fromkeys(("passed", "failed", "partly", "not run"), 0)
    runs = {stage: results_of(log) for stage, log in logs.items()}
    for stage, results in runs.items():
        run = RUN.match(logs[stage])
        failed = list(results.values()).count("failed")
        lines.append(f"{stage}: {run[1] if run else 'commit unknown'}: {len(results)} tests, {failed} failed")
    for where, row in rows(pages):
        if "Claim" not in row:
            continue
        remarks, passed, failed, stages = [], 0, False, set()
        for of, name in dict.fromkeys((of, name) for of, name, _ in names_of(row)):
            logged = {stage: ends for stage, ends in runs.items() if of in ("", stage)}
            seen = [(stage, one, end) for stage, ends in logged.items() for one, end in ends.items() if fnmatch.fnmatch(one, name)]
            stages |= {stage for stage, _, end in seen if end != "not run"}
            failures = [f"{one} failed in {stage}" for stage, one, end in seen if end == "failed"]
            confirmed = any(end == "passed" for _, _, end in seen)
            remarks += failures or ([] if confirmed else [f"{name} was not run" + (f" by {of}" if of else "")])
            failed |= bool(failures)
            passed += confirmed
        status = "failed" if failed else "passed" if not remarks else "partly" if passed else "not run"
        counts[status] += 1
        remark = f" ({', '.join(remarks)})" if remarks else ""
        lines.append(f"{status:8}{' '.join(stage for stage in runs if stage in stages):14} {where}: {row['Claim']}{remark}")
    lines.append(f"{sum(counts.values())} claims: " + ", ".join(f"{count} {status}" for status, count in counts.items()))
    return lines, counts["failed"] > 0


def list_ctests(ctest, build):
    """{name: (command, labels)}"""
    output = subprocess.run(
        [ctest, "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True
    ).stdout
    return {
        test["name"]: (test.get("command", []), {label for p in test["properties"] if p["name"] == "LABELS" for label in p["value"]})
        for test in json.loads(output)["tests"]
    }


def list_cases(command):
    """The cases of a GoogleTest program that this command runs, Suite.Case; empty for any other program."""
    if not command or not Path(command[0]).is_file():
        sys.exit(f"{command[0] if command else 'a test program'} is not built: its cases cannot be listed")
    output = subprocess.run([*command, "--gtest_list_tests"], check=True, capture_output=True, text=True).stdout
    suite, cases = "", []
    for line in output.splitlines():
        name = line.split("#")[0].strip()
        if line.startswith("  "):
            cases.append(suite + name)
        elif name.endswith("."):
            suite = name
    return cases


def self_test():
    claims = "| Claim | Bound | Test |\n|---|---|---|\n| a | b | `test_a`, `test_b:S.*` |\n| c | d | `test_b:S.one` |\n| e | f | `test_b.slow` |\n"
    claims += "| g | h | `asan/test_b` |\n"
    runs = "\n| Test | Last run |\n|---|---|\n| `test_*.slow` | 0123abc, 2026-01-31 |\n| `asan/test_b` | not yet |\n"
    labels = {"test_a": set(), "test_b": {"ci"}, "test_b.slow": {"slow"}}
    cases = {"test_b": ["S.one", "S.two"]}.get
    pages = {"claims.md": claims, "runs.md": runs}
    assert check(pages, labels, cases) == (4, []), check(pages, labels, cases)
    mistakes = {"`test_a`": "`test_c`", "S.one": "S.three", "`test_a`, `test_b:S.*`": "by eye", "0123abc": "soon", "_*.slow": "_a*"}
    mistakes |= {"h | `asan/": "h | `lto/", "asan/": "assan/"}
    for good, bad in mistakes.items():
        assert check({name: text.replace(good, bad) for name, text in pages.items()}, labels, cases)[1], bad
    assert check({"page.md": "no table"}, labels, cases)[1]

    line = " 1/2 Test  #3: {} ....{}  0.01 sec\n".format
    logs = {"gcc": "Tests of 0123abc, today\n" + line("test_a", "   Passed") + line("test_b", "   Passed"), "ci": line("test_b.slow", "***Skipped")}
    lines, failed = report(pages, logs)
    assert not failed and lines[0] == "gcc: 0123abc, today: 2 tests, 0 failed" and "unknown" in lines[1], lines
    assert [text[:8].strip() for text in lines[2:6]] == ["passed", "passed", "not run", "not run"], lines
    for end in "***Failed", "***Timeout", "***Exception: SegFault", "***Not Run", "Subprocess aborted***Exception:":
        lines, failed = report(pages, logs | {"asan": line("test_b", end)})
        assert failed and "test_b failed in asan" in lines[3] and lines[-1] == "4 claims: 0 passed, 3 failed, 0 partly, 1 not run", lines
    lines, failed = report(pages, {"gcc": line("test_a", "   Passed") + line("test_b", "***Not Run (Disabled)")})
    assert not failed and lines[1].startswith("partly  gcc") and "test_b was not run" in lines[1], lines
    print("self-test: the good table passes, the bad ones are refused; the report tells what passed, failed and was not run")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--build", help="the build directory")
    parser.add_argument("--claims", nargs="+", type=Path, default=CLAIMS, metavar="PAGE")
    parser.add_argument("--report", nargs="*", type=Path, metavar="LOG", help="what scripts/test.sh left of a stage; default: build/logs/ctest-*.log")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    pages = {page.name: page.read_text() for page in arguments.claims}
    if arguments.report is not None:
        logs = arguments.report or sorted(ROOT.glob("build/logs/ctest-*.log"))
        if not logs:
            parser.error("--report: no build/logs/ctest-*.log; run scripts/test.sh, or name logs of it")
        lines, failed = report(pages, {log.stem.removeprefix("ctest-"): log.read_text(errors="replace") for log in logs})
        print("\n".join(lines))
        sys.exit(failed)
    if not arguments.build:
        parser.error("--build or --report is needed")
    ctests = list_ctests(arguments.ctest, arguments.build)
    labels = {name: labels for name, (_, labels) in ctests.items()}
    claims, complaints = check(pages, labels, functools.cache(lambda name: list_cases(ctests[name][0])))
    print(f"{claims} claims, {len(ctests)} tests, {len(complaints)} complaints")
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
