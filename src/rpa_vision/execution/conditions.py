"""Pre- and post-conditions: a small language, documented in docs/conditions.md. What is not in it is not satisfied.

Texts are templates and are filled with the run's values before they are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rapidfuzz import fuzz

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.vocabulary import in_reading_order, may_contain, same_words, stands_in, words_of
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.geometry import Box
from rpa_vision.models.variables import fill
from rpa_vision.models.wording import folded, squeezed

_READ_BACK_RATIO = 88.0
_MIN_CLIPPED_LENGTH = 5


@dataclass(frozen=True, slots=True)
class Moment:
    """What a condition is judged on: the screen before the step, the screen now, and the step's field if it has one."""

    before: ObservedScreen
    now: ObservedScreen
    values: Mapping[str, str]
    field: Box | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it holds, and what was seen."""

    holds: bool
    seen: str


def judge(condition: str, moment: Moment) -> Verdict:
    """Say whether a condition holds. An unknown one does not."""
    name, _, argument = condition.partition(":")
    check = _CHECKS.get(name)
    if check is None:
        return Verdict(False, f"unknown condition {condition!r}")
    try:
        filled = fill(argument, dict(moment.values))
    except (KeyError, ValueError) as error:
        return Verdict(False, f"cannot fill {condition!r}: {error}")
    if not filled.strip() and name not in _WITHOUT_ARGUMENT:
        return Verdict(False, f"{condition!r} names no text")
    return check(filled, moment)


def describe(condition: str, values: Mapping[str, str]) -> str:
    """The condition with its values, for a person."""
    name, _, argument = condition.partition(":")
    try:
        text = fill(argument, dict(values))
    except (KeyError, ValueError):
        text = argument
    return _WORDS[name].format(text) if name in _WORDS else condition


_WORDS = {
    "element": "the element {}",
    "text_present": "« {} » to be shown",
    "text_appears": "« {} » to appear",
    "text_absent": "« {} » not to be shown",
    "text_vanishes": "« {} » to vanish",
    "window_title_changed": "another window title",
    "window_title_contains": "« {} » in the window title",
    "screen_changed": "the screen to change",
    "field_contains": "the field to read « {} »",
}


def _element(argument: str, moment: Moment) -> Verdict:
    role = argument.removesuffix("_visible")
    if role == argument:
        return Verdict(False, f"unknown condition 'element:{argument}'")
    found = any(element.role == role or element.type == role for element in moment.now.state.ui_elements)
    return Verdict(found, f"an element with the role {role} {'is' if found else 'is not'} visible")


def _text_present(argument: str, moment: Moment) -> Verdict:
    found = shows(moment.now, argument)
    return Verdict(found, f"« {argument} » {'is' if found else 'is not'} on the screen")


def _text_absent(argument: str, moment: Moment) -> Verdict:
    found = may_show(moment.now, argument)
    return Verdict(not found, f"« {argument} » {'is' if found else 'is not'} on the screen")


def _title_changed(argument: str, moment: Moment) -> Verdict:
    del argument
    old, new = moment.before.state.window.title, moment.now.state.window.title
    return Verdict(old != new, f"the window title is {new!r}")


def _title_contains(argument: str, moment: Moment) -> Verdict:
    title = moment.now.state.window.title
    return Verdict(folded(argument) in folded(title), f"the window title is {title!r}")


def _screen_changed(argument: str, moment: Moment) -> Verdict:
    del argument
    changed = bool(changed_boxes(moment.before.pixels, moment.now.pixels))
    return Verdict(changed, "the screen changed" if changed else "the screen did not change")


def _field_contains(argument: str, moment: Moment) -> Verdict:
    text = _field_text(moment)
    return Verdict(reads_as(text, argument), f"the field reads « {text} »")


_CHECKS: dict[str, Callable[[str, Moment], Verdict]] = {
    "element": _element,
    "text_present": _text_present,
    "text_appears": _text_present,
    "text_absent": _text_absent,
    "text_vanishes": _text_absent,
    "window_title_changed": _title_changed,
    "window_title_contains": _title_contains,
    "screen_changed": _screen_changed,
    "field_contains": _field_contains,
}
CONDITION_NAMES = tuple(_CHECKS)
_WITHOUT_ARGUMENT = ("window_title_changed", "screen_changed", "field_contains")


def shows(screen: ObservedScreen, text: str) -> bool:
    """Whether a text can be read on a screen, on a line of its own or, three letters and more, as a part of one."""
    words = words_of(screen.state)
    part = len(squeezed(text)) >= 3
    return any(same_words(word, text) or (part and stands_in(word, text)) for word in words)


def may_show(screen: ObservedScreen, text: str) -> bool:
    """Whether a text could be on a screen, badly read: what may be there has not vanished."""
    return may_contain(words_of(screen.state), text)


def _field_text(moment: Moment) -> str:
    """What the field of the step says now; without a field, what was written since."""
    boxes = [moment.field] if moment.field is not None else changed_boxes(moment.before.pixels, moment.now.pixels)
    lines = [
        line
        for line in moment.now.state.perception.text_lines
        if any(_belongs(Box.of(line.bbox), box) for box in boxes)
    ]
    return " ".join(line.text for line in in_reading_order(lines))


def _belongs(line: Box, place: Box) -> bool:
    """A line stands in a field when its middle does; in what was written since, when they touch."""
    return place.contains(line.center) or (place.intersection(line) is not None and place.area <= line.area)


def reads_as(seen: str, wanted: str) -> bool:
    """Whether what was read is what was written: letters may be misread here and there, digits may not.

    A field narrower than its text shows a part of it; a part long enough is enough.
    """
    read, meant = squeezed(seen), squeezed(wanted)
    if not meant:
        return not read
    if stands_in(seen, wanted):
        return True
    if re.sub(r"\D", "", read) == re.sub(r"\D", "", meant) and fuzz.ratio(read, meant) >= _READ_BACK_RATIO:
        return True
    return len(read) >= _MIN_CLIPPED_LENGTH and len(meant) > 20 and read in meant
