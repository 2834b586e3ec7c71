"""Steps through a game in a terminal, with the keys of the site: a recorded one, or one that is played meanwhile.

    space pause   ← → move   [ ] trick   Home End   + − pace   q leave

The game is never slowed down: what is shown comes after it, at the pace of whoever looks.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from arena.cli.failure import one_line
from arena.cli.output import Output
from arena.cli.replays.course import Course

PACES_S = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Between two moves."""
USUAL = 2
LOOK_S = 0.05
KEYS = {
    b" ": "space",
    b"\x1b[D": "left",
    b"\x1b[C": "right",
    b"[": "trick before",
    b"]": "trick after",
    b"\x1b[H": "home",
    b"\x1b[1~": "home",
    b"\x1bOH": "home",
    b"\x1b[F": "end",
    b"\x1b[4~": "end",
    b"\x1bOF": "end",
    b"\x1bOD": "left",
    b"\x1bOC": "right",
    b"+": "faster",
    b"=": "faster",
    b"-": "slower",
    b"q": "leave",
}
KEY = re.compile(b"|".join(re.escape(key) for key in sorted(KEYS, key=len, reverse=True)))
HELP = "space pause or go on   ← → move   [ ] trick   Home End   + - pace   q leave"
PLAIN = str.maketrans({"←": "left", "→": "right"})


def is_terminal() -> bool:
    """Whether a person sits at both ends, on a terminal that can be drawn on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Cursor:
    """Which position is shown, and when the next one is. Knows no terminal."""

    def __init__(self, course: Course, *, playing: bool) -> None:
        self.course = course
        self.at = 0
        self.playing = playing
        self.left = False
        """Whether the person has seen enough."""
        self._pace = USUAL
        self._moved = float("-inf")
        """When a position was shown first."""

    @property
    def pace_s(self) -> float:
        """Seconds between two moves."""
        return PACES_S[self._pace]

    def press(self, key: str, now: float) -> None:
        """A key, as `KEYS` names it. Whoever steps stays there until told to go on; at the end the game goes on."""
        course, before = self.course, self.at
        match key:
            case "leave":
                self.left = True
            case "space":
                self.playing = not self.playing
            case "faster" | "slower":
                self._pace = min(max(self._pace + (1 if key == "faster" else -1), 0), len(PACES_S) - 1)
            case "right":
                self.at, self.playing = min(self.at + 1, course.last), self.at >= course.last and not course.over
            case "left":
                self.at, self.playing = max(self.at - 1, 0), False
            case "trick after":
                self.at, self.playing = course.trick_after(self.at), False
            case "trick before":
                self.at, self.playing = course.trick_before(self.at), False
            case "home":
                self.at, self.playing = 0, False
            case "end":
                self.at, self.playing = course.last, not course.over
        if self.at != before or key == "space":
            self._moved = now

    def tick(self, now: float) -> None:
        """Time goes on: the next position is shown when it is time, and there is one."""
        if self.playing and now - self._moved >= self.pace_s and self.at < self.course.last:
            self.at, self._moved = self.at + 1, now
        if self.course.over and self.at == self.course.last:
            self.playing = False

    @property
    def state(self) -> str:
        """What is going on, in words."""
        if self.at == self.course.last and self.course.over:
            return "the end"
        return f"playing, {self.pace_s:g} s a move" if self.playing else "paused"


async def step(output: Output, course: Course, *, playing: bool) -> None:
    """Show a game until the person leaves."""
    loop = asyncio.get_running_loop()
    cursor, drawn, typed = Cursor(course, playing=playing), "", bytearray()
    with _screen(), _keyboard(loop, typed):
        while not cursor.left:
            while (found := KEY.search(typed)) is not None and not cursor.left:
                cursor.press(KEYS[found[0]], loop.time())
                del typed[: found.end()]
            cursor.tick(loop.time())
            picture = _picture(output, cursor)
            if picture != drawn:
                sys.stdout.write(picture)
                sys.stdout.flush()
                drawn = picture
            await asyncio.sleep(LOOK_S)


def _picture(output: Output, cursor: Cursor) -> str:
    width, height = shutil.get_terminal_size((80, 24))
    lines = cursor.course.screen(cursor.at)
    keys = HELP.translate(PLAIN) if output.ascii else HELP
    shown = [*lines[: max(1, height - 3)], "", f"{cursor.state}   {keys}"]
    return "\x1b[H" + "\r\n".join(f"{output.plain(one_line(line))[:width]}\x1b[K" for line in shown) + "\x1b[J"


@contextmanager
def _screen() -> Iterator[None]:
    """A screen of its own, without a cursor; what was on the terminal is back afterwards."""
    sys.stdout.write("\x1b[?1049h\x1b[?25l\x1b[2J")
    try:
        yield
    finally:
        sys.stdout.write("\x1b[?25h\x1b[?1049l")
        sys.stdout.flush()


@contextmanager
def _keyboard(loop: asyncio.AbstractEventLoop, typed: bytearray) -> Iterator[None]:
    """Keys come as they are pressed, and are not shown."""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    tty.setcbreak(keyboard)
    loop.add_reader(keyboard, lambda: typed.extend(os.read(keyboard, 1024)))
    try:
        yield
    finally:
        loop.remove_reader(keyboard)
        termios.tcsetattr(keyboard, termios.TCSADRAIN, before)
