"""What a run is made of: what somebody asked for, what it needs, and who wants to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_runner import LOCATE_TIMEOUT_S
from rpa_vision.models.auto_heal import DisplayGeometry
from rpa_vision.models.execution import RunMode
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.learning import TargetMemory
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.ports.supervision import RunContext, Supervisor
from rpa_vision.system.failure_evidence import StepEvidence
from rpa_vision.system.precision import PrecisionMetrics


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What somebody wants run."""

    workflow: Workflow
    parameters: Mapping[str, str]
    mode: RunMode = "assist"
    authorised_because: str | None = None
    screen_timeout_s: float = LOCATE_TIMEOUT_S
    """How long the screen of a step is waited for."""
    from_here: bool = False
    """Begin with the step that the screen shown now says is due."""
    triggered_by: str | None = None
    """The run inside which this one gets out of an error."""
    depth: int = 0
    """How many runs this one is inside of."""


@dataclass(frozen=True, slots=True)
class RunTools:
    """What a run needs."""

    data: DataDirectory
    observer: ScreenObserver
    desktop: Desktop
    audit: AuditLog
    clock: Clock
    ids: Ids
    new_index: Callable[[str, EmbeddingSpace], FAISSManager]
    supervisor: Callable[[RunContext], Supervisor]
    on_failure: Callable[[StepEvidence], None] = lambda evidence: None
    on_drift: Callable[[str, DisplayGeometry, DisplayGeometry], object] = lambda workflow_id, recorded, live: None
    on_node_match: Callable[[str, str, float], None] = lambda workflow_id, step_id, margin: None
    secrets: Mapping[str, str] = field(default_factory=dict)
    secrets_of: Callable[[Workflow], Mapping[str, str]] = lambda workflow: {}
    """The secrets another workflow types, which is run to get out of an error."""
    memory: TargetMemory | None = None
    """What targets turned out to be before; none is kept without it."""
    precision: PrecisionMetrics | None = None
    """How good strategies were before; all are trusted without it."""
    confirmer: TextConfirmer | None = None
    """Reads again what decides, before input is sent; nobody does without it."""
    hostname: str = ""


@dataclass(frozen=True, slots=True)
class RunHooks:
    """Who wants to know."""

    on_begin: Callable[[WorkflowEdge, str], None] = lambda edge, what: None
    on_step: Callable[[ExecutedStep], None] = lambda step: None
    may_go_on: Callable[[], bool] = lambda: True
