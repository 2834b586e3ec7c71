"""What tells a result is shown or not by one rule, in Python and in templates."""

from __future__ import annotations

import pytest

from arena.web.rendering import TEMPLATING
from arena.web.spoilers import HIDDEN, shown
from arena.web.viewer import Viewer

TEMPLATE = TEMPLATING.from_string("{{ words | spoiler }}|{{ words | spoiler('board 17') }}")


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ({"viewer": Viewer()}, "fox &lt;wins&gt;|fox &lt;wins&gt;"),
        ({"viewer": Viewer(hide_results=True)}, f"{HIDDEN}|board 17"),
        ({}, f"{HIDDEN}|board 17"),
    ],
)
def test_the_filter(context: dict[str, Viewer], text: str) -> None:
    assert TEMPLATE.render(words="fox <wins>", **context) == text


def test_the_function() -> None:
    assert shown(Viewer(), 3) == 3
    assert shown(Viewer(hide_results=True), 3) == HIDDEN
    assert shown(Viewer(hide_results=True), 3, "") == ""
