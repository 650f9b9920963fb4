"""Reads the symbols of the objects compiled per instruction set (isa_<ISA>.cpp.o, isa_<ISA>_maps<N>.cpp.o).

An inline function compiled with, say, -mavx512f and a name that other objects use too may win at link, and then crashes
machines without AVX-512. So each of these objects, that of a machine's only vectors (neon) too, may define, beyond its own
file, only names with its tag, v1_<ISA>; and strong ones only for its entry table (the name holds "kernel").

    check_isa_symbols.py --nm NM OBJECT...            the objects named isa_* among them
    check_isa_symbols.py --objdump OBJDUMP PROGRAM    only functions with a tag, and clones, use wide registers in the linked program
    check_isa_symbols.py --self-test COMPILER         a bad object is refused, a good one passes
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

STRONG = "TDBRGSC"  # nm's letters for symbols that a link must find once
WEAK = "WVu"  # and for those merged by name (u: a static member of a template)
# A pointer to the C++ personality routine, merged by name: data, and the same in every object.
HARMLESS = re.compile(r"^DW\.ref\.__gxx_personality_v0$")
WIDE = re.compile(r"%[yz]mm\d|%k[0-7]\b|\bvfn?m(add|sub)")

# Functions that only run where the machine has been asked: those with a tag, and clones. Clang numbers its clones, and
# objdump leaves a name with hyphens mangled.
CHOSEN_AT_RUN_TIME = re.compile(
    r"\bv1_avx(2|512)\b|\blane::ScalarFma\b|\[clone \.(arch_x86_64_v4|avx2)[\].]|^_Z\w+\.arch_x86-64-v4\.\d+(\.|$)")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check_object(nm, path):
    """(number of entry symbols, complaints) of one object."""
    isa = re.match(r"isa_([a-z0-9]+)(_maps\d+)?\.", path.name).group(1)
    tag = re.compile(rf"\bv1_{isa}\b")
    entries, complaints = 0, []
    for line in run(nm, "--demangle", "--defined-only", "--extern-only", str(path)).splitlines():
        kind, name = re.match(r"^[0-9a-f]*\s+(\S)\s+(.*)$", line).groups()
        if HARMLESS.match(name):
            continue
        if not tag.search(name):
            complaints.append(f"{path.name}: {kind} {name}: no tag v1_{isa}")
        elif kind in STRONG and "kernel" not in name:
            complaints.append(f"{path.name}: {kind} {name}: not an entry, so it should be local")
        elif kind in STRONG:
            entries += 1
        elif kind not in WEAK:
            complaints.append(f"{path.name}: {kind} {name}: unknown kind of symbol")
    if entries == 0:
        complaints.append(f"{path.name}: no entry symbol (a strong one that holds v1_{isa} and 'kernel')")
    return entries, complaints


def check_disassembly(name, text):
    """(number of functions with wide registers, complaints) of a program that objdump has disassembled."""
    wide, complaints, function = set(), [], ""
    for line in text.splitlines():
        heading = re.match(r"^[0-9a-f]+ <(.*)>:$", line)
        if heading:
            function = heading.group(1)
        elif WIDE.search(line) and function not in wide:
            wide.add(function)
            if not CHOSEN_AT_RUN_TIME.search(function):
                complaints.append(f"{name}: {function}: {line.split(None, 1)[-1]}")
    return len(wide), complaints


def check_program(objdump, path):
    """The same of a linked program."""
    text = run(objdump, "--disassemble", "--demangle", "--no-show-raw-insn", str(path))
    return check_disassembly(path.name, text)


GOOD = """
namespace rng { inline namespace v1_avx2 { namespace detail {
inline __attribute__((noinline)) int helper(int x) { return x + 1; }
static int local(int x) { return helper(x) * 3; }
int kernel_table(int x) { return local(x); }
}}}
"""
BAD = """
inline __attribute__((noinline)) int helper(int x) { return x + 1; }
namespace rng { inline namespace v1_avx2 { namespace detail {
int kernel_table(int x) { return helper(x); }
int stray(int x) { return x; }
}}}
"""
DISASSEMBLY = """
0000000000001000 <rng::v1_avx2::detail::kernel()>:
    1000:\tvpaddd %ymm0,%ymm1,%ymm2
0000000000001010 <rng::stats::count(unsigned int*) [clone .avx2]>:
    1010:\tvpaddd %ymm0,%ymm1,%ymm2
0000000000001020 <rng::stats::count(unsigned int*) [clone .default]>:
    1020:\tpaddd  %xmm0,%xmm1
0000000000001030 <rng::stats::arch_x86_64_v3()>:
    1030:\tvpaddd %ymm0,%ymm1,%ymm2
0000000000001040 <_ZN3rng5stats5countEPj.arch_x86-64-v4.0>:
    1040:\tvpaddd %zmm0,%zmm1,%zmm2
0000000000001050 <rng::stats::count(unsigned int*) [clone .avx2.1]>:
    1050:\tvpaddd %ymm0,%ymm1,%ymm2
0000000000001060 <rng::stats::count(unsigned int*) [clone .default.2]>:
    1060:\tvpaddd %ymm0,%ymm1,%ymm2
"""
NO_ENTRY = "static int unused(int x) { return x; } int (*volatile use)(int); static void f() { use = unused; }"


def self_test(compiler):
    with tempfile.TemporaryDirectory() as folder:
        found = {}
        for name, text in (("good", GOOD), ("bad", BAD), ("no_entry", NO_ENTRY)):
            source = Path(folder, name + ".cpp")
            source.write_text(text)
            target = Path(folder, name, "isa_avx2.cpp.o")
            target.parent.mkdir()
            run(compiler, "-O1", "-w", "-c", str(source), "-o", str(target))
            found[name] = check_object("nm", target)[1]
    assert found["good"] == [], found["good"]
    assert len(found["bad"]) == 2, found["bad"]
    assert found["no_entry"], "an object without an entry passed"
    functions, complaints = check_disassembly("program", DISASSEMBLY)
    assert functions == 6 and len(complaints) == 2, complaints
    assert "rng::stats::arch_x86_64_v3()" in complaints[0] and "[clone .default.2]" in complaints[1], complaints
    print("self-test: the good object passes, the bad ones are refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm")
    parser.add_argument("--objdump")
    parser.add_argument("--self-test", metavar="COMPILER")
    parser.add_argument("files", nargs="*", type=Path)
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test(arguments.self_test)

    complaints = []
    if arguments.nm:
        objects = [path for path in arguments.files if path.name.startswith("isa_")]
        if not objects:
            sys.exit("no object named isa_*")
        for path in objects:
            entries, found = check_object(arguments.nm, path)
            print(f"{path.name}: {entries} entry symbols, {len(found)} complaints")
            complaints += found
    else:
        for path in arguments.files:
            functions, found = check_program(arguments.objdump, path)
            print(f"{path.name}: {functions} functions with wide registers, {len(found)} complaints")
            if functions == 0:
                found.append(f"{path.name}: no wide register at all; is this the right program?")
            complaints += found
    if complaints:
        sys.exit("\n".join(complaints))


if __name__ == "__main__":
    main()
