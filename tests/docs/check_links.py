"""Checks the links of the pages: files exist, and headings that are named. In docs/life-of-a-value.md each function of a row must also occur
in the row's file.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = re.compile(r"^```.*?^```|^(?: {4}|\t).*?$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]*[./#][^)\s]*)\)")  # a[i](x) is no link
ROW = re.compile(r"^\|.*\| \[[^\]]*\]\(([^)]+)\) \| ((?:`[^`]+`(?:, )?)+) \|$", re.MULTILINE)


def anchors(text):
    """The anchors that GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ +(.*?) *$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    slugs = [re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)).lower().replace(" ", "-") for heading in headings]
    return {slug + (f"-{slugs[:i].count(slug)}" if slug in slugs[:i] else "") for i, slug in enumerate(slugs)}


def faults(page, text, read):
    """What is wrong with the links of a page; read(path) gives a file's text, or None."""
    for target in LINK.findall(CODE.sub("", text)):
        name, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", name):
            continue
        there = read((page.parent / name).resolve()) if name else text
        if there is None:
            yield f"there is no {name}"
        elif anchor and anchor not in anchors(there):
            yield f"{name or 'the page'} has no heading #{anchor}"


def unknown_functions(page, text, read):
    for name, functions in ROW.findall(text):
        there = read((page.parent / name).resolve()) or ""
        for function in re.findall(r"`([^`]+)`", functions):
            if not re.search(rf"(?<!\w){re.escape(function)}(?!\w)", there):
                yield f"{name} has no {function}"


def self_test():
    files = {Path("/r/docs/a.md"): "# Some Heading: x\n## Twice\n## Twice\n", Path("/r/b.hpp"): "void f(); operator()"}
    page, read = Path("/r/docs/p.md"), files.get
    good = "[a](a.md#some-heading-x) [b](../b.hpp) [c](https://x.y) [d](a.md#twice-1) `[e](none.md)`\n"
    assert not list(faults(page, good, read)), list(faults(page, good, read))
    for bad in ("[a](none.md)", "[a](a.md#none)", "[a](#none)"):
        assert len(list(faults(page, bad, read))) == 1, bad
    assert not list(unknown_functions(page, "| x | [b](../b.hpp) | `f`, `operator()` |\n", read))
    assert list(unknown_functions(page, "| x | [b](../b.hpp) | `f`, `g` |\n", read)) == ["../b.hpp has no g"]


def main():
    self_test()

    def read(path):
        return path.read_text(errors="replace") if path.is_file() else "" if path.is_dir() else None

    pages = [path for path in ROOT.rglob("*.md") if not {"build", ".git"} & set(path.relative_to(ROOT).parts)]
    found = [f"{page.relative_to(ROOT)}: {fault}" for page in pages for fault in faults(page, page.read_text(), read)]
    life = ROOT / "docs" / "life-of-a-value.md"
    rows = ROW.findall(life.read_text())
    assert len(rows) >= 20, "the rows of docs/life-of-a-value.md were not read"
    found += [f"{life.relative_to(ROOT)}: {fault}" for fault in unknown_functions(life, life.read_text(), read)]
    print(f"{len(pages)} pages, {len(rows)} rows of functions, {len(found)} faults")
    sys.exit("\n".join(found) or 0)


if __name__ == "__main__":
    main()
