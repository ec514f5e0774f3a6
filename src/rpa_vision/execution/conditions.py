"""Pre- and post-conditions: a small language, documented in docs/conditions.md. What is not in it is not satisfied.

Texts are templates and are filled with the run's values before they are looked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as known_as
from types import MappingProxyType

from rapidfuzz.distance import Levenshtein

from rpa_vision.detection.words import count_alnum
from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.decisive_texts import read_again
from rpa_vision.execution.other_words import in_other_words, told_otherwise
from rpa_vision.graph.effects import changed_elsewhere
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import in_reading_order, letters, may_contain, same_words, stands_in, words_of
from rpa_vision.imaging.caret import without_caret
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.variables import fill
from rpa_vision.models.wording import folded, squeezed
from rpa_vision.models.written_values import as_number
from rpa_vision.ports.perception import ReadText, TextConfirmer

_FREE_TEXT_LETTERS = 24
"""Texts with fewer letters are names and values: one letter makes another one. Longer ones are read, not compared."""
_NEAR_EDGE_PX = 14
_CARET_PX = 8
_LEADING_ZERO = re.compile(r"0\d")
_MIN_CLIPPED_SHARE = 0.4
_MOST_READ_AGAIN = 6
_SURE_READING = 0.8
_NEGATIONS = re.compile(
    r"\b(non|pas|ne|n|jamais|sans|aucune?|erreurs?|echec|echouee?|impossible|refusee?|rejetee?|not|no|never|cannot|can't|unable"
    r"|without|error|failed|failure|denied|rejected|invalid|invalide)\b"
)
_TO_COME = re.compile(
    r"\b(sera|seront|va etre|vont etre|doit etre|doivent etre|will be|must be|to be|shall be) (\w+ )?$"
)
"""What stands before a deed that is still to be done."""


OtherNames = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Moment:
    """What a condition is judged on: the screen before the step, the screen now, and the step's field if it has one."""

    before: ObservedScreen
    now: ObservedScreen
    values: Mapping[str, str]
    field: Box | None = None
    confirmer: TextConfirmer | None = None
    """Who reads again what was written, before it is said to be something else."""
    other_names: OtherNames = known_as(default_factory=dict)
    """What else texts of targets are called by now, by their squeezed label: « Enregistrer » is « Sauver » today."""

    def names(self, text: str) -> tuple[str, ...]:
        """A text and what else it is called."""
        return (text, *self.other_names.get(squeezed(text), ()))


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether it holds, and what was seen."""

    holds: bool
    seen: str
    otherwise: str = ""
    """That what holds was said in other words, and in which."""


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
    "row_says": "the row to say « {} »",
    "target_changed": "the target to look different",
    "elsewhere_changed": "something else than the target to change",
}


def _element(argument: str, moment: Moment) -> Verdict:
    role = argument.removesuffix("_visible")
    if role == argument:
        return Verdict(False, f"unknown condition 'element:{argument}'")
    found = any(element.plays(role) or element.type == role for element in moment.now.state.ui_elements)
    return Verdict(found, f"an element with the role {role} {'is' if found else 'is not'} visible")


def _text_present(argument: str, moment: Moment) -> Verdict:
    if shows(moment.now, argument):
        return Verdict(True, f"« {argument} » is on the screen")
    named = next((name for name in moment.names(argument)[1:] if shows(moment.now, name)), None)
    other = named if named is not None else in_other_words(argument, moment.before, moment.now)
    if other is not None:
        seen = f"« {other} » is on the screen, which says the same as « {argument} »"
        return Verdict(True, seen, told_otherwise(other, argument))
    return Verdict(False, f"« {argument} » is not on the screen")


def _text_absent(argument: str, moment: Moment) -> Verdict:
    found = any(may_show(moment.now, name) for name in moment.names(argument))
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
    changed = any(box.width > 3 for box in changed_boxes(moment.before.pixels, moment.now.pixels))
    return Verdict(changed, "the screen changed" if changed else "the screen did not change")


def _field_contains(argument: str, moment: Moment) -> Verdict:
    lines = _field_lines(moment)
    verdict = _written(argument, lines, moment)
    if not verdict.holds and moment.confirmer is not None:
        again = _read_again(lines, moment, moment.confirmer)
        verdict = verdict if again is None else _written(argument, again, moment)
    if verdict.holds and _was_written_elsewhere(argument, moment):
        return Verdict(False, f"the field read « {argument} » before, and another field changed")
    return verdict


def _was_written_elsewhere(argument: str, moment: Moment) -> bool:
    """What was to be written stood in the field already, and it is another field that changed."""
    own = moment.field
    if own is None:
        return False
    held = [line for line in moment.before.state.perception.text_lines if _belongs(Box.of(line.bbox), own)]
    if not reads_as(" ".join(line.text for line in in_reading_order(held)), argument):
        return False
    changes = [box for box in changed_boxes(moment.before.pixels, moment.now.pixels) if box.width > _CARET_PX]
    if any(own.intersection(box) is not None for box in changes):
        return False
    fields = [Box.of(one.bbox) for one in moment.now.state.ui_elements if one.type in FIELD_TYPES]
    others = [box for box in fields if box.intersection(own) is None]
    return any(other.contains(box.center) for box in changes for other in others)


def _written(argument: str, lines: Sequence[TextLine], moment: Moment) -> Verdict:
    """Whether these lines say what was written."""
    text = " ".join(line.text for line in lines)
    if moment.field is None:
        # Nobody knows which field it was: what was written must stand somewhere among what changed, by itself.
        written = reads_as(text, argument) or any(reads_as(line.text, argument) for line in lines)
        return Verdict(written, f"what changed reads « {text} »")
    clipped = any(_reaches_edge(Box.of(line.bbox), moment.field) for line in lines)
    bare = " ".join(line.text for line in lines if not _is_icon(line, lines, moment.field))
    written = (
        reads_as(text, argument, clipped=clipped)
        or reads_as(bare, argument, clipped=clipped)
        or _is_new_line(argument, lines, moment)
    )
    return Verdict(written, f"the field reads « {text} »")


def _is_icon(line: TextLine, lines: Sequence[TextLine], field: Box) -> bool:
    """A single sign at an end of the field and well apart from its text: the glass, the cross, the arrow that was read
    as a letter."""
    place = Box.of(line.bbox)
    others = [Box.of(other.bbox) for other in lines if other is not line]
    at_an_end = place.x1 - field.x1 <= field.height or field.x2 - place.x2 <= field.height
    apart = all(max(other.x1 - place.x2, place.x1 - other.x2) >= field.height // 2 for other in others)
    return len(line.text.strip()) == 1 and bool(others) and at_an_end and apart


def _is_new_line(argument: str, lines: Sequence[TextLine], moment: Moment) -> bool:
    """Whether a field of several lines kept what it held and got this in lines of its own."""
    new = _new_lines(lines, moment)
    return 0 < len(new) < len(lines) and reads_as(" ".join(line.text for line in new), argument)


def _new_lines(lines: Sequence[TextLine], moment: Moment) -> list[TextLine]:
    """The lines where something changed, at half their height: a caret reaches into the line above."""
    changes = [box for box in changed_boxes(moment.before.pixels, moment.now.pixels) if box.width > 3]
    return [line for line in lines if any(_runs_through(Box.of(line.bbox), box) for box in changes)]


def _runs_through(line: Box, place: Box) -> bool:
    return place.intersection(line) is not None and place.y1 <= line.center[1] < place.y2


def _read_again(lines: Sequence[TextLine], moment: Moment, confirmer: TextConfirmer) -> list[TextLine] | None:
    """The lines as a second reader reads what is new in them, without the caret, which makes a « d » of a « c » but
    never takes a letter away. None where it is no surer, reads less, reads the same or breaks."""
    new = _new_lines(lines, moment)
    if not 0 < len(new) <= _MOST_READ_AGAIN:
        return None
    read: dict[tuple[int, int, int, int], str] = {}
    for line in new:
        first = ReadText(line.text, line.confidence)
        place = Box.of(line.bbox)
        check = read_again(confirmer, without_caret(moment.now.pixels, place), place, first)
        if check is None:
            return None
        if check.second.confidence >= _SURE_READING and count_alnum(check.second.text) >= count_alnum(line.text):
            read[line.bbox] = check.second.text
    again = [line.model_copy(update={"text": read.get(line.bbox, line.text)}) for line in lines]
    return again if again != list(lines) else None


def _row_says(argument: str, moment: Moment) -> Verdict:
    """« FAC-12 = Validée »: the one row that holds the first text says the second, too."""
    key, separator, text = (part.strip() for part in argument.partition("="))
    if not separator or not key or not text:
        return Verdict(False, f"« {argument} » is not « what the row holds = what it says »")
    elements = moment.now.state.ui_elements
    holders = [one for one in elements if squeezed(one.label) == squeezed(key)]
    rows = [[other.label for other in row_of(one, elements)] for one in holders]
    rows = [row for index, row in enumerate(rows) if row and row not in rows[:index]]
    if len(rows) != 1:
        return Verdict(False, f"{'no row' if not rows else f'{len(rows)} rows'} say{'s' * (not rows)} « {key} »")
    name = next((name for name in moment.names(text) if any(same_words(label, name) for label in rows[0])), None)
    told = ", ".join(label for label in rows[0] if label)
    otherwise = told_otherwise(name, text) if name not in (None, text) else ""
    return Verdict(name is not None, f"the row of « {key} » says « {told} »", otherwise)


def _target_changed(argument: str, moment: Moment) -> Verdict:
    del argument
    place = moment.field.padded(_NEAR_EDGE_PX) if moment.field is not None else None
    changes = [box for box in changed_boxes(moment.before.pixels, moment.now.pixels) if box.width > 3]
    changed = any(place is None or place.intersection(box) is not None for box in changes)
    return Verdict(changed, "the target changed" if changed else "the target looks as it did before")


def _elsewhere_changed(argument: str, moment: Moment) -> Verdict:
    del argument
    changed = changed_elsewhere(moment.before, moment.now, moment.field)
    return Verdict(changed, "other things changed too" if changed else "nothing but the target changed")


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
    "row_says": _row_says,
    "target_changed": _target_changed,
    "elsewhere_changed": _elsewhere_changed,
}
CONDITION_NAMES = tuple(_CHECKS)
_WITHOUT_ARGUMENT = ("window_title_changed", "screen_changed", "field_contains", "target_changed", "elsewhere_changed")
_ALWAYS_PROVES = ("field_contains", "target_changed", "elsewhere_changed", "screen_changed", "window_title_changed")


def proves(
    condition: str, before: ObservedScreen, values: Mapping[str, str], other_names: OtherNames = MappingProxyType({})
) -> bool:
    """Whether the condition, once it holds, shows that something happened: what held already shows nothing."""
    name = condition.partition(":")[0]
    then = Moment(before, before, values, other_names=other_names)
    return name in _ALWAYS_PROVES or not judge(condition, then).holds


def shows(screen: ObservedScreen, text: str) -> bool:
    """Whether a text can be read on a screen: as a line, or as a part of one that does not deny it; in the title of the
    window in front, whose small print is easily misread, also by what the desktop says it is."""
    lines = (*words_of(screen.state), screen.state.window.title)
    return any(same_words(line, text) or _affirms(line, text) for line in lines)


def _affirms(line: str, text: str) -> bool:
    """« facture non validée » does not say « validée », nor does « facture qui sera validée »."""
    if len(squeezed(text)) < 3 or not stands_in(line, text):
        return False
    said, wanted = folded(line), folded(text)
    if set(_NEGATIONS.findall(said)) - set(_NEGATIONS.findall(wanted)):
        return False
    return wanted not in said or _TO_COME.search(said.partition(wanted)[0]) is None


def may_show(screen: ObservedScreen, text: str) -> bool:
    """Whether a text could be on a screen, badly read: what may be there has not vanished."""
    return may_contain(words_of(screen.state), text)


def _field_lines(moment: Moment) -> list[TextLine]:
    """What the field of the step says now; without a field, what was written since."""
    boxes = [moment.field] if moment.field is not None else changed_boxes(moment.before.pixels, moment.now.pixels)
    lines = [
        line
        for line in moment.now.state.perception.text_lines
        if any(_belongs(Box.of(line.bbox), box) for box in boxes)
    ]
    return in_reading_order(lines)


def _belongs(line: Box, place: Box) -> bool:
    """A line stands in a field when its middle does; in what was written since, when they touch."""
    return place.contains(line.center) or (place.intersection(line) is not None and place.area <= line.area)


def _reaches_edge(line: Box, field: Box) -> bool:
    return line.x1 - field.x1 <= _NEAR_EDGE_PX and field.x2 - line.x2 <= 2 * _NEAR_EDGE_PX


def reads_as(seen: str, wanted: str, *, clipped: bool = False) -> bool:
    """Whether what was read is what was written, the whole of it and nothing else.

    Numbers are compared as numbers, sign and decimals included, unless they begin with a zero: that belongs to a code,
    and a field that drops it holds another one. Every letter counts, but for those no reader can tell
    apart; in a text of many words a letter in two dozen may be misread, not in the last word, which is often a name. A
    text that fills its field may be cut off, and then shows its beginning or its end.
    """
    whole, meant = " ".join(seen.split()), " ".join(wanted.split())
    number = as_number(meant)
    if number is not None and not _LEADING_ZERO.match(meant):
        return as_number(whole) == number
    return any(_is_text(read, meant, clipped=clipped) for read in (whole, _without_marks(whole)))


def _is_text(read: str, meant: str, *, clipped: bool) -> bool:
    if not meant:
        return not read
    if squeezed(read) == squeezed(meant) or same_words(read, meant):
        return True
    one, other = letters(read), letters(meant)
    if clipped and len(one) >= _MIN_CLIPPED_SHARE * len(other) and (other.startswith(one) or other.endswith(one)):
        return True
    if any(char.isdigit() for char in one + other):
        return False
    last_read, last_meant = letters(read.split()[-1]) if read else "", letters(meant.split()[-1])
    misread = Levenshtein.distance(one, other)
    return misread <= len(other) // _FREE_TEXT_LETTERS and last_read == last_meant


def _without_marks(text: str) -> str:
    """What was read without single signs around it: the icon of a field, the cross that empties it."""
    words = text.split()
    while len(words) > 1 and len(words[-1]) == 1 and not words[-1].isalnum():
        words.pop()
    while len(words) > 1 and len(words[0]) == 1 and not words[0].isalnum():
        words.pop(0)
    return " ".join(words)
