"""What several files use: the known answers of tests/reference, which the C++ library is tested with too, and a check of errors."""

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


@pytest.fixture
def refused():
    """Checks calls that raise an error with a message: (call, error, message), ..."""

    def check(*rows):
        for call, error, message in rows:
            with pytest.raises(error, match=message):
                call()

    return check
