"""Checks of registered versions as organisers see them, and what can be done about a bot that failed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from arena.store.rechecks import Outcome, Recheck
from arena.store.values import BotState, State
from arena.web.site import Site
from arena.web.submitting.rechecking import rechecks_of

ORDER = (Outcome.FAILED, Outcome.BROKEN, Outcome.CHECKING, Outcome.WAITING, Outcome.PASSED)
WORDS = {
    Outcome.FAILED: "failed: its own fault",
    Outcome.BROKEN: "broken: our side",
    Outcome.CHECKING: "checking",
    Outcome.WAITING: "waiting",
    Outcome.PASSED: "passed",
}


class Check(NamedTuple):
    """One check."""

    check: Recheck
    ready: bool
    """Whether the version is ready, so that it can be retired."""
    plays: tuple[tuple[str, str], ...]
    """(event, name there) of events that are not finished in which it is not out."""

    @property
    def word(self) -> str:
        """How it stands, in words."""
        steps = len(self.check.report.get("steps", []))
        done = f", {steps} {'step' if steps == 1 else 'steps'} done" if self.check.state is Outcome.CHECKING else ""
        return WORDS[self.check.state] + done

    @property
    def saw(self) -> str:
        """What went wrong, in words."""
        return str((self.check.report.get("error") or {}).get("error", ""))

    @property
    def reason(self) -> str:
        """What may be said in public of a failed check."""
        error = self.check.report.get("error") or {}
        return f"its check failed: {error.get('code', '')}".rstrip(": ")


class Progress(NamedTuple):
    """How far the checks are that were asked for last."""

    done: int
    of: int
    failed: int


def checks_of(site: Site) -> list[Check]:
    """The last check of every version that is registered; those that failed first."""
    known = {(each.name, each.number): each for each in site.store.registered()}
    plays: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for event in site.store.tournaments():
        if event.state is State.FINISHED:
            continue
        out = {each.quarantine.bot for each in site.store.quarantines(event.id, active=True)}
        for each in event.entrants:
            if each.name not in out and each.until_round is None and each.source.startswith("registered:"):
                bot, _, number = each.source.removeprefix("registered:").partition("@")
                plays.setdefault((bot.casefold(), number), []).append((event.name, each.name))
    found = [
        Check(
            each,
            known[each.bot, each.number].state is BotState.READY,
            tuple(plays.get((each.bot.casefold(), str(each.number)), ())),
        )
        for each in rechecks_of(site).all()
        if (each.bot, each.number) in known
    ]
    return sorted(found, key=lambda each: ORDER.index(each.check.state))


def progress_of(checks: Sequence[Check]) -> Progress | None:
    """How far the checks are that were asked for together last; None: there are none."""
    last = max((each.check.asked for each in checks), default=None)
    mine = [each.check for each in checks if each.check.asked == last]
    failed = sum(each.state in (Outcome.FAILED, Outcome.BROKEN) for each in mine)
    return Progress(sum(each.is_over for each in mine), len(mine), failed) if mine else None
