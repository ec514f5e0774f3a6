"""What a step does, learned from seeing it done: the texts that appear or vanish every time.

They become post-conditions, so that a run can check that the step worked and not only that it was sent.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.slots import Slots
from rpa_vision.graph.vocabulary import contains, templated, words_of
from rpa_vision.models.variables import variables_in

_MAX_APPEARING = 2


def learned_conditions(steps: Sequence[DemoStep], slots: Slots) -> tuple[str, ...]:
    """Conditions that held after every demonstration of this step and not before it."""
    seen = [(step, slots.occurrence(repetition)) for repetition, step in enumerate(steps) if step.after is not None]
    appearing = _in_all([_appears(step, values) for step, values in seen])
    if appearing:
        return tuple(f"text_appears:{template}" for template in _most_telling(appearing))
    vanishing = _in_all(
        [_vanishes(step, slots.occurrence(r)) for r, step in enumerate(steps) if step.after is not None]
    )
    return tuple(f"text_vanishes:{template}" for template in _most_telling(vanishing)[:1])


def _appears(step: DemoStep, values: dict[str, str]) -> list[str]:
    assert step.after is not None
    before = words_of(step.before.state)
    return [templated(text, values) for text in words_of(step.after.state) if not contains(before, text)]


def _vanishes(step: DemoStep, values: dict[str, str]) -> list[str]:
    assert step.after is not None
    after = words_of(step.after.state)
    return [templated(text, values) for text in words_of(step.before.state) if not contains(after, text)]


def _in_all(templates: list[list[str]]) -> list[str]:
    if not templates:
        return []
    first, *others = templates
    return [template for template in dict.fromkeys(first) if all(contains(other, template) for other in others)]


def _most_telling(templates: list[str]) -> list[str]:
    """One that names a variable, if there is one, and the longest of the others: short words are misread most."""
    ranked = sorted(templates, key=lambda template: (not variables_in(template), -len(template), template))
    with_variable = [template for template in ranked if variables_in(template)][:1]
    constant = [template for template in ranked if not variables_in(template)]
    return (with_variable + constant)[:_MAX_APPEARING]
