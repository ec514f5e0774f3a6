"""Where nobody else found it: what a net says that was taught which thing of a screen is which of another.

It knows how pages are laid out anew, and nothing of what a deed means. So it is asked both ways, the words must be
those that were there or mean the same, and what it says passes the same gate as all else.
"""

from __future__ import annotations

from collections.abc import Iterator

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.pairing.told import Told, tell
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.execution.locating.words_there import lines_on
from rpa_vision.execution.proposed_elements import follows
from rpa_vision.execution.strategies.lexicon import same_meaning
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ScreenPairer

NAME = "pairing"
SURE, MARGIN = 0.9, 0.5
"""How sure it must be, both ways, and how much surer than of anything else."""
SHORT = 3
"""What says no more than so many letters is said in many places: « OK », « 21 »."""


def by_pairing(pairer: ScreenPairer, sought: Sought) -> Iterator[Located]:
    """The likeliest place, if it is likely enough."""
    told = tell(pairer, sought.then, sought.box, sought.now)
    if told is None or min(told.share, told.back) < SURE or told.share - told.next_share < MARGIN:
        return
    if not _may_be_it(told, sought):
        return
    score = round(min(told.share, told.back), 4)
    why = "of all that both screens show this is it, whichever of the two is looked at first"
    yield Located("resolved", told.box, told.box.center, score, NAME, None, why)


def _may_be_it(told: Told, sought: Sought) -> bool:
    """Whether it says what was said there, or the same in other words. A field is a field, whatever it holds."""
    if sought.target.type in FIELD_TYPES:
        return told.kind in FIELD_TYPES
    was, says = (" ".join(lines_on(*at)) for at in ((sought.then, sought.box), (sought.now, told.box)))
    if _goes_on(told.box, sought):
        return False
    if letters(was) == letters(says):
        return not was or len(letters(was)) > SHORT
    return same_meaning(was, says)


def _goes_on(place: Box, sought: Sought) -> bool:
    """Whether a line that nobody said then goes on with the words of a place: « Valider / tout »."""
    known = {letters(line.text) for line in sought.then.state.perception.text_lines}
    lines = [(letters(line.text), Box.of(line.bbox)) for line in sought.now.state.perception.text_lines]
    own = [at for _, at in lines if place.contains(at.center)]
    return any(said and said not in known and any(follows(line, at) for line in own) for said, at in lines)
