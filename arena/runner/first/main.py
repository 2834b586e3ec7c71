"""The trivial bot that `arena bench` measures the referee with: it plays the first legal move."""

from arena_bot import Bot, run

run(Bot)
