"""For which rows the rounds of a loop are meant, and which cell of the row is which variable.

The rows that were done are told from those that were left out by the shortest rule over their cells; where the same was
left out once and done once, only rows that were come to are asked about, for people stop before the end of a list. A
rule about words (« À valider ») is looked for before one about numbers. No rule: a question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

from pydantic import JsonValue

from rpa_vision.errors import ExpressionValueError
from rpa_vision.graph.case_names import naming_the_case
from rpa_vision.graph.list_sightings import SeenRow, Undecided, rows_shown
from rpa_vision.graph.outline import Item, Outline, Rounds
from rpa_vision.graph.rule_induction import Observation, induce_rule
from rpa_vision.graph.sightings import TableRow, row_around, rows_of
from rpa_vision.graph.slots import Slots, free_name, name_of
from rpa_vision.graph.sources import in_order
from rpa_vision.graph.today import Today
from rpa_vision.graph.value_types import infer_variable
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule
from rpa_vision.models.expression import parse, variables_of
from rpa_vision.models.expression_value import holds
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.wording import folded
from rpa_vision.models.written_values import as_date, as_number, same_value

DONE, LEFT_OUT = "done", "left out"


@dataclass(slots=True)
class LoopDraft:
    """What is known of a loop besides its steps."""

    binding: dict[str, str] = field(default_factory=dict)
    filter: str | None = None
    question: BranchQuestion | None = None
    most_rounds: int = 1
    metadata: dict[str, JsonValue] = field(default_factory=dict)
    seen: tuple[SeenRow, ...] = ()
    """The rows that were shown."""


def loops_of(items: Sequence[Item]) -> Iterator[Rounds]:
    """All loops of an outline, the outer ones first."""
    for item in items:
        if isinstance(item, Rounds):
            yield item
            yield from loops_of(item.items)


def draft_loop(rounds: Rounds, outline: Outline, slots: Slots, days: Mapping[int, date] | None = None) -> LoopDraft:
    """Bind the variables of the rounds to the cells of their rows, and say which rows are meant. `days` says on which
    day each case was shown."""
    opening = outline.places[in_order(rounds.items)[0]]
    rows = {
        case: row
        for case, step in zip(opening.cases, opening.steps, strict=True)
        if step.element is not None and (row := row_around(step.element, step.before.state)) is not None
    }
    counted: dict[int, int] = {}
    for case in rounds.cases:
        go = outline.parents[case]
        counted[go] = counted.get(go, 0) + 1
    draft = LoopDraft(most_rounds=max(counted.values(), default=1))
    if len(rows) < len(opening.cases):
        return draft
    headers = _shared_headers(list(rows.values()))
    for header in headers:
        said = {case: row.says(header) or "" for case, row in rows.items()}
        name = _variable_with(slots, said)
        if name is not None:
            _bind(draft, slots, name, header, said)
    bound = [cell.removeprefix("row.") for cell in draft.binding.values()]
    seen = rows_shown(opening, rows, outline.parents, headers, bound)
    if isinstance(seen, Undecided):
        draft.question = _which_of_them(seen.row)
    else:
        opened = _opened(rounds)
        seen = [one for one in seen if one.is_done or _texts(one.row) not in opened]
        draft.seen = tuple(seen)
        if any(not one.is_done for one in seen):
            told = {outline.parents[case]: days[case] for case in rounds.cases if days and case in days}
            _Choice(draft, slots, outline, told).choose(seen, headers, rows)
    if not draft.binding:
        _bind_the_most_telling(draft, slots, headers, rows)
    draft.metadata |= {"rows_stay": _stay(rounds, outline, rows, draft), "rounds_seen": len(rounds.cases)}
    return draft


def _opened(rounds: Rounds) -> set[tuple[str, ...]]:
    """What the rows say whose rounds nothing was learned from: they were done, if in another way, and not left out."""
    rows = (row_around(step.element, step.before.state) for step in rounds.left_out if step.element is not None)
    return {_texts(row) for row in rows if row is not None}


def _texts(row: TableRow) -> tuple[str, ...]:
    return tuple(folded(element.label) for element in row.elements)


def _shared_headers(rows: Sequence[TableRow]) -> list[str]:
    return [header for header in rows[0].cells if all(row.says(header) is not None for row in rows)]


def _variable_with(slots: Slots, said: Mapping[int, str]) -> str | None:
    """The variable that is the same as the cell in every round."""
    for name in slots.variables:
        values = slots.values.get(name, {})
        own = [values.get(case) for case in said]
        if None not in own and all(same_value(value or "", said[case]) for value, case in zip(own, said, strict=True)):
            return name
    return None


def _bind(draft: LoopDraft, slots: Slots, name: str, header: str, said: Mapping[int, str]) -> None:
    draft.binding[name] = f"row.{header}"
    source = VariableSource(method="ui_element_extraction", element_label=header)
    known = slots.variables.get(name)
    slots.variables[name] = (
        known.model_copy(update={"source": source})
        if known is not None
        else infer_variable([value for value in said.values() if value] or ["-"], source)
    )
    slots.values.setdefault(name, dict(said))


def _bind_the_most_telling(
    draft: LoopDraft, slots: Slots, headers: Sequence[str], rows: Mapping[int, TableRow]
) -> None:
    """Something must tell one row from another, also where no step says which."""
    told = {header: {case: row.says(header) or "" for case, row in rows.items()} for header in headers}
    best = max(told, key=lambda header: (len(set(told[header].values())), -headers.index(header)), default=None)
    if best is not None:
        _bind(draft, slots, free_name(slots.variables, name_of(best) or "row"), best, told[best])


@dataclass(frozen=True, slots=True)
class _Choice:
    """Says which rows are meant."""

    draft: LoopDraft
    slots: Slots
    outline: Outline
    days: Mapping[int, date]
    """On which day each go was shown."""

    def choose(self, seen: Sequence[SeenRow], headers: Sequence[str], rows: Mapping[int, TableRow]) -> None:
        """Find the rule, or the question; the cells it looks at are bound from now on."""
        draft, slots = self.draft, self.slots
        names = {header: _name(draft, slots, header) for header in headers}
        today = Today.among(slots, list(names.values()), self.days, [one.go for one in seen])
        whole = [one for one in seen if _complete(one.row, headers)]
        # Rows with an empty cell are left for the others, unless they are what was left out.
        seen = seen if all(one.is_done for one in whole) else whole
        answer = self._rule(seen, names, today)
        if isinstance(answer, BranchQuestion):
            reached = [one for one in seen if one.was_reached]
            if all(one.is_done for one in reached):
                return
            again = self._rule(reached, names, today)
            answer = again if isinstance(again, BranchRule) else answer
        texts = answer.candidates if isinstance(answer, BranchQuestion) else (answer.expression,)
        wanted = {name for text in texts for name in variables_of(parse(text))}
        for header, name in names.items():
            if name in wanted and name not in draft.binding:
                _bind(draft, slots, name, header, {case: row.says(header) or "" for case, row in rows.items()})
        if today.name in wanted:
            today.keep(slots)
        if isinstance(answer, BranchQuestion):
            draft.question = answer
        else:
            draft.filter = answer.expression if answer.on_true == DONE else f"not ({answer.expression})"
            draft.metadata["rule"] = answer.to_json()

    def _rule(self, seen: Sequence[SeenRow], names: Mapping[str, str], today: Today) -> BranchRule | BranchQuestion:
        """By words first, then by anything."""
        wordy = {header: name for header, name in names.items() if not _is_measured(seen, header)}
        cells = {
            name: {at: one.row.says(header) or "" for at, one in enumerate(seen)} for header, name in names.items()
        }
        naming = naming_the_case(cells, self.outline, self.slots)
        for chosen in (wordy, names):
            observations = [
                Observation(
                    DONE if one.is_done else LEFT_OUT,
                    {**{name: cells[name][at] for name in chosen.values()}, **today.seen(one.go)},
                )
                for at, one in enumerate(seen)
            ]
            answer = induce_rule(observations, naming=naming, today=today.name)
            if isinstance(answer, BranchRule):
                return answer
        return answer


def _which_of_them(row: TableRow) -> BranchQuestion:
    said = " · ".join(element.label for element in row.elements if element.label)
    return BranchQuestion(
        reason="contradiction",
        question=f"Several rows say « {said} », and only some of them were done: which rows are meant?",
        ways=(DONE, LEFT_OUT),
    )


def _is_measured(seen: Sequence[SeenRow], header: str) -> bool:
    texts = [one.row.says(header) or "" for one in seen]
    return all(as_number(text) is not None or as_date(text) is not None for text in texts)


def _name(draft: LoopDraft, slots: Slots, header: str) -> str:
    bound = next((name for name, cell in draft.binding.items() if cell == f"row.{header}"), None)
    return bound or free_name(slots.variables, name_of(header) or "cell")


def _complete(row: TableRow, headers: Sequence[str]) -> bool:
    return all(row.says(header) is not None for header in headers)


def _stay(rounds: Rounds, outline: Outline, rows: Mapping[int, TableRow], draft: LoopDraft) -> bool:
    """Whether rows that were done stand in the list of the next round as they did before, or are still meant."""
    opening = outline.places[in_order(rounds.items)[0]]
    stayed = gone = 0
    for before, after in zip(opening.cases, opening.cases[1:], strict=False):
        step = opening.step_of(after)
        if outline.parents[before] != outline.parents[after] or step is None:
            continue
        same = any(
            _texts(row) == _texts(rows[before]) or (_is_same(row, rows[before], draft) and _is_meant(row, draft))
            for row in rows_of(step.before.state)
        )
        stayed, gone = stayed + same, gone + (not same)
    return stayed > gone


def _is_same(row: TableRow, other: TableRow, draft: LoopDraft) -> bool:
    """Whether the cells that name a row say the same: those that are bound and that the rule does not look at."""
    judged = variables_of(parse(draft.filter)) if draft.filter is not None else frozenset()
    naming = [cell.partition(".")[2] for name, cell in draft.binding.items() if name not in judged]
    return bool(naming) and all(folded(row.says(one) or "") == folded(other.says(one) or "") for one in naming)


def _is_meant(row: TableRow, draft: LoopDraft) -> bool:
    """Whether the rule that was found chooses the row as it stands."""
    if draft.filter is None:
        return False
    said = {name: row.says(cell.partition(".")[2]) or "" for name, cell in draft.binding.items()}
    try:
        return holds(parse(draft.filter), said)
    except ExpressionValueError:
        return False
