"""Whatever a workflow is, it can be told, and comes back from its JSON as it was; mistakes have a line."""

from __future__ import annotations

import json
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpa_vision.app.bpmn import bpmn_of
from rpa_vision.app.procedure import as_text, procedure_of
from rpa_vision.app.sop import sop_of
from rpa_vision.app.workflow_file import WorkflowFileError, read_workflow_file
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.json_lines import places_in
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing import strategies as some

often = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))


def no_picture(path: str) -> bytes:
    raise UnknownIdError(path)


@often
@given(some.workflows(), st.sampled_from(["en", "fr"]))
def test_any_workflow_can_be_told(workflow: Workflow, language: str) -> None:
    """UX-6: every step is told, once, whatever it is"""
    procedure = procedure_of(workflow, language)  # type: ignore[arg-type]
    assert as_text(procedure)
    told = [line.edge.edge_id for line in procedure.steps if line.edge is not None]
    assert len(told) == len(set(told))
    if not procedure.problems:
        acting = {edge.edge_id for edge in workflow.edges if edge.action is not None and edge.edge_id in told}
        assert set(told) == acting
    assert sop_of(workflow, no_picture, folder="x").markdown.startswith("#")
    try:
        Xml.fromstring(bpmn_of(workflow, language))  # type: ignore[arg-type]
    except UsageError:
        assert procedure.problems


@often
@given(some.workflows(), st.sampled_from([None, 1, 4]))
def test_a_workflow_comes_back_from_its_file_or_its_mistakes_have_lines(workflow: Workflow, indent: int | None) -> None:
    """P003-18, UX-6"""
    text = json.dumps(workflow.to_json(), ensure_ascii=False, indent=indent)
    if procedure_of(workflow).problems:
        with pytest.raises(WorkflowFileError, match="line "):
            read_workflow_file(text.encode(), "w.json")
    else:
        assert read_workflow_file(text.encode(), "w.json").workflow == workflow


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=20,
)


@often
@given(json_values, st.sampled_from([None, 0, 2]))
def test_every_value_has_its_line(value: object, indent: int | None) -> None:
    """UX-6: errors point at the line"""
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    places = places_in(text)
    lines = text.split("\n")
    found = list(paths(value, ()))
    assert set(places.lines) == set(found)
    for path in found:
        key = path[-1] if path else None
        if isinstance(key, str):
            assert json.dumps(key, ensure_ascii=False) in lines[places.lines[path] - 1]
    assert places.doubles == ()


def paths(value: object, path: tuple[str | int, ...]) -> list[tuple[str | int, ...]]:
    """The way to every value in a document."""
    items: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        items = list(enumerate(value))
    return [path, *(way for key, item in items for way in paths(item, (*path, key)))]
