"""A robot on a desktop of pictures: everything real but the screen, the reader and the time."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.action_executor import ActionExecutor, Looks, StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep, ExecutionLoop
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import BROKEN, Resolved, TargetResolver, Unresolved
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import EdgeConstraints, PostConditions, SafetyRules, Workflow, WorkflowEdge
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import AnyItem, CountingIds, Item, ScreenBook, index_over, workflow_over
from rpa_vision.testing.scripted_desktop import Script, ScriptedDesktop
from rpa_vision.testing.supervisors import OpenSupervisor

VALIDATE = (40, 300, 160, 340)
FIELD = (40, 180, 300, 210)
NODES = {"page": "page", "done": "done"}

PAGE: list[AnyItem] = [
    ("heading", "title", "Facture", (40, 60, 240, 100)),
    ("label", "data_display", "Praticien", (40, 120, 160, 144)),
    ("label", "data_display", "À valider", (400, 60, 520, 90)),
    Item("text_input", "form_input", "Motif", FIELD),
    ("button", "validate", "Valider", VALIDATE),
]
DONE: list[AnyItem] = [
    ("heading", "title", "Liste des factures", (300, 60, 640, 100)),
    ("label", "data_display", "Facture validée", (300, 200, 640, 230)),
    ("link", "navigation", "Retour", (300, 400, 400, 430)),
]


def click(label: str | None = "Valider", *, kind: str | None = "button", **target: Any) -> Action:
    spec = TargetSpec(label=label, type=kind, **target)  # type: ignore[arg-type]
    return Action(type="mouse_click", target=spec)


def typing(text: str, *, label: str | None = "Motif", replace: bool = False) -> Action:
    target = TargetSpec(label=label, type="text_input") if label is not None else None
    return Action(type="text_input", target=target, parameters=ActionParameters(text=text, replace_existing=replace))


def press(*keys: str) -> Action:
    return Action(type="key_press", keys=keys)


def edge(
    action: Action | None = None,
    *,
    edge_id: str = "E1",
    start: str = "page",
    end: str = "done",
    expects: str | None = "done",
    conditions: Sequence[str] = (),
    before: Sequence[str] = (),
    timeout_s: float = 5.0,
    **fields: Any,
) -> WorkflowEdge:
    return WorkflowEdge(
        edge_id=edge_id,
        from_node=start,
        to_node=end,
        action=action or click(),
        constraints=EdgeConstraints(pre_conditions=tuple(before)),
        post_conditions=PostConditions(expected_node=expects, timeout_seconds=timeout_s, conditions=tuple(conditions)),
        **fields,
    )


class Agenda(ManualClock):
    """A clock that does things when their time has come."""

    def __init__(self) -> None:
        super().__init__()
        self._due: list[tuple[float, Callable[[], None]]] = []

    def after(self, seconds: float, deed: Callable[[], None]) -> None:
        """Do it that much later."""
        self._due.append((self.monotonic() + seconds, deed))

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        ripe = [deed for at_s, deed in self._due if at_s <= self.monotonic()]
        self._due = [(at_s, deed) for at_s, deed in self._due if deed not in ripe]
        for deed in ripe:
            deed()


class BreaksFor(TargetResolver):
    """A search that breaks for one label, from its so-manyth time on."""

    def __init__(self, label: str, *, after: int = 0, meanwhile: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._label, self._left, self._meanwhile = label, after, meanwhile

    def resolve(self, target: TargetSpec, *others: Any, **more: Any) -> Resolved | Unresolved:
        if target.label == self._label:
            self._left -= 1
            if self._left < 0:
                self._meanwhile()
                return Unresolved("broken", BROKEN, (), others[2])
        return super().resolve(target, *others, **more)


class Robot:
    """Eyes, matcher, resolver and hands over a scripted desktop that begins on the screen « page »."""

    def __init__(
        self,
        book: ScreenBook,
        *,
        script: Script = (),
        edges: Sequence[WorkflowEdge] = (),
        nodes: Mapping[str, str] = NODES,
        start: str = "page",
        rules: SafetyRules | None = None,
        secrets: Mapping[str, str] | None = None,
        looks: Looks = lambda path: None,
        clock: Agenda | None = None,
        resolver: TargetResolver | None = None,
        objection: Callable[[WorkflowEdge, StepOutcome], str | None] | None = None,
        before_input: Callable[[WorkflowEdge, StepOutcome], None] = lambda one, outcome: None,
    ) -> None:
        self.book = book
        self.clock = clock or Agenda()
        self.desktop = ScriptedDesktop(book.pixels, start=start, script=script, clock=self.clock)
        self.sight = Sight(self.desktop.eyes, book.observer, self.clock, CountingIds())
        self.workflow: Workflow = workflow_over(book, nodes, edges or [edge()])
        self.matcher = NodeMatcher(self.workflow, index_over(book, nodes))
        self.executor = ActionExecutor(
            self.desktop,
            self.sight,
            self.matcher,
            resolver or TargetResolver(),
            self.clock,
            looks=looks,
            secrets=secrets or {},
            safety_rules=rules or SafetyRules(),
            before_input=before_input,
            asks_about=lambda one: objection is not None,
            objection=objection or (lambda one, outcome: None),
        )

    def do(
        self,
        one: WorkflowEdge,
        values: Mapping[str, str] | None = None,
        *,
        seen: ObservedScreen | None = None,
        act: bool = True,
    ) -> StepOutcome:
        """Execute one edge on the screen as it is now, or as it was seen."""
        return self.executor.execute_edge(one, seen or self.sight.look(), values or {}, act=act)

    def loop(self, supervisor: Overseer, **hooks: Any) -> ExecutionLoop:
        return ExecutionLoop(self.workflow, self.sight, self.matcher, self.executor, supervisor, self.clock, **hooks)

    @property
    def sent(self) -> list[str]:
        """What the hands did."""
        return [deed.verb for deed in self.desktop.deeds if deed.verb != "move"]


class Overseer(OpenSupervisor):
    """A supervisor that keeps a diary, shared with whoever else writes in it, and forbids some steps."""

    def __init__(self, diary: list[str] | None = None, *, forbids: Sequence[str] = ()) -> None:
        super().__init__()
        self.told: list[ExecutionResult] = []
        self.diary = diary if diary is not None else []
        self._forbids = forbids

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        self.diary.append(f"asked {workflow_id} {step_id}")
        return (step_id not in self._forbids, "quarantined" if step_id in self._forbids else "running")

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        self.diary.append(f"told {workflow_id} {step_id} {result.status}")
        self.told.append(result)


def noting(diary: list[str], what: str) -> Any:
    """A hook that writes in the diary."""

    def note(step: ExecutedStep | WorkflowEdge) -> None:
        diary.append(f"{what} {step.edge.edge_id if isinstance(step, ExecutedStep) else step.edge_id}")

    return note
