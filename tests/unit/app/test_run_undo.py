"""A run leaves behind how its last three actions are taken back, and takes no more of them back than it may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from office import NEW, SEND, Diary, Office, form, show_three

from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.run import RunHooks, RunRequest, run_workflow
from rpa_vision.app.undo import RunUndo, undo_run
from rpa_vision.errors import StorageError, UsageError
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.undo import Undoer, Undone
from rpa_vision.models.execution import ExecutionStatus, RunReport
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.undo import UndoEntry
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.testing.screens import CountingIds
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop


class Killed(BaseException):
    """Nothing of a run comes after it, as after kill -9."""


@pytest.fixture
def store(office: Office) -> FileUndoLogs:
    office.keep(show_three(office.book))
    office.learn()
    return FileUndoLogs(office.data.files)


def run(
    office: Office, store: FileUndoLogs | None, desktop: ScriptedDesktop | None = None, number: int = 1
) -> RunReport:
    """A run at a time of its own, under an id of its own."""
    office.clock.sleep(60.0)
    ids = CountingIds()
    for _ in range(number):
        ids.new("run")
    request = RunRequest(
        office.data.workflows.load("WF_patients"), {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0
    )
    return run_workflow(request, office.tools(desktop or office.desktop(), undo=store, ids=ids))[0]


def killed_at(office: Office, verb: str, end: type[BaseException] = Killed) -> ScriptedDesktop:
    """The application, and the end of the run's process when it does this, or what else breaks it."""
    desktop = office.desktop()
    follow = desktop._script
    assert callable(follow)

    def script(screen: str, deed: Deed) -> str | None:
        if deed.verb == verb and (verb != "click" or Box(*SEND).contains(deed.at or (0, 0))):
            raise end
        return follow(screen, deed)

    desktop._script = script
    return desktop


def undoer(office: Office, desktop: ScriptedDesktop) -> Undoer:
    return Undoer(desktop, Sight(desktop.eyes, office.book.observer, office.clock, CountingIds()), office.clock)


def test_a_run_that_was_killed_is_taken_back_as_far_as_it_came(office: Office, store: FileUndoLogs) -> None:
    """L4-13: what was done is written down after each step"""
    run(office, store)
    desktop = killed_at(office, "click")
    with pytest.raises(Killed):
        run(office, store, desktop, number=2)
    log = store.latest()
    assert log is not None
    assert (log.run_id, log.is_over, [entry.way for entry in log.entries]) == ("run_3", False, ["retype"])
    back = undoer(office, desktop)
    with pytest.raises(UsageError, match="the run run_3 goes on"):
        undo_run(store, back, Diary(), "anne", is_running=lambda run_id: run_id == "run_3")
    desktop._script = lambda screen, deed: "form" if deed.keys == ("DELETE",) else None
    left, undone = undo_run(store, back, Diary(), "anne")
    assert [one.done for one in undone] == [True], undone
    assert left.entries == ()
    assert undo_run(store, back, Diary(), "anne") == (left, [])


def test_a_run_that_was_killed_in_its_first_step_hides_no_run_before_it(office: Office, store: FileUndoLogs) -> None:
    """L4-13: nobody knows what it did, and it is not taken for nothing"""
    run(office, store)
    with pytest.raises(Killed):
        run(office, store, killed_at(office, "type_text"), number=2)
    desktop = office.desktop()
    with pytest.raises(UsageError, match="run_3 was cut off before it wrote down what it did"):
        undo_run(store, undoer(office, desktop), Diary(), "anne")
    assert desktop.deeds == []


def test_a_run_that_acted_since_and_left_no_log_keeps_others_from_being_undone(
    office: Office, store: FileUndoLogs
) -> None:
    """L4-13"""
    run(office, store)
    second = run(office, None, number=2)
    with pytest.raises(UsageError, match=f"the run {second.run_id} acted last and left no log"):
        store.latest()
    assert run(office, store, number=3).status == "success"
    last = store.latest()
    assert last is not None
    assert last.run_id == "run_4"


def test_a_run_that_did_nothing_is_not_the_one_that_acted_last(office: Office, store: FileUndoLogs) -> None:
    """L4-13"""
    first = run(office, store)
    office.book.draw("elsewhere", [("heading", "title", "Bureau", (20, 20, 200, 50))], title="Bureau")
    assert run(office, store, office.desktop(start="elsewhere"), number=2).status != "success"
    last = store.latest()
    assert last is not None
    assert last.run_id == first.run_id


def test_an_action_that_could_not_be_written_down_is_not_passed_over(office: Office, store: FileUndoLogs) -> None:
    """L4-13: what came before it is not taken back as if it had not been done"""

    class Full(FileUndoLogs):
        def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
            raise StorageError("no space left")

    report = run(office, Full(office.data.files))
    log = store.load(report.run_id)
    assert [entry.way for entry in log.entries] == ["none", "none", "none"]
    assert "could not be written down" in log.entries[0].why_not


def test_a_run_that_goes_on_after_a_rollback_keeps_what_it_did_before(office: Office, store: FileUndoLogs) -> None:
    """L4-13, AH-4.5"""
    report = run(office, store)
    before = store.load(report.run_id)
    workflow = office.data.workflows.load("WF_patients")
    again = RunUndo(store, report.run_id, workflow, office.clock, lambda edge: edge.edge_id)
    again.begin()
    assert store.load(report.run_id).entries == before.entries
    assert not store.load(report.run_id).is_over
    again.finish()
    assert store.load(report.run_id).is_over


def test_the_last_actions_of_a_run_are_kept_and_what_cannot_be_undone_says_why(office: Office) -> None:
    """L4-13"""
    office.keep(show_three(office.book, again="Retour"))
    learned = office.learn()
    store, desktop = FileUndoLogs(office.data.files), office.desktop(again="Retour")
    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    report, _ = run_workflow(request, office.tools(desktop, undo=store))
    assert report.status == "success", report.reason
    log = store.latest()
    assert log is not None
    assert (log.run_id, [entry.way for entry in log.entries]) == (report.run_id, ["retype", "none", "go_back"])
    sent, diary = len(desktop.deeds), Diary()
    follow = desktop._script
    assert callable(follow)

    def back(screen: str, deed: Deed) -> str | None:
        return "new_thanks" if screen == "form" and deed.keys == ("ALT", "LEFT") else follow(screen, deed)

    desktop._script = back
    undoer = Undoer(desktop, Sight(desktop.eyes, office.book.observer, office.clock, CountingIds()), office.clock)
    left, undone = undo_run(store, undoer, diary, "anne", steps=3)
    assert [one.done for one in undone] == [True, False], undone
    assert "« Enregistrer » may have done something" in undone[1].message
    assert [deed.keys for deed in desktop.deeds[sent:]] == [("ALT", "LEFT")]
    assert [entry.step_id for entry in left.entries] == [entry.step_id for entry in log.entries[:2]]
    assert [record["refused"] is None for _, record in diary.entries] == [True, False]
    again, refused = undo_run(store, undoer, diary, "anne")
    assert (again.entries, refused[0].done) == (left.entries, False)


def test_a_run_whose_undo_log_cannot_be_written_succeeds(office: Office) -> None:
    """EX-6"""
    office.keep(show_three(office.book))
    learned = office.learn()

    class Full(FileUndoLogs):
        def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
            self._files.write(Path(__file__) / "nowhere", png)
            return name

    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    tools = office.tools(office.desktop(), undo=Full(office.data.files))
    assert run_workflow(request, tools)[0].status == "success"


def test_a_step_that_broke_after_its_input_keeps_what_came_before_it_from_being_undone(
    office: Office, store: FileUndoLogs
) -> None:
    """L4-13: it was sent, and nobody knows what came of it; the text before it is not the last that was done"""
    desktop = killed_at(office, "click", ZeroDivisionError)
    report = run(office, store, desktop)
    assert report.status == "failed"
    log = store.load(report.run_id)
    assert ([entry.way for entry in log.entries], log.is_over) == (["retype", "none"], True)
    assert log.entries[-1].what == "Click the button « Enregistrer »"
    sent = len(desktop.deeds)
    left, undone = undo_run(store, undoer(office, desktop), Diary(), "anne", steps=2)
    assert [(one.done, one.message[:43]) for one in undone] == [(False, "the step broke after its input was sent, an")]
    assert (len(desktop.deeds), left.entries) == (sent, log.entries)


def test_what_may_have_been_taken_back_is_not_taken_back_twice(office: Office, store: FileUndoLogs) -> None:
    """L4-13, EX-3: whatever breaks after the opposite was sent"""

    class Breaks(Undoer):
        def hindrance(self, entry: UndoEntry, after: Pixels | None) -> str | None:
            return None

        def undo(self, entry: UndoEntry, before: Pixels | None) -> Undone:
            raise ZeroDivisionError("while it was looked at")

    with pytest.raises(Killed):
        run(office, store, killed_at(office, "click"))
    desktop = office.desktop()
    sight = Sight(desktop.eyes, office.book.observer, office.clock, CountingIds())
    with pytest.raises(ZeroDivisionError):
        undo_run(store, Breaks(desktop, sight, office.clock), Diary(), "anne")
    log = store.latest()
    assert log is not None
    assert log.entries == ()


@pytest.mark.parametrize("shows_secrets", [False, True])
def test_what_the_screen_said_is_kept_unless_a_secret_is_shown(
    office: Office, store: FileUndoLogs, shows_secrets: bool
) -> None:
    """L4-13: with the way back, and with nothing else"""
    office.clock.sleep(60.0)
    steps: list[ExecutedStep] = []
    workflow = office.data.workflows.load("WF_patients")
    request = RunRequest(workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    run_workflow(request, office.tools(office.desktop()), RunHooks(on_step=lambda step: steps.append(copied(step))))
    kept = RunUndo(store, "run_9", workflow, office.clock, lambda edge: edge.edge_id, lambda step: shows_secrets)
    kept.note(steps[0])
    (entry,) = store.load("run_9").entries
    assert (entry.way, entry.texts_after is None) == (("none", True) if shows_secrets else ("retype", False))
    assert ("Nouveau patient" in store.load("run_9").model_dump_json()) is not shows_secrets


def copied(step: ExecutedStep) -> ExecutedStep:
    """As it is now: its pixels are forgotten later."""
    return replace(step, outcome=replace(step.outcome))


def test_what_another_case_says_is_told_and_not_kept(office: Office, store: FileUndoLogs) -> None:
    """L4-13, EX-7: nobody knows which of it is secret"""
    desktop = killed_at(office, "click")
    with pytest.raises(Killed):
        run(office, store, desktop)
    others = [("heading", "title", "Patient Lenoir", (40, 50, 260, 80)), *form(NEW)[1:]]
    desktop._screens["other"] = office.book.draw("other", others, title="Patients").pixels
    desktop.show("other")
    sent, diary = len(desktop.deeds), Diary()
    left, (told,) = undo_run(store, undoer(office, desktop), diary, "anne")
    assert told.message == "another case came up: « Nouveau patient » is now « Patient Lenoir »"
    assert [record["refused"] for _, record in diary.entries] == ["another case came up"]
    assert (len(desktop.deeds), len(left.entries)) == (sent, 1)


@pytest.mark.parametrize(("input_sent", "sent_earlier"), [(True, False), (False, True), (False, False)])
def test_what_was_done_and_cannot_be_written_down_stays_in_the_log(
    office: Office, store: FileUndoLogs, input_sent: bool, sent_earlier: bool
) -> None:
    """L4-13: what came before it is not taken back as if it were the last, even if it was only sent and interrupted"""
    workflow = office.data.workflows.load("WF_patients")

    def no_sentence(edge: WorkflowEdge) -> str:
        raise ZeroDivisionError

    keeper = RunUndo(store, "run_1", workflow, office.clock, no_sentence)
    outcome = StepOutcome(ExecutionStatus.FAILED, input_sent=input_sent, sent_earlier=sent_earlier)
    keeper.begin()
    keeper.note(ExecutedStep(workflow.edges[0], outcome, 1.0))
    log = store.load("run_1")
    assert [entry.way for entry in log.entries] == ["none"] * (input_sent or sent_earlier)
