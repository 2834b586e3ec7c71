"""The pages of games: the site's own, with all positions in the file, so that stepping asks nobody.

Style sheets, scripts and the drawings of cards stand beside, once for all games. Games are what takes the time: several
processes make them, a board each.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import closing
from dataclasses import replace
from multiprocessing import active_children, get_context
from pathlib import Path
from typing import NamedTuple

from arena import __version__
from arena.games import catalog
from arena.web.games.comparison import comparisons_of
from arena.web.games.exported import FORMAT, packed_positions
from arena.web.games.positions import Shown
from arena.web.games.replays import replays_of
from arena.web.games.source import Found, Open, find, sources_of
from arena.web.games.stored import find_stored
from arena.web.offline.asking import Asker
from arena.web.offline.places import Place, Places
from arena.web.offline.rewriting import Around, rewritten
from arena.web.site import Settings, Site
from arena.web.table import cards
from arena.web.viewer import Viewer

FEW = 16
"""Fewer games than this are made by one process."""
MOST_PROCESSES = 8
ISLAND = (
    '<script type="application/x-arena-positions" id="arena-positions" data-format="{}" data-arena="{}">{}</script>'
)
NO_SCRIPT = (
    '<noscript><p class="empty">To step through this game the browser must run the scripts that came with it.</p>'
    "</noscript>\n"
)


class Task(NamedTuple):
    """What is common to all games."""

    store: Path
    """The folder of the copied store."""
    out: Path
    places: Places
    pages: frozenset[str]
    """The files of all other pages."""
    around: Around
    notes: bool
    game: str
    """The id of the ruleset."""

    def place(self, address: str) -> Place | None:
        """Where an address leads; None for pages that there are not."""
        found = self.places.of(address)
        return found if found is not None and (found.file in self.pages or self.places.is_game(found)) else None


def sprite_file(game: str) -> str:
    """The static file that draws the cards of a game."""
    return f"cards-{catalog()[game].family}.js"


def sprite_script(game: str) -> str:
    """Its text: puts the drawings where the script stands."""
    drawings = json.dumps(str(cards.sprite(catalog()[game].family)))
    return f'"use strict";\ndocument.currentScript.insertAdjacentHTML("afterend", {drawings});\n'


class Maker:
    """Makes pages of games out of a copied store."""

    def __init__(self, task: Task) -> None:
        self._task = task
        self._site = Site.open(Settings(task.store, task.store))
        self._asker = Asker(self._site)
        if task.notes:
            sources_of(self._site).add(_with_notes)

    def close(self) -> None:
        """Let go of the store."""
        self._asker.close()
        self._site.store.close()

    def board(self, games: Sequence[str]) -> frozenset[str]:
        """Write the pages of some games; returns the static files that they name."""
        return frozenset[str]().union(*map(self._game, games))

    def _game(self, public_id: str) -> frozenset[str]:
        task, address = self._task, f"/g/{public_id}"
        answer = self._asker.ask(address)
        place = task.places.of(address)
        assert place is not None, f"{address} has no place"
        text = answer.body.decode()
        found = find(self._site, public_id, Viewer())
        if answer.status == 200 and isinstance(found, Open):
            sprite = str(cards.sprite(catalog()[task.game].family))
            text = text.replace(sprite, f'<script src="/static/{sprite_file(task.game)}"></script>')
            island = ISLAND.format(FORMAT, __version__, self._positions(found))
            text = text.replace("</header>\n<section", f"{NO_SCRIPT}</header>\n<section", 1)
            text = text.replace("</main>", f"{island}\n</main>", 1)
        made = rewritten(text, address, place.file, task.place, task.around)
        file = task.out / place.file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(made.text, encoding="utf-8")
        return made.static

    def _positions(self, found: Open) -> str:
        replay = replays_of(self._site).of(found)
        comparison = comparisons_of(self._site).of(found, replay)
        return packed_positions(Shown(found, replay, comparison, links=False, notes=found.notes))


def _with_notes(site: Site, public_id: str, viewer: Viewer) -> Found | None:
    """A stored game with all notes that are in it."""
    found = find_stored(site, public_id, viewer)
    if not isinstance(found, Open):
        return found
    return replace(found, notes=frozenset(range(len(found.transcript.bots))))


def write_games(task: Task, boards: Sequence[Sequence[str]], tell: Callable[[int], None]) -> frozenset[str]:
    """Write the pages of all games; returns the static files that they name. `tell`: told how many are written."""
    count = sum(map(len, boards))
    processes = 1 if count < FEW else min(MOST_PROCESSES, os.cpu_count() or 1, len(boards))
    static: set[str] = set()
    done = 0
    with closing(_alone(task, boards) if processes == 1 else _together(task, boards, processes)) as making:
        for games, names in making:
            static |= names
            done += games
            tell(done)
    return frozenset(static)


Making = Generator[tuple[int, frozenset[str]], None, None]
"""By piece of work: how many games, and the static files that they name."""


def _alone(task: Task, boards: Sequence[Sequence[str]]) -> Making:
    maker = Maker(task)
    try:
        for games in boards:
            for each in games:
                yield 1, maker.board([each])
    finally:
        maker.close()


def _together(task: Task, boards: Sequence[Sequence[str]], processes: int) -> Making:
    others = set(active_children())
    pool = ProcessPoolExecutor(processes, get_context("spawn"), _start, (task,))
    try:
        waiting = {pool.submit(_board, tuple(games)): len(games) for games in boards}
        for each in as_completed(waiting):
            yield waiting[each], each.result()
        pool.shutdown()
    except BaseException:
        for child in set(active_children()) - others:  # nobody waits for what they are at
            child.terminate()
        pool.shutdown(cancel_futures=True)
        raise


_MAKER: list[Maker] = []
"""The maker of this process, where it is one of several."""


def _start(task: Task) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started it ends it
    _MAKER.append(Maker(task))


def _board(games: tuple[str, ...]) -> frozenset[str]:
    return _MAKER[0].board(games)
