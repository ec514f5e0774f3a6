"""Is this still the case that was decided on? The button is where it was, and the invoice above it is another one.

What was read is compared, not what was painted: a text that is gone, with another in its place, names another case, and
so does a dialog that asks something else. A clock goes on and a counter counts; lists have their own guard, the row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

from rpa_vision.embedding.salience import group_texts
from rpa_vision.graph.clocks import TIME
from rpa_vision.graph.dialog_words import message_in_front
from rpa_vision.graph.vocabulary import letters, window_in_front
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.undo import ScreenTexts
from rpa_vision.models.wording import folded, shape, squeezed

_LARGE_PX = 24
"""What is at least so wide and so high may be something that came up."""
_MIN_LETTERS = 4
_MIN_NAME = 2
"""A lone character names no case: it is an icon that was read, beside which the name comes in (files in a dialog)."""
_WIDE = 1.2
"""How wide a letter is at most, in heights of its line: what is wider is a bar of icons that was read."""
_CELL = re.compile(r"[a-z]{1,3}[0-9]+")
_COLUMNS = 3
_TICKS = re.compile(rf"{TIME}|" r"\d+(?:[.,]\d+)? ?(?:%|(?:ms|s|sec|min|h|j|d)\b)|^\W*\d+(?=\W|$)|\(\d+\)\W*$")
"""Times, shares, how long ago, and how many: what goes on by itself."""
_COUNTED = "|".join(
    f"{word}s?"
    for word in (
        "facture",
        "message",
        "element",
        "ligne",
        "resultat",
        "notification",
        "tache",
        "document",
        "fichier",
        "dossier",
        "client",
        "patient",
        "commande",
        "alerte",
        "mail",
        "courriel",
        "page",
        "brouillon",
        "invoice",
        "item",
        "row",
        "result",
        "task",
        "file",
        "record",
        "order",
        "alert",
        "draft",
    )
)
_COUNTS = re.compile(rf"\W*\d+ (?:{_COUNTED})\b[^\d]*|(?:[^\d]*\b)?(?:{_COUNTED}) \(\d+\)\W*")
"""How many there are of what screens count: « 3 factures en attente », « Messages (2) ». Of anything else it may be an
amount, a dose or the number before a name."""
_SINCE = re.compile(
    rf"(?:derniere |last )?(?:mise a jour|synchronisation|sync|sauvegarde|enregistree?|sauvegardee?|mise? a jour"
    rf"|synchronisee?|saved|updated|synced)(?: a| at| le| :)* *{TIME}"
    r"|il y a \d+ ?(?:s|sec|secondes?|min|minutes?|h|heures?)|\d+ ?(?:s|sec|seconds?|min|minutes?|h|hours?) ago"
)
"""When something was saved, and how long ago that is."""
_MOST_GONE = 0.5
"""Where more of its texts than that are gone, it is another screen."""


def may_matter(changes: Sequence[Box], state: ScreenState, *, was_left: bool = False) -> bool:
    """Whether something changed that is worth a look: a text other than a clock, or an area large enough for one. Of a
    screen that `was_left` less goes on by itself (`other_than_left`)."""
    ticks = _is_clock_or_count if was_left else _ticks
    clocks = [Box.of(one.bbox).padded(2) for one in state.perception.text_lines if ticks(one.text)]
    texts = [Box.of(one.bbox) for one in state.perception.text_lines if not ticks(one.text)]
    return any(
        any(change.intersection(box) is not None for box in texts)
        or (min(change.width, change.height) >= _LARGE_PX and not any(box.encloses(change) for box in clocks))
        for change in changes
    )


def other_case(then: ScreenState, now: ScreenState, *, waited: bool = False) -> str | None:
    """What shows that a screen is about another case than it was, or None. Where it was `waited` for, texts come in
    their time: only the same text with another number counts."""
    if then is now:
        return None
    question = None if waited else _other_question(message_in_front(then) or (), message_in_front(now) or ())
    if question is not None:
        return question
    title, other_title = then.window.title, now.window.title
    if _is_another_number(title, other_title):
        return f"« {title} » is now « {other_title} »"
    said = {letters(line.text) for line in now.perception.text_lines}
    before, after = ([line for line in _naming(state) if not _is_drawing(line)] for state in (then, now))
    for line in before:
        if letters(line.text) in said:
            continue
        for other in after:
            if not _in_its_place(Box.of(line.bbox), Box.of(other.bbox)) or _is_cursor(line, other, now):
                continue
            if _is_another_number(line.text, other.text) or (not waited and _is_another_name(line.text, other.text)):
                return f"« {line.text} » is now « {other.text} »"
    return None


def texts_of(state: ScreenState) -> ScreenTexts:
    """What a screen says, to be kept and compared later."""
    lines = window_in_front(state).perception.text_lines
    return ScreenTexts(window=state.window, asked=tuple(message_in_front(state) or ()), lines=lines)


def other_than_left(then: ScreenTexts, now: ScreenState) -> str | None:
    """What shows that a screen is not the one that was left, or None. Nothing was done since, as far as anybody knows:
    so what fields hold and what tables say counts too, and so do a title that is another and texts that are gone. Of
    what goes on by itself only a clock and a count do here: a share, a number before a name may be what it is about.

    The window that was left need not be in front: who takes an action back may do so in another."""
    question = _other_question(then.asked, message_in_front(now) or (), rest=folded)
    if question is not None:
        return question
    title, other_title = then.window.title, now.window.title
    same_program = folded(then.window.app_name) == folded(now.window.app_name)
    if title and same_program and _title_words(title) != _title_words(other_title):
        return f"« {title} » is now « {other_title} »"
    before, gone = [line for line in then.lines if not _is_drawing(line)], 0
    for line in before:
        there = [one for one in now.perception.text_lines if _in_its_place(Box.of(line.bbox), Box.of(one.bbox))]
        if any(letters(one.text) == letters(line.text) for one in there):
            continue
        for other in there:
            if not _is_drawing(other) and _says_otherwise(line.text, other.text):
                return f"« {line.text} » is now « {other.text} »"
        gone += bool(letters(line.text)) and not _is_clock(line.text)
    return "another screen came up" if gone > _MOST_GONE * len(before) else None


def _other_question(
    was: Iterable[str], asked: Iterable[str], *, rest: Callable[[str], str] | None = None
) -> str | None:
    then, now = ({letters((rest or _at_rest)(line)): line for line in lines} for lines in (was, asked))
    if then.keys() == now.keys():
        return None
    new = next((line for said, line in now.items() if said not in then), None)
    return f"a dialog says « {new} »" if new is not None else "a dialog does not say any more what it said"


def _title_words(title: str) -> list[str]:
    """Without the star of what is not saved yet, and other signs."""
    return re.findall(r"\w+", folded(title))


def _says_otherwise(one: str, other: str) -> bool:
    """Other words or another number: an amount, how much of something. Not a clock that went on, nor a count."""
    first, second = folded(one), folded(other)
    if _is_clock_or_count(one) and _is_clock_or_count(other):
        return letters(re.sub(r"\d", "", first)) != letters(re.sub(r"\d", "", second))
    names = min(len(letters(one)), len(letters(other))) >= _MIN_NAME
    has_number = any(map(str.isdigit, first)) and any(map(str.isdigit, second))
    return (names or has_number) and squeezed(one) != squeezed(other)


def _is_clock(text: str) -> bool:
    """A time of day and nothing else, or when something was saved."""
    said = folded(text).strip(" .·-")
    return not letters(re.sub(TIME, "", said)) or _SINCE.fullmatch(said) is not None


def _is_clock_or_count(text: str) -> bool:
    return _is_clock(text) or _COUNTS.fullmatch(folded(text)) is not None


def _ticks(text: str) -> bool:
    return _TICKS.search(folded(text)) is not None


def _naming(state: ScreenState) -> list[TextLine]:
    """The lines of the window in front that are neither cells of a table nor what fields hold."""
    front = window_in_front(state)
    groups = group_texts(front.perception, front.ui_elements)
    named = {*groups.front, *groups.labels}
    return [line for line in front.perception.text_lines if line.text in named]


def _is_another_number(one: str, other: str) -> bool:
    """The same words, with numbers that do not go on by themselves: « Facture FAC-12 », « Facture FAC-13 »."""
    return shape(one) == shape(other) and not _same_at_rest(one, other)


def _is_another_name(one: str, other: str) -> bool:
    return min(len(letters(one)), len(letters(other))) >= _MIN_NAME and not _same_at_rest(one, other)


def _is_drawing(line: TextLine) -> bool:
    box = Box.of(line.bbox)
    return box.width > _WIDE * box.height * len(line.text.strip())


def _is_cursor(was: TextLine, now: TextLine, state: ScreenState) -> bool:
    """Which cell a sheet stands on: « A1 », then « A2 », above a row of the letters of its columns."""
    if not all(_CELL.fullmatch(folded(line.text).strip()) for line in (was, now)):
        return False
    below = [one for one in state.perception.text_lines if len(one.text.strip()) == 1 and one.bbox[1] >= now.bbox[3]]
    for first in below:
        row = sorted((one for one in below if abs(one.bbox[1] - first.bbox[1]) <= 2), key=lambda one: one.bbox[0])
        said = "".join(one.text.strip().lower() for one in row)
        if len(said) >= _COLUMNS and said.isalpha() and all(ord(b) - ord(a) == 1 for a, b in pairwise(said)):
            return True
    return False


def _same_at_rest(one: str, other: str) -> bool:
    """The same words, or these with what came in behind them: a list that is still being filled. FAC-12 is not FAC-1
    with something behind it."""
    first, second = letters(_at_rest(one)), letters(_at_rest(other))
    if first == second:
        return True
    goes_on = len(first) >= _MIN_LETTERS and second.startswith(first)
    return goes_on and not (first[-1].isdigit() and second[len(first)].isdigit())


def _at_rest(text: str) -> str:
    """The text without what goes on by itself."""
    return _TICKS.sub("", folded(text))


def _in_its_place(one: Box, other: Box) -> bool:
    """On the same line, beginning or centred in the same place."""
    overlap = min(one.y2, other.y2) - max(one.y1, other.y1)
    apart = min(abs(one.x1 - other.x1), abs(one.center[0] - other.center[0]))
    return overlap > 0.5 * min(one.height, other.height) and apart <= max(one.height, other.height)
