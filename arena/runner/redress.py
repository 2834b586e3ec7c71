"""What organisers take back of what an event came to: a quarantine, the block of a game, all that a worker played.

Never while the event runs. Every order is written into the log of organisers. Knows nothing of pages and commands.
"""

from __future__ import annotations

from arena.core.errors import ConfigError
from arena.runner.cluster import inspection
from arena.runner.cluster.inspection import Voided
from arena.runner.eligibility import Desk
from arena.store.lock import coordinator_lock
from arena.store.store import Store
from arena.store.values import Quarantined, Tournament

LIFT, VOID = "lift", "void"


def lift(desk: Desk, event: Tournament, bot: str, reason: str) -> Quarantined:
    """Let a bot back in that its faults took out. What was lifted.

    Raises Busy while the event runs, ConfigError NOT_QUARANTINED when its faults took nobody of that name out.
    """
    with coordinator_lock(desk.data, event.name, desk.place):
        lifted = desk.store.lift(event.id, bot, reason, disabled=False)
    if lifted is None:
        raise _not_out(desk.store, event, bot)
    desk.note(LIFT, f"{event.name}: {bot}", reason)
    return lifted


def void_game(desk: Desk, event: Tournament, game: str, reason: str) -> Voided:
    """Declare the block of a game void. Raises Busy while the event runs, and as `inspection.void_block`."""
    with coordinator_lock(desk.data, event.name, desk.place):
        voided = inspection.void_block(desk.store, event, game, reason)
    desk.note(VOID, game, reason, **voided._asdict())
    return voided


def void_worker(desk: Desk, event: Tournament, worker: str, reason: str) -> Voided:
    """Declare all blocks void of which a worker played a game. Raises Busy while the event runs, and as
    `inspection.void_worker`."""
    with coordinator_lock(desk.data, event.name, desk.place):
        voided = inspection.void_worker(desk.store, event, worker, reason)
    desk.note(VOID, f"{event.name}: {worker}", reason, **voided._asdict())
    return voided


def _not_out(store: Store, event: Tournament, bot: str) -> ConfigError:
    """There is nothing to lift: the bot is not out, or an organiser disabled it."""
    active = store.quarantines(event.id, active=True)
    if any(each.disabled and each.quarantine.bot == bot for each in active):
        return ConfigError(
            f"an organiser disabled {bot!r} in {event.name!r}; no fault took it out",
            where=event.name,
            saw=repr(bot),
            fix=f"arena tournament enable {event.name} {bot} --reason TEXT",
            code="NOT_QUARANTINED",
        )
    out = [each.quarantine.bot for each in active if not each.disabled]
    return ConfigError(
        f"bot {bot!r} is not taken out of {event.name!r}",
        where=event.name,
        saw=repr(bot),
        fix=f"taken out: {', '.join(out)}" if out else "nobody is taken out",
        code="NOT_QUARANTINED",
    )
