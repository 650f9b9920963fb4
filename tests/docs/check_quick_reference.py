#!/usr/bin/env python3
"""The signatures of docs/quick-reference.md are those of docs/api.md and of the Python package's stubs. Exit code 1, and a line for each other one.

    check_quick_reference.py [FOLDER | --self-test]     FOLDER has the stubs of a built package; without it the section Python is left out

Signatures are in backquotes, in the first column of the tables headed `signature` and in the second of those headed `kind`. Those of C++ may
leave out the type of the result; those of the section Python have no types.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def signatures(text):
    found, column = [], None
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line)
        if not line.startswith("|"):
            column = None
        elif column is None:
            column = {"signature": 1, "kind": 2}.get(cells[1].strip(), 0)
        elif column:
            found += re.findall(r"`([^`]+)`", cells[column])
    return found


def parameters(arguments):
    """A list of parameters without types and without self, as text."""
    bare = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    for argument in filter(None, bare):
        argument.annotation = None
    arguments.args = [argument for argument in arguments.args if argument.arg != "self"]
    return ast.unparse(arguments)


def stubs(texts):
    """name(parameters) of functions and classes, and Class.name(parameters) of members."""
    found = set()
    for node in (node for text in texts for node in ast.parse(text).body):
        if isinstance(node, ast.FunctionDef):
            found.add(f"{node.name}({parameters(node.args)})")
        for member in node.body if isinstance(node, ast.ClassDef) else []:
            if isinstance(member, ast.FunctionDef):
                name = node.name if member.name == "__init__" else f"{node.name}.{member.name}"
                found.add(f"{name}({parameters(member.args)})")
    return found


def check(page, api, stub_texts):
    cpp, _, python = page.partition("\n## Python\n")
    wrong = [text for text in signatures(cpp) if not re.search(rf"(?<![\w:]){re.escape(text)}", api)]
    known = stubs(stub_texts)
    for text in signatures(python) if stub_texts else ():
        name, _, rest = text.partition("(")
        arguments = ast.parse(f"def f({rest}: ...").body[0].args
        wrong += [text] if f"{name}({parameters(arguments)})" not in known else []
    if not signatures(cpp) or not signatures(python):
        wrong.append("no signatures")
    return wrong


def self_test():
    page = "| signature | |\n|---|---|\n| `int f(R& x)`, `g()` | `h()` |\n\n| kind | |\n|---|---|\n| a | `d{p}` |\n\n## Python\n\n| signature | |\n|---|---|\n| `C(a, *, b=1)`, `C.m(x)` | |\n"
    api, stub = "| `int f(R& x) const` | |\n| `void g()` | |\nd{p}: a law", "class C:\n  def __init__(self, a: int, *, b: int = 1): ...\n  def m(self, x): ...\n"
    assert check(page, api, [stub]) == [], check(page, api, [stub])
    for old, new in (("f(R& x)", "f(R x)"), ("`g()`", "`h()`"), ("d{p}", "d{q}"), ("b=1", "b=2"), ("C.m(x)", "C.m(y)"), ("C.m", "D.m"), ("| signature |", "| s |")):
        assert check(page.replace(old, new), api, [stub]), new
    print("The checks of the self-test passed.")


def main(folders):
    stub_texts = [(Path(folder) / name).read_text() for folder in folders for name in ("__init__.pyi", "_rng.pyi", "torch.pyi")]
    wrong = check((ROOT / "docs/quick-reference.md").read_text(), (ROOT / "docs/api.md").read_text(), stub_texts)
    print("\n".join(f"docs/quick-reference.md: no such signature: {text}" for text in wrong) or "All signatures are those of the headers and stubs.")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1:]))
