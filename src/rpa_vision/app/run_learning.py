"""What a run learns while it works: what targets turned out to be (Fiche 18), and how good strategies were (Fiche 10).

Only what the screen proved is written, and only while the terms a step began with allow learning. Trouble with either
store never stops a run: then there is nothing to remember, and trust is as without a past.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping

from rpa_vision.detection.layout_likeness import without_words
from rpa_vision.execution.action_executor import StepOutcome
from rpa_vision.execution.edge_demands import filled_target
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.strategy_weights import StrategyWeights
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.graph.secret_variables import secret_variables
from rpa_vision.learning.target_memory_store import screen_context, target_key
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.learning import FoundTarget, RememberedTarget, TargetMemory, TargetPlace
from rpa_vision.system.precision import PrecisionMetrics

_log = logging.getLogger(__name__)


class RunLearning:
    """Implements `ports.learning.RunMemory` for one workflow, and hears of each step when it is over."""

    def __init__(
        self,
        workflow: Workflow,
        values: Mapping[str, str],
        *,
        memory: TargetMemory | None = None,
        precision: PrecisionMetrics | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self._workflow_id = workflow.workflow_id
        self._values = values
        self._memory = memory
        self._precision = precision
        secret_names = sorted(secret_variables(workflow))
        secret_values = [values[name] for name in secret_names if name in values]
        self._hidden = [value for value in (*secret_values, *(secrets or {}).values()) if value]
        self.lost_memories = 0
        """Questions and answers that the memory could not take."""

    def weights(self) -> StrategyWeights:
        """How far strategies are trusted in this run."""
        return self._precision.weights() if self._precision is not None else StrategyWeights()

    def recall(
        self, edge_id: str, target: TargetSpec, screen: ScreenState, resolution: tuple[int, int]
    ) -> tuple[RememberedTarget, ...]:
        """What the target was on such a screen."""
        place = self._place(edge_id, target, screen, resolution)
        if self._memory is None or place is None:
            return ()
        try:
            return self._memory.recall(place)
        except Exception:
            self.lost_memories += 1
            _log.warning("what %s was before could not be recalled", edge_id, exc_info=True)
            return ()

    def note(self, step: ExecutedStep) -> None:
        """Learn what a step proved, if its terms allow that."""
        terms = step.outcome.terms
        if terms is None or not terms.learning_enabled:
            return
        try:
            if self._precision is not None:
                self._precision.note(self._workflow_id, step)
        except Exception:
            # The step was done and verified: that it could not be counted, for whatever reason, is no fault of it.
            _log.warning("what %s proved could not be counted", step.edge.edge_id, exc_info=True)
        try:
            self._keep_in_mind(step)
        except Exception:
            self.lost_memories += 1
            _log.warning("the target of %s could not be remembered", step.edge.edge_id, exc_info=True)

    def _keep_in_mind(self, step: ExecutedStep) -> None:
        outcome, action = step.outcome, step.edge.action
        if self._memory is None or action is None or action.target is None or outcome.before is None:
            return
        if not isinstance(outcome.resolution, Resolved) or not outcome.input_sent:
            return
        height, width = outcome.before.pixels.shape[:2]
        target, size = filled_target(action.target, self._values), (int(width), int(height))
        place = self._place(step.edge.edge_id, target, outcome.before.state, size)
        found = _found(outcome, outcome.resolution)
        if place is None or found is None or any(secret in found.label for secret in self._hidden):
            return
        if outcome.status is ExecutionStatus.SUCCESS:
            self._memory.remember(place, found, verified=outcome.verified)
        elif outcome.failure_kind is FailureKind.POSTCONDITION_FAILED and outcome.resolution.best.by_memory > 0.0:
            self._memory.forget(place, found.stable_id)  # it misled

    def _place(
        self, edge_id: str, target: TargetSpec, screen: ScreenState, resolution: tuple[int, int]
    ) -> TargetPlace | None:
        layout = screen.layout_signature
        if layout is None or not layout.hash:
            return None
        context = screen_context(layout.hash, resolution)
        return TargetPlace(self._workflow_id, edge_id, target_key(target), context, without_words(layout))


def _found(outcome: StepOutcome, resolution: Resolved) -> FoundTarget | None:
    element = resolution.best.element
    if element.stable_id is None or outcome.before is None:
        return None
    height, width = outcome.before.pixels.shape[:2]
    x1, y1, x2, y2 = element.bbox
    return FoundTarget(
        stable_id=element.stable_id,
        label=element.label,
        type=element.type,
        role=element.role,
        bbox_relative=(x1 / width, y1 / height, x2 / width, y2 / height),
        strategy=resolution.best.strategy,
        score=min(1.0, resolution.best.score),
    )
