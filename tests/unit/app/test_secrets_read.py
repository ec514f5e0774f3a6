"""A secret that is read from the screen stands nowhere afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from office import Diary, Office
from test_triggered_runs import node_of

from rpa_vision.app.report import RunPictures, step_report
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus, RecoveryReport
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource, VariableValidation
from rpa_vision.models.workflow_graph import PostConditions, Workflow, WorkflowEdge
from rpa_vision.system.failure_evidence import without_secrets
from rpa_vision.testing.screens import MOMENT, AnyItem
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

CODE = "XQ-4711-KV"
PLACE = (300, 120, 460, 144)
PAGE: list[AnyItem] = [
    ("heading", "title", "Dossier du patient", (40, 40, 400, 80)),
    ("label", "data_display", "Code", (200, 120, 280, 144)),
    ("label", "data_display", CODE, PLACE),
]


def reading(office: Office, *, after: PostConditions | None = None, **variable: Any) -> Workflow:
    """Read the code, which is a secret."""
    office.book.draw("page", PAGE, title="Dossier")
    name = "WF_code"
    read = Action(type="extract", target=TargetSpec(label="Code"), parameters=ActionParameters(extract_to="code"))
    screen = VariableSource(method="ui_element_extraction")
    made = Workflow(
        workflow_id=name,
        name="Read the code",
        created_at=MOMENT,
        updated_at=MOMENT,
        entry_nodes=("page",),
        end_nodes=("page",),
        nodes=(node_of(office, name, "page", "page"),),
        edges=(WorkflowEdge(edge_id="E1", from_node="page", to_node="page", action=read, post_conditions=after),),
        variables={"code": Variable(type="string", subtype="secret", source=screen, required=False, **variable)},
    )
    office.data.workflows.save(made)
    return made


@pytest.mark.parametrize(
    ("after", "variable", "status"),
    [
        (None, {}, "success"),
        (PostConditions(conditions=("text_appears:Accès ${code} ouvert",), timeout_seconds=1.0), {}, "halted"),
        (None, {"validation": VariableValidation(regex=r"^\d+$")}, "halted"),
    ],
)
def test_a_secret_that_a_step_reads_is_written_down_nowhere(
    office: Office, after: PostConditions | None, variable: dict[str, Any], status: str
) -> None:
    """L0-7, L4-3: whether the step works, fails afterwards, or does not take what it read"""
    workflow, diary = reading(office, after=after, **variable), Diary()
    desktop = ScriptedDesktop(office.book.pixels, start="page", clock=office.clock)
    tools = office.tools(desktop, audit=diary)
    report, page = run_workflow(RunRequest(workflow, {}, "auto", "a test", 2.0), tools)
    assert report.status == status, report.reason
    assert CODE not in report.model_dump_json()
    assert CODE not in Path(page).read_text(encoding="utf-8")
    assert CODE not in str(diary.entries)


def test_pictures_of_a_report_do_not_show_a_secret_that_was_read(office: Office) -> None:
    """L0-7: where the screen told it, the picture is black"""
    workflow = reading(office)
    desktop = ScriptedDesktop(office.book.pixels, start="page", clock=office.clock)
    report, page = run_workflow(RunRequest(workflow, {}, "auto", "a test", 2.0), office.tools(desktop))
    shown = report.steps[0].screenshot_before
    assert shown is not None
    picture = cv2.imread(str(Path(page).parent / "pictures" / Path(shown).name))
    assert picture is not None
    height, width = office.book["page"].pixels.shape[:2]
    scale = picture.shape[1] / width
    assert abs(picture.shape[0] - height * scale) <= 1
    x1, y1, x2, y2 = (round(edge * scale) for edge in PLACE)
    assert np.mean(picture[y1 + 4 : y2 - 4, x1 + 4 : x2 - 4]) < 30


def test_a_parameter_beside_the_words_of_a_secret_is_written_down_nowhere(office: Office) -> None:
    """L0-7: it is given like any other, and neither the report nor the audit trail keeps it"""
    workflow, diary = reading(office), Diary()
    beside = VariableSource(method="parameter", element_label="Code PIN")
    given = {"numero": Variable(type="string", source=beside)}
    workflow = workflow.model_copy(update={"variables": {**workflow.variables, **given}})
    desktop = ScriptedDesktop(office.book.pixels, start="page", clock=office.clock)
    tools = office.tools(desktop, audit=diary)
    report, _ = run_workflow(RunRequest(workflow, {"numero": "48151"}, "auto", "a test", 2.0), tools)
    assert report.status == "success", report.reason
    assert report.parameters == {"numero": "secret:numero"}
    assert "48151" not in report.model_dump_json()
    assert "48151" not in str(diary.entries)


def test_of_two_secrets_the_longer_one_is_masked_first() -> None:
    """L0-7: in whatever order they are known, and no name of one is taken for the other"""
    for hidden in ({"pin": "1234", "password": "1234Xyz!"}, {"password": "1234Xyz!", "pin": "1234"}):
        assert without_secrets("1234Xyz!", hidden) == "secret:password"
        assert without_secrets("login 1234Xyz! or 1234", hidden) == "login secret:password or secret:pin"
    assert without_secrets("a tulip", {"code": "tulip", "login": "code"}) == "a secret:code"


def test_what_came_in_the_way_is_reported_without_secrets(office: Office) -> None:
    """L0-7: a dialog that nobody knew may tell one"""
    said = "Mot de passe Tulipe-77 refusé"
    way = RecoveryReport(
        error_node="unknown", error_type="generic", label=said, from_node="a", edge_id="E1", action=said,
        succeeded=True, reason=said,
    )  # fmt: skip
    step = ExecutedStep(
        WorkflowEdge(edge_id="E1", from_node="a", to_node="b"),
        StepOutcome(ExecutionStatus.SUCCESS, recoveries=[way]),
        1.0,
    )
    report = step_report(0, step, "Look", RunPictures("run_1", office.data.runs), {"password": "Tulipe-77"})
    assert report.recoveries[0].label == "Mot de passe secret:password refusé"
    assert "Tulipe-77" not in report.model_dump_json()
