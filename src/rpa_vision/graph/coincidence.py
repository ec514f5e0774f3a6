"""Could two things that have nothing to do with each other have had the same values, case by case?

Names, numbers of documents and amounts hardly ever agree by chance, so one case is enough. Small numbers and « oui » or
« non » do, and so does a choice of few: a quantity of 1, 2, 1 says nothing about a priority of 1, 2, 1. They may stand
in so many orders; where it is not unlikely enough to meet this one by chance, they are two values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import factorial, prod
from typing import Final

from rpa_vision.graph.rule_induction import MAX_CHANCE
from rpa_vision.models.wording import squeezed

_TELLING_LETTERS: Final = 4
_TELLING_SIGNS: Final = 3
"""With digits among them."""
_CHOICE_CASES: Final = 5


def may_be_chance(values: Sequence[str]) -> bool:
    """Whether something else could well have had these values, one for each case."""
    said = [squeezed(value) for value in values]
    if any(map(_tells, said)) and not _is_choice(said):
        return False
    orders = factorial(len(said)) // prod(map(factorial, Counter(said).values()))
    return 1 / orders > MAX_CHANCE


def _tells(value: str) -> bool:
    """Whether a value is long enough to be hardly anything else by chance."""
    signs = [char for char in value if char.isalnum()]
    return len(signs) >= (_TELLING_LETTERS if all(map(str.isalpha, signs)) else _TELLING_SIGNS)


def _is_choice(values: Sequence[str]) -> bool:
    """Whether they are a few that came again and again."""
    return len(values) >= _CHOICE_CASES and 2 * len(set(values)) <= len(values)
