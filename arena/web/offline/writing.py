"""Writes a tournament as a folder of pages, or as a ZIP of one. It appears whole or not at all.

Order: copy what may leave into a store of its own, ask the site on that store for every page, lay the pages down with
their links as files, then the games. Knows files; commands give it names, places and something to tell progress to.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from arena import __version__
from arena.core.errors import ArenaError, ArenaFault, ConfigError
from arena.runner.exports.leaving import Counts
from arena.store.store import Store, utc_now
from arena.store.values import State
from arena.web.app import STATIC
from arena.web.offline.asking import Asker
from arena.web.offline.choosing import Chosen, chosen
from arena.web.offline.copying import Copied, Source, copied
from arena.web.offline.crawling import Crawl
from arena.web.offline.places import INDEX, Places
from arena.web.offline.replays import Task, sprite_file, sprite_script, write_games
from arena.web.offline.rewriting import Around, rewritten
from arena.web.rendering import fragment
from arena.web.site import Settings, Site

MOST = 1000
"""So many games have replays unless the caller says otherwise."""
PAIRS = 24
"""Up to so many bots any two have a page."""
MARK = "arena-copy.json"
"""Only a folder with this file is ever replaced."""
SCRIPTS = ("offline.js",)
Tell = Callable[[str, int, int | None], None]
"""Told (what, how many, of how many): "games", "pages", "replays"."""


@dataclass(frozen=True)
class Written:
    """What was written."""

    files: int
    bytes: int
    """Of the folder, or of the ZIP."""
    replays: int
    chosen: Chosen
    counts: Counts


def write_site(
    source: Source, out: Path, *, most: int = MOST, replace: bool = False, tell: Tell = lambda *_: None
) -> Written:
    """Write the pages: to a folder, or to a ZIP where `out` ends so.

    Raises ConfigError when it is there already and is not to be replaced or is not such a copy, ArenaError NOT_ALLOWED
    while all boards are sealed, ArenaFault when it cannot be written.
    """
    zipped = out.suffix == ".zip"
    _check(out, zipped=zipped, replace=replace)
    with _written(out, zipped=zipped) as folder, tempfile.TemporaryDirectory(prefix="arena-copy-") as work:
        games = source.store.count(source.tournament.id)
        with copied(source, Path(work), lambda done: tell("games", done, games)) as known:
            found = _lay_down(source, known, Path(work), folder, most, tell)
        files = [each for each in sorted(folder.rglob("*")) if each.is_file()]
        size = sum(each.stat().st_size for each in files)
    replays = sum(map(len, found.games))
    return Written(len(files), out.stat().st_size if zipped else size, replays, found, known.counts)


def _lay_down(source: Source, known: Copied, work: Path, folder: Path, most: int, tell: Tell) -> Chosen:
    """Write all pages of a copied store into a folder."""
    tournament = known.tournament
    now = utc_now()
    site = Site.open(Settings(work, work))
    try:
        found = _choose(site.store, known, most)
        places = Places(
            tournament.name, tournament.game, found.boards, frozenset().union(*found.games),
            pairs=len(tournament.entrants) <= PAIRS,
        )  # fmt: skip
        crawl = Crawl(places)
        with Asker(site) as asker:
            crawl.run(asker, f"/t/{tournament.name}", lambda done: tell("pages", done, None))
    finally:
        site.store.close()
    around = Around(
        fragment("offline/header.html", name=tournament.name, game=tournament.game),
        fragment("offline/footer.html", made=now),
        SCRIPTS,
    )
    note = _note(source, known, found, now)
    static: set[str] = set()
    for each in crawl.files():
        file = folder / each.file
        file.parent.mkdir(parents=True, exist_ok=True)
        if not each.page:
            file.write_bytes(each.body)
            continue
        text = each.body.decode()
        if each.file == INDEX:
            text = text.replace("</main>", f"{note}</main>", 1)
        made = rewritten(text, each.address, each.file, crawl.place, around)
        static |= made.static
        file.write_text(made.text, encoding="utf-8")
    task = Task(work, folder, places, crawl.names, around, source.notes, tournament.game)
    count = sum(map(len, found.games))
    static |= write_games(task, found.games, lambda done: tell("replays", done, count))
    _static(folder, static, tournament.game)
    told = {"arena": __version__, "tournament": tournament.name, "made": now.isoformat(timespec="seconds")}
    (folder / MARK).write_text(json.dumps(told) + "\n", encoding="utf-8")
    return found


def _choose(store: Store, known: Copied, most: int) -> Chosen:
    found = chosen(store, known.tournament, most)
    if not found.boards:
        raise ArenaError(
            f"all boards of {known.tournament.name!r} are sealed: nothing of it may be shown yet",
            saw=f"state {known.tournament.state.value}, {found.sealed} games stored",
            fix=f"wait until a board is done: arena tournament status {known.tournament.name}",
            code="NOT_ALLOWED",
        )
    return found


def _note(source: Source, known: Copied, found: Chosen, now: datetime) -> str:
    return fragment(
        "offline/note.html",
        made=now,
        over=known.tournament.state is State.FINISHED,
        replays=sum(map(len, found.games)),
        boards=len(found.boards),
        left_out=found.left_out,
        sealed=found.sealed,
        anonymous=source.names is not None,
        notes=source.notes,
    )


def _static(folder: Path, names: set[str], game: str) -> None:
    """The style sheets, scripts and pictures that pages name."""
    for name in names | set(SCRIPTS):
        file = folder / "static" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name == sprite_file(game):
            file.write_text(sprite_script(game), encoding="utf-8")
        else:
            shutil.copyfile(STATIC / name, file)


# Where it appears


def _check(out: Path, *, zipped: bool, replace: bool) -> None:
    if not out.parent.is_dir():
        raise ConfigError(f"no folder {str(out.parent)!r}", where="--out", fix="make it first, or name another one")
    if not out.exists():
        return
    ours = (out / MARK).is_file() or (out.is_dir() and not any(out.iterdir())) if not zipped else out.is_file()
    if replace and ours:
        return
    raise ConfigError(
        f"{out} is there already",
        where="--out",
        saw="an older copy" if ours else "something that is no copy of a tournament",
        fix="name another place" + (", or add --force" if ours else ""),
        code="FILE_EXISTS",
    )


@contextmanager
def _written(out: Path, *, zipped: bool) -> Iterator[Path]:
    """A folder beside `out` that becomes it when the block ends well, and is gone when it does not."""
    new = out.with_name(f".{out.name}.{os.getpid()}")
    packed = out.with_name(f".{out.name}.{os.getpid()}.zip")
    try:
        new.mkdir()
        yield new
        if zipped:
            _zip(new, packed, out.stem)
            packed.replace(out)
        else:
            _put(new, out)
    except OSError as error:
        raise ArenaFault(
            f"the pages cannot be written: {error.strerror or error}",
            where=str(error.filename or out),
            fix="name a place in a folder that can be written, with space left",
            code="READ_ONLY" if isinstance(error, PermissionError) else "DISK_FULL",
        ) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)
        packed.unlink(missing_ok=True)


def _put(new: Path, out: Path) -> None:
    """Give a folder its name, and take away what had it."""
    old = out.with_name(f".{out.name}.{os.getpid()}.old")
    if out.exists():
        out.rename(old)
    new.rename(out)
    shutil.rmtree(old, ignore_errors=True)


def _zip(folder: Path, file: Path, top: str) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for each in sorted(folder.rglob("*")):
            if each.is_file():
                archive.write(each, f"{top}/{each.relative_to(folder).as_posix()}")
