#!/usr/bin/env python3
"""Each public header begins with a comment that has an example, and the example compiles.

    check_headers.py [--cxx CXX] [--include=DIR]...     exit code 1, and a message for each fault
    check_headers.py --self-test

The headers are rng.hpp and those of docs/api.md (PAGES of scripts/api.py). Those of WITHOUT may have no example. An example is the indented lines of the comment:

    //     rng::fill(x, rng::normal{0.0f, 1.0f}, gen);     // what a reader has in hand (x, gen) is in IN_HAND below

The examples are statements, and stand in one translation unit, each in a function of its own; a struct stands before that function.
Those of headers that need another library have a unit each, which is empty without that library. "= ...;" stands for no value.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from api import BELONGING, PAGES  # noqa: E402

# Headers without an example, with the reason.
WITHOUT = {
    "device_launch.hpp": "nvcc compiles what it is for: examples/cuda_own_distribution.cu and docs/cuda.md",
    "device_fill_rows.hpp": "nvcc compiles what it is for: docs/cuda.md",
    "core/engine.hpp": "the engines are named in the example of core/stream.hpp",
}
STANDARD = ("algorithm", "cstdio", "fstream", "iostream", "memory", "numeric", "random", "string", "vector")
IN_HAND = {
    "x": "std::vector<float> x(100);",
    "v": "std::vector<int> v(100);",
    "i": "const uint64_t i = 0;",
    "pointer": "float* const pointer = nullptr;",
    "m": "const size_t m = 0;",
    "n": "const size_t n = 0;",
    "rows": "const size_t rows = 0;",
    "cols": "const size_t cols = 0;",
    "row_offsets": "const std::span<const int64_t> row_offsets;",
    "columns": "const std::span<const int64_t> columns;",
    "values": "const std::span<const float> values;",
    "gen": "rng::Generator gen{42};",
    "generator": "rng::Generator generator{42};",
    "stream": "const rng::Stream<> stream{42};",
    "engine": "rng::philox4x32 engine(42);",
    "my_generator": "std::mt19937 my_generator;",
    "z": "std::normal_distribution<double> z;",
    "A": "const auto A = rng::matrix_view<const float>::row_major(nullptr, 0, 0);",
    "U": "const rng::device_matrix<float> U, V;",
    "S": "const rng::device_span<float> S;",
    "work": "const rng::device_span<std::byte> work;",
}
# What a name stands for in one header.
IN_HAND_OF = {
    "device_fill.hpp": {"stream": "rng::cuda_stream stream = nullptr;"},
    "svd/device_svd.hpp": {"stream": "rng::cuda_stream stream = nullptr;"},
    "reduce/index_add.hpp": {
        "vocabulary": "const size_t vocabulary = 10;",
        "width": "const size_t width = 4;",
        "tokens": "const std::vector<int64_t> tokens;",
        "of_each_token": "const auto of_each_token = rng::matrix_view<const float>::row_major(nullptr, 0, 4);",
    },
    "reduce/running_sum.hpp": {
        "block": "const std::vector<double> block;",
        "first": "const uint64_t first = 0;",
        "bytes_of_another_rank": "const std::vector<std::byte> bytes_of_another_rank;",
    },
    "reduce/sparse_product.hpp": {
        "A": "const rng::csr_view<float> A{};",
        "B": "const auto B = rng::matrix_view<const float>::row_major(nullptr, 0, 0);",
        "out": "const auto out = rng::matrix_view<float>::row_major(nullptr, 0, 0);",
    },
    "reduce/device_reduce.hpp": {
        "x": "const float* const x = nullptr;",
        "total": "float* const total = nullptr;",
        "means": "double* const means = nullptr;",
        "stream": "rng::cuda_stream stream = nullptr;",
    },
    "stats/inverted.hpp": {"values": "const std::shared_ptr<rng::stats::ValueSource> values;"},
    "interop/dlpack.hpp": {
        "tensor": "struct Tensor { void* data; struct { int device_type, device_id; } device; int ndim; "
                  "struct { uint8_t code, bits; uint16_t lanes; } dtype; int64_t *shape, *strides; uint64_t byte_offset; } tensor{};",
        "stream": "rng::cuda_stream stream = nullptr;",
    },
    "reduce/rank_sums.hpp": {
        "mine": "const std::vector<float> mine;",
        "first": "const uint64_t first = 0;",
        "size": "const uint64_t size = 0;",
        "ranks": "rng::Ranks* const all = nullptr; rng::Ranks& ranks = *all;",
    },
    "svd/svd_ranks.hpp": {
        "mine": "const auto mine = rng::matrix_view<const float>::row_major(nullptr, 0, 0);",
        "first_row": "const uint64_t first_row = 0;",
        "ranks": "rng::Ranks* const all = nullptr; rng::Ranks& ranks = *all;",
    },
    "svd/device_svd_ranks.hpp": {
        "mine": "const auto mine = rng::device_matrix<const float>::row_major(nullptr, 0, 0);",
        "first_row": "const uint64_t first_row = 0;",
        "ranks": "rng::Ranks* const all = nullptr; rng::Ranks& ranks = *all;",
        "U_mine": "const rng::device_matrix<float> U_mine;",
        "V": "const rng::device_matrix<float> V;",
        "stream": "rng::cuda_stream stream = nullptr;",
    },
    "interop/npy.hpp": {"file": "File file{};"},
    "interop/thrust.hpp": {
        "y": "std::vector<float> y(100);",
        "out": "std::vector<float> out(100);",
        "v": "std::vector<double> v(100);",
        "policy": "const auto policy = thrust::seq;",
    },
    "interop/random123.hpp": {"counter": "const r123array4x32 counter{};", "key": "const r123array2x32 key{};"},
}
OF_LIBRARIES = {
    "interop/eigen.hpp": ["Eigen/Dense"],
    "interop/random123.hpp": ["Random123/philox.h", "Random123/threefry.h", "Random123/MicroURNG.hpp",
                              "Random123/conventional/Engine.hpp", "Random123/uniform.hpp"],
    "mpi.hpp": ["mpi.h"],
    "interop/thrust.hpp": ["thrust/copy.h", "thrust/execution_policy.h", "thrust/random.h", "thrust/tabulate.h", "thrust/transform.h"],
}  # fmt: skip


def headers():
    """The public headers, by their paths in include/rng."""
    named = [header for _, page in PAGES for header in page]
    return ["rng.hpp", *(header for name in named for header in [*BELONGING.get(name, []), name])]


def example_of(text):
    """The indented lines of a header's first comment that follow an empty line of it, with the number of each."""
    lines, follows = [], False
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("//"):
            break
        is_code = follows and line.startswith("//     ")
        if is_code:
            lines.append((number, line[7:]))
        follows = is_code or line == "//"
    return lines


def function_of(number, name, example):
    """A function with the example as its body; `name` is what messages say."""
    given = IN_HAND | IN_HAND_OF.get(name, {})
    outside, inside, in_struct = [], [], False
    for line_number, line in example:
        line = re.sub(r"=\s*\.\.\.;", ";", line)
        in_struct = in_struct or line.startswith("struct ")
        (outside if in_struct else inside).append(f'#line {line_number} "{name}"\n{line}')
        in_struct = in_struct and not line.startswith("};")
    code = "\n".join(re.sub(r"//.*", "", line) for _, line in example)
    words = set(re.findall(r"\w+", code))
    have = [declaration for word, declaration in given.items() if word in words]  # in a block around the example's own names
    return "\n".join([f"namespace example_{number} {{", *outside, "void run() {", *have, "{", *inside, "}", "}", "}"])


def unit_of(examples):
    """A translation unit of several examples: (name, lines) of each."""
    libraries = [library for name, _ in examples for library in OF_LIBRARIES.get(name, [])]
    lines = [f"#include <{header}>" for header in STANDARD] + ["#include <rng/rng.hpp>", "#include <rng/device_fill.hpp>"]
    lines += [f"#include <rng/{name}>" for name, _ in examples if name not in OF_LIBRARIES]
    if any(name.startswith("stats/") for name, _ in examples):
        lines += ["#include <rng/stats/report.hpp>", "#include <rng/stats/values.hpp>"]
    body = [f"#include <{library}>" for library in libraries]
    body += [f"#include <rng/{name}>" for name, _ in examples if name in OF_LIBRARIES]
    body += [function_of(i, name, example) for i, (name, example) in enumerate(examples)]
    if libraries:
        body = [f"#if __has_include(<{libraries[0]}>)", *body, "#endif"]
    return "\n".join(lines + body) + "\n"


def compile_fault(options, source):
    """What the compiler says against a source, or an empty string."""
    flags = ["-std=c++20", "-fsyntax-only", "-Wall", "-Weffc++", "-Wswitch-enum", "-Werror", "-Wno-unused", "-Wno-unused-result",
             "-Wno-shadow"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "examples.cpp"
        path.write_text(source)
        # Thrust asks for CUDA unless it is told where to run.
        command = [options.cxx, *flags, "-DTHRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP"]
        command += [*(f"-I{path}" for path in options.include), *(f"-isystem{path}" for path in options.system), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def check(options, texts):
    """The faults of headers, given by name and text."""
    examples = {name: example_of(text) for name, text in texts.items()}
    faults = [f"include/rng/{name}: its first comment has no example" for name, example in examples.items()
              if not example and name not in WITHOUT]  # fmt: skip
    there = [(name, example) for name, example in examples.items() if example]
    units = [[pair for pair in there if pair[0] not in OF_LIBRARIES]] + [[pair] for pair in there if pair[0] in OF_LIBRARIES]
    return faults + [said for unit in units if unit and (said := compile_fault(options, unit_of(unit)))]


def self_test(options):
    good = "// What it is.\n//\n//     rng::fill(x, rng::normal{0.0f, 1.0f}, gen);     // values\n#pragma once\n//     later\n"
    assert example_of(good) == [(3, "rng::fill(x, rng::normal{0.0f, 1.0f}, gen);     // values")]
    assert not check(options, {"fill.hpp": good}), check(options, {"fill.hpp": good})
    wrong = check(options, {"fill.hpp": good.replace("normal", "gauss")})
    assert len(wrong) == 1 and "fill.hpp:3" in wrong[0] and "gauss" in wrong[0], wrong
    assert len(check(options, {"fill.hpp": "// What it is.\n#pragma once\n"})) == 1
    assert not check(options, {"core/engine.hpp": "// What it is.\n"})
    assert not example_of("// A list:\n//   one    1,\n//          2\n")
    struct = [(1, "struct A {"), (2, "    int a;"), (3, "};"), (4, "const A a = ...;")]
    assert re.search(r"};\nvoid run\(\) \{.*const A a ;", function_of(0, "a.hpp", struct), re.DOTALL), function_of(0, "a.hpp", struct)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--system", action="append", default=[], help="folders of other libraries")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test(options)
    faults = check(options, {name: (ROOT / "include" / "rng" / name).read_text() for name in headers()})
    print("\n".join(faults) if faults else f"{len(headers())} headers")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
