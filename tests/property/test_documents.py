"""The properties of the documents, over every document hypothesis can think of."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from rpa_vision.errors import DocumentError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.raw_session import RawSession, RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import StateEmbedding
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing import strategies as some

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
often = settings(max_examples=20, deadline=None, suppress_health_check=SLOW)


@often
@given(some.recorded_sessions())
def test_a_session_survives_json(session: RecordedSession):
    """P003-1"""
    text = json.dumps(session.to_json())
    assert RecordedSession.from_json(text) == session
    builder = RawSession.from_json(text)
    assert builder.snapshot() == session
    assert builder.to_json() == session.to_json()


@often
@given(some.recorded_sessions())
def test_a_session_that_is_added_to_piece_by_piece_is_the_whole_one(session: RecordedSession):
    """P003-1"""
    builder = RawSession(
        session_id=session.session_id,
        environment=session.environment,
        user=session.user,
        started_at=session.started_at,
        agent_version=session.agent_version,
        context=session.context,
    )
    for shot in session.screenshots:
        builder.add_screenshot(shot)
    for event in session.events:
        builder.add_event(event)
    if session.ended_at is not None:
        builder.end(session.ended_at, session.capture)
        assert builder.snapshot() == session.model_copy(update={"segments": ()})
    assert builder.events == session.events
    assert builder.screenshots == session.screenshots


@often
@given(some.screen_states())
def test_a_screen_whose_levels_agree_loads_and_survives_json(state: ScreenState):
    """P003-2"""
    assert ScreenState.from_json(json.dumps(state.to_json())) == state


@often
@given(some.screen_states(), st.data())
def test_a_screen_whose_levels_refer_to_different_screenshots_is_refused(state: ScreenState, data: st.DataObject):
    """P003-2"""
    document = state.to_json()
    places: dict[str, dict[str, Any]] = {name: document[name] for name in ("raw", "perception", "context")}
    places |= {f"ui_elements.{index}": element for index, element in enumerate(document["ui_elements"])}
    if document["source"] is not None:
        places["source"] = document["source"]
    one, other = data.draw(st.lists(st.sampled_from(sorted(places)), min_size=2, max_size=2, unique=True))
    places[one]["screenshot_id"] = "shot_of_one_screen"
    places[other]["screenshot_id"] = "shot_of_another_screen"

    with pytest.raises(DocumentError, match="screenshot_id"):
        ScreenState.from_json(document, where="state.json")


@often
@given(some.screen_states(), st.sampled_from(["raw", "perception", "context"]), st.integers(1, 10**9))
def test_a_screen_whose_levels_refer_to_different_moments_is_refused(state: ScreenState, level: str, off_us: int):
    """P003-2"""
    document = state.to_json()
    document[level]["captured_at"] = (state.timestamp + timedelta(microseconds=off_us)).isoformat()

    with pytest.raises(DocumentError, match=rf"{level}\.captured_at"):
        ScreenState.from_json(document, where="state.json")


@often
@given(some.workflows(), st.data(), st.booleans())
def test_no_reference_to_a_node_dangles(workflow: Workflow, data: st.DataObject, renamed: bool):
    """P003-12"""
    document = workflow.to_json()
    node = data.draw(st.sampled_from(document["nodes"]))
    lost = node["node_id"]
    if renamed:
        node["node_id"] = "N_that_nobody_knows"
    else:
        document["nodes"].remove(node)
    references = fields_that_refer_to(document, lost)

    if not references:
        Workflow.from_json(document)
        return
    with pytest.raises(DocumentError) as caught:
        Workflow.from_json(document, where="workflow.json")
    assert str(caught.value) in {f"workflow.json: {field}: there is no node {lost!r}" for field in references}


@often
@given(some.workflows(), st.data())
def test_no_reference_to_an_edge_dangles(workflow: Workflow, data: st.DataObject):
    """P003-12"""
    document = workflow.to_json()
    assume(document["edges"])
    edge = data.draw(st.sampled_from(document["edges"]))
    lost, edge["edge_id"] = edge["edge_id"], "E_that_nobody_knows"
    referred = any(
        lost in (one["next_edge"], (one["condition"] or {}).get("else_edge"), (one["loop"] or {}).get("last_edge"))
        for one in document["edges"]
    )

    if not referred:
        Workflow.from_json(document)
        return
    with pytest.raises(DocumentError, match=f"there is no edge '{lost}'"):
        Workflow.from_json(document)


def fields_that_refer_to(document: dict[str, Any], node_id: str) -> list[str]:
    found = [name for name in ("entry_nodes", "end_nodes") if node_id in document[name]]
    for node in document["nodes"]:
        if any(recovery["return_to_node"] == node_id for recovery in node["recovery_actions"]):
            found.append(f"nodes.{node['node_id']}.recovery_actions")
    for edge in document["edges"]:
        here = f"edges.{edge['edge_id']}"
        found += [f"{here}.{end}" for end in ("from_node", "to_node") if edge[end] == node_id]
        condition = edge["condition"] or {}
        names = ("on_true", "on_false", "target_node")
        found += [f"{here}.condition.{name}" for name in names if condition.get(name) == node_id]
        if (edge["post_conditions"] or {}).get("expected_node") == node_id:
            found.append(f"{here}.post_conditions.expected_node")
    for index, transition in enumerate(document["stats"]["error_transitions"]):
        found += [
            f"stats.error_transitions.{index}.{end}" for end in ("from_node", "to_node") if transition[end] == node_id
        ]
    return found


@often
@given(some.screen_states(), some.ui_elements(), st.data())
def test_two_elements_of_a_screen_never_share_an_id_whatever_their_roles(
    state: ScreenState, element: UIElement, data: st.DataObject
):
    """P003-13"""
    ids = [each.element_id for each in state.ui_elements]
    assert len(ids) == len(set(ids))

    document = state.to_json()
    extra = element.to_json() | {"screenshot_id": None}
    twice = [*document["ui_elements"], extra, {**extra, "role": data.draw(some.texts)}]
    with pytest.raises(DocumentError, match=r"ui_elements\.\d+\.element_id"):
        ScreenState.from_json({**document, "ui_elements": twice})


@often
@given(some.workflows(), st.integers(-5, 0))
def test_a_prototype_of_no_samples_is_none(workflow: Workflow, count: int):
    """P003-14 (that its vector exists is asked of the workflow store)"""
    prototypes = [node.screen_template.embedding_prototype for node in workflow.nodes]
    assert all(prototype.sample_count >= 1 for prototype in prototypes if prototype is not None)

    document = workflow.to_json()
    document["nodes"][0]["screen_template"]["embedding_prototype"] = {
        "vector_id": "embeddings/x.npy",
        "min_cosine_similarity": 0.85,
        "sample_count": count,
    }
    with pytest.raises(DocumentError, match=r"nodes\.0\.screen_template\.embedding_prototype\.sample_count"):
        Workflow.from_json(document)


@often
@given(some.state_embeddings())
def test_a_fingerprint_survives_json_and_its_weights_add_up_to_one(embedding: StateEmbedding):
    """P003-17"""
    assert StateEmbedding.from_json(json.dumps(embedding.to_json())) == embedding
    assert sum(part.weight for part in embedding.components.values()) == pytest.approx(1.0, abs=1e-6)


@often
@given(some.state_embeddings(), some.fusion_weights(), st.floats(0.0, 0.999))
def test_weights_that_do_not_add_up_to_one_are_refused(
    embedding: StateEmbedding, weights: dict[str, float], factor: float
):
    """P003-17"""
    components = {name: {"weight": weight * factor} for name, weight in weights.items()}
    document = {**embedding.to_json(), "fusion_method": "weighted", "components": components}
    with pytest.raises(DocumentError, match="components: the weights"):
        StateEmbedding.from_json(document)


@settings(often, max_examples=30)
@given(some.workflows())
def test_a_workflow_survives_json(workflow: Workflow):
    """P003-18"""
    again = Workflow.from_json(json.dumps(workflow.to_json()))
    assert again == workflow
    assert [node.node_id for node in again.nodes] == [node.node_id for node in workflow.nodes]
    assert [edge.edge_id for edge in again.edges] == [edge.edge_id for edge in workflow.edges]
    assert again.to_json() == workflow.to_json()


@often
@given(some.run_reports())
def test_a_run_report_survives_json(report: RunReport):
    assert RunReport.from_json(json.dumps(report.to_json())) == report


@often
@given(some.ui_elements())
def test_an_element_survives_json_and_cannot_be_changed(element: UIElement):
    """L2-3"""
    assert UIElement.from_json(json.dumps(element.to_json())) == element
    with pytest.raises(ValidationError):
        element.label = "other"  # type: ignore[misc]
