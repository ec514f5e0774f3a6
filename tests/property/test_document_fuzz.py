"""Whatever is done to the JSON of a document, loading it gives a document or a DocumentError."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rpa_vision.app.schemas import DOCUMENTS
from rpa_vision.errors import DocumentError
from rpa_vision.models.document import Document

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*.json"))

odd_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(
        ["", "ANY", "../x", "a\n", "${x}", "$", "\ud800", "2025-01-01T00:00:00", "0001-01-01T00:00:00+14:00",
         "9999-12-31T23:59:59-14:00", -1, 10**400, -0.0, 1e308, [], {}, [[]], "x" * 200]
    ),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


def model_of(path: Path) -> type[Document]:
    return next(kind for name, kind in DOCUMENTS.items() if path.name.startswith(name))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) of a JSON value."""
    if not isinstance(value, (dict, list)):
        return []
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    return [(value, key) for key in keys] + [place for key in keys for place in places(value[key])]


def load(kind: type[Document], data: Any) -> None:
    """The promise."""
    try:
        document = kind.from_json(data, where="it.json")
    except DocumentError as error:
        message = str(error)
    else:
        assert kind.from_json(document.to_json()) == document
        return
    assert message.startswith("it.json: ")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_changed_document_is_loaded_or_refused_and_nothing_else(path: Path, data: st.DataObject):
    """issue 2 item 2"""
    document = json.loads(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        found = places(document)
        if not found:
            break
        container, key = data.draw(st.sampled_from(found))
        change = data.draw(st.sampled_from(["replace", "remove", "copy", "add"]))
        if change == "remove":
            del container[key]
        elif change == "copy":
            container[key] = json.loads(json.dumps(data.draw(st.sampled_from(found))[0]))
        elif change == "add" and isinstance(container, dict):
            container[data.draw(st.text(max_size=6))] = data.draw(odd_values)
        else:
            container[key] = data.draw(odd_values)
    load(model_of(path), document)
    load(model_of(path), json.dumps(document))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_damaged_file_is_loaded_or_refused_and_nothing_else(path: Path, data: st.DataObject):
    """issue 2 item 3: torn JSON"""
    content = path.read_bytes()
    at = data.draw(st.integers(0, len(content)))
    damaged = content[:at] + data.draw(st.binary(max_size=6)) + content[at + data.draw(st.integers(0, 40)) :]
    load(model_of(path), damaged)
    load(model_of(path), content[:at])
