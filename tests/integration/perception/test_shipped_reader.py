"""The model file that ships, and what happens when it does not."""

from __future__ import annotations

import hashlib
import json
import shutil
from importlib import resources
from pathlib import Path

import numpy as np
import pytest

from rpa_vision.adapters.perception.onnx_reader import OnnxTextRecognizer
from rpa_vision.errors import ModelMissingError

SHIPPED = Path(str(resources.files("rpa_vision") / "resources" / "reader"))
FRENCH = "àâäçéèêëîïôöùûüÿæœÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸÆŒ€«»°’“”–—"


@pytest.fixture(scope="module")
def reader() -> OnnxTextRecognizer:
    return OnnxTextRecognizer.shipped()


@pytest.fixture
def copy(tmp_path) -> Path:
    return Path(shutil.copytree(SHIPPED, tmp_path / "reader"))


def test_the_model_is_the_one_described_and_small():
    about = json.loads((SHIPPED / "latin.json").read_text(encoding="utf-8"))
    model = (SHIPPED / "latin.onnx").read_bytes()
    assert hashlib.sha256(model).hexdigest() == about["sha256"]
    assert len(model) < 3_000_000
    assert about["licence"] == "Apache-2.0"
    assert set(FRENCH) <= set(about["characters"])
    assert about["sha256"] in (SHIPPED / "MODEL_CARD.md").read_text(encoding="utf-8")


def test_a_missing_model_is_an_error_with_a_remedy(copy):
    (copy / "latin.onnx").unlink()
    with pytest.raises(ModelMissingError, match="missing") as failure:
        OnnxTextRecognizer(copy / "latin.json")
    assert failure.value.remedy


def test_a_missing_description_is_the_same_error(tmp_path):
    with pytest.raises(ModelMissingError):
        OnnxTextRecognizer(tmp_path / "latin.json")


def test_a_damaged_model_is_refused(copy):
    model = bytearray((copy / "latin.onnx").read_bytes())
    model[1000] ^= 0xFF
    (copy / "latin.onnx").write_bytes(bytes(model))
    with pytest.raises(ModelMissingError, match="checksum"):
        OnnxTextRecognizer(copy / "latin.json")


def test_a_torn_description_is_refused(copy):
    (copy / "latin.json").write_text('{"file": "latin.onnx"', encoding="utf-8")
    with pytest.raises(ModelMissingError):
        OnnxTextRecognizer(copy / "latin.json")


def test_a_model_that_is_none_is_refused(copy):
    about = json.loads((copy / "latin.json").read_text(encoding="utf-8"))
    (copy / "latin.onnx").write_bytes(b"not a model")
    about["sha256"] = hashlib.sha256(b"not a model").hexdigest()
    (copy / "latin.json").write_text(json.dumps(about), encoding="utf-8")
    with pytest.raises(ModelMissingError, match="loaded"):
        OnnxTextRecognizer(copy / "latin.json")


def test_what_is_read_does_not_depend_on_what_is_read_with_it(reader):
    """Deterministic: alone, in company, in another order."""
    rng = np.random.default_rng(1)
    lines = [rng.integers(0, 256, (18, width, 3), dtype=np.uint8) for width in (20, 60, 61, 62, 63, 200, 64, 700)]
    together = reader.read(lines)
    assert [reader.read([line])[0].text for line in lines] == [answer.text for answer in together]
    assert reader.read(lines[::-1])[::-1] == pytest.approx(together) or [
        answer.text for answer in reader.read(lines[::-1])[::-1]
    ] == [answer.text for answer in together]


def test_no_lines_and_empty_lines_are_fine(reader):
    assert reader.read([]) == []
    assert reader.read([np.zeros((0, 10, 3), np.uint8)])[0].text == ""
