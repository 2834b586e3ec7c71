"""The box of a bot: its command, its folder, its seat's socket, and the runtime of its language."""

from __future__ import annotations

from pathlib import Path

from arena.bots.launcher import go_between
from arena.bots.manifest import HOUSE_PACKAGE, Bot, house_folder
from arena.bots.sandbox import runtimes
from arena.bots.sandbox.box import BOT_FOLDER, HOME, SEAT_FOLDER, SOCKET, Bind, Box
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import Means
from arena.core.errors import BotError

SDK_PACKAGE = "arena_bot"


def box_of(bot: Bot, seat: Path, token: str, means: Means, limits: Limits) -> Box:
    """The box in which a bot plays one seat, whose socket is `seat`/seat.sock.

    Raises BotError START_FAILED when its program is not there inside, or needs what these means do not have.
    """
    if bot.transport == "tcp" and not means.bwrap:
        raise BotError(
            f"{bot.name} asks for TCP, which tier {means.tier} does not have: there is no network to be kept apart in",
            where=str(bot.folder / "bot.toml"),
            saw='transport = "tcp"',
            fix="play it where user namespaces work (arena doctor), or let it connect to a unix socket",
            code="START_FAILED",
        )
    before = go_between(bot)
    bridge = (runtimes.python(), *before) if before else ()
    program, *rest = bot.command
    own = runtimes.python() if runtimes.is_python(program) else program
    binds = (Bind(str(bot.folder), BOT_FOLDER), Bind(str(seat), SEAT_FOLDER), *runtimes.program_binds(program))
    variables = {
        "ARENA_ADDRESS": f"unix:{SEAT_FOLDER}/{SOCKET}",
        "ARENA_TOKEN": token,
        "HOME": HOME,
        "TMPDIR": HOME,
        "LANG": "C.UTF-8",
        "GRPC_VERBOSITY": "ERROR",
        "OPENSSL_CONF": "/dev/null",
        **runtimes.memory_variables(limits),
    }
    if bridge or own != program:
        binds += python_binds()
        variables |= {"PYTHONPATH": runtimes.PACKAGES_FOLDER, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONNOUSERSITE": "1"}
    if not means.proc and program == "java":
        variables["LD_LIBRARY_PATH"] = runtimes.java_libraries()
    variables["PATH"] = runtimes.path_variable(binds[2:])
    if not runtimes.is_inside(own, bot.folder, variables["PATH"], binds[2:]):
        raise BotError(
            f"{bot.name}: there is no {own!r} in the sandbox",
            where=str(bot.folder / "bot.toml"),
            saw=f"command = {list(bot.command)}",
            fix=f"programs are found in the bot's folder and in /usr; let the variable {runtimes.EXTRA} of the arena's "
            "environment name the folder of a runtime that lies elsewhere",
            code="START_FAILED",
        )
    return Box((*bridge, own, *rest), variables, binds, BOT_FOLDER, limits)


def python_binds() -> tuple[Bind, ...]:
    """The arena's Python with its packages, the SDK and the house bots."""
    import arena_bot

    parts = [Path(arena_bot.__file__).parent]
    house = house_folder()
    if house is not None:
        parts.append(house)
    named = {SDK_PACKAGE, HOUSE_PACKAGE}
    own = tuple(Bind(str(part), f"{runtimes.PACKAGES_FOLDER}/{part.name}") for part in parts if part.name in named)
    return (*runtimes.python_binds(), *own)
