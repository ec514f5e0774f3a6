"""Layer 4, Workflow: screens as nodes, actions as edges, and everything a run must know about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Final, Literal, Self

from pydantic import AwareDatetime, Field, JsonValue, StringConstraints, model_validator

from rpa_vision.errors import ExpressionError
from rpa_vision.models.action import Action
from rpa_vision.models.branch_rule import BranchQuestion
from rpa_vision.models.document import Document, JsonObject, Part
from rpa_vision.models.expression import parse
from rpa_vision.models.geometry import UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.perception import Perception
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.models.variables import VARIABLE_NAME, Variable, variables_in
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_standing import ErrorType, ExecutionPolicy, LearningConfig, LearningState, WorkflowStats

SCHEMA_VERSION: Final = "workflow_v1"
ANY_NODE = "ANY"
END: Final = "END"
"""In place of an edge's id: the run is done."""


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


class ScreenSample(Part):
    """A screen of the node as it was demonstrated: what its fingerprint can be computed from again."""

    image_path: DataPath
    window: WindowContext = WindowContext()


class EmbeddingPrototype(Part):
    """The typical fingerprint of a node's screens."""

    provider: str = ""
    vector_id: DataPath
    min_cosine_similarity: float = Field(ge=-1.0, le=1.0)
    sample_count: int = Field(default=1, ge=1)
    space: EmbeddingSpace | None = None
    samples: tuple[ScreenSample, ...] = Field(default=(), description="a few of its screens, for another space")

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


def _check_expression(where: str, expression: str | None) -> None:
    try:
        if expression is not None:
            parse(expression)
    except ExpressionError as error:
        raise ValueError(f"{where}: {error}") from error


class EdgeCondition(Part):
    """A fork: which way, depending on variables or on the screen.

    Where the expression does not hold, the run goes on with `else_edge`, or from the screen `on_false`. Where nobody
    knows yet what decides, there is a `question` instead of an expression, and a run stops there.
    """

    type: Literal["expression", "screen_similarity"]
    expression: str | None = None
    on_true: Id | None = None
    on_false: Id | None = None
    target_node: Id | None = None
    min_similarity: UnitInterval | None = None
    else_edge: Id | None = Field(default=None, description="the step taken instead, or END")
    question: BranchQuestion | None = Field(default=None, description="what a person has to answer first")

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if self.type == "expression" and bool(self.expression) == (self.question is not None):
            raise ValueError("expression: an expression condition needs one, or else a question")
        _check_expression("expression", self.expression)
        if self.type == "screen_similarity" and not self.target_node:
            raise ValueError("target_node: a screen_similarity condition needs one")
        return self


class Loop(Part):
    """The same steps for each row of a list, from the edge that bears the loop to `last_edge`.

    `variable_binding` says which cell of the row is which variable, by column header: `{"number": "row.N° facture"}`.
    `filter` is an expression over these variables. Where nobody knows yet which rows are meant, there is a `question`
    instead, and a run stops there.
    """

    type: Literal["for_each"]
    iterator: str
    filter: str | None = None
    max_iterations: int = Field(ge=1)
    variable_binding: dict[str, str] = {}
    last_edge: Id | None = Field(default=None, description="the last step of a round; without it, the loop's own")
    next_page: Action | None = Field(default=None, description="how more rows are shown, when there are none left")
    question: BranchQuestion | None = Field(default=None, description="what a person has to answer first")

    @model_validator(mode="after")
    def _filter_is_an_expression(self) -> Self:
        _check_expression("filter", self.filter)
        return self


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
    next_edge: Id | None = Field(
        default=None,
        description="the step that follows, or END; without it, the next in order that begins where this ends",
    )
    stats: EdgeStats = EdgeStats()
    metadata: dict[str, JsonValue] = {}


class SafetyRules(Part):
    """What is never done, and what is asked about first."""

    forbidden_text_clicks: tuple[str, ...] = ()
    forbidden_roles: tuple[str, ...] = ()
    require_confirmation_for: tuple[str, ...] = ()


class EmbeddingSpaces(Part):
    """The spaces the workflow's prototypes live in, and have lived in."""

    current: Id = Field(description="the space of the prototypes that answer now")
    target: Id | None = Field(default=None, description="the space that a migration in progress leads to")
    legacy: tuple[Id, ...] = ()
    migration_status: Literal["none", "in_progress", "done", "failed"] = "none"
    migration_progress: UnitInterval | None = None
    calibration: tuple[tuple[float, UnitInterval], ...] = Field(
        default=(),
        description="what a cosine is worth in `current`, measured on the samples; empty where the space has its own",
    )


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
    learned_with: tuple[Perception, ...] = Field(
        default=(), description="who saw the screens it was learned from; empty where that is not known"
    )
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
        if END in edge_ids:
            raise ValueError(f"edges: {END!r} is not an edge, it stands for the end of the run")
        for where, wanted in self._node_references():
            if wanted not in node_ids:
                raise ValueError(f"{where}: there is no node {wanted!r}")
        for where, wanted in self._edge_references():
            if wanted not in edge_ids:
                raise ValueError(f"{where}: there is no edge {wanted!r}")
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
            if edge.loop is not None and edge.loop.next_page is not None:
                yield from ((f"edges.{edge.edge_id}.loop.next_page", it) for it in _flattened(edge.loop.next_page))
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

    def _edge_references(self) -> Iterator[tuple[str, str]]:
        for edge in self.edges:
            wanted = {
                "next_edge": edge.next_edge,
                "condition.else_edge": edge.condition.else_edge if edge.condition is not None else None,
                "loop.last_edge": edge.loop.last_edge if edge.loop is not None else None,
            }
            for name, edge_id in wanted.items():
                if edge_id is not None and (edge_id != END or name == "loop.last_edge"):
                    yield f"edges.{edge.edge_id}.{name}", edge_id

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
    yield from target.whereabouts
