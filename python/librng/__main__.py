"""The program rng (docs/cli.md): python -m librng sample normal -n 5 --seed 42."""

import os
import signal
import sys
from pathlib import Path

PROGRAM = Path(__file__).with_name("rng")


def main():
    """Becomes the program: its output, exit codes and signals are its own."""
    if not PROGRAM.exists():
        sys.exit("librng was built without the program rng, which needs CLI11 (Debian: apt-get install libcli11-dev)")
    for name in ("SIGPIPE", "SIGXFSZ"):  # Python ignores these signals, and the program would inherit that
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execv(PROGRAM, ["rng", *sys.argv[1:]])


if __name__ == "__main__":
    main()
