"""Cards and tables as pictures and as text, made from views alone. Nothing here reads a state, a store or a request.

    scene = scene_of(game, {seat: game.view_data(game.view(state, seat))}, bottom=seat, names=names, to_move=turn)
    page = cards.sprite(scene.family) + markup(scene)

Whoever asks for a scene decides which views go into it: what no view shows cannot come out.
"""

from arena.web.table import cards
from arena.web.table.crow import count_line
from arena.web.table.families import choices_of, scene_of, why_not
from arena.web.table.markup import markup
from arena.web.table.picture import picture
from arena.web.table.putting import with_move
from arena.web.table.scene import Choices, Scene
from arena.web.table.sentence import sentence
from arena.web.table.text import as_text

__all__ = [
    "Choices",
    "Scene",
    "as_text",
    "cards",
    "choices_of",
    "count_line",
    "markup",
    "picture",
    "scene_of",
    "sentence",
    "why_not",
    "with_move",
]
