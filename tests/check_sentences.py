#!/usr/bin/env python3
"""Sentences of comments and pages are short and begin with their subject.

    check_sentences.py [--list]     exit code 1, and a line for each fault; --list prints the excused ones too
    check_sentences.py --self-test

A sentence has at most 25 words and does not open with "Of" or "Where". Files that had faults before the rule are excused: EXCUSED has
the number for each. Numbers may only shrink: who mends a file lowers its number.

A paragraph ends at a blank line, at an item of a list, at a heading, a table or a block of code. A line that is indented by four
spaces, or has three in its middle, is code or a table. A sentence ends at a full stop, a question mark or an exclamation mark
before a space, and at the end of its paragraph. A word is what stands between spaces and has a letter or a digit.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("include", "src", "cuda", "apps", "python", "statistical_tests")
SUFFIXES = (".cpp", ".hpp", ".cu", ".h")
PAGES = ("*.md", "docs/*.md", "docs/decisions/*.md", "docs/statistics/*.md", "benchmarks/*.md")
MOST_WORDS = 25
EXCUSED = {
    "README.md": 1,
    "docs/adding.md": 2,
    "docs/contract.md": 28,
    "docs/statistics.md": 1,
    "docs/decisions/0009-products-and-compilers.md": 1,
    "docs/decisions/0019-single-values-and-small-fills.md": 6,
    "docs/statistics/laws.md": 1,
    "docs/statistics/order.md": 1,
    "benchmarks/README.md": 25,
}

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s")


def sentences_of(paragraph):
    """The sentences of a paragraph of one line."""
    return [part for part in re.split(r"(?<=[.!?])[*)]*\s+", paragraph) if part]


def paragraphs_of(lines):
    """(line number, text) of each paragraph of (number, text) lines. Indented text is code."""
    found, start, words, last = [], 0, [], None
    for number, line in [*lines, (None, "")]:
        text = line.strip()
        ends = not text or line.startswith("    ") or "   " in text or text.startswith(("#", "|", "<!--"))
        if words and (ends or ITEM.match(line) or number is None or number != last + 1):
            found.append((start, " ".join(words)))
            words = []
        if not ends:
            start = start if words else number
            words.append(text)
        last = number
    return found


def comments_of(text):
    """(number, text) of the lines of comments of a C++ source. A comment behind code is a paragraph of its own."""
    lines = []
    for match in COMMENT.finditer(text):
        comment = match[0]
        if not comment.startswith("/"):
            continue
        number = text.count("\n", 0, match.start()) + 1
        behind_code = text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip() != ""
        if behind_code:
            lines.append((number - 0.5, ""))
        for i, line in enumerate(comment.splitlines()):
            lines.append((number + i, re.sub(r"^\s*(?:///?<?|/\*+|\*(?!\*))\s?|\s*\*/$", "", line)))
        if behind_code:
            lines.append((number + 0.5, ""))
    return lines


def prose_of(page):
    """(number, text) of the lines of a Markdown page outside blocks of code and tables that a script wrote."""
    lines, in_code = [], False
    for number, line in enumerate(page.splitlines(), 1):
        if line.lstrip().startswith("```") or re.match(r"<!-- tables: (begin|end)", line):
            in_code = not in_code
            lines.append((number, ""))
        else:
            lines.append((number, "" if in_code else line))
    return lines


def faults_of(lines):
    """(line number, what is wrong) of the sentences of numbered lines."""
    faults = []
    for number, paragraph in paragraphs_of(lines):
        for sentence in sentences_of(ITEM.sub("", paragraph, 1)):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if len(words) > MOST_WORDS:
                faults.append((number, f"{len(words)} words: {sentence}"))
            if re.match(r"(Of|Where)\s", sentence):
                faults.append((number, f"opens with {words[0]}: {sentence}"))
    return faults


def check(sources, pages, excused, shown=False):
    """The faults of texts by name, a line each."""
    found = [f"EXCUSED of tests/check_sentences.py names {name}, which is not there" for name in excused if name not in sources | pages]
    lines_by_name = {name: comments_of(text) for name, text in sources.items()} | {name: prose_of(text) for name, text in pages.items()}
    for name, lines in lines_by_name.items():
        faults, allowed = faults_of(lines), excused.get(name, 0)
        if shown or len(faults) > allowed:
            found += [f"{name}:{number}: {what}" for number, what in faults]
            found += [f"{name}: {len(faults)} faults, of which {allowed} are excused"] if allowed else []
    return found


def self_test():
    long = " ".join(["word"] * 26)
    sources = {
        f"// {long}.\n": 1,
        f"int x;  // {long}\n": 1,
        "// " + " ".join(["word"] * 13) + "\n// " + " ".join(["word"] * 13) + ".\n": 1,
        "// " + " ".join(["word"] * 13) + ".\n//\n// " + " ".join(["word"] * 13) + ".\n": 0,
        "// " + " ".join(["word"] * 13) + ". " + "And " * 13 + ".\n": 0,
        "/// Of all things.\n": 1,
        "/// Where it lies.\nint x;\n": 1,
        f'const char* text = "// {long}";\n': 0,
        f"// A list:\n// - {'word ' * 13}\n// - {'word ' * 13}\n": 0,
        f"//     {long}\n": 0,
        "int a;  // Of a.\nint b;  // Never.\n": 1,
    }
    for text, expected in sources.items():
        if len(check({"a": text}, {}, {})) != expected:
            sys.exit(f"{text!r}: {expected} faults expected, found {check({'a': text}, {}, {})}")
    page = f"# {long}\n\n{long}.\n\n```text\n{long}\n```\n\n    {long}\n\n| {long} |\n"
    for excused, expected in (({"p": 1}, 0), ({}, 1), ({"p": 2}, 0), ({"p": 1, "q": 1}, 1)):
        if len(check({}, {"p": page}, excused)) != expected:
            sys.exit(f"{excused}: {expected} faults expected, found {check({}, {'p': page}, excused)}")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    paths = [path for top in TOPS for path in sorted((ROOT / top).rglob("*")) if path.suffix in SUFFIXES]
    sources = {path.relative_to(ROOT).as_posix(): path.read_text() for path in paths}
    pages = {path.relative_to(ROOT).as_posix(): path.read_text() for pattern in PAGES for path in sorted(ROOT.glob(pattern))}
    faults = check(sources, pages, EXCUSED, sys.argv[1:] == ["--list"])
    print("\n".join(faults) if faults else f"{len(sources)} sources and {len(pages)} pages")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
