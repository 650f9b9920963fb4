"""What the shell has of the program: its manual page, and what bash completes."""

import re
import shutil
import subprocess
import unittest

from cli import Case, environment

COMMANDS = "info list stream sample svd test zoo calibrate verify help version".split()


class ManualPage(Case):
    def test_every_command_and_option(self):
        page = self.ok("man").decode().replace("\\-", "-")
        self.assertTrue(page.startswith(".TH RNG 1 "))
        for command in COMMANDS:
            self.assertIn(f'.SS "rng {command} [OPTIONS]', page)
            for option in re.findall(r"(?m)^  (?:-\w,)?(--[\w-]+)", self.ok(command, "--help").decode()):
                self.assertRegex(page, rf'(?m)^\.BI "(-\w, )?{option}"', command)
        self.assertNotIn("rng man", page)  # hidden commands stay so

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_reads_it_without_a_warning(self):
        done = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-ww", "-rLL=78n"], input=self.ok("man"), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=environment(), check=True)
        self.assertEqual(done.stderr, b"")
        text = done.stdout.decode()
        for line in ("         rng sample normal -n 5 --seed 42", "       --stddev X"):
            self.assertIn("\n" + line + "\n", text)
        self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
        words = " ".join(text.split())
        self.assertIn("hexadecimal, below 2^64 (default 20111115)", words)
        self.assertIn("'.rows[] | select(.ok | not)'", words)


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class Completion(Case):
    def completed(self, *words):
        """What bash offers for the last of these words."""
        script = self.ok("completion", "bash").decode() + """
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rng; printf '%s\\n' "${COMPREPLY[@]}" """
        done = subprocess.run(["bash", "-euc", script, "bash", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
        self.assertEqual(done.stderr, b"")
        return done.stdout.decode().split()

    def test_commands(self):
        self.assertEqual(self.completed("rng", ""), [*COMMANDS, "--version", "--help", "-h"])
        self.assertEqual(self.completed("rng", "s"), ["stream", "sample", "svd"])
        self.assertEqual(self.completed("rng", "help", "ver"), ["verify", "version"])

    def test_options_and_values(self):
        self.assertEqual(self.completed("rng", "sample", "normal_"), ["normal_icdf"])
        self.assertEqual(self.completed("rng", "sample", "normal", "--st"), ["--stddev"])
        self.assertEqual(self.completed("rng", "sample", "normal", "--format", ""), ["text", "csv", "raw", "npy", "json"])
        self.assertEqual(self.completed("rng", "stream", "--engine", "philox4x64"), ["philox4x64-10"])
        self.assertEqual(self.completed("rng", "sample", "normal", "--dtype", "bf"), ["bf16"])
        for free in (("sample", "-o", ""), ("stream", "--seed", ""), ("svd", "")):  # then bash offers files
            self.assertEqual(self.completed("rng", *free), [], free)
        self.assertEqual(self.completed("rng", "svd", "--ni"), ["--niter"])

    def test_other_shells(self):
        self.refuses("rng completion: SHELL must be bash, got tcsh", "completion", "tcsh")


if __name__ == "__main__":
    unittest.main()
