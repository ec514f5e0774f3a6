"""What is kept of a run says what was read, what was found and what was seen, and never more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from office import NEW, Diary, Office
from renamed_office import WF, renamed, run_once, teach, tools_of

from rpa_vision.adapters.office.run_index import SqliteRunIndex
from rpa_vision.adapters.storage.undo_logs import FileUndoLogs
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.report import RunPictures, render_report
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.run_live import steps_so_far
from rpa_vision.app.sayings import in_french
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import UnknownIdError
from rpa_vision.models.action import Action
from rpa_vision.models.execution import RunReport, is_healed
from rpa_vision.models.queue import Happening
from rpa_vision.models.workflow_graph import PostConditions, Workflow, WorkflowEdge
from rpa_vision.ports.perception import ReadText, TextCheck
from rpa_vision.ports.run_index import RunFilter
from rpa_vision.testing.screens import MOMENT
from rpa_vision.testing.scripted_desktop import ScriptedDesktop


class Seeing:
    """A second reader that sees what a table says; elsewhere what the first one read."""

    def __init__(self, **seen: str) -> None:
        self.seen = seen

    def confirm(self, picture: Any, box: Any, first: ReadText, *, wanted: str = "") -> TextCheck:
        text = self.seen.get(first.text, first.text)
        return TextCheck(wanted, box, "agree", first, ReadText(text, 0.9), 0.9876)


@pytest.fixture
def learned(office: Office, heal: AutoHeal) -> LearnResult:
    return teach(office, heal)


def readings(office: Office, heal: AutoHeal, eyes: Seeing) -> list[Any]:
    """What the audit trail says of the texts of the renamed button."""
    diary = Diary()
    tools = replace(tools_of(office, heal, renamed(office)), confirmer=eyes, audit=diary)
    request = RunRequest(office.data.workflows.load(WF), {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    report, _ = run_workflow(request, tools)
    assert report.status == "success", report.reason
    decided = [record for kind, record in diary.entries if kind == "input_decided"]
    told = decided[1]["read_again"]
    assert isinstance(told, list)
    return told


def test_the_audit_trail_says_what_both_readers_read_and_not_what_was_looked_for(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-7, AH-4: « Enregistrer » is on no screen any more"""
    assert readings(office, heal, Seeing()) == [
        {"text": "Sauvegarder", "wanted": "Enregistrer", "verdict": "agree", "confidence": 0.988}
    ]


def test_a_second_reader_that_says_the_old_name_has_confirmed_nothing(
    office: Office, heal: AutoHeal, learned: LearnResult
) -> None:
    """EX-7: the two of them read two texts"""
    (told,) = readings(office, heal, Seeing(Sauvegarder="Enregistrer"))
    assert (told["text"], told["second"], told["wanted"]) == ("Sauvegarder", "Enregistrer", "Enregistrer")
    assert told["verdict"] == "cannot_tell"


def test_what_was_found_as_it_is_called_names_one_text(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """EX-7"""
    diary = Diary()
    tools = replace(tools_of(office, heal, renamed(office, "Enregistrer")), confirmer=Seeing(), audit=diary)
    run_workflow(RunRequest(office.data.workflows.load(WF), {"nom": NEW}, "auto", "a test", 1.0), tools)
    decided = [record for kind, record in diary.entries if kind == "input_decided"]
    assert decided[1]["read_again"] == [{"text": "Enregistrer", "verdict": "agree", "confidence": 0.988}]


def page_of(office: Office, report: RunReport) -> str:
    return render_report(report, RunPictures(report.run_id, office.data.runs))


def test_a_step_whose_target_was_not_found_is_not_healed(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """UX-4: the search was given up at a level, and nothing was chosen"""
    report = run_once(office, heal, renamed(office, "Exporter en PDF", (600, 420, 760, 460)))
    lost = report.steps[-1]
    assert (lost.verified, lost.chosen, lost.healing_level > 0, lost.input_sent) == (False, None, True, False)
    assert not lost.is_healed
    page = page_of(office, report)
    assert "failed, healed" not in page
    assert "healed: 0" in page
    assert '<span class="badge info">healed</span>' not in page
    healed = run_once(office, heal, renamed(office))
    assert [step.is_healed for step in healed.steps] == [False, True, False]
    assert "verified, healed" in page_of(office, healed)


def test_what_was_not_found_is_not_counted_as_healed(office: Office, heal: AutoHeal, learned: LearnResult) -> None:
    """UX-4: in lists and figures"""
    lost = run_once(office, heal, renamed(office, "Exporter en PDF", (600, 420, 760, 460)))
    index = SqliteRunIndex(office.data.paths.run_index, office.data.files, office.clock)
    index.refresh()
    (summary,) = index.find(RunFilter(), limit=10)
    assert (summary.run_id, summary.healed) == (lost.run_id, 0)
    points = index.scores(WF, since=lost.started_at)
    assert sum(point.count for point in points) == len(lost.steps)
    assert [point.healed for point in points if point.healed] == []


def test_a_step_that_is_not_found_again_after_an_interruption_is_not_shown_as_healed() -> None:
    """UX-2: while it goes on, what its end says counts"""

    def told(number: int, kind: str, **body: Any) -> Happening:
        return Happening(number, MOMENT, kind, "run_1", WF, {"step": 1, **body})

    begun = (told(1, "step_begins", doing="Click"), told(2, "target_found", strategy="som_text_match"))
    lost = told(3, "step_ended", status="failed", verified=False, strategy=None, healing_level=2, duration_ms=1.0)
    found = told(3, "step_ended", status="success", verified=True, strategy="visual", healing_level=2, duration_ms=1.0)
    for ended, healed in ((lost, False), (found, True)):
        (step,) = steps_so_far([*begun, ended])["steps"]
        assert is_healed(step["healing_level"], step["strategy"]) is healed


def waiting(office: Office) -> RunReport:
    """A run of one step, that has no target."""
    workflow: Workflow = office.data.workflows.load(WF)
    step = workflow.edges[0]
    wait = WorkflowEdge(
        edge_id="E1", from_node=step.from_node, to_node=step.from_node, action=Action(type="wait", duration_ms=10),
        post_conditions=PostConditions(expected_node=step.from_node),
    )  # fmt: skip
    short = workflow.model_copy(update={"edges": (wait,), "end_nodes": (step.from_node,), "variables": {}})
    desktop = ScriptedDesktop(office.book.pixels, start="form", clock=office.clock)
    return run_workflow(RunRequest(short, {}, "auto", "a test", 1.0), office.tools(desktop))[0]


def test_one_step_is_told_as_one(office: Office, learned: LearnResult) -> None:
    """UX-4, UX-2"""
    report = waiting(office)
    assert (report.status, report.reason) == ("success", "the only step verified")
    assert in_french("the only step verified, 1 row done") == "la seule étape est vérifiée, 1 ligne traitée"
    assert ">1 step</label>" in page_of(office, report)


def test_a_picture_without_a_target_is_not_said_to_show_one(office: Office, learned: LearnResult) -> None:
    """UX-4: nothing is boxed in it"""
    page = page_of(office, waiting(office).model_copy(update={"run_id": "run_1"}))
    assert "target in red" not in page
    report = waiting(office)
    pictures = RunPictures(report.run_id, office.data.runs)
    path = pictures.keep("step_01_before", office.book["form"], None, None)
    shown = report.steps[0].model_copy(update={"screenshot_before": path})
    html = render_report(report.model_copy(update={"steps": (shown,)}), pictures)
    assert '<span class="soft">Before</span>' in html
    assert "target in red" not in html


def test_a_run_that_is_not_there_is_answered_by_a_command_that_tells_runs(office: Office) -> None:
    """UX-1, UX-6"""
    for look in (FileUndoLogs(office.data.files).load, office.data.runs.load):
        with pytest.raises(UnknownIdError) as error:
            look("run_nope")
        assert "`rpa-vision status --json` tells the last run of each workflow (`run_id`)" in (error.value.remedy or "")
