"""Comparing the games that were played with the same cards: where they parted, what others chose, why one was lost.

Pure functions of transcripts. Whoever calls sees to it that the cards of the board may be shown.
"""

from arena.record.compare.choices import ChoiceCount, Digest, choices_at
from arena.record.compare.facts import DealFacts, Diagram, diagram, facts_of
from arena.record.compare.marks import Mark, MarkKind, marks
from arena.record.compare.parting import MajorityParting, Parting, first_difference, majority_parting
from arena.record.compare.tables import Told, Worth, differences, margin, score, worth
from arena.record.compare.units import Unit, units
from arena.record.compare.why import Swing, Why, WhyKind, losing_sides, why, why_data

__all__ = [
    "ChoiceCount",
    "DealFacts",
    "Diagram",
    "Digest",
    "MajorityParting",
    "Mark",
    "MarkKind",
    "Parting",
    "Swing",
    "Told",
    "Unit",
    "Why",
    "WhyKind",
    "Worth",
    "choices_at",
    "diagram",
    "differences",
    "facts_of",
    "first_difference",
    "losing_sides",
    "majority_parting",
    "margin",
    "marks",
    "score",
    "units",
    "why",
    "why_data",
    "worth",
]
