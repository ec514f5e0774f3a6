"""With two whole screens at hand: which thing of the second a box of the first has become.

The ways of finding it are gone one after the other, the strictest first; all that any of them finds must be admitted
(`admission`), and what nobody finds is not there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.locating import numbered, other_question, words_there
from rpa_vision.execution.locating.admission import PALED, admit
from rpa_vision.execution.locating.by_pairing import by_pairing
from rpa_vision.execution.locating.by_sight import looked_over
from rpa_vision.execution.locating.by_surroundings import among_likes, by_caption, by_number, by_row
from rpa_vision.execution.locating.located import Located, located, refused
from rpa_vision.execution.locating.old_dialogs import without_old_dialogs
from rpa_vision.execution.locating.own_words import TICKED, with_own_words
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.ports.perception import ScreenPairer

LEVELS = (0, 1, 2)
_MUCH_LARGER, _MUCH_HIGHER = 8, 4
"""A box so many times as large and as high as the thing in it is not its box; a row is that of its words."""
_MUCH_WIDER = 4


def find_again(
    resolver: TargetResolver, then: ObservedScreen, box: Box, now: ObservedScreen, pairer: ScreenPairer | None = None
) -> Located:
    """The first answer that is admitted, or the first reason why there is none; what is disabled is not sought
    elsewhere."""
    now = without_old_dialogs(then, now, box)
    plain = Sought(then, box, now)
    own = Sought(with_own_words(then), box, with_own_words(now))
    reasons = list[Located]()
    for found, sought in _answers(resolver, plain, own):
        why = admit(sought, found)
        if why is not None:
            found = refused(found, why, is_disabled=why == PALED)
        if found.point is not None or found.is_disabled:
            return found
        reasons.append(found)
    tied = plain.target.label and any(one.status == "ambiguous" for one in reasons)
    if pairer is not None and not tied:  # a tie of two of one name is told, not settled by whoever knows no words
        taken = (one for one in by_pairing(pairer, plain) if admit(own, one) is None)
        return next(taken, reasons[0])
    return reasons[0]


def _answers(resolver: TargetResolver, plain: Sought, own: Sought) -> Iterator[tuple[Located, Sought]]:
    """Where it may be, one way after the other; each is asked only if none before it was taken."""
    if numbered.is_page(plain.then, plain.box):
        yield from ((one, plain) for one in by_number(plain))
    yield from ((one, own) for one in _by_words(resolver, own))
    if plain.target.type in TICKED and not plain.target.label:  # its name was read on one of the two only
        yield from ((one, plain) for one in _by_words(resolver, plain))
    yield from ((one, own) for one in by_caption(own))


def _by_words(resolver: TargetResolver, sought: Sought) -> Iterator[Located]:
    """By its words, looked over with both pictures at hand; where they do not tell, by what stands around it. What was
    found and refused by its looks is not sought elsewhere, but for a field: another kit draws it otherwise."""
    target = sought.target
    assert target.place is not None
    answer = _resolved(resolver, sought)
    if isinstance(answer, Unresolved) and answer.why == "disabled" and _looked_disabled(sought.then, target.place.bbox):
        answer = Resolved(answer.candidates[0], (*answer.candidates[1:2], None)[0], answer.profile)
    found = _on_its_words(located(answer, Box.of(target.place.bbox), sought.box), sought)
    if isinstance(answer, Unresolved) and answer.why == "disabled":
        yield found
        return
    if found.point is None and target.label:
        yield from _asked_again(sought, target.label)
    seen = looked_over(found, sought)
    yield seen
    drawn_otherwise = target.type in FIELD_TYPES and seen.why != words_there.GOES_ON
    if seen.point is not None and not target.label:
        yield from by_row(sought)  # it was one of its likes: its row may have moved
    elif seen.point is None and (found.point is None or drawn_otherwise):
        unopposed = [one.element for one in answer.candidates] if isinstance(answer, Unresolved) else []
        yield from among_likes(sought, sought.place(found.point), unopposed)


def _asked_again(sought: Sought, label: str) -> Iterator[Located]:
    """The button that stands to its question as it stood."""
    place = other_question.asked_again(sought.then, sought.box, sought.now, label)
    if place is not None:
        why = "answers the question it answered, and stands to it as it stood"
        yield Located("resolved", place, place.center, 1.0, other_question.NAME, None, why)


def _on_its_words(found: Located, sought: Sought) -> Located:
    """What was found in something much wider that holds its words, a line of a list say: where the words are."""
    target = sought.target
    if found.box is None or not target.label or target.type in (*FIELD_TYPES, *TICKED, "list_item"):
        return found
    said = [
        at
        for line in sought.now.state.perception.text_lines
        if letters(line.text) == letters(target.label) and found.box.contains((at := Box.of(line.bbox)).center)
    ]
    if len(said) != 1 or found.box.width <= _MUCH_WIDER * said[0].width:
        return found
    return replace(found, box=said[0], point=said[0].center)


def _resolved(resolver: TargetResolver, sought: Sought) -> Resolved | Unresolved:
    """What the strategies say, from one level of healing to the next."""
    target, box = sought.target, sought.box
    assert target.place is not None
    x1, y1, x2, y2 = target.place.bbox
    if box.area > _MUCH_LARGER * (y2 - y1) * (x2 - x1) and box.height > _MUCH_HIGHER * (y2 - y1):
        why = "nothing fills the box: give the box of one thing"
        return Unresolved("not_found", why, (), HealingProfile.at_level(LEVELS[0]))
    look = np.ascontiguousarray(sought.then.pixels[max(0, y1) : y2, max(0, x1) : x2])
    for level in LEVELS:
        answer = resolver.resolve(target, sought.now, {}, HealingProfile.at_level(level), look)
        if isinstance(answer, Resolved) or answer.why == "ambiguous":
            break
    return answer


def _looked_disabled(screen: ObservedScreen, bbox: BBox) -> bool:
    """Whether what was pointed at looked disabled then already: then it is only pale."""
    return any(
        element.bbox == bbox and element.state is not None and element.state.enabled is False
        for element in screen.state.ui_elements
    )
