"""The tokens of the seats that are live in this process, so that a seat can tell a stolen one from a mistyped one.

Knows who holds which token, not what for. Tokens are compared by their hashes: how long that takes says nothing of
them.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable

LONGEST = 256
"""No token is longer; longer texts are not looked at."""


class LiveTokens:
    """Every token from `issue` until `retire`."""

    def __init__(self) -> None:
        self._live: set[bytes] = set()

    def issue(self) -> str:
        """A new token that nobody can guess."""
        token = secrets.token_urlsafe(24)
        self._live.add(_hashed(token))
        return token

    def retire(self, token: str) -> None:
        """The seat is over; its token is worth nothing any more. Retiring it again does nothing."""
        self._live.discard(_hashed(token))

    def others(self, own: str) -> Callable[[str], bool]:
        """For `SeatServer`: whether a text is the live token of another seat than that of `own`."""
        mine = _hashed(own)

        def is_token(text: str) -> bool:
            if len(text) > LONGEST:
                return False
            hashed = _hashed(text)
            return hashed != mine and hashed in self._live

        return is_token


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="surrogatepass")).digest()
