"""Controls by their own words, where those were read but given to nobody, or to something else.

« Accueil Outils Aide » is one line to a reader, but three entries of a menu: each control that a line runs through says
the words that stand in it. A control without words says the lines in it that no other control says, and a box to tick
those that begin beside it or, where it was read along with them, in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import pairwise, permutations

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.word_gaps import word_boxes
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.ui_element import UIElement

TICKED = ("checkbox", "radio", "toggle")
_WORDED = ("button", "link", "tab", "menu_item", "list_item")
_ENTRIES = ("menu_item", "tab")
_COUNT = re.compile(r"^\(?\d{1,3}\)?$")
_KEYS = re.compile(r"\s*(?:\S+\s*\+\s*\S+|F\d{1,2})\s*$")
"""Ctrl+V, Maj + F2, F5."""
_BARE_WORDS = ("label", "heading")
_MIN_LETTERS = 2
_BEYOND = 1.3
_INSIDE = 0.6
_ALL_INSIDE = 0.8
_HIGH = 3.5
_AT_EDGE_PX = 4
_CAPTION_HIGH = 2.5
_NEXT_CONTROL_GAP = 0.4
_WIDE_LETTER = 0.33
"""Lines with wider gaps than between words have so much room for each letter at least, in heights of the line."""
_ENTRY_GAP = 0.9
"""How far apart two entries of a bar stand at least, in heights of their line; words stand a third of that apart."""
_NARROW_GAP, _TWICE = 0.5, 2.0
"""Entries may stand closer where the words within them stand closer still: half as far apart at most."""
_SEPARATORS = frozenset("/|·•›>»")
_MIN_SEPARATORS = 2
"""« Prix / unité » is one thing; « Accueil / Clients / Durand » are three."""


def with_own_words(screen: ObservedScreen) -> ObservedScreen:
    """The screen, with their own words on its controls, and each entry of a bar a line of its own."""
    state = _by_entries(screen)
    lines = [line for line in state.perception.text_lines if len(letters(line.text)) >= _MIN_LETTERS]
    said = [(letters(one.label), Box.of(one.bbox)) for one in state.ui_elements if one.type in _WORDED and one.label]
    words = dict[int, list[tuple[Box, str]]]()
    controls = [Box.of(one.bbox) for one in state.ui_elements if one.type in _WORDED]
    named = list[UIElement]()
    for element in [part for one in state.ui_elements for part in _in_columns(one, state.perception.text_lines)]:
        found: TextLine | None = None
        if element.type in TICKED and not element.label:
            found = _caption(element, lines)
        elif element.type in _WORDED:
            found = _part_of_line(element, screen, lines, words, controls) or (
                None if element.label else _written_in(element, lines, said)
            )
        if found is not None:
            element = element.model_copy(update={"label": found.text, "label_confidence": found.confidence})
        named.append(element)
    return replace(screen, state=state.model_copy(update={"ui_elements": tuple(_each_once(named))}))


def _in_columns(element: UIElement, lines: Sequence[TextLine]) -> list[UIElement]:
    """An entry with words in two places of its line: two entries that were taken for one, or one with its keys or
    how many it holds at the end, which are no part of its name."""
    if element.type not in _ENTRIES or not element.label:
        return [element]
    box, own = Box.of(element.bbox), letters(element.label)
    held = [line for line in lines if box.contains(Box.of(line.bbox).center) and letters(line.text)]
    held.sort(key=lambda line: line.bbox[0])
    apart = [b.bbox[0] - a.bbox[2] >= _ENTRY_GAP * (a.bbox[3] - a.bbox[1]) for a, b in pairwise(held)]
    level = all(a.bbox[1] < Box.of(b.bbox).center[1] < a.bbox[3] for a, b in pairwise(held))
    told = {"".join(letters(line.text) for line in order) for order in permutations(held)} if len(held) < 4 else set()
    if len(held) < 2 or not all(apart) or not level or own not in {*told, letters(held[0].text)}:
        return [element]
    names = [line for line in held if any(map(str.isalpha, line.text)) and not _KEYS.match(line.text)]
    others = [line for line in held if line not in names]
    if not all(_KEYS.match(line.text) or _COUNT.match(line.text) for line in others):
        return [element]  # a long number or a date tells it from its likes
    cuts = [box.x1, *((a.bbox[2] + b.bbox[0]) // 2 for a, b in pairwise(names)), box.x2]
    return [
        element.model_copy(
            update={
                "element_id": f"{element.element_id}.{number}" if len(names) > 1 else element.element_id,
                "label": line.text,
                "bbox": (at := Box(left, box.y1, right, box.y2)).bbox,
                "center": at.center,
            }
        )
        for number, (line, (left, right)) in enumerate(zip(names, pairwise(cuts), strict=True))
    ] or [element]


def _each_once(elements: list[UIElement]) -> list[UIElement]:
    """Without the words of a control that were also seen for themselves: they are no second thing of its name."""
    controls = [
        (letters(one.label), Box.of(one.bbox))
        for one in elements
        if one.type in _WORDED and one.type != "list_item" and one.label  # what a line of a list holds is not all of it
    ]
    return [
        one
        for one in elements
        if one.type not in _BARE_WORDS
        or not any(said == letters(one.label) and box.contains(one.center) for said, box in controls)
    ]


def _by_entries(screen: ObservedScreen) -> ScreenState:
    """What was read as one line and has gaps as wide as those between entries, told apart into these."""
    state, entries = screen.state, dict[tuple[str, BBox], list[TextLine]]()
    buttons = [(letters(one.label), Box.of(one.bbox)) for one in state.ui_elements if one.type == "button"]
    for line in state.perception.text_lines:
        if any(said == letters(line.text) and at.contains(Box.of(line.bbox).center) for said, at in buttons):
            continue  # « SUPPRIMER TOUT », widely spaced, is one deed
        if len(parts := _entries(screen, line)) > 1:
            entries[letters(line.text), line.bbox] = parts
    if not entries:
        return state
    lines = [
        part for line in state.perception.text_lines for part in entries.get((letters(line.text), line.bbox), [line])
    ]
    elements = [part for one in state.ui_elements for part in _element_by_entries(one, entries)]
    perception = state.perception.model_copy(update={"text_lines": tuple(lines)})
    return state.model_copy(update={"perception": perception, "ui_elements": tuple(elements)})


def _entries(screen: ObservedScreen, line: TextLine) -> list[TextLine]:
    high, said = line.bbox[3] - line.bbox[1], line.text.split()
    signs = _separators(said)
    is_wide = line.bbox[2] - line.bbox[0] >= _WIDE_LETTER * high * len(line.text)
    if len(said) < 2 or not (is_wide or signs):
        return [line]
    groups = _told_apart(_words_of(screen, line), signs) if signs else _by_gaps(_words_of(screen, line), high)
    return [
        line.model_copy(
            update={
                "text": " ".join(word for _, word in group),
                "bbox": reduce(Box.union, [at for at, _ in group]).bbox,
            }
        )
        for group in groups
    ]


def _separators(said: list[str]) -> frozenset[int]:
    """Where signs that part the entries of a path stand in a line; an upright one among others may be read as a
    letter. None where there are too few, two in a row, or no letter between two: « 12 / 03 / 2026 » is a date."""
    signs = {at for at, word in enumerate(said) if word in _SEPARATORS}
    if any(said[at] == "|" for at in signs):
        signs |= {at for at, word in enumerate(said) if word in ("I", "l")}
    inner = 0 not in signs and len(said) - 1 not in signs
    apart = all(at + 1 not in signs for at in signs)
    ends = [-1, *sorted(signs), len(said)]
    named = all(any(map(str.isalpha, "".join(said[a + 1 : b]))) for a, b in pairwise(ends))
    return frozenset(signs) if inner and apart and named and len(signs) >= _MIN_SEPARATORS else frozenset()


def _told_apart(words: list[tuple[Box, str]], signs: frozenset[int]) -> list[list[tuple[Box, str]]]:
    """The words between the signs of a path."""
    groups: list[list[tuple[Box, str]]] = [[]]
    for at, word in enumerate(words):
        if at in signs:
            groups.append([])
        else:
            groups[-1].append(word)
    return groups if words else []


def _by_gaps(words: list[tuple[Box, str]], high: int) -> list[list[tuple[Box, str]]]:
    """The words that stand together."""
    gaps = [b.x1 - a.x2 for (a, _), (b, _) in pairwise(words)]
    least = _entry_gap(gaps, high)
    groups = [words[:1]] if words else []
    for gap, word in zip(gaps, words[1:], strict=True):
        if gap < least:
            groups[-1].append(word)
        else:
            groups.append([word])
    return groups


def _entry_gap(gaps: list[int], high: int) -> float:
    """From which gap on two words belong to two entries."""
    narrow = [gap for gap in gaps if gap < _NARROW_GAP * high]
    wide = [gap for gap in gaps if gap >= _NARROW_GAP * high]
    if narrow and wide and min(wide) >= _TWICE * max(narrow):
        return float(min(wide))
    return _ENTRY_GAP * high


def _element_by_entries(one: UIElement, entries: dict[tuple[str, BBox], list[TextLine]]) -> list[UIElement]:
    """Something that was detected as large as a line and says all of it: one for each entry."""
    if one.type not in (*_WORDED, *_BARE_WORDS):
        return [one]
    box = Box.of(one.bbox)
    for (said, place), parts in entries.items():
        line = Box.of(place)
        if letters(one.label) == said and box.contains(line.center) and box.width <= _BEYOND * line.width:
            high = (min(box.y1, line.y1), max(box.y2, line.y2))
            return [
                one.model_copy(
                    update={
                        "element_id": f"{one.element_id}.{number}",
                        "label": part.text,
                        "bbox": (at := Box(part.bbox[0], high[0], part.bbox[2], high[1])).bbox,
                        "center": at.center,
                    }
                )
                for number, part in enumerate(parts)
            ]
    return [one]


def _part_of_line(
    element: UIElement,
    screen: ObservedScreen,
    lines: list[TextLine],
    words: dict[int, list[tuple[Box, str]]],
    controls: list[Box],
) -> TextLine | None:
    """The words of a longer line that stand in the control; `words` keeps where those of each line are."""
    box = Box.of(element.bbox)
    for number, line in enumerate(lines):
        beyond = line.bbox[2] - line.bbox[0] > _BEYOND * box.width  # told first: hardly any line is
        if not beyond or not _runs_through(line, element):
            continue
        if number not in words:
            words[number] = _words_of(screen, line)
        within = [_lies_in(at, box) for at, _ in words[number]]
        own = [word for (_, word), inside in zip(words[number], within, strict=True) if inside]
        if (
            not own
            or len(own) == len(within)
            or not _stands_alone([at for at, _ in words[number]], within, [one for one in controls if one != box])
        ):
            continue
        if all(len(letters(word)) >= _MIN_LETTERS for word in own):
            return line.model_copy(update={"text": " ".join(own)})
    return None


def _stands_alone(words: list[Box], within: list[bool], others: list[Box]) -> bool:
    """Where the control's words end, the gap is that of two entries and not of two words: of « Ne pas valider » nobody
    says « valider » alone. It may be smaller where another control begins."""
    high = max(word.height for word in words)
    own = [word for word, inside in zip(words, within, strict=True) if inside]
    others = [one for one in others if not any(_lies_in(word, one) for word in own)]  # around both, it parts nothing
    ends = [((a, b), a if j else b) for (a, i), (b, j) in pairwise(zip(words, within, strict=True)) if i != j]
    return all(
        b.x1 - a.x2 >= (_NEXT_CONTROL_GAP if any(_lies_in(beyond, one) for one in others) else _ENTRY_GAP) * high
        for (a, b), beyond in ends
    )


def _runs_through(line: TextLine, element: UIElement) -> bool:
    """The line is longer than the control, and its words are not the control's: it has none, or all of them."""
    own, box = Box.of(line.bbox), Box.of(element.bbox)
    common = own.intersection(box)
    return (
        common is not None
        and box.y1 <= own.center[1] <= box.y2
        and box.height <= _HIGH * own.height
        and common.width >= _INSIDE * box.width
        and letters(element.label) in ("", letters(line.text))
    )


def _words_of(screen: ObservedScreen, line: TextLine) -> list[tuple[Box, str]]:
    said = line.text.split()
    boxes = word_boxes(screen.pixels, Box.of(line.bbox), said)
    return list(zip(boxes, said, strict=True)) if boxes is not None else []


def _lies_in(word: Box, control: Box) -> bool:
    common = word.intersection(control)
    return common is not None and common.width >= _INSIDE * word.width


def _written_in(element: UIElement, lines: list[TextLine], said: list[tuple[str, Box]]) -> TextLine | None:
    """The only line that stands in the control, if no other control says it there."""
    box = Box.of(element.bbox)
    inside = [
        line
        for line in lines
        if line.bbox[1] < box.y2
        and box.y1 < line.bbox[3]
        and (common := box.intersection(own := Box.of(line.bbox))) is not None
        and common.width >= _ALL_INSIDE * own.width
        and box.y1 <= own.center[1] < box.y2
    ]
    if len(inside) != 1 or box.height > _HIGH * Box.of(inside[0].bbox).height:
        return None
    line = Box.of(inside[0].bbox)
    return (
        None if any(words == letters(inside[0].text) and at.contains(line.center) for words, at in said) else inside[0]
    )


def _caption(element: UIElement, lines: list[TextLine]) -> TextLine | None:
    """The only line that begins beside a box to tick, or in it."""
    box = Box.of(element.bbox)
    beside = [
        line
        for line in lines
        if (own := Box.of(line.bbox)).height <= _CAPTION_HIGH * box.height
        and box.y1 - _AT_EDGE_PX <= own.center[1] <= box.y2 + _AT_EDGE_PX
        and box.x1 - _AT_EDGE_PX <= own.x1 <= box.x2 + own.height
        and own.x2 > box.x2 + own.height
    ]
    if len(beside) != 1 or any(_ends_at(box, Box.of(line.bbox)) for line in lines):
        return None  # captions may stand at the left here
    return beside[0]


def _ends_at(box: Box, line: Box) -> bool:
    """The line ends right before the box, at its height."""
    return abs(line.center[1] - box.center[1]) <= box.height / 2 and 0 <= box.x1 - line.x2 <= line.height
