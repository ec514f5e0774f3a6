"""A run that logs in again inside another run, and what errors a workflow met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from office import NEW, Diary, Office, show_three

from rpa_vision.app.error_stats import with_error_stats
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.embedding.salience import front_of
from rpa_vision.graph.vocabulary import naming_words
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.wording import title_words
from rpa_vision.models.workflow_graph import (
    EmbeddingPrototype,
    PostConditions,
    RecoveryAction,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.testing.screens import MOMENT, AnyItem, Item
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop

SECRET = "Lilas-2026!"
DOOR: list[AnyItem] = [
    ("heading", "title", "Session expirée", (300, 60, 640, 100)),
    Item("password_input", "form_input", "Mot de passe", (300, 200, 560, 230)),
    ("button", "submit", "Connexion", (300, 300, 460, 340)),
]
TYPED: list[AnyItem] = [
    DOOR[0],
    Item("password_input", "form_input", "Mot de passe", (300, 200, 560, 230), value="********"),
    DOOR[2],
]


def node_of(office: Office, workflow_id: str, node_id: str, screen: str, **fields: Any) -> WorkflowNode:
    seen = office.book[screen]
    vector_id = f"workflows/{workflow_id}/prototypes/{node_id}.npy"
    office.data.vectors.save(vector_id, seen.vector)
    return WorkflowNode(
        node_id=node_id,
        label=node_id,
        screen_template=ScreenTemplate(
            stable_texts=tuple(naming_words(seen.state)),
            title_words=tuple(sorted(title_words(seen.state.window.title))),
            embedding_prototype=EmbeddingPrototype(
                vector_id=vector_id, min_cosine_similarity=0.8, space=office.book.embedder.space
            ),
        ),
        metadata={"has_dialog": front_of(seen.state.ui_elements) is not None},
        **fields,
    )


def login_workflow(office: Office, *, level: Any = "AUTO_CONFIRMÉ") -> Workflow:
    """Type the password, which is a secret, and go in."""
    name = "WF_login"
    password = Action(
        type="text_input",
        target=TargetSpec(label="Mot de passe", type="password_input"),
        parameters=ActionParameters(secret_ref="clinic"),
    )
    enter = Action(type="mouse_click", target=TargetSpec(label="Connexion", type="button"))
    made = Workflow(
        workflow_id=name,
        name="Log in",
        created_at=MOMENT,
        updated_at=MOMENT,
        entry_nodes=("door",),
        end_nodes=("form",),
        nodes=(node_of(office, name, "door", "door"), node_of(office, name, "form", "form")),
        edges=(
            WorkflowEdge(
                edge_id="L1", from_node="door", to_node="door", action=password,
                post_conditions=PostConditions(expected_node="door", conditions=("target_changed",)),
            ),
            WorkflowEdge(
                edge_id="L2", from_node="door", to_node="form", action=enter,
                post_conditions=PostConditions(expected_node="form"),
            ),
        ),
    )  # fmt: skip
    grown = at_exactly(made, level)
    office.data.workflows.save(grown)
    return grown


def expiring(office: Office) -> tuple[Workflow, ScriptedDesktop]:
    """The patients' form behind a door that has just been shut."""
    office.keep(show_three(office.book))
    office.book.draw("door", DOOR, title="Connexion")
    office.book.draw("door_typed", TYPED, title="Connexion")
    inner = office.desktop()

    def follow(screen: str, deed: Deed) -> str | None:
        at = deed.at or (0, 0)
        if screen == "door" and deed.verb == "type_text":
            return "door_typed" if deed.text == SECRET else None
        if screen == "door_typed" and deed.verb == "click" and Box(300, 300, 460, 340).contains(at):
            return "form"
        script: Any = inner._script
        followed: str | None = script(screen, deed)
        return followed

    learned = office.learn().workflow
    way = RecoveryAction(action="trigger_login_workflow", workflow_id="WF_login")
    error = node_of(
        office, learned.workflow_id, "expired", "door", is_error_node=True, error_type="authentication",
        recovery_actions=(way,),
    )  # fmt: skip
    workflow = learned.model_copy(update={"nodes": (*learned.nodes, error)})
    return workflow, ScriptedDesktop(office.book.pixels, start="door", script=follow, clock=office.clock)


def test_a_session_that_expired_is_opened_again_by_the_login_workflow(office: Office) -> None:
    """L4-6, L0-7: a run of its own, with its own report and its own secrets"""
    workflow, desktop = expiring(office)
    login_workflow(office)
    diary = Diary()
    tools = office.tools(desktop, audit=diary, secrets_of=lambda other: {"clinic": SECRET})
    report, page = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), tools)
    assert report.status == "success", report.reason
    assert report.reason.endswith("interrupted once")
    (way,) = report.steps[0].recoveries
    assert (way.action, way.succeeded, way.error_type) == ("trigger_login_workflow", True, "authentication")
    assert way.run_id is not None
    inner = office.data.runs.load(way.run_id)
    assert (inner.workflow_id, inner.status, inner.triggered_by) == ("WF_login", "success", report.run_id)
    kinds = [kind for kind, _ in diary.entries]
    assert kinds.count("run_requested") == kinds.count("run_ended") == 2
    assert kinds.count("recovery") == 1
    assert SECRET not in str(diary.entries)
    for path in office.data.paths.root.rglob("*.html"):
        assert SECRET not in path.read_text(encoding="utf-8")
    assert "Interrupted by" in Path(page).read_text(encoding="utf-8")


@pytest.mark.parametrize("missing", ["workflow", "secret"])
def test_without_what_it_needs_the_way_out_fails_in_words(office: Office, missing: str) -> None:
    """L4-6"""
    workflow, desktop = expiring(office)
    if missing == "secret":
        login_workflow(office)
    tools = office.tools(desktop)
    report, _ = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), tools)
    assert report.status == "halted"
    assert "WF_login could not be run" in report.reason
    assert desktop.deeds == []


def test_what_a_person_authorised_is_the_workflow_she_named(office: Office) -> None:
    """L4-6, L4-13: one that has not earned it is not run inside of it"""
    workflow, desktop = expiring(office)
    login_workflow(office, level="OBSERVATION")
    tools = office.tools(desktop, secrets_of=lambda other: {"clinic": SECRET})
    report, _ = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), tools)
    assert (report.status, report.input_sent) == ("halted", False)
    assert "the workflow is at OBSERVATION" in report.reason
    assert desktop.deeds == []


def test_what_a_run_inside_it_sent_is_told_of_a_run(office: Office) -> None:
    """EX-3: the password was typed; the steps of the run itself sent nothing"""
    workflow, desktop = expiring(office)
    login_workflow(office)
    tools = office.tools(desktop, secrets_of=lambda other: {"clinic": "wrong"})
    report, _ = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), tools)
    assert (report.status, report.input_sent) == ("halted", True)


def test_errors_are_counted_from_the_reports_of_runs(office: Office) -> None:
    """L4-6: errors_by_type, error_transitions, recovery_success_rate"""
    workflow, desktop = expiring(office)
    login_workflow(office)
    tools = office.tools(desktop, secrets_of=lambda other: {"clinic": SECRET})
    run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), tools)
    desktop.show("door")
    run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", 2.0), office.tools(desktop, ids=tools.ids))
    stats = with_error_stats(workflow, office.data.runs.list().items).stats
    assert stats.errors_by_type == {"authentication": 2}
    assert [(one.to_node, one.count) for one in stats.error_transitions] == [("expired", 2)]
    assert (stats.error_count, stats.recovery_success_rate) == (2, 0.5)
    assert with_error_stats(workflow, []) == workflow
