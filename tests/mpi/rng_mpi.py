"""What the tests of rng-mpi share: running it under mpirun.

Environment: RNG_PROGRAM and RNG_MPI_PROGRAM are the programs, RNG_MPIRUN is mpirun with its options, with | between them.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "cli"))
import cli  # noqa: E402

MPI = {name: value for name, value in os.environ.items() if name.startswith("OMPI_")}
MPIRUN = os.environ["RNG_MPIRUN"].split("|")
PROGRAM = os.environ["RNG_MPI_PROGRAM"]
RANKS = (1, 5) if cli.is_sampled() else (1, 2, 3, 5)
ONLY = ["--only", "freq16"]


def command(ranks, *args):
    return [*MPIRUN, "-n", str(ranks), PROGRAM, *map(str, args)]


def run(line):
    return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=cli.TIMEOUT,
                          env=cli.environment(**MPI))


def rng_mpi(ranks, *args):
    return run(command(ranks, *args))


def first_line(done):
    """The error: mpirun may say more about a program that failed, and Open MPI may say so before."""
    lines = [line for line in done.stderr.decode().splitlines() if line.startswith("rng-mpi")]
    return lines[0] if lines else ""


def interrupt(case, *args):
    """Sends a signal to all ranks of a long run."""
    state = f"{case.folder()}/state"
    job = subprocess.Popen(command(2, *args, "--checkpoint", state), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           env=cli.environment(**MPI))
    try:
        limit = time.monotonic() + cli.TIMEOUT
        while not Path(state).exists() and time.monotonic() < limit:
            time.sleep(0.05)
        time.sleep(1)
        for process in ranks_of(job.pid):
            os.kill(process, signal.SIGTERM)
        _, errors = job.communicate(timeout=cli.TIMEOUT)
    finally:
        job.kill()
    case.assertEqual(job.returncode, 128 + signal.SIGTERM, errors)
    case.assertIn(f"rng-mpi {args[0]}: interrupted: --resume goes on".encode(), errors)


def ranks_of(mpirun):
    """The processes of rng-mpi below mpirun."""
    table = subprocess.run(["ps", "-eo", "pid,ppid,args"], stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()[1:]
    rows = [line.split(None, 2) for line in table]
    below, ranks = {mpirun}, []
    for _ in range(4):  # MPICH has processes in between
        below |= {int(pid) for pid, parent, *_ in rows if int(parent) in below}
    for pid, _, *line in rows:
        if int(pid) in below and line and line[0].startswith(PROGRAM):
            ranks.append(int(pid))
    return ranks
