"""A box: one program with all that it may see. A plain value that travels to the launcher as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from arena.bots.sandbox.limits import Limits

BOT_FOLDER = "/bot"
ARENA_FOLDER = "/arena"
SEAT_FOLDER = "/run/arena"
SOCKET = "seat.sock"
HOME = "/tmp"


class Bind(NamedTuple):
    """A file or folder of the machine and where it is inside."""

    source: str
    target: str
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """What is run, where, with which variables, files and limits."""

    command: tuple[str, ...]
    """Paths are those inside the box."""
    variables: Mapping[str, str]
    """The whole environment."""
    binds: tuple[Bind, ...]
    """Beside /usr and what every box has."""
    folder: str = BOT_FOLDER
    """Working folder, inside."""
    limits: Limits = field(default_factory=Limits)
    network: bool = False
    """Whether it shares the machine's network: only for the arena's own fetching of packages before a build."""

    def to_data(self) -> dict[str, Any]:  # Any: JSON
        """For the launcher."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Box:
        """In the launcher."""
        return cls(
            command=tuple(data["command"]),
            variables=data["variables"],
            binds=tuple(Bind(*bind) for bind in data["binds"]),
            folder=data["folder"],
            limits=Limits(**data["limits"]),
            network=data["network"],
        )
