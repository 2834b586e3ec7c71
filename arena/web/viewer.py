"""Who looks at a page: a visitor, or a person who signed in; and what they chose to see."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import Request

HIDE_RESULTS = "hide_results"
"""Name of the cookie of those who want no results shown."""


class Viewer(NamedTuple):
    """Whoever asks for a page."""

    person: int | None = None
    """The id of a person who is signed in."""
    name: str = ""
    role: str = "visitor"
    """visitor, author or organiser."""
    csrf: str = ""
    """What forms of this viewer carry; empty for visitors."""
    hide_results: bool = False
    """Whether no page may say how anything ended."""

    @property
    def is_organiser(self) -> bool:
        """Whether the viewer may do what organisers may."""
        return self.role == "organiser"

    def owns(self, owner: str) -> bool:
        """Whether the viewer is the person of that name."""
        return self.person is not None and self.name.casefold() == owner.casefold()


def viewer_of(request: Request) -> Viewer:
    """Who asks; for `Depends`. Looked up once a request."""
    found = getattr(request.state, "viewer", None)
    if found is None:
        found = request.state.viewer = Viewer(hide_results=request.cookies.get(HIDE_RESULTS) == "1")
    viewer: Viewer = found
    return viewer
