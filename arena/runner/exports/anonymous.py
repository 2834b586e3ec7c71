"""Names of bots replaced, the same name by the same one everywhere, and all else that could tell who they are left out.

Which bot gets which number is drawn from a key that stays in the data folder: exports of one folder agree with each
other, and nobody can find the names by trying them out.
"""

from __future__ import annotations

import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena.core.errors import ArenaFault
from arena.runner.exports.leaving import Leaving, bare
from arena.store.values import Quarantined, Round, Tournament, VoidInfo

KEY_FILE = "anonymous.key"
KEY_BYTES = 32
FREE_TEXTS = ("notes", "description", "lobby")
"""Settings that people write as they like."""


def key_of(data: Path) -> bytes:
    """The key of a data folder, made when it is first asked for. Raises ArenaFault READ_ONLY."""
    file = data / KEY_FILE
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            return _read(file)
        key = secrets.token_bytes(KEY_BYTES)
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(key.hex())
        return key
    except (OSError, ValueError) as error:
        raise ArenaFault(
            f"the key for anonymous names cannot be kept: {error}",
            where=str(file),
            fix="make the data folder writable, or remove the file if it is damaged",
            code="READ_ONLY",
        ) from error


def _read(file: Path) -> bytes:
    """A key that is there. Raises ValueError for part of one: nobody's names hide behind that."""
    key = bytes.fromhex(file.read_text("ascii"))
    if len(key) != KEY_BYTES:
        raise ValueError(f"{len(key)} bytes, not {KEY_BYTES}")
    return key


class Names:
    """The names of one tournament's bots, and what they become."""

    def __init__(self, tournament: Tournament, key: bytes) -> None:
        def drawn(name: str) -> str:
            return hmac.digest(key, f"{tournament.name}\0{name}".encode(), "sha256").hex()

        order = sorted((each.name for each in tournament.entrants), key=drawn)
        width = len(str(len(order)))
        self._new = {name: f"bot{number:0{width}}" for number, name in enumerate(order, 1)}
        self._versions = {each.name: drawn(f"{each.name}\0{each.version}") for each in tournament.entrants}

    def __call__(self, name: str) -> str:
        """What a name becomes; a name of nobody becomes nothing."""
        return self._new.get(name, "")

    def tournament(self, known: Tournament) -> Tournament:
        """The tournament with new names, in the order of these."""
        entrants = [
            replace(each, name=self(each.name), version=self._versions[each.name], source="anonymous", manifest={})
            for each in known.entrants
        ]
        config = {key: self._any(value) for key, value in known.config.items() if key not in FREE_TEXTS}
        if "bots" in config:
            config["bots"] = sorted(self._new.values())
        if "owners" in config:
            config["owners"] = self._owners(known.config["owners"])
        return replace(known, config=config, entrants=tuple(sorted(entrants, key=lambda each: each.name)))

    def game(self, leaving: Leaving) -> Leaving:
        """A game with new names: no notes, no details of faults, not who played it."""
        game, info = leaving.game, leaving.info
        bots = tuple(map(self, game.bots))
        transcript = dict(game.result.transcript)
        if "bots" in transcript:
            transcript["bots"] = list(bots)
        if "moves" in transcript:
            transcript["moves"] = [
                {key: value for key, value in move.items() if key != "note"} for move in transcript["moves"]
            ]
        if "faults" in transcript:
            transcript["faults"] = [{**fault, "detail": ""} for fault in transcript["faults"]]
        plain = bare(game)
        faults = tuple(fault._replace(process="") for fault in plain.result.faults)
        result = replace(plain.result, faults=faults, transcript=transcript)
        info = info._replace(row=info.row._replace(bots=bots), worker="")
        return Leaving(info, replace(game, bots=bots, result=result, worker=""), leaving.withheld)

    def round(self, each: Round) -> Round:
        """A round with new names."""
        return each._replace(field=tuple(sorted(map(self, each.field))))

    def void(self, info: VoidInfo) -> VoidInfo:
        """A void with new names, without its evidence."""
        return info._replace(void=info.void._replace(bots=tuple(map(self, info.void.bots)), evidence={}))

    def quarantine(self, each: Quarantined) -> Quarantined:
        """A quarantine with new names, and of its reason the codes alone."""
        why = each.quarantine
        plain = why._replace(bot=self(why.bot), reason=", ".join(dict.fromkeys(why.codes)))
        lifted = "lifted" if each.lifted is not None else ""
        return each._replace(version=self._versions.get(why.bot, ""), quarantine=plain, lift_reason=lifted)

    def _owners(self, owners: Mapping[str, str]) -> dict[str, str]:
        """Who belongs together, but not to whom: schedules go by it."""
        new: dict[str, str] = {}
        for _, owner in sorted((self(bot), owner.casefold()) for bot, owner in owners.items()):
            new.setdefault(owner, f"owner{len(new) + 1}")
        return {self(bot): new[owner.casefold()] for bot, owner in owners.items() if self(bot)}

    def _any(self, value: Any) -> Any:  # Any: JSON
        """A setting, with names of bots in it replaced."""
        if isinstance(value, str):
            return self._new.get(value, value)
        if isinstance(value, list):
            return [self._any(each) for each in value]
        if isinstance(value, dict):
            return {key: self._any(each) for key, each in value.items()}
        return value
