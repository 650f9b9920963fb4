#!/usr/bin/env python3
"""Writes docs/api.md: the public functions and types of the headers, a line each, with their docstrings' first sentences.

    api.py            writes the page
    api.py --check    exit code 1 if the page is not what the headers say, or has more than MOST_EMPTY rows without a text
    api.py --self-test

Public is what stands in namespace rng (or rng::interop, rng::stats) of the headers in PAGES, public in its class, and not
deleted. An overload without a docstring shares that of the one before it. Variables, types and operators are listed if they
have one; of a distribution's header, the distribution alone. A member that overrides another is listed only if it has a docstring:
the base class says what the member does. No more than MOST_EMPTY rows may be without a text.
"""

import argparse
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from distribution_table import DISTRIBUTIONS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "api.md"

HEADERS_OF_DISTRIBUTIONS = [f"distributions/{name}" for name in (
    *dict.fromkeys(header for _, header, _ in DISTRIBUTIONS), "piecewise.hpp", "alias_table.hpp", "categorical.hpp")]
# Parts of the page: title, headers.
PAGES = [
    ("Arrays", ["fill.hpp", "fill_each.hpp", "generator.hpp", "matrix_view.hpp", "shard.hpp", "indices.hpp", "initialisers.hpp", "sobol.hpp", "sobol_view.hpp", "any_distribution.hpp"]),
    ("Streams and single values", ["core/stream.hpp", "at.hpp", "prepared.hpp", "prepared_map.hpp", "reader.hpp"]),
    ("Random order", ["permutation.hpp", "shuffle.hpp", "choice.hpp", "data_loader.hpp"]),
    ("Distributions", [*HEADERS_OF_DISTRIBUTIONS, "draw.hpp"]),
    ("Structured results", ["fill_rows.hpp", "row_at.hpp", *(f"structured/{name}.hpp" for name in (
        "dirichlet", "multivariate_normal", "cholesky", "sphere", "haar", "wishart", "multinomial", "multivariate_hypergeometric")), "device_fill_rows.hpp"]),
    ("Engines for other people's code", ["random.hpp", "core/counter_engine.hpp", "core/engine.hpp"]),
    ("The low-rank SVD", ["svd/svd_lowrank.hpp", "svd/svd_types.hpp", "svd/host_workspace.hpp", "svd/device_svd.hpp"]),
    ("Sums", ["reduce/sums.hpp", "reduce/index_add.hpp", "reduce/running_sum.hpp", "reduce/sparse_product.hpp", "reduce/device_reduce.hpp", "fill_undefined.hpp"]),
    ("Several ranks", ["ranks.hpp", "mpi.hpp", "svd/svd_ranks.hpp", "svd/device_svd_ranks.hpp", "reduce/rank_sums.hpp"]),
    ("Devices and settings", ["device.hpp", "device_fill.hpp", "device_launch.hpp", "isa.hpp", "deterministic.hpp", "verify.hpp", "core/error.hpp"]),
    ("Half types", ["float16.hpp"]),
    ("Other libraries", ["interop/cuda_array.hpp", "interop/curand.hpp", "interop/dlpack.hpp", "interop/eigen.hpp", "interop/jax.hpp",
                         "interop/mkl.hpp", "interop/npy.hpp", "interop/numpy.hpp", "interop/random123.hpp", "interop/tensorflow.hpp",
                         "interop/thrust.hpp", "interop/torch.hpp"]),
    ("Statistical tests", ["stats/battery.hpp", "stats/battery_parts.hpp", "stats/report.hpp", "stats/test_catalogue.hpp", "stats/engine.hpp",
                           "stats/engines_under_test.hpp", "stats/views.hpp", "stats/source.hpp", "stats/sources.hpp", "stats/generator_under_test.hpp",
                           "stats/values.hpp", "stats/values_under_test.hpp", "stats/inverted.hpp", "stats/p_value.hpp", "stats/zoo.hpp",
                           "stats/calibration.hpp", "stats/permutations.hpp"]),
]
PUBLIC_NAMESPACES = {"rng", "stats", "interop", "init", "mpi", "curand", "jax", "mkl", "numpy", "tensorflow", "torch"}
# Headers whose contents users get from another one, on that one's table.
BELONGING = {"stats/values.hpp": ["stats/value_law.hpp", "stats/law_of.hpp"]}
# Public for other parts of the library, or only there to say that they are misused.
LEFT_OUT = {"KeyedPermutation::KeyedPermutation", "KeyedPermutation::keys", "KeyedPermutation::own_stream", "Generator::min", "Generator::max", "Generator::operator", "Generator::discard", "Generator::claim",
            "Generator::claim_child", "Stream::block", "Stream::child", "counter_engine::stream_before",
            "counter_engine::used_words", "counter_engine::mark_word", "counter_engine::buffered", "counter_engine::has_stream"}
# What fills call of a distribution; listed if it has a docstring.
OF_FILLS = re.compile(r"(^|::)(Map|Values)(::|$)|::(map|fault|of)$")

# Rows without a text. Lower this number when a header gets a docstring; never raise it.
MOST_EMPTY = 0

TOKEN = re.compile(r'///<?[^\n]*|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|[{}();]|:(?!:)|[^\s{}();:"\'/]+|::|/|\s+', re.DOTALL)


@dataclass
class Entry:
    scope: str  # the class, or empty
    text: str
    doc: str
    name: str = ""  # of a function


@dataclass
class Scope:
    kind: str  # namespace, class, enum, body
    name: str
    public: bool = True
    chunk: str = ""  # what stood before an initialiser in braces


def declaration_text(text):
    """A declaration as the page shows it: without attributes, templates' heads, requirements, initialisers and bodies."""
    text = re.sub(r"\[\[.*?\]\]", "", text)
    text = re.sub(r"\b(RNG_API|RNG_FN|RNG_EXEC_CHECK_DISABLE|RNG_DEVICE|inline|constexpr|explicit|static|virtual|friend)\b", "", text)
    while text.lstrip().startswith("template"):
        depth, at = 0, text.index("<")
        for at in range(at, len(text)):
            depth += (text[at] == "<") - (text[at] == ">")
            if depth == 0:
                break
        text = text[at + 1:]
    text = re.sub(r"^\s*requires\s*\(.*?\)(?=\s*[\w:])", "", text.strip())
    text = re.sub(r"^\s*requires\s+[\w:]+(<[^<>]*>)?(\s*(&&|\|\|)\s*[\w:]+(<[^<>]*>)?)*\s+", "", text)
    text = re.sub(r"\)\s*(const)?\s*(noexcept)?\s*:\s.*$", r")\1", text, flags=re.DOTALL)  # a constructor's initialisers
    return re.sub(r"\s+", " ", text).strip()


def first_sentence(doc):
    """The docstring's first sentence, or all of it if it ends without one."""
    doc = re.sub(r"\s+", " ", doc).strip()
    match = re.match(r"(.*?[.!?])(?= [A-Z`\[]|$)", doc)
    return (match[1] if match else doc).rstrip(".").rstrip(":")


def entries_of(text):
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.MULTILINE)  # the preprocessor's lines
    text = text.replace("RNG_BEGIN_NAMESPACE", "namespace rng {").replace("RNG_END_NAMESPACE", "}")
    entries, stack = [], []
    doc, chunk, parens = "", "", 0
    added_at = 0  # where in the text the last entry ended

    def listed():
        return all(s.kind in ("namespace", "class") and s.public and (s.kind == "class" or set(s.name.split("::")) <= PUBLIC_NAMESPACES) for s in stack) and stack

    def add(piece):
        nonlocal doc
        if stack and stack[-1].kind == "body":  # in braces of a requirement: the docstring is that of what follows
            return
        said, doc = doc, ""
        shown = declaration_text(piece)
        if re.match(r"\s*template\s*<\s*>", piece) or "[[deprecated" in piece:  # a specialization: its template is listed
            return
        if not listed() or not shown or re.match(r"(using namespace|static_assert|friend|requires|~)", shown):
            return
        if not said and re.search(r"\)[^()]*\b(override|final)$", shown):
            return
        if re.search(r"=\s*delete|operator\s*(==|=|<<|>>)\(|->", shown) or "= default" in piece and not said:
            return
        shown = re.sub(r"\s*=\s*(default|0)$", "", shown)
        name = re.match(r"[^=(]*?([\w~]+|operator\(\))\s*\(", shown)
        if not name:  # a variable or a type
            if said:
                entries.append(Entry(scope_name(), re.sub(r"\s*(=|\{).*$", "", shown), said))
            return
        entry = Entry(scope_name(), shown, said, name[1])
        full_name = f"{entry.scope}::{name[1].removesuffix('()')}"
        if full_name in LEFT_OUT or not said and OF_FILLS.search(full_name) or "(const T&)" in shown:
            return
        if not said and entries and (entries[-1].scope, entries[-1].name) == (entry.scope, entry.name):
            entry.doc = entries[-1].doc
        entries.append(entry)

    def scope_name():
        return "::".join(s.name for s in stack if s.kind == "class")

    for match in TOKEN.finditer(text):
        token = match[0]
        if token.startswith("///<"):
            if entries and listed() and added_at and "\n" not in text[added_at:match.start()]:
                entries[-1].doc = token[4:].strip()
        elif token.startswith("///"):
            doc = doc + " " + token[3:].strip() if not chunk.strip() else doc
        elif token.startswith(("//", "/*")):
            continue
        elif token == "(":
            parens += 1
            chunk += token
        elif token == ")":
            parens -= 1
            chunk += token
        elif parens:
            chunk += token
        elif token == "{":
            head = re.sub(r"\[\[.*?\]\]", "", chunk).strip()
            kind = re.match(r"(?:template\s*<.*?>\s*(?:requires.*?)?)?(?:inline\s+)?(namespace|class|struct|union|enum(?:\s+class)?)\b\s*(?:RNG_API\s+)?([\w:]*)",
                            head, re.DOTALL)
            if kind and "(" not in head.split(kind[1])[0] and kind[1] == "namespace":
                stack.append(Scope("namespace", kind[2]))
            elif kind and kind[1] in ("class", "struct", "union"):
                if listed() and doc and kind[2]:
                    entries.append(Entry(scope_name(), f"{kind[1]} {kind[2]}", doc))
                stack.append(Scope("class", kind[2], kind[1] != "class"))
                doc = ""
            elif kind and kind[1].startswith("enum"):
                if listed():
                    entries.append(Entry(scope_name(), f"{kind[1]} {kind[2]}", doc))
                doc = ""
                stack.append(Scope("enum", kind[2]))
            else:
                is_function = "(" in head
                if is_function:
                    add(chunk)
                stack.append(Scope("body", "", chunk="" if is_function else chunk))
            chunk = ""
        elif token == "}":
            chunk = stack.pop().chunk if stack else ""
        elif token == ";":
            before = len(entries)
            add(chunk)
            added_at = match.end() if len(entries) > before else 0
            chunk = ""
        elif token == ":" and chunk.strip() in ("public", "private", "protected") and stack and stack[-1].kind == "class":
            stack[-1].public = chunk.strip() == "public"
            chunk = ""
        else:
            chunk += token
    return entries


def header_comment(path):
    """The first paragraph of the comment that a header begins with."""
    comment = re.match(r"((?://[^\n]*\n)+)", path.read_text())[1]
    paragraph = re.sub(r"^// ?", "", comment, flags=re.MULTILINE).partition("\n\n")[0]
    return re.sub(r"\s+", " ", paragraph).strip()


def cell(text):
    return text.replace("|", "\\|")


def page():
    lines = ["# The public functions", "", "`scripts/api.py` writes this page from the headers' docstrings, which say more: units, ranges and errors.", ""]
    for title, headers in PAGES:
        lines += [f"## {title}", ""]
        for header in headers:
            path = ROOT / "include" / "rng" / header
            if not path.exists():
                raise SystemExit(f"api.py: include/rng/{header} is not there")
            lines += [f"`<rng/{header}>`: {header_comment(path)}", ""]
            if header in HEADERS_OF_DISTRIBUTIONS:
                continue
            paths = [ROOT / "include" / "rng" / part for part in BELONGING.get(header, [])] + [path]
            found = [entry for part in paths for entry in entries_of(part.read_text())]
            if not found:
                raise SystemExit(f"api.py: nothing is public in include/rng/{header}")
            lines += ["| | |", "|---|---|"]
            for entry in found:
                name = f"{entry.scope}: " if entry.scope else ""
                lines.append(f"| {name}`{cell(entry.text)}` | {cell(first_sentence(entry.doc))} |")
            lines.append("")
    return "\n".join(lines)


def empty_rows(text):
    """The rows of a page that say nothing of what they name."""
    return [line for line in text.splitlines() if line.startswith("| ") and line.endswith("|  |")]


def self_test():
    """A docstring reaches its row; an override without one has none."""
    header = """RNG_BEGIN_NAMESPACE
    /// Says it. More.
    int said();
    int silent();
    /// Said before.
    [[deprecated("use said")]] int former();
    /// Asks.
    template <class T>
    requires requires { T::a; T::b; }
    int asked(T);
    struct Derived {
        int inherited() const override;
        /// Its own.
        int own() const override;
    };
    RNG_END_NAMESPACE"""
    found = {entry.name: first_sentence(entry.doc) for entry in entries_of(header)}
    assert found == {"said": "Says it", "silent": "", "asked": "Asks", "own": "Its own"}, found
    assert empty_rows("| | |\n| `int a()` | Says it |\n| `int b()` |  |\n") == ["| `int b()` |  |"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return 0
    text = page()
    if not options.check:
        PAGE.write_text(text)
        return 0
    if not PAGE.exists() or PAGE.read_text() != text:
        print("docs/api.md is not what the headers say: run python3 scripts/api.py")
        return 1
    empty = empty_rows(text)
    if len(empty) > MOST_EMPTY:
        print(f"docs/api.md has {len(empty)} rows without a text, {MOST_EMPTY} are allowed: write docstrings", *empty, sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
