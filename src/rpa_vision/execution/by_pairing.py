"""Where nobody else found it: what a net says that was taught which thing of a screen is which of another.

It knows how pages are laid out anew, and nothing of what a deed means. So it is asked both ways, the words must be
those that were there or mean the same, and what it says passes the same gate as all else.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.execution.located import Located
from rpa_vision.execution.pairing.told import Told, tell
from rpa_vision.execution.sought import Sought
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.ports.perception import ScreenPairer

NAME = "pairing"
SURE, SURE_BY_WORDS = 0.9, 0.7
"""How sure it must be, both ways: of a thing without words, and of one that says what it said."""
SHORT = 3
"""What says no more than so many letters is said in many places: « OK », « 21 »."""


def by_pairing(pairer: ScreenPairer, sought: Sought) -> Iterator[Located]:
    """The likeliest place, if it is likely enough."""
    told = tell(pairer, sought.then, sought.box, sought.now)
    if told is None:
        return
    least = _least(told, is_field=sought.target.type in FIELD_TYPES)
    if least is None or min(told.share, told.back) < least:
        return
    score = round(min(told.share, told.back), 4)
    why = "of all that both screens show this is it, whichever of the two is looked at first"
    yield Located("resolved", told.box, told.box.center, score, NAME, None, why)


def _least(told: Told, *, is_field: bool) -> float | None:
    """How sure it must be; None where it says something else, or too little. What a field holds says nothing."""
    if is_field or not told.was or not told.says:
        return SURE
    if letters(told.was) == letters(told.says):
        return SURE_BY_WORDS if len(letters(told.was)) > SHORT else None
    return SURE if same_meaning(told.was, told.says) else None
