"""From recordings to workflows: steps → tasks → shape → variables → nodes and edges.

Nothing is stored here: a workflow comes with the vectors and pictures it refers to, and the caller keeps them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from pydantic import JsonValue

from rpa_vision.errors import LearningError
from rpa_vision.graph.action_drafts import ActionWriter
from rpa_vision.graph.clipboard import add_clipboard
from rpa_vision.graph.demonstration import DemoStep, Observe, demonstrated_steps
from rpa_vision.graph.edge_drafts import EdgeWriter
from rpa_vision.graph.error_nodes import draft_errors
from rpa_vision.graph.flow import Flow
from rpa_vision.graph.forks import decide, forks_of
from rpa_vision.graph.goes import ShownGo, shown_goes
from rpa_vision.graph.idle_steps import is_idle
from rpa_vision.graph.interruptions import Detour
from rpa_vision.graph.known_rules import ShownCase, shown_cases
from rpa_vision.graph.list_sightings import SeenRow
from rpa_vision.graph.loops import draft_loop, loops_of
from rpa_vision.graph.node_drafts import NodeWriter
from rpa_vision.graph.outline import Outline
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS
from rpa_vision.graph.shown import what_is_shown
from rpa_vision.graph.slots import Slots, infer_slots
from rpa_vision.graph.sources import read_sources
from rpa_vision.graph.tasks import Task, Tasks
from rpa_vision.models.branch_rule import BranchQuestion
from rpa_vision.models.frame import Pixels
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import EmbeddingSpaces, Workflow
from rpa_vision.models.workflow_standing import WorkflowStats
from rpa_vision.ports.perception import Vector

OnProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class LearnedWorkflow:
    """A workflow and everything it refers to, not yet stored."""

    workflow: Workflow
    repetitions: int
    vectors: dict[str, Vector] = field(default_factory=dict)
    pictures: dict[str, Pixels] = field(default_factory=dict)
    samples: dict[str, str] = field(default_factory=dict)
    """Pictures of whole screens that are there already, by the id of their screen state: each is to lie at its path."""
    goes: tuple[ShownGo, ...] = ()
    """What it was learned from, one by one."""
    cases: tuple[ShownCase, ...] = ()
    """Which way each go and each round went, and what was seen in it."""
    rows: dict[str, tuple[SeenRow, ...]] = field(default_factory=dict)
    """The rows that were shown, by the edge of their loop."""

    @property
    def questions(self) -> dict[str, BranchQuestion]:
        """What has to be answered before the workflow can be run to its end, by the edge at which it is asked."""
        asked = {}
        for edge in self.workflow.edges:
            if edge.condition is not None and edge.condition.question is not None:
                asked[edge.edge_id] = edge.condition.question
            elif edge.loop is not None and edge.loop.question is not None:
                asked[edge.edge_id] = edge.loop.question
        return asked


@dataclass(frozen=True, slots=True)
class FoundTasks:
    """The tasks of recordings, to be built one by one."""

    tasks: tuple[Task, ...]
    sessions: tuple[RecordedSession, ...]
    detours: tuple[Detour, ...] = ()
    """What interrupted them."""


class GraphBuilder:
    """Builds workflows out of observed sessions in one embedding space."""

    def __init__(self, observe: Observe, space: EmbeddingSpace) -> None:
        self._observe = observe
        self._space = space

    def build_from_sessions(
        self, sessions: Sequence[RecordedSession], *, workflow_id: str, name: str, now: datetime, version: int = 1
    ) -> LearnedWorkflow:
        """Learn the task that explains the most of the sessions; a LearningError says why there is none."""
        found = self.find(sessions)
        return self.build(found, found.tasks[0], workflow_id=workflow_id, name=name, now=now, version=version)

    def find(self, sessions: Sequence[RecordedSession]) -> FoundTasks:
        """Every task that the sessions repeat, those that explain the most first."""
        steps = [step for session in sessions for step in demonstrated_steps(session, self._observe)]
        if not steps:
            raise LearningError("the recordings hold no clicks, keys or text")
        shown = what_is_shown(steps)
        if not shown.tasks.found:
            raise _nothing_repeated(steps, shown.tasks)
        return FoundTasks(tuple(shown.tasks.found), tuple(sessions), shown.detours)

    def build(
        self, found: FoundTasks, task: Task, *, workflow_id: str, name: str, now: datetime, version: int = 1
    ) -> LearnedWorkflow:
        """The workflow of a task that was found."""
        outline = task.outline
        days = _days(outline, found.sessions)
        shown_on = {case: day for cases in days.values() for case, day in cases.items()}
        slots = infer_slots(outline, days)
        add_clipboard(outline, slots)
        sources = read_sources(outline, slots)
        loops = {rounds: draft_loop(rounds, outline, slots, shown_on) for rounds in loops_of(outline.items)}
        decisions = {
            fork: decide(fork, following, outline, slots, sources, shown_on)
            for fork, following in forks_of(outline.items)
        }
        drafts = Flow(sources, decisions).edges(outline.items, lambda place: _is_silent(outline, slots, place))
        writer = NodeWriter(workflow_id, version, self._space)
        nodes = writer.drafts(outline, slots, drafts)
        actions = ActionWriter(workflow_id, version)
        edges = EdgeWriter(outline, slots, nodes, actions, loops).edges(drafts)
        errors = draft_errors(found.detours, outline, nodes, writer, actions)
        ends = [edge.to_node for edge, draft in zip(edges, drafts, strict=True) if draft.following is None]
        workflow = Workflow(
            workflow_id=workflow_id,
            name=name,
            description=f"Learned from {outline.repetitions} repetitions of {len(edges)} steps.",
            version=version,
            created_at=now,
            updated_at=now,
            applications=tuple(sorted(nodes.apps)),
            variables={**slots.variables, **errors.variables},
            entry_nodes=(edges[0].from_node,),
            end_nodes=tuple(dict.fromkeys(ends)),
            nodes=(*nodes.nodes, *errors.nodes),
            edges=(*edges, *errors.edges),
            stats=errors.counted(
                WorkflowStats(
                    observed_runs=outline.repetitions,
                    success_rate_overall=1.0,
                    avg_duration_seconds=_mean_duration_s(outline),
                )
            ),
            embedding_spaces=EmbeddingSpaces(current=self._space.id),
            metadata=_metadata(outline, found.sessions),
        )
        goes, cases = shown_goes(outline, nodes), shown_cases(outline, slots, drafts, edges)
        shown = zip(edges, drafts, strict=True)
        rows = {edge.edge_id: loops[draft.rounds].seen for edge, draft in shown if draft.rounds is not None}
        return LearnedWorkflow(
            workflow, outline.repetitions, nodes.vectors, actions.pictures, nodes.samples, goes, cases, rows
        )


def _nothing_repeated(steps: Sequence[DemoStep], tasks: Tasks) -> LearningError:
    for one in (unfinished for unfinished in tasks.unfinished if unfinished.broken_off):
        missing = MIN_REPETITIONS - one.whole
        return LearningError(
            f"a task was shown {one.whole} times from beginning to end and broken off {one.broken_off} times",
            remedy=f"Show it {missing} more time{'s' if missing > 1 else ''} to its end; half a task is not learned.",
        )
    what = f"no task was repeated at least {MIN_REPETITIONS} times in {len(steps)} recorded steps"
    unseen = sum(not step.was_seen for step in steps)
    if not unseen:
        return LearningError(what)
    return LearningError(
        f"{what}, {unseen} of which teach nothing: their screen came too late, was painted over to keep a secret, "
        "or a key was held down while clicking",
        remedy="Record the task again, without haste and while the machine is not busy with other things.",
    )


def _is_silent(outline: Outline, slots: Slots, place: int) -> bool:
    """Whether a key was pressed with nothing to be seen of it, half of the times at least, and never another screen."""
    steps = outline.places[place].steps
    prepares = place not in slots.copies and place not in slots.texts
    if not prepares or any(step.kind != "key_press" or step.settled is None for step in steps):
        return False
    stayed = all(step.settled and step.settled.state.window.title == step.before.state.window.title for step in steps)
    return stayed and 2 * sum(map(is_idle, steps)) >= len(steps)


def _days(outline: Outline, sessions: Sequence[RecordedSession]) -> dict[int, dict[int, date]]:
    """On which day each case of each place was shown, as the calendar on the wall said it."""
    began = {session.session_id: session.started_at for session in sessions}
    return {
        index: {
            case: (began[step.session_id] + timedelta(seconds=step.t)).astimezone().date()
            for case, step in zip(place.cases, place.steps, strict=True)
        }
        for index, place in enumerate(outline.places)
    }


def _mean_duration_s(outline: Outline) -> float:
    times: dict[int, list[float]] = {go: [] for go in outline.goes}
    for place in outline.places:
        for case, step in zip(place.cases, place.steps, strict=True):
            times[outline.parents.get(case, case)].append(step.t)
    spans = [max(0.0, max(seen) - min(seen)) for seen in times.values() if seen]
    return sum(spans) / len(spans) if spans else 0.0


def _metadata(outline: Outline, sessions: Sequence[RecordedSession]) -> dict[str, JsonValue]:
    told: dict[str, JsonValue] = {"sessions": [session.session_id for session in sessions]}
    if outline.left_out:
        told["goes_left_out"] = outline.left_out
    if outline.rounds_left_out:
        told["rounds_left_out"] = outline.rounds_left_out
    return told
