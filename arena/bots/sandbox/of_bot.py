"""The box of a bot: its command, its folder, its seat's socket, and the runtime of its language."""

from __future__ import annotations

from pathlib import Path

from arena.bots.manifest import HOUSE_PACKAGE, Bot, house_folder
from arena.bots.sandbox import runtimes
from arena.bots.sandbox.box import BOT_FOLDER, HOME, SEAT_FOLDER, SOCKET, Bind, Box
from arena.bots.sandbox.limits import Limits
from arena.bots.sandbox.means import Means

SDK_PACKAGE = "arena_bot"
BRIDGE = ("-P", "-m", "arena_bot.bridge")


def box_of(bot: Bot, seat: Path, token: str, means: Means, limits: Limits) -> Box:
    """The box in which a bot plays one seat, whose socket is `seat`/seat.sock."""
    bridge = (runtimes.python(), *BRIDGE) if bot.protocol == "jsonl" else ()
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
