import re
from pathlib import Path

from arena.games import crow, goat, rook

PAGE = (Path(__file__).parents[2] / "docs" / "ratings.md").read_text()


def test_the_page_states_the_worst_score_of_every_ruleset():
    stated = {name: int(score) for name, score in re.findall(r"^\| `(\w+)` \| (-\d+) \|$", PAGE, re.MULTILINE)}
    variants = [*rook.VARIANTS, *goat.VARIANTS, *crow.VARIANTS]
    assert stated == {variant.id: variant.make({}).worst_score for variant in variants}
