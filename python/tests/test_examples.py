"""The examples run, and draw their pictures."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python"


def run(name, *arguments):
    return subprocess.run([sys.executable, EXAMPLES / name, *arguments], check=True, capture_output=True, text=True).stdout


def test_option(tmp_path):
    assert "the same with 1 and 4 threads" in run("option.py", tmp_path / "option.svg")
    assert (tmp_path / "option.svg").read_text().endswith("</svg>\n")


def test_image(tmp_path):
    assert "the error falls" in run("image.py", tmp_path / "image.png")
    assert (tmp_path / "image.png").read_bytes().startswith(b"\x89PNG")


def test_dropout():
    pytest.importorskip("torch")
    assert "the same mask again" in run("dropout.py")


def test_same_on_gpu():
    pytest.importorskip("torch")
    assert run("same_on_gpu.py").count("as recorded") == 5


def test_same_text():
    pytest.importorskip("torch")
    assert run("same_text.py") == run("same_text.py") != run("same_text.py", "--seed", "43")
