"""Where in its plan a run is, told by the screen: at its beginning, and after an interruption.

Going back means doing steps again. That is done only where it cannot hurt: where each of them may be done twice
(`doing_twice`). A step whose input may have arrived is done again only if it is of that kind, or if the screen
still shows what it was to make vanish. In a loop the row itself tells of the failed step (`row_rounds`), where nothing
else of its round changes anything; of the steps before it, it tells nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import shows
from rpa_vision.execution.doing_twice import goes_further, is_harmless, only_moves
from rpa_vision.execution.edge_demands import post_conditions
from rpa_vision.execution.run_outcome import ExecutedStep, Progress
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.graph.node_matcher import Location
from rpa_vision.graph.plan import Plan, PlanLoop
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.variables import fill
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge

__all__ = ["Nowhere", "Place", "is_harmless", "place_after", "place_here"]


@dataclass(frozen=True, slots=True)
class Place:
    """The step that is due."""

    edge_id: str


@dataclass(frozen=True, slots=True)
class Nowhere:
    """Why the run cannot go on from this screen."""

    why: str


def place_here(plan: Plan, workflow: Workflow, location: Location, values: Mapping[str, str]) -> Place | Nowhere:
    """Where a run that was begun by somebody else goes on: only if exactly one step fits and all it needs is known."""
    match = location.match
    if location.is_at(plan.steps[plan.first].edge.from_node):
        return Place(plan.first)
    if match is None:
        return Nowhere(f"no screen of the workflow is shown: {location.suggestion()}")
    if match.node.is_error_node:
        return Nowhere(f"the screen is « {match.node.label} », which is no place to begin")
    here = plan.on_screen(match.node.node_id)
    if len(here) != 1:
        steps = ", ".join(here) or "none"
        return Nowhere(f"the screen is « {match.node.label} », and not exactly one step begins there: {steps}")
    missing = sorted(plan.needs(workflow, here[0]) - _known(workflow, values))
    if missing:
        return Nowhere(f"to go on with {here[0]} the value of {missing[0]!r} is needed; give it with --param")
    return Place(here[0])


def place_after(
    plan: Plan,
    workflow: Workflow,
    failed: WorkflowEdge,
    outcome: StepOutcome,
    done: Sequence[ExecutedStep],
    location: Location,
    screen: ObservedScreen,
    progress: Progress,
) -> Place | Nowhere:
    """Where a run goes on after an interruption of the step `failed`, without doing anything twice that could hurt."""
    stretch = _stretch(plan, failed, done, progress)
    node = _node_here(plan, failed, stretch, location)
    if node is None:
        shown = f"the screen is « {location.match.node.label} »" if location.match else location.suggestion()
        return Nowhere(f"after that no step so far begins on the screen shown: {shown}")
    if failed.edge_id in plan.loops and failed.from_node == node and not _is_in_round(failed, progress):
        return Place(failed.edge_id)
    for loop in plan.rounds_around(failed.edge_id):
        rounds = progress.rounds.get(loop.first)
        if plan.steps[loop.first].edge.from_node != node or rounds is None or rounds.current is None:
            continue
        again = [step for step in _since(loop, done, progress) if step.edge.edge_id in loop.body]
        rest = _rest_of_round(plan, loop, failed.edge_id)
        changes_no_more = all(is_harmless(edge, workflow) for edge in rest)
        row_tells = loop.filter is not None and not loop.rows_stay and changes_no_more
        hurtful = _hurtful(workflow, again, failed, outcome, screen, progress.values, row_tells=row_tells)
        if hurtful is not None:
            return Nowhere(hurtful)
        rounds.current.completed = False
        only_moving_is_left = outcome.anything_sent and all(only_moves(edge, workflow) for edge in rest)
        rounds.current.left_at = None if only_moving_is_left else failed.edge_id
        return Place(loop.first)
    here = [number for number, step in enumerate(stretch) if step.edge.from_node == node]
    start = _first_again(here, stretch, outcome, failed, node, screen)
    hurtful = _hurtful(workflow, stretch[start:], failed, outcome, screen, progress.values)
    if hurtful is not None:
        return Nowhere(hurtful)
    return Place(stretch[start].edge.edge_id if start < len(stretch) else failed.edge_id)


def _known(workflow: Workflow, values: Mapping[str, str]) -> frozenset[str]:
    """What has a value, or need not have one."""
    return frozenset(values) | {name for name, variable in workflow.variables.items() if not variable.required}


def _node_here(plan: Plan, failed: WorkflowEdge, stretch: Sequence[ExecutedStep], location: Location) -> str | None:
    """On which of the screens so far we are: the one that is matched, or else one that stands for any screen."""
    lists = [plan.steps[loop.first].edge.from_node for loop in plan.rounds_around(failed.edge_id)]
    so_far = [failed.from_node, *lists, *(step.edge.from_node for step in reversed(stretch))]
    matched = location.match.node.node_id if location.match is not None else None
    if matched in so_far:
        return matched
    return next((node_id for node_id in so_far if location.is_at(node_id)), None)


def _is_in_round(edge: WorkflowEdge, progress: Progress) -> bool:
    rounds = progress.rounds.get(edge.edge_id)
    return rounds is not None and rounds.current is not None


def _stretch(plan: Plan, failed: WorkflowEdge, done: Sequence[ExecutedStep], progress: Progress) -> list[ExecutedStep]:
    """The verified steps that led to the failed one, since the round began that it is in."""
    loops = plan.rounds_around(failed.edge_id)
    return _since(loops[0] if loops else None, done, progress)


def _since(loop: PlanLoop | None, done: Sequence[ExecutedStep], progress: Progress) -> list[ExecutedStep]:
    """The verified steps since the last round of the loop began, or since the run did."""
    rounds = progress.rounds.get(loop.first) if loop is not None else None
    begun = done[rounds.began_at :] if rounds is not None else done
    return [step for step in begun if step.outcome.status is ExecutionStatus.SUCCESS]


def _rest_of_round(plan: Plan, loop: PlanLoop, edge_id: str) -> list[WorkflowEdge]:
    """Every step that may follow in the round."""
    reached, due = list[str](), [edge_id]
    while due:
        here = due.pop()
        for way in plan.follows(here) if here != loop.last else ():
            if way in loop.body and way not in (loop.first, edge_id) and way not in reached:
                reached.append(way)
                due.append(way)
    return [plan.steps[one].edge for one in reached]


def _first_again(
    here: list[int],
    stretch: Sequence[ExecutedStep],
    outcome: StepOutcome,
    failed: WorkflowEdge,
    node: str,
    screen: ObservedScreen,
) -> int:
    """The step to go back to: the latest that began on a screen that said what this one says, or else the first on
    this screen: what was typed into a form may be lost."""
    said = _words(screen)
    if failed.from_node == node and (not here or (outcome.before is not None and _words(outcome.before) == said)):
        return len(stretch)
    same = [n for n in here if (before := stretch[n].outcome.before) is not None and _words(before) == said]
    return same[-1] if same else here[0]


def _hurtful(
    workflow: Workflow,
    again: Sequence[ExecutedStep],
    failed: WorkflowEdge,
    outcome: StepOutcome,
    screen: ObservedScreen,
    values: Mapping[str, str],
    *,
    row_tells: bool = False,
) -> str | None:
    """What must not be done twice. Where the row tells, it shows whether the failed step had its effect."""
    earlier: ExecutedStep | None = None
    for step in again:
        if not is_harmless(step.edge, workflow, step.outcome.resolution, earlier):
            return f"going on would do {step.edge.edge_id} twice"
        earlier = step
    if not outcome.anything_sent:
        return None
    if is_harmless(failed, workflow, outcome.resolution, earlier) and not _may_go_too_far(failed, outcome, screen):
        return None
    if row_tells or _still_to_vanish(failed, screen, values):
        return None
    return f"the input of {failed.edge_id} may have had its effect, and the screen does not tell"


def _may_go_too_far(failed: WorkflowEdge, outcome: StepOutcome, screen: ObservedScreen) -> bool:
    """Whether once more would be once too often. A page that says just what it said was not turned; where the focus is
    after a key, no words tell."""
    if not goes_further(failed, outcome.resolution):
        return False
    is_click = failed.action is not None and failed.action.type == "mouse_click" and not outcome.sent_earlier
    return not (is_click and outcome.before is not None and _words(outcome.before) == _words(screen))


def _still_to_vanish(edge: WorkflowEdge, screen: ObservedScreen, values: Mapping[str, str]) -> bool:
    """Whether the screen shows what the step was to make vanish: then it did not."""
    for condition in post_conditions(edge).conditions:
        name, _, text = condition.partition(":")
        try:
            if name == "text_vanishes" and shows(screen, fill(text, dict(values))):
                return True
        except (KeyError, ValueError):
            continue
    return False


def _words(screen: ObservedScreen) -> list[str]:
    return sorted(line.text for line in screen.state.perception.text_lines)
