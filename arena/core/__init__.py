"""Floor 0: cards, moves, boards, chance, the game protocol and the error tree. Standard library only."""
