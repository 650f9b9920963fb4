"""Kernels that NVRTC compiles while a program runs: no error, no warning, and the host's bits. No GPU is needed.

    check_nvrtc.py --nvrtc LIBRARY --cccl FOLDER --host NVRTC_HOST [--page PAGE] [--cc CC] [--full]

NVRTC compiles nvrtc_kernel.cu, which has every distribution, every engine and every road from a stream to a value, for a GPU
under --use_fast_math; --full: for several, also under NVRTC's default flags (-fmad=true). Without --full the source has
every third distribution. The PTX is executed on this CPU (ptx_to_c.py), and each number is compared with that of the program
NVRTC_HOST. The kernels that PAGE shows for CuPy are compiled as CuPy would. FOLDER has libcu++'s headers (cuda/std). Exit
code 77: no NVRTC, nothing was tested.
"""

import argparse
import ctypes
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

from loaded_ptx import Library
from ptx_text import PtxError
from run import SKIPPED, ParityError

HERE = Path(__file__).resolve().parent
INCLUDE = HERE.parent.parent / "include"
# nvcc generates code for sm_100 with another LLVM than before.
FULL_BUILDS = [(80, ()), (90, ()), (100, ("--use_fast_math",)), (100, ())]
SHORT_BUILDS = [(90, ("--use_fast_math",))]
SHORT_STEP = 3  # of the catalogue's distributions, one in so many
NEEDED = ("-std=c++20", "-default-device")
SEED, ID, POSITION, LOW, HIGH = 20261123, 3, 1, 3, 100  # of the stream and of the distributions' parameters
THREADS, BLOCKS = 256, 4
PATH_ON_PAGE = "-I/usr/local/include"


class Nvrtc:
    def __init__(self, path):
        self.dll = ctypes.CDLL(path)
        major, minor, count = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.dll.nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        self.version = (major.value, minor.value)
        self.dll.nvrtcGetNumSupportedArchs(ctypes.byref(count))
        self.architectures = (ctypes.c_int * count.value)()
        self.dll.nvrtcGetSupportedArchs(self.architectures)

    def _text(self, program, what):
        size = ctypes.c_size_t()
        getattr(self.dll, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(size.value)
        getattr(self.dll, f"nvrtcGet{what}")(program, text)
        return text.value.decode()

    def ptx(self, name, source, architecture, options):
        """The PTX of a source. An error or a warning raises ParityError."""
        options = [*options, f"-arch=compute_{architecture}"]
        program = ctypes.c_void_p()
        self.dll.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None)
        code = self.dll.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*map(str.encode, options)))
        log = self._text(program, "ProgramLog").strip()
        if code != 0 or log:
            raise ParityError(f"NVRTC on {name}, {' '.join(options)}:\n{log or f'code {code}'}")
        text = self._text(program, "PTX")
        self.dll.nvrtcDestroyProgram(ctypes.byref(program))
        return text


def numbers_of_host(program):
    """Rows of (what the number is, the number)."""
    rows = THREADS * BLOCKS
    command = [program, SEED, ID, POSITION, LOW, HIGH, rows]
    lines = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout.splitlines()
    numbers = [(what, int(bits, 16)) for bits, what in (line.split(" ", 1) for line in lines)]
    columns = len(numbers) // rows
    return [numbers[i * columns : (i + 1) * columns] for i in range(rows)]


def taken(rows, step):
    """The numbers that a kernel with NVRTC_STEP has: those of the catalogue come first, and say that they are by at."""
    catalogue = sum(what.endswith(" by at") for what, _ in rows[0])
    return [row[:catalogue:step] + row[catalogue:] for row in rows]


def differences(ptx, host, folder, cc):
    """What the PTX computes otherwise than the host."""
    library = Library(ptx, folder, cc, "-O0")
    columns = len(host[0])
    out = (ctypes.c_uint64 * (columns * len(host)))()
    stream = struct.pack("<IIQQ", SEED & 0xFFFFFFFF, SEED >> 32, ID, POSITION)
    parameters = stream + struct.pack("<iiI4xQ", LOW, HIGH, columns, ctypes.addressof(out))
    for block in range(BLOCKS):
        if fault := library.run_block("write_rows", parameters, THREADS, (block, 0), BLOCKS):
            yield fault
    for i, row in enumerate(host):
        for k, (what, expected) in enumerate(row):
            if out[i * columns + k] != expected:
                yield f"{what}, value {i}: host {expected:x}, PTX {out[i * columns + k]:x}"
    _, flushes_changed, subnormals = library.counts
    if flushes_changed or subnormals:
        yield f"{flushes_changed} results depend on flushing, {subnormals} subnormals were made"


def kernels_of_page(page):
    """(code, options) of each cupy.RawModule that the Python blocks of a page make."""
    for block in re.findall(r"^```python\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE):
        cupy = mock.MagicMock()
        with mock.patch.dict(sys.modules, cupy=cupy):
            exec(block, {})
        for call in cupy.RawModule.call_args_list:
            yield call.kwargs["code"], call.kwargs["options"]


def check(nvrtc, options):
    """The number of faults, each of which is printed."""
    cccl, faults = f"-I{options.cccl}", 0
    step = 1 if options.full else SHORT_STEP
    host = taken(numbers_of_host(options.host), step)
    source = (HERE / "nvrtc_kernel.cu").read_text()
    seen = {}
    for architecture, flags in FULL_BUILDS if options.full else SHORT_BUILDS:
        name = " ".join([f"sm_{architecture}", *flags])
        if architecture not in nvrtc.architectures:
            print(f"{name}: skipped, this NVRTC does not know the GPU")
            continue
        ptx = nvrtc.ptx("nvrtc_kernel.cu", source, architecture, [*NEEDED, *flags, f"-DNVRTC_STEP={step}", cccl, f"-I{INCLUDE}", f"-I{HERE}"])
        same = seen.setdefault(re.sub(r"^\.target .*$", "", ptx, flags=re.MULTILINE), name)
        if same != name:
            print(f"{name}: the PTX of {same}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            found = list(differences(ptx, host, Path(folder), options.cc))
        faults += len(found)
        print(f"{name}: {len(host)} rows of {len(host[0])} numbers, {len(found)} differences", *found[:10], sep="\n  ")
    for page in options.page:
        kernels = list(kernels_of_page(page))
        if not kernels:
            raise ParityError(f"{page} shows no kernel for CuPy")
        for code, page_options in kernels:
            if PATH_ON_PAGE not in page_options:
                raise ParityError(f"{page}: the options do not have {PATH_ON_PAGE}, which stands for the library's headers")
            page_options = [f"-I{INCLUDE}" if option == PATH_ON_PAGE else option for option in page_options]
            nvrtc.ptx(page.name, code, 90, [cccl, *page_options])
        print(f"{page.name}: {len(kernels)} kernels compile")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nvrtc", default="")
    parser.add_argument("--cccl", default="")
    parser.add_argument("--host", default="")
    parser.add_argument("--page", action="append", default=[], type=Path)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--full", action="store_true")
    options = parser.parse_args()
    if not options.nvrtc or not options.cccl:
        print("SKIPPED: there is no NVRTC, or no libcu++ (or CUDA is off); kernels compiled at run time were not tested")
        return SKIPPED
    nvrtc = Nvrtc(options.nvrtc)
    print("NVRTC {}.{}".format(*nvrtc.version))
    try:
        return 1 if check(nvrtc, options) else 0
    except (ParityError, PtxError) as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
