"""The known answers of tests/reference, which the C++ library is tested with too."""

import json
from pathlib import Path

import pytest

REFERENCE = Path(__file__).resolve().parents[2] / "tests" / "reference"


@pytest.fixture(scope="session")
def known_answers():
    return json.loads((REFERENCE / "known_answers.json").read_text())


@pytest.fixture(scope="session")
def goldens():
    return json.loads((REFERENCE / "goldens.json").read_text())["goldens"]
