"""`arena tournament export --format html`: the pages of a tournament as files that open from a disk."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from arena.cli.app import settings_of
from arena.cli.flags import UsageError
from arena.cli.output import Output

if TYPE_CHECKING:
    from arena.cli.progress import Progress
    from arena.web.offline.writing import Written

STEPS = {"games": "copying", "pages": "writing", "replays": "writing"}


class Steps:
    """Shows how far the writing is: one count after the other."""

    def __init__(self, output: Output, held: ExitStack) -> None:
        self._output, self._held = output, held
        self._unit = ""
        self._shown: Progress | None = None

    def __call__(self, unit: str, done: int, total: int | None) -> None:
        """`done` of `total` are done."""
        from arena.cli.progress import progress

        if unit != self._unit:
            self._held.close()
            self._unit = unit
            self._shown = self._held.enter_context(progress(self._output, STEPS[unit], total, unit))
        assert self._shown is not None
        self._shown.update(done)


def write_pages(
    output: Output, name: str | None, out: Path | None, *, most: int | None, notes: bool, anonymous: bool, force: bool
) -> None:
    """Write the pages and say what they have. Raises as `write_site`; UsageError for flags that exclude each other,
    Nothing for a tournament without games."""
    from arena.cli.stored import Nothing, find_tournament, open_store
    from arena.runner.exports.anonymous import Names, key_of
    from arena.store.lock import holder
    from arena.web.offline.copying import Source
    from arena.web.offline.writing import MOST, write_site

    if notes and anonymous:
        raise UsageError(
            "notes could name the bots", where="--notes", saw="--anonymous", fix="leave one of the two out"
        )
    settings = settings_of(output)
    with open_store(output) as store, ExitStack() as held:
        found = find_tournament(store, name)
        if not store.count(found.id):
            raise Nothing(f"no game of {found.name!r} is stored yet", fix=f"arena tournament status {found.name}")
        names = Names(found, key_of(settings.data)) if anonymous else None
        running = holder(settings.data, found.name, settings.store) is not None
        to = out if out is not None else Path(f"{found.name}-pages")
        source = Source(store, found, names, notes, running)
        made = write_site(source, to, most=most or MOST, replace=force, tell=Steps(output, held))
    _say(output, made, to, found.name)


def _say(output: Output, made: Written, to: Path, name: str) -> None:
    chosen = made.chosen
    if chosen.sealed:
        output.warning(
            f"{chosen.sealed} of {made.counts.games} games are on sealed boards: they count, without their cards; "
            f"see arena tournament status {name}"
        )
    if chosen.left_out:
        output.warning(f"{chosen.left_out} games are there without their replays: --most {made.counts.games}")
    if output.flags.json:
        data = {
            "file": str(to), "format": "html", "tournament": name, "games": made.counts.games, "files": made.files,
            "bytes": made.bytes, "replays": made.replays, "left_out": chosen.left_out, "sealed": chosen.sealed,
        }  # fmt: skip
        output.document("export/1", data)
    else:
        output.line(f"wrote {to} ({made.files} files, {made.bytes / 2**20:.1f} MiB, {made.replays} replays)")
    output.next_step(
        f"open {to / 'index.html'} in a browser" if to.suffix != ".zip" else f"unzip {to}, open index.html"
    )
