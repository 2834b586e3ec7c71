"""A coordinator's memory does not grow with the games that were played, and neither does the time that a game takes."""

from pathlib import Path

import pytest
from scale.growth import Sample, run


def _flat(samples: list[Sample], most_mb: float) -> None:
    assert len(samples) == 10
    assert samples[-1].resident_mb - samples[2].resident_mb < most_mb
    early = samples[4].seconds - samples[0].seconds
    late = samples[9].seconds - samples[5].seconds
    assert late < 5 * early + 1.0


def test_memory_and_speed_stay_the_same(tmp_path: Path) -> None:
    _flat(run(tmp_path, 400), 10)


@pytest.mark.long
def test_memory_and_speed_stay_the_same_over_many_games(tmp_path: Path) -> None:
    _flat(run(tmp_path, 20_000), 10)
