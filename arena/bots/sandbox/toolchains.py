"""Compilers and package clients of the machine: where they are, what of the machine they need, how they are told apart.

Those below /usr are there in every box, on PATH or not; those elsewhere (rustup's in a home, Go's own folder) are bound
read-only at their own paths. Knows tools, not bots.
"""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from arena.bots.sandbox import runtimes
from arena.bots.sandbox.box import Bind

LIMIT_S = 20
"""Within which a tool says where it lies."""


class Toolchain(NamedTuple):
    """What a box needs for the tools of one language."""

    binds: tuple[Bind, ...] = ()
    path: tuple[str, ...] = ()
    """Folders for PATH."""
    variables: tuple[tuple[str, str], ...] = ()
    libraries: tuple[str, ...] = ()
    """Folders for LD_LIBRARY_PATH where programs cannot ask /proc where they lie themselves."""


PROGRAMS = {
    **dict.fromkeys(("cargo", "rustc"), "rust"),
    **dict.fromkeys(("go", "gofmt"), "go"),
    **dict.fromkeys(("node", "npm", "npx"), "node"),
    **dict.fromkeys(("java", "javac", "jar", "mvn"), "java"),
    **dict.fromkeys(runtimes.PYTHON_WORDS, "python"),
}
"""First word of a build step -> the toolchain that it is part of."""


@functools.cache
def toolchain(name: str) -> Toolchain:
    """The toolchain of a language as this machine has it; an empty one where there is nothing to be added."""
    return {"rust": _rust, "go": _go, "node": _node, "java": _java, "python": _python}[name]()


def _rust() -> Toolchain:
    """The compiler itself: what stands on PATH may be rustup's proxy, which would want its settings and the network."""
    root = _asked("rustc", "--print", "sysroot")
    if not root or not os.path.exists(f"{root}/bin/cargo"):
        return _beside("cargo")
    return _at(root)._replace(libraries=(f"{root}/lib",))


def _go() -> Toolchain:
    root = _asked("go", "env", "GOROOT")
    found = _at(root) if root else Toolchain()
    return found._replace(variables=(("GOROOT", root),) if root else ())


def _node() -> Toolchain:
    return _beside("node")


def _java() -> Toolchain:
    found = [_beside(program) for program in ("javac", "mvn")]
    settings = tuple(Bind(path, path) for path in ("/etc/maven", "/etc/ssl/certs") if os.path.isdir(path))
    home = shutil.which("javac")
    return Toolchain(
        (*found[0].binds, *found[1].binds, *runtimes.java_settings(), *settings),
        (*found[0].path, *found[1].path),
        (("JAVA_HOME", str(Path(os.path.realpath(home)).parents[1])),) if home else (),
        tuple(filter(None, runtimes.java_libraries().split(":"))),
    )


def _python() -> Toolchain:
    return Toolchain(runtimes.python_binds())


def _beside(program: str) -> Toolchain:
    """The toolchain whose `bin` a program on PATH lies in."""
    found = shutil.which(program)
    return _at(str(Path(os.path.realpath(found)).parents[1])) if found else Toolchain()


def _at(root: str) -> Toolchain:
    binds = () if runtimes.below_usr(root) else (Bind(root, root),)
    return Toolchain(binds, (f"{root}/bin",))


def _asked(*command: str) -> str:
    """What a tool says about itself, away from any project's settings; empty where it is not here."""
    try:
        said = subprocess.run(command, cwd="/", capture_output=True, text=True, timeout=LIMIT_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return said.stdout.strip()
