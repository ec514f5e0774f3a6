"""Why this way and not the other: the rule for a fork, or for which rows a loop is meant, or what to ask.

What explains must be known to a run: variables, cells of the round's row, and what can be read from the screen at the
fork or before. Nothing is guessed: without a rule there is a question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.case_names import naming_the_case
from rpa_vision.graph.evidence import Reading, Stage, fields_written, readings, stages_of
from rpa_vision.graph.outline import Fork, Item, Outline, Rounds
from rpa_vision.graph.rule_induction import OTHERWISE, Observation, induce_rules, opposite
from rpa_vision.graph.slots import Slots, free_name
from rpa_vision.graph.sources import Sources, in_order
from rpa_vision.graph.today import Today
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule
from rpa_vision.models.expression import All, Expression, parse, to_text, variables_of
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.written_values import same_value


@dataclass(frozen=True, slots=True)
class Decision:
    """How a fork is decided: the ways in the order in which they are asked for, with a rule for all but the last."""

    order: tuple[int, ...]
    rules: tuple[BranchRule, ...] = ()
    question: BranchQuestion | None = None


def decide(
    fork: Fork,
    following: int | None,
    outline: Outline,
    slots: Slots,
    sources: Sources,
    days: Mapping[int, date] | None = None,
) -> Decision:
    """Explain a fork before the place `following`; variables that decide are read from now on. `days` says on which day
    each case was shown."""
    names = way_names(fork, outline)
    cases = [case for way in fork.ways for case in way.cases]
    stages = [*junction(fork, following, outline), *stages_of(outline, _places_before(outline, fork), cases)]
    known = {
        name: values
        for name, variable in slots.variables.items()
        if variable.source.method != "system_time" and (values := slots.known(name, cases)) is not None
    }
    seen = [
        reading
        for reading in readings(stages, slots, by_row=list(known), written=fields_written(outline))
        if not any(_same(reading, cases, values) for values in known.values())
    ]
    named = _named(seen, slots)
    today = Today.among(slots, named, days or {}, cases)
    columns = {variable: dict(zip(cases, column, strict=True)) for variable, column in known.items()}
    columns |= {variable: dict(reading.values) for variable, reading in named.items()}
    observations = [
        Observation(name, {**{variable: column[case] for variable, column in columns.items()}, **today.seen(case)})
        for way, name in zip(fork.ways, names, strict=True)
        for case in way.cases
    ]
    answer = induce_rules(observations, naming=naming_the_case(columns, outline, slots), today=today.name)
    wanted = [answer] if isinstance(answer, BranchQuestion) else answer
    for variable in _variables_of(wanted):
        if variable in named:
            _keep(named[variable], variable, slots, sources)
        elif variable == today.name:
            today.keep(slots)
    if isinstance(answer, BranchQuestion):
        return Decision(tuple(range(len(fork.ways))), question=answer)
    return _ordered(answer, names, fork)


def way_names(fork: Fork, outline: Outline) -> list[str]:
    """What people would call the ways: by what is done first on each."""
    names: list[str] = []
    for way in fork.ways:
        places = in_order(way.items)
        step = outline.places[places[0]].steps[-1] if places else None
        said = step.element.label if step is not None and step.element is not None else ""
        wanted = said or (step.text if step is not None else None) or ("go straight on" if not places else "other way")
        number = 2
        name = wanted
        while name in names:
            name, number = f"{wanted} ({number})", number + 1
        names.append(name)
    return names


def _ordered(rules: Sequence[BranchRule], names: Sequence[str], fork: Fork) -> Decision:
    """Each rule holds for the way it is asked for. A way without steps comes last, for it has no step to bear a rule:
    those asked for after it are then gone where its own rule does not hold."""
    order = [names.index(rule.on_true) for rule in rules] + [names.index(rules[-1].on_false)]
    empty = next((at for at, way in enumerate(order[:-1]) if not fork.ways[way].items), None)
    expressions = [parse(rule.expression) for rule in rules]
    doubts = [rule.doubts for rule in rules]
    if empty is not None:
        other, doubted = opposite(expressions.pop(empty)), doubts.pop(empty)
        later = [All((*_parts(other), *_parts(one))) for one in expressions[empty:]]
        expressions[empty:] = [*later, other]
        doubts[empty:] = [tuple(dict.fromkeys((*doubted, *own))) for own in [*doubts[empty:], ()]]
        order.append(order.pop(empty))
    laid = [
        _laid(rule, expression, order[at:], names, fork).model_copy(update={"doubts": doubts[at]})
        for at, (rule, expression) in enumerate(zip(rules, expressions, strict=True))
    ]
    return Decision(tuple(order), tuple(laid))


def _parts(expression: Expression) -> tuple[Expression, ...]:
    return expression.parts if isinstance(expression, All) else (expression,)


def _laid(
    rule: BranchRule, expression: Expression, order: Sequence[int], names: Sequence[str], fork: Fork
) -> BranchRule:
    """The rule for the first of these ways, as it is asked for before the others."""
    counts = [len(fork.ways[way].cases) for way in order]
    support = rule.support.model_copy(
        update={"demonstrations": sum(counts), "holds": counts[0], "fails": sum(counts[1:])}
    )
    other = names[order[1]] if len(order) == 2 else OTHERWISE
    said = {"expression": to_text(expression), "on_true": names[order[0]], "on_false": other, "support": support}
    return rule.model_copy(update=said)


def junction(fork: Fork, following: int | None, outline: Outline) -> list[Stage]:
    """The screen on which each case went its way; nothing where one of them was not seen there."""
    screens: dict[int, list[ObservedScreen]] = {}
    for way in fork.ways:
        places = in_order(way.items)
        first = places[0] if places else following
        for case in way.cases:
            step = outline.places[first].step_of(case) if first is not None else None
            if step is None:
                return []
            screens[case] = [step.before]
    return [(fork, screens)]


def _places_before(outline: Outline, fork: Fork) -> list[int]:
    own = {place for way in fork.ways for place in in_order(way.items)}
    order = in_order(outline.items)
    return order[: min(order.index(place) for place in own)]


def _same(reading: Reading, cases: Sequence[int], values: Sequence[str]) -> bool:
    return all(same_value(reading.values[case], value) for case, value in zip(cases, values, strict=True))


def _named(seen: Sequence[Reading], slots: Slots) -> dict[str, Reading]:
    named: dict[str, Reading] = {}
    for reading in seen:
        if len(set(reading.values.values())) > 1:
            named[free_name([*slots.variables, *named], reading.name)] = reading
    return named


def _variables_of(answers: Sequence[BranchRule | BranchQuestion]) -> list[str]:
    found: list[str] = []
    for answer in answers:
        texts = answer.candidates if isinstance(answer, BranchQuestion) else (answer.expression,)
        found += [name for text in texts for name in sorted(variables_of(parse(text)))]
    return list(dict.fromkeys(found))


def _keep(reading: Reading, name: str, slots: Slots, sources: Sources) -> None:
    source = VariableSource(method="ui_element_extraction", element_label=reading.label)
    slots.variables[name] = infer_variable(list(reading.values.values()), source)
    slots.values[name] = dict(reading.values)
    sources.add(slots, reading, name)


def forks_of(items: Sequence[Item], following: int | None = None) -> list[tuple[Fork, int | None]]:
    """All forks, also inside rounds, with the place at which the ways of each meet again."""
    found: list[tuple[Fork, int | None]] = []
    for index, item in enumerate(items):
        after = in_order(tuple(items[index + 1 :]))
        beyond = after[0] if after else following
        if isinstance(item, Rounds):
            found += forks_of(item.items)
        elif isinstance(item, Fork):
            found.append((item, beyond))
            for way in item.ways:
                found += forks_of(way.items, beyond)
    return found


__all__ = ["Decision", "decide", "forks_of", "way_names"]
