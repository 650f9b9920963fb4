"""The places to which the program writes: full disks, closed pipes, signals, files that appear only when they are whole, terminals."""

import errno
import fcntl
import json
import os
import pty
import resource
import select
import signal
import stat
import struct
import subprocess
import termios
import threading
import time
import unittest

from cli import TIMEOUT, Case, environment, npy, program, start

LONG = ("sample", "normal", "-n", 10**9)  # minutes of text, for which there is room on the disk


def wait_until(condition):
    end = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("timed out")
        time.sleep(0.01)


def limit_file_size():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100000, 100000))


def close_stdout():
    os.close(1)


class WriteErrors(Case):
    COMMANDS = [("info",), ("list",), ("--help",), ("--version",), ("sample", "--help"),
                ("stream",), ("stream", "--bytes", "4"), ("stream", "--bytes", "3M"), ("sample", "normal", "-n", "3"),
                ("sample", "normal", "-n", "3", "--histogram")]
    COMMANDS += [("sample", "normal", "-n", "1000000", "--format", f) for f in ("text", "csv", "raw", "npy", "json")]

    def test_full_disk(self):
        for command in self.COMMANDS:
            with open("/dev/full", "wb") as full:
                message = self.fails(1, *command, stdout=full)
            self.assertRegex(message, r"^rng[a-z ]*: cannot write to standard output: " + os.strerror(errno.ENOSPC))

    def test_full_disk_by_name(self):
        message = self.fails(1, "sample", "normal", "-n", 10, "-o", "/dev/full")
        self.assertEqual(message, "rng sample: cannot write to /dev/full: " + os.strerror(errno.ENOSPC))
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/full").st_mode))  # a device is written in place, never replaced

    def test_closed_standard_output(self):
        for command in self.COMMANDS:
            message = self.fails(1, *command, stdout=None, preexec_fn=close_stdout)
            self.assertIn("standard output: " + os.strerror(errno.EBADF), message, command)

    def test_closed_standard_output_does_not_mix_into_files(self):
        path = os.path.join(self.folder(), "x.raw")
        self.fails(1, "sample", "bits", "-n", 4, "-o", path, "--histogram", stdout=None, preexec_fn=close_stdout)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), self.ok("sample", "bits", "-n", 4, "--format", "raw"))

    def closed_pipe(self, *args, read=0):
        """Exit code and standard error of a run whose reader takes `read` bytes and goes away."""
        with start(*args) as process:
            data = process.stdout.read(read)
            process.stdout.close()
            error = process.stderr.read().decode()
            return process.wait(TIMEOUT), error, data

    def test_reader_of_an_endless_stream_goes_away(self):
        for read in (0, 4, 300000):
            code, error, data = self.closed_pipe("stream", "--seed", 8, read=read)
            self.assertEqual((code, error), (0, ""))
            self.assertEqual(data, self.ok("stream", "--seed", 8, "--bytes", read))

    def test_reader_goes_away_early(self):
        """Silent, and the exit code of the same run with a reader that stays: head has what it wanted."""
        for command in (("stream", "--bytes", "1T"), LONG, (*LONG, "--format", "csv"), (*LONG, "--format", "raw"),
                        (*LONG, "--format", "npy"), (*LONG, "--format", "json")):
            code, error, _ = self.closed_pipe(*command, read=100)
            self.assertEqual((code, error), (0, ""), command)
        for command in (("info",), ("list",), ("--help",), ("help", "sample"), ("version",), ("sample", "normal", "-n", 10**6, "--histogram"),
                        ("sample", "bits", "-n", 3), ("verify", "--quick", "--device", "cpu")):
            code, error, _ = self.closed_pipe(*command)
            self.assertEqual((code, error), (0, ""), command)

    def test_reader_of_a_named_pipe_goes_away(self):
        # That is an output which the user named, and it is not whole.
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)
        with start(*LONG, "-o", path) as process:
            with open(path, "rb") as pipe:
                pipe.read(100)
            error = process.stderr.read().decode()
            self.assertEqual(process.wait(TIMEOUT), 1)
        self.assertEqual(error, f"rng sample: cannot write to {path}: {os.strerror(errno.EPIPE)}\n")

    def test_file_size_limit(self):
        for n, more in ((30000, ()), (10**6, ()), (10**6, ("--format", "npy"))):
            folder = self.folder()
            path = os.path.join(folder, "x")
            message = self.fails(1, "sample", "normal", "-n", n, "-o", path, *more, preexec_fn=limit_file_size)
            self.assertEqual(message, f"rng sample: cannot write to {path}: {os.strerror(errno.EFBIG)}")
            self.assertEqual(os.listdir(folder), [])

    def test_files_that_cannot_be_made(self):
        folder = self.folder()
        missing = os.path.join(folder, "no", "x")
        self.assertEqual(self.fails(1, "sample", "bits", "-n", 1, "-o", missing),
                         f"rng sample: cannot create {missing}: {os.strerror(errno.ENOENT)}")
        self.assertEqual(self.fails(1, "sample", "bits", "-n", 1, "-o", folder),
                         f"rng sample: cannot open {folder}: {os.strerror(errno.EISDIR)}")
        self.assertEqual(os.listdir(folder), [])


class Pages(Case):
    """A pipe gets the pages of the bytes, not copies: nothing may change in them afterwards."""

    def test_pipe_and_file_agree(self):
        path = os.path.join(self.folder(), "x")
        for size in (1, 2**20, 2**20 + 1, 2**21 + 3, 9 * 2**20 + 2):
            with open(path, "wb") as file:
                self.ok("stream", "--seed", 4, "--bytes", size, stdout=file)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), self.ok("stream", "--seed", 4, "--bytes", size), size)

    @unittest.skipUnless(hasattr(os, "splice"), "os.splice is of Python 3.10")
    def test_pages_that_a_reader_keeps_do_not_change(self):
        expected = self.ok("stream", "--seed", 6, "--bytes", "4Mi")
        kept_end, keep = os.pipe()
        capacity = fcntl.fcntl(keep, fcntl.F_SETPIPE_SZ, 2**20)
        with start("stream", "--seed", 6) as process:
            source = process.stdout.fileno()
            kept = 0
            while kept < capacity // 2:  # moves pages from pipe to pipe
                kept += os.splice(source, keep, capacity // 2 - kept)
            skipped = 0
            while skipped < 32 * 2**20:  # meanwhile the program goes on, far past the memory it had then
                skipped += len(os.read(source, 2**20))
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            self.assertEqual(process.wait(TIMEOUT), 0)
        os.close(keep)
        with os.fdopen(kept_end, "rb") as file:
            self.assertEqual(file.read(), expected[:kept])


class Files(Case):
    def test_formats_and_endings(self):
        folder = self.folder()
        for ending, format in ((".npy", "npy"), (".csv", "csv"), (".raw", "raw"), (".txt", "text"), (".json", "json"), ("", "text")):
            path = os.path.join(folder, "x" + ending)
            self.assertEqual(self.ok("sample", "normal", "-n", 1000, "-o", path), b"")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), self.ok("sample", "normal", "-n", 1000, "--format", format), ending)
        path = os.path.join(folder, "y.npy")  # --format wins over the ending
        self.ok("sample", "bits", "-n", 3, "-o", path, "--format", "raw")
        self.assertEqual(os.path.getsize(path), 12)
        self.assertEqual(self.ok("sample", "bits", "-n", 3, "-o", "-"), self.ok("sample", "bits", "-n", 3))
        for path in (os.path.join(folder, "z.NPY"), os.path.join(folder, "z.Npy")):
            self.ok("sample", "normal", "-n", 1000, "-o", path)
            with open(path, "rb") as file:
                self.assertEqual(file.read(), self.ok("sample", "normal", "-n", 1000, "--format", "npy"))
        self.assertEqual(len(os.listdir(folder)), 9)  # no temporary stays

    def test_values_to_a_file_and_the_histogram_beside_them(self):
        path = os.path.join(self.folder(), "x.npy")
        shown = self.ok("sample", "normal", "-n", 5000, "-o", path, "--histogram")
        self.assertEqual(shown, self.ok("sample", "normal", "-n", 5000, "--histogram"))
        with open(path, "rb") as file:
            self.assertEqual(npy(file.read())[:2], ("<f4", 5000))
        self.assertIn("-o must be a file", self.fails(2, "sample", "normal", "-n", 5, "-o", "-", "--histogram"))

    def meta(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def test_meta_of_a_sample(self):
        folder = self.folder()
        path, meta = os.path.join(folder, "x.raw"), os.path.join(folder, "x.json")
        args = ("sample", "normal", "--stddev", "0.1", "-n", "5k", "--dtype", "float64", "--seed", 2**64 - 1, "--id", 7, "--position", 6,
                "--fork", "wind", "--fork", "7", "--engine", "philox4x64")
        for output in (("-o", path), ("--histogram",), ("-o", path, "--histogram"), ()):
            self.assertEqual(self.ok(*args, *output, "--meta", meta), self.ok(*args, *output))
            got = self.meta(meta)
            version = self.ok("version").decode().split()[1]
            self.assertEqual(got, {"version": version, "contract_version": 1, "command": "sample", "engine": "philox4x64-10",
                                   "seed": "0xffffffffffffffff", "id": "0x0000000000000007", "forks": ["wind", "7"],
                                   "position": "0x0000000000000006", "distribution": "normal", "parameters": {"mean": 0, "stddev": 0.1},
                                   "dtype": "f64", "n": 5000})
            os.remove(meta)
        # It is enough to make the same bytes.
        forks = [part for fork in got["forks"] for part in ("--fork", fork)]
        parameters = [part for name, value in got["parameters"].items() for part in ("--" + name, repr(value))]
        again = self.ok("sample", got["distribution"], *parameters, *forks, "-n", got["n"], "--format", "raw",
                        *(part for name in ("engine", "seed", "id", "position", "dtype") for part in ("--" + name, got[name])))
        with open(path, "rb") as file:
            self.assertEqual(file.read(), again)
        self.ok("sample", "bits", "-n", 2, "--meta", meta)
        self.assertEqual(self.meta(meta)["parameters"], {})

    def test_meta_of_a_stream(self):
        meta = os.path.join(self.folder(), "x.json")
        code, error, _ = WriteErrors.closed_pipe(self, "stream", "--seed", 3, "--fork", 'a"b', "--meta", meta, read=100)
        self.assertEqual((code, error), (0, ""))
        got = self.meta(meta)
        self.assertEqual((got["command"], got["seed"], got["forks"], got["bytes"], got["view"]),
                         ("stream", "0x0000000000000003", ['a"b'], None, None))
        self.ok("stream", "--bytes", "1Ki", "--view", "low", "--meta", meta)
        self.assertEqual((self.meta(meta)["bytes"], self.meta(meta)["view"]), (1024, "low"))

    def test_meta_is_utf8(self):
        folder = self.folder()
        meta = os.path.join(folder, "x.json")
        forks = ["h\u00f6he", "\u20ac", "\U0001f600", "\ud7ff\ue000\uffff\U00010000\U0010ffff", "\x7f\x01"]  # the ends of Unicode's ranges
        self.ok("sample", "normal", "-n", 1, *(part for fork in forks for part in ("--fork", fork)), "--meta", meta)
        self.assertEqual(self.meta(meta)["forks"], forks)
        # A name that JSON cannot hold could not be given back. Unicode's table 3-7: each byte sequence is none of UTF-8.
        for bad in (b"\xff", b"a\x80", b"\xc3", b"\xc0\xaf", b"\xe0\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf4\x90\x80\x80",
                    b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xe2\x82a"):
            shown = "".join(chr(b) if b < 0x80 else f"\\x{b:02x}" for b in bad)
            for command in (("sample", "normal", "-n", 1), ("stream", "--bytes", 4)):
                self.refuses(f"rng {command[0]}: --fork must be a number or a name in UTF-8, got {shown}",
                             *command, "--meta", os.path.join(folder, "no"), "--fork", bad)
        self.refuses(f"rng stream: --fork must be a whole number in [0, 2^56 - 1], got {2**56}", "stream", "--meta", os.path.join(folder, "no"), "--fork", 2**56)
        self.assertEqual(os.listdir(folder), ["x.json"])

    def test_meta_and_its_output_are_both_whole_or_neither(self):
        folder = self.folder()
        path, meta = os.path.join(folder, "x"), os.path.join(folder, "m")
        self.fails(1, "sample", "normal", "-n", 10**6, "-o", path, "--meta", meta, preexec_fn=limit_file_size)
        self.fails(2, "sample", "normal", "-n", 2, "--stddev", -1, "-o", path, "--meta", meta)
        missing = os.path.join(folder, "no", "m")
        self.assertEqual(self.fails(1, "sample", "bits", "-n", 1, "-o", path, "--meta", missing),
                         f"rng sample: cannot create {missing}: {os.strerror(errno.ENOENT)}")
        self.refuses("rng sample: --meta must be a file, got -", "sample", "bits", "-n", 1, "--meta", "-")
        same = os.path.join(folder, ".", "x")
        self.refuses(f"rng sample: --meta must not be the file of -o, got {same} twice", "sample", "bits", "-n", 1, "-o", path, "--meta", same)
        self.assertEqual(os.listdir(folder), [])

    def test_a_file_is_replaced_as_a_whole(self):
        folder = self.folder()
        path, link = os.path.join(folder, "x"), os.path.join(folder, "link")
        with open(path, "w") as file:
            file.write("before")
        os.chmod(path, 0o640)
        os.symlink("x", link)
        with open(path) as reader:
            self.ok("sample", "bits", "-n", 2, "-o", link)
            self.assertEqual(reader.read(), "before")  # whoever has the old file open keeps it
        with open(path, "rb") as file:
            self.assertEqual(file.read(), self.ok("sample", "bits", "-n", 2))
        self.assertTrue(os.path.islink(link))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_a_replaced_file_keeps_its_owner_and_gets_no_privileges(self):
        path = os.path.join(self.folder(), "x")
        with open(path, "w") as file:
            file.write("before")
        owner = (1000, 1001) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
        os.chown(path, *owner)
        os.chmod(path, 0o7764)
        self.ok("sample", "bits", "-n", 2, "-o", path)
        got = os.stat(path)
        self.assertEqual((stat.S_IMODE(got.st_mode), got.st_uid, got.st_gid), (0o764, *owner))

    def test_names_of_any_length(self):
        for name in ("x" * 240, "x" * 241, "x" * 251 + ".npy"):
            folder = self.folder()
            self.ok("sample", "bits", "-n", 2, "-o", os.path.join(folder, name))
            self.assertEqual(os.listdir(folder), [name])
        message = self.fails(1, "sample", "bits", "-n", 2, "-o", os.path.join(folder, "x" * 256))
        self.assertTrue(message.endswith(os.strerror(errno.ENAMETOOLONG)), message)

    def test_links_whose_file_is_not_there(self):
        folder = self.folder()
        os.symlink("inner", f"{folder}/outer")
        os.mkdir(f"{folder}/deep")
        os.symlink("deep/x", f"{folder}/inner")
        same = f"{folder}/deep/x"
        self.refuses(f"rng sample: --meta must not be the file of -o, got {same} twice",
                     "sample", "bits", "-n", 2, "-o", f"{folder}/outer", "--meta", same)
        self.ok("sample", "bits", "-n", 2, "-o", f"{folder}/outer")
        self.assertEqual(sorted(os.listdir(folder)), ["deep", "inner", "outer"])
        self.assertTrue(os.path.islink(f"{folder}/outer") and os.path.islink(f"{folder}/inner"))
        with open(same, "rb") as file:
            self.assertEqual(file.read(), self.ok("sample", "bits", "-n", 2))
        os.symlink("loop", f"{folder}/loop")
        self.assertEqual(self.fails(1, "sample", "bits", "-n", 2, "-o", f"{folder}/loop"),
                         f"rng sample: cannot create {folder}/loop: {os.strerror(errno.ELOOP)}")

    def test_the_file_of_a_standard_stream_keeps_what_it_has(self):
        path = os.path.join(self.folder(), "log")
        values = self.ok("sample", "bits", "-n", 2)
        for command in (("-o", "/dev/stdout"), ("-o", path), ("-o", "/dev/fd/1")):
            with open(path, "wb") as file:
                file.write(b"before\n")
            with open(path, "ab") as log:
                self.ok("sample", "bits", "-n", 2, *command, stdout=log)
                log.write(b"after\n")
            with open(path, "rb") as file:
                self.assertEqual(file.read(), b"before\n" + values + b"after\n", command)
        with open(path, "wb") as log:  # and no file takes its place while it is written
            self.ok("sample", "bits", "-n", 2, "--meta", "/dev/stdout", stdout=log)
        with open(path, "rb") as file:
            text = file.read()
        self.assertTrue(text.endswith(values), text)
        self.assertEqual(json.loads(text[:-len(values)])["n"], 2)

    def test_free_space_is_asked_for_before_the_work(self):
        folder = self.folder()
        path = os.path.join(folder, "x.raw")
        # More than file systems hold. The limit is for a program that would begin.
        for n, more, size in ((2**56, (), "256 PiB"), (2**56, ("--format", "npy", "--dtype", "u64"), "512 PiB"), (2**57, ("--format", "text"), "256 PiB"),
                              (2**57, ("--format", "csv"), "256 PiB")):
            message = self.fails(2, "sample", "bits", "-n", n, "-o", path, *more, preexec_fn=limit_file_size)
            self.assertRegex(message, rf"^rng sample: {path} needs at least {size}, and its disk has [\d.]+ [KMGTP]iB free$")
        self.assertEqual(os.listdir(folder), [])
        with open(path, "wb") as file:
            for command in (("stream", "--bytes", 2**58), ("sample", "bits", "-n", 2**56, "--format", "raw")):
                message = self.fails(2, *command, stdout=file, preexec_fn=limit_file_size)
                self.assertRegex(message, rf"^rng {command[0]}: standard output needs at least 256 PiB, and its disk has ")
        self.assertEqual(os.path.getsize(path), 0)

    def test_new_files_obey_the_umask(self):
        path = os.path.join(self.folder(), "x")
        self.ok("sample", "bits", "-n", 2, "-o", path, preexec_fn=lambda: os.umask(0o027))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o640)

    def test_bad_arguments_leave_files_alone(self):
        folder = self.folder()
        path = os.path.join(folder, "x")
        with open(path, "w") as file:
            file.write("before")
        self.fails(2, "sample", "normal", "-n", 2, "--stddev", -1, "-o", path)
        self.fails(1, "sample", "normal", "-n", 10**6, "-o", path, preexec_fn=limit_file_size)
        with open(path) as file:
            self.assertEqual(file.read(), "before")
        self.assertEqual(os.listdir(folder), ["x"])

    def test_named_pipe(self):
        path = os.path.join(self.folder(), "pipe")
        os.mkfifo(path)
        with start("sample", "bits", "-n", 100000, "--format", "raw", "-o", path) as process:
            with open(path, "rb") as pipe:
                self.assertEqual(pipe.read(), self.ok("stream", "--bytes", 400000))
            self.assertEqual(process.wait(TIMEOUT), 0)
        self.assertTrue(stat.S_ISFIFO(os.stat(path).st_mode))

    def test_signals_leave_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            folder = self.folder()
            path = os.path.join(folder, "x")
            with open(path, "w") as file:
                file.write("before")
            with start(*LONG, "-o", path) as process:
                # Under construction beside its place, while the old file is still there.
                wait_until(lambda: any(os.path.getsize(os.path.join(folder, f)) > 10**6 for f in os.listdir(folder)))
                self.assertEqual(len(os.listdir(folder)), 2)
                process.send_signal(number)
                self.assertEqual(process.wait(TIMEOUT), -number)  # the parent sees death by this signal
            self.assertEqual(os.listdir(folder), ["x"])
            with open(path) as file:
                self.assertEqual(file.read(), "before")

    def test_ignored_signals_stay_ignored(self):
        folder = self.folder()
        with start(*LONG, "-o", os.path.join(folder, "x"),
                   preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as process:
            wait_until(lambda: os.listdir(folder))
            process.send_signal(signal.SIGHUP)
            time.sleep(0.3)
            self.assertIsNone(process.poll())
            process.terminate()
            process.wait(TIMEOUT)
        self.assertEqual(os.listdir(folder), [])


class Memory(Case):
    def test_npy_of_any_length_streams(self):
        n = 2**40
        with start("sample", "uniform", "-n", n, "--format", "npy") as process:
            head = process.stdout.read(128 + 4 * 10**6)
            with open(f"/proc/{process.pid}/status") as status:
                resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
            process.stdout.close()
            process.stderr.close()
            process.wait(TIMEOUT)
        self.assertIn(b"'shape': (1099511627776,)", head[:128])
        self.assertLess(resident, 500000)  # KiB; a sanitizer's own memory included
        self.assertEqual(head[128:], self.ok("sample", "uniform", "-n", 10**6, "--format", "raw"))


class Terminals(Case):
    def on_terminal(self, *args, stdout=None, columns=0):
        """Runs with standard error, and standard output if None, on a terminal; returns exit code and what it showed."""
        terminal, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("4H", 25, columns, 0, 0))
        with subprocess.Popen([program(), *map(str, args)], stdin=subprocess.DEVNULL, env=environment(), stderr=child,
                              stdout=child if stdout is None else stdout) as process:
            os.close(child)
            reader = threading.Thread(target=self.read_slowly, args=(process.stdout,)) if process.stdout else None
            if reader:
                reader.start()
            shown, end = b"", time.monotonic() + TIMEOUT
            while time.monotonic() < end and select.select([terminal], [], [], TIMEOUT)[0]:
                try:
                    data = os.read(terminal, 65536)
                except OSError:  # Linux: the other side is closed
                    break
                if not data:
                    break
                shown += data
            os.close(terminal)
            if reader:
                reader.join(TIMEOUT)
            return process.wait(TIMEOUT), shown.decode()

    @staticmethod
    def read_slowly(pipe):
        pipe.read(10**6)
        time.sleep(1)  # so that the work is long on every machine
        while pipe.read(10**6):
            pass

    def test_progress(self):
        for command in (("sample", "normal", "-n", 10**6), ("stream", "--bytes", "20M")):
            code, shown = self.on_terminal(*command, stdout=subprocess.PIPE)
            self.assertEqual(code, 0)
            self.assertRegex(shown, rf"^\r\x1b\[Krng {command[0]}: \d+ %, [\d.]+ ([KMG]iB|[kMG]? ?values) of .*/s")
            self.assertTrue(shown.endswith("\r\x1b[K"), shown)  # wiped at the end
            self.assertNotIn("\n", shown)

    def test_no_progress_of_an_endless_stream(self):
        # Its reader, such as a test suite, reports to the same terminal.
        terminal, child = pty.openpty()
        with start("stream", stderr=child) as process:
            os.close(child)
            process.stdout.read(10**6)
            time.sleep(1)
            process.stdout.read(20 * 10**6)
            process.stdout.close()
            self.assertEqual(process.wait(TIMEOUT), 0)
        with self.assertRaises(OSError):  # Linux: the other side is closed, and nothing came
            os.read(terminal, 1)
        os.close(terminal)

    def test_no_progress_where_it_would_be_in_the_way(self):
        code, shown = self.on_terminal("sample", "normal", "-n", 3)
        self.assertEqual((code, shown.replace("\r\n", "\n").encode()), (0, self.ok("sample", "normal", "-n", 3)))

    def test_tables_are_as_wide_as_the_terminal(self):
        for columns in (60, 80):
            code, shown = self.on_terminal("list", columns=columns)
            self.assertEqual(code, 0)
            lines = shown.replace("\r\n", "\n").splitlines()
            self.assertEqual([line for line in lines if len(line) > columns], [])
            # Shortened by layout, not by leaving something out.
            self.assertEqual(" ".join(shown.split()), " ".join(self.ok("list").decode().split()))

    def test_no_bytes_on_a_terminal(self):
        for command in (("stream",), ("stream", "--bytes", 4), ("sample", "bits", "-n", 1, "--format", "raw"),
                        ("sample", "bits", "-n", 1, "--format", "npy")):
            code, shown = self.on_terminal(*command)
            self.assertEqual(code, 2)
            self.assertRegex(shown, rf"^rng {command[0]}: [^\n]*terminal[^\n]*\r\n$")


if __name__ == "__main__":
    unittest.main()
