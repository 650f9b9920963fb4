"""The headers refuse every mode of 32-bit x86 that gives other bits, and take the one that gives the right ones.

Only the preprocessor runs, so that no libraries of another machine are needed. That the bits of the accepted mode are right is
shown by run.py --cross.
"""

import shutil
import subprocess
import unittest
from pathlib import Path

CONFIG = Path(__file__).resolve().parent.parent.parent / "include" / "rng" / "core" / "config.hpp"
COMPILERS = {
    "g++": ["g++", "-m32"],
    "i686-linux-gnu-g++": ["i686-linux-gnu-g++"],
    "clang++-14": ["clang++-14", "--target=i686-linux-gnu"],
    "clang++-19": ["clang++-19", "--target=i686-linux-gnu"],
}
REFUSED = (
    "-march=i686 -mfpmath=387",
    "-march=i686 -mfpmath=387 -Ofast",
    "-march=pentium3 -msse -mfpmath=sse",  # SSE for float, x87 for double
    "-march=pentium3 -msse -mfpmath=sse -Ofast",
)
REFUSED_OF_GCC = ("-msse2 -mfpmath=387", "-msse2 -mfpmath=both", "-msse2 -mfpmath=both -Ofast")
ACCEPTED = ("-msse2 -mfpmath=sse", "-msse2 -mfpmath=sse -Ofast", "-mavx2 -mfma -mfpmath=sse -Ofast")


class Refusals(unittest.TestCase):
    def preprocess(self, command, flags):
        done = subprocess.run(
            [*command, *flags.split(), "-std=c++20", "-ffreestanding", "-E", "-x", "c++", str(CONFIG)],
            capture_output=True,
            text=True,
            env={"PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C"},
        )
        return done.returncode, done.stderr

    def test_every_mode(self):
        compilers = {name: command for name, command in COMPILERS.items() if shutil.which(command[0])}
        self.assertTrue(compilers)
        for name, command in compilers.items():
            for flags in REFUSED + (() if "clang" in name else REFUSED_OF_GCC):
                with self.subTest(compiler=name, flags=flags):
                    code, errors = self.preprocess(command, flags)
                    self.assertNotEqual(code, 0, "accepted")
                    self.assertIn("rng: x87 arithmetic rounds twice; build with ", errors)
            for flags in ACCEPTED:
                with self.subTest(compiler=name, flags=flags):
                    code, errors = self.preprocess(command, flags)
                    self.assertEqual(code, 0, errors)

    def test_systems_whose_fma_is_not_known(self):
        for name, command in {"g++": ["g++"], "clang++-14": ["clang++-14"]}.items():
            if not shutil.which(command[0]):
                continue
            for system in ("-D_WIN32 -U__linux__", "-U__linux__"):
                with self.subTest(compiler=name, system=system):
                    code, errors = self.preprocess(command, system)
                    self.assertNotEqual(code, 0, "accepted")
                    self.assertIn("rng: the C library's fma is not known to round once here", errors)
                    self.assertIn("build with -mfma", errors)
                    code, errors = self.preprocess(command, system + " -mfma")
                    self.assertEqual(code, 0, errors)
            for system in ("", "-D_WIN32 -D__MINGW32__ -U__linux__"):  # MinGW takes lane/soft_fma.hpp
                self.assertEqual(self.preprocess(command, system)[0], 0)


if __name__ == "__main__":
    unittest.main()
