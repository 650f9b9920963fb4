"""The programs of docs/python.md run."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "python.md"
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run(program):
    exec(compile(program, str(PAGE), "exec"), {})


def test_the_page_has_programs():
    assert PROGRAMS
