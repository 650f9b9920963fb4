#!/usr/bin/env python3
"""scripts/gpu-check.sh without a GPU: all parts reach their end, and hangs, failures, skips and refusals are told apart.

The programs that it runs are replaced by small ones. rng_bench_gpu is the real one with CUDA played, if RNG_BENCH_GPU names it.
"""

import fnmatch
import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/gpu-check.sh"
TESTS, EXAMPLES = (re.search(rf"^{name}=\((.*)\)$", SCRIPT.read_text(), re.M)[1].split() for name in ("tests", "examples"))
PROGRAMS = TESTS + EXAMPLES + [f"{name}-fast" for name in EXAMPLES]
COMMIT = "0123456789ab"
NO_GPU = "echo 'cuda:0: there is no GPU on this machine; the kernel was compiled, and not run'"

SKIPS = "".join(
    f"echo 'test_gpu.cpp:9: Skipped'; echo 'fewer than two GPUs'; echo; echo '[  SKIPPED ] Gpu.{name} (0 ms)'; " for name in ("OfTwo", "OfMore"))

# Answers like rng_bench_gpu: a millisecond for everything.
BENCH = """#!/usr/bin/env python3
import json, sys
what = sys.argv[1]
if what == "first":
    print('{"CUDA itself": 0.2, "a fill": 0.004}')
    sys.exit()
if what in ("svd", "reduce"):
    rows = [("rng-cuda", "100x50q6_f32" if what == "svd" else "sum_f32", 0)]
elif what == "device":
    rows = [("rng-at", "one", 0), ("curand", "one", 0), *(("rate", what, 0) for what in ("FFMA", "LOP3", "FFMA + LOP3"))]
else:
    rows = [(*row, int(kib)) for kib in sys.argv[1:] for row in (("memset", "bytes"), ("rng-cuda", "normal_f32"))]
rows = [{"who": who, "what": what, "kib": kib, "values": 1000} for who, what, kib in rows]
print(json.dumps({"device": "none", "rng_version": "0", "not_run": {"curand": "is not there"}, "rows": rows}), flush=True)
for line in sys.stdin:
    print(0.001, flush=True)
"""


@unittest.skipUnless(shutil.which("bash") and shutil.which("timeout"), "needs bash and timeout")
class GpuCheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bin, self.path, self.reports = (self.folder / name for name in ("build/bin", "path", "report"))
        self.bin.mkdir(parents=True)
        self.path.mkdir()
        for name in PROGRAMS:
            self.program(name, f"echo {name} ran")
        self.write(self.bin / "rng_bench_gpu", BENCH)
        self.write(self.bin / "rng_bench_gpu-uncompressed", BENCH)
        (self.bin / "commit").write_text(COMMIT + "\n")
        self.write(self.path / "nvidia-smi", "#!/bin/sh\necho a GPU")
        self.write(self.path / "compute-sanitizer", '#!/bin/sh\necho "sanitizer $*"')
        self.write(self.path / "ncu", "#!/bin/sh\necho ERR_NVGPUCTRPERM\nexit 1")
        for name in ("torch.py", "cupy.py"):
            self.write(self.path / name, "raise ImportError")
        for name in ("nvcc", "cmake"):  # carried programs are not built
            self.write(self.path / name, "#!/bin/sh\necho nothing may be built\nexit 1")

    @staticmethod
    def write(path, text):
        path.write_text(text + "\n", encoding="utf-8")
        path.chmod(0o755)

    def program(self, name, shell):
        self.write(self.bin / name, "#!/bin/sh\n" + shell)

    def environment(self, more):
        names = {"PATH": f"{self.path}:{os.environ['PATH']}", "RNG_COMMIT": COMMIT, "RNG_GPU_BUILD": str(self.folder / "build")}
        return {**os.environ, **names, "RNG_GPU_REPORT": str(self.reports), "PYTHONPATH": str(self.path), **more}

    def check(self, part, **more):
        """The exit code, and the report."""
        script = ["bash", str(SCRIPT), part]
        done = subprocess.run(script, env=self.environment(more), capture_output=True, text=True, check=False)
        report = self.reports / f"gpu-{part}.txt"
        return done.returncode, report.read_text() if report.exists() else done.stderr

    def test_check_runs_every_program_and_says_of_which_commit(self):
        code, report = self.check("check")
        self.assertEqual(code, 0, report)
        for name in PROGRAMS:
            self.assertIn(f"{name} ran", report)
        self.assertIn(COMMIT, report)
        self.assertRegex(report, r"all passed, \d+ s\n$")
        self.assertIn("== racecheck-sketch: passed", report)
        self.assertNotIn("DRY RUN", report)

    def test_bench_writes_tables_and_json(self):
        code, report = self.check("bench")
        self.assertEqual(code, 0, report)
        for text in ("1KiB", "1MiB", "1024MiB", "svd_lowrank", "not run: curand: is not there", "not run: torch", "ncu-svd: not run",
                     "| FFMA + LOP3 | 1.00 | 2.0 | 128.0 |", "| a fill | 4.00 | 4.00 |", "first-launches-rng_bench_gpu-uncompressed: passed"):
            self.assertIn(text, report)
        rows = json.loads((self.reports / "fills.json").read_text())["rows"]
        self.assertIn({"who": "rng-cuda", "what": "normal_f32", "kib": 65536, "seconds": 0.001}, rows)

    def test_sanitize_runs_every_tool(self):
        code, report = self.check("sanitize")
        self.assertEqual(code, 0, report)
        for tool in ("memcheck", "racecheck", "initcheck", "synccheck"):
            self.assertIn(f"--tool {tool}", report)
            self.assertIn(f"== {tool}-sketch: passed", report)
        self.assertNotIn("test_gpu ran", report)

    def test_every_filter_names_tests_that_exist(self):
        """compute-sanitizer's jobs would pass without a test."""
        sources = "".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.cpp"))
        tests = re.findall(r"TEST(?:_F|_P)?\((\w+), (\w+)\)", sources)
        typed = re.findall(r"TYPED_TEST\((\w+), (\w+)\)", sources)
        names = {f"{suite}.{name}" for suite, name in tests} | {f"{suite}/0.{name}" for suite, name in typed}
        filters = re.findall(r"'((?:[-:*/.\w]+[.*][-:*/.\w]*))'", SCRIPT.read_text())
        self.assertGreater(len(filters), 5)
        for pattern in (pattern for text in filters for pattern in text.lstrip("-").split(":")):
            self.assertTrue(fnmatch.filter(names, pattern), pattern)

    def test_a_refused_sanitizer_is_not_run_and_no_failure(self):
        refusal = "#!/bin/sh\necho '========= Error: Device not supported. Please refer to the release notes'\nexit 1"
        self.write(self.path / "compute-sanitizer", refusal)
        code, report = self.check("sanitize")
        self.assertEqual(code, 0, report)
        self.assertEqual(report.count("not run, this machine refuses it"), 18, report)
        self.write(self.path / "compute-sanitizer", "#!/bin/sh\necho '========= Invalid __global__ write'\nexit 1")
        code, report = self.check("sanitize")
        self.assertEqual(code, 1, report)
        self.assertIn("FAILED (1)", report)

    def test_a_hang_ends_and_the_others_run(self):
        self.program("test_gpu", "sleep 60")
        code, report = self.check("check", RNG_GPU_STEP_SECONDS="1")
        self.assertEqual(code, 1)
        self.assertEqual(report.count("TIMED OUT"), 1, report)
        self.assertIn("test_gpu_svd ran", report)
        self.assertIn("SOMETHING FAILED", report)

    def test_a_part_ends_in_its_time(self):
        self.program("test_device_fill", "sleep 60")
        code, report = self.check("check", RNG_GPU_SECONDS="2", RNG_GPU_JOBS="1")  # else another place ends first on a fast machine
        self.assertEqual(code, 1)
        self.assertIn("NOT RUN, the part has no time left", report)

    def test_jobs_run_side_by_side(self):
        """Two programs wait for each other, so that one after the other both fail; so do all if there is one place."""
        for name, other in (("test_gpu_roots", "device_launch"), ("device_launch", "test_gpu_roots")):
            wait = f"until [ -e {self.folder}/{other} ]; do [ $((i += 1)) -lt 100 ] || exit 1; sleep 0.05; done"
            self.program(name, f"touch {self.folder}/{name}; {wait}")
        code, report = self.check("check", RNG_GPU_JOBS="20")
        self.assertEqual(code, 0, report)
        for name in ("test_gpu_roots", "device_launch"):
            (self.folder / name).unlink()
        code, report = self.check("check", RNG_GPU_JOBS="1")
        self.assertEqual(code, 1, report)
        self.assertEqual(report.count("FAILED (1)"), 1, report)

    def test_a_report_of_jobs_side_by_side_is_whole(self):
        for name in PROGRAMS:
            self.program(name, "seq 1000; exit 3")
        report = self.check("check", RNG_GPU_JOBS="40")[1]
        for name in PROGRAMS:
            lines = "".join(f"{line}\n" for line in range(961, 1001))
            self.assertRegex(report, rf"== {name}: FAILED \(3\) in \d+ s\n{lines}==|== {name}: FAILED \(3\) in \d+ s\n{lines}SOMETHING FAILED")

    def test_all_output_is_in_one_archive(self):
        self.program("test_gpu", "seq 100; exit 1")
        self.check("check")
        with tarfile.open(self.reports / "gpu-check-logs.tar.gz") as logs:
            text = logs.extractfile("gpu-check-logs/test_gpu.log").read().decode()
        self.assertEqual(text.split(), [str(number) for number in range(1, 101)])
        self.assertFalse((self.reports / "gpu-check-logs").exists())

    def test_the_python_package_is_tested_if_it_is_there(self):
        code, report = self.check("check")
        self.assertEqual(code, 0, report)
        self.assertIn("== pytest: not run, there is no Python package", report)
        package = self.folder / "build/wheel/librng"
        package.mkdir(parents=True)
        self.write(self.path / "a_python", '#!/bin/sh\necho "$PYTHONPATH"; echo "$*"; echo "SKIPPED [1] test_cuda.py:9: no cupy"')
        code, report = self.check("check", PYTHON="a_python")
        self.assertEqual(code, 0, report)
        self.assertIn("   SKIPPED [1] test_cuda.py:9: no cupy", report)
        with tarfile.open(self.reports / "gpu-check-logs.tar.gz") as logs:
            text = logs.extractfile("gpu-check-logs/pytest.log").read().decode()
        self.assertTrue(text.startswith(f"{package.parent}:"), text)
        self.assertIn("python/tests/test_cuda.py", text)

    def test_torch_programs_need_the_package(self):
        code, report = self.check("torch")
        self.assertEqual(code, 1, report)
        self.assertIn("== cases: not run, there is no Python package", report)
        (self.folder / "build/wheel/librng").mkdir(parents=True)
        self.write(self.path / "a_python", '#!/bin/sh\necho "$*"')
        code, report = self.check("torch", PYTHON="a_python")
        self.assertEqual(code, 0, report)
        for job in ("cases", "same_on_gpu", "same_text", "draws"):
            self.assertRegex(report, rf"== {job}: passed in \d+ s\n.*cuda")

    def test_a_failure_shows_its_output(self):
        self.program("test_goldens", "echo differs here; seq 10; exit 3")
        code, report = self.check("check")
        self.assertEqual(code, 1)
        self.assertIn("FAILED (3)", report)
        self.assertIn("differs here", report)

    def test_only_some_skips_are_allowed(self):
        self.program("test_gpu", SKIPS)
        code, report = self.check("check")
        self.assertEqual(code, 0, report)
        self.assertIn("   skipped, fewer than two GPUs: Gpu.OfTwo Gpu.OfMore\n", report)
        self.program("cuda_graph", NO_GPU)
        code, report = self.check("check")
        self.assertEqual(code, 1, report)
        self.assertIn("SKIPPED, there is no GPU", report)

    def test_a_dry_run_excuses_no_failure(self):
        self.program("test_device_fill", f"{NO_GPU}; exit 1")
        code, report = self.check("check", RNG_DRY_RUN="1")
        self.assertEqual(code, 1, report)
        self.assertIn("FAILED (1)", report)

    def test_the_report_is_written_after_each_step(self):
        self.program("test_gpu", "sleep 5")
        environment = self.environment({"RNG_GPU_JOBS": "1"})
        script = ["bash", str(ROOT / "scripts/gpu-check.sh"), "check"]
        run = subprocess.Popen(script, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        report, until = self.reports / "gpu-check.txt", time.monotonic() + 30
        while time.monotonic() < until and not (report.exists() and "test_device_fill ran" in report.read_text()):
            time.sleep(0.05)
        os.killpg(run.pid, 9)
        run.wait()
        self.assertIn("test_device_fill ran", report.read_text())
        self.assertNotIn("test_goldens", report.read_text())

    def test_without_a_gpu_nothing_is_checked(self):
        self.write(self.path / "nvidia-smi", "#!/bin/sh\nexit 9")
        code, report = self.check("check")
        self.assertEqual(code, 77)
        self.assertIn("no GPU", report)

    def test_an_archive_of_programs_is_unpacked(self):
        build = self.folder / "build"
        subprocess.run(["tar", "-C", str(build), "-czf", str(build / "bin.tar.gz"), "bin"], check=True)
        shutil.rmtree(self.bin)
        code, report = self.check("check")
        self.assertEqual(code, 0, report)
        self.assertIn("test_gpu ran", report)

    def test_another_commit_is_built(self):
        code, report = self.check("check", RNG_COMMIT="ba9876543210")
        self.assertEqual(code, 1)
        self.assertIn("nothing may be built", report)
        self.assertIn("THE PROGRAMS COULD NOT BE BUILT", report)

    def test_unknown_parts_are_refused(self):
        code, text = self.check("all")
        self.assertEqual(code, 2)
        self.assertIn("gpu-check.sh sanitize", text)

    def test_dry_run_of_all_parts(self):
        """As on a machine without a GPU: tests and examples skip, and the benchmark plays CUDA if it is built."""
        self.write(self.path / "nvidia-smi", "#!/bin/sh\nexit 9")
        for name in EXAMPLES:
            self.program(name, NO_GPU)
        self.program("test_gpu", SKIPS.replace("fewer than two GPUs", "no GPU on this machine"))
        played = os.environ.get("RNG_BENCH_GPU")
        if played and os.path.exists(played):
            shutil.copy(played, self.bin / "rng_bench_gpu")
        for part in ("check", "bench", "sanitize"):
            code, report = self.check(part, RNG_DRY_RUN="1")
            self.assertEqual(code, 0, report)
            self.assertTrue(report.startswith("DRY RUN: nothing in this report has run on a GPU"), report)
            self.assertIn("all passed (dry run)", report)
            self.assertNotIn("FAILED", report)
            if part == "check":
                self.assertEqual(report.count("skipped (dry run)"), len(EXAMPLES) + 1, report)
            if part == "bench" and played:
                kinds = ("bits_u64", "uniform_int_i32", "bernoulli", "complex_normal_f32", "normal_bf16", "normal_f32_position_1")
                for kind in (*kinds, "bits_u32_threefry", "20000x2000q16, f32", "FFMA + IMAD.WIDE", "uniform_f32_position_1"):
                    self.assertIn(f"| {kind} |", report)
                self.assertRegex(report, "not run: curand: the library was not found")


if __name__ == "__main__":
    unittest.main()
