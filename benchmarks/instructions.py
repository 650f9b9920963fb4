"""Counts the instructions that a value takes on a machine which is not there, by a plugin of qemu.

    cmake -B build/arm -DCMAKE_TOOLCHAIN_FILE=cmake/aarch64.cmake -DRNG_BUILD_BENCHMARKS=ON -DRNG_BUILD_TESTS=OFF -DRNG_ENABLE_CUDA=OFF
    cmake --build build/arm --target rng_bench_instructions
    python3 benchmarks/instructions.py build/arm/benchmarks/rng_bench_instructions

The number is the difference of six runs and two, so what a process does once does not count. Instructions are no time.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

KINDS = ("u32", "uniform_f32", "uniform_f64", "normal_f32", "normal_f64", "exponential_f32", "exponential_f64", "gamma_f32", "gamma_f64")
VALUES = 1 << 14
QEMU = ("qemu-aarch64", "-L", "/usr/aarch64-linux-gnu")

# Version 1 of the interface of plugins; Debian's qemu has no header for it.
PLUGIN = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
struct qemu_plugin_tb;
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t, void (*)(uint64_t, struct qemu_plugin_tb*));
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb*, int, void*, uint64_t);
extern void qemu_plugin_register_atexit_cb(uint64_t, void (*)(uint64_t, void*), void*);
static uint64_t executed;
static void translated(uint64_t id, struct qemu_plugin_tb* block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &executed, qemu_plugin_tb_n_insns(block));
}
static void at_exit(uint64_t id, void* nothing) {
    (void)id, (void)nothing;
    FILE* file = fopen(getenv("INSTRUCTIONS"), "w");
    fprintf(file, "%llu\n", (unsigned long long)executed);
    fclose(file);
}
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void* info, int count, char** arguments) {
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, at_exit, 0);
    return 0;
}
"""


def executed(plugin, program, kind, runs, isa):
    result = plugin.with_suffix(".txt")
    environment = {**os.environ, "INSTRUCTIONS": str(result), "RNG_ISA": isa}
    subprocess.run([*QEMU, "-plugin", str(plugin), program, kind, str(runs)], env=environment, check=True, stdout=subprocess.DEVNULL)
    return int(result.read_text())


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        source, plugin = Path(folder, "plugin.c"), Path(folder, "plugin.so")
        source.write_text(PLUGIN)
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", str(source), "-o", str(plugin)], check=True)

        def each(kind, isa=""):
            return (executed(plugin, program, kind, 6, isa) - executed(plugin, program, kind, 2, isa)) / (4 * VALUES)

        print("| instructions of a value | NEON | scalar | std |\n|---|---|---|---|")
        for kind in KINDS:
            numbers = each(kind, "neon"), each(kind, "scalar"), each(f"std_{kind}")
            print(f"| {kind.replace('_', ' ')} | " + " | ".join(f"{x:.3g}" for x in numbers) + " |", flush=True)


if __name__ == "__main__":
    main()
