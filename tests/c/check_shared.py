"""The C interface as a shared library has it: its symbols are those of symbols.txt and no others, rng.h declares the same, and
ctypes gets the numbers of the README and the text of an error from it.

    check_shared.py LIBRARY --nm NM --header RNG_H
"""

import argparse
import ctypes
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class Stream(ctypes.Structure):
    _fields_ = [
        ("version", ctypes.c_uint32),
        ("engine", ctypes.c_int32),
        ("key", ctypes.c_uint64 * 4),
        ("id", ctypes.c_uint64),
        ("position", ctypes.c_uint64),
    ]


def exported(nm, library):
    """The functions that the library exports under a name of C."""
    listing = subprocess.run([nm, "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    return sorted(line.split()[-1] for line in listing.splitlines() if not line.split()[-1].startswith("_"))


def declared(header):
    return sorted(re.findall(r"RNG_C_API[^(;]*?\b(rng_\w+)\(", header.read_text()))


def differences(what, have, wanted):
    return [f"{what}: {name} is missing" for name in sorted(set(wanted) - set(have))] + [
        f"{what}: {name} is not in symbols.txt" for name in sorted(set(have) - set(wanted))
    ]


def faults_of_calls(rng):
    rng.rng_error_text.restype = ctypes.c_char_p
    stream, law = Stream(), ctypes.c_void_p()
    values = (ctypes.c_float * 1_000_000)()
    calls = [
        rng.rng_stream_init(ctypes.byref(stream), ctypes.c_uint64(42), None, ctypes.c_uint64(0)),
        rng.rng_distribution_new(b"normal", b"f32", None, ctypes.c_size_t(0), ctypes.byref(law)),
        rng.rng_fill(law, ctypes.byref(stream), ctypes.c_uint64(0), values, ctypes.c_size_t(len(values)), None),
    ]
    rng.rng_distribution_free(law)
    if any(calls):
        yield f"the calls returned {calls}: {rng.rng_error_text().decode()}"
    got = " ".join(f"{values[i]:.9g}" for i in (0, 1, -1))
    if got != "0.813999772 1.34617996 0.648700118":
        yield f"ctypes got the values {got}"
    if rng.rng_stream_init(None, ctypes.c_uint64(42), None, ctypes.c_uint64(0)) != 1:
        yield "a null stream was not refused"
    if rng.rng_error_text() != b"rng_stream_init: stream must not be null":
        yield f"the text of the error was {rng.rng_error_text()!r}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", type=Path)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--header", type=Path, required=True)
    options = parser.parse_args()
    wanted = (HERE / "symbols.txt").read_text().split()
    faults = differences("the library", exported(options.nm, options.library), wanted)
    faults += differences("rng.h", declared(options.header), wanted)
    faults += faults_of_calls(ctypes.CDLL(str(options.library)))
    print("\n".join(faults) if faults else f"{len(wanted)} functions, and their numbers by ctypes")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
