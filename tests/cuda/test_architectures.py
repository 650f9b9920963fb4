#!/usr/bin/env python3
"""cmake/cuda_architectures.cmake: every GPU from 7.5 on that nvcc knows finds an image that it can run, by the options nvcc gets."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
NVCC = os.environ.get("RNG_NVCC", "/usr/local/cuda/bin/nvcc")
SCRIPT = """
include("{root}/cmake/cuda_architectures.cmake")
rng_cuda_architectures("{asked}" "{nvcc}" architectures)
rng_cuda_gencode("${{architectures}}" gencode)
message("${{gencode}}")
"""


def runs_on(image, capability):
    """Of one kind, sm or compute, and its number: by the CUDA programming guide's rules of compatibility."""
    kind, number = image
    return number <= capability and (kind == "compute" or number // 10 == capability // 10)


@unittest.skipUnless(os.path.exists(NVCC), "needs nvcc")
class Architectures(unittest.TestCase):
    def images(self, asked, smi="exit 9"):
        """The images that nvcc is asked for on a machine whose nvidia-smi is this shell command."""
        with tempfile.TemporaryDirectory() as folder:
            fake, script = pathlib.Path(folder) / "nvidia-smi", pathlib.Path(folder) / "print.cmake"
            fake.write_text(f"#!/bin/sh\n{smi}\n")
            fake.chmod(0o755)
            script.write_text(SCRIPT.format(root=ROOT, asked=asked, nvcc=NVCC))
            done = subprocess.run(["cmake", "-P", script], env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
                                  capture_output=True, text=True, check=True)
        return [(kind, int(number)) for kind, number in re.findall(r"code=(sm|compute)_(\d+)", done.stderr)]

    def test_every_gpu_finds_an_image(self):
        listed = subprocess.run([NVCC, "--list-gpu-arch"], capture_output=True, text=True, check=True).stdout
        capabilities = [number for number in map(int, re.findall(r"compute_(\d+)", listed)) if number >= 75]
        self.assertIn(120, capabilities)
        for asked, smi in (("native", "exit 9"), ("native", "echo 8.6"), ("all", "exit 9")):
            images = self.images(asked, smi)
            for capability in capabilities:
                self.assertTrue(any(runs_on(image, capability) for image in images), f"{asked}: {capability} finds none of {images}")

    def test_all_needs_no_compiler_of_the_driver(self):
        """Each major version that nvcc knows has machine code of its own."""
        listed = subprocess.run([NVCC, "--list-gpu-code"], capture_output=True, text=True, check=True).stdout
        cubins = [image for image in self.images("all") if image[0] == "sm"]
        for number in map(int, re.findall(r"sm_(\d+)", listed)):
            self.assertTrue(any(runs_on(image, number) for image in cubins), f"{number} finds none of {cubins}")

    def test_native_is_what_the_machine_has(self):
        self.assertEqual(self.images("native", "echo 9.0; echo 8.0; echo 9.0"), [("sm", 90), ("sm", 80), ("compute", 75)])
        self.assertEqual(self.images("native", "echo 99.0"), [("compute", 75)])  # a GPU that nvcc does not know
        self.assertEqual(self.images("native", "echo 8.6 has failed; exit 9"), [("compute", 75)])

    def test_a_list_is_taken_as_it_is(self):
        self.assertEqual(self.images("80;90"), [("sm", 80), ("sm", 90), ("compute", 90)])
        self.assertEqual(self.images("90-virtual"), [("compute", 90)])


if __name__ == "__main__":
    unittest.main()
