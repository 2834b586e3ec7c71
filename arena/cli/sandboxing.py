"""The flag --sandbox, and how a command keeps its bots apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from arena.cli.flags import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from arena.bots.manifest import Bot
    from arena.bots.sandbox.means import Means
    from arena.cli.output import Output

Sandbox = Annotated[
    str,
    typer.Option("--sandbox", metavar="WHICH", help="auto: the best this machine has; none: for bots that you trust."),
]


def means_of(output: Output, sandbox: str, bots: Iterable[Bot]) -> Means:
    """How these bots are kept apart here. Raises UsageError, and ConfigError NO_SANDBOX where nothing can do it."""
    from arena.cli import stoppable
    from arena.runner.means import means_for

    if sandbox not in ("auto", "none"):
        raise UsageError(f"--sandbox cannot be {sandbox!r}", saw=f"--sandbox {sandbox}", fix="accepted: auto, none")
    named = list(bots)
    means = stoppable.run(means_for("none" if sandbox == "none" else "auto", named))
    strangers = any(not bot.house for bot in named)
    if not means.boxed and strangers:
        output.note("unsandboxed (tier D): the bots run with your rights")
    names = ", ".join(dict.fromkeys(bot.name for bot in named))
    output.decision(f"sandbox: tier {means.tier} for {names or 'all bots'}")
    return means
