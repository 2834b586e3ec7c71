"""The recorded tournaments, played once for all tests that read them."""

from pathlib import Path

import pytest
from secrecy.cups import play_recorded


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which they were played."""
    folder = tmp_path_factory.mktemp("recorded")
    play_recorded(folder)
    return folder
