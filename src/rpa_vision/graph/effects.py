"""What a step does, learned from seeing it done: the texts that appear or vanish every time.

They become post-conditions, so that a run can check that the step worked and not only that it was sent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.clocks import clocks
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.slots import Slots, row_of
from rpa_vision.graph.vocabulary import (
    contains,
    letters,
    may_contain,
    outvoted,
    screen_words,
    surely_read,
    templated,
    words_of,
)
from rpa_vision.imaging.diff import changed_pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.variables import variables_in
from rpa_vision.models.wording import squeezed

_MAX_APPEARING = 2
_FIRST = 3
"""Of so many demonstrations texts are taken that all must have: in the first, one may have been misread."""
_MIN_LETTERS = 2
_NAMING_TYPES = frozenset({"heading", "button", "link", "tab", "menu_item", "dialog", "text_input", "dropdown"})
_ACTED_ON = frozenset(
    {"button", "link", "tab", "menu_item", "icon", "checkbox", "radio", "toggle", "text_input", "dropdown"}
)
_SURROUNDINGS_PX = 24
_MANY_PIXELS = 200


def learned_conditions(
    steps: Sequence[DemoStep], slots: Slots, *, leads_elsewhere: bool, cases: Sequence[int] | None = None
) -> tuple[str, ...]:
    """Conditions that held after every demonstration of this step and not before it.

    Only words that name screens and messages are taken: what stands in tables and fields is there by chance, and other
    numbers will be there tomorrow. A value alone proves something only where no other screen is reached. `cases` are
    those of the steps; without them, the first, the second and so on.
    """
    numbered = zip(steps, cases if cases is not None else range(len(steps)), strict=True)
    seen = [(step, slots.occurrence(case)) for step, case in numbered if _came_to_rest(step)]
    appearing = _in_all([_appears(step, values) for step, values in seen])
    if leads_elsewhere:
        # The other screen is the proof. Of its words only those that name it are worth asking for: with few
        # repetitions, anything else may be there by chance each time.
        named = [_labels(step, _NAMING_TYPES) for step, _ in seen]
        telling = [t for t in appearing if not _is_bare_value(t) and (variables_in(t) or _is_in_all(t, named))]
    else:
        telling = appearing
    if telling:
        # What a screen says of itself stays longer than what its buttons are called, and names it better: every dialog
        # has « Annuler ».
        captions = {letters(label) for step, _ in seen for label in _labels(step, _ACTED_ON)}
        told = [template for template in telling if letters(template) not in captions]
        return tuple(f"text_appears:{template}" for template in _most_telling(told or telling))
    in_the_row = _in_all([_row_comes_to_say(step, values) for step, values in seen])
    if in_the_row and not leads_elsewhere:
        return tuple(f"row_says:{template}" for template in _most_telling(in_the_row)[:1])
    vanishing = _in_all([_vanishes(step, values) for step, values in seen])
    if vanishing and not leads_elsewhere:
        return tuple(f"text_vanishes:{template}" for template in _most_telling(vanishing)[:1])
    return () if leads_elsewhere else _seen_change(steps)


def _seen_change(steps: Sequence[DemoStep]) -> tuple[str, ...]:
    """No words tell: then something must change that changed every time. More than the looks of what was clicked,
    where there was more, for a button looks different by being clicked."""
    if not all(step.element is not None for step in steps):
        return ("screen_changed",)
    return ("elsewhere_changed",) if all(map(_changes_elsewhere, steps)) else ("target_changed",)


def _changes_elsewhere(step: DemoStep) -> bool:
    after = _came_to_rest(step)
    if after is None or step.element is None:
        return False
    return changed_elsewhere(step.before, after, Box.of(step.element.bbox))


def changed_elsewhere(before: ObservedScreen, after: ObservedScreen, target: Box | None) -> bool:
    """Whether much has changed, apart from the target and what is around it, and from clocks."""
    around = [target.padded(_SURROUNDINGS_PX)] if target is not None else []
    not_meant = [*around, *clocks(before.state, after.state)]
    return changed_pixels(before.pixels, after.pixels, outside=not_meant) >= _MANY_PIXELS


def _came_to_rest(step: DemoStep) -> ObservedScreen | None:
    """The screen after the step. Not the one before the next: there the pointer may show what it hovers over."""
    return step.settled or step.after


def _labels(step: DemoStep, kinds: frozenset[str]) -> list[str]:
    """What things of these kinds on the screen after the step are called."""
    after = _came_to_rest(step)
    elements = after.state.ui_elements if after is not None else ()
    return [element.label for element in elements if element.type in kinds and element.label]


def _appears(step: DemoStep, values: dict[str, str]) -> list[str]:
    after = _came_to_rest(step)
    assert after is not None
    before = words_of(step.before.state)
    return _telling([text for text in screen_words(surely_read(after.state)) if not contains(before, text)], values)


def _vanishes(step: DemoStep, values: dict[str, str]) -> list[str]:
    """Judged as a run will judge it: what could still be part of a line has not vanished."""
    after = _came_to_rest(step)
    assert after is not None
    left = words_of(after.state)
    shown = screen_words(surely_read(step.before.state))
    return _telling([text for text in shown if not may_contain(left, text)], values)


def _row_comes_to_say(step: DemoStep, values: dict[str, str]) -> list[str]:
    """What the row of the step says afterwards and did not before, as « ${number}=Validée »: in a list, a text that
    stands in other rows already proves something in this one only."""
    after = _came_to_rest(step)
    assert after is not None
    if step.element is None:
        return []
    row = {squeezed(one.label) for one in row_of(step.element, step.before.state.ui_elements)}
    found: list[str] = []
    for name, value in values.items():
        holders = [one for one in after.state.ui_elements if squeezed(one.label) == squeezed(value)]
        if squeezed(value) not in row or len(holders) != 1:
            continue
        said = [one.label for one in row_of(holders[0], after.state.ui_elements)]
        new = [text for text in said if len(letters(text)) >= 3 and squeezed(text) not in row]
        found += [f"${{{name}}}={text}" for text in _telling(new, values) if not variables_in(text)]
    return found


def _telling(texts: Sequence[str], values: dict[str, str]) -> list[str]:
    """As templates, without those that hold numbers no variable explains, and without what icons are read as: signs,
    and one letter over and over (« aaa », a bar of buttons)."""
    templates = [templated(text, values) for text in texts]
    return [
        template
        for template in templates
        if not re.search(r"\d", re.sub(r"\$\{\w+\}", "", template))
        and (variables_in(template) or len(set(letters(template))) >= _MIN_LETTERS)
    ]


def _is_bare_value(template: str) -> bool:
    return re.fullmatch(r"\$\{\w+\}", template) is not None


def _in_all(templates: list[list[str]]) -> list[str]:
    """What every demonstration has, as most of them have it: one of them may have been misread."""
    texts = dict.fromkeys(template for one in templates[:_FIRST] for template in one)
    found = [template for template in texts if _is_in_all(template, templates)]
    return list({letters(template): template for template in reversed(found)}.values())[::-1]


def _is_in_all(template: str, said: Sequence[Sequence[str]]) -> bool:
    missing = [texts for texts in said if not contains(texts, template)]
    return outvoted(template, missing, of=len(said))


def _most_telling(templates: list[str]) -> list[str]:
    """One that names a variable, if there is one, and the longest of the others: short words are misread most."""
    ranked = sorted(templates, key=lambda template: (not variables_in(template), -len(template), template))
    with_variable = [template for template in ranked if variables_in(template)][:1]
    constant = [template for template in ranked if not variables_in(template)]
    return (with_variable + constant)[:_MAX_APPEARING]
