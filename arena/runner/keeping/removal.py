"""Removes a bot or a person: registry and tokens in the store, then files, builds and output. Results stay.

Nobody may run a tournament of the bot meanwhile. What such a tournament had left to play with it is left out when it
goes on: `with_withdrawn` finds a stand-in that is never started.
"""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from arena.bots.manifest import Bot
from arena.core.errors import ArenaError, BotError
from arena.runner.outputs import logs_of
from arena.runner.roster import Roster
from arena.store.lock import coordinator_lock
from arena.store.place import Place
from arena.store.removals import BOT, PERSON, Removal, Removed, is_bot
from arena.store.store import Store
from arena.store.values import Entrant, State

UPLOADS = "uploads"
"""The folder below the data folder with what was sent and is not checked yet."""


class Cleared(NamedTuple):
    """What a removal came to."""

    removal: Removal
    bots: tuple[Removed, ...]
    """Of each bot that went."""
    tokens: int
    """Revoked, those of bots as well."""
    files: int
    """Folders and files that were deleted."""


class Unknown(ArenaError):
    """There is nobody of that name to remove (exit status 5)."""

    code = "NOTHING"


def remove_bot(store: Store, data: Path, place: Place, name: str, reason: str) -> Cleared:
    """Remove all versions of a bot, with their files; again: only what is left of it.

    Raises Unknown, Busy while a coordinator runs a tournament that it plays in.
    """
    if not store.registered(name) and store.removal(BOT, name) is None:
        raise Unknown(f"no registered bot {name!r} to remove", where=store.where, fix="arena bot list")
    with _nobody_runs(store, data, place, [name]):
        removed = store.remove(BOT, name, reason)
    return Cleared(removed.removal, (removed,), removed.tokens, _delete(store, data, removed))


def remove_person(
    store: Store, data: Path, place: Place, owner: str, reason: str, *, keep_bots: bool = False
) -> Cleared:
    """Remove a person: its name goes from bots and tokens, these are revoked, its bots are removed or kept. It cannot
    sign in any more, and what it sent and was not checked yet is deleted.

    Raises Unknown for a name that owns nothing and has no account, Busy as `remove_bot` does; then the person is not
    removed.
    """
    bots = owned_by(store, owner)
    known = bots or store.owns_tokens(owner) or store.has_account(owner)
    if not known and store.removal(PERSON, owner) is None:
        raise Unknown(
            f"{owner!r} owns no bot and no token, and has no account",
            where=store.where,
            fix="arena quota lists owners, arena user list people",
        )
    going = [] if keep_bots else bots
    with _nobody_runs(store, data, place, going):
        for file in store.uploads_of(owner):
            (data / UPLOADS / Path(file).name).unlink(missing_ok=True)
        removed = store.remove(PERSON, owner, reason)
        gone = tuple(store.remove(BOT, name, reason) for name in going)
    tokens = removed.tokens + sum(each.tokens for each in gone)
    return Cleared(removed.removal, gone, tokens, sum(_delete(store, data, each) for each in gone))


def owned_by(store: Store, owner: str) -> list[str]:
    """The names of an owner's registered bots."""
    names = [each.name for each in store.registered() if each.owner.casefold() == owner.casefold()]
    return list(dict.fromkeys(names))


@contextmanager
def _nobody_runs(store: Store, data: Path, place: Place, names: list[str]) -> Iterator[None]:
    """Hold the locks of all tournaments that are not finished and that some bots play in. Raises Busy."""
    known = {name: {each.version for each in store.registered(name)} for name in names}
    events = [
        tournament.name
        for tournament in store.tournaments()
        if tournament.state is not State.FINISHED
        and any(
            is_bot(each.name, each.source, each.version, name, versions)
            for each in tournament.entrants
            for name, versions in known.items()
        )
    ]
    with ExitStack() as locks:
        for event in events:
            locks.enter_context(coordinator_lock(data, event, place))
        yield


def _delete(store: Store, data: Path, removed: Removed) -> int:
    """Delete kept files, builds and output of a bot; files that another bot or event needs stay."""
    name = removed.removal.name
    needed = {each.version for each in store.registered()}
    versions = {each.version for each in removed.versions}
    entered: set[str] = set()
    for tournament in store.tournaments():
        for each in tournament.entrants:
            mine = is_bot(each.name, each.source, each.version, name, versions)
            (entered if mine else needed if tournament.state is not State.FINISHED else set[str]()).add(each.version)
    going = [data / "bots" / version for version in sorted((versions | entered) - needed)]
    for folder in list(going):
        going += sorted((data / "builds").glob(f"{folder.name[:32]}*"))
    going += [log.file for log in logs_of(data / "logs", name)]
    count = 0
    for path in going:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
            count += 1
        elif path.exists():
            path.unlink(missing_ok=True)
            count += 1
    return count


def with_withdrawn(roster: Roster, file: Path, place: Place) -> Callable[[str, Path | None], Bot]:
    """`roster.find` for the tournament in a file: a bot that was removed since it began is found as a stand-in."""

    def find(reference: str, near: Path | None = None) -> Bot:
        try:
            return roster.find(reference, near)
        except BotError as error:
            entrant = _withdrawn(reference, file, place) if error.code == "REMOVED" else None
            if entrant is None:
                raise
            return _stand_in(entrant, roster.kept)

    return find


def is_stand_in(bot: Bot) -> bool:
    """Whether a bot was removed and cannot be started."""
    return not bot.command and not bot.remote


def _withdrawn(reference: str, file: Path, place: Place) -> Entrant | None:
    """The entrant of the file's tournament, begun already, that a reference means."""
    event = tomllib.loads(file.read_text(encoding="utf-8")).get("name")
    with Store.open(place, create=False) as store:
        tournament = store.tournament(event) if isinstance(event, str) else None
    name, _, wanted = reference.partition("@")
    for each in tournament.entrants if tournament is not None else ():
        found, _, number = each.source.removeprefix("registered:").partition("@")
        meant = not wanted or wanted.removeprefix("v") == number or each.version.startswith(wanted.lower())
        if each.source.startswith("registered:") and found.casefold() == name.casefold() and meant:
            return each
    return None


def _stand_in(entrant: Entrant, kept: Path) -> Bot:
    """A bot with everything that settings are compared by, and without a command."""
    manifest = dict(entrant.manifest)
    number = entrant.source.partition("@")[2]
    return Bot(
        name=entrant.name,
        folder=kept / entrant.version,
        command=(),
        games=tuple(manifest.get("games", ["*"])),
        concurrent_games=manifest.get("concurrent_games", 1),
        version=entrant.version,
        house=False,
        number=int(number) if number.isdecimal() else 0,
        manifest=manifest,
    )
