"""The words of a screen, and which of them all screens of a kind share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rapidfuzz.distance import Levenshtein

from rpa_vision.embedding.salience import group_texts
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import squeezed

_MIN_LENGTH = 2
_LONG_TEXT = 12


def words_of(state: ScreenState) -> list[str]:
    """The texts of a screen as they were read, from top to bottom, without single characters."""
    lines = sorted(state.perception.text_lines, key=lambda line: (line.bbox[1], line.bbox[0]))
    return [line.text for line in lines if len(squeezed(line.text)) >= _MIN_LENGTH]


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
    """Say whether a text is among those read, forgiving a misread letter or two but never a digit."""
    target = squeezed(wanted)
    choices = [squeezed(text) for text in texts]
    if target in choices:
        return True
    if any(char.isdigit() for char in target) or len(target) <= 3:
        return False
    forgiven = 2 if len(target) >= _LONG_TEXT else 1
    return any(Levenshtein.distance(target, choice, score_cutoff=forgiven) <= forgiven for choice in choices)


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
