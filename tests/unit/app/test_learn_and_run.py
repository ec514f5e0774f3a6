"""From a stored recording to a run that is done, reported and audited."""

from __future__ import annotations

import json

import pytest
from office import FIELD, NAMES, NEW, SEND, Diary, Office, Refusing, draw_patients, form, show_three, thanks

from rpa_vision.app.learn import LearnResult
from rpa_vision.app.run import RunHooks, RunRequest, checked_values, run_workflow
from rpa_vision.errors import EnvironmentMissingError, LearningError, ParameterError, UnknownIdError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.geometry import Box
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import HandMadeSession
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop


@pytest.fixture
def learned(office: Office) -> LearnResult:
    office.keep(show_three(office.book))
    return office.learn()


def test_a_stored_recording_becomes_a_stored_workflow(office: Office, learned: LearnResult) -> None:
    """L4-2"""
    assert (learned.repetitions, learned.sessions, learned.workflow.version) == (3, ("sess_patients",), 1)
    assert office.data.workflows.load("WF_patients") == learned.workflow
    for node in learned.workflow.nodes:
        prototype = node.screen_template.embedding_prototype
        assert prototype is not None
        assert office.data.vectors.load(prototype.vector_id, dimensions=512).shape == (512,)
    for edge in learned.workflow.edges:
        if edge.action is not None and edge.action.target is not None and edge.action.target.look is not None:
            assert office.data.pictures.load(edge.action.target.look.image_path)
    assert office.data.screen_states.load("sess_patients.form").ui_elements


def test_learning_again_is_a_new_version(office: Office, learned: LearnResult) -> None:
    """L4-1"""
    assert office.learn().workflow.version == 2
    assert office.data.workflows.load("WF_patients").version == 2


def test_each_screenshot_is_read_once_and_progress_is_told(office: Office) -> None:
    """UX-1"""
    office.keep(show_three(office.book))
    told: list[tuple[str, int, int]] = []
    office.learn(on_progress=lambda what, done, total: told.append((what, done, total)))
    assert [done for _, done, _ in told] == list(range(1, 8))
    assert {(what, total) for what, _, total in told} == {("reading screens", 7)}


def test_without_a_recording_learning_says_what_to_do(office: Office) -> None:
    """UX-1"""
    with pytest.raises(LearningError, match="there is no recorded session") as refused:
        office.learn()
    assert "rpa-vision record" in refused.value.remedy
    with pytest.raises(UnknownIdError):
        office.learn(session_ids=["sess_nobody"])


def test_nothing_is_kept_of_a_task_that_was_not_repeated(office: Office) -> None:
    """P003-16"""
    draw_patients(office.book, NAMES)
    session = HandMadeSession(office.book, "sess_once")
    session.click("form", Box(*SEND).center, after="thanks_0")
    office.keep(session)
    with pytest.raises(LearningError, match="no task was repeated"):
        office.learn()
    assert office.data.workflows.list().items == ()


def request(learned: LearnResult, **changes: object) -> RunRequest:
    parts: dict[str, object] = {
        "workflow": learned.workflow,
        "parameters": {"nom": NEW},
        "mode": "auto",
        "authorised_because": "a test",
    }
    return RunRequest(**(parts | changes))  # type: ignore[arg-type]


def test_what_was_learned_is_done_for_another_value(office: Office, learned: LearnResult) -> None:
    """EX-1, L4-3"""
    desktop = office.desktop()
    report, path = run_workflow(request(learned), office.tools(desktop))
    assert (report.status, report.reason) == ("success", "all 3 steps verified")
    assert [(deed.verb, deed.text) for deed in desktop.deeds] == [
        ("move", ""), ("click", ""), ("type_text", NEW), ("click", ""), ("click", ""),
    ]  # fmt: skip
    assert desktop.screen == "form"
    assert report.parameters == {"nom": NEW}
    assert report.authorised_because == "a test"
    assert office.data.runs.load(report.run_id) == report
    assert path.endswith("report.html")


def test_every_decision_is_audited_before_it_is_done(office: Office, learned: LearnResult) -> None:
    """AH-7.5"""
    run_workflow(request(learned), office.tools(office.desktop()))
    kinds = [json.loads(line)["kind"] for line in office.audit_file.read_text(encoding="utf-8").splitlines()]
    assert kinds == ["run_requested", *["input_decided"] * 3, "run_ended"]


@pytest.mark.parametrize(("mode", "because"), [("auto", None), ("auto", ""), ("shadow", "a test"), ("shadow", None)])
def test_what_is_not_allowed_sends_nothing_and_is_reported(
    office: Office, learned: LearnResult, mode: str, because: str | None
) -> None:
    """L4-12"""
    desktop = office.desktop()
    report, _ = run_workflow(request(learned, mode=mode, authorised_because=because), office.tools(desktop))
    assert (report.status, report.steps, desktop.deeds) == ("blocked", (), [])
    entries = [json.loads(line) for line in office.audit_file.read_text(encoding="utf-8").splitlines()]
    assert [entry["kind"] for entry in entries] == ["run_requested", "run_ended"]
    assert entries[0]["record"]["refused"] == report.reason


def test_what_the_supervisor_forbids_sends_nothing(office: Office, learned: LearnResult) -> None:
    """AH-7.5"""
    desktop = office.desktop()
    report, _ = run_workflow(request(learned), office.tools(desktop, supervisor=lambda run_id: Refusing()))
    assert (report.status, report.reason, desktop.deeds) == ("blocked", "quarantined", [])


@pytest.mark.parametrize("because", [None, "a test"])
def test_in_assist_mode_nothing_is_sent_even_when_nobody_acts(
    office: Office, learned: LearnResult, because: str | None
) -> None:
    """L4-12, UX-5"""
    desktop = office.desktop()
    report, _ = run_workflow(request(learned, mode="assist", authorised_because=because), office.tools(desktop))
    assert (report.status, desktop.deeds, desktop.arrived) == ("halted", [], [])
    assert len(report.steps) == 1
    assert report.steps[0].point == Box(*FIELD).center


def test_the_steps_are_told_as_sentences_while_they_are_done(office: Office, learned: LearnResult) -> None:
    """UX-1"""
    told: list[str] = []
    run_workflow(
        request(learned), office.tools(office.desktop()), RunHooks(on_begin=lambda edge, what: told.append(what))
    )
    assert told == [
        f"Type « {NEW} » into the field « Nom »",
        "Click the button « Enregistrer »",
        "Click the button « Nouveau »",
    ]


def test_another_application_in_front_sends_nothing(office: Office, learned: LearnResult) -> None:
    """EX-7"""
    office.book.draw("form", form(), title="Patients")
    office.book.draw("stranger", thanks(NEW), title="Merci", app_name="autre")
    desktop = ScriptedDesktop(office.book.pixels, start="stranger", clock=office.clock)
    report, _ = run_workflow(request(learned), office.tools(desktop))
    assert (report.status, desktop.deeds) == ("halted", [])


def test_a_run_begins_in_a_window_that_lies_behind_another(office: Office, learned: LearnResult) -> None:
    """EX-7, L4-9: the one window of its application is brought to the front, which is written down first"""
    desktop, diary = office.desktop(), Diary()
    mine = office.book["form"].state.window
    desktop.front_to_back = [WindowContext(app_name="autre", title="Notes"), mine]
    report, _ = run_workflow(request(learned), office.tools(desktop, audit=diary))
    assert (report.status, desktop.front_to_back[0]) == ("success", mine)
    kinds = [kind for kind, _ in diary.entries]
    assert kinds.count("window_decided") == 1
    assert kinds.index("window_decided") < kinds.index("input_decided")


def test_a_run_that_halts_before_its_first_input_has_sent_nothing_whatever_lay_in_front(
    office: Office, learned: LearnResult
) -> None:
    """EX-3, UX-4: that a window was brought to the front is no input of a step"""
    office.book.draw("stranger", thanks(NEW), title="Patients")
    mine = office.book["form"].state.window
    desktop = ScriptedDesktop(office.book.pixels, start="stranger", clock=office.clock)
    desktop.front_to_back = [WindowContext(app_name="autre", title="Notes"), mine]
    report, _ = run_workflow(request(learned), office.tools(desktop))
    assert (report.status, desktop.front_to_back[0], desktop.deeds) == ("halted", mine, [])
    assert (report.input_sent, [step.input_sent for step in report.steps]) == (False, [False])


def test_each_step_says_whether_it_sent_anything(office: Office, learned: LearnResult) -> None:
    """UX-4: the step a run halts at has sent nothing, though the run has"""
    office.book.draw("typed", form(NEW), title="Patients")
    office.book.draw("without_button", thanks(NEW)[:2], title="Merci")

    def follow(screen: str, deed: Deed) -> str | None:
        return {("form", "type_text"): "typed", ("typed", "click"): "without_button"}.get((screen, deed.verb))

    desktop = ScriptedDesktop(office.book.pixels, start="form", script=follow, clock=office.clock)
    report, _ = run_workflow(request(learned), office.tools(desktop))
    assert (report.status, report.input_sent) == ("halted", True), report.reason
    assert [step.input_sent for step in report.steps] == [True, True, False]


def with_variables(learned: LearnResult, **variables: Variable) -> Workflow:
    return learned.workflow.model_copy(update={"variables": learned.workflow.variables | variables})


def test_values_are_checked_before_anything_happens(office: Office, learned: LearnResult) -> None:
    """L4-3"""
    number = Variable(type="integer", source=VariableSource(method="parameter"), example_values=("12", "13"))
    workflow = with_variables(learned, age=number)
    good = {"nom": NEW, "age": "47"}
    assert checked_values(workflow, good) == good
    desktop = office.desktop()
    with pytest.raises(ParameterError):
        run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test"), office.tools(desktop))
    assert desktop.deeds == []
    assert not office.audit_file.exists()


@pytest.mark.parametrize(
    ("given", "said", "remedy"),
    [
        ({}, "variable 'nom' is missing", "Add --param nom=VALUE, for instance: Dupont, Martin, Lefèvre."),
        ({"nom": "x", "prenom": "y"}, "workflow 'Patients' has no variable 'prenom'", "It has: nom."),
        ({"nom": " "}, "variable 'nom': ' ' is empty", "Give --param nom=VALUE"),
    ],
)
def test_a_wrong_parameter_is_named_with_what_it_should_be(
    finished_run: tuple[RunReport, str, LearnResult], given: dict[str, str], said: str, remedy: str
) -> None:
    """L4-3, UX-1"""
    with pytest.raises(ParameterError) as refused:
        checked_values(finished_run[2].workflow, given)
    assert str(refused.value) == said
    assert remedy in refused.value.remedy


def test_a_variable_that_is_not_required_may_be_left_out(finished_run: tuple[RunReport, str, LearnResult]) -> None:
    """L4-3"""
    optional = Variable(type="string", source=VariableSource(method="parameter"), required=False)
    assert checked_values(with_variables(finished_run[2], remarque=optional), {"nom": NEW}) == {"nom": NEW}


def test_a_secret_is_never_given_as_a_parameter(finished_run: tuple[RunReport, str, LearnResult]) -> None:
    """L0-7: parameters are written down"""
    secret = Variable(type="string", subtype="secret", source=VariableSource(method="parameter"))
    with pytest.raises(ParameterError, match="variable 'code' is a secret") as refused:
        checked_values(with_variables(finished_run[2], code=secret), {"nom": NEW, "code": "1234"})
    assert "1234" not in str(refused.value) + refused.value.remedy


def test_a_secret_nobody_knows_here_stops_the_run_before_it_begins(office: Office, learned: LearnResult) -> None:
    """L0-7"""
    edge = learned.workflow.edges[0]
    assert edge.action is not None
    parameters = edge.action.parameters.model_copy(update={"text": None, "secret_ref": "secret-1.a"})
    typing_it = edge.model_copy(update={"action": edge.action.model_copy(update={"parameters": parameters})})
    workflow = learned.workflow.model_copy(update={"edges": (typing_it, *learned.workflow.edges[1:])})
    desktop = office.desktop()
    with pytest.raises(EnvironmentMissingError) as refused:
        run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test"), office.tools(desktop))
    assert "RPA_VISION_SECRET_SECRET_1_A" in refused.value.remedy
    assert desktop.deeds == []
