"""By which signs a step of the day is known in a workflow that was learned, whatever its edges are called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rpa_vision.demo import mousepad
from rpa_vision.graph.plan import in_order
from rpa_vision.models.action import Action
from rpa_vision.models.variables import variables_in
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

_SENDS_NOTHING = ("extract", "wait")


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing a workflow does."""

    type: str
    label: str
    text: str
    keys: frozenset[str]
    app: str
    turns_page: bool = False

    @property
    def names_a_value(self) -> bool:
        """Whether what it clicks is told by a variable."""
        return bool(variables_in(self.label))


def deeds_of(workflow: Workflow) -> list[Deed]:
    """What a workflow does in its usual course, ways out of errors aside; what only looks is left out."""
    deeds: list[Deed] = []
    for edge in in_order(workflow):
        app = _app(workflow, edge)
        if edge.action is not None:
            deeds += [_deed(action, app) for action in _flat(edge.action)]
        if edge.loop is not None and edge.loop.next_page is not None:
            deeds += [_deed(action, app, turns_page=True) for action in _flat(edge.loop.next_page)]
    return [deed for deed in deeds if deed.type not in _SENDS_NOTHING]


def steps_found(task: str, deeds: list[Deed]) -> tuple[set[str], int]:
    """Which steps of the task are among the deeds, one deed for each, and how many deeds are none of its steps."""
    signs, left, found = SIGNS[task], list(deeds), set()
    for step, is_it in signs.items():
        at = next((index for index, deed in enumerate(left) if is_it(deed)), None)
        if at is not None:
            found.add(step)
            left.pop(at)
    foreign = sum(not any(is_it(deed) for is_it in signs.values()) for deed in left)
    return found, foreign


def _click(*words: str) -> Callable[[Deed], bool]:
    return lambda deed: deed.type == "mouse_click" and deed.label.casefold().strip() in words


def _click_holding(word: str) -> Callable[[Deed], bool]:
    return lambda deed: deed.type == "mouse_click" and word in deed.label.casefold()


def _value_clicked(deed: Deed) -> bool:
    return deed.type == "mouse_click" and deed.names_a_value


def _value_typed(deed: Deed) -> bool:
    return deed.type == "text_input" and len(variables_in(deed.text)) == 1 and not _in_journal(deed)


def _pressed(*keys: str) -> Callable[[Deed], bool]:
    return lambda deed: deed.type == "key_press" and deed.keys == frozenset(keys)


def _in_journal(deed: Deed) -> bool:
    return deed.app == mousepad.WM_CLASS.casefold() or " : " in deed.text


def _journal_reached(deed: Deed) -> bool:
    """By a click into it, by asking for its window, or by typing into a field that is in it."""
    if deed.type == "window_switch":
        return mousepad.WM_CLASS.casefold() in deed.app
    return deed.type == "mouse_click" and not deed.names_a_value and deed.label.casefold() not in _CLINIC_WORDS


def _line_typed(deed: Deed) -> bool:
    return deed.type == "text_input" and _in_journal(deed) and len(variables_in(deed.text)) == 2


_CLINIC_WORDS = ("factures", "bordereaux", "remboursements", "valider")
SIGNS: dict[str, dict[str, Callable[[Deed], bool]]] = {
    "slips": {
        "open_slips": _click("bordereaux"),
        "open_slip": _value_clicked,
        "open_payment": _value_clicked,
        "validate_payment": _click("valider"),
        "next_page": _click("suivant"),
        "close_slip": _click_holding("clôturer"),
    },
    "claims": {
        "open_claims": _click("remboursements"),
        "type_claim": _value_typed,
        "submit_claim": _pressed("enter"),
        "validate_claim": _click("valider"),
        "send_claim": _click_holding("responsable"),
        "back_to_claims": _click_holding("retour aux demandes"),
    },
    "journal": {
        "open_invoices": _click("factures"),
        "type_invoice": _value_typed,
        "submit_search": _pressed("enter"),
        "open_invoice": _value_clicked,
        "switch_to_journal": _journal_reached,
        "go_to_end": _pressed("ctrl", "end"),
        "type_line": _line_typed,
        "end_line": _pressed("enter"),
        "save": _pressed("ctrl", "s"),
    },
}


def _flat(action: Action) -> Iterator[Action]:
    if action.steps:
        for step in action.steps:
            yield from _flat(step)
    else:
        yield action


def _deed(action: Action, app: str, *, turns_page: bool = False) -> Deed:
    return Deed(
        type=action.type,
        label=(action.target.label if action.target is not None else None) or "",
        text=action.parameters.text or "",
        keys=frozenset(key.casefold() for key in action.keys or ()),
        app=(action.target_app or app).casefold(),
        turns_page=turns_page,
    )


def _app(workflow: Workflow, edge: WorkflowEdge) -> str:
    node = workflow.get_node(edge.from_node)
    apps = node.screen_template.window.app_name_any_of if node is not None else ()
    return apps[0] if len(apps) == 1 else ""
