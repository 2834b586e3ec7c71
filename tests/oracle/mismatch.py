"""How the oracle says that a line is wrong."""


class Mismatch(AssertionError):
    """The oracle and a line disagree about one thing; the place is not known yet."""

    def __init__(self, what, oracle, line):
        super().__init__(f"{what}: the oracle says {oracle!r}, the line says {line!r}")
        self.what = what
        self.oracle = oracle
        self.line = line


class Disagreement(AssertionError):
    """The oracle and a line disagree: `game`, `line_number`, `move` (index into moves, None outside) and why."""

    def __init__(self, game, line_number, move, mismatch):
        place = f"{game}, line {line_number}" + ("" if move is None else f", move {move}")
        super().__init__(f"{place}: {mismatch}")
        self.game = game
        self.line_number = line_number
        self.move = move
        self.what = mismatch.what
        self.oracle = mismatch.oracle
        self.line = mismatch.line


def expect(what, oracle, line):
    """Nothing if both are equal, else a Mismatch. True and 1 are not equal here."""
    if oracle != line or (isinstance(oracle, bool) != isinstance(line, bool)):
        raise Mismatch(what, oracle, line)


def expect_true(what, fact, line):
    """A Mismatch about `what` unless the fact holds."""
    if not fact:
        raise Mismatch(what, "must hold", line)
