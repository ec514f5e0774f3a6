"""Get out of an interruption the way it was demonstrated, under the same rules as any step.

A dialog nobody was shown is sent away only where that can do no harm (`unknown_dialogs`). Named ways out
(`click_ok_button`, `close_dialog`, `return_to_previous`) look for one control that does just that and take none that
could do harm; steps are done one after the other, each asked for and told; another workflow is run inside this run. It
worked when the interruption is gone. How often a run may be interrupted is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.error_screens import ErrorScreen, ErrorScreens
from rpa_vision.execution.harm import is_dangerous
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.unknown_dialogs import UnknownDialog, going_on_may_matter, unknown_dialog
from rpa_vision.graph.error_nodes import WAYS_OUT_DIFFER
from rpa_vision.graph.node_matcher import Location, NodeMatcher
from rpa_vision.graph.plan_variables import action_needs
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepPermission, StepThresholds
from rpa_vision.models.execution import ExecutionStatus, RecoveryReport
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import ANY_NODE, RecoveryAction, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.ports.runtime import Clock

MAX_PER_RUN = 6
_GONE_S = 8.0
_POLL_S = 0.2
_NAMED: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "click_ok_button": (
        ("ok_button",),
        ("ok", "d'accord", "compris", "j'ai compris", "continuer", "continue", "got it"),
    ),
    "close_dialog": (
        ("close", "close_button"),
        ("fermer", "close", "×", "x", "plus tard", "ignorer", "dismiss", "later"),
    ),
    "return_to_previous": (("back",), ("retour", "precedent", "page precedente", "back", "go back", "previous")),
}
"""Roles and folded labels by which the control of a named way out is known."""
_GOING_ON = frozenset({"continuer", "continue", "poursuivre", "proceed", "ignorer", "ignore"})
"""Labels that do more than say « seen »: whatever was held up goes on."""


@dataclass(frozen=True, slots=True)
class TriggeredRun:
    """A workflow that was run to get out: which run it was, and what kept it from working, if anything did."""

    run_id: str | None
    problem: str | None


@dataclass(frozen=True, slots=True)
class Oversight:
    """Who is asked before each step of a way out, which is a step of its own, and told what came of it."""

    edge_id: str
    """The step that was interrupted; those of the way out are named after it."""
    permit: Callable[[str], StepPermission | str]
    """The terms for a step, by its id, or why it may not be done."""
    tell: Callable[[WorkflowEdge, StepOutcome, StepPermission], None]


Trigger = Callable[[str, Mapping[str, str]], TriggeredRun]
"""Runs another workflow, by id, with what is known of the variables."""


def _nobody(workflow_id: str, values: Mapping[str, str]) -> TriggeredRun:
    del values
    return TriggeredRun(None, f"the workflow {workflow_id} cannot be run from here")


class Recovery:
    """Knows the interruptions of one workflow and how to get out of them."""

    def __init__(
        self,
        workflow: Workflow,
        sight: Sight,
        matcher: NodeMatcher,
        executor: ActionExecutor,
        clock: Clock,
        *,
        trigger: Trigger = _nobody,
        on_recovery: Callable[[RecoveryReport], None] = lambda report: None,
    ) -> None:
        self._workflow = workflow
        self._screens = ErrorScreens(workflow)
        self._sight = sight
        self._matcher = matcher
        self._executor = executor
        self._clock = clock
        self._trigger = trigger
        self._on_recovery = on_recovery

    def recognise(self, screen: ObservedScreen, location: Location) -> ErrorScreen | None:
        """Which interruption this is, if it is one."""
        return self._screens.recognise(screen, location)

    def in_the_way(self, screen: ObservedScreen, location: Location) -> UnknownDialog | str | None:
        """The dialog over an unknown screen that may be sent away, or why it may not; None where there is none."""
        return unknown_dialog(screen, self._workflow) if location.match is None else None

    def send_away(
        self,
        dialog: UnknownDialog,
        edge: WorkflowEdge,
        screen: ObservedScreen,
        values: Mapping[str, str],
        terms: StepThresholds | None,
        oversight: Oversight,
    ) -> RecoveryReport:
        """Close a dialog that nobody was shown. It worked when it is gone."""
        _, problem, _ = self._do((_click_on(dialog.closer),), screen, values, oversight)
        if problem is None and not self._is_closed(dialog, terms):
            problem = "it is still there"
        report = RecoveryReport(
            error_node=_UNKNOWN,
            error_type="generic",
            label=dialog.says,
            from_node=edge.from_node,
            edge_id=edge.edge_id,
            action=f"{_CLOSED} « {dialog.closer.label} »",
            succeeded=problem is None,
            reason=problem or "",
        )
        self._on_recovery(report)
        return report

    def get_out(
        self,
        error: ErrorScreen,
        edge: WorkflowEdge,
        screen: ObservedScreen,
        values: Mapping[str, str],
        terms: StepThresholds | None,
        oversight: Oversight,
    ) -> RecoveryReport:
        """Try the ways out until the interruption is gone. One whose input may have arrived is the last, and one that
        was not found because the search broke."""
        tried: list[str] = []
        report = self._report(error, edge, "none", None, succeeded=False, reason=_no_way_out(error.node))
        for way in error.ways_out:
            run_id, problem, is_last = self._take(way, screen, values, oversight)
            if problem is None and not self._is_gone(error, terms):
                problem = "it is still there"
            if problem is not None:
                tried.append(f"{_named(way)}: {problem}")
            succeeded = problem is None
            report = self._report(error, edge, _named(way), run_id, succeeded=succeeded, reason="; ".join(tried))
            if succeeded or is_last:
                break
            screen = self._sight.look()
        self._on_recovery(report)
        return report

    def _take(
        self,
        way: RecoveryAction | WorkflowEdge,
        screen: ObservedScreen,
        values: Mapping[str, str],
        oversight: Oversight,
    ) -> tuple[str | None, str | None, bool]:
        """The run that was triggered, what went wrong, and whether no other way may be tried: input was sent, or the
        search broke."""
        if isinstance(way, WorkflowEdge):
            actions: tuple[Action, ...] = (way.action,) if way.action is not None else ()
        elif way.steps is not None:
            actions = way.steps
        elif way.workflow_id is not None:
            triggered = self._trigger(way.workflow_id, values)
            return triggered.run_id, triggered.problem, triggered.run_id is not None
        else:
            named = _control(way.action, screen)
            if isinstance(named, str):
                return None, named, False
            actions = (named,)
        return self._do(actions, screen, values, oversight)

    def _do(
        self,
        actions: tuple[Action, ...],
        screen: ObservedScreen,
        values: Mapping[str, str],
        oversight: Oversight,
    ) -> tuple[str | None, str | None, bool]:
        missing = sorted(frozenset().union(*map(action_needs, actions)) - values.keys())
        if missing:
            return None, f"a person has to say what {missing[0]!r} is; give it with --param", False
        sent = False
        for number, action in enumerate(actions):
            edge_id = f"{oversight.edge_id}.recovery_{number + 1}"
            permission = oversight.permit(edge_id)
            if isinstance(permission, str):
                return None, permission, sent
            if number:
                screen = self._sight.look()
            edge = _ANYWHERE.model_copy(update={"edge_id": edge_id, "action": action})
            outcome = self._executor.do_action(edge, action, screen, values, terms=permission.thresholds)
            sent = sent or outcome.input_sent
            oversight.tell(edge, outcome, permission)
            if outcome.status is not ExecutionStatus.SUCCESS:
                return None, outcome.message, sent or outcome.search_broke
        return None, None, sent

    def _is_gone(self, error: ErrorScreen, terms: StepThresholds | None) -> bool:
        deadline = self._clock.monotonic() + _GONE_S
        while True:
            screen = self._sight.look()
            shown = self.recognise(screen, self._matcher.locate(screen, terms))
            if shown is None or shown.node.node_id != error.node.node_id:
                return True
            if self._clock.monotonic() >= deadline:
                return False
            self._clock.sleep(_POLL_S)

    def _is_closed(self, dialog: UnknownDialog, terms: StepThresholds | None) -> bool:
        deadline = self._clock.monotonic() + _GONE_S
        while True:
            screen = self._sight.look()
            shown = self.in_the_way(screen, self._matcher.locate(screen, terms))
            if not isinstance(shown, UnknownDialog) or shown.says != dialog.says:
                return True
            if self._clock.monotonic() >= deadline:
                return False
            self._clock.sleep(_POLL_S)

    def _report(
        self, error: ErrorScreen, edge: WorkflowEdge, action: str, run_id: str | None, *, succeeded: bool, reason: str
    ) -> RecoveryReport:
        return RecoveryReport(
            error_node=error.node.node_id,
            error_type=error.node.error_type or "generic",
            label=error.node.label,
            from_node=edge.from_node,
            edge_id=edge.edge_id,
            action=action,
            run_id=run_id,
            succeeded=succeeded,
            reason=reason,
        )


_UNKNOWN = "unknown_dialog"
"""What stands for a screen the workflow does not have, in reports."""
_CLOSED = "closed by"
_ANYWHERE = WorkflowEdge(edge_id="recovery", from_node=ANY_NODE, to_node=ANY_NODE)


def _no_way_out(node: WorkflowNode) -> str:
    ways = node.metadata.get(WAYS_OUT_DIFFER)
    if not isinstance(ways, list):
        return "no way out of it was shown"
    return f"people left it in different ways ({'; '.join(map(str, ways))}), and a person has to choose"


def _control(name: str, screen: ObservedScreen) -> Action | str:
    """The click of a named way out, or why there is none. Only what is in front counts."""
    if name not in _NAMED:
        return f"nobody knows how « {name} » is done"
    roles, labels = _NAMED[name]
    elements = screen.state.ui_elements
    over = front_of(elements)
    found = [
        one
        for one in elements
        if one.type in ("button", "link", "icon")
        and (over is None or over.contains(one.center))
        and (any(map(one.plays, roles)) or _said(one) in labels)
    ]
    if len(found) != 1:
        return "there is no such control" if not found else f"{len(found)} controls could be meant"
    if is_dangerous(found[0]):
        return f"« {found[0].label} » may do harm"
    if _said(found[0]) in _GOING_ON and (problem := going_on_may_matter(screen, found[0])) is not None:
        return problem
    return _click_on(found[0])


def _said(element: UIElement) -> str:
    return folded(element.label).strip(" .!")


def _click_on(element: UIElement) -> Action:
    target = TargetSpec(label=literal(element.label) or None, type=element.type, role=element.role)
    return Action(type="mouse_click", target=target)


def _named(way: RecoveryAction | WorkflowEdge) -> str:
    return way.edge_id if isinstance(way, WorkflowEdge) else way.action
