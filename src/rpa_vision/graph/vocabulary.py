"""The words of a screen, and which of them all screens of a kind share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from rpa_vision.embedding.salience import group_texts
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded, squeezed

_MIN_LENGTH = 2
_LONG_TEXT = 12
_MISREADABLE_LENGTH = 6
_LOOK_ALIKES = ("il1tfj", "oceadq0", "nmhru", "uvwy", "sz5", "bhk68", "gqy9", "ce", "rt", "pn")
"""Letters a reader takes for one another."""


def words_of(state: ScreenState) -> list[str]:
    """The texts of a screen as they are read, from top to bottom, without single characters."""
    lines = in_reading_order(state.perception.text_lines)
    return [line.text for line in lines if len(squeezed(line.text)) >= _MIN_LENGTH]


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """Row by row, each from left to right; an accent that makes a word higher does not make it a row of its own."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.bbox[1] + line.bbox[3]):
        middle = (line.bbox[1] + line.bbox[3]) / 2
        if rows and rows[-1][0].bbox[1] <= middle < rows[-1][0].bbox[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.bbox[0])]


def naming_words(state: ScreenState) -> list[str]:
    """The texts that say which screen this is: no cells of tables, no values of fields, nothing with numbers."""
    groups = group_texts(state.perception, state.ui_elements)
    return [
        text
        for text in (*groups.front, *groups.labels)
        if len(squeezed(text)) >= _MIN_LENGTH and not any(char.isdigit() for char in text)
    ]


def templated(text: str, values: Mapping[str, str]) -> str:
    """The text as a template in which the values of variables are named, longest values first."""
    for name, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if value and squeezed(text) == squeezed(value):
            return f"${{{name}}}"
        if len(value) >= 3 and value in text:
            before, _, after = text.partition(value)
            return f"{literal(before)}${{{name}}}{literal(after)}"
    return literal(text)


def contains(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text is among those read, forgiving what a reader mixes up."""
    return any(same_words(text, wanted) for text in texts)


def may_contain(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text could be among those read or a part of them, however badly read: any letter may be wrong."""
    target = squeezed(wanted)
    forgiven = 0 if len(target) <= 3 else 2 if len(target) >= _LONG_TEXT else 1
    return any(
        (len(target) >= 3 and target in choice)
        or Levenshtein.distance(target, choice, score_cutoff=forgiven) <= forgiven
        for choice in map(squeezed, texts)
    )


def same_words(said: str, wanted: str) -> bool:
    """Say whether a text is the wanted one as a reader may have read it.

    Look-alike letters are forgiven, never a digit, never words of less than six letters, and never a beginning or an
    end that is not there: « Désactiver » is not a misread « Activer », nor « Validée » a misread « Valider ».
    """
    one, other = letters(said), letters(wanted)
    if one == other:
        return bool(one)
    shorter = min(len(one), len(other))
    if shorter < _MISREADABLE_LENGTH or any(char.isdigit() for char in one + other):
        return False
    edits = Levenshtein.editops(one, other)
    gaps = [edit for edit in edits if edit.tag != "replace"]
    if len(edits) > (2 if shorter >= _LONG_TEXT else 1) or len(gaps) > 1:
        return False
    inside = all(
        0 < (edit.dest_pos if edit.tag == "insert" else edit.src_pos) < max(len(one), len(other)) - 1 for edit in gaps
    )
    swapped = [(one[edit.src_pos], other[edit.dest_pos]) for edit in edits if edit.tag == "replace"]
    return inside and all(any(a in group and b in group for group in _LOOK_ALIKES) for a, b in swapped)


def letters(text: str) -> str:
    """What a text says, without spaces; without signs too where there are letters only, for signs are read as anything
    (an arrow is « ← », « = » or « + »)."""
    bare = squeezed(text)
    plain = "".join(char for char in bare if char.isalpha())
    return plain if plain and not any(char.isdigit() for char in bare) else bare


def stands_in(line: str, wanted: str) -> bool:
    """Say whether a text is part of a line, as whole words and whole numbers: 50,00 does not stand in 1 250,00."""
    chars = squeezed(wanted)
    if not chars:
        return False
    before = r"(?<!\d)(?<!\d[ .,])" if chars[0].isdigit() else r"(?<![^\W_])" if chars[0].isalpha() else ""
    after = r"(?!\d)(?![.,]\d)(?! \d{3}(?!\d))" if chars[-1].isdigit() else r"(?![^\W_])" if chars[-1].isalpha() else ""
    return re.search(before + r"\s*".join(map(re.escape, chars)) + after, folded(line)) is not None


def stable_texts(screens: Sequence[ObservedScreen], variable_values: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The texts that every screen shows, whatever the variables were."""
    first = naming_words(screens[0].state)
    others = [words_of(screen.state) for screen in screens[1:]]
    changing = {squeezed(value) for values in variable_values for value in values.values() if value}
    kept = [
        text
        for text in dict.fromkeys(first)
        if not any(value in squeezed(text) for value in changing) and all(contains(words, text) for words in others)
    ]
    return tuple(kept)
