"""The first page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from arena.web.rendering import page

router = APIRouter()


@router.get("/")
def home(request: Request) -> HTMLResponse:
    """What there is to look at."""
    return page(request, "home.html", title="Home")
