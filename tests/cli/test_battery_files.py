"""rng test: the files that it writes and reads, what it prints, full disks and closed pipes."""

import json
import os
import pty
import resource
import select
import signal
import stat
import subprocess
import time
import unittest

from battery import ONLY, SEGMENT, BatteryCase, flawed, is_sanitized, narrowed, rng
from cli import TIMEOUT, environment, program, start


class Files(BatteryCase):
    def test_files_that_cannot_be_written(self):
        folder = self.folder()
        args = ["--bytes", "1Ti", "--segments", "0:262144", "--counts"]
        self.no_verdict(f"counts {folder}/no/x cannot be written: No such file or directory", *args, f"{folder}/no/x")
        self.no_verdict("counts /dev/full must be a regular file", *args, "/dev/full")
        run = subprocess.run(["bash", "-c", 'ulimit -f 1; trap "" XFSZ; exec "$@"', "bash", program(), "test", "--bytes",
                              "8Mi", *ONLY, "--segments", "1:2", "--counts", f"{folder}/x"], capture_output=True,
                             env=environment(), timeout=TIMEOUT, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr.decode()),
                         (2, b"", f"rng test: counts {folder}/x cannot be written: File too large\n"))
        self.assertEqual(os.listdir(folder), [])

    def test_no_output_overwrites_an_input(self):
        data = self.sound(2 * SEGMENT)
        values = self.normal_values(200000)
        first, second = self.counted([(0, 1), (1, 2)], "--file", data)
        folder = os.path.dirname(first)
        os.symlink(data, f"{folder}/link")
        files = {}
        for path in (data, values, first, second):
            with open(path, "rb") as file:
                files[path] = file.read()

        def refuses(option, written, name, *args):
            self.no_verdict(f"{option} would overwrite {name}, which is an input of this run", *args, option, written)
            for path, content in files.items():
                with open(path, "rb") as file:
                    self.assertEqual(file.read(), content, (path, option, args))

        part = ("--file", data, "--segments", "0:1")
        refuses("--counts", data, data, *part)
        refuses("--counts", f"{folder}/../{os.path.basename(folder)}/link", data, *part)
        os.link(data, f"{folder}/hard")
        refuses("--counts", f"{folder}/hard", data, *part)
        os.unlink(f"{folder}/hard")
        for option in ("--json", "--html", "--checkpoint"):
            refuses(option, data, data, "--file", data)
            refuses(option, values, values, "--npy", values, "--dist", "normal")
            refuses(option, second, second, "--merge", first, second)
            refuses(option, data, data, "--merge", first, second)  # the source that the files name
            with open(data, "rb") as file:
                done = subprocess.run([program(), "test", "--stdin", option, data], stdin=file, capture_output=True,
                                      env=environment(), timeout=TIMEOUT)
            self.assertEqual((done.returncode, done.stderr.decode()),
                             (2, f"rng test: {option} would overwrite {data}, which is an input of this run\n"))
        tested = f"{folder}/state.low"  # several views have a checkpoint each
        os.link(data, tested)
        files[tested] = files[data]
        refuses("--checkpoint", f"{folder}/state", tested, "--file", tested, "--views", "plain,low")
        os.unlink(tested)
        del files[tested]
        self.assertEqual(self.ok("test", "--file", data, "--json", "-"), self.ok("test", "--merge", first, second, "--json", "-"))

    def test_no_output_overwrites_another(self):
        state = self.path("state")
        for name in (state, f"{state}.low"):
            views = ("--views", "plain,low") if "low" in name else ()
            for option in ("--json", "--html"):
                self.no_verdict(f"--json, --html and --checkpoint must be different, got {name} twice", *views, option, name,
                                "--checkpoint", state)
        self.refuses(f"rng zoo: --json and --html must be different, got {state} twice", "zoo", "--json", state, "--html", state)
        self.assertEqual(os.listdir(os.path.dirname(state)), [])

    def test_no_output_touches_the_file_of_another_name(self):
        folder = self.folder()
        part = ("--bytes", "8Mi", "--segments", "0:1", "--counts", f"{folder}/c")
        runs = [(("test", "--bytes", "64Ki", "--checkpoint", f"{folder}/c"), ["c"]), (("test", *part), ["c"])]
        if "without" not in rng("calibrate", "--batteries", "0").stderr:  # OpenSSL
            runs.append((("calibrate", "--batteries", 2, "--bytes", "64Ki", *ONLY, "--part", "0:1", "--counts", f"{folder}/c"), ["c"]))
        # A run that begins and cannot end.
        runs.append((("test", *part[:-1], f"{folder}/no/c"), []))
        with open(f"{folder}/precious", "w", encoding="ascii") as file:
            file.write("precious")
        for args, made in runs:
            for make in (lambda name: os.symlink("precious", name), lambda name: os.link(f"{folder}/precious", name)):
                for name in ("c.part", "c.tmp"):
                    make(f"{folder}/{name}")
                rng(*args)
                self.assertEqual(sorted(os.listdir(folder)), sorted([*made, "c.part", "c.tmp", "precious"]), args)
                for name in ("c.part", "c.tmp", "precious"):
                    with open(f"{folder}/{name}", encoding="ascii") as file:
                        self.assertEqual(file.read(), "precious", args)
                for name in [*made, "c.part", "c.tmp"]:
                    os.unlink(f"{folder}/{name}")

    def test_a_replaced_state_keeps_its_owner_and_its_links(self):
        owner = (1000, 1001) if os.geteuid() == 0 else (os.geteuid(), os.getegid())
        for args, again in ((("--bytes", "8Mi", "--segments", "0:1", "--counts"), ()), (("--bytes", "64Ki", "--checkpoint"), ("--resume",))):
            folder = self.folder()
            path, link = f"{folder}/{'c' * 250}", f"{folder}/link"
            self.ok("test", *args, path)
            before = os.stat(path)
            os.chown(path, *owner)
            os.chmod(path, 0o640)
            os.symlink(path, link)
            self.ok("test", *args, link, *again)
            got = os.stat(path)
            self.assertNotEqual(got.st_ino, before.st_ino, "it was replaced")
            self.assertEqual((stat.S_IMODE(got.st_mode), got.st_uid, got.st_gid), (0o640, *owner), args)
            self.assertEqual(sorted(os.listdir(folder)), ["c" * 250, "link"])
            self.assertTrue(os.path.islink(link))

    def test_two_runs_may_write_the_same_counts(self):
        folder = self.folder()
        args = narrowed(["test", "--bytes", "256Mi", "--threads", 1, "--segments", "0:64", "--counts", f"{folder}/c"])
        runs = [start(*args) for _ in range(2)]
        for run in runs:
            out, err = run.communicate(timeout=TIMEOUT)
            self.assertEqual((run.returncode, out[:25], err), (0, b"Counted segments 0:64 of ", b""))
        self.assertEqual(os.listdir(folder), ["c"])
        self.ok("test", "--merge", f"{folder}/c")

    def test_names_of_any_length(self):
        folder = self.folder()
        counts, json_file = f"{folder}/{'c' * 255}", f"{folder}/{'j' * 255}"
        self.ok("test", "--bytes", "4Mi", "--segments", "0:1", "--counts", counts)
        self.ok("test", "--merge", counts, "--json", json_file)
        self.assertEqual(sorted(os.listdir(folder)), ["c" * 255, "j" * 255])

    def test_files_that_are_no_files(self):
        """Refused at once: nobody writes to the pipe, and the device has no end."""
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        calibrates = "without" not in rng("calibrate", "--batteries", "0").stderr  # OpenSSL
        begun = time.monotonic()
        for path in (pipe, "/dev/zero", "/dev/null"):
            self.no_verdict(f"counts {path} must be a regular file", "--merge", path)
            self.no_verdict(f"checkpoint {path} must be a regular file", "--bytes", "1Mi", "--checkpoint", path, "--resume")
            self.no_verdict(f"npy: {path} must be a regular file", "--npy", path, "--dist", "normal")
            if calibrates:
                self.refuses(f"rng calibrate: counts {path} must be a regular file", "calibrate", "--merge", path)
        # Of a file that is something else only the beginning is read: this one would not fit in memory.
        path = self.written(b"something else")
        os.truncate(path, 2**42)
        limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (2**32, 2**32))} if not is_sanitized() else {}
        self.no_verdict(f"counts {path} is not a file of rng test --counts", "--merge", path, **limit)
        self.no_verdict(f"checkpoint {path} is not a checkpoint of rng test", "--bytes", "1Mi", "--checkpoint", path, "--resume", **limit)
        self.assertLess(time.monotonic() - begun, TIMEOUT / 2)


class Outputs(BatteryCase):
    def limited_on_the_way(self, args, is_begun, limit=256):
        """A run that may write no longer files than this from when it has begun on, as if the disk were full."""
        run = start(*narrowed(["test", *args]))
        give_up = time.monotonic() + TIMEOUT
        while not is_begun() and time.monotonic() < give_up:
            time.sleep(0.01)
        hard = resource.prlimit(run.pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (limit, hard))
        return run, lambda: resource.prlimit(run.pid, resource.RLIMIT_FSIZE, (hard, hard))

    def test_a_full_disk_on_the_way_costs_the_file_and_not_the_run(self):
        for has_room_again in (True, False):
            folder = self.folder()
            path = f"{folder}/x.json"
            run, make_room = self.limited_on_the_way(["--bytes", "64Gi", "--threads", "1", "--json", path],
                                                     lambda: os.listdir(folder))
            line = run.stderr.readline().decode()
            self.assertEqual(line, f"rng test: warning: cannot write to {path}: File too large; the run goes on\n")
            self.assertIsNone(run.poll())
            if has_room_again:
                make_room()
            run.send_signal(signal.SIGINT)
            out, err = run.communicate(timeout=TIMEOUT)
            self.assertIn(b"INTERRUPTED", out)
            if has_room_again:
                self.assertEqual((run.returncode, err), (130, b""))
                with open(path, encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["reports"][0]["interrupted"], True)
            else:
                self.assertEqual((run.returncode, err.decode()),
                                 (2, f"rng test: cannot write to {path}: File too large\n"))
                self.assertEqual(os.listdir(folder), [])

    def test_a_full_disk_at_the_end_costs_the_checkpoint_and_not_the_summary(self):
        folder = self.folder()
        path = f"{folder}/state"
        run, _ = self.limited_on_the_way(["--bytes", "1Ti", "--threads", "1", "--checkpoint", path],
                                         lambda: os.path.exists(path))
        with open(path, "rb") as file:
            first = file.read()
        run.send_signal(signal.SIGTERM)
        out, err = run.communicate(timeout=TIMEOUT)
        self.assertEqual((run.returncode, err.decode()),
                         (2, f"rng test: checkpoint {path} cannot be written: File too large\n"))
        self.assertIn(b"INTERRUPTED", out)
        self.assertEqual(os.listdir(folder), ["state"])
        with open(path, "rb") as file:
            self.assertEqual(file.read(), first)

    def test_files_before_standard_output(self):
        for views, n in (("plain", 1), ("plain,low,high", 3)):
            folder = self.folder()
            with start(*narrowed(["test", "--bytes", "2Mi", "--views", views, "--json", f"{folder}/x.json",
                                  "--html", f"{folder}/x.html"])) as run:
                run.stdout.close()  # a reader that wants nothing
                self.assertEqual(run.stderr.read().decode(), "")
                self.assertEqual(run.wait(TIMEOUT), 0)  # the verdict all the same
            self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
            with open(f"{folder}/x.json", encoding="utf-8") as file:
                self.assertEqual([r["interrupted"] for r in json.load(file)["reports"]], n * [False])
            with open(f"{folder}/x.html", encoding="utf-8") as file:
                self.assertIn("</html>", file.read())

    def test_a_reader_that_goes_away_does_not_change_the_verdict(self):
        path = self.written(flawed(1 << 20))
        for more in ((), ("--json", "-"), ("--html", "-")):
            with start("test", "--file", path, *more) as run:
                run.stdout.close()
                self.assertEqual(run.stderr.read(), b"", more)
                self.assertEqual(run.wait(TIMEOUT), 1, more)

    def test_the_summary_fits_a_terminal(self):
        path = self.written(flawed(1 << 20))
        for args in (("--file", path, "--name", "mine"), ("--engine", "philox4x32-4", "--tier", "structural"), ("--bytes", "1Mi")):
            lines = rng("test", *args).stdout.decode().splitlines()
            self.assertGreater(len(lines), 3)
            self.assertEqual([line for line in lines if len(line) > 80], [], args)

    def test_files_of_the_zoo(self):
        folder = self.folder()
        self.assertEqual(self.fails(1, "zoo", "--only", "randu", "--json", f"{folder}/no/x"),
                         f"rng zoo: cannot create {folder}/no/x: No such file or directory")
        with start("zoo", "--only", "randu", "--json", f"{folder}/x.json", "--html", f"{folder}/x.html") as run:
            run.stdout.close()
            self.assertEqual(run.stderr.read(), b"")
            self.assertEqual(run.wait(TIMEOUT), 0)
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            self.assertEqual([row["name"] for row in json.load(file)["rows"]], ["randu"])
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])

    def test_html_says_what_a_failure_means(self):
        path = self.path("x.html")
        rng("test", "--file", self.written(flawed(1 << 20)), "--html", path)
        with open(path, encoding="utf-8") as file:
            self.assertIn("<p>What it means: <b>freq16</b> looks at \u201c16-bit values occur equally often\u201d", file.read())

    def test_files_appear_whole(self):
        folder = self.folder()
        text = self.ok("test", "--bytes", "1Mi", "--json", f"{folder}/x.json", "--html", f"{folder}/x.html")
        self.assertTrue(text.startswith(b"PASS"))
        self.assertEqual(sorted(os.listdir(folder)), ["x.html", "x.json"])
        self.ok("test", "--bytes", "1Mi", "--json", "/dev/null", "--html", "/dev/null")
        with open(f"{folder}/x.json", encoding="utf-8") as file:
            self.assertEqual(json.load(file)["verdict"], "pass")
        with open(f"{folder}/x.html", encoding="utf-8") as file:
            self.assertIn("philox4x32-10", file.read())

    def test_json_has_no_times(self):
        first = self.ok("test", "--bytes", "1Mi", "--json", "-")
        time.sleep(1.1)
        self.assertEqual(self.ok("test", "--bytes", "1Mi", "--json", "-", "--threads", 1), first)

    def test_json_of_a_run_that_is_killed(self):
        path = self.path("x.json")
        run = start(*narrowed(["test", "--bytes", "64Gi", "--threads", "1", "--json", path]))
        give_up = time.monotonic() + TIMEOUT
        while not os.path.exists(path) and time.monotonic() < give_up:
            time.sleep(0.1)
        run.kill()
        run.communicate(timeout=TIMEOUT)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)["reports"][0]
        self.assertEqual((report["verdict"], report["interrupted"]), ("pass", True))
        self.assertEqual(report["bytes"], report["looks"][-1]["size"])

    def test_what_cannot_be_written(self):
        folder = self.folder()
        for option in ("--json", "--html"):
            self.no_verdict(f"cannot create {folder}/no/x: No such file or directory",
                            "--bytes", "1Mi", option, f"{folder}/no/x")
            self.no_verdict(f"cannot open {folder}: Is a directory", "--bytes", "1Mi", option, folder)
            done = rng("test", "--bytes", "1Mi", option, "/dev/full")
            self.assertEqual((done.returncode, done.stderr),
                             (2, "rng test: cannot write to /dev/full: No space left on device\n"))
        with open("/dev/full", "wb") as full:
            done = rng("test", "--bytes", "1Mi", stdout=full)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "rng test: cannot write to standard output: No space left on device\n"))
        # A full disk, by a limit of the size of files: neither file nor temporary is left.
        for option in ("--json", "--html", "--checkpoint"):
            path = os.path.join(folder, "x")
            done = rng("test", "--bytes", "16Mi", option, path,
                       preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256)))
            self.assertEqual(done.returncode, 2, (option, done))
            self.assertIn(path, done.stderr)
            self.assertIn("File too large", done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
            self.assertEqual(os.listdir(folder), [])

    def test_no_control_characters_without_a_terminal(self):
        done = rng("test", "--bytes", "64Mi", "--verbose")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"(?m)^ +64 MiB  pass ")
        self.assertFalse(set(done.stderr) & {"\r", "\033"})
        self.assertFalse(set(done.stdout) & {13, 27})

    def test_progress_on_a_terminal(self):
        master, slave = pty.openpty()
        run = subprocess.Popen([program(), "test", "--bytes", "16Gi", "--threads", "1", *ONLY], stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=slave, env=environment())
        os.close(slave)
        shown = b""
        end = time.monotonic() + TIMEOUT
        while b" left" not in shown and time.monotonic() < end:
            if select.select([master], [], [], 0.5)[0]:
                try:
                    shown += os.read(master, 4096)
                except OSError:
                    break
        run.send_signal(signal.SIGINT)
        while select.select([master], [], [], 5)[0]:
            try:
                data = os.read(master, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data
        out = run.communicate(timeout=TIMEOUT)[0]
        os.close(master)
        self.assertEqual(run.returncode, 130)
        self.assertRegex(shown.decode(), r"rng test: stream \d+ %, .* of 16 GiB, [\d.]+ [KMG]iB/s, \d+ (s|min) left")
        self.assertRegex(shown.decode(), r"16 MiB  pass ")
        self.assertTrue(shown.endswith(b"\r\033[K"), shown[-80:])
        self.assertNotIn(b"\033", out)

    def test_standard_input_is_no_terminal(self):
        master, slave = pty.openpty()
        done = subprocess.run([program(), "test", "--stdin"], stdin=slave, capture_output=True, env=environment(),
                              timeout=TIMEOUT)
        os.close(slave)
        os.close(master)
        self.assertEqual((done.returncode, done.stderr),
                         (2, b"rng test: standard input must be a pipe or a file, got a terminal\n"))


if __name__ == "__main__":
    unittest.main()
