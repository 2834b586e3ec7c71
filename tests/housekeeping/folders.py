"""A data folder with something in everything that a backup keeps, made without playing."""

from __future__ import annotations

from pathlib import Path

from store.samples import forfeit, game, new_tournament

from arena.bots.kept import keep
from arena.bots.manifest import Bot, read_bot
from arena.store.place import Place
from arena.store.store import Store


def bot_in(place: Path, name: str = "fox", text: str = "1") -> Bot:
    """The bot in a new folder; `text` makes versions differ."""
    place.mkdir(parents=True)
    (place / "bot.toml").write_text(f'name = "{name}"\ncommand = ["python3", "main.py"]\n')
    (place / "main.py").write_text(f"print({text})\n")
    (place / "start.sh").write_text("#!/bin/sh\n")
    (place / "start.sh").chmod(0o755)
    return read_bot(place)


def register(store: Store, data: Path, bot: Bot, owner: str = "") -> str:
    """Add a bot as `arena bot add` does, without checking it; returns its hash."""
    keep(bot, data / "bots")
    return store.register(bot.name, bot.version, bot.manifest, owner=owner).version


def filled(data: Path, place: Place | None = None) -> Path:
    """A data folder with a tournament, two games, a registered bot, a game by hand, a log and a build."""
    with Store.open(place if place is not None else data) as store:
        tournament = store.create_tournament(new_tournament())
        store.add_games(tournament.id, [game(1, 1), forfeit(1, 2)])
        register(store, data, bot_in(data.parent / "source"))
    for name, text in (("games/crowsnest-1.arena", "{}"), ("logs/spring/fox.log", "said"), ("builds/x/a.out", "made")):
        file = data / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return data


def content(data: Path) -> dict[str, tuple[bytes, int]]:
    """Every file below a folder but the database: content and mode."""
    return {
        str(path.relative_to(data)): (path.read_bytes(), path.stat().st_mode & 0o777)
        for path in sorted(data.rglob("*"))
        if path.is_file() and not path.name.startswith("arena.db")
    }


def stored(place: Place) -> list[object]:
    """Everything that a store knows of its tournaments, games and bots."""
    with Store.open(place, create=False) as store:
        found: list[object] = [*store.tournaments(), *store.registered()]
        return found + [store.game(info.public_id) for info in store.games(limit=None)]
