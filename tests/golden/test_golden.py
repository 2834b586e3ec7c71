"""Golden transcripts are replayed from their own inputs and compared line by line; a missing file fails."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from golden.cases import CASES
from golden.playthrough import FOLDER, followed, read, text

MEND = "if the rules were meant to change: python tests/golden/regenerate.py"


@pytest.mark.parametrize("name", CASES)
def test_a_golden_transcript_is_what_the_rules_say(name: str) -> None:
    path = FOLDER / f"{name}.txt"
    assert path.exists(), f"{path.name} is missing: python tests/golden/regenerate.py {name}"
    stored = path.read_text(encoding="utf-8").splitlines()
    course = followed(read(stored))
    for number, (left, right) in enumerate(zip_longest(stored, text(course).splitlines()), 1):
        assert left == right, f"{path.name}:{number}; {MEND}"
    assert CASES[name].shows(course), f"{path.name} does not show: {CASES[name].title}"
    assert course.inputs.title == CASES[name].title
    assert course.inputs.game == CASES[name].game


def test_every_golden_file_is_a_case() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(CASES)
