"""The generated JSON Schemas are those of the models as they are now."""

from __future__ import annotations

from pathlib import Path

from rpa_vision.app.schemas import DOCUMENTS, json_schemas, schema_text, write_schemas
from rpa_vision.models.document import Document

SCHEMAS = Path(__file__).parents[3] / "docs" / "schemas"


def test_the_schemas_in_the_docs_are_not_stale():
    """L4-1; remake them with `python -m rpa_vision.app.schemas docs/schemas`"""
    there = {path.name: path.read_text(encoding="utf-8") for path in SCHEMAS.glob("*.json")}
    assert there == {name: schema_text(schema) for name, schema in json_schemas().items()}


def test_every_kind_of_document_has_a_schema():
    """L4-1"""
    assert set(DOCUMENTS.values()) == {
        kind for kind in Document.__subclasses__() if kind.__module__.startswith("rpa_vision.models")
    }


def test_a_schema_forbids_what_the_model_forbids():
    """L4-1"""
    for schema in json_schemas().values():
        assert schema["additionalProperties"] is False
        assert schema["$schema"].startswith("https://json-schema.org/")


def test_the_schemas_are_written_where_asked(tmp_path: Path):
    assert sorted(path.name for path in write_schemas(tmp_path)) == sorted(json_schemas())
    assert len(list(tmp_path.iterdir())) == len(DOCUMENTS)
