"""Compiles and runs the fenced blocks of the pages, and compares what they print.

    check_blocks.py --pages PAGE... [--cxx CXX] [--include=DIR]... [--link=FILE]... [--program RNG] [--nvcc NVCC] [--prefix DIR]
    check_blocks.py --self-test

By the language of a block:
  cpp      a whole program, if it has a main(): it is linked, run, and prints the ```text block that follows it, if one
           does. Else statements, which are compiled as the body of a function; or what stands at namespace scope.
  cuda     the same, compiled by nvcc and never run. Without nvcc such blocks are counted as skipped.
  python   compiled, and never run (tests/parity/check_nvrtc.py compiles its kernels)
  console  commands after "$ ", each followed by what it prints. "..." alone on a line stands for any lines.
  cmake    what a project says after add_executable(app ...): it is configured with the installed tree --prefix.
  text     what the block before it prints.

A comment right before a block names what a reader has in hand, and where the block stands:
    <!-- given: float* pointer = nullptr; size_t n = 0; -->
    <!-- at namespace scope -->
Lines of a block that are only "..." are left out. Statements with the same #includes are compiled as one source, and each
block alone if that fails. Exit code 1 if a block fails.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("cpp", "cuda", "python", "console", "cmake", "text")
BLOCK = re.compile(r"(?:^<!-- (?P<comment>(?:given: |at namespace scope).*?) -->\n)?^```(?P<language>\w*)\n(?P<code>.*?)^```$",
                   re.DOTALL | re.MULTILINE)


@dataclass
class Block:
    page: str
    line: int
    language: str
    code: str
    given: str = ""
    at_namespace_scope: bool = False
    prints: str | None = None  # what the text block after it says

    @property
    def name(self):
        return f"{self.page}:{self.line}"


def blocks_of(page, text):
    """The blocks of a page. A language that has no meaning here is an error, so that no block goes unchecked."""
    blocks, end = [], 0
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("language")) + 1
        language = match["language"]
        if language not in LANGUAGES:
            raise SystemExit(f"{page}:{line}: a block of '{language}'; it can be of {', '.join(LANGUAGES)}")
        if language == "text":
            if not blocks or text[end:match.start()].strip():
                raise SystemExit(f"{page}:{line}: a text block stands right after the block that prints it")
            blocks[-1].prints = match["code"]
        else:
            comment = match["comment"] or ""
            given = comment.removeprefix("given: ") if comment.startswith("given: ") else ""
            blocks.append(Block(page, line, language, match["code"], given, comment == "at namespace scope"))
        end = match.end()
    if len(re.findall(r"^\s*```", text, re.MULTILINE)) != 2 * len(BLOCK.findall(text)):
        raise SystemExit(f"{page}: a fence does not begin its line, or has no end")
    return blocks


def is_program(block):
    return "int main(" in block.code


def lines_of(block):
    return [line for line in block.code.splitlines() if line.strip() != "..."]


def includes_of(block):
    return tuple(line for line in lines_of(block) if line.startswith("#include"))


def source_of(*blocks):
    """A translation unit of a program, or of blocks with the same #includes."""
    first = blocks[0]
    if is_program(first):
        return "\n".join(lines_of(first)) + "\n"
    lines = ["#include <rng/rng.hpp>", "#include <cstdint>", "#include <iostream>", "#include <random>", "#include <vector>"]
    lines += includes_of(first)
    for number, block in enumerate(blocks):
        body = [block.given, *(line for line in lines_of(block) if not line.startswith("#include"))]
        if not block.at_namespace_scope and "__global__" not in block.code:
            body = [f"void block{number}() {{", *body, "}"]
        lines += [f"namespace scope{number} {{", *body, "}"]
    return "\n".join(lines) + "\n"


def matches(printed, expected):
    """Line by line; "..." alone stands for any lines."""
    pattern = "".join(r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()) + r"[ \t]*\n"
                      for line in expected.rstrip("\n").split("\n"))
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


class Checker:
    def __init__(self, options):
        self.options = options
        self.failures = 0
        self.counts = dict.fromkeys(("compiled", "run", "skipped"), 0)

    def fail(self, block, what):
        self.failures += 1
        print(f"FAIL {block.name}: {what}")

    def call(self, block, command, what, **options):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
        if done.returncode != 0:
            self.fail(block, f"{what}:\n{done.stdout}{done.stderr}".rstrip())
            return None
        return done.stdout

    def check_cpp(self, *blocks, folder):
        source, program = folder / "block.cpp", folder / "block"
        source.write_text(source_of(*blocks))
        block, whole = blocks[0], is_program(blocks[0])
        flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
                 "-Wno-unknown-pragmas", "-Werror"]
        command = [self.options.cxx, *flags, *(f"-I{path}" for path in self.options.include), source]
        command += [*self.options.link, "-pthread", "-o", program] if whole else ["-fsyntax-only"]
        if not self.compile(blocks, command) or not whole:
            return
        printed = self.call(block, [program], "its program failed")
        if printed is None:
            return
        self.counts["run"] += 1
        if block.prints is not None and not matches(printed, block.prints):
            self.fail(block, f"prints\n{printed}and not\n{block.prints}")

    def check_cuda(self, *blocks, folder):
        if not self.options.nvcc:
            self.counts["skipped"] += len(blocks)
            return
        source = folder / "block.cu"
        source.write_text(source_of(*blocks))
        command = [self.options.nvcc, "-std=c++20", "-arch=sm_90", "-Werror=all-warnings", "-diag-suppress=177,550"]
        command += [*(f"-I{path}" for path in self.options.include), "-c", "-o", folder / "block.o", source]
        self.compile(blocks, command)

    def compile(self, blocks, command):
        """Whether they compile. If several do not, each is checked alone, to name the one that fails."""
        if len(blocks) == 1:
            compiled = self.call(blocks[0], command, "does not compile") is not None
        else:
            compiled = subprocess.run([str(word) for word in command], capture_output=True, check=False).returncode == 0
            if not compiled:
                for block in blocks:
                    self.check(block)
        self.counts["compiled"] += len(blocks) if compiled else 0
        return compiled

    def check_python(self, block, folder):
        del folder
        try:
            compile(block.code, block.name, "exec")
            self.counts["compiled"] += 1
        except SyntaxError as error:
            self.fail(block, f"does not compile: {error}")

    def check_console(self, block, folder):
        parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
        if parts[0].strip():
            self.fail(block, 'a console block begins with "$ "')
        path = os.pathsep.join([str(Path(self.options.program).parent), os.environ["PATH"]])
        for part in parts[1:]:
            command, _, expected = part.partition("\n")
            printed = self.call(block, ["bash", "-c", command], f"{command} failed", cwd=folder, env=os.environ | {"PATH": path})
            if printed is None:
                continue
            self.counts["run"] += 1
            if not matches(printed, expected):
                self.fail(block, f"$ {command}\nprints\n{printed}and not\n{expected}")

    def check_cmake(self, block, folder):
        if not self.options.prefix:
            self.counts["skipped"] += 1
            return
        (folder / "app.cpp").write_text("int main() {}\n")
        (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES CXX)\n"
                                               f"add_executable(app app.cpp)\n{block.code}")
        command = ["cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={self.options.prefix}",
                   f"-DCMAKE_CXX_COMPILER={self.options.cxx}"]
        if self.call(block, command, "does not configure") is not None:
            self.counts["compiled"] += 1

    def check(self, *blocks):
        with tempfile.TemporaryDirectory() as folder:
            getattr(self, f"check_{blocks[0].language}")(*blocks, folder=Path(folder))


def together(blocks):
    """Lists of blocks that one source can hold."""
    groups = {}
    for block in blocks:
        alone = is_program(block) or block.language not in ("cpp", "cuda")
        groups.setdefault(block.name if alone else (block.language, includes_of(block)), []).append(block)
    return list(groups.values())


def self_test():
    page = "a\n<!-- given: int n = 1; -->\n```cpp\n#include <map>\n...\nn = 2;\n```\n\n```cpp\nint main() {}\n```\n\n```text\n1\n...\n9\n```\n"
    first, second = blocks_of("p", page)
    assert (first.name, first.given, first.prints) == ("p:3", "int n = 1;", None), first
    assert source_of(first).endswith("#include <map>\nnamespace scope0 {\nvoid block0() {\nint n = 1;\nn = 2;\n}\n}\n"), source_of(first)
    assert source_of(first, first).count("#include <map>") == 1 and "void block1() {" in source_of(first, first)
    assert together([first, second, first]) == [[first, first], [second]]
    assert second.prints == "1\n...\n9\n" and source_of(second) == "int main() {}\n"
    assert source_of(Block("p", 1, "cuda", "int main() {\n...\n}\n")) == "int main() {\n}\n"
    assert matches("1\n9\n", second.prints) and matches("1\n2\n3\n9\n", second.prints) and not matches("1\n2\n", second.prints)
    assert matches("1 \n", "1\n") and not matches("1\n\n2\n", "1\n2\n") and not matches("", "1\n")
    for bad in ("```c++\n```\n", "```text\n1\n```\n", " ```cpp\n ```\n", "```cpp\nx\n"):
        try:
            blocks_of("p", "\n" + bad)
        except SystemExit:
            continue
        raise AssertionError(f"accepted: {bad}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--link", action="append", default=[])
    parser.add_argument("--program", default="rng")
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--prefix", default="")
    parser.add_argument("--pages", nargs="*", default=[], type=Path)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return 0
    checker = Checker(options)
    for blocks in together(block for page in options.pages for block in blocks_of(page.name, page.read_text())):
        checker.check(*blocks)
    print(", ".join(f"{count} {what}" for what, count in checker.counts.items()))
    return 1 if checker.failures else 0


if __name__ == "__main__":
    sys.exit(main())
