"""The texts a target was chosen by, read again by a second reader before anything is sent; and what is read to be used.

What decides is the label of the target and, in a list, what its row must say. Where the second reader sees a definite
other text there, the step is refused: a wrong click is worse than none. Where both agree, the step is surer than the
search alone could be: each of the first two texts that both read as asked for takes away a third of what is missing,

    confidence = 1 - (1 - score) · (2/3) ** min(texts agreed on, 2)

A second reader that breaks has read nothing: that text is neither agreed on nor refused. Of a target that is called
otherwise by now the two readings are compared with each other: one that only says its old name confirms nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rpa_vision.detection.second_reader import agreement
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import misread_as
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill
from rpa_vision.models.wording import squeezed
from rpa_vision.ports.perception import ReadText, TextCheck, TextConfirmer

_log = logging.getLogger(__name__)
LEFT_BY_AGREEMENT = 2 / 3
COUNTED = 2
MOST = 4
"""Texts read again in one step: a label and three texts of its row."""
_AROUND_PX = 40
_NEAR_PX = 4


@dataclass(frozen=True, slots=True)
class Reread:
    """What the second reader said of the texts that decided."""

    checks: tuple[TextCheck, ...] = ()

    @property
    def objection(self) -> str | None:
        """Why nothing should be done, if so."""
        for check in self.checks:
            if check.verdict == "differ":
                first, second, wanted = check.first.text, check.second.text, check.wanted
                if misread_as(first, wanted):
                    return f"« {wanted} » was read once as « {first} » and once as « {second} »"
                return f"what was taken for « {wanted} » was read once as « {first} » and once as « {second} »"
        return None

    def confidence(self, score: float) -> float:
        """A score with what agreement adds to it."""
        agreed = sum(check.verdict == "agree" and _is_wanted(check) for check in self.checks)
        return round(1 - (1 - min(1.0, score)) * LEFT_BY_AGREEMENT ** min(agreed, COUNTED), 4)


def reread(
    confirmer: TextConfirmer, target: TargetSpec, element: UIElement, screen: ObservedScreen, values: Mapping[str, str]
) -> Reread:
    """Have the texts that made an element the target read again."""
    lines = screen.state.perception.text_lines
    checks: list[TextCheck | None] = []
    for wanted, holder in _decisive(target, element, screen, values)[:MOST]:
        line = _line_of(holder, lines)
        if line is not None:
            first = ReadText(line.text, line.confidence)
            # Of a line that says more than the label, only the reading itself can be confirmed.
            meant = wanted if squeezed(line.text) == squeezed(holder.label) else ""
            check = read_again(confirmer, screen.pixels, Box.of(line.bbox), first, wanted=meant or line.text)
            checks.append(_of_what_was_read(check) if check is not None else None)
    return Reread(tuple(check for check in checks if check is not None))


def reread_value(confirmer: TextConfirmer, text: str, place: Box, screen: ObservedScreen) -> Reread:
    """Have a value that was read in a place read again, line by line."""
    said = squeezed(text)
    checks: list[TextCheck | None] = []
    for line in screen.state.perception.text_lines:
        box, own = Box.of(line.bbox), squeezed(line.text)
        if own and place.padded(_NEAR_PX).contains(box.center) and (own in said or said in own):
            first = ReadText(line.text, line.confidence)
            checks.append(read_again(confirmer, screen.pixels, box, first, wanted=line.text))
    return Reread(tuple(check for check in checks[:MOST] if check is not None))


def read_again(
    confirmer: TextConfirmer, picture: Pixels, box: Box, first: ReadText, *, wanted: str = ""
) -> TextCheck | None:
    """What a second reader makes of a place, or None where it broke: healing that fails never stops a run."""
    try:
        return confirmer.confirm(picture, box, first, wanted=wanted)
    except Exception as error:  # which may quote what it read, a secret too
        _log.warning("the second reader broke (%s); nothing is confirmed", type(error).__name__)
        return None


def _of_what_was_read(check: TextCheck) -> TextCheck:
    """No agreement where the second reader says only what was wanted: of what the first one read, that tells nothing,
    unless the first reading is that text badly read."""
    first, second, wanted = check.first.text, check.second.text, check.wanted
    only_wanted = agreement(first, second) == "different" and agreement(wanted, second) != "different"
    if check.verdict != "agree" or not only_wanted or misread_as(first, wanted):
        return check
    return replace(check, verdict="cannot_tell", confidence=check.first.confidence)


def _is_wanted(check: TextCheck) -> bool:
    """Whether what both read is what was asked for, and not only something alike."""
    return squeezed(check.wanted) in (squeezed(check.first.text), squeezed(check.second.text))


def _decisive(
    target: TargetSpec, element: UIElement, screen: ObservedScreen, values: Mapping[str, str]
) -> list[tuple[str, UIElement]]:
    """What was asked for, and the element that was taken to say it."""
    filled = dict(values)
    found = []
    if target.label and element.label:
        found.append((fill(target.label, filled), element))
    beside = row_of(element, screen.state.ui_elements) if target.row_contains else []
    for row in target.row_contains:
        wanted = fill(row, filled)
        holder = next((other for other in beside if squeezed(other.label) == squeezed(wanted)), None)
        if holder is not None:
            found.append((wanted, holder))
    return found


def _line_of(element: UIElement, lines: Sequence[TextLine]) -> TextLine | None:
    """The line of text that gave an element its label: in it, or near it as the caption of a field is."""
    label, place = squeezed(element.label), Box.of(element.bbox)
    near = [line for line in lines if Box.of(line.bbox).intersection(place.padded(_AROUND_PX)) is not None]
    saying = [line for line in near if squeezed(line.text) == label] or [
        line for line in near if label and label in squeezed(line.text)
    ]
    if not saying:  # a caption may stand further away; then it must be the only one that says so
        everywhere = [line for line in lines if squeezed(line.text) == label]
        return everywhere[0] if len(everywhere) == 1 else None
    x, y = place.center
    return min(saying, key=lambda line: abs(Box.of(line.bbox).center[0] - x) + abs(Box.of(line.bbox).center[1] - y))
