"""A document that is wrong is refused with the file and the field; nothing else is ever raised."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.app.schemas import DOCUMENTS
from rpa_vision.errors import DocumentError
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.workflow_graph import Workflow

GOLDEN = Path(__file__).parents[2] / "golden"
Json = dict[str, Any]


def golden(name: str) -> Json:
    loaded: Json = json.loads((GOLDEN / f"{name}.json").read_bytes())
    return loaded


def put(*path: str | int, value: Any) -> Callable[[Json], None]:
    def change(document: Json) -> None:
        place: Any = document
        for part in path[:-1]:
            place = place[part]
        place[path[-1]] = value

    return change


WRONG = [
    # unknown fields
    ("workflow", put("colour", value="red"), "colour"),
    ("workflow", put("nodes", 0, "screen_template", "colour", value=1), "nodes.0.screen_template.colour"),
    ("raw_session", put("events", 0, "preasure", value=1), "events.0.preasure"),
    # wrong types
    ("workflow", put("version", value="1"), "version"),
    ("workflow", put("version", value=True), "version"),
    ("workflow", put("nodes", value={}), "nodes"),
    ("raw_session", put("started_at", value=1763719200), "started_at"),
    ("raw_session", put("started_at", value="yesterday"), "started_at"),
    ("raw_session", put("started_at", value="2025-11-22T10:15:00"), "started_at"),
    ("raw_session", put("events", 0, "pos", value=[1, 2, 3]), "events.0.pos"),
    ("screen_state", put("ui_elements", 0, "bbox", value=[200, 200, 100, 240]), "ui_elements.0.bbox"),
    ("screen_state", put("ui_elements", 0, "center", value=[0, 0]), "ui_elements.0.center"),
    ("ui_element_affordance", put("confidence", value=1.5), "confidence"),
    # values that are none of the vocabulary
    ("workflow", put("learning_state", value="AUTOMATIC"), "learning_state"),
    ("workflow", put("edges", 0, "action", "type", value="teleport"), "edges.0.action.type"),
    ("raw_session", put("schema_version", value="rawsession_v9"), "schema_version"),
    ("raw_session_segments", put("segments", 0, "trigger", value="boredom"), "segments.0.trigger"),
    # references that lead nowhere
    ("workflow", put("entry_nodes", value=["N0"]), "entry_nodes"),
    ("workflow", put("edges", 0, "to_node", value="N9"), "edges.E1_submit.to_node"),
    ("workflow", put("edges", 0, "from_node", value="N9"), "edges.E1_submit.from_node"),
    ("workflow", put("edges", 0, "post_conditions", "expected_node", value="N9"), "post_conditions.expected_node"),
    ("workflow_conditional_edge", put("edges", 0, "condition", "on_false", value="N9"), "condition.on_false"),
    ("workflow_error_nodes", put("edges", 0, "condition", "target_node", value="N9"), "condition.target_node"),
    ("workflow_error_nodes", put("nodes", 1, "recovery_actions", 0, "return_to_node", value="N9"), "recovery_actions"),
    ("workflow_error_stats", put("stats", "error_transitions", 0, "to_node", value="N9"), "stats.error_transitions.0"),
    ("workflow", put("edges", 0, "action", "target", "label", value="${nobody}"), "edges.E1_submit.action.target"),
    ("raw_session", put("events", 0, "screenshot_id", value="shot_9"), "events.0.screenshot_id"),
    ("raw_session_segments", put("segments", 0, "end_event_index", value=68), "segments.0.end_event_index"),
    # dimensions that disagree
    ("state_embedding_space", put("state_embedding", "dimensions", value=256), "dimensions"),
    ("state_embedding_heads", put("state_embedding", "auxiliary", "space", "dimensions", value=5), "auxiliary.dimens"),
    ("screen_state", put("perception", "embedding", "dimensions", value=0), "perception.embedding.dimensions"),
    # paths that lead out
    ("screen_state", put("raw", "screenshot_path", value="../../etc/passwd"), "raw.screenshot_path"),
    ("screen_state", put("raw", "screenshot_path", value="/etc/passwd"), "raw.screenshot_path"),
    ("screen_state", put("perception", "embedding", "vector_id", value="a/../../b.npy"), "perception.embedding.vector"),
    ("raw_session", put("session_id", value="../up"), "session_id"),
    # patterns that are none
    ("workflow_variables", put("variables", "invoice_id", "validation", "regex", value="("), "invoice_id.validation"),
    ("workflow_variables", put("variables", "invoice_id", "validation", "regex", value="a{9999999999}"), "validation"),
    ("workflow_variables", put("variables", "invoice_id", "validation", "regex", value="(" * 9999), "validation"),
    # numbers that are none
    ("ui_element_affordance", put("confidence", value=float("nan")), "confidence"),
    ("raw_session", put("events", 0, "t", value=float("inf")), "events.0.t"),
    ("workflow", put("metadata", value={"deep": [1, {"er": float("-inf")}]}), "metadata.deep.1.er"),
    # a policy that loosens when it should tighten
    ("auto_heal_policy", put("min_confidence_degraded", value=0.1), "min_confidence_degraded"),
]


@pytest.mark.parametrize(("name", "change", "field"), WRONG, ids=lambda value: value if isinstance(value, str) else "")
def test_a_wrong_field_is_named_together_with_its_file(name: str, change: Callable[[Json], None], field: str):
    """L4-1 P003-12; issue 2 item 2"""
    document = golden(name)
    change(document)
    kind = next(kind for prefix, kind in DOCUMENTS.items() if name.startswith(prefix))

    with pytest.raises(DocumentError) as caught:
        kind.from_json(document, where="data/it.json")

    assert str(caught.value).startswith("data/it.json: ")
    assert field in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        '{"workflow_id": "WF_1", "na',
        "[]",
        "null",
        '"text"',
        "NaN",
        b"\xff\xfe\x00",
        b"\x00" * 64,
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"workflow_id": 1' + "0" * 5000 + "}",
        '{"name": "\\ud800"}',
        '{"version": 1e999}',
        json.dumps({"metadata": {"a": {}}}).replace("{}", '{"a":' * 400 + "{}" + "}" * 400),
    ],
    ids=lambda text: repr(text[:12]),
)
def test_what_is_not_a_document_at_all_is_refused_with_its_file(text: str | bytes):
    """issue 2 item 3: a torn or foreign file"""
    for kind in (Workflow, RecordedSession, ScreenState):
        with pytest.raises(DocumentError, match=r"^it\.json: "):
            kind.from_json(text, where="it.json")


def test_python_values_that_json_cannot_hold_are_refused_too():
    """L4-1"""
    for odd in ({1, 2}, object(), b"bytes", {1: 2}):
        with pytest.raises(DocumentError, match=r"metadata\.x|metadata: "):
            Workflow.from_json({**golden("workflow"), "metadata": {"x": odd}})


def test_a_secret_event_cannot_carry_what_was_typed():
    """L0-7"""
    document = golden("raw_session")
    for leak in ({"text": "hunter2"}, {"char": "h"}, {"key": "h"}):
        document["events"] = [{"t": 1.0, "type": "text_input", "secret_ref": "pw", **leak}]
        with pytest.raises(DocumentError, match=r"events\.0\.secret_ref"):
            RecordedSession.from_json(document)


def nested(depth: int) -> Json:
    inner: Json = {}
    for _ in range(depth):
        inner = {"a": inner}
    return inner


@pytest.mark.parametrize(
    "change",
    [
        {"screen_state_id": 7},
        {"perception": None},
        {"timestamp": "yesterday"},
        {"metadata": nested(145)},
        {"metadata": nested(149)},
        {"metadata": nested(160)},
        {"metadata": {"why": " " * 400}},
        {"metadata": {"share": float("nan")}},
        {"metadata": {}},
    ],
)
@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_nothing_is_written_that_cannot_be_read(change: Json):
    """L4-1 P003-12: a model that was copied with something wrong in it; and only that is refused"""
    copied = ScreenState.from_json(golden("screen_state")).model_copy(update=change)
    plain = copied.model_dump_json(by_alias=True, indent=2, warnings=False).encode()

    def as_read() -> ScreenState | str:
        try:
            return ScreenState.from_json(plain, where="data/it.json")
        except DocumentError as refused:
            return str(refused)

    read = as_read()
    if isinstance(read, ScreenState):
        assert ScreenState.from_json(copied.written()) == read
    else:
        with pytest.raises(DocumentError) as caught:
            copied.written(where="data/it.json")
        assert str(caught.value) == read
