"""What programs of a language need inside a box: interpreters, packages, and being told the memory limit.

/usr is there for all. An interpreter that lies elsewhere is bound, read-only, at its own path: Python's own, those of
KNOWN that stand on PATH, and the folders of ARENA_RUNTIMES.
"""

from __future__ import annotations

import functools
import glob
import importlib.metadata
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from arena.bots.sandbox.box import ARENA_FOLDER, BOT_FOLDER, HOME, Bind
from arena.bots.sandbox.limits import Limits

PYTHON_WORDS = ("python3", "python")
PYTHON_PACKAGES = ("grpcio", "protobuf", "numpy")
"""What a Python bot may import beside the standard library and the SDK; with all that they require."""
PACKAGES_FOLDER = f"{ARENA_FOLDER}/python"
KNOWN = ("node", "java", "perl", "lua5.4", "lua", "ruby", "php", "mono", "dotnet", "Rscript", "ghc", "ocaml", "guile")
PATH = "/usr/local/bin:/usr/bin:/bin"
EXTRA = "ARENA_RUNTIMES"
"""Variable of the arena's environment: folders that every box sees, separated by colons."""
KEPT = 0.75
"""Part of the memory limit that a runtime is told to keep its heap under."""


def python() -> str:
    """The interpreter that bots get: the one that the arena's own environment was made from."""
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def is_python(program: str) -> bool:
    """Whether a command's first word stands for the arena's Python."""
    return program in PYTHON_WORDS


@functools.cache
def python_binds() -> tuple[Bind, ...]:
    """The interpreter, if it is not in /usr, and the packages of the prepared environment. Raises BotError never."""
    binds = [] if below_usr(sys.base_prefix) else [Bind(sys.base_prefix, sys.base_prefix)]
    for path, inside in sorted(_package_parts().items()):
        binds.append(Bind(path, f"{PACKAGES_FOLDER}/{inside}"))
    return tuple(binds)


def below_usr(path: str) -> bool:
    """Whether boxes see a path anyway."""
    real = os.path.realpath(path)
    return real == "/usr" or real.startswith("/usr/")


def _package_parts() -> dict[str, str]:
    """Path -> place among the packages, for every file or folder that the packages consist of at the top."""
    parts: dict[str, str] = {}
    for distribution in _closure(PYTHON_PACKAGES):
        for file in distribution.files or ():
            first = file.parts[0]
            if (first.startswith((".", "_")) and first.endswith("__")) or first in ("..", "bin"):
                continue
            path = Path(str(distribution.locate_file(first)))
            if len(file.parts) > 2 and path.is_dir() and _is_namespace(path):
                first, path = f"{first}/{file.parts[1]}", path / file.parts[1]
            parts[str(path)] = first
    return parts


def _is_namespace(folder: Path) -> bool:
    """A folder that several distributions share, such as `google`."""
    return "." not in folder.name and not (folder / "__init__.py").exists()


def _closure(names: tuple[str, ...]) -> Iterator[importlib.metadata.Distribution]:
    waiting, seen = list(names), set()
    while waiting:
        name = waiting.pop()
        key = re.sub(r"[-_.]+", "-", name).lower()
        if key in seen:
            continue
        seen.add(key)
        try:
            distribution = importlib.metadata.distribution(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        yield distribution
        for requirement in distribution.requires or ():
            if "extra ==" not in requirement:
                match = re.match(r"[A-Za-z0-9._-]+", requirement)
                waiting += [match.group()] if match else []


def program_binds(program: str) -> tuple[Bind, ...]:
    """What a program outside /usr needs to run."""
    binds = [*extra_binds()]
    if program in KNOWN and (found := shutil.which(program)) is not None and not below_usr(found):
        prefix = str(Path(os.path.realpath(found)).parents[1])
        binds.append(Bind(prefix, prefix))
    if program == "java":
        binds += java_settings()
    return tuple(binds)


def extra_binds() -> tuple[Bind, ...]:
    """The folders of ARENA_RUNTIMES that are there."""
    return tuple(Bind(folder, folder) for folder in os.environ.get(EXTRA, "").split(":") if os.path.isdir(folder))


def java_settings() -> tuple[Bind, ...]:
    """Files of a Java runtime that distributions keep in /etc."""
    return tuple(Bind(path, path) for path in sorted(glob.glob("/etc/java-*")))


def path_variable(binds: tuple[Bind, ...]) -> str:
    """PATH inside: the usual folders, and `bin` of every runtime that is bound."""
    extra = [f"{bind.target}/bin" for bind in binds if os.path.isdir(f"{bind.source}/bin")]
    return ":".join([PATH, *extra])


def is_inside(program: str, folder: Path, path: str, binds: tuple[Bind, ...]) -> bool:
    """Whether a box whose working folder is `folder` and whose PATH is `path` has a program.

    A link counts as the file that it leads to: one that leads out of what is bound leads nowhere inside.
    """
    if "/" in program and not program.startswith("/"):
        place = Path(BOT_FOLDER, program)
        return not place.is_relative_to(BOT_FOLDER) or os.path.lexists(folder / program)
    names = [program] if program.startswith("/") else [f"{each}/{program}" for each in path.split(":")]
    seen = [os.path.realpath(bind.source) for bind in binds]
    for name in names:
        real = os.path.realpath(name)
        if os.path.isfile(real) and (below_usr(real) or any(real.startswith(f"{each}/") for each in seen)):
            return True
    return program.startswith(f"{BOT_FOLDER}/")


def memory_variables(limits: Limits) -> dict[str, str]:
    """Runtimes that ask the kernel how much memory there is do not see the limit: tell them."""
    heap = int(limits.memory_mb * KEPT)
    return {
        "GOMEMLIMIT": f"{heap}MiB",
        "NODE_OPTIONS": f"--max-old-space-size={heap}",
        "JAVA_TOOL_OPTIONS": f"-Xmx{heap}m -XX:-UsePerfData -Djava.io.tmpdir={HOME}",
    }


def java_libraries() -> str:
    """LD_LIBRARY_PATH for a Java launcher that cannot read /proc/self/exe."""
    found = shutil.which("java")
    if found is None:
        return ""
    home = Path(os.path.realpath(found)).parents[1]
    return f"{home}/lib:{home}/lib/server"
