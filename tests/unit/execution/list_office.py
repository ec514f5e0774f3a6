"""A list of invoices on a desktop of pictures: rows with a status, a page for each, and what a click makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from run_by_hand import Agenda, Overseer

from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.execution_loop import ExecutionLoop, RunOutcome
from rpa_vision.execution.recovery import Recovery, Trigger, TriggeredRun
from rpa_vision.execution.run_outcome import Progress
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import RecoveryReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation
from rpa_vision.models.workflow_graph import Loop, PostConditions, SafetyRules, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.testing.screens import AnyItem, CountingIds, Item, ScreenBook, index_over, workflow_over
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

NEXT = (700, 540, 800, 570)
BACK = (40, 540, 160, 570)
VALIDATE = (40, 400, 160, 440)
HEAD = ("N° facture", "Patient", "Montant", "Statut")
COLUMNS = (40, 240, 440, 600)
TO_DO, DONE = "À valider", "Validée"
PATIENTS = ("Dupont", "Martin", "Lefèvre", "Berger", "Girard", "Simon")


@dataclass
class Invoice:
    number: str
    patient: str
    amount: str
    status: str = TO_DO


def invoices(*amounts: str) -> list[Invoice]:
    return [Invoice(f"FAC-2026-{n + 1:05d}", PATIENTS[n], amount) for n, amount in enumerate(amounts)]


def list_items(rows: Sequence[Invoice], *, more: bool | None = None) -> list[AnyItem]:
    items: list[AnyItem] = [("heading", "title", "Factures du jour", (40, 40, 300, 70))]
    items += [("cell", "data_display", head, (x, 100, x + 120, 122)) for x, head in zip(COLUMNS, HEAD, strict=True)]
    for number, one in enumerate(rows):
        y = 140 + 40 * number
        said = (one.number, one.patient, one.amount, one.status)
        for index, (x, text, head) in enumerate(zip(COLUMNS, said, HEAD, strict=True)):
            kind: Any = "link" if index == 0 else "cell"
            items.append(Item(kind, "navigation", text, (x, y, x + 140, y + 22), column_title=head))
    if more is not None:
        items.append(Item("button", "navigation", "Suivant", NEXT, enabled=more))
    return items


def page_items(one: Invoice) -> list[AnyItem]:
    return [
        ("heading", "title", "Détail de la facture", (40, 40, 400, 80)),
        ("label", "data_display", "Numéro", (40, 120, 140, 144)),
        ("label", "data_display", one.number, (200, 120, 400, 144)),
        ("label", "data_display", "Total", (40, 170, 140, 194)),
        ("label", "data_display", one.amount, (200, 170, 400, 194)),
        ("label", "data_display", one.status, (200, 220, 400, 244)),
        ("button", "validate", "Valider", VALIDATE),
        ("button", "navigation", "Transmettre", (240, 400, 400, 440)),
        ("link", "navigation", "Retour", BACK),
    ]


@dataclass
class ListOffice:
    """The application: what it shows depends on what was done to it."""

    rows: list[Invoice]
    page_size: int = 6
    deaf: frozenset[str] = frozenset()
    """Invoices whose button does nothing lasting."""
    interrupts: Callable[[str, Deed], str | None] = lambda screen, deed: None
    """Gives another screen than the one a deed leads to."""
    book: ScreenBook = field(default_factory=ScreenBook)
    validated: list[str] = field(default_factory=list)
    sent_on: list[str] = field(default_factory=list)
    page: int = 0
    paged: bool = False
    returns_to: int | None = 0
    """The page of the list that is shown after an invoice was validated; the same one where that is not said."""

    def __post_init__(self) -> None:
        self.clock = Agenda()
        self.desktop = ScriptedDesktop(
            {"list": self._list(), "detail": self._detail(self.rows[0])},
            start="list",
            script=self._follow,
            clock=self.clock,
        )
        self.open: Invoice | None = None
        self.book.draw(
            "list", list_items(self.rows[: self.page_size], more=True if self.paged else None), title="Factures"
        )
        self.book.draw("detail", page_items(self.rows[0]), title="Facture")

    def _shown(self) -> list[Invoice]:
        return self.rows[self.page * self.page_size : (self.page + 1) * self.page_size]

    def _list(self) -> Any:
        last = (self.page + 1) * self.page_size >= len(self.rows)
        return self._draw("list", list_items(self._shown(), more=(not last) if self.paged else None), "Factures")

    def _detail(self, one: Invoice) -> Any:
        return self._draw("detail", page_items(one), "Facture")

    def _draw(self, name: str, items: list[AnyItem], title: str) -> Any:
        return self.book.draw(f"live_{name}", items, title=title).pixels

    def show(self, name: str, pixels: Any) -> str:
        self.desktop._screens[name] = pixels
        return name

    def show_list(self) -> str:
        self.open = None
        return self.show("list", self._list())

    def _follow(self, screen: str, deed: Deed) -> str | None:
        other = self.interrupts(screen, deed)
        if other is not None:
            return other
        at = deed.at or (0, 0)
        if deed.verb != "click":
            return None
        if screen == "list":
            return self._on_list(at)
        if screen == "detail" and self.open is not None:
            return self._on_detail(at, self.open)
        return None

    def _on_list(self, at: tuple[int, int]) -> str | None:
        if self.paged and Box(*NEXT).contains(at) and (self.page + 1) * self.page_size < len(self.rows):
            self.page += 1
            return self.show_list()
        number = (at[1] - 140) // 40
        if 0 <= number < len(self._shown()) and at[0] < 200:
            self.open = self._shown()[number]
            return self.show("detail", self._detail(self.open))
        return None

    def _on_detail(self, at: tuple[int, int], one: Invoice) -> str | None:
        if Box(*VALIDATE).contains(at):
            self.validated.append(one.number)
            if one.number not in self.deaf:
                one.status = DONE
            self.page = self.returns_to if self.returns_to is not None else self.page
            return self.show_list()
        if Box(240, 400, 400, 440).contains(at):
            self.sent_on.append(one.number)
            one.status = "Transmise"
            return self.show_list()
        return self.show_list() if Box(*BACK).contains(at) else None


def click_on(label: str, kind: Any = "button", **target: Any) -> Action:
    return Action(type="mouse_click", target=TargetSpec(label=label, type=kind, **target))


def go(edge_id: str, start: str, end: str, action: Action | None, **fields: Any) -> WorkflowEdge:
    after = PostConditions(expected_node=end) if start != end else None
    return WorkflowEdge(
        edge_id=edge_id, from_node=start, to_node=end, action=action, **({"post_conditions": after} | fields)
    )


def variables() -> dict[str, Variable]:
    screen = VariableSource(method="ui_element_extraction")
    number = VariableValidation(regex=r"^FAC-\d{4}-\d{5}$")
    return {
        "numero": Variable(type="string", subtype="id", source=screen, validation=number),
        "statut": Variable(type="string", source=screen),
        "amount": Variable(type="float", source=screen),
    }


def rounds(*, most: int = 20, rule: str | None = f"statut == '{TO_DO}'", **fields: Any) -> Loop:
    return Loop(
        type="for_each",
        iterator="row",
        filter=rule,
        max_iterations=most,
        variable_binding={"numero": "row.N° facture", "statut": "row.Statut"},
        **fields,
    )


OPEN = click_on("${numero}", "link")
READ = Action(type="extract", target=TargetSpec(label="Total"), parameters=ActionParameters(extract_to="amount"))


def validating(*edges: WorkflowEdge, loop: Loop | None = None, office: ListOffice, **fields: Any) -> Workflow:
    """For each invoice to be validated: open it, and what else is said; then back on the list."""
    steps = edges or (go("E2", "detail", "list", click_on("Valider")),)
    first = go("E1", "list", "detail", OPEN, loop=loop or rounds(last_edge=steps[-1].edge_id))
    nodes = {"list": "list", "detail": "detail"} | fields.pop("more_nodes", {})
    made = workflow_over(office.book, nodes, [first, *steps], variables=variables(), **fields)
    return made.model_copy(update={"end_nodes": ("list",), "nodes": tuple(map(without_content, made.nodes))})


def without_content(node: WorkflowNode) -> WorkflowNode:
    """Of what a list or a page says, learning keeps what all demonstrations showed."""
    kept = tuple(text for text in node.screen_template.stable_texts if text not in (*PATIENTS, TO_DO, DONE))
    return node.model_copy(update={"screen_template": node.screen_template.model_copy(update={"stable_texts": kept})})


@dataclass
class Run:
    outcome: RunOutcome
    progress: Progress
    decisions: list[tuple[str, Any]]
    recoveries: list[RecoveryReport]
    overseer: Overseer


def run(
    office: ListOffice,
    workflow: Workflow,
    values: dict[str, str] | None = None,
    *,
    trigger: Trigger = lambda workflow_id, known: TriggeredRun(None, "there is none"),
    nodes: dict[str, str] | None = None,
    overseer: Overseer | None = None,
    confirmer: TextConfirmer | None = None,
    matcher: type[NodeMatcher] | None = None,
    resolver: TargetResolver | None = None,
    **options: Any,
) -> Run:
    """Run it on the application as it stands."""
    if office.desktop.screen == "list":
        office.desktop.show(office.show_list())
    sight = Sight(office.desktop.eyes, office.book.observer, office.clock, CountingIds())
    index = index_over(office.book, nodes or {node.node_id: node.label for node in workflow.nodes})
    where = (matcher or NodeMatcher)(workflow, index)
    executor = ActionExecutor(
        office.desktop,
        sight,
        where,
        resolver or TargetResolver(),
        office.clock,
        looks=lambda path: None,
        secrets={},
        safety_rules=SafetyRules(),
        variables=workflow.variables,
        given=values or {},
        confirmer=confirmer,
    )
    made = Run(RunOutcome(), Progress.beginning(values or {}), [], [], overseer or Overseer())
    loop = ExecutionLoop(
        workflow,
        sight,
        where,
        executor,
        made.overseer,
        office.clock,
        on_decision=lambda kind, record: made.decisions.append((kind, record)),
        recovery=Recovery(
            workflow, sight, where, executor, office.clock, trigger=trigger, on_recovery=made.recoveries.append
        ),
    )
    loop.run(values or {}, made.outcome, progress=made.progress, **options)
    return made


def error_node(node: WorkflowNode, **fields: Any) -> WorkflowNode:
    return node.model_copy(update={"is_error_node": True, "error_type": "generic", **fields})
