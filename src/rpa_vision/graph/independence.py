"""When a task that was always done as one is two that were only done in turn.

Two tasks in different applications that pass nothing on, or two round trips from one screen that pass nothing on, are
two. A value ties them together: typed here and used there, also as a part of what is typed, seen here and typed there,
or put into the clipboard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rpa_vision.graph.copying import fills_clipboard
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.vocabulary import words_of
from rpa_vision.models.wording import squeezed
from rpa_vision.models.written_values import same_value

_MIN_STEPS = 2
_MIN_VALUE = 2
_MIN_PART = 4
_SAME_WORDS = 0.8


def independent_parts(goes: Sequence[Sequence[DemoStep]]) -> list[range]:
    """The steps of the task in pieces that have nothing to do with each other; one piece where they all have."""
    length = len(goes[0])
    cut = next((at for at in range(_MIN_STEPS, length - _MIN_STEPS + 1) if _parts_at(goes, at)), None)
    if cut is None:
        return [range(length)]
    rest = independent_parts([go[cut:] for go in goes])
    return [range(cut), *(range(cut + part.start, cut + part.stop) for part in rest)]


def _parts_at(goes: Sequence[Sequence[DemoStep]], cut: int) -> bool:
    first, second = [go[:cut] for go in goes], [go[cut:] for go in goes]
    apart = _other_applications(first, second) or (_is_round_trip(first) and _is_round_trip(second))
    return apart and not any(_tied(one, other) for one, other in zip(first, second, strict=True))


def _other_applications(first: Sequence[Sequence[DemoStep]], second: Sequence[Sequence[DemoStep]]) -> bool:
    one = {step.app for go in first for step in go}
    other = {step.app for go in second for step in go}
    return "" not in one | other and not one & other


def _is_round_trip(goes: Sequence[Sequence[DemoStep]]) -> bool:
    """Whether every go ends where it began, after having been elsewhere."""
    return all(
        (end := go[-1].settled or go[-1].after) is not None
        and _alike(_words(go[0].before), _words(end))
        and any(not _alike(_words(go[0].before), _words(step.before)) for step in go[1:])
        for go in goes
    )


def _words(screen: object) -> frozenset[str]:
    state = screen.state  # type: ignore[attr-defined]
    return frozenset([squeezed(state.window.title), *map(squeezed, words_of(state))])


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= _SAME_WORDS * max(1, len(one | other))


def _tied(first: Sequence[DemoStep], second: Sequence[DemoStep]) -> bool:
    if any(map(fills_clipboard, first)):
        return True
    typed = [step.text for step in second if step.text and len(squeezed(step.text)) >= _MIN_VALUE]
    given = [*(step.text for step in first if step.text), *(_row_words(first))]
    used = [*typed, *_row_words(second)]
    if any(same_value(one, other) or _is_within(one, other) for one in given for other in used if _is_value(one)):
        return True
    shown = {squeezed(text) for step in first for text in words_of(step.before.state)}
    return any(squeezed(text) in shown for text in typed)


def _row_words(steps: Sequence[DemoStep]) -> list[str]:
    """What things that were clicked in lists say: the names of cases."""
    return [
        step.element.label
        for step in steps
        if step.element is not None and step.element.type in ("link", "cell", "list_item", "table_row")
    ]


def _is_within(value: str, text: str) -> bool:
    """Whether a value stands in a longer text as a whole: a file's name in its path, a number in a sentence."""
    if len(value.strip()) < _MIN_PART:
        return False
    return re.search(rf"(?<!\w){re.escape(value.strip())}(?!\w)", text, re.IGNORECASE) is not None


def _is_value(text: str) -> bool:
    return len(squeezed(text)) >= _MIN_VALUE
