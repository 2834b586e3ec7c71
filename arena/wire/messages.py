"""Every message between the arena and its bots as a line on stderr, for `-vv`; nothing is made of them otherwise.

A message is told as protobuf writes it on one line, so that nothing a bot says can steer a terminal. Knows frames and a
logger; not who plays whom.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from google.protobuf.message import Message
from google.protobuf.text_format import MessageToString

LOG = logging.getLogger("arena.messages")
SECRET = "hello"
"""What has a token in it is told by its name alone."""


class Lines(logging.Handler):
    """Writes to what stderr is when a line comes."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line."""
        sys.stderr.write(f"{record.getMessage()}\n")
        sys.stderr.flush()


@contextmanager
def told(on: bool = True) -> Iterator[None]:
    """Tell the messages of this process on stderr while the block runs, if they are to be told."""
    if not on:
        yield
        return
    lines = Lines()
    LOG.addHandler(lines)
    LOG.setLevel(logging.DEBUG)
    LOG.propagate = False
    try:
        yield
    finally:
        LOG.removeHandler(lines)
        LOG.setLevel(logging.NOTSET)
        LOG.propagate = True


def tell(process: str, arrow: str, events: Iterable[Message]) -> None:
    """Tell the events of a frame. `process`: the bot's. `arrow`: "->" to the bot, "<-" from it."""
    if not LOG.isEnabledFor(logging.DEBUG):
        return
    for event in events:
        whole = event.WhichOneof("event") != SECRET
        LOG.debug("%s %s %s", process or "?", arrow, MessageToString(event, as_one_line=True) if whole else SECRET)
