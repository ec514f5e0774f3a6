"""docs/names.md tells the truth: each spelling it says is accepted does load, and means the canonical one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.errors import DocumentError
from rpa_vision.models.dataset import DatasetExport
from rpa_vision.models.document import Document
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.state_embedding import StateEmbedding
from rpa_vision.models.vector_ref import inside_data
from rpa_vision.models.workflow_graph import Workflow

ROOT = Path(__file__).parents[3]
Json = dict[str, Any]


def golden(name: str, **changes: Any) -> Json:
    return {**json.loads((ROOT / "tests" / "golden" / f"{name}.json").read_bytes()), **changes}


def event(**details: Any) -> Json:
    return golden("raw_session", screenshots=[], events=[{"t": 1.0, "type": "mouse_click", **details}])


def window(**names: Any) -> Json:
    return golden("screen_state", window={"app_name": "app", **names})


def variable(**names: Any) -> Json:
    slot = {"type": "string", "source": {"method": "parameter"}, **names}
    return golden("workflow", variables={"patient": slot})


HEADS = golden("state_embedding_heads")["state_embedding"]
SPACE = golden("state_embedding_space")["state_embedding"]
RESULT = {"status": "failed", "message": "gone"}
CONFIRMED = {"learning_state": "AUTO_CONFIRMÉ", "learning": {"state": "AUTO_CONFIRMÉ"}}


def without(document: Json, *names: str) -> Json:
    return {key: value for key, value in document.items() if key not in names}


# (where, accepted spelling) → the model, a document in that spelling, the same one in the canonical spelling
EXAMPLES: dict[tuple[str, str], tuple[type[Document], Json, Json]] = {
    ("Event", "data"): (
        RecordedSession,
        event(data={"button": "left", "pos": [1, 2]}),
        event(button="left", pos=[1, 2]),
    ),
    ("WindowContext", "window_title"): (ScreenState, window(window_title="Main"), window(title="Main")),
    ("WorkflowStats", "success_rate"): (
        Workflow,
        golden("workflow", stats={"success_rate": 0.5}),
        golden("workflow", stats={"success_rate_overall": 0.5}),
    ),
    ("ExecutionResult", "success"): (ExecutionResult, {"success": True}, {"status": "success"}),
    ("ExecutionResult", "reason"): (ExecutionResult, {"success": False, "reason": "gone"}, RESULT),
    ("Variable", "examples"): (Workflow, variable(examples=["a", 1]), variable(example_values=["a", 1])),
    ("LearningState", "AUTO_CONFIRMED"): (
        Workflow,
        golden("workflow", learning_state="AUTO_CONFIRMED", learning={"state": "AUTO_CONFIRMED"}),
        golden("workflow", **CONFIRMED),
    ),
    ("Workflow", "learning.state"): (
        Workflow,
        without(golden("workflow", learning={"state": "COACHING"}), "learning_state"),
        golden("workflow", learning={"state": "COACHING"}, learning_state="COACHING"),
    ),
    ("StateEmbedding", "state_embedding"): (StateEmbedding, {"state_embedding": SPACE}, SPACE),
    ("StateEmbedding", "primary"): (StateEmbedding, without(HEADS, "vector_id", "dimensions", "space"), HEADS),
    ("StateEmbedding", "space.dimensions"): (StateEmbedding, without(SPACE, "dimensions"), SPACE),
    ("DatasetExport", "dataset_export"): (
        DatasetExport,
        golden("dataset_export"),
        golden("dataset_export")["dataset_export"],
    ),
}


def rows_of_the_table() -> list[tuple[str, str]]:
    found = []
    for line in (ROOT / "docs" / "names.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0] not in ("Where", "---"):
            found += [(cells[0].strip("`"), name) for name in re.findall(r"`([^`]+)`", cells[3])]
    return found


def test_every_accepted_spelling_of_the_table_has_an_example_and_the_other_way_round():
    """SPEC Settled: Names"""
    assert set(rows_of_the_table()) == {*EXAMPLES, ("any path", "data/…")}


@pytest.mark.parametrize("row", EXAMPLES, ids=" ".join)
def test_an_accepted_spelling_loads_and_means_the_canonical_one(row: tuple[str, str]):
    """SPEC Settled: Names"""
    kind, accepted, canonical = EXAMPLES[row]
    assert kind.from_json(accepted) == kind.from_json(canonical)
    assert kind.from_json(accepted).to_json() == kind.from_json(canonical).to_json()


def test_a_path_may_begin_with_data_and_is_kept_as_written():
    """SPEC Settled: vector_id"""
    state = ScreenState.from_json(golden("screen_state"))
    assert state.raw.screenshot_path.startswith("data/")
    assert inside_data(state.raw.screenshot_path).parts[0] == "screens"


@pytest.mark.parametrize(
    ("kind", "both"),
    [
        (RecordedSession, event(button="left", data={"button": "right"})),
        (ScreenState, window(title="a", window_title="b")),
        (ExecutionResult, {"status": "success", "success": False}),
        (ExecutionResult, {"success": False, "message": "a", "reason": "b"}),
        (Workflow, variable(examples=[], example_values=[])),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_both_spellings_of_one_thing_at_once_are_refused(kind: type[Document], both: Json):
    """SPEC Settled: Names"""
    with pytest.raises(DocumentError, match="not permitted"):
        kind.from_json(both)
