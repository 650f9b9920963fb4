"""The programs of README.md and of the pages on Python run."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = [
    pytest.param(program, page, id=f"{page}-{number}")
    for page in ("README.md", "docs/python.md", "docs/torch.md", "docs/interop.md")
    for number, program in enumerate(re.findall(r"^```python\n(.*?)^```$", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE))
]


@pytest.mark.parametrize(("program", "page"), PROGRAMS)
def test_programs_run(program, page):
    if "import torch" in program:
        pytest.importorskip("torch")
    exec(compile(program, page, "exec"), {})


def test_each_page_has_programs():
    assert len({program.values[1] for program in PROGRAMS}) == 4
