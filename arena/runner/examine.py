"""Examines one bot that somebody sent, in a process of its own: unpacks it, checks it, keeps it. Registers nothing.

    in    {"archive", "shown": what the author calls it, "data", "store", "owner", "boards", "sandbox"}    one line
          with "name", "number" and "version" and no archive: a registered version is checked again
    out   {"bot", "version", "games"}                        it is read
          {"step": {...}}                                    of the check, each when it is done
    end   {"same": number}                                   its content is there already, as that version
          {"passed": number}                                 of a registered version: every step
          {"checked": {"manifest", "size"}}                  a copy is kept under its hash, ready to be registered
          {"refused": {"error", "where", "saw", "fix", "code"}}      the author's to mend
          {"fault": {... the same}}                          the arena's

When its standard input ends, because the server is gone, it stops. Nothing that it says holds a path of this machine.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena.bots.archive import check_folder, unpack
from arena.bots.folders import work_folder
from arena.bots.kept import keep, kept_bot
from arena.bots.manifest import Bot
from arena.bots.version import files_of
from arena.core.errors import ArenaError, ArenaFault, BotError, ConfigError
from arena.record.codes import CODES
from arena.runner.admission import owner_for
from arena.runner.check import Setting, check_bot
from arena.runner.check_report import Step
from arena.runner.enroll import admissible, known_as
from arena.runner.means import means_for
from arena.store.store import Store
from arena.store.values import BotState

Data = dict[str, Any]
"""Any: JSON."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is to be examined."""

    archive: str
    shown: str
    data: str
    store: str
    owner: str
    boards: int
    sandbox: str = "auto"
    games: Sequence[str] = ()
    """The rulesets that it is to play; empty: all that its bot.toml names."""
    name: str = ""
    number: int = 0
    version: str = ""
    """Content hash of the registered version that is to be checked again; empty: an archive is."""


@dataclass(slots=True)
class Examination:
    """One bot being examined."""

    order: Order
    hidden: tuple[tuple[str, str], ...] = ()
    """Paths of this machine, and what stands for them, longest first."""

    async def run(self) -> Data:
        """The line that it ends with."""
        if self.order.version:
            return await self._again()
        with work_folder() as place:
            folder = place / "bot"
            archive = Path(self.order.archive)
            self.hidden = (
                (f"{archive}", self.order.shown), (f"{folder}/", ""), (f"{folder}", self.order.shown),
                (archive.name, self.order.shown), (f"{place}/", ""), (f"{self.order.data}/", ""),
            )  # fmt: skip
            try:
                return await self._examined(archive, folder)
            except BotError as error:
                return {"refused": self.clean(five(error))}
            except ConfigError as error:
                return {"fault": self.clean(five(error))}

    async def _again(self) -> Data:
        """Check the kept copy of a registered version."""
        order = self.order
        kept = Path(order.data) / "bots"
        self.hidden = (
            (f"{kept / order.version}/", ""),
            (f"{kept / order.version}", order.name),
            (f"{order.data}/", ""),
        )
        try:
            bot = entered(kept_bot(kept, order.name, order.number, order.version), order.games)
            failed = await self._check(bot, Path(order.data))
        except BotError as error:
            return {"refused": self.clean(five(error))}
        except ConfigError as error:
            return {"fault": self.clean(five(error))}
        return {"refused": self.clean(of_step(failed))} if failed is not None else {"passed": order.number}

    async def _examined(self, archive: Path, folder: Path) -> Data:
        await asyncio.to_thread(unpack, archive, folder)
        bot = entered(admissible(folder), self.order.games)
        check_folder(bot.folder, built=bool(bot.build))
        data = Path(self.order.data)
        with Store.open(self.order.store) as store:
            before = known_as(store, bot)
            owner_for(store, bot, self.order.owner, where="bot.toml", fix="choose another name in bot.toml")
        self.say({"bot": bot.name, "version": bot.version, "games": list(bot.games)})
        known = before is not None and set(before.manifest.get("games", ["*"])) == set(bot.games)
        if before is not None and known and before.state is BotState.READY:
            return {"same": before.number}
        failed = await self._check(bot, data)
        if failed is not None:
            return {"refused": self.clean(of_step(failed))}
        keep(bot, data / "bots")
        size = sum(path.stat().st_size for _, path in files_of(bot.folder, built=bool(bot.build)))
        return {"checked": {"manifest": bot.manifest, "size": size}}

    async def _check(self, bot: Bot, data: Path) -> Step | None:
        """The step that failed."""
        logs = data / "logs" / "check"
        logs.mkdir(parents=True, exist_ok=True, mode=0o700)
        means = await means_for("none" if self.order.sandbox == "none" else "auto", [bot])
        setting = Setting(data / "builds", logs, means=means, boards=self.order.boards)
        steps = await check_bot(bot, setting, tell=lambda step: self.say({"step": asdict(step)}))
        return next((step for step in steps if step.state == "failed"), None)

    def say(self, line: Data) -> None:
        """Write one line."""
        _write(self.clean(line))

    def clean(self, value: Any) -> Any:  # Any: JSON
        """JSON without paths of this machine."""
        if isinstance(value, str):
            for path, instead in self.hidden:
                value = value.replace(path, instead)
            return value
        if isinstance(value, dict):
            return {key: self.clean(each) for key, each in value.items()}
        return [self.clean(each) for each in value] if isinstance(value, list | tuple) else value


def entered(bot: Bot, games: Sequence[str]) -> Bot:
    """A bot for the games that it is sent for, all of its own where none are named. Raises BotError NOT_ITS_GAME."""
    if not games or "*" in games:
        return bot
    wrong = [game for game in games if not bot.plays(game)]
    if wrong:
        raise BotError(
            f"it was sent for {', '.join(wrong)}, which bot.toml does not claim",
            where="bot.toml",
            saw=f"games = {list(bot.games)}",
            fix=f'add "{wrong[0]}" to games in bot.toml, or send it without that tick',
            code="NOT_ITS_GAME",
        )
    return bot.only(games)


def _write(line: Data) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def five(error: ArenaError) -> Data:
    """The five parts of an error."""
    parts = {"error": error.message, "where": error.where, "saw": error.saw, "fix": error.fix, "code": error.code}
    return parts if error.fix or error.code not in CODES else {**parts, "fix": CODES[error.code].mend}


def of_step(step: Step) -> Data:
    """The five parts of what a failed step found."""
    saw = step.came_back or (step.output[-1] if step.output else "")
    where = f"{step.name}: {step.where}" if step.where else f"step {step.number}, {step.name}"
    return {"error": f"{step.name}: {step.text}", "where": where, "saw": saw, "fix": step.fix, "code": step.code}


def first_of(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first error of a group of groups."""
    error = group.exceptions[0]
    return first_of(error) if isinstance(error, BaseExceptionGroup) else error


def _stop_with_parent() -> None:
    """Stop when the server that reads what is said here is gone."""
    with suppress(OSError, ValueError):
        sys.stdin.buffer.read()
    os.kill(os.getpid(), signal.SIGTERM)


async def _run(order: Order) -> Data:
    task = asyncio.current_task()
    assert task is not None, "runs as a task"
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    threading.Thread(target=_stop_with_parent, daemon=True).start()
    examination = Examination(order)
    try:
        return await examination.run()
    except ArenaError as error:
        return {"fault": examination.clean(five(error))}
    except BaseExceptionGroup as group:
        first = first_of(group)
        if not isinstance(first, ArenaError):
            raise
        return {"fault": examination.clean(five(first))}
    except OSError as error:
        fault = ArenaFault(f"the check could not go on: {error.strerror or error}", fix="it is tried again")
        return {"fault": examination.clean(five(fault))}


def main() -> int:
    """Read an order, examine, say how it ended."""
    try:
        end = asyncio.run(_run(Order(**json.loads(sys.stdin.buffer.readline()))))
    except asyncio.CancelledError:
        return 143
    _write(end)
    return 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # the thread that waits for the end of standard input would be waited for
