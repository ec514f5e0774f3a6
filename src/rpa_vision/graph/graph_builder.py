"""From recordings to a workflow: steps → repeated pattern → variables → nodes and edges.

Nothing is stored here: the workflow comes with the vectors and pictures it refers to, and the caller keeps them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import LearningError
from rpa_vision.graph.demonstration import DemoStep, Observe, demonstrated_steps
from rpa_vision.graph.effects import learned_conditions
from rpa_vision.graph.pattern_finder import find_patterns
from rpa_vision.graph.pattern_miner import MIN_REPETITIONS, Pattern, alike_steps, find_pattern
from rpa_vision.graph.screen_groups import ScreenGroup, group_screens
from rpa_vision.graph.slots import Slots, infer_slots
from rpa_vision.graph.targets import click_offset, place_of, target_of
from rpa_vision.graph.vocabulary import templated, words_of
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetLook
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import (
    EdgeConstraints,
    EdgeStats,
    EmbeddingPrototype,
    EmbeddingSpaces,
    PostConditions,
    ScreenTemplate,
    WindowConstraints,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.models.workflow_standing import WorkflowStats
from rpa_vision.ports.perception import Vector

_MAX_STABLE_TEXTS = 60
_MAX_OCCASIONAL_TEXTS = 200
_POST_CONDITION_TIMEOUT_S = 10.0
_LOOK_PADDING_PX = 4

OnProgress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class LearnedWorkflow:
    """A workflow and everything it refers to, not yet stored."""

    workflow: Workflow
    repetitions: int
    vectors: dict[str, Vector] = field(default_factory=dict)
    pictures: dict[str, Pixels] = field(default_factory=dict)


class GraphBuilder:
    """Builds workflows out of observed sessions in one embedding space."""

    def __init__(self, observe: Observe, space: EmbeddingSpace) -> None:
        self._observe = observe
        self._space = space

    def build_from_sessions(
        self, sessions: Sequence[RecordedSession], *, workflow_id: str, name: str, now: datetime, version: int = 1
    ) -> LearnedWorkflow:
        """Learn the task that the sessions repeat; a LearningError says why there is none."""
        steps = [step for session in sessions for step in demonstrated_steps(session, self._observe)]
        if not steps:
            raise LearningError("the recordings hold no clicks, keys or text")
        pattern = find_pattern(steps, alike_steps) or next(iter(find_patterns(steps, alike_steps)), None)
        if pattern is None:
            raise _nothing_repeated(steps)
        return _Draft(pattern, self._space, workflow_id, version).workflow(name, now)


def _nothing_repeated(steps: Sequence[DemoStep]) -> LearningError:
    what = f"no task was repeated at least {MIN_REPETITIONS} times in {len(steps)} recorded steps"
    unseen = sum(not step.was_seen for step in steps)
    if not unseen:
        return LearningError(what)
    return LearningError(
        f"{what}, {unseen} of which teach nothing: their screen came too late, was painted over to keep a secret, "
        "or a key was held down while clicking",
        remedy="Record the task again, without haste and while the machine is not busy with other things.",
    )


class _Draft:
    """The parts of one workflow while it is put together."""

    def __init__(self, pattern: Pattern, space: EmbeddingSpace, workflow_id: str, version: int) -> None:
        self._pattern = pattern
        self._space = space
        self._workflow_id = workflow_id
        self._version = version
        self._slots: Slots = infer_slots(pattern)
        self._groups, self._assignment = group_screens(pattern, self._slots, space.id)
        self._vectors: dict[str, Vector] = {}
        self._pictures: dict[str, Pixels] = {}

    def workflow(self, name: str, now: datetime) -> LearnedWorkflow:
        nodes = tuple(self._node(index, group) for index, group in enumerate(self._groups))
        edges = tuple(self._edge(position, nodes) for position in range(self._pattern.length))
        repetitions = self._pattern.repetitions
        workflow = Workflow(
            workflow_id=self._workflow_id,
            name=name,
            description=f"Learned from {repetitions} repetitions of {self._pattern.length} steps.",
            version=self._version,
            created_at=now,
            updated_at=now,
            applications=tuple(sorted({app for group in self._groups for app in group.apps if app})),
            variables=self._slots.variables,
            entry_nodes=(edges[0].from_node,),
            end_nodes=(edges[-1].to_node,),
            nodes=nodes,
            edges=edges,
            stats=WorkflowStats(
                observed_runs=repetitions,
                success_rate_overall=1.0,
                avg_duration_seconds=self._mean_duration_s(),
            ),
            embedding_spaces=EmbeddingSpaces(current=self._space.id),
        )
        return LearnedWorkflow(workflow, repetitions, self._vectors, self._pictures)

    def _mean_duration_s(self) -> float:
        spans = [max(0.0, occurrence[-1].t - occurrence[0].t) for occurrence in self._pattern.occurrences]
        return sum(spans) / len(spans)

    def _node(self, index: int, group: ScreenGroup) -> WorkflowNode:
        node_id = f"N{index + 1}"
        vector_id = f"workflows/{self._workflow_id}/prototypes/{node_id}_v{self._version:03d}.npy"
        self._vectors[vector_id] = group.prototype
        stable = {folded(text) for text in group.stable}
        seen = {folded(text) for screen in group.screens for text in words_of(screen.state)}
        return WorkflowNode(
            node_id=node_id,
            label=_node_label(group, node_id),
            screen_template=ScreenTemplate(
                window=WindowConstraints(app_name_any_of=tuple(sorted(app for app in group.apps if app))),
                stable_texts=group.stable[:_MAX_STABLE_TEXTS],
                occasional_texts=tuple(sorted(seen - stable))[:_MAX_OCCASIONAL_TEXTS],
                title_words=tuple(sorted(group.title_words)),
                layout_hashes=_layout_hashes(group.screens),
                embedding_prototype=EmbeddingPrototype(
                    provider=self._space.provider,
                    vector_id=vector_id,
                    min_cosine_similarity=_least_similarity(group),
                    sample_count=len(group.screens),
                    space=self._space,
                ),
            ),
            metadata={
                "observation_count": len(group.screens),
                "has_dialog": any(front_of(screen.state.ui_elements) is not None for screen in group.screens),
            },
        )

    def _edge(self, position: int, nodes: Sequence[WorkflowNode]) -> WorkflowEdge:
        steps = self._pattern.position(position)
        edge_id = f"E{position + 1}"
        to_index = self._assignment[min(position + 1, len(self._assignment) - 1)]
        from_node, to_node = nodes[self._assignment[position]].node_id, nodes[to_index].node_id
        repetitions = self._pattern.repetitions
        action = self._action(position, edge_id, steps)
        return WorkflowEdge(
            edge_id=edge_id,
            from_node=from_node,
            to_node=to_node,
            action=action,
            constraints=EdgeConstraints(),
            post_conditions=PostConditions(
                expected_node=to_node,
                timeout_seconds=_POST_CONDITION_TIMEOUT_S,
                conditions=self._conditions(position, steps, leads_elsewhere=to_node != from_node),
            ),
            stats=EdgeStats(manual_executions=repetitions, success_count=repetitions),
            metadata={"order": position},
        )

    def _conditions(self, position: int, steps: Sequence[DemoStep], *, leads_elsewhere: bool) -> tuple[str, ...]:
        if steps[0].kind == "text_input":
            text = self._slots.texts.get(position)
            return (f"field_contains:{text}",) if text is not None else ("target_changed",)
        return learned_conditions(steps, self._slots, leads_elsewhere=leads_elsewhere)

    def _action(self, position: int, edge_id: str, steps: Sequence[DemoStep]) -> Action:
        last = steps[-1]
        if last.kind == "key_press":
            return Action(type="key_press", keys=last.keys)
        if last.kind == "scroll":
            return Action(type="scroll", parameters=ActionParameters(scroll=last.scroll or (0, 1)))
        target = None
        if last.point is not None:
            label = self._slots.labels.get(position)
            look = None if label is not None and "${" in label else self._look(edge_id, last)
            rows = self._slots.rows.get(position, ())
            target = target_of(steps, label=label, row_contains=rows, look=look)
        if last.kind == "text_input":
            parameters = ActionParameters(
                text=self._slots.texts.get(position),
                secret_ref=last.secret_ref,
                replace_existing=_replaces(steps),
                click_offset=click_offset(steps),
            )
            return Action(type="text_input", target=target, parameters=parameters)
        if last.kind == "drag":
            return Action(type="drag", target=target, parameters=ActionParameters(drag_offset=_drag_offset(last)))
        parameters = ActionParameters(
            button=_button(last.button), click_count=min(3, last.clicks), click_offset=click_offset(steps)
        )
        return Action(type="mouse_click", target=target, parameters=parameters)

    def _look(self, edge_id: str, step: DemoStep) -> TargetLook | None:
        height, width = step.before.pixels.shape[:2]
        box = place_of(step).padded(_LOOK_PADDING_PX).clamped(int(width), int(height))
        if box is None or box.area > 0.1 * width * height:
            return None
        path = f"workflows/{self._workflow_id}/targets/{edge_id}_v{self._version:03d}.png"
        self._pictures[path] = step.before.pixels[box.y1 : box.y2, box.x1 : box.x2].copy()
        return TargetLook(image_path=path, size=(box.width, box.height), dominant_color=_colour(step))


def _replaces(steps: Sequence[DemoStep]) -> bool:
    """Once is enough in a field of one line; where a whole text could be lost, it must have been so every time."""
    one_line = all(step.element is not None and step.element.type == "text_input" for step in steps)
    return any(step.replaces for step in steps) if one_line else all(step.replaces for step in steps)


def _button(name: str) -> Literal["left", "middle", "right"]:
    return "middle" if name == "middle" else "right" if name == "right" else "left"


def _colour(step: DemoStep) -> str | None:
    features = step.element.visual_features if step.element is not None else None
    return features.dominant_color if features is not None else None


def _drag_offset(step: DemoStep) -> tuple[int, int]:
    start, end = step.point or (0, 0), step.end_point or step.point or (0, 0)
    return (end[0] - start[0], end[1] - start[1])


def _layout_hashes(screens: Sequence[ObservedScreen]) -> tuple[str, ...]:
    hashes = {screen.state.layout_signature.hash for screen in screens if screen.state.layout_signature is not None}
    return tuple(sorted(hashes))


def _least_similarity(group: ScreenGroup) -> float:
    """How far the demonstrated screens were from their own prototype."""
    least = min(float(group.prototype @ screen.vector) for screen in group.screens)
    return round(max(-1.0, min(1.0, least)), 4)


def _node_label(group: ScreenGroup, node_id: str) -> str:
    """What a person would call the screen: its dialog, its largest heading that never changes, or its window title."""
    stable = {folded(text) for text in group.stable}
    named = [element for element in group.screens[0].state.ui_elements if folded(element.label) in stable]
    for kind in ("dialog", "heading"):
        found = [element for element in named if element.type == kind]
        if found:
            return max(found, key=lambda element: (Box.of(element.bbox).height, element.label)).label
    title = templated(group.screens[0].state.window.title, group.values[0])
    return re.sub(r"\$\{\w+\}", "…", title).replace("$$", "$") or node_id
