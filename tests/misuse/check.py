#!/usr/bin/env python3
"""Compiles plausible mistakes and reads what the compiler says of each.

    check.py --compiler g++ --include include

Each *.cpp here is a case: with MISTAKE 1 the code that somebody would write, with MISTAKE 0 what the message tells them to write.
The mistake must give one error, in few lines, with the text after "// says:"; the correction must compile without a warning.
Then: C++17 is refused by one sentence, <complex.h> may come first, and the headers work under -fno-exceptions."""

import argparse
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MOST_LINES = 25  # of what g++ and clang print of one mistake, excerpts of the source included
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic"]


class Compiler:
    def __init__(self, command, include, folder):
        self.command, self.include, self.folder = command, include, folder
        version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout
        self.kind = "nvcc" if "NVIDIA" in version else "clang" if "clang" in version else "gcc"
        self.prelude = ["-include", str(HERE / "prelude.hpp")]

    def precompile(self):
        """The prelude takes over a second to read; each case is then a fraction of one."""
        if self.kind == "nvcc":
            return
        header = self.folder / "prelude.hpp"
        header.write_text((HERE / "prelude.hpp").read_text())
        if self.kind == "gcc":
            output, self.prelude = str(header) + ".gch", ["-include", str(header)]
        else:
            output, self.prelude = str(header) + ".pch", ["-include-pch", str(header) + ".pch"]
        result = self.run(["-std=c++20", "-x", "c++-header", str(header), "-o", output])
        if result.returncode != 0:
            sys.exit(f"{self.command}: the prelude does not compile\n{result.stderr}")

    def run(self, arguments):
        flags = [] if self.kind == "nvcc" else WARNINGS + ["-fno-diagnostics-color" if self.kind == "gcc" else "-fno-color-diagnostics"]
        command = [self.command, *flags, "-I", str(self.include), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder)

    def check(self, source, arguments):
        """What the compiler's front end says of a source."""
        if self.kind == "nvcc":
            only = ["-x", "cu", "-ptx", "-gencode", "arch=compute_75,code=compute_75", "-o", "out.ptx"]
        else:
            only = ["-x", "c++", "-fsyntax-only"]
        result = self.run([*arguments, *only, str(source)])
        return result.returncode, (result.stdout + result.stderr).strip()


def errors_in(text):
    """The lines that begin an error: "file:line:column: error: ..." or nvcc's "file(line): error: ..."."""
    return [line for line in text.splitlines() if re.search(r"^\S+(:\d+|\(\d+\)): (fatal )?error\b", line)]


def first_error(text):
    return (errors_in(text) or ["no error"])[0]


def check_cases(compiler):
    faults = []
    cases = sorted(HERE.glob("*.cpp"))
    twins = []
    for case in cases:
        says = re.match(r"// says: (.*)", case.read_text()).group(1)
        code, text = compiler.check(case, ["-std=c++20", *compiler.prelude, "-DMISTAKE=1"])
        errors = len(errors_in(text))
        if code == 0:
            faults.append(f"{case.name}: the mistake compiles")
        elif says not in first_error(text):
            faults.append(f"{case.name}: the first error does not say '{says}' but: {first_error(text)}")
        elif compiler.kind != "nvcc" and (errors != 1 or len(text.splitlines()) > MOST_LINES):
            faults.append(f"{case.name}: {errors} errors in {len(text.splitlines())} lines, where one in {MOST_LINES} is the limit")
        twins.append(f"namespace {case.stem} {{\n#include \"{case}\"\n}}\n")
    corrected = compiler.folder / "corrected.cpp"
    corrected.write_text("".join(twins))
    code, text = compiler.check(corrected, ["-std=c++20", *compiler.prelude, "-DMISTAKE=0"])
    if code != 0 or "warning" in text:
        faults.append(f"the corrections do not compile without a warning:\n{text}")
    print(f"{len(cases)} mistakes")
    return faults


def check_cxx17(compiler):
    faults = []
    headers = [h.relative_to(compiler.include) for h in sorted((compiler.include / "rng").rglob("*.hpp"))]
    if compiler.kind == "nvcc":
        headers = [pathlib.Path("rng/rng.hpp"), pathlib.Path("rng/core/stream.hpp")]
    for header in headers:
        if header.parts[1] == "interop":  # another library's headers come first there
            continue
        source = compiler.folder / "cxx17.cpp"
        source.write_text(f"#include <{header}>\n")
        code, text = compiler.check(source, ["-std=c++17"])
        errors = len(errors_in(text))
        if code == 0 or "rng needs C++20" not in first_error(text) or errors > 2:
            faults.append(f"{header} under -std=c++17: {errors} errors, the first: {first_error(text)}")
    return faults


def check_complex_h(compiler):
    source = compiler.folder / "complex_h.cpp"
    source.write_text("#include <complex.h>\n#include <rng/rng.hpp>\n")
    standard = ["-std=c++20", "-Xcompiler", "-std=gnu++20"] if compiler.kind == "nvcc" else ["-std=gnu++20"]
    code, text = compiler.check(source, standard)
    return [] if code == 0 and "warning" not in text else [f"<complex.h> first, -std=gnu++20:\n{text}"]


NO_EXCEPTIONS = """
#include <rng/distributions/catalogue.hpp>
#include <rng/at.hpp>
#include <rng/core/retry_stream.hpp>
#include <cstdio>
int main(int argc, char**) {
    const rng::Stream<> stream{0};
    rng::Cursor cursor(stream, rng::normal{0.0, 1.0});
    rng::block_engine<rng::Philox4x32_10> engine(stream);
    std::printf("%d %d %d\\n", rng::word(stream, 0) == 0x6627e8d5u,
                rng::at(stream, rng::normal{0.0, 1.0}, 0) == cursor.next(),
                rng::at(stream, rng::uniform_int{1, 6}, 0) == rng::uniform_int{1, 6}(engine));
    std::fflush(stdout);
    (void)stream.fork(-argc);
}
"""


def check_no_exceptions(compiler):
    if compiler.kind == "nvcc":
        return []
    faults = []
    source, program = compiler.folder / "no_exceptions.cpp", compiler.folder / "no_exceptions"
    source.write_text(NO_EXCEPTIONS)
    result = compiler.run(["-std=c++20", "-fno-exceptions", str(source), "-o", str(program)])
    if result.returncode != 0:
        return [f"-fno-exceptions does not compile:\n{result.stderr[:2000]}"]
    result = subprocess.run([program], capture_output=True, text=True)
    expected = "rng: Stream::fork: tag must be below 2^56, got 18446744073709551615 (which is -1 modulo 2^64)\n"
    if result.stdout != "1 1 1\n" or result.stderr != expected or result.returncode != -signal.SIGABRT:
        faults.append(f"-fno-exceptions: exit {result.returncode}, '{result.stdout}', '{result.stderr}'")
    source.write_text("#include <rng/rng.hpp>\n")
    code, text = compiler.check(source, ["-std=c++20", "-fno-exceptions"])
    if code != 0:
        faults.append(f"rng.hpp under -fno-exceptions:\n{text}")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--include", required=True, type=pathlib.Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compiler = Compiler(options.compiler, options.include.resolve(), pathlib.Path(folder))
        faults = check_cxx17(compiler) + check_complex_h(compiler) + check_no_exceptions(compiler)
        compiler.precompile()
        faults += check_cases(compiler)
    for fault in faults:
        print(fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
