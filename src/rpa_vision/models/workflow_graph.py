"""Layer 4, Workflow: screens as nodes, actions as edges, and everything a run must know about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self, get_args

from pydantic import AliasChoices, AwareDatetime, BeforeValidator, Field, JsonValue, StringConstraints, model_validator

from rpa_vision.models.action import Action
from rpa_vision.models.document import Document, JsonObject, Part
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.models.variables import VARIABLE_NAME, Variable, variables_in
from rpa_vision.models.vector_ref import DataPath

SCHEMA_VERSION: Final = "workflow_v1"
ANY_NODE = "ANY"

LearningStateName = Literal["OBSERVATION", "COACHING", "AUTO_CANDIDATE", "AUTO_CONFIRMÉ"]
AUTO_CONFIRMED: LearningStateName = "AUTO_CONFIRMÉ"
LEARNING_STATES: Final[tuple[LearningStateName, ...]] = get_args(LearningStateName)
"""From the least mature to the most."""
LearningState = Annotated[
    LearningStateName, BeforeValidator(lambda value: AUTO_CONFIRMED if value == "AUTO_CONFIRMED" else value)
]
ErrorType = Literal["generic", "authentication", "business_logic", "network", "timeout", "ui_not_found"]


class WindowConstraints(Part):
    """Which windows a screen may belong to."""

    app_name_any_of: tuple[str, ...] = ()
    title_contains_any_of: tuple[str, ...] = ()


class UIElementConstraint(Part):
    """An element a screen must or may have."""

    role: str
    type_any_of: tuple[ElementType, ...] = ()
    label: str | None = None
    min_count: int = Field(default=1, ge=1)


class EmbeddingPrototype(Part):
    """The typical fingerprint of a node's screens."""

    provider: str = ""
    vector_id: DataPath
    min_cosine_similarity: float = Field(ge=-1.0, le=1.0)
    sample_count: int = Field(default=1, ge=1)
    space: EmbeddingSpace | None = None

    @property
    def space_id(self) -> str:
        """The space of the vector; one that names only its provider lies in the space of that provider."""
        return self.space.id if self.space is not None else self.provider


class ScreenTemplate(Part):
    """What all screens of a node have in common."""

    window: WindowConstraints = WindowConstraints()
    required_text_any: tuple[str, ...] = ()
    stable_texts: tuple[str, ...] = Field(default=(), description="texts seen on every demonstrated screen of the node")
    occasional_texts: tuple[str, ...] = Field(default=(), description="texts seen on some of its screens only")
    title_words: tuple[str, ...] = Field(default=(), description="words all its window titles share, folded")
    layout_hashes: tuple[str, ...] = ()
    required_ui_elements: tuple[UIElementConstraint, ...] = ()
    optional_elements: tuple[UIElementConstraint, ...] = ()
    embedding_prototype: EmbeddingPrototype | None = None


class RecoveryAction(Part):
    """A way out of an error screen: a named one, another workflow, or steps."""

    action: str
    return_to_node: Id | None = None
    workflow_id: Id | None = None
    steps: tuple[Action, ...] | None = None


class WorkflowNode(Part):
    """One screen of the workflow."""

    node_id: Id
    label: str
    description: str = ""
    screen_template: ScreenTemplate
    is_error_node: bool = False
    error_type: ErrorType | None = None
    recovery_actions: tuple[RecoveryAction, ...] = ()
    metadata: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _errors_have_a_type(self) -> Self:
        if self.is_error_node and self.error_type is None:
            raise ValueError("error_type: an error node needs one")
        return self


class EdgeConstraints(Part):
    """When an edge may be taken."""

    max_delay_seconds: float | None = Field(default=None, gt=0)
    pre_conditions: tuple[str, ...] = ()
    post_conditions: tuple[str, ...] = ()


class PostConditions(Part):
    """What must be true after the action, and for how long we wait for it."""

    expected_node: Id | None = None
    min_similarity: UnitInterval = 0.85
    timeout_seconds: float = Field(default=5.0, gt=0)
    conditions: tuple[str, ...] = Field(default=(), description="each in the grammar of docs/conditions.md")


class EdgeCondition(Part):
    """A fork: which way, depending on variables or on the screen."""

    type: Literal["expression", "screen_similarity"]
    expression: str | None = None
    on_true: Id | None = None
    on_false: Id | None = None
    target_node: Id | None = None
    min_similarity: UnitInterval | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.type == "expression" and not self.expression:
            raise ValueError("expression: an expression condition needs one")
        if self.type == "screen_similarity" and not self.target_node:
            raise ValueError("target_node: a screen_similarity condition needs one")
        return self


class Loop(Part):
    """The same steps for each row of a list."""

    type: Literal["for_each"]
    iterator: str
    filter: str | None = None
    max_iterations: int = Field(ge=1)
    variable_binding: dict[str, str] = {}


class EdgeStats(Part):
    """What came of the edge so far."""

    manual_executions: int = Field(default=0, ge=0)
    assist_executions: int = Field(default=0, ge=0)
    auto_executions: int = Field(default=0, ge=0)
    success_count: int = Field(default=0, ge=0)
    failure_count: int = Field(default=0, ge=0)
    consecutive_failures: int = Field(default=0, ge=0)
    avg_execution_time_ms: float | None = Field(default=None, ge=0)


class WorkflowEdge(Part):
    """From one screen to the next by one action."""

    edge_id: Id
    from_node: Id
    to_node: Id
    action: Action | None = None
    constraints: EdgeConstraints | None = None
    post_conditions: PostConditions | None = None
    condition: EdgeCondition | None = None
    loop: Loop | None = None
    priority: int = 0
    trigger: Literal["unexpected_screen"] | None = None
    stats: EdgeStats = EdgeStats()
    metadata: dict[str, JsonValue] = {}


class SafetyRules(Part):
    """What is never done, and what is asked about first."""

    forbidden_text_clicks: tuple[str, ...] = ()
    forbidden_roles: tuple[str, ...] = ()
    require_confirmation_for: tuple[str, ...] = ()


class ErrorTransition(Part):
    """How often a screen led to an error."""

    from_node: Id
    to_node: Id
    count: int = Field(ge=1)


class WorkflowStats(Part):
    """What came of the workflow so far. `success_rate` is accepted for `success_rate_overall`."""

    observed_runs: int = Field(default=0, ge=0)
    assist_runs: int = Field(default=0, ge=0)
    auto_candidate_runs: int = Field(default=0, ge=0)
    auto_confirmed_runs: int = Field(default=0, ge=0)
    total_executions: int = Field(default=0, ge=0)
    success_count: int = Field(default=0, ge=0)
    failure_count: int = Field(default=0, ge=0)
    error_count: int = Field(default=0, ge=0)
    errors_by_type: dict[ErrorType, int] = {}
    error_transitions: tuple[ErrorTransition, ...] = ()
    recovery_success_rate: UnitInterval | None = None
    success_rate_overall: UnitInterval | None = Field(
        default=None, validation_alias=AliasChoices("success_rate_overall", "success_rate")
    )
    avg_similarity: float | None = Field(default=None, ge=-1.0, le=1.0)
    recent_confidence: UnitInterval | None = None
    avg_duration_seconds: float | None = Field(default=None, ge=0)


class LearningThresholds(Part):
    """How many runs each step of maturity asks for."""

    min_observed_runs_for_coaching: int = Field(default=5, ge=1)
    min_assist_runs_for_auto_candidate: int = Field(default=10, ge=1)
    min_auto_candidate_runs_for_auto_confirmed: int = Field(default=20, ge=1)


class Progression(Part):
    """How far it is to the next level."""

    current_phase: LearningState
    progress_percent: float = Field(ge=0.0, le=100.0)
    next_phase: LearningState | None = None


class LearningConfig(Part):
    """How mature the workflow is."""

    state: LearningState = "OBSERVATION"
    thresholds: LearningThresholds = LearningThresholds()
    progression: Progression | None = None


class EmbeddingSpaces(Part):
    """The spaces the workflow's prototypes live in."""

    current: Id
    legacy: tuple[Id, ...] = ()
    migration_status: Literal["none", "in_progress", "done", "failed"] = "none"
    migration_progress: UnitInterval | None = None


class PolicyCell(Part):
    """What is allowed in one mode at one level."""

    allowed_actions: tuple[str, ...]
    user_interaction: str
    reason: str | None = None
    pause_on_anomaly: bool | None = None
    rollback_on_error: bool | None = None


class ExecutionPolicy(Part):
    """What each mode may do at each level. It may only narrow what the general table allows."""

    shadow_mode: PolicyCell
    assist_mode: dict[LearningState, PolicyCell] = {}
    auto_mode: dict[LearningState, PolicyCell] = {}


VariableName = Annotated[str, StringConstraints(pattern=VARIABLE_NAME)]


class Workflow(Document):
    """A whole workflow. No reference in it dangles."""

    schema_version: Literal["workflow_v1"] = SCHEMA_VERSION
    workflow_id: Id
    name: str
    description: str = ""
    version: int = Field(default=1, ge=1)
    learning_state: LearningState = "OBSERVATION"
    created_at: AwareDatetime
    updated_at: AwareDatetime
    applications: tuple[str, ...] = ()
    variables: dict[VariableName, Variable] = {}
    entry_nodes: tuple[Id, ...]
    end_nodes: tuple[Id, ...]
    nodes: tuple[WorkflowNode, ...]
    edges: tuple[WorkflowEdge, ...]
    safety_rules: SafetyRules = SafetyRules()
    stats: WorkflowStats = WorkflowStats()
    learning: LearningConfig = LearningConfig()
    embedding_spaces: EmbeddingSpaces | None = None
    execution_policy: ExecutionPolicy | None = None
    metadata: dict[str, JsonValue] = {}

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        """The level is written in two places; where only one is given, it stands for both."""
        learning = data.get("learning", {})
        if not isinstance(learning, dict):
            return data
        state = data.get("learning_state", learning.get("state"))
        if state is None:
            return data
        return {**data, "learning_state": data.get("learning_state", state), "learning": {"state": state, **learning}}

    @model_validator(mode="after")
    def _nothing_dangles(self) -> Self:
        node_ids = [node.node_id for node in self.nodes]
        edge_ids = [edge.edge_id for edge in self.edges]
        for what, ids in (("nodes", node_ids), ("edges", edge_ids)):
            if len(set(ids)) != len(ids):
                raise ValueError(f"{what}: two have the same id")
        if ANY_NODE in node_ids:
            raise ValueError(f"nodes: {ANY_NODE!r} is not a node, it stands for all of them")
        for where, wanted in self._node_references():
            if wanted not in node_ids:
                raise ValueError(f"{where}: there is no node {wanted!r}")
        for where, template in self._templates():
            try:
                unknown = variables_in(template) - self.variables.keys()
            except ValueError as error:
                raise ValueError(f"{where}: not a valid template: {error}") from error
            if unknown:
                raise ValueError(f"{where}: there is no variable {sorted(unknown)[0]!r}")
        if self.learning.state != self.learning_state:
            raise ValueError(f"learning.state: is {self.learning.state}, but learning_state is {self.learning_state}")
        if self.updated_at < self.created_at:
            raise ValueError("updated_at: is before created_at")
        return self

    def get_node(self, node_id: str) -> WorkflowNode | None:
        """The node with that id."""
        return next((node for node in self.nodes if node.node_id == node_id), None)

    def get_edge(self, edge_id: str) -> WorkflowEdge | None:
        """The edge with that id."""
        return next((edge for edge in self.edges if edge.edge_id == edge_id), None)

    def get_outgoing_edges(self, node_id: str) -> list[WorkflowEdge]:
        """The edges that leave a node, the most urgent first."""
        leaving = [edge for edge in self.edges if edge.from_node == node_id]
        return sorted(leaving, key=lambda edge: -edge.priority)

    def actions(self) -> Iterator[tuple[str, Action]]:
        """Every action, also inside compound ones and ways out of errors, and where it stands."""
        for edge in self.edges:
            if edge.action is not None:
                yield from ((f"edges.{edge.edge_id}.action", action) for action in _flattened(edge.action))
        for node in self.nodes:
            for recovery in node.recovery_actions:
                for step in recovery.steps or ():
                    yield from ((f"nodes.{node.node_id}.recovery_actions", action) for action in _flattened(step))

    def _node_references(self) -> Iterator[tuple[str, str]]:
        for name in ("entry_nodes", "end_nodes"):
            yield from ((name, node_id) for node_id in getattr(self, name))
        for node in self.nodes:
            for recovery in node.recovery_actions:
                if recovery.return_to_node is not None:
                    yield f"nodes.{node.node_id}.recovery_actions", recovery.return_to_node
        for edge in self.edges:
            here = f"edges.{edge.edge_id}"
            if edge.from_node != ANY_NODE:
                yield f"{here}.from_node", edge.from_node
            yield f"{here}.to_node", edge.to_node
            if edge.post_conditions is not None and edge.post_conditions.expected_node is not None:
                yield f"{here}.post_conditions.expected_node", edge.post_conditions.expected_node
            if edge.condition is not None:
                for name in ("on_true", "on_false", "target_node"):
                    wanted = getattr(edge.condition, name)
                    if wanted is not None:
                        yield f"{here}.condition.{name}", wanted
        for index, transition in enumerate(self.stats.error_transitions):
            yield f"stats.error_transitions.{index}.from_node", transition.from_node
            yield f"stats.error_transitions.{index}.to_node", transition.to_node

    def _templates(self) -> Iterator[tuple[str, str]]:
        for where, action in self.actions():
            if action.parameters.text is not None:
                yield f"{where}.parameters.text", action.parameters.text
            if action.target is not None:
                yield from ((f"{where}.target", text) for text in _target_templates(action.target))


def _flattened(action: Action) -> Iterator[Action]:
    yield action
    for step in action.steps or ():
        yield from _flattened(step)


def _target_templates(target: TargetSpec) -> Iterator[str]:
    if target.label is not None:
        yield target.label
    yield from target.row_contains
