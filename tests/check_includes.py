#!/usr/bin/env python3
"""Which part of the tree may include which. Exit code 1 and a line for each include that breaks a rule.

    check_includes.py [ROOT]      checks the tree
    check_includes.py --self-test

A part is a folder, or a public header that LAYERS names. LAYERS orders the parts of the public headers: each includes only
its own and those before it. ALLOWED lists what every other part may include besides its own, and has no circle. So no two parts
include each other. The parts of USERS include public headers only and name nothing of namespace rng::detail. TESTS lists which
private parts a folder of tests may include.
"""

import os
import re
import sys
import tempfile
from pathlib import Path

# The parts of include/rng, from the one that stands on nothing to the one that has all: folders and single headers.
LAYERS = [
    ["core"],
    ["lane"],
    ["detail/unit.hpp"],
    ["float16.hpp", "vec.hpp", "detail/below.hpp", "detail/feistel.hpp", "detail/fault_text.hpp", "detail/engine_text.hpp", "detail/value.hpp", "detail/tile.hpp", "detail/element_type.hpp", "detail/keyed_stream.hpp",
     "detail/cuda_check.hpp"],
    ["at.hpp", "detail/real.hpp", "detail/fill_sizes.hpp", "fill_undefined.hpp"],
    ["detail/draw_value.hpp", "detail/ranges.hpp", "detail/count_expansions.hpp", "detail/mass_walk.hpp", "detail/maxwell_map.hpp", "detail/piecewise.hpp", "detail/uniform_map.hpp", "detail/random_engines.hpp", "detail/standard_distribution.hpp"],
    ["detail/gamma_trial.hpp", "detail/normal_parameters.hpp", "detail/count_map.hpp", "detail/hypergeometric_map.hpp", "detail/weights.hpp"],
    ["draw.hpp", "detail/gamma_quotient.hpp", "detail/noncentral_trial.hpp", "detail/negative_binomial_map.hpp"],
    ["prepared_map.hpp"],
    ["distributions"],
    ["permutation.hpp"],
    ["sobol_view.hpp"],
    ["detail/row.hpp"],
    ["row_at.hpp", "structured"],
    ["device.hpp", "isa.hpp", "deterministic.hpp", "matrix_view.hpp", "ranks.hpp", "detail/stream_record.hpp"],
    ["detail/fill_request.hpp", "detail/device_fill_layout.hpp", "detail/device_view.hpp"],
    ["detail/warp_retries.hpp", "detail/row_components.hpp", "detail/device_row_fill.hpp", "detail/device_sobol_fill.hpp", "prepared.hpp"],
    ["detail/device_fill_kernel.hpp"],
    ["detail/any_engine.hpp"],
    ["detail/value_run.hpp"],
    ["generator.hpp", "random.hpp", "reader.hpp", "verify.hpp"],
    ["detail/misuse.hpp", "detail/fill_arguments.hpp", "detail/svd_element.hpp", "detail/matrix_description.hpp"],
    ["any_distribution.hpp", "fill.hpp", "svd/svd_types.hpp", "detail/device_target.hpp", "detail/reduction.hpp"],
    ["detail/random_source.hpp", "detail/device_row_target.hpp", "detail/scatter.hpp", "detail/running_sum_state.hpp", "detail/each.hpp"],
    ["choice.hpp", "shuffle.hpp", "device_fill.hpp", "fill_each.hpp", "fill_rows.hpp", "shard.hpp", "indices.hpp", "sobol.hpp", "detail/svd_input.hpp", "detail/device_launch_kernel.hpp"],
    ["data_loader.hpp", "rng.h", "reduce"],
    ["reduce.hpp"],
    ["detail/device_svd_target.hpp", "stats/source.hpp", "device_launch.hpp", "device_fill_rows.hpp"],
    ["initialisers.hpp"],
    ["svd", "stats/generator_under_test.hpp"],
    ["interop/detail", "stats/detail"],
    ["interop", "stats"],
    ["rng.hpp", "mpi.hpp"],
]

PUBLIC = "include/rng"
STATS = "statistical_tests"
# What else a part may include. PUBLIC stands for all of include/rng.
ALLOWED = {
    "src": [PUBLIC, "src/cpu", "src/device"],
    "src/each": [PUBLIC, "src", "src/cpu", "src/device", "src/verify"],
    "src/svd/kernels": [PUBLIC],
    "src/reduce/kernels": [PUBLIC, "src/svd/kernels"],
    "src/cpu": [PUBLIC, "src/svd/kernels", "src/reduce/kernels"],
    "src/ranks": [PUBLIC],
    "src/files": [PUBLIC],
    "src/svd": [PUBLIC, "src/cpu", "src/ranks", "src/svd/kernels", "src/reduce/kernels"],
    "src/reduce": [PUBLIC, "src/cpu", "src/ranks", "src/svd", "src/svd/kernels", "src/reduce/kernels"],
    "src/device": [PUBLIC, "src/cpu", "src/svd", "src/reduce"],
    "src/verify": [PUBLIC, "src/cpu", "src/device"],
    "cuda": [PUBLIC, "src/device", "src/svd", "src/svd/kernels", "src/reduce", "src/reduce/kernels"],
    f"{STATS}/p_values": [PUBLIC],
    f"{STATS}/laws": [PUBLIC, f"{STATS}/p_values"],
    f"{STATS}/checks": [PUBLIC],
    f"{STATS}/sources": [PUBLIC, f"{STATS}/p_values", f"{STATS}/checks"],
    f"{STATS}/checks/bits": [PUBLIC, f"{STATS}/checks", f"{STATS}/p_values"],
    f"{STATS}/checks/values": [PUBLIC, f"{STATS}/checks", f"{STATS}/checks/bits", f"{STATS}/p_values"],
    f"{STATS}/checks/structural": [PUBLIC, f"{STATS}/checks", f"{STATS}/checks/bits", f"{STATS}/sources"],
    f"{STATS}/battery": [PUBLIC, "src/files", f"{STATS}/checks", f"{STATS}/checks/values"],
    f"{STATS}/zoo": [PUBLIC, f"{STATS}/sources"],
    f"{STATS}/permutations": [PUBLIC, f"{STATS}/p_values"],
    f"{STATS}/report": [PUBLIC, f"{STATS}/battery", f"{STATS}/checks", f"{STATS}/zoo"],
    f"{STATS}/calibration": [PUBLIC, f"{STATS}/battery", f"{STATS}/p_values"],
    "apps/rng": [PUBLIC, "src/files"],
    "apps/rng-mpi": [PUBLIC, "apps/rng"],
    "examples": [PUBLIC],
    "examples/web": [PUBLIC],
    "benchmarks": [PUBLIC],
}
# The private parts, with their folders, that tests include besides public headers and other tests.
TESTS = {
    "tests/cpu": ["src/cpu", "src/verify"],
    "tests/cuda": ["cuda", "benchmarks"],
    "tests/distributions": ["src/verify", f"{STATS}/laws", f"{STATS}/p_values"],
    "tests/emulated": ["src/cpu"],
    "tests/exhaustive": ["src/cpu"],
    "tests/fill": ["src/cpu", "cuda"],
    "tests/matrix": ["src/verify"],
    "tests/mpi": ["src/verify"],
    "tests/parity": ["cuda", "src/svd", "src/verify"],
    "tests/python": ["cuda"],
    "tests/ranks": ["src/ranks", "src/verify"],
    "tests/reference": ["src/verify"],
    "tests/stats": [STATS],
    "tests/support": ["src/verify", f"{STATS}/checks", f"{STATS}/p_values", f"{STATS}/sources"],
    "tests/structured": [f"{STATS}/p_values"],
    "tests/svd": ["src/svd"],
    "tests/verify": ["src/cpu", "src/verify"],
}
USERS = ("apps/", "examples", "benchmarks")
SOURCES = (".cpp", ".hpp", ".cu", ".h", ".inc")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
DETAIL = re.compile(r"\brng::detail\b")
SEARCHED = ("include", "src", ".")  # where the compiler looks, besides the folder of the source itself


def part_of(path):
    """The part that a file belongs to: itself if LAYERS names it, and its folder otherwise."""
    return path if layer_of(path) is not None else os.path.dirname(path)


def layer_of(part):
    """The place of a public part in LAYERS, or None."""
    name = part[len(PUBLIC) + 1 :]
    return next((i for i, layer in enumerate(LAYERS) if name in layer), None)


def included(path, name, files):
    """The file of this tree that `path` includes by `name`, or None for one of another library."""
    candidates = [os.path.join(os.path.dirname(path), name), *(os.path.join(root, name) for root in SEARCHED)]
    return next((file for file in map(os.path.normpath, candidates) if file in files), None)


def circle_of(allowed):
    """A circle of parts of which each may include the next, as text; or None."""
    def visit(part, path):
        if part in path:
            return " -> ".join([*path[path.index(part):], part])
        if part in sound:
            return None
        found = next((circle for other in allowed.get(part, []) if (circle := visit(other, [*path, part]))), None)
        sound.add(part)
        return found

    sound = set()
    return next((circle for part in allowed if (circle := visit(part, []))), None)


def fault(source, target, allowed):
    """Why a part may not include another, or None."""
    if source == target:
        return None
    if source.startswith(PUBLIC):
        if not target.startswith(PUBLIC):
            return "a public header includes public headers only"
        here, there = layer_of(source), layer_of(target)
        if here is None or there is None:
            return f"{source if here is None else target}/ has no place in LAYERS of tests/check_includes.py"
        return None if there < here else f"{target} does not come before {source}"
    if source.startswith("tests"):
        parts = TESTS.get(source, [])
        if target.startswith((PUBLIC, "tests")) or any(f"{target}/".startswith(f"{part}/") for part in parts):
            return None
        return f"{source} has no {target} in TESTS of tests/check_includes.py"
    if source not in allowed:
        return f"{source} has no row in ALLOWED of tests/check_includes.py"
    seen = PUBLIC if target.startswith(PUBLIC) else target
    return None if seen in allowed[source] else f"{source} may include {', '.join(allowed[source])}"


def check(root, allowed=ALLOWED):
    """The tree's faults, a line each."""
    tops = ("include", "src", "cuda", "statistical_tests", "apps", "examples", "benchmarks", "tests")
    paths = [path for top in tops for path in sorted((root / top).rglob("*")) if path.suffix in SOURCES]
    files = {path.relative_to(root).as_posix(): path for path in paths}
    circle = circle_of(allowed)
    faults = [f"ALLOWED of tests/check_includes.py has a circle: {circle}"] if circle else []
    for name, path in files.items():
        text = path.read_text()
        for match in INCLUDE.finditer(text):
            target = included(name, match.group(1), files)
            why = fault(part_of(name), part_of(target), allowed) if target else None
            if why:
                line = text.count("\n", 0, match.start()) + 1
                faults.append(f"{name}:{line}: includes {target}: {why}")
        if name.startswith(USERS) and (match := DETAIL.search(text)):
            faults.append(f"{name}:{text.count(chr(10), 0, match.start()) + 1}: names rng::detail, which is not for users")
    if not files:
        faults.append(f"{root}: no sources")
    return faults


def self_test():
    """Each kind of fault is found, and a tree without faults passes."""
    trees = [
        ({"include/rng/lane/lane.hpp": '#include "../core/a.hpp"', "include/rng/core/a.hpp": ""}, 0),
        ({"include/rng/core/a.hpp": '#include "../lane/lane.hpp"', "include/rng/lane/lane.hpp": ""}, 1),  # upward
        ({"include/rng/detail/value.hpp": '#include "../float16.hpp"', "include/rng/float16.hpp": ""}, 1),  # of one layer
        ({"include/rng/core/a.hpp": "#include <rng/new.hpp>", "include/rng/new.hpp": ""}, 1),  # no place
        ({"include/rng/core/a.hpp": '#include "cpu/b.hpp"', "src/cpu/b.hpp": ""}, 1),  # private
        ({"apps/rng/a.cpp": '#  include "src/cpu/b.hpp"', "src/cpu/b.hpp": ""}, 1),
        ({"apps/rng/a.cpp": '#include <rng/rng.hpp>\n#include "b.hpp"', "include/rng/rng.hpp": "", "apps/rng/b.hpp": ""}, 0),
        ({"src/other/a.cpp": "#include <rng/rng.hpp>", "include/rng/rng.hpp": ""}, 1),  # no row
        ({"apps/rng/a.cpp": "int n = rng::detail::secret;"}, 1),
        ({"src/a.cpp": "int n = rng::detail::secret;"}, 0),
        ({"tests/svd/a.cpp": '#include "svd/kernels/b.hpp"\n#include "../fill/c.hpp"', "src/svd/kernels/b.hpp": "", "tests/fill/c.hpp": ""}, 0),
        ({"tests/fill/a.cpp": '#include "../../src/svd/b.hpp"', "src/svd/b.hpp": ""}, 1),
        ({"src/a.cpp": ""}, 0, {"a": ["b", "c"], "b": ["c"], "c": []}),
        ({"src/a.cpp": ""}, 1, {"d": ["a"], "a": ["b"], "b": ["c"], "c": ["a"]}),  # a circle
        ({"cuda/a.cu": '#include "../src/device/b.hpp"\n#include <vector>', "src/device/b.hpp": ""}, 0),
        ({}, 1),
    ]
    for number, (tree, expected, *allowed) in enumerate(trees):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in tree.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + "\n")
            found = check(Path(folder), *allowed)
            if len(found) != expected:
                sys.exit(f"tree {number}: {expected} faults expected, found {found}")
    print(f"{len(trees)} trees")


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    faults = check(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).resolve().parent.parent)
    print("\n".join(faults) if faults else "No include breaks a rule.")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
