"""Results are not for everybody at once: who asked for it sees none, anywhere. All templates ask here."""

from __future__ import annotations

from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from arena.web.viewer import Viewer

HIDDEN = Markup('<span class="spoiler">hidden</span>')


def shown(viewer: Viewer, value: object, instead: object = HIDDEN) -> object:
    """A text that tells a result, or what stands there for those who hide results; for titles give a plain text."""
    return instead if viewer.hide_results else value


@pass_context
def spoiler(context: Context, value: object, instead: object = HIDDEN) -> Any:  # Any: what templates show
    """The filter: `{{ row.points | spoiler }}`, in a title `{{ words | spoiler("board 17") }}`.

    Where a template has no `viewer` (a fragment that nobody handed one) nothing is shown.
    """
    viewer = context.get("viewer")
    return shown(viewer, value, instead) if isinstance(viewer, Viewer) else instead
