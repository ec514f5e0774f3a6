"""A run under supervision: everything it needs is put together, executed, learned from and told.

If a step's result has the supervisor restore an earlier version, the run goes on with that one, once, where that is
safe (`going_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from pydantic import JsonValue

from rpa_vision.app.going_on import had_no_effect, next_step
from rpa_vision.app.run_learning import RunLearning
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.app.sentences import step_sentence
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.spaces import require_same_space
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.action_executor import ActionExecutor, StepOutcome
from rpa_vision.execution.execution_loop import ExecutedStep, ExecutionLoop, RunOutcome, in_order
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.strategy_weights import element_key
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.execution.watchdog import WatchedSupervisor
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.imaging.codec import decode
from rpa_vision.models.auto_heal import DisplayGeometry
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.frame import Pixels
from rpa_vision.models.raw_session import Environment, ScreenEnvironment
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.ports.supervision import RunContext, Supervisor
from rpa_vision.system.failure_evidence import StepEvidence, resolver_settings

_T = TypeVar("_T")

_STEP_TIMEOUT_S = 120.0
_ASSIST_PATIENCE_S = 180.0
"""A person may take that long for a step before we stop guiding."""


class SupervisedRun:
    """One run on one desktop, from its first step to its last."""

    def __init__(
        self,
        request: RunRequest,
        values: Mapping[str, str],
        tools: RunTools,
        hooks: RunHooks,
        run_id: str,
        *,
        act: bool,
        may_act: Callable[[Workflow], bool],
    ) -> None:
        """`may_act` says whether a restored version may be run alone too."""
        self.workflow = request.workflow
        """What is being run: the workflow asked for, or what a rollback restored."""
        self.outcome = RunOutcome()
        self.rolled_back_to: int | None = None
        self._values = values
        self._tools = tools
        self._hooks = hooks
        self._act = act
        self._may_act = may_act
        self._screen_timeout_s = request.screen_timeout_s
        self._restored: list[str] = []
        self._context = RunContext(run_id, request.workflow.version, self._restored.append)
        self._gate = InputGate()
        self._desktop = GuardedDesktop(tools.desktop, self._gate)
        self._sight = Sight(self._desktop.eyes, tools.observer, tools.clock, tools.ids)

    def execute(self) -> None:
        """Run; `outcome` is filled in as it goes."""
        workflow_id = self.workflow.workflow_id
        self._tell_drift()
        with WatchedSupervisor(
            self._tools.supervisor(self._context),
            self._gate,
            self._tools.clock,
            workflow_id=workflow_id,
            step_timeout_s=_STEP_TIMEOUT_S if self._act else _ASSIST_PATIENCE_S + _STEP_TIMEOUT_S,
            by_person=not self._act,
        ) as supervisor:
            try:
                self._run_from(0, supervisor)
            except RpaVisionError:
                if not self._restored:
                    raise
            if not self._restored or self.outcome.status not in ("halted", "failed"):
                return
            first = self._place_to_go_on()
            if first is not None:
                self.outcome.status, self.outcome.reason = "success", ""
                self._run_from(first, supervisor)

    def _run_from(self, first: int, supervisor: WatchedSupervisor) -> None:
        workflow, tools, values = self.workflow, self._tools, self._values
        learning = RunLearning(workflow, values, memory=tools.memory, precision=tools.precision, secrets=tools.secrets)
        index, damage = _index_or_damage(workflow, tools)
        matcher = NodeMatcher(workflow, index)
        resolver, looks = TargetResolver(weights=learning.weights()), _Looks(tools.data)
        executor = ActionExecutor(
            self._desktop,
            self._sight,
            matcher,
            resolver,
            tools.clock,
            looks=looks.get,
            secrets=tools.secrets,
            safety_rules=workflow.safety_rules,
            before_input=lambda edge, step: tools.audit.append(
                "input_decided", _decision(self._context.run_id, workflow, edge, step)
            ),
            workflow_id=workflow.workflow_id,
            memory=learning,
            confirmer=tools.confirmer,
        )

        def after_step(step: ExecutedStep) -> None:
            if step.error is None and self._may_learn(supervisor):
                learning.note(step)
            self._hooks.on_step(step)

        def make_ready() -> None:
            if damage is not None:
                raise damage

        def hand_over(step: ExecutedStep) -> None:
            if self._act:
                tools.on_failure(self._evidence(step, looks, resolver))

        def hear_margin(edge: WorkflowEdge, margin: float) -> None:
            if self._act:
                tools.on_node_match(workflow.workflow_id, edge.edge_id, margin)

        loop = ExecutionLoop(
            workflow,
            self._sight,
            matcher,
            executor,
            supervisor,
            tools.clock,
            on_step=after_step,
            before_step=lambda edge: self._hooks.on_begin(edge, step_sentence(edge, values)),
            may_go_on=self._may_go_on,
            on_failure=hand_over,
            is_outdated=lambda: bool(self._restored),
            on_match=hear_margin,
            make_ready=make_ready,
            locate_timeout_s=self._screen_timeout_s,
        )
        patience_s = None if self._act else _ASSIST_PATIENCE_S
        loop.run(values, self.outcome, act=self._act, patience_s=patience_s, first=first)

    def _may_go_on(self) -> bool:
        return self._hooks.may_go_on() and self._gate.is_open

    def _may_learn(self, supervisor: Supervisor) -> bool:
        """Asked anew after each result: what was restored stays as it was restored, to the end of the run."""
        rolled_back = self._restored or self.rolled_back_to is not None
        return not rolled_back and supervisor.still_learns(self.workflow.workflow_id)

    def _place_to_go_on(self) -> int | None:
        """Take the restored version up where the failed step was, or say in the outcome why not."""
        restored, former = self._tools.data.workflows.load(self.workflow.workflow_id), self.workflow
        number, why = self._safe_place(restored)
        if number is None:
            self.outcome.reason += f"; version {restored.version} was restored, but {why}"
            return None
        self._tools.audit.append(
            "run_goes_on",
            {
                "run_id": self._context.run_id,
                "workflow_id": restored.workflow_id,
                "from_version": former.version,
                "to_version": restored.version,
                "step_id": in_order(restored)[number].edge_id,
            },
        )
        self.workflow, self.rolled_back_to = restored, restored.version
        self._context.workflow_version = restored.version
        self._restored.clear()
        return number

    def _safe_place(self, restored: Workflow) -> tuple[int | None, str]:
        if not self._act or not self._may_go_on():
            return None, "the run was stopped"
        if not self._may_act(restored):
            return None, "it may not run alone"
        if restored.version > self.workflow.version:
            return None, "it was learned meanwhile"
        last = self.outcome.steps[-1] if self.outcome.steps else None
        number = next_step(last, self.workflow, restored)
        if number is None:
            return None, "what was done so far is not what it would have done"
        if last is not None and last.outcome.input_sent and last.outcome.status is not ExecutionStatus.SUCCESS:
            again, screen = in_order(restored)[number], self._sight.look()
            matcher = NodeMatcher(restored, prototype_index(restored, self._tools))
            location = matcher.locate(screen, last.outcome.terms)
            if not had_no_effect(last, again, screen, location, self._sight, self._tools.clock):
                return None, "the input of the failed step may have had an effect"
        return number, ""

    def _evidence(self, step: ExecutedStep, looks: _Looks, resolver: TargetResolver) -> StepEvidence:
        target = step.edge.action.target if step.edge.action is not None else None
        element = element_key(self.workflow.workflow_id, step.edge.edge_id, target) if target is not None else None
        return StepEvidence(
            step,
            self.workflow,
            self._values,
            look=_if_it_can_be(lambda: looks.of(step.edge)),
            secrets=self._tools.secrets,
            settings=resolver_settings(weights=resolver.weights, element=element),
            resolver=resolver,
            permission=step.permission,
            environment=_if_it_can_be(self._environment),
            run_id=self._context.run_id,
        )

    def _environment(self) -> Environment:
        info = self._tools.desktop.eyes.info()
        screen = ScreenEnvironment(primary_resolution=info.resolution, scale=info.scale, monitors=info.monitors)
        return Environment(platform=info.platform, hostname=self._tools.hostname, screen=screen)

    def _tell_drift(self) -> None:
        """Say when this screen is not the one of the recording."""
        places = (
            edge.action.target.place
            for edge in self.workflow.edges
            if edge.action is not None and edge.action.target is not None
        )
        place = next((one for one in places if one is not None), None)
        if place is not None:
            live = self._tools.desktop.eyes.info()
            self._tools.on_drift(
                self.workflow.workflow_id,
                DisplayGeometry(*place.screen_resolution, place.screen_scale),
                DisplayGeometry(*live.resolution, live.scale),
            )


def _decision(run_id: str, workflow: Workflow, edge: WorkflowEdge, step: StepOutcome) -> dict[str, JsonValue]:
    """What is about to be done and why, for the audit trail."""
    resolved = step.resolution if isinstance(step.resolution, Resolved) else None
    best = resolved.best if resolved is not None else None
    second = resolved.runner_up if resolved is not None else None
    return {
        "run_id": run_id,
        "workflow_id": workflow.workflow_id,
        "step_id": edge.edge_id,
        "action": edge.action.type if edge.action is not None else None,
        "point": list(step.point) if step.point is not None else None,
        "target": best.element.label if best is not None else None,
        "bbox": list(best.element.bbox) if best is not None else None,
        "strategy": best.strategy if best is not None else None,
        "score": best.score if best is not None else None,
        "runner_up_score": second.score if second is not None else None,
        "read_again": [
            {"text": check.wanted, "verdict": check.verdict, "confidence": round(check.confidence, 3)}
            for check in (step.reread.checks if step.reread is not None else ())
        ],
    }


def prototype_index(workflow: Workflow, tools: RunTools) -> FAISSManager:
    """The index of the workflow's prototypes, rebuilt from the vectors on disk."""
    space = tools.observer.embedder.space
    dimensions = space.dimensions or 0
    index = tools.new_index(workflow.workflow_id, space)
    for node in workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        if prototype is not None:
            require_same_space(prototype.space_id, space.id)
            vector = tools.data.vectors.load(prototype.vector_id, dimensions=dimensions)
            index.add_embedding(vector, {"workflow_id": workflow.workflow_id, "node_id": node.node_id})
    return index


def _index_or_damage(workflow: Workflow, tools: RunTools) -> tuple[FAISSManager, RpaVisionError | None]:
    """The index; or an empty one, and what is wrong with the prototypes. A bad update may be, so it has to be told."""
    try:
        return prototype_index(workflow, tools), None
    except RpaVisionError as error:
        return tools.new_index(workflow.workflow_id, tools.observer.embedder.space), error


def _if_it_can_be(found: Callable[[], _T]) -> _T | None:
    """A piece of evidence, or None: what broke the step may keep it from being had."""
    try:
        return found()
    except RpaVisionError:
        return None


class _Looks:
    """Recorded pictures of targets, read once."""

    def __init__(self, data: DataDirectory) -> None:
        self._data = data
        self._known: dict[str, Pixels] = {}

    def of(self, edge: WorkflowEdge) -> Pixels | None:
        target = edge.action.target if edge.action is not None else None
        return self.get(target.look.image_path) if target is not None and target.look is not None else None

    def get(self, path: str) -> Pixels | None:
        if path not in self._known:
            self._known[path] = decode(self._data.pictures.load(path))
        return self._known[path]
