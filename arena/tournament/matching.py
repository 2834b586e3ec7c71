"""Matchings in a graph that need not be bipartite: who can be paired so that nobody is left over.

Knows numbers 0..n-1 and who may be paired with whom; not why. Edmonds' algorithm: an augmenting path is searched
breadth-first, and an odd cycle that is met on the way (a blossom) is shrunk to one point. O(n^3) for a whole matching.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

FREE = -1
"""The mate of who has none."""
Edges = Sequence[Sequence[int]]
"""By number, whom it may be paired with; both ways."""


def perfect(edges: Edges) -> list[int] | None:
    """Everybody's mate, early numbers with those that come first in their list where possible; None: there is none."""
    mates = [FREE] * len(edges)
    for one, others in enumerate(edges):
        if mates[one] == FREE:
            found = next((other for other in others if mates[other] == FREE), None)
            if found is not None:
                mates[one], mates[found] = found, one
    everybody = [True] * len(edges)
    for one in range(len(edges)):
        if mates[one] == FREE and not augment(mates, edges, one, everybody):
            return None
    return mates


def augment(mates: list[int], edges: Edges, root: int, alive: Sequence[bool]) -> bool:
    """Find a mate for the free `root` by giving others new ones, among those alive; false: it cannot be, nothing is
    changed."""
    return _Search(mates, edges, alive).run(root)


class _Search:
    """One search for an augmenting path."""

    def __init__(self, mates: list[int], edges: Edges, alive: Sequence[bool]) -> None:
        size = len(mates)
        self._mates = mates
        self._edges = edges
        self._alive = alive
        self._base = list(range(size))
        """The number that stands for the blossom that one is in."""
        self._parent = [FREE] * size
        """From whom one was reached by an edge outside the matching."""
        self._reached = [False] * size
        """Whether one is on an even step of the path."""
        self._waiting: deque[int] = deque()

    def run(self, root: int) -> bool:
        mates, base, parent = self._mates, self._base, self._parent
        self._reach(root)
        while self._waiting:
            one = self._waiting.popleft()
            for other in self._edges[one]:
                if not self._alive[other] or base[one] == base[other] or mates[one] == other:
                    continue
                if other == root or (mates[other] != FREE and parent[mates[other]] != FREE):
                    self._shrink(one, other)
                elif parent[other] == FREE:
                    parent[other] = one
                    if mates[other] == FREE:
                        self._flip(other)
                        return True
                    self._reach(mates[other])
        return False

    def _reach(self, one: int) -> None:
        self._reached[one] = True
        self._waiting.append(one)

    def _shrink(self, one: int, other: int) -> None:
        """Make one point of the odd cycle that the edge closes."""
        point = self._meeting(one, other)
        inside: set[int] = set()
        self._mark(one, point, other, inside)
        self._mark(other, point, one, inside)
        for each, base in enumerate(self._base):
            if base in inside:
                self._base[each] = point
                if not self._reached[each]:
                    self._reach(each)

    def _meeting(self, one: int, other: int) -> int:
        """Where the ways back to the root meet."""
        passed = set()
        while True:
            one = self._base[one]
            passed.add(one)
            if self._mates[one] == FREE:
                break
            one = self._parent[self._mates[one]]
        while (other := self._base[other]) not in passed:
            other = self._parent[self._mates[other]]
        return other

    def _mark(self, one: int, point: int, child: int, inside: set[int]) -> None:
        while self._base[one] != point:
            mate = self._mates[one]
            inside.update((self._base[one], self._base[mate]))
            self._parent[one] = child
            child, one = mate, self._parent[mate]

    def _flip(self, last: int) -> None:
        """Exchange the edges inside and outside the matching along the path that ends here."""
        while last != FREE:
            before = self._parent[last]
            following = self._mates[before]
            self._mates[last], self._mates[before] = before, last
            last = following
