"""What commands need of the store: opening it, finding a tournament, and what may be shown of it.

The store itself hides nothing; everything here that shows cards asks whether their board is open.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from arena.cli.app import settings_of
from arena.cli.output import Output
from arena.core.errors import ArenaError, ConfigError, TranscriptError

if TYPE_CHECKING:
    from pathlib import Path

    from arena.record.results import GameKey
    from arena.runner.eligibility import Desk
    from arena.store.store import Store
    from arena.store.values import FullGame, Tournament


class Nothing(ArenaError):
    """There is nothing to work on (exit status 5)."""

    code = "NOTHING"


class Sealed(ArenaError):
    """Words of bots that may name cards of a board that is still being played (exit status 4)."""

    code = "NOT_ALLOWED"


class Pruned(ArenaError):
    """The transcript of a game was removed by retention; its result is there (exit status 5)."""

    code = "PRUNED"


def data_folder(output: Output) -> Path:
    """The data folder, which must exist. Raises Nothing."""
    data: Path = settings_of(output).data
    if not data.is_dir():
        raise Nothing(
            "no games were played here yet",
            where=str(data),
            saw="no data folder",
            fix="arena tournament run cup.toml, or name the folder with --data; arena play's games are shown by file",
        )
    return data


def open_store(output: Output, *, create: bool = False) -> Store:
    """The store, which must exist: of the data folder, or at the URL that is set. Raises Nothing.

    `create`: it is enough that there is a data folder, in which `arena play` keeps games without a store.
    """
    from arena.store.place import is_url
    from arena.store.store import Store

    place = settings_of(output).store
    return Store.open(place if is_url(place) else data_folder(output), create=create)


def desk_of(output: Output, store: Store) -> Desk:
    """Where orders of organisers are given from the command line."""
    from arena.runner.eligibility import Desk
    from arena.store.audit import typed_by

    settings = settings_of(output)
    return Desk(store, settings.data, settings.store, who=typed_by())


def find_tournament(store: Store, name: str | None, pool: str | None = None) -> Tournament:
    """The tournament of a name, else the newest one of a game or pool, else the newest of all.

    Raises ConfigError for an unknown name, Nothing where there is none at all.
    """
    known = store.tournaments()
    if not known:
        raise Nothing("no tournament was run here yet", where=store.where, fix="arena tournament run cup.toml")
    events = [each for each in known if each.config.get("format") != "sequential"]  # tests of versions are named
    if name is not None:
        found = [each for each in known if each.name == name]
    elif pool is not None:
        found = [each for each in events if each.game == pool]
        found = [each for each in known if each.name == pool] or found
    else:
        found = events or known
    if not found:
        wanted = name or pool or ""
        names = [each.name for each in known]
        near = difflib.get_close_matches(wanted, names, 1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        members = [each.name for each in known if each.series == wanted]
        if members:
            raise ConfigError(
                f"{wanted!r} is a series of tournaments",
                where=store.where,
                saw=", ".join(members),
                fix="name one of them",
                code="NO_TOURNAMENT",
            )
        raise ConfigError(
            f"no tournament {wanted!r}",
            where=store.where,
            fix=f"{hint}tournaments: {', '.join(names)}",
            code="NO_TOURNAMENT",
        )
    return found[-1]


def find_event(store: Store, name: str | None, pool: str | None = None) -> list[Tournament]:
    """The members of a series of that name, in order; else the one that `find_tournament` finds.

    Raises as that does.
    """
    from arena.runner.series import members_of

    for wanted in (name, pool):
        if wanted is not None and (members := members_of(store, wanted)):
            return members
    return [find_tournament(store, name, pool)]


def open_boards(store: Store, tournament: Tournament) -> frozenset[int]:
    """The boards of a tournament whose cards may be shown."""
    from arena.runner import sealing

    return sealing.open_boards(store, tournament)


def stored_game(store: Store, public_id: str) -> tuple[Tournament, FullGame]:
    """A stored game and its tournament.

    Raises ConfigError for an unknown id, ArenaError NOT_ALLOWED while its board is played, Pruned when its transcript
    was removed.
    """
    from arena.runner.sealing import check_open

    full = store.game(public_id)
    if full is None:
        raise ConfigError(
            f"no game {public_id!r}", where=store.where, fix="arena replay list shows the ids", code="NO_GAME"
        )
    tournament = find_tournament(store, full.info.tournament)
    check_open(store, tournament, full.info.row.key.board)
    if full.pruned is not None:
        row = full.info.row
        scores = ", ".join(f"{bot} {score:g}" for bot, score in zip(row.bots, row.scores, strict=True))
        raise Pruned(
            f"transcript removed on {full.pruned:%Y-%m-%d} by retention",
            where=public_id,
            saw=f"the result stays: {scores} ({row.verdict.value})",
            fix="a backup from before that day has it: arena restore; [retention] of arena.toml says what is kept",
        )
    return tournament, full


def words_sealed(store: Store, tournament: Tournament, key: GameKey) -> Sealed | None:
    """Why what the bots of a game noted and knew is sealed, though its cards may be open; None: it is open."""
    from arena.runner.sealing import Seals, boards_text

    waiting = Seals(store, tournament).sealed_with(key.round, key.table)
    if not waiting:
        return None
    return Sealed(
        f"notes, view keys and details of faults of this game are sealed: they open when all tables "
        f"have played {boards_text(waiting)} of {tournament.name!r}, which the same processes played",
        where=store.where,
        saw=f"state {tournament.state.value}",
        fix=f"wait, or finish it: arena tournament run; see arena tournament status {tournament.name}",
    )


def check_secret(store: Store, tournament: Tournament, key: GameKey) -> bytes | None:
    """The secret that decided the cards of a game, if it is published; else None.

    That is so once a tournament is finished and its series with it; of a ladder, once the round is closed. Raises
    TranscriptError when it is not the one that was committed to.
    """
    from hashlib import sha256

    from arena.runner.course import format_of, stored_secret
    from arena.runner.series import is_published

    ladder = format_of(tournament.config).ladder
    if not tournament.secret:  # imported before it was published
        return None
    if not (store.is_board_closed(tournament.id, key.board) if ladder else is_published(store, tournament)):
        return None
    if sha256(tournament.secret).hexdigest() != tournament.secret_hash:
        raise TranscriptError(
            f"the secret of {tournament.name!r} is not the one whose hash was published",
            saw=f"published {tournament.secret_hash}",
        )
    return stored_secret(tournament, key.round)
