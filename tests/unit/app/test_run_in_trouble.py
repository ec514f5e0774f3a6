"""What a run does when something breaks, when its version is rolled back under it, and when a person acts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from healing_office import Restoring, Stage, run, spoil, supervised, with_label
from office import NEW, SEND, Diary, Office, form, show_three

from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.wiring_auto_heal import POLICY_FILE, AutoHeal
from rpa_vision.errors import NoDisplayError
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.desktop import ScreenInfo
from rpa_vision.ports.supervision import RunContext
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop
from rpa_vision.testing.supervisors import OpenSupervisor

WF = "WF_patients"


def on_send(deed: Deed) -> bool:
    return deed.verb == "click" and Box(*SEND).contains(deed.at or (0, 0))


class GoesDark(ScriptedDesktop):
    """A desktop whose display goes away when somebody sends the form."""

    def __init__(self, like: ScriptedDesktop, office: Office) -> None:
        super().__init__(office.book.pixels, start="form", script=like._script, clock=office.clock)
        self.eyes = _MortalEyes(self)  # type: ignore[assignment]

    @property
    def is_dark(self) -> bool:
        return any(on_send(deed) for deed in self.deeds)


class _MortalEyes:
    def __init__(self, desktop: GoesDark) -> None:
        self._desktop = desktop
        self._eyes = desktop.eyes

    def _checked(self) -> Any:
        if self._desktop.is_dark:
            raise NoDisplayError("the display went away")
        return self._eyes

    def info(self) -> ScreenInfo:
        info: ScreenInfo = self._checked().info()
        return info

    def grab(self, region: Box | None = None) -> Frame:
        frame: Frame = self._checked().grab(region)
        return frame

    def __getattr__(self, name: str) -> Any:
        return getattr(self._checked(), name)


def results(heal: AutoHeal) -> list[dict[str, Any]]:
    heal.audit.flush()
    return [dict(entry.record) for entry in heal.audit.entries() if entry.kind == "step_result"]


def test_a_run_whose_display_goes_away_is_told_kept_and_reported(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-2.4, AH-7.5, EX-3: the click was sent, and nobody saw what it did"""
    report = run(learned.workflow, supervised(office, heal, GoesDark(office.desktop(), office)))
    assert (report.status, len(report.steps), report.screen_resolution) == ("failed", 2, None)
    assert report.reason == "the display went away (desktop.no_display)"
    told = results(heal)[-1]["result"]
    assert (told["status"], told["failure_kind"]) == ("failed", "POSTCONDITION_FAILED")
    [stored] = heal.failure_store.list().items
    case = heal.failure_store.load(stored.seen.case_id)
    assert (case.step_id, case.input_sent, case.environment) == (learned.workflow.edges[1].edge_id, True, None)
    assert heal.memory.count(WF) == 1, "only the step before it was proven"
    kept = office.data.paths.root / "runs" / report.run_id / "report.json"
    assert json.loads(kept.read_text())["status"] == "failed"


def damage_prototypes(office: Office, workflow: Workflow) -> None:
    prototype = workflow.nodes[0].screen_template.embedding_prototype
    assert prototype is not None
    path = office.data.paths.vector(prototype.vector_id)
    path.unlink()
    path.write_bytes(b"torn")


def test_an_update_that_cannot_even_be_read_is_rolled_back_and_the_run_goes_on(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-4.4, AH-4.5"""
    bad = spoil(office, heal, {})
    damage_prototypes(office, bad)
    stage = Stage(office, heal, office.desktop())
    report = run(bad, stage.tools)
    assert stage.supervisors[0].versions == [2, 1, 1, 1]
    assert (report.status, report.rolled_back_to) == ("success", 1)
    assert [step.verified for step in report.steps] == [False, True, True, True]
    assert "not a vector file" in report.steps[0].reason


def test_damaged_prototypes_count_as_failures_of_the_step_that_needs_them(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-2.1, AH-4.4: with the real supervisor, three times in a row"""
    damage_prototypes(office, learned.workflow)
    desktop = office.desktop()
    reports = [run(learned.workflow, supervised(office, heal, desktop)) for _ in range(3)]
    assert [report.status for report in reports] == ["failed"] * 3
    assert all(report.reason.endswith("(document.invalid)") for report in reports)
    assert [told["step_id"] for told in results(heal)] == [learned.workflow.edges[0].edge_id] * 3
    assert heal.manager.get_mode(WF) is ExecutionState.DEGRADED
    assert desktop.deeds == []


def test_a_fault_of_the_program_does_not_cost_the_report(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-1"""
    done: list[str] = []

    def break_at_the_second(step: ExecutedStep) -> None:
        done.append(step.edge.edge_id)
        if len(done) == 2:
            raise ZeroDivisionError("the password is hunter22")

    tools = supervised(office, heal, office.desktop(), secrets={"door": "hunter22"})
    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test")
    report, path = run_workflow(request, tools, RunHooks(on_step=break_at_the_second))
    assert (report.status, len(report.steps)) == ("failed", 2)
    assert report.reason.startswith(
        "unexpected ZeroDivisionError: the password is secret:door (test_run_in_trouble.py:"
    )
    assert Path(path).is_file()


def learned_by_now(heal: AutoHeal) -> tuple[object, ...]:
    """What targets were, and how often strategies were right: all that steps write."""
    return heal.memory.export_rows(WF), heal.precision.report().strategies


class RollsBackAt(OpenSupervisor):
    """A supervisor whose n-th result has a version restored, and which knows what was learned by then."""

    def __init__(self, heal: AutoHeal, run: RunContext, number: int, version_id: str) -> None:
        super().__init__()
        self._heal, self._run, self._number, self._version_id = heal, run, number, version_id
        self.as_restored: object = None

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        super().on_step_result(workflow_id, step_id, result)
        if len(self.results) == self._number:
            self._heal.versions.rollback_to_previous(workflow_id, self._version_id)
            self._run.on_rollback(self._version_id)
            self.as_restored = learned_by_now(self._heal)


@pytest.mark.parametrize("number", [1, 2])
def test_what_a_rollback_restored_is_not_written_to_by_the_run_that_brought_it_about(
    office: Office, heal: AutoHeal, learned: LearnResult, number: int
) -> None:
    """AH-4.2, AH-10.4: neither by a verified step nor by one that sent its input and failed"""
    for _ in range(2):
        assert run(learned.workflow, supervised(office, heal, office.desktop())).status == "success"
    step = learned.workflow.edges[1]
    assert step.post_conditions is not None
    wrong = step.post_conditions.model_copy(update={"expected_node": step.from_node})
    good = heal.versions.snapshot_version(WF, reason="with what was remembered")
    bad = spoil(office, heal, {1: step.model_copy(update={"post_conditions": wrong})}, "v003")
    supervisors: list[RollsBackAt] = []

    def supervisor(context: RunContext) -> RollsBackAt:
        supervisors.append(RollsBackAt(heal, context, number, good))
        return supervisors[-1]

    run(bad, supervised(office, heal, office.desktop(), supervisor=supervisor))
    told = [result.status for _, result in supervisors[0].results][number - 1]
    assert told is (ExecutionStatus.SUCCESS if number == 1 else ExecutionStatus.FAILED)
    assert heal.memory.count(WF) == 3
    assert learned_by_now(heal) == supervisors[0].as_restored


def test_nothing_is_learned_from_a_step_that_ends_in_degraded(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-3.3: it began in running, and something happened meanwhile"""

    def degrade(workflow_id: str, step_id: str, margin: float) -> None:
        if heal.manager.get_mode(workflow_id) is ExecutionState.RUNNING:
            heal.manager.force_transition(workflow_id, ExecutionState.DEGRADED, "another robot", who="somebody")

    report = run(learned.workflow, supervised(office, heal, office.desktop(), on_node_match=degrade))
    assert report.status == "success"
    assert heal.memory.count(WF) == 0
    assert heal.precision.report().strategies == ()


class Agenda(ManualClock):
    """A clock that does one thing when its time has come."""

    def __init__(self) -> None:
        super().__init__()
        self._due: tuple[float, Callable[[], None]] | None = None

    def after(self, seconds: float, deed: Callable[[], None]) -> None:
        self._due = (self.monotonic() + seconds, deed)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        if self._due is not None and self.monotonic() >= self._due[0]:
            (_, deed), self._due = self._due, None
            deed()


class Later(Restoring):
    """Restores at the first failure; something shows on the screen a moment later, if it did not before."""

    def __init__(self, heal: AutoHeal, run: RunContext, clock: Agenda, deed: Callable[[], None]) -> None:
        super().__init__(heal, run)
        self._clock, self._deed = clock, deed

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        super().on_step_result(workflow_id, step_id, result)
        if result.status is ExecutionStatus.FAILED:
            self._clock.after(1.0, self._deed)


@pytest.mark.parametrize(("shows", "clicks"), [("nothing", 2), ("at once", 1), ("later", 1)])
def test_a_screen_that_changed_without_a_word_proves_that_something_arrived(
    office: Office, heal: AutoHeal, learned: LearnResult, shows: str, clicks: int
) -> None:
    """AH-4.5, EX-3: a badge without words is an effect too, also if it comes a moment late"""
    office.clock = Agenda()
    bad = spoil(office, heal, {2: with_label(learned.workflow.edges[2], "Encore")})
    badge = ("image", "x", "", (820, 500, 850, 530))
    office.book.draw("sent", [*form(NEW), badge], title="Patients")
    application = office.desktop(deaf_clicks=1)
    follow = application._script
    assert callable(follow)
    sent: list[Deed] = []

    def script(screen: str, deed: Deed) -> str | None:
        sent.extend([deed] if on_send(deed) else [])
        if screen == "sent":
            return "new_thanks" if on_send(deed) else None
        following: str | None = follow(screen, deed)
        return "sent" if shows == "at once" and len(sent) == 1 and on_send(deed) else following

    desktop = ScriptedDesktop(office.book.pixels, start="form", script=script, clock=office.clock)
    diary = Diary()

    def supervisor(context: RunContext) -> Later:
        clock = office.clock
        assert isinstance(clock, Agenda)
        return Later(heal, context, clock, (lambda: desktop.show("sent")) if shows == "later" else lambda: None)

    report = run(bad, office.tools(desktop, supervisor=supervisor, audit=diary))
    assert len(sent) == clicks
    assert report.status == ("success" if clicks == 2 else "failed")
    assert clicks == 2 or report.reason.endswith("but the input of the failed step may have had an effect")


def test_what_a_person_fails_to_do_is_written_down_and_nothing_follows(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """UX-5, AH-1.2, AH-2.1: guided, a person went for coffee four times"""
    for _ in range(4):
        request = RunRequest(learned.workflow, {"nom": NEW}, "assist", screen_timeout_s=1.0)
        report, _ = run_workflow(request, supervised(office, heal, office.desktop()))
        assert report.status == "halted"
    told = results(heal)
    assert [(one["result"]["status"], one["result"]["by_person"], one["counted"]) for one in told] == [
        ("failed", True, False)
    ] * 4
    assert heal.manager.get_mode(WF) is ExecutionState.RUNNING
    assert heal.failure_store.list().items == ()
    assert heal.manager.on_step_result(WF, learned.workflow.edges[0].edge_id, FAILED) is None
    assert heal.manager.get_mode(WF) is ExecutionState.RUNNING, "the robot's first failure is the first that counts"


FAILED = ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=FailureKind.TARGET_NOT_FOUND)
BY_HAND = ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=0.95, margin=0.4, by_person=True)


def test_what_a_person_does_well_is_no_success_of_the_robot(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """AH-1.3, AH-3.4, AH-4.3: it lifts nothing, is not stored, and a low margin in it degrades nothing"""

    def by_hand(result: ExecutionResult, times: int) -> None:
        context = RunContext("run_1", learned.workflow.version)
        for _ in range(times):
            heal.manager.permit_step(WF, "E1", run=context)
            heal.manager.on_step_result(WF, "E1", result, run=context)

    by_hand(BY_HAND.model_copy(update={"margin": 0.001}), 1)
    assert heal.manager.get_mode(WF) is ExecutionState.RUNNING
    heal.manager.force_transition(WF, ExecutionState.DEGRADED, "a test", who="somebody")
    by_hand(BY_HAND, 10)
    assert heal.manager.get_mode(WF) is ExecutionState.DEGRADED
    assert not any(told["stored"] or told["counted"] for told in results(heal))


def test_as_many_versions_are_kept_as_the_policy_says(office: Office, heal: AutoHeal) -> None:
    """AH-4.6, AH-6.1"""
    path = office.data.paths.config(POLICY_FILE)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"max_versions_to_keep": 7}))
    office.keep(show_three(office.book))
    kept = AutoHealPolicy.from_json(path.read_bytes(), where="policy").max_versions_to_keep
    for _ in range(10):
        office.learn(versions=heal.versions, keep_versions=kept)
    assert len(heal.versions.list_versions(WF)) == 7 + 1


def test_an_index_has_a_file_of_its_own(tmp_path: Path) -> None:
    """L3-2"""
    from rpa_vision.adapters.vectors.index_file import IndexFile
    from rpa_vision.errors import StorageError

    kept = IndexFile(tmp_path / "deep" / "all.faiss")
    assert kept.read() is None
    kept.write(FaissIndex(4).serialise(), b"{}")
    assert kept.read() == (FaissIndex(4).serialise(), b"{}")
    kept.metadata_path.unlink()
    with pytest.raises(StorageError, match="cannot be read with its metadata"):
        kept.read()
