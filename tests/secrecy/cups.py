"""Two small tournaments with bots that write down every byte they are sent."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from cli.terminal import piped

RECORDER = Path(__file__).parent / "recorder"
NAMES = ("vixen-the-first", "badger_too", "basic")
CUPS = {
    "spring-of-cups": 'game = "crowsnest"\nboards = 3\noptions = { max_hands = 1 }\n',
    "thirsty-cup": 'game = "crow_and_pitcher"\nboards = 2\noptions = { players = 3, rounds = 1 }\n',
}

SECRET = "9d2f60c1" * 8
"""Always the same cards, among them no board on which everybody passes, so that there is something to keep secret."""


def play_recorded(folder: Path) -> None:
    """Play the cups in a folder."""
    for name in NAMES[:2]:
        shutil.copytree(RECORDER, folder / name)
        manifest = folder / name / "bot.toml"
        manifest.write_text(manifest.read_text().replace('"recorder"', f'"{name}"', 1))
    bots = [f"./{NAMES[0]}", f"./{NAMES[1]}", NAMES[2]]
    (folder / "secret").write_text(SECRET)
    for cup, text in CUPS.items():
        (folder / f"{cup}.toml").write_text(f'name = "{cup}"\nbots = {bots}\n{text}'.replace("'", '"'))
        ran = piped("tournament", "run", f"{cup}.toml", "--workers", "1", "--secret-file", "secret", folder=folder)
        assert ran.status == 0, ran.stderr
        said = ran.stdout + ran.stderr
        assert not re.search(r"\b[BGRYT]\d+\b", said), "cards on the screen of a running tournament"
