"""After a rollback: may the run that brought it about go on with the restored version, and where?

Only if what was done so far is what the restored version would have done, and if a step that failed left no trace: no
input was sent, or the screen proves that it had no effect: to the pixel, and for a while. Input that may have arrived
is never sent twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.obstacles import plan_or_obstacle
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.sight import Sight
from rpa_vision.graph.node_matcher import Location
from rpa_vision.graph.plan import Plan
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.workflow_graph import END, Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock

Locate = Callable[[ObservedScreen, StepThresholds | None], Location]
"""Says which screen of the restored version is shown."""

UNCHANGED_S = 2.0
"""How long the screen must stay as it was before the input, after all the time the step was given."""
_POLL_S = 0.1


def next_step(done: Sequence[ExecutedStep], run: Workflow, restored: Workflow) -> str | None:
    """The restored version's step that is due, if everything done before it is the same.

    That is the step that failed, or the one after it if it was verified after all; the first if none was done.
    """
    plan = plan_or_obstacle(restored)
    if isinstance(plan, str):
        return None
    if not done:
        return plan.first
    former = plan_or_obstacle(run)
    if isinstance(former, str):
        return None
    if former.is_linear and plan.is_linear:
        return _in_line(done[-1], former, plan)
    return _in_plan(done, former, plan)


def _in_line(last: ExecutedStep, former: Plan, plan: Plan) -> str | None:
    """Lines of steps are compared place by place: a step may have another name."""
    before, after = _line(former), _line(plan)
    number = next((index for index, edge in enumerate(before) if edge.edge_id == last.edge.edge_id), None)
    if number is None:
        return None
    number += last.outcome.status is ExecutionStatus.SUCCESS
    if number >= len(after):
        return None
    same = all(_is_meant_alike(one, other) for one, other in zip(before[:number], after[:number], strict=True))
    return after[number].edge_id if same else None


def _in_plan(done: Sequence[ExecutedStep], former: Plan, plan: Plan) -> str | None:
    """Where ways fork and go round, every step done so far and every fork and loop must be the same, by name."""
    names = {step.edge.edge_id for step in done} & former.steps.keys()
    failed = done[-1].edge.edge_id
    for name in names:
        one, other = former.steps[name], plan.steps.get(name)
        if other is None or (one.following, one.otherwise) != (other.following, other.otherwise):
            return None
        if name != failed and not _is_meant_alike(one.edge, other.edge):
            return None
        if (one.edge.condition, one.edge.loop) != (other.edge.condition, other.edge.loop):
            return None
    if failed not in plan.steps:
        return None
    if done[-1].outcome.status is not ExecutionStatus.SUCCESS:
        return failed
    following = plan.steps[failed].following
    return following if following != END else None


def _line(plan: Plan) -> list[WorkflowEdge]:
    line, at = [], plan.first
    while at != END:
        line.append(plan.steps[at].edge)
        at = plan.steps[at].following
    return line


def step_to_take_up(
    done: Sequence[ExecutedStep], run: Workflow, restored: Workflow, locate: Locate, sight: Sight, clock: Clock
) -> tuple[str | None, str]:
    """The restored version's step that is due, or why there is none."""
    step_id = next_step(done, run, restored)
    if step_id is None:
        return None, "what was done so far is not what it would have done"
    last = done[-1] if done else None
    if last is not None and last.outcome.anything_sent and last.outcome.status is not ExecutionStatus.SUCCESS:
        again, screen = restored.get_edge(step_id), sight.look()
        assert again is not None
        if not had_no_effect(last, again, screen, locate(screen, last.outcome.terms), sight, clock):
            return None, "the input of the failed step may have had an effect"
    return step_id, ""


def had_no_effect(
    failed: ExecutedStep, again: WorkflowEdge, now: ObservedScreen, location: Location, sight: Sight, clock: Clock
) -> bool:
    """Whether the screen proves that the input of a step did nothing: still the same screen, saying and showing the
    same, and going on to do so for a while.

    A step that stays on its screen when it works proves nothing by staying there.
    """
    before, match = failed.outcome.before, location.match
    if before is None or match is None or again.from_node == again.to_node:
        return False
    same = match.node.node_id == again.from_node and _words(before) == _words(now)
    return same and _stays_as(before, sight, clock)


def _stays_as(before: ObservedScreen, sight: Sight, clock: Clock) -> bool:
    """Whether every pixel is what it was, but for a caret, whenever it is looked at."""
    height, width = before.pixels.shape[:2]
    everything, until = [Box(0, 0, int(width), int(height))], clock.monotonic() + UNCHANGED_S
    while sight.still_shows(before, everything):
        if clock.monotonic() >= until:
            return True
        clock.sleep(_POLL_S)
    return False


def _is_meant_alike(one: WorkflowEdge, other: WorkflowEdge) -> bool:
    return _meaning(one) == _meaning(other)


def _meaning(edge: WorkflowEdge) -> tuple[object, ...]:
    action = edge.action
    if action is None:
        return ()
    said, target = action.parameters, action.target
    aimed = (target.label, target.row_contains, target.type) if target is not None else None
    how = said.model_dump(exclude={"click_offset", "wait_after_ms", "scroll_at"})
    return (action.type, action.keys, action.duration_ms, action.target_app, action.steps, how, aimed)


def _words(screen: ObservedScreen) -> list[str]:
    return sorted(line.text for line in screen.state.perception.text_lines)
