"""Boxes that are taken for dialogs on one of two pictures only.

A dialog is told by its looks, and looks change with the theme. With both pictures at hand what it says tells better:
where nearly every line of it stood on the recorded screen before any dialog, in the same arrangement, nothing has come
up. What fields hold changes and does not count. A dialog beside which the target stood was not in its way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rpa_vision.embedding.salience import FIELD_TYPES, front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.behind_dialogs import much_the_same
from rpa_vision.execution.strategies.landmark_fit import Match, fit_landmarks, letters_growth
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

_MIN_LINES = 4
_FEW_LINES, _ENOUGH_LETTERS = 2, 30
_MIN_LETTERS = 2
_NEARLY_ALL = 0.8
_IN_ORDER, _ALL_IN_ORDER = 0.6, 0.9
_BEHIND = "behind_dialog"

_Line = tuple[str, Box]


def without_old_dialogs(then: ObservedScreen, now: ObservedScreen, box: Box | None = None) -> ObservedScreen:
    """The screen without dialogs that are none: everything they say stood there when there was no dialog, or outside
    of it; or the dialog was there, and the target, in `box`, outside of it."""
    elements = now.state.ui_elements
    dialogs = [Box.of(one.bbox) for one in then.state.ui_elements if one.type == "dialog"]
    if front_of(elements) is None or (dialogs and box is None):
        return now
    before, after = _lines(then), _lines(now)
    own = [dialog for dialog in dialogs if box is not None and dialog.contains(box.center)]
    kept = [one for one in elements if one.type != "dialog" or not _is_old(before, after, Box.of(one.bbox), own)]
    if len(kept) == len(elements):
        return now
    if front_of(kept) is None:
        kept = [_in_front(one) for one in kept]
    return replace(now, state=now.state.model_copy(update={"ui_elements": tuple(kept)}))


def _is_old(before: list[_Line], after: list[_Line], box: Box, own: Sequence[Box]) -> bool:
    """Whether nearly all of what a box says stood there, in the same order, and most of it not in the dialogs the
    target lay in (`own`). Few lines tell as much where each of them stood there, and they say enough."""
    inside = [line for line in after if box.contains(line[1].center)]
    known = [line for line in inside if any(much_the_same(line[0], said) for said, _ in before)]
    outside = [line for line in before if not any(dialog.contains(line[1].center) for dialog in own)]
    beside = [line for line in known if any(much_the_same(line[0], said) for said, _ in outside)]
    if len(known) < _NEARLY_ALL * len(inside) or 2 * len(beside) < len(inside):
        return False
    often, often_now = (Counter(said for said, _ in lines) for lines in (before, after))
    places = {said: at for said, at in before if often[said] == 1}
    matches = [Match(places[said], at, True) for said, at in inside if said in places and often_now[said] == 1]
    says_enough = sum(len(said) for said, _ in inside if said in places) >= _ENOUGH_LETTERS
    is_short = len(known) == len(inside) < _MIN_LINES and says_enough
    least, agreement = (_FEW_LINES, _ALL_IN_ORDER) if is_short else (_MIN_LINES, _IN_ORDER)
    if len(matches) < least:
        return False
    fit = fit_landmarks(matches[0].then, matches, letters_growth(matches))
    return fit is not None and fit.agreeing >= least and fit.agreement >= agreement


def _lines(screen: ObservedScreen) -> list[_Line]:
    fields = [Box.of(one.bbox) for one in screen.state.ui_elements if one.type in FIELD_TYPES]
    lines = [(letters(one.text), Box.of(one.bbox)) for one in screen.state.perception.text_lines]
    return [
        (said, box)
        for said, box in lines
        if len(said) >= _MIN_LETTERS and not any(field.contains(box.center) for field in fields)
    ]


def _in_front(element: UIElement) -> UIElement:
    if _BEHIND not in element.metadata:
        return element
    return element.model_copy(update={"metadata": {k: v for k, v in element.metadata.items() if k != _BEHIND}})
