"""The report of a run: one file that needs nothing else, and believes nothing it shows."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from importlib import resources
from pathlib import Path
from typing import get_args

import pytest
from office import NEW, Office
from test_triggered_runs import node_of

import rpa_vision
from rpa_vision.app.learn import LearnResult
from rpa_vision.app.report import RunPictures, render_report, report_page
from rpa_vision.app.report_words import FRENCH
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.sentences import condition_words, step_sentence
from rpa_vision.execution.target_resolver import STRATEGIES
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import CandidateReport, ExecutionStatus, RunMode, RunReport, RunStatus, StepReport
from rpa_vision.models.guidance import Language
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.models.workflow_standing import ErrorType
from rpa_vision.testing.screens import MOMENT
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

HOSTILE = '"><script src="http://evil.example/x.js">alert(1)</script><img src=x onerror=alert(1)> {{ 7 * 7 }}'


class Page(HTMLParser):
    """What a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_needs_nothing_from_outside(finished_run: tuple[RunReport, str, LearnResult]) -> None:
    """UX-4"""
    _, html, _ = finished_run
    page = Page(html)
    named = [value for _, attrs in page.tags for name, value in attrs.items() if name in ("src", "href", "srcset")]
    links = [value for value in named if not value.startswith("#step-")]
    assert len(links) == 6
    assert all(link is not None and link.startswith("data:image/jpeg;base64,") for link in links)
    assert "script" not in {tag for tag, _ in page.tags}
    assert not re.search(r"https?://|url\(|@import", html)


def test_the_report_shows_each_step_with_target_score_and_time(
    finished_run: tuple[RunReport, str, LearnResult],
) -> None:
    """UX-4"""
    report, html, _ = finished_run
    text = Page(html).text
    assert len(report.steps) == 3
    for step in report.steps:
        assert step.description in text
        assert step.verified
        assert step.chosen is not None
        assert step.score is not None
        assert step.point is not None
        assert f"{step.score:.2f}" in text
        assert (step.strategy or "?") in text
    assert "A person authorised" in text
    assert report.authorised_because is not None
    assert NEW in text


def test_the_report_comes_back_from_json_as_it_was(finished_run: tuple[RunReport, str, LearnResult]) -> None:
    """P003-18"""
    report = finished_run[0]
    assert RunReport.from_json(report.to_json()) == report


def test_what_screens_and_people_wrote_is_text_and_nothing_else(office: Office) -> None:
    """UX-4: a page may say <script>"""
    hostile = CandidateReport(label=HOSTILE, type="button", bbox=(0, 0, 9, 9), score=0.9, reasons=(HOSTILE,))
    step = StepReport(
        index=0,
        edge_id="E1",
        action="mouse_click",
        description=HOSTILE,
        status=ExecutionStatus.FAILED,
        reason=HOSTILE,
        strategy=HOSTILE,
        score=0.9,
        chosen=hostile,
        runner_up=hostile,
        duration_ms=1.0,
        verified=False,
        expected=HOSTILE,
        observed=HOSTILE,
        screenshot_before="runs/x.jpg",
        timing_ms={HOSTILE: 1.0},
    )
    report = RunReport(
        run_id="run_1",
        workflow_id="WF_1",
        workflow_name=HOSTILE,
        workflow_version=1,
        mode="auto",
        status="failed",
        reason=HOSTILE,
        authorised_because=HOSTILE,
        parameters={HOSTILE: HOSTILE},
        started_at=MOMENT,
        ended_at=MOMENT,
        duration_s=1.0,
        steps=(step,),
    )
    html = render_report(report, RunPictures("run_1", office.data.runs))
    page = Page(html)
    assert {tag for tag, _ in page.tags} <= {
        "html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "span", "div", "p", "section", "dl", "dt",
        "dd", "code", "img", "table", "tr", "th", "td", "a", "input", "label",
    }  # fmt: skip
    for _, attrs in page.tags:
        assert not any(name.startswith("on") for name in attrs)
        assert "evil" not in str(attrs.get("src"))
    assert "<script" not in html
    assert page.text.count("{{ 7 * 7 }}") >= 8
    assert RunReport.from_json(report.to_json()) == report


def test_a_run_without_steps_has_a_report_too(finished_run: tuple[RunReport, str, LearnResult], office: Office) -> None:
    """UX-4"""
    blocked = finished_run[0].model_copy(
        update={"steps": (), "status": "blocked", "parameters": {}, "screen_resolution": None}
    )
    html = render_report(blocked, RunPictures("run_1", office.data.runs))
    assert "blocked" in Page(html).text


@pytest.mark.parametrize(
    ("action", "with_values", "without"),
    [
        (
            Action(type="mouse_click", target=TargetSpec(label="Facture ${n}", type="link")),
            "Click the link « Facture 12 »",
            "Click the link « Facture ${n} »",
        ),
        (
            Action(
                type="mouse_click",
                target=TargetSpec(type="icon", row_contains=("${n}",)),
                parameters=ActionParameters(click_count=2, button="right"),
            ),
            "Double-click the icon in the row of « 12 » (right button)",
            "Double-click the icon in the row of « ${n} » (right button)",
        ),
        (
            Action(type="text_input", parameters=ActionParameters(text="5 $$ ${n}")),
            "Type « 5 $ 12 »",
            "Type « 5 $ ${n} »",
        ),
        (
            Action(
                type="text_input",
                target=TargetSpec(label="Mot de passe", type="password_input"),
                parameters=ActionParameters(secret_ref="secret_1"),
            ),
            "Type the secret into the field « Mot de passe »",
            "Type the secret into the field « Mot de passe »",
        ),
        (Action(type="key_press", keys=("CTRL", "S")), "Press CTRL+S", "Press CTRL+S"),
        (Action(type="wait", duration_ms=1500), "Wait 1.5 s", "Wait 1.5 s"),
        (Action(type="window_switch", target_app="excel"), "Switch to excel", "Switch to excel"),
        (Action(type="scroll", parameters=ActionParameters(scroll=(0, 3))), "Scroll", "Scroll"),
    ],
)
def test_a_step_reads_as_a_sentence(action: Action, with_values: str, without: str) -> None:
    """UX-6"""
    edge = WorkflowEdge(edge_id="E1", from_node="a", to_node="b", action=action)
    assert step_sentence(edge, {"n": "12"}) == with_values
    assert step_sentence(edge) == without
    assert step_sentence(edge.model_copy(update={"action": None})) == "Wait for the next screen"


def test_a_condition_reads_as_words_with_its_variables() -> None:
    """UX-6"""
    assert condition_words("text_appears:Facture ${n} à 5 $$") == "« Facture ${n} à 5 $ » to appear"


def test_pictures_are_kept_beside_the_report_and_inside_it(office: Office) -> None:
    """UX-4"""
    screen = office.book.draw("s", [("button", "x", "Valider", (40, 40, 140, 80))])
    pictures = RunPictures("run_1", office.data.runs)
    path = pictures.keep("step_01_before", replace(screen), None, (90, 60))
    assert (office.data.paths.root / path).read_bytes()[:3] == b"\xff\xd8\xff"
    assert pictures.data_uri(path).startswith("data:image/jpeg;base64,/9j/")
    assert pictures.data_uri("runs/other.jpg") == ""
    assert pictures.data_uri(None) == ""


def test_steps_that_were_healed_or_not_verified_can_be_shown_alone(
    finished_run: tuple[RunReport, str, LearnResult], office: Office
) -> None:
    """UX-4: without any script, so that the page is as safe as a picture."""
    report = finished_run[0]
    healed, bad = (
        report.steps[0].model_copy(update={"healing_level": 1}),
        report.steps[1].model_copy(update={"verified": False, "status": ExecutionStatus.FAILED}),
    )
    changed = report.model_copy(update={"steps": (healed, bad, *report.steps[2:])})
    page = Page(render_report(changed, RunPictures("run_1", office.data.runs)))
    marks = [attrs["data-step"].split() for tag, attrs in page.tags if tag == "section" and "data-step" in attrs]
    assert marks[:2] == [["healed"], ["stopped"]]
    assert all(not mark for mark in marks[2:])
    assert [attrs["id"] for tag, attrs in page.tags if tag == "input"] == ["show-all", "show-healed", "show-stopped"]


TEMPLATE = resources.files("rpa_vision.app").joinpath("templates/report.html.j2").read_text(encoding="utf-8")


def test_the_report_is_in_the_language_of_its_reader(
    finished_run: tuple[RunReport, str, LearnResult], office: Office
) -> None:
    """UX-2, UX-4: the words around, the sentences of the run, and the numbers."""
    report = finished_run[0]
    html = render_report(report, RunPictures("run_1", office.data.runs), "fr")
    page = Page(html)
    assert dict(page.tags[0][1]) == {"lang": "fr"}
    for said in ("réussie", "vérifiée", "Cliquer sur", "Ce processus n'a pas encore le droit", "Ce qui a été fait"):
        assert said in page.text
    shown = re.sub(r"«.*?»|“.*?”", "", re.sub(r"<style>.*</style>", "", html, flags=re.DOTALL))
    text = re.sub(r"<code>.*?</code>|<[^>]*>", " ", shown)
    english = {"the", "is", "was", "of", "by", "and", "it", "click", "verified", "success", "step", "read", "says"}
    assert not english & set(re.findall(r"[a-z']+", text.lower()))
    assert f"{report.steps[0].score:.2f}".replace(".", ",") in text
    assert not re.search(r"\d\.\d", text)


def test_every_word_of_the_report_has_its_french() -> None:
    """UX-2: in the template itself, what runs time and how they end."""
    said = set(re.findall(r'\bt\("(.+?)"[,) ]', TEMPLATE)) | set(re.findall(r'else "(.+?)"\)', TEMPLATE))
    assert len(said) > 30
    timed = re.findall(r'timing_ms(?:, |\[)"(\w+)"', "".join(
        path.read_text(encoding="utf-8") for path in Path(rpa_vision.__path__[0]).rglob("*.py")
    ))  # fmt: skip
    assert len(timed) > 5
    statuses = {*get_args(RunStatus), *get_args(RunMode), *get_args(ErrorType), *(name for name, _, _ in STRATEGIES)}
    assert sorted((said | set(timed) | statuses) - FRENCH.keys()) == []


def reading(office: Office, label: str) -> RunReport:
    """A run that reads what stands beside a label."""
    office.book.draw("page", [
        ("heading", "title", "Dossier du patient", (40, 40, 400, 80)),
        ("label", "data_display", label, (200, 120, 290, 144)),
        ("label", "data_display", "4711-8820", (320, 120, 460, 144)),
    ], title="Dossier")  # fmt: skip
    read = Action(type="extract", target=TargetSpec(label=label), parameters=ActionParameters(extract_to="numero"))
    workflow = Workflow(
        workflow_id="WF_read", name="Read", created_at=MOMENT, updated_at=MOMENT, entry_nodes=("page",),
        end_nodes=("page",), nodes=(node_of(office, "WF_read", "page", "page"),),
        edges=(WorkflowEdge(edge_id="E1", from_node="page", to_node="page", action=read),),
        variables={"numero": Variable(
            type="string", source=VariableSource(method="ui_element_extraction"), required=False
        )},
    )  # fmt: skip
    office.data.workflows.save(workflow)
    desktop = ScriptedDesktop(office.book.pixels, start="page", clock=office.clock)
    return run_workflow(RunRequest(workflow, {}, "auto", "a test", 2.0), office.tools(desktop))[0]


def test_the_report_tells_what_was_read_and_where(office: Office) -> None:
    """UX-4, L4-3"""
    report = reading(office, "Dossier n°")
    assert report.status == "success", report.reason
    assert [(one.name, one.value, one.source) for one in report.steps[0].read] == [
        ("numero", "4711-8820", "« Dossier n° »")
    ]
    page = Page(report_page(office.data.runs, report.run_id, "en"))
    assert "numero = 4711-8820 from « Dossier n° »" in " ".join(page.text.split())
    page = Page(report_page(office.data.runs, report.run_id, "fr"))
    assert "numero = 4711-8820 dans « Dossier n° »" in " ".join(page.text.split())


def test_what_was_read_beside_the_words_of_a_secret_is_masked(office: Office) -> None:
    """L0-7, UX-4: although nobody said that the variable is a secret."""
    report = reading(office, "Code PIN")
    assert report.status == "success", report.reason
    html = report_page(office.data.runs, report.run_id, "en")
    assert "4711" not in report.model_dump_json()
    assert "4711" not in Page(html).text
    assert "numero = ••• (secret, not shown) from « Code PIN »" in " ".join(Page(html).text.split())


def test_a_report_made_anew_shows_the_pictures_that_were_kept(office: Office) -> None:
    """UX-4: before and after each step; what was thrown away leaves its place empty."""
    screen = office.book.draw("s", [("button", "x", "Valider", (40, 40, 140, 80))])
    kept = RunPictures("run_1", office.data.runs)
    step = StepReport(
        index=0, edge_id="E1", action="mouse_click", status=ExecutionStatus.SUCCESS, duration_ms=1234.5, verified=True,
        screenshot_before=kept.keep("step_01_before", screen, None, (90, 60)),
        screenshot_after=kept.keep("step_01_after", screen, None, None),
    )  # fmt: skip
    report = RunReport(
        run_id="run_1", workflow_id="WF_1", workflow_name="W", workflow_version=1, mode="auto", status="success",
        started_at=MOMENT, ended_at=MOMENT, duration_s=1.2, steps=(step,),
    )  # fmt: skip
    office.data.runs.save(report, "")

    def pictures(language: Language) -> list[str]:
        page = Page(report_page(office.data.runs, "run_1", language))
        assert "1\u202f234" in page.text or "1,234" in page.text
        return [str(attrs["src"])[:15] for tag, attrs in page.tags if tag == "img"]

    assert pictures("fr") == pictures("en") == ["data:image/jpeg"] * 2
    (office.data.paths.root / "runs/run_1/pictures/step_01_after.jpg").unlink()
    assert pictures("fr") == ["data:image/jpeg"]
