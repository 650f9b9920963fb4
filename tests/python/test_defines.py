"""The options of `pip install . -C cmake.define.NAME=VALUE` reach CMake. Nothing is compiled: python/ is configured, beside a nanobind
that has no sources."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

NANOBIND = """
function(nanobind_add_module name)
  list(FILTER ARGN INCLUDE REGEX "\\\\.cpp$")
  add_library(${name} MODULE ${ARGN})
endfunction()
"""


class Defines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("modules/nanobind/__main__.py", f"print({str(self.folder / 'modules')!r})")
        self.write("modules/nanobind-config.cmake", NANOBIND)
        self.environment = {**os.environ, "PYTHONPATH": str(self.folder / "modules"),
                            "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}

    def write(self, name, text, mode=0o644):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)

    def command(self, name, status):
        self.write(f"bin/{name}", f"#!/bin/sh\nexit {status}\n", 0o755)

    def configure(self, *defines):
        """What configuring prints, and the rules of the build."""
        build = self.folder / "build"
        done = subprocess.run(["cmake", "-S", ROOT / "python", "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                               f"-DPython_EXECUTABLE={sys.executable}", *("-D" + define for define in defines)],
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        rules = build / "build.ninja"
        return done.stdout, rules.read_text() if done.returncode == 0 else None

    def rules(self, *defines):
        text, rules = self.configure("RNG_ENABLE_CUDA=OFF", *defines)
        self.assertIsNotNone(rules, text)
        return rules

    def test_the_battery_is_an_option(self):
        self.assertNotIn("battery.cpp", self.rules("RNG_BUILD_STATS=OFF"))
        self.assertNotIn("rng_stats", self.rules("RNG_BUILD_STATS=OFF"))

    def test_the_program_is_an_option(self):
        self.assertNotIn("rng_program", self.rules("RNG_BUILD_APPS=OFF", "RNG_BUILD_STATS=OFF"))

    def test_avx512_is_an_option(self):
        both = self.rules("RNG_BUILD_STATS=OFF"), self.rules("RNG_BUILD_STATS=OFF", "RNG_ENABLE_AVX512=OFF")
        if "isa_avx2" in both[0]:
            self.assertEqual(["isa_avx512" in rules for rules in both], [True, False])

    def test_a_shared_library_is_refused(self):
        text, rules = self.configure("BUILD_SHARED_LIBS=ON")
        self.assertIsNone(rules)
        self.assertIn("BUILD_SHARED_LIBS must be OFF", text)

    @unittest.skipIf(Path("/dev/nvidiactl").exists(), "this machine has a GPU")
    def test_cuda_is_left_out_without_a_gpu(self):
        self.command("nvcc", 0)
        self.command("nvidia-smi", 9)  # what it returns without a driver
        text, rules = self.configure("RNG_BUILD_STATS=OFF")
        self.assertIsNotNone(rules, text)
        self.assertEqual(text.count("CUDA"), 2, text)
        self.assertIn("rng: CUDA is left out since no GPU is seen here; RNG_ENABLE_CUDA=ON takes it in\n", text)
        self.assertNotIn(".cu.o", rules)

    def test_cuda_is_wanted_beside_a_gpu_or_if_asked_for(self):
        self.command("nvcc", 0)
        for smi, defines in [(0, []), (9, ["RNG_ENABLE_CUDA=ON"])]:
            with self.subTest(nvidia_smi=smi):
                self.command("nvidia-smi", smi)
                text, _ = self.configure("RNG_BUILD_STATS=OFF", *defines)
                self.assertNotIn("CUDA is left out", text)


if __name__ == "__main__":
    unittest.main()
