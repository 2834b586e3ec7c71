"""What a viewer chose for all pages: results hidden or not."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse

from arena.web.viewer import HIDE_RESULTS

router = APIRouter()
YEAR_S = 365 * 24 * 3600


@router.post("/hide-results")
def hide_results(
    request: Request, hide: Annotated[str, Form()], next: Annotated[str, Form()] = "/"
) -> RedirectResponse:
    """Remember the choice and go back to the page it was made on."""
    path = next if next.startswith("/") and not next.startswith(("//", "/\\")) else "/"
    response = RedirectResponse(path, 303)
    if hide == "1":
        secure = request.url.scheme == "https"
        response.set_cookie(HIDE_RESULTS, "1", max_age=YEAR_S, httponly=True, samesite="lax", secure=secure)
    else:
        response.delete_cookie(HIDE_RESULTS)
    return response
