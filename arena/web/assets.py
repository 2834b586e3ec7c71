"""Static files under names that change with their contents, so that browsers may keep them for good."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from starlette.responses import Response
from starlette.staticfiles import StaticFiles

FOREVER = "public, max-age=31536000, immutable"


class StaticFolder(StaticFiles):
    """A folder whose files may be kept for good when they are asked for with `?v=`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    async def get_response(self, path: str, scope: Any) -> Response:  # Any: Starlette's scope
        """A file, with how long it may be kept."""
        response = await super().get_response(path, scope)
        kept = b"v=" in scope["query_string"]
        response.headers["Cache-Control"] = FOREVER if kept and response.status_code == 200 else "no-cache"
        return response


@lru_cache(maxsize=256)
def asset(name: str) -> str:
    """The address of a static file: `/static/arena.css?v=1f2e3d4c`. Raises FileNotFoundError."""
    file = Path(__file__).parent / "static" / name
    return f"/static/{name}?v={sha256(file.read_bytes()).hexdigest()[:10]}"
