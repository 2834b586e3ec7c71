"""`arena.results/1`: a tournament as JSON lines, and the same lines read again. The format: docs/store.md.

Knows values and JSON; neither files nor the store. Reading raises TranscriptError with line and place.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from arena.record.results import Fault, FaultClass, GameKey, GameResult, Verdict
from arena.runner.exports.leaving import Leaving
from arena.store.values import Entrant, Quarantined, Round, State, StoredGame, Tournament, Void, VoidInfo, secret_hash
from arena.tournament.quarantine import Quarantine

FORMAT = "arena.results/1"
HIDDEN_UNTIL_THE_END = ("seed",)
"""Settings from which the cards could be told."""


def line(data: Mapping[str, Any]) -> str:
    """One line of a file."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=True, allow_nan=False) + "\n"


def tournament_data(tournament: Tournament, *, published: bool) -> dict[str, Any]:
    """The first line: all that is fixed, and how the tournament stands. `published`: its secret is, and may be told."""
    config = {key: value for key, value in tournament.config.items() if published or key not in HIDDEN_UNTIL_THE_END}
    return {
        "kind": "tournament",
        "format": FORMAT,
        "name": tournament.name,
        "game": tournament.game,
        "game_version": tournament.game_version,
        "ruleset": json.loads(tournament.ruleset),
        "config": config,
        "secret_hash": tournament.secret_hash,
        "secret": tournament.secret.hex() if published else None,
        "open_seed": tournament.open_seed,
        "tier_minimum": tournament.tier_minimum,
        "series": tournament.series,
        "state": tournament.state.value,
        "created": time_text(tournament.created),
        "started": time_text(tournament.started),
        "finished": time_text(tournament.finished),
        "entrants": [
            {
                "name": each.name,
                "version": each.version,
                "source": each.source,
                "manifest": dict(each.manifest),
                "since_round": each.since_round,
                "until_round": each.until_round,
            }
            for each in tournament.entrants
        ],
    }


def read_tournament(data: Mapping[str, Any]) -> Tournament:
    """The tournament of a first line; `id` is 0. Raises KeyError, ValueError, TypeError for what is none."""
    if data["format"] != FORMAT:
        raise ValueError(f"format {data['format']!r} cannot be read, expected {FORMAT}")
    secret = bytes.fromhex(data["secret"] or "")
    if secret and secret_hash(secret) != data["secret_hash"]:
        raise ValueError("the secret is not the one whose hash was published")
    return Tournament(
        id=0,
        name=data["name"],
        game=data["game"],
        game_version=data["game_version"],
        ruleset=json.dumps(data["ruleset"], sort_keys=True, separators=(",", ":"), ensure_ascii=True),
        config=dict(data["config"]),
        secret=secret,
        secret_hash=data["secret_hash"],
        entrants=tuple(Entrant(**each) for each in data["entrants"]),
        open_seed=bool(data["open_seed"]),
        tier_minimum=data["tier_minimum"],
        state=State(data["state"]),
        created=must_time(data["created"]),
        started=read_time(data["started"]),
        finished=read_time(data["finished"]),
        series=data["series"],
    )


def round_data(each: Round) -> dict[str, Any]:
    """A round."""
    times = {"opened": time_text(each.opened), "closed": time_text(each.closed)}
    return {
        "kind": "round", "number": each.number, "field": list(each.field), "blocks": each.blocks, "games": each.games,
        **times,
    }  # fmt: skip


def read_round(data: Mapping[str, Any]) -> Round:
    """A round again."""
    opened, closed = must_time(data["opened"]), read_time(data["closed"])
    return Round(data["number"], tuple(data["field"]), data["blocks"], data["games"], opened, closed)


def void_data(info: VoidInfo) -> dict[str, Any]:
    """An attempt that counted for nobody."""
    void = info.void
    told = {"attempt": void.attempt, "reason": void.reason, "bots": list(void.bots), "evidence": dict(void.evidence)}
    return {"kind": "void", **void.key._asdict(), **told, "at": time_text(info.at)}


def read_void(data: Mapping[str, Any]) -> VoidInfo:
    """It again."""
    void = Void(key_of(data), data["attempt"], data["reason"], tuple(data["bots"]), data["evidence"])
    return VoidInfo(void, must_time(data["at"]))


def quarantine_data(each: Quarantined) -> dict[str, Any]:
    """Who was taken out."""
    why = each.quarantine
    return {
        "kind": "quarantine",
        "bot": why.bot,
        "version": each.version,
        "since_round": why.since_round,
        "reason": why.reason,
        "games": [list(key) for key in why.games],
        "codes": list(why.codes),
        "at": time_text(each.at),
        "lifted": time_text(each.lifted),
        "lift_reason": each.lift_reason,
    }


def read_quarantine(data: Mapping[str, Any], tournament: str) -> Quarantined:
    """It again."""
    keys = tuple(GameKey(*key) for key in data["games"])
    why = Quarantine(data["bot"], data["since_round"], data["reason"], keys, tuple(data["codes"]))
    times = must_time(data["at"]), read_time(data["lifted"])
    return Quarantined(tournament, data["version"], why, *times, data["lift_reason"])


def game_data(leaving: Leaving) -> dict[str, Any]:
    """A game."""
    info, game = leaving.info, leaving.game
    result = game.result
    return {
        "kind": "game",
        "game": info.public_id,
        **game.key._asdict(),
        "bots": list(game.bots),
        "verdict": result.verdict.value,
        "scores": list(result.scores),
        "ranks": list(result.ranks),
        "tiebreaks": list(result.tiebreaks),
        "forfeits": [{"seat": seat, "code": code} for seat, code in result.forfeits],
        "faults": [{**fault._asdict(), "fault_class": fault.fault_class.value} for fault in result.faults],
        "tier": game.tier,
        "attempt": game.attempt,
        "elapsed_ms": game.elapsed_ms,
        "worker": game.worker,
        "stored": time_text(info.stored),
        "transcript": dict(result.transcript) if not leaving.withheld else None,
        "withheld": leaving.withheld or None,
    }


def read_game(data: Mapping[str, Any]) -> tuple[StoredGame, datetime]:
    """A game again, and when it was stored first."""
    result = GameResult(
        verdict=Verdict(data["verdict"]),
        scores=numbers(data["scores"]),
        ranks=tuple(data["ranks"]),
        tiebreaks=numbers(data["tiebreaks"]),
        forfeits=tuple((each["seat"], each["code"]) for each in data["forfeits"]),
        faults=tuple(Fault(**{**each, "fault_class": FaultClass(each["fault_class"])}) for each in data["faults"]),
        transcript=data["transcript"] or {},
    )
    game = StoredGame(
        key=key_of(data),
        bots=tuple(data["bots"]),
        result=result,
        tier=data["tier"],
        elapsed_ms=data["elapsed_ms"],
        attempt=data["attempt"],
        worker=data["worker"],
    )
    return game, must_time(data["stored"])


def key_of(data: Mapping[str, Any]) -> GameKey:
    """The key in a line. Raises ValueError for one that is none."""
    key = GameKey(*(data[name] for name in GameKey._fields))
    if not all(type(part) is int and part >= 0 for part in key):
        raise ValueError(f"{tuple(key)!r} is no key: whole numbers from 0")
    return key


def numbers(values: Iterable[Any]) -> tuple[Any, ...]:
    """Numbers and nothing else. Raises ValueError."""
    found = tuple(values)
    if not all(type(each) in (int, float) for each in found):
        raise ValueError(f"{found!r} are no numbers")
    return found


def time_text(time: datetime | None) -> str | None:
    """A time in UTC, to the microsecond."""
    if time is None:
        return None
    return time.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")


def read_time(text: str | None) -> datetime | None:
    """It again."""
    return None if text is None else must_time(text)


def must_time(text: str) -> datetime:
    """A time that must be there. Raises ValueError for one without a zone."""
    found = datetime.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"{text!r} names no time zone")
    return found.astimezone(UTC)
