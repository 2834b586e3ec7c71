"""Games with a person in a seat: the player port for a person, one such game, and the room where they are played.

The same referee and the same views as everywhere; nothing of it is rated.
"""

from arena.runner.sittings.person import HumanPlayer, Refused, Taken
from arena.runner.sittings.room import Room, Seating
from arena.runner.sittings.sitting import Ending, Plan, Step

__all__ = ["Ending", "HumanPlayer", "Plan", "Refused", "Room", "Seating", "Step", "Taken"]
