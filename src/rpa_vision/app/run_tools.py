"""What a run is made of: what somebody asked for, what it needs, and who wants to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field

from rpa_vision.app.heal_proposals import ProposalDesk
from rpa_vision.detection.vlm_choice import MarkChooser
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.execution.foreign_input import PersonWatch
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.step_runner import LOCATE_TIMEOUT_S
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.auto_heal import DisplayGeometry
from rpa_vision.models.execution import RunMode
from rpa_vision.models.guidance import Language
from rpa_vision.models.heal_question import HealQuestion
from rpa_vision.models.state_embedding import EmbeddingSpace
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.batches import BatchJournal
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.heal_questions import HealQuestionStore
from rpa_vision.ports.learning import TargetMemory
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.person import Person, StepQuestion
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.stopping import RunningRuns
from rpa_vision.ports.storage import DataDirectory
from rpa_vision.ports.supervision import RunContext, Supervisor
from rpa_vision.ports.undo import UndoStore
from rpa_vision.ports.vlm import VisionLanguageModel
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
    first_step: str | None = None
    """Begin with this step; its screen must be shown, as for any step."""
    triggered_by: str | None = None
    """The run inside which this one gets out of an error."""
    depth: int = 0
    """How many runs this one is inside of."""
    asks: bool = False
    """Somebody is there: a run that does not know what is meant asks to be shown."""
    ask_timeout_s: float = 300.0
    """How long an answer is waited for."""
    who: str | None = None
    """Who asked for it, where that is known."""
    again: bool = False
    """Do all rows of a list, also those that an earlier run has done: a person has looked."""
    rest: bool = False
    """Leave out the rows of a list that an earlier run has done, or begun: a person has looked."""
    keeps_heals: bool = True
    """Keep, when the run has ended, the heals that enough runs have verified. One of many runs of the same document
    leaves that to whoever runs them: the others have this version in hand."""


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
    vlm: Callable[[], VisionLanguageModel] | None = None
    """Gives a run its vision-language model, with a budget of its own, to settle ties; without it they stay."""
    running: RunningRuns | None = None
    """Where others see that the run goes on, and say that it is to end; without it only this process can end it."""
    undo: UndoStore | None = None
    """Where the last actions are kept, to be taken back; without it they cannot be."""
    lists: Callable[[Workflow], BatchJournal] | None = None
    """Where the rows are kept that a run has done of lists that do not show it; without it they are forgotten."""
    questions: HealQuestionStore | None = None
    """Where a run that asks puts its questions; without it nobody is asked."""
    proposals: ProposalDesk | None = None
    """Where heals are proposed; without it they are applied for the run and forgotten."""
    hostname: str = ""
    language: Language = "en"
    """In which the report is written that is kept with the run."""
    maturity: LearningManager | None = None
    """Which level a workflow has earned, and what its runs count for; without it the document's word is taken."""
    beside: Callable[[InputGate, str], AbstractContextManager[PersonWatch]] | None = None
    """Watches, while the robot acts in a workflow of that name, for a person who stops it or wants the desktop."""
    on_anomaly: Callable[[str, str], object] = lambda workflow_id, why: None
    """Keeps a workflow from going on until a person has looked."""

    def chooser(self) -> MarkChooser | None:
        """Settles ties for one run. What becomes a proposal or evidence must be found without it."""
        return MarkChooser(self.vlm(), twice=True) if self.vlm is not None else None

    def watching(
        self, gate: InputGate, workflow_name: str, *, wanted: bool
    ) -> AbstractContextManager[PersonWatch | None]:
        """Watch for persons, if that is wanted and somebody can."""
        return self.beside(gate, workflow_name) if wanted and self.beside is not None else nullcontext()


@dataclass(frozen=True, slots=True)
class RunHooks:
    """Who wants to know."""

    on_begin: Callable[[WorkflowEdge, str], None] = lambda edge, what: None
    on_step: Callable[[ExecutedStep], None] = lambda step: None
    on_target: Callable[[WorkflowEdge, StepOutcome, Mapping[str, str]], None] = lambda edge, outcome, hidden: None
    """Sees what a step is aimed at before its input is sent, and what must not be shown of it."""
    may_go_on: Callable[[], bool] = lambda: True
    on_question: Callable[[HealQuestion], None] = lambda question: None
    """Hears of a question as it is asked, in a run that asks."""
    on_guided: Callable[[StepQuestion], None] = lambda question: None
    """Hears in assist mode what a person is to do now, and on which target."""
    person: Person | None = None
    """Who is asked before each step of a supervised run, and offered that the robot does the work."""
