"""A run under supervision: everything it needs is put together, executed, learned from and told.

If a step's result has the supervisor restore an earlier version, the run goes on with that one, once, where that is
safe (`going_on`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rpa_vision.app.consent import Consent, question_of
from rpa_vision.app.first_window import bring_first_window
from rpa_vision.app.going_on import step_to_take_up
from rpa_vision.app.kept_level import LevelKeptSupervisor, Lost
from rpa_vision.app.list_journal import ListJournal
from rpa_vision.app.run_aids import RunNotes, RunPart, asking
from rpa_vision.app.run_evidence import evidence_of, tell_drift
from rpa_vision.app.run_learning import RunLearning
from rpa_vision.app.run_parts import RecordedLooks, decision, index_or_damage, prototype_index
from rpa_vision.app.run_tools import RunHooks, RunRequest, RunTools
from rpa_vision.app.run_values import hidden_values
from rpa_vision.app.sentences import step_sentence
from rpa_vision.app.stopping import say_what_stopped
from rpa_vision.app.written_behind import WrittenBehind
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.execution_loop import ExecutionLoop
from rpa_vision.execution.foreign_input import PersonWatch
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.execution.recovery import Recovery, TriggeredRun
from rpa_vision.execution.run_outcome import ExecutedStep, Progress, RunOutcome
from rpa_vision.execution.screen_witness import WitnessedMatcher
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.step_runner import is_at
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.execution.watchdog import WatchedSupervisor
from rpa_vision.graph.secret_variables import known_variables
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.person import StepQuestion
from rpa_vision.ports.supervision import RunContext, Supervisor
from rpa_vision.system.failure_evidence import without_secrets

_STEP_TIMEOUT_S = 120.0
_KEPT_WHOLE = 2
"""Of how many steps the pixels are kept in memory; a loop over a long list has thousands."""
_POLL_S = 0.1
_ASSIST_PATIENCE_S = 180.0
"""A person may take that long for a step before we stop guiding."""


@dataclass(frozen=True)
class _Leg:
    """A stretch of a run with one version of its workflow."""

    workflow: Workflow
    learning: RunLearning
    matcher: WitnessedMatcher
    resolver: TargetResolver
    looks: RecordedLooks
    executor: ActionExecutor
    notes: RunNotes
    damage: RpaVisionError | None
    """Why what was learned of its screens cannot be read."""


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
        lost: Lost,
        trigger: Callable[[str, Mapping[str, str]], TriggeredRun],
        gate: InputGate | None = None,
        write_down: Callable[[ExecutedStep], Callable[[], None]],
        consent: Consent | None = None,
        lists: ListJournal | None = None,
    ) -> None:
        """`may_act` says whether a restored version may be run alone too, `lost` why the robot may act no more;
        `trigger` runs another workflow to get out of an error. A run inside another shares its `gate`: who may no
        longer act, may not let others act either. `write_down` says how a step is written down, which is done before
        the next input is sent; `consent` is asked for before input; `lists` keeps which rows were done."""
        self.workflow = request.workflow
        """What is being run: the workflow asked for, or what a rollback restored."""
        self.outcome = RunOutcome()
        self.rolled_back_to: int | None = None
        self.was_stopped = False
        """Whether a person said that it shall not go on. Asking takes as long as she pauses it."""
        self.notes: RunNotes | None = None
        self._all_notes: list[RunNotes] = []
        self.progress = Progress.beginning(values)
        """What the run knows by now; goes on beyond a rollback."""
        self._given = dict(values)
        self._tools = tools
        self._hooks = hooks
        self._act = act
        self._may_act = may_act
        self._lost = lost
        self._screen_timeout_s = request.screen_timeout_s
        self._from_here, self._first_step = request.from_here, request.first_step
        self._ask_timeout_s = request.ask_timeout_s if request.asks else None
        self._trigger = trigger
        self._write_down, self._behind = write_down, WrittenBehind()
        self._consent = consent if consent is not None and consent.is_wanted else None
        self._lists = lists
        self._restored: list[str] = []
        self._context = RunContext(run_id, request.workflow.version, self._restored.append)
        self._gate = gate if gate is not None else InputGate()
        self._is_inside = request.depth > 0
        self._beside: PersonWatch | None = None
        self._desktop = GuardedDesktop(tools.desktop, self._gate)
        self._sight = Sight(self._desktop.eyes, tools.observer, tools.clock, tools.ids)
        self._chooser = tools.chooser()

    @property
    def acts(self) -> bool:
        """Whether the robot acts itself."""
        return self._act

    @property
    def was_rolled_back(self) -> bool:
        """Whether an earlier version was restored by what came of this run."""
        return bool(self._restored) or self.rolled_back_to is not None

    @property
    def lost_heals(self) -> int:
        """How many heals could not be written down, before a rollback too."""
        return sum(notes.heals.lost for notes in self._all_notes)

    @property
    def timed_out(self) -> bool:
        """Whether the watchdog ended it."""
        steps = self.outcome.steps
        return bool(steps) and steps[-1].outcome.failure_kind is FailureKind.WATCHDOG_TIMEOUT

    def let_person_act(self) -> None:
        """She did not take the offer: the robot only guides."""
        self._act, self._consent = False, None

    def execute(self) -> None:
        """Run; `outcome` is filled in as it goes."""
        # Of runs inside each other the outermost watches for persons: they share a gate.
        alone = self._act and not self._is_inside
        with self._behind, self._tools.watching(self._gate, self.workflow.name, wanted=alone) as self._beside:
            self._execute()
        if not self.timed_out:
            say_what_stopped(self.outcome, self._gate)

    def _execute(self) -> None:
        workflow_id = self.workflow.workflow_id
        tell_drift(self.workflow, self._tools)
        asked = self._tools.supervisor(self._context)
        with WatchedSupervisor(
            LevelKeptSupervisor(asked, self._lost, self.note) if self._act else asked,
            self._gate,
            self._tools.clock,
            workflow_id=workflow_id,
            step_timeout_s=_STEP_TIMEOUT_S
            if self._act and self._consent is None
            else _ASSIST_PATIENCE_S + _STEP_TIMEOUT_S,
            by_person=not self._act,
        ) as supervisor:
            try:
                self._run_from(self._first_step, supervisor)
            except RpaVisionError:
                if not self._restored:
                    raise
            if not self._restored or self.outcome.status not in ("halted", "failed"):
                return
            first = self._place_to_go_on()
            if first is not None:
                self.outcome.status, self.outcome.reason = "success", ""
                self._run_from(first, supervisor)

    def _run_from(self, first: str | None, supervisor: WatchedSupervisor) -> None:
        leg = self._leg(supervisor)
        self.notes = leg.notes
        self._all_notes.append(leg.notes)
        loop = ExecutionLoop(
            leg.workflow,
            self._sight,
            leg.matcher,
            leg.executor,
            supervisor,
            self._tools.clock,
            on_step=lambda step: self._after_step(leg, step, supervisor),
            before_step=lambda edge: self._hooks.on_begin(edge, self._sentence(edge)),
            may_go_on=self._may_go_on,
            on_failure=lambda step: self._hand_over(leg, step),
            is_outdated=lambda: bool(self._restored),
            on_match=self._hear_margin,
            make_ready=lambda: self._make_ready(leg),
            traffic=lambda: self._gate.traffic,
            healed=leg.notes.heals.applied,
            on_decision=self._hear_decision,
            recovery=Recovery(
                leg.workflow,
                self._sight,
                leg.matcher,
                leg.executor,
                self._tools.clock,
                trigger=self._behind.before(self._trigger),
                on_recovery=lambda report: self.note("recovery", report.model_dump(mode="json")),
            ),
            locate_timeout_s=self._screen_timeout_s,
        )
        loop.run(
            self.progress.values,
            self.outcome,
            act=self._act,
            patience_s=None if self._act else _ASSIST_PATIENCE_S,
            first=first,
            from_here=self._from_here and first is None,
            progress=self.progress,
        )

    def _leg(self, supervisor: WatchedSupervisor) -> _Leg:
        """Who finds, acts and learns with the version that is run now."""
        workflow, tools = self.workflow, self._tools
        learning = RunLearning(
            workflow, self.progress.values, memory=tools.memory, precision=tools.precision, secrets=tools.secrets
        )
        index, damage = index_or_damage(workflow, tools)
        matcher = WitnessedMatcher(workflow, index)
        resolver, looks = TargetResolver(weights=learning.weights()), RecordedLooks(tools.data)
        executor = ActionExecutor(
            self._desktop,
            self._sight,
            matcher,
            TargetResolver(weights=resolver.weights, chooser=self._chooser),
            tools.clock,
            looks=looks.get,
            secrets=tools.secrets,
            safety_rules=workflow.safety_rules,
            before_input=self._behind.before(lambda edge, step: self._decided(workflow, edge, step)),
            workflow_id=workflow.workflow_id,
            memory=learning,
            confirmer=tools.confirmer,
            asks_about=self._consent.asks_about if self._consent is not None else lambda edge: False,
            objection=self._objection,
            on_guided=lambda edge, step: self._hooks.on_guided(self._question(workflow, edge, step)),
            point_out=asking(
                self._part,
                workflow,
                self._hooks,
                is_at=lambda edge, screen: is_at(edge, matcher.locate(screen)),
                note=self.note,
                gate=self._gate,
                take_time=lambda edge_id, more: supervisor.watchdog.begin_step(edge_id, timeout_s=more),
                timeout_s=self._ask_timeout_s,
            ),
            other_names=lambda: self.notes.heals.other_names() if self.notes is not None else {},
            variables=known_variables(workflow),
            given=self._given,
        )
        notes = RunNotes.of(self._part, workflow, resolver, executor.recorded_look, acts=self._act)
        return _Leg(workflow, learning, matcher, resolver, looks, executor, notes, damage)

    def _after_step(self, leg: _Leg, step: ExecutedStep, supervisor: Supervisor) -> None:
        may_learn = step.error is None and self._may_learn(supervisor)
        if may_learn:
            leg.learning.note(step)
        self._behind.finish()  # also where a person acts: pixels are forgotten below
        leg.notes.take(step, may_learn=may_learn)
        self._behind.add(self._write_down(step))
        for older in self.outcome.steps[:-_KEPT_WHOLE]:
            older.outcome.forget_pixels()
        self._hooks.on_step(step)

    def _make_ready(self, leg: _Leg) -> None:
        if leg.damage is not None:
            raise leg.damage
        if self._act and not self._is_inside and not self.outcome.steps:
            bring_first_window(leg.workflow, self._desktop, self._gate, self._tools.clock, self.note)

    def _hand_over(self, leg: _Leg, step: ExecutedStep) -> None:
        """A step that failed, to whoever keeps failures."""
        if self._act:
            values = step.values or self.progress.values
            run_id = self._context.run_id
            self._tools.on_failure(
                evidence_of(step, leg.workflow, values, self._tools, leg.looks, leg.resolver, run_id=run_id)
            )

    def _hear_margin(self, edge: WorkflowEdge, margin: float) -> None:
        if self._act:
            self._tools.on_node_match(self.workflow.workflow_id, edge.edge_id, margin)

    def _decided(self, workflow: Workflow, edge: WorkflowEdge, outcome: StepOutcome) -> None:
        """Write down what is about to be sent, and show it to whoever watches."""
        self._tools.audit.append("input_decided", decision(self._context.run_id, workflow, edge, outcome))
        self._hooks.on_target(edge, outcome, self.hidden)

    def _objection(self, edge: WorkflowEdge, outcome: StepOutcome) -> str | None:
        """What a person has against the step, who was asked."""
        if self._consent is None:
            return None
        refused = self._consent.objection(edge, self._question(self.workflow, edge, outcome))
        while not self._hands_are_free() and self._gate.is_open:
            self._tools.clock.sleep(_POLL_S)  # her answer was given with her hands: they are hers until they rest
        return refused

    def _hands_are_free(self) -> bool:
        if self._beside is not None:
            self._beside.let_on_if_quiet()
        return self._gate.refusal() is None

    def _hear_decision(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Which way, and which row: in the audit trail, and where rows are remembered."""
        self.note(kind, record)
        if self._lists is not None and self._act and kind in ("round_begins", "loop_ended"):
            self._lists.hear(kind, str(record["step_id"]), self.progress)

    def note(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Keep in the audit trail what was decided besides the steps, without secrets."""
        said = {"run_id": self._context.run_id, "workflow_id": self.workflow.workflow_id, **record}
        self._tools.audit.append(kind, without_secrets(said, self.hidden))

    @property
    def hidden(self) -> dict[str, str]:
        """What is never written down."""
        return hidden_values(self.workflow, self.progress.values, self._tools.secrets)

    def _question(self, workflow: Workflow, edge: WorkflowEdge, outcome: StepOutcome) -> StepQuestion:
        values = without_secrets(dict(self.progress.values), self.hidden)
        return question_of(workflow.name, edge, outcome, self._sentence(edge), values)

    def _sentence(self, edge: WorkflowEdge) -> str:
        """What a step does now, and in which round of a loop."""
        rounds = [one.note for one in self.progress.rounds.values() if one.current is not None]
        words = without_secrets(step_sentence(edge, self.progress.values), self.hidden)
        return f"{words} ({rounds[-1]})" if rounds else str(words)

    @property
    def _part(self) -> RunPart:
        return RunPart(
            self._tools, self._context.run_id, self._sight, self._sentence, lambda: self.hidden, self._behind.add
        )

    def _may_go_on(self) -> bool:
        if self._beside is not None and not self._beside.may_go_on():
            return False
        if not self._hooks.may_go_on():
            self.was_stopped = True
        return not self.was_stopped and self._gate.is_open

    def _may_learn(self, supervisor: Supervisor) -> bool:
        """Asked anew after each result: what was restored stays as it was restored, to the end of the run."""
        rolled_back = self._restored or self.rolled_back_to is not None
        return not rolled_back and supervisor.still_learns(self.workflow.workflow_id)

    def _place_to_go_on(self) -> str | None:
        """Take the restored version up where the failed step was, or say in the outcome why not."""
        restored, former = self._tools.data.workflows.load(self.workflow.workflow_id), self.workflow
        step_id, why = self._safe_place(restored)
        if step_id is None:
            self.outcome.reason += f"; version {restored.version} was restored, but {why}"
            return None
        self._tools.audit.append(
            "run_goes_on",
            {
                "run_id": self._context.run_id,
                "workflow_id": restored.workflow_id,
                "from_version": former.version,
                "to_version": restored.version,
                "step_id": step_id,
            },
        )
        self.workflow, self.rolled_back_to = restored, restored.version
        self._context.workflow_version = restored.version
        self._restored.clear()
        return step_id

    def _safe_place(self, restored: Workflow) -> tuple[str | None, str]:
        if not self._act or not self._may_go_on():
            return None, "the run was stopped"
        if not self._may_act(restored):
            return None, "it may not run alone"
        if restored.version > self.workflow.version:
            return None, "it was learned meanwhile"
        matcher = WitnessedMatcher(restored, prototype_index(restored, self._tools))
        return step_to_take_up(
            self.outcome.steps, self.workflow, restored, matcher.locate, self._sight, self._tools.clock
        )
